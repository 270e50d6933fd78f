"""Break-away across the load: the friction force turns, it does not jump.

A point mass is held by a bristle that a force along x has loaded to nearly mu N. A force along y
is added at once. At break-away the bristle still points along x, the velocity along y. If a spring
is simply switched to Coulomb's force -mu N v/|v| (Stamm 4.11 to 4.14), the force jumps by the angle
between both; it may then brake the mass (4.17), which sticks and breaks away again, and so on. The
elasto-plastic law passes from stick to slip once: its force stays on the limit and turns with the
bristle until it opposes the velocity (within pi/500: gross slip).

Both are integrated with the same data. In the switched model the point sticks when its speed falls
below a small bound, with a bristle that carries on the force of that moment.
"""

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np
from scipy.integrate import solve_ivp

import fecontact as fc

GROSS = pi / 500.0
"""Angle in rad between friction and slip below which slip is gross (Stamm 5.5)."""


@dataclass(frozen=True)
class DirectionJump(fc.Parameters):
    """Unit limit; the step across is smaller than the limit, both together larger."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    stiffness: float = fc.quantity(1e4, "N/m", fc.POSITIVE)
    limit: float = fc.quantity(1.0, "N", fc.POSITIVE)
    along: float = fc.quantity(0.999, "", fc.between(0.0, 1.0))
    across: float = fc.quantity(0.5, "", fc.POSITIVE)
    until: float = fc.quantity(0.15, "s", fc.POSITIVE)
    slow: float = fc.quantity(1e-3, "m/s", fc.POSITIVE, numerical=True)
    step: float = fc.quantity(1e-5, "s", fc.POSITIVE, numerical=True)
    damping = fc.derived("critical damping in N s/m", lambda p: 2.0 * sqrt(p.stiffness * p.mass))
    force = fc.derived("both forces (2,) in N", lambda p: p.limit * np.array([p.along, p.across]))
    loaded = fc.derived(
        "elastic slip (2,) under the force along x",
        lambda p: np.array([p.along * p.limit / p.stiffness, 0.0]),
    )


REFERENCES = fc.References("""
    switches | switches of the elasto-plastic law        | 1
    gross    | changes between slip and gross slip       | 1
    turn     | largest turn of its force between outputs | <= 0.02 | rad |  |  | trend
    limit    | force while it slips over the limit       | 0.0 |  | 1e-12
    final    | final acceleration along the force        |  | m/s^2 | 5e-3 rel | Coulomb sliding
    naive    | switches of the switched spring           | >= 2 |  |  |  | trend
    jump     | its largest jump of direction             | >= 0.5 | rad |  |  | trend
    *        | Stamm 2011, (4.11) to (4.17)
""")


def plastic(p: DirectionJump) -> fc.reference.FrictionMotion:
    """The law of the package, continuous form, by Radau's method."""
    law = fc.ElastoPlastic(p.limit, p.stiffness, p.damping)

    def rates(y: fc.Floats) -> tuple[fc.Floats, fc.Floats, fc.Floats]:
        rows = np.atleast_2d(y)
        flat = np.zeros((len(rows), 1))
        z, slip = np.hstack([rows[:, 4:], flat]), np.hstack([rows[:, 2:4], flat])
        found = law.rate(z, slip, np.ones(len(rows)), np.full(len(rows), fc.STICK))
        return found.traction[:, :2], found.z_rate[:, :2], found.status

    def rate(t: float, y: fc.Floats) -> fc.Floats:
        traction, z, _ = rates(y)
        return np.concatenate([y[2:4], (p.force + traction[0]) / p.mass, z[0]])

    t = np.arange(0.0, p.until, 10.0 * p.step)
    start = np.concatenate([p.loaded, np.zeros(2), p.loaded])
    path = solve_ivp(rate, (0.0, t[-1]), start, "Radau", t, rtol=1e-8, atol=1e-11)
    traction, _, status = rates(path.y.T)
    return fc.reference.FrictionMotion(t, path.y[2:4].T, traction, status == fc.SLIP)


def main(run: fc.Run[DirectionJump]) -> None:
    """Count switches and turns of both models."""
    p = run.parameters
    spring = p.mass, p.stiffness, p.damping, p.limit, p.force, p.loaded
    ours, naive = plastic(p), fc.reference.switched_spring(*spring, p.slow, p.step, p.until)
    slips, size = np.flatnonzero(ours.slides), np.linalg.norm(p.force)
    final = (ours.v[-1] - ours.v[-101]) / (ours.t[-1] - ours.t[-101])
    over = np.linalg.norm(ours.friction[slips], axis=1) / p.limit - 1.0
    computed = {
        "switches": ours.switches,
        "gross": np.count_nonzero(np.diff(ours.apart[slips] < GROSS)),
        "turn": ours.turns.max(),
        "limit": np.abs(over).max(),
        "final": (final @ p.force / size, (size - p.limit) / p.mass),
        "naive": naive.switches,
        "jump": naive.turns.max(),
    }
    run.compare(REFERENCES, computed)
    jump, times = np.degrees(naive.turns.max()), naive.switches
    run.note(f"the switched spring changes {times} times, its force jumps by {jump:.0f} degrees")
    curves = {}
    for name, motion in {"switched spring": naive, "elasto-plastic": ours}.items():
        turned = np.unwrap(np.arctan2(-motion.friction[:, 1], -motion.friction[:, 0]))
        curves[name] = np.interp(ours.t, motion.t, np.degrees(turned))
    axes = "time / ms", "direction against the friction force / deg"
    run.figure("direction", fc.view.curves_plot(1e3 * ours.t, curves, *axes))


CASE = fc.Case(__doc__, ("Stamm T1b",), DirectionJump(), main, quick_s=4)

if __name__ == "__main__":
    CASE.main(__file__)
