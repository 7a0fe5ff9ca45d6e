"""Spark: each partition is encoded where it is. Needs Java, and runs at night."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpfda
from conftest import POINTS, SEEDED, STATED, bits
from dpfda import spark as on_spark

pyspark = pytest.importorskip("pyspark")
if not os.environ.get("DPFDA_NIGHTLY"):
    pytest.skip("takes long: set DPFDA_NIGHTLY", allow_module_level=True)


@pytest.fixture(scope="module")
def session() -> Any:
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").appName("dpfda").getOrCreate()
    yield session
    session.stop()


def test_partitions_give_the_release_of_one_machine(
    session: Any, tmp_path: Path, curves: np.ndarray, subjects: list[str]
) -> None:
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table({"id": subjects, **{f"v{k}": curves[:, k] for k in range(POINTS)}})
    parquet.write_table(table, tmp_path / "curves.parquet")
    frame = session.read.parquet(str(tmp_path / "curves.parquet")).repartition(5)
    mean = dpfda.PrivateMean(**STATED)
    plan = mean.plan(curves)
    assert bits(on_spark.release(frame, plan, values="v*", **SEEDED)) == bits(mean.release(curves, **SEEDED))
    people, key = dpfda.PrivateMean(**STATED, subject="id"), dpfda.Key()
    plan = people.plan(curves)
    released = on_spark.release(frame, plan, key=key, values="v*", subject="id", **SEEDED)
    assert bits(released) == bits(people.release(curves, columns={"id": subjects}, **SEEDED))


def test_a_warning_of_a_partition_names_the_line_that_asked(session: Any, curves: np.ndarray, tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    # two spellings of each id, so that both are in one partition for some
    ids = [f"{'pP'[row % 2]}{row // 2:04d}" for row in range(len(curves))]
    parquet.write_table(pyarrow.table({"id": ids, **{f"v{k}": curves[:, k] for k in range(POINTS)}}), tmp_path / "curves.parquet")
    frame = session.read.parquet(str(tmp_path / "curves.parquet"))
    plan = dpfda.PrivateMean(**STATED, subject="id").plan(curves)
    with pytest.warns(dpfda.CuratorWarning, match="letter case") as told:
        on_spark.release(frame, plan, key=dpfda.Key(), values="v*", subject="id", **SEEDED)
    assert [one.filename for one in told if one.category is dpfda.CuratorWarning] == [__file__]


def test_what_is_no_spark_frame_is_refused(curves: np.ndarray) -> None:
    with pytest.raises(dpfda.DpfdaError) as refused:
        on_spark.release(curves, dpfda.PrivateMean(**STATED).plan(curves))
    assert refused.value.parameter == "frame"
