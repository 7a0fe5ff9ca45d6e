"""Questions about public numbers alone: how much noise, how large an error, and whether a claim can be refuted."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from . import _dpfda
from ._documents import Document, Fact, parsed
from ._errors import DpfdaError
from ._numbers import number, seed_of, whole


class Calibration(NamedTuple):
    """The noise that a guarantee takes."""

    family: str
    scale: float
    variance: float


def calibrate(
    family: str,
    *,
    epsilon: float,
    delta: float,
    sensitivity: float,
    dimension: int = 1,
    classical: bool = False,
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
    classical : bool
        Use the classical scale of Gaussian noise, which is larger and needs an epsilon of at most 1.
    """
    budget = (float(number("epsilon", epsilon)), float(number("delta", delta)))
    size = whole("dimension", dimension)
    return Calibration(*_dpfda.calibrate(family, budget, number("sensitivity", sensitivity), size or 1, bool(classical)))


def audit(
    release: Document | None = None,
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
    release : release of any kind, optional
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
        "budget": None if mechanism is None or epsilon is None else (number("epsilon", epsilon), number("delta", delta)),
        "neighbours": neighbours,
    }
    found: dict[str, Any] = parsed(_dpfda.audit(arguments, whole("draws", draws) or 0, seed_of(seed) or 0))
    return found


def facts(text: str) -> list[Fact]:
    """Return the facts of a release of any kind, from its document."""
    return [Fact(*fact) for fact in _dpfda.facts_of(text)]
