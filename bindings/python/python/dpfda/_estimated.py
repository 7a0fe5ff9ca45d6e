"""What every release of a mean function shows of its estimate, at no cost in privacy."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _figures, _inputs
from ._documents import Released, kept
from ._errors import DpfdaError
from ._inputs import Array
from ._types import axes, pandas


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


class Estimated(Released):
    """A released mean function with its estimate. All of it is public."""

    def __init__(self, released: Any) -> None:
        super().__init__(released)
        self._numbers: dict[str, Any] = kept(released.numbers())
        self._estimate: dict[str, Any] | None = None

    epsilon = property(lambda self: self._numbers["epsilon"], doc="The privacy parameter epsilon.")
    delta = property(lambda self: self._numbers["delta"], doc="The privacy parameter delta.")
    mu = property(lambda self: self._numbers["mu"], doc="The parameter of Gaussian differential privacy; None with delta 0.")
    neighbours = property(lambda self: self._numbers["neighbours"], doc="``substitute`` or ``add-remove``.")
    unit = property(lambda self: self._numbers["unit"], doc="What a record is: ``subject`` or ``curve``.")
    records = property(lambda self: self._numbers["records"], doc="The number of records, where it is public.")
    radius = property(lambda self: self._numbers["radius"], doc="The radius of the ball, stated or bought.")
    software = property(lambda self: self._numbers["software"], doc="What wrote the release.")

    @property
    def ledger(self) -> dict[str, Any] | None:
        """Where the release stands in a ledger, if one paid for it."""
        found: dict[str, Any] | None = self.document.get("ledger")
        return found

    def _of_estimate(self, name: str) -> Any:
        if self._estimate is None:
            self._estimate = kept(self._released.estimate())
        return self._estimate[name]

    grid_points = property(lambda self: self._of_estimate("grid_points"), doc="Where the estimate is known; (n_points,).")
    domain_range = property(lambda self: self._of_estimate("domain_range"), doc="The two ends of the domain.")
    values = property(lambda self: self._of_estimate("values"), doc="The estimate of the mean; (n_points,).")
    posterior_sd = property(lambda self: self._of_estimate("posterior_sd"), doc="Its posterior standard deviation.")
    noise_sd = property(lambda self: self._of_estimate("noise_sd"), doc="The standard deviation of the privacy noise alone.")
    lower = property(lambda self: self._of_estimate("lower"), doc="The lower end of the band.")
    upper = property(lambda self: self._of_estimate("upper"), doc="The upper end of the band.")

    def _band(self) -> Band:
        names = ("band", "target", "level", "critical", "grid_points", "values", "lower", "upper", "promises", "does_not_promise")
        return Band(*(self._of_estimate(name) for name in names))

    def at(self, points: Any) -> dict[str, Array]:
        """Evaluate the estimate and its band at any points of the domain.

        Returns
        -------
        dict
            ``grid_points``, ``values``, ``posterior_sd``, ``noise_sd``, ``lower`` and ``upper``.
        """
        found: dict[str, Array] = self._released.at(at_points(points))
        return found

    def to_frame(self) -> pandas.DataFrame:
        """Return the estimate as a pandas frame: t, value, posterior_sd, noise_sd, lower, upper."""
        import pandas

        names = ("grid_points", "values", "posterior_sd", "noise_sd", "lower", "upper")
        columns = ("t", "value", *names[2:])
        return pandas.DataFrame({column: self._of_estimate(name) for column, name in zip(columns, names)})

    def to_fdatagrid(self) -> Any:
        """Return the estimate as an ``skfda.FDataGrid`` of one curve; the end of a domain that closes up has the first value."""
        from skfda import FDataGrid

        values, points = self.values.copy(), self.grid_points.copy()
        if self._of_estimate("is_periodic"):
            values, points = np.append(values, values[0]), np.append(points, self.domain_range[1])
        return FDataGrid(values[np.newaxis], points, domain_range=self.domain_range)

    def to_svg(self) -> str:
        """Return the figure as SVG."""
        return str(self._released.to_svg())

    def to_png(self) -> bytes:
        """Return the figure as the bytes of a PNG."""
        return bytes(self._released.to_png())

    def plot(self, ax: axes.Axes | None = None) -> axes.Axes:
        """Draw the estimate and its band with matplotlib; its words come from the release."""
        return _figures.plot_estimate(self._band(), self._released.captions(), self.is_private, ax)

    def _repr_html_(self) -> str:
        return _figures.html(self.to_svg(), self.facts)


def at_points(points: Any, parameter: str = "points") -> list[float]:
    """Public points of the domain."""
    found = np.atleast_1d(_inputs.vector(np.atleast_1d(points), parameter))
    if not np.isfinite(found).all():
        raise DpfdaError(f"{parameter} must be finite numbers", parameter)
    return [float(point) for point in found]
