"""The settings of a study as arguments of the other doors of the package. A setting that a door does not have is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from . import _covariates, _inputs, _surface_inputs
from ._density import density
from ._density import release as release_density
from ._door import door
from ._dpfda import Ball
from ._errors import DpfdaError
from ._kinds import library_of
from ._mean import PrivateMean
from ._private_rows import PrivateRows
from ._regression import PrivateRegression
from ._stated import Settings
from ._surface import PrivateSurface

BUDGET = ("epsilon", "delta", "neighbours", "because")
BALL = ("bounds", "radius")
MEAN = ("coordinates", "select", "kernel", "range", "penalty", "eta", "gaps", "gaps_kernel", "gaps_range", "gaps_noise")
MEAN_ALONE = ("mechanism", "moments", "slope", "roughness", "band", "level", "band_roughness", *MEAN)
CELLS = ("delimiter", "decimal_comma", "missing")
#: What a refusal of another door calls a setting or an argument of a study.
CALLED = {
    "calibration": "classical",
    "covariates": "covariate_bounds",
    "curves": "data",
    "points": "data",
    "rows": "data",
    "shape": "surface",
    "surfaces": "data",
}


class Door(NamedTuple):
    """Where a release comes from: settings, and what pays for it and draws it."""

    settings: Settings | None
    draw: Callable[..., Any]


class Said:
    """The settings of a study, each of which is taken once, and what lies beside an array."""

    def __init__(self, settings: dict[str, Any], data: Any, beside: dict[str, Any]) -> None:
        self._left = settings
        self._beside = beside
        self.data = data
        self.because = settings.get("because")
        #: The setting that has the ends of the domain.
        self.ends = "surface_domain" if "surface" in settings else "domain" if "domain" in settings else "grid"
        self.has_columns = _inputs.is_path(data) or isinstance(data, Mapping) or _inputs.has_columns(data)

    def one(self, name: str, default: Any = None) -> Any:
        """A setting, or what holds where it was not said."""
        return self._left.pop(name, default)

    def all(self, *names: str) -> dict[str, Any]:
        """Settings that were said, for a door that calls them by the same names."""
        return {name: self._left.pop(name) for name in names if name in self._left}

    def column(self, name: str) -> Any:
        """A column that the study names, or what was given for it beside an array."""
        named, given = self.one(name), self._beside.pop(name, None)
        if self.has_columns and given is None:
            return named
        if self.has_columns:
            raise DpfdaError(f"the data have columns, and the study says which: leave {name} out", name)
        if named is None and given is not None:
            raise DpfdaError(f"the study says no {name}: leave {name} out, or agree on a study with it", name)
        if named is not None and given is None:
            raise DpfdaError(f"the study says {name}={named!r}, and an array has no columns: give {name}, one for each row", name)
        return given

    def beside(self, name: str) -> Any:
        """An argument of the release that is no setting."""
        return self._beside.pop(name, None)

    def refuse_rest(self) -> None:
        """Refuses what no door took."""
        for name in self._left:
            text = f"{name}= is no setting of this release in Python: release it by the command, or agree on a study without it"
            raise DpfdaError(text, name)
        for name, given in self._beside.items():
            if given is not None:
                raise DpfdaError(f"a release of this kind has no {name}: leave it out", name)


def released(kind: str, said: Said, digest: str, covariates: str | None, paid: dict[str, Any]) -> Any:
    """Releases by the door of the kind. What it does not have is refused before the data are read."""
    try:
        agreed: dict[str, Any] = {"study": digest, "because": said.because, "axes": _axes(said), "columns": []}
        found = _regression(said, covariates) if covariates is not None else DOORS[kind](said)
        said.refuse_rest()
        if found.settings is None:
            return found.draw(said.data, agreed, **paid)
        found.settings._agreed = agreed
        return found.draw(said.data, **paid)
    except DpfdaError as refused:
        called = {**CALLED, "domain_range": said.ends, "grid_points": said.ends}
        refused.parameter = called.get(refused.parameter or "", refused.parameter)
        raise


def _axes(said: Said) -> tuple[str | None, str | None, str | None]:
    """The names of the axes; units stand behind that of the vertical one."""
    vertical, units = said.one("y_label"), said.one("units")
    if units is not None:
        vertical = f"{vertical or 'value'} ({units})"
    return said.one("s_label"), said.one("x_label"), vertical


def _terms(said: Said) -> dict[str, Any]:
    """The guarantee, the ball and the theorem. A centre has the values of its file."""
    terms = said.all(*BUDGET, *BALL)
    if said.one("classical", False):
        terms["calibration"] = "classical"
    center = said.one("center")
    if isinstance(center, dict):
        rows = [f"{t!r},{value!r}" for t, value in zip(center["t"], center["value"])]
        terms["ball"] = Ball("\n".join(["t,value", *rows, ""]).encode(), terms.pop("radius", None))
    elif center is not None:
        terms["center"] = center
    return terms


def _shares(said: Said, *names: str) -> dict[str, Any]:
    """The shares that buy a ball: 0 buys nothing."""
    return {name: share or None for name, share in said.all(*names).items()}


def _where(said: Said) -> dict[str, Any]:
    """Where the values and their subjects are, and how cells are read."""
    values = said.one("values")
    return {"values": values if said.has_columns else None, "subject": said.column("subject"), **said.all(*CELLS)}


def _grid(said: Said) -> dict[str, Any]:
    """Where the columns lie: equally spaced from 0 to 1 unless the study says something else."""
    grid, periodic = said.one("grid"), said.one("periodic", False)
    known = None if said.has_columns else _inputs._known_grid(said.data)
    if isinstance(grid, list):
        return {"domain_range" if len(grid) == 2 else "grid_points": grid, "periodic": periodic}
    if grid is None and _inputs.is_path(said.data):
        return {"periodic": periodic}
    if grid is None:
        _refuse_known([known], [(0.0, 1.0)], "grid")
        return {"domain_range": (0.0, 1.0), "periodic": periodic}
    if grid == "names" and known is not None:
        return {"periodic": periodic}
    if said.has_columns or grid == "names":
        raise DpfdaError(f"grid={grid!r} is not read in Python: give the two ends, or one point for each column", "grid")
    ends = grid.partition(":")[2].split(",")
    return {"domain_range": [float(end) for end in ends], "periodic": periodic}


def _refuse_known(known: Any, ends: list[tuple[float, float]], setting: str) -> None:
    """Refuses data that lie elsewhere than a study says that says nothing of it."""
    for points, (lower, upper) in zip(known, ends):
        if isinstance(points, list) and not np.allclose(points, np.linspace(lower, upper, len(points))):
            text = f"the study does not say {setting}, and the data lie elsewhere: agree on a study that says it"
            raise DpfdaError(text, setting)


def _mean(said: Said) -> Door:
    settings = PrivateMean(**_terms(said), **_shares(said, "radius_share", "center_share"), **said.all(*MEAN_ALONE))
    where = {**_where(said), **_grid(said)}
    where |= {"threads": said.beside("threads"), "sorted_by_subject": said.beside("sorted_by_subject") or False}
    return Door(settings, lambda data, **paid: settings.release(data, **where, **paid))


def _groups(said: Said) -> Door:
    settings = PrivateMean(**_terms(said), **_shares(said, "radius_share", "center_share"), **said.all("moments", "level"))
    where = {**_where(said), **_grid(said), **said.all("private_labels", "groups_of_subject")}
    by = said.column("by")
    return Door(settings, lambda data, **paid: settings.release_groups(data, by, **where, **paid))


def _rows(said: Said) -> Door:
    terms = {**_terms(said), **_shares(said, "radius_share"), **said.all("bins", "bound", "band", "level")}
    if said.one("gaps") == "rows":
        seen = PrivateMean(**terms, gaps="rows")
        where = {**_where(said), **_grid(said)}
        return Door(seen, lambda data, **paid: seen.release(data, **where, **paid))
    long = PrivateRows(said.one("domain"), **terms, **said.all("periodic"))
    columns = said.all("id", "time", "value", *CELLS)
    return Door(long, lambda data, **paid: long.release(data, **columns, **paid))


def _surface(said: Said) -> Door:
    shares = _shares(said, "radius_share", "center_share")
    settings = PrivateSurface(**_terms(said), **shares, **said.all("band", "level"))
    ends = said.one("surface_domain")
    where = {**_where(said), **said.all("id", "s", "t", "value"), "shape": tuple(int(size) for size in said.one("surface"))}
    where["domain_range"] = ((0.0, 1.0), (0.0, 1.0)) if ends is None else (ends[:2], ends[2:])
    if ends is None and library_of(said.data) in ("skfda", "xarray"):
        _refuse_known(_surface_inputs._numbers(said.data)[1] or [], where["domain_range"], "surface_domain")
    return Door(settings, lambda data, **paid: settings.release(data, **where, **paid))


def _regression(said: Said, covariates: str) -> Door:
    said.all("on", "covariate_bounds")
    shares = _shares(said, "radius_share", "center_share")
    settings = PrivateRegression(_covariates.ranges(covariates), **_terms(said), **shares, **said.all("public_design", "level"))
    where = {**_where(said), **_grid(said), "columns": said.beside("columns")}
    return Door(settings, lambda data, **paid: settings.release(data, **where, **paid))


def _density(said: Said) -> Door:
    if _inputs.is_path(said.data):
        raise DpfdaError("the points of a density are an array or a frame in Python: read the file first", "data")
    bounds, columns = said.one("bounds"), said.one("columns")
    given = said.all(*BUDGET, "mechanism", "unit", "cells", "draws", "missing")
    given["bounds"] = list(zip(bounds[::2], bounds[1::2]))
    given["columns"] = columns if said.has_columns else None

    def draw(data: Any, agreed: dict[str, Any], **paid: Any) -> Any:
        # what was not said has the default of the function
        arguments = {**(density.__kwdefaults__ or {}), **given, "points": data}
        return release_density(arguments, door(**paid, agreed={**agreed, "columns": columns}))

    return Door(None, draw)


DOORS: dict[str, Callable[[Said], Door]] = {
    "density": _density,
    "groups": _groups,
    "mean": _mean,
    "rows": _rows,
    "surface": _surface,
}
