"""Documents of the compiled part as Python holds them."""

from __future__ import annotations

from typing import Any


def parsed(text: str) -> dict[str, Any]:
    """A document as a dictionary; whole numbers of any size are exact."""
    # imported where it is needed: the package is imported in less time than this module
    import json

    found: dict[str, Any] = json.loads(text)
    return found
