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
from conftest import POINTS, SEEDED, STATED


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
@pytest.mark.parametrize("share", ["default", None], ids=["bought", "stated"])
def test_every_source_gives_the_same_bits(source: str, share: Any, curves: np.ndarray) -> None:
    mean = dpfda.PrivateMean(**STATED, radius_share=share)
    expected = mean.release(curves, **SEEDED)
    assert mean.release(SOURCES[source](curves), **SEEDED).to_json() == expected.to_json()


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
    for share in ["default", None]:
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
    assert mean.release(table, **SEEDED) == expected


def test_subjects_are_the_same_people_as_a_column_and_as_a_list(
    mean: dpfda.PrivateMean, curves: np.ndarray, subjects: list[str]
) -> None:
    expected = mean.release(curves, subject=subjects, **SEEDED)
    assert expected.unit == "subject"
    assert expected.records == 300
    table = frame(curves).assign(id=subjects)
    assert mean.release(table, subject="id", **SEEDED) == expected
    assert mean.release(table.astype({"id": "category"}), subject="id", **SEEDED) == expected
    assert mean.release(table[["id", *table.columns[:-1]]], subject="id", values="v*", **SEEDED) == expected
    numbers = [int(one[1:]) for one in subjects]
    assert mean.release(curves, subject=np.array(numbers), **SEEDED).records == 300
    polars = pytest.importorskip("polars")
    assert mean.release(polars.from_pandas(table), subject="id", **SEEDED) == expected
    pyarrow = pytest.importorskip("pyarrow")
    assert mean.release(pyarrow.Table.from_pandas(table), subject="id", **SEEDED) == expected


@pytest.mark.parametrize("share", ["default", None])
def test_the_order_of_people_changes_nothing(share: Any, curves: np.ndarray, subjects: list[str]) -> None:
    mean = dpfda.PrivateMean(**STATED, radius_share=share)
    order = np.random.default_rng(1).permutation(len(curves))
    mixed = mean.release(curves[order], subject=[subjects[at] for at in order], **SEEDED)
    assert mixed == mean.release(curves, subject=subjects, **SEEDED)


def test_columns_are_chosen_by_patterns_in_the_order_given(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    table = frame(curves).assign(age=50)
    expected = mean.release(curves, **SEEDED)
    assert mean.release(table, values="v?,v1?,v2?", **SEEDED) == expected
    assert mean.release(table, values=[f"v{k}" for k in range(POINTS)], **SEEDED) == expected
    with pytest.raises(dpfda.DpfdaError, match="not in their order") as refused:
        mean.release(table, values="v1?,v?,v2?", **SEEDED)
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
            mean.release(table, values=values, **SEEDED)
        assert refused.value.parameter == "values"
    assert len(mean.release(table, values=[name, "v?", "v1?", "v2?"], **SEEDED).values) == POINTS + 1
    by_name = {"values": "v?,v1?,v2?"} if name == "v_total" else {"subject": name} if name == "id" else {"values": "v[0-9]*"}
    if name != "id":
        assert mean.release(table, **by_name, **SEEDED) == mean.release(curves, **SEEDED)


def test_columns_of_another_index_are_refused_and_not_given_to_other_people(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    pandas = pytest.importorskip("pandas")
    table = frame(curves)
    ids = pandas.Series([f"P{row // 2:04d}" for row in range(600)])
    expected = mean.release(table, subject=list(ids), **SEEDED)
    assert mean.release(table, subject=ids, **SEEDED) == expected
    other = ids.sort_values(ascending=False)
    labels, ages = pandas.Series(["a", "b"] * 300), pandas.Series(np.linspace(20, 80, 600))
    regression = dpfda.PrivateRegression({"age": (18, 90)}, **STATED)
    long = {"id": ids, "hour": pandas.Series(np.linspace(0, 1, 600)), "y": pandas.Series(curves[:, 0])}
    named = {"id": "id", "time": "hour", "value": "y"}
    rows = dpfda.PrivateRows((0, 1), **STATED)
    asked = {
        "subject": lambda: mean.release(table, subject=other, **SEEDED),
        "by": lambda: mean.release_groups(table, labels[::-1], **SEEDED),
        "columns": lambda: regression.release(table, columns={"age": ages[::-1]}, **SEEDED),
        "times": lambda: rows.release(ids, long["hour"][::-1], long["y"], **SEEDED),
        "time": lambda: rows.release({**long, "hour": long["hour"][::-1]}, **named, **SEEDED),
    }
    for parameter, ask in asked.items():
        with pytest.raises(dpfda.DpfdaError, match="index") as refused:
            ask()
        assert refused.value.parameter == parameter
    assert mean.release(table.iloc[::-1], subject=other.sort_index()[::-1], **SEEDED) == expected


def test_a_grid_comes_from_the_input_or_from_the_arguments(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    t = np.linspace(2, 5, POINTS)
    by_points = mean.release(curves, grid_points=t, **SEEDED)
    np.testing.assert_array_equal(by_points.grid_points, t)
    table = pytest.importorskip("pandas").DataFrame(curves, columns=t)
    assert mean.release(table, **SEEDED) == by_points
    labelled = pytest.importorskip("xarray").DataArray(curves, dims=("person", "t"), coords={"t": t})
    assert mean.release(labelled, **SEEDED) == by_points
    by_range = mean.release(curves, domain_range=(2, 5), **SEEDED)
    np.testing.assert_allclose(by_range.grid_points, t, rtol=1e-15)


def test_a_domain_that_closes_up_has_one_value_at_both_ends(mean: dpfda.PrivateMean, curves: np.ndarray, tmp_path: Path) -> None:
    release = mean.release(curves, domain_range=(0, 24), periodic=True, **SEEDED)
    hours = np.arange(POINTS) * 24 / POINTS
    np.testing.assert_allclose(release.grid_points, hours, rtol=1e-15)
    ends = release.at([0, 24])
    for name in ("values", "posterior_sd", "noise_sd", "lower", "upper"):
        assert ends[name][0] == pytest.approx(ends[name][1], abs=1e-12)
    assert mean.release(curves, grid_points=hours, periodic=True, **SEEDED).values == pytest.approx(release.values, abs=1e-12)
    assert mean.release(curves, domain_range=(0, 24), **SEEDED) != release
    table = tmp_path / "days.csv"
    rows = [",".join(repr(float(x)) for x in row) for row in curves]
    table.write_text("\n".join([",".join(f"v{k}" for k in range(POINTS)), *rows]) + "\n")
    assert mean.release(table, values="v*", domain_range=(0, 24), periodic=True, **SEEDED).values == pytest.approx(release.values)
    plan = mean.plan(curves, domain_range=(0, 24), periodic=True)
    assert '"closes_at": 24.0' in plan.to_json()
    for bad in ({"periodic": "yes"}, {"periodic": True, "grid_points": np.linspace(0, 1, POINTS) ** 2}):
        with pytest.raises(dpfda.DpfdaError):
            mean.release(curves, **bad, **SEEDED)


def test_functional_data_bring_their_grid(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    skfda = pytest.importorskip("skfda")
    t = np.linspace(0, 24, POINTS)
    release = mean.release(skfda.FDataGrid(curves, t), **SEEDED)
    np.testing.assert_array_equal(release.grid_points, t)
    back = release.to_fdatagrid()
    np.testing.assert_array_equal(back.data_matrix[0, :, 0], release.values)


def test_no_step_of_a_circle_is_left_out(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    release = mean.release(curves, domain_range=(0, 24), periodic=True, **SEEDED)
    assert release.domain_range == (0, 24)
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
    "objects": (lambda x: x.astype(object), "curves"),
    "text": (lambda x: x.astype(str), "curves"),
    "complex": (lambda x: x + 0j, "curves"),
    "truth": (lambda x: x > 0.5, "curves"),
    "dates": (lambda x: x.astype("datetime64[s]"), "curves"),
    "a number": (lambda x: np.float64(x[0, 0]), "curves"),
    "one dimension": (lambda x: x[0], "curves"),
    "three dimensions": (lambda x: x[None], "curves"),
    "infinite": (lambda x: np.where(x == x[2, 3], np.inf, x), "curves"),
    "nothing": (lambda x: None, "curves"),
    "a dictionary": (lambda x: {"v": x}, "curves"),
    "one column": (lambda x: x[:, :1], "grid_points"),
    "no columns": (lambda x: x[:, :0], "grid_points"),
    "no rows": (lambda x: x[:0], "curves"),
    "ragged": (lambda x: [[0.1, 0.2], [0.3]], "curves"),
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
        ({"grid_points": np.linspace(1, 0, POINTS)}, "grid_points"),
        ({"grid_points": np.zeros(POINTS)}, "grid_points"),
        ({"grid_points": np.linspace(0, 1, POINTS - 1)}, "grid_points"),
        ({"grid_points": ["a"] * POINTS}, "grid_points"),
        ({"grid_points": np.linspace(0, 1, POINTS), "domain_range": (0, 1)}, "grid_points"),
        ({"domain_range": (1, 0)}, "grid_points"),
        ({"domain_range": 3}, "domain_range"),
        ({"values": "v*"}, "values"),
        ({"subject": "id"}, "subject"),
        ({"subject": ["a"]}, "subject"),
        ({"subject": [0.5] * 600}, "subject"),
        ({"subject": [None] * 600}, "subject"),
        ({"subject": ["NA"] * 600}, "subject"),
        ({"subject": [True] * 600}, "subject"),
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


def test_functional_data_with_several_outputs_are_refused(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    skfda = pytest.importorskip("skfda")
    two = skfda.FDataGrid(np.stack([curves, curves], axis=-1), np.linspace(0, 1, POINTS))
    with pytest.raises(dpfda.DpfdaError, match="one output dimension"):
        mean.release(two, **SEEDED)


def test_ids_that_look_alike_are_told_to_the_curator_without_showing_them(
    mean: dpfda.PrivateMean, curves: np.ndarray, subjects: list[str]
) -> None:
    alike = ["p0001" if row == 2 else one for row, one in enumerate(subjects)]
    with pytest.warns(dpfda.CuratorWarning) as told:
        mean.release(curves, subject=alike, **SEEDED)
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
    terms: dict[str, Any] = {"bounds": (0, 1), "epsilon": 1, **SEEDED}
    assert dpfda.density(column, **terms) == dpfda.density(np.linspace(0.1, 0.9, 500), **terms)
    with pytest.raises(dpfda.DpfdaError, match="must have two dimensions"):
        dpfda.PrivateMean(**STATED).release(column, **SEEDED)


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_a_missing_value_of_a_series_is_missing(library: str) -> None:
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    holes = [0.25, None, 0.75] * 100
    made = {"pandas": pandas.Series(holes, dtype="Float64"), "polars": polars.Series(holes), "arrow": pyarrow.array(holes)}
    terms: dict[str, Any] = {"bounds": (0, 1), "epsilon": 1, **SEEDED}
    assert dpfda.density(made[library], **terms) == dpfda.density([0.25, float("nan"), 0.75] * 100, **terms)
