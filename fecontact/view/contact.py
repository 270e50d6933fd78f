"""Plots of contact: maps of pressure, status and slip work, status over time, hysteresis loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from fecontact.typing import Floats, Integers
from fecontact.view.style import STATUS_LOOKS, legend_beside, new_figure, place_legends, styled

__all__ = [
    "contact_map",
    "contact_maps",
    "contact_states",
    "loops_plot",
    "point_view",
    "slip_maps",
]

Curve = tuple[Floats, Floats]
FLAT = 1e-9
"""Least extent of a patch relative to its largest one."""


@styled
def contact_map(
    points: Floats, fields: Mapping[str, Floats], status: Integers, title: str = ""
) -> Figure:
    """Fields and status of contact points (p, 3) at one instant, one panel each.

    The points are seen along the axis of their least extent, in mm. `fields` maps a label with
    its unit to values (p,); open points are drawn in grey.
    """
    x, y, labels = point_view(points)
    figure, row = _row(1 + len(fields), x, y)
    closed = status > 0
    for axes, (label, values) in zip(row[1:], fields.items(), strict=True):
        axes.scatter(x[~closed], y[~closed], c=STATUS_LOOKS[0].colour, s=6)
        _coloured(axes, x[closed], y[closed], values[closed], label)
    _draw_statuses(row[0], x, y, status)
    row[0].set_title("state of the points")
    for axes in row:
        axes.set(xlabel=labels[0], ylabel=labels[1])
    figure.suptitle(title, fontsize=10.0)
    figure.legend(loc="outside lower left", ncols=len(STATUS_LOOKS))
    return figure


@styled
def contact_maps(
    points: Floats, pressure: Floats, statuses: Mapping[str, Integers], unit: float = 1e3
) -> Figure:
    """Pressure of contact points (p, 2 or 3) seen along z, and their status at named loads.

    Lengths are drawn in m times `unit`, pressure in MPa.
    """
    x, y = unit * points[:, 0], unit * points[:, 1]
    figure, row = _row(1 + len(statuses), x, y)
    closed = pressure > 0.0
    row[0].scatter(x[~closed], y[~closed], c=STATUS_LOOKS[0].colour, s=6)
    _coloured(row[0], x[closed], y[closed], 1e-6 * pressure[closed], "pressure / MPa")
    for axes, (title, status) in zip(row[1:], statuses.items(), strict=True):
        _draw_statuses(axes, x, y, status, numbers=False)
        axes.set_title(title)
    for axes in row:
        axes.set(xlabel="x / mm", ylabel="y / mm")
    if statuses:
        looks = {h.get_label(): h for axes in row for h in axes.get_legend_handles_labels()[0]}
        figure.legend(handles=list(looks.values()), loc="outside lower right", ncols=len(looks))
    return figure


def point_view(points: Floats) -> tuple[Floats, Floats, tuple[str, str]]:
    """Coordinates in mm along the two axes of largest extent, and their labels.

    Examples
    --------
    >>> x, y, labels = point_view(np.array([[0.0, 5.0, 0.0], [0.0, 5.1, 0.2]]))
    >>> labels
    ('y / mm', 'z / mm')
    """
    first, second = np.sort(np.argsort(np.ptp(points, axis=0), kind="stable")[1:])
    labels = f"{'xyz'[first]} / mm", f"{'xyz'[second]} / mm"
    return 1e3 * points[:, first], 1e3 * points[:, second], labels


@styled
def contact_states(t: Floats, statuses: Mapping[str, Integers]) -> Figure:
    """Numbers of open, sticking and slipping points over time, one panel for each contact.

    `statuses` maps the name of a contact to the status (k, p) of its points.
    """
    figure = new_figure(8.0, 1.2 + 2.2 * len(statuses))
    column = figure.subplots(len(statuses), 1, sharex=True, squeeze=False)[:, 0]
    for axes, (name, status) in zip(column, statuses.items(), strict=True):
        codes = range(len(STATUS_LOOKS) - 1, -1, -1)  # sliding below, open on top
        counts = [np.count_nonzero(status == code, axis=1) for code in codes]
        looks = [STATUS_LOOKS[code] for code in codes]
        colours = [look.colour for look in looks]
        labels = [look.name for look in looks]
        axes.stackplot(t, counts, colors=colours, labels=labels, edgecolor="0.2", linewidth=0.4)
        axes.set(ylabel=f"points of\n{name}", ylim=(0, status.shape[1]), xlim=(t[0], t[-1]))
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
        legend_beside(axes, reverse=True)
    column[-1].set(xlabel="time / s")
    return figure


@styled
def slip_maps(
    points: Floats, weights: Floats, slip_totals: Floats, power: Mapping[str, Floats] | None = None
) -> Figure:
    """Slip work per area (heat) and slip path of contact points with weights.

    `slip_totals` (p, 2) is that of `ContactHistory`, `power` maps an instant ("at 2 s") to the slip
    power (p,) of `ContactReport`, drawn per area; points without slip are drawn in grey.
    """
    x, y, labels = point_view(points)
    maps = {
        "slip work / (J/m²)": slip_totals[:, 0] / weights,
        "slip path / µm": 1e6 * slip_totals[:, 1],
    }
    for when, now in (power or {}).items():
        maps[f"slip power {when} / (W/m²)"] = now / weights
    figure, row = _row(len(maps), x, y)
    for axes, (label, values) in zip(row, maps.items(), strict=True):
        worn = values > 0.0
        axes.scatter(x[~worn], y[~worn], c=STATUS_LOOKS[0].colour, s=6)
        _coloured(axes, x[worn], y[worn], values[worn], label)
        axes.set(xlabel=labels[0], ylabel=labels[1])
    return figure


@styled
def loops_plot(
    panels: Sequence[tuple[str, Mapping[str, Curve], Mapping[str, Curve]]],
    xlabel: str,
    ylabel: str,
) -> Figure:
    """Force over displacement: panels of a title, curves, and references drawn as open dots."""
    figure = new_figure(5.2 * len(panels), 4.2)
    row = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, (title, curves, dots) in zip(row, panels, strict=True):
        for label, (x, y) in curves.items():
            axes.plot(x, y, label=label)
        for label, (x, y) in dots.items():
            axes.plot(x, y, "o", fillstyle="none", markersize=4, label=label)
        axes.axhline(0.0, color="0.8", linewidth=0.8, zorder=0)
        axes.axvline(0.0, color="0.8", linewidth=0.8, zorder=0)
        axes.set(xlabel=xlabel, ylabel=ylabel)
        axes.set_title(title)
    place_legends(*row)
    return figure


def _row(panels: int, x: Floats, y: Floats) -> tuple[Figure, list[Axes]]:
    """Panels of equal scale in a row, as high as the patch is; a line of points stays visible."""
    wide, high = float(np.ptp(x)), float(np.ptp(y))
    fraction = min(max(high / wide if wide > 0.0 else 1.0, 0.35), 1.2)
    figure = new_figure(4.2 * panels, 3.4 * fraction + 1.4)
    row = list(figure.subplots(1, panels, squeeze=False)[0])
    if min(wide, high) > FLAT * max(wide, high):
        for axes in row:
            axes.set_aspect("equal", adjustable="datalim")
    return figure, row


def _coloured(axes: Axes, x: Floats, y: Floats, values: Floats, label: str) -> None:
    dots = axes.scatter(x, y, c=values, s=16, cmap="viridis")
    axes.figure.colorbar(dots, ax=axes, label=label)


def _draw_statuses(
    axes: Axes, x: Floats, y: Floats, status: Integers, numbers: bool = True
) -> None:
    for code, look in enumerate(STATUS_LOOKS):
        on = status == code
        if not on.any():
            continue
        label = f"{look.name}, {np.count_nonzero(on)}" if numbers else look.name
        axes.scatter(
            x[on],
            y[on],
            s=18 if code else 24,
            c=look.colour,
            marker=look.marker,
            edgecolors="0.2" if code else "none",
            linewidths=0.3,
            label=label,
        )
