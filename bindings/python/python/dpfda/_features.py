"""Numbers of a curve: slopes over a window, an area, the maximum and the minimum."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from . import _dpfda
from ._errors import DpfdaError
from ._numbers import number
from ._tables import at_points

F = TypeVar("F", bound=Callable[..., Any])


class Feature(NamedTuple):
    """A number of a curve with its standard deviation and its interval."""

    value: float
    sd: float
    lower: float
    upper: float


class Slope(NamedTuple):
    """The slope of a curve over a window.

    Attributes
    ----------
    t : float
        The point that was asked for.
    start, end : float
        The window. At the ends of the domain it slides inside; where the domain closes up, it may go over the end.
    value, sd, lower, upper : float
        The slope; the intervals of all slopes over windows of one length hold together.
    """

    t: float
    start: float
    end: float
    value: float
    sd: float
    lower: float
    upper: float


class Place(NamedTuple):
    """Where a curve may be largest or smallest.

    Attributes
    ----------
    value : float
        The place for the middle of the band.
    lower, upper : float
        The shortest interval that holds all stretches. Where the domain closes up, an interval whose lower end is above the
        upper one goes over the end of the domain.
    stretches : list of (float, float)
        The stretches of the domain that the place may be in.
    """

    value: float
    lower: float
    upper: float
    stretches: list[tuple[float, float]]


class Within(NamedTuple):
    """A number for the middle of a band with its interval."""

    value: float
    lower: float
    upper: float


class Extreme(NamedTuple):
    """Where a curve is largest, or smallest, and its value there; both hold whenever the band holds.

    Attributes
    ----------
    at : Place
        The place.
    value : Within
        The value there.
    target : str
        What the band is about.
    """

    at: Place
    value: Within
    target: str


class Features(NamedTuple):
    """Numbers of a curve.

    Attributes
    ----------
    target : str
        What slopes and the area are about: the mean of these people, or that of the population.
    level : float
        The probability that each statement has.
    window : float
        The length of the window of each slope.
    derivative : list of Slope
        The slope about each point.
    integral : Feature or None
        The area.
    maximum, minimum : Extreme or None
        The largest and the smallest value.
    """

    target: str
    level: float
    window: float
    derivative: list[Slope]
    integral: Feature | None
    maximum: Extreme | None
    minimum: Extreme | None


class Which(NamedTuple):
    """One of the curves of a release."""

    name: str | None = None
    covariates: list[tuple[str, str]] | None = None
    slice: tuple[str, float] | None = None
    minus: tuple[_dpfda.Released, str | None] | None = None


#: What is asked of a curve, as docstrings have it.
ASKED = """derivative : sequence of float or True, optional
    Points of the domain about which the slope is wanted, or True for all points of the curve.
window : float, optional
    The length of the window of a slope, in units of the domain; by default a tenth of it.
integral : bool or (float, float)
    The area under the curve over the domain, or between two points. Where the domain closes up, the first point may be
    above the second: from there over the end of the domain.
maximum, minimum : bool
    Where the curve is largest or smallest, and its value there."""


def asked(method: F) -> F:
    """Gives a method the parameters that every curve has: they stand in its docstring where it says ``{asked}``."""
    method.__doc__ = inspect.cleandoc(method.__doc__ or "").replace("{asked}", ASKED)
    return method


def features_of(
    released: _dpfda.Released,
    which: Which,
    derivative: Any,
    window: float | None,
    integral: bool | tuple[float, float],
    maximum: bool,
    minimum: bool,
) -> Features:
    """Return what is asked of a curve."""
    ends = None
    if not isinstance(integral, bool):
        between = at_points(integral, "integral")
        if len(between) != 2:
            raise DpfdaError("integral must be True, or the two ends of the area", "integral")
        ends = (between[0], between[1])
    everywhere = derivative is True
    about = [] if derivative is None or isinstance(derivative, bool) else at_points(derivative, "derivative")
    length = None if window is None else float(number("window", window))
    area = (integral is True, ends)
    found = _dpfda.features(released, which, (everywhere, about), length, area, (bool(maximum), bool(minimum)))
    return Features(
        found["target"],
        found["level"],
        found["window"],
        [Slope(t, start, end, *numbers) for t, start, end, numbers in found["derivative"]],
        None if found["integral"] is None else Feature(*found["integral"]),
        _extreme(found["maximum"]),
        _extreme(found["minimum"]),
    )


def _extreme(found: Any) -> Extreme | None:
    return None if found is None else Extreme(Place(*found[0]), Within(*found[1]), found[2])
