"""The private mean as an estimator of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import validate_data

from . import _inputs
from ._mean import PrivateMean
from ._stated import Share

#: Checks of ``check_estimator`` that do not apply, with the reason.
EXPECTED_FAILED_CHECKS = {
    "check_dtype_object": "arrays of objects are refused: the words of a failed conversion show a value",
}


class PrivateMeanEstimator(BaseEstimator):  # type: ignore[misc]
    """A private mean function in the convention of scikit-learn.

    ``fit`` **spends the budget**, each time it is called. A search over parameters would spend it once for every fit.

    Parameters
    ----------
    bounds, center, radius, and all other settings
        As in :class:`dpfda.PrivateMean`.
    seed, not_private
        As in :meth:`dpfda.PrivateMean.release`.

    Attributes
    ----------
    mean_ : array of shape (n_features,)
        The estimate of the mean at the points of the release.
    release_ : Release
        The whole release; with ``gaps="rows"`` a ``RowsRelease``, whose estimate is at points of its own.
    n_features_in_ : int
        The number of points of the grid.
    """

    def __init__(
        self,
        bounds: Any = None,
        center: Any = None,
        radius: float | None = None,
        *,
        ball: Any = None,
        budget: Any = None,
        epsilon: float | None = None,
        delta: float | None = None,
        because: str | None = None,
        mechanism: Any = "isonormal",
        neighbours: Any = "substitute",
        calibration: Any = "tight",
        coordinates: int | None = None,
        kernel: str | None = None,
        range: float | None = None,
        penalty: float | None = None,
        eta: float | None = None,
        moments: Any = "auto",
        radius_share: Share = "default",
        center_share: float | None = None,
        slope: float | None = None,
        roughness: float | None = None,
        select: Any = None,
        band: str | None = None,
        level: float | None = None,
        band_roughness: float | None = None,
        gaps: Any = "interpolate",
        gaps_kernel: str | None = None,
        gaps_range: float | None = None,
        gaps_noise: float | None = None,
        bins: int | None = None,
        bound: float | None = None,
        seed: int | None = None,
        not_private: bool = False,
    ) -> None:
        for name, value in locals().items():
            if name != "self":
                setattr(self, name, value)

    def fit(self, X: Any, y: Any = None) -> PrivateMeanEstimator:  # noqa: N803
        """Release the mean of the rows of `X`: **spends the budget**.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            One curve in each row; NaN where missing.
        y : ignored
        """
        if not hasattr(X, "toarray"):
            # refuses what holds no numbers: the words of a failed conversion would show a value
            _inputs.read(X, parameter="X")
        found = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", ensure_min_samples=2, ensure_min_features=2
        )
        settings = self.get_params(deep=False)
        noise = {name: settings.pop(name) for name in ("seed", "not_private")}
        self.release_ = PrivateMean(**settings).release(found, **noise)
        self.mean_ = np.array(self.release_.values)
        return self

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.non_deterministic = self.get_params(deep=False)["seed"] is None
        return tags
