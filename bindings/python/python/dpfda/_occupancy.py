"""The private mean of curves that were seen at other times for each subject, and what is released of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _dpfda, _inputs
from ._door import LedgerLike, door
from ._dpfda import Ball, OccupancySettings, PrivacyBudget, release_occupancy
from ._errors import DpfdaError
from ._estimated import Band, Estimated
from ._groups import Difference
from ._numbers import number, whole
from ._stated import Settings, stated

if TYPE_CHECKING:
    from ._inputs import Array

BandName = Literal["population", "posterior", "noise"]


class OccupancyRelease(Estimated):
    """A released mean of irregular curves with its estimate. All of it is public.

    Whatever is asked of a release is computed from the release alone and costs no privacy.
    """

    _compiled = _dpfda.OccupancyRelease
    _released: _dpfda.OccupancyRelease

    bound = property(lambda self: self._numbers["bound"], doc="The largest distance of one value from the centre.")
    bin_edges = property(lambda self: self._numbers["bin_edges"], doc="The ends of the bins; (n_bins + 1,).")
    weights = property(lambda self: self._numbers["weights"], doc="The noisy weight of the people in each bin; (n_bins,).")
    weights_sd = property(lambda self: self._numbers["weights_sd"], doc="The standard deviation of the noise in each weight.")

    @property
    def supported(self) -> Any:
        """Whether the weight of each bin stands out from its noise; bool of shape (n_bins,)."""
        return np.array(self._numbers["supported"], dtype=bool)

    @property
    def unsupported(self) -> list[tuple[float, float]]:
        """The parts of the domain that too few people were measured in: there the estimate is what the prior says."""
        return self._released.unsupported()

    def band(self, kind: BandName | None = None, *, level: float | None = None) -> Band:
        """Return a band: that of the release, or another one.

        Parameters
        ----------
        kind : {"population", "posterior", "noise"}, optional
            What the band is about.
        level : float, optional
            The probability that it states, above 0.5 and below 0.9999.
        """
        return (self if kind is None and level is None else self.with_band(kind, level=level))._band()

    def with_band(self, kind: BandName | None = None, *, level: float | None = None) -> OccupancyRelease:
        """Return the same release with another band, as ``dpfda smooth --band`` makes it."""
        return OccupancyRelease(self._released.with_band(kind, number("level", level)))

    def compare(self, other: OccupancyRelease, *, level: float = 0.95) -> Difference:
        """Return the difference to the mean of other people, from a release with the same domain and bins.

        Parameters
        ----------
        other : OccupancyRelease
            A release of other people: this mean minus theirs.
        level : float
            The probability that the band states.
        """
        if not isinstance(other, OccupancyRelease):
            raise DpfdaError("other must be an OccupancyRelease", "other")
        return Difference(**self._released.compare(other._released, float(number("level", level))))

    def _said(self) -> str:
        budget = f"epsilon={self.epsilon:g}, delta={self.delta:g}, {self.neighbours}"
        return f"mean of irregular curves, {budget}, {len(self.weights)} bins"


class PrivateOccupancy(Settings):
    """The private mean of curves that were seen at other times for each subject: long tables, one value in each row.

    All settings are public. They come from public knowledge, never from the data. All rows of a subject are protected together.

    Parameters
    ----------
    domain_range : (float, float)
        The two ends of the times. A row outside them counts as no row.
    ball, budget, bounds, center, radius, epsilon, delta : optional
        As in :class:`PrivateMean`. The radius bounds the root-mean-square distance of a subject's values from the centre.
    bins : int
        How many bins of equal length the domain has, from 2 to 10,000.
    bound : float, optional
        The largest distance of one value from the centre; by default what `bounds` say, or twice the radius.
    neighbours : {"substitute", "add-remove"}
        Which data sets must look alike, as in :class:`PrivateMean`.
    calibration : {"tight", "classical"}
        The theorem that sets the scale of the noise.
    band : {"population", "posterior", "noise"}, optional
        What the band is about.
    level : float, optional
        The probability that the band states, above 0.5 and below 0.9999; by default 0.95.

    Examples
    --------
    >>> import numpy as np, dpfda
    >>> ids, times = np.repeat(np.arange(2000), 3), np.linspace(0, 24, 6000) * 7 % 24
    >>> mean = dpfda.PrivateOccupancy((0, 24), bounds=(2, 12), epsilon=1, delta=1e-5)
    >>> release = mean.release(ids, times, 5 + np.sin(times / 4))
    >>> release.at([8, 12, 20])["values"].shape
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
        given = {name: value for name, value in locals().items() if name != "self"}
        self._given = {name: value for name, value in given.items() if value is not None}
        ends = _inputs._grid(None, domain_range)
        if not isinstance(ends, tuple):
            raise DpfdaError("domain_range must be two numbers, the ends of the times", "domain_range")
        arguments = stated(given, names=("neighbours", "calibration", "band"), numbers=("bound", "level"))
        self._settings = OccupancySettings({**arguments, "domain_range": ends, "bins": whole("bins", bins)})

    def release(
        self,
        rows: Any,
        times: Any = None,
        values: Any = None,
        *,
        id: str | None = None,
        time: str | None = None,
        value: str | None = None,
        ledger: LedgerLike = None,
        release_id: str | None = None,
        part_of: str | None = None,
        seed: int | None = None,
        not_private: bool = False,
        delimiter: str | None = None,
        decimal_comma: bool = False,
    ) -> OccupancyRelease:
        """Release the mean: **spends the budget**. Calling it twice spends it twice.

        ``release(ids, times, values)`` takes three columns. ``release(table, id="id", time="hour", value="y")`` takes a table and
        the names of its columns.

        Parameters
        ----------
        rows : sequence of shape (n_rows,), frame, mapping or path
            The subject ids, which are text or whole numbers; or the long table.
        times, values : sequence of shape (n_rows,)
            Where and what was seen. In a row without a time or a value nothing was seen; its subject is a record all the same.
            Rows may be in any order.
        id, time, value : str
            The three columns of a table.
        ledger, release_id, part_of, seed, not_private, delimiter, decimal_comma
            As in :meth:`PrivateMean.release`.

        Returns
        -------
        OccupancyRelease

        Raises
        ------
        DpfdaError
            With the argument that has to change. Nothing was spent, unless the text says so.
        """
        paid = door(ledger, release_id, part_of, seed, not_private)
        names = {"id": id, "time": time, "value": value}
        if times is None and values is None:
            for argument, column in names.items():
                if not isinstance(column, str):
                    raise DpfdaError(
                        f"{argument} must name a column of the table; without a table, give ids, times and values", argument
                    )
            if _inputs.is_path(rows):
                found = {"path": os.fspath(rows), **names, "delimiter": delimiter, "decimal_comma": decimal_comma}
            else:
                found = _columns(*(_column(rows, argument, str(column)) for argument, column in names.items()), *names)
        else:
            for argument, column in names.items():
                if column is not None:
                    raise DpfdaError(f"{argument} names a column of a table: leave it out with ids, times and values", argument)
            found = _columns(rows, times, values, "rows", "times", "values")
        return OccupancyRelease(release_occupancy(self._settings, found, paid))

    def __repr__(self) -> str:
        lower, upper = self._given["domain_range"]
        return f"PrivateOccupancy({lower!r} to {upper!r}, {self._given['bins']} bins)"


def _column(table: Any, argument: str, column: str) -> Any:
    try:
        found = _inputs.column_of(table, column)
    except DpfdaError as refused:
        raise DpfdaError(str(refused), "rows") from None
    if found is None:
        raise DpfdaError(f"no column is named {column!r}, given for the {argument}, or several are", argument)
    return found


def _columns(ids: Any, times: Any, values: Any, of_ids: str, of_times: str, of_values: str) -> dict[str, Any]:
    """Three columns in memory, each with the argument that it is of."""
    seen, found = _numbers(times, of_times), _numbers(values, of_values)
    if len(seen) != len(found):
        raise DpfdaError(f"{len(seen)} times were given for {len(found)} values; give one for each row", of_times)
    return {"ids": _inputs.ids(ids, len(found), of_ids), "times": seen, "values": found}


def _numbers(column: Any, argument: str) -> Array:
    """A column of numbers; dates are none."""
    try:
        return _inputs.vector(column, argument)
    except DpfdaError:
        hint = ". Turn dates into numbers first, such as the days since a public date" if argument.startswith("time") else ""
        raise DpfdaError(f"{argument} must be a column of real numbers; missing ones are NaN{hint}", argument) from None
