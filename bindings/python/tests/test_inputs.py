"""The same curves from any library give the same bits; bad tables are refused by a name and without a value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import dpfda
from conftest import POINTS, SEEDED, STATED, bits


def frame(curves: np.ndarray) -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({f"v{k}": curves[:, k] for k in range(POINTS)})


def strided(curves: np.ndarray) -> np.ndarray:
    wide = np.full((2 * curves.shape[0], 3 * curves.shape[1]), np.nan)
    wide[::2, ::3] = curves
    return wide[::2, ::3]


def read_only(curves: np.ndarray) -> np.ndarray:
    copy = curves.copy()
    copy.flags.writeable = False
    return copy


def misaligned(curves: np.ndarray) -> np.ndarray:
    room = np.zeros(curves.nbytes + 1, dtype=np.uint8)
    shifted = room[1:].view(np.float64).reshape(curves.shape)
    shifted[:] = curves
    return shifted


def polars_frame(curves: np.ndarray) -> Any:
    polars = pytest.importorskip("polars")
    return polars.DataFrame({f"v{k}": curves[:, k] for k in range(POINTS)})


def arrow_table(curves: np.ndarray) -> Any:
    pyarrow = pytest.importorskip("pyarrow")
    return pyarrow.table({f"v{k}": curves[:, k] for k in range(POINTS)})


def chunked(curves: np.ndarray) -> Any:
    pyarrow = pytest.importorskip("pyarrow")
    return pyarrow.concat_tables([arrow_table(curves[:100]), arrow_table(curves[100:])])


class Capsule:
    """An object that has the Arrow C interface and nothing else."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)


def data_array(curves: np.ndarray) -> Any:
    return pytest.importorskip("xarray").DataArray(curves, dims=("person", "t"))


def functional(curves: np.ndarray) -> Any:
    # the grid of the release, to the last digit
    return pytest.importorskip("skfda").FDataGrid(curves, [k / (POINTS - 1) for k in range(POINTS)])


SOURCES = {
    "F order": np.asfortranarray,
    "strided": strided,
    "reversed": lambda curves: curves[::-1].copy()[::-1],
    "read-only": read_only,
    "misaligned": misaligned,
    "other byte order": lambda curves: curves.astype(">f8"),
    "list": lambda curves: curves.tolist(),
    "masked": lambda curves: np.ma.masked_array(curves),
    "pandas": frame,
    "pandas of rows": lambda curves: pytest.importorskip("pandas").DataFrame(curves).add_prefix("v"),
    "pandas Float64": lambda curves: frame(curves).convert_dtypes(),
    "polars": polars_frame,
    "polars lazy": lambda curves: polars_frame(curves).lazy(),
    "Arrow": arrow_table,
    "Arrow in chunks": chunked,
    "Arrow batch": lambda curves: arrow_table(curves).to_batches()[0],
    "Arrow capsule": lambda curves: Capsule(arrow_table(curves)),
    "xarray": data_array,
    "FDataGrid": functional,
}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("share", [None, 0], ids=["bought", "stated"])
def test_every_source_gives_the_same_bits(source: str, share: Any, curves: np.ndarray) -> None:
    mean = dpfda.PrivateMean(**STATED, radius_share=share)
    expected = mean.release(curves, **SEEDED)
    assert bits(mean.release(SOURCES[source](curves), **SEEDED)) == bits(expected)


def test_float32_is_read_as_the_numbers_that_it_holds(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    single = curves.astype(np.float32)
    assert mean.release(single, **SEEDED) == mean.release(single.astype(np.float64), **SEEDED)


def test_whole_numbers_are_numbers(curves: np.ndarray) -> None:
    mean = dpfda.PrivateMean(bounds=(0, 10), epsilon=1, delta=1e-5)
    whole = np.rint(10 * curves)
    assert mean.release(whole.astype(np.int32), **SEEDED) == mean.release(whole, **SEEDED)


def test_an_array_is_not_changed(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    before = curves.copy()
    mean.release(curves, **SEEDED)
    np.testing.assert_array_equal(before, curves)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    many = np.tile(np.linspace(0.2, 0.7, 30), (12_000, 1))
    for share in [None, 0]:
        mean = dpfda.PrivateMean(**STATED, radius_share=share)
        alone = mean.release(many, **SEEDED, threads=1)
        assert mean.release(many, **SEEDED, threads=threads) == alone
        assert mean.release(np.asfortranarray(many), **SEEDED, threads=threads) == alone


def holes(curves: np.ndarray) -> np.ndarray:
    with_holes = curves.copy()
    with_holes[3, 4] = with_holes[10, :5] = np.nan
    with_holes[17] = np.nan
    return with_holes


@pytest.mark.parametrize("source", ["masked", "pandas", "pandas Float64", "polars", "Arrow"])
def test_missing_values_of_every_library_are_missing(source: str, mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    with_holes = holes(curves)
    expected = mean.release(with_holes, **SEEDED)
    if source == "masked":
        table: Any = np.ma.masked_array(np.nan_to_num(with_holes, nan=7.0), mask=np.isnan(with_holes))
    elif source == "pandas Float64":
        table = frame(with_holes).astype("Float64")
    elif source == "polars":
        table = polars_frame(with_holes).fill_nan(None)
    elif source == "Arrow":
        pyarrow = pytest.importorskip("pyarrow")
        table = pyarrow.table({f"v{k}": pyarrow.array(with_holes[:, k], from_pandas=True) for k in range(POINTS)})
    else:
        table = SOURCES[source](with_holes)
    assert bits(mean.release(table, **SEEDED)) == bits(expected)


def test_subjects_are_the_same_people_as_a_column_and_as_a_list(curves: np.ndarray, subjects: list[str]) -> None:
    mean = dpfda.PrivateMean(**STATED, subject="id")
    expected = mean.release(curves, columns={"id": subjects}, **SEEDED)
    assert expected.unit == "subject"
    assert expected.records == 300
    table = frame(curves).assign(id=subjects)
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    tables = [table, table.astype({"id": "category"}), polars.from_pandas(table), pyarrow.Table.from_pandas(table)]
    tables += [table[["id", *table.columns[:-1]]], {name: table[name] for name in table}, dict(table)]
    for same in tables:
        assert bits(mean.release(same, **SEEDED)) == bits(expected)
    numbers = np.array([int(one[1:]) for one in subjects])
    for column in (numbers, polars.Series(numbers), pytest.importorskip("pandas").Series(numbers)):
        assert mean.release(curves, columns={"id": column}, **SEEDED).records == 300


@pytest.mark.parametrize("share", [None, 0])
def test_the_order_of_people_changes_nothing(share: Any, curves: np.ndarray, subjects: list[str]) -> None:
    mean = dpfda.PrivateMean(**STATED, radius_share=share, subject="id")
    order = np.random.default_rng(1).permutation(len(curves))
    mixed = mean.release(curves[order], columns={"id": [subjects[at] for at in order]}, **SEEDED)
    assert mixed == mean.release(curves, columns={"id": subjects}, **SEEDED)


def test_columns_are_chosen_by_patterns_in_the_order_given(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    table = frame(curves).assign(age=50)
    expected = bits(mean.release(curves, **SEEDED))
    for values in ("v?,v1?,v2?", [f"v{k}" for k in range(POINTS)]):
        assert bits(dpfda.PrivateMean(**STATED, values=values).release(table, **SEEDED)) == expected
    with pytest.raises(dpfda.DpfdaError, match="not in their order") as refused:
        dpfda.PrivateMean(**STATED, values="v1?,v?,v2?").release(table, **SEEDED)
    assert refused.value.parameter == "values"


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("name", ["id", "visit", "case", "v_total"])
def test_a_column_that_is_no_point_is_refused_unless_it_is_named(
    library: str, name: str, mean: dpfda.PrivateMean, curves: np.ndarray
) -> None:
    columns = {name: np.full(600, 0.5)} | {f"v{k}": curves[:, k] for k in range(POINTS)}
    make = pytest.importorskip(library)
    table = make.table(columns) if library == "pyarrow" else make.DataFrame(columns)
    for values in (None, "*"):
        with pytest.raises(dpfda.DpfdaError, match=f"`{name}`, are by their names no points") as refused:
            dpfda.PrivateMean(**STATED, values=values).release(table, **SEEDED)
        assert refused.value.parameter == "values"
    by_name = dpfda.PrivateMean(**STATED, values=[name, "v?", "v1?", "v2?"])
    assert len(by_name.release(table, **SEEDED).values) == POINTS + 1
    pattern = "v?,v1?,v2?" if name == "v_total" else "v[0-9]*"
    chosen = dpfda.PrivateMean(**STATED, values=pattern, subject="id" if name == "id" else None)
    if name != "id":
        assert bits(chosen.release(table, **SEEDED)) == bits(mean.release(curves, **SEEDED))


def test_columns_of_another_index_are_refused_and_not_given_to_other_people(curves: np.ndarray) -> None:
    pandas = pytest.importorskip("pandas")
    series = pandas.DataFrame(curves)
    whose = dpfda.PrivateMean(**STATED, subject="id")
    ids = pandas.Series([f"P{row // 2:04d}" for row in range(600)])
    expected = bits(whose.release(curves, columns={"id": list(ids)}, **SEEDED))
    assert bits(whose.release(curves, columns={"id": ids}, **SEEDED)) == expected
    labelled = pytest.importorskip("xarray").DataArray(curves, dims=("person", "t"), coords={"person": range(600)})
    assert bits(whose.release(labelled, columns={"id": ids}, **SEEDED)) == expected
    other = ids.sort_values(ascending=False)
    labels, ages = pandas.Series(["a", "b"] * 300), pandas.Series(np.linspace(20, 80, 600))
    long = {"id": ids, "hour": pandas.Series(np.linspace(0, 1, 600)), "y": pandas.Series(curves[:, 0])}
    groups = dpfda.PrivateGroups(**STATED, by="arm")
    regression = dpfda.PrivateRegression(on="age", covariate_bounds="age=18:90", **STATED)
    rows = dpfda.PrivateRows(id="id", time="hour", value="y", domain=(0, 1), **STATED)
    wide = dpfda.PrivateMean(**STATED, subject="id", values=["a", "b"])
    columns = {"id": other, "a": series[0], "b": series[1]}
    asked = {
        "subject": lambda: whose.release(labelled, columns={"id": other}, **SEEDED),
        "by": lambda: groups.release(labelled, columns={"arm": labels[::-1]}, **SEEDED),
        "on": lambda: regression.release(labelled, columns={"age": ages[::-1]}, **SEEDED),
        "hour": lambda: rows.release({**long, "hour": long["hour"][::-1]}, **SEEDED),
        "a": lambda: wide.release(columns, **SEEDED),
    }
    for parameter, ask in asked.items():
        with pytest.raises(dpfda.DpfdaError, match="index") as refused:
            ask()
        assert refused.value.parameter == parameter


def test_a_grid_comes_from_the_study_or_from_the_data_where_it_says_so(curves: np.ndarray) -> None:
    t = np.linspace(2, 5, POINTS)
    by_points = dpfda.PrivateMean(**STATED, grid=t).release(curves, **SEEDED)
    np.testing.assert_array_equal(by_points.grid_points, t)
    named = dpfda.PrivateMean(**STATED, grid="names")
    table = pytest.importorskip("pandas").DataFrame(curves, columns=t)
    labelled = pytest.importorskip("xarray").DataArray(curves, dims=("person", "t"), coords={"t": t})
    for same in (table, labelled):
        assert bits(named.release(same, **SEEDED)) == bits(by_points)
    by_range = dpfda.PrivateMean(**STATED, grid=(2, 5)).release(curves, **SEEDED)
    np.testing.assert_allclose(by_range.grid_points, t, rtol=1e-15)
    for silent in (curves, frame(curves)):
        with pytest.raises(dpfda.DpfdaError, match=r"grid= says that the names|grid=") as refused:
            named.release(silent.to_numpy() if hasattr(silent, "to_numpy") else silent, **SEEDED)
        assert refused.value.parameter == "grid"


def test_a_domain_that_closes_up_has_one_value_at_both_ends(curves: np.ndarray, tmp_path: Path) -> None:
    day = dpfda.PrivateMean(**STATED, grid=(0, 24), periodic=True, values="*")
    release = day.release(curves, **SEEDED)
    hours = np.arange(POINTS) * 24 / POINTS
    np.testing.assert_allclose(release.grid_points, hours, rtol=1e-15)
    ends = release.at([0, 24])
    for name in ("values", "posterior_sd", "noise_sd", "lower", "upper"):
        assert ends[name][0] == pytest.approx(ends[name][1], abs=1e-12)
    by_points = dpfda.PrivateMean(**STATED, grid=hours, periodic=True).release(curves, **SEEDED)
    assert by_points.values == pytest.approx(release.values, abs=1e-12)
    assert dpfda.PrivateMean(**STATED, grid=(0, 24)).release(curves, **SEEDED) != release
    table = tmp_path / "days.csv"
    rows = [",".join(repr(float(x)) for x in row) for row in curves]
    table.write_text("\n".join([",".join(f"v{k}" for k in range(POINTS)), *rows]) + "\n")
    assert day.release(table, **SEEDED).values == pytest.approx(release.values)
    assert '"closes_at": 24.0' in day.plan(curves).to_json()
    for bad in ({"periodic": "yes"}, {"periodic": True, "grid": np.linspace(0, 1, POINTS) ** 2}):
        with pytest.raises(dpfda.DpfdaError):
            dpfda.PrivateMean(**STATED, **bad)


def test_functional_data_bring_their_grid_and_the_names_of_their_axes(curves: np.ndarray) -> None:
    skfda = pytest.importorskip("skfda")
    t = np.linspace(0, 24, POINTS)
    data = skfda.FDataGrid(curves, t, argument_names=["hour"], coordinate_names=["glucose"])
    release = dpfda.PrivateMean(**STATED, grid="names").release(data, **SEEDED)
    np.testing.assert_array_equal(release.grid_points, t)
    back = release.to_fdatagrid()
    np.testing.assert_array_equal(back.data_matrix[0, :, 0], release.values)
    assert (back.argument_names, back.coordinate_names) == (("hour",), ("glucose",))
    assert release.document["labels"] == {"argument": "hour", "value": "glucose"}
    assert release.plot().get_xlabel() == "hour"
    said = dpfda.PrivateMean(**STATED, grid="names", x_label="time", units="mmol/l").release(data, **SEEDED)
    assert said.document["labels"] == {"argument": "time", "value": "glucose (mmol/l)"}


def test_xarray_brings_the_names_of_its_axes_and_takes_the_answer(curves: np.ndarray) -> None:
    xarray = pytest.importorskip("xarray")
    data = xarray.DataArray(curves, dims=("person", "hour"), coords={"hour": np.linspace(0, 24, POINTS)}, name="glucose")
    data = data.assign_attrs(units="mmol/l")
    release = dpfda.PrivateMean(**STATED, grid="names").release(data, **SEEDED)
    assert release.document["labels"] == {"argument": "hour", "value": "glucose (mmol/l)"}
    answer = release.to_xarray()
    assert isinstance(answer, xarray.Dataset)
    np.testing.assert_array_equal(answer["value"].values, release.values)
    np.testing.assert_array_equal(answer["t"].values, release.grid_points)
    assert answer["t"].attrs["long_name"] == "hour"
    nameless = xarray.DataArray(curves)
    assert dpfda.PrivateMean(**STATED).release(nameless, **SEEDED).document.get("labels", {}) == {}


def test_irregular_functional_data_are_rows(curves: np.ndarray) -> None:
    skfda = pytest.importorskip("skfda")
    starts = np.arange(0, 1800, 3)
    times, values = np.random.default_rng(3).uniform(0, 24, 1800), np.tile(curves[:, 3], 3)
    data = skfda.FDataIrregular(start_indices=starts, points=times, values=values)
    rows = dpfda.PrivateRows(id="id", time="hour", value="y", domain=(0, 24), **STATED)
    # what the library keeps: sorted within each curve
    table = {"id": np.repeat(np.arange(600), 3), "hour": data.points[:, 0], "y": data.values[:, 0]}
    assert bits(rows.release(data, **SEEDED)) == bits(rows.release(table, **SEEDED))
    with pytest.raises(dpfda.DpfdaError, match="release rows"):
        dpfda.PrivateMean(**STATED).release(data, **SEEDED)


def test_no_step_of_a_circle_is_left_out(curves: np.ndarray) -> None:
    release = dpfda.PrivateMean(**STATED, grid=(0, 24), periodic=True).release(curves, **SEEDED)
    assert release.domain == (0, 24)
    area = release.features(integral=True).integral
    assert area is not None
    assert area.value == pytest.approx(release.integral().value, rel=1e-3)
    assert area.value == pytest.approx(release.features(integral=(0, 24)).integral.value, rel=1e-12)
    pytest.importorskip("skfda")
    functional = release.to_fdatagrid()
    assert functional.domain_range == ((0, 24),)
    near = [0, 0.3, 22.9, 23.5, 24]
    np.testing.assert_allclose(functional(near)[0, :, 0], release.at(near)["values"], rtol=0.02)


BAD: dict[str, tuple[Any, str]] = {
    "objects": (lambda x: x.astype(object), "data"),
    "text": (lambda x: x.astype(str), "data"),
    "complex": (lambda x: x + 0j, "data"),
    "truth": (lambda x: x > 0.5, "data"),
    "dates": (lambda x: x.astype("datetime64[s]"), "data"),
    "a number": (lambda x: np.float64(x[0, 0]), "data"),
    "one dimension": (lambda x: x[0], "data"),
    "three dimensions": (lambda x: x[None], "data"),
    "infinite": (lambda x: np.where(x == x[2, 3], np.inf, x), "data"),
    "nothing": (lambda x: None, "data"),
    "a dictionary": (lambda x: {"v": x}, "values"),
    "one column": (lambda x: x[:, :1], "grid"),
    "no columns": (lambda x: x[:, :0], "grid"),
    "no rows": (lambda x: x[:0], "data"),
    "ragged": (lambda x: [[0.1, 0.2], [0.3]], "data"),
    "empty frame": (lambda x: frame(x).iloc[:, :0], "values"),
    "frame of text": (lambda x: frame(x).assign(v3="a"), "values"),
    "frame of truth": (lambda x: frame(x).assign(v3=True), "values"),
    "named index": (lambda x: frame(x).rename_axis("person"), "subject"),
    "index of text": (lambda x: frame(x).set_axis([f"P{k}" for k in range(len(x))]), "subject"),
    "polars text": (lambda x: polars_frame(x).with_columns(v3=pytest.importorskip("polars").lit("a")), "values"),
    "duplicated columns": (lambda x: frame(x).set_axis(["v"] * POINTS, axis=1), "values"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_table_of_no_curves_is_refused_at_its_argument(name: str, mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    make, parameter = BAD[name]
    with pytest.raises(dpfda.DpfdaError) as refused:
        mean.release(make(curves), **SEEDED)
    assert refused.value.parameter == parameter, str(refused.value)


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({"threads": 0}, "threads"),
        ({"threads": 1.5}, "threads"),
        ({"release_id": "a"}, "ledger"),
        ({"ledger": "no-such-file"}, "ledger"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(
    arguments: dict[str, Any], parameter: str, mean: dpfda.PrivateMean, curves: np.ndarray
) -> None:
    door = {} if "ledger" in arguments else SEEDED
    with pytest.raises(dpfda.DpfdaError) as refused:
        mean.release(curves, **{**door, **arguments})
    assert refused.value.parameter == parameter, str(refused.value)


@pytest.mark.parametrize(
    "grid", [np.linspace(1, 0, POINTS), np.zeros(POINTS), np.linspace(0, 1, POINTS - 1), ["a"] * POINTS, (1, 0), 3, [0.5]]
)
def test_a_grid_that_does_not_fit_is_refused(grid: Any, curves: np.ndarray) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateMean(**STATED, grid=grid).release(curves, **SEEDED)
    assert refused.value.parameter == "grid", str(refused.value)


@pytest.mark.parametrize(
    "ids", ["id", ["a"], [0.5] * 600, [None] * 600, ["NA"] * 600, [True] * 600, 7, np.zeros((600, 2))], ids=str
)
def test_ids_that_are_none_are_refused(ids: Any, curves: np.ndarray) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateMean(**STATED, subject="id").release(curves, columns={"id": ids}, **SEEDED)
    assert refused.value.parameter == "subject", str(refused.value)


def test_an_array_has_no_named_values(curves: np.ndarray) -> None:
    # all of its columns are values, whatever their names in a table would be
    named = dpfda.PrivateMean(**STATED, values="v*")
    assert bits(named.release(curves, **SEEDED)) == bits(dpfda.PrivateMean(**STATED).release(curves, **SEEDED))


def test_functional_data_with_several_outputs_are_refused(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    skfda = pytest.importorskip("skfda")
    two = skfda.FDataGrid(np.stack([curves, curves], axis=-1), np.linspace(0, 1, POINTS))
    with pytest.raises(dpfda.DpfdaError, match="one or two inputs and one output"):
        mean.release(two, **SEEDED)


def test_ids_that_look_alike_are_told_to_the_curator_without_showing_them(curves: np.ndarray, subjects: list[str]) -> None:
    alike = ["p0001" if row == 2 else one for row, one in enumerate(subjects)]
    with pytest.warns(dpfda.CuratorWarning) as told:
        dpfda.PrivateMean(**STATED, subject="id").release(curves, columns={"id": alike}, **SEEDED)
    assert "0001" not in str(told[0].message)


@settings(max_examples=15, deadline=None)
@given(
    arrays.arrays(
        np.float64,
        st.tuples(st.integers(120, 140), st.integers(2, 6)),
        elements=st.floats(-1e99, 1e99, width=64).filter(lambda x: x not in (-999, -9999, -99999)) | st.just(np.nan),
    )
)
def test_any_finite_or_missing_numbers_make_the_same_release_in_every_order(values: np.ndarray) -> None:
    mean = dpfda.PrivateMean(bounds=(-1, 1), epsilon=2, delta=1e-3)
    release = mean.release(values, **SEEDED)
    assert np.isfinite(release.values).all()
    assert release == mean.release(np.asfortranarray(values), **SEEDED)
    assert release == mean.release(values[::-1], **SEEDED)


def columns_of_libraries() -> dict[str, Any]:
    """The same numbers as one column of each library."""
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    numbers = np.linspace(0.1, 0.9, 500)
    return {
        "pandas": pandas.Series(numbers, name="x"),
        "masked": pandas.Series(numbers, dtype="Float64"),
        "arrow in pandas": pandas.Series(numbers, dtype="float64[pyarrow]"),
        "polars": polars.Series("x", numbers),
        "arrow": pyarrow.array(numbers),
        "chunked": pyarrow.chunked_array([numbers[:100], numbers[100:]]),
    }


@pytest.mark.parametrize("library", ["pandas", "masked", "arrow in pandas", "polars", "arrow", "chunked"])
def test_a_series_is_one_column(library: str) -> None:
    column = columns_of_libraries()[library]
    density = dpfda.PrivateDensity(bounds=(0, 1), epsilon=1)
    assert density.release(column, **SEEDED) == density.release(np.linspace(0.1, 0.9, 500), **SEEDED)
    with pytest.raises(dpfda.DpfdaError, match="must have two dimensions"):
        dpfda.PrivateMean(**STATED).release(column, **SEEDED)


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_a_missing_value_of_a_series_is_missing(library: str) -> None:
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    holes = [0.25, None, 0.75] * 100
    made = {"pandas": pandas.Series(holes, dtype="Float64"), "polars": polars.Series(holes), "arrow": pyarrow.array(holes)}
    density = dpfda.PrivateDensity(bounds=(0, 1), epsilon=1)
    assert density.release(made[library], **SEEDED) == density.release([0.25, float("nan"), 0.75] * 100, **SEEDED)
