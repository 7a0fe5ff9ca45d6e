"""Scores of smoothers, and numbers of a mean with intervals."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import CANARY, POINTS, STATED, shows

PLANNED = dpfda.PrivateMean(center=0.5, radius=0.5, epsilon=1, delta=1e-5, values="v*")
SMOOTHED = dpfda.PrivateMean(center=0.5, radius=0.5, epsilon=1, delta=1e-5, values="v*", mechanism="cameron-martin")
BARE: dict[str, Any] = {"with_noise": False}
BUDGET = ["--radius", "0.5", "--epsilon", "1", "--delta", "1e-5"]
TRIED: dict[str, Any] = {"kernel": ["gaussian", "matern52"], "penalty": [1e-4, 1e-2, 1.0]}


@pytest.fixture(scope="module")
def scored(curves: np.ndarray) -> dpfda.CrossValidation:
    return PLANNED.crossval(curves, with_noise=False, **TRIED)


def answer_of(*words: object) -> dict[str, Any]:
    """What the command prints as JSON."""
    binary = os.environ.get("DPFDA_COMMAND")
    if not binary:
        pytest.skip("DPFDA_COMMAND names no command to compare with")
    done = subprocess.run([binary, *map(str, words), "--json"], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_scores_are_shown_by_reveal_alone(scored: dpfda.CrossValidation) -> None:
    assert repr(scored) == str(scored) == "CrossValidation(..)"
    for refuse in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(dpfda.DpfdaError, match="not pickled"):
            refuse(scored)
    assert not hasattr(scored, "best")
    found = scored.reveal()
    assert found.best["score"] == min(block.min() for block in found.scores.values())
    assert [one["kernel"] for one in found.best_of_each_kernel] == TRIED["kernel"]
    assert found.scores["gaussian"].shape == (len(found.ranges["gaussian"]), 3, 1)


def test_the_heat_map_of_private_scores_has_a_watermark(scored: dpfda.CrossValidation) -> None:
    assert "NOT" in scored.reveal_svg()


@pytest.mark.parametrize(
    ("study", "arguments", "options"),
    [
        (PLANNED, BARE, []),
        (PLANNED, {**BARE, "leave_one_out": True}, ["--leave-one-out"]),
        (PLANNED, {**BARE, "folds": 5, "seed": 3}, ["--folds", "5", "--seed", "3"]),
        (PLANNED, {}, BUDGET),
    ],
)
def test_scores_are_those_of_the_command(
    study: dpfda.PrivateMean, arguments: dict[str, Any], options: list[str], csv: Path, curves: np.ndarray
) -> None:
    tried = ["--kernel", "gaussian,matern52", "--penalty", "1e-4,1e-2,1"]
    answer = answer_of("crossval", csv, "--values", "v*", "--center", "0.5", *tried, *options)
    for private in (curves, csv):
        found = study.crossval(private, **TRIED, **arguments).reveal()
        assert found.best == answer["best"]
        assert found.best_of_each_kernel == answer["best_of_each_kernel"]
        assert found.edges == answer["edges"]


def test_the_default_candidates_are_those_of_the_command(csv: Path, curves: np.ndarray) -> None:
    answer = answer_of("crossval", csv, "--values", "v*", "--center", "0.5", "--folds", "2")
    found = PLANNED.crossval(curves, folds=2, **BARE).reveal()
    assert sum(block.size for block in found.scores.values()) == answer["candidates"]
    assert found.best_of_each_kernel == answer["best_of_each_kernel"]


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({"with_noise": False, "draws": 10}, "draws"),
        ({"draws": 10}, "draws"),
        ({"folds": 1}, "folds"),
        ({"folds": 601}, "folds"),
        ({"kernel": "x"}, "kernel"),
        ({"kernel": []}, "kernel"),
        ({"range": -1}, "range"),
        ({"penalty": []}, "penalty"),
        ({"eta": 0.5}, "eta"),
        ({"loss": "x"}, "loss"),
        ({"target": 3}, "target"),
    ],
)
def test_a_cross_validation_that_makes_no_sense_is_refused(arguments: dict[str, Any], parameter: str, curves: np.ndarray) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        PLANNED.crossval(curves, **{**TRIED, **arguments})
    assert refused.value.parameter == parameter, str(refused.value)


def test_no_refusal_of_a_cross_validation_shows_a_value(curves: np.ndarray) -> None:
    bad = curves.copy()
    bad[3, 4], bad[5, 6] = CANARY, np.inf
    with pytest.raises(dpfda.DpfdaError) as refused:
        PLANNED.crossval(bad, **TRIED)
    assert not shows(str(refused.value))


def test_smoothers_are_those_of_a_mean_of_curves(curves: np.ndarray) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateGroups(**STATED, by="arm").crossval(curves, columns={"arm": ["a", "b"] * 300})
    assert refused.value.parameter == "kind"


def test_risks_of_a_release_are_what_sure_chooses_by(white: dpfda.Release) -> None:
    found = white.risks()
    best = white.smoothed(kernel=found.best["kernel"], range=found.best["range"], penalty=found.best["penalty"])
    np.testing.assert_array_equal(best.values, white.smoothed("sure").values)
    assert list(white.risks(kernel="gaussian", range=0.2).scores) == ["gaussian"]
    smoothed = dpfda.PrivateMean(**STATED, mechanism="cameron-martin")
    with pytest.raises(dpfda.DpfdaError) as refused:
        smoothed.release(np.full((100, POINTS), 0.5), seed=1, not_private=True).risks()
    assert refused.value.parameter == "release"


def test_features_are_those_of_the_command(release: dpfda.Release, tmp_path: Path) -> None:
    (tmp_path / "release.json").write_text(release.to_json())
    answer = answer_of(
        "evaluate", tmp_path / "release.json", "--derivative", "0.25,0.5", "--integral", "0.2,0.8", "--maximum", "--minimum"
    )
    found = release.features(derivative=[0.25, 0.5], integral=(0.2, 0.8), maximum=True, minimum=True)
    names = ("t", "from", "to", "value", "sd", "lower", "upper")
    assert [dict(zip(names, one)) for one in found.derivative] == answer["derivative"]
    assert found.window == answer["window"]
    assert found.integral is not None
    assert found.integral._asdict() | {"from": 0.2, "to": 0.8} == answer["integral"]
    for extreme, told in ((found.maximum, answer["maximum"]), (found.minimum, answer["minimum"])):
        assert extreme is not None
        stretches = [list(stretch) for stretch in extreme.at.stretches]
        assert extreme.at._asdict() | {"stretches": stretches} == told["at"]
        assert extreme.value._asdict() == told["value"]
    assert (found.target, found.level) == (answer["target"], answer["level"])


def test_slopes_are_those_of_the_whole_curve_and_of_a_difference(release: dpfda.Release) -> None:
    assert len(release.features(derivative=True).derivative) == POINTS
    other = dpfda.PrivateMean(**STATED).release(np.full((300, POINTS), 0.5), seed=9, not_private=True)
    found = release.features(derivative=[0.5], maximum=True, minus=other)
    assert found.maximum is not None
    assert found.derivative[0].sd > release.features(derivative=[0.5]).derivative[0].sd
    with pytest.raises(dpfda.DpfdaError) as refused:
        release.features(maximum=True, minus=3)
    assert refused.value.parameter == "minus"


def test_features_that_are_not_asked_for_are_left_out(release: dpfda.Release) -> None:
    found = release.features(integral=True)
    assert found.derivative == []
    assert found.maximum is None
    assert found.integral is not None
    assert found.integral.lower < found.integral.value < found.integral.upper


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({"derivative": [2.0]}, "derivative"),
        ({"integral": (0.8, 0.2)}, "integral"),
        ({"integral": (0, 9)}, "integral"),
        ({"integral": (0, 0.5, 1)}, "integral"),
        ({"derivative": [0.5], "window": 2}, "window"),
    ],
)
def test_features_that_the_mean_does_not_have_are_refused(
    arguments: dict[str, Any], parameter: str, release: dpfda.Release
) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        release.features(**arguments)
    assert refused.value.parameter == parameter


def test_draws_of_the_mean_have_the_moments_of_its_posterior(release: dpfda.Release) -> None:
    posterior = release.posterior()
    drawn = posterior.draws(4000, seed=3)
    assert drawn.shape == (4000, POINTS)
    np.testing.assert_array_equal(drawn, posterior.draws(4000, seed=3))
    # of 21 means and of 21 standard deviations, none is 6 standard errors off but with a probability of 1e-7
    assert (np.abs(drawn.mean(axis=0) - posterior.values) < 6 * posterior.sd / np.sqrt(4000)).all()
    assert np.abs(drawn.std(axis=0) / posterior.sd - 1).max() < 6 / np.sqrt(2 * 4000) * 1.5
    assert posterior.draws(2, [0.25], seed=3).shape == (2, 1)
