"""Means of surfaces."""

from __future__ import annotations

import json
import pickle
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import CANARY, SEEDED, STATED, bits, document, shows

ROWS, SHAPE = 400, (6, 5)
S, T = np.linspace(0, 10, SHAPE[0]), np.linspace(-1, 1, SHAPE[1])
DOMAIN: dict[str, Any] = {"surface": SHAPE, "surface_domain": (0, 10, -1, 1)}


def truth(s: Any, t: Any) -> Any:
    return 0.5 + 0.2 * np.sin(s / 3) + 0.1 * t


@pytest.fixture(scope="module")
def surfaces() -> np.ndarray:
    random = np.random.default_rng(3)
    return np.clip(truth(S[:, None], T) + 0.05 * random.normal(size=(ROWS, 1, 1)), 0, 1)


@pytest.fixture(scope="module")
def people() -> list[str]:
    return [f"P{row // 2:03d}" for row in range(ROWS)]


@pytest.fixture(scope="module")
def mean() -> dpfda.PrivateSurface:
    return dpfda.PrivateSurface(**STATED, **DOMAIN)


@pytest.fixture(scope="module")
def released(mean: dpfda.PrivateSurface, surfaces: np.ndarray) -> dpfda.SurfaceRelease:
    return mean.release(surfaces, **SEEDED)


def written(path: Path, surfaces: np.ndarray, people: list[str]) -> Path:
    header = ",".join(["id"] + [f"v{k}" for k in range(SHAPE[0] * SHAPE[1])])
    cells = [["" if np.isnan(x) else repr(float(x)) for x in row] for row in surfaces.reshape(len(surfaces), -1)]
    path.write_text("\n".join([header, *(",".join([one, *row]) for one, row in zip(people, cells))]) + "\n")
    return path


@pytest.fixture(scope="module")
def file(tmp_path_factory: Any, surfaces: np.ndarray, people: list[str]) -> Path:
    return written(tmp_path_factory.mktemp("surfaces") / "surfaces.csv", surfaces, people)


def test_the_mean_surface_is_near_the_truth_and_inside_its_band(released: dpfda.SurfaceRelease) -> None:
    expected = truth(S[:, None], T)
    assert released.values.shape == released.posterior_sd.shape == released.lower.shape == released.shape == SHAPE
    assert np.abs(released.values - expected).max() < 0.1
    assert ((released.lower < expected) & (expected < released.upper)).all()
    assert [points.tolist() for points in released.grid_points] == [S.tolist(), T.tolist()]
    assert (released.noise_sd <= released.posterior_sd * 2).all()


def test_the_estimate_at_the_points_of_the_grid_is_the_estimate(released: dpfda.SurfaceRelease) -> None:
    pairs = [(s, t) for s in S for t in T]
    found = released.at(pairs)
    for name in ("values", "posterior_sd", "lower", "upper"):
        np.testing.assert_allclose(found[name].reshape(SHAPE), getattr(released, name), rtol=0, atol=1e-9)
    assert found["s"].tolist() == [s for s, _ in pairs]
    assert released.at((2.5, 0.1))["values"].shape == (1,)
    for points in ([(11, 0)], [(1, 2, 3)], [(np.nan, 0)], [5]):
        with pytest.raises(dpfda.DpfdaError) as refused:
            released.at(points)
        assert refused.value.parameter == "points"


def test_slices_run_along_the_other_axis(released: dpfda.SurfaceRelease) -> None:
    across, along = released.slice_at(s=S[2]), released.slice_at(t=T[1])
    np.testing.assert_allclose(across["values"], released.values[2], atol=1e-9)
    np.testing.assert_allclose(along["values"], released.values[:, 1], atol=1e-9)
    assert across["grid_points"].tolist() == T.tolist()
    assert along["grid_points"].tolist() == S.tolist()
    for wrong in ({}, {"s": 1, "t": 1}, {"s": "one"}):
        with pytest.raises(dpfda.DpfdaError) as refused:
            released.slice_at(**wrong)
        assert refused.value.parameter == "s"


def test_slopes_along_each_axis_are_those_of_differences(released: dpfda.SurfaceRelease) -> None:
    slopes = {}
    # over a tenth of each axis
    for along, (ds, dt) in {"s": (0.05 * (S[-1] - S[0]), 0), "t": (0, 0.05 * (T[-1] - T[0]))}.items():
        slopes[along] = released.derivative([(4.2, 0.3), (1, 0)], along=along)
        near = released.at([(4.2 - ds, 0.3 - dt), (4.2 + ds, 0.3 + dt)])["values"]
        assert abs(slopes[along].value[0] - (near[1] - near[0]) / (2 * (ds + dt))) < 0.1 * slopes[along].sd[0]
        assert slopes[along].value.shape == slopes[along].sd.shape == (2,)
    assert slopes["t"].value[0] > 4 * slopes["s"].value[0] > 0
    with pytest.raises(dpfda.DpfdaError) as refused:
        released.derivative([(4.2, 0.3)], along="time")
    assert refused.value.parameter == "along"


def test_a_slice_has_the_features_of_its_band(released: dpfda.SurfaceRelease) -> None:
    found = released.features(s=S[2], derivative=[T[1]], integral=True, maximum=True, minimum=True)
    assert found.maximum is not None
    assert found.maximum.value.lower >= released.lower[2].max() - 1e-9
    assert found.minimum is not None
    assert found.minimum.value.upper <= released.upper[2].min() + 1e-9
    assert found.integral is not None
    assert found.integral.lower < found.integral.value < found.integral.upper
    assert len(found.derivative) == 1
    wrong: list[dict[str, float]] = [{}, {"s": 1, "t": 1}]
    for places in wrong:
        with pytest.raises(dpfda.DpfdaError) as refused:
            released.features(s=places.get("s"), t=places.get("t"), maximum=True)
        assert refused.value.parameter == "s"


def test_another_band_costs_nothing_and_says_where_the_centre_is_left_out(surfaces: np.ndarray) -> None:
    released = dpfda.PrivateSurface(**STATED, **DOMAIN, center_share=0).release(surfaces, **SEEDED)
    band, posterior = released.band(), released.band("posterior", level=0.8)
    assert (band.kind, band.level, band.target) == ("population", 0.95, "the population mean")
    assert (posterior.kind, posterior.level) == ("posterior", 0.8)
    assert (posterior.upper - posterior.lower).mean() < (band.upper - band.lower).mean()
    left_out = (posterior.lower > 0.5) | (posterior.upper < 0.5)
    assert left_out.any()
    np.testing.assert_array_equal(posterior.told_from_center, left_out)
    assert released.center.tolist() == np.full(SHAPE, 0.5).tolist()
    for refuse, parameter in ((lambda: released.band("smoothed"), "band"), (lambda: released.band(level=0.2), "level")):
        with pytest.raises(dpfda.DpfdaError) as refused:
            refuse()
        assert refused.value.parameter == parameter


def test_a_released_surface_is_public_and_reads_back(mean: dpfda.PrivateSurface, released: dpfda.SurfaceRelease) -> None:
    assert pickle.loads(pickle.dumps(released)) == released == dpfda.SurfaceRelease.from_json(released.to_json())
    assert released.document["kind"] == "surface"
    assert (released.epsilon, released.delta, released.records) == (1, 1e-5, ROWS)
    # bought by default
    assert released.radius < 0.5
    assert "6 x 5 points" in repr(released)
    assert "NOT PRIVATE" in repr(released)
    assert "<svg" in released._repr_html_()
    assert repr(pickle.loads(pickle.dumps(mean))) == repr(mean)
    assert dpfda.facts(released.to_json())[0] == released.facts[0]
    changed = released.document
    changed["estimate"]["values"][0] += 0.1
    with pytest.raises(dpfda.DocumentError):
        dpfda.SurfaceRelease.from_json(json.dumps(changed))


def test_a_surface_is_signed_and_drawn(mean: dpfda.PrivateSurface, released: dpfda.SurfaceRelease, tmp_path: Path) -> None:
    key = dpfda.SigningKey.new(tmp_path / "key", passphrase="correct horse")
    released.write(tmp_path / "release.json", sign=key)
    assert dpfda.verify(tmp_path / "release.json", tmp_path / "key.pub").key == key.id
    assert dpfda.SurfaceRelease.from_json((tmp_path / "release.json").read_text()) == released
    pytest.importorskip("matplotlib")
    center = mean.release(np.full((ROWS, *SHAPE), 0.5), **SEEDED)
    for release, said in ((center, "centre at every point"), (released, "inside the line")):
        drawn = release.plot()
        assert drawn.get_title(loc="left") == "Estimated mean surface"
        assert any(said in text.get_text() for text in drawn.texts), [text.get_text() for text in drawn.texts]


OPTIONS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "default": ({}, []),
    "add-remove": ({"neighbours": "add-remove"}, ["--neighbours", "add-remove"]),
    "classical": ({"classical": True, "epsilon": 0.9}, ["--classical"]),
    "band": ({"band": "noise", "level": 0.9}, ["--band", "noise", "--level", "0.9"]),
    "centre and radius": ({"bounds": None, "center": 0.4, "radius": 0.3}, []),
}
BASIC = ["--values", "v*", "--surface", "6,5", "--surface-domain", "0,10,-1,1", "--delta", "1e-5", "--not-private", "--seed", "7"]


@pytest.mark.filterwarnings("ignore:NOT FOR PUBLICATION. no subject was named:dpfda.CuratorWarning")
@pytest.mark.parametrize("name", OPTIONS)
def test_surfaces_have_the_bytes_of_the_command(
    name: str, command: Callable[..., Path], file: Path, surfaces: np.ndarray
) -> None:
    changes, options = OPTIONS[name]
    stated = {**STATED, **changes}
    ball = ["--bounds", "0,1"] if stated["bounds"] else ["--center", "0.4", "--radius", "0.3"]
    out = command("release", file, *BASIC, *ball, "--epsilon", str(stated["epsilon"]), *options)
    mean = dpfda.PrivateSurface(**stated, **DOMAIN, values="v*")
    release = mean.release(file, **SEEDED)
    assert release.to_json() + "\n" == (out / "release.json").read_text()
    assert bits(mean.release(surfaces, **SEEDED)) == bits(release)
    assert release.to_svg() == (out / "release.svg").read_text()
    assert release.to_png() == (out / "release.png").read_bytes()


def test_another_band_and_the_table_are_those_of_the_command(
    command: Callable[..., Path], file: Path, released: dpfda.SurfaceRelease
) -> None:
    pandas = pytest.importorskip("pandas")
    out = command("release", file, *BASIC, "--bounds", "0,1", "--epsilon", "1")
    smoothed = command("smooth", out / "release.json", "--band", "posterior", "--level", "0.9")
    assert bits(released.with_band("posterior", level=0.9)) + "\n" == document(smoothed)
    pandas.testing.assert_frame_equal(pandas.read_csv(out / "release.csv"), released.to_frame(), rtol=1e-12)


def test_subjects_and_missing_values_have_the_bytes_of_the_command(
    command: Callable[..., Path], surfaces: np.ndarray, people: list[str], tmp_path: Path
) -> None:
    holes = surfaces.copy()
    holes[::7, 2, 1:3] = np.nan
    path = written(tmp_path / "holes.csv", holes, people)
    out = command("release", path, *BASIC, "--bounds", "0,1", "--epsilon", "1", "--subject", "id")
    whose = dpfda.PrivateSurface(**STATED, **DOMAIN, values="v*", subject="id")
    assert bits(whose.release(holes, columns={"id": people}, **SEEDED)) + "\n" == document(out)
    assert whose.release(path, **SEEDED).to_json() + "\n" == (out / "release.json").read_text()


def test_every_library_gives_the_same_release(
    mean: dpfda.PrivateSurface, surfaces: np.ndarray, released: dpfda.SurfaceRelease
) -> None:
    flat = surfaces.reshape(ROWS, -1)
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    frame = {f"v{k}": flat[:, k] for k in range(flat.shape[1])}
    rows = [
        flat,
        np.asfortranarray(flat),
        flat.tolist(),
        np.ma.masked_invalid(flat),
        pandas.DataFrame(frame),
        polars.DataFrame(frame),
    ]
    for table in rows:
        assert bits(mean.release(table, **SEEDED)) == bits(released)
    for array in (np.asfortranarray(surfaces), surfaces.tolist(), np.moveaxis(surfaces, 0, 2).copy().transpose(2, 0, 1)):
        assert mean.release(array, **SEEDED) == released


def test_functional_data_and_named_arrays_know_their_points(mean: dpfda.PrivateSurface, surfaces: np.ndarray) -> None:
    skfda, xarray = pytest.importorskip("skfda"), pytest.importorskip("xarray")
    expected = mean.release(surfaces, **SEEDED)
    functional = skfda.FDataGrid(surfaces, [S, T])
    named = xarray.DataArray(surfaces, dims=("person", "depth", "time"), coords={"depth": S, "time": T}, name="salt")
    for known in (functional, named):
        assert bits(mean.release(known, **SEEDED)) == bits(expected)
    labels = {"s": "depth", "argument": "time", "value": "salt"}
    release = mean.release(named, **SEEDED)
    assert release.document["labels"] == labels
    assert (release.to_xarray()["s"].attrs, release.to_xarray()["t"].attrs) == ({"long_name": "depth"}, {"long_name": "time"})
    back = release.to_fdatagrid()
    np.testing.assert_array_equal(back.data_matrix[0, ..., 0], expected.values)
    assert (back.argument_names, back.coordinate_names) == (("depth", "time"), ("salt",))
    silent = dpfda.PrivateSurface(**STATED, surface=SHAPE)
    for elsewhere in (functional, named):
        with pytest.raises(dpfda.DpfdaError, match="do not lie between") as refused:
            silent.release(elsewhere, **SEEDED)
        assert refused.value.parameter == "surface_domain"
    with pytest.raises(dpfda.DpfdaError):
        mean.release(skfda.FDataGrid(surfaces[:, 0], T), **SEEDED)


def test_a_ledger_pays_once_for_the_same_surface(mean: dpfda.PrivateSurface, surfaces: np.ndarray, tmp_path: Path) -> None:
    terms: dict[str, Any] = {"dataset": "maps", "unit": "curve", "neighbours": "substitute", "epsilon": 2, "delta": 1e-4}
    ledger = dpfda.Ledger.create(tmp_path / "ledger.db", **terms)
    first = mean.release(surfaces, ledger=ledger, release_id="maps")
    assert first.is_private
    assert mean.release(surfaces.reshape(ROWS, -1), ledger=ledger, release_id="maps") == first
    assert len(ledger.show()["releases"]) == 1
    assert ledger.verify(first) == []


@pytest.mark.parametrize(
    ("change", "parameter"),
    [
        ({"surface": None}, None),
        ({"surface": (6, 6)}, "surface"),
        ({"surface": (6, 5, 1)}, "surface"),
        ({"surface": ("six", 5)}, "surface"),
        ({"surface": (1 << 12, 1 << 12)}, "surface"),
        ({"surface_domain": (0, 10)}, "surface_domain"),
        ({"surface_domain": (10, 0, -1, 1)}, "surface_domain"),
        ({"surface_domain": ((0, 10), (-1, 1))}, "surface_domain"),
        ({"subject": "id"}, "subject"),
    ],
)
def test_bad_surfaces_are_refused_by_their_setting(change: dict[str, Any], parameter: str | None, surfaces: np.ndarray) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateSurface(**{**STATED, **DOMAIN, **change}).release(surfaces.reshape(ROWS, -1), **SEEDED)
    assert refused.value.parameter == parameter, str(refused.value)


def test_a_refusal_shows_no_value(mean: dpfda.PrivateSurface, surfaces: np.ndarray) -> None:
    bad = surfaces.copy()
    bad[5, 1, 1], bad[6, 2, 2] = CANARY, np.inf
    for table, parameter in (
        (bad, "data"),
        (bad.astype(str), "data"),
        (bad.astype(object), "data"),
        ({}, "values"),
    ):
        with pytest.raises(dpfda.DpfdaError) as refused:
            mean.release(table)
        assert refused.value.parameter == parameter
        assert not shows("".join(traceback.format_exception(refused.value)))


@pytest.mark.parametrize(
    ("change", "parameter"),
    [
        ({"epsilon": -1}, "epsilon"),
        ({"delta": 0}, "delta"),
        ({"neighbours": "both"}, "neighbours"),
        ({"band": "honest"}, "band"),
        ({"level": 2}, "level"),
        ({"bounds": None}, None),
        ({"bounds": None, "center": "centre.csv", "radius": 1}, "center"),
    ],
)
def test_settings_that_cannot_be_are_refused_without_data(change: dict[str, Any], parameter: str, tmp_path: Path) -> None:
    if "center" in change:
        (tmp_path / "centre.csv").write_text("t,value\n0,1\n1,2\n")
        change = {**change, "center": tmp_path / "centre.csv"}
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateSurface(**{**STATED, **DOMAIN, **change})
    assert refused.value.parameter == parameter


def lattice(release: dpfda.SurfaceRelease) -> Any:
    return json.loads(release.to_json())["lattice"]


@pytest.mark.filterwarnings("ignore:NOT FOR PUBLICATION. delta:dpfda.CuratorWarning")
def test_a_bought_radius_and_parts_give_the_release_of_all_surfaces(surfaces: np.ndarray, people: list[str], file: Path) -> None:
    about: dict[str, Any] = {**DOMAIN, "center": 0.5, "radius": 5, "epsilon": 1, "delta": 0.01, "subject": "id", "values": "v*"}
    wide = dpfda.PrivateSurface(**about, radius_share=0.05)
    beside = {"columns": {"id": people}}
    whole = wide.release(surfaces, **beside, **SEEDED)
    stated = dpfda.PrivateSurface(**about, radius_share=0)
    released = stated.release(surfaces, **beside, **SEEDED)
    assert whole.radius < 1
    assert whole.noise_scale < 0.3 * released.noise_scale
    plan = wide.plan()
    assert plan == dpfda.Plan.from_json(plan.to_json())
    assert plan.unit == "subject"
    half, key = ROWS // 2, dpfda.Key()

    def encoded(table: Any, ids: list[str], part: str) -> dpfda.Part:
        return plan.encode(table, subject="id", columns={"id": ids}, part=part, key=key)

    part = encoded(surfaces[:half], people[:half], "first")
    part.merge(encoded(surfaces[half:].reshape(half, -1), people[half:], "second"))
    joined = dpfda.Part.read(part.reveal()).release(plan, **SEEDED)
    assert isinstance(joined, dpfda.SurfaceRelease)
    assert lattice(joined) == lattice(whole)
    read = plan.encode(file, values="v*", subject="id", part="file", key=key).release(plan, **SEEDED)
    assert lattice(read) == lattice(whole)
    centered = dpfda.PrivateSurface(**about, center_share=0.1)
    bought = centered.release(surfaces, **beside, **SEEDED)
    assert bought.center.std() > 0
    assert lattice(centered.release(file, **SEEDED)) == lattice(bought)
    for share, parameter in ((0.6, "radius_share"), ("most", "radius_share")):
        with pytest.raises(dpfda.DpfdaError) as refused:
            dpfda.PrivateSurface(**STATED, **DOMAIN, radius_share=share)  # type: ignore[arg-type]
        assert refused.value.parameter == parameter
