"""What is released of distributions: centile curves."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from . import _dpfda
from ._errors import DpfdaError
from ._numbers import number
from ._released import Released
from ._tables import Array, at_points
from ._types import Self, figure


class Centile(NamedTuple):
    """A centile curve with its band, at the points of the grid, in the units of the data.

    The band is about all centiles of the release and all points together.
    """

    grid_points: Array
    values: Array
    lower: Array
    upper: Array


def centiles_of(
    release: Released, name: str | None, centiles: Sequence[float], normal: bool, level: float | None
) -> dict[float, Centile]:
    """Return other centile curves than a release shows, by their percent."""
    asked = at_points(centiles, "centiles")
    columns, note = _dpfda.centiles(release._released, name, asked, normal, number("level", level))
    if note is not None:
        warnings.warn(note, stacklevel=3)
    t, *curves = (np.asarray(column) for column in columns.values())
    return {p: Centile(t, *curves[3 * i : 3 * i + 3]) for i, p in enumerate(asked)}


class CentilesRelease(Released):
    """Released centile curves with one band for all. All of it is public.

    Whatever is asked of a release is computed from the release alone and costs no privacy.
    """

    _kind = "centiles"

    @property
    def centiles(self) -> list[float]:
        """The centiles, in percent."""
        return [float(p) for p in self._number("centiles")]

    @property
    def radius(self) -> float:
        """The largest mean absolute distance of a curve from the centre."""
        return float(self._number("radius"))

    @property
    def log_evidence_against_normal(self) -> float:
        """How much speaks against normal values at each point: above 2.3 they are not, below 0 nothing speaks against it."""
        return float(self._number("log_evidence_against_normal"))

    @cached_property
    def _columns(self) -> dict[str, Array]:
        found = self._released.table()
        return {} if found is None else {name: np.asarray(column) for name, column in found[2].items()}

    @property
    def grid_points(self) -> Array:
        """The points, in the units of the domain; (n_points,)."""
        return self._columns["t"]

    def centile(self, p: float) -> Centile:
        """Return the curve of a centile with its band.

        Parameters
        ----------
        p : float
            The centile, in percent: one of :attr:`centiles`.
        """
        if p not in self.centiles:
            raise DpfdaError(f"the release shows the centiles {', '.join(f'{one:g}' for one in self.centiles)}", "p")
        columns = [self._columns[f"p{p:g}{end}"] for end in ("", "_lower", "_upper")]
        return Centile(self.grid_points, *columns)

    def centile_curves(
        self, centiles: Sequence[float], *, normal: bool = False, level: float | None = None
    ) -> dict[float, Centile]:
        """Return other centile curves of the same chart, in one band for all of them, at no cost in privacy.

        Parameters
        ----------
        centiles : sequence of float
            The centiles, in percent, from 2 to 98 and increasing.
        normal : bool
            Whether values at each point are taken to be normal. It is refused where something in the release speaks against
            that. The bands are the same, and assume nothing.
        level : float, optional
            The probability that the band states; by default that of the release.

        Returns
        -------
        dict of float to Centile

        Warns
        -----
        UserWarning
            Where a noisy number of people is too small for these centiles.
        """
        return centiles_of(self, None, centiles, normal, level)

    def with_level(self, level: float) -> Self:
        """Return the same release with a band of another level, above 0.5 and below 0.9999."""
        return type(self)(self._released.with_band([("level", level)]))

    @property
    def level(self) -> float:
        """The probability that the band states."""
        return float(self._number("level"))

    def plot(self, ax: Any = None, *, fig: figure.FigureBase | None = None, color: Any = None) -> Any:
        """Draw the chart by matplotlib: each centile, shaded between those that mirror each other.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where the chart is drawn.
        fig : matplotlib.figure.Figure or SubFigure, optional
            Where new axes are made.
        color : optional
            The colour of all curves.

        Returns
        -------
        matplotlib.axes.Axes
        """
        curves = {p: self.centile(p) for p in self.centiles}
        return self._canvas(ax, fig).chart(curves, self._labels(), self.level, color)

    def _said(self) -> str:
        return f"centiles {', '.join(f'{p:g}' for p in self.centiles)}"
