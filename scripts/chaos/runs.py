"""Runs of the command, undisturbed and disturbed, and what is asked of whatever they leave."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from disk import Record, read

CREATE = "ledger create l --epsilon 8 --delta 1e-4 --unit curve --neighbours substitute --dataset made-up"
MEAN = (
    "release {data}/curves.csv --values v* --center 0 --radius 1 --radius-share none --epsilon 1 --delta 1e-5 "
    "--size 240x240 --ledger l"
)
TWICE = MEAN + " --center-share 0.1"
DENSITY = "release {data}/points.csv --columns x --bounds 0,1 --epsilon 0.5 --cells 4 --unit curve --size 240x240 --ledger l"

LEDGER = ("l", "l-journal")


@dataclass
class Run:
    """How a run ended, and what it said."""

    code: int
    out: str
    err: str

    @property
    def words(self) -> str:
        """What was said on the error stream, without the random names of hidden directories."""
        return re.sub(r"\.dpfda-\w+", ".dpfda-*", self.err)


@dataclass
class Bench:
    """The command, the shim, and a place to work in."""

    command: str
    shim: Path
    place: Path
    made: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    known: dict[Path, list[dict]] = field(default_factory=dict)

    def entries(self, folder: Path) -> list[dict]:
        """The entries of a ledger that nobody changes from here on."""
        if folder not in self.known:
            self.known[folder] = account(self, folder).entries
        return self.known[folder]

    def folder(self) -> Path:
        with self.lock:
            self.made += 1
            folder = self.place / f"place{self.made}"
        folder.mkdir()
        return folder

    def copy(self, folder: Path) -> Path:
        new = self.folder()
        shutil.copytree(folder, new, dirs_exist_ok=True)
        return new

    @staticmethod
    def remove(*folders: Path) -> None:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)

    def start(self, folder: Path, words: str, **chaos: object) -> subprocess.Popen[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CHAOS_")}
        if chaos:
            environment |= {f"CHAOS_{name.upper()}": str(value) for name, value in chaos.items()}
            environment |= {"LD_PRELOAD": str(self.shim), "CHAOS_ROOT": str(folder)}
        arguments = words.format(data=self.place / "data").split(" ")
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [self.command, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True
        )

    def run(self, folder: Path, words: str, **chaos: object) -> Run:
        process = self.start(folder, words, **chaos)
        out, err = process.communicate(timeout=600)
        return Run(process.returncode, out, err)

    def traced(self, folder: Path, words: str, **chaos: object) -> tuple[Run, list[Record]]:
        """A run, and its calls in their order."""
        log = self.place / f"{folder.name}.log"
        done = self.run(folder, words, log=log, **chaos)
        records = read(log.read_bytes() if log.exists() else b"", str(folder))
        log.unlink(missing_ok=True)
        return done, records


class Claims:
    """How often each claim was tested, and how often it failed; the first failures are told unless they are expected."""

    def __init__(self, *, told: int = 5) -> None:
        self.told = told
        self.tested: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.lock = threading.Lock()

    def hold(self, claim: str, holds: bool, where: object) -> bool:
        with self.lock:
            self.tested[claim] += 1
            if not holds:
                self.failed[claim] += 1
                if self.failed[claim] <= self.told:
                    print(f"FAILED: {claim}: {where}", file=sys.stderr, flush=True)
        return holds

    def table(self) -> list[str]:
        width = max(map(len, self.tested), default=0)
        return [f"  {claim:{width}}  {count:7} tests, {self.failed[claim]} failures" for claim, count in self.tested.items()]


@dataclass
class Account:
    """What a ledger says of itself when it is opened by a command that nothing disturbs."""

    run: Run
    entries: list[dict]
    spent: object

    def ids(self, event: str) -> list[str]:
        events = [entry["event"] for entry in self.entries if entry["event"]["event"] == event]
        return [found["request"]["id"] if event == "spent" else found["id"] for found in events]

    def waits(self, id: str) -> bool:
        """Whether a release is between its two rounds: its first answer is kept, and nothing was drawn after it."""
        return id in self.ids("answered") and id not in self.ids("resumed")


def account(bench: Bench, folder: Path, *, sums: bool = True) -> Account:
    exported = bench.run(folder, "ledger export l")
    if exported.code != 0:
        return Account(exported, [], None)
    entries = json.loads(exported.out)["entries"]
    if not sums:
        return Account(exported, entries, None)
    shown = bench.run(folder, "ledger show l --json")
    return Account(exported, entries, json.loads(shown.out)["spent"] if shown.code == 0 else None)


def is_plain(run: Run) -> bool:
    """Whether a run ended in one of the documented ways: 0, or 1 or 2 with words; never by a panic or a signal."""
    has_words = run.err.startswith("error: ") or "\nerror: " in run.err
    return "panicked" not in run.err and (run.code == 0 or (run.code in (1, 2) and has_words))


def documents(folder: Path) -> list[Path]:
    """What of a release anybody could look at: all files but the ledger, in hidden directories too."""
    return [path for path in folder.rglob("*") if path.is_file() and path.name not in LEDGER and path.stat().st_size]


def make_data(place: Path) -> None:
    """A few made-up curves and points, outside of the folder that is watched."""
    data = place / "data"
    data.mkdir()
    rows = [[round(((7 * row + 3 * column) % 11) / 11 - 0.5, 3) for column in range(6)] for row in range(9)]
    lines = [[f"v{column}" for column in range(6)], *rows]
    (data / "curves.csv").write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
    (data / "points.csv").write_text("x\n" + "".join(f"{(5 * row % 13) / 13:.3f}\n" for row in range(13)))
