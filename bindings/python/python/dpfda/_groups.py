"""Means of several groups in one release, and differences of means."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import _dpfda
from ._documents import Released
from ._inputs import Array
from ._numbers import number


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


class GroupsRelease(Released):
    """Released means of several groups. All of it is public."""

    _compiled = _dpfda.GroupsRelease
    _released: _dpfda.GroupsRelease

    @property
    def names(self) -> list[str]:
        """The names of the groups."""
        return self._released.names

    def group(self, name: str) -> dict[str, Any]:
        """Return the estimate of a group.

        Returns
        -------
        dict
            ``records``, ``records_sd``, ``grid_points``, ``values``, ``posterior_sd``, ``noise_sd``, ``lower`` and ``upper``.
        """
        return self._released.group(name)

    def compare(self, first: str, second: str, *, level: float = 0.95) -> Difference:
        """Return the difference of two groups, at no cost in privacy."""
        return Difference(**self._released.compare(first, second, float(number("level", level))))

    def _said(self) -> str:
        return ", ".join(self.names)
