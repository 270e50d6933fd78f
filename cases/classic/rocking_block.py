"""Rocking block: a rigid block tilts, falls back and rocks over to its other edge (Housner 1963).

Half width b, half height h, R^2 = b^2 + h^2, tan alpha = b/h, inertia about an edge 4/3 m R^2. From
rest at the tilt theta_0 the block reaches the ground with

    omega^2 = (3 g/(2 R)) (cos(alpha - theta_0) - cos alpha),

the new edge takes the impulse alone, and omega drops by the factor r = 1 - 3/2 sin^2 alpha. The
next tilt follows from cos(alpha - theta_1) - cos alpha = r^2 (cos(alpha - theta_0) - cos alpha).
"""

from dataclasses import dataclass
from math import acos, atan2, cos, hypot, sin, sqrt

import numpy as np

import fecontact as fc


@dataclass(frozen=True)
class RockingBlock(fc.Parameters):
    """A slender block that does not slide."""

    mass: float = fc.quantity(10.0, "kg", fc.POSITIVE)
    half_width: float = fc.quantity(0.1, "m", fc.POSITIVE)
    half_height: float = fc.quantity(0.4, "m", fc.POSITIVE)
    tilt: float = fc.quantity(0.15, "rad", fc.POSITIVE)
    friction: float = fc.quantity(1.0, "", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    step: float = fc.quantity(1e-3, "s", fc.POSITIVE, numerical=True)
    radius = fc.derived("R in m", lambda p: hypot(p.half_width, p.half_height))
    alpha = fc.derived("angle of the diagonal in rad", lambda p: atan2(p.half_width, p.half_height))
    ratio = fc.derived("housner's r", lambda p: 1.0 - 1.5 * sin(p.alpha) ** 2)
    drop = fc.derived(
        "cos(alpha - theta_0) - cos alpha", lambda p: cos(p.alpha - p.tilt) - cos(p.alpha)
    )
    spin = fc.derived(
        "angular speed just before the impact in rad/s",
        lambda p: sqrt(1.5 * p.gravity / p.radius * p.drop),
    )
    next_tilt = fc.derived(
        "tilt on the other edge in rad",
        lambda p: p.alpha - acos(cos(p.alpha) + p.ratio**2 * p.drop),
    )


REFERENCES = fc.References("""
    spin   | angular speed before the impact   | p.spin | rad/s |  | energy
    ratio  | factor of the impact              | p.ratio |  |  | Housner 1963 | published
    tilt   | tilt on the other edge            | p.next_tilt | rad |  | energy, r
    slip   | slip path of the edges            | 0.0 | m |  | edges stick: mu = 1 > tan alpha
    energy | energy at the end, with all spent |  | J |  | balance of energy
""")


def build(p: RockingBlock) -> fc.System:
    """Block on its two edges, in the x-z plane."""
    b, h = p.half_width, p.half_height
    inertia = p.mass * (b**2 + h**2) / 3.0
    block = fc.RigidBody("block", p.mass, ("ux", "uz", "ry"), (inertia,) * 3, (0.0, 0.0, h))
    edges = fc.Surface(np.array([[b, 0.0, -h], [-b, 0.0, -h]]), np.ones(2))
    contact = fc.RigidContact(block, edges, fc.RigidFace(None, fc.Plane()), p.friction)
    return fc.System([block], [fc.Gravity([block], (0.0, 0.0, -p.gravity)), contact])


def tilted(p: RockingBlock, model: fc.System) -> fc.State:
    """At rest on the edge at +b."""
    b, h, s, c = p.half_width, p.half_height, sin(p.tilt), cos(p.tilt)
    q = {"block.ux": b - b * c + h * s, "block.uz": b * s + h * c - h, "block.ry": p.tilt}
    return model.state(q=q)


def main(run: fc.Run[RockingBlock]) -> None:
    """Housner's numbers."""
    p = run.parameters
    step, model = (2.0 if run.quick else 1.0) * p.step, build(p)
    until = 4.5 / sqrt(0.75 * p.gravity / p.radius)
    motion = fc.simulate(model, until, tilted(p, model), "moreau", step=step)
    spin, tilt = motion.v[:, 2], motion.q[:, 2]
    down = int(np.argmax(tilt <= 0.0))
    jump = down - 3 + int(np.argmax(np.abs(np.diff(spin[down - 3 : down + 4]))))
    end = {name: line[-1] for name, line in motion.energies.items()}
    spent = sum(end[name] for name in ("kinetic", "potential", "slip", "damping", "numerical"))
    start = motion.energies["potential"][0]
    computed = {
        "spin": -spin[jump],
        "ratio": spin[jump + 1] / spin[jump],
        "tilt": -tilt.min(),
        "slip": motion.slip_totals[-1, 1::2].max(),
        "energy": (spent - end["residual"], start),
    }
    turn = step * p.spin  # angle of one step
    about = {"spin": 10 * turn, "ratio": 10 * turn, "tilt": 5 * turn}
    about |= {"slip": 10 * turn * p.half_width, "energy": 1e-9 * abs(start) + 1e-9}
    run.compare(REFERENCES, computed, tolerances=about)
    curves = {"tilt / rad": tilt, "spin / (rad/s)": spin}
    figure = fc.view.curves_plot(motion.t, curves, "time / s", "tilt, angular speed")
    run.figure("rocking_block", figure)


CASE = fc.Case(__doc__, ("rocking block",), RockingBlock(), main, quick_s=6.0, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
