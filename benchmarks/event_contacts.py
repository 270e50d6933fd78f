"""Event-driven method: events per second and cost per event over the number of contacts.

    python benchmarks/event_contacts.py [contacts ...]

The friction oscillator of two masses (Stamm 6.5) with its contacts spread over both masses, with
the settings of the source's comparison: eps_c = 1e-5, tolerances 1e-9, eps = 1e-6 m/s, steps of at
most 5 ms. An instant is a time at which points switch; all points of a mass switch together. The
same run without the bound of the step shows what the tests between the events cost.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace

from threadpoolctl import threadpool_limits

from fecontact.case.registry import load_module

UNTIL = 10.0
OPTIONS = {"rtol": 1e-9, "atol": 1e-9, "speed": 1e-6}


def main(counts):
    """Print one line for each number of contacts and each bound of the step."""
    case = load_module("stamm/two_masses_events")
    print("contacts  longest step / s  instants  switches  steps  switches/s  ms per instant")
    for count in counts:
        p = replace(case.TwoMasses(), points=max(1, count // 2))
        case.moved(p, p.start, 0.1, 0.1, **OPTIONS)
        for step in (5e-3, None):
            began = time.process_time()
            motion = case.moved(p, p.start, UNTIL, UNTIL, step=step, **OPTIONS)
            spent, found = time.process_time() - began, motion.statistics
            switches = found.to_stick + found.to_slip + found.to_gross_slip + found.to_open
            print(
                f"{2 * p.points:8d}  {step or float('inf'):16g}  {found.events:8d}  {switches:8d}"
                f"  {found.steps:5d}  {switches / spent:10.0f}  {1e3 * spent / found.events:14.1f}"
            )


if __name__ == "__main__":
    with threadpool_limits(1):
        main([int(word) for word in sys.argv[1:]] or [2, 12, 24, 48])
