"""What is stated of the data beforehand, and where the curves are, as the compiled part takes it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, Union

import numpy as np

from . import _inputs
from ._dpfda import Ball, Labels, PrivacyBudget, check_usual
from ._errors import DpfdaError
from ._numbers import number

#: Codes for missing values: text with commas between, a number, or several.
Codes = Union[str, float, Sequence[Union[str, float]], None]
#: A share of the budget that buys a radius; None buys none.
Share = Union[float, None, Literal["default"]]
#: The names that need not be given.
OPTIONAL = ("kernel", "select", "band", "gaps_kernel")


class Settings:
    """Public settings of a release: they are pickled as they were given."""

    _given: dict[str, Any]
    #: What the release keeps of what was agreed on: the study that is followed, a reason, and names of axes.
    _agreed: dict[str, Any] | None = None

    def _guard(self, budget: PrivacyBudget, because: str | None) -> None:
        """Refuses a guarantee that is hardly meant, unless a reason is given."""
        self._agreed = agreed(budget, because)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self._given), ()


def stated(given: dict[str, Any], *, names: Sequence[str], numbers: Sequence[str] = ()) -> dict[str, Any]:
    """The arguments of settings as the compiled part takes them: a ball, a budget, names, numbers, and others as they are."""
    arguments = {name: given[name] for name in given if name not in ("bounds", "center", "radius", "epsilon", "delta")}
    arguments["ball"] = stated_ball(given["ball"], given["bounds"], given["center"], given["radius"])
    arguments["budget"] = stated_budget(given["budget"], given["epsilon"], given["delta"])
    for name in numbers:
        arguments[name] = number(name, given[name])
    for name in names:
        if not isinstance(given[name], str) and not (given[name] is None and name in OPTIONAL):
            raise DpfdaError(f"{name} must be a name", name)
    return arguments


def agreed(budget: PrivacyBudget, because: str | None) -> dict[str, Any] | None:
    """What a release keeps of the reason for its guarantee, which is needed for one that is hardly meant."""
    kept = reason(because)
    check_usual(budget, because)
    return kept


def reason(because: str | None) -> dict[str, Any] | None:
    """A reason as the compiled part takes it."""
    if not isinstance(because, (str, type(None))):
        raise DpfdaError("because must be text", "because")
    return None if because is None else {"study": None, "because": because, "axes": (None, None, None), "columns": []}


def share(given: Share) -> Share:
    """A share of the budget that buys a radius."""
    if isinstance(given, str) and given != "default":
        raise DpfdaError('radius_share must be a number, None or "default"', "radius_share")
    return given


def stated_ball(ball: Ball | None, bounds: Any, center: Any, radius: float | None) -> Ball:
    """The ball that was stated in one of three ways."""
    ways = [ball is not None, bounds is not None, center is not None or radius is not None]
    if sum(ways) != 1:
        raise DpfdaError("give bounds=(lower, upper), or center and radius, or a ball: what is known without the data", "bounds")
    if ball is not None:
        if not isinstance(ball, Ball):
            raise DpfdaError("ball must be a Ball", "ball")
        return ball
    if bounds is not None:
        ends = list(bounds) if isinstance(bounds, (tuple, list)) or hasattr(bounds, "__len__") else []
        if len(ends) != 2 or isinstance(bounds, str):
            raise DpfdaError("bounds must be two numbers, the lower first", "bounds")
        lower, upper = (number("bounds", end) for end in ends)
        return Ball.within(lower, upper)
    if center is None or radius is None:
        raise DpfdaError("center and radius belong together", "radius" if radius is None else "center")
    if not _inputs.is_path(center):
        is_number = not hasattr(center, "__len__") or getattr(center, "ndim", 1) == 0
        center = number("center", center) if is_number else _inputs.vector(center, "center")
    return Ball(center, number("radius", radius))


def stated_budget(budget: PrivacyBudget | None, epsilon: float | None, delta: float | None) -> PrivacyBudget:
    """The guarantee that was stated in one of two ways."""
    if budget is not None:
        if epsilon is not None or delta is not None or not isinstance(budget, PrivacyBudget):
            raise DpfdaError("give epsilon and delta, or a PrivacyBudget, and not both", "budget")
        return budget
    if epsilon is None or delta is None:
        raise DpfdaError("give epsilon and delta, such as epsilon=1, delta=1e-5", "epsilon" if epsilon is None else "delta")
    return PrivacyBudget(number("epsilon", epsilon), number("delta", delta))


def cells(delimiter: str | None, decimal_comma: bool, missing: Any) -> dict[str, Any]:
    """How cells are read; `missing` are the codes for missing values."""
    return {"delimiter": delimiter, "decimal_comma": decimal_comma, "missing": codes(missing)}


def codes(missing: Any) -> str | None:
    """Codes for missing values, with commas between them."""
    if missing is None or isinstance(missing, str):
        return missing
    given = list(missing) if hasattr(missing, "__iter__") else [missing]
    if any(isinstance(one, bool) or not isinstance(one, (str, int, float, np.integer)) for one in given):
        raise DpfdaError("missing must be codes for missing values, such as missing=-999 or missing=['NULL', -999]", "missing")
    if any("," in str(one) for one in given):
        raise DpfdaError("a code for a missing value has no comma: give each code of the list by itself", "missing")
    return ",".join(str(one) for one in given)


def file_layout(
    values: _inputs.Values,
    subject: Any,
    grid_points: Any,
    domain_range: Any,
    cells: dict[str, Any],
    periodic: bool = False,
) -> dict[str, Any]:
    """How the columns of files are read."""
    if values is None:
        raise DpfdaError("values must name the value columns of a file, such as values='cca_*'", "values")
    if not isinstance(subject, (str, type(None))):
        raise DpfdaError("subject must name a column of the file", "subject")
    grid = _inputs._grid(grid_points, domain_range)
    return {
        "values": values if isinstance(values, str) else ",".join(str(name) for name in values),
        "subject": subject,
        "domain_range": grid if isinstance(grid, tuple) else None,
        "grid_points": grid if isinstance(grid, list) else None,
        "periodic": _inputs.closes_up(periodic),
        "cells": cells,
    }


def stated_curves(
    curves: Any,
    columns: Callable[[int, str | None], list[Labels]],
    cells: dict[str, Any],
    *,
    values: _inputs.Values = None,
    subject: Any = None,
    grid_points: Any = None,
    domain_range: Any = None,
    periodic: bool = False,
) -> dict[str, Any]:
    """Curves that are needed as a whole; `columns` gives the cells beside so many rows, with codes. A file has columns itself."""
    if _inputs.is_path(curves):
        layout = file_layout(values, subject, grid_points, domain_range, cells, periodic)
        return {"path": os.fspath(curves), "layout": layout}
    where = {"grid_points": grid_points, "domain_range": domain_range, "periodic": periodic}
    found = _inputs.read(curves, values=values, subject=subject, missing=cells["missing"], **where)
    beside = columns(found.rows, found.missing)
    return {"numbers": found.table, "grid": found.grid, "subjects": found.subjects, "columns": beside}


def no_columns(_: int, __: str | None) -> list[Labels]:
    """The columns of curves alone."""
    return []


def view(kernel: str | None, range: float | None, penalty: float, eta: float, dispersion: str, neighbours: str) -> dict[str, Any]:
    """Through which smoother, and in which shape of noise, a mean is asked for some numbers."""
    for name, value in (("kernel", kernel or ""), ("dispersion", dispersion), ("neighbours", neighbours)):
        if not isinstance(value, str):
            raise DpfdaError(f"{name} must be a name", name)
    return {
        "kernel": kernel,
        "range": number("range", range),
        "penalty": number("penalty", penalty),
        "eta": number("eta", eta),
        "dispersion": dispersion,
        "neighbours": neighbours,
    }
