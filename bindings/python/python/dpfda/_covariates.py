"""Covariates beside the curves: their public ranges, and their private cells as text. Nothing here shows a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Union

from . import _dpfda, _inputs
from ._documents import dumped, listed
from ._errors import DpfdaError
from ._kinds import kind
from ._numbers import number

Ranges = Mapping[str, Union[tuple[float, float], Sequence[str]]]


def document(covariates: Any) -> tuple[str, dict[str, bool]]:
    """The covariates as the compiled part reads them, and which of them are numbers."""
    if not isinstance(covariates, Mapping) or not all(isinstance(name, str) for name in covariates):
        raise DpfdaError("covariates must name each covariate and its range, such as {'age': (18, 90)}", "covariates")
    entries, numeric = [], {}
    for name, stated in covariates.items():
        levels = [] if isinstance(stated, (str, bytes)) or not hasattr(stated, "__len__") else list(stated)
        if levels and all(isinstance(level, str) for level in levels):
            entries.append({"category": {"name": name, "levels": [level.strip() for level in levels]}})
        elif len(levels) == 2:
            lower, upper = (number("covariates", end) for end in levels)
            entries.append({"number": {"name": name, "lower": lower, "upper": upper}})
        else:
            text = f"covariate {name!r} needs a range: two bounds, or the levels of a category with the reference first"
            raise DpfdaError(text, "covariates")
        numeric[name] = "number" in entries[-1]
    return dumped(entries), numeric


def ranges(text: str) -> dict[str, tuple[float, float] | list[str]]:
    """Covariates from a document."""
    found: dict[str, tuple[float, float] | list[str]] = {}
    for entry in listed(text):
        kind, stated = next(iter(entry.items()))
        found[stated["name"]] = (stated["lower"], stated["upper"]) if kind == "number" else stated["levels"]
    return found


def cells(numeric: Mapping[str, bool], given: Any, curves: Any, rows: int, missing: str | None) -> list[_dpfda.Labels]:
    """The cells of each covariate, from columns of the frame of the curves or from those that were given."""
    table = curves if given is None else given
    columns = []
    for name, is_number in numeric.items():
        found = _inputs.column_of(table, name)
        if found is None:
            raise DpfdaError(f"no column is named {name!r}, or several are: give the column of each covariate", "columns")
        _inputs.aligned({"curves": curves, "columns": found})
        stated = _inputs.listed(found)
        if len(stated) != rows:
            text = f"the column of {name!r} has {len(stated)} cells for {rows} curves; give one for each curve"
            raise DpfdaError(text, "columns")
        columns.append(_dpfda.labels(kind(found), stated, missing, is_number, "columns"))
    return columns
