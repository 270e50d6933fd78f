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

from dataclasses import dataclass
from math import sqrt

import numpy as np

import fecontact as fc

PENETRATION = 1e-4
"""Compression of the normal spring in m."""


@dataclass(frozen=True)
class BeltOscillator(fc.Parameters):
    """A mass of 1 kg, 16 Hz."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    stiffness: float = fc.quantity(1e4, "N/m", fc.POSITIVE)
    load: float = fc.quantity(100.0, "N", fc.POSITIVE)
    static: float = fc.quantity(0.6, "", fc.between("kinetic"))
    kinetic: float = fc.quantity(0.3, "", fc.POSITIVE)
    belt_speed: float = fc.quantity(0.5, "m/s", fc.POSITIVE)
    bristles: float = fc.quantity(1e7, "N/m", fc.POSITIVE)
    bristle_damping_ratio: float = fc.quantity(1.0, "", fc.POSITIVE)
    cycles: int = fc.quantity(3, "", fc.at_least(1), numerical=True)
    rigid = fc.derived(
        "limit cycle of rigid friction",
        lambda p: fc.reference.RigidStickSlip(
            p.mass, p.stiffness, p.load, p.static, p.kinetic, p.belt_speed
        ),
    )


REFERENCES = fc.References("""
    period | period                                | p.rigid.period | s | 5e-3 rel
    most   | largest displacement about mu_k N/k   | p.rigid.swing  | m | 5e-3 rel
    least  | least displacement about mu_k N/k     | -p.rigid.swing | m | 5e-3 rel
    heat   | heat of a cycle                       | p.rigid.heat   | J | 5e-3 rel
    audit  | energy left over, of the motor's work | <= 1e-3        |   |  |  | trend
    *      | limit cycle of rigid friction
""")


def build(p: BeltOscillator) -> fc.System:
    """Mass on a spring, belt on a motor."""
    mass, belt = fc.RigidBody("mass", p.mass, ("ux", "uz")), fc.RigidBody("belt", 1.0, ("ux",))
    damping = 2.0 * p.bristle_damping_ratio * sqrt(p.bristles * p.mass)
    normal = p.load / PENETRATION
    foot, face = fc.Surface(np.zeros((1, 3)), np.ones(1)), fc.RigidFace(belt, fc.Plane())
    pressed = fc.PenaltyNormal(normal, 2.0 * sqrt(normal * p.mass))
    friction = fc.ElastoPlastic(fc.Coulomb(p.kinetic, p.static), p.bristles, damping)
    pair = fc.ContactPair(mass, foot, face, pressed, friction, "shoe")
    motor = fc.PrescribedMotion(fc.DofCoordinate(belt, "ux"), fc.Speed(p.belt_speed), name="motor")
    spring = fc.Bearing(mass, p.stiffness, 1e-9, name="spring")
    push = fc.Force(mass, (0.0, 0.0, -p.load), name="load")
    return fc.System([mass, belt], [spring, push, pair, motor])


def cycle(p: BeltOscillator, cycles: int, **options: float) -> fc.Result:
    """Motion from the beginning of stick; events where x rises through mu_k N/k."""
    system, rigid = build(p), p.rigid
    start = system.state(
        q={"mass.uz": -PENETRATION, "mass.ux": rigid.middle - rigid.drop},
        v={"mass.ux": p.belt_speed, "belt.ux": p.belt_speed},
    )
    rises = fc.Event(lambda t, state: float(state.q[0]) - rigid.middle, "rise", direction=1)
    return fc.simulate(system, (cycles + 0.3) * rigid.period, start, events=[rises], **options)


def main(run: fc.Run[BeltOscillator]) -> None:
    """Period, amplitude and heat of the limit cycle against rigid friction."""
    p = run.parameters
    motion = cycle(p, 1 if run.quick else p.cycles)
    t, last, energies = motion.t, [hit.state.t for hit in motion.events][-2:], motion.energies
    x, v = motion.history("mass.ux") - p.rigid.middle, motion.history("mass.ux", "velocity")
    level = x[(t > last[0]) & (t <= last[1])]
    left = abs(energies["residual"][-1]) + abs(energies["numerical"][-1])
    computed = {
        "period": last[1] - last[0],
        "most": level.max(),
        "least": level.min(),
        "heat": np.diff(np.interp(last, t, energies["slip"]))[0],
        "audit": left / energies["supplied"][-1],
    }
    run.compare(REFERENCES, computed)
    way, speed = p.rigid.phase_plane()
    curves = {"computed": (1e3 * x, v), "rigid friction": (1e3 * way, speed)}
    figure = fc.view.phase_plane(curves, "x - mu_k N/k / mm", "speed / (m/s)")
    run.figure("phase_plane", figure)
    run.figure("energy", fc.view.energy_plot(t, energies))


VERIFIES = ("stick-slip belt oscillator with closed-form period",)
CASE = fc.Case(__doc__, VERIFIES, BeltOscillator(), main, quick_s=6, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
