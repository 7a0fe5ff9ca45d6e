"""Codes for missing values are those of the command, at every door, in files and in memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import CANARY_NAME, POINTS, SEEDED, STATED, document, shows, synthetic

# what a curator is told of missing cells is in test_warnings.py
pytestmark = pytest.mark.filterwarnings("ignore::dpfda.CuratorWarning")

ROWS = 400
IDS = [f"P{row:04d}" for row in range(ROWS)]
GROUPS = ["a", "b"] * (ROWS // 2)
AGES = np.linspace(20, 80, ROWS)
BASIC = ["--bounds", "0,1", "--epsilon", "1", "--delta", "1e-5", "--not-private", "--seed", "7"]
LONG: dict[str, Any] = {"id": "id", "time": "hour", "value": "y"}
KEY = dpfda.Key()


def curves() -> np.ndarray:
    values = synthetic(ROWS)
    values[::5, 3:6] = np.nan
    return values


CURVES = curves()
ROUGH = np.where(np.arange(ROWS) % 20 == 0, np.nan, CURVES[:, 9])
HOURS = np.linspace(0, 24, ROWS)
ROWS_OF = {"id": IDS, "hour": HOURS, "y": ROUGH}


def written(path: Path, header: list[str], columns: list[Any], code: str, separator: str = ",") -> Path:
    texts = [[code if x != x else str(x) for x in np.asarray(column).tolist()] for column in columns]
    path.write_text("\n".join([separator.join(header), *map(separator.join, zip(*texts))]) + "\n")
    return path


def wide(path: Path, code: str) -> Path:
    header = ["id", "group", "age", *(f"v{k}" for k in range(POINTS))]
    return written(path, header, [IDS, GROUPS, AGES, *CURVES.T], code)


def long(path: Path, code: str) -> Path:
    return written(path, list(LONG.values()), [IDS, HOURS, ROUGH], code)


#: Every door that reads files of curves: what it makes of a path and of arguments.
DOORS: dict[str, Callable[..., Any]] = {
    "mean": lambda path, **how: dpfda.PrivateMean(**STATED).release(path, values="v*", **how, **SEEDED),
    "sorted": lambda path, **how: dpfda.PrivateMean(**STATED).release(
        path, values="v*", subject="id", sorted_by_subject=True, **how, **SEEDED
    ),
    "process": lambda path, **how: dpfda.PrivateMean(**STATED, gaps="gaussian-process").release(
        path, values="v*", **how, **SEEDED
    ),
    "seen": lambda path, **how: dpfda.PrivateMean(**STATED, gaps="rows").release(path, values="v*", **how, **SEEDED),
    "groups": lambda path, **how: dpfda.PrivateMean(**STATED).release_groups(path, "group", values="v*", **how, **SEEDED),
    "regression": lambda path, **how: dpfda.PrivateRegression({"age": (18, 90)}, **STATED).release(
        path, values="v*", **how, **SEEDED
    ),
    "surfaces": lambda path, **how: dpfda.PrivateSurface(**STATED).release(path, values="v*", shape=(3, 7), **how, **SEEDED),
    "functionals": lambda path, **how: dpfda.PrivateFunctionals(bounds=(0, 1), epsilon=1, penalty=0.01).release(
        path, [dpfda.Functional.evaluation(0.5)], values="v*", **how, **SEEDED
    ),
    "path": lambda path, **how: dpfda.PrivatePath(**STATED, penalty=0.01).release(
        path, [dpfda.Functional.evaluation(0.5)], values="v*", **how, **SEEDED
    )[0],
    "crossval": lambda path, **how: dpfda.crossval(path, center=0.5, kernel="matern32", values="v*", **how).reveal().best,
    "part": lambda path, **how: dpfda.PrivateMean(**STATED).plan(CURVES).encode(path, part="one", values="v*", **how).reveal(),
    "rows": lambda path, **how: dpfda.PrivateRows((0, 24), **STATED).release(path, **LONG, **how, **SEEDED),
    "part of rows": lambda path, **how: (
        dpfda.PrivateRows((0, 24), **STATED).plan().encode(path, part="one", key=KEY, **LONG, **how).reveal()
    ),
}


def table(name: str, path: Path, code: str) -> Path:
    return long(path, code) if "rows" in name else wide(path, code)


@pytest.mark.parametrize("name", DOORS)
@pytest.mark.parametrize(
    ("code", "missing"), [("-999", -999), ("-999", "x,-999"), ("-99999", [-999, -99999.0]), ("GONE", np.array(["gone"]))]
)
def test_a_code_is_a_missing_value_at_every_door(name: str, code: str, missing: Any, tmp_path: Path) -> None:
    expected = DOORS[name](table(name, tmp_path / "empty.csv", ""))
    assert DOORS[name](table(name, tmp_path / "codes.csv", code), missing=missing) == expected


@pytest.mark.parametrize("name", DOORS)
def test_a_code_that_nobody_named_is_refused_at_every_door(name: str, tmp_path: Path) -> None:
    path = table(name, tmp_path / "codes.csv", "-999")
    with pytest.raises(dpfda.DpfdaError, match="such as -999") as refused:
        DOORS[name](path)
    assert refused.value.parameter == "missing"
    for missing in ("", [], "-999,", True, [None], [["a"]], ["-999,5"], 3j):
        with pytest.raises(dpfda.DpfdaError) as refused:
            DOORS[name](path, missing=missing)
        assert refused.value.parameter == "missing"


def test_codes_of_several_files_are_named_too(tmp_path: Path) -> None:
    for at in range(2):
        wide(tmp_path / f"codes{at}.csv", "-999")
    with pytest.raises(dpfda.DpfdaError) as refused:
        DOORS["mean"](tmp_path)
    assert refused.value.parameter == "missing"


def coded(numbers: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(numbers), -999, numbers)


#: Every door that takes tables in memory: what it makes of curves, of a column of values, and of arguments.
MEMORY: dict[str, Callable[..., Any]] = {
    "mean": lambda curves, _, **how: dpfda.PrivateMean(**STATED).release(curves, **how, **SEEDED),
    "columns of a frame": lambda curves, _, **how: dpfda.PrivateMean(**STATED).release(
        pytest.importorskip("pandas").DataFrame(curves), **how, **SEEDED
    ),
    "stated": lambda curves, _, **how: dpfda.PrivateMean(**STATED, radius_share=None).release(curves, **how, **SEEDED),
    "seen": lambda curves, _, **how: dpfda.PrivateMean(**STATED, gaps="rows").release(curves, **how, **SEEDED),
    "groups": lambda curves, _, **how: dpfda.PrivateMean(**STATED).release_groups(curves, GROUPS, **how, **SEEDED),
    "regression": lambda curves, ages, **how: dpfda.PrivateRegression({"age": (-1000, 90)}, **STATED).release(
        curves, columns={"age": ages}, **how, **SEEDED
    ),
    "surfaces": lambda curves, _, **how: dpfda.PrivateSurface(**STATED).release(curves, shape=(3, 7), **how, **SEEDED),
    "functionals": lambda curves, _, **how: dpfda.PrivateFunctionals(bounds=(0, 1), epsilon=1, penalty=0.01).release(
        curves, [dpfda.Functional.evaluation(0.5)], **how, **SEEDED
    ),
    "part": lambda curves, _, **how: dpfda.PrivateMean(**STATED).plan(CURVES).encode(curves, part="one", **how).reveal(),
    "columns": lambda _, seen, **how: dpfda.PrivateRows((0, 24), **STATED).release(IDS, HOURS, seen, **how, **SEEDED),
    "rows": lambda _, seen, **how: dpfda.PrivateRows((0, 24), **STATED).release({**ROWS_OF, "y": seen}, **LONG, **how, **SEEDED),
    "density": lambda _, seen, **how: dpfda.density(seen, bounds=(0, 1), epsilon=1, **how, **SEEDED),
}


@pytest.mark.parametrize("name", MEMORY)
def test_codes_in_memory_are_read_by_the_rule_of_files(name: str) -> None:
    door, numbers = MEMORY[name], (coded(CURVES), coded(ROUGH))
    assert door(*numbers, missing=-999) == door(CURVES, ROUGH)
    with pytest.raises(dpfda.DpfdaError, match="such as missing=-999") as refused:
        door(*numbers)
    assert refused.value.parameter == "missing"
    # where other codes are named, it is a value
    assert door(*numbers, missing=-1) != door(CURVES, ROUGH)


@pytest.mark.parametrize("name", MEMORY)
@pytest.mark.parametrize("number", [np.inf, -1e100])
def test_what_no_file_may_hold_is_refused_in_memory(name: str, number: float) -> None:
    if name == "regression":
        pytest.skip("a covariate beyond its bounds counts as the bound")
    with pytest.raises(dpfda.DpfdaError, match="larger than any measurement"):
        MEMORY[name](np.where(np.isnan(CURVES), number, CURVES), np.where(np.isnan(ROUGH), number, ROUGH))


@pytest.mark.parametrize("code", ["-999", "GONE"])
def test_codes_have_the_bytes_of_the_command(code: str, command: Callable[..., Path], tmp_path: Path) -> None:
    path, rows = wide(tmp_path / "wide.csv", code), long(tmp_path / "long.csv", code)
    out = command("release", path, "--values", "v*", *BASIC, "--missing", code)
    assert DOORS["mean"](path, missing=code).to_json() + "\n" == document(out)
    out = command("release", path, "--values", "v*", *BASIC, "--gaps", "rows", "--missing", code)
    # what stands for a missing value is told beside the columns
    assert DOORS["seen"](path, missing=code).values.tolist() == dpfda.RowsRelease.from_json(document(out)).values.tolist()
    named = [word for name, column in LONG.items() for word in (f"--{name}", column)]
    out = command("release", rows, *named, "--domain", "0,24", *BASIC, "--missing", code)
    assert DOORS["rows"](rows, missing=code).to_json() + "\n" == document(out)


def test_labels_and_covariates_that_are_codes_are_missing(tmp_path: Path) -> None:
    ages = np.where(np.arange(ROWS) % 50 == 0, np.nan, AGES)
    labels = [one if row % 50 else "gone" for row, one in enumerate(GROUPS)]
    header = ["id", "group", "age", *(f"v{k}" for k in range(POINTS))]
    path = written(tmp_path / "codes.csv", header, [IDS, labels, ages, *CURVES.T], "-999")
    regression = dpfda.PrivateRegression({"age": (18, 90)}, **STATED)
    expected = regression.release(CURVES, columns={"age": ages}, **SEEDED)
    assert regression.release(path, values="v*", missing=-999, **SEEDED).to_json() == expected.to_json()
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateMean(**STATED).release_groups(path, "group", values="v*", missing=["gone", -999])
    assert refused.value.parameter == "by"
    assert not shows(str(refused.value))


def test_groups_and_functionals_read_other_separators(tmp_path: Path) -> None:
    comma, semicolon = wide(tmp_path / "comma.csv", ""), tmp_path / "semicolon.csv"
    semicolon.write_text(comma.read_text().replace(",", ";").replace(".", ","))
    for name in ("groups", "functionals", "path"):
        assert DOORS[name](semicolon, delimiter=";", decimal_comma=True) == DOORS[name](comma)


def test_a_cell_that_is_no_code_is_refused_and_not_shown(tmp_path: Path) -> None:
    path = wide(tmp_path / "wide.csv", CANARY_NAME)
    with pytest.raises(dpfda.DpfdaError, match="other codes must be named") as refused:
        DOORS["mean"](path, missing=-999)
    assert refused.value.parameter == "curves"
    assert not shows(str(refused.value))
