"""The power goes at any moment: what is left must have been paid for, and must be whole.

A history of commands is recorded. For every call of it, states of the disk are made that a loss of power may leave then
(`disk.py`), and the undisturbed command is asked what it makes of them.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from disk import Disk, Files, Record
from runs import CREATE, DENSITY, LEDGER, MEAN, TWICE, Account, Bench, Claims, account, documents, is_plain

EROFS = 30
CHANGES = 8 + 16 + 32  # the kinds of calls that a read-only file system refuses

OPENS = "the ledger opens whole, or is refused in plain words"
LASTS = "a ledger that was told of is still there"
PREFIX = "its entries are the first of those written, and its sum is theirs"
PAID = "what can be seen was paid for and kept"
COMPLETE = "a directory of results is complete or not there"
VERIFIED = "`ledger verify` confirms a visible release"
BACK = "kept: the same command gives the same integers back"
LOST = "paid, not kept: the same command is refused, its draw is lost"
ONWARD = "between two rounds: the same command goes on, and pays nothing more"
FREE = "not paid: the same command pays and releases"
REFUSED = "no ledger: the same command is refused and writes nothing"
SAFE = "whatever was damaged: released, or refused with nothing written"
ONCE = "no id is paid for twice, and no entry changes"
READING = "on a read-only disk too, a journal is never overlooked"


@dataclass(frozen=True)
class Step:
    """A command, the id of its release, and the directory that it makes."""

    words: str
    id: str = ""
    out: str = ""
    again: Step | None = None

    @property
    def retried(self) -> Step:
        """What is given again after an interruption."""
        return self.again or self


STEPS = (
    Step(CREATE),
    Step(DENSITY + " --release-id d --out density", "d", "density"),
    Step(MEAN + " --release-id m --out mean", "m", "mean"),
    Step(MEAN + " --release-id m --out again", "m", "again"),
    Step(MEAN + " --release-id n --out mean --force", "n", "mean"),
    Step(TWICE + " --release-id t --out twice", "t", "twice"),
)


@dataclass
class History:
    """Commands that ran one after the other, with all calls that changed the folder.

    After a flush that failed the disk `is_unsure`: a ledger may then be damaged, and is refused.
    """

    disk: Disk
    told: frozenset[str]
    calls: list[tuple[Step, Record]] = field(default_factory=list)
    entries: list[dict] = field(default_factory=list)
    spent: dict[int, object] = field(default_factory=dict)
    results: dict[tuple[str, str], dict[str, bytes]] = field(default_factory=dict)
    is_unsure: bool = False


@dataclass(repr=False)
class State:
    """What a loss of power left, and what had been said before it."""

    number: int
    moment: int
    how: str
    step: Step
    files: Files
    told: frozenset[str]

    def digest(self) -> bytes:
        text = hashlib.sha256(repr((self.step, sorted(self.told))).encode())
        for path, (content, _) in sorted(self.files.items()):
            text.update(repr((path, content)).encode())
        return text.digest()

    def __repr__(self) -> str:
        return f"state {self.number}, after call {self.moment}, {self.how}, in `{self.step.words}`"


def recorded(bench: Bench, history: History, folder: Path, steps: Iterable[Step], **chaos: object) -> History:
    """Runs the commands in a folder and keeps their calls."""
    for step in steps:
        _, records = bench.traced(folder, step.words, **chaos)
        history.calls += [(step, record) for record in records]
        found = account(bench, folder)
        history.spent |= dict.fromkeys(range(len(history.entries) + 1, len(found.entries) + 1), found.spent)
        history.entries = found.entries
        result(history, folder, step)
    return history


def result(history: History, folder: Path, step: Step) -> None:
    """Takes over the files that a command made."""
    if (folder / step.out / "release.json").exists():
        files = (folder / step.out).iterdir()
        history.results[step.id, step.out] = {path.name: path.read_bytes() for path in files}


def states(history: History, chance: random.Random, wanted: int) -> Iterator[State]:
    """As many states, after all calls, with nothing, everything, and parts of what was not flushed; those that differ."""
    moments = max(1, sum(record.kind not in "LP" for _, record in history.calls))
    each = max(1.0, wanted / moments - 1.0)
    share = wanted / (moments * (1.0 + each))
    told, met, number = set(history.told), set(), 0
    for moment, (step, record) in enumerate(history.calls, 1):
        history.disk.maker = step.id
        if record.kind == "P":
            told.add(step.id or "ledger")
        elif record.kind == "L":
            continue
        else:
            history.disk.step(record, chance)
        parts = int(each) + (chance.random() < each % 1.0)
        for how in ["nothing", "everything"] + ["parts"] * parts:
            if chance.random() > share:
                continue
            files = history.disk.after(chance, how)
            state = State(number, moment, how, step, files, frozenset(told))
            digest = state.digest()
            if digest not in met:
                met.add(digest)
                number += 1
                yield state


def laid_out(bench: Bench, state: State) -> Path:
    folder = bench.folder()
    for path, (content, _) in state.files.items():
        if content is None:
            (folder / path).mkdir()
        else:
            (folder / path).write_bytes(content)
    return folder


def check(bench: Bench, history: History, state: State, claims: Claims) -> bool:
    """Asks the command about a state; whether a journal was left that had to be undone."""
    folder = laid_out(bench, state)
    aside = bench.copy(folder)
    before = account(bench, aside)
    check_ledger(history, state, before, claims)
    check_results(bench, history, state, (aside, before), claims)
    has_journal = bool(state.files.get("l-journal", (b"", ""))[0])
    if has_journal:
        reader = bench.copy(folder)
        run = bench.run(reader, "ledger export l", fault=f"{CHANGES}:{EROFS}:1:999999:100:1")
        is_same = run.code == 0 and run.out == before.run.out
        claims.hold(READING, is_plain(run) and (run.code == 2 or is_same), state)
        bench.remove(reader)
    check_again(bench, history, state, (folder, before), claims)
    bench.remove(folder, aside)
    return has_journal


def check_ledger(history: History, state: State, found: Account, claims: Claims) -> None:
    is_whole = found.run.code == 0 and found.spent is not None
    claims.hold(OPENS, is_plain(found.run) and (is_whole or (found.run.code == 2 and not found.run.out)), (state, found.run))
    if "ledger" in state.told and not history.is_unsure:
        claims.hold(LASTS, is_whole, (state, found.run))
    if is_whole:
        number = len(found.entries)
        is_prefix = found.entries == history.entries[:number] and found.spent == history.spent[number]
        claims.hold(PREFIX, is_prefix, (state, found.entries))


def check_results(bench: Bench, history: History, state: State, place: tuple[Path, Account], claims: Claims) -> None:
    folder, found = place
    seen = {maker for path, (content, maker) in state.files.items() if content and path not in LEDGER}
    seen |= state.told - {"ledger"}
    if seen:
        kept = set(found.ids("released")) & set(found.ids("spent"))
        claims.hold(PAID, seen <= kept, (state, seen, kept))
    for out in sorted({out for _, out in history.results}):
        if out not in state.files:
            continue
        files = {path[len(out) + 1 :]: content for path, (content, _) in state.files.items() if path.startswith(out + "/")}
        wholes = [files == whole for (_, name), whole in history.results.items() if name == out]
        claims.hold(COMPLETE, any(wholes), (state, out, sorted(files)))
        if out != state.step.retried.out:
            continue
        verified = bench.run(folder, f"ledger verify {out}/release.json --ledger l")
        claims.hold(VERIFIED, verified.code == 0, (state, verified))


def check_again(bench: Bench, history: History, state: State, place: tuple[Path, Account], claims: Claims) -> None:
    """What the command that was interrupted, or was the last before it, does when it is given again."""
    folder, before = place
    step = state.step.retried
    again = bench.run(folder, step.words)
    if not step.id:
        # a new ledger never replaces one; whatever is there then refuses a release or pays for it
        is_new = "l" not in state.files
        claims.hold(OPENS, is_plain(again) and (again.code == 0) == is_new, (state, again))
        step = STEPS[2]
        again = bench.run(folder, step.words)
        if is_new:
            before = Account(again, [], None)
    after = account(bench, folder, sums=False)
    if history.is_unsure and again.code != 0:
        seen = {path.relative_to(folder).as_posix() for path in documents(folder)}
        claims.hold(SAFE, is_plain(again) and seen <= set(state.files), (state, again))
        return
    if not after.entries:
        is_refused = again.code == 2 and is_plain(again) and not documents(folder)
        claims.hold(REFUSED, is_refused and not before.entries, (state, again))
        return
    is_once = len(set(after.ids("spent"))) == len(after.ids("spent"))
    claims.hold(ONCE, is_once and after.entries[: len(before.entries)] == before.entries, (state, again, after.entries))
    if step.id in before.ids("released"):
        result = folder / step.out / "release.json"
        wholes = [whole["release.json"] for (id, _), whole in history.results.items() if id == step.id]
        is_same = result.exists() and result.read_bytes() in wholes
        claims.hold(BACK, again.code == 0 and is_same, (state, again))
    elif before.waits(step.id):
        is_on = again.code == 0 and step.id in after.ids("released") and after.ids("spent") == before.ids("spent")
        claims.hold(ONWARD, is_on, (state, again))
    elif step.id in before.ids("spent"):
        is_lost = again.code == 2 and "its draw was lost" in again.err
        claims.hold(LOST, is_lost and step.id not in after.ids("released"), (state, again))
    else:
        claims.hold(FREE, again.code == 0 and step.id in after.ids("released"), (state, again))


def run(bench: Bench, claims: Claims, wanted: int, seed: int, jobs: int) -> list[str]:
    """The histories and the histories after their losses of power; what was done, in words."""
    chance = random.Random(seed)
    folder = bench.folder()
    history = recorded(bench, History(Disk(folder), frozenset()), folder, STEPS)
    if [len(history.entries), len(history.results)] != [11, 5]:
        raise RuntimeError("the commands did not do what they were to do")
    journals: list[State] = []
    number = checked(bench, claims, history, states(history, chance, wanted * 2 // 3), jobs, journals)
    rebuilt = {path: content for path, (content, _) in history.disk.after(chance, "everything").items()}
    real = {path.relative_to(folder).as_posix(): None if path.is_dir() else path.read_bytes() for path in folder.rglob("*")}
    if rebuilt != real:
        raise RuntimeError("the disk that was rebuilt from the calls is not the real one")
    lines = [
        f"{number} distinct states after {len(history.calls)} calls of {len(STEPS)} commands; {len(journals)} with a journal"
    ]
    second = calls = 0
    for state in chance.sample(journals, min(len(journals), 12)):
        nested = again(bench, history, state)
        calls += len(nested.calls)
        second += checked(bench, claims, nested, states(nested, chance, wanted // 36), jobs, [])
    lines.append(f"{second} distinct states after {calls} calls in which the power went a second time")
    return [*lines, control(bench, history, chance, jobs)]


def control(bench: Bench, history: History, chance: random.Random, jobs: int, wanted: int = 120) -> str:
    """The same calls on a disk whose flushes do nothing: the claims must fail there, or they test nothing."""
    deaf = History(Disk(bench.folder(), ignores_flushes=True), frozenset(), history.calls, history.entries, history.spent)
    deaf.results = history.results
    claims = Claims(told=0)
    number = checked(bench, claims, deaf, states(deaf, chance, wanted), jobs, [])
    missed = [claim for claim in (LASTS, PAID, COMPLETE) if not claims.failed[claim]]
    if missed:
        raise RuntimeError(f"flushes that do nothing were not noticed: {missed}")
    failed = ", ".join(f"{claims.failed[claim]} of {claims.tested[claim]}" for claim in (LASTS, PAID, COMPLETE))
    return f"control, a disk whose flushes do nothing, {number} states: three claims fail {failed} times"


def again(bench: Bench, history: History, state: State) -> History:
    """Somebody looks at what is left, and gives the interrupted command again: the power may go then, too."""
    folder = laid_out(bench, state)
    makers = {path: maker for path, (_, maker) in state.files.items()}
    nested = History(Disk(folder, makers), state.told)
    kept = account(bench, bench.copy(folder)).ids("released")
    nested.results = {key: files for key, files in history.results.items() if key[0] in kept}
    step = state.step if state.step.id else STEPS[2]
    return recorded(bench, nested, folder, [Step("ledger show l", again=step), step])


def checked(bench: Bench, claims: Claims, history: History, found: Iterator[State], jobs: int, journals: list[State]) -> int:
    number = 0
    with ThreadPoolExecutor(jobs) as pool:
        while chunk := [state for _, state in zip(range(64), found)]:
            number += len(chunk)
            for state, had in zip(chunk, pool.map(lambda state: check(bench, history, state, claims), chunk)):
                if had:
                    journals.append(state)
    return number
