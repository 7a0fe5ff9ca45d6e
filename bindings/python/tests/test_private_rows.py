"""Means of curves that were seen at other times for each subject."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpfda
from conftest import CANARY, CANARY_NAME, SEEDED, bits, shows

ROWS = 3000
STATED: dict[str, Any] = {"bounds": (0, 10), "epsilon": 1, "delta": 1e-5}
IDS = [f"S{row % 1000:04d}" for row in range(ROWS)]
TIMES = (np.arange(ROWS) * 7919 % 2400) / 100
VALUES = 5 + 2 * np.sin(TIMES / 4)
TABLE: dict[str, Any] = {"id": IDS, "hour": TIMES, "y": VALUES}
NAMED: dict[str, Any] = {"id": "id", "time": "hour", "value": "y", "domain": (0, 24)}


def table_of(ids: Any, times: Any, values: Any) -> dict[str, Any]:
    """A long table of three columns."""
    return {"id": ids, "hour": times, "y": values}


@pytest.fixture(scope="module")
def mean() -> dpfda.PrivateRows:
    return dpfda.PrivateRows(**NAMED, **STATED)


@pytest.fixture(scope="module")
def released(mean: dpfda.PrivateRows) -> dpfda.RowsRelease:
    return mean.release(TABLE, **SEEDED)


@pytest.fixture(scope="module")
def file(tmp_path_factory: Any) -> Path:
    path = tmp_path_factory.mktemp("long") / "rows.csv"
    rows = [f"{s},{float(t)!r},{float(y)!r}" for s, t, y in zip(IDS, TIMES, VALUES)]
    path.write_text("\n".join(["id,hour,y", *rows]) + "\n")
    return path


def test_the_mean_is_estimated_at_any_point_of_the_domain(released: dpfda.RowsRelease) -> None:
    found = released.at([3, 12.5, 20])
    truth = 5 + 2 * np.sin(np.array([3, 12.5, 20]) / 4)
    assert np.abs(found["values"] - truth).max() < 0.8
    assert ((found["lower"] < truth) & (truth < found["upper"])).all()
    assert (released.grid_points[0], released.grid_points[-1]) == (0, 24)
    assert (released.posterior_sd > 0).all()
    with pytest.raises(dpfda.DpfdaError) as refused:
        released.at([25])
    assert refused.value.parameter == "points"


def test_every_bin_says_how_well_it_was_seen(released: dpfda.RowsRelease) -> None:
    assert released.bin_edges.tolist() == pytest.approx(np.linspace(0, 24, 21))
    assert released.supported.all()
    assert released.supported.dtype == bool
    assert (released.weights > 2 * released.weights_sd).all()
    assert released.unsupported == []
    assert released.weights.tolist() == released.document["derived"]["weights"]


def test_another_band_and_a_difference_cost_nothing(mean: dpfda.PrivateRows, released: dpfda.RowsRelease) -> None:
    band, posterior = released.band(), released.band("posterior", level=0.8)
    assert (band.kind, band.level, band.target) == ("population", 0.95, "the population mean")
    assert (posterior.kind, posterior.level) == ("posterior", 0.8)
    assert (posterior.upper - posterior.lower).mean() < (band.upper - band.lower).mean()
    assert released.with_band(level=0.8).band().kind == "population"
    higher = mean.release(table_of(IDS, TIMES, VALUES + 2), seed=8, not_private=True)
    difference = higher.compare(released)
    assert np.abs(difference.values - 2).max() < 1
    assert difference.p_value is None or difference.p_value < 0.05
    for refuse, parameter in ((lambda: released.band("smoothed"), "band"), (lambda: released.band(level=0.2), "level")):
        with pytest.raises(dpfda.DpfdaError) as refused:
            refuse()
        assert refused.value.parameter == parameter


def test_parts_of_the_domain_without_people_are_named(mean: dpfda.PrivateRows) -> None:
    release = mean.release(table_of(IDS, TIMES / 2, VALUES), **SEEDED)
    assert release.unsupported[-1][1] == 24
    assert not release.supported[-1]
    assert any("cannot be told from 0" in fact.text for fact in release.facts)


def test_a_released_rows_is_public_and_reads_back(mean: dpfda.PrivateRows, released: dpfda.RowsRelease) -> None:
    assert pickle.loads(pickle.dumps(released)) == released
    assert dpfda.RowsRelease.from_json(released.to_json()) == released
    assert released.document["kind"] == "rows"
    assert (released.epsilon, released.delta, released.neighbours, released.unit) == (1, 1e-5, "substitute", "subject")
    assert (released.records, released.bound) == (1000, 10)
    assert 0 < released.radius < 5
    assert "NOT PRIVATE" in repr(released)
    assert "<svg" in released._repr_html_()
    assert released.to_png()[:4] == b"\x89PNG"
    assert repr(pickle.loads(pickle.dumps(mean))) == repr(mean)
    assert "domain=[0.0, 24.0]" in repr(mean)


def test_the_estimate_is_drawn_and_is_a_frame(released: dpfda.RowsRelease) -> None:
    pytest.importorskip("matplotlib")
    assert released.plot().get_title(loc="left") == "Estimated mean function"
    pytest.importorskip("pandas")
    frame = released.to_frame()
    assert list(frame.columns) == ["t", "value", "posterior_sd", "noise_sd", "lower", "upper"]
    assert frame["value"].tolist() == released.values.tolist()


MORE_BINS: dict[str, Any] = {"bins": 40, "bound": 3, "neighbours": "add-remove"}

OPTIONS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "default": ({}, []),
    "bins and bound": ({"bins": 12, "bound": 6}, ["--bins", "12", "--bound", "6"]),
    "add-remove": ({"neighbours": "add-remove"}, ["--neighbours", "add-remove"]),
    "classical": ({"classical": True, "epsilon": 0.9}, ["--classical"]),
    "band": ({"band": "noise", "level": 0.9}, ["--band", "noise", "--level", "0.9"]),
    "centre and radius": ({"bounds": None, "center": 5, "radius": 3}, []),
    "bought radius": ({"radius_share": 0.05}, ["--radius-share", "0.05"]),
    "bought radius and bound": (
        {"bounds": None, "center": 5, "radius": 50, "radius_share": 0.1, "bound": 60, "neighbours": "add-remove"},
        ["--radius-share", "0.1", "--bound", "60", "--neighbours", "add-remove"],
    ),
    "circle": ({"periodic": True}, ["--periodic"]),
    "bought radius on a circle": (
        {"periodic": True, "radius_share": 0.05, "bins": 8},
        ["--periodic", "--radius-share", "0.05", "--bins", "8"],
    ),
}
BASIC = ["--id", "id", "--time", "hour", "--value", "y", "--domain", "0,24", "--delta", "1e-5", "--not-private", "--seed", "7"]


@pytest.mark.parametrize("name", OPTIONS)
def test_means_of_long_tables_are_those_of_the_command(name: str, command: Callable[..., Path], file: Path) -> None:
    changes, options = OPTIONS[name]
    stated = {**STATED, **changes}
    ball = ["--bounds", "0,10"] if stated["bounds"] else ["--center", "5", "--radius", str(stated["radius"])]
    expected = (
        command("release", file, *BASIC, *ball, "--epsilon", str(stated["epsilon"]), *options) / "release.json"
    ).read_text()
    mean = dpfda.PrivateRows(**NAMED, **stated)
    assert mean.release(TABLE, **SEEDED).to_json() + "\n" == expected
    assert mean.release(file, **SEEDED).to_json() + "\n" == expected


def test_the_figure_and_another_band_are_those_of_the_command(command: Callable[..., Path], file: Path) -> None:
    out = command("release", file, *BASIC, "--bounds", "0,10", "--epsilon", "1")
    released = dpfda.RowsRelease.from_json((out / "release.json").read_text())
    assert released.to_svg() == (out / "release.svg").read_text()
    assert released.to_png() == (out / "release.png").read_bytes()
    smoothed = command("smooth", out / "release.json", "--band", "posterior", "--level", "0.9")
    assert released.with_band("posterior", level=0.9).to_json() + "\n" == (smoothed / "release.json").read_text()


def test_several_files_and_other_separators_are_one_table(
    mean: dpfda.PrivateRows, released: dpfda.RowsRelease, file: Path, tmp_path: Path
) -> None:
    header, *rows = file.read_text().splitlines()
    for at in range(3):
        (tmp_path / f"part{at}.csv").write_text("\n".join([header, *rows[1000 * at : 1000 * (at + 1)]]) + "\n")
    assert mean.release(tmp_path, **SEEDED) == released
    german = tmp_path / "german.txt"
    german.write_text(file.read_text().replace(",", ";").replace(".", ","))
    german_mean = dpfda.PrivateRows(**NAMED, **STATED, delimiter=";", decimal_comma=True)
    assert bits(german_mean.release(german, **SEEDED)) == bits(released)


def test_frames_and_mappings_are_long_tables(mean: dpfda.PrivateRows, released: dpfda.RowsRelease) -> None:
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    columns = {**TABLE, "note": ["x"] * ROWS}
    tables = [columns, pandas.DataFrame(columns), polars.DataFrame(columns), pyarrow.table(columns), polars.LazyFrame(columns)]
    for table in tables:
        assert mean.release(table, **SEEDED) == released


NO_ROWS = [(np.nan, 5.0), (3.0, np.nan), (-0.5, 5.0), (24.5, 5.0), (np.nan, np.nan), (3.0, np.inf)]


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**64 - 1))
def test_rows_may_be_in_any_order(mean: dpfda.PrivateRows, released: dpfda.RowsRelease, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(ROWS)
    assert mean.release(table_of([IDS[row] for row in order], TIMES[order], VALUES[order]), **SEEDED) == released


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from([(np.nan, 5.0), (3.0, np.nan), (-0.5, 5.0), (24.5, 5.0), (np.nan, np.nan)]), max_size=300))
def test_a_row_without_a_time_or_a_value_or_outside_the_domain_counts_as_none(
    mean: dpfda.PrivateRows, released: dpfda.RowsRelease, more: list[tuple[float, float]]
) -> None:
    ids = [*IDS, *(IDS[row] for row in range(len(more)))]
    times, values = [*TIMES, *(time for time, _ in more)], [*VALUES, *(value for _, value in more)]
    assert mean.release(table_of(ids, times, values), **SEEDED) == released


@pytest.mark.parametrize(("time", "value", "parameter"), [(3.0, np.inf, "value"), (-np.inf, 5.0, "time"), (3.0, -1e100, "value")])
def test_what_no_file_may_hold_is_refused_in_memory_too(
    time: float, value: float, parameter: str, mean: dpfda.PrivateRows
) -> None:
    with pytest.raises(dpfda.DpfdaError, match="larger than any measurement") as refused:
        mean.release(table_of([*IDS, "S0001"], [*TIMES, time], [*VALUES, value]), **SEEDED)
    assert refused.value.parameter == parameter


def test_missing_values_of_every_library_count_as_none(mean: dpfda.PrivateRows, released: dpfda.RowsRelease) -> None:
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    ids, times, values = [*IDS, "S0001"], [*TIMES, 3.0], [*VALUES, None]
    lists = {"id": ids, "hour": times, "y": values}
    nullable = pandas.DataFrame(lists).astype({"y": "Float64"})
    masked = np.ma.masked_invalid([*VALUES, np.nan])
    for table in (pandas.DataFrame(lists), nullable, polars.DataFrame(lists), pyarrow.table(lists)):
        assert mean.release(table, **SEEDED) == released
    assert mean.release(table_of(ids, times, masked), **SEEDED) == released


def test_many_rows_that_count_as_none_are_told_to_the_curator_alone(mean: dpfda.PrivateRows, released: dpfda.RowsRelease) -> None:
    with pytest.warns(dpfda.CuratorWarning, match="25% of the rows"):
        found = mean.release(table_of([*IDS, *IDS[:1000]], [*TIMES, *[30.0] * 1000], [*VALUES, *[5.0] * 1000]), **SEEDED)
    assert found == released


def test_whole_numbers_are_ids(mean: dpfda.PrivateRows) -> None:
    as_text = mean.release(table_of([str(row % 1000) for row in range(ROWS)], TIMES, VALUES), **SEEDED)
    assert mean.release(table_of(np.arange(ROWS) % 1000, TIMES, VALUES), **SEEDED) == as_text


def test_ids_that_look_alike_are_told(mean: dpfda.PrivateRows) -> None:
    with pytest.warns(dpfda.CuratorWarning, match="letter case"):
        mean.release(table_of(["s0001", *IDS[1:]], TIMES, VALUES), **SEEDED)


def test_a_bought_radius_is_smaller_and_told() -> None:
    bought = dpfda.PrivateRows(**NAMED, center=5, radius=50, epsilon=1, delta=1e-5, radius_share=0.05)
    release = bought.release(TABLE, **SEEDED)
    assert release.radius < 10
    # that of a row, which was bounded before the radius was bought
    assert release.bound == 100
    assert (release.epsilon, release.delta) == (1, 1e-5)
    assert pickle.loads(pickle.dumps(release)) == release
    assert repr(pickle.loads(pickle.dumps(bought))) == repr(bought)
    with pytest.raises(dpfda.DpfdaError) as refused:
        bought.release(table_of(IDS[:9], TIMES[:9], VALUES[:9]), **SEEDED)
    assert refused.value.parameter == "radius_share"


def test_the_two_ends_of_a_circle_are_one_point() -> None:
    release = dpfda.PrivateRows(**NAMED, **STATED, periodic=True).release(TABLE, **SEEDED)
    ends = release.at([0, 24])
    assert ends["values"][0] == ends["values"][1]
    assert release.bin_edges.tolist() == pytest.approx(np.linspace(0, 24, 21))


def test_a_ledger_pays_once_for_the_same_release(mean: dpfda.PrivateRows, tmp_path: Path) -> None:
    terms: dict[str, Any] = {"dataset": "glucose", "unit": "subject", "neighbours": "substitute", "epsilon": 2, "delta": 1e-4}
    ledger = dpfda.Ledger.create(tmp_path / "ledger.db", **terms)
    first = mean.release(TABLE, ledger=ledger, release_id="hours")
    assert first.is_private
    assert first.ledger is not None
    assert mean.release(TABLE, ledger=ledger, release_id="hours") == first
    assert len(ledger.show()["releases"]) == 1
    assert ledger.verify(first) == []


@pytest.mark.parametrize(
    ("columns", "parameter"),
    [
        ({"hour": TIMES[:-1]}, "time"),
        ({"hour": ["2024-01-01"] * ROWS}, "time"),
        ({"hour": np.full(ROWS, np.datetime64("2024-01-01"))}, "time"),
        ({"y": [CANARY_NAME] * ROWS}, "value"),
        ({"y": VALUES + 1j}, "value"),
        ({"y": VALUES.reshape(-1, 1)}, "value"),
        ({"id": [*IDS[:-1], None]}, "id"),
        ({"id": [*IDS[:-1], ""]}, "id"),
        ({"id": IDS[:-1]}, "id"),
        ({"id": [CANARY] * ROWS}, "id"),
        ({"id": 5}, "id"),
        ({"id": "id"}, "id"),
    ],
)
def test_bad_columns_are_refused_by_the_settings_that_name_them(
    mean: dpfda.PrivateRows, columns: dict[str, Any], parameter: str
) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        mean.release({**TABLE, **columns}, **SEEDED)
    assert refused.value.parameter == parameter
    assert not shows(str(refused.value))


@pytest.mark.parametrize(
    ("table", "change", "parameter"),
    [
        (TABLE, {"time": "minute"}, "time"),
        (TABLE, {"time": "id"}, "id"),
        (TABLE, {"id": "y"}, "id"),
        ("rows.csv", {}, "data"),
        ({}, {}, "time"),
        (5, {}, "data"),
        (None, {}, "data"),
    ],
)
def test_what_is_no_such_table_is_refused(table: Any, change: dict[str, Any], parameter: str) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateRows(**{**NAMED, **STATED, **change}).release(table, **SEEDED)
    assert refused.value.parameter == parameter


@pytest.mark.parametrize(
    ("change", "parameter"),
    [
        ({"domain": (24, 0)}, "domain"),
        ({"domain": (0, float("nan"))}, "domain"),
        ({"domain": 24}, "domain"),
        ({"bins": 1}, "bins"),
        ({"bins": 20_000}, "bins"),
        ({"bins": 2.5}, "bins"),
        ({"bound": 1}, "bound"),
        ({"radius_share": 1}, "radius_share"),
        ({"radius_share": "default"}, "radius_share"),
        ({"radius_share": True}, "radius_share"),
        ({"radius_share": 0.05, "delta": 0}, "delta"),
        ({"domain": None}, None),
        ({"id": None}, None),
        ({"values": "v*"}, "values"),
        ({"periodic": 1}, "periodic"),
        ({"band": "honest"}, "band"),
        ({"level": 0.2}, "level"),
        ({"epsilon": None}, None),
        ({"delta": 0}, "delta"),
        ({"neighbours": "remove"}, "neighbours"),
        ({"classical": 1}, "classical"),
        ({"bounds": (0, 10), "radius": 1}, "bounds"),
    ],
)
def test_bad_settings_are_refused_before_there_are_data(change: dict[str, Any], parameter: str) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateRows(**{**NAMED, **STATED, **change})
    assert refused.value.parameter == parameter


def broken_tables() -> dict[str, Callable[[], Any]]:
    columns = {"id": [CANARY_NAME, "b"], "hour": [CANARY, 2.0], "y": ["1", CANARY_NAME]}
    return {
        "mapping": lambda: columns,
        "pandas": lambda: pytest.importorskip("pandas").DataFrame(columns),
        "polars": lambda: pytest.importorskip("polars").DataFrame(columns),
        "Arrow": lambda: pytest.importorskip("pyarrow").table(columns),
        "pandas index": lambda: pytest.importorskip("pandas").DataFrame(columns).set_index("id", drop=False),
    }


@pytest.mark.parametrize("name", broken_tables())
def test_no_refusal_shows_a_private_value(mean: dpfda.PrivateRows, name: str) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        mean.release(broken_tables()[name](), **SEEDED)
    printed = "".join(traceback.format_exception(type(refused.value), refused.value, refused.value.__traceback__))
    error: BaseException | None = refused.value
    while error is not None:
        assert not shows(f"{error!r} {error} {error.args}"), error
        error = error.__context__
    assert not shows(printed)


def test_columns_that_a_file_lacks_are_refused_by_their_argument(mean: dpfda.PrivateRows, file: Path) -> None:
    for argument in ("id", "time", "value"):
        with pytest.raises(dpfda.DpfdaError) as refused:
            dpfda.PrivateRows(**{**NAMED, argument: "no such column"}, **STATED).release(file, **SEEDED)
        # the text names all three
        assert refused.value.parameter == "id"
        assert f"{argument}=" in str(refused.value)
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateRows(**{**NAMED, "time": "y"}, **STATED)
    assert refused.value.parameter == "id"


def test_a_file_with_a_canary_shows_nothing(mean: dpfda.PrivateRows, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"id,hour,y\n{CANARY_NAME},{CANARY},{CANARY_NAME}\n")
    with pytest.raises(dpfda.DpfdaError) as refused:
        mean.release(path, **SEEDED)
    assert not shows(str(refused.value))


def test_no_public_document_holds_an_id_or_a_value(mean: dpfda.PrivateRows) -> None:
    release = mean.release(table_of([f"{CANARY_NAME}{row % 1000}" for row in range(ROWS)], TIMES, [*VALUES[1:], CANARY]))
    assert release.is_private
    for public in (release.to_json(), release._repr_html_(), repr(release), pickle.dumps(release).decode("latin-1")):
        assert not shows(public)


def test_one_subject_is_too_few_where_their_number_is_public(mean: dpfda.PrivateRows) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        mean.release(table_of(["a"] * 3, [1, 2, 3], [1, 2, 3]), **SEEDED)
    assert refused.value.parameter == "data"
    hidden = dpfda.PrivateRows(**NAMED, **STATED, neighbours="add-remove")
    assert hidden.release(table_of([], [], []), **SEEDED).records is None


@pytest.mark.parametrize("settings", [{}, MORE_BINS, {"radius_share": 0.05}])
def test_a_forecast_of_a_long_table_is_that_of_the_command(settings: dict[str, Any]) -> None:
    binary = os.environ.get("DPFDA_COMMAND") or pytest.skip("DPFDA_COMMAND names no command to compare with")
    options = [word for name, value in settings.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    basic = ["--radius", "2", "--epsilon", "1", "--delta", "1e-5", "--points-per-subject", "3", "--records", "500", "--json"]
    done = subprocess.run([binary, "forecast", *basic, *options], capture_output=True, text=True, check=True)
    stated: dict[str, Any] = {"center": 0, "radius": 2, "epsilon": 1, "delta": 1e-5, **settings}
    assert (
        dpfda.PrivateRows(**{**NAMED, "domain": (0, 1)}, **stated).forecast(500, points=3).expected
        == json.loads(done.stdout)["expected"]
    )


def test_a_forecast_of_a_long_table_has_bins_and_no_points() -> None:
    few, many = (dpfda.PrivateRows(**NAMED, **STATED).forecast(500, points=values).expected[0]["error"] for values in (1, 10))
    assert many < few
    for points in (0, 2_000_000, 2.5):
        with pytest.raises(dpfda.DpfdaError) as refused:
            dpfda.PrivateRows(**NAMED, **STATED).forecast(500, points=points)
        assert refused.value.parameter == "points"
