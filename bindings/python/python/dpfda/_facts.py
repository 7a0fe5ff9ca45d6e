"""What a release says of itself."""

from __future__ import annotations

from typing import NamedTuple


class Fact(NamedTuple):
    """One thing that is true of a release, in words."""

    name: str
    text: str
