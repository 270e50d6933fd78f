"""Drucker's counter-example: friction slips along the wall, not off it.

A block lies on an incline of angle alpha with friction mu = tan(phi) and touches from below a
frictionless wall of the flatter angle beta. Coulomb friction lets it slide along the incline for
alpha > phi, away from the wall. An associated flow rule would lift it off the incline by phi, and
for phi > alpha - beta it would jam under the wall. The block is lowered slowly by a horizontal
drive that moves it by x. With its weight G

    H = -G tan(alpha - phi),     N = G cos(phi)/cos(alpha - phi) ,

and the wall opens by x sin(alpha - beta)/cos(alpha).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, cos, radians, sin, tan

import numpy as np

import fecontact as fc

SOURCE = "Stamm 2011, figure 4.1"


@dataclass(frozen=True)
class Drucker(fc.Parameters):
    """Angles of the source notes; an associated rule would jam."""

    incline: float = fc.quantity(radians(35.0), "rad", fc.POSITIVE)
    wall: float = fc.quantity(radians(10.0), "rad", fc.POSITIVE)
    mu: float = fc.quantity(tan(radians(30.0)), "", fc.POSITIVE)
    weight: float = fc.quantity(10.0, "N", fc.POSITIVE)
    stiffness: float = fc.quantity(1e7, "N/m", fc.POSITIVE)
    way: float = fc.quantity(2e-3, "m", fc.POSITIVE)

    def validate(self) -> None:
        """The block must slide, and an associated rule must jam."""
        if not self.incline - self.wall < atan(self.mu) < self.incline:
            raise fc.InputError(
                f"mu = {self.mu} is not possible: it must lie between tan(incline - wall) and "
                "tan(incline)"
            )


def channel(p: Drucker) -> fc.System:
    """Block between incline and wall, driven horizontally at 1 way/s."""
    block = fc.RigidBody("block", 1.0, ("ux", "uz"))
    point = fc.Surface(np.zeros((1, 3)), np.ones(1))
    law = fc.PenaltyNormal(p.stiffness)
    incline = fc.RigidFace(None, fc.Plane(normal=(sin(p.incline), 0.0, cos(p.incline))))
    wall = fc.RigidFace(None, fc.Plane(normal=(-sin(p.wall), 0.0, -cos(p.wall))))
    contacts = [
        fc.ContactPair(block, point, incline, law, fc.ElastoPlastic(p.mu, p.stiffness), "incline"),
        fc.ContactPair(block, point, wall, law, fc.ElastoPlastic(0.0, p.stiffness), "wall"),
    ]
    drive = fc.PrescribedMotion(fc.DofCoordinate(block, "ux"), fc.Speed(p.way), name="drive")
    return fc.System([block], [*contacts, fc.Force(block, (0.0, 0.0, -p.weight)), drive])


def main(run: fc.Run[Drucker]) -> None:
    """Lower the block in small increments."""
    p = run.parameters
    path = fc.load_path(fc.StaticSystem(channel(p)), np.linspace(0.0, 1.0, 41))
    late = path.increments[len(path.increments) // 2 :]  # the bristles are bent, the block slides
    last, x = late[-1], np.array([each.x[0] for each in late])
    incline, wall = last.contacts["incline"], last.contacts["wall"]
    phi, down = atan(p.mu), p.incline - atan(p.mu)
    lift = np.array([each.contacts["incline"].gap[0] for each in late])
    opened = wall.gap[0] - late[0].contacts["wall"].gap[0]
    expected = sin(p.incline - p.wall) / cos(p.incline) * (x[-1] - x[0])
    rows = (
        ("drive force H", float(last.x[2]), -p.weight * tan(down), "N", 1e-6),
        ("normal force on the incline", float(incline.pressure[0]),
         p.weight * cos(phi) / cos(down), "N", 1e-6),
        ("force on the wall", float(wall.pressure[0]), 0.0, "N", 0.0),
        ("opening of the wall", float(opened), expected, "m", 1e-9 * expected),
        ("lift off the incline while it slides", float(np.ptp(lift)), 0.0, "m", 1e-12),
    )  # fmt: skip
    for name, computed, reference, unit, tolerance in rows:
        run.check(name, computed, reference, unit=unit, tolerance=tolerance, kind="closed_form",
                  source=SOURCE, formula=True)  # fmt: skip
    run.note(f"An associated rule would lift the block by {np.ptp(x) * tan(phi):.3g} m and jam it.")
    x, z = 1e3 * path.x[:, 0], 1e3 * path.x[:, 1]
    figure = fc.view.curves_plot(
        x,
        {"incline": -tan(p.incline) * x, "wall": -tan(p.wall) * x,
         "direction of an associated rule": -tan(down) * x},
        "x / mm",
        "z / mm",
        dots={"block": z},
    )  # fmt: skip
    run.figure("path", figure)


CASE = fc.Case(
    title="Drucker: a sliding block does not lift off and does not jam",
    verifies=("Stamm T3",),
    parameters=Drucker(),
    run=main,
    quick_s=2,
)

if __name__ == "__main__":
    CASE.main(__file__)
