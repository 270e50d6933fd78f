"""Elastic bar against a rigid wall (Saint-Venant): stress waves instead of a law of restitution.

A bar of length L, wave speed c = sqrt(E/rho), arrives with the speed v. It stays in contact for
2 L/c under the constant force rho A c v and comes back with -v, unloaded. Here it is a row of point
masses and springs whose first mass hits the wall plastically: the energy of that one mass is lost,
a fraction 1/n that vanishes with the mesh (Waltersberger recommends e = 0 for elastic bodies).
"""

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
    wave = fc.derived("wave speed in m/s", lambda p: sqrt(p.modulus / p.density))
    contact_time = fc.derived("2 L/c in s", lambda p: 2.0 * p.length / p.wave)
    force = fc.derived(
        "contact force rho A c v in N", lambda p: p.density * p.area * p.wave * p.speed
    )


REFERENCES = fc.References(
    """
    time  | contact time                            | 1.0 |  |      | 2 L/c
    force | mean force in the middle of the contact | 1.0 |  |      | rho A c v
    back  | speed of the centre after the impact    | 1.0 |  |      | Saint-Venant: back with v
    drift | numerical dissipation, relative         | 0.0 |  | 1e-9 | theta = 1/2 on a linear bar
    """,
    lost=fc.Reference(  # the springs of the implicit step add (courant/2)^2 to the first impulse
        "lost energy times the number of masses",
        1.0,
        tolerance=lambda p: 0.25 * p.courant**2,
        source="kinetic energy of the first mass",
    ),
)


def build(p: BarImpact, masses: int = 16) -> fc.System:
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


def main(run: fc.Run[BarImpact]) -> None:
    """Contact time, force, rebound and lost energy."""
    p = run.parameters
    n = 16 if run.quick else p.masses
    model = build(p, n)
    start = model.state(v=dict.fromkeys(model.coordinates, -p.speed))
    step = p.courant * p.length / n / p.wave
    motion = fc.simulate(model, 1.4 * p.contact_time, start, "moreau", step=step)
    force = np.array([report.pressure[0] for report in motion.contacts["contact"]]) / p.force
    t, energies = motion.t / p.contact_time, motion.energies
    computed = {
        "time": t[np.flatnonzero(force > 0.0)[-1]],
        "force": force[(t > 0.25) & (t < 0.75)].mean(),
        "back": motion.v[-1].mean() / p.speed,
        "lost": n * energies["damping"][-1] / energies["kinetic"][0],
        "drift": abs(energies["numerical"]).max() / energies["kinetic"][0],
    }
    run.compare(
        REFERENCES, computed, tolerances={"time": 2.0 / n + 0.02, "force": 1.0 / n, "back": 2.0 / n}
    )
    curves = {
        "contact force / (rho A c v)": force,
        "speed of the centre / v": motion.v.mean(axis=1) / p.speed,
    }
    run.figure("bar_impact", fc.view.curves_plot(t, curves, "time / (2 L/c)", "force, speed"))


CASE = fc.Case(__doc__, ("bar impact",), BarImpact(), main, quick_s=8.0, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
