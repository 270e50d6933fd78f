"""Cost of a step of the squealing clutch over points, modes and simulated time, with memory.

The clutch of `clutch_transient` in its limit cycle: an elastic plate with friction points on its
two faces between two spinning plates. The cost of a step is that of more steps less that of fewer,
divided by their difference: start and output do not count. `span` rows are whole runs of `simulate`
with ten outputs over a simulated time, from that state on.
"""

from __future__ import annotations

from functools import cache

from harness import OURS, Column, Growth, Question, Row, cpu

POINTS, MODES = 500, 40
STEPS = {"implicit": 1e-5, "explicit": 3e-6}
COUNTS = {"implicit": (10, 60), "explicit": (1000, 5000)}
SPANS = {"implicit": (5e-4, 1e-3, 2e-3, 4e-3), "explicit": (5e-3, 1e-2, 2e-2, 4e-2, 8e-2)}
SETTLED = 0.02
"""Time in s after which the squeal is a limit cycle."""


@cache
def cycle(points: int, modes: int, settled: float):
    """System and a state of its limit cycle."""
    import clutch_transient

    from fecontact.integrate import simulate

    system, start = clutch_transient.clutch(points, modes)
    step = 0.5 * STEPS["explicit"]  # stable for all numbers of modes
    return system, simulate(system, settled, start, "explicit", settled, step=step).state(-1)


def measure(
    program: str, method: str, points: int, modes: int, span: float = 0.0, settled: float = SETTLED
) -> Row:
    """CPU time in ms of a step, or in s of a simulated time."""
    from fecontact.integrate import simulate

    system, state = cycle(points, modes, settled)
    h = STEPS[method] if modes <= MODES else 0.5 * STEPS[method]

    def run(time, outputs=1):
        simulate(system, state.t + time, state, method, time / outputs, step=h)

    if span:
        spent = cpu(lambda: run(span, 10), lambda: run(2 * h))
        return {"cpu": spent, "pace": span / spent, "ms": 1e3 * spent * h / span}
    few, more = COUNTS[method]
    times = [cpu(lambda n=n: run(n * h), lambda: run(2 * h), 5) for n in (few, more)]
    step = (times[1] - times[0]) / (more - few)
    return {"ms": 1e3 * step, "pace": h / step}


SIZES = ((125, 40), (500, 40), (2000, 40), (500, 20), (500, 80))
BOTH = ("implicit", "explicit")
STEP, BY, COST = {"span": 0.0}, ("method",), "CPU time per step / ms"
QUESTION = Question(
    name="clutch_steps",
    measure=measure,
    cases=(
        *({"program": OURS, "method": method, "points": points, "modes": modes, "span": 0.0}
          for method in BOTH for points, modes in SIZES),
        *({"program": OURS, "method": method, "points": POINTS, "modes": MODES, "span": span}
          for method in BOTH for span in SPANS[method]),
    ),
    smoke=tuple(
        {"program": OURS, "method": method, "points": 20, "modes": 4, "span": 3e-5, "settled": 1e-5}
        for method in BOTH
    ),
    columns=(
        Column("method", "method"),
        Column("points", "points", ",d"),
        Column("modes", "modes"),
        Column("span", "simulated, s"),
        Column("ms", "ms per step", ".3g"),
        Column("cpu", "CPU s", ".3g"),
        Column("pace", "simulated s per s", ".1e"),
        Column("GB", "GB", ".2f"),
    ),
    growths=(
        Growth("points", "ms", BY, ("points", COST), STEP | {"modes": MODES}),
        Growth("modes", "ms", BY, ("modes", COST), STEP | {"points": POINTS}),
        Growth("span", "cpu", BY, ("simulated time / s", "CPU time / s")),
        Growth("span", "GB", BY, ("simulated time / s", "memory / GB")),
    ),
)  # fmt: skip
