"""Long tables: one value of a subject in each row, as the compiled part takes them."""

from __future__ import annotations

import os
from typing import Any

from . import _inputs
from ._errors import DpfdaError
from ._inputs import Array


def of_table(table: Any, of_table: str, names: dict[str, Any], cells: dict[str, Any]) -> dict[str, Any]:
    """A long table, the argument that it is of, and the names of its columns `id`, `time` and `value`."""
    check_names(names, "a table may be a mapping of ids, times and values")
    if _inputs.is_path(table):
        return {"path": os.fspath(table), **names, "cells": cells}
    columns = (column(table, argument, name, of_table) for argument, name in names.items())
    return of_columns(*columns, *names, missing=cells["missing"])


def check_names(names: dict[str, Any], hint: str) -> None:
    """Refuses an argument that names no column."""
    for argument, name in names.items():
        if not isinstance(name, str):
            raise DpfdaError(f"{argument} must name a column of the table; {hint}", argument)


def column(table: Any, argument: str, name: str, of_table: str) -> Any:
    """A column of a table in memory, and the argument that names it."""
    try:
        found = _inputs.column_of(table, name)
    except DpfdaError as refused:
        raise DpfdaError(str(refused), of_table) from None
    if found is None:
        raise DpfdaError(f"no column is named {name!r}, given for the {argument}, or several are", argument)
    return found


def of_columns(
    ids: Any, times: Any, values: Any, of_ids: str, of_times: str, of_values: str, *, missing: str | None
) -> dict[str, Any]:
    """Three columns in memory, each with the argument that it is of, and the codes for missing values."""
    _inputs.aligned({of_ids: ids, of_times: times, of_values: values})
    seen, found = numbers(times, of_times), numbers(values, of_values)
    if len(seen) != len(found):
        raise DpfdaError(f"{len(seen)} times were given for {len(found)} values; give one for each row", of_times)
    return {"ids": _inputs.ids(ids, len(found), of_ids), "times": seen, "values": found, "missing": missing}


def numbers(column: Any, argument: str) -> Array:
    """A column of numbers; dates are none."""
    try:
        return _inputs.vector(column, argument)
    except DpfdaError:
        hint = ". Turn dates into numbers first, such as the days since a public date" if argument.startswith("time") else ""
        raise DpfdaError(f"{argument} must be a column of real numbers; missing ones are NaN{hint}", argument) from None
