"""Densities, calibration, planning and audits."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import SEEDED


@pytest.fixture(scope="module")
def points() -> np.ndarray:
    return np.random.default_rng(2).beta(2, 5, size=2000)


@pytest.fixture(scope="module")
def density(points: np.ndarray) -> dpfda.DensityRelease:
    return dpfda.PrivateDensity(columns="x", bounds=(0, 1), epsilon=1).release(points, **SEEDED)


def test_a_density_integrates_to_one(density: dpfda.DensityRelease) -> None:
    assert float(np.sum(density.values * np.diff(density.edges[0]))) == pytest.approx(1)
    assert density.at(np.array([0.2]))[0] > density.at(np.array([0.9]))[0]
    assert density.at(np.array([2.0]))[0] == 0
    assert 0.1 < density.quantile(0.5) < 0.5


@pytest.mark.parametrize("mechanism", ["perturbed", "smoothed", "exponential", "series", "series-exponential"])
def test_every_mechanism_makes_a_density_that_reads_back(mechanism: Any, points: np.ndarray) -> None:
    released = dpfda.PrivateDensity(bounds=(0, 1), epsilon=1, mechanism=mechanism).release(points, **SEEDED)
    assert pickle.loads(pickle.dumps(released)) == released
    assert released.to_svg().count("<svg") == 1
    assert not released.is_private
    drawn = released.simulate(None if mechanism in ("smoothed", "exponential") else 50)
    assert drawn.shape[1] == 1
    assert drawn.min() >= 0
    assert drawn.max() <= 1


def test_points_of_two_columns_make_a_plane(points: np.ndarray) -> None:
    pandas = pytest.importorskip("pandas")
    plane = np.column_stack([points, points[::-1]])
    study = dpfda.PrivateDensity(bounds=(0, 1, 0, 1), epsilon=1, cells=8, columns="x,y")
    released = study.release(plane, **SEEDED)
    assert released.values.shape == (8, 8)
    frame = pandas.DataFrame(plane, columns=["x", "y"]).assign(name="Zqx")
    assert study.release(frame, **SEEDED) == released
    assert released.plot().get_ylabel() == "y"
    assert released.to_xarray().dims == ("x", "y")
    assert released.to_xarray().shape == (8, 8)
    space = dpfda.PrivateDensity(bounds=(0, 1) * 3, epsilon=1, cells=4).release(plane[:, [0, 1, 0]], **SEEDED)
    with pytest.raises(dpfda.DpfdaError):
        space.plot()


def test_a_density_shows_itself(density: dpfda.DensityRelease) -> None:
    assert "<svg" in density._repr_html_()
    assert density.to_png().startswith(b"\x89PNG")
    assert "NOT PRIVATE" in repr(density)
    assert density.facts
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert density.plot().get_ylabel() == "density"


@pytest.mark.parametrize(
    ("change", "parameter"),
    [
        ({"bounds": (1, 0)}, "bounds"),
        ({"bounds": 3}, "bounds"),
        ({"bounds": (0, 1, 0, 1)}, "bounds"),
        ({"epsilon": -1}, "epsilon"),
        ({"epsilon": 60}, "epsilon"),
        ({"mechanism": "kernel"}, "mechanism"),
        ({"mechanism": "smoothed", "delta": 1e-5}, "delta"),
        ({"mechanism": "smoothed", "neighbours": "add-remove"}, "neighbours"),
        ({"cells": 0}, "cells"),
        ({"draws": 0}, "draws"),
        ({"unit": "person"}, "unit"),
    ],
)
def test_densities_that_make_no_sense_are_refused(change: dict[str, Any], parameter: str, points: np.ndarray) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateDensity(**{"columns": "x", "bounds": (0, 1), "epsilon": 1, **change}).release(points, **SEEDED)
    assert refused.value.parameter == parameter, str(refused.value)


def test_gaussian_noise_has_its_scale() -> None:
    tight = dpfda.calibrate("gaussian", epsilon=1, delta=1e-5, sensitivity=2)
    assert tight.scale == pytest.approx(2 / 0.268051117, rel=1e-6)
    assert tight.variance == pytest.approx(tight.scale**2)
    classical = dpfda.calibrate("gaussian", epsilon=1, delta=1e-5, sensitivity=2, classical=True)
    assert classical.scale > tight.scale


@pytest.mark.parametrize(
    ("family", "change", "parameter"),
    [
        ("cauchy", {}, "family"),
        ("gaussian", {"sensitivity": 0}, "sensitivity"),
        ("gaussian", {"delta": 0}, "delta"),
        ("gaussian", {"dimension": 0}, "dimension"),
        ("laplace", {"dimension": 2}, "dimension"),
        ("laplace", {"classical": True}, "classical"),
    ],
)
def test_calibrations_that_make_no_sense_are_refused(family: str, change: dict[str, Any], parameter: str) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.calibrate(family, **{"epsilon": 1, "delta": 1e-5, "sensitivity": 1, **change})
    assert refused.value.parameter == parameter


def test_a_forecast_says_how_many_people_an_error_takes() -> None:
    mean = dpfda.PrivateMean(bounds=(0, 1), epsilon=1, delta=1e-5)
    forecast = mean.forecast(error=0.02)
    assert forecast.needed is not None
    assert forecast.expected[0]["records"] == forecast.needed
    assert 0.016 < forecast.expected[0]["error"] < 0.025
    narrow = mean.forecast(500, spread=0.02).expected[0]
    assert narrow["error"] < narrow["half_width"] < mean.forecast(500).expected[0]["half_width"]
    with pytest.raises(dpfda.DpfdaError) as wide:
        mean.forecast(500, spread=2)
    assert wide.value.parameter == "spread"
    with pytest.raises(dpfda.DpfdaError):
        mean.forecast()
    with pytest.raises(dpfda.DpfdaError, match="not foretold") as refused:
        dpfda.PrivateDensity(bounds=(0, 1), epsilon=1).forecast(100)
    assert refused.value.parameter == "kind"


def test_groups_and_coefficients_are_foretold_by_name() -> None:
    stated: dict[str, Any] = {"bounds": (0, 1), "epsilon": 1, "delta": 1e-5}
    groups = dpfda.PrivateGroups(**stated, by="arm", private_labels=["c", "a"]).forecast(1000).expected[0]
    assert [mean["name"] for mean in groups["means"]] == ["c", "a"]
    regression = dpfda.PrivateRegression(**stated, on="age", covariate_bounds="age=20:80").forecast(2000).expected[0]
    assert (regression["name"], [mean["name"] for mean in regression["means"]]) == ("age", ["intercept", "age"])


def test_an_honest_mechanism_is_not_refuted(density: dpfda.DensityRelease) -> None:
    report = dpfda.audit(mechanism="isonormal", epsilon=1, delta=1e-5, draws=2000)
    assert not report["refuted"]
    assert not dpfda.audit(density, draws=2000)["refuted"]
    with pytest.raises(dpfda.DpfdaError):
        dpfda.audit()


def test_the_mechanism_of_a_release_is_audited(release: dpfda.Release) -> None:
    report = dpfda.audit(release, draws=2000)
    assert report["refuted"] is False
    assert report["draws"] == 2000
