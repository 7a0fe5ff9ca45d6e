"""Parts of long tables: joined they are the whole, and they are those of the command."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import CANARY, CANARY_NAME, POINTS, SEEDED, STATED, bits, document, shows
from dpfda._parts import collect

ROWS = 3000
#: The rows of a person lie together.
IDS = np.array([f"S{row // 3:04d}" for row in range(ROWS)])
TIMES = (np.arange(ROWS) * 7919 % 2400) / 100
VALUES = 0.5 + 0.2 * np.sin(TIMES / 4)
NAMED: dict[str, Any] = {"id": "id", "time": "hour", "value": "y"}
COLUMNS = ["--id", "id", "--time", "hour", "--value", "y"]

SETTINGS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "stated": ({"expected": 1000}, ["--expected", "1000"]),
    "bought": ({"radius_share": 0.05, "bins": 12}, ["--radius-share", "0.05", "--bins", "12"]),
    "circle": ({"periodic": True, "neighbours": "add-remove"}, ["--periodic", "--neighbours", "add-remove"]),
}


def rows(start: int = 0, end: int = ROWS) -> dict[str, Any]:
    return {"id": IDS[start:end].tolist(), "hour": TIMES[start:end], "y": VALUES[start:end]}


def mean_of(name: str) -> dpfda.PrivateRows:
    return dpfda.PrivateRows(**NAMED, domain=(0, 24), **STATED, **SETTINGS[name][0])


def written(path: Path, start: int = 0, end: int = ROWS) -> Path:
    lines = [f"{s},{float(t)!r},{float(y)!r}" for s, t, y in zip(IDS[start:end], TIMES[start:end], VALUES[start:end])]
    path.write_text("\n".join(["id,hour,y", *lines]) + "\n")
    return path


@pytest.fixture(scope="module")
def key() -> dpfda.Key:
    return dpfda.Key()


@pytest.fixture(scope="module")
def plan() -> dpfda.Plan:
    return mean_of("stated").plan()


@pytest.mark.parametrize("name", SETTINGS)
def test_parts_in_any_order_are_the_whole(name: str, key: dpfda.Key, tmp_path: Path) -> None:
    mean = mean_of(name)
    plan = mean.plan()
    pieces = {"north": rows(0, 600), "south": written(tmp_path / "south.csv", 600, 2100), "west": rows(2100)}
    revealed = {part: plan.encode(pieces[part], part=part, key=key, **NAMED).reveal() for part in ("west", "north", "south")}
    whole = collect(revealed)
    assert sorted(whole.parts) == ["north", "south", "west"]
    release = whole.release(plan, **SEEDED)
    assert isinstance(release, dpfda.RowsRelease)
    assert bits(release) == bits(mean.release(rows(), **SEEDED))


@pytest.mark.parametrize("name", SETTINGS)
def test_plans_and_parts_are_those_of_the_command(name: str, command: Callable[..., Path], tmp_path: Path) -> None:
    table = written(tmp_path / "all.csv")
    basic = [*COLUMNS, "--domain", "0,24", "--bounds", "0,1", "--epsilon", "1", "--delta", "1e-5", *SETTINGS[name][1]]
    seeded = ["--not-private", "--seed", "7"]
    whole = document(command("release", table, *basic, *seeded))
    made, secret = dpfda.Key(), tmp_path / "plan.key"
    plan = mean_of(name).plan()
    (tmp_path / "plan.json").write_text(plan.to_json())
    secret.write_text(made.reveal().hex() + "\n")
    one = [*COLUMNS, "--plan", tmp_path / "plan.json", "--key", secret]
    north = command("part", written(tmp_path / "north.csv", 0, 1200), *one, "--part", "north")
    joined = dpfda.Part.read(north.read_bytes())
    assert joined.plan == plan
    south = plan.encode(rows(1200), part="south", key=made, **NAMED)
    (tmp_path / "south.part").write_bytes(south.reveal())
    assert document(command("merge", north, tmp_path / "south.part", "--plan", tmp_path / "plan.json", *seeded)) == whole
    joined.merge(south)
    assert bits(joined.release(plan, **SEEDED)) + "\n" == whole


def test_a_plan_of_rows_is_public_and_reads_back(plan: dpfda.Plan) -> None:
    assert dpfda.Plan.from_json(plan.to_json()) == pickle.loads(pickle.dumps(plan)) == copy.copy(plan) == plan
    assert plan.unit == "subject"
    assert (plan.grid_points[0], plan.grid_points[-1]) == (0, 24)
    assert plan.digest[:12] in repr(plan)
    assert len({plan.digest, *(mean_of(name).plan().digest for name in SETTINGS)}) == len(SETTINGS)
    with pytest.raises(dpfda.DocumentError):
        dpfda.Plan.from_json(plan.to_json().replace('"bins": 20', '"bins": 1'))


def test_a_part_of_rows_shows_nothing_and_stays(plan: dpfda.Plan, key: dpfda.Key) -> None:
    part = plan.encode(rows(), part="one", key=key, **NAMED)
    assert repr(part) == "Part(..)"
    for refuse in (lambda: pickle.dumps(part), lambda: copy.copy(part), lambda: copy.deepcopy(part)):
        with pytest.raises(dpfda.DpfdaError, match="not pickled"):
            refuse()
    for bad in ({"band": "honest", "band_roughness": 2}, {"band": "smoothed"}, {"level": 0.2}, {"level": "a"}):
        with pytest.raises(dpfda.DpfdaError) as refused:
            part.release(plan, **bad, **SEEDED)
        assert refused.value.parameter in bad
    shown = part.release(plan, band="posterior", level=0.8, **SEEDED).band()
    assert (shown.kind, shown.level) == ("posterior", 0.8)
    assert bits(part.release(plan, **SEEDED)) == bits(mean_of("stated").release(rows(), **SEEDED))


def test_nothing_counts_twice(plan: dpfda.Plan, key: dpfda.Key) -> None:
    def encode(start: int, end: int, part: str, key: dpfda.Key = key, plan: dpfda.Plan = plan) -> dpfda.Part:
        return plan.encode(rows(start, end), part=part, key=key, **NAMED)

    north = encode(0, 1500, "north")
    curves = np.zeros((5, POINTS))
    for other, words in (
        (encode(0, 1500, "north"), "count twice"),
        (encode(1499, ROWS, "south"), "in both parts"),
        (encode(1500, ROWS, "south", dpfda.Key()), "different keys"),
        (encode(1500, ROWS, "south", plan=mean_of("bought").plan()), "different plans"),
        (dpfda.PrivateMean(**STATED).plan(curves).encode(curves, part="south"), "different plans"),
    ):
        for first, second in ((north, other), (other, north)):
            with pytest.raises(dpfda.PartError, match=words):
                first.merge(second)
    north.merge(encode(1500, ROWS, "south"))
    assert bits(north.release(plan, **SEEDED)) == bits(mean_of("stated").release(rows(), **SEEDED))


def test_a_ledger_pays_for_joined_parts_as_for_the_whole(key: dpfda.Key, tmp_path: Path) -> None:
    terms: dict[str, Any] = {"dataset": "d", "unit": "subject", "neighbours": "substitute", "epsilon": 2, "delta": 1e-4}
    ledger = dpfda.Ledger.create(tmp_path / "ledger.db", **terms)
    plan = mean_of("bought").plan()
    part = plan.encode(rows(), part="all", key=key, **NAMED)
    first = part.release(plan, ledger=ledger, release_id="hours")
    assert first.is_private
    assert part.release(plan, ledger=ledger, release_id="hours") == first
    assert len(ledger.show()["releases"]) == 1
    assert ledger.verify(first) == []


def test_too_few_subjects_are_refused_before_anything_is_drawn(key: dpfda.Key) -> None:
    for name, number, parameter in (("stated", 3, "data"), ("bought", 3, "data"), ("bought", 30, "radius_share")):
        plan = mean_of(name).plan()
        part = plan.encode(rows(0, number), part="all", key=key, **NAMED)
        with pytest.raises(dpfda.DpfdaError) as refused:
            part.release(plan, **SEEDED)
        assert refused.value.parameter == parameter


@pytest.mark.parametrize(
    ("change", "parameter"),
    [
        ({"id": "no such column"}, "id"),
        ({"time": "no such column"}, "time"),
        ({"value": "no such column"}, "value"),
        ({"values": "y"}, "values"),
        ({"subject": "id"}, "subject"),
        ({"bins": 3}, "bins"),
        ({"key": None}, "key"),
        ({"part": ""}, "part"),
        ({"part": "a\nb"}, "part"),
        ({"data": {**rows(), "hour": [CANARY_NAME] * ROWS}}, "time"),
        ({"data": {**rows(), "id": [CANARY] * ROWS}}, "id"),
        ({"data": {**rows(), "id": [*IDS[1:], ""]}}, "id"),
        ({"data": {**rows(), "y": VALUES[1:]}}, "time"),
        ({"data": 5}, "data"),
        ({"data": "no such file"}, "data"),
    ],
)
def test_an_encoding_that_does_not_fit_the_plan_is_refused(
    change: dict[str, Any], parameter: str, plan: dpfda.Plan, key: dpfda.Key
) -> None:
    arguments: dict[str, Any] = {"data": rows(), "part": "one", "key": key, **NAMED, **change}
    with pytest.raises(dpfda.DpfdaError) as refused:
        plan.encode(arguments.pop("data"), **arguments)
    assert refused.value.parameter == parameter
    assert not shows(str(refused.value))


def test_a_plan_says_how_the_tables_of_parts_are_read(plan: dpfda.Plan, key: dpfda.Key) -> None:
    said = plan.encode(rows(), part="one", key=key, **NAMED)
    assert plan.encode(rows(), part="one", key=key).reveal() == said.reveal()
    renamed = {"who": rows()["id"], "hour": TIMES, "y": VALUES}
    for columns in ({}, {"id": "who"}):
        with pytest.raises(dpfda.DpfdaError) as refused:
            plan.encode(renamed, part="one", key=key, **columns)
        assert refused.value.parameter == "id"


@pytest.mark.parametrize("missing", NAMED)
def test_columns_that_neither_the_plan_nor_the_part_names_are_refused(missing: str, plan: dpfda.Plan, key: dpfda.Key) -> None:
    silent = {name: value for name, value in json.loads(plan.to_json()).items() if name != "table"}
    silent_plan = dpfda.Plan.from_json(json.dumps(silent))
    with pytest.raises(dpfda.DpfdaError) as refused:
        silent_plan.encode(rows(), part="one", key=key, **{name: column for name, column in NAMED.items() if name != missing})
    assert refused.value.parameter == missing


def test_files_that_do_not_fit_the_plan_are_refused(plan: dpfda.Plan, key: dpfda.Key, tmp_path: Path) -> None:
    table = written(tmp_path / "rows.csv")
    for argument in NAMED:
        with pytest.raises(dpfda.DpfdaError) as refused:
            plan.encode(table, part="one", key=key, **{**NAMED, argument: "no such column"})
        assert refused.value.parameter == argument
    table.write_text(f"id,hour,y\n{CANARY_NAME},{CANARY},{CANARY_NAME}\n")
    with pytest.raises(dpfda.DpfdaError) as refused:
        plan.encode(table, part="one", key=key, **NAMED)
    assert refused.value.parameter == "data"
    assert not shows(str(refused.value))


def test_the_columns_of_rows_do_not_fit_a_plan_of_curves(mean: dpfda.PrivateMean, curves: np.ndarray) -> None:
    for argument in NAMED:
        with pytest.raises(dpfda.DpfdaError) as refused:
            mean.plan(curves).encode(curves, part="one", **{argument: "y"})
        assert refused.value.parameter == argument


def test_a_damaged_part_of_rows_is_refused(plan: dpfda.Plan, key: dpfda.Key) -> None:
    revealed = bytearray(plan.encode(rows(), part="one", key=key, **NAMED).reveal())
    revealed[-7] ^= 1
    for bad in (bytes(revealed), bytes(revealed[:-1])):
        with pytest.raises(dpfda.PartError) as refused:
            dpfda.Part.read(bad)
        assert refused.value.parameter == "part"
