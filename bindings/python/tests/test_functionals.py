"""Functionals with delta = 0, and paths of which more is published later."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import CANARY, POINTS, SEEDED, shows
from dpfda import Functional

STATED: dict[str, Any] = {"bounds": (0, 1), "epsilon": 4, "penalty": 1e-3, "kernel": "matern52", "range": 0.25}
ASKED = [Functional.evaluation(0.5), Functional.derivative(0.5), Functional.integral(np.ones(POINTS)), Functional.coefficient(0)]


@pytest.fixture(scope="module")
def released(curves: np.ndarray) -> dpfda.FunctionalsRelease:
    return dpfda.PrivateFunctionals(**STATED).release(curves, ASKED, **SEEDED)


@pytest.fixture(scope="module")
def path(curves: np.ndarray) -> tuple[dpfda.PathRelease, dpfda.KeptPath]:
    return dpfda.PrivatePath(**STATED, delta=1e-5).release(curves, ASKED[:1], **SEEDED)


def test_functionals_of_the_mean_are_within_their_noise(released: dpfda.FunctionalsRelease, curves: np.ndarray) -> None:
    mean = curves.mean(axis=0)
    truth = [mean[POINTS // 2], None, np.trapezoid(mean, dx=1 / (POINTS - 1)) if hasattr(np, "trapezoid") else mean.mean()]
    for at in (0, 2):
        assert abs(released.values[at] - truth[at]) < 0.05 + 6 * released.noise_sd[at]
    np.testing.assert_allclose(np.sqrt(np.diag(released.noise_covariance)), released.noise_sd)
    assert released.functionals == ASKED


def test_released_functionals_are_public_and_read_back(released: dpfda.FunctionalsRelease) -> None:
    assert pickle.loads(pickle.dumps(released)) == released
    assert released.document["privacy"]["delta"] == 0
    assert repr(released) == "FunctionalsRelease(epsilon=4, delta=0, substitute, 4 functionals, NOT PRIVATE: noise from a seed)"
    assert not released.is_private
    assert released.facts


def test_noise_of_floating_point_must_be_asked_for(curves: np.ndarray) -> None:
    student_t = {"noise": "student-t", "degrees_of_freedom": 7}
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateFunctionals(**STATED, **student_t)
    assert refused.value.parameter == "idealised_arithmetic"
    asked = dpfda.PrivateFunctionals(**STATED, **student_t, idealised_arithmetic=True)
    assert asked.release(curves, ASKED, **SEEDED).document["privacy"]["arithmetic"] == "idealised"
    exact = dpfda.PrivateFunctionals(**STATED, noise="k-norm")
    assert exact.release(curves, ASKED, **SEEDED).document["privacy"]["arithmetic"] == "exact"


@pytest.mark.parametrize(
    ("settings", "asked", "parameter"),
    [
        ({"epsilon": 0}, ASKED, "epsilon"),
        ({"noise": "white"}, ASKED, "noise"),
        ({"degrees_of_freedom": 3}, ASKED, "degrees_of_freedom"),
        ({"dispersion": "x"}, ASKED, "dispersion"),
        ({"penalty": -1}, ASKED, "penalty"),
        ({"penalty": None}, ASKED, "penalty"),
        ({"delta": 1e-5}, ASKED, "delta"),
        ({"slope": 3}, ASKED, "slope"),
        ({"kernel": "x"}, ASKED, "kernel"),
        ({}, [], "functionals"),
        ({}, [0.5], "functionals"),
        ({}, [Functional.evaluation(2)], "functionals"),
        ({}, [Functional.integral([1.0])], "functionals"),
        ({}, [Functional("maximum", 1)], "functionals"),
        ({"kernel": "exponential"}, [Functional.derivative(0.5)], "functionals"),
    ],
)
def test_functionals_that_make_no_sense_are_refused(
    settings: dict[str, Any], asked: Any, parameter: str, curves: np.ndarray
) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateFunctionals(**{**STATED, **settings}).release(curves, asked, **SEEDED)
    assert refused.value.parameter == parameter, str(refused.value)


def test_more_of_a_path_is_published_later_and_what_was_published_stays(
    path: tuple[dpfda.PathRelease, dpfda.KeptPath], tmp_path: Path
) -> None:
    release, kept = path
    kept.write(tmp_path / "curator-only.json")
    assert (tmp_path / "curator-only.json").stat().st_mode & 0o777 == 0o600
    extended = dpfda.KeptPath.read(tmp_path / "curator-only.json").extend(release, ASKED)
    assert extended.functionals == ASKED
    assert extended.values[0] == release.values[0]
    assert extended == kept.extend(release, ASKED)
    assert pickle.loads(pickle.dumps(extended)) == extended


def test_a_path_is_of_one_release_alone(path: tuple[dpfda.PathRelease, dpfda.KeptPath], curves: np.ndarray) -> None:
    other, _ = dpfda.PrivatePath(**STATED, delta=1e-5).release(curves, ASKED[:1], seed=8, not_private=True)
    with pytest.raises(dpfda.DpfdaError) as refused:
        path[1].extend(other, ASKED)
    assert refused.value.parameter == "release"


def test_elliptical_noise_is_named_with_its_parameter(curves: np.ndarray) -> None:
    release, _ = dpfda.PrivatePath(**STATED, delta=1e-5, mixing=("student-t", 5)).release(curves, ASKED, **SEEDED)
    assert len(release.values) == len(ASKED)
    for mixing in (("cauchy", 1), ("student-t", -1), "student-t"):
        with pytest.raises(dpfda.DpfdaError) as refused:
            dpfda.PrivatePath(**STATED, delta=1e-5, mixing=mixing)
        assert refused.value.parameter == "mixing"


def test_functionals_that_cannot_be_are_refused_before_a_path_is_paid_for(curves: np.ndarray, tmp_path: Path) -> None:
    terms = {"dataset": "d", "unit": "curve", "neighbours": "substitute", "epsilon": 4, "delta": 1e-5}
    ledger = dpfda.Ledger.create(tmp_path / "l", **terms)
    private = dpfda.PrivatePath(**STATED, delta=1e-5)
    with pytest.raises(dpfda.DpfdaError):
        private.release(curves, [Functional.evaluation(2)], ledger=ledger, release_id="p")
    assert ledger.show()["releases"] == []
    paid, _ = private.release(curves, ASKED, ledger=ledger, release_id="p")
    again, kept = private.release(curves, ASKED, ledger=ledger, release_id="p")
    assert again == paid
    assert kept.extend(paid, ASKED) == paid
    assert ledger.verify(paid) == []


def test_a_kept_path_is_not_shown_and_not_copied(path: tuple[dpfda.PathRelease, dpfda.KeptPath]) -> None:
    kept = path[1]
    assert repr(kept) == "KeptPath(..)"
    for refuse in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(dpfda.DpfdaError, match="not pickled"):
            refuse(kept)


def test_a_damaged_path_is_refused_without_its_content(tmp_path: Path) -> None:
    file = tmp_path / "path.json"
    file.touch(mode=0o600)
    file.write_text(f'{{"x": {CANARY}}}')
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.KeptPath.read(file)
    assert refused.value.parameter == "path"
    assert not shows(str(refused.value))
