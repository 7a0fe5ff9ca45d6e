"""The private mean as an estimator of scikit-learn."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import validate_data

from . import _tables
from ._doors import PrivateMean

#: Checks of ``check_estimator`` that do not apply, with the reason.
EXPECTED_FAILED_CHECKS = {
    "check_dtype_object": "arrays of objects are refused: the words of a failed conversion show a value",
}
#: What is no setting of a mean.
NOISE = {"seed": None, "not_private": False}


class PrivateMeanEstimator(BaseEstimator):  # type: ignore[misc]
    """A private mean function in the convention of scikit-learn.

    ``fit`` **spends the budget**, each time it is called. A search over parameters would spend it once for every fit.

    Parameters
    ----------
    seed, not_private
        As in :meth:`dpfda.Study.release`.
    **settings
        As in :class:`dpfda.PrivateMean`.

    Attributes
    ----------
    mean_ : array of shape (n_features,)
        The estimate of the mean at the points of the release.
    release_ : Release
        The whole release.
    n_features_in_ : int
        The number of points of the grid.
    """

    def __init__(self, **settings: Any) -> None:
        parameters = inspect.signature(type(self)).parameters
        for name in settings:
            if name not in parameters:
                raise TypeError(f"{name} is no setting of a private mean")
        for name, parameter in parameters.items():
            setattr(self, name, settings.get(name, parameter.default))

    def fit(self, X: Any, y: Any = None) -> PrivateMeanEstimator:  # noqa: N803
        """Release the mean of the rows of `X`: **spends the budget**.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            One curve in each row; NaN where missing.
        y : ignored
        """
        settings = self.get_params(deep=False)
        noise = {name: settings.pop(name) for name in NOISE}
        if not hasattr(X, "toarray") and not _tables.has_columns(X):
            # refuses what holds no numbers: the words of a failed conversion would show a value
            _tables.matrix(X, "X") if np.ndim(X) != 1 else _tables.vector(X, "X")
        found = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", ensure_min_samples=2, ensure_min_features=2
        )
        self.release_ = PrivateMean(**settings).release(found, **noise)
        self.mean_ = np.array(self.release_.values)
        return self

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.non_deterministic = self.get_params(deep=False)["seed"] is None
        return tags


def _signature() -> inspect.Signature:
    """The settings of a mean, and what its noise is."""
    own = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default) for name, default in NOISE.items()]
    settings = inspect.signature(PrivateMean).parameters.values()
    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return inspect.Signature([itself, *settings, *own])


PrivateMeanEstimator.__init__.__signature__ = _signature()  # type: ignore[attr-defined]
