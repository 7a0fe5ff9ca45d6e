"""Measure the package, and write docs/results/python.md: python bindings/python/bench.py --wheel WHEEL [--small].

It needs a quiet machine with two cores, and dask, distributed and pyarrow. Each ratio is of medians that were measured in turn,
in one run. With --small nothing is written: the sizes are too small to mean anything, and show only that the program runs.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import dpfda
import dpfda.dask
from dpfda import _dpfda

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "results" / "python.md"
POINTS = 93
SETTINGS: dict[str, Any] = {"bounds": (0, 1), "epsilon": 1, "delta": 1e-5}
SEEDED: dict[str, Any] = {"seed": 1, "not_private": True}
HEAD = """# What was measured in Python

`python bindings/python/bench.py --wheel WHEEL` writes this page; it is not edited by hand. Times are medians of measurements
in turn, in one run, unless the line says otherwise.

| what | measured | at most |
|---|---|---|
"""


def seconds(work: Callable[[], Any]) -> float:
    """The time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def medians(repetitions: int, *works: Callable[[], Any]) -> list[float]:
    """The median times of several pieces of work, measured in turn."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(repetitions):
        for at, work in enumerate(works):
            times[at].append(seconds(work))
    return [statistics.median(one) for one in times]


def peak() -> int:
    """The largest memory of this process, in kilobytes."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def synthetic(rows: int) -> np.ndarray:
    """Curves that belong to nobody."""
    t = np.linspace(0, 1, POINTS)
    random = np.random.default_rng(1)
    values = random.normal(size=(rows, 1)) * (0.05 * np.cos(3 * t))
    values += 0.5 + 0.1 * np.sin(5 * t)
    return values


def overhead(repetitions: int) -> str:
    """What the package adds to the compiled call of a small release: the same call where the compiled one is over at once."""
    t = np.arange(POINTS)
    small = 0.5 + 0.1 * np.sin((np.arange(376)[:, None] % 7 + t) / 9.0)
    mean = dpfda.PrivateMean(**SETTINGS)
    compiled = _dpfda.release
    made: list[Any] = []

    def call() -> None:
        mean.release(small, threads=1, **SEEDED)

    def kept(*arguments: Any) -> Any:
        made.append(compiled(*arguments))
        return made[-1]

    try:
        _dpfda.release = kept
        whole = medians(repetitions, call)[0]
        _dpfda.release = lambda *_: made[-1]
        added = medians(100 * repetitions, call)[0]
    finally:
        _dpfda.release = compiled
    return f"| call of 376 x 93, beside the compiled call ({whole * 1e3:.1f} ms) | {added * 1e6:.0f} microseconds | 60 |\n"


def over_rust(repetitions: int) -> str:
    """A small release against the same in Rust: the least times, in turn, as the difference is small."""
    t = np.arange(POINTS)
    small = 0.5 + 0.1 * np.sin((np.arange(376)[:, None] % 7 + t) / 9.0)
    mean = dpfda.PrivateMean(**SETTINGS)
    program = [
        "cargo",
        "run",
        "--profile=wheel",
        "--quiet",
        "--package=dpfda-benches",
        "--bin=baseline",
        "--",
        "376",
        str(POINTS),
        str(repetitions),
    ]
    python = rust = float("inf")
    for _ in range(5):
        rust = min(rust, float(subprocess.run(program, cwd=HERE, capture_output=True, text=True, check=True).stdout))
        python = min(python, *(1e6 * seconds(lambda: mean.release(small, threads=1, **SEEDED)) for _ in range(repetitions)))
    return f"| call of 376 x 93, over Rust's {rust:.0f} microseconds (least times) | {python - rust:.0f} microseconds | 30 |\n"


def in_memory(rows: int, repetitions: int) -> str:
    """A large release against NumPy without privacy, its memory, and two threads of Python."""
    curves = synthetic(rows)
    # the work that NumPy's mean is compared with: the mean alone, in the stated ball
    mean = dpfda.PrivateMean(**SETTINGS, radius_share=0, moments="none")
    stated = dpfda.PrivateMean(**SETTINGS, radius_share=0)
    bought = dpfda.PrivateMean(**SETTINGS)

    def release(of: dpfda.PrivateMean, threads: int) -> Callable[[], Any]:
        return lambda: of.release(curves, threads=threads, **SEEDED)

    def apart() -> None:
        workers = [threading.Thread(target=release(mean, 1)) for _ in range(2)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    before = peak()
    release(mean, 2)()
    extra = (peak() - before) / 1024
    plain, one, two, both = medians(
        repetitions, lambda: np.clip(curves, 0, 1).mean(axis=0), release(mean, 1), release(mean, 2), apart
    )
    with_moments, with_radius = medians(max(1, repetitions // 3), release(stated, 2), release(bought, 2))
    return (
        f"| {rows} x 93, the mean alone, two threads, over NumPy's clip and mean ({plain * 1e3:.0f} ms) "
        f"| {two / plain:.2f} | 0.25 |\n"
        f"| the same by one thread | {one / plain:.2f} | - |\n"
        f"| with second moments, two threads | {with_moments / plain:.2f} | - |\n"
        f"| with second moments and a bought radius (the default), two threads | {with_radius / plain:.2f} | - |\n"
        f"| memory beside the array | {extra:.0f} MB | 0 |\n"
        f"| two releases in two threads of Python, over one after the other | {2 * one / both:.2f} times as fast "
        "| 1.8, at least |\n"
    )


def importing() -> str:
    """The time of the import after NumPy."""
    code = "import time, numpy; start = time.perf_counter(); import dpfda; print(time.perf_counter() - start)"
    times = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(9)]
    return f"| import after NumPy | {statistics.median(times) * 1e3:.1f} ms | 5 ms |\n"


def on_dask(rows: int, repetitions: int) -> str:
    """Sixteen Parquet files on two workers, against the reader in Rust."""
    import dask.array
    import distributed
    import pyarrow
    from pyarrow import parquet

    mean = dpfda.PrivateMean(**SETTINGS, radius_share=0, moments="none", values="v*")
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for at, piece in enumerate(np.array_split(synthetic(rows), 16)):
            paths.append(Path(folder) / f"curves-{at:02d}.parquet")
            parquet.write_table(pyarrow.table({f"v{k}": piece[:, k] for k in range(POINTS)}), paths[-1], compression="zstd")
        plan = mean.plan(paths[0])
        expected = mean.release(f"{folder}/*.parquet", threads=2, **SEEDED)
        with (
            distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
        ):
            names = [f"v{k}" for k in range(POINTS)]
            blocks = [dask.delayed(lambda path: parquet.read_table(path).to_pandas()[names].to_numpy())(path) for path in paths]
            length = rows // 16
            arrays = [dask.array.from_delayed(block, (length, POINTS), float) for block in blocks]
            plain = dask.array.clip(dask.array.concatenate(arrays), 0, 1).mean(axis=0)

            def cluster_release() -> None:
                released = dpfda.dask.release(paths, plan, client=client, **SEEDED)
                assert np.array_equal(released.values, expected.values)

            cluster_release()
            memory = max(client.run(_memory).values()) / 1024
            reader, dask_time, plain_time = medians(
                repetitions,
                lambda: mean.release(f"{folder}/*.parquet", threads=2, **SEEDED),
                cluster_release,
                lambda: client.compute(plain).result(),
            )
            killer = threading.Timer(dask_time / 3, lambda: os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL))
            killer.start()
            cluster_release()
            killer.join()
    return (
        f"| {rows} x 93 from 16 Parquet files by Dask, two workers, over the reader in Rust on two threads ({reader:.2f} s) "
        f"| {dask_time / reader:.2f} | 1.4 |\n"
        f"| the same job without privacy in NumPy and dask.array, over the reader in Rust | {plain_time / reader:.2f} | - |\n"
        f"| largest memory of a worker | {memory:.0f} MB | 300 MB |\n"
        "| the release after a worker was killed | the same bits | the same bits |\n"
    )


def _memory() -> int:
    # the largest memory of this program; getrusage would also count that of the process which started it
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=Path, required=True)
    parser.add_argument("--small", action="store_true")
    arguments = parser.parse_args()
    rows, repetitions = (32_000, 3) if arguments.small else (1_000_000, 9)
    page = HEAD + overhead(repetitions) + over_rust(3 * repetitions) + in_memory(rows, repetitions) + importing()
    page += f"| wheel | {arguments.wheel.stat().st_size / 2**20:.1f} MB | 3 MB |\n"
    page += on_dask(rows, repetitions)
    page += f"\nPython {sys.version.split()[0]}, NumPy {np.__version__}, dpfda {dpfda.__version__}, {os.cpu_count()} cores.\n"
    if arguments.small:
        print(page)
    else:
        PAGE.write_text(page)


if __name__ == "__main__":
    main()
