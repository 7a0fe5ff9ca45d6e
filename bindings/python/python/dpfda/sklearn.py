"""The private mean as an estimator of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import validate_data

from . import _inputs
from ._mean import PrivateMean, Share

#: Checks of ``check_estimator`` that do not apply, with the reason.
EXPECTED_FAILED_CHECKS = {
    "check_dtype_object": "arrays of objects are refused: the words of a failed conversion show a value",
}


class PrivateMeanEstimator(BaseEstimator):  # type: ignore[misc]
    """A private mean function in the convention of scikit-learn.

    ``fit`` **spends the budget**, each time it is called. A search over parameters would spend it once for every fit.

    Parameters
    ----------
    bounds, center, radius, epsilon, delta, mechanism, neighbours, radius_share
        As in :class:`dpfda.PrivateMean`.
    seed, not_private
        As in :meth:`dpfda.PrivateMean.release`.

    Attributes
    ----------
    mean_ : array of shape (n_features,)
        The estimate of the mean.
    release_ : Release
        The whole release.
    n_features_in_ : int
        The number of points of the grid.
    """

    def __init__(
        self,
        bounds: Any = None,
        center: Any = None,
        radius: float | None = None,
        *,
        epsilon: float | None = None,
        delta: float | None = None,
        mechanism: Any = "isonormal",
        neighbours: Any = "substitute",
        radius_share: Share = "default",
        seed: int | None = None,
        not_private: bool = False,
    ) -> None:
        self.bounds = bounds
        self.center = center
        self.radius = radius
        self.epsilon = epsilon
        self.delta = delta
        self.mechanism = mechanism
        self.neighbours = neighbours
        self.radius_share = radius_share
        self.seed = seed
        self.not_private = not_private

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
        mean = PrivateMean(
            bounds=self.bounds,
            center=self.center,
            radius=self.radius,
            epsilon=self.epsilon,
            delta=self.delta,
            mechanism=self.mechanism,
            neighbours=self.neighbours,
            radius_share=self.radius_share,
        )
        self.release_ = mean.release(found, seed=self.seed, not_private=self.not_private)
        self.mean_ = np.array(self.release_.values)
        return self

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.non_deterministic = self.seed is None
        return tags
