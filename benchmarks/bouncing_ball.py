"""Bouncing ball with accumulation, time stepping: against Siconos.

The ball of `cases/classic/bouncing_ball`: a mass of 1 kg dropped from 0.5 m with restitution 0.7;
it comes to rest after infinitely many impacts at 1.81 s. Both use Moreau's time stepping with theta
= 1/2 and fixed steps over 2 s; Siconos solves the contact by Lemke's method and runs its loop in
C++. The error is that of the height after 1 s, in the flight after the second impact, against the
closed form and relative to the drop.
"""

from __future__ import annotations

import json

import numpy as np
from harness import OURS, ROOT, Column, Growth, Question, Row, cpu, system_python

HEIGHT, RESTITUTION, GRAVITY = 0.5, 0.7, 9.81
SPAN, LOOK = 2.0, 1.0
STEPS = (1e-2, 1e-3, 1e-4)


def exact(t: float) -> float:
    """Height at a time."""
    start = np.sqrt(2.0 * HEIGHT / GRAVITY)
    if t < start:
        return HEIGHT - 0.5 * GRAVITY * t**2
    speed = GRAVITY * start * RESTITUTION
    while t > start + (flight := 2.0 * speed / GRAVITY) and speed > 1e-12:
        start, speed = start + flight, speed * RESTITUTION
    return max(0.0, speed * (t - start) - 0.5 * GRAVITY * (t - start) ** 2)


def ours(step: float, span: float) -> Row:
    """CPU time, last height, residual."""
    import fecontact as fc

    ball = fc.RigidBody("ball", 1.0, ("uz",), position=(0.0, 0.0, HEIGHT))
    foot = fc.Surface(np.zeros((1, 3)), np.ones(1))
    ground = fc.RigidFace(None, fc.Plane())
    contact = fc.RigidContact(ball, foot, ground, restitution=RESTITUTION)
    system = fc.System([ball], [fc.Gravity([ball], (0.0, 0.0, -GRAVITY)), contact])
    motions = []

    def run(until):
        motions.append(fc.simulate(system, until, method="moreau", output=until, step=step))

    spent = cpu(lambda: run(span), lambda: run(3.0 * step))
    last = motions[-1]
    residual = float(fc.contact_residuals(last)[-1])
    return {"cpu": spent, "q": [HEIGHT + float(last.q[-1, 0])], "residual": residual}


def siconos(step: float, span: float) -> Row:
    """The same by Siconos."""
    given = {"height": HEIGHT, "restitution": RESTITUTION, "gravity": GRAVITY}
    words = json.dumps(given | {"step": step, "span": span})
    return system_python(ROOT / "benchmarks" / "siconos_models.py", "ball", words)


def measure(program: str, step: float, span: float = SPAN) -> Row:
    """CPU time, steps per second, error of a height relative to the drop."""
    run = ours if program == OURS else siconos
    found, look = run(step, span), min(span, LOOK)
    steps = round(span / step)
    error = abs(run(step, look)["q"][0] - exact(look)) / HEIGHT
    known = {key: value for key, value in found.items() if key not in ("q", "v")}
    return known | {"steps": steps, "rate": steps / found["cpu"], "error": error}


QUESTION = Question(
    name="bouncing_ball",
    measure=measure,
    cases=tuple({"program": p, "step": step} for p in (OURS, "Siconos") for step in STEPS),
    smoke=tuple({"program": p, "step": 1e-2, "span": 0.5} for p in (OURS, "Siconos")),
    columns=(
        Column("program", "program"),
        Column("step", "step, s"),
        Column("rate", "steps/s", ",.0f"),
        Column("cpu", "CPU s", ".3g"),
        Column("error", "error", ".1e"),
        Column("residual", "residual", ".0e"),
    ),
    growths=(Growth("steps", "cpu", labels=("steps", "CPU time / s")),),
)
