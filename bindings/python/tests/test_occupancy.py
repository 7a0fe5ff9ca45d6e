"""Means of curves that were seen at other times for each subject."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import CANARY, CANARY_NAME, SEEDED, document, shows

ROWS = 3000
STATED: dict[str, Any] = {"bounds": (0, 10), "epsilon": 1, "delta": 1e-5}
SUBJECTS = [f"S{row % 1000:04d}" for row in range(ROWS)]
TIMES = (np.arange(ROWS) * 7919 % 2400) / 100
VALUES = 5 + 2 * np.sin(TIMES / 4)
COLUMNS: dict[str, Any] = {"subject": SUBJECTS, "time": TIMES, "value": VALUES}
NAMED = {"subject": "id", "time": "hour", "value": "y"}


@pytest.fixture(scope="module")
def mean() -> dpfda.PrivateOccupancy:
    return dpfda.PrivateOccupancy((0, 24), **STATED)


@pytest.fixture(scope="module")
def released(mean: dpfda.PrivateOccupancy) -> dpfda.OccupancyRelease:
    return mean.release(**COLUMNS, **SEEDED)


@pytest.fixture(scope="module")
def file(tmp_path_factory: Any) -> Path:
    path = tmp_path_factory.mktemp("long") / "rows.csv"
    rows = [f"{s},{float(t)!r},{float(y)!r}" for s, t, y in zip(SUBJECTS, TIMES, VALUES)]
    path.write_text("\n".join(["id,hour,y", *rows]) + "\n")
    return path


def test_the_mean_is_estimated_at_any_point_of_the_domain(released: dpfda.OccupancyRelease) -> None:
    found = released([3, 12.5, 20])
    truth = 5 + 2 * np.sin(np.array([3, 12.5, 20]) / 4)
    assert np.abs(found.values - truth).max() < 0.8
    assert ((found.lower < truth) & (truth < found.upper)).all()
    assert (released.estimate.grid_points[0], released.estimate.grid_points[-1]) == (0, 24)
    assert (released.band, released.level) == ("population", 0.95)
    with pytest.raises(dpfda.DpfdaError) as refused:
        released([25])
    assert refused.value.parameter == "points"


def test_another_band_and_a_difference_cost_nothing(mean: dpfda.PrivateOccupancy, released: dpfda.OccupancyRelease) -> None:
    posterior = released.with_band("posterior", level=0.8)
    assert (posterior.band, posterior.level) == ("posterior", 0.8)
    width = (released.estimate.upper - released.estimate.lower).mean()
    assert (posterior.estimate.upper - posterior.estimate.lower).mean() < width
    higher = mean.release(**{**COLUMNS, "value": VALUES + 2}, seed=8, not_private=True)
    difference = higher.compare(released)
    assert np.abs(difference.values - 2).max() < 1
    assert difference.p_value is None or difference.p_value < 0.05


def test_parts_of_the_domain_without_people_are_named(mean: dpfda.PrivateOccupancy) -> None:
    early = {**COLUMNS, "time": TIMES / 2}
    release = mean.release(**early, **SEEDED)
    assert release.unsupported
    assert release.unsupported[-1][1] == 24
    assert any("Too few people" in fact.text for fact in release.facts)


def test_a_released_occupancy_is_public_and_reads_back(mean: dpfda.PrivateOccupancy, released: dpfda.OccupancyRelease) -> None:
    assert pickle.loads(pickle.dumps(released)) == released
    assert dpfda.OccupancyRelease.from_json(released.to_json()) == released
    assert released.document["kind"] == "occupancy"
    assert "NOT PRIVATE" in repr(released)
    assert "<svg" in released._repr_html_()
    assert released.to_png()[:4] == b"\x89PNG"
    assert repr(pickle.loads(pickle.dumps(mean))) == repr(mean) == "PrivateOccupancy(0 to 24, 20 bins)"
    assert "<svg" in released.to_svg()


def test_the_estimate_is_drawn_with_its_band(released: dpfda.OccupancyRelease) -> None:
    pytest.importorskip("matplotlib")
    assert released.plot().get_title(loc="left") == "Estimated mean function"


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        ({}, []),
        ({"bins": 12, "bound": 6}, ["--bins", "12", "--bound", "6"]),
        ({"neighbours": "add-remove"}, ["--neighbours", "add-remove"]),
        ({"calibration": "classical", "epsilon": 0.9}, ["--classical"]),
        ({"band": "noise", "level": 0.9}, ["--band", "noise", "--level", "0.9"]),
    ],
)
def test_means_of_long_tables_are_those_of_the_command(
    settings: dict[str, Any], options: list[str], command: Callable[..., Path], file: Path
) -> None:
    stated = {**STATED, **settings}
    basic = ["--id", "id", "--time", "hour", "--value", "y", "--domain", "0,24", "--bounds", "0,10"]
    cost = ["--epsilon", str(stated["epsilon"]), "--delta", "1e-5", "--not-private", "--seed", "7"]
    expected = document(command("release", file, *basic, *cost, *options))
    mean = dpfda.PrivateOccupancy((0, 24), **stated)
    assert mean.release(**COLUMNS, **SEEDED).to_json() + "\n" == expected
    assert mean.release(file, **NAMED, **SEEDED).to_json() + "\n" == expected


def test_frames_and_mappings_are_long_tables(mean: dpfda.PrivateOccupancy, released: dpfda.OccupancyRelease) -> None:
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    columns = {"id": SUBJECTS, "hour": TIMES, "y": VALUES, "note": ["x"] * ROWS}
    for table in (columns, pandas.DataFrame(columns), polars.DataFrame(columns), pyarrow.table(columns)):
        assert mean.release(table, **NAMED, **SEEDED) == released


def test_a_row_without_a_time_or_a_value_counts_as_none(mean: dpfda.PrivateOccupancy, released: dpfda.OccupancyRelease) -> None:
    more = {"subject": [*SUBJECTS, "S0001", "S0002"], "time": [*TIMES, np.nan, 3], "value": [*VALUES, 5, np.nan]}
    assert mean.release(**more, **SEEDED) == released


def test_whole_numbers_are_ids(mean: dpfda.PrivateOccupancy) -> None:
    as_text = mean.release(**{**COLUMNS, "subject": [str(row % 1000) for row in range(ROWS)]}, **SEEDED)
    assert mean.release(**{**COLUMNS, "subject": np.arange(ROWS) % 1000}, **SEEDED) == as_text


@pytest.mark.parametrize(
    ("change", "parameter"),
    [
        ({"time": TIMES[:-1]}, "time"),
        ({"time": ["2024-01-01"] * ROWS}, "time"),
        ({"value": [CANARY_NAME] * ROWS}, "value"),
        ({"value": VALUES + 1j}, "value"),
        ({"subject": [*SUBJECTS[:-1], None]}, "subject"),
        ({"subject": [*SUBJECTS[:-1], ""]}, "subject"),
        ({"subject": SUBJECTS[:-1]}, "subject"),
        ({"time": "hour"}, "time"),
        ({"rows": {"id": SUBJECTS, "y": VALUES}, **NAMED}, "time"),
        ({"rows": {"id": SUBJECTS, "hour": TIMES, "y": VALUES}}, "subject"),
        ({"rows": "rows.csv"}, "subject"),
    ],
)
def test_bad_columns_are_refused_by_their_names(mean: dpfda.PrivateOccupancy, change: dict[str, Any], parameter: str) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        mean.release(**{**COLUMNS, **change}, **SEEDED)
    assert refused.value.parameter == parameter
    assert not shows(str(refused.value))


@pytest.mark.parametrize(
    ("change", "parameter"),
    [
        ({"domain_range": (24, 0)}, "domain_range"),
        ({"domain_range": (0, float("nan"))}, "domain_range"),
        ({"bins": 1}, "bins"),
        ({"bins": 20_000}, "bins"),
        ({"bound": 1}, "bound"),
        ({"band": "honest"}, "band"),
        ({"level": 0.2}, "level"),
        ({"epsilon": None}, "epsilon"),
    ],
)
def test_bad_settings_are_refused_before_there_are_data(change: dict[str, Any], parameter: str) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateOccupancy(**{"domain_range": (0, 24), **STATED, **change})
    assert refused.value.parameter == parameter


def test_no_message_shows_a_private_value(mean: dpfda.PrivateOccupancy) -> None:
    pandas = pytest.importorskip("pandas")
    broken = pandas.DataFrame({"id": [CANARY_NAME, "b"], "hour": [CANARY, 2], "y": ["1", CANARY_NAME]})
    with pytest.raises(dpfda.DpfdaError) as refused:
        mean.release(broken, **NAMED, **SEEDED)
    chained = f"{refused.value!r}{refused.value.__cause__!r}"
    assert not shows(chained)


def test_one_subject_is_too_few_where_their_number_is_public(mean: dpfda.PrivateOccupancy) -> None:
    with pytest.raises(dpfda.DpfdaError):
        mean.release(subject=["a"] * 3, time=[1, 2, 3], value=[1, 2, 3], **SEEDED)
