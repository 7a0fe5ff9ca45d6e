"""Scores of smoothers: from a release, which is public, and from the private curves, which is for the curator alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Union

from . import _inputs
from ._door import tell
from ._dpfda import CrossValidation as Scored
from ._dpfda import PrivacyBudget
from ._dpfda import crossval as _crossval
from ._errors import DpfdaError
from ._inputs import Array, Private
from ._numbers import number, seed_of, whole
from ._stated import Codes, cells, no_columns, stated_ball, stated_budget, stated_curves

Names = Union[str, Sequence[str], None]
Numbers = Union[float, Sequence[float], None]


class Scores(NamedTuple):
    """The scores of smoothers; less is better.

    Attributes
    ----------
    best : dict
        The smoother of the least score: ``kernel``, ``range``, ``penalty``, ``eta`` and ``score``.
    best_of_each_kernel : list of dict
        The best smoother of each kernel.
    edges : list of str
        Where the best lies at an end of its list: a wider list might hold a better one.
    scores : dict of str to array of shape (n_ranges, n_penalties, n_powers)
        All scores, by kernel.
    ranges : dict of str to list of float
        The ranges that were tried, by kernel.
    penalties, powers : list of float
        The penalties and the powers eta that were tried.
    """

    best: dict[str, Any]
    best_of_each_kernel: list[dict[str, Any]]
    edges: list[str]
    scores: dict[str, Array]
    ranges: dict[str, list[float]]
    penalties: list[float]
    powers: list[float]


class CrossValidation(Private):
    """Scores of smoothers on private curves: **NOT FOR PUBLICATION**.

    The scores were computed from the private curves, and any noise in them is averaged away. To publish the choice, or a release
    made with it, spends privacy that nobody paid for. :meth:`Release.risks` chooses from a release itself, at no cost.
    """

    __slots__ = ("_scored", "score_name")

    def __init__(self, scored: Scored, score_name: str) -> None:
        self._scored = scored
        self.score_name = score_name

    def reveal(self) -> Scores:
        """Return the scores: private data, for the curator alone."""
        found = self._scored.reveal()
        return Scores(**{name: found[name] for name in Scores._fields})

    def reveal_svg(self) -> str:
        """Return the heat map of the scores as SVG, with its watermark: private data, for the curator alone."""
        return self._scored.reveal_svg(self.score_name)


def candidates(kernel: Names, range: Numbers, penalty: Numbers, eta: Numbers) -> dict[str, Any]:
    """What is tried, as the compiled part takes it."""
    names = [kernel] if isinstance(kernel, str) else kernel
    if names is not None and not all(isinstance(name, str) for name in names):
        raise DpfdaError("kernel must be names of kernels", "kernel")
    return {
        "kernel": None if names is None else list(names),
        "range": _list("range", range),
        "penalty": _list("penalty", penalty),
        "eta": _list("eta", eta),
    }


def _list(name: str, values: Numbers) -> list[float] | None:
    if values is None:
        return None
    return [number(name, value) for value in (values if hasattr(values, "__iter__") else [values])]


def crossval(
    curves: Any,
    *,
    center: Any,
    radius: float | None = None,
    budget: PrivacyBudget | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    mechanism: Literal["isonormal", "cameron-martin"] = "isonormal",
    calibration: Literal["tight", "classical"] = "tight",
    folds: int = 10,
    leave_one_out: bool = False,
    seed: int = 0,
    kernel: Names = None,
    range: Numbers = None,
    penalty: Numbers = None,
    eta: Numbers = None,
    loss: Literal["squared", "norm"] = "squared",
    target: Literal["records", "fold-mean"] = "records",
    draws: int | None = None,
    values: _inputs.Values = None,
    subject: Any = None,
    grid_points: Any = None,
    domain_range: Any = None,
    delimiter: str | None = None,
    decimal_comma: bool = False,
    missing: Codes = None,
) -> CrossValidation:
    """Score smoothers on private curves by cross-validation. **It is not private, and the result is for the curator alone.**

    Parameters
    ----------
    curves : as in :meth:`PrivateMean.release`
        One curve in each row.
    center : float, array of shape (n_points,) or path
        The public centre that smoothers shrink to.
    radius, budget, epsilon, delta : optional
        The release that is planned: then each score is expected over its noise. Without them there is no noise.
    mechanism, calibration
        Those of the planned release.
    folds : int
        The number of folds.
    leave_one_out : bool
        One fold for each record.
    seed : int
        Deals the records into folds, and makes the draws; no secret.
    kernel, range, penalty, eta : optional
        What is tried: a value, or a list.
    loss : {"squared", "norm"}
        The mean squared distance to what was left out, or the mean distance.
    target : {"records", "fold-mean"}
        What an estimate is compared with: each left-out record, or the mean of the fold.
    draws : int, optional
        Draws of the noise in each fold, for ``loss="norm"`` with a budget.
    values, subject, grid_points, domain_range, delimiter, decimal_comma, missing
        As in :meth:`PrivateMean.release`.

    Returns
    -------
    CrossValidation
        It shows nothing by itself: :meth:`CrossValidation.reveal` does.
    """
    planned = budget is not None or epsilon is not None or delta is not None
    if planned != (radius is not None):
        raise DpfdaError("a planned release has epsilon, delta and a radius: give all of them, or none", "radius")
    for name, value in (("mechanism", mechanism), ("calibration", calibration), ("loss", loss), ("target", target)):
        if not isinstance(value, str):
            raise DpfdaError(f"{name} must be a name", name)
    arguments = {
        # without noise the radius plays no part
        "ball": stated_ball(None, None, center, 1.0 if radius is None else radius),
        "budget": stated_budget(budget, epsilon, delta) if planned else None,
        "mechanism": mechanism,
        "calibration": calibration,
        "folds": None if leave_one_out else whole("folds", folds),
        "seed": seed_of(seed),
        "loss": loss,
        "target": target,
        "draws": whole("draws", draws),
        "candidates": candidates(kernel, range, penalty, eta),
    }
    where = {"values": values, "subject": subject, "grid_points": grid_points, "domain_range": domain_range}
    stated = stated_curves(curves, no_columns, cells(delimiter, decimal_comma, missing), **where)
    scored, are_similar = _crossval(arguments, stated)
    tell(are_similar)
    distance = "mean squared distance" if loss == "squared" else "mean distance"
    return CrossValidation(scored, f"expected {distance}" if planned else distance)
