"""Dask: parts are encoded on workers, collected by their names, and joined."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import KNOWN, POINTS, SEEDED, STATED, bits
from dpfda import _tasks
from dpfda import dask as on_dask

distributed = pytest.importorskip("distributed")
pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def client() -> Any:
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def files(tmp_path_factory: Any, curves: np.ndarray) -> list[Path]:
    from pyarrow import parquet

    folder = tmp_path_factory.mktemp("parquet")
    paths = []
    for at, piece in enumerate(np.array_split(curves, 6)):
        paths.append(folder / f"part{at}.parquet")
        parquet.write_table(pyarrow.table({f"v{k}": piece[:, k] for k in range(POINTS)}), paths[-1])
    return paths


def test_files_on_a_cluster_give_the_release_of_one_machine(client: Any, files: list[Path], curves: np.ndarray) -> None:
    mean = dpfda.PrivateMean(**KNOWN)
    expected = bits(mean.release(curves, **SEEDED))
    plan = dpfda.PrivateMean(**KNOWN, values="v*").plan(files[0])
    assert bits(on_dask.release(files, plan, client=client, values="v*", **SEEDED)) == expected
    assert bits(on_dask.release(files[0].parent, plan, client=client, values="v*", **SEEDED)) == expected


def test_frames_and_arrays_on_a_cluster_give_the_release_of_one_machine(client: Any, curves: np.ndarray) -> None:
    import dask.array
    import dask.dataframe

    mean = dpfda.PrivateMean(**KNOWN)
    expected = bits(mean.release(curves, **SEEDED))
    frame = pandas.DataFrame({f"v{k}": curves[:, k] for k in range(POINTS)})
    table = dask.dataframe.from_pandas(frame, npartitions=5)
    assert bits(on_dask.release(table, mean.plan(curves), client=client, **SEEDED)) == expected
    array = dask.array.from_array(curves, chunks=(100, 7))
    assert bits(on_dask.release(array, mean.plan(curves), client=client, **SEEDED)) == expected


def test_a_ledger_pays_for_the_cluster(client: Any, files: list[Path], tmp_path: Path) -> None:
    terms = {"dataset": "d", "unit": "curve", "neighbours": "substitute", "epsilon": 1, "delta": 1e-5}
    ledger = dpfda.Ledger.create(tmp_path / "l", **terms)
    plan = dpfda.PrivateMean(**KNOWN, values="v*").plan(files[0])
    release = on_dask.release(files, plan, client=client, values="v*", ledger=ledger, release_id="a")
    assert on_dask.release(files, plan, client=client, values="v*", ledger=ledger, release_id="a") == release


def test_ids_that_look_alike_on_workers_are_told_to_the_curator(client: Any, curves: np.ndarray) -> None:
    import dask.dataframe

    ids = [f"p{row:03d}" for row in range(599)] + ["P598"]
    frame = pandas.DataFrame({f"v{k}": curves[:, k] for k in range(POINTS)}).assign(id=ids)
    plan, table = dpfda.PrivateMean(**KNOWN, subject="id").plan(curves), dask.dataframe.from_pandas(frame, npartitions=2)
    with pytest.warns(dpfda.CuratorWarning, match="letter case"):
        part = on_dask.encode(table, plan, client=client, key=dpfda.Key(), values="v*", subject="id")
    assert part.parts == ["part-000000", "part-000001"]
    with pytest.warns(dpfda.CuratorWarning) as told:
        on_dask.release(table, plan, client=client, key=dpfda.Key(), values="v*", subject="id", **SEEDED)
    assert [one.filename for one in told if one.category is dpfda.CuratorWarning] == [__file__]


def test_codes_for_missing_values_of_files_are_read_on_workers(client: Any, curves: np.ndarray, tmp_path: Path) -> None:
    import dask.array

    holes = curves.copy()
    holes[::9, 2:4] = np.nan
    for at, piece in enumerate(np.array_split(holes, 2)):
        lines = [",".join("-999" if x != x else str(x) for x in row) for row in piece.tolist()]
        (tmp_path / f"part{at}.csv").write_text("\n".join([",".join(f"v{k}" for k in range(POINTS)), *lines]) + "\n")
    mean = dpfda.PrivateMean(**KNOWN)
    plan = mean.plan(curves)
    expected = bits(mean.release(holes, **SEEDED))
    assert bits(on_dask.release(tmp_path, plan, client=client, values="v*", missing=-999, **SEEDED)) == expected
    array = dask.array.from_array(np.where(np.isnan(holes), -999, holes), chunks=(100, 7))
    assert bits(on_dask.release(array, plan, client=client, missing=-999, **SEEDED)) == expected
    for source, values in ((tmp_path, "v*"), (array, None)):
        with pytest.raises(dpfda.DpfdaError, match=r"such as (missing=)?-999") as refused:
            on_dask.release(source, plan, client=client, values=values, **SEEDED)
        assert refused.value.parameter == "missing"


def test_a_file_by_two_names_counts_its_people_once(client: Any, files: list[Path], tmp_path: Path, curves: np.ndarray) -> None:
    plan, path = dpfda.PrivateMean(**KNOWN).plan(curves), files[0]
    link = tmp_path / "link.csv"
    link.symlink_to(path)
    for other in (link, path.parent / ".." / path.parent.name / path.name):
        with pytest.raises(dpfda.DpfdaError, match="are one file") as refused:
            on_dask.encode([path, other], plan, client=client, values="v*")
        assert refused.value.parameter == "data"


def test_a_long_table_is_no_matter_of_a_cluster(client: Any, files: list[Path]) -> None:
    plan = dpfda.PrivateRows(id="id", time="t", value="y", domain=(0, 1), **STATED).plan()
    with pytest.raises(dpfda.DpfdaError) as refused:
        on_dask.encode(files, plan, client=client, key=dpfda.Key())
    assert refused.value.parameter == "plan"


def test_a_refusal_on_a_worker_is_told_without_a_value(client: Any, curves: np.ndarray) -> None:
    import dask.dataframe

    frame = pandas.DataFrame({f"v{k}": curves[:, k] for k in range(POINTS)}).assign(v3="Zqx-Canary")
    plan = dpfda.PrivateMean(**KNOWN).plan(curves)
    with pytest.raises(dpfda.DpfdaError) as refused:
        on_dask.release(dask.dataframe.from_pandas(frame, npartitions=2), plan, client=client, **SEEDED)
    assert "Zqx" not in str(refused.value)


def test_a_worker_of_another_version_is_refused(curves: np.ndarray) -> None:
    plan = dpfda.PrivateMean(**KNOWN).plan(curves)
    order = _tasks.order(plan, None)
    name, revealed, _ = _tasks.encode(order, "part-000000", curves)
    assert dpfda.Part.read(revealed).parts == [name]
    for change in ({"version": "0.0.1"}, {"digest": "0" * 64}):
        with pytest.raises(dpfda.DpfdaError, match="install one version"):
            _tasks.encode({**order, **change}, "part-000000", curves)


def test_a_closed_client_is_refused(files: list[Path]) -> None:
    class Closed:
        status = "closed"

    plan = dpfda.PrivateMean(**KNOWN, values="v*").plan(files[0])
    with pytest.raises(dpfda.DpfdaError) as refused:
        on_dask.release(files, plan, client=Closed(), values="v*", **SEEDED)
    assert refused.value.parameter == "client"


@pytest.mark.parametrize("paths", [[], ["a", "a"], [1], "no-such-folder/*.parquet"])
def test_files_that_are_none_are_refused(client: Any, paths: Any, curves: np.ndarray) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        on_dask.release(paths, dpfda.PrivateMean(**KNOWN).plan(curves), client=client, values="v*", **SEEDED)
    assert refused.value.parameter == "data"


@pytest.mark.skipif(not os.environ.get("DPFDA_NIGHTLY"), reason="takes long: set DPFDA_NIGHTLY")
def test_a_killed_worker_changes_no_bit(files: list[Path], curves: np.ndarray) -> None:
    mean = dpfda.PrivateMean(**KNOWN)
    plan = dpfda.PrivateMean(**KNOWN, values="v*").plan(files[0])
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        order = _tasks.order(plan, None, values="v*")
        names = [f"part-{at:06d}" for at in range(len(files))]
        tasks = [client.submit(_slow, order, name, str(path), pure=False) for name, path in zip(names, files)]
        distributed.wait(tasks[:1])
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        revealed = {name: part for name, part, _ in client.gather(tasks)}
        from dpfda._parts import collect

        assert bits(collect(revealed).release(plan, **SEEDED)) == bits(mean.release(curves, **SEEDED))


def _slow(order: dict[str, Any], name: str, path: str) -> tuple[str, bytes, bool]:
    import time

    time.sleep(0.5)
    return _tasks.encode(order, name, path)
