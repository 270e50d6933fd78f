"""Plots of branches of solutions over a parameter, with their stable and unstable parts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fecontact.typing import Floats
from fecontact.view.style import COLOURS, legend_beside, new_figure, styled

__all__ = ["branch_panels"]

Booleans = npt.NDArray[np.bool_]


@styled
def branch_panels(
    parameter: Floats,
    panels: Mapping[str, Floats],
    stable: Booleans,
    xlabel: str,
    *,
    marks: Mapping[str, float] | None = None,
    dots: Mapping[str, Mapping[str, tuple[Floats, Floats]]] | None = None,
) -> Figure:
    """Quantities along a branch, one panel for each ordinate label.

    Parameters
    ----------
    parameter, stable : (k,)
        Along the branch, in its order: it may turn round.
    panels
        Ordinate label -> values (k,); unstable parts are dashed.
    xlabel
        Label of the parameter.
    marks
        Named values of the parameter, drawn as vertical lines.
    dots
        Ordinate label -> name -> points of other methods.
    """
    figure = new_figure(8.5, 1.6 + 2.4 * len(panels))
    column = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (ylabel, values) in zip(column, panels.items(), strict=True):
        _draw(axes, parameter, values, stable)
        for index, (name, value) in enumerate((marks or {}).items()):
            axes.axvline(value, color="gray", linestyle=(":", "-.")[index % 2], label=name)
        for index, (name, (x, y)) in enumerate((dots or {}).get(ylabel, {}).items()):
            axes.plot(x, y, "os^D"[index % 4], color=COLOURS[1], fillstyle="none", label=name)
        axes.set(ylabel=ylabel)
        legend_beside(axes)
    column[-1].set(xlabel=xlabel)
    return figure


def _draw(axes: Axes, parameter: Floats, values: Floats, stable: Booleans) -> None:
    """Stable parts solid; a piece between two points is unstable if one of them is."""
    loose = ~stable
    loose[:-1] |= ~stable[1:]
    loose[1:] |= ~stable[:-1]
    for name, shown, line in (("stable", stable, "-"), ("unstable", loose, "--")):
        if shown.any():
            drawn = np.where(shown, values, np.nan)
            axes.plot(parameter, drawn, line, color=COLOURS[0], linewidth=1.4, label=name)
