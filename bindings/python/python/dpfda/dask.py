"""Means of curves on a Dask cluster: parts are encoded where the curves are, and joined by their names."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from typing import Any, Union

from . import _tables, _tasks
from ._door import LedgerLike, tell
from ._dpfda import refuse_same_files
from ._errors import DpfdaError
from ._parts import Key, Part, Plan, collect
from ._release import Release

Values = Union[str, Sequence[str], None]


def encode(
    data: Any,
    plan: Plan,
    *,
    client: Any = None,
    key: Key | None = None,
    values: Values = None,
    subject: str | None = None,
    missing: Values = None,
) -> Part:
    """Encode curves on a cluster. Draws nothing and spends nothing; the part is private.

    Parameters
    ----------
    data : path, list of paths, dask DataFrame or dask Array
        Each file and each partition is a part. All curves of a subject must be in one part.
    plan : Plan
        The public plan, by :meth:`Study.plan`.
    client : distributed.Client, optional
        The cluster; by default the current one. It must be as trusted as the data.
    key : Key, optional
        The curator's key, where a record is a subject. It travels to the workers.
    values, subject : optional
        The value columns and the column of subject ids.
    missing : optional
        Codes for missing values, as in :class:`PrivateMean`.

    Returns
    -------
    Part
    """
    import distributed

    if client is None:
        client = _current(distributed)
    if getattr(client, "status", None) != "running":
        raise DpfdaError("the client of the cluster is closed, or was never connected", "client")
    order = _tasks.order(plan, key, values=values, subject=subject, missing=missing)
    if _tables.is_path(data) or isinstance(data, (list, tuple)):
        pieces = _paths(data)
        tasks = [client.submit(_tasks.encode, order, _name(at), piece, pure=False) for at, piece in enumerate(pieces)]
    else:
        tasks = client.compute(_delayed(data, order))
    # a part that is delivered again replaces itself
    delivered = {name: made for name, *made in map(client.gather, distributed.as_completed(tasks))}
    if len(delivered) != len(tasks):
        raise DpfdaError("the cluster did not deliver every part", "client")
    tell(any(similar_ids for _, similar_ids in delivered.values()))
    return collect({name: revealed for name, (revealed, _) in delivered.items()})


def release(
    data: Any,
    plan: Plan,
    *,
    client: Any = None,
    key: Key | None = None,
    values: Values = None,
    subject: str | None = None,
    missing: Values = None,
    because: str | None = None,
    ledger: LedgerLike = None,
    release_id: str | None = None,
    part_of: str | None = None,
    seed: int | None = None,
    not_private: bool = False,
) -> Release:
    """Release the mean of curves on a cluster: **spends the budget**. The noise is drawn here, by the client.

    Parameters
    ----------
    data, plan, client, key, values, subject, missing
        As in :func:`encode`.
    because, ledger, release_id, part_of, seed, not_private
        As in :meth:`Study.release`.

    Returns
    -------
    Release
        With the numbers that one release of all curves in one place has.
    """
    part = encode(data, plan, client=client, key=key, values=values, subject=subject, missing=missing)
    paid: dict[str, Any] = {"ledger": ledger, "release_id": release_id, "part_of": part_of}
    released: Release = part.release(plan, because=because, seed=seed, not_private=not_private, **paid)
    return released


def _current(distributed: Any) -> Any:
    try:
        return distributed.get_client()
    except ValueError:
        raise DpfdaError("there is no cluster: give client=distributed.Client(...)", "client") from None


def _name(at: int) -> str:
    return f"part-{at:06d}"


def _paths(data: Any) -> list[str]:
    if isinstance(data, (list, tuple)):
        found = [os.fspath(path) for path in data if _tables.is_path(path)]
        if len(found) != len(data):
            raise DpfdaError("give a list of paths, a dask DataFrame or a dask Array", "data")
    else:
        path = os.fspath(data)
        pattern = os.path.join(path, "*") if os.path.isdir(path) else path
        found = sorted(name for name in glob.glob(pattern) if os.path.isfile(name))
    if not found:
        raise DpfdaError("there is no such file", "data")
    refuse_same_files(found)
    return found


def _delayed(data: Any, order: dict[str, Any]) -> list[Any]:
    import dask

    if hasattr(data, "rechunk"):
        if data.ndim != 2:
            raise DpfdaError(f"curves must have two dimensions, and have {data.ndim}", "data")
        pieces = list(data.rechunk({1: -1}).to_delayed().ravel())
    elif hasattr(data, "to_delayed"):
        pieces = list(data.to_delayed())
    else:
        raise DpfdaError("give paths, a dask DataFrame or a dask Array", "data")
    task = dask.delayed(_tasks.encode, pure=False)
    return [task(order, _name(at), piece) for at, piece in enumerate(pieces)]
