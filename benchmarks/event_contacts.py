"""Event-driven method: events per second and cost per event over the number of contacts.

    python benchmarks/event_contacts.py [--picture FILE] [contacts ...]

The friction oscillator of two masses (Stamm 6.5) with its contacts spread over both masses, with
the settings of the source's comparison: eps_c = 1e-5, tolerances 1e-9, eps = 1e-6 m/s, steps of at
most 5 ms. An instant is a time at which points switch; all points of a mass switch together. The
same run without the bound of the step shows what the tests between the events cost.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from fecontact.case.registry import load_module
from fecontact.view import plots

UNTIL = 10.0
OPTIONS = {"rtol": 1e-9, "atol": 1e-9, "speed": 1e-6}
BOUNDS = (5e-3, None)
"""Longest steps in s."""


@dataclass(frozen=True)
class Row:
    """One run: contacts, bound of the step in s, counts, and CPU time in s."""

    contacts: int
    bound: float | None
    instants: int
    switches: int
    steps: int
    spent: float

    @property
    def cost(self) -> float:
        """CPU time in ms per instant."""
        return 1e3 * self.spent / self.instants

    def __str__(self) -> str:
        return (
            f"{self.contacts:8d}  {self.bound or float('inf'):16g}  {self.instants:8d}"
            f"  {self.switches:8d}  {self.steps:5d}  {self.instants / self.spent:10.1f}"
            f"  {self.switches / self.spent:10.0f}  {self.cost:14.1f}"
        )


def measured(contacts: int, bound: float | None) -> Row:
    """Run the oscillator with this many contacts."""
    case = load_module("stamm/two_masses_events")
    p = replace(case.TwoMasses(), points=max(1, contacts // 2))
    case.moved(p, p.start, 0.1, 0.1, **OPTIONS)
    began = time.process_time()
    found = case.moved(p, p.start, UNTIL, UNTIL, step=bound, **OPTIONS).statistics
    spent = time.process_time() - began
    switches = found.to_stick + found.to_slip + found.to_gross_slip + found.to_open
    return Row(2 * p.points, bound, found.events, switches, found.steps, spent)


def picture(rows: list[Row], path: Path) -> None:
    """Cost per instant over the number of contacts."""
    counts = np.array(sorted({row.contacts for row in rows}), dtype=float)
    curves = {
        "free steps" if bound is None else f"steps up to {1e3 * bound:g} ms": np.array(
            [row.cost for row in rows if row.bound == bound]
        )
        for bound in BOUNDS
    }
    plots.save(
        plots.convergence_plot(counts, curves, 1.0, "contacts", "CPU time per event / ms"), path
    )


def main() -> None:
    """Print one line for each number of contacts and each bound of the step."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("contacts", type=int, nargs="*", default=[2, 6, 12, 24, 48])
    parser.add_argument("--picture", type=Path)
    asked = parser.parse_args()
    print("contacts  longest step / s  instants  switches  steps  instants/s  switches/s"
          "  ms per instant")  # fmt: skip
    rows = []
    for count in asked.contacts:
        for bound in BOUNDS:
            rows.append(measured(count, bound))
            print(rows[-1], flush=True)
    if asked.picture:
        picture(rows, asked.picture)


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
