"""Judder: a clutch disc on a torsion spring under friction that falls with speed (Jehle 8.1).

    J phi'' + d phi' + c phi = F_n R mu(v),      v = R (Omega - phi')

With the coefficient of wet contacts (Jehle 6.7), v in m/s,

    mu(v) = (mu_0 - mu_1)/(1 + 1.42 |v|) + mu_1 + 0.01 v^2 ,

the steady sliding grows with -(d + F_n R^2 mu'(v))/(2 J) (Jehle 8.2, with mu a function of the
sliding speed), near sqrt(c/J): 5 to 20 Hz in a vehicle. A constant coefficient feeds nothing. The
growth ends in a cycle in which the disc sticks for a part of the period.
"""

from dataclasses import dataclass, replace
from math import pi, sqrt

import numpy as np
from scipy.optimize import brentq

import fecontact as fc


@dataclass(frozen=True)
class WetFriction:
    """Coefficient of wet metal contacts (Jehle 6.7)."""

    mu_0: float
    mu_1: float

    def at(self, v: float) -> tuple[float, float]:
        """Coefficient at a speed >= 0 in m/s, and its slope in s/m."""
        mu, slope, _ = self.values(np.array([v]), np.zeros(1), np.zeros(1, dtype=np.int64))
        return float(mu[0]), float(slope[0])

    def values(
        self, speed: fc.Floats, pressure: fc.Floats, mode: fc.Integers
    ) -> tuple[fc.Floats, fc.Floats, fc.Floats]:
        """mu, dmu/d|s| and dmu/dp, each (p,)."""
        falling = (self.mu_0 - self.mu_1) / (1.0 + 1.42 * speed)
        slope = -1.42 * falling / (1.0 + 1.42 * speed) + 0.02 * speed
        return falling + self.mu_1 + 0.01 * speed**2, slope, np.zeros_like(speed)


@dataclass(frozen=True)
class Judder(fc.Parameters):
    """The source gives mu_0, mu_1 and letters; the numbers make 10 Hz."""

    inertia: float = fc.quantity(0.1, "kg m^2", fc.POSITIVE)
    stiffness: float = fc.quantity(400.0, "N m", fc.POSITIVE)
    damping: float = fc.quantity(0.05, "N m s", fc.NON_NEGATIVE)
    radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    normal_force: float = fc.quantity(1000.0, "N", fc.POSITIVE)
    mu_0: float = fc.quantity(0.3, "", fc.POSITIVE)
    mu_1: float = fc.quantity(0.1, "", fc.POSITIVE)
    slip: float = fc.quantity(8.0, "rad/s", fc.POSITIVE)
    bristle_stiffness: float = fc.quantity(1e9, "N/m", fc.POSITIVE)
    bristle_damping: float = fc.quantity(1e5, "N s/m", fc.POSITIVE)
    step: float = fc.quantity(2.5e-4, "s", fc.POSITIVE, numerical=True)
    time: float = fc.quantity(1.5, "s", fc.POSITIVE, numerical=True)
    law = fc.derived("friction coefficient", lambda p: WetFriction(p.mu_0, p.mu_1))
    omega = fc.derived(
        "angular frequency sqrt(c/J) in rad/s", lambda p: sqrt(p.stiffness / p.inertia)
    )

    def growth(self, slip: float) -> float:
        """Growth rate in 1/s by (Jehle 8.2)."""
        slope = self.law.at(self.radius * slip)[1]
        return -(self.damping + self.normal_force * self.radius**2 * slope) / (2.0 * self.inertia)


REFERENCES = fc.References("""
    growth    | growth rate | p.growth(p.slip) | 1/s | 1e-8 * p.omega
    frequency | frequency |  | Hz | 1e-8 rel
    band      | frequency, 5 to 20 Hz | in 5.0 20.0 | Hz |  | Jehle 2016, section 8.1 | published
    constant  | growth rate with constant friction | -p.damping / (2.0 * p.inertia) | 1/s
        | 1e-8 * p.omega
    boundary  | slip below which it judders |  | rad/s | 1e-6 rel
    *         | Jehle 2016, (8.2), corrected
""")
CYCLE = fc.References("""
    feed   | what feeds it | is falling friction (facing) |  |  | only source | closed_form
    period | cycle with stick: period |  | s
    lowest | cycle with stick: lowest speed |  | rad/s
    *      | slide by an ODE solver, stick in closed form | cross_method
""")


def build(p: Judder, friction: fc.Coefficient | None = None) -> fc.System:
    """Disc on its torsion spring, pressed on a plate that spins with the slip."""
    disc = fc.RigidBody("disc", 1.0, ("uz", "rz"), inertia=(p.inertia,) * 3)
    plate = fc.RigidBody("plate", 1.0, (), spin=p.slip)
    facing = fc.ring(p.radius, 6)
    length = facing.measure
    bristles = p.bristle_stiffness / length, p.bristle_damping / length
    law = fc.ElastoPlastic(friction or p.law, *bristles)
    normal = fc.PenaltyNormal(1e7 / length, 1e3 / length)
    contact = fc.ContactPair(disc, facing, fc.RigidFace(plate, fc.Plane()), normal, law, "facing")
    spring = fc.TorsionSpring(None, disc, p.stiffness, p.damping)
    return fc.System([disc, plate], [spring, fc.Force(disc, (0.0, 0.0, -p.normal_force)), contact])


def main(run: fc.Run[Judder]) -> None:
    """Growth, boundary, constant friction, and the cycle."""
    p = run.parameters
    point, growth = fc.operating_point(build(p)), p.growth(p.slip)
    torsional = int(np.argmin(np.abs(point.modes.frequency - p.omega / (2 * pi))))
    found, boundary = point.modes.frequency[torsional], float(brentq(p.growth, 1.0, 30.0))
    branch = fc.Branch(lambda slip: build(replace(p, slip=slip)))
    constant = fc.operating_point(build(p, fc.Coulomb(0.2))).modes
    computed = {
        "growth": point.modes.growth[torsional],
        "frequency": (found, sqrt(p.omega**2 - growth**2) / (2 * pi)),
        "band": found,
        "constant": constant.growth[torsional],
        "boundary": (fc.critical_value(branch, 0.5 * boundary, 1.5 * boundary).value, boundary),
    }
    run.compare(REFERENCES, computed)
    slips = np.linspace(1.0, 2.0 * boundary, 12 if run.quick else 40)
    dots = {"largest, computed": np.array([branch.at(s).modes.leading_growth for s in slips])}
    curve = {"(Jehle 8.2)": np.array([p.growth(s) for s in slips])}
    axes = "slip / (rad/s)", "growth rate of the torsion / (1/s)"
    figure = fc.view.curves_plot(slips, curve, *axes, dots=dots, zero_line=True)
    run.figure("growth", figure)
    if growth > 0.0:
        cycle(run, fc.mechanism(point.balance()))
    else:
        run.leave_out(CYCLE, "no judder at this slip: no cycle is looked for")


def cycle(run: fc.Run[Judder], feed: str) -> None:
    """Growth into the cycle with stick; its period and lowest speed."""
    p = run.parameters
    system = build(p)
    steady = system.sliding(fc.operating_point(system).steady.state)
    part, time, step = (1.0, 0.25, 2.0 * p.step) if run.quick else (0.5, p.time, p.step)
    start = replace(steady, v=steady.v + np.array([0.0, part * p.slip]))
    motion = fc.simulate(system, time, start, "implicit", step=step)
    t, speed = motion.t, motion.v[:, 1]
    about, load = (p.inertia, p.stiffness, p.damping), p.normal_force * p.radius
    friction = lambda v: load * p.law.at(p.radius * v)[0]  # noqa: E731
    period, lowest = fc.reference.stick_slip_cycle(*about, friction, p.slip)
    dip = (speed[1:-1] < speed[:-2]) & (speed[1:-1] <= speed[2:]) & (speed[1:-1] < 0.0)
    dips = np.flatnonzero(dip) + 1
    computed = {
        "feed": feed,
        "period": (t[dips[-1]] - t[dips[-2]], period),
        "lowest": (speed[dips[-1]], lowest),
    }
    run.compare(CYCLE, computed, tolerances={"period": 1.1 * step, "lowest": 0.005 * p.slip})
    curves = {"speed of the disc": speed, "speed of the plate": np.full(len(t), p.slip)}
    run.figure("cycle", fc.view.curves_plot(t, curves, "time / s", "speed / (rad/s)"))


CASE = fc.Case(__doc__, ("Jehle T23",), Judder(), main, quick_s=10, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
