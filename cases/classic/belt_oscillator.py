"""Stick-slip of a mass on a belt: limit cycle, period and heat in closed form.

A mass m on a spring k is pressed by N on a belt of the speed v; the static coefficient mu_s exceeds
the kinetic one mu_k. With D = (mu_s - mu_k) N/k and omega = sqrt(k/m) the limit cycle of rigid
friction has

    stick  2 D/v,    slip  (2/omega) (pi - arctan(omega D/v)),
    x = mu_k N/k +- sqrt(D^2 + (v/omega)^2),    heat of a cycle  mu_k N (2 D + v slip time)

The mass sticks until k x = mu_s N; it slides about mu_k N/k, until it has the speed of the belt
again. Bristles of the stiffness c_t are k/c_t softer: the period comes to that of rigid friction
as c_t grows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import atan, hypot, pi, sqrt

import numpy as np

import fecontact as fc

CLOSED = {"kind": "closed_form", "source": "limit cycle of rigid friction", "formula": True}
PENETRATION = 1e-4
"""Compression of the normal spring in m."""


@dataclass(frozen=True)
class BeltOscillator(fc.Parameters):
    """A mass of 1 kg, 16 Hz."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    stiffness: float = fc.quantity(1e4, "N/m", fc.POSITIVE)
    load: float = fc.quantity(100.0, "N", fc.POSITIVE)
    static: float = fc.quantity(0.6, "", fc.POSITIVE)
    kinetic: float = fc.quantity(0.3, "", fc.POSITIVE)
    belt_speed: float = fc.quantity(0.5, "m/s", fc.POSITIVE)
    bristles: float = fc.quantity(1e7, "N/m", fc.POSITIVE)
    bristle_damping_ratio: float = fc.quantity(1.0, "", fc.POSITIVE)
    cycles: int = fc.quantity(3, "", fc.at_least(1), numerical=True)

    def validate(self) -> None:
        """Stick-slip needs a drop of friction."""
        if self.static <= self.kinetic:
            raise fc.InputError(
                f"static = {self.static} is not possible: it must exceed kinetic = {self.kinetic}"
            )

    @property
    def omega(self) -> float:
        """Natural frequency of slip in rad/s."""
        return sqrt(self.stiffness / self.mass)

    @property
    def drop(self) -> float:
        """D in m."""
        return (self.static - self.kinetic) * self.load / self.stiffness

    @property
    def stick_time(self) -> float:
        """Time of stick in a cycle in s."""
        return 2.0 * self.drop / self.belt_speed

    @property
    def slip_time(self) -> float:
        """Time of slip in a cycle in s."""
        return 2.0 / self.omega * (pi - atan(self.omega * self.drop / self.belt_speed))

    @property
    def period(self) -> float:
        """Of the limit cycle in s."""
        return self.stick_time + self.slip_time

    @property
    def middle(self) -> float:
        """Position mu_k N/k about which the mass slides in m."""
        return self.kinetic * self.load / self.stiffness

    @property
    def swing(self) -> float:
        """Amplitude about it in m."""
        return hypot(self.drop, self.belt_speed / self.omega)


def build(p: BeltOscillator) -> fc.System:
    """Mass on a spring, belt on a motor."""
    mass, belt = fc.RigidBody("mass", p.mass, ("ux", "uz")), fc.RigidBody("belt", 1.0, ("ux",))
    damping = 2.0 * p.bristle_damping_ratio * sqrt(p.bristles * p.mass)
    normal = p.load / PENETRATION
    pair = fc.ContactPair(
        mass,
        fc.Surface(np.zeros((1, 3)), np.ones(1)),
        fc.RigidFace(belt, fc.Plane()),
        fc.PenaltyNormal(normal, 2.0 * sqrt(normal * p.mass)),
        fc.ElastoPlastic(fc.Coulomb(p.kinetic, p.static), p.bristles, damping),
        "shoe",
    )
    motor = fc.PrescribedMotion(fc.DofCoordinate(belt, "ux"), fc.Speed(p.belt_speed), name="motor")
    spring = fc.Bearing(mass, p.stiffness, 1e-9, name="spring")
    push = fc.Force(mass, (0.0, 0.0, -p.load), name="load")
    return fc.System([mass, belt], [spring, push, pair, motor])


def cycle(p: BeltOscillator, cycles: int, **options: float) -> fc.Trajectory:
    """Motion from the beginning of stick; events where x rises through mu_k N/k."""
    system = build(p)
    start = system.state(
        q={"mass.uz": -PENETRATION, "mass.ux": p.middle - p.drop},
        v={"mass.ux": p.belt_speed, "belt.ux": p.belt_speed},
    )
    rises = fc.Event(lambda t, state: float(state.q[0]) - p.middle, "rise", direction=1)
    return fc.simulate(system, (cycles + 0.3) * p.period, start, events=[rises], **options)


def period_of(motion: fc.Trajectory) -> float:
    """Last time between two rises through mu_k N/k in s."""
    times = [hit.state.t for hit in motion.events]
    return times[-1] - times[-2]


def main(run: fc.Run[BeltOscillator]) -> None:
    """Limit cycle against rigid friction, stiff bristles, pictures."""
    p = run.parameters
    cycles = 1 if run.quick else p.cycles
    motion = cycle(p, cycles)
    limit_cycle(run, motion)
    rigid_limit(run)
    order_of_audit(run)
    pictures(run, motion)


def limit_cycle(run: fc.Run[BeltOscillator], motion: fc.Trajectory) -> None:
    """Period, parts of the cycle, amplitude, heat, audit."""
    p, last = run.parameters, [hit.state.t for hit in motion.events][-2:]
    inside = (motion.t > last[0]) & (motion.t <= last[1])
    level = motion.history("mass.ux")[inside] - p.middle
    slip = np.interp(last, motion.t, motion.energies["slip"])
    heat = p.kinetic * p.load * (2.0 * p.drop + p.belt_speed * p.slip_time)
    rows = (
        ("period", period_of(motion), p.period, "s"),
        ("largest displacement about mu_k N/k", float(level.max()), p.swing, "m"),
        ("least displacement about mu_k N/k", float(level.min()), -p.swing, "m"),
        ("heat of a cycle", float(slip[1] - slip[0]), heat, "J"),
    )
    for name, computed, reference, unit in rows:
        run.check(name, computed, reference, unit=unit, tolerance=5e-3 * abs(reference),
                  **CLOSED)  # fmt: skip
    energies = motion.energies
    left = np.abs(energies["residual"]) + np.abs(energies["numerical"])
    share = float(left[-1] / energies["supplied"][-1])
    run.check("energy audit: left over, of the work of the motor", share, 1e-3, relation="le",
              kind="trend", source="energy balance at defaults", formula=True)  # fmt: skip


def rigid_limit(run: fc.Run[BeltOscillator]) -> None:
    """The period with stiffer bristles."""
    p = run.parameters
    stiffness = np.array([1e5, 1e6] if run.quick else [1e5, 3e5, 1e6, 3e6, 1e7])
    options = {"rtol": 1e-5} if run.quick else {}
    off = np.array([
        abs(period_of(cycle(replace(p, bristles=c), 1, **options)) / p.period - 1.0)
        for c in stiffness.tolist()
    ])  # fmt: skip
    order = float(np.log(off[0] / off[-1]) / np.log(stiffness[-1] / stiffness[0]))
    # -A k/c_t of the stretch and +B sqrt(k/c_t) of the relaxation, A = 0.081, B = 0.001 at rtol
    # 1e-7: up to c_t = 6e7 N/m they take from each other, and the fall looks faster than order 1
    run.check("order of the period in 1/c_t", order, 0.5, relation="ge", kind="trend",
              source="relaxation time beta/c_t ~ c_t^-1/2, stretch ~ 1/c_t",
              formula=True)  # fmt: skip
    figure = fc.view.convergence_plot(
        p.stiffness / stiffness, {"period": off}, 1.0, "spring over bristle stiffness k/c_t",
        "deviation from rigid friction",
    )  # fmt: skip
    run.figure("rigid_limit", figure)


def order_of_audit(run: fc.Run[BeltOscillator]) -> None:
    """Left-over energy with two tolerances."""
    p = replace(run.parameters, bristles=1e5)
    left = []
    coarse, fine = (1e-4, 1e-5) if run.quick else (1e-4, 1e-6)
    for rtol in (coarse, fine):
        energies = cycle(p, 1, rtol=rtol).energies
        left.append(abs(energies["residual"][-1]) + abs(energies["numerical"][-1]))
    run.check(f"energy left over, rtol {fine:g} over {coarse:g}", left[1] / left[0], 0.5,
              relation="le", kind="trend", source="audit falls with the tolerance",
              formula=True)  # fmt: skip


def pictures(run: fc.Run[BeltOscillator], motion: fc.Trajectory) -> None:
    """Phase plane and energies."""
    p = run.parameters
    # slip: an arc about mu_k N/k, from the end of stick to its beginning
    release = atan(p.belt_speed / (p.omega * p.drop))
    arc = p.swing * np.exp(1j * np.linspace(release, release - p.omega * p.slip_time, 400))
    arc = np.append(arc, arc[0])
    x, v = motion.history("mass.ux") - p.middle, motion.history("mass.ux", "velocity")
    curves = {"computed": (1e3 * x, v), "rigid friction": (1e3 * arc.real, p.omega * arc.imag)}
    figure = fc.view.phase_plane(curves, "x - mu_k N/k / mm", "speed / (m/s)")
    run.figure("phase_plane", figure)
    run.figure("energy", fc.view.energy_plot(motion.t, motion.energies))


CASE = fc.Case(
    title="stick-slip of a mass on a belt: limit cycle in closed form",
    verifies=("stick-slip belt oscillator with closed-form period",),
    parameters=BeltOscillator(),
    run=main,
    quick_s=6,
    system=build,
)

if __name__ == "__main__":
    CASE.main(__file__)
