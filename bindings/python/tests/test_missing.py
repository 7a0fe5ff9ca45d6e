"""Codes for missing values are those of the command, at every door, in files and in memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import CANARY_NAME, POINTS, SEEDED, STATED, bits, shows, synthetic

# what a curator is told of missing cells is in test_warnings.py
pytestmark = pytest.mark.filterwarnings("ignore::dpfda.CuratorWarning")

ROWS = 400
IDS = [f"P{row:04d}" for row in range(ROWS)]
GROUPS = ["a", "b"] * (ROWS // 2)
AGES = np.linspace(20, 80, ROWS)
BASIC = ["--bounds", "0,1", "--epsilon", "1", "--delta", "1e-5", "--not-private", "--seed", "7"]
LONG: dict[str, Any] = {"id": "id", "time": "hour", "value": "y"}
ROWS_TERMS: dict[str, Any] = {**STATED, **LONG, "domain": (0, 24)}
VALUES: dict[str, Any] = {**STATED, "values": "v*"}
ASKED = [dpfda.Functional.evaluation(0.5)]
AGE: dict[str, Any] = {"on": "age", "covariate_bounds": "age=18:90"}
SMOOTH: dict[str, Any] = {"bounds": (0, 1), "epsilon": 1, "penalty": 0.01}
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


#: Every door that reads files of curves: what it makes of a path and of what is said of its cells.
DOORS: dict[str, Callable[..., Any]] = {
    "mean": lambda path, **said: dpfda.PrivateMean(**VALUES, **said).release(path, **SEEDED),
    "sorted": lambda path, **said: dpfda.PrivateMean(**VALUES, subject="id", **said).release(
        path, sorted_by_subject=True, **SEEDED
    ),
    "process": lambda path, **said: dpfda.PrivateMean(**VALUES, gaps="gaussian-process", **said).release(path, **SEEDED),
    "seen": lambda path, **said: dpfda.PrivateRows(**VALUES, **said).release(path, **SEEDED),
    "groups": lambda path, **said: dpfda.PrivateGroups(**VALUES, by="group", **said).release(path, **SEEDED),
    "regression": lambda path, **said: dpfda.PrivateRegression(**VALUES, **AGE, **said).release(path, **SEEDED),
    "surfaces": lambda path, **said: dpfda.PrivateSurface(**VALUES, surface=(3, 7), **said).release(path, **SEEDED),
    "functionals": lambda path, **said: dpfda.PrivateFunctionals(**SMOOTH, values="v*", **said).release(path, ASKED, **SEEDED),
    "path": lambda path, **said: dpfda.PrivatePath(**VALUES, penalty=0.01, **said).release(path, ASKED, **SEEDED)[0],
    "crossval": lambda path, **said: dpfda.PrivateMean(**VALUES, **said).crossval(path, kernel="matern32").reveal().best,
    "part": lambda path, **said: dpfda.PrivateMean(**STATED).plan(CURVES).encode(path, part="one", values="v*", **said).reveal(),
    "rows": lambda path, **said: dpfda.PrivateRows(**ROWS_TERMS, **said).release(path, **SEEDED),
    "part of rows": lambda path, **said: (
        dpfda.PrivateRows(**ROWS_TERMS).plan().encode(path, part="one", key=KEY, **LONG, **said).reveal()
    ),
    "density": lambda path, **said: dpfda.PrivateDensity(columns="v3", bounds=(0, 1), epsilon=1, **said).release(path, **SEEDED),
}


def numbers(made: Any) -> Any:
    """What was made, but for how its table was read."""
    return bits(made) if hasattr(made, "to_json") else made


def table(name: str, path: Path, code: str) -> Path:
    return long(path, code) if "rows" in name else wide(path, code)


@pytest.mark.parametrize("name", DOORS)
@pytest.mark.parametrize(
    ("code", "missing"), [("-999", -999), ("-999", "x,-999"), ("-99999", [-999, -99999.0]), ("GONE", np.array(["gone"]))]
)
def test_a_code_is_a_missing_value_at_every_door(name: str, code: str, missing: Any, tmp_path: Path) -> None:
    expected = numbers(DOORS[name](table(name, tmp_path / "empty.csv", "")))
    assert numbers(DOORS[name](table(name, tmp_path / "codes.csv", code), missing=missing)) == expected


@pytest.mark.parametrize("name", DOORS)
def test_a_code_that_nobody_named_is_refused_at_every_door(name: str, tmp_path: Path) -> None:
    path = table(name, tmp_path / "codes.csv", "-999")
    with pytest.raises(dpfda.DpfdaError, match="-999") as refused:
        DOORS[name](path)
    assert refused.value.parameter == "missing"
    for missing in ("", [], "-999,", True, [None], [["a"]], ["-999,5"], ["gone", -999], 3j):
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


#: Every door that takes tables in memory: what it makes of curves, of a column of values, and of what is said of cells.
MEMORY: dict[str, Callable[..., Any]] = {
    "mean": lambda curves, _, **said: dpfda.PrivateMean(**STATED, **said).release(curves, **SEEDED),
    "columns of a frame": lambda curves, _, **said: dpfda.PrivateMean(**STATED, **said).release(
        pytest.importorskip("pandas").DataFrame(curves), **SEEDED
    ),
    "stated": lambda curves, _, **said: dpfda.PrivateMean(**STATED, radius_share=0, **said).release(curves, **SEEDED),
    "seen": lambda curves, _, **said: dpfda.PrivateRows(**STATED, **said).release(curves, **SEEDED),
    "groups": lambda curves, _, **said: dpfda.PrivateGroups(**STATED, by="group", **said).release(
        curves, columns={"group": GROUPS}, **SEEDED
    ),
    "regression": lambda curves, ages, **said: dpfda.PrivateRegression(
        **STATED, on="age", covariate_bounds="age=-1000:90", **said
    ).release(curves, columns={"age": ages}, **SEEDED),
    "surfaces": lambda curves, _, **said: dpfda.PrivateSurface(**STATED, surface=(3, 7), **said).release(curves, **SEEDED),
    "functionals": lambda curves, _, **said: dpfda.PrivateFunctionals(**SMOOTH, **said).release(curves, ASKED, **SEEDED),
    "part": lambda curves, _, **said: dpfda.PrivateMean(**STATED).plan(CURVES).encode(curves, part="one", **said).reveal(),
    "rows": lambda _, seen, **said: dpfda.PrivateRows(**ROWS_TERMS, **said).release({**ROWS_OF, "y": seen}, **SEEDED),
    "density": lambda _, seen, **said: dpfda.PrivateDensity(bounds=(0, 1), epsilon=1, **said).release(seen, **SEEDED),
}


@pytest.mark.parametrize("name", MEMORY)
def test_codes_in_memory_are_read_by_the_rule_of_files(name: str) -> None:
    door, codes, expected = MEMORY[name], (coded(CURVES), coded(ROUGH)), numbers(MEMORY[name](CURVES, ROUGH))
    assert numbers(door(*codes, missing=-999)) == expected
    with pytest.raises(dpfda.DpfdaError, match="such as missing=-999") as refused:
        door(*codes)
    assert refused.value.parameter == "missing"
    # where other codes are named, it is a value
    assert numbers(door(*codes, missing=-1)) != expected


@pytest.mark.parametrize("name", MEMORY)
@pytest.mark.parametrize("number", [np.inf, -1e100])
def test_what_no_file_may_hold_is_refused_in_memory(name: str, number: float) -> None:
    if name == "regression":
        pytest.skip("a covariate beyond its bounds counts as the bound")
    with pytest.raises(dpfda.DpfdaError, match="larger than any measurement"):
        MEMORY[name](np.where(np.isnan(CURVES), number, CURVES), np.where(np.isnan(ROUGH), number, ROUGH))


def whole(out: Path) -> str:
    """The release that the command wrote, with how its table was read."""
    return (out / "release.json").read_text()


@pytest.mark.parametrize("code", ["-999", "GONE"])
def test_codes_have_the_bytes_of_the_command(code: str, command: Callable[..., Path], tmp_path: Path) -> None:
    path, rows = wide(tmp_path / "wide.csv", code), long(tmp_path / "long.csv", code)
    out = command("release", path, "--values", "v*", *BASIC, "--missing", code)
    assert DOORS["mean"](path, missing=code).to_json() + "\n" == whole(out)
    out = command("release", path, "--values", "v*", *BASIC, "--gaps", "rows", "--missing", code)
    assert DOORS["seen"](path, missing=code).to_json() + "\n" == whole(out)
    named = [word for name, column in LONG.items() for word in (f"--{name}", column)]
    out = command("release", rows, *named, "--domain", "0,24", *BASIC, "--missing", code)
    assert DOORS["rows"](rows, missing=code).to_json() + "\n" == whole(out)


def test_labels_and_covariates_that_are_codes_are_missing(tmp_path: Path) -> None:
    ages = np.where(np.arange(ROWS) % 50 == 0, np.nan, AGES)
    labels = [one if row % 50 else "gone" for row, one in enumerate(GROUPS)]
    header = ["id", "group", "age", *(f"v{k}" for k in range(POINTS))]
    path = written(tmp_path / "codes.csv", header, [IDS, labels, ages, *CURVES.T], "-999")
    expected = dpfda.PrivateRegression(**STATED, **AGE).release(CURVES, columns={"age": ages}, **SEEDED)
    assert bits(DOORS["regression"](path, missing=-999)) == bits(expected)
    with pytest.raises(dpfda.DpfdaError) as refused:
        DOORS["groups"](path, missing="gone,-999")
    assert refused.value.parameter == "by"
    assert not shows(str(refused.value))


def test_groups_and_functionals_read_other_separators(tmp_path: Path) -> None:
    comma, semicolon = wide(tmp_path / "comma.csv", ""), tmp_path / "semicolon.csv"
    semicolon.write_text(comma.read_text().replace(",", ";").replace(".", ","))
    for name in ("groups", "functionals", "path"):
        assert bits(DOORS[name](semicolon, delimiter=";", decimal_comma=True)) == bits(DOORS[name](comma))


def test_a_cell_that_is_no_code_is_refused_and_not_shown(tmp_path: Path) -> None:
    path = wide(tmp_path / "wide.csv", CANARY_NAME)
    with pytest.raises(dpfda.DpfdaError, match="other codes must be named") as refused:
        DOORS["mean"](path, missing=-999)
    assert refused.value.parameter == "data"
    assert not shows(str(refused.value))
