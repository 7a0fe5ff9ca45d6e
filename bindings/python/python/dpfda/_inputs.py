"""Private tables of many libraries, as arrays of float64. Nothing here shows a value."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn, Union

import numpy as np
import numpy.typing as npt

from . import _dpfda
from ._door import tell_of_repeats
from ._errors import DpfdaError
from ._kinds import kind, library_of

Array = npt.NDArray[np.float64]
Values = Union[str, Sequence[Any], None]
Grid = Union[tuple[float, float], list[float]]
NUMBERS = "iuf"
#: Names of columns that hold ids of people.
IDS = re.compile(r"(.*[_ .-])?(id|pid|subject|participant|patient|person|respondent)([_ .-]?(id|no|nr|number))?", re.IGNORECASE)


class Private:
    """What refuses to be shown, copied or pickled, because it is private."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(..)"

    def __reduce__(self) -> NoReturn:
        raise DpfdaError("private data are not pickled or copied: only releases and plans are")


class Curves(Private):
    """Curves of people: numbers, the codes for missing ones, where their columns lie, and whose they are."""

    __slots__ = ("grid", "missing", "numbers", "subjects")

    def __init__(
        self,
        numbers: Array | list[Array],
        grid: tuple[Grid, bool],
        subjects: _dpfda.Ids | None,
        missing: str | None,
    ) -> None:
        self.numbers = numbers
        self.grid = grid
        self.subjects = subjects
        self.missing = missing

    @property
    def table(self) -> tuple[Array | list[Array], str | None]:
        """The numbers as the compiled part takes them."""
        return self.numbers, self.missing

    @property
    def rows(self) -> int:
        """The number of curves: private."""
        return len(self.numbers[0]) if isinstance(self.numbers, list) else int(self.numbers.shape[0])

    @property
    def columns(self) -> int:
        """The number of points of the grid."""
        return len(self.numbers) if isinstance(self.numbers, list) else int(self.numbers.shape[1])


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


def is_path(curves: object) -> bool:
    """Whether curves are given by the name of a file, a folder or a pattern."""
    return isinstance(curves, (str, os.PathLike))


def read(
    curves: Any,
    *,
    values: Values = None,
    subject: Any = None,
    grid_points: Any = None,
    domain_range: Any = None,
    periodic: bool = False,
    missing: str | None = None,
    parameter: str = "curves",
    counted: bool = False,
) -> Curves:
    """Curves in memory, whatever library holds them.

    Parameters
    ----------
    curves : array, frame or functional data
        One curve in each row.
    values : str or list, optional
        The value columns of a frame: names, or patterns such as ``"cca_*"`` with commas between.
    subject : str or sequence, optional
        The column of subject ids, or one id for each row.
    grid_points : sequence of float, optional
        Where the columns lie.
    domain_range : pair of float, optional
        The ends of an equally spaced grid.
    periodic : bool
        Whether the domain closes up.
    missing : str, optional
        Codes for missing values.
    counted : bool
        The columns are counted, and their names say nothing.
    """
    if curves is None or isinstance(curves, (str, bytes, dict, set)):
        _refuse(f"{parameter} must be a table of numbers, one curve in each row", parameter)
    grid: Grid | None = _grid(grid_points, domain_range)
    aligned({parameter: curves, "subject": subject})
    frame = _frame(curves)
    if frame is not None:
        spaced = "counted" if counted else (grid, closes_up(periodic))
        columns, known, subjects = _of_frame(frame, values, subject, parameter, spaced)
        return Curves(columns, (grid or known or (0.0, 1.0), closes_up(periodic)), subjects, missing)
    if values is not None:
        _refuse("values names columns of a frame; an array has none", "values")
    known = _known_grid(curves)
    numbers = _array(curves, parameter)
    if numbers.ndim != 2:
        _refuse(f"{parameter} must have two dimensions, one curve in each row, and has {numbers.ndim}", parameter)
    subjects = None if subject is None else ids(subject, int(numbers.shape[0]))
    return Curves(numbers, (grid or known or (0.0, 1.0), closes_up(periodic)), subjects, missing)


def ids(subject: Any, rows: int, parameter: str = "subject") -> _dpfda.Ids:
    """Subject ids: text and whole numbers are ids, and nothing else is."""
    if isinstance(subject, str):
        _refuse(f"{parameter} names a column, and an array has none: give one id for each row", parameter)
    found = _quietly(lambda: listed(subject))
    if found is None:
        _refuse(f"{parameter} must be one id for each row: text or whole numbers", parameter)
    if len(found) != rows:
        _refuse(f"{len(found)} subject ids were given for {rows} rows; give one id for each row", parameter)
    return _dpfda.ids(kind(subject), found, parameter)


def labels(by: Any, rows: int, curves: Any, missing: str | None) -> _dpfda.Labels:
    """The label of the group of each row, as a column of a frame or as a sequence."""
    if isinstance(by, str):
        column = column_of(curves, by)
        if column is None:
            _refuse(f"no column is named {by!r}, given for the groups, or several are", "by")
        by = column
    aligned({"curves": curves, "by": by})
    found = _quietly(lambda: listed(by))
    if found is None:
        _refuse("by must be one label for each curve: text, numbers or truths", "by")
    if len(found) != rows:
        _refuse(f"{len(found)} labels were given for {rows} curves; give one label for each curve", "by")
    return _dpfda.labels(kind(by), found, missing, False, "by")


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


def column_of(table: Any, name: str) -> Any:
    """The column of a frame or of a mapping, or None where there is none of this name, or several."""
    if isinstance(table, Mapping):
        return table.get(name)
    frame = _frame(table)
    if frame is None or frame.names.count(name) != 1:
        return None
    return frame.column(frame.names.index(name))


def listed(column: Any) -> list[Any]:
    """The cells of a column."""
    if hasattr(column, "to_pylist"):
        return list(column.to_pylist())
    if hasattr(column, "to_list"):
        return list(column.to_list())
    if isinstance(column, np.ma.MaskedArray) or hasattr(column, "__array__"):
        return list(np.ma.asanyarray(column).tolist())
    return list(column)


def points(table: Any, columns: Sequence[Any] | str | None) -> Array | list[Array]:
    """Points of people: one row for each record, one column for each axis."""
    frame = _frame(table)
    if frame is not None:
        try:
            return _of_frame(frame, columns, None, "points", "counted")[0]
        except DpfdaError as refused:
            refused.parameter = "columns" if refused.parameter == "values" else refused.parameter
            raise
    if columns is not None:
        _refuse("columns names columns of a frame; an array has none", "columns")
    numbers = _array(table, "points")
    if numbers.ndim == 1:
        numbers = numbers.reshape(-1, 1)
    if numbers.ndim != 2:
        _refuse(f"points must have one or two dimensions, and have {numbers.ndim}", "points")
    return numbers


def vector(numbers: Any, parameter: str) -> Array:
    """Public numbers in one dimension."""
    found = _array(numbers, parameter)
    if found.ndim != 1:
        _refuse(f"{parameter} must have one dimension, and has {found.ndim}", parameter)
    return found


def _refuse(text: str, parameter: str) -> NoReturn:
    raise DpfdaError(text, parameter)


def _quietly(make: Callable[[], Any]) -> Any:
    """What `make` gives, or None: the words of other libraries quote values, so that not even their context is kept."""
    try:
        return make()
    except Exception:
        return None


def _array(table: Any, parameter: str) -> Array:
    if isinstance(table, np.ma.MaskedArray):
        if table.dtype.kind not in NUMBERS:
            _refuse_kind(parameter)
        filled: Array = np.ma.filled(table.astype(np.float64), np.nan)
        return filled
    if library_of(table) == "skfda":
        return _functional(table)
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


def _functional(curves: Any) -> Array:
    if not hasattr(curves, "data_matrix"):
        _refuse("functional data must be on a grid: call .to_grid() first, with public points", "curves")
    if curves.dim_domain != 1 or curves.dim_codomain != 1:
        _refuse("functional data must have one input and one output dimension: release each output by itself", "curves")
    return np.require(curves.data_matrix[..., 0], np.float64, "A")


def _known_grid(curves: Any) -> Grid | None:
    if library_of(curves) == "skfda" and hasattr(curves, "grid_points"):
        return [float(point) for point in curves.grid_points[0]]
    if library_of(curves) == "xarray" and getattr(curves, "ndim", 0) == 2:
        axis = curves.dims[-1]
        if axis in curves.coords and curves.coords[axis].dtype.kind in NUMBERS:
            return [float(point) for point in curves.coords[axis].values]
    return None


def closes_up(periodic: Any) -> bool:
    """Whether a domain closes up."""
    if not isinstance(periodic, (bool, np.bool_)):
        _refuse("periodic must be True or False", "periodic")
    return bool(periodic)


def _grid(grid_points: Any, domain_range: Any) -> Grid | None:
    if grid_points is not None and domain_range is not None:
        _refuse("give grid_points or domain_range, and not both", "grid_points")
    if grid_points is not None:
        found = _quietly(lambda: np.asarray(grid_points, dtype=np.float64).ravel())
        if found is None:
            _refuse("grid_points must be numbers", "grid_points")
        return [float(point) for point in found]
    if domain_range is not None:
        ends = _quietly(lambda: [float(end) for end in np.asarray(domain_range, dtype=np.float64).ravel()])
        if ends is None or len(ends) != 2:
            _refuse("domain_range must be two numbers, the ends of the domain", "domain_range")
        return (ends[0], ends[1])
    return None


def has_columns(table: Any) -> bool:
    """Whether a table has columns with names: nothing of it is read, for a stream is there once."""
    library = library_of(table)
    if library == "pandas":
        return getattr(table, "ndim", 0) == 2
    if library == "polars":
        return hasattr(table, "collect") or hasattr(table, "iter_columns")
    if library == "pyarrow":
        return hasattr(table, "schema")
    is_array = library in ("numpy", "skfda", "xarray")
    return not is_array and (hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__"))


def _frame(table: Any) -> _Frame | None:
    """A table with named columns, or None for an array or one column."""
    library = library_of(table)
    if not has_columns(table):
        return None
    if library == "pandas":
        return _pandas(table)
    if library == "polars":
        table = table.collect() if hasattr(table, "collect") else table
        names, kinds = list(table.columns), [bool(kind.is_numeric()) for kind in table.dtypes]
        return _Frame(names, kinds, lambda index: table.to_series(index))
    return _arrow(table) if library == "pyarrow" and hasattr(table, "column") else _capsule(table)


def _capsule(table: Any) -> _Frame:
    try:
        import pyarrow
    except ImportError:
        raise DpfdaError("a table of the Arrow C interface is read by pyarrow: install it", "curves") from None
    found = _quietly(lambda: pyarrow.table(table))
    return _arrow(found) if found is not None else _refuse_kind("curves")


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


def _of_frame(
    frame: _Frame, values: Values, subject: Any, parameter: str, spaced: Any
) -> tuple[list[Array], Grid | None, _dpfda.Ids | None]:
    owned = isinstance(subject, str)
    if owned and frame.names.count(subject) != 1:
        _refuse(f"no column is named {subject!r}, given for the subject, or several are", "subject")
    pieces = values if values is None or isinstance(values, str) else [str(piece) for piece in values]
    if isinstance(pieces, str):
        pieces = [piece.strip() for piece in pieces.split(",")]
    # labels that are floats are points; text and counted columns are names
    names = [str(name) for name in frame.names]
    is_grid = spaced != "counted" and spaced[0] is None and _are_points(frame, pieces, subject)
    if spaced != "counted":
        spaced = "names" if is_grid else (spaced[0] or (0.0, 1.0), spaced[1])
    chosen, owner = _dpfda.frame_columns(names, pieces, subject if owned else None, spaced)
    for index in chosen:
        if not frame.kinds[index]:
            _refuse(f"column {frame.names[index]!r} does not hold numbers: name the value columns with values", "values")
    numbers = [_column(frame.column(index), frame.names[index], parameter) for index in chosen]
    subjects = None
    if subject is None:
        _tell_of_repeats(frame, set(chosen))
    else:
        subjects = ids(subject if owner is None else frame.column(owner), len(numbers[0]))
    return numbers, [float(frame.names[index]) for index in chosen] if is_grid else None, subjects


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


def _are_points(frame: _Frame, pieces: list[str] | None, subject: Any) -> bool:
    names = [name for name in frame.names if pieces is None or str(name) in pieces]
    if isinstance(subject, str):
        names = [name for name in names if name != subject]
    return bool(names) and all(isinstance(name, (float, np.floating)) for name in names)


def _column(column: Any, name: Any, parameter: str) -> Array:
    library = library_of(column)
    if library == "pandas":
        found = _quietly(lambda: column.to_numpy(dtype=np.float64, na_value=np.nan, copy=False))
    elif library == "polars":
        found = _quietly(lambda: np.asarray(column.to_numpy(), dtype=np.float64))
    else:
        found = _quietly(lambda: np.asarray(_combined(column).to_numpy(zero_copy_only=False), dtype=np.float64))
    if found is None:
        _refuse(f"column {name!r} of {parameter} cannot be read as numbers", "values")
    return np.require(found, np.float64, "A")


def _combined(column: Any) -> Any:
    """One array of an Arrow column."""
    return column.combine_chunks() if hasattr(column, "combine_chunks") else column
