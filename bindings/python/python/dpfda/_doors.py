"""Studies of one kind. Their settings are those of the compiled table; ``_doors.pyi`` has them for type checkers."""

from __future__ import annotations

from ._centiles import CentilesRelease
from ._density import DensityRelease
from ._functions import GroupsRelease
from ._regression import RegressionRelease
from ._release import ChangeRelease, Release
from ._rows import RowsRelease
from ._settings import door
from ._study import Study
from ._surface import SurfaceRelease


@door("mean")
class PrivateMean(Study[Release]):
    """The private mean of curves on a common grid.

    Examples
    --------
    >>> import numpy as np, dpfda
    >>> x = 0.5 + 0.1 * np.sin(np.linspace(0, 6, 50)) * np.ones((400, 1))
    >>> release = dpfda.PrivateMean(bounds=(0, 1), epsilon=1, delta=1e-5).release(x)
    >>> release.values.shape
    (50,)
    """


@door("groups")
class PrivateGroups(Study[GroupsRelease]):
    """The private mean of each of several groups of curves, in one release. A bought radius is one for all groups.

    Examples
    --------
    >>> import numpy as np, dpfda
    >>> x = 0.5 + 0.1 * np.sin(np.linspace(0, 6, 50)) * np.ones((4000, 1))
    >>> groups = dpfda.PrivateGroups(by="status", bounds=(0, 1), epsilon=1, delta=1e-5)
    >>> release = groups.release(x, columns={"status": ["case", "control"] * 2000})
    >>> release.names
    ['case', 'control']
    """


@door("change")
class PrivateChange(Study[ChangeRelease]):
    """The private mean change of people between two visits, or their slope with time.

    The curve of a person at the second visit, less that at the first; who has both is private, and so is their number. The bounds
    are of changes. `per` in place of `change` asks for the slope of the line of least squares through each person's curves.

    Examples
    --------
    >>> import numpy as np, dpfda
    >>> first = 0.5 + 0.1 * np.sin(np.linspace(0, 6, 50)) * np.ones((400, 1))
    >>> people, visits = np.tile(np.arange(400), 2), np.repeat(["1", "2"], 400)
    >>> change = dpfda.PrivateChange(change="visit=1,2", subject="id", bounds=(-0.3, 0.3), epsilon=1, delta=1e-5)
    >>> release = change.release(np.vstack([first, first - 0.1]), columns={"id": people, "visit": visits})
    >>> release.values.shape
    (50,)
    """


@door("rows")
class PrivateRows(Study[RowsRelease]):
    """The private mean of curves that were seen at other times for each subject: long tables, one value in each row.

    All rows of a subject are protected together. With `values` in place of `id`, `time`, `value` and `domain`, or without any of
    them, each row is a curve whose missing values count as not seen.

    Examples
    --------
    >>> import numpy as np, dpfda
    >>> ids, times = np.repeat(np.arange(2000), 3), np.linspace(0, 24, 6000) * 7 % 24
    >>> table = {"patient": ids, "hour": times, "glucose": 5 + np.sin(times / 4)}
    >>> columns = {"id": "patient", "time": "hour", "value": "glucose"}
    >>> mean = dpfda.PrivateRows(**columns, domain=(0, 24), bounds=(2, 12), epsilon=1, delta=1e-5)
    >>> release = mean.release(table)
    >>> release.at([8, 12, 20])["values"].shape
    (3,)
    """


@door("surface")
class PrivateSurface(Study[SurfaceRelease]):
    """The private mean of surfaces on a common grid, such as hours by days, or depth by time.

    Examples
    --------
    >>> import numpy as np, dpfda
    >>> hours, days = np.meshgrid(np.arange(24), np.arange(7), indexing="ij")
    >>> x = 0.5 + 0.1 * np.sin(hours / 4) * np.cos(days) * np.ones((500, 1, 1))
    >>> surface = dpfda.PrivateSurface(surface=(24, 7), surface_domain=(0, 23, 0, 6), bounds=(0, 1), epsilon=1, delta=1e-5)
    >>> release = surface.release(x)
    >>> release.values.shape
    (24, 7)
    >>> release.derivative([(12.5, 3)], along="s").value.shape
    (1,)
    """


@door("regression")
class PrivateRegression(Study[RegressionRelease]):
    """The private regression of curves on covariates: ``Y(t) = beta_0(t) + sum_k x_k beta_k(t) + error``.

    Covariates are as private as curves, unless they are said to be public. A number outside its bounds counts as the nearer
    bound, a missing number as the middle of its range, and a missing level as all levels in equal parts. A subject of several
    curves is the mean of its covariates and of its curves.

    Examples
    --------
    >>> import numpy as np, dpfda
    >>> age = np.linspace(20, 80, 4000)
    >>> x = 0.4 + 0.003 * age[:, None] * np.linspace(0, 1, 30)
    >>> terms = {"bounds": (0, 1), "epsilon": 2, "delta": 1e-5}
    >>> regression = dpfda.PrivateRegression(on="age", covariate_bounds="age=18:90", **terms)
    >>> release = regression.release(x, columns={"age": age})
    >>> release.predict({"age": 40}).values.shape
    (30,)
    """


@door("centiles")
class PrivateCentiles(Study[CentilesRelease]):
    """The private centile curves: below which values 5%, 25%, 50%, 75% and 95% of people lie, at each point.

    A typical curve may be given as `center` beside the `bounds`; `radius` is then the largest mean absolute distance from it. Few
    people and a small budget leave wide bands: the outer centiles first.

    Examples
    --------
    >>> import numpy as np, dpfda
    >>> people = np.linspace(-1, 1, 3000)[:, None]
    >>> x = 0.5 + 0.1 * np.sin(np.linspace(0, 6, 24)) + 0.15 * people
    >>> release = dpfda.PrivateCentiles(centiles=[10, 50, 90], bounds=(0, 1), epsilon=2, delta=1e-5).release(x)
    >>> bool((release.centile(10).values < release.centile(90).values).all())
    True
    """


@door("density")
class PrivateDensity(Study[DensityRelease]):
    """The private density of points of people.

    Points outside the bounds are clamped; a missing value counts as the centre of its axis.

    Examples
    --------
    >>> import numpy as np, dpfda
    >>> age = np.random.default_rng(1).normal(45, 12, 3000)
    >>> release = dpfda.PrivateDensity(columns="age", bounds=(0, 120), epsilon=1).release(age)
    >>> 0 < release.quantile(0.5) < 120
    True
    """
