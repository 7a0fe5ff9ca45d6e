"""Whoever makes errors of warnings loses no release: every warning comes before the payment and before the noise."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import STATED, synthetic
from dpfda import dask as on_dask
from dpfda import spark as on_spark

ROWS = 400
CURVES = synthetic(ROWS)
IDS = [f"P{row:04d}" for row in range(ROWS)]
ALIKE = ["p0001", "P0001", *IDS[2:]]
BALL: dict[str, Any] = {"bounds": (0, 1), "epsilon": 0.2}
Release = Callable[[list[str], dict[str, Any]], Any]


def written(ids: list[str], folder: Path) -> Path:
    path = folder / "curves.csv"
    header = ",".join(["id", *(f"v{k}" for k in range(CURVES.shape[1]))])
    path.write_text("\n".join([header, *(",".join([one, *map(repr, row.tolist())]) for one, row in zip(ids, CURVES))]) + "\n")
    return path


WHOSE: dict[str, Any] = {**STATED, "subject": "id"}
LONG: dict[str, Any] = {"id": "id", "time": "t", "value": "y"}
ASKED = [dpfda.Functional.evaluation(0.5)]
ROWS_MEAN = dpfda.PrivateRows(**LONG, domain=(0, 1), **STATED)


def part(ids: list[str]) -> dpfda.Part:
    plan = dpfda.PrivateMean(**WHOSE).plan(CURVES)
    return plan.encode(CURVES, part="one", key=dpfda.Key(), subject="id", columns={"id": ids})


def rows_of(ids: list[str], times: Any = None) -> dict[str, Any]:
    return {"id": ids, "t": np.linspace(0, 1, ROWS) if times is None else times, "y": CURVES[:, 3]}


def part_of_rows(ids: list[str]) -> dpfda.Part:
    return ROWS_MEAN.plan().encode(rows_of(ids), part="one", key=dpfda.Key(), **LONG)


def of(study: Any, ids: list[str], paid: dict[str, Any], *asked: Any, **more: Any) -> Any:
    """What is released of the curves, whose ids and other columns lie beside them."""
    return study.release(CURVES, *asked, columns={"id": ids, **more}, **paid)


def of_regression(ids: list[str], paid: dict[str, Any]) -> Any:
    study = dpfda.PrivateRegression(**WHOSE, on="age", covariate_bounds="age=18:90")
    return of(study, ids, paid, age=np.linspace(20, 80, ROWS))


#: Doors that see ids.
SEEING: dict[str, Release] = {
    "mean": lambda ids, paid: of(dpfda.PrivateMean(**WHOSE), ids, paid),
    "bought centre": lambda ids, paid: of(dpfda.PrivateMean(**WHOSE, center_share=0.1), ids, paid),
    "process": lambda ids, paid: of(dpfda.PrivateMean(**WHOSE, gaps="gaussian-process"), ids, paid),
    "seen": lambda ids, paid: of(dpfda.PrivateRows(**WHOSE), ids, paid),
    "groups": lambda ids, paid: of(dpfda.PrivateGroups(**WHOSE, by="arm"), ids, paid, arm=["a", "b"] * (ROWS // 2)),
    "regression": of_regression,
    "functionals": lambda ids, paid: of(dpfda.PrivateFunctionals(**BALL, subject="id", penalty=0.01), ids, paid, ASKED),
    "path": lambda ids, paid: of(dpfda.PrivatePath(**WHOSE, penalty=0.01), ids, paid, ASKED),
    "rows": lambda ids, paid: ROWS_MEAN.release(rows_of(ids), **paid),
    "surfaces": lambda ids, paid: of(dpfda.PrivateSurface(**WHOSE, surface=(3, 7)), ids, paid),
    "density": lambda ids, paid: dpfda.PrivateDensity(**BALL, subject="id").release(CURVES[:, 3], columns={"id": ids}, **paid),
}
#: Doors that do not.
OTHERS: dict[str, Release] = {
    "part": lambda ids, paid: (made := part(ids)).release(made.plan, **paid),
    "part of rows": lambda ids, paid: (made := part_of_rows(ids)).release(made.plan, **paid),
    "dask": lambda ids, paid: on_dask.release(None, part(ids).plan, **paid),
    "spark": lambda ids, paid: on_spark.release(None, part(ids).plan, **paid),
}


@pytest.fixture
def ledger(tmp_path: Path) -> dpfda.Ledger:
    terms: dict[str, Any] = {"dataset": "people", "unit": "subject", "neighbours": "substitute", "epsilon": 9, "delta": 1e-3}
    return dpfda.Ledger.create(tmp_path / "ledger.db", **terms)


def paid_for(ledger: dpfda.Ledger) -> list[str]:
    return [one["id"] for one in ledger.show()["releases"]]


@pytest.mark.parametrize("name", SEEING)
def test_ids_that_look_alike_stop_a_release_before_it_is_paid_for(name: str, ledger: dpfda.Ledger) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(dpfda.CuratorWarning, match="NOT FOR PUBLICATION"):
            SEEING[name](ALIKE, {"ledger": ledger})
        assert paid_for(ledger) == []
        SEEING[name](IDS, {"ledger": ledger})
    assert len(paid_for(ledger)) == 1


def table_of(ids: list[Any], name: str = "id") -> Any:
    """A frame of the curves with a column of ids."""
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({f"v{k}": CURVES[:, k] for k in range(CURVES.shape[1])})
    return table.assign(status=LABELS, age=np.linspace(20, 80, ROWS), **{name: ids})


#: Releases of a frame, each row of which is protected alone.
VALUES: dict[str, Any] = {**STATED, "values": "v*"}
ALONE: dict[str, Callable[..., Any]] = {
    "mean": lambda table, **paid: dpfda.PrivateMean(**VALUES).release(table, **paid),
    "groups": lambda table, **paid: dpfda.PrivateGroups(**VALUES, by="status").release(table, **paid),
    "surfaces": lambda table, **paid: dpfda.PrivateSurface(**VALUES, surface=(3, 7)).release(table, **paid),
    "regression": lambda table, **paid: dpfda.PrivateRegression(**VALUES, on="age", covariate_bounds="age=18:90").release(
        table, **paid
    ),
    "density": lambda table, **paid: dpfda.PrivateDensity(columns="v3", bounds=(0, 1), epsilon=1).release(table, **paid),
    "study": lambda table, **paid: dpfda.Study("mean", **VALUES).release(table, **paid),
}


@pytest.mark.parametrize(
    ("name", "is_file"), [*((name, False) for name in ALONE), *((name, True) for name in ALONE if name != "density")]
)
def test_ids_that_repeat_where_no_subject_is_named_stop_a_release_before_it_is_paid_for(
    name: str, is_file: bool, tmp_path: Path
) -> None:
    def placed(ids: Any) -> Any:
        table = table_of(ids)
        if is_file:
            table.to_csv(tmp_path / "people.csv", index=False)
        return tmp_path / "people.csv" if is_file else table

    account: dict[str, Any] = {"dataset": "people", "unit": "curve", "neighbours": "substitute", "epsilon": 9, "delta": 1e-3}
    ledger = dpfda.Ledger.create(tmp_path / "ledger.db", **account)
    with pytest.raises(dpfda.CuratorWarning, match="column 'id' looks like ids, which repeat") as told:
        ALONE[name](placed(IDS[: ROWS // 2] * 2), ledger=ledger)
    assert IDS[0] not in str(told.value)
    assert paid_for(ledger) == []
    ALONE[name](placed(IDS), ledger=ledger)
    assert len(paid_for(ledger)) == 1


@pytest.mark.parametrize(
    ("column", "is_told"),
    [("Patient", True), ("subject_id", True), ("participant.no", True), ("PID", True), ("status2", False), ("android", False)],
)
def test_ids_are_known_by_the_names_of_their_columns(column: str, is_told: bool) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        ALONE["mean"](table_of([row // 2 for row in range(ROWS)], column), seed=7, not_private=True)
        # whose rows are whose is said, or nobody has two
        whose = dpfda.PrivateMean(**VALUES, subject=column)
        whose.release(table_of([row // 2 for row in range(ROWS)], column), seed=7, not_private=True)
    assert len(told) == is_told
    assert all(one.filename == __file__ for one in told)


#: A delta that is above 1/N.
WEAK = {**STATED, "delta": 0.01}
LABELS = ["a", "b"] * (ROWS // 2)


@pytest.mark.parametrize("neighbours", ["substitute", "add-remove"])
@pytest.mark.parametrize(
    ("unit", "release"),
    [
        ("curve", lambda paid, **terms: dpfda.PrivateMean(**terms).release(CURVES, **paid)),
        ("subject", lambda paid, **terms: of(dpfda.PrivateMean(**terms, subject="id"), IDS[: ROWS // 2] * 2, paid)),
        (
            "curve",
            lambda paid, **terms: dpfda.PrivateGroups(**terms, by="arm", private_labels="a,b").release(
                CURVES, columns={"arm": LABELS}, **paid
            ),
        ),
        ("subject", lambda paid, **terms: dpfda.PrivateRows(**LONG, domain=(0, 1), **terms).release(rows_of(IDS), **paid)),
        ("curve", lambda paid, **terms: dpfda.PrivateSurface(**terms, surface=(3, 7)).release(CURVES, **paid)),
        ("curve", lambda paid, **terms: dpfda.PrivateDensity(**terms).release(CURVES[:, 3], **paid)),
    ],
    ids=["mean", "subjects", "groups", "rows", "surfaces", "density"],
)
def test_a_delta_above_one_over_n_stops_a_release_before_it_is_paid_for(
    unit: str, release: Any, neighbours: str, tmp_path: Path
) -> None:
    terms: dict[str, Any] = {"dataset": "people", "unit": unit, "neighbours": neighbours, "epsilon": 9, "delta": 0.1}
    ledger = dpfda.Ledger.create(tmp_path / "ledger.db", **terms)
    with pytest.raises(dpfda.CuratorWarning, match=r"NOT FOR PUBLICATION: delta = 0.01 is above 1/N = 0\.00"):
        release({"ledger": ledger}, **WEAK, neighbours=neighbours)
    assert paid_for(ledger) == []
    release({"ledger": ledger}, **{**WEAK, "delta": 1e-4}, neighbours=neighbours)
    assert len(paid_for(ledger)) == 1


def test_ids_of_files_that_look_alike_stop_a_release_before_it_is_paid_for(ledger: dpfda.Ledger, tmp_path: Path) -> None:
    path = written(ALIKE, tmp_path)
    with pytest.raises(dpfda.CuratorWarning):
        dpfda.PrivateMean(**WHOSE, values="v*").release(path, ledger=ledger)
    assert paid_for(ledger) == []


def test_ids_of_a_part_that_look_alike_are_told_when_it_is_encoded(tmp_path: Path) -> None:
    plan, key = part(IDS).plan, dpfda.Key()
    for curves, columns in ((CURVES, {"columns": {"id": ALIKE}}), (written(ALIKE, tmp_path), {"values": "v*"})):
        with pytest.raises(dpfda.CuratorWarning):
            plan.encode(curves, part="one", key=key, subject="id", **columns)


def test_rows_that_count_as_none_stop_a_release_before_it_is_paid_for(ledger: dpfda.Ledger) -> None:
    times = np.where(np.arange(ROWS) % 2, np.linspace(0, 1, ROWS), 7)
    with pytest.raises(dpfda.CuratorWarning, match="50% of the rows"):
        ROWS_MEAN.release(rows_of(IDS, times), ledger=ledger)
    assert paid_for(ledger) == []


def test_a_part_of_rows_tells_of_ids_and_of_rows_that_count_as_none() -> None:
    rows = rows_of(ALIKE, np.linspace(0, 2, ROWS))
    with pytest.warns(dpfda.CuratorWarning) as told:
        ROWS_MEAN.plan().encode(rows, part="one", key=dpfda.Key(), **LONG)
    assert ["letter case" in str(told[0].message), "50% of the rows" in str(told[1].message)] == [True, True]
    assert {one.filename for one in told} == {__file__}


@pytest.mark.parametrize("name", [*SEEING, *OTHERS])
def test_a_note_of_the_ledger_comes_before_the_payment_and_nothing_is_lost(
    name: str, ledger: dpfda.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    door = {**SEEING, **OTHERS}[name]
    made = part(IDS)
    for module in (on_dask, on_spark):
        monkeypatch.setattr(module, "encode", lambda *_, **__: made)
    is_pure = name in ("density", "functionals")
    first = SEEING["mean"] if is_pure else SEEING["density"]
    first(IDS, {"ledger": ledger, "release_id": "first"})
    paid = {"ledger": ledger, "release_id": "second"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(dpfda.LedgerWarning, match="more than one kind"):
            door(IDS, paid)
    assert paid_for(ledger) == ["first"]
    with pytest.warns(dpfda.LedgerWarning, match="more than one kind") as told:
        release = door(IDS, paid)
    assert {one.filename for one in told} == {__file__}
    assert paid_for(ledger) == ["first", "second"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = door(IDS, paid)
    kept = [one[0] if isinstance(one, tuple) else one for one in (release, again)]
    assert kept[0] == kept[1]


def test_without_a_ledger_a_warning_that_is_an_error_stops_a_release() -> None:
    with pytest.raises(dpfda.CuratorWarning):
        SEEING["mean"](ALIKE, {})


def test_a_warning_names_the_line_that_asked_for_the_release() -> None:
    with pytest.warns(dpfda.CuratorWarning) as told:
        SEEING["mean"](ALIKE, {})
    assert told[0].filename == __file__


@pytest.mark.parametrize("of", ["mean", "groups", "surface"])
def test_codes_and_many_missing_cells_of_a_file_are_told_of_before_the_payment(
    ledger: dpfda.Ledger, tmp_path: Path, of: str
) -> None:
    rows = ["id,group,v0,v1,v2,v3", *(f"p{k},{'ab'[k % 2]},0.5,0.4,-999,{'0.5' if k % 2 else 'N/A'}" for k in range(40))]
    path = tmp_path / "curves.csv"
    path.write_text("\n".join(rows) + "\n")
    said: dict[str, Any] = {**VALUES, "subject": "id", "missing": -999}

    def release() -> Any:
        if of == "groups":
            return dpfda.PrivateGroups(**said, by="group").release(path, ledger=ledger)
        if of == "surface":
            return dpfda.PrivateSurface(**said, surface=(2, 2)).release(path, ledger=ledger)
        # no radius is bought from so few people
        return dpfda.PrivateMean(**said, radius_share=0).release(path, ledger=ledger)

    with warnings.catch_warnings():
        warnings.simplefilter("error", dpfda.CuratorWarning)
        with pytest.raises(dpfda.CuratorWarning):
            release()
    assert paid_for(ledger) == []
    with pytest.warns(dpfda.CuratorWarning) as told:
        release()
    texts = [str(one.message) for one in told]
    assert any("codes were read as missing: -999, N/A" in text for text in texts), texts
    assert any("38% of the cells are missing" in text for text in texts), texts
