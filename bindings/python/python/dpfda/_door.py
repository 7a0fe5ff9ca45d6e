"""Who pays for a release, and where its noise comes from."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any, Union

from ._errors import CuratorWarning, LedgerWarning
from ._numbers import seed_of

if TYPE_CHECKING:
    from ._ledger import Ledger

LedgerLike = Union["Ledger", str, "os.PathLike[str]", None]


def door(ledger: LedgerLike, release_id: str | None, part_of: str | None, seed: int | None, not_private: bool) -> dict[str, Any]:
    """What the compiled part wants to know of the payment and of the noise."""
    return {
        "ledger": None if ledger is None else os.fspath(ledger),
        "release_id": release_id,
        "part_of": part_of,
        "seed": seed_of(seed),
        "not_private": not_private,
    }


def tell(notes: list[str]) -> None:
    """Tells the curator what a ledger says of a payment. No note depends on the data."""
    for note in notes:
        warnings.warn(note, LedgerWarning, stacklevel=3)


def tell_of_ids(are_similar: bool) -> None:
    """Tells the curator of ids that look alike."""
    if are_similar:
        warnings.warn(
            "NOT FOR PUBLICATION: there are subject ids that differ only by letter case, leading zeros, Unicode form or "
            "invisible characters. Each id counts as a person, and a person with two ids is protected less than the release "
            "says. If these are such persons, correct the ids before you publish anything.",
            CuratorWarning,
            stacklevel=3,
        )


def tell_of_unused(share: float | None) -> None:
    """Tells the curator that many rows of a long table count as none."""
    if share is not None:
        warnings.warn(
            f"NOT FOR PUBLICATION: {100 * share:.2g}% of the rows lie outside the domain, or have no time or no value, and count "
            "as no rows. Where values are missing for a reason, such as dropout, the mean is biased, and no band says so.",
            CuratorWarning,
            stacklevel=3,
        )
