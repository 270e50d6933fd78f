"""A limit cycle of the rigid gearbox as a periodic orbit (Jehle 4.1.3, figure 4.12, second set).

Negative slip, beta_b = pi/8, load 200 N: the flutter of `gearbox_cycles` ends in a motion in which
the clutch opens and closes and the teeth part and hit. The engine plate settles last, with
2 m_3/d_3 = 0.9 s.

A small program of its own, without common code (Runge-Kutta, teeth of constant direction), goes
from rest over thousands of swings and shows by its return map that the motion is periodic. Shooting
and harmonic balance find that orbit on the assembled system, and a motion in time stays on it.
Friction is smoothed over the slip speed v_d as in the source, (2/pi) arctan(|s|/v_d). The damper of
the teeth takes hold over a depth delta_0, N = c delta + d (delta/delta_0) delta' (Hunt and Crossley
1975): a force that jumps at the hit would let no implicit step balance there. The backlash, which
the source does not print, is wider than the gap that opens.
"""

from dataclasses import dataclass, replace
from math import atan

import numpy as np

import fecontact as fc

cycles = fc.load_module("jehle/gearbox_cycles")
radial, gearbox = cycles.radial, cycles.gearbox
RADIAL, AXIAL, PLATE = 1, 2, 4
FREE_ORBIT = {"free": True, "phase": AXIAL, "tolerance": 1e-4}
FREE = "backlash, smoothing of the friction and start are not printed in the source"


@dataclass(frozen=True)
class Orbit(radial.RadialGearbox):
    """Second set of figure 4.12; tooth stiffness and damping of the source."""

    inertia_ratio: float = fc.quantity(0.075, "", fc.POSITIVE)
    base_radius: float = fc.quantity(0.035, "m", fc.POSITIVE)
    centre_distance: float = fc.quantity(0.077, "m", fc.POSITIVE)
    axial_stiffness: float = fc.quantity(0.2e7, "N/m", fc.POSITIVE)
    plate_stiffness: float = fc.quantity(0.8e7, "N/m", fc.POSITIVE)
    plate_speed: float = fc.quantity(60.0, "rad/s", fc.POSITIVE)
    slip: float = fc.quantity(-5.0, "rad/s")
    load: float = fc.quantity(200.0, "N", fc.POSITIVE)
    slope: float = fc.quantity(2.0**0.5 - 1.0, "", fc.POSITIVE)
    tooth_stiffness: float = fc.quantity(2e8, "N/m", fc.POSITIVE)
    tooth_damping: float = fc.quantity(2e4, "N s/m", fc.POSITIVE)
    tooth_depth: float = fc.quantity(1e-6, "m", fc.POSITIVE)
    backlash: float = fc.quantity(1e-4, "m", fc.POSITIVE)
    smooth_speed: float = fc.quantity(0.05, "m/s", fc.POSITIVE)
    time: float = fc.quantity(8.0, "s", fc.POSITIVE, numerical=True)
    step: float = fc.quantity(4e-6, "s", fc.POSITIVE, numerical=True)
    steps: int = fc.quantity(100, "", fc.at_least(50), numerical=True)
    harmonics: int = fc.quantity(20, "", fc.at_least(5), numerical=True)
    periods: int = fc.quantity(10, "", fc.at_least(2), numerical=True)


@dataclass(frozen=True)
class Smooth:
    """Smoothed Coulomb friction without history, so that a spinning ring may carry it."""

    law: fc.RegularisedCoulomb

    def traction(
        self, pressure: fc.Floats, slip: fc.Floats
    ) -> tuple[fc.Floats, fc.Floats, fc.Floats]:
        """Traction and its derivatives."""
        return self.law.traction(pressure, slip)


@dataclass(frozen=True, eq=False)
class SoftTeeth(fc.ElasticGearMesh):
    """Teeth whose damper takes hold over a depth: no jump of the force at the hit."""

    depth: float = 1e-6

    def load(
        self, t: float, s: fc.Floats, rate: fc.Floats
    ) -> tuple[fc.Floats, fc.Floats, fc.Floats]:
        """Loads -N (2,) of both flanks, N = max(0, delta (c + d/depth delta')), and derivatives."""
        delta, hard = np.maximum(-s, 0.0), self.stiffness - self.damping / self.depth * rate
        on = delta * hard > 0.0
        by_rate = np.where(on, delta * self.damping / self.depth, 0.0)
        return -delta * np.maximum(hard, 0.0), np.diag(np.where(on, hard, 0.0)), np.diag(by_rate)


def build(p: Orbit) -> fc.System:
    """Gearbox with radial dofs, elastic teeth and smoothed friction."""
    shaft = gearbox.input_shaft(p, radial.RADIAL)
    position = (p.centre_distance, 0.0, 0.0)
    counter = fc.RigidBody("countershaft", 1.0, (), position=position, spin=-p.shaft_speed)
    plate = fc.RigidBody("engine plate", p.plate_mass, ("uz",), spin=p.plate_speed)
    facing = fc.ring(p.contact_radius, p.ring_points)
    length = facing.measure
    normal = fc.PenaltyNormal(p.contact_stiffness / length, p.contact_damping / length)
    friction = Smooth(fc.RegularisedCoulomb(p.friction, p.smooth_speed))
    face = fc.RigidFace(plate, fc.Plane())
    clutch = fc.ContactPair(shaft, facing, face, normal, friction, "clutch")
    sizes = p.base_radius, p.centre_distance, atan(p.slope)
    gears = fc.GearPair((30, 30), *sizes, backlash=p.backlash)
    flank = {"reference": "front" if p.slip > 0.0 else "rear", "depth": p.tooth_depth}
    mesh = SoftTeeth(shaft, counter, gears, p.tooth_stiffness, p.tooth_damping, **flank)
    items = [*gearbox.supports(p, shaft, plate), fc.Force(shaft, (0.0, 0.0, -p.load)), clutch, mesh]
    return fc.System([shaft, counter, plate], items)


def constants(p: Orbit, radial_dofs: bool = True) -> fc.reference.GearboxConstants:
    """Of the parameters and the flanks, for the separate program."""
    mesh = build(p).items[-1]
    gap = lambda q: mesh.gap(0.0, q)  # noqa: E731
    return fc.reference.GearboxConstants.of(p, gap, radial_dofs)


REFERENCES = fc.References("""
    open    | the clutch is open, fraction of the time  | in 0.01 0.99
    apart   | the teeth are apart, fraction of the time | 0.0 |  | 0.01
    *       | Jehle 2016, section 4.1.3, figure 4.12 | published
    axial_open | axial gearbox of gearbox_cycles, settled: open, part of the time | 0.56 |  | 0.005
    *          | Jehle 2016, figures 4.10 to 4.12, recomputed | source_notes; formula; full
    settled | change from top to top, fraction of the way | 0.0 |  | 1e-3 | periodic motion | trend
    stable    | the orbit is stable: largest multiplier | <= 1.0 |  |
        | the motion settles on it | trend
    shaft     | {}: axial amplitude of the shaft |  | um | 0.01 rel
    plate     | {}: amplitude of the plate       |  | um | 0.01 rel
    frequency | frequency                        |  | Hz | 0.01 rel
    *         | shooting | cross_method; full
""")


def settled(p: Orbit, k: fc.reference.GearboxConstants, time: float) -> fc.reference.SettledGearbox:
    """Go from rest, with the shaft pushed on the plate, and take the last period."""
    start = np.zeros(10)
    start[AXIAL] = -0.4 * p.load / p.axial_stiffness
    return fc.reference.settled_gearbox(k, start, time, p.step)


def axial_gearbox(p: Orbit) -> Orbit:
    """Parameters of `gearbox_cycles`: positive slip, tan(beta_b) = 0.8, no radial motion."""
    q = cycles.Cycles()
    names = ("inertia_ratio", "base_radius", "centre_distance", "axial_stiffness", "axial_damping",
             "plate_stiffness", "plate_damping", "plate_speed", "slip", "load", "slope",
             "tooth_stiffness", "tooth_damping")  # fmt: skip
    values = {name: getattr(q, name) for name in names}
    return replace(p, smooth_speed=0.01, **values)


def main(run: fc.Run[Orbit]) -> None:
    """Motion from rest; shooting, harmonic balance and a motion in time in the full form."""
    p = run.parameters
    found = settled(p, constants(p), 0.03 * p.time if run.quick else p.time)
    periodic(run, found)
    if run.quick:
        pictures(run, found, {})
        return
    axial_cycle(run)
    motion = fc.SystemMotion(build(p), speeds={"input shaft.spin": p.shaft_speed})
    orbit = fc.shoot(motion, found.path[0], found.period, p.steps, **FREE_ORBIT)
    series = balanced(p, motion, found)
    late = in_time(p, motion, orbit)
    agree(run, "motion from rest, small program", found.amplitude, 1.0 / found.period, orbit)
    name = f"harmonic balance, {p.harmonics} harmonics"
    agree(run, name, series.amplitude, series.frequency, orbit)
    ways = 0.5 * np.ptp(late.q[:, [0, 1, 2, 3, 4]] - np.outer(late.t, motion.speeds), axis=0)
    agree(run, f"implicit motion over {p.periods} periods", ways, tops_rate(late), orbit)
    run.row(REFERENCES, "stable", orbit.multipliers.largest)
    curves = {"shooting": orbit.q, "harmonic balance": series.q}
    pictures(run, found, curves)


def periodic(run: fc.Run[Orbit], found: fc.reference.SettledGearbox) -> None:
    """What the return map shows, and what the clutch and the teeth do."""
    k = constants(run.parameters)
    if not run.quick:  # the quick form ends before the plate has settled
        run.row(REFERENCES, "settled", found.returns)
    q = found.path[:, :5]
    open_ = q[:, AXIAL] > q[:, PLATE]
    apart = np.all(k.gaps + q[:, :4] @ k.axes.T > 0.0, axis=1)
    run.row(REFERENCES, "open", open_.mean())
    reason = (f"here they part; {FREE}", cycles.WHERE)
    run.row(REFERENCES, "apart", apart.mean(), known_deviation=reason)


def axial_cycle(run: fc.Run[Orbit]) -> None:
    """Fraction of time in which the clutch of the axial gearbox is open, once it has settled."""
    p = axial_gearbox(run.parameters)
    k = constants(p, radial_dofs=False)
    last = settled(p, k, 2.0).tops[-1, 1:]
    path = fc.reference.gearbox_path(k, last, p.step, int(0.2 / p.step))
    fraction = float(np.mean(path[:, AXIAL] > path[:, PLATE]))
    run.row(REFERENCES, "axial_open", fraction)


def balanced(
    p: Orbit, motion: fc.SystemMotion, found: fc.reference.SettledGearbox
) -> fc.HarmonicOrbit:
    """Harmonic balance from the Fourier series of the settled motion."""
    c = np.fft.rfft(found.path[:, :5], axis=0)[: p.harmonics + 1] / len(found.path)
    c *= np.exp(-1j * np.arange(len(c)) * np.angle(c[1, AXIAL]))[:, None]
    guess = np.zeros((2 * p.harmonics + 1, 5))
    guess[0], guess[1::2], guess[2::2] = c[0].real, 2.0 * c[1:].real, -2.0 * c[1:].imag
    omega, samples = 2.0 * np.pi / found.period, 8 * p.harmonics
    return fc.harmonic_balance(motion, guess, omega, p.harmonics, samples, **FREE_ORBIT)


def in_time(p: Orbit, motion: fc.SystemMotion, orbit: fc.PeriodicOrbit) -> fc.Result:
    """Implicit motion from a state on the orbit."""
    start: fc.State = motion.state(0.0, orbit.q[0], orbit.v[0], orbit.z[0])
    step = orbit.period / p.steps
    return fc.simulate(motion.system, p.periods * orbit.period, start, "implicit", step, step=step)


def tops_rate(late: fc.Result) -> float:
    """Frequency in Hz from the first to the last top of the axial motion."""
    times = fc.crossings(late.t, late.v[:, AXIAL], falling=True)
    return float((len(times) - 1) / (times[-1] - times[0]))


def agree(
    run: fc.Run[Orbit], name: str, amplitude: fc.Floats, frequency: float, orbit: fc.PeriodicOrbit
) -> None:
    """Amplitudes of shaft and plate, and the frequency, against shooting: 1 %."""
    computed = {
        "shaft": (1e6 * amplitude[AXIAL], 1e6 * orbit.amplitude[AXIAL]),
        "plate": (1e6 * amplitude[PLATE], 1e6 * orbit.amplitude[PLATE]),
        "frequency": (frequency, orbit.frequency),
    }
    run.compare(REFERENCES, computed, part=True, label=name)


def pictures(
    run: fc.Run[Orbit], found: fc.reference.SettledGearbox, curves: dict[str, fc.Floats]
) -> None:
    """Return map over time, and the orbit in the plane of axial and radial motion."""
    t, tops = found.tops[:, 0], 1e6 * found.tops[:, 1:]
    panels = {
        "tops of the shaft / µm": {"motion from rest": (t, tops[:, AXIAL])},
        "plate at the tops / µm": {"motion from rest": (t, tops[:, PLATE])},
    }
    run.figure("settling", fc.view.history_panels(panels, xlabel="time / s"))
    planes = {"motion from rest": found.path, **curves}
    plane = {name: (1e6 * q[:, AXIAL], 1e6 * q[:, RADIAL]) for name, q in planes.items()}
    figure = fc.view.phase_plane(plane, "shaft, axial / µm", "shaft, radial / µm")
    run.figure("orbit", figure)


CASE = fc.Case(__doc__, ("Jehle T10",), Orbit(), main, quick_s=6)

if __name__ == "__main__":
    CASE.main(__file__)
