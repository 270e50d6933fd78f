"""Plots by matplotlib, written to files."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from fecontact.analysis.stability.complex_modes import ComplexModes
from fecontact.analysis.study import Sweep
from fecontact.drafts import draft_of
from fecontact.typing import Floats
from fecontact.view.style import legend_beside, mark_validity, new_figure, place_legends, styled

__all__ = [
    "convergence_plot",
    "curves_plot",
    "error_panels",
    "growth_over_frequency",
    "named_dots",
    "save",
    "saved",
    "spectrum_plot",
    "sweep_plot",
]

MARKERS = "osD^vPX*<>"
LINES = ("-", "--", "-.", ":")
"""Line styles in turn: of two curves that coincide both are seen."""
LEAST_ERROR = 1e-7
"""Errors below are drawn here: they are round-off."""


def save(figure: Figure, path: Path) -> None:
    """Write a figure as PNG; the file is complete or absent."""
    FigureCanvasAgg(figure)
    with draft_of(path) as draft:
        figure.savefig(draft, dpi=150)


def saved(figure: Figure, path: str | Path | None) -> Figure:
    """The figure, written to a file if a path is given."""
    if path is not None:
        save(figure, Path(path))
    return figure


@styled
def growth_over_frequency(variants: Mapping[str, ComplexModes], highest: float) -> Figure:
    """Growth rate over frequency of all modes up to `highest` Hz; above zero it squeals.

    Frequencies beyond the validity of the elastic bodies are shaded.
    """
    figure, axes = _figure()
    for index, (label, modes) in enumerate(variants.items()):
        shown = (modes.frequency > 0.0) & (modes.frequency <= highest)
        frequency, growth = modes.frequency[shown], modes.growth[shown]
        if not growth.size:
            continue
        first = int(np.argmax(growth))
        text = f"{label}: largest {growth[first]:+.1f} 1/s at {frequency[first]:.0f} Hz"
        axes.plot(frequency, growth, MARKERS[index], fillstyle="none", label=text)
    low, high = axes.get_ylim()
    top = max(high, 1.0) + 0.12 * (max(high, 1.0) - low)  # room for the text
    axes.set_ylim(low - 0.05 * (high - low), top)
    axes.axhspan(0.0, 10.0 * top, color="tab:red", alpha=0.08, linewidth=0.0)
    valid_to = min((modes.scope.valid_to for modes in variants.values()), default=np.inf)
    mark_validity(axes, valid_to, highest)
    axes.axhline(0.0, color="black", linewidth=0.8)
    axes.text(0.99, 0.97, "unstable: it squeals", transform=axes.transAxes, ha="right", va="top")
    axes.set(xlabel="frequency / Hz", ylabel="growth rate / (1/s)")
    place_legends(axes)
    return figure


@styled
def sweep_plot(
    variants: Mapping[str, Sweep],
    parameter: str,
    marks: Mapping[str, float] | None = None,
) -> Figure:
    """Largest growth rate in the band and its frequency over a parameter; unstable ranges shaded.

    Dots are the values of the sweep; the line between them is zero at the boundaries. `marks` are
    named parameter values, drawn as vertical lines. Frequencies beyond the validity of the elastic
    bodies are crosses.
    """
    figure = new_figure(7.0, 6.0)
    growth, frequency = figure.subplots(2, 1, sharex=True)
    for index, (label, study) in enumerate(variants.items()):
        (line,) = growth.plot(*_through_boundaries(study), label=label)
        growth.plot(study.values, study.growth, ".", color=line.get_color(), markersize=4)
        valid = np.array([m is None or bool(m.valid[m.leading]) for m in study.modes], dtype=bool)
        for shown, marker, name in (
            (study.grows & valid, ".", "unstable mode"),
            (study.grows & ~valid, "x", "unstable mode, not valid"),
        ):
            if shown.any() or marker == ".":
                frequency.plot(study.values[shown], study.frequency[shown], marker,
                               color=line.get_color(), markersize=4,
                               label=f"{label}, {name}")  # fmt: skip
        for low, high in study.unstable:
            growth.axvspan(low, high, color=line.get_color(), alpha=0.10 - 0.03 * index)
    for style, (name, value) in zip(("--", ":", "-."), (marks or {}).items(), strict=False):
        growth.axvline(value, color="gray", linestyle=style, label=name)
        frequency.axvline(value, color="gray", linestyle=style)
    growth.axhline(0.0, color="black", linewidth=0.8)
    growth.set(ylabel="largest growth rate / (1/s)")
    frequency.set(xlabel=parameter, ylabel="frequency / Hz")
    place_legends(growth, frequency)
    return figure


def _through_boundaries(study: Sweep) -> tuple[Floats, Floats]:
    """Values and growth rates with the boundaries between them, where the growth is zero."""
    found = np.array([end for interval in study.unstable for end in interval])
    boundaries = found[~np.isin(found, study.values)]
    values = np.concatenate([study.values, boundaries])
    order = np.argsort(values, kind="stable")
    return values[order], np.concatenate([study.growth, 0.0 * boundaries])[order]


@styled
def convergence_plot(
    size: Floats,
    errors: Mapping[str, Floats],
    order: float | tuple[float, ...],
    xlabel: str = "element size / m",
    ylabel: str = "relative error",
) -> Figure:
    """Relative errors, by default over element size, with lines of the expected orders."""
    figure, axes = _figure()
    for (label, error), marker in zip(errors.items(), cycle(MARKERS), strict=False):
        axes.loglog(size, error, marker + "-", fillstyle="none", label=label)
    largest = max(float(error[0]) for error in errors.values())
    for each, line in zip(np.atleast_1d(order).tolist(), ("k--", "k:", "k-."), strict=False):
        axes.loglog(size, 1.5 * largest * (size / size[0]) ** each, line, label=f"order {each:g}")
    axes.set(xlabel=xlabel, ylabel=ylabel)
    if np.max(size) < 10.0 * np.min(size):  # decades would leave one number, or none
        axes.set_xticks(size, [f"{x:.3g}" for x in size])
        axes.xaxis.set_minor_locator(NullLocator())
    else:
        axes.xaxis.set_minor_locator(LogLocator(subs=(2.0, 5.0)))  # room for their numbers
    place_legends(axes)
    return figure


@styled
def error_panels(panels: Mapping[str, Mapping[str, Floats]], *, limit: float, last: str) -> Figure:
    """Relative errors of several methods, one panel for each body, on one logarithmic scale.

    The last load of each body is of another kind: it is drawn as a dotted line and called `last`.
    """
    figure = new_figure(2.6 * len(panels) + 3.0, 3.6)
    row = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axes, (title, methods) in zip(row, panels.items(), strict=True):
        for (label, errors), marker in zip(methods.items(), cycle(MARKERS), strict=False):
            drawn = np.maximum(errors, LEAST_ERROR)
            (dots,) = axes.semilogy(
                np.arange(1, len(drawn)), drawn[:-1], marker, fillstyle="none", label=label
            )
            axes.axhline(drawn[-1], color=dots.get_color(), linestyle=":", label=f"{label}, {last}")
        axes.axhline(limit, color="gray", linewidth=0.8)
        axes.set(xlabel="load", ylim=(0.5 * LEAST_ERROR, 2.0))
        axes.set_title(title)
    row[0].set(ylabel=f"relative error (drawn from {LEAST_ERROR:g} on)")
    legend_beside(row[-1])
    return figure


@styled
def spectrum_plot(speeds: Floats, frequencies: Floats, exact: Floats) -> Figure:
    """Campbell diagram: computed frequencies (speeds, modes) as dots, exact ones as lines."""
    figure, axes = _figure()
    axes.plot(speeds, exact, "-", color="gray", linewidth=0.9)
    axes.plot(speeds, frequencies, ".", color="tab:blue", markersize=4)
    axes.plot([], [], "-", color="gray", label="exact")
    axes.plot([], [], ".", color="tab:blue", label="finite elements")
    axes.set(xlabel="speed / (rad/s)", ylabel="frequency in space / Hz")
    place_legends(axes)
    return figure


@styled
def curves_plot(
    x: Floats,
    curves: Mapping[str, Floats],
    xlabel: str,
    ylabel: str,
    *,
    dots: Mapping[str, Floats] | None = None,
    from_zero: bool = False,
    zero_line: bool = False,
) -> Figure:
    """Several named curves over one abscissa; the ordinate may be made to start at zero.

    A line at zero tells growth from decay.

    `dots` are drawn as open markers, at most about 40 of each, to be seen on top of a curve.
    """
    figure, axes = _figure()
    for (label, values), line in zip(curves.items(), cycle(LINES), strict=False):
        axes.plot(x, values, line, label=label)
    every = max(1, len(x) // 40)
    for index, (label, values) in enumerate((dots or {}).items()):
        shown = slice(index * every // 2, None, every)
        axes.plot(x[shown], values[shown], MARKERS[index], fillstyle="none", label=label)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    if from_zero:
        axes.set_ylim(bottom=0.0)
    if zero_line:
        axes.axhline(0.0, color="black", linewidth=0.8)
    place_legends(axes)
    return figure


@styled
def named_dots(rows: Mapping[str, Mapping[str, float]], ylabel: str) -> Figure:
    """Values of several rows by name, as open markers on a logarithmic scale."""
    figure, axes = _figure()
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    for (label, row), marker in zip(rows.items(), cycle(MARKERS), strict=False):
        indices = [names.index(name) for name in row]
        axes.semilogy(indices, list(row.values()), marker, fillstyle="none", label=label)
    axes.set_xticks(range(len(names)), names)
    axes.set(ylabel=ylabel, xlim=(-0.5, len(names) - 0.5))
    axes.grid(axis="y", alpha=0.3)
    place_legends(axes)
    return figure


def _figure() -> tuple[Figure, Axes]:
    figure = new_figure()
    return figure, figure.subplots()
