"""What every release is: a document that reads back, with facts in words. All of it is public."""

from __future__ import annotations

import os
from typing import Any, ClassVar, Protocol

from . import _dpfda, _figures
from ._documents import Document, Fact, Path, Signs, followed, kept, new_file, parsed, signature_path, text_of
from ._errors import DocumentError, DpfdaError
from ._types import Self, figure, pandas

#: Where the class of a kind is.
HOMES = {
    "mean": ("_release", "Release"),
    "change": ("_release", "ChangeRelease"),
    "rows": ("_rows", "RowsRelease"),
    "surface": ("_surface", "SurfaceRelease"),
    "groups": ("_functions", "GroupsRelease"),
    "regression": ("_regression", "RegressionRelease"),
    "centiles": ("_centiles", "CentilesRelease"),
    "density": ("_density", "DensityRelease"),
    "functionals": ("_functionals", "FunctionalsRelease"),
    "path": ("_functionals", "PathRelease"),
}
#: The largest document that is read.
LARGEST = 1 << 30
_CLASSES: dict[str, Any] = {}


def of_kind(compiled: _dpfda.Released) -> Any:
    """A release as the class of its kind."""
    kind = compiled.kind
    found = _CLASSES.get(kind)
    if found is None:
        from importlib import import_module

        module, name = HOMES[kind]
        found = _CLASSES.setdefault(kind, getattr(import_module(f".{module}", __package__), name))
    return found(compiled)


def read(path: Path) -> Any:
    """Read a release of any kind from its file, such as ``release.json``; its numbers must agree with one another.

    Returns
    -------
    Release, GroupsRelease, ChangeRelease, RowsRelease, SurfaceRelease, RegressionRelease, CentilesRelease,
    DensityRelease, FunctionalsRelease or PathRelease
    """
    return of_kind(_dpfda.Released.from_json(text_of(path, LARGEST)))


class Agreed(Protocol):
    """What was agreed on: a study."""

    @property
    def digest(self) -> str:
        """The digest."""

    def agrees_with(self, document: str) -> None:
        """Refuse a document with another guarantee."""


class Account(Protocol):
    """Who paid: a ledger."""

    def verify(self, release: Document) -> list[str]:
        """Return what does not agree."""

    def __fspath__(self) -> str:
        """Where it is."""


class Released:
    """What every release is: a document that reads back, with facts in words. All of it is public.

    Whatever is asked of a release is computed from the release alone and costs no privacy.
    """

    _kind: ClassVar[str]

    def __init__(self, released: _dpfda.Released) -> None:
        if released.kind != self._kind:
            raise DocumentError(f"the document is a release of another kind: {released.kind}", "text")
        self._released = released
        self._known: dict[str, Any] | None = None

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a release, as :meth:`to_json` or the command writes it; its numbers must agree with one another."""
        return cls(_dpfda.Released.from_json(text))

    def to_json(self) -> str:
        """Return the release as a document, with the estimate where it has one."""
        return self._released.to_json()

    def write(self, path: Path, *, sign: Signs | None = None) -> None:
        """Write the release to a new file, as ``dpfda release`` writes its ``release.json``.

        Parameters
        ----------
        path : path
            The new file.
        sign : SigningKey, optional
            Who signs: the signature is written beside it, into a file of the same name with ``.minisig``.
        """
        content = (self.to_json() + "\n").encode()
        signature = None if sign is None else sign.sign(content)
        new_file(path, content, others=[signature_path(path)] if sign else [])
        if signature is not None:
            new_file(signature_path(path), signature.encode())

    def verify(self, *, study: Agreed | None = None, ledger: Account | None = None) -> None:
        """Refuse a release that follows another study, or that says of a ledger what the ledger does not.

        Parameters
        ----------
        study : Study, optional
            The study that was agreed on.
        ledger : Ledger, optional
            The ledger that is said to have paid.

        Raises
        ------
        DocumentError
            With what does not agree.
        """
        if study is None and ledger is None:
            raise DpfdaError("give the study that was agreed on, the ledger that paid, or both", "study")
        if study is not None and study.digest != self.study:
            other = "no study" if self.study is None else f"the study with the digest {self.study}"
            raise DocumentError(f"the release follows {other}, and the digest of the given study is {study.digest}", "study")
        if study is not None:
            study.agrees_with(self.to_json())
        mismatches = [] if ledger is None else ledger.verify(self)
        if mismatches:
            raise DocumentError(f"the ledger says otherwise: {'; '.join(mismatches)}", "ledger")

    def report(self, *, ledger: Account | None = None) -> str:
        """Return one page, as HTML, that a custodian can sign: what was released, what it means for one person, and who paid.

        Parameters
        ----------
        ledger : Ledger, optional
            The ledger that paid, with what else was spent and what is left. It must agree with the release.
        """
        if ledger is not None:
            self.verify(ledger=ledger)
        return _dpfda.report([self.to_json() + "\n"], None if ledger is None else os.fspath(ledger))

    def _number(self, name: str) -> Any:
        if self._known is None:
            self._known = kept(self._released.numbers())
        return self._known[name]

    @property
    def document(self) -> dict[str, Any]:
        """The document as a dictionary. Noisy integers are exact."""
        found: dict[str, Any] = parsed(self.to_json())
        return found

    @property
    def facts(self) -> list[Fact]:
        """What the release is and what its estimate promises, in words."""
        return [Fact(*fact) for fact in self._released.facts()]

    @property
    def is_private(self) -> bool:
        """Whether the noise was secret."""
        return bool(self._number("is_private"))

    @property
    def study(self) -> str | None:
        """The digest of the study that the release says it follows; see :class:`Study`."""
        return followed(self.document)

    @property
    def ledger(self) -> dict[str, Any] | None:
        """Where the release stands in a ledger, if one paid for it."""
        found: dict[str, Any] | None = self.document.get("ledger")
        return found

    @property
    def epsilon(self) -> float:
        """The privacy parameter epsilon."""
        return float(self._number("epsilon"))

    @property
    def delta(self) -> float:
        """The privacy parameter delta."""
        return float(self._number("delta"))

    @property
    def mu(self) -> float | None:
        """The parameter of Gaussian differential privacy; None for noise that is not normal."""
        found: float | None = self._number("mu")
        return found

    @property
    def neighbours(self) -> str:
        """``substitute`` or ``add-remove``."""
        return str(self._number("neighbours"))

    @property
    def unit(self) -> str:
        """What a record is: ``subject`` or ``curve``."""
        return str(self._number("unit"))

    @property
    def records(self) -> int | None:
        """The number of records, where it is public."""
        found: int | None = self._number("records")
        return found

    @property
    def software(self) -> str:
        """What wrote the release."""
        return str(self._number("software"))

    def to_frame(self) -> pandas.DataFrame:
        """Return all numbers of the answer as a pandas frame, with the columns of ``release.csv``."""
        import pandas

        found = self._released.table()
        if found is None:
            return pandas.DataFrame()
        key, names, columns = found
        return pandas.DataFrame(columns if key is None else {key: names, **columns})

    def to_svg(self) -> str:
        """Return the figure as SVG."""
        return self._released.to_svg()

    def to_png(self) -> bytes:
        """Return the figure as the bytes of a PNG."""
        return bytes(self._released.to_png())

    def to_pdf(self) -> bytes:
        """Return the figure as the bytes of a PDF."""
        return bytes(self._released.to_pdf())

    def _said(self) -> str:
        """What tells it from another of its kind."""
        return ""

    def _labels(self) -> tuple[str, str, str]:
        """The names of the first axis of a surface, of the horizontal and of the vertical axis."""
        s, x, y = self._released.axes()
        return s or "s", x or "t", y or "value"

    def _canvas(self, ax: Any, fig: figure.FigureBase | None, panels: int = 1) -> _figures.Canvas:
        """Where a figure of this release is drawn, with its title and its stamp."""
        return _figures.Canvas(ax, fig, panels, self._released.title, self.is_private)

    def _repr_html_(self) -> str:
        try:
            shown = self.to_svg()
        except DpfdaError:
            # there is nothing to draw, and the facts say so
            shown = ""
        return _figures.html(shown, self.facts)

    def __repr__(self) -> str:
        stamp = "" if self.is_private else ", NOT PRIVATE: noise from a seed"
        budget = f"epsilon={self.epsilon:g}, delta={self.delta:g}, {self.neighbours}"
        said = self._said()
        return f"{type(self).__name__}({budget}{', ' if said else ''}{said}{stamp})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_json, (self.to_json(),)
