"""Elastic bar against a rigid wall (Saint-Venant): stress waves instead of a law of restitution.

A bar of length L, wave speed c = sqrt(E/rho), arrives with the speed v. It stays in contact for
2 L/c under the constant force rho A c v and comes back with -v, unloaded. Here it is a row of point
masses and springs whose first mass hits the wall plastically: the energy of that one mass is lost,
a share 1/n that vanishes with the mesh (Waltersberger recommends e = 0 for elastic bodies).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

import numpy as np

import fecontact as fc


@dataclass(frozen=True)
class BarImpact(fc.Parameters):
    """Steel bar of 1 m."""

    length: float = fc.quantity(1.0, "m", fc.POSITIVE)
    area: float = fc.quantity(1e-4, "m^2", fc.POSITIVE)
    modulus: float = fc.quantity(2.1e11, "Pa", fc.POSITIVE)
    density: float = fc.quantity(7850.0, "kg/m^3", fc.POSITIVE)
    speed: float = fc.quantity(1.0, "m/s", fc.POSITIVE)
    masses: int = fc.quantity(32, "", fc.POSITIVE, numerical=True)
    courant: float = fc.quantity(0.5, "", fc.POSITIVE, numerical=True)

    @property
    def wave(self) -> float:
        """Wave speed in m/s."""
        return sqrt(self.modulus / self.density)

    @property
    def contact_time(self) -> float:
        """2 L/c in s."""
        return 2.0 * self.length / self.wave

    @property
    def force(self) -> float:
        """Contact force rho A c v in N."""
        return self.density * self.area * self.wave * self.speed


def system(p: BarImpact, masses: int = 16) -> fc.System:
    """Row of masses along x; the wall is at x = 0."""
    size = p.length / masses
    mass, stiffness = p.density * p.area * size, p.modulus * p.area / size
    row = [
        fc.RigidBody(f"m{i}", mass, ("ux",), position=((i + 0.5) * size, 0.0, 0.0))
        for i in range(masses)
    ]
    springs = [
        fc.SpringDamper(a, b, stiffness, name=f"{a.name}-{b.name}") for a, b in pairwise(row)
    ]
    foot = fc.Surface(np.array([[-0.5 * size, 0.0, 0.0]]), np.ones(1))
    wall = fc.RigidFace(None, fc.Plane(normal=(1.0, 0.0, 0.0)))
    return fc.System(row, [*springs, fc.RigidContact(row[0], foot, wall)])


def hit(p: BarImpact, masses: int) -> fc.Trajectory:
    """Motion until the bar has left the wall."""
    model = system(p, masses)
    start = model.state(v=dict.fromkeys(model.coordinates, -p.speed))
    step = p.courant * p.length / masses / p.wave
    return fc.simulate(model, 1.4 * p.contact_time, start, "moreau", step=step)


def measured(p: BarImpact, motion: fc.Trajectory) -> tuple[float, float, float]:
    """Contact time, mean force in the middle of the contact, speed of the centre at the end."""
    force = np.array([report.pressure[0] for report in motion.contacts["contact"]])
    t = motion.t
    middle = (t > 0.25 * p.contact_time) & (t < 0.75 * p.contact_time)
    last = float(t[np.flatnonzero(force > 0.0)[-1]])
    return last, float(force[middle].mean()), float(motion.v[-1].mean())


def main(run: fc.Run[BarImpact]) -> None:
    """Contact time, force, rebound and lost energy over the number of masses."""
    p = run.parameters
    counts = np.array([8, 16] if run.quick else [8, 16, p.masses])
    motions = [hit(p, int(n)) for n in counts]
    values = [measured(p, motion) for motion in motions]
    n = int(counts[-1])
    time, force, back = values[-1]
    run.check("contact time", time / p.contact_time, 1.0, tolerance=2.0 / n + 0.02,
              kind="closed_form", source="2 L/c", formula=True)  # fmt: skip
    run.check("mean force in the middle of the contact", force / p.force, 1.0, tolerance=1.0 / n,
              kind="closed_form", source="rho A c v", formula=True)  # fmt: skip
    run.check("speed of the centre after the impact", back / p.speed, 1.0, tolerance=2.0 / n,
              kind="closed_form", source="Saint-Venant: the bar comes back with v",
              formula=True)  # fmt: skip
    lost = [float(m.energies["damping"][-1] / m.energies["kinetic"][0]) for m in motions]
    # the springs of the implicit step add up to (courant/2)^2 to the first impulse
    run.check("lost energy times the number of masses", lost[-1] * n, 1.0,
              tolerance=0.25 * p.courant**2, kind="closed_form",
              source="kinetic energy of the first mass", formula=True)  # fmt: skip
    drift = float(abs(motions[-1].energies["numerical"]).max() / motions[-1].energies["kinetic"][0])
    run.check("numerical dissipation, relative", drift, 0.0, tolerance=1e-9, kind="closed_form",
              source="theta = 1/2 on a linear bar", formula=True)  # fmt: skip
    motion = motions[-1]
    pressure = np.array([report.pressure[0] for report in motion.contacts["contact"]])
    figure = fc.view.curves_plot(
        motion.t / p.contact_time,
        {"contact force / (rho A c v)": pressure / p.force,
         "speed of the centre / v": motion.v.mean(axis=1) / p.speed},
        "time / (2 L/c)", "force, speed",
    )  # fmt: skip
    run.figure("bar_impact", figure)


CASE = fc.Case(
    title="elastic bar against a rigid wall",
    verifies=("bar impact",),
    parameters=BarImpact(),
    run=main,
    quick_s=8.0,
    system=system,
)

if __name__ == "__main__":
    CASE.main(__file__)
