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

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import RigidBody
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact import ContactPair, PenaltyNormal, Surface
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.errors import POSITIVE, InputError
from fecontact.joint import Force, PrescribedMotion
from fecontact.joint.coordinate import DofCoordinate
from fecontact.joint.motion_law import Speed
from fecontact.system import System
from fecontact.view import plots

SOURCE = "Stamm T3"


@dataclass(frozen=True)
class Drucker(Parameters):
    """Angles of the digest; an associated rule would jam."""

    incline: float = quantity(radians(35.0), "rad", POSITIVE)
    wall: float = quantity(radians(10.0), "rad", POSITIVE)
    mu: float = quantity(tan(radians(30.0)), "", POSITIVE)
    weight: float = quantity(10.0, "N", POSITIVE)
    stiffness: float = quantity(1e7, "N/m", POSITIVE)
    way: float = quantity(2e-3, "m", POSITIVE)

    def validate(self) -> None:
        """The block must slide, and an associated rule must jam."""
        if not self.incline - self.wall < atan(self.mu) < self.incline:
            raise InputError(
                f"mu = {self.mu} is not possible: it must lie between tan(incline - wall) and "
                "tan(incline)"
            )


def channel(p: Drucker) -> System:
    """Block between incline and wall, driven horizontally at 1 way/s."""
    block = RigidBody("block", 1.0, ("ux", "uz"))
    point = Surface(np.zeros((1, 3)), np.ones(1))
    law = PenaltyNormal(p.stiffness)
    incline = RigidFace(None, Plane(normal=(sin(p.incline), 0.0, cos(p.incline))))
    wall = RigidFace(None, Plane(normal=(-sin(p.wall), 0.0, -cos(p.wall))))
    contacts = [
        ContactPair(block, point, incline, law, ElastoPlastic(p.mu, p.stiffness), "incline"),
        ContactPair(block, point, wall, law, ElastoPlastic(0.0, p.stiffness), "wall"),
    ]
    drive = PrescribedMotion(DofCoordinate(block, "ux"), Speed(p.way), name="drive")
    return System([block], [*contacts, Force(block, (0.0, 0.0, -p.weight)), drive])


def run(run: Run[Drucker]) -> None:
    """Lower the block in small increments."""
    p = run.parameters
    path = load_path(StaticSystem(channel(p)), np.linspace(0.0, 1.0, 41))
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
    figure = plots.curves_plot(
        x,
        {"incline": -tan(p.incline) * x, "wall": -tan(p.wall) * x,
         "direction of an associated rule": -tan(down) * x},
        "x / mm",
        "z / mm",
        dots={"block": z},
    )  # fmt: skip
    plots.save(figure, run.path("path.png"))


CASE = Case(
    title="Drucker: a sliding block does not lift off and does not jam",
    proves=("Stamm T3",),
    parameters=Drucker(),
    run=run,
    quick_s=2,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
