"""The change of people between two visits, and with time."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import POINTS, SEEDED

TERMS = {"subject": "id", "bounds": (-0.4, 0.4), "epsilon": 1, "delta": 1e-4}


def visited(curves: np.ndarray, again: int, named: str) -> tuple[np.ndarray, dict[str, Any]]:
    """The first visit of everybody, and the second of the first people, 0.1 lower."""
    people = np.arange(len(curves))
    rows = np.vstack([curves, curves[:again] - 0.1])
    visits = ["1"] * len(curves) + ["2"] * again
    years = np.concatenate([np.zeros(len(curves)), np.full(again, 2.0)])
    when = {"visit": visits, "year": years}[named]
    return rows, {"id": np.concatenate([people, people[:again]]), named: when}


def test_a_change_has_an_estimate_a_band_and_the_noisy_number_of_its_people(curves: np.ndarray) -> None:
    rows, columns = visited(curves, 450, "visit")
    release = dpfda.PrivateChange(change="visit=1,2", **TERMS).release(rows, columns=columns, **SEEDED)
    assert isinstance(release, dpfda.ChangeRelease)
    assert release.values.shape == (POINTS,)
    assert (release.lower < release.upper).all()
    assert abs(release.people - 450) < 5 * release.people_sd
    assert abs(float(np.mean(release.values)) + 0.1) < 0.05
    wider = release.with_band(level=0.99)
    assert (wider.upper - wider.lower > release.upper - release.lower).all()
    assert release.at([0.5])["values"].shape == (1,)
    assert release.features(integral=True).integral is not None
    again = pickle.loads(pickle.dumps(release))
    assert (again.values == release.values).all()


def test_a_slope_is_the_change_for_one_unit_of_time(curves: np.ndarray) -> None:
    rows, columns = visited(curves, 500, "year")
    release = dpfda.PrivateChange(per="year", apart=1, **TERMS).release(rows, columns=columns, **SEEDED)
    assert abs(float(np.mean(release.values)) + 0.05) < 0.04


def test_a_change_that_the_noise_hides_is_refused_and_nobody_with_both_visits_is_no_error(curves: np.ndarray) -> None:
    rows, columns = visited(curves, 0, "visit")
    with pytest.warns(dpfda.CuratorWarning, match="nobody has a change by the column `visit`.*No cell of the column says 2"):
        release = dpfda.PrivateChange(change="visit=1,2", **TERMS).release(rows, columns=columns, **SEEDED)
    with pytest.raises(dpfda.DpfdaError, match="nothing can be said"):
        _ = release.values
    assert any("assumed" in name for name, *_ in release.facts)


def test_ids_must_be_named_and_visits_be_two(curves: np.ndarray) -> None:
    rows, columns = visited(curves, 10, "visit")
    for settings, told in [({"change": "visit=1,1"}, "two different"), ({"change": "visit"}, "visit=1,2")]:
        with pytest.raises(dpfda.DpfdaError, match=told):
            dpfda.PrivateChange(**settings, **TERMS).release(rows, columns=columns, **SEEDED)
