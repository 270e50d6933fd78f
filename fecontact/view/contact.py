"""Plots of contact: maps of pressure, modes and wear, hysteresis loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from fecontact.typing import Floats, Integers

__all__ = ["contact_maps", "loops_plot", "wear_maps"]

MODES = {0: ("open", "0.85"), 1: ("stick", "tab:blue"), 2: ("slip", "tab:red")}

Curve = tuple[Floats, Floats]


def contact_maps(
    points: Floats, pressure: Floats, modes: Mapping[str, Integers], unit: float = 1e3
) -> Figure:
    """Pressure of contact points (p, 2 or 3) seen along z, and their modes at named loads.

    Lengths are drawn in m times `unit`, pressure in MPa.
    """
    x, y = unit * points[:, 0], unit * points[:, 1]
    figure = Figure(figsize=(4.0 * (1 + len(modes)), 3.8), layout="constrained")
    row = figure.subplots(1, 1 + len(modes), squeeze=False)[0]
    closed = pressure > 0.0
    dots = row[0].scatter(x[closed], y[closed], c=1e-6 * pressure[closed], s=14)
    row[0].scatter(x[~closed], y[~closed], c="0.85", s=6)
    row[0].set_title("pressure", fontsize="small")
    figure.colorbar(dots, ax=row[0], label="pressure / MPa")
    for axes, (title, mode) in zip(row[1:], modes.items(), strict=True):
        for number, (label, colour) in MODES.items():
            on = mode == number
            axes.scatter(x[on], y[on], c=colour, s=14 if number else 6, label=label)
        axes.set_title(title, fontsize="small")
        axes.legend(fontsize="x-small", loc="upper right")
    for axes in row:
        axes.set(xlabel="x / mm", ylabel="y / mm", aspect="equal")
    return figure


def wear_maps(points: Floats, weights: Floats, wear: Floats, unit: float = 1e3) -> Figure:
    """Slip work per area (heat) and slip path of contact points with weights, seen along z.

    `wear` (p, 2) is that of `ContactHistory`; lengths are drawn in m times `unit`.
    """
    x, y = unit * points[:, 0], unit * points[:, 1]
    figure = Figure(figsize=(9.0, 3.8), layout="constrained")
    maps = {"slip work / (J/m^2)": wear[:, 0] / weights, "slip path / µm": 1e6 * wear[:, 1]}
    for axes, (label, values) in zip(figure.subplots(1, 2), maps.items(), strict=True):
        worn = values > 0.0
        axes.scatter(x[~worn], y[~worn], c="0.85", s=6)
        dots = axes.scatter(x[worn], y[worn], c=values[worn], s=14, cmap="inferno")
        figure.colorbar(dots, ax=axes, label=label)
        axes.set(xlabel="x / mm", ylabel="y / mm", aspect="equal")
    return figure


def loops_plot(
    panels: Sequence[tuple[str, Mapping[str, Curve], Mapping[str, Curve]]],
    xlabel: str,
    ylabel: str,
) -> Figure:
    """Force over displacement: panels of a title, curves, and references drawn as open dots."""
    figure = Figure(figsize=(5.2 * len(panels), 4.2), layout="constrained")
    row = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, (title, curves, dots) in zip(row, panels, strict=True):
        for label, (x, y) in curves.items():
            axes.plot(x, y, label=label)
        for label, (x, y) in dots.items():
            axes.plot(x, y, "o", fillstyle="none", markersize=4, label=label)
        axes.axhline(0.0, color="0.8", linewidth=0.8)
        axes.axvline(0.0, color="0.8", linewidth=0.8)
        axes.set(xlabel=xlabel, ylabel=ylabel)
        axes.set_title(title, fontsize="small")
        axes.legend(fontsize="x-small")
    return figure
