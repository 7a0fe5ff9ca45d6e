"""Private tables of many libraries, as arrays of float64. Nothing here shows a value."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NoReturn, Optional

import numpy as np
import numpy.typing as npt

from . import _dpfda
from ._door import tell_of_repeats
from ._errors import DpfdaError
from ._kinds import kind, library_of
from ._private import Private

Array = npt.NDArray[np.float64]
#: Columns beside an array, by the names that a study has for them.
Columns = Optional[Mapping[str, Any]]
NUMBERS = "iuf"
#: Names of columns that hold ids of people.
IDS = re.compile(r"(.*[_ .-])?(id|pid|subject|participant|patient|person|respondent)([_ .-]?(id|no|nr|number))?", re.IGNORECASE)


class _Frame(Private):
    """A table with named columns, each of which is converted when it is needed."""

    __slots__ = ("_column", "kinds", "names")

    def __init__(self, names: list[Any], kinds: list[bool], column: Callable[[int], Any]) -> None:
        self.names = names
        self.kinds = kinds
        self._column = column

    def column(self, index: int) -> Any:
        """The column as it is."""
        return self._column(index)

    def named(self, name: str, setting: str) -> Any:
        """The one column of this name, which a setting gives."""
        found = [index for index, known in enumerate(self.names) if str(known) == name]
        if len(found) != 1:
            _refuse(f"no column is named {name!r}, which {setting}= says, or several are", setting)
        return self._column(found[0])


def is_path(data: object) -> bool:
    """Whether data are given by the name of a file, a folder or a pattern."""
    return isinstance(data, (str, os.PathLike))


def stated(reading: _dpfda.Reading, data: Any, columns: Columns = None) -> Any:
    """Private data as the compiled part takes them.

    Parameters
    ----------
    reading : Reading
        How a study, or a plan, reads its table.
    data : array, frame, mapping of columns, functional data or path
        One record in each row, or one value.
    columns : mapping, optional
        Beside an array, the columns that the study names.
    """
    if is_path(data):
        if columns is not None:
            _refuse("the study says which columns of a file they are: leave columns out", "columns")
        return os.fspath(data)
    if data is None or isinstance(data, (bytes, set)):
        _refuse("data must be a table of numbers, a mapping of columns, or a path", "data")
    form = reading.form
    if form in ("rows", "surface-rows"):
        return _long(reading, data, columns)
    frame = _frame(data)
    if frame is not None and columns is not None:
        _refuse("the data have columns, and the study says which: leave columns out", "columns")
    if form == "points":
        return _points(reading, data, frame, columns)
    return _of_array(reading, data, columns) if frame is None else _of_frame(reading, frame)


def header(reading: _dpfda.Reading, data: Any) -> Any:
    """Where the columns of data lie, as a plan takes it: no value is looked at."""
    if data is None or reading.form in ("points", "rows", "surface-rows"):
        return None
    if is_path(data):
        return os.fspath(data)
    frame = _frame(data)
    if frame is not None:
        return reading.columns([str(name) for name in frame.names])[2]
    numbers, known, _ = _numbers(data)
    return int(numbers.shape[-1]), known


def ids(subject: Any, rows: int, setting: str) -> _dpfda.Ids:
    """Subject ids: text and whole numbers are ids, and nothing else is."""
    found = _quietly(lambda: listed(subject))
    if found is None or isinstance(subject, str):
        _refuse(f"the column of {setting}= must have one id for each row: text or whole numbers", setting)
    if len(found) != rows:
        _refuse(f"{len(found)} subject ids were given for {rows} rows; give one id for each row", setting)
    return _dpfda.ids(kind(subject), found, setting)


def vector(numbers: Any, parameter: str) -> Array:
    """Numbers in one dimension."""
    found = _array(numbers, parameter)
    if found.ndim != 1:
        _refuse(f"{parameter} must have one dimension, and has {found.ndim}", parameter)
    return found


def matrix(numbers: Any, parameter: str) -> Array:
    """Numbers in two dimensions; a single column may have one."""
    found = _array(numbers, parameter)
    found = found.reshape(-1, 1) if found.ndim == 1 else found
    if found.ndim != 2:
        _refuse(f"{parameter} must have one or two dimensions, and have {found.ndim}", parameter)
    return found


def at_points(points: Any, parameter: str = "points") -> list[float]:
    """Public points of the domain."""
    found = vector(np.atleast_1d(points), parameter)
    if not np.isfinite(found).all():
        _refuse(f"{parameter} must be finite numbers", parameter)
    return [float(point) for point in found]


def listed(column: Any) -> list[Any]:
    """The cells of a column."""
    if hasattr(column, "to_pylist"):
        return list(column.to_pylist())
    if hasattr(column, "to_list"):
        return list(column.to_list())
    if isinstance(column, np.ma.MaskedArray) or hasattr(column, "__array__"):
        return list(np.ma.asanyarray(column).tolist())
    return list(column)


def _memory(numbers: Any, **known: Any) -> dict[str, Any]:
    """Numbers in memory, with what is known of them."""
    return {"numbers": numbers, "names": None, "places": None, "known": None, "ids": None, "texts": [], "axes": None, **known}


def _of_frame(reading: _dpfda.Reading, frame: _Frame) -> dict[str, Any]:
    """One record in each row of a frame: the rules for its columns are those of files."""
    chosen, owner, places = reading.columns([str(name) for name in frame.names])
    for index in chosen:
        if not frame.kinds[index]:
            _refuse(f"column {frame.names[index]!r} does not hold numbers: name the value columns with values", "values")
    numbers = [_column(frame.column(index), frame.names[index], "values") for index in chosen]
    rows, subjects = len(numbers[0]), None
    if owner is None:
        _tell_of_repeats(frame, set(chosen))
    else:
        subjects = ids(frame.column(owner), rows, "subject")
    named = {name: frame.named(name, setting) for name, _, setting in reading.texts}
    texts = _texts(reading, named, rows)
    names = [str(frame.names[index]) for index in chosen]
    return _memory(numbers, names=names, places=places, ids=subjects, texts=texts)


def _of_array(reading: _dpfda.Reading, data: Any, columns: Columns) -> dict[str, Any]:
    """One record in each row of an array; the columns that the study names lie beside it."""
    numbers, known, axes = _numbers(data)
    if reading.form == "surfaces":
        if numbers.ndim == 3 and tuple(numbers.shape[1:]) != reading.shape:
            _refuse(f"the surfaces have {numbers.shape[1]} x {numbers.shape[2]} points, and not those of surface=", "surface")
        numbers = numbers.reshape(numbers.shape[0], -1) if numbers.ndim == 3 else numbers
    if numbers.ndim != 2:
        _refuse(f"data must have two dimensions, one record in each row, and have {numbers.ndim}", "data")
    rows = int(numbers.shape[0])
    beside = _beside(reading, data, columns)
    owner = reading.ids
    subjects = None if owner is None else ids(beside[owner], rows, "subject")
    return _memory(numbers, known=known, ids=subjects, texts=_texts(reading, beside, rows), axes=axes)


def _beside(reading: _dpfda.Reading, data: Any, columns: Columns) -> dict[str, Any]:
    """The columns beside an array: those that the study names, and no others."""
    if columns is None:
        columns = {}
    needed = {name: setting for name, _, setting in reading.texts}
    if reading.ids is not None:
        needed[reading.ids] = "subject"
    table = columns if isinstance(columns, Mapping) else _frame(columns)
    if table is None:
        _refuse("columns must be a mapping of the names of columns to their cells, or a frame", "columns")
    names = [str(name) for name in (table if isinstance(table, Mapping) else table.names)]
    found = {}
    for name, setting in needed.items():
        if name not in names:
            text = (
                f"an array has no column {name!r}, which {setting}= says: give columns={{{name!r}: ...}}, one cell for each row"
            )
            _refuse(text, setting)
        found[name] = table[name] if isinstance(table, Mapping) else table.named(name, setting)
    if isinstance(columns, Mapping):
        for name in names:
            if name not in needed:
                _refuse(f"the study names no column {name!r}: leave it out, or agree on a study with it", "columns")
    aligned({"data": data, **{needed[name]: column for name, column in found.items()}})
    return found


def _texts(reading: _dpfda.Reading, columns: Mapping[str, Any], rows: int) -> list[_dpfda.Labels]:
    """The cells of labels and covariates."""
    found = []
    for name, is_number, setting in reading.texts:
        cells = _quietly(partial(listed, columns[name]))
        if cells is None or isinstance(columns[name], str):
            _refuse(f"the column {name!r} of {setting}= must have one cell for each row: text, numbers or truths", setting)
        if len(cells) != rows:
            _refuse(f"the column {name!r} has {len(cells)} cells for {rows} rows; give one for each row", setting)
        found.append(_dpfda.labels(kind(columns[name]), cells, reading.missing, is_number, setting))
    return found


def _points(reading: _dpfda.Reading, data: Any, frame: _Frame | None, columns: Columns) -> dict[str, Any]:
    """Points: one column for each axis."""
    if frame is None:
        numbers = matrix(data, "data")
        beside, rows = _beside(reading, data, columns), int(numbers.shape[0])
        owner = None if reading.ids is None else beside[reading.ids]
        return _memory(numbers, ids=None if owner is None else ids(owner, rows, "subject"))
    if reading.takes_all:
        _refuse("columns= must name the columns of a frame", "columns")
    names = [name for name, _ in reading.numbers]
    axes = [_column(frame.named(name, "columns"), name, "columns") for name in names]
    chosen = {index for index, name in enumerate(frame.names) if str(name) in names}
    if any(not frame.kinds[index] for index in chosen):
        _refuse("a column of columns= does not hold numbers", "columns")
    subjects = None
    if reading.ids is None:
        _tell_of_repeats(frame, chosen)
    else:
        subjects = ids(frame.named(reading.ids, "subject"), len(axes[0]), "subject")
    return _memory(axes, names=names, ids=subjects)


def _long(reading: _dpfda.Reading, data: Any, columns: Columns) -> dict[str, Any]:
    """A long table: one value of a subject in each row."""
    if columns is not None:
        _refuse("a long table has all columns that the study names: leave columns out", "columns")
    if library_of(data) == "skfda" and hasattr(data, "start_indices"):
        return _irregular(reading, data)
    frame, owner = _frame(data), str(reading.ids)
    if frame is None:
        _refuse("a long table is a frame, a mapping of columns, or a path", "data")
    found = {setting: frame.named(name, setting) for name, setting in reading.numbers}
    whose = frame.named(owner, "id")
    aligned({"id": whose, **found})
    numbers = [_measured(column, setting) for setting, column in found.items()]
    for setting, column in zip(found, numbers):
        if len(column) != len(numbers[-1]):
            _refuse(f"{len(column)} cells of {setting}= stand beside {len(numbers[-1])} values; give one for each row", setting)
    names = [name for name, _ in reading.numbers]
    return _memory(numbers, names=names, ids=ids(whose, len(numbers[-1]), "id"))


def _irregular(reading: _dpfda.Reading, data: Any) -> dict[str, Any]:
    """Functional data that were seen at other points for each curve: a curve is a subject."""
    if data.dim_domain != 1 or data.dim_codomain != 1 or reading.form != "rows":
        _refuse("irregular functional data must have one input and one output dimension, and a study of rows", "data")
    counts = np.diff(np.append(data.start_indices, len(data.points)))
    whose = np.repeat(np.arange(len(counts)), counts)
    numbers = [np.require(one[:, 0], np.float64, "A") for one in (data.points, data.values)]
    return _memory(numbers, ids=ids(whose, len(whose), "id"), axes=_functional_axes(data))


def _measured(column: Any, setting: str) -> Array:
    """A column of numbers; dates are none."""
    try:
        return vector(column, setting)
    except DpfdaError:
        hint = ". Turn dates into numbers first, such as the days since a public date" if setting == "time" else ""
        text = f"the column of {setting}= must hold real numbers; missing ones are NaN{hint}"
        raise DpfdaError(text, setting) from None


def aligned(tables: Mapping[str, Any]) -> None:
    """Refuses tables and columns whose rows have other labels: a row would get what belongs to another row."""
    first = None
    for parameter, table in tables.items():
        index = _index(table)
        if first is None:
            first = index
        elif index is not None and not first.equals(index):
            _refuse(
                f"the index of {parameter} is not that of the other columns and tables, and rows would get what belongs to other "
                "rows: give the column of the same frame, or its to_numpy() if the rows are in the same order all the same",
                parameter,
            )


def _index(table: Any) -> Any:
    """The labels of the rows, where a table has any."""
    library = library_of(table)
    if library == "pandas" and hasattr(table, "iloc"):
        return table.index
    if library == "xarray" and hasattr(table, "dims") and table.dims:
        return table.indexes.get(table.dims[0])
    return None


def _refuse(text: str, parameter: str) -> NoReturn:
    raise DpfdaError(text, parameter)


def _quietly(make: Callable[[], Any]) -> Any:
    """What `make` gives, or None: the words of other libraries quote values, so that not even their context is kept."""
    try:
        return make()
    except Exception:
        return None


def _numbers(data: Any) -> tuple[Array, list[list[float]] | None, tuple[str | None, ...] | None]:
    """The numbers of an array, where it says that its points lie along each axis, and the names of its axes."""
    library = library_of(data)
    if library == "skfda":
        if not hasattr(data, "data_matrix"):
            _refuse("functional data must be on a grid: call .to_grid() first, with public points, or release rows", "data")
        if data.dim_codomain != 1 or data.dim_domain > 2:
            _refuse("functional data must have one or two inputs and one output: release each output by itself", "data")
        known = [[float(point) for point in points] for points in data.grid_points]
        return np.require(data.data_matrix[..., 0], np.float64, "A"), known, _functional_axes(data)
    if library == "numpy" and type(data) is np.ndarray and data.dtype == np.float64:
        return np.require(data, None, "A"), None, None
    numbers = _array(data, "data")
    if library == "xarray" and numbers.ndim in (2, 3):
        coords = dict(data.coords)
        axes = [coords.get(axis) for axis in data.dims[1:]]
        if all(one is not None and one.dtype.kind in NUMBERS for one in axes):
            points = [[float(point) for point in one.values] for one in axes if one is not None]
            return numbers, points, _named_axes([_shown(one) for one in axes], _shown(data))
        return numbers, None, _named_axes([str(axis) for axis in data.dims[1:]], _shown(data))
    return numbers, None, None


def _functional_axes(data: Any) -> tuple[str | None, ...] | None:
    return _named_axes(list(data.argument_names), next(iter(data.coordinate_names), None))


def _named_axes(arguments: list[str | None], value: str | None) -> tuple[str | None, ...] | None:
    """The names of the first axis of a surface, of the horizontal and of the vertical axis, where the data have any."""
    first, last = (arguments[0] if len(arguments) == 2 else None), arguments[-1]
    # xarray calls axes without a name so
    names = tuple(None if name is None or re.fullmatch(r"dim_\d+", name) else str(name) for name in (first, last, value))
    return names if any(names) else None


def _shown(array: Any) -> str | None:
    """The name of an array of xarray with its unit."""
    name, units = array.attrs.get("long_name", array.name), array.attrs.get("units")
    return None if name is None else f"{name} ({units})" if units else str(name)


def _array(table: Any, parameter: str) -> Array:
    if isinstance(table, np.ma.MaskedArray):
        if table.dtype.kind not in NUMBERS:
            _refuse_kind(parameter)
        filled: Array = np.ma.filled(table.astype(np.float64), np.nan)
        return filled
    if library_of(table) == "pandas" and getattr(getattr(table, "dtype", None), "kind", "O") in NUMBERS:
        # a series of numbers, whose missing values may be no NaN
        table = _quietly(lambda: table.to_numpy(dtype=np.float64, na_value=np.nan))
    elif (library_of(table) == "pandas" and hasattr(table, "to_frame")) or library_of(table) == "polars":
        # another series
        table = _quietly(lambda: table.to_numpy())
    found = _quietly(lambda: np.asarray(table))
    if found is not None and found.dtype.kind == "c":
        _refuse(f"Complex data not supported: {parameter} must be real numbers", parameter)
    if found is None or found.dtype.kind not in NUMBERS:
        _refuse_kind(parameter)
    # float64 stays where it is, whatever its order and strides; numbers that are not aligned are copied
    return np.require(found, np.float64, "A")


def _refuse_kind(parameter: str) -> NoReturn:
    _refuse(f"{parameter} must be real numbers; missing values are NaN or masked", parameter)


def has_columns(table: Any) -> bool:
    """Whether a table has columns with names: nothing of it is read, for a stream is there once."""
    library = library_of(table)
    if library == "numpy":
        return False
    if library == "pandas":
        return getattr(table, "ndim", 0) == 2
    if library == "polars":
        return hasattr(table, "collect") or hasattr(table, "iter_columns")
    if library == "pyarrow":
        return hasattr(table, "schema")
    is_stream = hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__")
    return isinstance(table, Mapping) or (library not in ("skfda", "xarray") and is_stream)


def _frame(table: Any) -> _Frame | None:
    """A table with named columns, or None for an array or one column."""
    if not has_columns(table):
        return None
    library = library_of(table)
    if isinstance(table, Mapping):
        names, columns = list(table), list(table.values())
        aligned({str(name): column for name, column in zip(names, columns)})
        return _Frame(names, [_holds_numbers(column) for column in columns], columns.__getitem__)
    if library == "pandas":
        return _pandas(table)
    if library == "polars":
        table = table.collect() if hasattr(table, "collect") else table
        names, kinds = list(table.columns), [bool(kind.is_numeric()) for kind in table.dtypes]
        return _Frame(names, kinds, lambda index: table.to_series(index))
    return _arrow(table) if library == "pyarrow" and hasattr(table, "column") else _capsule(table)


def _holds_numbers(column: Any) -> bool:
    found = _quietly(lambda: np.asarray(column))
    return found is not None and found.dtype.kind in NUMBERS


def _capsule(table: Any) -> _Frame:
    try:
        import pyarrow
    except ImportError:
        raise DpfdaError("a table of the Arrow C interface is read by pyarrow: install it", "data") from None
    found = _quietly(lambda: pyarrow.table(table))
    return _arrow(found) if found is not None else _refuse_kind("data")


def _pandas(table: Any) -> _Frame:
    from pandas.api.types import is_bool_dtype, is_complex_dtype, is_numeric_dtype

    def is_number(kind: Any) -> bool:
        return bool(is_numeric_dtype(kind)) and not is_bool_dtype(kind) and not is_complex_dtype(kind)

    index = table.index
    if index.nlevels > 1 or index.name is not None or not (is_number(index.dtype) or index.dtype.kind == "M"):
        _refuse(
            "the index of the frame looks like ids: make it a column with reset_index() and name it as the subject, or drop it "
            "with reset_index(drop=True) if each row is a person",
            "subject",
        )
    kinds = [is_number(kind) for kind in table.dtypes]
    return _Frame(list(table.columns), kinds, lambda at: table.iloc[:, at])


def _arrow(table: Any) -> _Frame:
    from pyarrow import types

    def is_number(kind: Any) -> bool:
        return bool(types.is_floating(kind) or types.is_integer(kind))

    schema = table.schema
    return _Frame(list(schema.names), [is_number(kind) for kind in schema.types], table.column)


def _tell_of_repeats(frame: _Frame, chosen: set[int]) -> None:
    """Tells the curator of ids that repeat in a column beside the values."""
    for index, name in enumerate(frame.names):
        if index in chosen or not IDS.fullmatch(str(name)):
            continue
        column = frame.column(index)
        if kind(column) in ("text", "whole", "mixed") and _quietly(partial(_repeat, column)):
            tell_of_repeats(str(name))


def _repeat(ids: Any) -> bool:
    """Whether a cell stands twice in a column; a missing one is none."""
    cells = [cell for cell in listed(ids) if cell is not None and cell == cell]
    return len(set(cells)) < len(cells)


def _column(column: Any, name: Any, setting: str) -> Array:
    library = library_of(column)
    if library == "pandas":
        found = _quietly(lambda: column.to_numpy(dtype=np.float64, na_value=np.nan, copy=False))
    elif library == "polars":
        found = _quietly(lambda: np.asarray(column.to_numpy(), dtype=np.float64))
    elif library == "pyarrow":
        found = _quietly(lambda: np.asarray(_combined(column).to_numpy(zero_copy_only=False), dtype=np.float64))
    else:
        found = _quietly(lambda: vector(column, setting))
    if found is None:
        _refuse(f"column {name!r} cannot be read as numbers", setting)
    return np.require(found, np.float64, "A")


def _combined(column: Any) -> Any:
    """One array of an Arrow column."""
    return column.combine_chunks() if hasattr(column, "combine_chunks") else column
