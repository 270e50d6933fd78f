"""Limit cycle of squeal of an elastic friction disc as a periodic solution (Jehle 7.1, figure 7.6).

The cycle of `elastic_disc_cycle`, a crest that runs around the plate while the contact is open on a
part of the ring, found without waiting for it: as a rotating wave on fine rings, by shooting over
one of the 24 points of the ring, by harmonic balance, and against a long motion in time.

The wave is then followed over the friction coefficient, down towards the border above which steady
sliding flutters: the cycle does not shrink there, it grows.

On 24 points a wave in one place of the ring is a poor picture (its open arc begins at a point or
between two), so the wave takes finer rings; shooting goes past one point and sees all places.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import expm

from fecontact.analysis.continuation import solve_at
from fecontact.analysis.harmonic_balance import harmonic_balance
from fecontact.analysis.harmonics import Harmonics
from fecontact.analysis.motion import SystemMotion
from fecontact.analysis.rotating_wave import RotatingWave, Wave, turn_of, turning
from fecontact.analysis.shooting import PeriodicOrbit, shoot
from fecontact.case import Case, Run, main, quantity
from fecontact.case.registry import load_module
from fecontact.contact import OPEN
from fecontact.errors import POSITIVE, SolverError, at_least
from fecontact.simulate import Trajectory, simulate
from fecontact.system import State
from fecontact.typing import Floats
from fecontact.view import plots
from fecontact.view.motion import history_panels
from fecontact.view.signals import phase_plane

in_time = load_module("jehle/elastic_disc_in_time")
CROSS = {"kind": "cross_method", "formula": True}
JUMP = 1e-3
"""Accuracy of the solutions: where a damped contact closes, its force jumps."""
IN_TIME = (
    "0.505 mm in time at 5e-6 s, 0.510 mm by the wave and harmonic balance, 0.510 and 0.512 mm by "
    "shooting with 8 and 16 steps: the jump of the contact force leaves 0.3 % open there; the part "
    "of the time step in the rest is not separated",
    "case elastic_disc_cycle: 0.507 mm from above, 0.505 mm from below",
)
GUESS = np.array(
    [5.1e-4, 0.0, -4.1e-4, -1.24e-2, 1.62e-2, -3.26e-2, -9.8e-4, -1.19e-3, 1.33e-4, 0.0, 0.0, 0.0]
)
"""Rough shape of the wave in m, from which Newton's method starts: clutch disc, then plate."""
GUESS_SPEED = 7800.0
"""Rough speed of the wave in rad/s."""


@dataclass(frozen=True)
class Periodic(in_time.InTime):
    """Rings, steps and samples; the Ritz basis of the source."""

    wave_points: int = quantity(72, "", at_least(9), numerical=True)
    steps: int = quantity(16, "", at_least(4), numerical=True)
    wave_harmonics: int = quantity(4, "", at_least(1), numerical=True)
    samples: int = quantity(144, "", at_least(9), numerical=True)
    long_time: float = quantity(1.0, "s", POSITIVE, numerical=True)
    time_step: float = quantity(5e-6, "s", POSITIVE, numerical=True)
    least_friction: float = quantity(0.16, "", POSITIVE, numerical=True)
    branch_points: int = quantity(8, "", at_least(2), numerical=True)


def motion_of(p: Periodic, points: int, friction: float) -> SystemMotion:
    """System with a ring of so many points, about its steady sliding."""
    changed = replace(p, ring_points=points, friction=friction)
    return SystemMotion(*in_time.sliding(changed, "Ritz"))


def first_wave(p: Periodic, points: int, q: Floats, omega: float) -> Wave:
    """Wave near coordinates q on a ring."""
    motion = motion_of(p, points, p.friction)
    v = omega * turning(motion)[0] @ q
    x, n = motion.packed(motion.system.sliding(State(0.0, q, v))), len(q)
    equations = RotatingWave(lambda _: motion, motion.number("clutch.uy"))
    u = np.concatenate([x[:n], x[2 * n :], [omega]])
    return equations.wave(solve_at(equations, u, 0.0, equations.sizes(u, 0.0), JUMP), 0.0)


def radius(q: Floats) -> Floats:
    """Whirl radius in m of the clutch disc."""
    return np.asarray(np.hypot(q[..., 0], q[..., 1]))


def run(run: Run[Periodic]) -> None:
    """Wave, shooting; harmonic balance, long motion and branch in the full form."""
    p = run.parameters
    wave = first_wave(p, 36 if run.quick else p.wave_points, GUESS, GUESS_SPEED)
    motion = motion_of(p, p.ring_points, p.friction)
    start = motion.packed(motion.system.sliding(State(0.0, wave.q, wave.v)))
    steps = 8 if run.quick else p.steps
    orbit = shoot(
        motion, start, 1.0 / wave.frequency, steps, free=True, turn=turn_of(motion), tolerance=JUMP
    )
    agree(run, f"rotating wave on {len(wave.z) // 2} points", float(radius(wave.q)),
          wave.frequency, orbit)  # fmt: skip
    run.check("the cycle is stable: largest multiplier", orbit.multipliers.largest, 1.0,
              relation="le", kind="trend", source="limit cycle", formula=True)  # fmt: skip
    if run.quick:
        crest(run, motion, {"shooting, one point of the ring": orbit.q})
        return
    other = first_wave(p, 2 * p.wave_points, wave.q, wave.omega)
    agree(run, f"rotating wave on {len(other.z) // 2} points", float(radius(other.q)),
          other.frequency, orbit)  # fmt: skip
    series = balance(run, motion, wave, orbit)
    late = long_motion(run, motion, orbit)
    crest(run, motion, {"harmonic balance": series, "motion in time": late.q})
    branch(run, wave)


def agree(
    run: Run[Periodic], name: str, size: float, frequency: float, orbit: PeriodicOrbit,
    known_deviation: tuple[str, str] | None = None,
) -> None:  # fmt: skip
    """Radius and frequency within 1 % of shooting."""
    mean = float(radius(orbit.q).mean())
    run.check(f"{name}: whirl radius", size, mean, unit="m", tolerance=0.01 * mean,
              source="shooting on 24 points", known_deviation=known_deviation, **CROSS)  # fmt: skip
    run.check(f"{name}: frequency", frequency, orbit.frequency, unit="Hz",
              tolerance=0.01 * orbit.frequency, source="shooting on 24 points",
              **CROSS)  # fmt: skip


def balance(run: Run[Periodic], motion: SystemMotion, wave: Wave, orbit: PeriodicOrbit) -> Floats:
    """Harmonic balance from the series of the wave; coordinates at its samples."""
    p = run.parameters
    base, G = Harmonics(p.wave_harmonics, p.samples), turning(motion)[0]
    turned = np.array([expm(phase * G) @ wave.q for phase in base.phase])
    found = harmonic_balance(
        motion, base.project @ turned, wave.omega, base.highest, base.samples, free=True,
        tolerance=2.0 * JUMP,
    )  # fmt: skip
    agree(run, "harmonic balance", float(radius(found.q).mean()), found.frequency, orbit)
    return np.vstack([found.q, found.q[:1]])


def long_motion(run: Run[Periodic], motion: SystemMotion, orbit: PeriodicOrbit) -> Trajectory:
    """Motion in time from the state of the cycle; its last 20 ms."""
    p = run.parameters
    start = motion.state(0.0, orbit.q[0], orbit.v[0], orbit.z[0])
    options = {"step": p.time_step, "lane": "compiled"}
    record = simulate(motion.system, p.long_time, start, "explicit", 2.5e-4, **options)
    end = p.long_time + 0.02
    late = simulate(motion.system, end, None, "explicit", 2e-5, restart=record, **options)
    frequency = abs(in_time.slope(late.t, in_time.centre(late)))
    name = f"motion in time after {p.long_time:g} s"
    agree(run, name, float(radius(late.q).mean()), frequency, orbit, IN_TIME)
    share = float(np.mean(late.mode == OPEN))
    run.note(f"In time the contact is open on {share:.0%} of the ring.")
    curves = {"motion in time": (record.t, 1e3 * radius(record.q))}
    cycle = np.full(2, 1e3 * float(radius(orbit.q).mean()))
    curves["shooting"] = record.t[[0, -1]], cycle
    figure = history_panels({"whirl radius / mm": curves})
    plots.save(figure, run.path("long_motion.png"))
    return late


def crest(run: Run[Periodic], motion: SystemMotion, orbits: dict[str, Floats]) -> None:
    """Picture of the whirl of the clutch disc."""
    curves = {name: (1e3 * q[:, 0], 1e3 * q[:, 1]) for name, q in orbits.items()}
    figure = phase_plane(curves, "x / mm", "y / mm")
    figure.axes[0].set_aspect("equal")
    plots.save(figure, run.path("whirl.png"))


def branch(run: Run[Periodic], wave: Wave) -> None:
    """Waves over the friction coefficient, down towards the border of flutter."""
    p = run.parameters
    u, found = np.concatenate([wave.q, wave.z, [wave.omega]]), dict[float, Floats]()
    growth = []
    for friction in np.linspace(p.friction, p.least_friction, p.branch_points).tolist():
        motion = motion_of(p, p.wave_points, friction)
        equations = RotatingWave(lambda _, here=motion: here, motion.number("clutch.uy"))
        try:
            u = solve_at(equations, u, 0.0, equations.sizes(u, 0.0), JUMP)
        except SolverError as failure:
            run.note(f"mu = {friction:.4f}: {failure}.")
            continue
        found[friction] = u
        growth.append(float(equations.wave(u, 0.0).exponents[0].real))
    run.check("all cycles of the branch are stable: largest exponent", max(growth), 0.0,
              relation="le", unit="1/s", kind="trend", source="limit cycle",
              formula=True)  # fmt: skip
    border, least = border_of(p), min(found)
    run.note(
        f"Steady sliding flutters above mu = {border:.4f}; at mu = {least:.4f} the whirl of the "
        f"cycle has {1e3 * float(radius(found[least])):.3f} mm at "
        f"{abs(found[least][-1]) / (2 * np.pi):.1f} Hz: towards the border the cycle grows."
    )
    branch_picture(run, np.array(list(found)), np.array(list(found.values())), border)


def border_of(p: Periodic) -> float:
    """Friction coefficient at which the fastest mode neither grows nor fades."""

    def growth(friction: float) -> float:
        system, steady = in_time.sliding(replace(p, friction=friction), "Ritz")
        return float(in_time.leading_mode(system, steady).value.real)

    low, high = 0.5 * p.friction, 0.8 * p.friction
    slope = (growth(high) - growth(low)) / (high - low)
    return low - growth(low) / slope


def branch_picture(run: Run[Periodic], mu: Floats, u: Floats, border: float) -> None:
    """Radius and frequency of the cycle over the friction coefficient."""
    size, frequency = 1e3 * radius(u), np.abs(u[:, -1]) / (2.0 * np.pi)
    edge = np.full(2, border)
    panels = {
        "whirl radius / mm": {
            "rotating wave": (mu, size),
            "border of flutter": (edge, np.array([0.0, size.max()])),
        },
        "frequency / Hz": {"rotating wave": (mu, frequency)},
    }
    figure = history_panels(panels, xlabel="friction coefficient")
    plots.save(figure, run.path("branch.png"))


CASE = Case(
    title="limit cycle of an elastic friction disc as a periodic solution, over the friction",
    proves=("Jehle T21, limit cycle by shooting and harmonic balance",),
    parameters=Periodic(),
    run=run,
    quick_s=25,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
