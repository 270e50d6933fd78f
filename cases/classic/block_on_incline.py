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
from math import atan, cos, sin, sqrt

import numpy as np

import fecontact as fc

SlopedBlock = fc.reference.SlopedBlock


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


REFERENCES = fc.References("""
    friction | friction force at rest |          | N | 1e-6 rel
    tilt     | front less rear force  |          | N
    drift    | drift afterwards       | <= 1e-12 | m |          | rest | trend
    path     | path downhill          |          | m | 1e-6 rel
    heat     | heat                   |          | J
    stop     | time until it stops    |          | s | 1e-3 rel
    way      | path uphill            |          | m | 1e-4 rel
    *        | block of constant friction
    left     | energy audit: left over, of the heat | <= 1e-3 |  |  | energy balance | trend
""")


def build(p: Incline, angle: float = 0.3) -> fc.System:
    """Block on two points; x runs downhill."""
    inertia = p.mass / 12.0 * (p.length**2 + 4.0 * p.height**2)
    block = fc.RigidBody("block", p.mass, ("ux", "uz", "ry"), (inertia,) * 3, (0.0, 0.0, p.height))
    ends = np.array([[0.5 * p.length, 0.0, -p.height], [-0.5 * p.length, 0.0, -p.height]])
    feet, ground = fc.Surface(ends, np.ones(2)), fc.RigidFace(None, fc.Plane())
    normal = fc.PenaltyNormal(p.stiffness, p.damping)
    friction = fc.ElastoPlastic(p.friction, p.stiffness, p.damping)
    base = fc.ContactPair(block, feet, ground, normal, friction, "base")
    pull = fc.Gravity([block], (p.gravity * sin(angle), 0.0, -p.gravity * cos(angle)))
    return fc.System([block], [pull, base])


def started(p: Incline, system: fc.System, angle: float, speed: float = 0.0) -> fc.State:
    """Pressed on the plane; with a speed along x it slides, and all bristles are bent."""
    across = SlopedBlock.of(p, angle).normal_force
    friction = -np.sign(speed) * p.friction * across
    tilt = -friction * p.height / (0.5 * p.stiffness * p.length**2)
    down = {"block.uz": -across / (2.0 * p.stiffness), "block.ry": tilt}
    state = system.state(q=down, v={"block.ux": speed})
    return system.sliding(state) if speed else state


def main(run: fc.Run[Incline]) -> None:
    """Stick on the gentle slope, slide down the steep one, throw uphill on the gentle one."""
    p = run.parameters
    gentle, steep = build(p, p.gentle), build(p, p.steep)
    start, (along, across) = started(p, gentle, p.gentle), SlopedBlock.of(p, p.gentle).weight
    motion = fc.simulate(gentle, p.patience, start, output=p.patience / 10.0)
    front, rear = motion.contacts["base"][-1].pressure
    found = {
        "friction": (-motion.contacts["base"][-1].traction[:, 0].sum(), along),
        "tilt": (front - rear, 2.0 * p.height * along / p.length),
        "drift": np.ptp(motion.history("block.ux")[2:]),
    }
    run.compare(REFERENCES, found, part=True, tolerances={"tilt": 1e-4 * across})
    run.note(f"The block rests for {p.patience:g} s in {motion.statistics.steps} steps.")
    block, end = SlopedBlock.of(p, p.steep), 0.1 if run.quick else 0.5
    start, path = started(p, steep, p.steep, p.speed), block.downhill(end)
    for method in ("implicit", "explicit", "ode"):
        motion, heat = fc.simulate(steep, end, start, method, end), block.heat(path)
        found = {
            "path": (motion.q[-1, 0], path),
            "heat": (motion.energies["slip"][-1], heat),
            "left": motion.left_over[-1] / heat,
        }
        run.compare(REFERENCES, found, part=True, tolerances={"heat": 1e-4 * heat}, method=method)
    block, start = SlopedBlock.of(p, p.gentle), started(p, gentle, p.gentle, -p.speed)
    outputs = 1.5 * block.stop * np.arange(1, 301) / 300  # the stop falls on a time of output
    motion = fc.simulate(gentle, outputs[-1], start, output=outputs)
    t, heat, about = motion.t, block.heat(block.way_up), {"method": "uphill"}
    x, v = motion.history("block.ux"), motion.history("block.ux", "velocity")
    found = {
        "stop": (fc.crossings(t, v)[0], block.stop),
        "way": (-x.min(), block.way_up),
        "heat": (motion.energies["slip"][-1], heat),
        "left": motion.left_over.max() / heat,
    }
    run.compare(REFERENCES, found, part=True, tolerances={"heat": 1e-3 * heat}, **about)
    run.figure("energy", motion.plot_energy())
    name, (exact, slower) = "thrown uphill", block.uphill(t[::10])
    curves = {"x / m": {name: (t, x)}, "speed / (m/s)": {name: (t, v)}}
    dots = {"x / m": {name: (t[::10], exact)}, "speed / (m/s)": {name: (t[::10], slower)}}
    run.figure("uphill", fc.view.history_panels(curves, dots))


CASE = fc.Case(__doc__, ("block on incline",), Incline(), main, quick_s=8, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
