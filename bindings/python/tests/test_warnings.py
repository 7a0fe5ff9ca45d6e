"""Whoever makes errors of warnings loses no release: every warning comes before the payment and before the noise."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import STATED, synthetic
from dpfda import dask as on_dask
from dpfda import spark as on_spark

ROWS = 400
CURVES = synthetic(ROWS)
IDS = [f"P{row:04d}" for row in range(ROWS)]
ALIKE = ["p0001", "P0001", *IDS[2:]]
BALL: dict[str, Any] = {"bounds": (0, 1), "epsilon": 0.2}
Release = Callable[[list[str], dict[str, Any]], Any]


def written(ids: list[str], folder: Path) -> Path:
    path = folder / "curves.csv"
    header = ",".join(["id", *(f"v{k}" for k in range(CURVES.shape[1]))])
    path.write_text("\n".join([header, *(",".join([one, *map(repr, row.tolist())]) for one, row in zip(ids, CURVES))]) + "\n")
    return path


def part(ids: list[str]) -> dpfda.Part:
    return dpfda.PrivateMean(**STATED).plan(CURVES, subject=ids).encode(CURVES, part="one", key=dpfda.Key(), subject=ids)


def part_of_rows(ids: list[str]) -> dpfda.Part:
    rows = {"id": ids, "t": np.linspace(0, 1, ROWS), "y": CURVES[:, 3]}
    plan = dpfda.PrivateRows((0, 1), **STATED).plan()
    return plan.encode(rows, part="one", key=dpfda.Key(), id="id", time="t", value="y")


def of_functionals(ids: list[str], paid: dict[str, Any]) -> Any:
    functionals = dpfda.PrivateFunctionals(**BALL, penalty=0.01)
    return functionals.release(CURVES, [dpfda.Functional.evaluation(0.5)], subject=ids, **paid)


def of_path(ids: list[str], paid: dict[str, Any]) -> Any:
    return dpfda.PrivatePath(**STATED, penalty=0.01).release(CURVES, [dpfda.Functional.evaluation(0.5)], subject=ids, **paid)


def of_regression(ids: list[str], paid: dict[str, Any]) -> Any:
    regression = dpfda.PrivateRegression({"age": (18, 90)}, **STATED)
    return regression.release(CURVES, columns={"age": np.linspace(20, 80, ROWS)}, subject=ids, **paid)


def of_groups(ids: list[str], paid: dict[str, Any]) -> Any:
    return dpfda.PrivateMean(**STATED).release_groups(CURVES, ["a", "b"] * (ROWS // 2), subject=ids, **paid)


def of_rows(ids: list[str], paid: dict[str, Any]) -> Any:
    return dpfda.PrivateRows((0, 1), **STATED).release(ids, np.linspace(0, 1, ROWS), CURVES[:, 3], **paid)


def of_surfaces(ids: list[str], paid: dict[str, Any]) -> Any:
    return dpfda.PrivateSurface(**STATED).release(CURVES.reshape(ROWS, 3, 7), subject=ids, **paid)


#: Doors that see ids.
SEEING: dict[str, Release] = {
    "mean": lambda ids, paid: dpfda.PrivateMean(**STATED).release(CURVES, subject=ids, **paid),
    "bought centre": lambda ids, paid: dpfda.PrivateMean(**STATED, center_share=0.1).release(CURVES, subject=ids, **paid),
    "process": lambda ids, paid: dpfda.PrivateMean(**STATED, gaps="gaussian-process").release(CURVES, subject=ids, **paid),
    "seen": lambda ids, paid: dpfda.PrivateMean(**STATED, gaps="rows").release(CURVES, subject=ids, **paid),
    "groups": of_groups,
    "regression": of_regression,
    "functionals": of_functionals,
    "path": of_path,
    "rows": of_rows,
    "surfaces": of_surfaces,
}
#: Doors that do not.
OTHERS: dict[str, Release] = {
    "density": lambda _, paid: dpfda.density(CURVES[:, 3], bounds=(0, 1), epsilon=0.2, unit="subject", **paid),
    "part": lambda ids, paid: (made := part(ids)).release(made.plan, **paid),
    "part of rows": lambda ids, paid: (made := part_of_rows(ids)).release(made.plan, **paid),
    "dask": lambda ids, paid: on_dask.release(None, part(ids).plan, **paid),
    "spark": lambda ids, paid: on_spark.release(None, part(ids).plan, **paid),
}


@pytest.fixture
def ledger(tmp_path: Path) -> dpfda.Ledger:
    terms: dict[str, Any] = {"dataset": "people", "unit": "subject", "neighbours": "substitute", "epsilon": 9, "delta": 1e-3}
    return dpfda.Ledger.create(tmp_path / "ledger.db", **terms)


def paid_for(ledger: dpfda.Ledger) -> list[str]:
    return [one["id"] for one in ledger.show()["releases"]]


@pytest.mark.parametrize("name", SEEING)
def test_ids_that_look_alike_stop_a_release_before_it_is_paid_for(name: str, ledger: dpfda.Ledger) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(dpfda.CuratorWarning, match="NOT FOR PUBLICATION"):
            SEEING[name](ALIKE, {"ledger": ledger})
        assert paid_for(ledger) == []
        SEEING[name](IDS, {"ledger": ledger})
    assert len(paid_for(ledger)) == 1


def table_of(ids: list[Any], name: str = "id") -> Any:
    """A frame of the curves with a column of ids."""
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({f"v{k}": CURVES[:, k] for k in range(CURVES.shape[1])})
    return table.assign(status=LABELS, age=np.linspace(20, 80, ROWS), **{name: ids})


#: Releases of a frame, each row of which is protected alone.
ALONE: dict[str, Callable[..., Any]] = {
    "mean": lambda table, **paid: dpfda.PrivateMean(**STATED).release(table, values="v*", **paid),
    "groups": lambda table, **paid: dpfda.PrivateMean(**STATED).release_groups(table, "status", values="v*", **paid),
    "surfaces": lambda table, **paid: dpfda.PrivateSurface(**STATED).release(table, values="v*", shape=(3, 7), **paid),
    "regression": lambda table, **paid: dpfda.PrivateRegression({"age": (18, 90)}, **STATED).release(table, values="v*", **paid),
    "density": lambda table, **paid: dpfda.density(table, columns="v3", bounds=(0, 1), epsilon=1, **paid),
    "study": lambda table, **paid: dpfda.Study("mean", **STATED, values="v*").release(table, **paid),
}


@pytest.mark.parametrize("name", ALONE)
def test_ids_that_repeat_where_no_subject_is_named_stop_a_release_before_it_is_paid_for(name: str, tmp_path: Path) -> None:
    account: dict[str, Any] = {"dataset": "people", "unit": "curve", "neighbours": "substitute", "epsilon": 9, "delta": 1e-3}
    ledger = dpfda.Ledger.create(tmp_path / "ledger.db", **account)
    with pytest.raises(dpfda.CuratorWarning, match="column 'id' looks like ids, which repeat") as told:
        ALONE[name](table_of(IDS[: ROWS // 2] * 2), ledger=ledger)
    assert IDS[0] not in str(told.value)
    assert paid_for(ledger) == []
    ALONE[name](table_of(IDS), ledger=ledger)
    assert len(paid_for(ledger)) == 1


@pytest.mark.parametrize(
    ("column", "is_told"),
    [("Patient", True), ("subject_id", True), ("participant.no", True), ("PID", True), ("status2", False), ("android", False)],
)
def test_ids_are_known_by_the_names_of_their_columns(column: str, is_told: bool) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        ALONE["mean"](table_of([row // 2 for row in range(ROWS)], column), seed=7, not_private=True)
        # whose rows are whose is said, or nobody has two
        dpfda.PrivateMean(**STATED).release(
            table_of([row // 2 for row in range(ROWS)], column), values="v*", subject=column, seed=7, not_private=True
        )
    assert len(told) == is_told
    assert all(one.filename == __file__ for one in told)


#: A delta that is above 1/N.
WEAK = {**STATED, "delta": 0.01}
LABELS, TIMES = ["a", "b"] * (ROWS // 2), np.linspace(0, 1, ROWS)


@pytest.mark.parametrize("neighbours", ["substitute", "add-remove"])
@pytest.mark.parametrize(
    ("unit", "release"),
    [
        ("curve", lambda paid, **terms: dpfda.PrivateMean(**terms).release(CURVES, **paid)),
        ("subject", lambda paid, **terms: dpfda.PrivateMean(**terms).release(CURVES, subject=IDS[: ROWS // 2] * 2, **paid)),
        ("curve", lambda paid, **terms: dpfda.PrivateMean(**terms).release_groups(CURVES, LABELS, private_labels="ab", **paid)),
        ("subject", lambda paid, **terms: dpfda.PrivateRows((0, 1), **terms).release(IDS, TIMES, CURVES[:, 3], **paid)),
        ("curve", lambda paid, **terms: dpfda.PrivateSurface(**terms).release(CURVES.reshape(ROWS, 3, 7), **paid)),
        ("curve", lambda paid, **terms: dpfda.density(CURVES[:, 3], **terms, **paid)),
    ],
    ids=["mean", "subjects", "groups", "rows", "surfaces", "density"],
)
def test_a_delta_above_one_over_n_stops_a_release_before_it_is_paid_for(
    unit: str, release: Any, neighbours: str, tmp_path: Path
) -> None:
    terms: dict[str, Any] = {"dataset": "people", "unit": unit, "neighbours": neighbours, "epsilon": 9, "delta": 0.1}
    ledger = dpfda.Ledger.create(tmp_path / "ledger.db", **terms)
    with pytest.raises(dpfda.CuratorWarning, match=r"NOT FOR PUBLICATION: delta = 0.01 is above 1/N = 0\.00"):
        release({"ledger": ledger}, **WEAK, neighbours=neighbours)
    assert paid_for(ledger) == []
    release({"ledger": ledger}, **{**WEAK, "delta": 1e-4}, neighbours=neighbours)
    assert len(paid_for(ledger)) == 1


def test_ids_of_files_that_look_alike_stop_a_release_before_it_is_paid_for(ledger: dpfda.Ledger, tmp_path: Path) -> None:
    path = written(ALIKE, tmp_path)
    with pytest.raises(dpfda.CuratorWarning):
        dpfda.PrivateMean(**STATED).release(path, values="v*", subject="id", ledger=ledger)
    assert paid_for(ledger) == []


def test_ids_of_a_part_that_look_alike_are_told_when_it_is_encoded(tmp_path: Path) -> None:
    plan, key = part(IDS).plan, dpfda.Key()
    for curves, columns in ((CURVES, {"subject": ALIKE}), (written(ALIKE, tmp_path), {"values": "v*", "subject": "id"})):
        with pytest.raises(dpfda.CuratorWarning):
            plan.encode(curves, part="one", key=key, **columns)


def test_rows_that_count_as_none_stop_a_release_before_it_is_paid_for(ledger: dpfda.Ledger) -> None:
    mean = dpfda.PrivateRows((0, 1), **STATED)
    times = np.where(np.arange(ROWS) % 2, np.linspace(0, 1, ROWS), 7)
    with pytest.raises(dpfda.CuratorWarning, match="50% of the rows"):
        mean.release(IDS, times, CURVES[:, 3], ledger=ledger)
    assert paid_for(ledger) == []


def test_a_part_of_rows_tells_of_ids_and_of_rows_that_count_as_none() -> None:
    plan, columns = dpfda.PrivateRows((0, 1), **STATED).plan(), {"id": "id", "time": "t", "value": "y"}
    rows = {"id": ALIKE, "t": np.linspace(0, 2, ROWS), "y": CURVES[:, 3]}
    with pytest.warns(dpfda.CuratorWarning) as told:
        plan.encode(rows, part="one", key=dpfda.Key(), **columns)
    assert ["letter case" in str(told[0].message), "50% of the rows" in str(told[1].message)] == [True, True]
    assert {one.filename for one in told} == {__file__}


@pytest.mark.parametrize("name", [*SEEING, *OTHERS])
def test_a_note_of_the_ledger_comes_before_the_payment_and_nothing_is_lost(
    name: str, ledger: dpfda.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    door = {**SEEING, **OTHERS}[name]
    made = part(IDS)
    for module in (on_dask, on_spark):
        monkeypatch.setattr(module, "encode", lambda *_, **__: made)
    is_pure = name in ("density", "functionals")
    first = SEEING["mean"] if is_pure else OTHERS["density"]
    first(IDS, {"ledger": ledger, "release_id": "first"})
    paid = {"ledger": ledger, "release_id": "second"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(dpfda.LedgerWarning, match="more than one kind"):
            door(IDS, paid)
    assert paid_for(ledger) == ["first"]
    with pytest.warns(dpfda.LedgerWarning, match="more than one kind") as told:
        release = door(IDS, paid)
    assert {one.filename for one in told} == {__file__}
    assert paid_for(ledger) == ["first", "second"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = door(IDS, paid)
    kept = [one[0] if isinstance(one, tuple) else one for one in (release, again)]
    assert kept[0] == kept[1]


def test_without_a_ledger_a_warning_that_is_an_error_stops_a_release(mean: dpfda.PrivateMean) -> None:
    with pytest.raises(dpfda.CuratorWarning):
        mean.release(CURVES, subject=ALIKE)


def test_a_warning_names_the_line_that_asked_for_the_release(mean: dpfda.PrivateMean) -> None:
    with pytest.warns(dpfda.CuratorWarning) as told:
        mean.release(CURVES, subject=ALIKE)
    assert told[0].filename == __file__


@pytest.mark.parametrize("of", ["mean", "groups", "surface"])
def test_codes_and_many_missing_cells_of_a_file_are_told_of_before_the_payment(
    ledger: dpfda.Ledger, tmp_path: Path, of: str
) -> None:
    rows = ["id,group,v0,v1,v2,v3", *(f"p{k},{'ab'[k % 2]},0.5,0.4,-999,{'0.5' if k % 2 else 'N/A'}" for k in range(40))]
    path = tmp_path / "curves.csv"
    path.write_text("\n".join(rows) + "\n")
    paid: dict[str, Any] = {"values": "v*", "subject": "id", "missing": -999, "ledger": ledger}

    def release() -> Any:
        if of == "groups":
            return dpfda.PrivateMean(**STATED).release_groups(path, "group", **paid)
        if of == "surface":
            return dpfda.PrivateSurface(**STATED).release(path, shape=(2, 2), **paid)
        # no radius is bought from so few people
        return dpfda.PrivateMean(**STATED, radius_share=None).release(path, **paid)

    with warnings.catch_warnings():
        warnings.simplefilter("error", dpfda.CuratorWarning)
        with pytest.raises(dpfda.CuratorWarning):
            release()
    assert paid_for(ledger) == []
    with pytest.warns(dpfda.CuratorWarning) as told:
        release()
    texts = [str(one.message) for one in told]
    assert any("codes were read as missing: -999, N/A" in text for text in texts), texts
    assert any("38% of the cells are missing" in text for text in texts), texts
