"""Long tables: one value of a subject in each row, as the compiled part takes them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from . import _inputs
from ._errors import DpfdaError

if TYPE_CHECKING:
    from ._inputs import Array


def of_table(table: Any, of_table: str, names: dict[str, Any], delimiter: str | None, decimal_comma: bool) -> dict[str, Any]:
    """A long table, the argument that it is of, and the names of its columns `id`, `time` and `value`."""
    for argument, column in names.items():
        if not isinstance(column, str):
            text = f"{argument} must name a column of the table; a table may be a mapping of ids, times and values"
            raise DpfdaError(text, argument)
    if _inputs.is_path(table):
        return {"path": os.fspath(table), **names, "delimiter": delimiter, "decimal_comma": decimal_comma}
    return of_columns(*(_column(table, argument, column, of_table) for argument, column in names.items()), *names)


def _column(table: Any, argument: str, column: str, of_table: str) -> Any:
    try:
        found = _inputs.column_of(table, column)
    except DpfdaError as refused:
        raise DpfdaError(str(refused), of_table) from None
    if found is None:
        raise DpfdaError(f"no column is named {column!r}, given for the {argument}, or several are", argument)
    return found


def of_columns(ids: Any, times: Any, values: Any, of_ids: str, of_times: str, of_values: str) -> dict[str, Any]:
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
