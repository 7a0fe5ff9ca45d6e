"""Curves, surfaces, or rows of a long table, in several places: a public plan, and parts that hold exact sums without noise."""

from __future__ import annotations

from typing import Any, Optional

from . import _dpfda, _tables
from ._door import LedgerLike, door, tell
from ._errors import DpfdaError
from ._numbers import whole
from ._private import Private
from ._released import of_kind

#: A part, whether there are ids that look alike, and the share of rows that count as none, where it is large.
Encoded = tuple[_dpfda.Part, bool, Optional[float]]


class Key(Private):
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
    """The public plan of a mean whose curves, surfaces or rows of a long table are in several places.

    Made by :meth:`Study.plan`, or read by :meth:`from_json`. Its digest is in every part:
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
        data: Any,
        *,
        part: str,
        key: Key | None = None,
        columns: _tables.Columns = None,
        threads: int | None = None,
        sorted_by_subject: bool = False,
        **table: Any,
    ) -> Part:
        """Encode the curves, the surfaces or the rows of one place. Draws nothing and spends nothing; the part is private.

        Parameters
        ----------
        data : as in :meth:`Study.release`
            The private data, on the grid of the plan. All that is known of a subject must be in one part.
        part : str
            What this part is called, such as ``"site-3"``: another name for each part, and always the same for the same part.
        key : Key, optional
            The curator's key, where a record is a subject.
        columns : mapping, optional
            Beside an array, the ids of its subjects by the name that `subject` says.
        threads, sorted_by_subject
            As in :meth:`Study.release`.
        **table
            How the table of this place is read, where it is not as the plan says: the settings `values`, `subject`, `id`, `time`,
            `value`, `missing`, `delimiter` and `decimal_comma` of a study.

        Returns
        -------
        Part
        """
        secret = None if key is None else key.reveal()
        made, similar_ids, unused = self._encoded(
            data, part, secret, columns, whole("threads", threads), table, sorted_by_subject
        )
        tell(similar_ids, unused)
        return Part(made)

    def _encoded(
        self,
        data: Any,
        part: str,
        secret: bytes | None,
        columns: _tables.Columns,
        threads: int | None,
        table: dict[str, Any],
        sorted_by_subject: bool = False,
    ) -> Encoded:
        """A part, with what the curator should know of it."""
        reading = self._plan.reading(list(table.items()))
        stated = _tables.stated(reading, data, columns)
        return self._plan.encode(reading, stated, part, secret, threads, bool(sorted_by_subject))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Plan({len(self.grid_points)} points, {self.unit}, digest {self.digest[:12]})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Plan.from_json, (self.to_json(),)


class Part(Private):
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
    ) -> Any:
        """Release the mean of all that is in the part: **spends the budget**. The part stays as it is.

        Parameters
        ----------
        plan : Plan
            The plan that was agreed on: a part of another plan is refused. The parts have their plan in them, epsilon
            included, and whoever made one could have written another.
        band, level, band_roughness, because
            As in :class:`PrivateMean`.
        ledger, release_id, part_of, seed, not_private
            As in :meth:`Study.release`.

        Returns
        -------
        Release, SurfaceRelease or RowsRelease
            With the numbers that one release of all data in one place has.
        """
        paid = door(ledger, release_id, part_of, seed, not_private)
        if not isinstance(plan, Plan):
            raise DpfdaError("plan must be the Plan that was agreed on", "plan")
        said = [("band", band), ("level", level), ("band_roughness", band_roughness), ("because", because)]
        return of_kind(self._part.release(plan._plan, said, paid))


def collect(revealed: dict[str, bytes]) -> Part:
    """Join revealed parts by their names: a part that was delivered twice counts once."""
    if not revealed:
        raise DpfdaError("there is no part to join", "part")
    parts = [Part.read(revealed[name]) for name in sorted(revealed)]
    whole = parts[0]
    for part in parts[1:]:
        whole.merge(part)
    return whole
