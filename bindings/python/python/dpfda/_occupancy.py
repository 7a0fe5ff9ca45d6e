"""The private mean of curves that were seen at other times for each subject, and what is released of it."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from . import _dpfda, _figures, _inputs
from ._documents import Released
from ._door import LedgerLike, door, tell, tell_of_ids
from ._dpfda import Ball, OccupancySettings, PrivacyBudget, release_occupancy
from ._errors import DpfdaError
from ._groups import Difference
from ._numbers import number, whole
from ._regression import Function
from ._stated import stated_ball, stated_budget

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._inputs import Array

BandName = Literal["population", "posterior", "noise"]


class OccupancyRelease(Released):
    """A released mean of irregular curves with its estimate. All of it is public."""

    _compiled = _dpfda.OccupancyRelease
    _released: _dpfda.OccupancyRelease

    @property
    def estimate(self) -> Function:
        """The estimate with its band at the points of its grid."""
        return Function(**self._released.estimate())

    @property
    def band(self) -> str:
        """Which band: ``population``, ``posterior`` or ``noise``."""
        return self._released.band()[0]

    @property
    def level(self) -> float:
        """The probability that the band states."""
        return self._released.band()[1]

    @property
    def unsupported(self) -> list[tuple[float, float]]:
        """The parts of the domain that too few people were measured in: there the estimate is what the prior says."""
        return self._released.unsupported()

    def __call__(self, points: Any) -> Function:
        """Evaluate the estimate and its band at any points of the domain."""
        return Function(**self._released.at([float(one) for one in _inputs.vector(points, "points")]))

    def with_band(self, band: BandName, *, level: float = 0.95) -> OccupancyRelease:
        """Return the same release with another band, at no cost in privacy."""
        if not isinstance(band, str):
            raise DpfdaError("band must be a name", "band")
        return OccupancyRelease(self._released.with_band(band, float(number("level", level))))

    def compare(self, other: OccupancyRelease, *, level: float = 0.95) -> Difference:
        """Return this mean minus another one of the same domain and bins, at no cost in privacy.

        The people of the two releases must be different people.
        """
        if not isinstance(other, OccupancyRelease):
            raise DpfdaError("other must be an OccupancyRelease", "other")
        return Difference(**self._released.minus(other._released, float(number("level", level))))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the estimate with its band by matplotlib."""
        axes: Axes = _figures.plot_functions({"Estimated mean function": self.estimate}, ax, self.level, self.is_private)[0]
        return axes

    def to_svg(self) -> str:
        """Return the figure as SVG."""
        return self._released.to_svg()

    def to_png(self) -> bytes:
        """Return the figure as the bytes of a PNG."""
        return bytes(self._released.to_png())

    def _repr_html_(self) -> str:
        return _figures.html(self.to_svg(), self.facts)

    def _said(self) -> str:
        lower, *_, upper = self.estimate.grid_points
        return f"mean of irregular curves from {lower:g} to {upper:g}"


class PrivateOccupancy:
    """The private mean of curves that were seen at other times for each subject: long tables, one value in each row.

    All settings are public. They come from public knowledge, never from the data. All rows of a subject are protected together.

    Parameters
    ----------
    domain_range : (float, float)
        The two ends of the times. A row outside them counts as no row.
    ball, budget, bounds, center, radius, epsilon, delta : optional
        As in :class:`PrivateMean`. The radius bounds the root mean square distance of a subject's values from the centre.
    bins : int
        How many bins of equal length the domain has.
    bound : float, optional
        The largest distance of one value from the centre; by default twice the radius.
    neighbours : {"substitute", "add-remove"}
        Which data sets must look alike.
    calibration : {"tight", "classical"}
        The theorem that sets the scale of the noise.
    band : {"population", "posterior", "noise"}, optional
        What the band is about.
    level : float, optional
        The probability that the band states, above 0.5 and below 0.9999; by default 0.95.

    Examples
    --------
    >>> import numpy as np, dpfda
    >>> subject, time = np.repeat(np.arange(2000), 3), np.linspace(0, 24, 6000) * 7 % 24
    >>> glucose = 5 + np.sin(time / 4)
    >>> mean = dpfda.PrivateOccupancy((0, 24), bounds=(2, 12), epsilon=1, delta=1e-5)
    >>> release = mean.release(subject=subject, time=time, value=glucose)
    >>> release([8, 12, 20]).values.shape
    (3,)
    """

    def __init__(
        self,
        domain_range: tuple[float, float],
        ball: Ball | None = None,
        budget: PrivacyBudget | None = None,
        *,
        bounds: tuple[float, float] | None = None,
        center: Any = None,
        radius: float | None = None,
        epsilon: float | None = None,
        delta: float | None = None,
        bins: int = 20,
        bound: float | None = None,
        neighbours: Literal["substitute", "add-remove"] = "substitute",
        calibration: Literal["tight", "classical"] = "tight",
        band: BandName | None = None,
        level: float | None = None,
    ) -> None:
        self._given = {name: value for name, value in locals().items() if name != "self" and value is not None}
        ends = _inputs._grid(None, domain_range)
        if not isinstance(ends, tuple):
            raise DpfdaError("domain_range must be two numbers, the ends of the times", "domain_range")
        for name, value in (("neighbours", neighbours), ("calibration", calibration), ("band", band or "")):
            if not isinstance(value, str):
                raise DpfdaError(f"{name} must be a name", name)
        arguments = {
            "ball": stated_ball(ball, bounds, center, radius),
            "budget": stated_budget(budget, epsilon, delta),
            "domain_range": ends,
            "bins": whole("bins", bins),
            "bound": number("bound", bound),
            "neighbours": neighbours,
            "calibration": calibration,
            "band": band,
            "level": number("level", level),
        }
        self._settings = OccupancySettings(arguments)

    def release(
        self,
        rows: Any = None,
        *,
        subject: Any,
        time: Any,
        value: Any,
        ledger: LedgerLike = None,
        release_id: str | None = None,
        part_of: str | None = None,
        seed: int | None = None,
        not_private: bool = False,
        delimiter: str | None = None,
        decimal_comma: bool = False,
    ) -> OccupancyRelease:
        """Release the mean: **spends the budget**. Calling it twice spends it twice.

        Parameters
        ----------
        rows : frame, mapping or path, optional
            The long table. Without it, `subject`, `time` and `value` are the columns themselves.
        subject, time, value : str or sequence of shape (n_rows,)
            The three columns. A row without a time or a value counts as no row; its subject is a record all the same.
        ledger, release_id, part_of, seed, not_private, delimiter, decimal_comma
            As in :meth:`PrivateMean.release`.

        Returns
        -------
        OccupancyRelease
        """
        paid = door(ledger, release_id, part_of, seed, not_private)
        asked = {"subject": subject, "time": time, "value": value}
        if _inputs.is_path(rows):
            for name, column in asked.items():
                if not isinstance(column, str):
                    raise DpfdaError(f"{name} must name a column of the file", name)
            stated = {"path": os.fspath(rows), **asked, "delimiter": delimiter, "decimal_comma": decimal_comma}
        else:
            stated = _columns(rows, asked)
        (released, notes), are_similar = release_occupancy(self._settings, stated, paid)
        tell_of_ids(are_similar)
        tell(notes)
        return OccupancyRelease(released)

    def __repr__(self) -> str:
        lower, upper = self._given["domain_range"]
        return f"PrivateOccupancy({lower!r} to {upper!r}, {self._given['bins']} bins)"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(PrivateOccupancy, **self._given), ()


def _columns(rows: Any, asked: dict[str, Any]) -> dict[str, Any]:
    """Three columns in memory."""
    if rows is not None:
        for name, column in asked.items():
            if not isinstance(column, str):
                raise DpfdaError(f"{name} must name a column of rows; without rows, give the columns themselves", name)
            found = _inputs.column_of(rows, column)
            if found is None:
                raise DpfdaError(f"no column is named {column!r}, given for the {name}, or several are", name)
            asked = {**asked, name: found}
    times, values = (_numbers(asked[name], name) for name in ("time", "value"))
    if len(times) != len(values):
        raise DpfdaError(f"{len(times)} times were given for {len(values)} values; give one for each row", "time")
    return {"subjects": _inputs.ids(asked["subject"], len(values)), "times": times, "values": values}


def _numbers(column: Any, name: str) -> Array:
    """A column of numbers; dates are none."""
    if isinstance(column, str):
        raise DpfdaError(f"{name} names a column, and there are no rows: give rows, or the column itself", name)
    try:
        return _inputs.vector(column, name)
    except DpfdaError:
        hint = " Turn dates into numbers first, such as the days since a public date" if name == "time" else ""
        raise DpfdaError(f"{name} must be a column of real numbers; missing ones are NaN.{hint}", name) from None
