"""Ring that breaks loose on a plane: how many contact points are enough.

A ring (r_1, r_2, m) lies on a plane under its weight, with mu_st > mu, free in all six directions.
A force on its centre of mass and a moment about its axis change in time,

    F = F_a (cos(2 pi t/T_x), sin(2 pi t/T_y), 0),      M = M_a sin(2 pi t/T_z)

and break it loose. The time functions of the source are lost, and its amplitudes of
0.1 N and 0.25 N mm cannot break the ring loose from rest: 0.77 of the largest force and 0.24 of the
largest moment of stick, together 0.65 < 1. Those here are twice as large. Bristles of the whole
ring have c = omega_c^2 m_c/eps_c, 1.6 N/mm, shared by the points. Compared are 3 points on one
circle and 12 to 48 on two, with the ring on 48 points as reference.

Steps must resolve the break-away: friction drops at the end of a step, and in steps of 2 ms the
rings let go at speeds that differ by 0.1 mm/s, more than 12 and 48 points differ by themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin, sqrt

import numpy as np

from fecontact.body import RigidBody
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact import (
    STICK,
    ContactPair,
    Coulomb,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidFace,
    Surface,
)
from fecontact.errors import POSITIVE
from fecontact.joint import Force, Gravity, Torque
from fecontact.joint.curve import Function
from fecontact.simulate import Trajectory, simulate
from fecontact.system import System
from fecontact.typing import Floats
from fecontact.view import plots
from fecontact.view.contact import contact_states
from fecontact.view.energy import energy_plot
from fecontact.view.motion import history_panels
from fecontact.view.signals import phase_plane

SOURCE = "Stamm T5"
FREEDOMS = ("ux", "uy", "uz", "rx", "ry", "rz")
CIRCLES = {3: 1, 12: 2, 24: 2, 36: 2, 48: 2}
"""Number of points -> number of circles."""


@dataclass(frozen=True)
class RingStickSlip(Parameters):
    """Data of the source with twice its loads; periods are substitutes."""

    outer: float = quantity(10e-3, "m", POSITIVE)
    inner: float = quantity(6e-3, "m", POSITIVE)
    height: float = quantity(10e-3, "m", POSITIVE)
    density: float = quantity(12e3, "kg/m^3", POSITIVE)
    mu_static: float = quantity(0.55, "", POSITIVE)
    mu: float = quantity(0.35, "", POSITIVE)
    gravity: float = quantity(9.81, "m/s^2", POSITIVE)
    bristles: float = quantity(1.6e3, "N/m", POSITIVE)
    normal_stiffness: float = quantity(4e6, "N/m", POSITIVE)
    normal_damping: float = quantity(100.0, "N s/m", POSITIVE)
    force: float = quantity(0.2, "N", POSITIVE)
    moment: float = quantity(0.5e-3, "N m", POSITIVE)
    until: float = quantity(2.0, "s", POSITIVE)
    step: float = quantity(5e-4, "s", POSITIVE, numerical=True)

    @property
    def mass(self) -> float:
        """In kg."""
        return self.density * pi * (self.outer**2 - self.inner**2) * self.height

    @property
    def inertia(self) -> tuple[float, float, float]:
        """About the centre of mass, in kg m^2."""
        squares = self.outer**2 + self.inner**2
        tilt = self.mass * (squares / 4.0 + self.height**2 / 12.0)
        return tilt, tilt, 0.5 * self.mass * squares


def face(p: RingStickSlip, number: int) -> Floats:
    """Points (number, 3) of the lower face on circles at the Gauss points of r^2."""
    rings = CIRCLES[number]
    x = np.polynomial.legendre.leggauss(rings)[0]
    r = np.sqrt(0.5 * (p.outer**2 + p.inner**2) + 0.5 * (p.outer**2 - p.inner**2) * x)
    segments = number // rings
    phi = 2.0 * pi * np.arange(segments) / segments
    rows = []
    for k, radius in enumerate(r):
        angle = phi + pi * k / segments
        rows.append(np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]))
    flat = np.concatenate(rows)
    return np.column_stack([flat, np.full(number, -0.5 * p.height)])


def wave(period: float, shift: float = 0.0) -> Function:
    """sin(2 pi t/period + shift)."""
    w = 2.0 * pi / period
    return Function(lambda t: sin(w * t + shift), lambda t: w * cos(w * t + shift))


def system(p: RingStickSlip, number: int = 12) -> System:
    """Ring on points that share the bristles."""
    ring = RigidBody("ring", p.mass, FREEDOMS, p.inertia, position=(0.0, 0.0, 0.5 * p.height))
    stiffness = p.bristles / number
    contact = ContactPair(
        ring,
        Surface(face(p, number), np.ones(number)),
        RigidFace(None, Plane()),
        PenaltyNormal(p.normal_stiffness, p.normal_damping),
        ElastoPlastic(Coulomb(p.mu, p.mu_static), stiffness, 2.0 * sqrt(p.bristles) / number),
        "face",
    )
    loads = [
        Gravity([ring], (0.0, 0.0, -p.gravity)),
        Force(ring, (p.force, 0.0, 0.0), name="push", factor=wave(1.0, 0.5 * pi)),
        Force(ring, (0.0, p.force, 0.0), name="side", factor=wave(0.7)),
        Torque(ring, (0.0, 0.0, p.moment), factor=wave(0.45)),
    ]
    return System([ring], [contact, *loads])


def moved(p: RingStickSlip, number: int, until: float) -> Trajectory:
    """Motion from rest on the contact."""
    whole = system(p, number)
    depth = p.mass * p.gravity / number / p.normal_stiffness
    start = whole.state(q={"ring.uz": -depth})
    return simulate(whole, until, start, output=0.01, step=p.step)


def turn(motion: Trajectory) -> Floats:
    """Angle about the axis in rad, from the quaternion."""
    return np.unwrap(2.0 * np.arctan2(motion.q[:, 6], motion.q[:, 3]), period=2.0 * pi)


def distance(a: Trajectory, b: Trajectory) -> tuple[float, float]:
    """Root mean square distance in um, and of the angles in rad."""
    way = np.sum((a.q[:, :2] - b.q[:, :2]) ** 2, axis=1)
    return 1e6 * sqrt(way.mean()), sqrt(float(np.mean((turn(a) - turn(b)) ** 2)))


def run(run: Run[RingStickSlip]) -> None:
    """Data, distances from the ring on 48 points, stick and slip, energy."""
    p = run.parameters
    weight = p.mass * p.gravity
    for name, value, digest, unit in (
        ("mass", p.mass, 0.0241274, "kg"),
        ("inertia about the axis", p.inertia[2], 1.640665e-6, "kg m^2"),
        ("largest force of stick", p.mu_static * weight, 0.1301796, "N"),
    ):
        run.check(name, value, digest, unit=unit, tolerance=2e-6 * digest, kind="digest",
                  source=SOURCE)  # fmt: skip
    numbers = (3, 12, 48) if run.quick else tuple(CIRCLES)
    until = 0.1 if run.quick else p.until
    motions = {n: moved(p, n, until) for n in numbers}
    errors = {n: distance(motions[n], motions[48]) for n in numbers[:-1]}
    for k, (name, unit) in enumerate((("distance", "µm"), ("angle", "rad"))):
        run.check(f"rms {name}: 3 points over 12", errors[3][k] / errors[12][k], 5.0,
                  relation="ge", kind="digest", source=SOURCE)  # fmt: skip
        for few, more in pairwise(numbers[:-1]):
            run.check(f"rms {name}, {more} points", errors[more][k], errors[few][k], unit=unit,
                      relation="le", kind="published",
                      source=f"Stamm, figure 6.4: less than with {few}")  # fmt: skip
    motion = motions[12]
    lines = motion.energies
    left = float((np.abs(lines["numerical"]) + np.abs(lines["residual"])).max())
    run.check("energy not accounted for, over the slip work", left / float(lines["slip"][-1]),
              1e-3, relation="le", kind="closed_form", source="energy audit",
              formula=True)  # fmt: skip
    stuck = float((motion.mode == STICK).all(axis=1).mean())
    run.note(f"On 12 points all of them stick in {100.0 * stuck:.1f} % of the time.")
    run.note("rms distance from 48 points: " + "; ".join(
        f"{n} points {way:.3g} um, {angle:.2g} rad" for n, (way, angle) in errors.items()
    ))  # fmt: skip
    pictures(run, motions)


def pictures(run: Run[RingStickSlip], motions: dict[int, Trajectory]) -> None:
    """Paths, angle, contact states, energies."""
    paths = {f"{n} points": (1e3 * m.q[:, 0], 1e3 * m.q[:, 1]) for n, m in motions.items()}
    plots.save(phase_plane(paths, "x / mm", "y / mm"), run.path("paths.png"))
    angles = {f"{n} points": (m.t, turn(m)) for n, m in motions.items()}
    gaps = {f"{n} points": (m.t, 1e6 * np.linalg.norm((m.q - motions[48].q)[:, :2], axis=1))
            for n, m in motions.items() if n != 48}  # fmt: skip
    panels = {"angle / rad": angles, "distance from 48 points / µm": gaps}
    plots.save(history_panels(panels), run.path("angle.png"))
    motion = motions[12]
    plots.save(contact_states(motion.t, {"face": motion.mode}), run.path("states.png"))
    plots.save(energy_plot(motion.t, motion.energies), run.path("energy.png"))


CASE = Case(
    title="ring that breaks loose on a plane: 3 to 48 contact points",
    proves=("Stamm T5",),
    parameters=RingStickSlip(),
    run=run,
    quick_s=8,
    system=system,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
