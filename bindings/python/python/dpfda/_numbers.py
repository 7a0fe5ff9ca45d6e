"""Public numbers, checked before the compiled part sees them."""

from __future__ import annotations

from typing import Any

from ._errors import DpfdaError


def number(name: str, value: Any) -> Any:
    """A public number, or None."""
    if value is None:
        return None
    if isinstance(value, (str, bytes, bool)):
        raise DpfdaError(f"{name} must be a number", name)
    try:
        return float(value)
    except (TypeError, ValueError):
        raise DpfdaError(f"{name} must be a number", name) from None


def whole(name: str, value: Any) -> int | None:
    """A public whole number above 0, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__index__") or not 0 < value.__index__() < 2**63:
        raise DpfdaError(f"{name} must be a whole number above 0", name)
    return int(value.__index__())


def seed_of(seed: Any) -> int | None:
    """A seed, or None."""
    if seed is None:
        return None
    if isinstance(seed, bool) or not hasattr(seed, "__index__") or not 0 <= seed.__index__() < 2**64:
        raise DpfdaError("seed must be a whole number from 0 to 2^64-1", "seed")
    return int(seed.__index__())
