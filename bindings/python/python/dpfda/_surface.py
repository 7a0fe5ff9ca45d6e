"""Private means of surfaces, which have a value for each pair of two public lists of points; and what is released of them."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _dpfda, _figures, _inputs
from ._door import LedgerLike, door
from ._dpfda import Ball, PrivacyBudget, SurfaceSettings, release_surface
from ._errors import DpfdaError
from ._estimated import Estimated
from ._inputs import Array
from ._numbers import number
from ._parts import Plan
from ._release import Uncertain
from ._rows_release import BandName
from ._stated import Codes, Settings, Share, cells, share, stated
from ._surface_inputs import stated_rectangle, stated_surfaces
from ._types import axes, pandas


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

    _compiled = _dpfda.SurfaceRelease
    _released: _dpfda.SurfaceRelease

    radius = property(lambda self: self._numbers["radius"], doc="The radius of the ball.")
    domain_range = property(
        lambda self: tuple((float(s[0]), float(s[-1])) for s in self.grid_points), doc="The two ends of ``s``, and of ``t``."
    )
    shape = property(lambda self: self._numbers["shape"], doc="The numbers of points of ``s`` and of ``t``.")
    center = property(lambda self: self._numbers["center"], doc="The public centre; (n1, n2).")
    noise_scale = property(lambda self: self._numbers["noise_scale"], doc="The scale of the white noise on the rectangle.")
    grid_points = property(lambda self: self._of_estimate("grid_points"), doc="The points of ``s`` and of ``t``: two arrays.")
    values = property(lambda self: self._of_estimate("values"), doc="The estimate of the mean; (n1, n2).")
    posterior_sd = property(lambda self: self._of_estimate("posterior_sd"), doc="Its posterior standard deviation; (n1, n2).")
    noise_sd = property(lambda self: self._of_estimate("noise_sd"), doc="At least that of the privacy noise alone; (n1, n2).")
    lower = property(lambda self: self._of_estimate("lower"), doc="The lower end of the band; (n1, n2).")
    upper = property(lambda self: self._of_estimate("upper"), doc="The upper end of the band; (n1, n2).")

    @property
    def told_from_center(self) -> npt.NDArray[np.bool_]:
        """Where the band leaves out the centre, so that the mean can be told from it; bool of shape (n1, n2)."""
        found: npt.NDArray[np.bool_] = self._of_estimate("told_from_center")
        return found

    def band(self, kind: BandName | None = None, *, level: float | None = None) -> SurfaceBand:
        """Return a band: that of the release, or another one.

        Parameters
        ----------
        kind : {"population", "posterior", "noise"}, optional
            What the band is about.
        level : float, optional
            The probability that it states, above 0.5 and below 0.9999.
        """
        shown = self if kind is None and level is None else self.with_band(kind, level=level)
        names = ("band", "target", "level", "grid_points", "values", "lower", "upper", "told_from_center")
        return SurfaceBand(*(shown._of_estimate(name) for name in names))

    def with_band(self, kind: BandName | None = None, *, level: float | None = None) -> SurfaceRelease:
        """Return the same release with another band, as ``dpfda smooth --band`` makes it."""
        return SurfaceRelease(self._released.with_band(kind, number("level", level)))

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
        return self._released.at(_pairs(points))

    def derivative(self, points: Any, *, along: Literal["s", "t"]) -> Uncertain:
        """Return the slope of the mean along one axis, with its posterior standard deviation.

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
        return Uncertain(*self._released.derivative(_pairs(points), along))

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
        return self._released.slice(axis, float(number(axis, point)))

    def to_frame(self) -> pandas.DataFrame:
        """Return the estimate as a pandas frame with a row for each point: s, t, value, posterior_sd, noise_sd, lower, upper."""
        import pandas

        s, t = np.meshgrid(*self.grid_points, indexing="ij")
        names = ("posterior_sd", "noise_sd", "lower", "upper")
        columns = {"s": s, "t": t, "value": self.values, **{name: self._of_estimate(name) for name in names}}
        return pandas.DataFrame({name: numbers.ravel() for name, numbers in columns.items()})

    def to_fdatagrid(self) -> Any:
        """Return the estimate as an ``skfda.FDataGrid`` of one surface."""
        from skfda import FDataGrid

        return FDataGrid(self.values[np.newaxis].copy(), [points.copy() for points in self.grid_points])

    def plot(self, ax: axes.Axes | None = None) -> axes.Axes:
        """Draw a heat map with matplotlib, with a line around the points at which the band leaves out the centre."""
        return _figures.plot_surface(self, self._released.captions(), ax)

    def _said(self) -> str:
        budget = f"epsilon={self.epsilon:g}, delta={self.delta:g}, {self.neighbours}"
        return f"mean surface, {budget}, {self.shape[0]} x {self.shape[1]} points"


class PrivateSurface(Settings):
    """The private mean of surfaces on a common grid, such as hours by days, or depth by time.

    All settings are public. They come from public knowledge, never from the data.

    Parameters
    ----------
    ball, budget, bounds, radius, epsilon, delta : optional
        As in :class:`PrivateMean`. The radius bounds the root-mean-square distance of a surface from the centre over the
        rectangle.
    center : float or array of shape (n1, n2), optional
        The public centre of the surfaces.
    because : str, optional
        Why the guarantee is not a usual one, as in :class:`PrivateMean`.
    neighbours : {"substitute", "add-remove"}
        Which data sets must look alike, as in :class:`PrivateMean`.
    calibration : {"tight", "classical"}
        The theorem that sets the scale of the noise.
    radius_share, center_share : optional
        The shares of the budget that buy a radius and a centre, as in :class:`PrivateMean`. On more than about 20,000 points
        no radius is bought by default, and a share is refused: the sums for every radius would fill the memory.
    band : {"population", "posterior", "noise"}, optional
        What the band is about.
    level : float, optional
        The probability that the band states, above 0.5 and below 0.9999; by default 0.95.

    Examples
    --------
    >>> import numpy as np, dpfda
    >>> hours, days = np.meshgrid(np.arange(24), np.arange(7), indexing="ij")
    >>> x = 0.5 + 0.1 * np.sin(hours / 4) * np.cos(days) * np.ones((500, 1, 1))
    >>> surface = dpfda.PrivateSurface(bounds=(0, 1), epsilon=1, delta=1e-5)
    >>> release = surface.release(x, domain_range=((0, 23), (0, 6)))
    >>> release.values.shape
    (24, 7)
    >>> release.derivative([(12.5, 3)], along="s").value.shape
    (1,)
    """

    def __init__(
        self,
        ball: Ball | None = None,
        budget: PrivacyBudget | None = None,
        *,
        bounds: tuple[float, float] | None = None,
        center: Any = None,
        radius: float | None = None,
        epsilon: float | None = None,
        delta: float | None = None,
        because: str | None = None,
        neighbours: Literal["substitute", "add-remove"] = "substitute",
        calibration: Literal["tight", "classical"] = "tight",
        radius_share: Share = "default",
        center_share: float | None = None,
        band: BandName | None = None,
        level: float | None = None,
    ) -> None:
        given = {name: value for name, value in locals().items() if name != "self"}
        given["radius_share"] = share(radius_share)
        if getattr(center, "ndim", 0) == 2:
            # in the order of the rows of a table: t runs fastest
            given["center"] = np.ravel(center)
        self._given = {name: value for name, value in given.items() if value is not None}
        arguments = stated(given, names=("neighbours", "calibration", "band"), numbers=("center_share", "level"))
        self._guard(arguments["budget"], because)
        self._settings = SurfaceSettings(arguments)

    def release(
        self,
        surfaces: Any,
        *,
        id: str | None = None,
        s: str | None = None,
        t: str | None = None,
        value: str | None = None,
        shape: tuple[int, int] | None = None,
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
    ) -> SurfaceRelease:
        """Release the private mean of surfaces: **spends the budget**. Calling it twice spends it twice.

        ``release(surfaces)`` takes one surface in each row. ``release(table, id="id", s="depth", t="hour", value="y", ...)``
        takes a long table, with one value of a surface in each row: it gives the release of the wide table of the same people.

        Parameters
        ----------
        surfaces : array of shape (n_surfaces, n1, n2) or (n_surfaces, n1 * n2), frame, functional data or path
            One surface in each row. In a flat row the values of the first ``s`` for all ``t`` come first: ``t`` runs fastest.
            Missing values are NaN, masked or null; they are filled within their surface, along ``t`` first. A long table is a
            frame, a mapping of columns of shape (n_rows,), or a path.
        id, s, t, value : str, optional
            The four columns of a long table: the subject, who has one surface; the point, in the units of the domain; and what
            was seen there. Each point is one of the grid, up to 0.01 of a step. A subject has at most one row for each point; a
            point without a row has a missing value. Rows may be in any order.
        shape : (int, int), optional
            The numbers of points of ``s`` and of ``t``. Flat rows, frames, files and long tables need it.
        values, subject
            As in :meth:`PrivateMean.release`. All surfaces of a subject are protected together.
        grid_points : (sequence of shape (n1,), sequence of shape (n2,)), optional
            The points of ``s`` and of ``t``; by default as the input says, or equally spaced on [0, 1].
        domain_range : ((float, float), (float, float)), optional
            The ends of ``s`` and of ``t``, for equally spaced points. A long table needs it, or `grid_points`.
        ledger, release_id, part_of, seed, not_private, delimiter, decimal_comma, missing
            As in :meth:`PrivateMean.release`.

        Returns
        -------
        SurfaceRelease

        Raises
        ------
        DpfdaError
            With the argument that has to change. Nothing was spent, unless the text says so.
        """
        paid = door(ledger, release_id, part_of, seed, not_private, self._agreed)
        where = {"shape": shape, "grid_points": grid_points, "domain_range": domain_range}
        names = {"id": id, "s": s, "t": t, "value": value}
        read = cells(delimiter, decimal_comma, missing)
        found, rectangle = stated_surfaces(surfaces, names, read, values=values, subject=subject, **where)
        return SurfaceRelease(release_surface(self._settings, found, rectangle, paid))

    def plan(
        self,
        *,
        shape: tuple[int, int] | None = None,
        grid_points: Any = None,
        domain_range: Any = None,
        unit: Literal["subject", "curve"] = "curve",
    ) -> Plan:
        """Make the public plan of a release whose surfaces are in several places, one in each row.

        Parameters
        ----------
        shape, grid_points, domain_range : optional
            As in :meth:`release`.
        unit : {"subject", "curve"}
            What a record is: all surfaces of a subject, or each surface.

        Returns
        -------
        Plan
        """
        if unit not in ("subject", "curve"):
            raise DpfdaError('unit must be "subject" or "curve"', "unit")
        rectangle = stated_rectangle(shape, grid_points, domain_range)
        return Plan(_dpfda.Plan.of_surfaces(self._settings, rectangle, unit == "subject"))

    def __repr__(self) -> str:
        shown = ("bounds", "center", "radius", "epsilon", "delta")
        return f"PrivateSurface({', '.join(f'{name}={self._given[name]!r}' for name in shown if name in self._given)})"


def _pairs(points: Any) -> list[tuple[float, float]]:
    """Public points of a rectangle."""
    found = np.asarray(_inputs.points(np.atleast_2d(points), None))
    if found.shape[1] != 2 or not np.isfinite(found).all():
        raise DpfdaError("points must be pairs of finite numbers, one (s, t) in each row", "points")
    return [(float(s), float(t)) for s, t in found]
