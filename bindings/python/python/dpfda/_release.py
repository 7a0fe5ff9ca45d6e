"""A released mean, and what can be asked of it at no cost in privacy."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from . import _crossval, _dpfda, _tables
from ._centiles import Centile, centiles_of
from ._crossval import Names, Numbers, Scores
from ._documents import kept
from ._figures import Canvas
from ._functions import Band, Completion, Curve, Difference, difference_to
from ._numbers import number, seed_of, whole
from ._tables import Array, at_points
from ._types import figure

BandName = Literal[
    "population", "posterior", "smoothed", "undersmoothed", "unsmoothed", "honest", "noise", "prediction", "tolerance"
]


class Uncertain(NamedTuple):
    """A number, or numbers, with the standard deviation."""

    value: Any
    sd: Any


class Components(NamedTuple):
    """How the curves vary around their mean: `rank` components that can be told from the privacy noise.

    Attributes
    ----------
    eigenvalues, eigenvalues_sd, eigenvalues_sampling_sd : array of shape (rank,)
        The variance of the scores in squared units of the data, its privacy noise and its sampling.
    eigenvalues_lower, eigenvalues_upper : array of shape (rank,)
        Their 95% intervals for the population. What a bought ball may have cut off is in the upper ends.
    explained, explained_sd, explained_lower, explained_upper : array of shape (rank,)
        The share of the total variance, and its 95% interval; NaN where the total cannot be told from noise.
    functions, lower, upper : array of shape (rank, n_points)
        The eigenfunctions with their approximate pointwise 95% bands for privacy noise.
    separately_identified : list of bool
        Whether a component is more than one of a span.
    grid_points, mean : array of shape (n_points,)
        Where the functions are known, and the mean.
    total_variance, total_variance_sd, total_variance_sampling_sd : float
        The total variance.
    total_variance_lower, total_variance_upper : float
        Its 95% interval for the population.
    threshold : float
        What noise alone exceeds in one of 400 draws.
    covariance : array of shape (n_points, n_points)
        The smoothed covariance of the curves.
    """

    eigenvalues: Array
    eigenvalues_sd: Array
    eigenvalues_sampling_sd: Array
    eigenvalues_lower: Array
    eigenvalues_upper: Array
    explained: Array
    explained_sd: Array
    explained_lower: Array
    explained_upper: Array
    functions: Array
    lower: Array
    upper: Array
    separately_identified: list[bool]
    grid_points: Array
    mean: Array
    total_variance: float
    total_variance_sd: float
    total_variance_sampling_sd: float
    total_variance_lower: float
    total_variance_upper: float
    threshold: float
    covariance: Array

    @property
    def rank(self) -> int:
        """The number of components; 0 is an answer: the noise hides every component."""
        return len(self.eigenvalues)

    def plot(self, ax: Any = None, *, fig: figure.FigureBase | None = None, color: Any = None) -> Any:
        """Draw each component with its band by matplotlib, a panel for each.

        Parameters
        ----------
        ax : array of matplotlib.axes.Axes, optional
            Axes for the panels, within which all words stand.
        fig : matplotlib.figure.Figure or SubFigure, optional
            Where new axes are made.
        color : optional
            The colour of the functions and of their bands.

        Returns
        -------
        array of matplotlib.axes.Axes
        """
        return Canvas(ax, fig, self.rank, None, True).components(self, color)


class Posterior:
    """The posterior of the mean of the people in a release.

    Attributes
    ----------
    grid_points, values, sd, noise_sd : array of shape (n_points,)
        The posterior mean, its standard deviation, and that of the privacy noise alone.
    """

    def __init__(self, release: Release) -> None:
        self._released = release._released
        self.grid_points = release.grid_points
        self.values, self.sd, self.noise_sd = kept(_dpfda.posterior(self._released))

    def __call__(self, points: Any) -> Uncertain:
        """Evaluate at any points of the domain, in its units."""
        return Uncertain(*_dpfda.evaluate(self._released, at_points(points)))

    def integral(self, weight: Any = None) -> Uncertain:
        """Return the integral over the domain, or that of the product with `weight` at the points of the grid."""
        return Uncertain(*_dpfda.integral(self._released, None if weight is None else at_points(weight, "weight")))

    def draws(self, count: int, points: Any = None, *, seed: int | None = None) -> Array:
        """Draw the mean from its posterior; shape (count, n).

        Parameters
        ----------
        count : int
            How many draws.
        points : sequence of shape (n,), optional
            Points of the domain; by default those of the grid.
        seed : int, optional
            The seed of the draws, which may be public; by default a new one.
        """
        at = at_points(self.grid_points if points is None else points)
        return _dpfda.draws(self._released, at, whole("count", count) or 0, _seed(seed))

    def covariance(self, points: Any) -> Array:
        """Return the posterior covariance between any points, of shape (n, n)."""
        return _dpfda.covariance(self._released, at_points(points))

    def __reduce__(self) -> tuple[Any, ...]:
        return _posterior_of, (self._released.to_json(),)


def _posterior_of(text: str) -> Posterior:
    return Release.from_json(text).posterior()


class Varied(Curve):
    """A released mean of curves that tells how they vary. All of it is public."""

    def components(self) -> Components:
        """Return how the curves vary around their mean; needs the second moments of the release."""
        found = _dpfda.components(self._released)
        return Components(**found)

    def scores(self, curve: Any) -> Array:
        """Return how much of each component a curve has that is public; shape (rank,)."""
        return _dpfda.scores(self._released, _tables.vector(curve, "curve"))

    def normal_centiles(self, centiles: Sequence[float], *, level: float = 0.95) -> dict[float, Centile]:
        """Return centile curves if values at each point are normal, which the release cannot check, at no cost in privacy.

        They come from the second moments of the release. ``PrivateCentiles`` gives centile curves that assume no shape.

        Parameters
        ----------
        centiles : sequence of float
            The centiles, in percent, from 2 to 98 and increasing.
        level : float
            The probability that the band of all curves states.

        Returns
        -------
        dict of float to Centile
        """
        return centiles_of(self, None, centiles, True, level)

    def simulate(self, curves: int, *, seed: int | None = None, clip: tuple[float, float] | None = None) -> Array:
        """Draw synthetic curves with the mean and the covariance of the release; shape (curves, n_points).

        Parameters
        ----------
        curves : int
            How many.
        seed : int, optional
            The seed of the draws, which may be public; by default a new one.
        clip : (float, float), optional
            Public bounds that every value is moved into.
        """
        return _dpfda.simulate(self._released, whole("curves", curves) or 0, _seed(seed), clip)


class Release(Varied):
    """A released mean function with its estimate. All of it is public.

    Whatever is asked of a release is computed from the release alone and costs no privacy.
    """

    _kind = "mean"

    noisy_records = property(lambda self: self._number("noisy_records"), doc="The number that the mean was divided by.")
    noise_scale = property(lambda self: self._number("noise_scale"), doc="The scale of the noise.")

    def posterior(self) -> Posterior:
        """Return the posterior of the mean of these people."""
        return Posterior(self)

    def band(self, band: BandName | None = None, *, level: float | None = None, band_roughness: float | None = None) -> Band:
        """Return a band: that of the release, or another one.

        Parameters
        ----------
        band : str, optional
            What the band is about.
        level : float, optional
            The probability that it states, above 0.5 and below 0.9999.
        band_roughness : float, optional
            What the band ``"honest"`` needs.
        """
        asked = band is not None or level is not None or band_roughness is not None
        return (self.with_band(band, level=level, band_roughness=band_roughness) if asked else self)._band()

    def with_band(
        self, band: BandName | None = None, *, level: float | None = None, band_roughness: float | None = None
    ) -> Release:
        """Return the same release with another band, as ``dpfda smooth --band`` makes it."""
        return Release(self._released.with_band([("band", band), ("level", level), ("band_roughness", band_roughness)]))

    def smoothed(
        self,
        select: Literal["sure", "default"] | None = None,
        *,
        kernel: str | None = None,
        range: float | None = None,
        penalty: float | None = None,
        eta: float | None = None,
    ) -> Release:
        """Return the same release through another smoother; what is not given stays as it is."""
        parts = [("select", select), ("kernel", kernel), ("range", range), ("penalty", penalty), ("eta", eta)]
        return Release(self._released.smoothed(parts))

    def derivative(self, points: Any, *, window: float | None = None) -> Uncertain:
        """Return the slope over a window about each point, with its standard deviation; at a point no slope can be told.

        Parameters
        ----------
        points : sequence of float
            Points of the domain.
        window : float, optional
            The length of the window in units of the domain; by default a tenth of the domain.
        """
        slopes = self.features(derivative=points, window=window).derivative
        return Uncertain(np.array([slope.value for slope in slopes]), np.array([slope.sd for slope in slopes]))

    def integral(self, weight: Any = None) -> Uncertain:
        """Return the integral of the mean, with its posterior standard deviation."""
        return self.posterior().integral(weight)

    def risks(self, *, kernel: Names = None, range: Numbers = None, penalty: Numbers = None, eta: Numbers = None) -> Scores:
        """Estimate the risk of smoothers from the release alone: the table behind ``smoothed("sure")``. It is public.

        Parameters
        ----------
        kernel, range, penalty, eta : optional
            What is tried: a value, or a list. Without any of them, what ``dpfda smooth --select sure`` tries.
        """
        given = any(part is not None for part in (kernel, range, penalty, eta))
        return Scores(**_dpfda.risks(self._released, _crossval.candidates(kernel, range, penalty, eta) if given else None))

    def compare(self, other: Release, *, level: float = 0.95) -> Difference:
        """Return the difference to the mean of other people, from a release on the same grid.

        Parameters
        ----------
        other : Release
            A release of other people: this mean minus theirs.
        level : float
            The probability that the band states.
        """
        return difference_to(self, other, Release, level)

    def complete(self, points: Any, values: Any, *, level: float = 0.95) -> Completion:
        """Complete the curve of one person, of which some values are known.

        The answer is about that person, and as private as the values. It assumes that people are normal about their mean.

        Parameters
        ----------
        points, values : sequence of shape (n_known,)
            At least 3 points of the domain, increasing, and the values of the person there.
        level : float
            The probability that the band states, for all completed values at once.
        """
        seen = (at_points(points), at_points(values, "values"))
        return Completion(**_dpfda.complete(self._released, None, seen, float(number("level", level))))

    def _said(self) -> str:
        return f"{self._number('points')} points"


def _seed(seed: int | None) -> int:
    return int.from_bytes(os.urandom(8), "little") if seed is None else seed_of(seed) or 0


class ChangeRelease(Varied):
    """A released mean change of people between two visits, or with time. All of it is public.

    Where the noise hides how many people have a change, its estimate is refused. That a change does not cause absence is assumed.
    """

    _kind = "change"

    people = property(lambda self: _dpfda.people_of(self._released)[0], doc="The noisy number of people who have a change.")
    people_sd = property(lambda self: _dpfda.people_of(self._released)[1], doc="The standard deviation of its noise.")

    def band(self, *, level: float | None = None) -> Band:
        """Return the band of the population: that of the release, or one of another level."""
        return (self if level is None else self.with_band(level=level))._band()

    def with_band(self, *, level: float) -> ChangeRelease:
        """Return the same release with a band of another level, at no cost."""
        return ChangeRelease(self._released.with_band([("level", level)]))

    def compare(self, other: ChangeRelease, *, level: float = 0.95) -> Difference:
        """Return the difference to the change of other people, from a release on the same grid.

        Parameters
        ----------
        other : ChangeRelease
            A release of other people: this change minus theirs.
        level : float
            The probability that the band states.
        """
        return difference_to(self, other, ChangeRelease, level)
