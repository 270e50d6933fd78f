"""Plots of motions: histories against references, and mechanisms in space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fecontact.typing import Floats
from fecontact.view.plots import MARKERS
from fecontact.view.style import legend_beside, new_figure, styled

__all__ = ["Curve", "history_panels", "mechanism_panels"]

Curve = tuple[Floats, Floats]
"""Abscissa and ordinate."""


@styled
def history_panels(
    panels: Mapping[str, Mapping[str, Curve]],
    references: Mapping[str, Mapping[str, Curve]] | None = None,
    *,
    logarithmic: bool = False,
    xlabel: str = "time / s",
) -> Figure:
    """Curves over time, one panel for each ordinate label.

    Parameters
    ----------
    panels
        Ordinate label -> name -> curve.
    references
        Ordinate label -> name -> points, drawn as circles in the colour of the curve of that name;
        points of another name are called by it.
    logarithmic
        Whether the ordinates are logarithmic.
    xlabel
        Label of the common abscissa.
    """
    figure = new_figure(8.5, 1.6 + 2.4 * len(panels))
    column = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (ylabel, curves) in zip(column, panels.items(), strict=True):
        _draw(axes, curves, (references or {}).get(ylabel, {}))
        axes.set(ylabel=ylabel, yscale="log" if logarithmic else "linear")
        legend_beside(axes)
    column[-1].set(xlabel=xlabel)
    return figure


def _draw(axes: Axes, curves: Mapping[str, Curve], points: Mapping[str, Curve]) -> None:
    colours = {}
    for name, (x, y) in curves.items():
        (line,) = axes.plot(x, y, linewidth=1.2, label=name)
        colours[name] = line.get_color()
    own = iter(MARKERS)
    for name, (x, y) in points.items():
        if name in colours:
            axes.plot(x, y, "o", color=colours[name], fillstyle="none", markersize=4)
        else:
            axes.plot(x, y, next(own), color="black", fillstyle="none", markersize=5, label=name)
    if colours.keys() & points.keys():
        axes.plot([], [], "o", color="gray", fillstyle="none", markersize=4, label="reference")


@styled
def mechanism_panels(
    panels: Mapping[str, tuple[Sequence[Floats], Sequence[Floats]]],
    *,
    elevation: float = 20.0,
    azimuth: float = -60.0,
) -> Figure:
    """Mechanisms in space at several times, all panels seen from the same side.

    Parameters
    ----------
    panels
        Title -> outlines (k, 3) from early (light) to late (dark), and paths (k, 3) of points.
    elevation, azimuth
        Direction of view in degrees.
    """
    columns = min(len(panels), 3)
    rows = -(-len(panels) // columns)
    width = 6.0 if columns == 1 else 3.4 * columns
    figure = new_figure(width, (5.5 if columns == 1 else 3.4) * rows)
    shades = matplotlib.colormaps["viridis_r"]
    for index, (title, (outlines, paths)) in enumerate(panels.items(), start=1):
        axes = figure.add_subplot(rows, columns, index, projection="3d")
        for part, outline in zip(np.linspace(0.1, 1.0, len(outlines)), outlines, strict=True):
            axes.plot(*outline.T, "-", color=shades(part), linewidth=1.6)
        for path in paths:
            axes.plot(*path.T, "-", color="tab:red", linewidth=0.7)
        every = np.concatenate([*outlines, *paths])
        low, high = every.min(axis=0), every.max(axis=0)
        half = np.maximum(0.5 * (high - low), 0.15 * float((high - low).max()))
        limits = np.array([0.5 * (low + high) - half, 0.5 * (low + high) + half]).T
        axes.set(xlim=limits[0], ylim=limits[1], zlim=limits[2])
        axes.set_box_aspect(half, zoom=0.85 if columns == 1 else 0.75)
        axes.view_init(elevation, azimuth)
        axes.set_title(title)
        axes.set(xlabel="x / m", ylabel="y / m")
        axes.set_zlabel("z / m", labelpad=8.0)
        axes.tick_params(axis="z", pad=6.0)
        axes.tick_params(labelsize=8 if columns == 1 else 6)
        axes.locator_params(nbins=4)
    return figure
