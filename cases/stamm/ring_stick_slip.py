"""Ring that sticks and slips on a plane: how many contact points are enough.

A ring (r_1, r_2, m) lies on a plane under its weight, with mu_st > mu, free in all six directions.
A force on its centre of mass, of a magnitude and a direction that change, and a moment about its
axis move it,

    F = F_a sin(2 pi t/T) (cos(2 pi t/T_d), sin(2 pi t/T_d), 0),      M = M_a sin(2 pi t/T)

The time functions of the source are lost; these have its amplitudes. All points together could hold
1.3 times this force. But the force acts at the height b over the plane and lightens the points
behind: with equal bristles they carry and press

    t_i = (F + M e_z x r_i/r^2)/n,      p_i = (m g + 2 b F . r_i/r^2)/n,      r^2 the mean of r_i^2

and the first of them lets go at 0.07 N. It keeps only mu/mu_st of its friction, the others take
over the rest and follow one after the other: stick and slip alternate, as the source says.

Bristles of the whole ring have c = omega_c^2 m_c/eps_c, shared by the points; omega_c = 4 is
1.6 N/mm if it means rad/s, and 63.2 N/mm if it means Hz. Both are run. Compared are 3 points on one
circle and 12 to 48 on two, with the ring on 48 points as reference.

Friction drops at the end of the step in which a point lets go. In steps of 0.5 ms the rings on 24,
36 and 48 points are as close as that after four slips, 20 to 100 um; so the three are told apart in
the first slip, in shorter steps.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from math import cos, pi, sin, sqrt

import numpy as np
from scipy.optimize import brentq

import fecontact as fc

CIRCLES = {3: 1, 12: 2, 24: 2, 36: 2, 48: 2}
"""Number of points -> number of circles."""
LONG = (3, 12, 24, 48)
"""Numbers of points in long runs."""


@dataclass(frozen=True)
class RingStickSlip(fc.Parameters):
    """Data of the source; the periods are substitutes."""

    outer: float = fc.quantity(10e-3, "m", fc.POSITIVE)
    inner: float = fc.quantity(6e-3, "m", fc.POSITIVE)
    height: float = fc.quantity(10e-3, "m", fc.POSITIVE)
    density: float = fc.quantity(12e3, "kg/m^3", fc.POSITIVE)
    mu_static: float = fc.quantity(0.55, "", fc.POSITIVE)
    mu: float = fc.quantity(0.35, "", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    cutoff: float = fc.quantity(4.0, "rad/s", fc.POSITIVE)
    regularisation: float = fc.quantity(0.01, "", fc.POSITIVE)
    bristle_mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    normal_stiffness: float = fc.quantity(4e6, "N/m", fc.POSITIVE)
    normal_damping: float = fc.quantity(100.0, "N s/m", fc.POSITIVE)
    force: float = fc.quantity(0.1, "N", fc.POSITIVE)
    moment: float = fc.quantity(0.25e-3, "N m", fc.POSITIVE)
    period: float = fc.quantity(0.5, "s", fc.POSITIVE)
    direction_period: float = fc.quantity(2.8, "s", fc.POSITIVE)
    until: float = fc.quantity(1.0, "s", fc.POSITIVE)
    step: float = fc.quantity(5e-4, "s", fc.POSITIVE, numerical=True)
    bristles = fc.derived(
        "stiffness c in N/m of all bristles (Stamm 5.61)",
        lambda p: p.cutoff**2 * p.bristle_mass / p.regularisation,
    )
    bristle_damping = fc.derived(
        "critical for the mass m_c, in N s/m, of all bristles (Stamm 5.62)",
        lambda p: 2.0 * sqrt(p.bristles * p.bristle_mass),
    )
    mass = fc.derived("in kg", lambda p: p.density * pi * (p.outer**2 - p.inner**2) * p.height)

    @property
    def inertia(self) -> tuple[float, float, float]:
        """About the centre of mass, in kg m^2."""
        squares = self.outer**2 + self.inner**2
        tilt = self.mass * (squares / 4.0 + self.height**2 / 12.0)
        return tilt, tilt, 0.5 * self.mass * squares


REFERENCES = fc.References("""
    rms   | rms                                            | >= 5.0
    fraction | fraction of the time in which all 12 points stick | in 0.05 0.95 |  |
        | Stamm 2011, section 6.2.1: stick and slip occur | published
    mass    | mass                   | 0.0241274   | kg     | 2e-6 rel
    inertia | inertia about the axis | 1.640665e-6 | kg m^2 | 2e-6 rel
    force   | largest force of stick | 0.1301796   | N      | 2e-6 rel
    *     | Stamm 2011, section 6.2.1 | source_notes
    first | first point lets go | | s | 2.0 * p.step | friction limit of a point
    distance | rms distance | <= | µm  |  | Stamm 2011, figure 6.4 | published
    angle    | rms angle    | <= | rad |  | Stamm 2011, figure 6.4 | published
""")


def face(p: RingStickSlip, number: int) -> fc.Floats:
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


def wave(period: float, shift: float = 0.0) -> fc.Function:
    """sin(2 pi t/period + shift)."""
    w = 2.0 * pi / period
    return fc.Function(lambda t: sin(w * t + shift), lambda t: w * cos(w * t + shift))


def product(a: fc.Function, b: fc.Function) -> fc.Function:
    """Product of two functions of time."""
    return fc.Function(lambda t: a.value(t) * b.value(t),
                    lambda t: a.slope(t) * b.value(t) + a.value(t) * b.slope(t))  # fmt: skip


def system(p: RingStickSlip, number: int = 12) -> fc.System:
    """Ring on points that share the bristles."""
    ring = fc.RigidBody("ring", p.mass, fc.DOFS, p.inertia, position=(0.0, 0.0, 0.5 * p.height))
    points, ground = fc.Surface(face(p, number), np.ones(number)), fc.RigidFace(None, fc.Plane())
    normal, mu = (
        fc.PenaltyNormal(p.normal_stiffness, p.normal_damping),
        fc.Coulomb(p.mu, p.mu_static),
    )
    friction = fc.ElastoPlastic(mu, p.bristles / number, p.bristle_damping / number)
    contact = fc.ContactPair(ring, points, ground, normal, friction, "face")
    size, angle = wave(p.period), p.direction_period
    along, across = product(size, wave(angle, 0.5 * pi)), product(size, wave(angle))
    loads = [
        fc.Gravity([ring], (0.0, 0.0, -p.gravity)),
        fc.Force(ring, (p.force, 0.0, 0.0), name="push", factor=along),
        fc.Force(ring, (0.0, p.force, 0.0), name="side", factor=across),
        fc.Torque(ring, (0.0, 0.0, p.moment), factor=size),
    ]
    return fc.System([ring], [contact, *loads])


def lets_go(p: RingStickSlip, number: int) -> float:
    """Time in s at which the first of the stuck points reaches its limit, without inertia."""
    r = face(p, number)[:, :2]
    square = float(np.mean(np.sum(r**2, axis=1)))
    across = np.column_stack([-r[:, 1], r[:, 0]])

    def margin(t: float) -> float:
        size, angle = sin(2.0 * pi * t / p.period), 2.0 * pi * t / p.direction_period
        force = p.force * size * np.array([cos(angle), sin(angle)])
        carried = np.linalg.norm(force + p.moment * size / square * across, axis=1)
        pressed = p.mass * p.gravity + p.height / square * r @ force
        return float(np.max(carried - p.mu_static * pressed))

    return float(brentq(margin, 0.0, 0.25 * p.period))


def moved(p: RingStickSlip, number: int, until: float, output: float = 0.01) -> fc.Result:
    """Motion from rest on the contact."""
    whole = system(p, number)
    depth = p.mass * p.gravity / number / p.normal_stiffness
    start = whole.state(q={"ring.uz": -depth})
    return fc.simulate(whole, until, start, output=output, step=p.step)


def turn(motion: fc.Result) -> fc.Floats:
    """Angle about the axis in rad, from the quaternion."""
    return np.unwrap(2.0 * np.arctan2(motion.q[:, 6], motion.q[:, 3]), period=2.0 * pi)


def distance(a: fc.Result, b: fc.Result) -> tuple[float, float]:
    """Root mean square distance in um, and of the angles in rad."""
    way = np.sum((a.q[:, :2] - b.q[:, :2]) ** 2, axis=1)
    return 1e6 * sqrt(way.mean()), sqrt(float(np.mean((turn(a) - turn(b)) ** 2)))


def main(run: fc.Run[RingStickSlip]) -> None:
    """Data, first slip; then distances from the ring on 48 points for both stiffnesses."""
    p = run.parameters
    limit = p.mu_static * p.mass * p.gravity
    data = {"mass": p.mass, "inertia": p.inertia[2], "force": limit}
    run.compare(REFERENCES, data, part=True)
    first_slip(run)
    if run.quick:
        rings(run, "first slip", p, 0.24 * p.period, (3, 12, 48))
        return
    rings(run, "first slip", replace(p, step=0.25 * p.step), 0.5 * p.period, tuple(CIRCLES))
    rings(run, "1.6 N/mm", p, p.until, LONG)
    rings(run, "63.2 N/mm", replace(p, cutoff=2.0 * pi * p.cutoff), p.until, LONG)


def first_slip(run: fc.Run[RingStickSlip]) -> None:
    """Time and force at which the first point lets go."""
    p = run.parameters
    expected = lets_go(p, 12)
    motion = moved(p, 12, expected + 4.0 * p.step, p.step)
    slips = (motion.contact_status[1:] != fc.STICK).any(axis=1)
    found = float(motion.t[1:][slips][0])
    run.row(REFERENCES, "first", found, expected, source="|t_i| = mu_st p_i")
    force = p.force * sin(2.0 * pi * found / p.period)
    run.note(f"The first of 12 points lets go under {force:.4f} N, where all together could hold "
             f"{p.mu_static * p.mass * p.gravity:.4f} N.")  # fmt: skip


def rings(
    run: fc.Run[RingStickSlip], basis: str, p: RingStickSlip, until: float, numbers: tuple[int, ...]
) -> None:
    """Rings on numbers of points, the last of which is the reference."""
    motions = {n: moved(p, n, until) for n in numbers}
    errors = {n: distance(motions[n], motions[48]) for n in numbers[:-1]}
    for k, name in enumerate(("distance", "angle")):
        ratio, label = errors[3][k] / errors[12][k], f"{name}: 3 points over 12"
        run.row(REFERENCES, "rms", ratio, label=label, basis=basis)
        for few, more in pairwise(numbers[:-1]):
            about = {"label": f"{more} points", "basis": basis}
            source = f"Stamm 2011, figure 6.4: less than with {few}"
            run.row(REFERENCES, name, errors[more][k], errors[few][k], source=source, **about)
    motion = motions[12]
    run.audit(motion, basis=basis)
    stuck = float((motion.contact_status[1:] == fc.STICK).all(axis=1).mean())
    run.row(REFERENCES, "fraction", stuck, basis=basis)
    table = [f"{n} points {way:.3g} um, {angle:.2g} rad" for n, (way, angle) in errors.items()]
    run.note(f"{basis}, rms distance from 48 points: {'; '.join(table)}")
    pictures(run, basis.replace(".", "_").replace("/", "_per_").replace(" ", "_"), motions)


def pictures(run: fc.Run[RingStickSlip], name: str, motions: dict[int, fc.Result]) -> None:
    """Paths, angle, distances, contact states, energies."""
    paths = {f"{n} points": (1e3 * m.q[:, 0], 1e3 * m.q[:, 1]) for n, m in motions.items()}
    run.figure(f"paths_{name}", fc.view.phase_plane(paths, "x / mm", "y / mm"))
    angles = {f"{n} points": (m.t, turn(m)) for n, m in motions.items()}
    run.figure(f"angle_{name}", fc.view.history_panels({"angle / rad": angles}))
    last = motions[48]
    panels = {"distance from 48 points / µm": {}, "difference of the angle / rad": {}}
    for n, m in motions.items():
        if n != 48:
            away = (
                1e6 * np.linalg.norm((m.q - last.q)[1:, :2], axis=1),
                abs(turn(m) - turn(last))[1:],
            )
            for panel, values in zip(panels.values(), away, strict=True):
                panel[f"{n} points"] = (m.t[1:], values)
    figure = fc.view.history_panels(panels, logarithmic=True)
    for axes, least in zip(figure.axes, (1e-4, 1e-8), strict=True):
        axes.set_ylim(bottom=least)
    run.figure(f"distance_{name}", figure)
    motion = motions[12]
    run.figure(f"states_{name}", fc.view.contact_states(motion.t, {"face": motion.contact_status}))
    run.figure(f"energy_{name}", fc.view.energy_plot(motion.t, motion.energies))


CASE = fc.Case(__doc__, ("Stamm T5",), RingStickSlip(), main, quick_s=8, system=system)

if __name__ == "__main__":
    CASE.main(__file__)
