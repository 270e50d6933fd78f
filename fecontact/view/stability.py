"""Plots of stability analyses: modes over a parameter, Campbell diagram, power of a mode, maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke

from fecontact.analysis.stability.maps import StabilityMap
from fecontact.analysis.stability.power import PowerBalance
from fecontact.analysis.stability.regions import Region
from fecontact.analysis.stability.tracking import Tracks
from fecontact.typing import Floats

__all__ = ["campbell_plot", "map_plot", "power_plot", "tracks_plot"]

COLOURS = {"failed": "0.5", "flutter": "tab:red", "divergence": "tab:orange", "stable": "white"}
GROWING = "grows"
HALO = (withStroke(linewidth=2.5, foreground="white"),)
"""Makes words legible across a boundary."""


def tracks_plot(tracks: Tracks, parameter: str, highest: float = np.inf) -> Figure:
    """Frequencies and growth rates of tracked modes up to `highest` Hz; growing parts are red.

    Above the dotted line the elastic bodies are not valid.
    """
    figure = Figure(figsize=(7.0, 6.0), layout="constrained")
    frequency, growth = figure.subplots(2, 1, sharex=True)
    for mode in np.flatnonzero(np.nanmin(tracks.frequency, axis=0) <= highest).tolist():
        (line,) = frequency.plot(tracks.values, tracks.frequency[:, mode], linewidth=1.0)
        growth.plot(tracks.values, tracks.growth[:, mode], color=line.get_color(), linewidth=1.0)
        _mark_growing(frequency, tracks, mode, tracks.frequency)
        _mark_growing(growth, tracks, mode, tracks.growth)
    growth.axhline(0.0, color="black", linewidth=0.8)
    _validity_line(frequency, tracks, highest)
    frequency.set(ylabel="frequency / Hz")
    growth.set(xlabel=parameter, ylabel="growth rate / (1/s)")
    return figure


def campbell_plot(
    tracks: Tracks, orders: Sequence[float] = (1.0,), highest: float = np.inf
) -> Figure:
    """Frequencies over the speed in rad/s, with lines of engine orders; growing parts are red.

    Above the dotted line the elastic bodies are not valid.
    """
    figure = Figure(figsize=(7.0, 4.5), layout="constrained")
    axes = figure.subplots()
    for mode in np.flatnonzero(np.nanmin(tracks.frequency, axis=0) <= highest).tolist():
        axes.plot(tracks.values, tracks.frequency[:, mode], color="tab:blue", linewidth=1.0)
        _mark_growing(axes, tracks, mode, tracks.frequency)
    for order in orders:
        label = f"order {order:g}"
        axes.plot(tracks.values, order * tracks.values / (2 * np.pi), "k--", linewidth=0.8)
        end = tracks.values[-1], order * tracks.values[-1] / (2 * np.pi)
        axes.annotate(
            label, end, textcoords="offset points", xytext=(-2, 2), ha="right", fontsize="small"
        )
    _validity_line(axes, tracks, highest)
    if np.isfinite(highest):
        axes.set_ylim(0.0, highest)
    axes.set(xlabel="speed / (rad/s)", ylabel="frequency / Hz")
    return figure


def _mark_growing(axes: Axes, tracks: Tracks, mode: int, values: Floats) -> None:
    """Draw the part of a mode that grows in red, with one entry of the legend for all modes."""
    grows = tracks.growth[:, mode] > 1e-9 * np.abs(tracks.eigenvalues[:, mode])
    shown = np.where(grows, values[:, mode], np.nan)
    known = GROWING in axes.get_legend_handles_labels()[1]
    label = GROWING if grows.any() and not known else None
    axes.plot(tracks.values, shown, color="tab:red", linewidth=3.0, alpha=0.6, label=label)


def _validity_line(axes: Axes, tracks: Tracks, highest: float) -> None:
    """Draw the frequency up to which all bodies are valid, where it is seen; and the legend."""
    if np.min(tracks.valid_to) < min(highest, axes.get_ylim()[1]):
        axes.plot(tracks.values, tracks.valid_to, ":", color="0.4", label="bodies valid up to here")
    if axes.get_legend_handles_labels()[1]:
        axes.legend(loc="best", fontsize="small")


def power_plot(balance: PowerBalance, shown: int = 10) -> Figure:
    """Bars of what feeds and what takes from a mode, in 1/s of its growth rate.

    Terms below a thousandth of the largest are left out.
    """
    largest = sorted(balance.terms, key=lambda term: -abs(term.total))[:shown]
    least = 1e-3 * abs(largest[0].total) if largest else 0.0
    terms = sorted(
        (term for term in largest if abs(term.total) >= least), key=lambda term: term.total
    )
    figure = Figure(figsize=(7.0, 1.2 + 0.32 * len(terms)), layout="constrained")
    axes = figure.subplots()
    colours = ["tab:red" if term.total > 0.0 else "tab:blue" for term in terms]
    axes.barh([term.label for term in terms], [term.total for term in terms], color=colours)
    axes.axvline(0.0, color="black", linewidth=0.8)
    z = balance.eigenvalue
    axes.set(
        xlabel="part of the growth rate / (1/s)",
        title=f"{z.imag / (2 * np.pi):.1f} Hz, growth {z.real:+.3g} 1/s",
    )
    return figure


def map_plot(
    result: StabilityMap,
    regions: Sequence[Region] = (),
    labels: tuple[str, str] | None = None,
    *,
    curves: Mapping[str, tuple[Floats, Floats]] | None = None,
) -> Figure:
    """Map with its refined cells, the boundary, and the regions with frequency and mechanism.

    The labels of the axes are by default the names of the parameters. `curves`, such as boundaries
    in closed form, are drawn dashed. What grows outside the band, also where the map is stable, is
    said above it.
    """
    figure = Figure(figsize=(7.5, 6.0), layout="constrained")
    axes = figure.subplots()
    shapes, kinds = [], []
    for cell in result.cells:
        corners = {result.points[grid_point].label for grid_point in cell.corners}
        whole = corners == {"stable"} or "failed" in corners
        outline = [result.value(grid_point) for grid_point in cell.corners]
        shapes.append(outline if whole else [grid_point for grid_point, _ in result.outline(cell)])
        kinds.append(min(corners, key=list(COLOURS).index) if whole else max(corners - {"stable"}))
    colours = [COLOURS[kind] for kind in kinds]
    axes.add_collection(PolyCollection(shapes, facecolors=colours, alpha=0.35, linewidths=0.0))
    axes.add_collection(LineCollection(list(result.boundary()), colors="black", linewidths=1.0))
    for region in regions[:8]:
        text = region.kind if region.kind != "flutter" else _frequencies(region)
        if region.kind == "divergence":
            text = region.mechanism or text
        elif region.kind == "flutter" and region.mechanism:
            text += f"\n{region.mechanism}"
        if not region.valid:
            text += "\nnot valid"
        across, up = (
            (value - axis.low) / (axis.high - axis.low)
            for value, axis in zip(region.centre, (result.x, result.y), strict=True)
        )
        ha, va = _towards(across, "left", "right"), _towards(up, "bottom", "top")
        axes.annotate(text, region.centre, ha=ha, va=va, fontsize="small", path_effects=HALO)
    shown: list[Artist] = [
        Patch(facecolor=COLOURS[kind], edgecolor="black", alpha=0.35, label=kind)
        for kind in sorted(set(kinds))
    ]
    for name, (x, y) in (curves or {}).items():
        shown += axes.plot(x, y, "b--", label=name)
    axes.legend(handles=shown, loc="upper right")
    xlabel, ylabel = labels or (result.x.name, result.y.name)
    axes.set(
        xlabel=xlabel,
        ylabel=ylabel,
        xlim=(result.x.low, result.x.high),
        ylim=(result.y.low, result.y.high),
    )
    axes.set_title(result.growing_beyond, fontsize="small")
    return figure


def _towards(fraction: float, low: str, high: str) -> str:
    """Alignment of a text at a fraction of an axis, so that it stays inside."""
    return low if fraction < 0.15 else high if fraction > 0.85 else "center"


def _frequencies(region: Region) -> str:
    low, high = region.frequency
    return f"{low:.4g} Hz" if high - low < 0.005 * high else f"{low:.4g} to {high:.4g} Hz"
