"""No message, traceback or representation shows a private value."""

from __future__ import annotations

import copy
import pickle
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import CANARY, CANARY_NAME, POINTS, STATED, shows


def with_canary(curves: np.ndarray) -> np.ndarray:
    bad = curves.copy()
    bad[5, 7] = CANARY
    bad[6, 7] = np.inf
    return bad


def pandas_table(bad: np.ndarray) -> Any:
    return pytest.importorskip("pandas").DataFrame({f"v{k}": bad[:, k] for k in range(POINTS)})


def polars_table(bad: np.ndarray) -> Any:
    return pytest.importorskip("polars").DataFrame({f"v{k}": bad[:, k] for k in range(POINTS)})


def arrow_table(bad: np.ndarray) -> Any:
    return pytest.importorskip("pyarrow").table({f"v{k}": bad[:, k] for k in range(POINTS)})


def words(bad: np.ndarray) -> list[str]:
    return [f"{CANARY_NAME}-{CANARY}"] * len(bad)


#: What is given and what is said of it: `whose` are ids beside an array.
REFUSED: dict[str, Callable[[np.ndarray], tuple[Any, dict[str, Any]]]] = {
    "infinite array": lambda bad: (bad, {}),
    "infinite pandas": lambda bad: (pandas_table(bad), {}),
    "infinite polars": lambda bad: (polars_table(bad), {}),
    "infinite Arrow": lambda bad: (arrow_table(bad), {}),
    "objects": lambda bad: (bad.astype(object), {}),
    "text array": lambda bad: (bad.astype(str), {}),
    "lists of text": lambda bad: (bad.astype(str).tolist(), {}),
    "pandas text": lambda bad: (pandas_table(bad).assign(v3=words(bad)), {}),
    "pandas objects": lambda bad: (pandas_table(bad).astype(object), {}),
    "polars text": lambda bad: (polars_table(bad).with_columns(v3=pytest.importorskip("polars").Series(words(bad))), {}),
    "Arrow text": lambda bad: (arrow_table(bad).append_column("id", [words(bad)]), {}),
    "pandas index": lambda bad: (pandas_table(bad).set_axis(words(bad)), {}),
    "too few ids": lambda bad: (bad, {"whose": words(bad)[:-1]}),
    "ids that are numbers": lambda bad: (bad, {"whose": [CANARY] * len(bad)}),
    "an id is missing": lambda bad: (bad, {"whose": [*words(bad)[:-1], None]}),
    "no such subject": lambda bad: (pandas_table(bad), {"subject": "person"}),
    "another grid": lambda bad: (bad, {"grid": [0.0, 0.5, 1.0]}),
    "no such column": lambda bad: (pandas_table(bad), {"values": "w*"}),
    "dates": lambda bad: (pandas_table(bad).assign(v3=np.datetime64("7777-01-01", "s")), {}),
}


@pytest.mark.parametrize("name", REFUSED)
def test_no_refusal_shows_a_value(name: str, curves: np.ndarray) -> None:
    bad = with_canary(curves)
    table, arguments = REFUSED[name](bad)
    columns = {"subject": arguments.pop("whose")} if "whose" in arguments else None
    study = dpfda.PrivateMean(**STATED, **({"subject": "subject"} if columns else {}), **arguments)
    with pytest.raises(dpfda.DpfdaError) as refused:
        study.release(table, columns=columns)
    error: BaseException | None = refused.value
    printed = "".join(traceback.format_exception(type(refused.value), refused.value, refused.value.__traceback__))
    assert not shows(printed), printed
    while error is not None:
        # not even an error that is hidden behind the one which is shown
        assert not shows(f"{error!r} {error} {error.args}"), error
        error = error.__context__


def test_the_search_finds_a_canary() -> None:
    assert shows(f"x = {CANARY}")
    assert shows(CANARY_NAME)
    assert not shows("row 7, column 5")


def test_a_file_with_a_canary_shows_nothing(tmp_path: Any) -> None:
    path = tmp_path / "curves.csv"
    path.write_text(f"v0,v1\n0.1,{CANARY_NAME}\n{CANARY},0.2\n")
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateMean(**STATED, values="v*").release(path)
    assert not shows(str(refused.value))
    assert refused.value.parameter == "data"


def test_points_with_a_canary_show_nothing() -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        dpfda.PrivateDensity(bounds=(0, 1), epsilon=1).release([CANARY_NAME] * 100)
    assert not shows(str(refused.value))


@pytest.fixture
def private_things(curves: np.ndarray, subjects: list[str]) -> list[Any]:
    key = dpfda.Key()
    plan = dpfda.PrivateMean(**STATED, subject="id").plan(curves)
    part = plan.encode(with_canary(curves)[:6], subject="id", columns={"id": [CANARY_NAME] * 6}, part="north", key=key)
    from dpfda._tables import _frame

    return [key, part, _frame(pandas_table(with_canary(curves)))]


def test_everything_private_refuses_to_pickle_and_to_be_copied(private_things: list[Any]) -> None:
    for private in private_things:
        for refuse in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(dpfda.DpfdaError, match="not pickled"):
                refuse(private)


def test_everything_private_prints_its_name_alone(private_things: list[Any]) -> None:
    for private in private_things:
        assert repr(private) == f"{type(private).__name__}(..)"
        assert str(private) == repr(private)
    compiled = private_things[1]._part
    assert not shows(repr(compiled))
    with pytest.raises(TypeError):
        pickle.dumps(compiled)


def test_what_is_revealed_says_so_in_its_name(private_things: list[Any]) -> None:
    key, part, _ = private_things
    assert len(key.reveal()) == 32
    assert dpfda.Part.read(part.reveal()).parts == ["north"]


def test_no_public_document_holds_an_id_or_a_value(curves: np.ndarray) -> None:
    marked = curves.copy()
    marked[5, 7] = CANARY
    ids = [f"{CANARY_NAME}{row}" for row in range(len(curves))]
    release = dpfda.PrivateMean(**STATED, subject="id").release(marked, columns={"id": ids})
    assert not shows(release.to_json())
    assert not shows(release._repr_html_())
