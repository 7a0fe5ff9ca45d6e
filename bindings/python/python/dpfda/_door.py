"""Who pays for a release, and where its noise comes from."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any, Union

from ._errors import CuratorWarning, LedgerWarning
from ._ledger import Ledger
from ._numbers import seed_of

LedgerLike = Union[Ledger, str, os.PathLike[str], None]


def door(
    ledger: LedgerLike = None,
    release_id: str | None = None,
    part_of: str | None = None,
    seed: int | None = None,
    not_private: bool = False,
) -> dict[str, Any]:
    """What the compiled part wants to know of the payment and of the noise."""
    return {
        "ledger": None if ledger is None else os.fspath(ledger),
        "release_id": release_id,
        "part_of": part_of,
        "seed": seed_of(seed),
        "not_private": not_private,
        "tell": tell,
    }


def tell(
    similar_ids: bool,
    unused: float | None = None,
    notes: Sequence[str] = (),
    missing: float | None = None,
    codes: Sequence[str] = (),
    strange: bool = False,
    said: Sequence[str] = (),
    repeats: str | None = None,
) -> None:
    """Warns the curator. It is called before anything is paid for or drawn: a warning that is an error stops a release.

    Parameters
    ----------
    similar_ids : bool
        Whether there are ids that look alike.
    unused : float, optional
        The share of the rows of a long table that count as none, where it is large.
    notes : sequence of str
        What a ledger says of the payment. No note depends on the data.
    missing : float, optional
        The share of the cells of a file that are missing, where it is large.
    codes : sequence of str
        What stood in missing cells of a file, other than the most usual words.
    strange : bool
        Whether cells of labels or covariates are of another kind than those that are read.
    said : sequence of str
        What else there is to say: a weak delta, covariates that hardly say anything.
    repeats : str, optional
        A column that looks like ids, which repeat, where no subject is named.
    """
    level = _level()
    if similar_ids:
        warnings.warn(
            "NOT FOR PUBLICATION: there are subject ids that differ only by letter case, leading zeros, Unicode form or "
            "invisible characters. Each id counts as a person, and a person with two ids is protected less than the release "
            "says. If these are such persons, correct the ids before you publish anything.",
            CuratorWarning,
            stacklevel=level,
        )
    if unused is not None:
        warnings.warn(
            f"NOT FOR PUBLICATION: {100 * unused:.2g}% of the rows lie outside the domain, or have no time or no value, and "
            "count as no rows. Where values are missing for a reason, such as dropout, the estimate is biased, and no band says "
            "so.",
            CuratorWarning,
            stacklevel=level,
        )
    if strange:
        warnings.warn(
            "NOT FOR PUBLICATION: cells of the labels or of the covariates are of a kind that is not read, such as dates, or "
            "words where a number is expected. They count as missing.",
            CuratorWarning,
            stacklevel=level,
        )
    if codes:
        told = f"NOT FOR PUBLICATION: cells with these codes were read as missing: {', '.join(codes)}."
        warnings.warn(told, CuratorWarning, stacklevel=level)
    if missing is not None:
        warnings.warn(
            f"NOT FOR PUBLICATION: {100 * missing:.2g}% of the cells are missing. Where values are missing for a reason, such as "
            "dropout, the estimate is biased, and no band says so.",
            CuratorWarning,
            stacklevel=level,
        )
    for words in said:
        warnings.warn(f"NOT FOR PUBLICATION: {words}", CuratorWarning, stacklevel=level)
    if repeats is not None:
        tell_of_repeats(repeats)
    for note in notes:
        warnings.warn(note, LedgerWarning, stacklevel=level)


def tell_of_repeats(column: str) -> None:
    """Warns the curator that a column looks like ids that repeat, where no subject was named."""
    warnings.warn(
        f"NOT FOR PUBLICATION: no subject was named, and column {column!r} looks like ids, which repeat. Each row is protected "
        "alone: a person with several rows is protected less than the release says. Name the column as the subject, or release "
        "one row of each person.",
        CuratorWarning,
        stacklevel=_level(),
    )


def _level() -> int:
    """Where whoever called the package stands, counted from who asks: a warning names their line, and none of the package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        level, frame = level + 1, frame.f_back
    return level
