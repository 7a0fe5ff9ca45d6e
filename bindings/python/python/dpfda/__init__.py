"""Differentially private functional data analysis: publish a mean curve, not the people."""

from __future__ import annotations

from ._density import DensityRelease, density
from ._dpfda import Ball, PrivacyBudget, __version__
from ._errors import CuratorWarning, DocumentError, DpfdaError, LedgerError, LedgerWarning, PartError
from ._facts import Fact
from ._groups import Difference, GroupsRelease
from ._ledger import Ledger
from ._mean import PrivateMean
from ._parts import Key, Part, Plan
from ._release import Band, Components, Posterior, Release, Uncertain
from ._tools import Calibration, Forecast, audit, calibrate, facts, plan

__all__ = [
    "Ball",
    "Band",
    "Calibration",
    "Components",
    "CuratorWarning",
    "DensityRelease",
    "Difference",
    "DocumentError",
    "DpfdaError",
    "Fact",
    "Forecast",
    "GroupsRelease",
    "Key",
    "Ledger",
    "LedgerError",
    "LedgerWarning",
    "Part",
    "PartError",
    "Plan",
    "Posterior",
    "PrivacyBudget",
    "PrivateMean",
    "Release",
    "Uncertain",
    "__version__",
    "audit",
    "calibrate",
    "density",
    "facts",
    "plan",
]
