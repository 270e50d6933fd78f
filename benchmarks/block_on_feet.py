"""Block that slides on 4 to 1 024 feet with spatial friction, time stepping: against Siconos.

A block of 1 kg on a square grid of feet, its centre of mass 20 mm above them, held by two springs
along x and y of different stiffness, starts with a sideways speed: all feet slide in a direction
that turns, carry different and statically indeterminate loads, and none lifts off. Friction and
springs make no yaw, so the motion is unique: that of a point in the plane, the reference by scipy's
DOP853 with tolerance 1e-12. All use Moreau's time stepping with theta = 1/2, the same step, and a
projected Gauss-Seidel solver with the tolerance 1e-10.

"Siconos" is its kernel: a linear system with constant relations, the fastest formulation that it
has (one interaction per foot, stepped by three calls from Python); its `run` of C++ is no faster.
"Siconos numerics" is what a user gets who writes this one linear model with numpy and calls
Siconos' solver `fc3d_nsgs` in each step. Residuals are those that the solvers state.
"""

from __future__ import annotations

import json

import numpy as np
from harness import OURS, ROOT, Column, Growth, Question, Row, cpu, system_python
from scipy.integrate import solve_ivp

MASS = (1.0, 1.0, 1.0, 0.004, 0.004, 0.007)
STIFFNESS = (50.0, 400.0, 0.0, 0.0, 0.0, 0.0)
GRAVITY, MU = 9.80665, 0.3
SPEED = (0.5, 0.2, 0.0, 0.0, 0.0, 0.0)
STEP, SPAN = 1e-3, 0.1
SHORT = 0.01
"""Span of rows that would take minutes."""
SLOW = {("Siconos numerics", 32)}
SIDES = {OURS: (2, 5, 10, 17, 32), "Siconos": (2, 5, 10), "Siconos numerics": (2, 5, 10, 17, 32)}
DOFS = ("ux", "uy", "uz", "rx", "ry", "rz")


def feet(side: int) -> np.ndarray:
    """Places of the feet (c, 3) from the centre of mass."""
    x, y = np.meshgrid(*2 * [np.linspace(-0.1, 0.1, side)])
    return np.column_stack([x.ravel(), y.ravel(), np.full(side**2, -0.02)])


def exact(span: float) -> np.ndarray:
    """Displacement (2,) of a point with friction."""

    def rate(t, y):
        slip = y[2:] / np.hypot(*y[2:])
        return np.concatenate([y[2:], -np.array(STIFFNESS[:2]) * y[:2] - MU * GRAVITY * slip])

    start = [0.0, 0.0, *SPEED[:2]]
    return solve_ivp(rate, (0.0, span), start, "DOP853", rtol=1e-12, atol=1e-14).y[:2, -1]


def ours(side: int, step: float, span: float) -> Row:
    """CPU time, last displacement, sweeps and residual."""
    import fecontact as fc

    body = fc.RigidBody("block", MASS[0], DOFS, MASS[3:], (0.0, 0.0, 0.02))
    surface = fc.Surface(feet(side), np.ones(side**2))
    contact = fc.RigidContact(body, surface, fc.RigidFace(None, fc.Plane()), MU)
    springs = fc.Bushing(None, body, STIFFNESS)
    system = fc.System([body], [fc.Gravity([body], (0.0, 0.0, -GRAVITY)), springs, contact])
    start = system.state(v={f"block.{name}": v for name, v in zip(DOFS, SPEED, strict=True)})
    motions = []

    def run(until):
        motions.append(fc.simulate(system, until, start, "moreau", until, step=step))

    spent = cpu(lambda: run(span), lambda: run(2.0 * step))
    last = motions[-1]
    counted = last.statistics
    return {
        "cpu": spent,
        "q": last.q[-1, :2].tolist(),
        "sweeps": counted.iterations / counted.steps,
        "residual": float(fc.contact_residuals(last)[-1]),
    }


def siconos(model: str, side: int, step: float, span: float) -> Row:
    """The same by Siconos."""
    given = {"feet": feet(side).tolist(), "mass": MASS, "stiffness": STIFFNESS, "mu": MU}
    given |= {"gravity": GRAVITY, "speed": SPEED, "step": step, "span": span}
    script = ROOT / "benchmarks" / "siconos_models.py"
    return system_python(script, model, json.dumps(given))


def measure(program: str, side: int, step: float = STEP, span: float = SPAN) -> Row:
    """CPU time, steps per second, error of the displacement, sweeps and residual."""
    if program == OURS:
        found = ours(side, step, span)
    else:
        model = "numerics" if program.endswith("numerics") else "block"
        found = siconos(model, side, step, span)
    goal = exact(span)
    error = float(np.linalg.norm(found["q"][:2] - goal) / np.linalg.norm(goal))
    steps = round(span / step)
    known = {key: value for key, value in found.items() if key not in ("q", "v")}
    rate = steps / found["cpu"]
    return known | {"feet": side**2, "rate": rate, "error": error, "ms": 1e3 / rate}


def remarks(rows: list[Row]) -> list[str]:
    """Ratios of the CPU times."""
    found = []
    mine = {row["side"]: row["ms"] for row in rows if row["program"] == OURS}
    for row in rows:
        if row["program"] != OURS and row["side"] in mine:
            ratio = mine[row["side"]] / row["ms"]
            found.append(f"{row['feet']} feet, {row['program']}: {ratio:.3g}")
    return ["CPU time of a step of ours over that of " + "; ".join(found) + "."] * bool(found)


QUESTION = Question(
    name="block_on_feet",
    measure=measure,
    cases=tuple(
        {"program": p, "side": side} | ({"span": SHORT} if (p, side) in SLOW else {})
        for p, sides in SIDES.items()
        for side in sides
    ),
    smoke=tuple({"program": program, "side": 2, "span": 0.01} for program in SIDES),
    columns=(
        Column("feet", "feet", ",d"),
        Column("program", "program"),
        Column("rate", "steps/s", ",.1f"),
        Column("sweeps", "sweeps per step", ".1f"),
        Column("residual", "residual", ".0e"),
        Column("error", "error", ".1e"),
    ),
    growths=(Growth("feet", "ms", labels=("feet", "CPU time per step / ms")),),
    remarks=remarks,
)
