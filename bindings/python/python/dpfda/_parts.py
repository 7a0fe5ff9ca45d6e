"""Curves, or rows of a long table, in several places: a public plan, and parts that hold exact sums without noise."""

from __future__ import annotations

import os
from typing import Any, Optional

from . import _dpfda, _inputs, _rows
from ._door import LedgerLike, door, tell
from ._errors import DpfdaError
from ._numbers import number, whole
from ._release import Release
from ._rows_release import RowsRelease
from ._stated import Codes, cells, file_layout, reason
from ._surface_inputs import flat

#: A part, whether there are ids that look alike, and the share of rows that count as none, where it is large.
Encoded = tuple[_dpfda.Part, bool, Optional[float]]


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
        self._secret = bytes(_dpfda.new_key()) if secret is None else secret

    def reveal(self) -> bytes:
        """Return the secret itself, to keep it or to send it by a way that nobody else can read."""
        return self._secret


class Plan:
    """The public plan of a mean whose curves, or whose rows of a long table, are in several places.

    Made by :meth:`PrivateMean.plan` or :meth:`PrivateRows.plan`, or read by :meth:`from_json`. Its digest is in every part:
    parts of another plan are refused.
    """

    def __init__(self, plan: _dpfda.Plan) -> None:
        self._plan = plan

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Read a plan, as :meth:`to_json` or ``dpfda release --plan-only`` writes it."""
        return cls(_dpfda.Plan.from_json(text))

    def to_json(self) -> str:
        """Return the plan as a document, which may be published."""
        return self._plan.to_json()

    @property
    def digest(self) -> str:
        """The digest of the plan."""
        return self._plan.digest

    @property
    def grid_points(self) -> list[float]:
        """Where the columns lie; of a long table, where the release has its estimate."""
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
        id: str | None = None,
        time: str | None = None,
        value: str | None = None,
        threads: int | None = None,
        delimiter: str | None = None,
        decimal_comma: bool = False,
        missing: Codes = None,
        sorted_by_subject: bool = False,
    ) -> Part:
        """Encode the curves or the rows of one place. Draws nothing and spends nothing; the part is private.

        Parameters
        ----------
        curves : as in :meth:`PrivateMean.release`, or frame, mapping or path of a long table
            The private curves, on the grid of the plan; by the plan of a long table its rows. All that is known of a subject must
            be in one part.
        part : str
            What this part is called, such as ``"site-3"``: another name for each part, and always the same for the same part.
        key : Key, optional
            The curator's key, where a record is a subject.
        values, subject, threads, sorted_by_subject
            As in :meth:`PrivateMean.release`: by the plan of curves.
        id, time, value : str
            The three columns of a long table, by its plan.
        delimiter, decimal_comma, missing
            How a file is read, as by :meth:`PrivateMean.release`.

        Returns
        -------
        Part
        """
        secret = None if key is None else key.reveal()
        names, read = {"id": id, "time": time, "value": value}, cells(delimiter, decimal_comma, missing)
        if self._plan.is_of_rows:
            of_curves = {"values": values, "subject": subject, "sorted_by_subject": sorted_by_subject or None}
            _leave_out(of_curves, "by the plan a row is one value of a subject: give id, time and value")
            rows = _rows.of_table(curves, "curves", names, read)
            made, similar_ids, unused = self._plan.encode_rows(rows, part, secret)
        else:
            _leave_out(names, "by the plan a row is a curve")
            made, similar_ids, unused = self._encoded(
                curves,
                part,
                secret,
                values,
                subject,
                whole("threads", threads),
                read,
                sorted_by_subject,
            )
        tell(similar_ids, unused)
        return Part(made)

    def _encoded(
        self,
        curves: Any,
        part: str,
        secret: bytes | None,
        values: _inputs.Values,
        subject: Any,
        threads: int | None,
        cells: dict[str, Any],
        sorted_by_subject: bool = False,
    ) -> Encoded:
        """A part of curves, with what the curator should know of it."""
        if (subject is not None) != (self.unit == "subject"):
            expected = "give the subject of every curve" if self.unit == "subject" else "leave subject out"
            raise DpfdaError(f"by the plan a record is one {self.unit}: {expected}", "subject")
        if _inputs.is_path(curves):
            layout = file_layout(values, subject, self.grid_points, None, cells)
            return self._plan.encode_files(os.fspath(curves), layout, part, secret, threads, sorted_by_subject)
        where: dict[str, Any] = {"grid_points": self.grid_points}
        if self._plan.shape is not None:
            # values are counted: their places are no points of a curve
            curves, where = flat(curves, self._plan.shape), {"counted": True}
        found = _inputs.read(curves, values=values, subject=subject, missing=cells["missing"], **where)
        return self._plan.encode(found.table, found.subjects, part, secret, threads)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Plan({len(self.grid_points)} points, {self.unit}, digest {self.digest[:12]})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan.from_json, (self.to_json(),)


class Part(_inputs.Private):
    """The exact sums of a part of the curves or rows: private data, without any noise.

    It shows nothing and refuses to be pickled. :meth:`reveal` gives its bytes.
    """

    __slots__ = ("_part",)

    def __init__(self, part: _dpfda.Part) -> None:
        self._part = part

    @classmethod
    def read(cls, revealed: bytes) -> Part:
        """Read a part from what :meth:`reveal` or ``dpfda part`` gave."""
        return cls(_dpfda.Part.read(revealed))

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
        plan: Plan,
        *,
        band: str | None = None,
        level: float | None = None,
        band_roughness: float | None = None,
        because: str | None = None,
        ledger: LedgerLike = None,
        release_id: str | None = None,
        part_of: str | None = None,
        seed: int | None = None,
        not_private: bool = False,
    ) -> Release | Any:
        """Release the mean of all curves or rows in the part: **spends the budget**. The part stays as it is.

        Parameters
        ----------
        plan : Plan
            The plan that was agreed on: a part of another plan is refused. The parts have their plan in them, epsilon
            included, and whoever made one could have written another.
        band, level, band_roughness
            As in :class:`PrivateMean`; of a long table as in :class:`PrivateRows`.
        because : str, optional
            Why the guarantee is not a usual one, as in :class:`PrivateMean`.
        ledger, release_id, part_of, seed, not_private
            As in :meth:`PrivateMean.release`.

        Returns
        -------
        Release
            With the numbers that one release of all curves in one place has; of a long table a :class:`RowsRelease`, and
            of surfaces a :class:`SurfaceRelease`.
        """
        paid = door(ledger, release_id, part_of, seed, not_private, reason(because))
        if not isinstance(plan, Plan):
            raise DpfdaError("plan must be the Plan that was agreed on", "plan")
        shown = band, number("level", level), number("band_roughness", band_roughness)
        made = self._part.release(plan._plan, *shown, paid)
        if isinstance(made, _dpfda.SurfaceRelease):
            from ._surface import SurfaceRelease

            return SurfaceRelease(made)
        return RowsRelease(made) if isinstance(made, _dpfda.RowsRelease) else Release(made)


def _leave_out(given: dict[str, Any], reason: str) -> None:
    """Refuse what belongs to a plan of the other kind."""
    for argument in given:
        if given[argument] is not None:
            raise DpfdaError(f"{reason}; leave {argument} out", argument)


def collect(revealed: dict[str, bytes]) -> Part:
    """Join revealed parts by their names: a part that was delivered twice counts once."""
    if not revealed:
        raise DpfdaError("there is no part to join", "part")
    parts = [Part.read(revealed[name]) for name in sorted(revealed)]
    whole = parts[0]
    for part in parts[1:]:
        whole.merge(part)
    return whole
