"""Long tables of surfaces: one value in each row. They have the releases of the wide tables of the same people."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import CANARY, CANARY_NAME, SEEDED, STATED, bits, document, shows

PEOPLE, SHAPE = 200, (6, 5)
S, T = np.linspace(0, 10, SHAPE[0]), np.linspace(-1, 1, SHAPE[1])
GRID: dict[str, Any] = {"surface": SHAPE, "surface_domain": (0, 10, -1, 1)}
NAMED: dict[str, Any] = {"id": "person", "s": "depth", "t": "hour", "value": "signal"}
OPTIONS = ["--id", "person", "--s", "depth", "--t", "hour", "--value", "signal"]
BASIC = [
    *OPTIONS,
    "--surface",
    "6,5",
    "--surface-domain",
    "0,10,-1,1",
    "--bounds",
    "0,1",
    "--epsilon",
    "1",
    "--delta",
    "1e-5",
    "--not-private",
    "--seed",
    "7",
]


@pytest.fixture(scope="module")
def mean() -> dpfda.PrivateSurface:
    return dpfda.PrivateSurface(**STATED, **NAMED, **GRID)


@pytest.fixture(scope="module")
def surfaces() -> np.ndarray:
    """Surfaces with values that are missing, and with a whole line that is."""
    random = np.random.default_rng(3)
    values = np.clip(0.5 + 0.02 * S[:, None] + 0.1 * T + 0.05 * random.normal(size=(PEOPLE, *SHAPE)), 0, 1)
    values[::7, 2, 1:3] = values[::11, 4] = np.nan
    return values


@pytest.fixture(scope="module")
def rows(surfaces: np.ndarray) -> dict[str, Any]:
    """The same in any order. Of the missing values, some have a row and others have none."""
    person, i, j = (index.ravel() for index in np.indices(surfaces.shape))
    values = surfaces.ravel()
    kept = np.flatnonzero(~np.isnan(values) | (person % 2 == 0))
    order = np.random.default_rng(4).permutation(kept)
    ids = [f"P{one:03d}" for one in person[order]]
    # points that were rounded stand for those of the grid
    return {"person": ids, "depth": S[i[order]] + 0.001, "hour": np.round(T[j[order]], 3), "signal": values[order]}


@pytest.fixture(scope="module")
def expected(surfaces: np.ndarray) -> str:
    wide = dpfda.PrivateSurface(**STATED, **GRID, subject="id")
    return bits(wide.release(surfaces, columns={"id": [f"P{one:03d}" for one in range(PEOPLE)]}, **SEEDED))


def written(path: Path, rows: dict[str, Any], missing: str = "") -> Path:
    columns = [[missing if x != x else str(x) for x in np.asarray(rows[name]).tolist()] for name in rows]
    path.write_text("\n".join([",".join(rows), *map(",".join, zip(*columns))]) + "\n")
    return path


def test_a_long_table_has_the_bytes_of_the_command_and_of_the_wide_table(
    mean: dpfda.PrivateSurface, rows: dict[str, Any], expected: str, command: Callable[..., Path], tmp_path: Path
) -> None:
    path = written(tmp_path / "rows.csv", rows)
    out = command("release", path, *BASIC)
    for table in (rows, path, str(path)):
        release = mean.release(table, **SEEDED)
        assert bits(release) == expected
        assert release.to_json() + "\n" == (out / "release.json").read_text()
    assert release.to_svg() == (out / "release.svg").read_text()


@pytest.mark.filterwarnings("ignore::dpfda.CuratorWarning")
def test_codes_for_missing_values_are_those_of_the_command(
    mean: dpfda.PrivateSurface, rows: dict[str, Any], expected: str, command: Callable[..., Path], tmp_path: Path
) -> None:
    path = written(tmp_path / "codes.csv", rows, "-999")
    coded_mean = dpfda.PrivateSurface(**STATED, **NAMED, **GRID, missing=-999)
    out = command("release", path, *BASIC, "--missing", "-999")
    assert document(out) == expected + "\n"
    assert coded_mean.release(path, **SEEDED).to_json() + "\n" == (out / "release.json").read_text()
    with pytest.raises(dpfda.DpfdaError) as refused:
        mean.release(path, **SEEDED)
    assert refused.value.parameter == "missing"
    coded = {**rows, NAMED["value"]: np.nan_to_num(np.asarray(rows[NAMED["value"]], dtype=float), nan=-999)}
    assert bits(coded_mean.release(coded, **SEEDED)) == expected
    with pytest.raises(dpfda.DpfdaError, match="such as missing=-999") as refused:
        mean.release(coded, **SEEDED)
    assert refused.value.parameter == "missing"


def test_frames_and_files_of_every_library_give_the_same_release(
    mean: dpfda.PrivateSurface, rows: dict[str, Any], expected: str, tmp_path: Path
) -> None:
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    from pyarrow import parquet

    frame, table = pandas.DataFrame(rows), pyarrow.table(rows)
    parquet.write_table(table, tmp_path / "rows.parquet")
    for source in (frame, frame.astype({"signal": "Float64"}), polars.DataFrame(rows), table, tmp_path / "rows.parquet"):
        assert bits(mean.release(source, **SEEDED)) == expected
    numbered = frame.assign(person=[int(one[1:]) for one in rows["person"]])
    assert bits(mean.release(numbered, **SEEDED)) == expected
    half = len(frame) // 2
    for name, piece in (("a", frame[:half]), ("b", frame[half:])):
        written(tmp_path / f"{name}.csv", {column: piece[column].tolist() for column in piece})
    assert bits(mean.release(tmp_path / "?.csv", **SEEDED)) == expected


def test_ids_that_look_alike_stop_a_release_before_it_is_paid_for(
    mean: dpfda.PrivateSurface, rows: dict[str, Any], tmp_path: Path
) -> None:
    terms: dict[str, Any] = {"dataset": "maps", "unit": "subject", "neighbours": "substitute", "epsilon": 2, "delta": 1e-4}
    ledger = dpfda.Ledger.create(tmp_path / "ledger.db", **terms)
    alike = {**rows, "person": ["p000" if one == "P001" else one for one in rows["person"]]}
    for table in (alike, written(tmp_path / "rows.csv", alike)):
        with pytest.raises(dpfda.CuratorWarning):
            mean.release(table, ledger=ledger)
    assert ledger.show()["releases"] == []
    first = mean.release(rows, ledger=ledger, release_id="maps")
    assert mean.release(rows, ledger=ledger, release_id="maps") == first


def changed(rows: dict[str, Any], name: str, row: int, cell: Any) -> dict[str, Any]:
    column = np.array(rows[name], dtype=object if isinstance(cell, str) else None)
    column[row] = cell
    return {**rows, name: column.tolist()}


@pytest.mark.parametrize(
    ("name", "cell", "parameter"),
    [("depth", CANARY, "s"), ("depth", np.nan, "s"), ("hour", np.inf, "t"), ("signal", -np.inf, "value"), ("person", " ", "id")],
)
def test_a_row_that_cannot_be_is_refused_by_its_number(
    name: str, cell: Any, parameter: str, mean: dpfda.PrivateSurface, rows: dict[str, Any], tmp_path: Path
) -> None:
    bad = changed(rows, name, 5, cell)
    with pytest.raises(dpfda.DpfdaError, match="row 5") as refused:
        mean.release(bad)
    assert refused.value.parameter == parameter
    assert not shows("".join(traceback.format_exception(refused.value)))
    with pytest.raises(dpfda.DpfdaError, match="data row 6") as refused:
        mean.release(written(tmp_path / "rows.csv", bad))
    assert refused.value.parameter == "data"
    assert "--" not in str(refused.value)
    assert not shows(str(refused.value))


def test_two_rows_about_one_point_are_refused(mean: dpfda.PrivateSurface, rows: dict[str, Any], tmp_path: Path) -> None:
    twice = {name: [*np.asarray(column).tolist(), np.asarray(column).tolist()[0]] for name, column in rows.items()}
    for table in (twice, written(tmp_path / "rows.csv", twice)):
        with pytest.raises(dpfda.DpfdaError, match="an earlier row is about too") as refused:
            mean.release(table)
        assert refused.value.parameter == "data"


@pytest.mark.parametrize(
    ("change", "parameter"),
    [
        ({"id": None}, None),
        ({"s": None}, None),
        ({"t": 3}, "t"),
        ({"id": "no such column"}, "id"),
        ({"s": "no such column"}, "s"),
        ({"t": "no such column"}, "t"),
        ({"value": "no such column"}, "value"),
        ({"t": "depth"}, "id"),
        ({"values": "y"}, "values"),
        ({"subject": "person"}, "subject"),
        ({"surface": None}, None),
        ({"surface": (1 << 12, 1 << 12)}, "surface"),
        ({"surface_domain": None}, None),
        ({"missing": True}, "missing"),
    ],
)
def test_columns_that_cannot_be_are_refused_by_their_argument(
    change: dict[str, Any], parameter: str | None, rows: dict[str, Any], tmp_path: Path
) -> None:
    for table in (written(tmp_path / "rows.csv", rows), rows):
        with pytest.raises(dpfda.DpfdaError) as refused:
            dpfda.PrivateSurface(**{**STATED, **NAMED, **GRID, **change}).release(table)
        # of a file, one of the columns is not there: all of their settings are told
        one_of_four = isinstance(table, Path) and "no such column" in change.values()
        assert refused.value.parameter == ("id" if one_of_four else parameter), str(refused.value)


@pytest.mark.parametrize(
    ("table", "parameter"),
    [
        ({"person": ["a"], "depth": [0.0, 1.0], "hour": [0.0], "signal": [0.0]}, "s"),
        ({"person": ["a", "b"], "depth": [0.0], "hour": [0.0], "signal": [0.0]}, "id"),
        ({"person": ["a"], "depth": [CANARY_NAME], "hour": [0.0], "signal": [0.0]}, "s"),
        ({"person": [CANARY], "depth": [0.0], "hour": [0.0], "signal": [0.0]}, "id"),
        (np.zeros((3, 4)), "data"),
        (5, "data"),
        ("no such file", "data"),
    ],
)
def test_what_is_no_long_table_is_refused_and_not_shown(table: Any, parameter: str, mean: dpfda.PrivateSurface) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        mean.release(table)
    assert refused.value.parameter == parameter
    assert not shows("".join(traceback.format_exception(refused.value)))
