"""Cost of an output: state, energy audit, reports of all contacts, what a restart needs.

The squealing clutch of `clutch_steps`, 40 modes, from its limit cycle on; the same steps with many
outputs and with a few, the difference per output. (A few: "implicit" looks at up to 8 of them for
modes that its step does not resolve, once in a run.) `memory` keeps the result, `file` also writes
it to an HDF5 file that is readable while the run goes on.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from clutch_steps import MODES, SETTLED, STEPS, cycle
from harness import OURS, Column, Growth, Question, Row, cpu

STEPS_PER_OUTPUT = {"implicit": 1, "explicit": 20}


def measure(
    program: str, method: str, kept: str, points: int, outputs: int = 50, settled: float = SETTLED
) -> Row:
    """CPU time in ms of an output."""
    from fecontact.integrate import simulate

    system, state = cycle(points, MODES if settled == SETTLED else 4, settled)
    span = outputs * STEPS_PER_OUTPUT[method] * STEPS[method]

    with tempfile.TemporaryDirectory() as folder:

        def run(count):
            file = {"store": Path(folder) / "run.h5", "overwrite": True} if kept == "file" else {}
            every = span / count
            simulate(system, state.t + span, state, method, every, step=STEPS[method], **file)

        few = max(1, outputs // 5)
        many, rest = (cpu(lambda n=n: run(n), lambda: run(1), 5) for n in (outputs, few))
    return {"ms": 1e3 * (many - rest) / (outputs - few)}


QUESTION = Question(
    name="output_cost",
    measure=measure,
    cases=tuple(
        {"program": OURS, "method": method, "kept": kept, "points": points}
        for method in STEPS_PER_OUTPUT
        for kept in ("memory", "file")
        for points in (125, 500, 2000)
    ),
    smoke=tuple(
        {"program": OURS, "method": "explicit", "kept": kept, "points": 20, "outputs": 3,
         "settled": 1e-5}
        for kept in ("memory", "file")
    ),
    columns=(
        Column("method", "method"),
        Column("kept", "kept in"),
        Column("points", "points", ",d"),
        Column("ms", "ms per output", ".3g"),
    ),
    growths=(Growth("points", "ms", ("method", "kept"), ("points", "CPU time per output / ms")),),
)  # fmt: skip
