"""Means of several groups in one release, and differences of means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ._documents import parsed
from ._dpfda import GroupsRelease as Released
from ._facts import Fact
from ._numbers import number

if TYPE_CHECKING:
    from ._inputs import Array


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


class GroupsRelease:
    """Released means of several groups. All of it is public."""

    def __init__(self, released: Released) -> None:
        self._released = released

    @classmethod
    def from_json(cls, text: str) -> GroupsRelease:
        """Read a release, as :meth:`to_json` or ``dpfda release --by`` writes it."""
        return cls(Released.from_json(text))

    def to_json(self) -> str:
        """Return the release with its estimates as a document."""
        return self._released.to_json()

    @property
    def document(self) -> dict[str, Any]:
        """The document as a dictionary."""
        return parsed(self.to_json())

    @property
    def facts(self) -> list[Fact]:
        """What the release is, in words."""
        return [Fact(*fact) for fact in self._released.facts()]

    @property
    def names(self) -> list[str]:
        """The names of the groups."""
        return self._released.names

    @property
    def is_private(self) -> bool:
        """Whether the noise was secret."""
        return self._released.is_private

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

    def __repr__(self) -> str:
        stamp = "" if self.is_private else ", NOT PRIVATE: noise from a seed"
        return f"GroupsRelease({', '.join(self.names)}{stamp})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GroupsRelease) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[Any, ...]:
        return GroupsRelease.from_json, (self.to_json(),)
