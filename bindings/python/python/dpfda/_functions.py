"""Functions that releases have estimates of: one, or several under names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _dpfda
from ._centiles import Centile, centiles_of
from ._documents import kept
from ._errors import DpfdaError
from ._features import Features, Which, asked, features_of
from ._numbers import number
from ._released import Released
from ._tables import Array, at_points
from ._types import axes, figure, xarray

#: The columns of a dataset, and what stands in them.
COLUMNS = {"value": "values", **{name: name for name in ("posterior_sd", "noise_sd", "lower", "upper")}}


class Band(NamedTuple):
    """A simultaneous band around the estimate, at the points of the grid, in the units of the data.

    Attributes
    ----------
    kind : str
        Which band.
    target : str
        What it is about.
    level : float
        The probability that it states.
    critical : float
        How many standard deviations it reaches to either side.
    grid_points, middle, lower, upper : array of shape (n_points,)
        The band.
    promises, does_not_promise : str
        What it promises and what not, in one sentence each.
    """

    kind: str
    target: str
    level: float
    critical: float
    grid_points: Array
    middle: Array
    lower: Array
    upper: Array
    promises: str
    does_not_promise: str


class Function(NamedTuple):
    """A function with its simultaneous band at the points of the grid.

    Attributes
    ----------
    grid_points, values : array of shape (n_points,)
        The function.
    posterior_sd, noise_sd : array of shape (n_points,)
        The standard deviations of the posterior and of the privacy noise alone.
    lower, upper : array of shape (n_points,)
        The band, for this function alone.
    """

    grid_points: Array
    values: Array
    posterior_sd: Array
    noise_sd: Array
    lower: Array
    upper: Array


class Difference(NamedTuple):
    """The first mean minus the second at the points of the grid, in the units of the data.

    Attributes
    ----------
    grid_points, values, sd, lower, upper : array of shape (n_points,)
        The difference with its simultaneous band.
    level : float
        The probability that the band states.
    not_zero : list of (float, float)
        The parts of the domain where the band does not hold 0.
    statistic, p_value : float or None
        The test whether both populations have one mean; None where there is none.
    """

    grid_points: Array
    values: Array
    sd: Array
    lower: Array
    upper: Array
    level: float
    not_zero: list[tuple[float, float]]
    statistic: float | None
    p_value: float | None


def difference_to(one: Any, other: Any, kind: type[Any], level: float) -> Difference:
    """Return the difference of two releases of this kind, each of one curve."""
    if not isinstance(other, kind):
        raise DpfdaError(f"other must be a {kind.__name__}", "other")
    pair = ((one._released, None), (other._released, None))
    return Difference(**_dpfda.difference(*pair, float(number("level", level))))


class Completion(NamedTuple):
    """The rest of a curve of one person. It is about that person, and as private as the values that it was made of.

    Attributes
    ----------
    grid_points, values, sd, lower, upper : array of shape (n_missing,)
        The completed values at the points of the release that none was given for, and their simultaneous band.
    level : float
        The probability that the band states, if people are normal about their mean. The band is approximate.
    outside : int
        How many of the known values lie outside the band ``prediction`` of this level. Above 0, the person is unlike those of
        whom the release tells, and the band may miss the curve.
    """

    grid_points: Array
    values: Array
    sd: Array
    lower: Array
    upper: Array
    level: float
    outside: int


class GroupsTest(NamedTuple):
    """One test whether several groups have one mean.

    Attributes
    ----------
    statistic, p_value : float
        The test, with draws from a public seed.
    compared, left_out : list of str
        The groups that were compared, and those whose noisy number of records says too little.
    """

    statistic: float
    p_value: float
    compared: list[str]
    left_out: list[str]


class Estimated(Released):
    """A released mean with its estimate. All of it is public."""

    _shown: dict[str, Any] | None = None

    def _of(self, name: str) -> Any:
        if self._shown is None:
            self._shown = kept(_dpfda.estimate(self._released))
        return self._shown[name]

    radius = property(lambda self: self._number("radius"), doc="The radius of the ball, stated or bought.")
    grid_points = property(lambda self: self._of("grid_points"), doc="Where the estimate is known.")
    domain = property(lambda self: self._of("domain"), doc="The two ends of the domain, of each axis where there are two.")
    values = property(lambda self: self._of("values"), doc="The estimate of the mean.")
    posterior_sd = property(lambda self: self._of("posterior_sd"), doc="Its posterior standard deviation.")
    noise_sd = property(lambda self: self._of("noise_sd"), doc="At least the standard deviation of the privacy noise alone.")
    lower = property(lambda self: self._of("lower"), doc="The lower end of the band.")
    upper = property(lambda self: self._of("upper"), doc="The upper end of the band.")

    #: The axes of the domain.
    _axes: tuple[str, ...] = ("t",)

    def to_xarray(self) -> xarray.Dataset:
        """Return the estimate as an ``xarray.Dataset`` over the axes of its domain, ``t`` or ``s`` and ``t``, with its band."""
        import xarray

        *arguments, value = self._labels()[-1 - len(self._axes) :]
        points = self.grid_points if len(self._axes) > 1 else (self.grid_points,)
        columns = {column: (self._axes, self._of(name), {"long_name": value}) for column, name in COLUMNS.items()}
        coords = {axis: (axis, at, {"long_name": words}) for axis, at, words in zip(self._axes, points, arguments)}
        return xarray.Dataset(columns, coords, {"band": self._of("band"), "level": self._of("level")})


class Curve(Estimated):
    """A released mean function with its estimate. All of it is public."""

    def _band(self) -> Band:
        names = ("band", "target", "level", "critical", "grid_points", "values", "lower", "upper", "promises", "does_not_promise")
        return Band(*(self._of(name) for name in names))

    def at(self, points: Any) -> dict[str, Array]:
        """Evaluate the estimate and its band at any points of the domain.

        Returns
        -------
        dict
            ``grid_points``, ``values``, ``posterior_sd``, ``noise_sd``, ``lower`` and ``upper``.
        """
        return _dpfda.at(self._released, at_points(points), None)

    @asked
    def features(
        self,
        *,
        derivative: Any = None,
        window: float | None = None,
        integral: bool | tuple[float, float] = False,
        maximum: bool = False,
        minimum: bool = False,
        minus: Any = None,
    ) -> Features:
        """Return slopes, an area, the maximum and the minimum with intervals, as ``dpfda evaluate`` does.

        Parameters
        ----------
        {asked}
        minus : optional
            A release of other people on the same grid: then the numbers are of the difference, this mean minus theirs.

        Returns
        -------
        Features
        """
        other = None
        if minus is not None:
            if not isinstance(minus, Curve):
                raise DpfdaError("minus must be a release of one mean curve", "minus")
            other = (minus._released, None)
        return features_of(self._released, Which(minus=other), derivative, window, integral, maximum, minimum)

    def to_fdatagrid(self) -> Any:
        """Return the estimate as an ``skfda.FDataGrid`` of one curve; the end of a domain that closes up has the first value."""
        import numpy as np
        from skfda import FDataGrid

        values, points = self.values.copy(), self.grid_points.copy()
        if self._of("is_periodic"):
            values, points = np.append(values, values[0]), np.append(points, self.domain[1])
        _, argument, value = self._labels()
        return FDataGrid(
            values[np.newaxis], points, domain_range=self.domain, argument_names=[argument], coordinate_names=[value]
        )

    def plot(self, ax: axes.Axes | None = None, *, fig: figure.FigureBase | None = None, color: Any = None) -> axes.Axes:
        """Draw the estimate and its band with matplotlib; its words come from the release.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes, within which all words stand.
        fig : matplotlib.figure.Figure or SubFigure, optional
            Where new axes are made.
        color : optional
            The colour of the curve and of its band.

        Returns
        -------
        matplotlib.axes.Axes
        """
        canvas = self._canvas(ax, fig)
        return canvas.curve(self._band(), self._labels(), self._released.captions(), color)


class Several(Released):
    """Released functions under names. All of it is public."""

    _shown: tuple[dict[str, Function | None], float] | None = None

    def _all(self) -> tuple[dict[str, Function | None], float]:
        if self._shown is None:
            found, level = _dpfda.estimates(self._released)
            self._shown = {name: None if one is None else Function(**kept(one)) for name, one in found}, level
        return self._shown

    @property
    def functions(self) -> dict[str, Function]:
        """The functions by name; one that the noise hides is left out."""
        return {name: found for name, found in self._all()[0].items() if found is not None}

    @property
    def level(self) -> float:
        """The probability that each band states."""
        return self._all()[1]

    @property
    def values(self) -> dict[str, Array]:
        """The estimates by name, each of shape (n_points,)."""
        return {name: found.values for name, found in self.functions.items()}

    def with_band(self, *, level: float) -> Any:
        """Return the same release with bands of another level, at no cost."""
        return type(self)(self._released.with_band([("level", level)]))

    def band(self, name: str) -> Function:
        """Return one of the functions with its band."""
        found = self.functions.get(name)
        if found is None:
            raise DpfdaError(f"the release has {', '.join(self.functions)}", "name")
        return found

    def at(self, points: Any) -> dict[str, dict[str, Array]]:
        """Evaluate each function and its band at any points of the domain, by name."""
        found = at_points(points)
        return {name: _dpfda.at(self._released, found, name) for name in self.functions}

    def to_xarray(self) -> xarray.Dataset:
        """Return the functions as an ``xarray.Dataset`` over ``name`` and ``t``, with their bands."""
        import numpy as np
        import xarray

        functions = self.functions
        _, argument, value = self._labels()
        rows = {column: np.array([getattr(one, name) for one in functions.values()]) for column, name in COLUMNS.items()}
        columns = {column: (("name", "t"), numbers, {"long_name": value}) for column, numbers in rows.items()}
        points = next(iter(functions.values())).grid_points if functions else np.zeros(0)
        coords = {"name": list(functions), "t": ("t", points, {"long_name": argument})}
        return xarray.Dataset(columns, coords, {"level": self.level})

    def plot(self, ax: Any = None, *, fig: figure.FigureBase | None = None, color: Any = None) -> Any:
        """Draw each function with its band by matplotlib, a panel for each; its words come from the release.

        Parameters
        ----------
        ax : array of matplotlib.axes.Axes, optional
            Axes for the panels, within which all words stand.
        fig : matplotlib.figure.Figure or SubFigure, optional
            Where new axes are made.
        color : optional
            The colour of the curves and of their bands.

        Returns
        -------
        array of matplotlib.axes.Axes
        """
        canvas = self._canvas(ax, fig, len(self.functions))
        return canvas.panels(self.functions, self._labels(), self.level, color, self._zero)

    #: Whether a line stands at 0 in all panels but the first.
    _zero = False


class GroupsRelease(Several):
    """Released means of several groups. All of it is public."""

    _kind = "groups"

    @property
    def names(self) -> list[str]:
        """The names of the groups."""
        return list(self._number("names"))

    def group(self, name: str) -> dict[str, Any]:
        """Return the estimate of a group.

        Returns
        -------
        dict
            ``records``, ``records_sd``, ``grid_points``, ``values``, ``posterior_sd``, ``noise_sd``, ``lower`` and ``upper``.
        """
        records, records_sd = _dpfda.group_of(self._released, name)
        return {**self.band(name)._asdict(), "records": records, "records_sd": records_sd}

    @asked
    def features(
        self,
        name: str,
        *,
        derivative: Any = None,
        window: float | None = None,
        integral: bool | tuple[float, float] = False,
        maximum: bool = False,
        minimum: bool = False,
        minus: str | None = None,
    ) -> Features:
        """Return slopes, an area, the maximum and the minimum of a group, or of the difference of two groups.

        Parameters
        ----------
        name : str
            The group.
        {asked}
        minus : str, optional
            Another group: then the numbers are of the difference, the first mean minus that of this group.

        Returns
        -------
        Features
        """
        other = None if minus is None else (self._released, str(minus))
        return features_of(self._released, Which(name=str(name), minus=other), derivative, window, integral, maximum, minimum)

    def compare(self, first: str, second: str, *, level: float = 0.95) -> Difference:
        """Return the difference of two groups, at no cost in privacy."""
        pair = ((self._released, first), (self._released, second))
        return Difference(**_dpfda.difference(*pair, float(number("level", level))))

    def test(self, *names: str) -> GroupsTest:
        """Test whether these groups, or all, have one mean: one test for all of them, at no cost in privacy."""
        return GroupsTest(**_dpfda.groups_test(self._released, [str(name) for name in names]))

    def normal_centiles(self, name: str, centiles: Sequence[float], *, level: float = 0.95) -> dict[float, Centile]:
        """Return centile curves of a group if values are normal, as ``Release.normal_centiles`` does."""
        return centiles_of(self, str(name), centiles, True, level)

    def complete(self, name: str, points: Any, values: Any, *, level: float = 0.95) -> Completion:
        """Complete the curve of a person of a group, as ``Release.complete`` does."""
        seen = (at_points(points), at_points(values, "values"))
        return Completion(**_dpfda.complete(self._released, str(name), seen, float(number("level", level))))

    def _said(self) -> str:
        return ", ".join(self.names)
