"""What libraries of tables say of their columns: public, whatever is in them."""

from __future__ import annotations

from typing import Any

import numpy as np


def library_of(table: object) -> str:
    """The library that a table is of."""
    return type(table).__module__.partition(".")[0]


def kind(column: Any) -> str:
    """The type that a table gives to a column, which is public: text, whole, real, truth, mixed or other."""
    library = library_of(column)
    if library == "polars" and hasattr(column, "dtype"):
        return _polars_kind(column.dtype)
    if library == "pyarrow" and hasattr(column, "type"):
        return _arrow_kind(column.type)
    return _dtype_kind(getattr(column, "dtype", None))


def _dtype_kind(dtype: Any) -> str:
    if dtype is None:
        return "mixed"
    if hasattr(dtype, "pyarrow_dtype"):
        return _arrow_kind(dtype.pyarrow_dtype)
    if hasattr(dtype, "categories"):
        return _dtype_kind(dtype.categories.dtype)
    if type(dtype).__name__ == "StringDtype":
        return "text"
    kinds = {"i": "whole", "u": "whole", "f": "real", "b": "truth"}
    if isinstance(dtype, np.dtype):
        kinds |= {"U": "text", "T": "text", "O": "mixed"}
    return kinds.get(getattr(dtype, "kind", ""), "other")


def _polars_kind(dtype: Any) -> str:
    if dtype.is_integer() or dtype.is_float():
        return "whole" if dtype.is_integer() else "real"
    name = type(dtype).__name__ if not isinstance(dtype, type) else dtype.__name__
    words = {"String": "text", "Categorical": "text", "Enum": "text", "Boolean": "truth", "Object": "mixed", "Null": "mixed"}
    return words.get(name, "other")


def _arrow_kind(dtype: Any) -> str:
    from pyarrow import types

    if types.is_dictionary(dtype):
        return _arrow_kind(dtype.value_type)
    if types.is_integer(dtype) or types.is_floating(dtype):
        return "whole" if types.is_integer(dtype) else "real"
    if types.is_string(dtype) or types.is_large_string(dtype) or types.is_string_view(dtype):
        return "text"
    return "truth" if types.is_boolean(dtype) else "mixed" if types.is_null(dtype) else "other"
