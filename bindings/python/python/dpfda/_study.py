"""A study: every setting of a release said once, before anybody sees the data."""

from __future__ import annotations

import os
from typing import Any, Literal, NamedTuple, Union

from . import _dpfda
from ._documents import listed
from ._door import LedgerLike
from ._errors import DpfdaError
from ._stated import codes

Path = Union[str, os.PathLike[str]]
Kind = Literal["mean", "groups", "rows", "surface", "regression", "density"]


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


class Study:
    """What is to be released, with every setting: written and agreed on before anybody sees the data.

    A study is public. Files that ``dpfda release`` follows, options of the command and keywords here are the same study, with the
    same rules and the same digest. The release says which study it follows.

    Parameters
    ----------
    kind : {"mean", "groups", "rows", "surface", "regression", "density"}, optional
        What is released; by default what the settings ask for.
    **settings
        The settings by the names that they have in a study file: ``Study.new("mean")`` has all of them with their help. None is
        as if the setting were left out; ``radius_share=None`` buys no radius.

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
        self._study = _dpfda.Study(kind, _said(settings))

    @classmethod
    def _of(cls, compiled: _dpfda.Study) -> Study:
        study = cls.__new__(cls)
        study._study = compiled
        return study

    @classmethod
    def read(cls, path: Path) -> Study:
        """Read a study file, which the command reads as well. A centre's file is found beside it, and becomes its values."""
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read(LARGEST + 1)
        except (OSError, ValueError) as refused:
            reason = refused.strerror if isinstance(refused, OSError) else "it is no text in UTF-8"
            raise DpfdaError(f"the study cannot be read: {reason}", "path") from None
        return cls._of(_dpfda.Study.from_toml(text, os.path.dirname(os.fspath(path))))

    @classmethod
    def from_json(cls, text: str) -> Study:
        """Read a study, as :meth:`to_json` writes it."""
        return cls._of(_dpfda.Study.from_json(text))

    @staticmethod
    def new(kind: Kind, **settings: Any) -> str:
        """Return the text of a commented study file: every setting with its help, those that are given filled in."""
        return _dpfda.new_study(kind, _said(settings))

    @property
    def kind(self) -> str:
        """What is released."""
        return self._study.kind

    @property
    def settings(self) -> dict[str, Any]:
        """What was said, by name: without defaults."""
        return dict(listed(self._study.settings()))

    @property
    def digest(self) -> str:
        """The SHA-256 of all settings, those that have their default as well; a release that follows the study has it."""
        return self._study.digest

    def origins(self) -> list[StudySetting]:
        """Return every setting that has a value, and whether it was said, is a default or follows from others."""
        return [StudySetting(*told) for told in self._study.origins()]

    def to_json(self) -> str:
        """Return the study as a document, with the values of a centre in place of its file."""
        return self._study.to_json()

    def release(
        self,
        data: Any,
        *,
        subject: Any = None,
        by: Any = None,
        columns: Any = None,
        ledger: LedgerLike = None,
        release_id: str | None = None,
        part_of: str | None = None,
        seed: int | None = None,
        not_private: bool = False,
        threads: int | None = None,
        sorted_by_subject: bool | None = None,
    ) -> Any:
        """Release what the study says: **spends the budget**. Calling it twice spends it twice.

        A setting that Python does not have is refused before anything is read or paid for.

        Parameters
        ----------
        data : array, frame, mapping or path
            As for the release of :class:`PrivateMean`, :class:`PrivateRows`, :class:`PrivateSurface` or
            :class:`PrivateRegression`, or for :func:`density`. An array has no columns that the study could name: all of
            its columns are values.
        subject, by : sequence of shape (n_rows,), optional
            Beside an array, in place of the columns that the study names: subject ids, and labels of groups.
        columns : mapping, optional
            Beside an array, the column of each covariate by name.
        ledger, release_id, part_of, seed, not_private
            As in :meth:`PrivateMean.release`.
        threads, sorted_by_subject
            As in :meth:`PrivateMean.release`, for a study of a mean.

        Returns
        -------
        Release, GroupsRelease, RowsRelease, SurfaceRelease, RegressionRelease or DensityRelease
            With the digest of the study in its document.

        Raises
        ------
        DpfdaError
            With the setting or the argument that has to change. Nothing was spent, unless the text says so.
        """
        from ._study_doors import Said, released

        beside = {"subject": subject, "by": by, "columns": columns, "threads": threads, "sorted_by_subject": sorted_by_subject}
        paid = {"ledger": ledger, "release_id": release_id, "part_of": part_of, "seed": seed, "not_private": not_private}
        covariates = self._study.covariates() if self.kind == "regression" else None
        return released(self.kind, Said(self.settings, data, beside), self.digest, covariates, paid)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Study) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        return Study.from_json, (self.to_json(),)

    def __repr__(self) -> str:
        said = [f"{name}={_shown(value)}" for name, value in self.settings.items()]
        return f"Study({', '.join([repr(self.kind), *said])})"


#: The largest study that is read: longer ones are refused by the compiled part.
LARGEST = 1 << 25


def _said(settings: dict[str, Any]) -> list[tuple[str, Any]]:
    """What keywords say."""
    said = {name: value for name, value in settings.items() if value is not None}
    if "missing" in said:
        said["missing"] = codes(said["missing"])
    if "radius_share" in settings and settings["radius_share"] is None:
        said["radius_share"] = 0.0
    return list(said.items())


def _shown(value: Any) -> str:
    """A value of a setting on a line."""
    return f"a curve of {len(value['t'])} points" if isinstance(value, dict) else repr(value)
