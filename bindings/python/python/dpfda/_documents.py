"""Documents, and the files that they are written to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, Union

from ._errors import DpfdaError

# json is imported where it is needed: the package is imported in less time than that module

Path = Union[str, os.PathLike[str]]


class Fact(NamedTuple):
    """One thing that is true of a release, in words."""

    name: str
    text: str


class Document(Protocol):
    """What is written as a document."""

    def to_json(self) -> str:
        """Return the document."""


class Signs(Protocol):
    """What signs documents."""

    def sign(self, content: bytes) -> str:
        """Return the signature of a document, as text."""


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


def parsed(text: str) -> Any:
    """A document as dictionaries and lists; whole numbers of any size are exact."""
    import json

    return json.loads(text)


def dumped(document: Any) -> str:
    """Dictionaries and lists as a document."""
    import json

    return json.dumps(document)


def signature_path(document: Path) -> str:
    """Where the signature of a document lies."""
    return f"{os.fspath(document)}.minisig"


def new_file(path: Path, content: bytes, *, others: Sequence[Path] = (), secret: bool = False) -> None:
    """Write a new file, unless it or one of the others exists; a secret one is for its owner alone."""
    for one in (path, *others):
        if os.path.lexists(one):
            raise DpfdaError(f"{os.fspath(one)!r} exists: give another name", "path")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600 if secret else 0o666)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
    except OSError as refused:
        raise DpfdaError(f"{os.fspath(path)!r} cannot be written: {refused.strerror}", "path") from None


def text_of(path: Path, largest: int) -> str:
    """The text of a public file; a longer one is cut, and refused by whoever reads it."""
    try:
        with open(path, "rb") as file:
            content = file.read(largest + 1)
    except OSError as refused:
        raise DpfdaError(f"{os.fspath(path)!r} cannot be read: {refused.strerror}", "path") from None
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise DpfdaError(f"{os.fspath(path)!r} is no text in UTF-8", "path") from None
