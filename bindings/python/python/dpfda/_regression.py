"""Released regressions, and how curves go with an outcome."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from . import _dpfda
from ._documents import parsed
from ._errors import DpfdaError
from ._features import Features, Which, asked, features_of
from ._functions import Function, Several
from ._tables import Array


class Outcome(NamedTuple):
    """How the curves of people go with an outcome of theirs.

    Attributes
    ----------
    name : str
        The covariate that is the outcome.
    given : list of str
        The other covariates: what they explain is taken out.
    correlation : Function
        The correlation at each point, with a band for all points together.
    slope : array of shape (n_points,), or None
        The slope function, where an association is told from the noise: units of the outcome for one unit of the curve. The
        integral is over the domain mapped to [0, 1].
    r_squared : float or None
        The part of the variance of the outcome that the slope is expected to explain in new people.
    r_squared_at_least : float or None
        Curves explain at least this part, with the probability that the band states. The noise may hide more.
    """

    name: str
    given: list[str]
    correlation: Function
    slope: Array | None
    r_squared: float | None
    r_squared_at_least: float | None


class RegressionRelease(Several):
    """A released regression: coefficient functions with bands. All of it is public.

    The intercept is the mean curve where every number is 0 and every category at its reference. Each other coefficient is the
    change of the mean for one unit of its covariate. Where the noise hides the covariates, its functions are refused.
    """

    _kind = "regression"
    _zero = True

    @property
    def covariates(self) -> dict[str, tuple[float, float] | list[str]]:
        """Each covariate with its public range."""
        found: dict[str, tuple[float, float] | list[str]] = {}
        for entry in parsed(self._number("covariates")):
            kind, stated = next(iter(entry.items()))
            found[stated["name"]] = (stated["lower"], stated["upper"]) if kind == "number" else stated["levels"]
        return found

    @property
    def coefficients(self) -> dict[str, Function]:
        """The coefficient functions by name, ``"intercept"`` first. Refused where the noise hides the covariates."""
        return self.functions

    @asked
    def features(
        self,
        of: str | Mapping[str, Any],
        *,
        derivative: Any = None,
        window: float | None = None,
        integral: bool | tuple[float, float] = False,
        maximum: bool = False,
        minimum: bool = False,
    ) -> Features:
        """Return slopes, an area, the maximum and the minimum of a coefficient, or of the mean curve at covariates.

        Parameters
        ----------
        of : str or mapping
            The name of a coefficient, or one value for each covariate, as for `predict`.
        {asked}

        Returns
        -------
        Features
        """
        which = Which(covariates=_cells(of)) if isinstance(of, Mapping) else Which(name=str(of))
        return features_of(self._released, which, derivative, window, integral, maximum, minimum)

    def predict(self, at: Mapping[str, Any]) -> Function:
        """Return the mean curve of people with these covariates, with a band for the mean of their population.

        It is no band for the curve of one of them.

        Parameters
        ----------
        at : mapping of str to number or str
            One value for each covariate, within its public range: a regression is not extrapolated.

        Returns
        -------
        Function
        """
        return Function(**_dpfda.predict(self._released, _cells(at)))

    def outcome(self, name: str | None = None) -> Outcome:
        """Return how curves go with a private covariate: a number, or a category of two levels. It costs no privacy.

        Parameters
        ----------
        name : str, optional
            The covariate. By default the outcome that the release is about.

        Returns
        -------
        Outcome
        """
        found = _dpfda.outcome(self._released, None if name is None else str(name))
        return Outcome(**{**found, "correlation": Function(**found["correlation"])})

    def _said(self) -> str:
        return ", ".join(self.covariates)


def _cells(at: Any) -> list[tuple[str, str]]:
    """Covariates by name, as texts."""
    if not isinstance(at, Mapping):
        raise DpfdaError("at must give one value for each covariate, such as {'age': 40}", "at")
    cells = [(str(name), _dpfda.said(value)) for name, value in at.items()]
    if None in dict(cells).values():
        raise DpfdaError("at must hold numbers and levels, and no missing values", "at")
    return [(name, text) for name, text in cells if text is not None]
