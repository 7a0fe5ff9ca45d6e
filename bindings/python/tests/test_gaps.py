"""What stands for a missing value of a curve."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import POINTS, SEEDED, STATED, bits


@pytest.fixture(scope="module")
def holes(curves: np.ndarray) -> np.ndarray:
    """The curves with a quarter of the values missing, and with one curve without any."""
    found = curves.copy()
    found[np.random.default_rng(2).random(found.shape) < 0.25] = np.nan
    found[17] = np.nan
    return found


@pytest.fixture(scope="module")
def file(tmp_path_factory: Any, holes: np.ndarray, subjects: list[str]) -> Path:
    path = tmp_path_factory.mktemp("gaps") / "holes.csv"
    header = ",".join(["id"] + [f"v{k}" for k in range(POINTS)])
    rows = [",".join([one] + ["" if np.isnan(x) else repr(float(x)) for x in row]) for one, row in zip(subjects, holes)]
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


PROCESS: dict[str, Any] = {"gaps": "gaussian-process"}
SEEN: dict[str, Any] = {"kind": "rows"}
CIRCLE: dict[str, Any] = {"grid": (0, 24), "periodic": True}
OPTIONS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a line": ({"gaps": "interpolate"}, ["--gaps", "interpolate"]),
    "a process": (PROCESS, ["--gaps", "gaussian-process"]),
    "another process": (
        {**PROCESS, "gaps_kernel": "gaussian", "gaps_range": 0.2, "gaps_noise": 0.5, "radius_share": 0, "grid": (0, 24)},
        ["--gaps", "gaussian-process", "--gaps-kernel", "gaussian", "--gaps-range", "0.2", "--gaps-noise", "0.5"]
        + ["--radius-share", "none", "--grid", "0,24"],
    ),
    "a kernel of its own range": (
        {**PROCESS, "gaps_kernel": "exponential"},
        ["--gaps", "gaussian-process", "--gaps-kernel", "exponential"],
    ),
    "a process on a circle": ({**PROCESS, **CIRCLE}, ["--gaps", "gaussian-process", "--grid", "0,24", "--periodic"]),
    "Cameron-Martin": (
        {**PROCESS, "mechanism": "cameron-martin"},
        ["--gaps", "gaussian-process", "--mechanism", "cameron-martin"],
    ),
    "what was seen": (SEEN, ["--gaps", "rows"]),
    "bins": (
        {**SEEN, "bins": 7, "bound": 0.7, "band": "posterior", "level": 0.9, "neighbours": "add-remove", "grid": (0, 24)},
        ["--gaps", "rows", "--bins", "7", "--bound", "0.7", "--band", "posterior", "--level", "0.9"]
        + ["--neighbours", "add-remove", "--grid", "0,24"],
    ),
    "a bought radius": ({**SEEN, "radius_share": 0.1}, ["--gaps", "rows", "--radius-share", "0.1"]),
    "bins on a circle": ({**SEEN, **CIRCLE}, ["--gaps", "rows", "--grid", "0,24", "--periodic"]),
}
BASIC = ["--values", "v*", "--bounds", "0,1", "--epsilon", "1", "--delta", "1e-5", "--not-private", "--seed", "7"]


@pytest.mark.filterwarnings("ignore::dpfda.CuratorWarning")
@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("of_people", [False, True])
def test_gaps_are_treated_as_by_the_command(
    name: str, of_people: bool, command: Callable[..., Path], file: Path, holes: np.ndarray, subjects: list[str]
) -> None:
    settings, options = OPTIONS[name]
    named, column = ({"subject": "id"}, ["--subject", "id"]) if of_people else ({}, [])
    out = command("release", file, *BASIC, *column, *options)
    study = dpfda.Study(**{"kind": "mean", **STATED, "values": "v*", **named, **settings})
    released = study.release(file, **SEEDED)
    assert released.to_json() + "\n" == (out / "release.json").read_text()
    beside = {"columns": {"id": subjects}} if of_people else {}
    assert bits(study.release(holes, **beside, **SEEDED)) == bits(released)
    told = released.document["source"].get("gaps")
    assert (told is None) == (name == "a line")
    assert told is None or any(told in fact.text for fact in released.facts)
    assert type(released) is (dpfda.RowsRelease if study.kind == "rows" else dpfda.Release)
    assert pickle.loads(pickle.dumps(released)) == released


def test_a_treatment_of_gaps_changes_nothing_where_none_is_missing(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    filled = dpfda.PrivateMean(**STATED, gaps="gaussian-process").release(curves, **SEEDED)
    np.testing.assert_array_equal(filled.values, mean.release(curves, **SEEDED).values)


def test_settings_of_gaps_are_pickled() -> None:
    mean = dpfda.PrivateMean(**STATED, **PROCESS, gaps_noise=0.2)
    assert repr(pickle.loads(pickle.dumps(mean))) == repr(mean)
    assert "gaps='gaussian-process', gaps_noise=0.2" in repr(mean)


@pytest.mark.parametrize(
    ("settings", "parameter"),
    [
        ({"gaps": "none"}, "gaps"),
        ({"gaps": "rows"}, "gaps"),
        ({"gaps_kernel": "gaussian"}, "gaps_kernel"),
        ({**SEEN, "gaps_range": 0.2}, "gaps_range"),
        ({"gaps_noise": 0.2}, "gaps_noise"),
        ({**PROCESS, "bins": 7}, "bins"),
        ({"bound": 1}, "bound"),
        ({**PROCESS, "gaps_kernel": "gauss"}, "gaps_kernel"),
        ({**PROCESS, "gaps_range": -1}, "gaps_range"),
        ({**PROCESS, "gaps_noise": 0}, "gaps_noise"),
        ({**SEEN, "bins": 1}, "bins"),
        ({**SEEN, "bound": -1}, "bound"),
        ({**SEEN, "mechanism": "cameron-martin"}, "mechanism"),
        ({**SEEN, "moments": "none"}, "moments"),
        ({**SEEN, "kernel": "gaussian"}, "kernel"),
        ({**SEEN, "select": "sure"}, "select"),
        ({**SEEN, "center_share": 0.1}, "center_share"),
        ({**SEEN, "slope": 3}, "slope"),
        ({**SEEN, "band": "smoothed"}, "band"),
        ({**SEEN, "delta": 0}, "delta"),
    ],
)
def test_what_belongs_to_other_gaps_is_refused(settings: dict[str, Any], parameter: str) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.Study(**{"kind": "mean", **STATED, **settings})
    assert refused.value.parameter == parameter, str(refused.value)


def test_groups_and_plans_refuse_other_gaps_than_a_line(curves: np.ndarray, csv: Path) -> None:
    mean = dpfda.PrivateMean(**STATED, values="v*", subject="id", **PROCESS)
    refusals: list[tuple[Callable[[], Any], str]] = [
        (lambda: dpfda.PrivateGroups(**STATED, by="group", **PROCESS), "gaps"),
        (lambda: mean.plan(curves), "gaps"),
        (lambda: mean.plan(csv), "gaps"),
        (lambda: mean.release(csv, sorted_by_subject=True), "sorted_by_subject"),
    ]
    for refuse, parameter in refusals:
        with pytest.raises(dpfda.DpfdaError) as refused:
            refuse()
        assert refused.value.parameter == parameter, str(refused.value)
