"""Parts: joined they are the whole, and nothing counts twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpfda
from conftest import KNOWN, POINTS, SEEDED, STATED, bits
from dpfda._parts import collect


@pytest.fixture(scope="module")
def mean() -> dpfda.PrivateMean:
    return dpfda.PrivateMean(**KNOWN)


def test_a_plan_is_public_and_reads_back(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    plan = mean.plan(curves)
    assert dpfda.Plan.from_json(plan.to_json()) == plan
    assert plan.unit == "curve"
    assert len(plan.grid_points) == POINTS
    assert plan.digest[:12] in repr(plan)
    # of the curves only the grid is used
    assert mean.plan(np.zeros((1, POINTS))) == plan


def test_a_plan_of_a_file_is_that_of_an_array(csv: Path, curves: np.ndarray) -> None:
    named = dpfda.PrivateMean(**STATED, values="v*")
    assert named.plan(csv) == named.plan(curves)
    assert dpfda.PrivateMean(**STATED, values="v*", subject="id").plan(csv).unit == "subject"


@settings(max_examples=8, deadline=None)
@given(cuts=st.lists(st.integers(1, 599), min_size=1, max_size=4, unique=True), share=st.sampled_from([None, 0]))
def test_parts_in_any_order_are_the_whole(cuts: list[int], share: Any) -> None:
    from conftest import synthetic

    curves = synthetic()
    mean = dpfda.PrivateMean(**(KNOWN if share is None else {**STATED, "radius_share": share}))
    plan = mean.plan(curves)
    pieces = np.split(curves, sorted(cuts))
    revealed = {f"part{at}": plan.encode(piece, part=f"part{at}").reveal() for at, piece in reversed(list(enumerate(pieces)))}
    assert bits(collect(revealed).release(plan, **SEEDED)) == bits(mean.release(curves, **SEEDED))


def test_files_are_parts_too(mean: dpfda.PrivateMean, csv: Path, curves: np.ndarray) -> None:
    part = mean.plan(curves).encode(csv, part="all", values="v*")
    assert bits(part.release(mean.plan(curves), **SEEDED)) == bits(mean.release(curves, **SEEDED))


def test_a_file_whose_columns_have_other_names_than_those_of_the_plan_is_refused(
    mean: dpfda.PrivateMean, csv: Path, curves: np.ndarray
) -> None:
    said = json.loads(mean.plan(curves).to_json())
    for names, is_refused in (
        ([f"v{k}" for k in range(curves.shape[1])], False),
        ([f"w{k}" for k in range(curves.shape[1])], True),
    ):
        plan = dpfda.Plan.from_json(json.dumps({**said, "table": {"names": names}}))
        if not is_refused:
            plan.encode(csv, part="all", values="v*")
            continue
        with pytest.raises(dpfda.DpfdaError) as refused:
            plan.encode(csv, part="all", values="v*")
        assert refused.value.parameter == "values"


def test_a_part_counts_once(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    plan = mean.plan(curves)
    north = plan.encode(curves[:300], part="north")
    with pytest.raises(dpfda.PartError, match="count twice"):
        north.merge(plan.encode(curves[:300], part="north"))
    north.merge(plan.encode(curves[300:], part="south"))
    assert bits(north.release(plan, **SEEDED)) == bits(mean.release(curves, **SEEDED))


def encoded(plan: dpfda.Plan, curves: np.ndarray, subjects: list[str], part: str, key: dpfda.Key) -> dpfda.Part:
    """A part of an array whose ids lie beside it."""
    return plan.encode(curves, subject="id", columns={"id": subjects}, part=part, key=key)


PEOPLE = dpfda.PrivateMean(**{**KNOWN, "expected": 200}, subject="id")


def test_a_subject_in_two_parts_is_found(curves: np.ndarray, subjects: list[str]) -> None:
    plan, key = PEOPLE.plan(curves), dpfda.Key()
    north = encoded(plan, curves[:301], subjects[:301], "north", key)
    south = encoded(plan, curves[301:], subjects[301:], "south", key)
    with pytest.raises(dpfda.PartError, match="in both parts"):
        north.merge(south)
    other = encoded(plan, curves[302:], subjects[302:], "south", dpfda.Key())
    with pytest.raises(dpfda.PartError, match="different keys"):
        north.merge(other)


def test_parts_of_subjects_are_the_whole(curves: np.ndarray, subjects: list[str]) -> None:
    plan, key = PEOPLE.plan(curves), dpfda.Key()
    kept = dpfda.Key(key.reveal())
    north = encoded(plan, curves[:300], subjects[:300], "north", key)
    north.merge(encoded(plan, curves[300:], subjects[300:], "south", kept))
    whole = PEOPLE.release(curves, columns={"id": subjects}, **SEEDED)
    assert bits(north.release(plan, **SEEDED)) == bits(whole)


def test_a_part_of_another_plan_is_refused(curves: np.ndarray) -> None:
    plan, another = dpfda.PrivateMean(**STATED).plan(curves), dpfda.PrivateMean(bounds=(0, 1), epsilon=2, delta=1e-5).plan(curves)
    one, other = plan.encode(curves, part="one"), another.encode(curves, part="other")
    with pytest.raises(dpfda.PartError, match="different plans"):
        one.merge(other)
    assert one.release(plan, **SEEDED).epsilon == 1
    # whoever made the part does not decide what is released
    for wrong in (another, plan.to_json(), None):
        with pytest.raises(dpfda.DpfdaError) as refused:
            one.release(wrong, **SEEDED)
        assert refused.value.parameter == "plan"


def test_a_damaged_part_is_refused(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    revealed = bytearray(mean.plan(curves).encode(curves, part="one").reveal())
    revealed[-7] ^= 1
    for bad in (bytes(revealed), bytes(revealed[:-1]), b"", b"7777.1,Zqx"):
        with pytest.raises(dpfda.PartError) as refused:
            dpfda.Part.read(bad)
        assert refused.value.parameter == "part"


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({"key": dpfda.Key()}, "key"),
        ({"subject": "id", "columns": {"id": ["a"] * 600}}, "subject"),
        ({"bounds": (0, 1)}, "bounds"),
        ({"part": ""}, "part"),
        ({"part": "a\nb"}, "part"),
    ],
)
def test_an_encoding_that_does_not_fit_the_plan_is_refused(
    arguments: dict[str, Any], parameter: str, mean: dpfda.PrivateMean, curves: np.ndarray
) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        mean.plan(curves).encode(curves, **{"part": "one", **arguments})
    assert refused.value.parameter == parameter


def test_curves_on_another_grid_are_refused(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        mean.plan(curves).encode(curves[:, 1:], part="one")
    assert refused.value.parameter == "grid"


def test_subjects_need_a_key(curves: np.ndarray, subjects: list[str]) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        PEOPLE.plan(curves).encode(curves, subject="id", columns={"id": subjects}, part="one")
    assert refused.value.parameter == "key"


def test_a_centre_is_not_bought_in_parts(curves: np.ndarray) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateMean(**STATED, center_share=0.1).plan(curves)
    assert refused.value.parameter == "center_share"


def test_a_part_has_a_band_of_its_own(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    plan = mean.plan(curves)
    part = plan.encode(curves, part="one")
    assert part.release(plan, band="posterior", level=0.8, **SEEDED).band().kind == "posterior"
    with pytest.raises(dpfda.DpfdaError):
        part.release(plan, band="wide", **SEEDED)


def test_parts_of_a_plan_that_follows_a_study_say_so(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    names = {"id": "id", "time": "time", "value": "value"}
    long = {"id": range(600), "time": np.linspace(0, 1, 600), "value": curves[:, 0]}
    surfaces, rows = dpfda.PrivateSurface(**STATED, surface=(3, 7)), dpfda.PrivateRows(**names, domain=(0, 1), **STATED)
    key = dpfda.Key()
    for study, table, columns in ((mean, curves, {}), (surfaces, curves, {}), (rows, long, {**names, "key": key})):
        agreed = dpfda.Plan.from_json(study.plan(curves).to_json())
        release = agreed.encode(table, part="whole", **columns).release(agreed, **SEEDED)
        assert release.study == study.digest
        bare = {name: part for name, part in json.loads(agreed.to_json()).items() if name != "study"}
        plan = dpfda.Plan.from_json(json.dumps(bare))
        assert plan.encode(table, part="whole", **columns).release(plan, **SEEDED).study is None


@pytest.mark.filterwarnings("ignore:NOT FOR PUBLICATION. delta:dpfda.CuratorWarning")
def test_parts_of_an_unusual_guarantee_need_a_reason_which_the_release_tells(curves: np.ndarray) -> None:
    plan = dpfda.PrivateMean(**{**STATED, "delta": 0.2}, because="simulated").plan(curves)
    part = plan.encode(curves, part="whole")
    with pytest.raises(dpfda.DpfdaError, match="state a reason") as refused:
        part.release(plan, **SEEDED)
    assert refused.value.parameter == "delta"
    assert part.release(plan, because="simulated", **SEEDED).document["source"]["reason"] == "simulated"
