"""Limit cycles of a mass on a belt below the flutter boundary, by three methods.

The mass of `belt_oscillator`, now with a friction coefficient that falls with the slip speed s and
rises beyond v_m,

    mu(s) = mu_s - 3/2 D (s/v_m - (s/v_m)^3/3),      D = mu_s - mu_m,

and with a damper d. Steady sliding loses its stability below the belt speed v_h; the mass then
swings without sticking, for small D N with the amplitude of speed

    A omega = 2 sqrt(v_h^2 - v^2),      v_h = v_m sqrt(1 - 2 d v_m/(3 N D)),

until it reaches the speed of the belt at v = 2 v_h/sqrt(5) and begins to stick (averaging; Thomsen
and Fidlin 2003, Int. J. Non-Linear Mechanics 38, 389-403). At two speeds, without and with
sticking, harmonic balance and a long motion in time are compared with shooting. The branch over all
speeds is in classic/belt_branch.

With rigid friction the cycle that sticks is known: the mass lets go at k x = mu_s N - d v with the
speed of the belt, slides until it has this speed again, and is carried back. Only the slide is
integrated. Bristles of the stiffness c_t come to it with about 1/c_t: 1.5 % of the amplitude at
1e6 N/m, 0.3 % at 4e6 N/m. Where the mass begins and ceases to stick its acceleration has a kink, so
harmonic balance needs harmonics: with 6 to 8 of them it is some per cent off, with 24 it is not.
"""

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

import fecontact as fc

SMOOTH = 1e-9
KINK = 1e-4
"""Accuracy of cycles with sticking, whose equations have kinks."""
DEPTH = 1e-4
"""Compression of the normal spring in m."""


@dataclass(frozen=True)
class CubicFriction:
    """mu(s) that falls from `static` to `least` at the speed v_m and rises again."""

    static: float
    least: float
    speed: float

    def values(
        self, speed: fc.Floats, pressure: fc.Floats, status: fc.Integers
    ) -> tuple[fc.Floats, ...]:
        """mu, dmu/d|s| and dmu/dp, each (p,)."""
        drop, s, sticks = self.static - self.least, speed / self.speed, status == fc.STICK
        mu = self.static - 1.5 * drop * (s - s**3 / 3.0)
        slope = -1.5 * drop / self.speed * (1.0 - s**2)
        mu, slope = np.where(sticks, self.static, mu), np.where(sticks, 0.0, slope)
        return mu, slope, np.zeros_like(speed)


@dataclass(frozen=True)
class BeltCycles(fc.Parameters):
    """A mass of 1 kg, 16 Hz, on friction that is weak against the spring."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    stiffness: float = fc.quantity(1e4, "N/m", fc.POSITIVE)
    damping: float = fc.quantity(1.0, "N s/m", fc.NON_NEGATIVE)
    load: float = fc.quantity(20.0, "N", fc.POSITIVE)
    static: float = fc.quantity(0.4, "", fc.between("least"))
    least: float = fc.quantity(0.25, "", fc.POSITIVE)
    least_at: float = fc.quantity(0.5, "m/s", fc.POSITIVE)
    bristles: float = fc.quantity(4e6, "N/m", fc.POSITIVE)
    bristle_damping_ratio: float = fc.quantity(0.5, "", fc.POSITIVE)
    steps: int = fc.quantity(100, "", fc.at_least(8), numerical=True)
    harmonics: int = fc.quantity(24, "", fc.at_least(1), numerical=True)
    settling: int = fc.quantity(60, "", fc.at_least(2), numerical=True)

    def validate(self) -> None:
        """Cycles need friction that falls faster than the damper brakes."""
        if fc.reference.BeltSwing.of(self).square <= 0.0:
            largest = 1.5 * self.load * (self.static - self.least) / self.least_at
            raise fc.InputError(f"invalid damping = {self.damping} N s/m: expected < {largest:.6g}")

    law = fc.derived("friction", lambda p: CubicFriction(p.static, p.least, p.least_at))
    exact = fc.derived("closed forms", fc.reference.BeltSwing.of)

    def accuracy(self, speed: float) -> float:
        """Of the cycle at a belt speed: with sticking its equations have kinks."""
        return KINK if speed < self.exact.sticks else SMOOTH


REFERENCES = fc.References("""
    amplitude_by | amplitude |  | m  | 0.01 rel
    frequency_by | frequency |  | Hz | 0.01 rel
    multiplier   | largest multiplier | <= 1.0 |    |  | the cycle is stable | trend
    *            | shooting | cross_method
    sliding  | amplitude without sticking          |  | m
    boundary | belt speed of the flutter boundary  |  | m/s | 1e-06 rel
    *        | Thomsen and Fidlin 2003, averaging
    sticking   | amplitude with sticking    |        | m  | 0.01 rel
    frequency  | frequency with sticking    |        | Hz | 0.001 rel
    *          | rigid friction, slide integrated | full
""")


def build(p: BeltCycles, speed: float = 0.4) -> fc.System:
    """Mass on spring and damper, belt on a motor; the mass does not lift."""
    mass, belt = fc.RigidBody("mass", p.mass, ("ux",)), fc.RigidBody("belt", 1.0, ("ux",))
    foot = fc.Surface(np.array([[0.0, 0.0, -DEPTH]]), np.ones(1))
    face, normal = fc.RigidFace(belt, fc.Plane()), fc.PenaltyNormal(p.load / DEPTH)
    damping = 2.0 * p.bristle_damping_ratio * sqrt(p.bristles * p.mass)
    friction = fc.ElastoPlastic(p.law, p.bristles, damping)
    pair = fc.ContactPair(mass, foot, face, normal, friction, "shoe")
    motor = fc.PrescribedMotion(fc.DofCoordinate(belt, "ux"), fc.Speed(speed), name="motor")
    spring = fc.Bearing(mass, p.stiffness, 1e-9, p.damping, name="spring")
    return fc.System([mass, belt], [spring, pair, motor])


def guess(p: BeltCycles, motion: fc.SystemMotion, speed: float) -> fc.Floats:
    """State at the largest displacement of the closed form."""
    system, start = motion.system, motion.start
    q, v = start.q.copy(), start.v.copy()
    steady = p.exact.friction(speed) * p.load / p.stiffness
    q[0], v[0] = float(p.exact.amplitude(speed)) + steady, 0.0
    return motion.packed(system.sliding(fc.State(0.0, q, v)))


def marched(p: BeltCycles, motion: fc.SystemMotion, speed: float, steps: int) -> fc.Floats:
    """State at the largest displacement after three swings that start at the speed of the belt.

    A mass that sticks forgets its past: a few swings are near the cycle already.
    """
    x, period = guess(p, motion, 0.95 * p.exact.onset), 2.0 * pi / p.exact.omega
    x[0] = 1.1 * speed / p.exact.omega + p.static * p.load / p.stiffness
    for _ in range(3):
        path = fc.pass_period(motion, x, period, steps, linear=False).x
        half = steps // 2
        x = path[half + int(np.argmax(path[half:, 0]))]
    return x


def cycle_at(p: BeltCycles, speed: float, steps: int) -> fc.PeriodicOrbit:
    """Cycle by shooting, from the closed form or, with sticking, from a few swings."""
    motion, period = fc.SystemMotion(build(p, speed)), 2.0 * pi / p.exact.omega
    if speed > p.exact.sticks:
        return fc.shoot(motion, guess(p, motion, speed), period, steps, free=True)
    start = marched(p, motion, speed, steps)
    return fc.shoot(motion, start, 1.02 * period, steps, free=True, tolerance=p.accuracy(speed))


def main(run: fc.Run[BeltCycles]) -> None:
    """Stability boundary, and three methods at one speed or two."""
    p = run.parameters
    onset, speeds = p.exact.onset, fc.Branch(lambda v: build(p, v))
    found = fc.critical_value(speeds, 0.9 * onset, 1.1 * onset)
    run.row(REFERENCES, "boundary", found.value, onset)
    parts = {"swings": 0.95} if run.quick else {"swings": 0.95, "sticks": 0.6}
    compared = [three_methods(run, name, x * onset) for name, x in parts.items()]
    if not run.quick:
        spectra(run, compared[-1])
    orbits(run, compared)


@dataclass(frozen=True)
class Compared:
    """A cycle at a belt speed by three methods."""

    speed: float
    shooting: fc.PeriodicOrbit
    balance: fc.HarmonicOrbit
    motion: fc.Result


def three_methods(run: fc.Run[BeltCycles], name: str, speed: float) -> Compared:
    """Amplitude and frequency by shooting, harmonic balance and in time."""
    p, steps = run.parameters, 48 if run.quick else run.parameters.steps
    motion, orbit = fc.SystemMotion(build(p, speed)), cycle_at(p, speed, steps)
    series = balance(p, motion, orbit, 3 if run.quick or name == "swings" else p.harmonics, speed)
    periods = 1 if run.quick else p.settling if name == "swings" else p.settling // 2
    settled = in_time(motion, orbit, periods, steps, 0.95 if name == "swings" else 0.1)
    found = {"harmonic balance": (float(series.amplitude[0]), series.frequency)}
    if not run.quick:
        found["motion in time"] = in_time_values(settled)
    for method, (amplitude, frequency) in found.items():
        label = f"{method}, v = {speed:.3f} m/s"
        run.row(REFERENCES, "amplitude_by", amplitude, float(orbit.amplitude[0]), label=label)
        run.row(REFERENCES, "frequency_by", frequency, orbit.frequency, label=label)
    largest = orbit.multipliers.largest
    run.row(REFERENCES, "multiplier", largest, label=f"of the cycle that {name}")
    size = float(orbit.amplitude[0])
    if name == "swings":
        run.row(REFERENCES, "sliding", size, p.exact.amplitude(speed), 0.02 * size)
    else:
        amplitude, frequency = p.exact.with_stick(speed)
        run.row(REFERENCES, "sticking", size, amplitude)
        run.row(REFERENCES, "frequency", orbit.frequency, frequency)
    return Compared(speed, orbit, series, settled)


def balance(
    p: BeltCycles, motion: fc.SystemMotion, orbit: fc.PeriodicOrbit, harmonics: int, speed: float
) -> fc.HarmonicOrbit:
    """Harmonic balance from the series of an orbit, with eight samples per harmonic or 64.

    Beside a coarse orbit of the quick form fewer are enough.
    """
    steps, kept = len(orbit.t) - 1, min(harmonics, (len(orbit.t) - 2) // 2)
    first = fc.Harmonics(kept, steps).project @ orbit.q[:-1]
    samples = max(min(64, 2 * steps // 3), 8 * harmonics)
    start, about = (first, 2.0 * pi * orbit.frequency), {"tolerance": p.accuracy(speed)}
    return fc.harmonic_balance(motion, *start, harmonics, samples, free=True, **about)


def in_time(
    motion: fc.SystemMotion, orbit: fc.PeriodicOrbit, periods: int, steps: int, part: float
) -> fc.Result:
    """Motion from a state with a part of the swing of the cycle about its middle."""
    middle = 0.5 * (orbit.q.max(axis=0) + orbit.q.min(axis=0))
    start = motion.state(0.0, middle + part * (orbit.q[0] - middle), 0.0 * orbit.v[0], orbit.z[0])
    end, step = periods * orbit.period, orbit.period / steps
    return fc.simulate(motion.system, end, start, "implicit", step=step, rho_inf=0.95)


def in_time_values(motion: fc.Result) -> tuple[float, float]:
    """Amplitude in m and frequency in Hz of the last quarter."""
    x = motion.history("mass.ux")
    late = motion.t >= 0.75 * motion.t[-1]
    t, x = motion.t[late], x[late]
    times = fc.crossings(t, x, 0.5 * (x.max() + x.min()))
    return float(0.5 * np.ptp(x)), float((len(times) - 1) / (times[-1] - times[0]))


def spectra(run: fc.Run[BeltCycles], cycle: Compared) -> None:
    """Spectra along the motion from a small swing to stick and slip, and at its end."""
    motion, period = cycle.motion, cycle.shooting.period
    x, top = 1e3 * motion.history("mass.ux"), 9.5 / period
    figure = fc.view.waterfall_plot(motion.t, x, "mm", segment=4.0 * period, highest=top)
    run.figure("waterfall", figure)
    late = motion.t >= motion.t[-1] - 8.0 * period
    figure = fc.view.spectrum_of_signals(motion.t[late], {"mass": x[late]}, "mm", highest=top)
    run.figure("spectrum", figure)


def orbits(run: fc.Run[BeltCycles], found: list[Compared]) -> None:
    """Phase planes of the compared cycles."""
    curves = {}
    for cycle in found:
        at = f"{cycle.speed:.2f} m/s"
        series = cycle.balance
        closed = np.append(np.arange(len(series.q)), 0)
        curves[f"shooting, {at}"] = 1e3 * cycle.shooting.q[:, 0], cycle.shooting.v[:, 0]
        curves[f"harmonic balance, {at}"] = 1e3 * series.q[closed, 0], series.v[closed, 0]
    run.figure("phase_plane", fc.view.phase_plane(curves, "x / mm", "speed / (m/s)"))


VERIFIES = ("belt oscillator below the flutter boundary",)
CASE = fc.Case(__doc__, VERIFIES, BeltCycles(), main, quick_s=12, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
