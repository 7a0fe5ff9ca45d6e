"""Centile curves that are asked of a release afterwards."""

from __future__ import annotations

import warnings
from statistics import NormalDist

import numpy as np
import pytest

import dpfda
from conftest import SEEDED, STATED

ASKED = {**STATED, "epsilon": 2}


def normal(people: int = 6000, points: int = 20) -> np.ndarray:
    """Curves whose values are normal at each point."""
    scores = [NormalDist().inv_cdf((i + 0.5) / people) for i in range(people)]
    return 0.5 + np.outer(scores, 0.1 + 0.05 * np.sin(np.arange(points) / 3))


@pytest.fixture(scope="module")
def chart() -> dpfda.CentilesRelease:
    return dpfda.PrivateCentiles(**ASKED, centiles=[25, 50]).release(normal(), **SEEDED)


def test_the_centiles_of_a_release_are_those_that_are_asked_again(chart: dpfda.CentilesRelease) -> None:
    for p, asked in chart.centile_curves([25, 50]).items():
        assert all(np.array_equal(one, other) for one, other in zip(asked, chart.centile(p), strict=True))


def test_other_centiles_lie_where_the_values_of_people_do(chart: dpfda.CentilesRelease) -> None:
    found = chart.centile_curves([10, 90], level=0.8)
    assert list(found) == [10, 90]
    spread = 0.1 + 0.05 * np.sin(np.arange(20) / 3)
    assert found[10].values == pytest.approx(0.5 - 1.2816 * spread, abs=0.03)
    assert np.all(found[10].upper < found[90].lower)
    wide = chart.centile_curves([10, 90], level=0.95)
    assert np.all(wide[10].lower <= found[10].lower)
    assert np.any(wide[10].lower < found[10].lower)


def test_normal_values_have_the_same_bands_and_other_curves(chart: dpfda.CentilesRelease) -> None:
    free, of_normal = chart.centile_curves([25])[25], chart.centile_curves([25], normal=True)[25]
    assert np.array_equal(free.lower, of_normal.lower)
    assert np.array_equal(free.upper, of_normal.upper)
    assert not np.array_equal(free.values, of_normal.values)


def test_values_that_are_not_normal_are_refused_as_such() -> None:
    two = 0.5 + 0.2 * np.where(np.arange(6000) % 2, 1, -1)[:, None] + (normal() - 0.5) / 8
    chart = dpfda.PrivateCentiles(**ASKED, centiles=[25, 50]).release(two, **SEEDED)
    with pytest.raises(dpfda.DpfdaError, match="may not be normal") as caught:
        chart.centile_curves([50], normal=True)
    assert caught.value.parameter == "normal"


@pytest.mark.parametrize("none", [[0], [50, 25], [], [99.5], "50"])
def test_what_is_no_list_of_centiles_is_refused(none: object, chart: dpfda.CentilesRelease) -> None:
    with pytest.raises(dpfda.DpfdaError) as caught:
        chart.centile_curves(none)  # type: ignore[arg-type]
    assert caught.value.parameter == "centiles"


def test_a_noisy_number_of_people_that_is_too_small_is_told(curves: np.ndarray) -> None:
    private = dpfda.PrivateCentiles(**{**STATED, "epsilon": 3}, neighbours="add-remove", centiles=[25, 50])
    chart = private.release(curves[:120], **SEEDED)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chart.centile_curves([50])
    with pytest.warns(UserWarning, match="noisy number of people is about .* 3%"):
        chart.centile_curves([3])


def test_a_mean_and_a_group_have_centiles_of_normal_values(release: dpfda.Release, curves: np.ndarray) -> None:
    found = release.normal_centiles([10, 90])
    assert (found[10].values + found[90].values) / 2 == pytest.approx(release.values, rel=1e-9)
    with pytest.raises(dpfda.DpfdaError) as caught:
        release.normal_centiles([101])
    assert caught.value.parameter == "centiles"
    private = dpfda.PrivateGroups(**STATED, by="arm")
    groups = private.release(curves, columns={"arm": np.tile(["a", "b"], 300)}, **SEEDED)
    middle = groups.normal_centiles("b", [50])[50]
    assert middle.values == pytest.approx(groups.functions["b"].values, rel=1e-9)
    with pytest.raises(dpfda.DpfdaError):
        groups.normal_centiles("c", [50])
