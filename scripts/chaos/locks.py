"""Locks that are refused, that fail at random, and that are granted to everybody; and processes that stop or die at any call."""

from __future__ import annotations

import errno
import os
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import faults
from faults import COMMAND, EVER, LOCK, based, clean, ended, every, judged
from runs import MEAN, Bench, Claims, Run, account, documents, is_plain

OTHER = MEAN + " --release-id n --out other"
FUNLCK = 2


def run(bench: Bench, claims: Claims, wanted: int, seed: int, jobs: int) -> list[str]:
    base = based(bench)
    calls = clean(bench, base)
    moments = range(1, len(calls) + 1, max(1, 1500 // wanted))
    taken = sum(record.kind == "L" and record.offset != FUNLCK for record in calls)
    lines = [refused(bench, base, claims)]
    for name, error in (("ENOLCK", errno.ENOLCK), ("EAGAIN", errno.EAGAIN), ("EIO", errno.EIO)):
        for when, last in (("for one call", "K"), ("from the k-th call on", EVER)):
            fault = f"{LOCK}:{error}:K:{last}:100:1"
            lines.append(every(bench, base, claims, jobs, f"a lock fails with {name}, {when}", taken, 1, fault=fault))
    for share in (30, 90):
        fault = f"{LOCK}:{errno.ENOLCK}:1:{EVER}:{share}:K"
        lines.append(random_locks(bench, base, claims, jobs, share, fault))
    lines.append(killed(bench, base, claims, jobs, moments))
    for name, words in (("another id", OTHER), ("the same id", COMMAND)):
        lines.append(crossed(bench, base, claims, jobs, moments, f"a second process with {name} after one of its calls", words))
    lines.append(lied(bench, base, jobs, moments))
    return lines


def refused(bench: Bench, base: Path, claims: Claims) -> str:
    """A file system without locks: nothing is shown, nothing is paid."""
    errors = (errno.ENOLCK, errno.EAGAIN, errno.EACCES, errno.EIO, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
    for error in errors:
        folder, fault = bench.copy(base), f"{LOCK}:{error}:1:{EVER}:100:1"
        shown = bench.run(folder, "ledger show l", fault=fault, hurry=1)
        claims.hold("without locks, a ledger is not shown", shown.code == 2 and not shown.out and is_plain(shown), shown)
        end = judged(bench, base, folder, bench.run(folder, COMMAND, fault=fault, hurry=1), claims, fault)
        claims.hold("without locks, nothing is paid for", end[0] == 2 and not end[2], (fault, end))
        bench.remove(folder)
    return f"no locks at all: {len(errors)} errors"


def random_locks(bench: Bench, base: Path, claims: Claims, jobs: int, share: int, fault: str, runs: int = 40) -> str:
    def one(seed: int) -> tuple:
        folder = bench.copy(base)
        run = bench.run(folder, COMMAND, hurry=1, fault=fault.replace("K", str(seed)))
        end = judged(bench, base, folder, run, claims, (fault, seed))
        bench.remove(folder)
        return end

    with ThreadPoolExecutor(jobs) as pool:
        return f"{share} of 100 locks fail with ENOLCK at random: {runs} runs; {ended(list(pool.map(one, range(1, runs + 1))))}"


def stopped(bench: Bench, folder: Path, at: int, then, **chaos: object) -> Run:
    """A release that is stopped after a call, with what is done meanwhile."""
    process = bench.start(folder, COMMAND, stop=at, hurry=1, **chaos)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WSTOPPED | os.WNOWAIT)
    if process.poll() is None:
        then(process)
        process.send_signal(signal.SIGCONT)
    out, err = process.communicate(timeout=600)
    return Run(process.returncode, out, err)


def killed(bench: Bench, base: Path, claims: Claims, jobs: int, moments: range) -> str:
    def one(at: int) -> tuple:
        folder = bench.copy(base)
        run = stopped(bench, folder, at, lambda process: process.kill())
        # there are no words of a process that was killed
        code = 1 if run.code == -signal.SIGKILL else run.code
        end = judged(bench, base, folder, Run(code, run.out, "error: " if code else run.err), claims, ("killed", at))
        bench.remove(folder)
        return (run.code, *end[1:])

    with ThreadPoolExecutor(jobs) as pool:
        return f"killed after one of {len(moments)} calls; {ended(list(pool.map(one, moments)))}"


def pair(bench: Bench, base: Path, at: int, words: str, **chaos: object) -> tuple[Path, Run, Run]:
    """One process is stopped at a call, another runs from beginning to end, and the first goes on."""
    folder, others = bench.copy(base), []
    first = stopped(bench, folder, at, lambda _: others.append(bench.run(folder, words, hurry=1, **chaos)), **chaos)
    return folder, first, others[0] if others else Run(2, "", "error: it was too late")


def crossed(bench: Bench, base: Path, claims: Claims, jobs: int, moments: range, name: str, words: str) -> str:
    def one(at: int) -> tuple:
        folder, first, second = pair(bench, base, at, words)
        claims.hold(faults.ENDS, is_plain(first) and is_plain(second), (name, at, first, second))
        found = account(bench, folder, sums=False)
        seen = {"m" if path.parent.name == "mean" else "n" for path in documents(folder)}
        claims.hold(faults.PAID, seen <= set(found.ids("released")) & set(found.ids("spent")), (name, at, first, second))
        claims.hold(faults.ONCE, len(set(found.ids("spent"))) == len(found.ids("spent")), (name, at))
        claims.hold(faults.TRUE, (first.code == 0) == ("m" in seen), (name, at, first, second))
        bench.remove(folder)
        return first.code, second.code

    with ThreadPoolExecutor(jobs) as pool:
        codes = Counter(pool.map(one, moments))
    return f"{name}: " + ", ".join(f"{count} with exit codes {one} and {two}" for (one, two), count in sorted(codes.items()))


def lied(bench: Bench, base: Path, jobs: int, moments: range) -> str:
    """Locks that both processes are granted: what happens is counted, and no claim is made."""

    def one(at: int) -> str:
        folder, first, second = pair(bench, base, at, OTHER, lie=1)
        found = account(bench, folder, sums=False)
        seen = {"m" if path.parent.name == "mean" else "n" for path in documents(folder)}
        unpaid = seen - (set(found.ids("released")) & set(found.ids("spent")))
        bench.remove(folder)
        if found.run.code != 0:
            return "the ledger is refused as damaged" + (" after a release was shown" if seen else "")
        if unpaid:
            return "a release is shown and its payment is gone"
        return "all that is shown is paid for" + ("" if first.code == second.code == 0 else "; a process was refused")

    with ThreadPoolExecutor(jobs) as pool:
        ends = Counter(pool.map(one, moments))
    return f"locks granted to two at once, {len(moments)} runs (no claim): " + "; ".join(
        f"{count} {end}" for end, count in sorted(ends.items())
    )
