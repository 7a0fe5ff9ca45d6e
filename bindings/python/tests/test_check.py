"""What a release would read and spend, and the page that a custodian signs."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
from pathlib import Path
from typing import Any

import pytest
from test_study import STUDIES, file_of, study_of
from test_study_release import data_of

import dpfda
from conftest import CANARY_NAME, SEEDED, STATED, shows


def command(*words: object) -> str:
    """What the command says."""
    binary = os.environ.get("DPFDA_COMMAND")
    if not binary:
        pytest.skip("DPFDA_COMMAND names no command to compare with")
    return subprocess.run([binary, *map(str, words)], capture_output=True, text=True, check=True).stdout


def account(folder: Path) -> dpfda.Ledger:
    terms: dict[str, Any] = {"dataset": "people", "unit": "curve", "neighbours": "substitute", "epsilon": 9, "delta": 1e-3}
    return dpfda.Ledger.create(folder / "people.ledger", **terms)


@pytest.mark.parametrize("name", STUDIES)
def test_a_check_tells_what_the_command_tells(name: str, tmp_path: Path) -> None:
    file, table = file_of(tmp_path / "study.toml", *STUDIES[name]), tmp_path / "table.csv"
    data_of(name).to_csv(table, index=False)
    told = json.loads(command("check", file, table, "--json"))["facts"]
    study = dpfda.Study.read(file)
    for private in (table, data_of(name)):
        found = study.check(private).reveal()
        assert [(fact.name, fact.text) for fact in found] == [(fact["name"], fact["text"]) for fact in told]
    assert found[-1].name == "cost"
    assert "epsilon" in found[-1].text


def test_a_check_shows_nothing_by_itself() -> None:
    checked = study_of("mean").check(data_of("mean"))
    assert repr(checked) == str(checked) == "Check(..)"
    for refuse in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(dpfda.DpfdaError, match="not pickled"):
            refuse(checked)


@pytest.mark.parametrize("name", STUDIES)
def test_a_check_refuses_what_a_release_refuses(name: str) -> None:
    study, data = study_of(name), data_of(name).iloc[:0]
    refusals = []
    for look in (study.check, lambda data: study.release(data, **SEEDED)):
        with pytest.raises(dpfda.DpfdaError) as refused:
            look(data)
        refusals.append((refused.value.parameter, str(refused.value)))
    assert refusals[0] == refusals[1]


def test_no_refusal_of_a_check_shows_a_value() -> None:
    data = data_of("mean").copy()
    data["v3"] = [CANARY_NAME] * len(data)
    with pytest.raises(dpfda.DpfdaError) as refused:
        study_of("mean").check(data)
    assert not shows(str(refused.value))


@pytest.mark.parametrize("name", STUDIES)
def test_the_page_that_a_custodian_signs_is_that_of_the_command(name: str, tmp_path: Path) -> None:
    release = study_of(name).release(data_of(name), **SEEDED)
    release.write(tmp_path / "release.json")
    command("report", tmp_path / "release.json", "--out", tmp_path / "page.html")
    # the command looks for a signature beside the file, which a release in memory does not have
    page = (
        (tmp_path / "page.html")
        .read_text()
        .replace("the release is not signed", "not looked for: this page was made from the text of the release alone")
    )
    assert dpfda.read(tmp_path / "release.json").report() == page


def test_the_page_tells_what_else_was_spent_where_the_ledger_agrees(curves: Any, tmp_path: Path) -> None:
    ledger = account(tmp_path)
    release = dpfda.PrivateMean(**STATED).release(curves, ledger=ledger, release_id="first")
    assert "people" in release.report(ledger=ledger)
    assert "<script" not in release.report(ledger=ledger)
    (tmp_path / "other").mkdir()
    with pytest.raises(dpfda.DpfdaError):
        release.report(ledger=account(tmp_path / "other"))
