"""Synthetic curves, and the command that the package must agree with."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

import dpfda

# By day random tests are the same in every run, so that a change fails for what it changed; by night they are new ones.
settings.register_profile("day", derandomize=True, database=None)
settings.register_profile("night", print_blob=True)
settings.load_profile("night" if os.environ.get("DPFDA_NIGHTLY") else "day")

POINTS = 21
SEEDED = {"seed": 7, "not_private": True}
STATED = {"bounds": (0, 1), "epsilon": 1, "delta": 1e-5}

#: The same with what parts are told of their number beforehand: they buy no centre in one step.
KNOWN: dict[str, Any] = {**STATED, "expected": 600, "center_share": 0}


def synthetic(rows: int = 600, points: int = POINTS) -> np.ndarray:
    """Curves between 0 and 1, without any randomness of the process."""
    t = np.linspace(0, 1, points)
    random = np.random.default_rng(5)
    a, b = random.normal(size=(rows, 1)), random.normal(size=(rows, 1))
    return np.clip(0.5 + 0.1 * np.sin(4 * t) + 0.05 * a * np.cos(3 * t) + 0.03 * b, 0, 1)


@pytest.fixture(scope="session")
def curves() -> np.ndarray:
    return synthetic()


@pytest.fixture(scope="session")
def mean() -> dpfda.PrivateMean:
    return dpfda.PrivateMean(**STATED)


@pytest.fixture(scope="session")
def release(mean: dpfda.PrivateMean, curves: np.ndarray) -> dpfda.Release:
    return mean.release(curves, **SEEDED)


@pytest.fixture(scope="session")
def white(curves: np.ndarray) -> dpfda.Release:
    """A release with white noise on the mean itself, after which a smoother can be chosen."""
    return dpfda.PrivateMean(**STATED, roughness=0).release(curves, **SEEDED)


@pytest.fixture(scope="session")
def subjects() -> list[str]:
    """Two curves of each person."""
    return [f"P{row // 2:04d}" for row in range(600)]


@pytest.fixture(scope="session")
def csv(tmp_path_factory: Any, curves: np.ndarray, subjects: list[str]) -> Path:
    """The curves as text, in which every number reads back as it was."""
    path = tmp_path_factory.mktemp("tables") / "curves.csv"
    header = ",".join(["id"] + [f"v{k}" for k in range(POINTS)])
    rows = [",".join([one] + [repr(float(x)) for x in row]) for one, row in zip(subjects, curves)]
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


@pytest.fixture(scope="session")
def command(tmp_path_factory: Any) -> Callable[..., Path]:
    """Runs the command that is named by DPFDA_COMMAND, and gives its directory."""
    binary = os.environ.get("DPFDA_COMMAND")
    if not binary:
        pytest.skip("DPFDA_COMMAND names no command to compare with")
    folder = tmp_path_factory.mktemp("command")
    runs = iter(range(1000))

    def run(*arguments: object) -> Path:
        number = next(runs)
        out = folder / f"out-{number}"
        words = said_by_study(binary, [str(word) for word in arguments], folder / f"study-{number}.toml")
        done = subprocess.run([binary, *words, "--out", str(out)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return out

    return run


# Settings that a release of the command has not as options, and options that are no settings.
OF_STUDIES = {"select", "kernel", "range", "penalty", "eta", "band", "level", "band-roughness", "classical", "mechanism"}
BESIDE_STUDIES = {"--not-private", "--seed", "--ledger", "--release-id", "--force", "--threads", "--sorted-by-subject"}


def said_by_study(binary: str, words: list[str], file: Path) -> list[str]:
    """The words of a command, with its settings in a study file where a release has not all of them as options."""
    if words[0] != "release" or not any(word.removeprefix("--") in OF_STUDIES for word in words):
        return words
    kinds = {"--surface": "surface", "--time": "rows", "--by": "groups", "--columns": "density", "--on": "regression"}
    kind = next((kind for option, kind in kinds.items() if option in words), "mean")
    kind = "rows" if ("--gaps", "rows") in zip(words, words[1:]) else kind
    settings, rest, is_setting = ["new", "--kind", kind], [words[0], str(file)], False
    for word in words[1:]:
        if word.startswith("--"):
            is_setting = word not in BESIDE_STUDIES
        (settings if is_setting else rest).append(word)
    file.write_text(subprocess.run([binary, *settings], capture_output=True, text=True, check=True).stdout)
    return rest


def document(out: Path) -> str:
    """The release that the command wrote, but for the names of its table: an array has none."""
    return without_table((out / "release.json").read_text())


def without_table(text: str) -> str:
    """A document without what it says of its table."""
    text = re.sub(r'"labels": \{\n.*?\n  \}', '"labels": {}', text, flags=re.DOTALL)
    text = re.sub(r'  "source": \{\n.*?\n  \},\n', "", text, flags=re.DOTALL)
    # in documents of drawn points it is the last field
    return re.sub(r',\n  "source": \{\n.*?\n  \}\n\}', "\n}", text, flags=re.DOTALL)


def bits(release: Any) -> str:
    """The document of a release, but for how its table was read and what its axes are called."""
    return without_table(release.to_json())


def shows(text: str) -> bool:
    """Whether a text shows the canary, a number or a name that stands in private data."""
    lower = text.lower()
    # so many digits are in no document by chance
    return any(part in lower for part in ("zqx", "canary", "7777.123", "777712345", "7.77712345", "123456789"))


CANARY = 7777.123456789
CANARY_NAME = "Zqx-Canary"
