"""Means of curves in Spark: each partition is encoded where it is, and parts are joined by their names at the driver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Union

from . import _tasks
from ._door import LedgerLike, tell
from ._errors import DpfdaError
from ._parts import Key, Part, Plan, collect
from ._release import Release

Values = Union[str, Sequence[str], None]


def encode(frame: Any, plan: Plan, *, key: Key | None = None, values: Values = None, subject: str | None = None) -> Part:
    """Encode the rows of a Spark DataFrame. Draws nothing and spends nothing; the part is private.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        One curve in each row.
    plan : Plan
        The public plan, by :meth:`Study.plan`.
    key : Key, optional
        The curator's key, where a record is a subject. It travels to the workers.
    values, subject : optional
        The value columns and the column of subject ids. Rows are first partitioned by subject.

    Returns
    -------
    Part
    """
    if not hasattr(frame, "mapInArrow"):
        raise DpfdaError("frame must be a Spark DataFrame", "frame")
    order = _tasks.order(plan, key, values=values, subject=subject)
    if subject is not None:
        frame = frame.repartition(subject)

    def encoded(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow
        from pyspark import TaskContext

        found = list(batches)
        if found:
            context = TaskContext.get()
            name = f"part-{context.partitionId():06d}"
            name, revealed, similar_ids = _tasks.encode(order, name, pyarrow.Table.from_batches(found))
            part = pyarrow.array([revealed], pyarrow.binary())
            yield pyarrow.RecordBatch.from_pydict({"name": [name], "revealed": part, "similar_ids": [similar_ids]})

    rows = frame.mapInArrow(encoded, "name string, revealed binary, similar_ids boolean").collect()
    tell(any(row["similar_ids"] for row in rows))
    # Spark delivers at least once: a part that comes again replaces itself
    return collect({row["name"]: bytes(row["revealed"]) for row in rows})


def release(
    frame: Any,
    plan: Plan,
    *,
    key: Key | None = None,
    values: Values = None,
    subject: str | None = None,
    because: str | None = None,
    ledger: LedgerLike = None,
    release_id: str | None = None,
    part_of: str | None = None,
    seed: int | None = None,
    not_private: bool = False,
) -> Release:
    """Release the mean of the rows of a Spark DataFrame: **spends the budget**. The noise is drawn at the driver.

    Parameters
    ----------
    frame, plan, key, values, subject
        As in :func:`encode`.
    because, ledger, release_id, part_of, seed, not_private
        As in :meth:`Study.release`.

    Returns
    -------
    Release
    """
    part = encode(frame, plan, key=key, values=values, subject=subject)
    paid: dict[str, Any] = {"ledger": ledger, "release_id": release_id, "part_of": part_of}
    released: Release = part.release(plan, because=because, seed=seed, not_private=not_private, **paid)
    return released
