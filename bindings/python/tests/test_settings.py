"""Public settings: what is accepted, what is refused, and with which words."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpfda
from conftest import SEEDED, STATED


@pytest.mark.parametrize(
    ("change", "parameter"),
    [
        ({"bounds": (1, 0)}, "bounds"),
        ({"bounds": (0, float("inf"))}, "bounds"),
        ({"bounds": (0, 1, 2)}, "bounds"),
        ({"bounds": None}, None),
        ({"bounds": "01"}, "bounds"),
        ({"bounds": None, "center": 0.5}, None),
        ({"bounds": None, "radius": 0.5}, None),
        ({"bounds": None, "center": 0.5, "radius": -1}, "radius"),
        ({"bounds": None, "center": "no-such-file.csv", "radius": 1}, "center"),
        ({"center": 0.5, "radius": 0.5}, "bounds"),
        ({"epsilon": None}, None),
        ({"delta": None}, None),
        ({"epsilon": "1"}, "epsilon"),
        ({"epsilon": 51}, "epsilon"),
        ({"delta": 0, "mechanism": "cameron-martin"}, "delta"),
        ({"delta": 0, "classical": True}, "delta"),
        ({"delta": 0, "epsilon": 51}, "epsilon"),
        ({"delta": 0, "epsilon": 0}, "epsilon"),
        ({"delta": 0, "coordinates": 0}, "coordinates"),
        ({"delta": 0, "coordinates": 65}, "coordinates"),
        ({"delta": 0, "coordinates": 2.5}, "coordinates"),
        ({"delta": 0, "slope": 3}, "delta"),
        ({"delta": 0, "roughness": 0.1}, "delta"),
        ({"delta": 0, "radius_share": 0.1}, "radius_share"),
        ({"delta": 0, "center_share": 0.1}, "radius_share"),
        ({"delta": 0, "moments": "mean"}, "moments"),
        ({"delta": 0, "select": "sure"}, "select"),
        ({"delta": 0, "band": "unsmoothed"}, "band"),
        ({"coordinates": 12}, "coordinates"),
        ({"mechanism": "laplace"}, "mechanism"),
        ({"neighbours": "remove"}, "neighbours"),
        ({"classical": "loose"}, "classical"),
        ({"classical": True, "epsilon": 2}, "classical"),
        ({"kernel": "box"}, "kernel"),
        ({"kernel": 5}, "kernel"),
        ({"range": 0}, "range"),
        ({"penalty": -1}, "penalty"),
        ({"eta": 0}, "eta"),
        ({"moments": "all"}, "moments"),
        ({"radius_share": 0.7}, "radius_share"),
        ({"radius_share": "some"}, "radius_share"),
        ({"center_share": -1}, "center_share"),
        ({"select": "best"}, "select"),
        ({"select": "sure", "kernel": "gaussian"}, None),
        ({"band": "wide"}, "band"),
        ({"level": 0.3}, "level"),
        ({"band": "honest"}, None),
        ({"band_roughness": 1}, "band_roughness"),
        ({"band": "posterior", "kernel": "gaussian"}, "kernel"),
        ({"slope": 1, "roughness": 1}, "slope"),
        ({"mechanism": "cameron-martin", "band": "unsmoothed"}, "band"),
        ({"mechanism": "cameron-martin", "moments": "mean"}, "moments"),
        ({"mechanism": "cameron-martin", "neighbours": "add-remove"}, "penalty"),
        ({"delta": 0.2}, "delta"),
        ({"epsilon": 0}, "epsilon"),
        ({"delta": 0.2, "because": ""}, "because"),
        ({"delta": 0.2, "because": 7}, "because"),
        ({"because": "two\nlines"}, "because"),
    ],
)
def test_settings_that_make_no_sense_are_refused_before_there_are_data(change: dict[str, Any], parameter: str) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateMean(**{**STATED, **change})
    assert refused.value.parameter == parameter, str(refused.value)


@pytest.mark.parametrize(
    "change",
    [
        {"neighbours": "add-remove"},
        {"mechanism": "cameron-martin"},
        {"classical": True},
        {"kernel": "gaussian", "range": 0.1, "penalty": 1e-3, "eta": 1},
        {"moments": "covariance"},
        {"moments": "none", "radius_share": "none"},
        {"center_share": 0.1},
        {"slope": 5},
        {"roughness": 0.15},
        {"select": "sure"},
        {"band": "posterior", "level": 0.9},
        {"band": "honest", "band_roughness": 2},
        {"delta": 0},
        {"delta": 0, "coordinates": 5, "neighbours": "add-remove"},
    ],
)
def test_every_option_makes_a_release(change: dict[str, Any], curves: np.ndarray) -> None:
    release = dpfda.PrivateMean(**{**STATED, **change}).release(curves, **SEEDED)
    assert release.values.shape == (curves.shape[1],)
    assert (release.lower < release.upper).all()
    assert dpfda.Release.from_json(release.to_json()) == release


def test_a_mean_with_delta_0_has_as_many_coordinates_as_were_asked_for(curves: np.ndarray) -> None:
    pure = dpfda.PrivateMean(**{**STATED, "delta": 0}, coordinates=5)
    release = pure.release(curves, **SEEDED)
    assert (release.delta, release.mu) == (0, None)
    assert len(release.document["lattice"]["coordinates"]) == 5
    usual = dpfda.PrivateMean(**{**STATED, "delta": 0}).release(curves, **SEEDED)
    assert len(usual.document["lattice"]["coordinates"]) == 12
    with pytest.raises(dpfda.DpfdaError, match="from 1 to 3") as refused:
        pure.release(curves[:, :3], **SEEDED)
    assert refused.value.parameter == "coordinates"
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateGroups(**{**STATED, "delta": 0}, by="group", coordinates=5)
    assert refused.value.parameter == "coordinates"


def test_a_plan_without_a_delta_foretells_the_error_of_its_coordinates() -> None:
    stated: dict[str, Any] = {"bounds": (0, 1), "epsilon": 1, "delta": 0}
    few, many = (dpfda.PrivateMean(coordinates=number, **stated).forecast(100).expected[0]["noise_sd"] for number in (2, 40))
    assert few < many


def test_settings_pickle_and_print_what_was_given(curves: np.ndarray) -> None:
    mean = dpfda.PrivateMean(**STATED, radius_share=0, kernel="gaussian")
    again = pickle.loads(pickle.dumps(mean))
    said = "epsilon=1.0, delta=1e-05, bounds=[0.0, 1.0], radius_share=0.0, values=['*'], kernel='gaussian'"
    assert repr(again) == repr(mean) == f"PrivateMean({said})"
    assert again == mean
    assert again.release(curves, **SEEDED) == mean.release(curves, **SEEDED)


def test_a_public_curve_is_a_centre_by_value_and_by_file(curves: np.ndarray, tmp_path: Any) -> None:
    t = np.linspace(0, 1, curves.shape[1])
    path = tmp_path / "centre.csv"
    path.write_text("t,value\n" + "".join(f"{x!r},{0.4 + 0.1 * x!r}\n" for x in t.tolist()))
    stated = {"radius": 0.4, "epsilon": 1, "delta": 1e-5}
    by_file = dpfda.PrivateMean(center=path, **stated).release(curves, **SEEDED)
    by_value = dpfda.PrivateMean(center={"t": t, "value": 0.4 + 0.1 * t}, **stated).release(curves, **SEEDED)
    np.testing.assert_allclose(by_file.values, by_value.values, rtol=1e-12)


@pytest.mark.parametrize("door", [{"seed": 1}, {"not_private": True}])
def test_a_seed_and_its_confession_come_together_or_not_at_all(door: dict[str, Any], curves: np.ndarray) -> None:
    with pytest.raises(dpfda.DpfdaError, match="belong together") as refused:
        dpfda.PrivateMean(**STATED).release(curves, **door)
    assert refused.value.parameter == "seed"


def test_without_a_seed_the_noise_is_private_and_new(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    first, second = mean.release(curves), mean.release(curves)
    assert first.is_private
    assert second.is_private
    assert first != second


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**64 - 1))
def test_a_seed_gives_the_same_release_and_stamps_it(seed: int) -> None:
    small = np.full((200, 5), 0.25)
    mean = dpfda.PrivateMean(bounds=(0, 1), epsilon=5, delta=1e-3, radius_share=0)
    first = mean.release(small, seed=seed, not_private=True)
    assert first == mean.release(small, seed=seed, not_private=True)
    assert not first.is_private
    assert "NOT PRIVATE" in repr(first)


#: Everything that spends, with terms that are left open.
SPENDING: dict[str, Callable[..., Any]] = {
    "mean": lambda x, **terms: dpfda.PrivateMean(**terms).release(x, **SEEDED),
    "seen": lambda x, **terms: dpfda.PrivateRows(**terms).release(x, **SEEDED),
    "groups": lambda x, **terms: dpfda.PrivateGroups(by="g", **terms).release(
        x, columns={"g": ["a", "b"] * (len(x) // 2)}, **SEEDED
    ),
    "rows": lambda x, **terms: dpfda.PrivateRows(id="i", time="t", value="y", domain=(0, 1), **terms).release(
        {"i": range(len(x)), "t": x[:, 0], "y": x[:, 1]}, **SEEDED
    ),
    "surface": lambda x, **terms: dpfda.PrivateSurface(surface=(3, 7), **terms).release(x, **SEEDED),
    "regression": lambda x, **terms: dpfda.PrivateRegression(on="a", covariate_bounds="a=0:1", **terms).release(
        x, columns={"a": x[:, 0]}, **SEEDED
    ),
    "density": lambda x, **terms: dpfda.PrivateDensity(**terms).release(x[:, 0], **SEEDED),
    "series": lambda x, **terms: dpfda.PrivateDensity(mechanism="series", **terms).release(x[:, 0], **SEEDED),
}


@pytest.mark.filterwarnings("ignore::dpfda.CuratorWarning")
@pytest.mark.parametrize("name", SPENDING)
def test_a_guarantee_that_is_hardly_meant_needs_a_reason_which_the_release_tells(name: str, curves: np.ndarray) -> None:
    with pytest.raises(dpfda.DpfdaError, match="state a reason, which the release tells: because=") as refused:
        SPENDING[name](curves, **{**STATED, "delta": 0.2})
    assert refused.value.parameter == "delta"
    release = SPENDING[name](curves, **{**STATED, "delta": 0.2}, because=" simulated curves ")
    assert release.document["source"]["reason"] == "simulated curves"
    assert any(fact.name == "reason" and fact.text == "simulated curves" for fact in release.facts)
    assert "reason" not in SPENDING[name](curves, **STATED).document["source"]


def test_settings_with_a_reason_are_pickled_with_it(curves: np.ndarray) -> None:
    mean = pickle.loads(pickle.dumps(dpfda.PrivateMean(**STATED, because="a rehearsal")))
    assert "because='a rehearsal'" in repr(mean)
    assert mean.release(curves, **SEEDED).document["source"]["reason"] == "a rehearsal"
