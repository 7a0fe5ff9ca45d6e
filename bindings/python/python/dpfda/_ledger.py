"""The account of everything that is ever released of a data set."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal, Union

from ._documents import Document, parsed
from ._dpfda import create_ledger, export_ledger, show_ledger, verify_in_ledger
from ._numbers import number


class Ledger:
    """A ledger: one file, which is as private as the data.

    Every payment is on disk before noise is drawn. Give the ledger to every release of these people.

    Parameters
    ----------
    path : path
        The file, as :meth:`create` or ``dpfda ledger create`` made it. It is checked entry by entry.
    """

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None:
        self._path = os.fspath(path)
        show_ledger(self._path)

    @classmethod
    def create(
        cls,
        path: Union[str, os.PathLike[str]],
        *,
        dataset: str,
        unit: Literal["subject", "curve"],
        neighbours: Literal["substitute", "add-remove"],
        epsilon: float,
        delta: float,
        groups: Sequence[str] = (),
    ) -> Ledger:
        """Create a ledger in a new file.

        Parameters
        ----------
        dataset : str
            What the data set is called.
        unit : {"subject", "curve"}
            Who is protected.
        neighbours : {"substitute", "add-remove"}
            Which data sets must look alike.
        epsilon, delta : float
            What all releases together may reach.
        groups : sequence of str
            Disjoint groups that the data consist of.
        """
        total = (float(number("epsilon", epsilon)), float(number("delta", delta)))
        create_ledger(os.fspath(path), dataset, unit, neighbours, total, list(groups))
        return cls(path)

    def __fspath__(self) -> str:
        return self._path

    def show(self) -> dict[str, Any]:
        """Return the terms, what was spent, what is left, and the releases that were paid for."""
        found: dict[str, Any] = parsed(show_ledger(self._path))
        return found

    def export(self) -> str:
        """Return all entries with their hashes as JSON, for an archive or an auditor."""
        return export_ledger(self._path)

    def verify(self, release: Document) -> list[str]:
        """Return what a release says of this ledger and the ledger does not; nothing where they agree."""
        return verify_in_ledger(self._path, release.to_json())

    def __repr__(self) -> str:
        return f"Ledger({self._path!r})"
