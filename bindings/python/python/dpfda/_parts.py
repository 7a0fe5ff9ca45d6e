"""Curves in several places: a public plan, and parts that hold exact sums without noise."""

from __future__ import annotations

import os
from typing import Any

from . import _inputs
from ._door import LedgerLike, door
from ._dpfda import MeanPart, MeanPlan, new_key
from ._errors import DpfdaError
from ._numbers import whole
from ._release import Release


class Key(_inputs.Private):
    """A secret of the curator, the same for all parts of subjects: with it a subject in two parts is found.

    Whoever has the key and a part can test guesses at who is in the part. It is kept where the curves are kept.

    Parameters
    ----------
    secret : bytes of length 32, optional
        A key that was kept; by default a new one.
    """

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes | None = None) -> None:
        if secret is not None and (not isinstance(secret, bytes) or len(secret) != 32):
            raise DpfdaError("a key is 32 bytes", "secret")
        self._secret = bytes(new_key()) if secret is None else secret

    def reveal(self) -> bytes:
        """Return the secret itself, to keep it or to send it by a way that nobody else can read."""
        return self._secret


class Plan:
    """The public plan of a mean whose curves are in several places.

    Made by :meth:`PrivateMean.plan`, or read by :meth:`from_json`. Its digest is in every part: parts of
    another plan are refused.
    """

    def __init__(self, plan: MeanPlan) -> None:
        self._plan = plan

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Read a plan, as :meth:`to_json` or ``dpfda release --plan-only`` writes it."""
        return cls(MeanPlan.from_json(text))

    def to_json(self) -> str:
        """Return the plan as a document, which may be published."""
        return self._plan.to_json()

    @property
    def digest(self) -> str:
        """The digest of the plan."""
        return self._plan.digest

    @property
    def grid_points(self) -> list[float]:
        """Where the columns lie."""
        return self._plan.grid_points

    @property
    def unit(self) -> str:
        """What a record is: ``"subject"`` or ``"curve"``."""
        return self._plan.unit

    def encode(
        self,
        curves: Any,
        *,
        part: str,
        key: Key | None = None,
        values: _inputs.Values = None,
        subject: Any = None,
        threads: int | None = None,
        delimiter: str | None = None,
        decimal_comma: bool = False,
        sorted_by_subject: bool = False,
    ) -> Part:
        """Encode the curves of one place. Draws nothing and spends nothing; the part is private.

        Parameters
        ----------
        curves : as in :meth:`PrivateMean.release`
            The private curves, on the grid of the plan.
        part : str
            What this part is called, such as ``"site-3"``: another name for each part, and always the same for the same part.
        key : Key, optional
            The curator's key, where a record is a subject.

        Returns
        -------
        Part
        """
        secret = None if key is None else key.reveal()
        if (subject is not None) != (self.unit == "subject"):
            expected = "give the subject of every curve" if self.unit == "subject" else "leave subject out"
            raise DpfdaError(f"by the plan a record is one {self.unit}: {expected}", "subject")
        if _inputs.is_path(curves):
            from ._stated import file_layout

            layout = file_layout(values, subject, self.grid_points, None, delimiter, decimal_comma)
            path = os.fspath(curves)
            return Part(self._plan.encode_files(path, layout, part, secret, whole("threads", threads), sorted_by_subject))
        found = _inputs.read(curves, values=values, subject=subject, grid_points=self.grid_points)
        return Part(self._plan.encode(found.numbers, found.subjects, part, secret, whole("threads", threads)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Plan({len(self.grid_points)} points, {self.unit}, digest {self.digest[:12]})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan.from_json, (self.to_json(),)


class Part(_inputs.Private):
    """The exact sums of a part of the curves: private data, without any noise.

    It shows nothing and refuses to be pickled. :meth:`reveal` gives its bytes.
    """

    __slots__ = ("_part",)

    def __init__(self, part: MeanPart) -> None:
        self._part = part

    @classmethod
    def read(cls, revealed: bytes) -> Part:
        """Read a part from what :meth:`reveal` or ``dpfda partial`` gave."""
        return cls(MeanPart.read(revealed))

    def reveal(self) -> bytes:
        """Return the exact sums as bytes. **Not private**: keep them as you keep the curves."""
        return self._part.reveal()

    @property
    def parts(self) -> list[str]:
        """The names of the parts in it."""
        return self._part.parts

    @property
    def plan(self) -> Plan:
        """The plan that it was encoded by."""
        return Plan(self._part.plan)

    def merge(self, other: Part) -> None:
        """Join another part, which stays as it is. A part or a subject that is there already is refused."""
        self._part.merge(other._part)

    def release(
        self,
        *,
        band: str | None = None,
        level: float | None = None,
        band_roughness: float | None = None,
        ledger: LedgerLike = None,
        release_id: str | None = None,
        part_of: str | None = None,
        seed: int | None = None,
        not_private: bool = False,
    ) -> Release:
        """Release the mean of all curves in the part: **spends the budget**. The part stays as it is.

        Parameters
        ----------
        band, level, band_roughness
            As in :class:`PrivateMean`.
        ledger, release_id, part_of, seed, not_private
            As in :meth:`PrivateMean.release`.

        Returns
        -------
        Release
            With the numbers that one release of all curves in one place has.
        """
        paid = door(ledger, release_id, part_of, seed, not_private)
        return Release(self._part.release(band, level, band_roughness, paid))


def collect(revealed: dict[str, bytes]) -> Part:
    """Join revealed parts by their names: a part that was delivered twice counts once."""
    if not revealed:
        raise DpfdaError("there is no part to join", "part")
    parts = [Part.read(revealed[name]) for name in sorted(revealed)]
    whole = parts[0]
    for part in parts[1:]:
        whole.merge(part)
    return whole
