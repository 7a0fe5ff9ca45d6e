"""Documents of the compiled part as Python holds them."""

from __future__ import annotations

from typing import Any

# json is imported where it is needed: the package is imported in less time than that module


def parsed(text: str) -> dict[str, Any]:
    """A document as a dictionary; whole numbers of any size are exact."""
    import json

    found: dict[str, Any] = json.loads(text)
    return found


def listed(text: str) -> list[dict[str, Any]]:
    """A document that is a list."""
    import json

    found: list[dict[str, Any]] = json.loads(text)
    return found


def dumped(document: list[dict[str, Any]]) -> str:
    """A list as a document."""
    import json

    return json.dumps(document)
