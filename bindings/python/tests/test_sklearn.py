"""The estimator of scikit-learn."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import dpfda
from conftest import SEEDED, STATED

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from dpfda.sklearn import EXPECTED_FAILED_CHECKS, PrivateMeanEstimator


def test_the_estimator_passes_the_checks_of_scikit_learn() -> None:
    estimator = PrivateMeanEstimator(bounds=(-100, 100), epsilon=10, delta=1e-3, radius_share=0, **SEEDED)
    check_estimator(estimator, expected_failed_checks=EXPECTED_FAILED_CHECKS)


def test_the_mean_is_that_of_the_release(curves: np.ndarray) -> None:
    estimator = PrivateMeanEstimator(**STATED, **SEEDED).fit(curves)
    release = dpfda.PrivateMean(**STATED).release(curves, **SEEDED)
    np.testing.assert_array_equal(estimator.mean_, release.values)
    assert estimator.release_ == release
    assert estimator.n_features_in_ == curves.shape[1]


def test_parameters_are_those_of_the_constructor() -> None:
    estimator = PrivateMeanEstimator(bounds=(0, 1), epsilon=1, delta=1e-5)
    assert clone(estimator).get_params() == estimator.get_params()
    assert estimator.set_params(epsilon=2).epsilon == 2


def test_the_settings_are_all_those_of_a_private_mean(curves: np.ndarray) -> None:
    def defaults(of: type) -> dict[str, object]:
        given = list(inspect.signature(of.__init__).parameters.values())
        return {one.name: one.default for one in given if one.name != "self"}

    assert defaults(PrivateMeanEstimator) == {**defaults(dpfda.PrivateMean), "seed": None, "not_private": False}
    settings = {"bounds": (0, 1), "epsilon": 1, "delta": 0, "coordinates": 5, "level": 0.9, "gaps": "gaussian-process"}
    estimator = clone(PrivateMeanEstimator(**settings, **SEEDED)).fit(curves)
    assert estimator.release_ == dpfda.PrivateMean(**settings).release(curves, **SEEDED)
    with pytest.raises(TypeError, match="no setting"):
        PrivateMeanEstimator(**STATED, epsilom=1)


def test_missing_values_are_allowed_and_text_is_not(curves: np.ndarray) -> None:
    holes = curves.copy()
    holes[0, :3] = np.nan
    PrivateMeanEstimator(**STATED, **SEEDED).fit(holes)
    with pytest.raises(dpfda.DpfdaError) as refused:
        PrivateMeanEstimator(**STATED, **SEEDED).fit(np.full((300, 4), "Zqx-Canary"))
    assert "Zqx" not in str(refused.value)
