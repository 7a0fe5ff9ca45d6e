"""Types of other libraries that annotations name: loaded when somebody asks for them, as ``typing.get_type_hints`` does."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any


class Later:
    """A module that is loaded when one of its names is used; where it is not installed, they stand for anything."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        import importlib

        try:
            return getattr(importlib.import_module(self._name), name)
        except ImportError:
            return Any


if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib import axes, figure
    from typing_extensions import Self
else:
    axes, figure, pandas, xarray = Later("matplotlib.axes"), Later("matplotlib.figure"), Later("pandas"), Later("xarray")
    Self = getattr(typing, "Self", Any)

__all__ = ["Later", "Self", "axes", "figure", "pandas", "xarray"]
