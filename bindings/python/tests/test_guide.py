"""The examples of the guide run on the data that ship with the project, and ask for what their study files say."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import dpfda

ROOT = Path(__file__).parents[3]
SNIPPETS = ROOT / "docs" / "snippets"
EXAMPLES = sorted(path.parent.name for path in SNIPPETS.glob("*/example.py"))


def test_every_kind_has_an_example() -> None:
    kinds = {"mean", "groups", "change", "rows", "surface", "regression", "density", "centiles"}
    assert kinds <= set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_of_the_guide_runs_and_follows_its_study(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    release = runpy.run_path(str(SNIPPETS / name / "example.py"))["release"]
    study = SNIPPETS / name / "study.toml"
    if study.exists():
        release.verify(study=dpfda.Study.read(study))
