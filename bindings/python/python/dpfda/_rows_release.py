"""What is released of curves that were seen at other times for each subject."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from . import _dpfda
from ._errors import DpfdaError
from ._estimated import Band, Estimated
from ._groups import Difference
from ._numbers import number

BandName = Literal["population", "posterior", "noise"]


class RowsRelease(Estimated):
    """A released mean of irregular curves with its estimate. All of it is public.

    Whatever is asked of a release is computed from the release alone and costs no privacy.
    """

    _compiled = _dpfda.RowsRelease
    _released: _dpfda.RowsRelease

    bound = property(lambda self: self._numbers["bound"], doc="The largest distance of one value from the centre.")
    bin_edges = property(lambda self: self._numbers["bin_edges"], doc="The ends of the bins; (n_bins + 1,).")
    weights = property(lambda self: self._numbers["weights"], doc="The noisy weight of the people in each bin; (n_bins,).")
    weights_sd = property(lambda self: self._numbers["weights_sd"], doc="The standard deviation of the noise in each weight.")

    @property
    def supported(self) -> Any:
        """Whether the weight of each bin stands out from its noise; bool of shape (n_bins,)."""
        return np.array(self._numbers["supported"], dtype=bool)

    @property
    def unsupported(self) -> list[tuple[float, float]]:
        """The parts of the domain that too few people were measured in: there the estimate is what the prior says."""
        return self._released.unsupported()

    def band(self, kind: BandName | None = None, *, level: float | None = None) -> Band:
        """Return a band: that of the release, or another one.

        Parameters
        ----------
        kind : {"population", "posterior", "noise"}, optional
            What the band is about.
        level : float, optional
            The probability that it states, above 0.5 and below 0.9999.
        """
        return (self if kind is None and level is None else self.with_band(kind, level=level))._band()

    def with_band(self, kind: BandName | None = None, *, level: float | None = None) -> RowsRelease:
        """Return the same release with another band, as ``dpfda smooth --band`` makes it."""
        return RowsRelease(self._released.with_band(kind, number("level", level)))

    def compare(self, other: RowsRelease, *, level: float = 0.95) -> Difference:
        """Return the difference to the mean of other people, from a release with the same domain and bins.

        Parameters
        ----------
        other : RowsRelease
            A release of other people: this mean minus theirs.
        level : float
            The probability that the band states.
        """
        if not isinstance(other, RowsRelease):
            raise DpfdaError("other must be an RowsRelease", "other")
        return Difference(**self._released.compare(other._released, float(number("level", level))))

    def _said(self) -> str:
        budget = f"epsilon={self.epsilon:g}, delta={self.delta:g}, {self.neighbours}"
        return f"mean of irregular curves, {budget}, {len(self.weights)} bins"
