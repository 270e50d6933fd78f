"""Limit cycle of squeal of an elastic friction disc as a periodic solution (Jehle 7.1, figure 7.6).

The cycle of `elastic_disc_cycle`, a crest that runs around the plate while the contact is open on a
part of the ring, found without waiting for it: as a rotating wave on fine rings, by shooting over
one of the 24 points of the ring, by harmonic balance, and against a long motion in time. The branch
of such cycles over the friction coefficient is in `elastic_disc_branch`.

On 24 points a wave in one position of the ring is a poor picture (its open arc begins at a point or
between two), so the wave takes finer rings; shooting goes past one point and sees all positions.

A point that closes feels its damper at once. Explicit steps notice it up to a step too late, so the
motion in time errs with the first power of the step: 1.1, 0.6 and 0.3 % of the radius at 5, 2.5 and
1.25 us.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import expm

import fecontact as fc

in_time = fc.load_module("jehle/elastic_disc_in_time")
JUMP = 1e-3
"""Accuracy of wave and series: where a damped contact closes, their force jumps at a point."""
FOUND = 1e-6
"""Accuracy of shooting, whose steps end at the jump."""
GUESS = np.array(
    [5.1e-4, 0.0, -4.1e-4, -1.24e-2, 1.62e-2, -3.26e-2, -9.8e-4, -1.19e-3, 1.33e-4, 0.0, 0.0, 0.0]
)
"""Rough shape of the wave in m, from which Newton's method starts: clutch disc, then plate."""
GUESS_SPEED = 7800.0
"""Rough speed of the wave in rad/s."""


@dataclass(frozen=True)
class Periodic(in_time.InTime):
    """Rings, steps and samples; the Ritz basis of the source."""

    wave_points: int = fc.quantity(72, "", fc.at_least(9), numerical=True)
    steps: int = fc.quantity(32, "", fc.at_least(4), numerical=True)
    wave_harmonics: int = fc.quantity(4, "", fc.at_least(1), numerical=True)
    samples: int = fc.quantity(144, "", fc.at_least(9), numerical=True)
    long_time: float = fc.quantity(0.8, "s", fc.POSITIVE, numerical=True)
    time_step: float = fc.quantity(1.25e-6, "s", fc.POSITIVE, numerical=True)


REFERENCES = fc.References("""
    whirl     | whirl radius |  | m  | 0.01 rel
    frequency | frequency    |  | Hz | 0.01 rel
    *         | shooting on 24 points | cross_method
    motion | motion in time: distance to shooting, relative to that at twice the step | <= 0.7
    rate   | rate at which the cycle attracts, in time |  | 1/s | 0.5 | multipliers of shooting
    *      | first order at jumps | cross_method; full
    stable | the cycle is stable: largest multiplier | <= 1.0 |  |  | limit cycle | trend
""")


def motion_of(p: Periodic, points: int, friction: float) -> fc.SystemMotion:
    """System with a ring of so many points, about its steady sliding."""
    changed = replace(p, ring_points=points, friction=friction)
    return fc.SystemMotion(*in_time.sliding(changed, "Ritz"))


def first_wave(p: Periodic, points: int, q: fc.Floats, omega: float) -> fc.Wave:
    """Wave near coordinates q on a ring."""
    motion = motion_of(p, points, p.friction)
    v = omega * fc.rotation_generators(motion)[0] @ q
    x, n = motion.packed(motion.system.sliding(fc.State(0.0, q, v))), len(q)
    equations = fc.RotatingWave(lambda _: motion, motion.index("clutch.uy"))
    u = np.concatenate([x[:n], x[2 * n :], [omega]])
    return equations.wave(fc.solve_at(equations, u, 0.0, equations.sizes(u, 0.0), JUMP), 0.0)


def shot(motion: fc.SystemMotion, wave: fc.Wave, steps: int) -> fc.PeriodicOrbit:
    """Cycle by shooting over one point of the ring, from a wave."""
    start = motion.packed(motion.system.sliding(fc.State(0.0, wave.q, wave.v)))
    options = {"free": True, "turn": fc.turn_of(motion), "tolerance": FOUND}
    return fc.shoot(motion, start, 1.0 / wave.frequency, steps, **options)


def radius(q: fc.Floats) -> fc.Floats:
    """Whirl radius in m of the clutch disc."""
    return np.asarray(np.hypot(q[..., 0], q[..., 1]))


def main(run: fc.Run[Periodic]) -> None:
    """Wave, shooting; harmonic balance and long motion in the full form."""
    p = run.parameters
    motion = motion_of(p, p.ring_points, p.friction)
    wave = first_wave(p, 36 if run.quick else p.wave_points, GUESS, GUESS_SPEED)
    orbit = shot(motion, wave, 8 if run.quick else p.steps)
    agree(run, f"rotating wave on {len(wave.z) // 2} points", float(radius(wave.q)),
          wave.frequency, orbit)  # fmt: skip
    run.row(REFERENCES, "stable", orbit.multipliers.largest)
    if run.quick:
        crest(run, {"shooting": whole_turn(orbit.q, p.ring_points)})
        return
    other = first_wave(p, 2 * p.wave_points, wave.q, wave.omega)
    agree(run, f"rotating wave on {len(other.z) // 2} points", float(radius(other.q)),
          other.frequency, orbit)  # fmt: skip
    series = balance(run, motion, wave, orbit)
    late = long_motion(run, motion, orbit)
    turn = whole_turn(orbit.q, p.ring_points)
    crest(run, {"shooting": turn, "harmonic balance": series, "motion in time": late.q})


def agree(
    run: fc.Run[Periodic], name: str, size: float, frequency: float, orbit: fc.PeriodicOrbit
) -> None:
    """Radius and frequency within 1 % of shooting."""
    mean = float(radius(orbit.q).mean())
    computed = {"whirl": (size, mean), "frequency": (frequency, orbit.frequency)}
    run.compare(REFERENCES, computed, part=True, label=name)


def balance(
    run: fc.Run[Periodic], motion: fc.SystemMotion, wave: fc.Wave, orbit: fc.PeriodicOrbit
) -> fc.Floats:
    """Harmonic balance from the series of the wave; coordinates at its samples."""
    p = run.parameters
    base, G = fc.Harmonics(p.wave_harmonics, p.samples), fc.rotation_generators(motion)[0]
    turned = np.array([expm(phase * G) @ wave.q for phase in base.phase])
    found = fc.harmonic_balance(
        motion, base.project @ turned, wave.omega, base.highest, base.samples, free=True,
        tolerance=2.0 * JUMP,
    )  # fmt: skip
    agree(run, "harmonic balance", float(radius(found.q).mean()), found.frequency, orbit)
    return np.vstack([found.q, found.q[:1]])


def long_motion(
    run: fc.Run[Periodic], motion: fc.SystemMotion, orbit: fc.PeriodicOrbit
) -> fc.Result:
    """Motion in time from the state of the cycle at two steps; the last 20 ms of the finer one."""
    p, cycle = run.parameters, float(radius(orbit.q).mean())
    runs = {step: settled(p, motion, orbit, step) for step in (2.0 * p.time_step, p.time_step)}
    coarse, (record, late) = runs[2.0 * p.time_step][1], runs[p.time_step]
    frequency = abs(in_time.slope(late.t, in_time.centre(late)))
    name = f"motion in time after {p.long_time:g} s, {1e6 * p.time_step:g} us"
    agree(run, name, float(radius(late.q).mean()), frequency, orbit)
    ratio = abs(radius(late.q).mean() - cycle) / abs(radius(coarse.q).mean() - cycle)
    run.row(REFERENCES, "motion", ratio)
    slowest = -np.log(orbit.multipliers.values[np.isreal(orbit.multipliers.values)].real.max())
    run.row(REFERENCES, "rate", approach_rate(record), slowest * orbit.frequency)
    opened = float(np.mean(late.contact_status == fc.OPEN))
    run.note(f"In time the contact is open on {opened:.0%} of the ring.")
    curves = {
        f"in time, {1e6 * step:g} us": (each.t, 1e3 * radius(each.q))
        for step, (each, _) in runs.items()
    }
    curves["shooting"] = record.t[[0, -1]], np.full(2, 1e3 * cycle)
    figure = fc.view.history_panels({"whirl radius / mm": curves})
    run.figure("long_motion", figure)
    return late


def settled(
    p: Periodic, motion: fc.SystemMotion, orbit: fc.PeriodicOrbit, step: float
) -> tuple[fc.Result, fc.Result]:
    """Motion in time from the state of the cycle, and its last 20 ms in short intervals."""
    start = motion.state(0.0, orbit.q[0], orbit.v[0], orbit.z[0])
    options = {"step": step, "backend": "compiled"}
    record = fc.simulate(motion.system, p.long_time, start, "explicit", 2.5e-4, **options)
    end = p.long_time + 0.02
    return record, fc.simulate(
        motion.system, end, None, "explicit", 2e-5, restart=record, **options
    )


def approach_rate(record: fc.Result) -> float:
    """Rate in 1/s with which the radius goes to its end, from its means over tenths of the time."""
    means = np.array([part.mean() for part in np.array_split(radius(record.q)[1:], 10)])
    falls = np.abs(np.diff(means))
    tenth = record.t[-1] / 10.0
    return float(np.log(falls[0] / falls[-2]) / ((len(falls) - 2) * tenth))


def whole_turn(q: fc.Floats, points: int) -> fc.Floats:
    """Positions (k, 2) in m of the clutch disc over a turn, from those past one point."""
    turned = np.exp(2j * np.pi * np.arange(points) / points)[:, None]
    passed = (turned * (q[:-1, 0] + 1j * q[:-1, 1])).ravel()
    closed = np.append(passed, passed[0])
    return np.column_stack([closed.real, closed.imag])


def crest(run: fc.Run[Periodic], orbits: dict[str, fc.Floats]) -> None:
    """Picture of the whirl of the clutch disc."""
    curves = {name: (1e3 * q[:, 0], 1e3 * q[:, 1]) for name, q in orbits.items()}
    figure = fc.view.phase_plane(curves, "x / mm", "y / mm")
    figure.axes[0].set_aspect("equal", adjustable="datalim")
    run.figure("whirl", figure)


VERIFIES = ("Jehle T21, limit cycle by shooting and harmonic balance",)
CASE = fc.Case(__doc__, VERIFIES, Periodic(), main, quick_s=25)

if __name__ == "__main__":
    CASE.main(__file__)
