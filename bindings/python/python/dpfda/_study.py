"""A study: every setting of a release said once, before anybody sees the data."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Generic, Literal, NamedTuple, TypeVar, Union

from . import _crossval, _dpfda, _tables
from ._check import Check
from ._crossval import CrossValidation, Names, Numbers
from ._documents import Path, parsed, text_of
from ._door import LedgerLike, door
from ._errors import DocumentError, DpfdaError
from ._numbers import number, whole
from ._parts import Plan
from ._released import of_kind

Kind = Literal["mean", "groups", "change", "rows", "surface", "regression", "density"]
#: What a study releases.
R = TypeVar("R")
#: The largest study that is read: longer ones are refused by the compiled part.
LARGEST = 1 << 25


class StudySetting(NamedTuple):
    """A setting of a study.

    Attributes
    ----------
    setting : str
        Its name.
    value : str
        Its value, as a study file writes it.
    origin : {"said", "default", "follows"}
        The study says it; or nothing was said, and it is a public constant, or follows from other settings.
    """

    setting: str
    value: str
    origin: str


class Forecast(NamedTuple):
    """What a release will be worth.

    Attributes
    ----------
    needed : int or None
        How many records the wanted error takes.
    expected : list of dict
        For each number of records: ``records``, ``error``, ``half_width`` and ``noise_sd`` in the units of the data, ``means``
        with these numbers for each group or coefficient, and ``refused``, which says why there is no such release.
    """

    needed: int | None
    expected: list[dict[str, Any]]


class Study(Generic[R]):
    """What is to be released, with every setting: written and agreed on before anybody sees the data.

    A study is public. Files that ``dpfda release`` follows, options of the command and keywords here are the same study, with the
    same rules and the same digest. The release says which study it follows. :class:`PrivateMean`, :class:`PrivateGroups`,
    :class:`PrivateChange`, :class:`PrivateRows`, :class:`PrivateSurface`, :class:`PrivateRegression`, :class:`PrivateCentiles`
    and :class:`PrivateDensity` are studies of one kind.

    Parameters
    ----------
    kind : {"mean", "groups", "change", "rows", "surface", "regression", "density"}, optional
        What is released; by default what the settings ask for.
    **settings
        The settings by the names that they have in a study file: ``Study.new("mean")`` has all of them with their help. None is
        as if the setting were left out. Without `values` all columns of an array or of a frame are values.

    Examples
    --------
    >>> import numpy as np, dpfda
    >>> study = dpfda.Study("mean", epsilon=1, delta=1e-5, bounds=(0, 1), values="h*", grid=(0, 24))
    >>> study.settings["epsilon"], study.origins()[0].origin
    (1.0, 'said')
    >>> x = 0.5 + 0.1 * np.sin(np.linspace(0, 6, 24)) * np.ones((400, 1))
    >>> release = study.release(x)
    >>> release.study == study.digest
    True
    """

    _study: _dpfda.Study

    def __init__(self, kind: Kind | None = None, **settings: Any) -> None:
        if not isinstance(kind, (str, type(None))):
            raise DpfdaError('kind must be a name, such as "mean"', "kind")
        self._study = _dpfda.Study(kind, list(settings.items()))

    @staticmethod
    def read(path: Path) -> Study[Any]:
        """Read a study file, which the command reads as well. A centre's file is found beside it, and becomes its values."""
        return _of(_dpfda.Study.from_toml(text_of(path, LARGEST), os.path.dirname(os.fspath(path))))

    @staticmethod
    def from_json(text: str) -> Study[Any]:
        """Read a study, as :meth:`to_json` writes it."""
        return _of(_dpfda.Study.from_json(text))

    @staticmethod
    def new(kind: Kind, **settings: Any) -> str:
        """Return the text of a commented study file: every setting with its help, those that are given filled in."""
        return _dpfda.new_study(kind, list(settings.items()))

    @property
    def kind(self) -> str:
        """What is released."""
        return self._study.kind

    @property
    def settings(self) -> dict[str, Any]:
        """What was said, by name: without defaults."""
        return dict(parsed(self._study.settings()))

    @property
    def digest(self) -> str:
        """The SHA-256 of all settings, those that have their default as well; a release that follows the study has it."""
        return self._study.digest

    def agrees_with(self, document: str) -> None:
        """Refuse the document of a release whose guarantee is not that of this study."""
        setting = self._study.disagreement(document)
        if setting is not None:
            raise DocumentError(f"the release names this study, and {setting} of its guarantee is not that of the study", "study")

    def origins(self) -> list[StudySetting]:
        """Return every setting that has a value, and whether it was said, is a default or follows from others."""
        return [StudySetting(*told) for told in self._study.origins()]

    def to_json(self) -> str:
        """Return the study as a document, with the values of a centre in place of its file."""
        return self._study.to_json()

    @cached_property
    def _reading(self) -> _dpfda.Reading:
        """How the table is read."""
        return self._study.reading

    def release(
        self,
        data: Any,
        *,
        columns: _tables.Columns = None,
        ledger: LedgerLike = None,
        release_id: str | None = None,
        part_of: str | None = None,
        seed: int | None = None,
        not_private: bool = False,
        threads: int | None = None,
        sorted_by_subject: bool = False,
    ) -> R:
        """Release what the study says: **spends the budget**. Calling it twice spends it twice.

        Parameters
        ----------
        data : array, frame, mapping of columns, functional data or path
            One record in each row: a curve, a surface in a row with ``t`` fastest or as a matrix, or a point. Of a long table one
            value in each row. Missing values are NaN, masked or null. float64 is read where it lies.
        columns : mapping or frame, optional
            Beside an array, the columns that the study names: the ids of subjects, the labels of groups, and covariates, such as
            ``columns={"id": ids}`` where the study says ``subject="id"``.
        ledger : Ledger or path, optional
            Who pays.
        release_id : str, optional
            What the release is called in the ledger: the same call gives the stored release back and spends nothing.
        part_of : str, optional
            The group of the ledger that the records are of.
        seed : int, optional
            Noise from a known seed, for demonstrations: it protects nobody, and needs ``not_private=True``.
        not_private : bool
            Says so.
        threads : int, optional
            The number of threads; the result is the same for every number.
        sorted_by_subject : bool
            All curves of a subject follow one another in a file: memory does not grow with the number of subjects.

        Returns
        -------
        Release, GroupsRelease, ChangeRelease, RowsRelease, SurfaceRelease, RegressionRelease or DensityRelease
            With the digest of the study in its document.

        Raises
        ------
        DpfdaError
            With the setting or the argument that has to change. Nothing was spent, unless the text says so.
        """
        paid = door(ledger, release_id, part_of, seed, not_private)
        workers = whole("threads", threads)
        stated = _tables.stated(self._reading, data, columns)
        released: R = of_kind(_dpfda.release(self._study, stated, paid, workers, bool(sorted_by_subject)))
        return released

    def check(self, data: Any, *, columns: _tables.Columns = None, threads: int | None = None) -> Check:
        """Say what :meth:`release` would read and spend. Nothing is drawn or spent. **The answer is for the curator alone.**

        Whatever a release refuses before its noise is refused here too.

        Parameters
        ----------
        data, columns, threads
            As in :meth:`release`.

        Returns
        -------
        Check
            It shows nothing by itself: :meth:`Check.reveal` does.
        """
        stated = _tables.stated(self._reading, data, columns)
        return Check(_dpfda.check(self._study, stated, whole("threads", threads)))

    def plan(self, data: Any = None) -> Plan:
        """Make the public plan of a release whose data are in several places: of curves, surfaces or a long table.

        Parameters
        ----------
        data : as in :meth:`release`, optional
            The curves of one of the places: of them only the columns and the grid are used. Surfaces and long tables need none.

        Returns
        -------
        Plan
        """
        return Plan(_dpfda.Plan.of_study(self._study, _tables.header(self._reading, data)))

    def forecast(
        self,
        records: Union[int, Sequence[int], None] = None,
        *,
        error: float | None = None,
        points: int = 100,
        spread: float | None = None,
    ) -> Forecast:
        """Say how large the error of a release will be, before there are data.

        The release is rehearsed on people who are made up.

        Parameters
        ----------
        records : int or sequence of int, optional
            How many records there will be.
        error : float, optional
            An error to be reached, in the units of the data: says how many records that takes.
        points : int
            The number of points that the curves are seen at; of rows, how many values a subject has, at times of its own that are
            spread evenly over the domain.
        spread : float, optional
            How much people differ from their mean (root mean square), in the units of the data; by default a fifth of the stated
            radius. Take it from what is published, never from these data.

        Returns
        -------
        Forecast
        """
        if records is None and error is None:
            raise DpfdaError("give a number of records, or an error to be reached", "records")
        asked = [records] if isinstance(records, int) else list(records or [])
        counts = [whole("records", one) or 0 for one in asked]
        found = _dpfda.forecast(
            self._study, counts, number("error", error), whole("points", points) or 0, number("spread", spread)
        )
        return Forecast(**parsed(found))

    def crossval(
        self,
        data: Any,
        *,
        columns: _tables.Columns = None,
        with_noise: bool = True,
        folds: int = 10,
        leave_one_out: bool = False,
        seed: int = 0,
        kernel: Names = None,
        range: Numbers = None,
        penalty: Numbers = None,
        eta: Numbers = None,
        loss: Literal["squared", "norm"] = "squared",
        target: Literal["records", "fold-mean"] = "records",
        draws: int | None = None,
    ) -> CrossValidation:
        """Score smoothers on private curves by cross-validation. **It is not private, and the result is for the curator alone.**

        Parameters
        ----------
        data, columns
            As in :meth:`release`: of a mean of curves.
        with_noise : bool
            Whether each score is expected over the noise of the release.
        folds : int
            The number of folds.
        leave_one_out : bool
            One fold for each record.
        seed : int
            Deals the records into folds, and makes the draws; no secret.
        kernel, range, penalty, eta : optional
            What is tried: a value, or a list.
        loss : {"squared", "norm"}
            The mean squared distance to what was left out, or the mean distance.
        target : {"records", "fold-mean"}
            What an estimate is compared with: each left-out record, or the mean of the fold.
        draws : int, optional
            Draws of the noise in each fold, for ``loss="norm"`` with noise.

        Returns
        -------
        CrossValidation
            It shows nothing by itself: :meth:`CrossValidation.reveal` does.
        """
        stated = _tables.stated(self._reading, data, columns)
        candidates = _crossval.candidates(kernel, range, penalty, eta)
        way = {"with_noise": bool(with_noise), "loss": loss, "target": target}
        return _crossval.scored(self._study, stated, way, None if leave_one_out else folds, seed, draws, candidates)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Study) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        return Study.from_json, (self.to_json(),)

    def __repr__(self) -> str:
        said = [f"{name}={_shown(value)}" for name, value in self.settings.items()]
        kind = [repr(self.kind)] if type(self) is Study else []
        return f"{type(self).__name__}({', '.join([*kind, *said])})"


def _of(compiled: _dpfda.Study) -> Study[Any]:
    """A study as the class of its kind."""
    from importlib import import_module

    door: type[Study[Any]] = getattr(import_module("._doors", __package__), f"Private{compiled.kind.capitalize()}")
    study = door.__new__(door)
    study._study = compiled
    return study


def _shown(value: Any) -> str:
    """A value of a setting on a line."""
    return f"a curve of {len(value['t'])} points" if isinstance(value, dict) else repr(value)
