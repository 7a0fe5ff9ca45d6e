"""Some numbers of a mean function: asked once with delta = 0, or of one noise path, of which more can be published later."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, Union

from . import _dpfda, _tables
from ._documents import Path, dumped, kept, parsed
from ._door import LedgerLike, door
from ._errors import DpfdaError
from ._numbers import number
from ._private import Private
from ._released import Released
from ._tables import Array

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
        return cls("integral", tuple(float(one) for one in _tables.vector(weight, "functionals")))

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
    pairs = [next(iter(one.items())) for one in parsed(text)]
    values = [(kind, next(iter(found.values()))) for kind, found in pairs]
    return [Functional(kind, tuple(value) if isinstance(value, list) else value) for kind, value in values]


class _Answers(Released):
    """Released numbers of a mean function. All of it is public."""

    _shown: tuple[Array, Array] | None = None

    def _answers(self) -> tuple[Array, Array]:
        if self._shown is None:
            self._shown = kept(_dpfda.answers(self._released))
        return self._shown

    @property
    def functionals(self) -> list[Functional]:
        """What was asked."""
        return _read(self._number("functionals"))

    @property
    def values(self) -> Array:
        """The answers, in the order asked, in the units of the data (and of the domain, for slopes and integrals)."""
        return self._answers()[0]

    @property
    def noise_sd(self) -> Array:
        """The standard deviation of the privacy noise in each answer."""
        return self._answers()[1]

    def _said(self) -> str:
        return f"{len(self.values)} functionals"


class FunctionalsRelease(_Answers):
    """Released linear functionals of a mean function. All of it is public."""

    _kind = "functionals"

    noise_covariance = property(
        lambda self: self._number("noise_covariance"), doc="The covariance of the privacy noise of the answers; shape (n, n)."
    )


class PathRelease(_Answers):
    """What was published of one noise path so far. All of it is public."""

    _kind = "path"


class KeptPath(Private):
    """A noise path that was drawn whole: for the curator. Whoever has it can publish more of it.

    It holds no exact number. Keep its file as long as you may want to publish more: a second path spends the budget again.
    """

    __slots__ = ("_kept",)

    def __init__(self, kept: _dpfda.KeptPath) -> None:
        self._kept = kept

    @classmethod
    def read(cls, path: Path) -> KeptPath:
        """Read a path from its file, which others than its owner must not be able to read."""
        return cls(_dpfda.KeptPath.read(os.fspath(path)))

    def write(self, path: Path) -> None:
        """Write the path to a new file that only its owner can read."""
        self._kept.write(os.fspath(path))

    def extend(self, release: PathRelease, functionals: Sequence[Functional]) -> PathRelease:
        """Return the release with more functionals of the same path, **at no cost**. What was released stays as it was."""
        return PathRelease(self._kept.extend(release._released, written(functionals)))


class _Asks:
    """What asks for some numbers of a mean: settings of a mean of curves, and some of its own."""

    _given: dict[str, Any]

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self._given), ()

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in self._given.items() if value is not None]
        return f"{type(self).__name__}({', '.join(shown)})"


class PrivateFunctionals(_Asks):
    """Some numbers of the private mean function with delta = 0, ready to be released.

    The smoother acts before the noise: it is part of the question. All settings are public. They come from public knowledge,
    never from the data.

    Parameters
    ----------
    noise : {"laplace", "k-norm", "student-t"}
        Discrete Laplace and K-norm noise are exact. t noise is drawn in floating point and needs `idealised_arithmetic`.
    degrees_of_freedom : float, optional
        Of t noise.
    idealised_arithmetic : bool
        Accepts noise that is drawn in floating point, which stamps the release.
    dispersion : {"smoothed-white", "kernel"}
        The covariance of the noise as a process: white noise through the smoother, or the smoother's own kernel.
    **settings
        As in :class:`PrivateMean`: `epsilon`, `neighbours`, `bounds` or `center` and `radius`; `penalty`, which must be given,
        `kernel`, `range` and `eta` of the smoother that the mean is seen through; and how the table is read.
    """

    def __init__(
        self,
        *,
        noise: Literal["laplace", "k-norm", "student-t"] = "laplace",
        degrees_of_freedom: float | None = None,
        idealised_arithmetic: bool = False,
        dispersion: Dispersion = "smoothed-white",
        **settings: Any,
    ) -> None:
        own: dict[str, Any] = {"noise": noise, "degrees_of_freedom": degrees_of_freedom}
        self._given = {**settings, **own, "idealised_arithmetic": idealised_arithmetic, "dispersion": dispersion}
        degrees = number("degrees_of_freedom", degrees_of_freedom)
        way = (name_of("dispersion", dispersion), name_of("noise", noise), degrees, bool(idealised_arithmetic))
        self._settings = _dpfda.FunctionalsSettings(list(settings.items()), *way)

    def release(
        self,
        data: Any,
        functionals: Sequence[Functional],
        *,
        columns: _tables.Columns = None,
        ledger: LedgerLike = None,
        release_id: str | None = None,
        part_of: str | None = None,
        seed: int | None = None,
        not_private: bool = False,
    ) -> FunctionalsRelease:
        """Release functionals of the mean: **spends epsilon**, once for all of them.

        Parameters
        ----------
        data, columns
            As in :meth:`Study.release`.
        functionals : list of Functional
            What is asked.
        ledger, release_id, part_of, seed, not_private
            As in :meth:`Study.release`.

        Returns
        -------
        FunctionalsRelease
        """
        paid = door(ledger, release_id, part_of, seed, not_private)
        stated = _tables.stated(self._settings.reading, data, columns)
        return FunctionalsRelease(_dpfda.release_functionals(self._settings, written(functionals), stated, paid))


class PrivatePath(_Asks):
    """Functionals of the private mean function, now and later, for one guarantee.

    One noise path is drawn whole, once. Any number of functionals of the same path may be published at any time.

    Parameters
    ----------
    mixing : (str, float), optional
        Makes the noise elliptical: the law of its random scale, ``"student-t"``, ``"gamma-root"`` or ``"log-normal"``, and its
        parameter.
    dispersion : {"smoothed-white", "kernel"}
        As in :class:`PrivateFunctionals`.
    **settings
        As in :class:`PrivateFunctionals`, with `delta`.
    """

    def __init__(
        self, *, mixing: tuple[str, float] | None = None, dispersion: Dispersion = "smoothed-white", **settings: Any
    ) -> None:
        self._given = {**settings, "mixing": mixing, "dispersion": dispersion}
        if mixing is not None:
            if not isinstance(mixing, (tuple, list)) or len(mixing) != 2 or not isinstance(mixing[0], str):
                raise DpfdaError('mixing must be a name and a number, such as ("student-t", 5)', "mixing")
            mixing = mixing[0], float(number("mixing", mixing[1]))
        self._settings = _dpfda.PathSettings(list(settings.items()), name_of("dispersion", dispersion), mixing)

    def release(
        self,
        data: Any,
        functionals: Sequence[Functional],
        *,
        columns: _tables.Columns = None,
        ledger: LedgerLike = None,
        release_id: str | None = None,
        part_of: str | None = None,
        seed: int | None = None,
        not_private: bool = False,
    ) -> tuple[PathRelease, KeptPath]:
        """Draw the path and release functionals of it: **spends the budget**.

        Parameters
        ----------
        data, columns, functionals, ledger, release_id, part_of, seed, not_private
            As in :meth:`PrivateFunctionals.release`.

        Returns
        -------
        PathRelease
            What is published.
        KeptPath
            For the curator: write it to a file, or no more of the path can be published.
        """
        paid = door(ledger, release_id, part_of, seed, not_private)
        stated = _tables.stated(self._settings.reading, data, columns)
        released, kept = _dpfda.release_path(self._settings, written(functionals), stated, paid)
        return PathRelease(released), KeptPath(kept)


def name_of(parameter: str, value: Any) -> str:
    """A word, as the compiled part takes it."""
    if not isinstance(value, str):
        raise DpfdaError(f"{parameter} must be a name", parameter)
    return value
