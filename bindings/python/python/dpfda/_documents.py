"""Documents of the compiled part as Python holds them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

from ._facts import Fact
from ._types import Later, Self

if TYPE_CHECKING:
    from . import _signature
else:
    _signature = Later("dpfda._signature")

# json is imported where it is needed: the package is imported in less time than that module


class Released:
    """What every release is: a document that reads back, with facts in words. All of it is public."""

    _compiled: ClassVar[Any]
    _released: Any

    def __init__(self, released: Any) -> None:
        self._released = released

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a release, as :meth:`to_json` or the command writes it; its numbers must agree with one another."""
        return cls(cls._compiled.from_json(text))

    def to_json(self) -> str:
        """Return the release as a document, with the estimate where it has one."""
        return str(self._released.to_json())

    def write(self, path: str | os.PathLike[str], *, sign: _signature.SigningKey | None = None) -> None:
        """Write the release to a new file, as ``dpfda release`` writes its ``release.json``.

        Parameters
        ----------
        path : path
            The new file.
        sign : SigningKey, optional
            Who signs: the signature is written beside it, into a file of the same name with ``.minisig``.
        """
        from ._signature import new_file, signature_path

        content = (self.to_json() + "\n").encode()
        signature = None if sign is None else sign._key.sign(content)
        new_file(path, content, others=[signature_path(path)] if sign else [])
        if signature is not None:
            new_file(signature_path(path), signature.encode())

    @property
    def document(self) -> dict[str, Any]:
        """The document as a dictionary. Noisy integers are exact."""
        return parsed(self.to_json())

    @property
    def facts(self) -> list[Fact]:
        """What the release is and what its estimate promises, in words."""
        return [Fact(*fact) for fact in self._released.facts()]

    @property
    def is_private(self) -> bool:
        """Whether the noise was secret."""
        return bool(self._released.is_private)

    @property
    def study(self) -> str | None:
        """The digest of the study that the release says it follows; see :class:`Study`."""
        return followed(self.document)

    def _said(self) -> str:
        """What tells it from another of its kind."""
        raise NotImplementedError

    def __repr__(self) -> str:
        stamp = "" if self.is_private else ", NOT PRIVATE: noise from a seed"
        return f"{type(self).__name__}({self._said()}{stamp})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_json, (self.to_json(),)


def followed(document: dict[str, Any]) -> str | None:
    """The digest of the study that a document of a release says it follows."""
    source: dict[str, Any] = document.get("source", {})
    return source.get("study")


def kept(numbers: Any) -> Any:
    """Numbers that a release keeps and gives out: nobody changes them in place."""
    if isinstance(numbers, dict):
        return {name: kept(one) for name, one in numbers.items()}
    if isinstance(numbers, (list, tuple)):
        return type(numbers)(kept(one) for one in numbers)
    if not hasattr(numbers, "setflags"):
        return numbers
    # an array that owns its numbers can be made writeable again, a view of a fixed one cannot
    owner = numbers
    while hasattr(owner, "setflags"):
        owner.setflags(write=False)
        owner = owner.base
    return numbers.view()


def parsed(text: str) -> dict[str, Any]:
    """A document as a dictionary; whole numbers of any size are exact."""
    import json

    found: dict[str, Any] = json.loads(text)
    return found


def listed(text: str) -> list[Any]:
    """A document that is a list."""
    import json

    found: list[Any] = json.loads(text)
    return found


def dumped(document: list[dict[str, Any]]) -> str:
    """A list as a document."""
    import json

    return json.dumps(document)
