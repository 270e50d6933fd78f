"""Command `stability`: does a case squeal, why, and where is the boundary."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from fecontact.analysis.stability.complex_modes import ComplexModes
from fecontact.analysis.stability.linearise import FRICTION
from fecontact.analysis.stability.map_store import MapStore
from fecontact.analysis.stability.maps import MapAxis, StabilityMap, map_store, stability_map
from fecontact.analysis.stability.mechanism import mechanism
from fecontact.analysis.stability.operating_point import OperatingPoint, operating_point
from fecontact.analysis.stability.power import PowerBalance
from fecontact.analysis.stability.regions import Region, regions
from fecontact.analysis.stability.scope import Band, checked_band
from fecontact.analysis.study import Sweep, sweep
from fecontact.case.build import CaseBuild
from fecontact.drafts import make_folder
from fecontact.errors import InputError, at_least, check, one_of
from fecontact.typing import Floats
from fecontact.view import plots
from fecontact.view.stability import map_plot, power_plot

__all__ = ["Question", "Range", "Request", "answer", "parse_band", "parse_range"]

SHOWN = 12
"""Modes in the table."""
BEYOND = 4
"""Modes in the table that grow outside the band."""


@dataclass(frozen=True)
class Question:
    """What is asked of every point: friction, band, whether contacts may carry nothing."""

    friction: str = "coulomb"
    band: Band | None = None
    unloaded: bool = False


@dataclass(frozen=True)
class Request:
    """What was typed; see the options of the command."""

    name: str
    settings: list[str] | None
    sweeps: list[str] | None
    plane: tuple[str, str] | None
    friction: str
    band: str | None
    unloaded: bool
    fresh: bool
    out: Path
    seed: int
    levels: int
    jobs: int

    def build(self, *varied: MapAxis) -> CaseBuild:
        """System of the case, as a function of varied parameters."""
        return CaseBuild(self.name, tuple(self.settings or ()), tuple(one.name for one in varied))


def answer(**options: Any) -> int:
    """Steady state, modes and why they grow; sweeps; maps, which go on where they stopped."""
    typed = Request(**options)
    check("friction", typed.friction, one_of(FRICTION))
    check("seed", typed.seed, at_least(1))
    check("levels", typed.levels, at_least(0))
    if typed.fresh and not typed.plane:
        raise InputError("invalid --fresh: expected --map beside it, as nothing else is kept")
    band = None if typed.band is None else parse_band(typed.band)
    asked = Question(typed.friction, band, typed.unloaded)
    console = Console(width=None if sys.stdout.isatty() else 120, emoji=False)
    build = typed.build()
    ranges = [parse_range(text, counted=True) for text in typed.sweeps or ()]
    axes = [parse_range(text, counted=False).axis for text in typed.plane or ()]
    builds = [typed.build(one.axis) for one in ranges]
    both = typed.build(*axes)
    with warnings.catch_warnings():  # the table says it, with the modes
        warnings.filterwarnings("ignore", "modes grow outside the band")
        point = operating_point(build(), friction=asked.friction, band=asked.band)
        if not asked.unloaded:
            point.model.scope.check_loaded()
        point.modes.leading  # noqa: B018  # refuses a band without modes
    make_folder(typed.out)
    seed = typed.seed, typed.seed
    store = (
        open_store(both, axes, (seed, typed.levels), asked, typed.out, typed.fresh)
        if axes
        else None
    )
    show_point(console, point, typed.out)
    for one, built in zip(ranges, builds, strict=True):
        show_sweep(console, one, built, typed.out, asked)
    if store is not None:
        if asked.friction != "coulomb":
            console.print("the map takes the friction of sliding points", highlight=False)
        result = stability_map(
            both, *axes, seed=seed, levels=typed.levels, jobs=typed.jobs, store=store,
            band=asked.band, unloaded=asked.unloaded,
        )  # fmt: skip
        show_map(console, both, result, typed.out)
    return 0


@dataclass(frozen=True)
class Range:
    """Axis of a sweep or map; the number of values belongs to a sweep."""

    axis: MapAxis
    count: int = 2

    @property
    def values(self) -> Floats:
        """Values of a sweep."""
        return np.linspace(self.axis.low, self.axis.high, self.count)


def parse_range(text: str, counted: bool) -> Range:
    """Read KEY=A:B:N if counted, else KEY=A:B."""
    key, equals, values = text.partition("=")
    parts = values.split(":")
    form = "KEY=A:B:N" if counted else "KEY=A:B"
    try:
        low, high = (float(part) for part in parts[:2])
        count = int(parts[2]) if counted else 2
    except (ValueError, IndexError):
        raise InputError(f"'{text}' is not a range: expected {form}") from None
    if not equals or len(parts) != 2 + counted:
        raise InputError(f"'{text}' is not a range: expected {form}")
    check(f"number of values of {key}", count, at_least(2))
    return Range(MapAxis(key.strip(), low, high), count)


def parse_band(text: str) -> Band:
    """Read A:B in Hz; an empty A is 0, an empty B no bound."""
    low, colon, high = text.partition(":")
    try:
        ends = float(low or 0.0), float(high or np.inf)
    except ValueError:
        colon = ""
    if not colon:
        raise InputError(f"'{text}' is not a band: expected A:B in Hz")
    return checked_band(ends)


def show_point(console: Console, point: OperatingPoint, folder: Path) -> None:
    """Table of the modes, the fastest growing first, and what feeds the first."""
    modes, scope = point.modes, point.model.scope
    if scope.unloaded:
        console.print(scope.without_load, highlight=False, markup=False)
    table = Table("growth / (1/s)", "frequency / Hz", "body with most of it", "mechanism", "range")
    for mode in _listed(modes):
        body = max(modes.participation, key=lambda name: modes.participation[name][mode])
        table.add_row(
            f"{modes.growth[mode]:+.4g}",
            f"{modes.frequency[mode]:.5g}",
            f"{body} {modes.participation[body][mode]:.0%}",
            mechanism(point.balance(int(mode))),
            _range(modes, mode),
        )
    console.print(table)
    verdict = "stable" if modes.stable else "unstable"
    if scope.words:
        verdict += f" {scope.words}"
    contacts = ", ".join(
        f"{name}: {status.sliding} points slide, {status.sticking} stick, {status.open} open, "
        f"{status.normal_force:.5g} N"
        for name, status in point.steady.contacts.items()
    )
    console.print(f"{verdict}; {contacts or 'no contacts'}", highlight=False, markup=False)
    if modes.growing_beyond:
        console.print(modes.growing_beyond, highlight=False, markup=False)
    balance = point.balance()
    console.print(_power(balance))
    plots.save(power_plot(balance), folder / "power.png")


def _listed(modes: ComplexModes) -> list[int]:
    """Modes of the table: those in the band, the fastest growing first, and what grows beyond."""
    order = np.argsort(-modes.growth, kind="stable")
    inside = order[modes.in_band[order]][:SHOWN]
    return [int(mode) for mode in (*inside, *modes.beyond[:BEYOND])]


def _range(modes: ComplexModes, mode: int) -> str:
    """What to say of a frequency outside the band or the validity of the bodies."""
    words = (
        "" if modes.in_band[mode] else "outside the band",
        "" if modes.valid[mode] else "not valid",
    )
    return ", ".join(word for word in words if word)


def _power(balance: PowerBalance) -> Table:
    """Shares of the growth rate that matter."""
    title = f"what feeds {balance.eigenvalue.imag / (2 * np.pi):.5g} Hz, {balance.growth:+.4g} 1/s"
    table = Table("item", "term", "damping", "circulatory", "total / (1/s)", title=title)
    largest = max((abs(term.total) for term in balance.terms), default=0.0)
    for term in balance.terms:
        if abs(term.total) > 1e-6 * largest:
            numbers = (term.damping, term.circulatory, term.total)
            table.add_row(term.item, term.term, *(f"{number:+.4g}" for number in numbers))
    return table


def show_sweep(
    console: Console, over: Range, build: CaseBuild, folder: Path, asked: Question
) -> Sweep:
    """Unstable intervals over a parameter, and a picture."""
    key = over.axis.name
    label = build.parameters.label(key)
    study = sweep(build, over.values, key, asked.friction, asked.band, asked.unloaded)
    table = Table(
        "unstable from", "to", "growth / (1/s)", "at", "frequency / Hz", "mechanism", title=label
    )
    for low, high in study.unstable:
        inside = (study.values >= low) & (study.values <= high) & study.grows
        lead = int(np.flatnonzero(inside)[np.argmax(study.growth[inside])])
        point = study.branch.at(study.values[lead])
        numbers = (low, high, study.growth[lead], study.values[lead], study.frequency[lead])
        words = mechanism(point.balance()), _range(point.modes, point.modes.leading)
        cause = ", ".join(word for word in words if word)
        table.add_row(*(f"{number:.6g}" for number in numbers), cause)
    console.print(table)
    for index, reason in study.failures.items():
        text = f"{key} = {study.values[index]:.6g}: {reason}"
        console.print(text, highlight=False, markup=False)
    for value, grown in list(study.beyond.items())[:1]:
        text = (
            f"{len(study.beyond)} of {len(study.values)} values, first {key} = {value:.6g}: {grown}"
        )
        console.print(text, highlight=False, markup=False)
    figure = plots.sweep_plot({key: study}, label)
    plots.save(figure, folder / f"sweep_{key}.png")
    return study


def open_store(
    build: CaseBuild,
    axes: list[MapAxis],
    grid: tuple[tuple[int, int], int],
    asked: Question,
    folder: Path,
    fresh: bool,
) -> MapStore:
    """Folder of a map; one that holds the points of other systems is refused."""
    x, y = axes
    about = {"case": build.name, "parameters": dict(build.parameters.to_dict())}
    folder_of_map = folder / f"map_{x.name}_{y.name}"
    return map_store(
        folder_of_map, build, x, y, seed=grid[0], levels=grid[1], about=about, band=asked.band,
        unloaded=asked.unloaded, fresh=fresh,
    )  # fmt: skip


def show_map(
    console: Console, build: CaseBuild, result: StabilityMap, folder: Path
) -> list[Region]:
    """Unstable regions of a map, and a picture."""
    found = regions(result, build)
    title = f"{result.evaluations} points for {result.shape[0]} x {result.shape[1]} cells"
    table = Table(
        "region", "area", "growth / (1/s)", "at", "frequency / Hz", "mechanism", title=title
    )
    for region in found:
        low, high = region.frequency
        at = ", ".join(f"{value:.5g}" for value in region.at)
        growth, span = f"{region.growth:.4g}", f"{low:.4g} to {high:.4g}"
        cause = region.mechanism if region.valid else f"{region.mechanism}, not valid"
        table.add_row(region.kind, f"{region.area:.1%}", growth, at, span, cause)
    console.print(table)
    if result.beyond:
        console.print(result.growing_beyond, highlight=False, markup=False)
    x, y = result.x.name, result.y.name
    labels = build.parameters.label(x), build.parameters.label(y)
    plots.save(map_plot(result, found, labels), folder / f"map_{x}_{y}.png")
    return found
