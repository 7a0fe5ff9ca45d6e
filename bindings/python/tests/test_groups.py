"""Means of groups, and differences of means."""

from __future__ import annotations

import decimal
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import POINTS, SEEDED, STATED, bits, without_table

LABELS = ["case" if row % 2 else "control" for row in range(600)]


def released(curves: np.ndarray, labels: Any, paid: dict[str, Any] = SEEDED, **settings: Any) -> dpfda.GroupsRelease:
    """The means of groups of an array, whose labels lie beside it."""
    groups = dpfda.PrivateGroups(**{**STATED, "by": "arm", **settings})
    return groups.release(curves, columns={"arm": labels}, **paid)


@pytest.fixture(scope="module")
def groups(curves: np.ndarray) -> dpfda.GroupsRelease:
    moved = np.where((np.arange(600) % 2 == 1)[:, None], curves + 0.2, curves)
    return released(moved, LABELS)


def test_every_group_has_its_mean(groups: dpfda.GroupsRelease) -> None:
    assert sorted(groups.names) == ["case", "control"]
    case = groups.group("case")
    assert case["records"] == 300
    assert case["values"].shape == (POINTS,)
    assert (case["lower"] < case["upper"]).all()


def test_a_radius_is_bought_for_all_groups_unless_the_stated_one_is_to_be_kept(curves: np.ndarray) -> None:
    def widths(**settings: Any) -> tuple[bool, float]:
        found = released(curves, LABELS, **settings)
        return "found" in dict(found.facts), float(np.mean(found.group("case")["noise_sd"]))

    (is_bought, bought), (is_kept, stated) = widths(), widths(radius_share=0)
    assert is_bought
    assert not is_kept
    assert bought < stated


def test_a_centre_is_bought_for_all_groups(curves: np.ndarray) -> None:
    far: dict[str, Any] = {"bounds": None, "center": 3, "radius": 3, "epsilon": 4}
    bought, kept = released(curves, LABELS, **far, center_share=0.1), released(curves, LABELS, **far)
    assert "centre found" in dict(bought.facts)["found"]
    assert bought.group("case")["noise_sd"].mean() < kept.group("case")["noise_sd"].mean()


def test_groups_that_differ_are_told_apart(groups: dpfda.GroupsRelease) -> None:
    difference = groups.compare("case", "control")
    assert np.abs(difference.values - 0.2).max() < 0.15
    assert difference.p_value is not None
    assert difference.p_value < 0.05
    assert difference.not_zero
    features = groups.features("case", minus="control", integral=True, derivative=True)
    assert features.integral is not None
    assert features.integral.lower < features.integral.value < features.integral.upper
    assert len(features.derivative) == len(groups.band("case").grid_points)
    alone = groups.features("case", integral=True).integral
    assert alone is not None
    assert alone.sd < features.integral.sd
    back = groups.compare("control", "case", level=0.9)
    np.testing.assert_allclose(back.values, -difference.values, atol=1e-12)
    assert (back.upper - back.lower < difference.upper - difference.lower).all()


def test_releases_of_other_people_are_compared(curves: np.ndarray) -> None:
    mean = dpfda.PrivateMean(**STATED)
    one, other = mean.release(curves[:300], **SEEDED), mean.release(curves[300:] + 0.2, seed=8, not_private=True)
    assert one.compare(other).values.mean() < -0.1
    with pytest.raises(dpfda.DpfdaError, match="same one"):
        one.compare(one)


def test_private_labels_have_a_noisy_number_of_records(curves: np.ndarray) -> None:
    found = released(curves, LABELS, private_labels=["case", "control"])
    assert found.group("case")["records_sd"] > 0


DOSES = ["1", "2", "2.50"]


def columns_of(labels: list[str], tmp_path: Path, curves: np.ndarray) -> dict[str, Any]:
    """Labels as every library reads them from one file, or makes them of what it read."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    arrow_csv = pytest.importorskip("pyarrow.csv")
    path = tmp_path / "labels.csv"
    rows = [",".join([label, *map(repr, row)]) for label, row in zip(labels, curves.tolist())]
    path.write_text("\n".join([",".join(["dose", *(f"v{k}" for k in range(POINTS))]), *rows]) + "\n")
    frame = pandas.read_csv(path)
    kinds: list[Any] = [frame["dose"].dtype, "category", object, "string"]
    if frame["dose"].dtype.kind in "if":
        kinds += ["float64", "Float64"]
    found: dict[str, Any] = {f"pandas {kind}": frame["dose"].astype(kind) for kind in kinds}
    of_polars = polars.read_csv(path, infer_schema_length=None)["dose"]
    found |= {"polars": of_polars, "polars text": of_polars.cast(polars.String), "Arrow": arrow_csv.read_csv(path)["dose"]}
    found |= {"numpy": frame["dose"].to_numpy(), "numpy objects": frame["dose"].to_numpy(dtype=object)}
    found |= {"Arrow of polars": of_polars.to_arrow(), "list": list(frame["dose"]), "file": path}
    if frame["dose"].dtype.kind in "if":
        found["decimals"] = [None if label == "" else decimal.Decimal(label) for label in labels]
    return found


def of_column(curves: np.ndarray, column: Any, asked: dict[str, Any]) -> Any:
    """What is released of labels in a file, or beside an array: every number of every group."""
    groups = dpfda.PrivateGroups(**STATED, values="v*", **asked)
    data = {"data": column} if isinstance(column, Path) else {"data": curves, "columns": {"dose": column}}
    return bits(groups.release(**data, **SEEDED))


@pytest.mark.parametrize("last", ["1", "", "0", "2.500", "x", "TRUE"])
def test_one_cell_of_a_column_changes_nobody_elses_label(last: str, curves: np.ndarray, tmp_path: Path) -> None:
    labels = [DOSES[row % 3] for row in range(599)] + [last]
    asked: dict[str, Any] = {"by": "dose", "private_labels": ["1.0", "2", "2.5"]}
    expected = of_column(curves, labels, asked)
    sizes = dpfda.GroupsRelease.from_json(expected)
    assert min(sizes.group(name)["records"] for name in ("1.0", "2", "2.5")) > 150
    for name, column in columns_of(labels, tmp_path, curves).items():
        assert of_column(curves, column, asked) == expected, name


def test_truths_are_labels_also_where_one_is_missing(curves: np.ndarray, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"by": "dose", "private_labels": ["True", "False"]}
    for last in ("True", ""):
        labels = ["TRUE" if row % 3 else "False" for row in range(599)] + [last]
        expected = of_column(curves, labels, asked)
        assert dpfda.GroupsRelease.from_json(expected).group("True")["records"] > 300
        for name, column in columns_of(labels, tmp_path, curves).items():
            assert of_column(curves, column, asked) == expected, name


def test_a_column_of_another_type_is_refused_whatever_its_cells_hold(curves: np.ndarray) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    mean = dpfda.PrivateMean(**STATED, subject="whose")
    dates = pandas.Series(pandas.to_datetime(["2020-01-01"] * 600))
    for column in (
        dates,
        dates.dt.to_period("D"),
        polars.Series([[1.0]] * 600),
        np.array([b"a"] * 600),
        polars.from_pandas(dates),
    ):
        with pytest.raises(dpfda.DpfdaError, match="of another type") as refused:
            released(curves, column, private_labels=["a", "b"])
        assert refused.value.parameter == "by"
        with pytest.raises(dpfda.DpfdaError, match="of another type") as refused:
            mean.release(curves, columns={"whose": column}, **SEEDED)
        assert refused.value.parameter == "subject"


@pytest.mark.parametrize("label", ["none", "", str(2**53), "1e300", "nan"])
def test_a_label_that_no_cell_surely_says_is_refused(label: Any, curves: np.ndarray) -> None:
    with pytest.raises(dpfda.DpfdaError, match="surely says") as refused:
        released(curves, LABELS, private_labels=["case", label])
    assert refused.value.parameter == "private_labels"


def test_a_person_is_one_in_every_type_of_ids(curves: np.ndarray) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    mean, ids = dpfda.PrivateMean(**STATED, subject="whose"), np.arange(600) // 2
    expected = mean.release(curves, columns={"whose": [str(one) for one in ids]}, **SEEDED)
    assert expected.records == 300
    spelled = [f"{one}.0" if row % 2 else f"0{one}" for row, one in enumerate(ids)]
    mixed = [float(one) if row % 2 else int(one) for row, one in enumerate(ids)]
    for subject in (spelled, mixed, ids, ids.astype(float), pandas.Series(mixed, dtype=object), polars.Series(ids.astype(float))):
        assert mean.release(curves, columns={"whose": subject}, **SEEDED) == expected
    for nobody in (1.5, "1.50", True, float(2**53)):
        with pytest.raises(dpfda.DpfdaError, match="row 599") as refused:
            mean.release(curves, columns={"whose": [*map(str, ids[:599]), nobody]}, **SEEDED)
        assert refused.value.parameter == "subject"


def test_groups_are_public_and_read_back(groups: dpfda.GroupsRelease) -> None:
    assert pickle.loads(pickle.dumps(groups)) == groups
    assert "NOT PRIVATE" in repr(groups)
    assert groups.facts
    assert groups.document["kind"] == "groups"


def test_labels_come_from_a_frame_too(groups: dpfda.GroupsRelease, curves: np.ndarray) -> None:
    pandas = pytest.importorskip("pandas")
    moved = np.where((np.arange(600) % 2 == 1)[:, None], curves + 0.2, curves)
    frame = pandas.DataFrame(moved).add_prefix("v").assign(arm=LABELS)
    study = dpfda.PrivateGroups(**STATED, by="arm", values="v*")
    assert bits(study.release(frame, **SEEDED)) == bits(groups)
    with pytest.raises(dpfda.DpfdaError, match="must name the value columns") as refused:
        dpfda.PrivateGroups(**STATED, by="arm").release(frame, **SEEDED)
    assert refused.value.parameter == "values"


def test_files_of_groups_give_the_bytes_of_the_command(command: Callable[..., Path], tmp_path: Path, curves: np.ndarray) -> None:
    path = tmp_path / "curves.csv"
    header = ",".join(["arm"] + [f"v{k}" for k in range(POINTS)])
    rows = [",".join([label] + [repr(float(x)) for x in row]) for label, row in zip(LABELS, curves)]
    path.write_text("\n".join([header, *rows]) + "\n")
    basic = ["--values", "v*", "--bounds", "0,1", "--epsilon", "1", "--delta", "1e-5", "--not-private", "--seed", "7"]
    expected = (command("release", path, *basic, "--by", "arm") / "release.json").read_text()
    study = dpfda.PrivateGroups(**STATED, by="arm", values="v*")
    assert study.release(path, **SEEDED).to_json() + "\n" == expected
    assert bits(released(curves, LABELS)) + "\n" == without_table(expected)


@pytest.mark.parametrize(
    ("settings", "arguments", "parameter"),
    [
        ({}, {"by": LABELS[:-1]}, "by"),
        ({}, {"by": "arms"}, "by"),
        ({"slope": 3}, {}, "slope"),
        ({"kernel": "gaussian"}, {}, "kernel"),
        ({"band": "posterior"}, {}, "band"),
        ({"mechanism": "cameron-martin"}, {}, "mechanism"),
        ({"neighbours": "add-remove"}, {}, "private_labels"),
        ({"moments": "covariance"}, {}, "moments"),
        ({"center_share": 0.6}, {}, "center_share"),
        ({"radius_share": 0.1, "epsilon": 0.01}, {}, "radius_share"),
    ],
)
def test_groups_that_make_no_sense_are_refused(
    settings: dict[str, Any], arguments: dict[str, Any], parameter: str, curves: np.ndarray
) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        released(curves, arguments.get("by", LABELS), **settings)
    assert refused.value.parameter == parameter, str(refused.value)


def test_a_group_that_is_none_is_refused_with_those_that_are(groups: dpfda.GroupsRelease) -> None:
    with pytest.raises(dpfda.DpfdaError, match="case"):
        groups.group("children")


@pytest.mark.parametrize("level", [np.nextafter(0.5, 1), np.nextafter(0.9999, 0)])
def test_every_level_of_the_settings_is_one_of_the_bands(level: float, curves: np.ndarray) -> None:
    # the level is used after the draw: one that is refused there would lose the release
    release = released(curves, ["a", "b"] * 300, level=float(level))
    assert release.names == ["a", "b"]
    for refused in (0.5, 0.9999, float("nan")):
        with pytest.raises(dpfda.DpfdaError):
            dpfda.PrivateGroups(**STATED, by="arm", level=refused)


def test_several_groups_have_one_test(groups: dpfda.GroupsRelease) -> None:
    test = groups.test()
    assert sorted(test.compared) == ["case", "control"]
    assert test.left_out == []
    assert test.p_value < 0.01
    assert groups.test(*groups.names) == test
    with pytest.raises(dpfda.DpfdaError):
        groups.test("case", "nobody")
