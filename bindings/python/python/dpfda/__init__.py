"""Differentially private functional data analysis: publish a mean curve, not the people."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._dpfda import __version__
from ._errors import CuratorWarning, DocumentError, DpfdaError, LedgerError, LedgerWarning, PartError

if TYPE_CHECKING:
    from ._centiles import Centile, CentilesRelease
    from ._check import Check
    from ._crossval import CrossValidation, Scores
    from ._density import DensityRelease
    from ._documents import Fact
    from ._doors import (
        PrivateCentiles,
        PrivateChange,
        PrivateDensity,
        PrivateGroups,
        PrivateMean,
        PrivateRegression,
        PrivateRows,
        PrivateSurface,
    )
    from ._features import Extreme, Feature, Features, Place, Slope, Within
    from ._functionals import Functional, FunctionalsRelease, KeptPath, PathRelease, PrivateFunctionals, PrivatePath
    from ._functions import Band, Completion, Difference, Function, GroupsRelease, GroupsTest
    from ._ledger import Ledger
    from ._parts import Key, Part, Plan
    from ._regression import Outcome, RegressionRelease
    from ._release import ChangeRelease, Components, Posterior, Release, Uncertain
    from ._released import read
    from ._rows import RowsRelease
    from ._signature import Signed, SigningKey, verify
    from ._study import Forecast, Study, StudySetting
    from ._surface import SurfaceBand, SurfaceRelease
    from ._tools import Calibration, audit, calibrate, facts

__all__ = [
    "Band",
    "Calibration",
    "Centile",
    "CentilesRelease",
    "ChangeRelease",
    "Check",
    "Completion",
    "Components",
    "CrossValidation",
    "CuratorWarning",
    "DensityRelease",
    "Difference",
    "DocumentError",
    "DpfdaError",
    "Extreme",
    "Fact",
    "Feature",
    "Features",
    "Forecast",
    "Function",
    "Functional",
    "FunctionalsRelease",
    "GroupsRelease",
    "GroupsTest",
    "KeptPath",
    "Key",
    "Ledger",
    "LedgerError",
    "LedgerWarning",
    "Outcome",
    "Part",
    "PartError",
    "PathRelease",
    "Place",
    "Plan",
    "Posterior",
    "PrivateCentiles",
    "PrivateChange",
    "PrivateDensity",
    "PrivateFunctionals",
    "PrivateGroups",
    "PrivateMean",
    "PrivatePath",
    "PrivateRegression",
    "PrivateRows",
    "PrivateSurface",
    "RegressionRelease",
    "Release",
    "RowsRelease",
    "Scores",
    "Signed",
    "SigningKey",
    "Slope",
    "Study",
    "StudySetting",
    "SurfaceBand",
    "SurfaceRelease",
    "Uncertain",
    "Within",
    "__version__",
    "audit",
    "calibrate",
    "facts",
    "read",
    "verify",
]

#: Where the other names are: a module is loaded when one of its names is used for the first time.
_HOMES = {
    "Centile": "_centiles",
    "CentilesRelease": "_centiles",
    "CrossValidation": "_crossval",
    "Scores": "_crossval",
    "DensityRelease": "_density",
    "Fact": "_documents",
    "PrivateCentiles": "_doors",
    "PrivateChange": "_doors",
    "PrivateDensity": "_doors",
    "PrivateGroups": "_doors",
    "PrivateMean": "_doors",
    "PrivateRegression": "_doors",
    "PrivateRows": "_doors",
    "PrivateSurface": "_doors",
    "Extreme": "_features",
    "Feature": "_features",
    "Features": "_features",
    "Place": "_features",
    "Slope": "_features",
    "Within": "_features",
    "Functional": "_functionals",
    "FunctionalsRelease": "_functionals",
    "KeptPath": "_functionals",
    "PathRelease": "_functionals",
    "PrivateFunctionals": "_functionals",
    "PrivatePath": "_functionals",
    "Band": "_functions",
    "Completion": "_functions",
    "Difference": "_functions",
    "Function": "_functions",
    "GroupsRelease": "_functions",
    "GroupsTest": "_functions",
    "Ledger": "_ledger",
    "Key": "_parts",
    "Part": "_parts",
    "Plan": "_parts",
    "Outcome": "_regression",
    "RegressionRelease": "_regression",
    "ChangeRelease": "_release",
    "Components": "_release",
    "Posterior": "_release",
    "Release": "_release",
    "Uncertain": "_release",
    "read": "_released",
    "RowsRelease": "_rows",
    "Signed": "_signature",
    "SigningKey": "_signature",
    "verify": "_signature",
    "Forecast": "_study",
    "Study": "_study",
    "StudySetting": "_study",
    "SurfaceBand": "_surface",
    "SurfaceRelease": "_surface",
    "Check": "_check",
    "Calibration": "_tools",
    "audit": "_tools",
    "calibrate": "_tools",
    "facts": "_tools",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
