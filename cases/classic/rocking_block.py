"""Rocking block: a rigid block tilts, falls back and rocks over to its other edge (Housner 1963).

Half width b, half height h, R^2 = b^2 + h^2, tan alpha = b/h, inertia about an edge 4/3 m R^2. From
rest at the tilt theta_0 the block reaches the ground with

    omega^2 = (3 g/(2 R)) (cos(alpha - theta_0) - cos alpha),

the new edge takes the impulse alone, and omega drops by the factor r = 1 - 3/2 sin^2 alpha. The
next tilt follows from cos(alpha - theta_1) - cos alpha = r^2 (cos(alpha - theta_0) - cos alpha).
"""

from __future__ import annotations

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

    @property
    def radius(self) -> float:
        """R in m."""
        return hypot(self.half_width, self.half_height)

    @property
    def alpha(self) -> float:
        """Angle of the diagonal in rad."""
        return atan2(self.half_width, self.half_height)

    @property
    def ratio(self) -> float:
        """Housner's r."""
        return 1.0 - 1.5 * sin(self.alpha) ** 2

    @property
    def drop(self) -> float:
        """cos(alpha - theta_0) - cos alpha."""
        return cos(self.alpha - self.tilt) - cos(self.alpha)

    @property
    def spin(self) -> float:
        """Angular speed just before the impact in rad/s."""
        return sqrt(1.5 * self.gravity / self.radius * self.drop)

    @property
    def next_tilt(self) -> float:
        """Tilt on the other edge in rad."""
        return self.alpha - acos(cos(self.alpha) + self.ratio**2 * self.drop)


def system(p: RockingBlock) -> fc.System:
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


def rock(p: RockingBlock, step: float) -> fc.Trajectory:
    """Motion until the block is tilted to the other side and comes back."""
    model = system(p)
    until = 4.5 / sqrt(0.75 * p.gravity / p.radius)
    return fc.simulate(model, until, tilted(p, model), "moreau", step=step)


def measured(motion: fc.Trajectory) -> tuple[float, float, float]:
    """Angular speed before the first impact, factor of the impact, tilt on the other side."""
    spin, tilt = motion.v[:, 2], motion.q[:, 2]
    last = int(np.argmax(tilt <= 0.0))
    jump = last - 3 + int(np.argmax(np.abs(np.diff(spin[last - 3 : last + 4]))))
    return float(-spin[jump]), float(spin[jump + 1] / spin[jump]), float(-tilt.min())


def main(run: fc.Run[RockingBlock]) -> None:
    """Housner's numbers, and their order in the step."""
    p = run.parameters
    steps = np.array([4.0, 2.0] if run.quick else [4.0, 2.0, 1.0]) * p.step
    motions = [rock(p, float(h)) for h in steps]
    spin, ratio, tilt = measured(motions[-1])
    share = float(steps[-1]) * p.spin
    run.check("angular speed before the impact", spin, p.spin, unit="rad/s", tolerance=10 * share,
              kind="closed_form", source="energy", formula=True)  # fmt: skip
    run.check("factor of the impact", ratio, p.ratio, tolerance=10 * share, kind="published",
              source="Housner 1963", formula=True)  # fmt: skip
    run.check("tilt on the other edge", tilt, p.next_tilt, unit="rad", tolerance=5 * share,
              kind="closed_form", source="energy and Housner's factor", formula=True)  # fmt: skip
    motion = motions[-1]
    slid = float(motion.wear[-1, 1::2].max())
    run.check("slip path of the edges", slid, 0.0, unit="m", tolerance=10 * share * p.half_width,
              kind="closed_form", source="friction 1 > tan alpha: edges do not slide",
              formula=True)  # fmt: skip
    lines = {name: float(line[-1]) for name, line in motion.energies.items()}
    start = float(motion.energies["potential"][0])
    spent = sum(lines[name] for name in ("kinetic", "potential", "slip", "damping", "numerical"))
    run.check("energy at the end, with all that was spent", spent - lines["residual"], start,
              unit="J", tolerance=1e-9 * abs(start) + 1e-9, kind="closed_form",
              source="balance of energy", formula=True)  # fmt: skip
    figure = fc.view.curves_plot(
        motion.t, {"tilt / rad": motion.q[:, 2], "spin / (rad/s)": motion.v[:, 2]}, "time / s",
        "tilt, angular speed",
    )  # fmt: skip
    run.figure("rocking_block", figure)


CASE = fc.Case(
    title="rocking block after Housner",
    verifies=("rocking block",),
    parameters=RockingBlock(),
    run=main,
    quick_s=6.0,
    system=system,
)

if __name__ == "__main__":
    CASE.main(__file__)
