#!/usr/bin/env python3
"""Audit an installed `dpfda` as a black box: does it add the noise that it claims?

    python3 scripts/audit_command.py                      the command on the path, about ten minutes
    python3 scripts/audit_command.py ./dpfda --runs 20000

The script makes two tables of made-up curves that differ in one person, as far as the public bounds allow. It releases each of
them many times through the command, with secret noise, and reads the mean value from release.csv. By the claim

    P[value of the first > t] <= e^epsilon P[value of the second > t] + delta        for every t.

The first half of the runs chooses t. The second half tests the inequality there, by exact binomial bounds (Clopper and Pearson
1934) at a level of one in a thousand for both together. Only Python's standard library is used, and nothing of dpfda but the
command.

Exit code: 0 the claim stands, 1 it is refuted, 2 the command could not be run.
"""

import argparse
import csv
import math
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# With epsilon 0, delta is the largest difference of two probabilities: a claim that moderate numbers of runs can refute.
EPSILON = 0.0
DELTA = 0.3
LEVEL = 1e-3
POINTS = 5

# The released numbers themselves, in the direction in which the tables differ: a smoother with hardly any penalty.
STUDY = f"""
[release.mean]
[privacy]
epsilon = {EPSILON}
delta = {DELTA}
because = "audit of the command"
moments = "none"
[bound]
center = 0
radius = 1
radius_share = 0
[table]
values = "v*"
[estimate]
kernel = "matern52"
penalty = 1e-9
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", nargs="?", default="dpfda", help="the command to audit (default: dpfda)")
    parser.add_argument("--runs", type=int, default=4000, help="releases of each table (default: 4000)")
    arguments = parser.parse_args()
    if arguments.runs < 200:
        parser.error("--runs must be at least 200")
    command = shutil.which(arguments.command)
    if command is None:
        print(f"{arguments.command}: no such command", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        try:
            samples = [released(os.path.abspath(command), Path(folder), sign, arguments.runs) for sign in (1, -1)]
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"{arguments.command} failed: {getattr(error, 'stderr', error)}", file=sys.stderr)
            return 2
    return verdict(*samples)


def released(command: str, folder: Path, sign: int, runs: int) -> list[float]:
    """The values of the mean at the first point, one for each release."""
    table = folder / f"table{sign}.csv"
    rows = [[sign] * POINTS, [0] * POINTS]
    lines = [[f"v{point}" for point in range(POINTS)], *rows]
    table.write_text("".join(",".join(map(str, line)) + "\n" for line in lines))

    study = folder / "study.toml"
    study.write_text(STUDY)

    def one(run: int) -> float:
        out = folder / f"out{sign}-{run}"
        words = [command, "release", study, table, "--out", out]
        subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True)
        with (out / "release.csv").open() as file:
            values = [float(row["value"]) for row in csv.DictReader(file)]
        shutil.rmtree(out)
        return sum(values) / len(values)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, range(runs)))


def verdict(first: list[float], second: list[float]) -> int:
    half = len(first) // 2
    threshold = max(
        sorted(first[:half] + second[:half]),
        key=lambda t: share_above(first[:half], t) - math.exp(EPSILON) * share_above(second[:half], t),
    )
    counts = [sum(value > threshold for value in values[half:]) for values in (first, second)]
    runs = len(first) - half
    low = binomial_bound(counts[0], runs, LEVEL / 2, lower=True)
    high = binomial_bound(counts[1], runs, LEVEL / 2, lower=False)
    least = low - math.exp(EPSILON) * high
    print(f"claim: ({EPSILON:g}, {DELTA:g}); runs that test it: {runs} of each table; event: mean above {threshold:.4g}")
    print(f"seen: {counts[0]} and {counts[1]}; delta is at least {max(least, 0.0):.4f}, with confidence {1 - LEVEL:g}")
    if least > DELTA:
        print("REFUTED: the command adds less noise than it claims")
        return 1
    print("STANDS: these runs do not refute the claim")
    print(f"They would have, most likely, had a share of {detectable(runs):.0%} of the noise been missing.")
    return 0


def share_above(values: list[float], t: float) -> float:
    return sum(value > t for value in values) / len(values)


def detectable(runs: int) -> float:
    """The share of missing noise that these runs find more often than not."""
    mu = 2.0 * quantile((1.0 + DELTA) / 2.0)
    for percent in range(1, 100):
        shift = mu / (1.0 - percent / 100.0)
        p = normal(shift / 2.0)
        spread = math.sqrt(2.0 * p * (1.0 - p) / runs)
        if 2.0 * p - 1.0 - 3.4 * math.sqrt(2.0) * spread > DELTA:
            return percent / 100.0
    return 1.0


def normal(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def quantile(p: float) -> float:
    low, high = -40.0, 40.0
    while high - low > 1e-12:
        middle = (low + high) / 2.0
        low, high = (middle, high) if normal(middle) < p else (low, middle)
    return (low + high) / 2.0


def binomial_bound(count: int, runs: int, level: float, *, lower: bool) -> float:
    """The Clopper-Pearson bound of a probability, by bisection of the exact binomial tail."""
    if count == (0 if lower else runs):
        return 0.0 if lower else 1.0
    low, high = 0.0, 1.0
    while high - low > 1e-12:
        p = (low + high) / 2.0
        # P[X >= count] grows with p, and P[X <= count] falls
        tail = upper_tail(count, runs, p) if lower else 1.0 - upper_tail(count + 1, runs, p)
        if (tail < level) == lower:
            low = p
        else:
            high = p
    return low if lower else high


def upper_tail(count: int, runs: int, p: float) -> float:
    if p <= 0.0 or p >= 1.0:
        return float(p >= 1.0)
    log = [
        math.lgamma(runs + 1) - math.lgamma(k + 1) - math.lgamma(runs - k + 1) + k * math.log(p) + (runs - k) * math.log1p(-p)
        for k in range(count, runs + 1)
    ]
    return min(1.0, math.fsum(math.exp(term) for term in log))


if __name__ == "__main__":
    sys.exit(main())
