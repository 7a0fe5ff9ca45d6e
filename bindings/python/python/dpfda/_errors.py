"""What is raised. No text shows a value of the private data: at most a row and the name of a column."""

from __future__ import annotations


class DpfdaError(ValueError):
    """A refusal.

    Attributes
    ----------
    parameter : str or None
        The argument that has to change.
    """

    parameter: str | None

    def __init__(self, message: str, parameter: str | None = None) -> None:
        super().__init__(message)
        self.parameter = parameter


class LedgerError(DpfdaError):
    """A ledger did not pay. Nothing was spent, unless the text says so."""


class PartError(DpfdaError):
    """Parts do not belong together, or a part is damaged."""


class DocumentError(DpfdaError):
    """A document is not what it should be: damaged, edited, or written by another version."""


class CuratorWarning(UserWarning):
    """A warning for the curator alone. It may depend on the data: do not publish it."""


class LedgerWarning(UserWarning):
    """What a curator should know of a payment. It does not depend on the data."""
