"""What a release answers: it is public, pickles, prints and draws."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest

import dpfda
from conftest import POINTS, SEEDED, STATED


@pytest.fixture(scope="module")
def rich(curves: np.ndarray) -> dpfda.Release:
    """A release of many people, in which components can be told from noise."""
    many = np.concatenate([curves[:, :]] * 20)
    return dpfda.PrivateMean(bounds=(0, 1), epsilon=3, delta=1e-5).release(many, **SEEDED)


def test_a_release_has_its_numbers(release: dpfda.Release) -> None:
    assert (release.epsilon, release.delta) == (1.0, 1e-5)
    assert (release.neighbours, release.unit, release.records) == ("substitute", "curve", 600)
    assert not release.is_private
    assert 0 < release.radius <= 0.5
    assert release.noise_scale > 0
    assert release.mu == pytest.approx(0.268051, rel=1e-5)
    assert release.software.startswith("dpfda ")
    for name in ("values", "posterior_sd", "noise_sd", "lower", "upper", "grid_points"):
        assert getattr(release, name).shape == (POINTS,)


def test_a_release_reads_back_as_it_was(release: dpfda.Release) -> None:
    text = release.to_json()
    again = dpfda.Release.from_json(text)
    assert again == release
    assert hash(again) == hash(release)
    assert again.to_json() == text


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda public: pickle.loads(pickle.dumps(public))])
def test_everything_public_is_copied_and_pickled(copied: object, release: dpfda.Release, mean: dpfda.PrivateMean) -> None:
    assert callable(copied)
    assert copied(release) == release
    assert copied(mean) == mean
    plan = mean.plan(np.zeros((1, POINTS)))
    assert copied(plan) == plan
    posterior = copied(release.posterior())
    np.testing.assert_array_equal(posterior.values, release.posterior().values)
    np.testing.assert_array_equal(copied(release.band()).lower, release.band().lower)
    error = copied(dpfda.LedgerError("why", "ledger"))
    assert (type(error), str(error), error.parameter) == (dpfda.LedgerError, "why", "ledger")


def test_a_study_with_a_centre_curve_pickles_too() -> None:
    about = dpfda.PrivateMean(center={"t": [0, 1], "value": [0.2, 0.4]}, radius=0.3, epsilon=1, delta=1e-5)
    assert pickle.loads(pickle.dumps(about)) == about


def test_a_dictionary_of_the_document_loses_nothing(release: dpfda.Release) -> None:
    assert dpfda.Release.from_json(json.dumps(release.document)) == release


def test_facts_say_what_the_release_is(release: dpfda.Release) -> None:
    names = [fact.name for fact in release.facts]
    assert {"mechanism", "band", "estimate", "precision"} <= set(names)
    assert any("NOT PRIVATE" in fact.text for fact in release.facts)
    assert dpfda.facts(release.to_json())[0] == release.facts[0]


def test_the_posterior_is_the_estimate_between_the_points_too(release: dpfda.Release) -> None:
    posterior = release.posterior()
    np.testing.assert_array_equal(posterior.values, release.values)
    np.testing.assert_array_equal(posterior.sd, release.posterior_sd)
    at = posterior(posterior.grid_points)
    np.testing.assert_allclose(at.value, posterior.values, rtol=1e-6)
    covariance = posterior.covariance([0.1, 0.2, 0.9])
    np.testing.assert_allclose(np.sqrt(np.diag(covariance)), posterior([0.1, 0.2, 0.9]).sd, rtol=1e-6)
    np.testing.assert_allclose(covariance, covariance.T, rtol=1e-12)


def test_the_slope_is_that_of_the_curve(release: dpfda.Release) -> None:
    values = release.posterior()([0.35, 0.45]).value
    slope = release.derivative([0.4])
    assert slope.value[0] == pytest.approx((values[1] - values[0]) / 0.1, rel=0.01, abs=0.01 * slope.sd[0])
    assert 0 < release.derivative([0.4], window=0.3).sd[0] < slope.sd[0]


def test_the_integral_is_that_of_the_curve(release: dpfda.Release) -> None:
    trapezoids = float(np.sum((release.values[1:] + release.values[:-1]) / 2) / (POINTS - 1))
    integral = release.integral()
    assert integral.value == pytest.approx(trapezoids, rel=1e-9)
    assert integral.sd > 0
    assert release.integral(np.ones(POINTS)) == pytest.approx(integral)


def test_a_number_is_a_point_too(release: dpfda.Release) -> None:
    assert release.posterior()(0.5).value.shape == (1,)
    assert release.at(0.5)["values"].shape == (1,)


@pytest.mark.parametrize("kind", ["population", "posterior", "smoothed", "undersmoothed", "unsmoothed", "noise"])
def test_every_band_says_what_it_promises(kind: str, white: dpfda.Release) -> None:
    band = white.band(kind, level=0.9)
    assert (band.kind, band.level) == (kind, 0.9)
    assert (band.lower < band.middle).all()
    assert (band.middle < band.upper).all()
    assert band.promises.endswith(".")
    assert band.does_not_promise.endswith(".")


def test_the_honest_band_needs_a_roughness(release: dpfda.Release) -> None:
    assert release.band("honest", band_roughness=2).kind == "honest"
    with pytest.raises(dpfda.DpfdaError) as refused:
        release.band("honest")
    assert refused.value.parameter is None
    assert "band_roughness=" in str(refused.value)


def test_another_smoother_costs_nothing_and_is_named(white: dpfda.Release) -> None:
    smooth = white.smoothed(kernel="gaussian", range=0.2, penalty=1e-3)
    assert smooth.band().kind == "smoothed"
    assert smooth.records == white.records
    assert white.smoothed("sure").band().kind == "smoothed"
    assert white.smoothed("default").band().kind == "smoothed"
    assert smooth.document["statistic"] == white.document["statistic"]


def test_at_gives_every_column_at_any_point(release: dpfda.Release) -> None:
    at = release.at(release.grid_points)
    np.testing.assert_allclose(at["values"], release.values, rtol=1e-6)
    np.testing.assert_allclose(at["upper"], release.upper, rtol=1e-6)
    assert set(at) == {"grid_points", "values", "posterior_sd", "noise_sd", "lower", "upper"}


@pytest.mark.parametrize("points", [2, [0.5, -0.1], [float("nan")], ["a"], [[0.1]]])
def test_points_outside_the_domain_are_refused(points: object, release: dpfda.Release) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        release.at(points)
    assert refused.value.parameter == "points"


def test_components_have_their_shapes_and_their_noise(rich: dpfda.Release) -> None:
    components = rich.components()
    assert components.rank >= 1
    assert components.functions.shape == (components.rank, POINTS)
    assert components.covariance.shape == (POINTS, POINTS)
    assert (np.diff(components.eigenvalues) <= 0).all()
    assert components.eigenvalues[0] > components.eigenvalues_sd[0] > 0
    assert components.total_variance >= components.eigenvalues[0]
    np.testing.assert_allclose(rich.scores(components.mean), 0, atol=1e-9)


def test_components_need_second_moments(curves: np.ndarray) -> None:
    bare = dpfda.PrivateMean(**STATED, moments="none").release(curves, **SEEDED)
    with pytest.raises(dpfda.DpfdaError, match="second moments"):
        bare.components()


def test_synthetic_curves_have_the_mean_of_the_release(rich: dpfda.Release) -> None:
    drawn = rich.simulate(4000, seed=3)
    assert drawn.shape == (4000, POINTS)
    sd = np.sqrt(np.diag(rich.components().covariance).max() * 2)
    assert np.abs(drawn.mean(axis=0) - rich.values).max() < 6 * sd / np.sqrt(4000)
    np.testing.assert_array_equal(drawn, rich.simulate(4000, seed=3))
    assert not np.array_equal(rich.simulate(5), rich.simulate(5))
    clipped = rich.simulate(100, seed=3, clip=(0.45, 0.55))
    assert clipped.min() >= 0.45
    assert clipped.max() <= 0.55


@pytest.mark.parametrize(
    ("arguments", "parameter"), [((0,), "curves"), ((10**9,), "curves"), ((5, (1, 0)), "clip"), ((5, (0, float("inf"))), "clip")]
)
def test_draws_that_make_no_sense_are_refused(arguments: tuple, parameter: str, rich: dpfda.Release) -> None:
    curves, *clip = arguments
    with pytest.raises(dpfda.DpfdaError) as refused:
        rich.simulate(curves, seed=1, clip=clip[0] if clip else None)
    assert refused.value.parameter == parameter


def test_a_release_is_a_frame(release: dpfda.Release) -> None:
    pytest.importorskip("pandas")
    frame = release.to_frame()
    assert list(frame.columns) == ["t", "value", "posterior_sd", "noise_sd", "lower", "upper"]
    np.testing.assert_array_equal(frame["value"], release.values)


def test_figures_are_files_and_stamped(release: dpfda.Release) -> None:
    svg = release.to_svg()
    assert svg.lstrip().startswith(("<svg", "<?xml"))
    assert "NOT PRIVATE" in svg
    assert release.to_png().startswith(b"\x89PNG")


def test_a_notebook_shows_the_figure_and_the_facts(release: dpfda.Release) -> None:
    shown = release._repr_html_()
    assert "<svg" in shown
    assert "<table>" in shown
    assert "precision" in shown


def test_matplotlib_draws_the_estimate_with_the_words_of_the_release(release: dpfda.Release) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot

    _, own = pyplot.subplots()
    assert release.plot(own) is own
    words = " ".join(text.get_text() for text in own.texts)
    assert "NOT PRIVATE" in words
    assert own.get_legend().get_texts()[0].get_text() == "95 % band for the population mean"
    assert release.plot().get_title(loc="left") == "Estimated mean function"
    pyplot.close("all")


def test_a_caption_stays_inside_the_axes_that_were_given(release: dpfda.Release, curves: np.ndarray) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot

    surface = dpfda.PrivateSurface(**STATED, surface=(3, 7)).release(curves, **SEEDED)
    for shown in (release, surface):
        figure, panels = pyplot.subplots(2, 2, figsize=(9, 6))
        for panel in panels.ravel():
            shown.plot(panel)
        figure.canvas.draw()
        for panel in panels.ravel():
            caption = next(text for text in panel.texts if "neighbours" in text.get_text())
            (left, low), (right, high) = caption.get_window_extent().get_points()
            (least, bottom), (most, top) = panel.get_window_extent().get_points()
            assert least <= left < right <= most, (caption.get_text(), right, most)
            assert bottom <= low < high <= top
            # what is drawn stands above the words, which are all there
            assert panel.transData.transform((0, panel.dataLim.y0))[1] >= high
            assert caption.get_text().replace("\n", " ").endswith("95% band for the population mean")
        pyplot.close(figure)
    drawn = release.plot()
    drawn.figure.canvas.draw()
    own = next(text for text in drawn.texts if "neighbours" in text.get_text())
    assert own.get_window_extent().y1 < drawn.get_window_extent().y0
    pyplot.close("all")


@pytest.mark.parametrize("text", ["", "{}", "7777.1,Zqx", '{"schema": 1}', '{"schema": 4, "kind": "Zqx-Canary"}', "[1]"])
def test_a_document_that_is_no_release_is_refused_without_quoting_it(text: str) -> None:
    with pytest.raises(dpfda.DocumentError) as refused:
        dpfda.Release.from_json(text)
    assert "7777" not in str(refused.value)
    assert "Zqx" not in str(refused.value)


def test_what_a_release_keeps_cannot_be_changed_in_place(release: dpfda.Release, curves: np.ndarray) -> None:
    surface = dpfda.PrivateSurface(**STATED, surface=(3, 7)).release(curves, **SEEDED)
    rows = dpfda.PrivateRows(**STATED).release(curves, **SEEDED)
    density = dpfda.PrivateDensity(bounds=(0, 1), epsilon=1).release(curves[:, 3], **SEEDED)
    posterior = release.posterior()
    found = [getattr(release, name) for name in ("grid_points", "values", "posterior_sd", "noise_sd", "lower", "upper")]
    found += [posterior.grid_points, posterior.values, posterior.sd, posterior.noise_sd, *release.band()[4:8]]
    found += [surface.center, surface.values, surface.told_from_center, *surface.grid_points]
    found += [rows.bin_edges, rows.weights, rows.values, density.values, *density.edges]
    for array in found:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


def test_the_rest_of_a_curve_follows_from_its_first_values(rich: dpfda.Release) -> None:
    person = rich.simulate(1, seed=4)[0]
    known = POINTS // 2
    completion = rich.complete(rich.grid_points[:known], person[:known])
    np.testing.assert_array_equal(completion.grid_points, rich.grid_points[known:])
    assert (completion.lower < completion.values).all()
    assert (completion.sd > 0).all()
    assert completion.outside == 0
    assert rich.complete(rich.grid_points[:known], person[:known] + 100).outside == known
    with pytest.raises(dpfda.DpfdaError, match="level"):
        rich.complete(rich.grid_points[:known], person[:known], level=0.4)
    with pytest.raises(dpfda.DpfdaError, match="at least 3 values"):
        rich.complete([0.1, 0.2], [0.5, 0.5])


def test_a_band_of_people_is_wider_than_that_of_the_mean(rich: dpfda.Release) -> None:
    mean, prediction, tolerance = (rich.band(kind) for kind in ("population", "prediction", "tolerance"))
    assert ((prediction.upper - prediction.lower) > (mean.upper - mean.lower)).all()
    assert prediction.target == "the curve of a new person (approximate)"
    assert tolerance.kind == "tolerance"
