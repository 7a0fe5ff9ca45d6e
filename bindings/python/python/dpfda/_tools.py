"""Questions about public numbers alone: how much noise, how large an error, and whether a claim can be refuted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Union

from ._density import DensityRelease
from ._documents import parsed
from ._dpfda import audit as _audit
from ._dpfda import calibrate as _calibrate
from ._dpfda import expect, expect_rows, facts_of
from ._errors import DpfdaError
from ._facts import Fact
from ._mean import PrivateMean
from ._numbers import number, seed_of, whole
from ._private_rows import PrivateRows
from ._release import Release
from ._stated import stated_budget

MOST_POINTS_PER_SUBJECT = 1_000_000


class Calibration(NamedTuple):
    """The noise that a guarantee takes."""

    family: str
    scale: float
    variance: float


class Forecast(NamedTuple):
    """What a release will be worth.

    Attributes
    ----------
    needed : int or None
        How many records the wanted error takes.
    expected : list of dict
        For each number of records: ``records``, ``error``, ``half_width``, ``estimate_sd`` and more, in the units of the data.
    """

    needed: int | None
    expected: list[dict[str, Any]]


def calibrate(
    family: str,
    *,
    epsilon: float,
    delta: float,
    sensitivity: float,
    dimension: int = 1,
    calibration: Literal["tight", "classical"] = "tight",
) -> Calibration:
    """Compute how much noise a guarantee takes; no data are involved.

    Parameters
    ----------
    family : str
        gaussian, laplace, logistic, ``subbotin:R`` with R from 1 to 100, or best.
    epsilon, delta : float
        The guarantee.
    sensitivity : float
        How far neighbouring data sets can move the summary, in its own norm.
    dimension : int
        How many numbers the summary is.
    calibration : {"tight", "classical"}
        The theorem that sets the scale of Gaussian noise.
    """
    budget = stated_budget(None, epsilon, delta)
    size = whole("dimension", dimension)
    return Calibration(*_calibrate(family, budget, number("sensitivity", sensitivity), size or 1, calibration))


def plan(
    records: Union[int, Sequence[int], None] = None,
    *,
    error: float | None = None,
    points: int | None = None,
    points_per_subject: int | None = None,
    level: float = 0.95,
    **settings: Any,
) -> Forecast:
    """Say how large the error of a release will be, before there are data.

    Parameters
    ----------
    records : int or sequence of int, optional
        How many records there will be.
    error : float, optional
        An error to be reached, in the units of the data: says how many records that takes.
    points : int, optional
        The number of points that the curves are seen at; by default 100.
    points_per_subject : int, optional
        For a long table: how many values a subject has, at times of its own that are spread evenly over the domain.
    level : float
        The probability that the band states.
    **settings
        Those of :class:`PrivateMean`, such as ``bounds=(0, 1), epsilon=1, delta=1e-5``; for a long table those of
        :class:`PrivateRows`, without its domain.

    Returns
    -------
    Forecast
    """
    if records is None and error is None:
        raise DpfdaError("give a number of records, or an error to be reached", "records")
    asked = [records] if isinstance(records, int) else list(records or [])
    counts = [whole("records", one) or 0 for one in asked]
    reached, stated = number("error", error), float(number("level", level))
    if points_per_subject is None:
        mean = PrivateMean(**settings)
        return Forecast(**parsed(expect(mean._settings, counts, reached, whole("points", points) or 100, stated)))
    if points is not None:
        raise DpfdaError("points are those of curves: of a long table, state bins", "points")
    values = whole("points_per_subject", points_per_subject) or 0
    if values > MOST_POINTS_PER_SUBJECT:
        raise DpfdaError(f"points_per_subject must be from 1 to {MOST_POINTS_PER_SUBJECT}", "points_per_subject")
    rows = PrivateRows((0, 1), **settings)
    return Forecast(**parsed(expect_rows(rows._settings, values, counts, reached, stated)))


def audit(
    release: Release | DensityRelease | None = None,
    *,
    mechanism: str | None = None,
    epsilon: float | None = None,
    delta: float = 0.0,
    neighbours: Literal["substitute", "add-remove"] = "substitute",
    draws: int = 1_000_000,
    seed: int = 1,
) -> dict[str, Any]:
    """Attack the guarantee of a release or of a mechanism, with synthetic neighbours alone.

    An audit can show that a claim is false, and never that it is true.

    Parameters
    ----------
    release : Release or DensityRelease, optional
        The release whose mechanism is audited.
    mechanism : str, optional
        The mechanism to audit, where there is no release, such as ``"isonormal"``.
    epsilon, delta : float
        The claim.
    draws : int
        How many releases are drawn from each side of a pair of neighbours.

    Returns
    -------
    dict
        The claim, what was seen, and ``refuted``.
    """
    if (release is None) == (mechanism is None):
        raise DpfdaError("give a release, or a mechanism with epsilon and delta", "mechanism")
    arguments = {
        "release": None if release is None else release.to_json(),
        "mechanism": mechanism,
        "budget": None if mechanism is None else stated_budget(None, epsilon, delta),
        "neighbours": neighbours,
    }
    return parsed(_audit(arguments, whole("draws", draws) or 0, seed_of(seed) or 0))


def facts(text: str) -> list[Fact]:
    """Return the facts of a release of any kind, from its document."""
    return [Fact(*fact) for fact in facts_of(text)]
