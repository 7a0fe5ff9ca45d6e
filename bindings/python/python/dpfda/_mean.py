"""Private means of curves: the settings, and the release."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal

from . import _dpfda, _inputs
from ._door import LedgerLike, door
from ._dpfda import (
    Ball,
    MeanSettings,
    PrivacyBudget,
    plan_of_files,
    release_curves,
    release_files,
    release_groups,
    release_seen,
)
from ._errors import DpfdaError
from ._groups import GroupsRelease
from ._numbers import whole
from ._parts import Plan
from ._release import Release
from ._rows_release import RowsRelease
from ._stated import Codes, Settings, Share, cells, file_layout, no_columns, share, stated, stated_curves

Neighbours = Literal["substitute", "add-remove"]

#: The settings that are names, those that are numbers, and those of gaps.
NAMES = ("mechanism", "neighbours", "calibration", "kernel", "moments", "select", "band", "gaps", "gaps_kernel")
NUMBERS = (
    "range",
    "penalty",
    "eta",
    "center_share",
    "slope",
    "roughness",
    "level",
    "band_roughness",
    "gaps_range",
    "gaps_noise",
    "bound",
)
GAPS = ("gaps", "gaps_kernel", "gaps_range", "gaps_noise", "bins", "bound")


class PrivateMean(Settings):
    """A private mean function, ready to be released.

    All settings are public. They come from public knowledge, never from the data. What is left out has the default of the command
    ``dpfda release``.

    Parameters
    ----------
    ball : Ball, optional
        The public bound on a curve, in place of `bounds` or of `center` and `radius`.
    budget : PrivacyBudget, optional
        The guarantee, in place of `epsilon` and `delta`.
    bounds : (float, float), optional
        The least and the largest value that a curve can have, in the units of the data. Values outside are clamped.
    center : float, array of shape (n_points,) or path, optional
        The public centre of the curves: a number, one value for each point, or a CSV file with the columns ``t,value``.
    radius : float, optional
        The largest root-mean-square distance of a curve from the centre, in the units of the data.
    epsilon : float, optional
        0, or from 1e-6 to 50; smaller is more private.
    delta : float, optional
        From 1e-15 to 0.5, well below one over the number of people; or 0, which releases some `coordinates` of the mean.
    because : str, optional
        Why the guarantee is not a usual one: needed for an epsilon of 0 and for a delta above 0.1. The release tells it.
    mechanism : {"isonormal", "cameron-martin"}
        White noise, or noise of the smoother's own kernel.
    neighbours : {"substitute", "add-remove"}
        Which data sets must look alike: one record replaced (the number of records is public), or one record more or less (it
        is private).
    calibration : {"tight", "classical"}
        The theorem that sets the scale of the noise.
    coordinates : int, optional
        With a delta of 0: how many public coordinates of the mean are released, from 1 to 64; by default 12, and on a
        domain that closes up 11 (there the number is odd, or that of all points). The noise of each grows with their number, and
        the rest of the mean is not released.
    kernel : str, optional
        The kernel of a smoother that makes the estimate, such as ``"gaussian"`` or ``"matern52"``.
    range : float, optional
        Its range, as a fraction of the domain.
    penalty, eta : float, optional
        The penalty of the smoother and its power.
    moments : {"auto", "mean", "covariance", "none"}
        Which second moments are released with the mean.
    radius_share : float, None or "default"
        The share of the budget that buys a radius as small as the data allow; None keeps the stated one, and so does the default
        of records that are too few to buy one, where their number is public.
    center_share : float, optional
        The share of the budget that buys the centre as well.
    slope : float, optional
        The largest root-mean-square slope of a curve about the centre.
    roughness : float, optional
        Charge waves shorter than this length of the grid.
    select : {"sure", "default"}, optional
        Estimate by one smoother: chosen from the release itself, or by a fixed rule from public numbers.
    band : str, optional
        What the band is about: population, posterior, smoothed, undersmoothed, unsmoothed, honest or noise.
    level : float, optional
        The probability that the band states.
    band_roughness : float, optional
        The public bound on the roughness of the mean that the band ``"honest"`` needs.
    gaps : {"interpolate", "gaussian-process", "rows"}
        What stands for a missing value: a line between its neighbours in the curve, what a public Gaussian process about the
        centre expects from the rest of the curve, or nothing. With ``"rows"`` the values that were seen are released in
        bins, as those of a long table are, and :meth:`release` returns a :class:`RowsRelease`. Choose before you look at
        the data.
    gaps_kernel : str, optional
        The kernel of the process; by default ``"matern32"``.
    gaps_range : float, optional
        Its range, as a fraction of the domain; by default 0.3.
    gaps_noise : float, optional
        The standard deviation of a measurement, in standard deviations of the process; by default 0.1.
    bins : int, optional
        With ``gaps="rows"``: how many bins of equal length the domain has, from 2 to 10,000; by default 20.
    bound : float, optional
        With ``gaps="rows"``: the largest distance of one value from the centre, as in :class:`PrivateRows`.

    Examples
    --------
    >>> import numpy as np, dpfda
    >>> x = 0.5 + 0.1 * np.sin(np.linspace(0, 6, 50)) * np.ones((400, 1))
    >>> release = dpfda.PrivateMean(bounds=(0, 1), epsilon=1, delta=1e-5).release(x)
    >>> release.values.shape
    (50,)
    """

    def __init__(
        self,
        ball: Ball | None = None,
        budget: PrivacyBudget | None = None,
        *,
        bounds: tuple[float, float] | None = None,
        center: Any = None,
        radius: float | None = None,
        epsilon: float | None = None,
        delta: float | None = None,
        because: str | None = None,
        mechanism: Literal["isonormal", "cameron-martin"] = "isonormal",
        neighbours: Neighbours = "substitute",
        calibration: Literal["tight", "classical"] = "tight",
        coordinates: int | None = None,
        kernel: str | None = None,
        range: float | None = None,
        penalty: float | None = None,
        eta: float | None = None,
        moments: Literal["auto", "mean", "covariance", "none"] = "auto",
        radius_share: Share = "default",
        center_share: float | None = None,
        slope: float | None = None,
        roughness: float | None = None,
        select: Literal["sure", "default"] | None = None,
        band: str | None = None,
        level: float | None = None,
        band_roughness: float | None = None,
        gaps: Literal["interpolate", "gaussian-process", "rows"] = "interpolate",
        gaps_kernel: str | None = None,
        gaps_range: float | None = None,
        gaps_noise: float | None = None,
        bins: int | None = None,
        bound: float | None = None,
    ) -> None:
        given = {name: value for name, value in locals().items() if name != "self"}
        self._given = {name: given[name] for name in given if given[name] is not None or name == "radius_share"}
        arguments = stated(given, names=NAMES, numbers=NUMBERS)
        self._guard(arguments["budget"], because)
        arguments["radius_share"] = share(radius_share)
        for name in ("coordinates", "bins"):
            arguments[name] = whole(name, given[name])
        arguments["gaps"] = {name: arguments[name] for name in GAPS}
        self._gaps = gaps
        self._settings = MeanSettings(arguments)

    def release(
        self,
        curves: Any,
        *,
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
        threads: int | None = None,
        delimiter: str | None = None,
        decimal_comma: bool = False,
        missing: Codes = None,
        sorted_by_subject: bool = False,
    ) -> Release | Any:
        """Release the private mean of curves: **spends the budget**. Calling it twice spends it twice.

        Parameters
        ----------
        curves : array of shape (n_curves, n_points), frame, functional data or path
            One curve in each row. Missing values are NaN, masked or null. float64 is read where it lies.
        values : str or list, optional
            The value columns of a frame or a file: names, or patterns such as ``"cca_*"``.
        subject : str or sequence of shape (n_curves,), optional
            The column of subject ids, or the ids. All curves of a subject are protected together; without it, each row is
            protected alone.
        grid_points : sequence of shape (n_points,), optional
            Where the columns lie; by default as the input says, or equally spaced on [0, 1].
        domain_range : (float, float), optional
            The ends of an equally spaced grid.
        periodic : bool
            The domain closes up, as a day does: its two ends are one point, and no column repeats the first. With `domain_range`
            it is one period; `grid_points` must be equally spaced, and the domain closes up one step after the last of them.
        ledger : Ledger or path, optional
            Who pays.
        release_id : str, optional
            What the release is called in the ledger: the same call gives the stored release back and spends nothing.
        part_of : str, optional
            The group of the ledger that the curves are of.
        seed : int, optional
            Noise from a known seed, for demonstrations: it protects nobody, and needs ``not_private=True``.
        not_private : bool
            Says so.
        threads : int, optional
            The number of threads; the result is the same for every number.
        delimiter : str, optional
            What stands between the cells of a file; by default a comma, and a tab in a ``.tsv`` file.
        decimal_comma : bool
            Numbers of a file have a decimal comma, as in ``1,5``.
        missing : str, number or list, optional
            Codes for missing values, such as ``-999`` or ``"-999,NULL"``: every other number is then a value. Without them a cell
            with -999, -9999 or -99999 is refused, in files, frames and arrays alike.
        sorted_by_subject : bool
            All curves of a subject follow one another in a file: memory does not grow with the number of subjects.

        Returns
        -------
        Release
            With ``gaps="rows"`` a :class:`RowsRelease`.

        Raises
        ------
        DpfdaError
            With the argument that has to change. Nothing was spent, unless the text says so.
        """
        paid = door(ledger, release_id, part_of, seed, not_private, self._agreed)
        workers = whole("threads", threads)
        if sorted_by_subject and self._gaps != "interpolate":
            raise DpfdaError(f"gaps={self._gaps!r} needs whole curves: leave sorted_by_subject out", "sorted_by_subject")
        columns = {"values": values, "subject": subject}
        where = {"grid_points": grid_points, "domain_range": domain_range, "periodic": periodic}
        read = cells(delimiter, decimal_comma, missing)
        if self._gaps == "rows":
            seen = stated_curves(curves, no_columns, read, **columns, **where)
            return RowsRelease(release_seen(self._settings, seen, paid))
        if _inputs.is_path(curves):
            layout = file_layout(**columns, **where, cells=read)
            path = os.fspath(curves)
            return Release(release_files(self._settings, path, layout, paid, workers, sorted_by_subject))
        found = _inputs.read(curves, **columns, **where, missing=read["missing"])
        return Release(release_curves(self._settings, found.table, found.grid, found.subjects, paid, workers))

    def release_groups(
        self,
        curves: Any,
        by: Any,
        *,
        private_labels: Sequence[str] | None = None,
        groups_of_subject: int = 1,
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
    ) -> GroupsRelease:
        """Release the mean of each group: **spends the budget**, once for all of them.

        A bought radius is one for all groups.

        Parameters
        ----------
        curves : as in :meth:`release`
            The curves of everybody.
        by : str or sequence of shape (n_curves,)
            The column of labels, or the labels. They are public: every group in the data has the whole budget, and its size is
            told.
        private_labels : sequence of str, optional
            The labels, where who is in which group is private: these and no others.
        groups_of_subject : int
            The most groups that one subject counts in, with `private_labels`.
        values, subject, grid_points, domain_range, periodic, ledger, release_id, part_of, seed, not_private
            As in :meth:`release`. The value columns of a frame must be named.
        delimiter, decimal_comma, missing
            As in :meth:`release`. A label that is a code is missing too.

        Returns
        -------
        GroupsRelease
        """
        grouping = {
            "private_labels": None if private_labels is None else [str(label) for label in private_labels],
            "groups_of_subject": whole("groups_of_subject", groups_of_subject),
        }
        paid = door(ledger, release_id, part_of, seed, not_private, self._agreed)
        if _inputs.is_path(curves) and not isinstance(by, str):
            raise DpfdaError("by must name a column of the file", "by")
        found = stated_curves(
            curves,
            lambda rows, codes: [_inputs.labels(by, rows, curves, codes)],
            cells(delimiter, decimal_comma, missing),
            values=values,
            subject=subject,
            grid_points=grid_points,
            domain_range=domain_range,
            periodic=periodic,
        )
        column = by if isinstance(by, str) else ""
        return GroupsRelease(release_groups(self._settings, found, column, grouping, paid))

    def plan(
        self,
        curves: Any,
        *,
        values: _inputs.Values = None,
        subject: Any = None,
        grid_points: Any = None,
        domain_range: Any = None,
        periodic: bool = False,
        delimiter: str | None = None,
        decimal_comma: bool = False,
    ) -> Plan:
        """Make the public plan of a release whose curves are in several places.

        Parameters
        ----------
        curves : as in :meth:`release`
            One of the places: of it only the columns and the grid are used.

        Returns
        -------
        Plan
        """
        if _inputs.is_path(curves):
            layout = file_layout(values, subject, grid_points, domain_range, cells(delimiter, decimal_comma, None), periodic)
            return Plan(plan_of_files(self._settings, os.fspath(curves), layout))
        where = {"grid_points": grid_points, "domain_range": domain_range, "periodic": periodic}
        found = _inputs.read(curves, values=values, subject=subject, **where)
        return Plan(_dpfda.Plan(self._settings, found.grid, found.columns, found.subjects is not None))

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in self._given.items() if value != DEFAULTS.get(name, object())]
        return f"PrivateMean({', '.join(shown)})"


DEFAULTS = {
    "mechanism": "isonormal",
    "neighbours": "substitute",
    "calibration": "tight",
    "moments": "auto",
    "radius_share": "default",
    "gaps": "interpolate",
}
