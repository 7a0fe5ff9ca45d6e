"""One noise path of a mean function, of which more can be published later at no further cost."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Union

from . import _inputs
from ._door import LedgerLike, door
from ._dpfda import Ball, PathSettings, PrivacyBudget, release_path
from ._dpfda import KeptPath as Kept
from ._errors import DpfdaError
from ._functionals import Dispersion, Functional, Neighbours, PathRelease, written
from ._inputs import Private
from ._numbers import number
from ._stated import Codes, Settings, cells, no_columns, stated_ball, stated_budget, stated_curves, view


class KeptPath(Private):
    """A noise path that was drawn whole: for the curator. Whoever has it can publish more of it.

    It holds no exact number. Keep its file as long as you may want to publish more: a second path spends the budget again.
    """

    __slots__ = ("_kept",)

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    @classmethod
    def read(cls, path: Union[str, os.PathLike[str]]) -> KeptPath:
        """Read a path from its file, which others than its owner must not be able to read."""
        return cls(Kept.read(os.fspath(path)))

    def write(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the path to a new file that only its owner can read."""
        self._kept.write(os.fspath(path))

    def extend(self, release: PathRelease, functionals: Sequence[Functional]) -> PathRelease:
        """Return the release with more functionals of the same path, **at no cost**. What was released stays as it was."""
        return PathRelease(self._kept.extend(release._released, written(functionals)))


class PrivatePath(Settings):
    """Functionals of the private mean function, now and later, for one guarantee.

    One noise path is drawn whole, once. Any number of functionals of the same path may be published at any time.

    Parameters
    ----------
    ball, budget, bounds, center, radius, epsilon, delta : optional
        As in :class:`PrivateMean`.
    penalty, kernel, range, eta, dispersion, neighbours
        As in :class:`PrivateFunctionals`.
    mixing : (str, float), optional
        Makes the noise elliptical: the law of its random scale, ``"student-t"``, ``"gamma-root"`` or ``"log-normal"``, and its
        parameter.
    """

    def __init__(
        self,
        ball: Ball | None = None,
        budget: PrivacyBudget | None = None,
        *,
        penalty: float,
        bounds: tuple[float, float] | None = None,
        center: Any = None,
        radius: float | None = None,
        epsilon: float | None = None,
        delta: float | None = None,
        kernel: str | None = None,
        range: float | None = None,
        eta: float = 1.0,
        mixing: tuple[str, float] | None = None,
        dispersion: Dispersion = "smoothed-white",
        neighbours: Neighbours = "substitute",
    ) -> None:
        self._given = {name: value for name, value in locals().items() if name != "self"}
        if mixing is not None and not (isinstance(mixing, (tuple, list)) and len(mixing) == 2 and isinstance(mixing[0], str)):
            raise DpfdaError("mixing must be a name and a number, such as ('student-t', 5)", "mixing")
        arguments = {
            "ball": stated_ball(ball, bounds, center, radius),
            "budget": stated_budget(budget, epsilon, delta),
            "view": view(kernel, range, penalty, eta, dispersion, neighbours),
            "mixing": None if mixing is None else (mixing[0], number("mixing", mixing[1])),
        }
        self._settings = PathSettings(arguments)

    def release(
        self,
        curves: Any,
        functionals: Sequence[Functional],
        *,
        values: _inputs.Values = None,
        subject: Any = None,
        grid_points: Any = None,
        domain_range: Any = None,
        ledger: LedgerLike = None,
        release_id: str | None = None,
        part_of: str | None = None,
        seed: int | None = None,
        not_private: bool = False,
        delimiter: str | None = None,
        decimal_comma: bool = False,
        missing: Codes = None,
    ) -> tuple[PathRelease, KeptPath]:
        """Draw the path and release functionals of it: **spends the budget**.

        Parameters
        ----------
        curves, functionals, values, subject, grid_points, domain_range, ledger, release_id, part_of, seed, not_private
            As in :meth:`PrivateFunctionals.release`.
        delimiter, decimal_comma, missing
            As in :meth:`PrivateFunctionals.release`.

        Returns
        -------
        PathRelease
            What is published.
        KeptPath
            For the curator: write it to a file, or no more of the path can be published.
        """
        paid = door(ledger, release_id, part_of, seed, not_private)
        where = {"values": values, "subject": subject, "grid_points": grid_points, "domain_range": domain_range}
        stated = stated_curves(curves, no_columns, cells(delimiter, decimal_comma, missing), **where)
        released, kept = release_path(self._settings, written(functionals), stated, paid)
        return PathRelease(released), KeptPath(kept)

    def __repr__(self) -> str:
        return f"PrivatePath(epsilon={self._given['epsilon']!r}, delta={self._given['delta']!r})"
