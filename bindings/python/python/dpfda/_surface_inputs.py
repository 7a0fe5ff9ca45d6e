"""Private tables of surfaces of many libraries, as rows in row-major order. Nothing here shows a value."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _inputs, _rows
from ._errors import DpfdaError
from ._inputs import Array
from ._kinds import library_of
from ._numbers import whole
from ._stated import file_layout

Axis = Any


def stated_surfaces(
    surfaces: Any,
    names: dict[str, Any],
    cells: dict[str, Any],
    *,
    shape: Any,
    values: _inputs.Values,
    subject: Any,
    grid_points: Any,
    domain_range: Any,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Where surfaces are, and the two axes of their points, as the compiled part takes them; `names` are of a long table."""
    size, axes = _size(shape), _axes(grid_points, domain_range)
    if size is None and grid_points is not None and axes is not None:
        size = (len(axes[0]), len(axes[1]))
    if any(name is not None for name in names.values()):
        for argument, given in (("values", values), ("subject", subject)):
            if given is not None:
                raise DpfdaError(f"a long table has the columns id, s, t and value: leave {argument} out", argument)
        if axes is None:
            raise DpfdaError("state the ends of s and of t, such as domain_range=((0, 23), (0, 6))", "domain_range")
        return _long(surfaces, names, cells), _rectangle(size, axes)
    if _inputs.is_path(surfaces):
        layout = file_layout(values, subject, None, None, cells)
        return {"path": os.fspath(surfaces), "layout": layout}, _rectangle(size, axes)
    known, missing = None, cells["missing"]
    _inputs.aligned({"surfaces": surfaces, "subject": subject})
    if _inputs._frame(surfaces) is None:
        surfaces, size, known = _flat(surfaces, size)
    found = _inputs.read(surfaces, values=values, subject=subject, missing=missing, parameter="surfaces", counted=True)
    rectangle = _rectangle(size, axes or known)
    # values are counted: their places are no points of a curve
    places = ((1.0, float(found.columns)), False)
    return {"numbers": found.table, "grid": places, "subjects": found.subjects, "columns": []}, rectangle


def _long(table: Any, names: dict[str, Any], cells: dict[str, Any]) -> dict[str, Any]:
    """A long table of surfaces, and the names of its columns `id`, `s`, `t` and `value`."""
    _rows.check_names(names, "a long table of surfaces has the columns id, s, t and value")
    if len(set(names.values())) != len(names):
        raise DpfdaError("id, s, t and value must name different columns", "id")
    if _inputs.is_path(table):
        return {"path": os.fspath(table), **names, "cells": cells}
    columns = {argument: _rows.column(table, argument, name, "surfaces") for argument, name in names.items()}
    _inputs.aligned(columns)
    s, t, values = (_rows.numbers(columns[argument], argument) for argument in ("s", "t", "value"))
    for argument, numbers in (("s", s), ("t", t)):
        if len(numbers) != len(values):
            text = f"{len(numbers)} numbers were given for {len(values)} values; give one for each row"
            raise DpfdaError(text, argument)
    return {"ids": _inputs.ids(columns["id"], len(values), "id"), "s": s, "t": t, "values": values, "missing": cells["missing"]}


def stated_rectangle(shape: Any, grid_points: Any, domain_range: Any) -> dict[str, Any]:
    """The two axes of the points of surfaces that are elsewhere."""
    size, axes = _size(shape), _axes(grid_points, domain_range)
    if size is None and grid_points is not None and axes is not None:
        size = (len(axes[0]), len(axes[1]))
    return _rectangle(size, axes)


def flat(surfaces: Any, shape: tuple[int, int]) -> Any:
    """Surfaces of this shape as rows, where they are no frame."""
    return surfaces if _inputs._frame(surfaces) is not None else _flat(surfaces, shape)[0]


def _rectangle(size: tuple[int, int] | None, axes: list[Axis] | None) -> dict[str, Any]:
    if size is None:
        raise DpfdaError("state the numbers of points of s and of t, such as shape=(24, 7)", "shape")
    s, t = axes or [(0.0, 1.0), (0.0, 1.0)]
    return {"shape": size, "s": (s, False), "t": (t, False)}


def _size(shape: Any) -> tuple[int, int] | None:
    if shape is None:
        return None
    if not isinstance(shape, (tuple, list)) or len(shape) != 2 or None in shape:
        raise DpfdaError("shape must be two whole numbers: of points of s, and of points of t", "shape")
    first, second = (whole("shape", one) or 0 for one in shape)
    return first, second


def _axes(grid_points: Any, domain_range: Any) -> list[Axis] | None:
    """What was stated of each axis."""
    if grid_points is not None and domain_range is not None:
        raise DpfdaError("give grid_points or domain_range, and not both", "grid_points")
    name, given = ("grid_points", grid_points) if grid_points is not None else ("domain_range", domain_range)
    if given is None:
        return None
    pair = list(given) if hasattr(given, "__len__") and not isinstance(given, str) else []
    if len(pair) != 2 or not all(hasattr(one, "__len__") for one in pair):
        example = "(hours, days)" if name == "grid_points" else "((0, 23), (0, 6))"
        raise DpfdaError(f"{name} must say it of both axes, such as {name}={example}", name)
    return [_inputs._grid(**{"grid_points": None, "domain_range": None, name: one}) for one in pair]


def _flat(surfaces: Any, size: tuple[int, int] | None) -> tuple[Any, tuple[int, int] | None, list[Axis] | None]:
    """The rows of an array, its size where it has one, and its axes where it knows them."""
    if surfaces is None or isinstance(surfaces, (bytes, dict, set)):
        raise DpfdaError("surfaces must be a table of numbers, one surface in each row", "surfaces")
    numbers, known = _numbers(surfaces)
    if numbers.ndim != 3:
        return numbers, size, None
    found = (int(numbers.shape[1]), int(numbers.shape[2]))
    if size not in (None, found):
        raise DpfdaError(f"the surfaces have {found[0]} x {found[1]} points, and not those of shape or grid_points", "shape")
    return numbers.reshape(numbers.shape[0], found[0] * found[1]), found, known


def _numbers(surfaces: Any) -> tuple[Array, list[Axis] | None]:
    library = library_of(surfaces)
    if library == "skfda":
        if not hasattr(surfaces, "data_matrix"):
            raise DpfdaError("functional data must be on a grid: call .to_grid() first, with public points", "surfaces")
        if surfaces.dim_domain != 2 or surfaces.dim_codomain != 1:
            raise DpfdaError("functional data must have two input dimensions and one output dimension", "surfaces")
        matrix = np.require(surfaces.data_matrix[..., 0], np.float64, "A")
        return matrix, [[float(point) for point in points] for points in surfaces.grid_points]
    numbers = _inputs._array(surfaces, "surfaces")
    if library == "xarray" and numbers.ndim == 3:
        coords = [surfaces.coords[axis] for axis in surfaces.dims[1:] if axis in surfaces.coords]
        if len(coords) == 2 and all(one.dtype.kind in _inputs.NUMBERS for one in coords):
            return numbers, [[float(point) for point in one.values] for one in coords]
    return numbers, None
