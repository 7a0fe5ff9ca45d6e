"""Figures of releases; every word in them comes from the release."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes

    from ._density import DensityRelease
    from ._estimated import Band
    from ._facts import Fact
    from ._regression import Function
    from ._surface import SurfaceRelease

STYLE = {"axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.alpha": 0.25, "font.size": 10}
# the palette of the figures that are not drawn by matplotlib: blue, vermilion and soft ink
CURVE = "#0072b2"
#: The size of a caption inside axes, in points.
CAPTION = 6
STAMP = "NOISE FROM A SEED: NOT PRIVATE"


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as pyplot

    with pyplot.rc_context(STYLE):
        axes: Axes = pyplot.subplots(figsize=(7.0, 4.2), layout="constrained")[1]
        return axes


def _finish(ax: Axes, title: str, is_private: bool) -> Axes:
    ax.set_title(title, loc="left")
    if not is_private:
        ax.text(0.5, 0.5, STAMP, transform=ax.transAxes, ha="center", va="center", color="#d55e00", alpha=0.6, rotation=20)
    return ax


def _caption(ax: Axes, words: str, width: int, is_given: bool) -> None:
    """Words below the axes of an own figure, so many letters on a line; or inside axes that were given, below what is drawn."""
    if not is_given:
        # the layout makes room for the whole text
        ax.text(0.0, -0.16, textwrap.fill(words, width), transform=ax.transAxes, fontsize=7, va="top")
        return
    pixels = CAPTION * ax.figure.dpi / 72
    # letters are about half as wide as they are high
    lines = textwrap.wrap(words, max(int(ax.bbox.width / (0.55 * pixels)), 12))
    share = min(1.3 * pixels * len(lines) / ax.bbox.height + 0.02, 0.7)
    lower, upper = ax.get_ylim()
    ax.set_ylim(lower - (upper - lower) * share / (1 - share), upper)
    ax.text(0.01, 0.01, "\n".join(lines), transform=ax.transAxes, fontsize=CAPTION, va="bottom", clip_on=True)


def plot_estimate(band: Band, captions: Sequence[str], is_private: bool, ax: Axes | None = None) -> Axes:
    """Draw an estimate and its band."""
    ax, is_given = _axes(ax), ax is not None
    label = f"{100 * band.level:g} % band for {band.target}"
    ax.fill_between(band.grid_points, band.lower, band.upper, color=CURVE, alpha=0.2, linewidth=0, label=label)
    ax.plot(band.grid_points, band.middle, color=CURVE, label="estimate")
    ax.set_xlabel("t")
    ax.set_ylabel("value")
    # the caption of axes that were given stands at their bottom
    ax.legend(frameon=False, loc="upper right" if is_given else "best", fontsize="small" if is_given else None)
    _caption(ax, "; ".join(captions), 105, is_given)
    return _finish(ax, "Estimated mean function", is_private)


def plot_surface(release: SurfaceRelease, captions: Sequence[str], ax: Axes | None = None) -> Axes:
    """Draw an estimated surface as a heat map, with a line around the points at which the band leaves out the centre."""
    ax, is_given = _axes(ax), ax is not None
    s, t = release.grid_points
    ax.grid(visible=False)
    shown = ax.pcolormesh(t, s, release.values, shading="nearest", cmap="viridis", rasterized=True)
    ax.figure.colorbar(shown, ax=ax, label="value")
    told = release.told_from_center
    if told.any() and not told.all():
        for color, width in (("white", 3.5), ("black", 1.5)):
            ax.contour(t, s, told.astype(float), levels=[0.5], colors=color, linewidths=width)
    ax.set_xlabel("t")
    ax.set_ylabel("s")
    # not wider than the heat map
    _caption(ax, "; ".join([_told(told), *captions]), 84, is_given)
    return _finish(ax, "Estimated mean surface", release.is_private)


def _told(told: npt.NDArray[Any]) -> str:
    """Where the band leaves out the centre."""
    if told.all():
        return "the band leaves out the centre at every point"
    return "inside the line the band leaves out the centre" if told.any() else "the band holds the centre at every point"


def plot_density(release: DensityRelease, ax: Axes | None = None) -> Axes:
    """Draw a density of one column."""
    ax = _axes(ax)
    ax.stairs(release.density, release.edges[0], fill=True, color=CURVE, alpha=0.5)
    ax.set_ylabel("density")
    return _finish(ax, "Released density", release.is_private)


def plot_functions(functions: Mapping[str, Function], axes: Any, level: float, is_private: bool) -> npt.NDArray[Any]:
    """Draw each coefficient function with its band, a panel for each."""
    import numpy as np

    if axes is None:
        import matplotlib.pyplot as pyplot

        with pyplot.rc_context(STYLE):
            axes = pyplot.subplots(1, len(functions), figsize=(4.2 * len(functions), 3.6), layout="constrained")[1]
    panels = np.atleast_1d(np.asarray(axes, dtype=object)).ravel()
    for at, (panel, (name, found)) in enumerate(zip(panels, functions.items())):
        label = f"{100 * level:g} % band"
        panel.fill_between(found.grid_points, found.lower, found.upper, color=CURVE, alpha=0.2, linewidth=0, label=label)
        panel.plot(found.grid_points, found.values, color=CURVE, label="estimate")
        if at > 0:
            panel.axhline(0, color="#555555", linewidth=0.8, label="no effect")
        panel.set_xlabel("t")
        _finish(panel, name, is_private)
    panels[0].legend(frameon=False)
    return panels


def html(svg: str, facts: Sequence[Fact]) -> str:
    """A figure, where there is one, with the facts below it, for a notebook."""
    from html import escape

    rows = "".join(
        f"<tr><th style='text-align:left;vertical-align:top'>{escape(fact.name)}</th>"
        f"<td style='text-align:left'>{escape(fact.text)}</td></tr>"
        for fact in facts
    )
    figure = svg[svg.index("<svg") :] if svg else ""
    return f"<div>{figure}<table>{rows}</table></div>"
