"""Event-driven method: cost of an instant with events over the number of contacts.

The friction oscillator of two masses (Stamm 6.5) with its contacts spread over both masses, with
the settings of the source's comparison: eps_c = 1e-5, tolerances 1e-9, eps = 1e-6 m/s, steps of at
most 5 ms. An instant is a time at which points switch; all points of a mass switch together. The
same run without the bound of the step shows what the tests between the events cost.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from harness import OURS, Column, Growth, Question
from harness import Row as Found

from fecontact.case.registry import load_module

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


def measure(program: str, contacts: int, bound: float | None, repeats: int = 3) -> Found:
    """Least CPU time of some runs, in all and per instant; of bounded steps there is one run."""
    count = repeats if bound is None else 1
    best = min((measured(contacts, bound) for _ in range(count)), key=lambda row: row.spent)
    steps = "free" if bound is None else f"up to {1e3 * bound:g} ms"
    return {
        "cpu": best.spent, "ms": best.cost, "instants": best.instants, "switches": best.switches,
        "steps": best.steps, "kind": steps,
    }  # fmt: skip


QUESTION = Question(
    name="event_contacts",
    measure=measure,
    cases=tuple(
        {"program": OURS, "contacts": contacts, "bound": bound}
        for bound in BOUNDS
        for contacts in (2, 6, 12, 24, 48)
    ),
    smoke=({"program": OURS, "contacts": 2, "bound": None, "repeats": 1},),
    columns=(
        Column("contacts", "contacts"),
        Column("kind", "steps"),
        Column("instants", "instants"),
        Column("switches", "switches"),
        Column("steps", "number of steps", ",d"),
        Column("ms", "ms per instant", ".3g"),
    ),
    growths=(Growth("contacts", "ms", ("kind",), ("contacts", "CPU time per instant / ms")),),
)
