"""Method "ode": a block that lands and slides on a turning disc, by all solvers, against CVODE.

A spinning block of six dofs with four friction points falls on a disc, held by a bushing and pushed
by a harmonic force: closing, sliding, sticking. "compiled" and "general" are the backends of the
method. CVODE (SUNDIALS by scikit-sundae) integrates the same compiled rates, called from Python,
with the same tolerances, its stiff formulas with our Jacobian. The reference is DOP853 with rtol
1e-12; the error is the largest one of all coordinates at the end, relative to the largest.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from harness import OURS, Column, Question, Row, cpu

SPAN, RTOL = 0.02, 1e-8
SOLVERS = ("Radau", "BDF", "LSODA", "DOP853", "RK45")


def landing():
    """System and start of the motion."""
    import fecontact as fc
    from fecontact.body.rigid import DOFS

    block = fc.RigidBody("block", 2.0, DOFS, inertia=(0.01, 0.012, 0.015), position=(0, 0, 0.099))
    disc = fc.RigidBody("disc", 5.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.2))
    corners = 0.05 * np.array([[x, y, 0.0] for x in (-1, 1) for y in (-1, 1)]) - [0, 0, 0.1]
    laws = fc.PenaltyNormal(1e4, 50.0), fc.ElastoPlastic(0.3, 1e4, 50.0)
    items = [
        fc.ContactPair(
            block, fc.Surface(corners, np.ones(4)), fc.RigidFace(disc, fc.Plane()), *laws
        ),
        fc.Bushing(None, block, (50.0,) * 3 + (1.0,) * 3, (0.5,) * 6, name="bushing"),
        fc.Bearing(disc, 0.0, 1e5, axial_damping=100.0),
        fc.Force(block, (4.0, 0.0, 0.0), factor=fc.Sine(1.0, 30.0)),
        fc.Gravity([block, disc]),
    ]
    system = fc.System([block, disc], items)
    return system, system.state(
        v={"disc.rz": 5.0, "block.rx": 1.0, "block.ry": 0.5, "block.uz": -0.1}
    )


def run_of(solver: str, rtol: float, backend: str):
    """A run at its start."""
    from fecontact.integrate.rate.ode import Ode, OdeRun
    from fecontact.integrate.start import first_point
    from fecontact.results.statistics import Statistics

    system, start = landing()
    first = first_point(system, start, "ode", None)[0]
    options = Ode(solver=solver, rtol=rtol, atol=1e-3 * rtol, backend=backend)
    return OdeRun(options, system, first, SPAN, Statistics())


def finished(run) -> np.ndarray:
    """Coordinates at the end of a run."""
    while run.solver.status == "running":
        run.advance(SPAN)
        run.settle()
    return run.solver.y[: run.ends[0]]


@cache
def reference() -> np.ndarray:
    """Coordinates at the end, by a fine solution."""
    return finished(run_of("DOP853", 1e-12, "auto"))


def by_cvode(run, method: str) -> np.ndarray:
    """The same run by CVODE."""
    from sksundae.cvode import CVODE

    y, (rtol, atol) = run.solver.y.copy(), run._tolerances(run.solver.y)

    def rate(t, y, result):
        result[:] = run.rates.at(t, y)

    def jacobian(t, y, now, result):
        result[:] = run.jacobian(t, y)

    extra = {"jacfn": jacobian} if method == "BDF" else {}
    atol = np.minimum(atol, 1e300)
    solver = CVODE(rate, method=method, rtol=rtol, atol=atol, max_num_steps=100_000, **extra)
    return solver.solve(np.array([0.0, SPAN]), y).y[-1][: run.ends[0]]


def measure(program: str, solver: str, repeats: int = 3) -> Row:
    """CPU time of the steps, without what a run does before and after them, and the error."""
    backend = "general" if program.endswith("general") else "auto"
    found: list[np.ndarray] = []
    runs = iter([])

    def step():
        run = next(runs)
        own = by_cvode(run, solver) if program.startswith("CVODE") else finished(run)
        found.append(own)

    base = "Radau" if program.startswith("CVODE") else solver
    runs = iter([run_of(base, RTOL, backend) for _ in range(repeats + 1)])
    spent = cpu(step, repeats=repeats, least=0.0)
    error = np.abs(found[-1] - reference()).max() / np.abs(reference()).max()
    return {"cpu": spent, "ms": 1e3 * spent, "error": float(error)}


CASES = (
    *({"program": f"{OURS} compiled", "solver": solver} for solver in SOLVERS),
    *({"program": f"{OURS} general", "solver": solver} for solver in SOLVERS),
    *({"program": "CVODE", "solver": method} for method in ("BDF", "Adams")),
)
QUESTION = Question(
    name="continuous_time",
    measure=measure,
    cases=CASES,
    smoke=({"program": f"{OURS} compiled", "solver": "RK45", "repeats": 1},),
    columns=(
        Column("program", "program"),
        Column("solver", "solver"),
        Column("ms", "CPU ms", ".3g"),
        Column("error", "error", ".0e"),
    ),
)
