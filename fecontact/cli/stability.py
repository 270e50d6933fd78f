"""Command `stability`: does a case squeal, why, and where is the border."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from fecontact.analysis.branch import Branch, OperatingPoint, operating_point
from fecontact.analysis.critical import refined_intervals
from fecontact.analysis.linearise import FRICTION
from fecontact.analysis.maps import MapAxis, stability_map
from fecontact.analysis.mechanism import mechanism
from fecontact.analysis.power import PowerBalance
from fecontact.analysis.regions import Region, regions
from fecontact.analysis.study import Sweep, sweep
from fecontact.case.build import CaseBuild
from fecontact.case.exit_codes import guarded
from fecontact.errors import InputError, at_least, check, one_of
from fecontact.typing import Floats
from fecontact.view import plots
from fecontact.view.stability import map_plot, power_plot

__all__ = ["Range", "parse_range", "stability"]

SHOWN = 12
"""Modes in the table."""


def stability(
    name: Annotated[str, typer.Argument(help="Name of a case, or path of a case script.")],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override a parameter; repeatable."),
    ] = None,
    sweeps: Annotated[
        list[str] | None,
        typer.Option("--sweep", metavar="KEY=A:B:N", help="Vary a parameter; repeatable."),
    ] = None,
    plane: Annotated[
        tuple[str, str] | None,
        typer.Option("--map", metavar="KEY=A:B KEY=C:D", help="Map over two parameters."),
    ] = None,
    friction: Annotated[
        str, typer.Option(help="coulomb: friction of sliding points; state: with its memory.")
    ] = "coulomb",
    out: Annotated[Path | None, typer.Option(help="Folder, default out/NAME/stability.")] = None,
    seed: Annotated[int, typer.Option(help="Cells of the seed grid of a map per axis.")] = 16,
    levels: Annotated[int, typer.Option(help="Halvings of cells at the border of a map.")] = 4,
    jobs: Annotated[int, typer.Option(help="Processes of a map; -1: all cores.")] = 1,
) -> None:
    """Steady state, modes and why they grow; sweeps; maps, which go on where they stopped."""
    folder = Path("out") / Path(name).with_suffix("") / "stability" if out is None else out

    def action() -> int:
        check("friction", friction, one_of(FRICTION))
        check("seed", seed, at_least(1))
        check("levels", levels, at_least(0))
        console = Console(width=None if sys.stdout.isatty() else 120, emoji=False)
        chosen = tuple(settings or ())
        build = CaseBuild(name, chosen)
        ranges = [parse_range(text, counted=True) for text in sweeps or ()]
        axes = [parse_range(text, counted=False) for text in plane or ()]
        builds = [CaseBuild(name, chosen, (one.axis.name,)) for one in ranges]
        both = CaseBuild(name, chosen, tuple(one.axis.name for one in axes))
        folder.mkdir(parents=True, exist_ok=True)
        show_point(console, operating_point(build(), friction=friction), folder)
        for one, built in zip(ranges, builds, strict=True):
            show_sweep(console, one, built, folder, friction)
        if axes:
            x, y = (one.axis for one in axes)
            if friction != "coulomb":
                console.print("the map takes the friction of sliding points", highlight=False)
            show_map(console, both, (x, y), (seed, levels, jobs), folder)
        return 0

    raise typer.Exit(guarded(action, f"what was computed stays in {folder}"))


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


def show_point(console: Console, point: OperatingPoint, folder: Path) -> None:
    """Table of the modes, the fastest growing first, and what feeds the first."""
    modes = point.modes
    order = np.argsort(-modes.growth, kind="stable")[:SHOWN]
    table = Table("growth / (1/s)", "frequency / Hz", "body with most of it", "mechanism")
    for mode in order:
        body = max(modes.participation, key=lambda name: modes.participation[name][mode])
        table.add_row(
            f"{modes.growth[mode]:+.4g}",
            f"{modes.frequency[mode]:.5g}",
            f"{body} {modes.participation[body][mode]:.0%}",
            mechanism(point.balance(int(mode))),
        )
    console.print(table)
    verdict = "stable" if modes.stable else "unstable"
    contacts = ", ".join(
        f"{name}: {status.sliding} points slide, {status.sticking} stick, {status.open} open, "
        f"{status.normal_force:.5g} N"
        for name, status in point.steady.contacts.items()
    )
    console.print(f"{verdict}; {contacts or 'no contacts'}", highlight=False, markup=False)
    balance = point.balance()
    console.print(_power(balance))
    plots.save(power_plot(balance), folder / "power.png")


def _power(balance: PowerBalance) -> Table:
    """Shares of the growth rate that matter."""
    title = f"what feeds {balance.eigenvalue.imag / (2 * np.pi):.5g} Hz, {balance.growth:+.4g} 1/s"
    table = Table("item", "term", "damping", "circulatory", "share / (1/s)", title=title)
    largest = max((abs(share.total) for share in balance.shares), default=0.0)
    for share in balance.shares:
        if abs(share.total) > 1e-6 * largest:
            numbers = (share.damping, share.circulatory, share.total)
            table.add_row(share.item, share.term, *(f"{number:+.4g}" for number in numbers))
    return table


def show_sweep(
    console: Console, over: Range, build: CaseBuild, folder: Path, friction: str
) -> Sweep:
    """Unstable intervals over a parameter, and a picture."""
    key = over.axis.name
    label = build.parameters.label(key)
    study = sweep(build, over.values, key, friction)
    branch = Branch(build, friction)
    table = Table(
        "unstable from", "to", "growth / (1/s)", "frequency / Hz", "mechanism", title=label
    )
    ranges = refined_intervals(branch, study)
    for (low, high), (first, last) in zip(study.unstable, ranges, strict=True):
        inside = (study.values >= low) & (study.values <= high) & (study.growth > 0.0)
        lead = int(np.flatnonzero(inside)[np.argmax(study.growth[inside])])
        numbers = (first, last, study.growth[lead], study.frequency[lead])
        cause = mechanism(branch.at(study.values[lead]).balance())
        table.add_row(*(f"{number:.6g}" for number in numbers), cause)
    console.print(table)
    for index, reason in study.failures.items():
        text = f"{key} = {study.values[index]:.6g}: {reason}"
        console.print(text, highlight=False, markup=False)
    figure = plots.sweep_plot({key: study}, label, unstable_ranges={key: ranges})
    plots.save(figure, folder / f"sweep_{key}.png")
    return study


def show_map(
    console: Console,
    build: CaseBuild,
    axes: tuple[MapAxis, MapAxis],
    effort: tuple[int, int, int],
    folder: Path,
) -> list[Region]:
    """Unstable regions of a map, and a picture; the points are kept in the folder."""
    seed, levels, jobs = effort
    x, y = axes
    store = folder / f"map_{x.name}_{y.name}"
    about = {"case": build.name, "parameters": dict(build.parameters.to_dict())}
    result = stability_map(
        build, x, y, seed=(seed, seed), levels=levels, jobs=jobs, store=store, about=about
    )
    found = regions(result, build)
    title = f"{result.evaluations} points for {result.shape[0]} x {result.shape[1]} cells"
    table = Table(
        "region", "area", "growth / (1/s)", "at", "frequency / Hz", "mechanism", title=title
    )
    for region in found:
        low, high = region.frequency
        at = ", ".join(f"{value:.5g}" for value in region.at)
        growth, span = f"{region.growth:.4g}", f"{low:.4g} to {high:.4g}"
        table.add_row(region.kind, f"{region.area:.1%}", growth, at, span, region.mechanism)
    console.print(table)
    labels = build.parameters.label(x.name), build.parameters.label(y.name)
    plots.save(map_plot(result, found, labels), folder / f"map_{x.name}_{y.name}.png")
    return found
