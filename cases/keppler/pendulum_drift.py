"""Pendulum on a circle: drift off the constraint, and projection (Keppler, examples 3.5 and 3.6).

    x'' = 2 x lam,    z'' = -g + 2 z lam,    0 = x^2 + z^2 - l^2

Differentiated twice, the constraint is an equation for lam; its integration constants are lost, so
the length drifts. Projection of positions and velocities after a step (3.10) puts the bob back. The
constraint of the source is written here as a class of its own; the joint `Distance` says the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import acos, sin, sqrt

import numpy as np
from scipy.special import ellipk

import fecontact as fc

ADAPTIVE = {1e-3: (3.2e-2, 4.8), 1e-6: (1.1e-5, 9.5e-4), 1e-9: (4.0e-9, 3.1e-7)}
"""Relative tolerance of RK45 -> largest defect |x^2 + z^2 - 1| in m^2 over 10 s and over 100 s."""
FIXED = {
    0.1: (0.261, 1.85e-5, 354, -7.5e-3),
    0.05: (1.57e-2, 1.06e-5, 38, -1.1e-4),
    0.02: (4.0e-4, 1.0e-5, 6, 2.3e-5),
}
"""Step of RK4 in s -> over 100 s: largest defect without and with projection in m^2, number of
projections, energy error with projection in J."""


def half_digit(printed: float) -> float:
    """Half a unit of the second digit of a printed number."""
    return float(0.5 * 10.0 ** (np.floor(np.log10(abs(printed))) - 1.0))


@dataclass(frozen=True)
class Pendulum(fc.Parameters):
    """Keppler, example 3.5; the bob starts at the lowest point."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    length: float = fc.quantity(1.0, "m", fc.POSITIVE)
    speed: float = fc.quantity(1.0, "m/s", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    tolerance: float = fc.quantity(1e-5, "m^2", fc.POSITIVE)
    pull = fc.derived(
        "force m (g + v^2/l) in N at the start",
        lambda p: p.mass * (p.gravity + p.speed**2 / p.length),
    )
    amplitude = fc.derived(
        "largest angle in rad: v^2 = 2 g l (1 - cos phi)",
        lambda p: acos(1.0 - p.speed**2 / (2.0 * p.gravity * p.length)),
    )
    period = fc.derived(
        "period 4 sqrt(l/g) K(sin^2(phi/2)) in s",
        lambda p: 4.0 * sqrt(p.length / p.gravity) * ellipk(sin(0.5 * p.amplitude) ** 2),
    )


EXACT = fc.References("""
    multiplier | lam at the start            | -0.5 * p.pull / p.length | N/m | 1e-12
    rod        | force in a rod at the start | -p.pull | N | 1e-12 |  | method=joint Distance
    amplitude  | amplitude                   | p.amplitude | rad | 1e-8
    period     | period                      | p.period    | s   | 1e-8
    *          | -(g + v^2/l) m; v^2 = 2 g l (1 - cos phi); 4 sqrt(l/g) K(sin^2(phi/2))
""")
NOTES = fc.References("""
    multiplier | lam at the start | -5.405   | N/m | 5e-7
    amplitude  | amplitude        | 0.320647 | rad | 5e-7
    period     | period           | 2.019034 | s   | 5e-7
    *          | Keppler 2007, examples 3.5, 3.6, recomputed | source_notes
""")
DRIFT = fc.References("""
    defect | length defect |  | m^2 |  | Keppler 2007, examples 3.5, 3.6, recomputed | source_notes
""")
STEPS = fc.References("""
    off    | length defect without projection, 100 s |  | m^2
    on     | length defect with projection, 100 s    |  | m^2
    number | number of projections, 100 s
    energy | energy error with projection, 100 s     |  | J
    *      | Keppler 2007, examples 3.5, 3.6, recomputed | source_notes
""")
KEPT = fc.References("""
    projected | length defect, all tolerances, 10 s | 0.0 | m^2 | 1e-11 |  | method=RK45, projection
    implicit  | length defect, h = 0.05 s | 0.0 | m^2 | 1e-10 |  | method=generalised alpha
    *         | 0 = x^2 + z^2 - l^2
""")


@dataclass(frozen=True, eq=False)
class Circle:
    """Constraint 0 = x^2 + z^2 - l^2 on a body with the dofs ux, uz."""

    body: fc.RigidBody
    length: float
    name: str = "circle"
    rows: tuple[str, ...] = ("square",)
    level: fc.typing.Level = "position"

    @property
    def bodies(self) -> Sequence[fc.RigidBody]:
        """The bob."""
        return (self.body,)

    def at(self, t: float, q: fc.Floats, v: fc.Floats) -> fc.Relative:
        """Value, rate, Jacobian 2 q and their derivatives."""
        return fc.Relative(
            np.array([q @ q - self.length**2]),
            np.array([2.0 * q @ v]),
            2.0 * q[None],
            lambda: 2.0 * v[None],
            lambda load: 2.0 * load[0] * np.eye(2),
        )

    def bias(self, t: float, q: fc.Floats, v: fc.Floats) -> fc.Floats:
        """Return c'' - 2 q . q''."""
        return np.array([2.0 * v @ v])


def pendulum(p: Pendulum) -> tuple[fc.System, fc.State]:
    """Bob on the circle about the origin, at its lowest point."""
    bob = fc.RigidBody("bob", p.mass, ("ux", "uz"))
    circle: fc.typing.Constraint = Circle(bob, p.length)
    system = fc.System([bob], [circle, fc.Gravity([bob], (0.0, 0.0, -p.gravity))])
    return system, system.state({"bob.uz": -p.length}, {"bob.ux": p.speed})


def rod_force(p: Pendulum) -> float:
    """Multiplier of the joint `Distance` in place of the circle."""
    bob = fc.RigidBody("bob", p.mass, ("ux", "uz"), position=(0.0, 0.0, -p.length))
    rod = fc.Distance(None, bob, point_a=(0.0, 0.0, 0.0))
    system = fc.System([bob], [rod, fc.Gravity([bob], (0.0, 0.0, -p.gravity))])
    return float(system.accelerations(system.state(v={"bob.ux": p.speed}))[1][0])


def defect(p: Pendulum, q: fc.Floats) -> float:
    """Largest |x^2 + z^2 - l^2| of positions (k, 2)."""
    return float(np.abs(np.sum(q**2, axis=1) - p.length**2).max())


def classic_runge_kutta(
    p: Pendulum, h: float, until: float, project: bool
) -> tuple[fc.Floats, fc.Floats, int, float]:
    """Classic Runge-Kutta steps; project where the constraint is off by the tolerance.

    Times, defects before projection, number of projections, error of the energy in J.
    """
    system, state = pendulum(p)
    energy = system.energies(state).total

    def rate(y: fc.Floats) -> fc.Floats:
        return np.append(y[2:], system.accelerations(fc.State(0.0, y[:2], y[2:]))[0])

    t = h * np.arange(1, round(until / h) + 1)
    gaps, projections, y = np.zeros(len(t)), 0, np.append(state.q, state.v)
    for number in range(len(t)):
        k1 = rate(y)
        k2 = rate(y + 0.5 * h * k1)
        k3 = rate(y + 0.5 * h * k2)
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + rate(y + h * k3))
        gaps[number] = abs(y[:2] @ y[:2] - p.length**2)
        if project and gaps[number] > p.tolerance:
            state = replace(state, q=y[:2], v=y[2:])
            state = system.consistent(state, tolerance=p.tolerance).state
            y, projections = np.append(state.q, state.v), projections + 1
    error = system.energies(replace(state, q=y[:2], v=y[2:])).total - energy
    return t, gaps, projections, error


def main(run: fc.Run[Pendulum]) -> None:
    """Exact motion, drift of adaptive and fixed steps, projection, implicit method."""
    p = run.parameters
    system, start = pendulum(p)
    quarter = np.array([0.25, 1.0]) * p.period
    tight = {"rtol": 1e-10, "atol": 1e-12, "output": quarter}
    motion = fc.simulate(system, quarter[-1], start, "projected", **tight)
    computed = {
        "multiplier": system.accelerations(start)[1][0],
        "rod": rod_force(p),
        "amplitude": np.arctan2(motion.q[1, 0], -motion.q[1, 1]),
        "period": motion.t[-1] - motion.q[-1, 0] / motion.v[-1, 0],
    }
    run.compare(EXACT, computed)
    run.compare(NOTES, {name: computed[name] for name in NOTES})
    worst = 0.0
    rows = [
        (until, rtol, ADAPTIVE[rtol][k])
        for k, until in enumerate((10.0, 100.0))
        for rtol in ADAPTIVE
    ]
    for until, rtol, known in rows[:2] if run.quick else rows:
        options = {"solver": "RK45", "rtol": rtol, "atol": 1e-3 * rtol}
        motion = fc.simulate(system, until, start, "projected", project=False, **options)
        about = {"label": f"rtol {rtol:g}, {until:g} s", "method": "RK45, no projection"}
        run.row(DRIFT, "defect", defect(p, motion.q), known, half_digit(known), **about)
        if until == 10.0:
            motion = fc.simulate(system, until, start, "projected", **options)
            worst = max(worst, defect(p, motion.q))
    fixed_steps(run)
    run.audit(fc.simulate(system, p.period, start, output=0.1 * p.period), method="implicit")
    motion = fc.simulate(system, 10.0 if run.quick else 100.0, start, "implicit", step=0.05)
    run.compare(KEPT, {"projected": worst, "implicit": defect(p, motion.q)})


def fixed_steps(run: fc.Run[Pendulum]) -> None:
    """The table of the source notes: drift without and with projection."""
    p, curves = run.parameters, {}
    for h, known in list(FIXED.items())[: 1 if run.quick else 3]:
        t, off, _, _ = classic_runge_kutta(p, h, 100.0, project=False)
        _, on, projections, error = classic_runge_kutta(p, h, 100.0, project=True)
        found = off.max(), on.max(), projections, error
        rows = dict(zip(STEPS, zip(found, known, strict=True), strict=True))
        about = {name: half_digit(value) for name, (_, value) in rows.items()} | {"number": 0.0}
        run.compare(STEPS, rows, tolerances=about, method=f"RK4, h = {h:g} s")
        curves[f"h = {h:g} s"] = (t, np.maximum(off, 1e-9))
        curves[f"h = {h:g} s, projected"] = (t, np.maximum(on, 1e-9))
    label = "$|x^2 + z^2 - l^2|$ / m$^2$ (drawn from 1e-9 on)"
    run.figure("drift", fc.view.history_panels({label: curves}, logarithmic=True))


CASE = fc.Case(__doc__, ("Keppler T12",), Pendulum(), main, quick_s=5)

if __name__ == "__main__":
    CASE.main(__file__)
