"""Limit cycle of squeal of an elastic friction disc as a periodic solution (Jehle 7.1, figure 7.6).

The cycle of `elastic_disc_cycle`, a crest that runs around the plate while the contact is open on a
part of the ring, found without waiting for it: as a rotating wave on fine rings, by shooting over
one of the 24 points of the ring, by harmonic balance, and against a long motion in time.

Over the friction coefficient the branch of cycles has three parts. It starts softly at the border
of flutter: rotating waves of growing radius, stable while the contact stays closed. They end where
it begins to open; cycles with an open arc lead from there, unstable, to a fold below the border.
Beyond it they are stable, and shrink as friction grows; shooting follows them from figure 7.6 back
through the fold, and a part of the way on. Between fold and opening two states are stable: the
cycle with an open arc, and steady sliding or, above the border, a cycle without opening.

On 24 points a wave in one place of the ring is a poor picture (its open arc begins at a point or
between two), so the wave takes finer rings; shooting goes past one point and sees all places.

A point that closes feels its damper at once. Explicit steps notice it up to a step too late, so the
motion in time errs with the first power of the step: 1.1, 0.6 and 0.3 % of the radius at 5, 2.5 and
1.25 us.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

import fecontact as fc

in_time = fc.load_module("jehle/elastic_disc_in_time")
JUMP = 1e-3
"""Accuracy of wave and series: where a damped contact closes, their force jumps at a point."""
FOUND = 1e-6
"""Accuracy of shooting, whose steps end at the jump."""
SEED = 1e-6
"""Radius in m of the first wave at the border of flutter."""
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
    branch_steps: int = fc.quantity(8, "", fc.at_least(4), numerical=True)
    branch_points: int = fc.quantity(24, "", fc.at_least(2), numerical=True)


def motion_of(p: Periodic, points: int, friction: float) -> fc.SystemMotion:
    """System with a ring of so many points, about its steady sliding."""
    changed = replace(p, ring_points=points, friction=friction)
    return fc.SystemMotion(*in_time.sliding(changed, "Ritz"))


def first_wave(p: Periodic, points: int, q: fc.Floats, omega: float) -> fc.Wave:
    """Wave near coordinates q on a ring."""
    motion = motion_of(p, points, p.friction)
    v = omega * fc.turning(motion)[0] @ q
    x, n = motion.packed(motion.system.sliding(fc.State(0.0, q, v))), len(q)
    equations = fc.RotatingWave(lambda _: motion, motion.index("clutch.uy"))
    u = np.concatenate([x[:n], x[2 * n :], [omega]])
    return equations.wave(fc.solve_at(equations, u, 0.0, equations.sizes(u, 0.0), JUMP), 0.0)


def radius(q: fc.Floats) -> fc.Floats:
    """Whirl radius in m of the clutch disc."""
    return np.asarray(np.hypot(q[..., 0], q[..., 1]))


def main(run: fc.Run[Periodic]) -> None:
    """Wave, shooting; harmonic balance, long motion and branch in the full form."""
    p = run.parameters
    wave = first_wave(p, 36 if run.quick else p.wave_points, GUESS, GUESS_SPEED)
    motion = motion_of(p, p.ring_points, p.friction)
    start = motion.packed(motion.system.sliding(fc.State(0.0, wave.q, wave.v)))
    steps = 8 if run.quick else p.steps
    orbit = fc.shoot(
        motion, start, 1.0 / wave.frequency, steps, free=True, turn=fc.turn_of(motion),
        tolerance=FOUND,
    )  # fmt: skip
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
    branch(run, orbit, wave)


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
    base, G = fc.Harmonics(p.wave_harmonics, p.samples), fc.turning(motion)[0]
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
    share = float(np.mean(late.contact_status == fc.OPEN))
    run.note(f"In time the contact is open on {share:.0%} of the ring.")
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
    options = {"step": step, "lane": "compiled"}
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
    """Places (k, 2) in m of the clutch disc over a turn, from those past one point of the ring."""
    turned = np.exp(2j * np.pi * np.arange(points) / points)[:, None]
    places = (turned * (q[:-1, 0] + 1j * q[:-1, 1])).ravel()
    closed = np.append(places, places[0])
    return np.column_stack([closed.real, closed.imag])


def crest(run: fc.Run[Periodic], orbits: dict[str, fc.Floats]) -> None:
    """Picture of the whirl of the clutch disc."""
    curves = {name: (1e3 * q[:, 0], 1e3 * q[:, 1]) for name, q in orbits.items()}
    figure = fc.view.phase_plane(curves, "x / mm", "y / mm")
    figure.axes[0].set_aspect("equal", adjustable="datalim")
    run.figure("whirl", figure)


@dataclass(frozen=True)
class Cycles:
    """Cycles along a branch over the friction coefficient; `largest` multipliers of a period."""

    friction: fc.Floats
    radius: fc.Floats
    frequency: fc.Floats
    largest: fc.Floats


REFERENCES = fc.References("""
    whirl     | whirl radius |  | m  | 0.01 rel
    frequency | frequency    |  | Hz | 0.01 rel
    *         | shooting on 24 points | cross_method
    motion | motion in time: distance to shooting, relative to that at twice the step | <= 0.7
    rate   | rate at which the cycle attracts, in time |  | 1/s | 0.5 | multipliers of shooting
    *      | first order at jumps | cross_method; full
    branch   | branch at a radius of 1 um: friction coefficient |  |  | 1e-6
    cycle_2  | cycle |  | 1/s | 0.02 rel | Hopf: twice the growth rate of steady sliding
    distance | distance to the border: power of the radius | 2.0 |  | 0.02
        | Hopf: square of the radius | closed_form
    cycles   | cycles with closed contact are stable: fastest rate | <= 0.0 | 1/s |
        | soft start of flutter | trend
    *        | root of the growth rate | cross_method; full
    before   | cycles before the fold are stable: largest multiplier                    | <= 1.0
    behind   | cycles behind the fold are unstable: least of their largest multipliers  | >= 1.0
    friction | least friction coefficient with a cycle lies below the border of flutter | <=
    opens    | least radius behind the fold is above that at which the contact opens    | >=     | m
    *        | hysteresis of squeal | trend; full
    stable | the cycle is stable: largest multiplier | <= 1.0 |  |  | limit cycle | trend
""")


def branch(run: fc.Run[Periodic], orbit: fc.PeriodicOrbit, wave: fc.Wave) -> None:
    """Cycles over the friction coefficient: from the border on, and back from figure 7.6."""
    border = border_of(run.parameters)
    closed = from_the_border(run, border)
    opening = shot(run, orbit, border)
    open_rows(run, opening, closed, border)
    branch_picture(run, closed, opening, border, wave)


def from_the_border(run: fc.Run[Periodic], border: float) -> Cycles:
    """Rotating waves over their radius from zero on, until the contact opens."""
    p = run.parameters
    motions = lru_cache(4)(lambda friction: motion_of(p, p.ring_points, friction))
    first = motions(border)
    waves = fc.RotatingWave(motions, first.index("clutch.uy"))
    over_radius = fc.Exchanged(waves, first.index("clutch.ux"))
    guess = seed(p, first, border)
    sizes = waves.sizes(*over_radius.original(guess, SEED))
    sizes[over_radius.index] = border
    u = fc.solve_at(over_radius, guess, SEED, sizes)
    options = fc.PathOptions(0.0, float(np.hypot(*GUESS[:2])) * 2.0, sizes, 0.02, 0.1, 1e-3, 40)
    path = fc.follow(over_radius, u, SEED, options)
    pairs = [over_radius.original(point.u, point.parameter) for point in path.points]
    found = [waves.wave(u, friction) for u, friction in pairs]
    opens = [opened(motions(mu), each) for (_, mu), each in zip(pairs, found, strict=True)]
    closed = opens.index(True) if True in opens else len(opens)
    friction = np.array([friction for _, friction in pairs[:closed]])
    rates = np.array([each.exponents[0].real for each in found[:closed]])
    frequency = np.array([each.frequency for each in found[:closed]])
    soft_rows(run, friction, path.parameter[:closed], rates, border)
    return Cycles(friction, path.parameter[:closed], frequency, np.exp(rates / frequency))


def opened(motion: fc.SystemMotion, wave: fc.Wave) -> bool:
    """Whether a point of the ring carries nothing; dampers let go before the gap opens."""
    system, state = motion.system, replace(motion.start, q=wave.q, v=wave.v)
    contact = system.stateful_contacts[0]
    return contact.status(*system.local(contact, state)).open > 0


def seed(p: Periodic, motion: fc.SystemMotion, border: float) -> fc.Floats:
    """Unknowns of a small wave, its radius exchanged with the friction: the mode that grows."""
    mode = fc.disturbance(*in_time.sliding(replace(p, friction=1.02 * border), "Ritz"))
    n = len(mode.steady.v)
    dq, dv, dz = np.split((SEED / mode.right[0] * mode.right).real, [n, 2 * n])
    steady = mode.steady
    small = replace(steady, q=steady.q + dq, v=steady.v + dv, z=steady.z + dz)
    x = motion.packed(small)
    u = np.concatenate([x[:n], x[2 * n :], [dv[1] / dq[0]]])
    u[0] = border
    return u


def soft_rows(
    run: fc.Run[Periodic], friction: fc.Floats, size: fc.Floats, rates: fc.Floats, border: float
) -> None:
    """The branch starts at the border, with the square of the radius, and takes over stability."""
    run.row(REFERENCES, "branch", friction[0], border)
    small = int(np.argmin(np.abs(size - 1e-4)))
    growth = growth_at(run.parameters, float(friction[small]))
    label = f"of {1000000.0 * size[small]:.0f} um: rate at which it attracts"
    run.row(REFERENCES, "cycle_2", -rates[small], 2.0 * growth, label=label)
    part = np.diff(friction[[0, small]])[0] / np.diff(friction[[0, small - 1]])[0]
    square = (size[small] / size[small - 1]) ** 2
    computed = {"distance": 2.0 * np.log(part) / np.log(square), "cycles": rates[1:].max()}
    run.compare(REFERENCES, computed, part=True)
    run.note(
        f"Steady sliding flutters above mu = {border:.4f}. Cycles with closed contact are stable "
        f"up to mu = {friction[-1]:.4f} and {1e3 * size[-1]:.3f} mm, where it begins to open."
    )


def shot(run: fc.Run[Periodic], orbit: fc.PeriodicOrbit, border: float) -> Cycles:
    """Cycles with an open arc by shooting, from figure 7.6 through the fold."""
    p = run.parameters
    motions = lru_cache(4)(lambda friction: motion_of(p, p.ring_points, friction))
    equations = fc.Shooting(motions, p.branch_steps, turn=fc.turn_of(motions(p.friction)))
    u = np.concatenate([orbit.q[0], orbit.v[0], orbit.z[0], [orbit.period]])
    sizes = equations.sizes(u, p.friction)
    options = fc.PathOptions(
        0.5 * border, p.friction, sizes, 0.06, 0.12, 1e-3, p.branch_points, located=1e-2
    )
    path = fc.follow(equations, u, p.friction, options, direction=-1.0)
    orbits = [equations.orbit(point.u, point.parameter) for point in path.points]
    folds = ", ".join(f"{fold.parameter:.4f}" for fold in path.of("fold")) or "none"
    run.note(
        f"The branch of cycles with an open arc has {len(orbits)} points from mu = {p.friction:g} "
        f"to {path.parameter.min():.4f} and back to {path.parameter[-1]:.4f} ({path.message}); "
        f"folds at mu = {folds}."
    )
    return Cycles(
        path.parameter,
        np.array([float(radius(each.q).mean()) for each in orbits]),
        np.array([each.frequency for each in orbits]),
        np.array([each.multipliers.largest for each in orbits]),
    )


def open_rows(run: fc.Run[Periodic], opening: Cycles, closed: Cycles, border: float) -> None:
    """Stable from figure 7.6 to the fold below the border, unstable behind it."""
    largest, last = opening.largest, int(np.argmin(opening.friction))
    run.row(REFERENCES, "before", largest[:last].max())
    behind = float(largest[last + 1 :].min()) if last + 1 < len(largest) else 0.0
    computed = {
        "behind": behind,
        "friction": (opening.friction.min(), border),
        "opens": (opening.radius[last:].min(), closed.radius[-1]),
    }
    run.compare(REFERENCES, computed, part=True)


def branch_picture(
    run: fc.Run[Periodic], closed: Cycles, opening: Cycles, border: float, wave: fc.Wave
) -> None:
    """Radius, frequency and largest multiplier of all cycles over the friction coefficient.

    The part between the last cycles of both branches is not computed, and not drawn.
    """
    size = "whirl radius / mm"
    friction, *values = (
        np.concatenate([getattr(closed, name), [np.nan], getattr(opening, name)[::-1]])
        for name in ("friction", "radius", "frequency", "largest")
    )
    panels = {size: 1e3 * values[0], "frequency / Hz": values[1], "largest multiplier": values[2]}
    at = np.array([run.parameters.friction]), 1e3 * radius(wave.q)[None]
    figure = fc.view.branch_panels(
        friction, panels, values[2] < 1.0, "friction coefficient",
        marks={"border of flutter": border, "contact opens": float(closed.friction[-1])},
        dots={size: {"rotating wave": at}},
    )  # fmt: skip
    run.figure("branch", figure)


def border_of(p: Periodic) -> float:
    """Friction coefficient at which the squeal neither grows nor fades."""
    ends = 0.4 * p.friction, 0.8 * p.friction
    return float(brentq(lambda friction: growth_at(p, friction), *ends, xtol=1e-9))


def growth_at(p: Periodic, friction: float) -> float:
    """Growth rate in 1/s of the squeal at a friction coefficient."""
    sliding = in_time.sliding(replace(p, friction=friction), "Ritz")
    return fc.complex_modes(fc.linearise(*sliding, "state")).leading_growth


VERIFIES = ("Jehle T21, limit cycle by shooting and harmonic balance",)
CASE = fc.Case(__doc__, VERIFIES, Periodic(), main, quick_s=25)

if __name__ == "__main__":
    CASE.main(__file__)
