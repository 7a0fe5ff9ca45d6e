"""What is released of curves that were seen at other times for each subject."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from . import _dpfda
from ._functions import Band, Curve, Difference, difference_to

BandName = Literal["population", "posterior", "noise"]


class RowsRelease(Curve):
    """A released mean of irregular curves with its estimate. All of it is public.

    Whatever is asked of a release is computed from the release alone and costs no privacy.
    """

    _kind = "rows"

    bound = property(lambda self: self._number("bound"), doc="The largest distance of one value from the centre.")
    bin_edges = property(lambda self: self._number("bin_edges"), doc="The ends of the bins; (n_bins + 1,).")
    weights = property(lambda self: self._number("weights"), doc="The noisy weight of the people in each bin; (n_bins,).")
    weights_sd = property(lambda self: self._number("weights_sd"), doc="The standard deviation of the noise in each weight.")

    @property
    def supported(self) -> npt.NDArray[np.bool_]:
        """Whether the weight of each bin stands out from its noise; bool of shape (n_bins,)."""
        found: npt.NDArray[np.bool_] = self._number("supported")
        return found

    @property
    def unsupported(self) -> list[tuple[float, float]]:
        """The parts of the domain that too few people were measured in: there the estimate is what the prior says."""
        return _dpfda.unsupported(self._released)

    def band(self, band: BandName | None = None, *, level: float | None = None) -> Band:
        """Return a band: that of the release, or another one.

        Parameters
        ----------
        band : {"population", "posterior", "noise"}, optional
            What the band is about.
        level : float, optional
            The probability that it states, above 0.5 and below 0.9999.
        """
        return (self if band is None and level is None else self.with_band(band, level=level))._band()

    def with_band(self, band: BandName | None = None, *, level: float | None = None) -> RowsRelease:
        """Return the same release with another band, as ``dpfda smooth --band`` makes it."""
        return RowsRelease(self._released.with_band([("band", band), ("level", level)]))

    def compare(self, other: RowsRelease, *, level: float = 0.95) -> Difference:
        """Return the difference to the mean of other people, from a release with the same domain and bins.

        Parameters
        ----------
        other : RowsRelease
            A release of other people: this mean minus theirs.
        level : float
            The probability that the band states.
        """
        return difference_to(self, other, RowsRelease, level)

    def _said(self) -> str:
        return f"{len(self.weights)} bins"
