"""Private means of curves: the settings, and the release."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, Union

from . import _inputs
from ._door import LedgerLike, door, tell, tell_of_ids
from ._dpfda import (
    Ball,
    MeanPlan,
    MeanSettings,
    PrivacyBudget,
    has_similar_ids,
    plan_of_files,
    release_curves,
    release_files,
    release_groups,
)
from ._errors import DpfdaError
from ._groups import GroupsRelease
from ._numbers import number, whole
from ._parts import Plan
from ._release import Release
from ._stated import file_layout, stated_ball, stated_budget, stated_curves

Neighbours = Literal["substitute", "add-remove"]
Share = Union[float, None, Literal["default"]]


class PrivateMean:
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
    mechanism : {"isonormal", "cameron-martin"}
        White noise, or noise of the smoother's own kernel.
    neighbours : {"substitute", "add-remove"}
        Which data sets must look alike: one record replaced (the number of records is public), or one record more or less (it
        is private).
    calibration : {"tight", "classical"}
        The theorem that sets the scale of the noise.
    coordinates : int, optional
        With a delta of 0: how many public coordinates of the mean are released, from 1 to 64; by default 12. The noise of each
        grows with their number, and the rest of the mean is not released.
    kernel : str, optional
        The kernel of a smoother that makes the estimate, such as ``"gaussian"`` or ``"matern52"``.
    range : float, optional
        Its range, as a fraction of the domain.
    penalty, eta : float, optional
        The penalty of the smoother and its power.
    moments : {"auto", "mean", "covariance", "none"}
        Which second moments are released with the mean.
    radius_share : float, None or "default"
        The share of the budget that buys a radius as small as the data allow; None keeps the stated one.
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
    ) -> None:
        given = {name: value for name, value in locals().items() if name != "self"}
        self._given = {name: given[name] for name in given if given[name] is not None or name == "radius_share"}
        arguments = {name: given[name] for name in given if name not in ("bounds", "center", "radius", "epsilon", "delta")}
        arguments["ball"] = stated_ball(ball, bounds, center, radius)
        arguments["budget"] = stated_budget(budget, epsilon, delta)
        if isinstance(radius_share, str) and radius_share != "default":
            raise DpfdaError('radius_share must be a number, None or "default"', "radius_share")
        arguments["coordinates"] = whole("coordinates", coordinates)
        for name in ("range", "penalty", "eta", "center_share", "slope", "roughness", "level", "band_roughness"):
            arguments[name] = number(name, arguments[name])
        for name in ("mechanism", "neighbours", "calibration", "kernel", "moments", "select", "band"):
            if not isinstance(arguments[name], (str, type(None))):
                raise DpfdaError(f"{name} must be a name", name)
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
        sorted_by_subject: bool = False,
    ) -> Release:
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
        delimiter, decimal_comma, sorted_by_subject
            How a file is read, as by the command.

        Returns
        -------
        Release

        Raises
        ------
        DpfdaError
            With the argument that has to change. Nothing was spent, unless the text says so.
        """
        paid = door(ledger, release_id, part_of, seed, not_private)
        workers = whole("threads", threads)
        if _inputs.is_path(curves):
            layout = file_layout(values, subject, grid_points, domain_range, delimiter, decimal_comma, periodic)
            path = os.fspath(curves)
            (released, notes), are_similar = release_files(self._settings, path, layout, paid, workers, sorted_by_subject)
        else:
            where = {"grid_points": grid_points, "domain_range": domain_range, "periodic": periodic}
            found = _inputs.read(curves, values=values, subject=subject, **where)
            are_similar = found.subjects is not None and has_similar_ids(found.subjects)
            released, notes = release_curves(self._settings, found.numbers, found.grid, found.subjects, paid, workers)
        tell_of_ids(are_similar)
        tell(notes)
        return Release(released)

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
    ) -> GroupsRelease:
        """Release the mean of each group: **spends the budget**, once for all of them.

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

        Returns
        -------
        GroupsRelease
        """
        grouping = {
            "private_labels": None if private_labels is None else [str(label) for label in private_labels],
            "groups_of_subject": whole("groups_of_subject", groups_of_subject),
        }
        paid = door(ledger, release_id, part_of, seed, not_private)
        if _inputs.is_path(curves) and not isinstance(by, str):
            raise DpfdaError("by must name a column of the file", "by")
        stated = stated_curves(
            curves,
            lambda rows: [_inputs.labels(by, rows, curves)],
            values=values,
            subject=subject,
            grid_points=grid_points,
            domain_range=domain_range,
            periodic=periodic,
        )
        column = by if isinstance(by, str) else ""
        (released, notes), are_similar = release_groups(self._settings, stated, column, grouping, paid)
        tell_of_ids(are_similar)
        tell(notes)
        return GroupsRelease(released)

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
            layout = file_layout(values, subject, grid_points, domain_range, delimiter, decimal_comma, periodic)
            return Plan(plan_of_files(self._settings, os.fspath(curves), layout))
        where = {"grid_points": grid_points, "domain_range": domain_range, "periodic": periodic}
        found = _inputs.read(curves, values=values, subject=subject, **where)
        return Plan(MeanPlan(self._settings, found.grid, found.columns, found.subjects is not None))

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in self._given.items() if value != DEFAULTS.get(name, object())]
        return f"PrivateMean({', '.join(shown)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(PrivateMean, **self._given), ()


DEFAULTS = {
    "mechanism": "isonormal",
    "neighbours": "substitute",
    "calibration": "tight",
    "moments": "auto",
    "radius_share": "default",
}
