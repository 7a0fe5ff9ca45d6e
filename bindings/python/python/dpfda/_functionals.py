"""Some numbers of a mean function, with delta = 0; and what is released of them and of paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Union

from . import _dpfda, _inputs
from ._documents import Released, dumped, listed
from ._door import LedgerLike, door
from ._dpfda import Ball, FunctionalsSettings, release_functionals
from ._errors import DpfdaError
from ._inputs import Array
from ._numbers import number
from ._stated import Codes, Settings, cells, no_columns, stated_ball, stated_curves, view

Neighbours = Literal["substitute", "add-remove"]
Dispersion = Literal["smoothed-white", "kernel"]
#: Which parts of a mean function are asked of a document, by the names in it.
PARAMETERS = {"evaluation": "t", "derivative": "t", "integral": "weight", "coefficient": "index"}


class Functional(NamedTuple):
    """One number asked of a mean function, linear in it. Points are in the units of the domain.

    Make one by :meth:`evaluation`, :meth:`derivative`, :meth:`integral` or :meth:`coefficient`.
    """

    kind: str
    parameter: Union[float, int, tuple[float, ...]]

    @classmethod
    def evaluation(cls, t: float) -> Functional:
        """The value at a point."""
        return cls("evaluation", number("functionals", t))

    @classmethod
    def derivative(cls, t: float) -> Functional:
        """The slope at a point, where the kernel of the smoother is differentiable."""
        return cls("derivative", number("functionals", t))

    @classmethod
    def integral(cls, weight: Any) -> Functional:
        """The integral of the product with `weight`, of shape (n_points,), at the points of the grid."""
        return cls("integral", tuple(float(one) for one in _inputs.vector(weight, "functionals")))

    @classmethod
    def coefficient(cls, index: int) -> Functional:
        """The coefficient of an eigenfunction of the smoother's kernel, 0 for the leading one."""
        if isinstance(index, bool) or not hasattr(index, "__index__") or index.__index__() < 0:
            raise DpfdaError("a coefficient has an index from 0 on", "functionals")
        return cls("coefficient", int(index.__index__()))


def written(functionals: Any) -> str:
    """Functionals as the compiled part reads them."""
    given = (
        list(functionals) if isinstance(functionals, (list, tuple)) and not isinstance(functionals, Functional) else [functionals]
    )
    if not all(isinstance(one, Functional) and one.kind in PARAMETERS for one in given):
        raise DpfdaError("functionals must be a list of Functional.evaluation(t), .derivative(t) and the like", "functionals")
    return dumped([{one.kind: {PARAMETERS[one.kind]: one.parameter}} for one in given])


def _read(text: str) -> list[Functional]:
    pairs = [next(iter(one.items())) for one in listed(text)]
    values = [(kind, next(iter(found.values()))) for kind, found in pairs]
    return [Functional(kind, tuple(value) if isinstance(value, list) else value) for kind, value in values]


class _Numbers(Released):
    """Released numbers of a mean function. All of it is public."""

    _released: _dpfda.FunctionalsRelease | _dpfda.PathRelease

    @property
    def functionals(self) -> list[Functional]:
        """What was asked."""
        return _read(self._released.functionals())

    @property
    def values(self) -> Array:
        """The answers, in the order asked, in the units of the data (and of the domain, for slopes and integrals)."""
        return self._released.values()

    @property
    def noise_sd(self) -> Array:
        """The standard deviation of the privacy noise in each answer."""
        return self._released.noise_sd()

    def _said(self) -> str:
        return f"{len(self.values)} functionals"


class FunctionalsRelease(_Numbers):
    """Released linear functionals of a mean function. All of it is public."""

    _compiled = _dpfda.FunctionalsRelease
    _released: _dpfda.FunctionalsRelease

    @property
    def noise_covariance(self) -> Array:
        """The covariance of the privacy noise of the answers; shape (n, n)."""
        return self._released.noise_covariance()


class PathRelease(_Numbers):
    """What was published of one noise path so far. All of it is public."""

    _compiled = _dpfda.PathRelease
    _released: _dpfda.PathRelease


class PrivateFunctionals(Settings):
    """Some numbers of the private mean function with delta = 0, ready to be released.

    The smoother acts before the noise: it is part of the question. All settings are public. They come from public knowledge,
    never from the data.

    Parameters
    ----------
    ball, bounds, center, radius : optional
        As in :class:`PrivateMean`.
    epsilon : float
        Above 0; smaller is more private.
    penalty : float
        The penalty of the smoother that the mean is seen through.
    kernel : str, optional
        Its kernel, such as ``"gaussian"`` or ``"matern52"``.
    range, eta : float, optional
        The range of the kernel, as a fraction of the domain, and the power of the penalty.
    noise : {"laplace", "k-norm", "student-t"}
        Discrete Laplace and K-norm noise are exact. t noise is drawn in floating point and needs `idealised_arithmetic`.
    degrees_of_freedom : float, optional
        Of t noise.
    idealised_arithmetic : bool
        Accepts noise that is drawn in floating point, which stamps the release.
    dispersion : {"smoothed-white", "kernel"}
        The covariance of the noise as a process: white noise through the smoother, or the smoother's own kernel.
    neighbours : {"substitute", "add-remove"}
        Which data sets must look alike.
    """

    def __init__(
        self,
        ball: Ball | None = None,
        *,
        epsilon: float,
        penalty: float,
        bounds: tuple[float, float] | None = None,
        center: Any = None,
        radius: float | None = None,
        kernel: str | None = None,
        range: float | None = None,
        eta: float = 1.0,
        noise: Literal["laplace", "k-norm", "student-t"] = "laplace",
        degrees_of_freedom: float | None = None,
        idealised_arithmetic: bool = False,
        dispersion: Dispersion = "smoothed-white",
        neighbours: Neighbours = "substitute",
    ) -> None:
        self._given = {name: value for name, value in locals().items() if name != "self"}
        if not isinstance(noise, str):
            raise DpfdaError("noise must be a name", "noise")
        arguments = {
            "ball": stated_ball(ball, bounds, center, radius),
            "epsilon": number("epsilon", epsilon),
            "view": view(kernel, range, penalty, eta, dispersion, neighbours),
            "noise": noise,
            "degrees_of_freedom": number("degrees_of_freedom", degrees_of_freedom),
            "idealised_arithmetic": bool(idealised_arithmetic),
        }
        self._settings = FunctionalsSettings(arguments)

    def release(
        self,
        curves: Any,
        functionals: Sequence[Functional],
        *,
        values: _inputs.Values = None,
        subject: Any = None,
        grid_points: Any = None,
        domain_range: Any = None,
        ledger: LedgerLike = None,
        release_id: str | None = None,
        part_of: str | None = None,
        seed: int | None = None,
        not_private: bool = False,
        delimiter: str | None = None,
        decimal_comma: bool = False,
        missing: Codes = None,
    ) -> FunctionalsRelease:
        """Release functionals of the mean: **spends epsilon**, once for all of them.

        Parameters
        ----------
        curves : as in :meth:`PrivateMean.release`
            One curve in each row.
        functionals : list of Functional
            What is asked.
        values, subject, grid_points, domain_range, ledger, release_id, part_of, seed, not_private
            As in :meth:`PrivateMean.release`.
        delimiter, decimal_comma, missing
            As in :meth:`PrivateMean.release`.

        Returns
        -------
        FunctionalsRelease
        """
        paid = door(ledger, release_id, part_of, seed, not_private)
        where = {"values": values, "subject": subject, "grid_points": grid_points, "domain_range": domain_range}
        stated = stated_curves(curves, no_columns, cells(delimiter, decimal_comma, missing), **where)
        return FunctionalsRelease(release_functionals(self._settings, written(functionals), stated, paid))

    def __repr__(self) -> str:
        return f"PrivateFunctionals(epsilon={self._given['epsilon']!r}, noise={self._given['noise']!r})"
