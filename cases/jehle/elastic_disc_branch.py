"""Limit cycles of squeal of an elastic friction disc over the friction coefficient (Jehle 7.1).

The cycle of `elastic_disc_periodic`, followed over the friction coefficient. The branch has three
parts. It starts softly at the stability boundary of steady sliding: rotating waves of growing
radius, stable while the contact stays closed. They end where it begins to open; cycles with an open
arc lead from there, unstable, to a fold below the boundary. Beyond it they are stable, and shrink
as friction grows; shooting follows them from figure 7.6 back through the fold, and a part of the
way on. Between fold and opening two states are stable: the cycle with an open arc, and steady
sliding or, above the boundary, a cycle without opening.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq

import fecontact as fc

periodic = fc.load_module("jehle/elastic_disc_periodic")
SEED = 1e-6
"""Radius in m of the first wave at the stability boundary."""


@dataclass(frozen=True)
class CycleBranch(periodic.Periodic):
    """Steps and points of the branch."""

    branch_steps: int = fc.quantity(8, "", fc.at_least(4), numerical=True)
    branch_points: int = fc.quantity(24, "", fc.at_least(2), numerical=True)


REFERENCES = fc.References("""
    branch   | branch at a radius of 1 um: friction coefficient |  |  | 1e-6
    *        | root of the growth rate | cross_method
    cycle_2  | cycle |  | 1/s | 0.02 rel | Hopf: twice the growth rate of steady sliding
    distance | distance to the boundary: power of the radius | 2.0 |  | 0.02
        | Hopf: square of the radius | closed_form
    cycles   | cycles with closed contact are stable: fastest rate | <= 0.0 | 1/s |
        | soft start of flutter | trend
    *        | root of the growth rate | cross_method; full
    before   | cycles before the fold are stable: largest multiplier                     | <= 1.0
    behind   | cycles behind the fold are unstable: least of their largest multipliers   | >= 1.0
    friction | least friction coefficient with a cycle lies below the boundary of flutter | <=
    opens    | least radius behind the fold is above that at which the contact opens     | >= | m
    *        | hysteresis of squeal | trend; full
""")


@dataclass(frozen=True)
class Cycles:
    """Cycles along a branch over the friction coefficient; `largest` multipliers of a period."""

    friction: fc.Floats
    radius: fc.Floats
    frequency: fc.Floats
    largest: fc.Floats


def main(run: fc.Run[CycleBranch]) -> None:
    """Cycles from the stability boundary on, and back from figure 7.6; quick: the first ones."""
    p = run.parameters
    boundary = boundary_of(p)
    closed = from_the_boundary(run, boundary)
    if run.quick:
        panels = {"whirl radius / mm": 1e3 * closed.radius}
        about = closed.friction, panels, closed.largest < 1.0, "friction coefficient"
        run.figure("branch", fc.view.branch_panels(*about))
        return
    motion = periodic.motion_of(p, p.ring_points, p.friction)
    wave = periodic.first_wave(p, p.wave_points, periodic.GUESS, periodic.GUESS_SPEED)
    opening = shot(run, periodic.shot(motion, wave, p.steps), boundary)
    open_rows(run, opening, closed, boundary)
    branch_picture(run, closed, opening, boundary, wave)


def from_the_boundary(run: fc.Run[CycleBranch], boundary: float) -> Cycles:
    """Rotating waves over their radius from zero on, until the contact opens."""
    p = run.parameters
    motions = lru_cache(4)(lambda friction: periodic.motion_of(p, p.ring_points, friction))
    first = motions(boundary)
    waves = fc.RotatingWave(motions, first.index("clutch.uy"))
    over_radius = fc.Exchanged(waves, first.index("clutch.ux"))
    guess = seed(p, first, boundary)
    sizes = waves.sizes(*over_radius.original(guess, SEED))
    sizes[over_radius.index] = boundary
    u = fc.solve_at(over_radius, guess, SEED, sizes)
    largest, points = 2.0 * float(np.hypot(*periodic.GUESS[:2])), 3 if run.quick else 40
    options = fc.PathOptions(0.0, largest, sizes, 0.02, 0.1, 1e-3, points)
    path = fc.follow(over_radius, u, SEED, options)
    pairs = [over_radius.original(point.u, point.parameter) for point in path.points]
    found = [waves.wave(u, friction) for u, friction in pairs]
    opens = [opened(motions(mu), each) for (_, mu), each in zip(pairs, found, strict=True)]
    closed = opens.index(True) if True in opens else len(opens)
    friction = np.array([friction for _, friction in pairs[:closed]])
    rates = np.array([each.exponents[0].real for each in found[:closed]])
    frequency = np.array([each.frequency for each in found[:closed]])
    soft_rows(run, friction, path.parameter[:closed], rates, boundary)
    return Cycles(friction, path.parameter[:closed], frequency, np.exp(rates / frequency))


def opened(motion: fc.SystemMotion, wave: fc.Wave) -> bool:
    """Whether a point of the ring carries nothing; dampers let go before the gap opens."""
    system, state = motion.system, replace(motion.start, q=wave.q, v=wave.v)
    contact = system.stateful_contacts[0]
    return contact.status(*system.local(contact, state)).open > 0


def seed(p: CycleBranch, motion: fc.SystemMotion, boundary: float) -> fc.Floats:
    """Unknowns of a small wave, its radius exchanged with the friction: the mode that grows."""
    mode = fc.disturbance(*periodic.in_time.sliding(replace(p, friction=1.02 * boundary), "Ritz"))
    n = len(mode.steady.v)
    dq, dv, dz = np.split((SEED / mode.right[0] * mode.right).real, [n, 2 * n])
    steady = mode.steady
    small = replace(steady, q=steady.q + dq, v=steady.v + dv, z=steady.z + dz)
    x = motion.packed(small)
    u = np.concatenate([x[:n], x[2 * n :], [dv[1] / dq[0]]])
    u[0] = boundary
    return u


def soft_rows(
    run: fc.Run[CycleBranch],
    friction: fc.Floats,
    size: fc.Floats,
    rates: fc.Floats,
    boundary: float,
) -> None:
    """The branch starts at the boundary with the square of the radius, and takes over stability."""
    run.row(REFERENCES, "branch", friction[0], boundary)
    if run.quick:
        return
    small = int(np.argmin(np.abs(size - 1e-4)))
    growth = growth_at(run.parameters, float(friction[small]))
    label = f"of {1000000.0 * size[small]:.0f} um: rate at which it attracts"
    run.row(REFERENCES, "cycle_2", -rates[small], 2.0 * growth, label=label)
    part = np.diff(friction[[0, small]])[0] / np.diff(friction[[0, small - 1]])[0]
    square = (size[small] / size[small - 1]) ** 2
    computed = {"distance": 2.0 * np.log(part) / np.log(square), "cycles": rates[1:].max()}
    run.compare(REFERENCES, computed, part=True)
    run.note(
        f"Steady sliding flutters above mu = {boundary:.4f}. Cycles with closed contact are stable "
        f"up to mu = {friction[-1]:.4f} and {1e3 * size[-1]:.3f} mm, where it begins to open."
    )


def shot(run: fc.Run[CycleBranch], orbit: fc.PeriodicOrbit, boundary: float) -> Cycles:
    """Cycles with an open arc by shooting, from figure 7.6 through the fold."""
    p = run.parameters
    motions = lru_cache(4)(lambda friction: periodic.motion_of(p, p.ring_points, friction))
    equations = fc.Shooting(motions, p.branch_steps, turn=fc.turn_of(motions(p.friction)))
    u = np.concatenate([orbit.q[0], orbit.v[0], orbit.z[0], [orbit.period]])
    sizes = equations.sizes(u, p.friction)
    options = fc.PathOptions(
        0.5 * boundary, p.friction, sizes, 0.06, 0.12, 1e-3, p.branch_points, located=1e-2
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
        np.array([float(periodic.radius(each.q).mean()) for each in orbits]),
        np.array([each.frequency for each in orbits]),
        np.array([each.multipliers.largest for each in orbits]),
    )


def open_rows(run: fc.Run[CycleBranch], opening: Cycles, closed: Cycles, boundary: float) -> None:
    """Stable from figure 7.6 to the fold below the boundary, unstable behind it."""
    largest, last = opening.largest, int(np.argmin(opening.friction))
    run.row(REFERENCES, "before", largest[:last].max())
    behind = float(largest[last + 1 :].min()) if last + 1 < len(largest) else 0.0
    computed = {
        "behind": behind,
        "friction": (opening.friction.min(), boundary),
        "opens": (opening.radius[last:].min(), closed.radius[-1]),
    }
    run.compare(REFERENCES, computed, part=True)


def branch_picture(
    run: fc.Run[CycleBranch], closed: Cycles, opening: Cycles, boundary: float, wave: fc.Wave
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
    at = np.array([run.parameters.friction]), 1e3 * periodic.radius(wave.q)[None]
    figure = fc.view.branch_panels(
        friction, panels, values[2] < 1.0, "friction coefficient",
        marks={"stability boundary": boundary, "contact opens": float(closed.friction[-1])},
        dots={size: {"rotating wave": at}},
    )  # fmt: skip
    run.figure("branch", figure)


def boundary_of(p: CycleBranch) -> float:
    """Friction coefficient at which the squeal neither grows nor fades."""
    ends = 0.4 * p.friction, 0.8 * p.friction
    return float(brentq(lambda friction: growth_at(p, friction), *ends, xtol=1e-9))


def growth_at(p: CycleBranch, friction: float) -> float:
    """Growth rate in 1/s of the squeal at a friction coefficient."""
    sliding = periodic.in_time.sliding(replace(p, friction=friction), "Ritz")
    return fc.complex_modes(fc.linearise(*sliding, "state")).leading_growth


VERIFIES = ("Jehle T21, branch of limit cycles",)
CASE = fc.Case(__doc__, VERIFIES, CycleBranch(), main, quick_s=15)

if __name__ == "__main__":
    CASE.main(__file__)
