"""Private densities of points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Union

import numpy as np

from . import _dpfda, _figures, _inputs
from ._documents import Released, kept
from ._door import LedgerLike, door
from ._dpfda import release_density
from ._errors import DpfdaError
from ._inputs import Array
from ._numbers import number, whole
from ._stated import Codes, agreed, codes, stated_budget
from ._types import axes


class DensityRelease(Released):
    """A released density on public bounds. All of it is public.

    Attributes
    ----------
    edges : list of array of shape (cells + 1,)
        The ends of the cells along each axis.
    density : array of shape (cells, ...)
        The density of each cell: the probability divided by the volume.
    """

    _compiled = _dpfda.DensityRelease
    _released: _dpfda.DensityRelease

    def __init__(self, released: _dpfda.DensityRelease) -> None:
        super().__init__(released)
        axes, per_axis = released.cells()
        self.edges: list[Array] = kept([np.linspace(lower, upper, per_axis + 1) for lower, upper in axes])
        volume = float(np.prod([(upper - lower) / per_axis for lower, upper in axes]))
        self.density: Array = kept(released.probabilities().reshape([per_axis] * len(axes)) / volume)
        self._numbers = kept(released.numbers())

    epsilon = property(lambda self: self._numbers["epsilon"], doc="The privacy parameter epsilon.")
    delta = property(lambda self: self._numbers["delta"], doc="The privacy parameter delta.")

    def __call__(self, points: Any) -> Array:
        """Evaluate the density at points, one in each row."""
        return self._released.at((_inputs.points(points, None), None))

    def quantile(self, share: float) -> float:
        """Return the value below which a share of the distribution lies, for one column."""
        return self._released.quantile(float(number("share", share)))

    def simulate(self, count: int | None = None) -> Array:
        """Draw synthetic points from the released density at no cost; shape (count, n_axes).

        For a mechanism that draws, its draws are the release itself: leave `count` out.
        """
        return self._released.simulate(whole("count", count))

    def to_svg(self, names: Sequence[str] | None = None) -> str:
        """Return the figure as SVG, its axes named."""
        return self._released.to_svg(None if names is None else list(names))

    def to_png(self, names: Sequence[str] | None = None) -> bytes:
        """Return the figure as the bytes of a PNG."""
        return self._released.to_png(None if names is None else list(names))

    def plot(self, ax: axes.Axes | None = None) -> axes.Axes:
        """Draw a density of one column with matplotlib."""
        if len(self.edges) != 1:
            raise DpfdaError("matplotlib draws densities of one column: take to_svg() for more", "ax")
        return _figures.plot_density(self, ax)

    def _repr_html_(self) -> str:
        return _figures.html(self.to_svg(), self.facts)

    def _said(self) -> str:
        return f"epsilon={self.epsilon:g}, delta={self.delta:g}, {self.density.size} cells"


def density(
    points: Any,
    *,
    bounds: Any,
    epsilon: float,
    delta: float = 0.0,
    because: str | None = None,
    mechanism: Literal["perturbed", "smoothed", "exponential", "series"] = "perturbed",
    neighbours: Literal["substitute", "add-remove"] = "substitute",
    unit: Literal["curve", "subject"] = "curve",
    cells: int | None = None,
    draws: int | None = None,
    columns: Union[str, Sequence[Any], None] = None,
    ledger: LedgerLike = None,
    release_id: str | None = None,
    part_of: str | None = None,
    seed: int | None = None,
    not_private: bool = False,
    missing: Codes = None,
) -> DensityRelease:
    """Release the private density of points: **spends the budget**.

    Parameters
    ----------
    points : array of shape (n,) or (n, n_axes), or frame
        One record in each row. Points outside the bounds are clamped; a missing value counts as the centre of its axis.
    bounds : (float, float) or list of pairs
        The public bounds of each axis, in the units of the data.
    epsilon, delta : float
        The guarantee; a delta of 0 is pure differential privacy.
    because : str, optional
        Why the guarantee is not a usual one, as in :class:`PrivateMean`.
    mechanism : {"perturbed", "smoothed", "exponential", "series"}
        How the density is made private, as by ``dpfda density``.
    neighbours : {"substitute", "add-remove"}
        Which data sets must look alike.
    unit : {"curve", "subject"}
        What a row is to a ledger: a row alone, or a subject if nobody has two rows.
    cells, draws : int, optional
        The number of cells along each axis and of draws, chosen without looking at the data.
    columns : str or list, optional
        The columns of a frame.
    ledger, release_id, part_of, seed, not_private, missing
        As in :meth:`PrivateMean.release`.

    Returns
    -------
    DensityRelease
    """
    given = dict(locals())
    paid = door(*(given.pop(name) for name in ("ledger", "release_id", "part_of", "seed", "not_private")))
    return release(given, paid)


def release(given: dict[str, Any], paid: dict[str, Any]) -> DensityRelease:
    """The release that the arguments of :func:`density` ask for."""
    budget = stated_budget(None, given["epsilon"], given["delta"])
    reason = agreed(budget, given["because"])
    paid = {**paid, "agreed": paid["agreed"] or reason}
    arguments = {
        "bounds": _axes(given["bounds"]),
        "budget": budget,
        **{name: given[name] for name in ("mechanism", "neighbours", "unit")},
        **{name: whole(name, given[name]) for name in ("cells", "draws")},
    }
    numbers, missing = _inputs.points(given["points"], given["columns"]), codes(given["missing"])
    return DensityRelease(release_density((numbers, missing), arguments, paid))


def _axes(bounds: Any) -> list[tuple[float, float]]:
    try:
        ends = np.asarray(bounds, dtype=np.float64)
    except (TypeError, ValueError):
        ends = np.zeros(0)
    if ends.ndim == 1 and ends.size == 2:
        ends = ends.reshape(1, 2)
    if ends.ndim != 2 or ends.shape[1] != 2:
        raise DpfdaError("bounds must be a pair of numbers for each axis, such as (0, 120)", "bounds")
    return [(float(lower), float(upper)) for lower, upper in ends]
