"""Differentially private functional data analysis: publish a mean curve, not the people."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._dpfda import Ball, PrivacyBudget, __version__
from ._errors import CuratorWarning, DocumentError, DpfdaError, LedgerError, LedgerWarning, PartError

if TYPE_CHECKING:
    from ._crossval import CrossValidation, Scores, crossval
    from ._density import DensityRelease, density
    from ._estimated import Band
    from ._facts import Fact
    from ._functionals import Functional, FunctionalsRelease, PathRelease, PrivateFunctionals
    from ._groups import Difference, GroupsRelease
    from ._ledger import Ledger
    from ._mean import PrivateMean
    from ._parts import Key, Part, Plan
    from ._path import KeptPath, PrivatePath
    from ._private_rows import PrivateRows
    from ._regression import Function, PrivateRegression, RegressionRelease
    from ._release import Components, Feature, Features, Maximum, Posterior, Release, Uncertain
    from ._rows_release import RowsRelease
    from ._signature import Signed, SigningKey, verify
    from ._study import Study, StudySetting
    from ._surface import PrivateSurface, SurfaceBand, SurfaceRelease
    from ._tools import Calibration, Forecast, audit, calibrate, facts, plan

__all__ = [
    "Ball",
    "Band",
    "Calibration",
    "Components",
    "CrossValidation",
    "CuratorWarning",
    "DensityRelease",
    "Difference",
    "DocumentError",
    "DpfdaError",
    "Fact",
    "Feature",
    "Features",
    "Forecast",
    "Function",
    "Functional",
    "FunctionalsRelease",
    "GroupsRelease",
    "KeptPath",
    "Key",
    "Ledger",
    "LedgerError",
    "LedgerWarning",
    "Maximum",
    "Part",
    "PartError",
    "PathRelease",
    "Plan",
    "Posterior",
    "PrivacyBudget",
    "PrivateFunctionals",
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
    "Study",
    "StudySetting",
    "SurfaceBand",
    "SurfaceRelease",
    "Uncertain",
    "__version__",
    "audit",
    "calibrate",
    "crossval",
    "density",
    "facts",
    "plan",
    "verify",
]

#: Where the other names are: a module is loaded when one of its names is used for the first time.
_HOMES = {
    "CrossValidation": "_crossval",
    "Scores": "_crossval",
    "crossval": "_crossval",
    "DensityRelease": "_density",
    "density": "_density",
    "Band": "_estimated",
    "Fact": "_facts",
    "Functional": "_functionals",
    "FunctionalsRelease": "_functionals",
    "PathRelease": "_functionals",
    "PrivateFunctionals": "_functionals",
    "Difference": "_groups",
    "GroupsRelease": "_groups",
    "Ledger": "_ledger",
    "PrivateMean": "_mean",
    "PrivateRows": "_private_rows",
    "RowsRelease": "_rows_release",
    "Key": "_parts",
    "Part": "_parts",
    "Plan": "_parts",
    "KeptPath": "_path",
    "PrivatePath": "_path",
    "Function": "_regression",
    "PrivateRegression": "_regression",
    "RegressionRelease": "_regression",
    "Components": "_release",
    "Feature": "_release",
    "Features": "_release",
    "Maximum": "_release",
    "Posterior": "_release",
    "Release": "_release",
    "Uncertain": "_release",
    "Signed": "_signature",
    "SigningKey": "_signature",
    "verify": "_signature",
    "Study": "_study",
    "StudySetting": "_study",
    "PrivateSurface": "_surface",
    "SurfaceBand": "_surface",
    "SurfaceRelease": "_surface",
    "Calibration": "_tools",
    "Forecast": "_tools",
    "audit": "_tools",
    "calibrate": "_tools",
    "facts": "_tools",
    "plan": "_tools",
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
