"""Common look of the plots: fonts, colours for all eyes, legends that cover nothing."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import matplotlib
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.transforms import Bbox

__all__ = [
    "STATUS_LOOKS",
    "ModeLook",
    "legend_beside",
    "mark_validity",
    "new_figure",
    "place_legends",
    "styled",
]

Location: TypeAlias = Literal[
    "upper right", "upper left", "lower right", "lower left",
    "upper center", "lower center", "center right", "center left",
]  # fmt: skip

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Colours that people with a colour vision deficiency can tell apart (Okabe and Ito)."""

STYLE: Any = {
    "font.size": 10.0,
    "axes.labelsize": 10.0,
    "axes.titlesize": 10.0,
    "xtick.labelsize": 9.0,
    "ytick.labelsize": 9.0,
    "legend.fontsize": 9.0,
    "legend.framealpha": 1.0,
    "lines.linewidth": 1.3,
    "axes.prop_cycle": cycler(color=COLOURS),
    "axes.formatter.limits": (-4, 5),
    "axes.formatter.use_mathtext": True,
}
LOCATIONS: tuple[Location, ...] = get_args(Location)
MARGIN = 4.0
"""Free space around a legend, in pixels."""

styled = matplotlib.rc_context(STYLE)
"""Decorator of functions that make a figure."""


class ModeLook(NamedTuple):
    """Look of the contact points of one mode: its marker tells it apart without colours too."""

    name: str
    colour: str
    marker: str


STATUS_LOOKS = (
    ModeLook("open", "#A6A6A6", "."),
    ModeLook("stick", "#C4161C", "o"),
    ModeLook("slip", "#FFD21F", "^"),
    ModeLook("gross slip", "#1A8F5A", "s"),
)
"""By contact status; the four differ in lightness."""


def new_figure(width: float = 7.0, height: float = 4.5) -> Figure:
    """Figure of a size in inches whose parts make room for each other."""
    return Figure(figsize=(width, height), layout="constrained")


def legend_beside(axes: Axes, **style: Any) -> None:
    """Put a legend to the right of its panel."""
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), **style)


def place_legends(*panels: Axes, **style: Any) -> None:
    """Put the legends of panels of one figure where they cover no curve, point or text.

    Each goes to a free place inside its panel. If one panel has none, all go to the right of their
    panels. Call it when everything is drawn.
    """
    named = [axes for axes in panels if axes.get_legend_handles_labels()[1]]
    if not named:
        return
    figure = named[0].get_figure(root=True)
    if figure is not None:
        figure.draw_without_rendering()  # the layout, so that pixels have a meaning
    placed = [_inside(axes, style) for axes in named]
    if not all(placed):
        for axes in named:
            legend_beside(axes, **style)


def _inside(axes: Axes, style: dict[str, Any]) -> bool:
    """Put a legend to the first free place; False if there is none."""
    for location in LOCATIONS:
        legend = axes.legend(loc=location, **style)
        box = legend.get_window_extent().padded(MARGIN)
        frame = axes.get_window_extent()
        fits = box.width < frame.width and box.height < frame.height
        if fits and not _covers(box, axes):
            return True
    return False


def _covers(box: Bbox, axes: Axes) -> bool:
    """Whether a box in pixels covers a part of a line, a point or a text."""
    for line in axes.lines:
        path = line.get_transform().transform_path(line.get_path()).cleaned(remove_nans=True)
        kept = np.asarray(path.codes) != Path.STOP
        vertices = np.asarray(path.vertices)[kept]
        if _contains(box, vertices):
            return True
        stroked = line.get_linestyle() not in ("None", "none", "", " ") and len(vertices) > 1
        strokes = Path(vertices, np.asarray(path.codes)[kept])
        if stroked and strokes.intersects_bbox(box, filled=False):
            return True
    for dots in axes.collections:
        if isinstance(dots, PathCollection):
            positions = np.ma.getdata(dots.get_offsets())
            if _contains(box, dots.get_offset_transform().transform(positions)):
                return True
    return any(box.overlaps(text.get_window_extent()) for text in axes.texts)


def _contains(box: Bbox, points: Any) -> bool:
    x, y = np.asarray(points).T
    inside = (x > box.x0) & (x < box.x1) & (y > box.y0) & (y < box.y1)
    return bool(inside.any())


def mark_validity(axes: Axes, valid_to: float, highest: float, vertical: bool = False) -> None:
    """Shade frequencies in Hz beyond the validity of the bodies, along x or, vertical, along y."""
    if valid_to < highest:
        span = axes.axhspan if vertical else axes.axvspan
        span(valid_to, highest, color="0.5", alpha=0.15, linewidth=0.0,
             label=f"not valid, above {valid_to:.4g} Hz")  # fmt: skip
