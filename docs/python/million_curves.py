"""A million curves in Parquet files, on a local Dask cluster.

Run it from the folder of the repository: python docs/python/million_curves.py [number of curves]
It needs dask, distributed and pyarrow: pip install './bindings/python[dask,arrow]'
"""

import sys
import tempfile
import time
from pathlib import Path

import distributed
import numpy as np
import pyarrow
from pyarrow import parquet

import dpfda
import dpfda.dask

POINTS, FILES = 93, 16


def write_files(folder: Path, curves: int) -> list[Path]:
    """Synthetic curves, a file at a time."""
    random = np.random.default_rng(1)
    t = np.linspace(0, 1, POINTS)
    paths = []
    for at in range(FILES):
        rows = curves * (at + 1) // FILES - curves * at // FILES
        values = 0.5 + 0.1 * np.sin(5 * t) + 0.05 * random.normal(size=(rows, 1)) * np.cos(3 * t)
        paths.append(folder / f"curves-{at:02d}.parquet")
        table = pyarrow.table({f"v{k}": values[:, k] for k in range(POINTS)})
        parquet.write_table(table, paths[-1], compression="zstd")
    return paths


def main(curves: int) -> None:
    mean = dpfda.PrivateMean(bounds=(0, 1), epsilon=1, delta=1e-5, radius_share=0, values="v*")
    with tempfile.TemporaryDirectory() as folder:
        paths = write_files(Path(folder), curves)
        # public: the columns, the grid and the settings
        plan = mean.plan(paths[0])
        with (
            distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
        ):
            start = time.perf_counter()
            # workers send exact sums; the noise is drawn here
            part = dpfda.dask.encode(paths, plan, client=client)
            release = part.release(plan)
            print(f"{curves} curves in {time.perf_counter() - start:.2f} s on two workers")
        # for a demonstration: the sums are those of one process, bit for bit
        one = mean.release(f"{folder}/*.parquet", seed=1, not_private=True)
        assert np.array_equal(part.release(plan, seed=1, not_private=True).values, one.values)
    print(release)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
