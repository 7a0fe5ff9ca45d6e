"""Work on other machines: a part is encoded where its curves are, and only exact sums travel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import __version__
from ._errors import DpfdaError
from ._parts import Key, Plan


def order(plan: Plan, key: Key | None, **table: Any) -> dict[str, Any]:
    """What a worker is told. The key is in it, where there is one: the cluster is as trusted as the curves."""
    if plan._plan.is_of_rows:
        raise DpfdaError("a cluster encodes curves: encode each part of a long table by Plan.encode, where its rows are", "plan")
    if (key is None) != (plan.unit == "curve"):
        raise DpfdaError("parts of subjects need a key, and parts of curves have none: give key=Key()", "key")
    return {
        "version": __version__,
        "digest": plan.digest,
        "plan": plan.to_json(),
        "secret": None if key is None else key.reveal(),
        "table": table,
    }


def encode(order: dict[str, Any], name: str, data: Any) -> tuple[str, bytes, bool]:
    """Encode one part, as ordered: its name, the revealed part, and whether there are ids that look alike, for the curator."""
    outcome = _attempt(lambda: _encode(order, name, data))
    if isinstance(outcome, DpfdaError):
        raise outcome
    if outcome is None:
        # the words of other libraries may quote a value
        raise DpfdaError(f"the part {name} could not be read or encoded", "data")
    return name, *outcome


def _attempt(make: Callable[[], tuple[bytes, bool]]) -> tuple[bytes, bool] | DpfdaError | None:
    try:
        return make()
    except DpfdaError as error:
        return type(error)(str(error), error.parameter)
    except Exception:
        return None


def _encode(order: dict[str, Any], name: str, data: Any) -> tuple[bytes, bool]:
    if order["version"] != __version__:
        raise DpfdaError(
            f"a worker has dpfda {__version__}, and the client has {order['version']}: install one version", "client"
        )
    plan = Plan.from_json(order["plan"])
    if plan.digest != order["digest"]:
        raise DpfdaError("a worker reads the plan as another one: install one version of dpfda everywhere", "plan")
    part, similar_ids, _ = plan._encoded(data, name, order["secret"], None, 1, order["table"])
    return part.reveal(), similar_ids
