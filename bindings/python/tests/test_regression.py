"""Regressions of curves on covariates."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import CANARY, CANARY_NAME, POINTS, SEEDED, bits, document, shows

ROWS = 3000
RANGES: dict[str, Any] = {"age": (18, 90), "site": ["north", "south"]}
ON: dict[str, Any] = {"on": ["age", "site"], "covariate_bounds": ["age=18:90", "site=north|south"]}
STATED: dict[str, Any] = {"bounds": (0, 1), "epsilon": 4, "delta": 1e-5}
AGES = 18 + 72 * (np.arange(ROWS) % 101) / 100
SITES = ["south" if row % 3 == 0 else "north" for row in range(ROWS)]
COLUMNS = {"age": AGES, "site": SITES}


@pytest.fixture(scope="module")
def curves() -> np.ndarray:
    t = np.linspace(0, 1, POINTS)
    south = (np.arange(ROWS) % 3 == 0)[:, None]
    return 0.3 + 0.1 * np.sin(4 * t) + 0.004 * (AGES[:, None] - 18) * t + 0.15 * south


@pytest.fixture(scope="module")
def released(curves: np.ndarray) -> dpfda.RegressionRelease:
    return dpfda.PrivateRegression(**ON, **STATED).release(curves, columns=COLUMNS, **SEEDED)


@pytest.fixture(scope="module")
def file(tmp_path_factory: Any, curves: np.ndarray) -> Path:
    path = tmp_path_factory.mktemp("regression") / "curves.csv"
    header = ",".join(["age", "site"] + [f"v{k}" for k in range(POINTS)])
    rows = [",".join([repr(float(a)), s] + [repr(float(x)) for x in row]) for a, s, row in zip(AGES, SITES, curves)]
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def test_every_coefficient_has_its_function_and_band(released: dpfda.RegressionRelease) -> None:
    found = released.coefficients
    assert list(found) == ["intercept", "age", "site=south"]
    t = found["age"].grid_points
    assert np.abs(found["age"].values - 0.004 * t).max() < 0.002
    assert np.abs(found["site=south"].values - 0.15).max() < 0.1
    assert all((one.lower < one.upper).all() for one in found.values())
    assert released.level == 0.95


def test_the_mean_of_people_with_given_covariates_is_predicted(released: dpfda.RegressionRelease) -> None:
    predicted = released.predict({"site": "north", "age": 68})
    truth = 0.3 + 0.1 * np.sin(4 * predicted.grid_points) + 0.2 * predicted.grid_points
    assert np.abs(predicted.values - truth).max() < 0.1
    assert (released.predict({"site": "south", "age": 68}).values > predicted.values).all()
    of_prediction = released.features({"site": "north", "age": 68}, maximum=True).maximum
    of_coefficient = released.features("intercept", maximum=True).maximum
    assert of_prediction is not None
    assert of_prediction.value.lower < truth.max() < of_prediction.value.upper
    assert of_coefficient is not None
    assert of_coefficient != of_prediction


def test_a_public_design_has_less_noise(curves: np.ndarray, released: dpfda.RegressionRelease) -> None:
    public = dpfda.PrivateRegression(**ON, **STATED, public_design=True).release(curves, columns=COLUMNS, **SEEDED)
    assert public.coefficients["age"].noise_sd.mean() < released.coefficients["age"].noise_sd.mean()
    assert pickle.loads(pickle.dumps(public)) == public


def test_a_released_regression_is_public_and_reads_back(released: dpfda.RegressionRelease) -> None:
    assert pickle.loads(pickle.dumps(released)) == released
    assert released.covariates == RANGES
    assert "NOT PRIVATE" in repr(released)
    assert released.document["kind"] == "regression"
    assert "privacy" in [fact.name for fact in released.facts]
    assert "<th" in released._repr_html_()
    again = pickle.loads(pickle.dumps(dpfda.PrivateRegression(**ON, **STATED)))
    assert repr(again) == repr(dpfda.PrivateRegression(**ON, **STATED))
    assert "on=['age', 'site']" in repr(again)


def test_each_coefficient_is_drawn_in_a_panel(released: dpfda.RegressionRelease) -> None:
    pytest.importorskip("matplotlib")
    panels = released.plot()
    assert [panel.get_title(loc="left") for panel in panels] == ["intercept", "age", "site=south"]


def test_the_figure_is_that_of_the_command(command: Callable[..., Path], file: Path) -> None:
    basic = ["--values", "v*", "--bounds", "0,1", "--epsilon", "4", "--delta", "1e-5", "--not-private", "--seed", "7"]
    out = command("release", file, *basic, "--on", "age,site", "--covariate-bounds", "age=18:90,site=north|south")
    released = dpfda.RegressionRelease.from_json(document(out))
    assert released.to_svg() == (out / "release.svg").read_text()
    assert released.to_png() == (out / "release.png").read_bytes()
    assert "<svg" in released._repr_html_()


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        ({}, []),
        ({"public_design": True}, ["--public-design"]),
        ({"neighbours": "add-remove"}, ["--neighbours", "add-remove"]),
        ({"classical": True, "epsilon": 1}, ["--classical"]),
        ({"level": 0.9}, ["--level", "0.9"]),
    ],
)
def test_regressions_are_those_of_the_command(
    settings: dict[str, Any], options: list[str], command: Callable[..., Path], file: Path, curves: np.ndarray
) -> None:
    stated = {**STATED, **settings}
    basic = ["--values", "v*", "--bounds", "0,1", "--epsilon", str(stated["epsilon"]), "--delta", "1e-5"]
    on = ["--on", "age,site", "--covariate-bounds", "age=18:90,site=north|south", "--not-private", "--seed", "7"]
    out = command("release", file, *basic, *on, *options)
    regression = dpfda.PrivateRegression(**ON, **stated, values="v*")
    assert regression.release(file, **SEEDED).to_json() + "\n" == (out / "release.json").read_text()
    assert bits(regression.release(curves, columns=COLUMNS, **SEEDED)) + "\n" == document(out)


def test_frames_hold_covariates_beside_the_curves(curves: np.ndarray, released: dpfda.RegressionRelease) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    columns = {f"v{k}": curves[:, k] for k in range(POINTS)} | {"age": AGES, "site": SITES}
    regression = dpfda.PrivateRegression(**ON, **STATED, values="v*")
    for frame in (pandas.DataFrame(columns), polars.DataFrame(columns)):
        assert bits(regression.release(frame, **SEEDED)) == bits(released)


def test_predictions_are_those_of_the_command(released: dpfda.RegressionRelease, tmp_path: Path) -> None:
    binary = os.environ.get("DPFDA_COMMAND")
    if not binary:
        pytest.skip("DPFDA_COMMAND names no command to compare with")
    (tmp_path / "release.json").write_text(released.to_json())
    words = [binary, "evaluate", str(tmp_path / "release.json"), "--at", "age=40.5,site=south", "--json"]
    answer = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    predicted = released.predict({"age": 40.5, "site": "south"})
    for name, field in (("values", "value"), ("lower", "lower"), ("upper", "upper")):
        np.testing.assert_array_equal([point[field] for point in answer["points"]], getattr(predicted, name))


@pytest.mark.parametrize(
    ("settings", "arguments", "parameter"),
    [
        ({"on": [], "covariate_bounds": []}, {}, "on"),
        ({"on": None}, {}, None),
        ({"covariate_bounds": "age=18"}, {}, "covariate_bounds"),
        ({"covariate_bounds": "age=18:90"}, {}, "covariate_bounds"),
        ({"covariate_bounds": "age=90:18,site=north|south"}, {}, "covariate_bounds"),
        ({"covariate_bounds": "age=0:nan,site=north|south"}, {}, "covariate_bounds"),
        ({"on": "site", "covariate_bounds": "site=north|north"}, {}, "covariate_bounds"),
        ({"public_design": True, "neighbours": "add-remove"}, {}, "public_design"),
        ({"level": 0.2}, {}, "level"),
        ({"neighbours": "one"}, {}, "neighbours"),
        ({"epsilon": -1}, {}, "epsilon"),
        ({}, {"columns": {"age": AGES}}, "on"),
        ({}, {"columns": {"age": AGES[:-1], "site": SITES}}, "on"),
        ({}, {"columns": {"age": np.array(["2020-01-01"] * ROWS, dtype="M8[D]"), "site": SITES}}, "on"),
        ({}, {"columns": {"age": AGES, "site": np.array([b"north"] * ROWS)}}, "on"),
        ({}, {"columns": {"age": AGES > 50, "site": SITES}}, "on"),
        ({"on": "site", "covariate_bounds": "site=1|1.0"}, {}, "covariate_bounds"),
        ({"on": "site", "covariate_bounds": "site=north|none"}, {}, "covariate_bounds"),
        ({}, {"columns": None}, "on"),
    ],
)
def test_regressions_that_make_no_sense_are_refused(
    settings: dict[str, Any], arguments: dict[str, Any], parameter: str, curves: np.ndarray
) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateRegression(**{**ON, **STATED, **settings}).release(curves, **{"columns": COLUMNS, **SEEDED, **arguments})
    assert refused.value.parameter == parameter, str(refused.value)


@pytest.mark.parametrize("at", [{"age": 40}, {"age": 91, "site": "north"}, {"age": 40, "site": "west"}, {}, 3, {"age": None}])
def test_what_cannot_be_predicted_is_refused(at: Any, released: dpfda.RegressionRelease) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        released.predict(at)
    assert refused.value.parameter == "at"


def test_noise_that_hides_the_covariates_is_told_with_the_release(curves: np.ndarray) -> None:
    few = {"age": AGES[:30], "site": SITES[:30]}
    hidden = dpfda.PrivateRegression(**ON, bounds=(0, 1), epsilon=0.1, delta=1e-5).release(curves[:30], columns=few, **SEEDED)
    assert pickle.loads(pickle.dumps(hidden)) == hidden
    with pytest.raises(dpfda.DpfdaError, match="no coefficients") as refused:
        hidden.predict({"age": 40, "site": "north"})
    assert refused.value.parameter == "release"
    assert "<svg" not in hidden._repr_html_()
    assert "<th" in hidden._repr_html_()


def said(make: Callable[[], dpfda.RegressionRelease]) -> str:
    """What a release says, or its refusal."""
    try:
        return make().to_json()
    except dpfda.DpfdaError as error:
        return f"{error!r} {error.__context__!r}"


@pytest.mark.filterwarnings("ignore::dpfda.CuratorWarning")
@pytest.mark.parametrize("public", [False, True])
def test_neither_a_release_nor_a_refusal_shows_a_cell(public: bool, curves: np.ndarray) -> None:
    bad_ages: list[Any] = [CANARY, *AGES[1:]]
    regression = dpfda.PrivateRegression(**ON, **STATED, public_design=public)
    for columns in (
        {"age": bad_ages, "site": [f"{CANARY_NAME}{row}" for row in range(ROWS)]},
        {"age": [CANARY_NAME] * ROWS, "site": SITES},
        {"age": bad_ages[:-1], "site": SITES},
        {"age": AGES, "site": np.array([CANARY_NAME.encode()] * ROWS)},
        {"age": np.where(np.arange(ROWS) == 5, -999, AGES), "site": SITES},
    ):
        text = said(lambda given=columns: regression.release(curves, columns=given, **SEEDED))
        assert not shows(text), text


@pytest.mark.parametrize("strange", [CANARY_NAME, [CANARY], CANARY_NAME.encode(), (1, 2)], ids=["word", "list", "bytes", "pair"])
def test_a_cell_of_another_kind_is_missing_and_changes_nothing_for_anybody_else(strange: Any, curves: np.ndarray) -> None:
    regression = dpfda.PrivateRegression(**ON, **STATED)
    expected = regression.release(curves, columns={"age": [None, *AGES[1:]], "site": [None, *SITES[1:]]}, **SEEDED)
    columns = {"age": [strange, *AGES[1:]], "site": [strange, *SITES[1:]]}
    with pytest.warns(dpfda.CuratorWarning, match="kind that is not read") as told:
        released = regression.release(curves, columns=columns, **SEEDED)
    assert released == expected
    assert not any(shows(str(one.message)) for one in told)


def test_levels_are_what_cells_say_in_every_type(curves: np.ndarray) -> None:
    pandas = pytest.importorskip("pandas")
    doses = [str(row % 3) for row in range(ROWS)]
    regression = dpfda.PrivateRegression(on="dose", covariate_bounds="dose=0|1|2.0", **STATED)
    expected = regression.release(curves, columns={"dose": doses}, **SEEDED)
    numbers = pandas.Series([float(one) for one in doses])
    for column in (numbers, numbers.astype(int), numbers.astype("Float64"), numbers.astype(object), numbers.astype("category")):
        assert regression.release(curves, columns={"dose": column}, **SEEDED) == expected
    predicted = [expected.predict({"dose": dose}).values for dose in (2, 2.0, "2", "02.0")]
    assert all((one == predicted[0]).all() for one in predicted)


def test_a_ledger_pays_once_for_a_regression(curves: np.ndarray, tmp_path: Path) -> None:
    terms = {"dataset": "d", "unit": "curve", "neighbours": "substitute", "epsilon": 4, "delta": 1e-5}
    ledger = dpfda.Ledger.create(tmp_path / "l", **terms)
    regression = dpfda.PrivateRegression(**ON, **STATED)
    paid = regression.release(curves, columns=COLUMNS, ledger=ledger, release_id="r")
    assert regression.release(curves, columns=COLUMNS, ledger=ledger, release_id="r") == paid
    assert ledger.verify(paid) == []
    with pytest.raises(dpfda.LedgerError):
        regression.release(curves, columns=COLUMNS, ledger=ledger, release_id="more")


def test_a_radius_is_bought_by_default_and_kept_where_none_is_asked_for(curves: np.ndarray) -> None:
    wide = {"center": 0.5, "radius": 5, "epsilon": 4, "delta": 1e-5}

    def spread(**settings: Any) -> float:
        release = dpfda.PrivateRegression(**ON, **wide, **settings).release(curves, columns=COLUMNS, **SEEDED)
        return float(release.coefficients["age"].noise_sd.mean())

    assert spread() < 0.3 * spread(radius_share=0)
    settings = dpfda.PrivateRegression(**ON, **wide, radius_share=0)
    again = pickle.loads(pickle.dumps(settings)).release(curves, columns=COLUMNS, **SEEDED)
    assert again == settings.release(curves, columns=COLUMNS, **SEEDED)
    bought = dict(dpfda.PrivateRegression(**ON, **wide, center_share=0.1).release(curves, columns=COLUMNS, **SEEDED).facts)
    assert "centre found" in bought["found"]
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateRegression(**ON, **wide, center_share=0.7)
    assert refused.value.parameter == "center_share"
    for share in (0.7, "some"):
        with pytest.raises(dpfda.DpfdaError) as refused:
            dpfda.PrivateRegression(**ON, **wide, radius_share=share)  # type: ignore[arg-type]
        assert refused.value.parameter == "radius_share"


def test_an_outcome_has_its_correlation_its_slope_and_what_curves_explain():
    generator = np.random.default_rng(7)
    size = generator.normal(size=4000)
    curves = 0.5 + 0.08 * size[:, None] * np.sin(np.pi * np.linspace(0, 1, 20)) + 0.02 * generator.normal(size=(4000, 1))
    age = 50 + 8 * size + 6 * generator.normal(size=4000)
    terms = {"bounds": (0, 1), "epsilon": 4, "delta": 1e-5}
    study = dpfda.PrivateRegression(outcome="age=20:80", **terms)
    # what is explained at least is told from the noise in most releases, not in all
    release = study.release(curves, columns={"age": age}, seed=0, not_private=True)
    outcome = release.outcome()
    assert (outcome.name, outcome.given) == ("age", [])
    assert outcome.correlation.values[10] > 0.5
    assert outcome.correlation.lower[10] > 0
    assert outcome.r_squared is not None
    assert 0.3 < outcome.r_squared < 0.8
    assert outcome.r_squared_at_least is not None
    assert 0.1 < outcome.r_squared_at_least < outcome.r_squared
    assert outcome.slope is not None
    assert outcome.slope.shape == (20,)
    assert release.outcome("age").r_squared == outcome.r_squared
    with pytest.raises(dpfda.DpfdaError, match="outcome"):
        release.outcome("height")
    with pytest.raises(dpfda.DpfdaError, match="age=20:80"):
        dpfda.PrivateRegression(outcome="age", **terms)
