"""Figures of releases by matplotlib; every word in them comes from the release."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ._documents import Fact
from ._types import axes, figure

Array = npt.NDArray[np.float64]
STYLE = {"axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.alpha": 0.25, "font.size": 10}
# the palette of the figures that are not drawn by matplotlib: blue, vermilion and soft ink
CURVE = "#0072b2"
#: The size of a caption inside axes, in points.
CAPTION = 6
STAMP = "NOISE FROM A SEED: NOT PRIVATE"


class Banded(Protocol):
    """A function with its band."""

    @property
    def grid_points(self) -> Any: ...

    @property
    def lower(self) -> Any: ...

    @property
    def upper(self) -> Any: ...


class Shown(Banded, Protocol):
    """A function with its band, as a release shows it."""

    @property
    def middle(self) -> Any: ...

    @property
    def level(self) -> Any: ...

    @property
    def target(self) -> Any: ...


class OnRectangle(Shown, Protocol):
    """A surface with its band."""

    @property
    def told_from_center(self) -> Any: ...


class Varying(Protocol):
    """How curves vary around their mean."""

    @property
    def functions(self) -> Any: ...

    @property
    def grid_points(self) -> Any: ...

    @property
    def lower(self) -> Any: ...

    @property
    def upper(self) -> Any: ...

    @property
    def explained(self) -> Any: ...


class Canvas:
    """Where a figure is drawn: axes that were given, or new ones in a figure that was given or is new."""

    def __init__(self, ax: Any, fig: figure.FigureBase | None, panels: int, title: str | None, is_private: bool) -> None:
        self._is_given = ax is not None or fig is not None
        self._title = title
        self._is_private = is_private
        self._axes = self._made(fig, max(panels, 1)) if ax is None else np.atleast_1d(np.asarray(ax, dtype=object)).ravel()

    def _made(self, fig: figure.FigureBase | None, panels: int) -> Any:
        import matplotlib.pyplot as pyplot

        with pyplot.rc_context(STYLE):
            if fig is None:
                size = (7.0, 4.2) if panels == 1 else (4.2 * panels, 3.6)
                fig = pyplot.figure(figsize=size, layout="constrained")
            return np.atleast_1d(np.asarray(fig.subplots(1, panels), dtype=object)).ravel()

    def _finish(self, ax: axes.Axes, title: str) -> None:
        ax.set_title(title, loc="left")
        if not self._is_private:
            ax.text(0.5, 0.5, STAMP, transform=ax.transAxes, ha="center", va="center", color="#d55e00", alpha=0.6, rotation=20)

    def _caption(self, ax: axes.Axes, words: str, width: int) -> None:
        """Words below the axes of an own figure, so many letters on a line; or at the bottom of axes that were given."""
        if not self._is_given:
            # the layout makes room for the whole text
            ax.text(0.0, -0.16, textwrap.fill(words, width), transform=ax.transAxes, fontsize=7, va="top")
            return
        dots = getattr(ax.figure, "dpi", 100)
        pixels = CAPTION * dots / 72
        # letters are about half as wide as they are high
        lines = textwrap.wrap(words, max(int(ax.bbox.width / (0.55 * pixels)), 12))
        share = min(1.3 * pixels * len(lines) / ax.bbox.height + 0.02, 0.7)
        lower, upper = ax.get_ylim()
        ax.set_ylim(lower - (upper - lower) * share / (1 - share), upper)
        ax.text(0.01, 0.01, "\n".join(lines), transform=ax.transAxes, fontsize=CAPTION, va="bottom", clip_on=True)

    def curve(self, band: Shown, labels: tuple[str, str, str], captions: Sequence[str], color: Any) -> axes.Axes:
        """Draw an estimate and its band."""
        ax: axes.Axes = self._axes[0]
        _banded(ax, band, band.middle, f"{100 * band.level:g} % band for {band.target}", color or CURVE)
        ax.set_xlabel(labels[1])
        ax.set_ylabel(labels[2])
        # the caption of axes that were given stands at their bottom
        place, size = ("upper right", "small") if self._is_given else ("best", None)
        ax.legend(frameon=False, loc=place, fontsize=size)
        self._caption(ax, "; ".join(captions), 105)
        self._finish(ax, self._title or "Estimated mean function")
        return ax

    def surface(self, band: OnRectangle, labels: tuple[str, str, str], captions: Sequence[str], color: Any) -> axes.Axes:
        """Draw an estimated surface as a heat map, with a line around the points at which the band leaves out the centre."""
        ax: axes.Axes = self._axes[0]
        s, t = band.grid_points
        ax.grid(visible=False)
        shown = ax.pcolormesh(t, s, band.middle, shading="nearest", cmap=color or "viridis", rasterized=True)
        ax.figure.colorbar(shown, ax=ax, label=labels[2])
        told = band.told_from_center
        if told.any() and not told.all():
            for line, width in (("white", 3.5), ("black", 1.5)):
                ax.contour(t, s, told.astype(float), levels=[0.5], colors=line, linewidths=width)
        ax.set_xlabel(labels[1])
        ax.set_ylabel(labels[0])
        # not wider than the heat map
        self._caption(ax, "; ".join([_told(told), *captions]), 84)
        self._finish(ax, self._title or "Estimated mean surface")
        return ax

    def density(
        self, edges: Sequence[Array], values: Array, names: Sequence[str], captions: Sequence[str], color: Any
    ) -> axes.Axes:
        """Draw a density of one or two columns."""
        ax: axes.Axes = self._axes[0]
        if len(edges) == 1:
            ax.stairs(values, edges[0], fill=True, color=color or CURVE, alpha=0.5)
            ax.set_ylabel("density")
        else:
            ax.grid(visible=False)
            shown = ax.pcolormesh(edges[0], edges[1], values.T, cmap=color or "viridis", rasterized=True)
            ax.figure.colorbar(shown, ax=ax, label="density")
            ax.set_ylabel(names[1])
        ax.set_xlabel(names[0])
        self._caption(ax, "; ".join(captions), 105)
        self._finish(ax, self._title or "Released density")
        return ax

    def chart(self, curves: Mapping[float, Any], labels: tuple[str, str, str], level: float, color: Any) -> axes.Axes:
        """Draw centile curves, shaded between those that mirror each other."""
        ax: axes.Axes = self._axes[0]
        for p, curve in curves.items():
            ax.plot(curve.grid_points, curve.values, color=color or CURVE, label=f"{p:g} %", linewidth=2 if p == 50 else 1)
            mirror = curves.get(100 - p)
            if p < 50 and mirror is not None:
                ax.fill_between(curve.grid_points, curve.values, mirror.values, color=color or CURVE, alpha=0.15, linewidth=0)
        ax.set_xlabel(labels[1])
        ax.set_ylabel(labels[2])
        ends = [(curve.grid_points[-1], curve.values[-1], p) for p, curve in curves.items()]
        for t, value, p in ends:
            ax.annotate(f"{p:g} %", (t, value), xytext=(3, 0), textcoords="offset points", fontsize=7, va="center")
        self._caption(ax, f"each centile has a {100 * level:g} % band, which is not drawn: see centile()", 105)
        self._finish(ax, self._title or "Private centile curves")
        return ax

    def panels(
        self, functions: Mapping[str, Any], labels: tuple[str, str, str], level: float, color: Any, zero: bool
    ) -> npt.NDArray[Any]:
        """Draw each function with its band, a panel for each."""
        if len(self._axes) < len(functions):
            raise ValueError(f"give {len(functions)} axes, one for each of {', '.join(functions)}")
        for at, (panel, (name, found)) in enumerate(zip(self._axes, functions.items())):
            _banded(panel, found, found.values, f"{100 * level:g} % band", color or CURVE)
            if zero and at > 0:
                panel.axhline(0, color="#555555", linewidth=0.8, label="no effect")
            panel.set_xlabel(labels[1])
            self._finish(panel, name)
        self._axes[0].set_ylabel(labels[2])
        self._axes[0].legend(frameon=False)
        return self._panels()

    def components(self, found: Varying, color: Any) -> npt.NDArray[Any]:
        """Draw each component with its band for privacy noise, a panel for each."""
        for at, (panel, function) in enumerate(zip(self._axes, found.functions)):
            panel.fill_between(found.grid_points, found.lower[at], found.upper[at], color=color or CURVE, alpha=0.2, linewidth=0)
            panel.plot(found.grid_points, function, color=color or CURVE)
            share = found.explained[at]
            told = "" if np.isnan(share) else f": {100 * share:.0f} % of the variance"
            panel.set_xlabel("t")
            self._finish(panel, f"Component {at + 1}{told}")
        if not len(found.functions):
            self._finish(self._axes[0], "The noise hides every component")
        return self._panels()

    def _panels(self) -> npt.NDArray[Any]:
        found: npt.NDArray[Any] = self._axes
        return found


def _banded(ax: axes.Axes, band: Banded, middle: Any, label: str, color: Any) -> None:
    ax.fill_between(band.grid_points, band.lower, band.upper, color=color, alpha=0.2, linewidth=0, label=label)
    ax.plot(band.grid_points, middle, color=color, label="estimate")


def _told(told: npt.NDArray[Any]) -> str:
    """Where the band leaves out the centre."""
    if told.all():
        return "the band leaves out the centre at every point"
    return "inside the line the band leaves out the centre" if told.any() else "the band holds the centre at every point"


def html(svg: str, facts: Sequence[Fact]) -> str:
    """A figure, where there is one, with the facts below it, for a notebook."""
    from html import escape

    rows = "".join(
        f"<tr><th style='text-align:left;vertical-align:top'>{escape(fact.name)}</th>"
        f"<td style='text-align:left'>{escape(fact.text)}</td></tr>"
        for fact in facts
    )
    shown = svg[svg.index("<svg") :] if svg else ""
    return f"<div>{shown}<table>{rows}</table></div>"
