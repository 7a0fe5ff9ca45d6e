"""Scores of smoothers: from a release, which is public, and from the private curves, which is for the curator alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Union

from . import _dpfda
from ._door import tell
from ._dpfda import CrossValidation as Scored
from ._errors import DpfdaError
from ._numbers import number, seed_of, whole
from ._private import Private
from ._tables import Array

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


def scored(
    study: _dpfda.Study,
    stated: Any,
    way: dict[str, Any],
    folds: Any,
    seed: Any,
    draws: Any,
    candidates: dict[str, Any],
) -> CrossValidation:
    """The scores of smoothers on the private curves of a study."""
    for name in ("loss", "target"):
        if not isinstance(way[name], str):
            raise DpfdaError(f"{name} must be a name", name)
    counts = {"folds": whole("folds", folds), "seed": seed_of(seed), "draws": whole("draws", draws)}
    found, are_similar = _dpfda.crossval(study, stated, {**way, **counts, "candidates": candidates})
    tell(are_similar)
    distance = "mean squared distance" if way["loss"] == "squared" else "mean distance"
    return CrossValidation(found, f"expected {distance}" if way["with_noise"] else distance)
