"""The private mean of curves that were seen at other times for each subject."""

from __future__ import annotations

from typing import Any, Literal

from . import _dpfda, _inputs, _rows
from ._door import LedgerLike, door
from ._dpfda import Ball, PrivacyBudget, RowsSettings, release_long
from ._errors import DpfdaError
from ._numbers import whole
from ._parts import Plan
from ._rows_release import BandName, RowsRelease
from ._stated import Codes, Settings, cells, stated


class PrivateRows(Settings):
    """The private mean of curves that were seen at other times for each subject: long tables, one value in each row.

    All settings are public. They come from public knowledge, never from the data. All rows of a subject are protected together.

    Parameters
    ----------
    domain_range : (float, float)
        The two ends of the times. A row outside them counts as no row.
    ball, budget, bounds, center, radius, epsilon, delta : optional
        As in :class:`PrivateMean`. The radius bounds the root-mean-square distance of a subject's values from the centre.
    because : str, optional
        Why the guarantee is not a usual one, as in :class:`PrivateMean`.
    bins : int
        How many bins of equal length the domain has, from 2 to 10,000.
    bound : float, optional
        The largest distance of one value from the centre; by default what `bounds` say, or twice the radius. With `radius_share`
        twice the radius, the stated one for rows and the bought one for their mean in a bin.
    periodic : bool
        The domain closes up, as a day does: its two ends are one point.
    radius_share : float, optional
        The share of the budget that buys a radius as small as the data allow, such as 0.05; by default the stated one stays.
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
    >>> mean = dpfda.PrivateRows((0, 24), bounds=(2, 12), epsilon=1, delta=1e-5)
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
        because: str | None = None,
        bins: int = 20,
        bound: float | None = None,
        periodic: bool = False,
        radius_share: float | None = None,
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
        arguments = stated(given, names=("neighbours", "calibration", "band"), numbers=("bound", "radius_share", "level"))
        self._guard(arguments["budget"], because)
        checked = {"domain_range": ends, "bins": whole("bins", bins), "periodic": _inputs.closes_up(periodic)}
        self._settings = RowsSettings({**arguments, **checked})

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
        missing: Codes = None,
    ) -> RowsRelease:
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
        ledger, release_id, part_of, seed, not_private, delimiter, decimal_comma, missing
            As in :meth:`PrivateMean.release`.

        Returns
        -------
        RowsRelease

        Raises
        ------
        DpfdaError
            With the argument that has to change. Nothing was spent, unless the text says so.
        """
        paid = door(ledger, release_id, part_of, seed, not_private, self._agreed)
        names, read = {"id": id, "time": time, "value": value}, cells(delimiter, decimal_comma, missing)
        if times is None and values is None:
            found = _rows.of_table(rows, "rows", names, read)
        else:
            for argument, column in names.items():
                if column is not None:
                    raise DpfdaError(f"{argument} names a column of a table: leave it out with ids, times and values", argument)
            found = _rows.of_columns(rows, times, values, "rows", "times", "values", missing=read["missing"])
        return RowsRelease(release_long(self._settings, found, paid))

    def plan(self) -> Plan:
        """Make the public plan of a release whose rows are in several places. No data are used.

        Returns
        -------
        Plan
        """
        return Plan(_dpfda.Plan.of_rows(self._settings))

    def __repr__(self) -> str:
        lower, upper = self._given["domain_range"]
        return f"PrivateRows({lower!r} to {upper!r}, {self._given['bins']} bins)"
