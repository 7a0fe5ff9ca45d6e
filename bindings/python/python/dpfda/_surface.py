"""What is released of surfaces, which have a value for each pair of two public lists of points."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _dpfda, _tables
from ._errors import DpfdaError
from ._features import Features, Which, asked, features_of
from ._functions import Estimated
from ._numbers import number
from ._release import Uncertain
from ._rows import BandName
from ._tables import Array
from ._types import axes, figure


class SurfaceBand(NamedTuple):
    """A simultaneous band around a surface, at the points of the grid, in the units of the data.

    Attributes
    ----------
    kind : str
        Which band.
    target : str
        What it is about.
    level : float
        The probability that it states, for all points at once.
    grid_points : (array of shape (n1,), array of shape (n2,))
        The points of ``s`` and of ``t``.
    middle, lower, upper : array of shape (n1, n2)
        The band.
    told_from_center : bool array of shape (n1, n2)
        Where the band leaves out the centre.
    """

    kind: str
    target: str
    level: float
    grid_points: tuple[Array, Array]
    middle: Array
    lower: Array
    upper: Array
    told_from_center: npt.NDArray[np.bool_]


class SurfaceRelease(Estimated):
    """A released mean surface with its estimate. All of it is public.

    Whatever is asked of a release is computed from the release alone and costs no privacy. Rows are those of ``s``, columns those
    of ``t``.
    """

    _kind = "surface"
    _axes = ("s", "t")

    shape = property(lambda self: self._number("shape"), doc="The numbers of points of ``s`` and of ``t``.")
    center = property(lambda self: self._number("center"), doc="The public centre; (n1, n2).")
    noise_scale = property(lambda self: self._number("noise_scale"), doc="The scale of the white noise on the rectangle.")

    @property
    def told_from_center(self) -> npt.NDArray[np.bool_]:
        """Where the band leaves out the centre, so that the mean can be told from it; bool of shape (n1, n2)."""
        found: npt.NDArray[np.bool_] = self._of("told_from_center")
        return found

    def band(self, band: BandName | None = None, *, level: float | None = None) -> SurfaceBand:
        """Return a band: that of the release, or another one.

        Parameters
        ----------
        band : {"population", "posterior", "noise"}, optional
            What the band is about.
        level : float, optional
            The probability that it states, above 0.5 and below 0.9999.
        """
        shown = self if band is None and level is None else self.with_band(band, level=level)
        names = ("band", "target", "level", "grid_points", "values", "lower", "upper", "told_from_center")
        return SurfaceBand(*(shown._of(name) for name in names))

    def with_band(self, band: BandName | None = None, *, level: float | None = None) -> SurfaceRelease:
        """Return the same release with another band, as ``dpfda smooth --band`` makes it."""
        return SurfaceRelease(self._released.with_band([("band", band), ("level", level)]))

    def at(self, points: Any) -> dict[str, Array]:
        """Evaluate the estimate and its band at any points of the rectangle.

        Parameters
        ----------
        points : array of shape (n, 2)
            One pair ``(s, t)`` in each row, in the units of the domain.

        Returns
        -------
        dict
            ``s``, ``t``, ``values``, ``posterior_sd``, ``noise_sd``, ``lower`` and ``upper``, each of shape (n,).
        """
        return _dpfda.surface_at(self._released, _pairs(points))

    def derivative(self, points: Any, *, along: Literal["s", "t"]) -> Uncertain:
        """Return the slope of the mean along one axis, over a tenth of it about each point, and its largest standard deviation.

        Parameters
        ----------
        points : array of shape (n, 2)
            One pair ``(s, t)`` in each row.
        along : {"s", "t"}
            The axis. The slope is in units of the data for one unit of this axis.

        Returns
        -------
        Uncertain
            Two arrays of shape (n,).
        """
        if not isinstance(along, str):
            raise DpfdaError('along must be "s" or "t"', "along")
        return Uncertain(*_dpfda.surface_slope(self._released, _pairs(points), along))

    @asked
    def features(
        self,
        *,
        s: float | None = None,
        t: float | None = None,
        derivative: Any = None,
        window: float | None = None,
        integral: bool | tuple[float, float] = False,
        maximum: bool = False,
        minimum: bool = False,
    ) -> Features:
        """Return slopes, an area, the maximum and the minimum of a slice, from its band alone.

        Parameters
        ----------
        s, t : float
            One of them: the point of one axis. The slice runs along the other axis.
        {asked}

        Returns
        -------
        Features
        """
        if (s is None) == (t is None):
            raise DpfdaError("give a point of one axis, s or t", "s")
        axis, at = ("t", t) if s is None else ("s", s)
        which = Which(slice=(axis, float(number(axis, at))))
        return features_of(self._released, which, derivative, window, integral, maximum, minimum)

    def slice_at(self, *, s: float | None = None, t: float | None = None) -> dict[str, Array]:
        """Return the estimate along one axis, at a point of the other axis.

        Parameters
        ----------
        s, t : float
            The point: give one of the two. ``slice_at(s=2)`` runs along ``t``.

        Returns
        -------
        dict
            ``grid_points`` (those of the other axis), ``values``, ``posterior_sd``, ``noise_sd``, ``lower`` and ``upper``.
        """
        if (s is None) == (t is None):
            raise DpfdaError("give s or t, the point that the slice is at", "s")
        axis, point = ("t", t) if s is None else ("s", s)
        return _dpfda.surface_slice(self._released, axis, float(number(axis, point)))

    def to_fdatagrid(self) -> Any:
        """Return the estimate as an ``skfda.FDataGrid`` of one surface."""
        from skfda import FDataGrid

        *arguments, value = self._labels()
        points = [points.copy() for points in self.grid_points]
        return FDataGrid(self.values[np.newaxis].copy(), points, argument_names=arguments, coordinate_names=[value])

    def plot(self, ax: axes.Axes | None = None, *, fig: figure.FigureBase | None = None, color: Any = None) -> axes.Axes:
        """Draw a heat map with matplotlib, with a line around the points at which the band leaves out the centre.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes, within which all words stand.
        fig : matplotlib.figure.Figure or SubFigure, optional
            Where new axes are made.
        color : optional
            A colour map in place of viridis.

        Returns
        -------
        matplotlib.axes.Axes
        """
        canvas = self._canvas(ax, fig)
        return canvas.surface(self.band(), self._labels(), self._released.captions(), color)

    def _said(self) -> str:
        return f"{self.shape[0]} x {self.shape[1]} points"


def _pairs(points: Any) -> list[tuple[float, float]]:
    found = _tables.matrix(np.atleast_2d(points), "points")
    if found.shape[1] != 2 or not np.isfinite(found).all():
        raise DpfdaError("points must be pairs (s, t) of finite numbers, one in each row", "points")
    return [(float(s), float(t)) for s, t in found]
