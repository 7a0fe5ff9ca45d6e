"""Differentially private functional data analysis: publish a mean curve, not the people."""

from __future__ import annotations

from ._crossval import CrossValidation, Scores, crossval
from ._density import DensityRelease, density
from ._dpfda import Ball, PrivacyBudget, __version__
from ._errors import CuratorWarning, DocumentError, DpfdaError, LedgerError, LedgerWarning, PartError
from ._estimated import Band
from ._facts import Fact
from ._functionals import Functional, FunctionalsRelease, PathRelease, PrivateFunctionals
from ._groups import Difference, GroupsRelease
from ._ledger import Ledger
from ._mean import PrivateMean
from ._occupancy import PrivateOccupancy
from ._occupancy_release import OccupancyRelease
from ._parts import Key, Part, Plan
from ._path import KeptPath, PrivatePath
from ._regression import Function, PrivateRegression, RegressionRelease
from ._release import Components, Feature, Features, Maximum, Posterior, Release, Uncertain
from ._signature import Signed, SigningKey, verify
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
    "OccupancyRelease",
    "Part",
    "PartError",
    "PathRelease",
    "Plan",
    "Posterior",
    "PrivacyBudget",
    "PrivateFunctionals",
    "PrivateMean",
    "PrivateOccupancy",
    "PrivatePath",
    "PrivateRegression",
    "PrivateSurface",
    "RegressionRelease",
    "Release",
    "Scores",
    "Signed",
    "SigningKey",
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
