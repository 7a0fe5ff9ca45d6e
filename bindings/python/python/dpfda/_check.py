"""What a release would read and spend: for the curator alone."""

from __future__ import annotations

from collections.abc import Sequence

from ._documents import Fact
from ._private import Private


class Check(Private):
    """What a release would read and spend: **NOT FOR PUBLICATION**.

    It depends on the private data: how many values lie outside the bounds, which codes stand for missing values, which rows
    repeat. Nothing was drawn, written or spent. Do not choose bounds, ball or domain by it.
    """

    __slots__ = ("_facts",)

    def __init__(self, facts: Sequence[tuple[str, str]]) -> None:
        self._facts = facts

    def reveal(self) -> list[Fact]:
        """Return what was found, in words: private data, for the curator alone."""
        return [Fact(*fact) for fact in self._facts]
