"""Block on an incline: it sticks without drift, slides, and comes to rest.

Gravity g makes the angle alpha with the normal of a plane; the block of mass m with the coefficient
mu and base length L has its centre at the height b.

    stick (tan alpha < mu):   at rest on bent bristles that carry m g sin(alpha), for ever
    slide down:               x = v_0 t + g (sin(alpha) - mu cos(alpha)) t^2/2
    thrown uphill:            stops at t = v_0/(g (sin(alpha) + mu cos(alpha))), after v_0 t/2

The moment of friction loads the front: the forces at the two ends differ by 2 b F/L, with the
friction force F.
"""

from dataclasses import dataclass
from math import atan, cos, degrees, sin, sqrt

import numpy as np

import fecontact as fc


@dataclass(frozen=True)
class Incline(fc.Parameters):
    """A block of 2 kg on two points, on a gentle and on a steep slope."""

    mass: float = fc.quantity(2.0, "kg", fc.POSITIVE)
    length: float = fc.quantity(0.2, "m", fc.POSITIVE)
    height: float = fc.quantity(0.05, "m", fc.POSITIVE)
    friction: float = fc.quantity(0.4, "", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    gentle: float = fc.quantity(0.3, "rad", fc.between(0.0, "angle"))
    steep: float = fc.quantity(0.6, "rad", fc.between("angle"))
    speed: float = fc.quantity(1.0, "m/s", fc.POSITIVE)
    stiffness: float = fc.quantity(1e6, "N/m", fc.POSITIVE)
    damping_ratio: float = fc.quantity(1.0, "", fc.POSITIVE)
    patience: float = fc.quantity(1000.0, "s", fc.POSITIVE)

    angle = fc.derived("friction angle in rad", lambda p: atan(p.friction))
    damping = fc.derived(
        "of one end in N s/m, normal and tangential; the ratio is that of the whole block",
        lambda p: p.damping_ratio * sqrt(2.0 * p.stiffness * p.mass),
    )

    def weight(self, angle: float) -> tuple[float, float]:
        """Weight along the slope and across it in N."""
        return (self.mass * self.gravity * sin(angle), self.mass * self.gravity * cos(angle))


STICK = fc.References("""
    friction | friction force at rest |          | N | 1e-6 rel
    tilt     | front less rear force  |          | N
    drift    | drift afterwards       | <= 1e-12 | m |          | rest | trend
    *        | block of constant friction
""")
SLIDE = fc.References("""
    path | path downhill |  | m | 1e-6 rel
    heat | heat          |  | J | 1e-4 rel
    *    | block of constant friction
""")
THROW = fc.References("""
    stop | time until it stops |  | s | 1e-3 rel
    path | path uphill         |  | m | 1e-4 rel
    heat | heat                |  | J | 1e-3 rel
    *    | block of constant friction
""")
AUDIT = fc.References("""
    left | energy audit: left over, of the heat | <= 1e-3 |  |  | energy balance | trend
""")


def build(p: Incline, angle: float = 0.3) -> fc.System:
    """Block on two points; x runs downhill."""
    inertia = p.mass / 12.0 * (p.length**2 + 4.0 * p.height**2)
    middle = (0.0, 0.0, p.height)
    block = fc.RigidBody("block", p.mass, ("ux", "uz", "ry"), (inertia,) * 3, middle)
    ends = np.array([[0.5 * p.length, 0.0, -p.height], [-0.5 * p.length, 0.0, -p.height]])
    feet, ground = fc.Surface(ends, np.ones(2)), fc.RigidFace(None, fc.Plane())
    normal = fc.PenaltyNormal(p.stiffness, p.damping)
    friction = fc.ElastoPlastic(p.friction, p.stiffness, p.damping)
    base = fc.ContactPair(block, feet, ground, normal, friction, "base")
    pull = fc.Gravity([block], (p.gravity * sin(angle), 0.0, -p.gravity * cos(angle)))
    return fc.System([block], [pull, base])


def pressed(p: Incline, system: fc.System, angle: float, friction: float) -> fc.State:
    """At rest in the normal direction, with a friction force on the block along x."""
    tilt = -friction * p.height / (0.5 * p.stiffness * p.length**2)
    sunk = p.weight(angle)[1] / (2.0 * p.stiffness)
    return system.state(q={"block.uz": -sunk, "block.ry": tilt})


def sliding(p: Incline, system: fc.System, angle: float, speed: float) -> fc.State:
    """Sliding along x with all bristles bent."""
    friction = -np.sign(speed) * p.friction * p.weight(angle)[1]
    q = pressed(p, system, angle, friction).q
    return system.sliding(fc.State(0.0, q, np.array([speed, 0.0, 0.0])))


def main(run: fc.Run[Incline]) -> None:
    """Stick, slide, throw uphill."""
    stick(run)
    slide(run)
    throw(run)


def stick(run: fc.Run[Incline]) -> None:
    """It rests for a long time at the same place."""
    p, system = run.parameters, build(run.parameters, run.parameters.gentle)
    start = pressed(p, system, p.gentle, 0.0)
    motion = fc.simulate(system, p.patience, start, output=p.patience / 10.0)
    last, (along, across) = motion.contacts["base"][-1], p.weight(p.gentle)
    computed = {
        "friction": (-last.traction[:, 0].sum(), along),
        "drift": np.ptp(motion.history("block.ux")[2:]),
        "tilt": (last.pressure[0] - last.pressure[1], 2.0 * p.height * along / p.length),
    }
    run.compare(STICK, computed, tolerances={"tilt": 1e-4 * across})
    steps, angle = motion.statistics.steps, degrees(p.gentle)
    run.note(f"On {angle:.0f} degrees the block rests for {p.patience:g} s in {steps} steps.")


def slide(run: fc.Run[Incline]) -> None:
    """Down the steep slope by three methods."""
    p, system = run.parameters, build(run.parameters, run.parameters.steep)
    end, start = (0.1 if run.quick else 0.5), sliding(p, system, p.steep, p.speed)
    along, across = p.weight(p.steep)
    x = p.speed * end + (along - p.friction * across) / p.mass * end**2 / 2.0
    heat = p.friction * across * x
    for method in ("implicit", "explicit", "ode"):
        motion = fc.simulate(system, end, start, method, end)
        energies = motion.energies
        computed = {"path": (motion.q[-1, 0], x), "heat": (energies["slip"][-1], heat)}
        run.compare(SLIDE, computed, method=method)
        left = abs(energies["residual"][-1]) + abs(energies["numerical"][-1])
        run.compare(AUDIT, {"left": left / heat}, method=method)


def throw(run: fc.Run[Incline]) -> None:
    """Uphill on the gentle slope: where and when it stops, and that it stays."""
    p, system = run.parameters, build(run.parameters, run.parameters.gentle)
    along, across = p.weight(p.gentle)
    stop = p.speed * p.mass / (along + p.friction * across)
    path, end = 0.5 * p.speed * stop, 1.5 * stop
    heat, start = p.friction * across * path, sliding(p, system, p.gentle, -p.speed)
    outputs = np.arange(1, 301) * end / 300  # the stop falls on a time of output
    motion = fc.simulate(system, end, start, output=outputs)
    t, energies = motion.t, motion.energies
    x, v = motion.history("block.ux"), motion.history("block.ux", "velocity")
    i = int(np.flatnonzero(v >= 0.0)[0])
    stops = t[i] - v[i] * (t[i] - t[i - 1]) / (v[i] - v[i - 1])
    slip = energies["slip"][-1]
    computed = {"stop": (stops, stop), "path": (-x.min(), path), "heat": (slip, heat)}
    run.compare(THROW, computed, method="uphill")
    left = np.abs(energies["residual"]) + np.abs(energies["numerical"])
    run.compare(AUDIT, {"left": left.max() / heat}, method="uphill")
    run.figure("energy", fc.view.energy_plot(t, energies))
    few = t[::10]
    exact = np.minimum(few, stop)
    dots = -p.speed * exact + 0.5 * p.speed / stop * exact**2
    name, slower = "thrown uphill", -p.speed * (1.0 - exact / stop)
    figure = fc.view.history_panels(
        {"x / m": {name: (t, x)}, "speed / (m/s)": {name: (t, v)}},
        {"x / m": {name: (few, dots)}, "speed / (m/s)": {name: (few, slower)}},
    )
    run.figure("uphill", figure)


CASE = fc.Case(__doc__, ("block on incline",), Incline(), main, quick_s=8, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
