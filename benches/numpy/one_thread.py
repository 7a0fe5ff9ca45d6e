"""What the comparison programs share. Import it before NumPy: the BLAS reads its thread count once, when it is loaded."""

import json
import os
import statistics
import time

for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np  # noqa: E402


def times(work, runs):
    """Wall-clock seconds of `runs` calls of `work`, after one call that is not counted."""
    work()
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return seconds


def blas():
    """The BLAS that NumPy uses and the processor core it believes to run on.

    threadpoolctl, where installed, asks the loaded library. Otherwise `core` is null, and `name` is what NumPy was built with.
    """
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        build = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
        return {"name": build.get("name"), "core": None, "threads": None}
    for library in threadpool_info():
        if library["user_api"] == "blas":
            name = f"{library['internal_api']} {library['version']}"
            return {"name": name, "core": library.get("architecture"), "threads": library["num_threads"]}
    return {"name": None, "core": None, "threads": None}


def report(seconds, **facts):
    """Prints one line of JSON."""
    line = {
        **facts,
        "runs": len(seconds),
        "best_seconds": min(seconds),
        "median_seconds": statistics.median(seconds),
        "numpy": np.__version__,
        "blas": blas(),
    }
    print(json.dumps(line))
