"""Full disks, failing flushes, disks that may only be read, and clocks that jump."""

from __future__ import annotations

import errno
import random
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import power
from disk import Disk, Record
from runs import CREATE, DENSITY, MEAN, Bench, Claims, Run, account, documents, is_plain

WRITE, SYNC, LOCK, MAKE, OPEN, REMOVE = 1, 2, 4, 8, 16, 32
EVER = 10**9

COMMAND = MEAN + " --release-id m --out mean"
STEP = power.Step(COMMAND, "m", "mean")

ENDS = "it ends with 0, or with 1 or 2 and plain words"
OPENS = "the ledger opens whole afterwards"
PREFIX = "no earlier entry was changed"
PAID = "what can be seen was paid for and kept"
TRUE = "exit code 0: released; 2: nothing was paid, and nothing can be seen"
BACK = "kept: the same command gives it back, unchanged"
LOST = "paid, not kept: the same command is refused, its draw is lost"
FREE = "not paid: the same command pays and releases"
ONCE = "no id is paid for twice"
BLIND = "whatever the noise, it ends in the same way"
SAME = "whatever the noise, the same calls lead to the kept release"


def based(bench: Bench) -> Path:
    """A folder with a ledger that has paid for one release."""
    folder = bench.folder()
    for words in (CREATE, DENSITY + " --release-id d --out density"):
        run = bench.run(folder, words)
        if run.code != 0:
            raise RuntimeError(f"{words}: {run}")
    bench.remove(folder / "density")
    return folder


def judged(bench: Bench, base: Path, folder: Path, run: Run, claims: Claims, where: object) -> tuple:
    """What is asked of whatever a disturbed release of the id m left; the class of its end."""
    found, first = account(bench, folder), bench.entries(base)
    seen = sorted(str(path.relative_to(folder)) for path in documents(folder))
    result = folder / "mean" / "release.json"
    shown = result.read_bytes() if result.exists() else None
    paid, kept = "m" in found.ids("spent"), "m" in found.ids("released")
    where = (where, run, found.run)
    claims.hold(ENDS, is_plain(run), where)
    claims.hold(OPENS, found.run.code == 0 and found.spent is not None, where)
    claims.hold(PREFIX, found.entries[: len(first)] == first, where)
    if seen or run.out:
        claims.hold(PAID, paid and kept, where)
    claims.hold(TRUE, {0: bool(shown) and kept, 2: not (paid or seen or run.out)}.get(run.code, True), where)
    again = bench.run(folder, COMMAND)
    if kept:
        is_same = result.exists() and shown in (None, result.read_bytes())
        claims.hold(BACK, again.code == 0 and is_same, (where, again))
    elif paid:
        claims.hold(LOST, again.code == 2 and "its draw was lost" in again.err, (where, again))
    else:
        claims.hold(FREE, again.code == 0, (where, again))
    ids = account(bench, folder, sums=False).ids("spent")
    claims.hold(ONCE, len(set(ids)) == len(ids), (where, again))
    return run.code, run.words, paid, kept, bool(shown)


def clean(bench: Bench, base: Path) -> list[Record]:
    return bench.traced(bench.copy(base), COMMAND)[1]


def every(bench: Bench, base: Path, claims: Claims, jobs: int, name: str, number: int, draws: int, **chaos: str) -> str:
    """The same fault at the first call of a kind, at the second, and so on; each with several draws of the noise."""

    def one(at: int) -> list[tuple]:
        ends = []
        for _ in range(draws):
            folder = bench.copy(base)
            disturbance = {key: text.replace("K", str(at)) for key, text in chaos.items()}
            run = bench.run(folder, COMMAND, hurry=1, **disturbance)
            ends.append(judged(bench, base, folder, run, claims, (name, at)))
            bench.remove(folder)
        if draws > 1:
            claims.hold(BLIND, len(set(ends)) == 1, (name, at, ends))
        return ends

    with ThreadPoolExecutor(jobs) as pool:
        ends = [end for found in pool.map(one, range(1, number + 1)) for end in found]
    return f"{name}: {len(ends)} runs at {number} calls; {ended(ends)}"


def ended(ends: list[tuple]) -> str:
    """How many runs ended how."""
    names = Counter()
    for code, _, paid, kept, _ in ends:
        names[f"exit code {code}, {'kept' if kept else 'paid and lost' if paid else 'not paid'}"] += 1
    return ", ".join(f"{count} {name}" for name, count in sorted(names.items()))


def run(bench: Bench, claims: Claims, wanted: int, seed: int, jobs: int) -> list[str]:
    base = based(bench)
    kinds = Counter(record.kind for record in clean(bench, base))
    writes, flushes = kinds["W"] + kinds["T"], kinds["S"]
    making = writes + kinds["C"] + kinds["M"] + kinds["R"]
    full, broken = errno.ENOSPC, errno.EIO
    plans = [
        ("full disk, from the k-th call on", making, 2, f"{WRITE + MAKE}:{full}:K:{EVER}:100:1", {}),
        ("full disk, for one call", making, 1, f"{WRITE + MAKE}:{full}:K:K:100:1", {}),
        ("full disk, half of a write fits", making, 1, f"{WRITE + MAKE}:{full}:K:{EVER}:100:1", {"short": "1"}),
        ("failing write, for one call", writes, 1, f"{WRITE}:{broken}:K:K:100:1", {}),
        ("failing removal, for one call", kinds["U"], 1, f"{REMOVE}:{broken}:K:K:100:1", {}),
        ("failing flush, for one call", flushes, 2, f"{SYNC}:{broken}:K:K:100:1", {}),
        ("failing flush, from the k-th call on", flushes, 2, f"{SYNC}:{broken}:K:{EVER}:100:1", {}),
    ]
    lines = [
        every(bench, base, claims, jobs, name, number, draws, fault=fault, **more) for name, number, draws, fault, more in plans
    ]
    lines += [blind(bench, base, claims), losses(bench, base, claims, wanted // 3, seed, jobs)]
    return [*lines, reading(bench, base, claims), clocks(bench, base, claims, seed)]


def blind(bench: Bench, base: Path, claims: Claims, draws: int = 20) -> str:
    """The calls until a release is kept, with their sizes: nothing that can fail there may depend on the noise."""

    def calls() -> list[tuple]:
        found = []
        for record in clean(bench, base):
            if record.kind == "C" and "/release." in record.first:
                return found
            name = "" if ".dpfda-" in record.first else record.first
            found.append((record.kind, name, record.offset, len(record.data)))
        raise RuntimeError("the release has no files")

    first = calls()
    for _ in range(draws):
        claims.hold(SAME, calls() == first, "a trace")
    return f"calls until a release is kept: {len(first)}, compared in {draws + 1} draws"


def losses(bench: Bench, base: Path, claims: Claims, wanted: int, seed: int, jobs: int) -> str:
    """One flush fails, and then the power goes: what the cache called written may be gone."""
    chance, number = random.Random(seed), 0
    flushes = sum(record.kind == "S" for record in clean(bench, base))
    for at in range(1, flushes + 1):
        folder = bench.copy(base)
        first = account(bench, base)
        history = power.History(Disk(folder), frozenset({"ledger"}), entries=first.entries, is_unsure=True)
        history.spent[len(first.entries)] = first.spent
        power.recorded(bench, history, folder, [STEP], fault=f"{SYNC}:{errno.EIO}:{at}:{at}:100:1")
        if "m" in account(bench, folder, sums=False).ids("released"):
            bench.run(folder, COMMAND)
            power.result(history, folder, STEP)
        number += power.checked(bench, claims, history, power.states(history, chance, wanted // flushes), jobs, [])
        bench.remove(folder)
    return f"one failing flush of {flushes}, then a loss of power: {number} distinct states"


def reading(bench: Bench, base: Path, claims: Claims) -> str:
    """Disks and files that may only be read: shown, and never paid from."""
    first, number = account(bench, base), 0
    for error in (errno.EROFS, errno.EACCES, errno.EPERM):
        for kinds in (MAKE + OPEN + REMOVE, OPEN, MAKE + REMOVE):
            folder = bench.copy(base)
            fault = f"{kinds}:{error}:1:{EVER}:100:1"
            shown = bench.run(folder, "ledger export l", fault=fault)
            claims.hold("a ledger that may only be read can be shown", shown.out == first.run.out, (fault, shown))
            end = judged(bench, base, folder, bench.run(folder, COMMAND, fault=fault), claims, fault)
            claims.hold("a ledger that may only be read pays for nothing", end[0] == 2 and not end[2], (fault, end))
            number += 1
    folder = bench.copy(base)
    inside = 'mount --bind . . && mount -o remount,bind,ro . && cd "$PWD" && exec "$@"'
    words = COMMAND.format(data=bench.place / "data").split(" ")
    mounted = ["unshare", "-rm", "sh", "-c", inside, "sh", bench.command]
    probe = subprocess.run(["unshare", "-rm", "sh", "-c", inside, "sh", "true"], cwd=folder, capture_output=True)
    if probe.returncode != 0:
        return f"read-only: {number} ways; a real read-only mount was SKIPPED, which is not allowed here"
    shown = subprocess.run([*mounted, "ledger", "export", "l"], cwd=folder, capture_output=True, text=True)
    claims.hold("a ledger that may only be read can be shown", shown.stdout == first.run.out, shown)
    done = subprocess.run([*mounted, *words], cwd=folder, capture_output=True, text=True)
    end = judged(bench, base, folder, Run(done.returncode, done.stdout, done.stderr), claims, "a read-only mount")
    claims.hold("a ledger that may only be read pays for nothing", end[0] == 2 and not end[2], end)
    return f"read-only: {number} ways and a real read-only mount"


def clocks(bench: Bench, base: Path, claims: Claims, seed: int, jumps: int = 20) -> str:
    """Clocks before 1970, far in the future, and jumping at every look: time decides nothing."""
    chance = random.Random(seed)
    ends = [-(2**62), -(2**31), -1, 0, 2**31 - 1, 2**31, 2**32, 253402300800, 2**53, 2**62]
    wild = [[chance.choice([-1, 1]) * chance.getrandbits(chance.randint(1, 62)) for _ in range(16)] for _ in range(jumps)]
    first = account(bench, base).entries
    for values in [[end] for end in ends] + wild:
        folder, clock = bench.copy(base), ",".join(map(str, values))
        runs = [bench.run(folder, f"{MEAN} --release-id {id} --out {id}", clock=clock) for id in ("m", "n")]
        runs += [bench.run(folder, words, clock=clock) for words in ("ledger show l", "ledger verify n/release.json --ledger l")]
        found = account(bench, folder)
        is_done = all(run.code == 0 for run in runs) and found.entries[: len(first)] == first
        order = [entry["sequence"] for entry in found.entries]
        is_ordered = order == list(range(len(first) + 4)) and found.ids("spent") == ["d", "m", "n"]
        claims.hold("the clock refuses nothing and orders nothing", is_done and is_ordered, (clock, runs))
        bench.remove(folder)
    return f"clocks: {len(ends)} that stand and {jumps} that jump, two releases each"
