"""Drucker's counter-example: friction slips along the wall, not off it.

A block lies on an incline of angle alpha with friction mu = tan(phi) and touches from below a
frictionless wall of the flatter angle beta. Coulomb friction lets it slide along the incline for
alpha > phi, away from the wall. An associated flow rule would lift it off the incline by phi, and
for phi > alpha - beta it would jam under the wall. The block is lowered slowly by a horizontal
drive that moves it by x. With its weight G

    H = -G tan(alpha - phi),     N = G cos(phi)/cos(alpha - phi) ,

and the wall opens by x sin(alpha - beta)/cos(alpha).
"""

from dataclasses import dataclass
from math import atan, cos, radians, sin, tan

import numpy as np

import fecontact as fc


@dataclass(frozen=True)
class Drucker(fc.Parameters):
    """Angles of the source notes; an associated rule would jam."""

    incline: float = fc.quantity(radians(35.0), "rad", fc.POSITIVE)
    wall: float = fc.quantity(radians(10.0), "rad", fc.POSITIVE)
    mu: float = fc.quantity(tan(radians(30.0)), "", fc.between("least", "most"))
    weight: float = fc.quantity(10.0, "N", fc.POSITIVE)
    stiffness: float = fc.quantity(1e7, "N/m", fc.POSITIVE)
    way: float = fc.quantity(2e-3, "m", fc.POSITIVE)

    least = fc.derived(
        "friction of an associated rule", lambda p: max(0.0, tan(p.incline - p.wall))
    )
    most = fc.derived("friction that holds the block", lambda p: tan(p.incline))
    down = fc.derived("angle alpha - phi in rad", lambda p: p.incline - atan(p.mu))


REFERENCES = fc.References(
    drive=fc.Reference("drive force H", lambda p: -p.weight * tan(p.down), "N", 1e-6),
    normal=fc.Reference(
        "normal force on the incline", lambda p: p.weight * cos(atan(p.mu)) / cos(p.down), "N", 1e-6
    ),
    wall=fc.Reference("force on the wall", 0.0, "N"),
    opening=fc.Reference("opening of the wall", unit="m", relative=1e-9),
    lift=fc.Reference("lift off the incline while it slides", 0.0, "m", 1e-12),
    source="Stamm 2011, figure 4.1",
)


def build(p: Drucker) -> fc.System:
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
    path = fc.load_path(fc.StaticSystem(build(p)), np.linspace(0.0, 1.0, 41))
    late = path.increments[len(path.increments) // 2 :]  # the bristles are bent, the block slides
    first, last, way = late[0].contacts, late[-1].contacts, late[-1].x[0] - late[0].x[0]
    opened = sin(p.incline - p.wall) / cos(p.incline) * way
    computed = {
        "drive": late[-1].x[2],
        "normal": last["incline"].pressure[0],
        "wall": last["wall"].pressure[0],
        "opening": (last["wall"].gap[0] - first["wall"].gap[0], opened),
        "lift": np.ptp([each.contacts["incline"].gap[0] for each in late]),
    }
    run.compare(REFERENCES, computed)
    run.note(f"An associated rule would lift the block by {way * p.mu:.3g} m and jam it.")
    x, z = 1e3 * path.x[:, 0], 1e3 * path.x[:, 1]
    lines = {"incline": p.incline, "wall": p.wall, "direction of an associated rule": p.down}
    curves = {name: -tan(angle) * x for name, angle in lines.items()}
    run.figure("path", fc.view.curves_plot(x, curves, "x / mm", "z / mm", dots={"block": z}))


CASE = fc.Case(__doc__, ("Stamm T3",), Drucker(), main, quick_s=2, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
