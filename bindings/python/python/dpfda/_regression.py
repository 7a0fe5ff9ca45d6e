"""Private regressions of curves on covariates, and what is released of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy.typing as npt

from . import _covariates, _dpfda, _figures, _inputs
from ._covariates import Ranges
from ._documents import Released
from ._door import LedgerLike, door
from ._dpfda import Ball, PrivacyBudget, RegressionSettings, release_regression
from ._errors import DpfdaError
from ._inputs import Array
from ._stated import Codes, Settings, Share, cells, share, stated, stated_curves


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


class RegressionRelease(Released):
    """A released regression: coefficient functions with bands. All of it is public.

    The intercept is the mean curve where every number is 0 and every category at its reference. Each other coefficient is the
    change of the mean for one unit of its covariate.
    """

    _compiled = _dpfda.RegressionRelease
    _released: _dpfda.RegressionRelease

    @property
    def covariates(self) -> dict[str, tuple[float, float] | list[str]]:
        """Each covariate with its public range."""
        return _covariates.ranges(self._released.covariates())

    @property
    def level(self) -> float:
        """The probability that each band states."""
        return self._released.level()

    @property
    def coefficients(self) -> dict[str, Function]:
        """The coefficient functions by name, ``"intercept"`` first. Refused where the noise hides the covariates."""
        return {name: Function(**found) for name, found in self._released.coefficients()}

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
        if not isinstance(at, Mapping):
            raise DpfdaError("at must give one value for each covariate, such as {'age': 40}", "at")
        cells = [(str(name), _dpfda.said(value)) for name, value in at.items()]
        if None in dict(cells).values():
            raise DpfdaError("at must hold numbers and levels, and no missing values", "at")
        return Function(**self._released.predict([(name, text) for name, text in cells if text is not None]))

    def to_svg(self) -> str:
        """Return the figure as SVG: the intercept and the first coefficients, at most four panels.

        Refused where the noise hides the covariates.
        """
        return self._released.to_svg()

    def to_png(self) -> bytes:
        """Return the figure as the bytes of a PNG."""
        return bytes(self._released.to_png())

    def plot(self, axes: Any = None) -> npt.NDArray[Any]:
        """Draw each coefficient with its band by matplotlib, a panel for each; its words come from the release."""
        return _figures.plot_functions(self.coefficients, axes, self.level, self.is_private)

    def _repr_html_(self) -> str:
        try:
            figure = self.to_svg()
        except DpfdaError:
            # the noise hides the covariates, and the facts say so
            figure = ""
        return _figures.html(figure, self.facts)

    def _said(self) -> str:
        return ", ".join(self.covariates)


class PrivateRegression(Settings):
    """The private regression of curves on covariates, ready to be released.

    ``Y(t) = beta_0(t) + sum_k x_k beta_k(t) + error``. Covariates are as private as curves, unless they are said to be public.
    All settings are public. They come from public knowledge, never from the data.

    Parameters
    ----------
    covariates : mapping of str to (float, float) or to a sequence of str
        The public range of each covariate: the bounds of a number, or the levels of a category with the reference first. A number
        outside its bounds counts as the nearer bound; a missing value counts as the middle.
    ball, budget, bounds, center, radius, epsilon, delta : optional
        As in :class:`PrivateMean`.
    because : str, optional
        Why the guarantee is not a usual one, as in :class:`PrivateMean`.
    public_design : bool
        The covariates of everybody are public, and only the curves are private: less noise. Under ``"substitute"`` alone.
    radius_share : float, None or "default"
        The share of the budget that buys a radius as small as the data allow, outside which at most a twentieth of the curves may
        lie; None keeps the stated one, and so does the default of records that are too few, where their number is public.
    center_share : float, optional
        The share of the budget that buys the centre as well.
    neighbours : {"substitute", "add-remove"}
        Which data sets must look alike.
    calibration : {"tight", "classical"}
        The theorem that sets the scale of the noise.
    level : float, optional
        The probability that each band states, above 0.5 and below 0.9999; by default 0.95.

    Examples
    --------
    >>> import numpy as np, dpfda
    >>> age = np.linspace(20, 80, 4000)
    >>> x = 0.4 + 0.003 * age[:, None] * np.linspace(0, 1, 30)
    >>> regression = dpfda.PrivateRegression({"age": (18, 90)}, bounds=(0, 1), epsilon=2, delta=1e-5)
    >>> release = regression.release(x, columns={"age": age})
    >>> release.predict({"age": 40}).values.shape
    (30,)
    """

    def __init__(
        self,
        covariates: Ranges,
        ball: Ball | None = None,
        budget: PrivacyBudget | None = None,
        *,
        bounds: tuple[float, float] | None = None,
        center: Any = None,
        radius: float | None = None,
        epsilon: float | None = None,
        delta: float | None = None,
        because: str | None = None,
        public_design: bool = False,
        radius_share: Share = "default",
        center_share: float | None = None,
        neighbours: Literal["substitute", "add-remove"] = "substitute",
        calibration: Literal["tight", "classical"] = "tight",
        level: float | None = None,
    ) -> None:
        given = {name: value for name, value in locals().items() if name != "self"}
        self._given = {name: value for name, value in given.items() if value is not None or name == "radius_share"}
        text, self._numeric = _covariates.document(covariates)
        if not isinstance(public_design, bool):
            raise DpfdaError("public_design must be True or False", "public_design")
        arguments = stated(given, names=("neighbours", "calibration"), numbers=("center_share", "level"))
        self._guard(arguments["budget"], because)
        arguments["radius_share"] = share(radius_share)
        self._settings = RegressionSettings({**arguments, "covariates": text})

    def release(
        self,
        curves: Any,
        *,
        columns: Any = None,
        values: _inputs.Values = None,
        subject: Any = None,
        grid_points: Any = None,
        domain_range: Any = None,
        periodic: bool = False,
        ledger: LedgerLike = None,
        release_id: str | None = None,
        part_of: str | None = None,
        seed: int | None = None,
        not_private: bool = False,
        delimiter: str | None = None,
        decimal_comma: bool = False,
        missing: Codes = None,
    ) -> RegressionRelease:
        """Release the regression: **spends the budget**. Calling it twice spends it twice.

        Parameters
        ----------
        curves : as in :meth:`PrivateMean.release`
            One curve in each row.
        columns : mapping or frame, optional
            The column of each covariate, of shape (n_curves,), by name. Without it they are columns of the frame or of the file,
            and `values` must name the value columns.
        values, subject, grid_points, domain_range, periodic, ledger, release_id, part_of, seed, not_private
            As in :meth:`PrivateMean.release`. A subject of several curves is the mean of its covariates and of its curves.
        delimiter, decimal_comma, missing
            As in :meth:`PrivateMean.release`. A covariate that is a code is missing too.

        Returns
        -------
        RegressionRelease
        """
        is_path = _inputs.is_path(curves)
        if is_path and columns is not None:
            raise DpfdaError("the covariates of a file are columns of the file: leave columns out", "columns")
        if columns is None and values is None and not is_path:
            raise DpfdaError("give columns, or a frame with values that name its value columns", "columns")
        paid = door(ledger, release_id, part_of, seed, not_private, self._agreed)
        found = stated_curves(
            curves,
            lambda rows, codes: _covariates.cells(self._numeric, columns, curves, rows, codes),
            cells(delimiter, decimal_comma, missing),
            values=values,
            subject=subject,
            grid_points=grid_points,
            domain_range=domain_range,
            periodic=periodic,
        )
        return RegressionRelease(release_regression(self._settings, found, paid))

    def __repr__(self) -> str:
        return f"PrivateRegression({', '.join(self._numeric)})"
