"""What is released of points."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _dpfda, _tables
from ._documents import kept
from ._errors import DpfdaError
from ._numbers import number, whole
from ._released import Released
from ._tables import Array
from ._types import axes, figure, xarray


class DensityRelease(Released):
    """A released density on public bounds. All of it is public."""

    _kind = "density"
    _shown: tuple[list[Array], Array] | None = None

    def _cells(self) -> tuple[list[Array], Array]:
        if self._shown is None:
            ends, per_axis, probabilities = _dpfda.cells(self._released)
            volume = float(np.prod([(upper - lower) / per_axis for lower, upper in ends]))
            edges = [np.linspace(lower, upper, per_axis + 1) for lower, upper in ends]
            self._shown = kept(edges), kept(probabilities.reshape([per_axis] * len(ends)) / volume)
        return self._shown

    @property
    def edges(self) -> list[Array]:
        """The ends of the cells along each axis, each of shape (cells + 1,)."""
        return self._cells()[0]

    @property
    def values(self) -> Array:
        """The density of each cell, of shape (cells, ...): the probability divided by the volume."""
        return self._cells()[1]

    def at(self, points: Any) -> Array:
        """Evaluate the density at points, one in each row."""
        return _dpfda.density_at(self._released, _tables.matrix(points, "points"))

    def quantile(self, share: float) -> float:
        """Return the value below which a share of the distribution lies, for one column."""
        return _dpfda.quantile(self._released, float(number("share", share)))

    def simulate(self, count: int | None = None) -> Array:
        """Draw synthetic points from the released density at no cost; shape (count, n_axes).

        For a mechanism that draws, its draws are the release itself: leave `count` out.
        """
        return _dpfda.synthetic_points(self._released, whole("count", count))

    def to_xarray(self) -> xarray.DataArray:
        """Return the density as an ``xarray.DataArray`` over the middles of the cells."""
        import xarray

        names = self._names()
        coords = {name: (edges[1:] + edges[:-1]) / 2 for name, edges in zip(names, self.edges)}
        return xarray.DataArray(self.values, coords, names, "density")

    def plot(self, ax: axes.Axes | None = None, *, fig: figure.FigureBase | None = None, color: Any = None) -> axes.Axes:
        """Draw a density of one or two columns with matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes, within which all words stand.
        fig : matplotlib.figure.Figure or SubFigure, optional
            Where new axes are made.
        color : optional
            The colour, or of two columns the colour map.

        Returns
        -------
        matplotlib.axes.Axes
        """
        if len(self.edges) > 2:
            raise DpfdaError("matplotlib draws densities of one or two columns: take to_svg() for more", "ax")
        canvas = self._canvas(ax, fig)
        return canvas.density(self.edges, self.values, self._names(), self._released.captions(), color)

    def _names(self) -> list[str]:
        """The names of the axes."""
        found = self.document.get("labels", {}).get("columns", [])
        return list(found) or ["x", "y", "z"][: len(self.edges)]

    def _said(self) -> str:
        return f"{self.values.size} cells"
