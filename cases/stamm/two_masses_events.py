"""Friction oscillator of two masses by the event-driven method (Stamm 6.5).

Two masses on the ground, joined by springs and dampers of which one is negative, end in stick or
grow, depending on the start x_1 (see `two_masses_moreau`). Here each foot has bristles

    c = omega_c^2 m/eps_c,     beta = 2 sqrt(c m),     omega_c = 100 rad/s            (Stamm 5.61)

and the limit x^ between both fates depends on eps_c; the published one, for eps_c = 1e-5, is
5.8224076245923678. Near the limit the amplitude at the reversals tends to that of an unstable
cycle and leaves it by a factor 10 in 18 s: x^ is found where the amplitudes of the last two
reversals are equal, by the secant method; what is left of the fast transient is e^(-0.38 t).

At a reversal the friction turns in a time of the order 1/omega = sqrt(eps_c)/omega_c and not at
once. So x^ tends to the rigid limit 5.8224072997633 with order one in 1/omega, which is order 1/2
in eps_c. All feet of a mass do the same: 2 to 48 points give the same motion, and each point
switches as often as a single one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from fecontact.body import RigidBody
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.case.registry import load_module
from fecontact.contact import (
    GROSS,
    STICK,
    ContactPair,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidFace,
    Surface,
)
from fecontact.errors import POSITIVE, at_least
from fecontact.joint import Gravity
from fecontact.simulate import Trajectory, simulate
from fecontact.system import System
from fecontact.typing import Floats
from fecontact.view import plots

rigid = load_module("stamm/two_masses_moreau")
PUBLISHED = 5.8224076245923678
NORMAL = 1e3
"""Stiffness of the ground in N/m; the masses start at rest on it."""


@dataclass(frozen=True)
class TwoMasses(Parameters):
    """Unit masses and springs, b_1 = 0.5, b_2 = -0.375; mu m g = 1 N."""

    friction: float = quantity(0.1, "", POSITIVE)
    gravity: float = quantity(10.0, "m/s^2", POSITIVE)
    start: float = quantity(5.8, "m", POSITIVE)
    softness: float = quantity(1e-5, "", POSITIVE)
    points: int = quantity(1, "", at_least(1), numerical=True)
    until: float = quantity(8.0, "s", POSITIVE, numerical=True)


def system(p: TwoMasses) -> System:
    """Both masses on the ground, with the same number of points."""
    stiffness = frequency(p) ** 2
    foot = Surface(np.zeros((p.points, 3)), np.full(p.points, 1.0 / p.points))
    law = ElastoPlastic(p.friction, stiffness, 2.0 * sqrt(stiffness))
    masses = [RigidBody(f"m{i}", 1.0, ("ux", "uz")) for i in (1, 2)]
    layer = PenaltyNormal(NORMAL, 2.0 * sqrt(NORMAL))
    contacts = [
        ContactPair(mass, foot, RigidFace(None, Plane()), layer, law, f"foot of {mass.name}")
        for mass in masses
    ]
    weight = Gravity(masses, (0.0, 0.0, -p.gravity))
    return System(masses, [rigid.Coupling(tuple(masses)), weight, *contacts])


def frequency(p: TwoMasses) -> float:
    """Frequency omega in rad/s of a unit mass on its bristles."""
    return 100.0 / sqrt(p.softness)


def moved(
    p: TwoMasses, start: float, until: float, output: float | None = None, **options: object
) -> Trajectory:
    """Motion from x_1 = start at rest, to tight tolerances."""
    whole, depth = system(p), p.gravity / NORMAL
    first = whole.state(q={"m1.ux": start, "m1.uz": -depth, "m2.uz": -depth})
    tight = {"solver": "DOP853", "rtol": 1e-12, "atol": 1e-13, "speed": 1e-11, "audit": False}
    return simulate(whole, until, first, "events", output, **(tight | options))


def amplitudes(p: TwoMasses, start: float, until: float, **options: object) -> Floats:
    """|x_1| at the reversals of the first mass: where it begins to stick."""
    motion = moved(p, start, until, None, **options)
    mode = motion.mode[:, 0]
    turns = np.flatnonzero((mode[1:] == STICK) & (mode[:-1] == GROSS)) + 1
    return np.abs(motion.q[turns, 0])


def limit(p: TwoMasses, until: float, **options: object) -> float:
    """Start x^ between stick and growth, by equal amplitudes at the end."""
    size = p.friction * p.gravity
    starts = [(rigid.LIMIT - 1e-6) * size, (rigid.LIMIT + 1e-6) * size]
    runs = [amplitudes(p, x, until, **options) for x in starts]
    last = min(len(run) for run in runs) - 1
    growth = [run[last] - run[last - 1] for run in runs]
    for _ in range(2):
        slope = (growth[-1] - growth[-2]) / (starts[-1] - starts[-2])
        starts.append(starts[-1] - growth[-1] / slope)
        new = amplitudes(p, starts[-1], until, **options)
        growth.append(new[last] - new[last - 1])
    return starts[-1]


def against_the_chain(run: Run[TwoMasses]) -> None:
    """Motion against the rigid solution: order one in 1/omega; two events per reversal."""
    p = run.parameters
    chain = rigid.Chain(p.friction * p.gravity, p.start)
    exact = chain.at(p.until)
    softness = np.array([1e-2, 1e-3, 1e-4])
    motions = [moved(replace(p, softness=eps), p.start, p.until) for eps in softness]
    errors = np.array(
        [np.abs(motion.q[-1, [0, 2]] - exact[:2]).max() / p.start for motion in motions]
    )
    for eps, error in zip(softness, errors, strict=True):
        late = 2.0 * p.friction * p.gravity / frequency(replace(p, softness=eps))
        run.check(f"relative error at {p.until:g} s, eps_c = {eps:g}", float(error),
                  chain.reversals * late / p.start, relation="le", kind="closed_form",
                  source="rigid chain; friction 1/omega late at reversals",
                  formula=True)  # fmt: skip
    order = float(np.log10(errors[-2] / errors[-1]))
    run.check("order in eps_c", order, 0.5, tolerance=0.05, kind="closed_form",
              source="time 1/omega of a reversal", formula=True)  # fmt: skip
    for motion, eps in zip(motions, softness, strict=True):
        count = motion.statistics.events
        run.check(f"events, eps_c = {eps:g}", count, 2 * chain.reversals + 2, relation="is",
                  kind="closed_form", source="stick and break-away at each reversal, two starts",
                  formula=True)  # fmt: skip
    figure = plots.convergence_plot(
        1e2 / np.sqrt(softness) / 1e3, {"displacement": errors}, -1.0, "omega / (1000 rad/s)"
    )
    plots.save(figure, run.path("convergence.png"))
    long = moved(p, p.start, 2.0 * p.until, 0.02, rtol=1e-9, atol=1e-11, speed=1e-9)
    figure = plots.curves_plot(
        long.t, {"x_1": long.q[:, 0], "x_2": long.q[:, 2]}, "time / s", "displacement / m"
    )
    plots.save(figure, run.path("two_masses.png"))


def many_points(run: Run[TwoMasses]) -> None:
    """2 to 48 contacts: the same motion, every point switches as often as one."""
    p = run.parameters
    one = moved(p, p.start, p.until, p.until)
    for points in (24,) if run.quick else (6, 12, 24):
        many = moved(replace(p, points=points), p.start, p.until, p.until)
        run.check(f"largest difference, {2 * points} contacts",
                  float(np.abs(many.q[-1] - one.q[-1]).max()), 0.0, unit="m", tolerance=1e-9,
                  kind="cross_method", source="one contact per mass", formula=True)  # fmt: skip
        counts = [m.statistics.to_stick + m.statistics.to_gross_slip for m in (many, one)]
        run.check(f"switches per point, {2 * points} contacts", counts[0] / points, counts[1],
                  relation="is", kind="cross_method", source="no event missed or doubled",
                  formula=True)  # fmt: skip


def limits(run: Run[TwoMasses]) -> None:
    """The limit of the start over eps_c."""
    p, size = run.parameters, run.parameters.friction * run.parameters.gravity
    softness = (1e-3, 1e-4, 1e-5)
    found = [limit(replace(p, softness=eps), 60.0) / size for eps in softness]
    away = np.array(found) - rigid.LIMIT
    order = float(np.log10(away[-2] / away[-1]))
    run.check("order of x^ in eps_c", order, 0.5, tolerance=0.02, kind="closed_form",
              source="time 1/omega of a reversal", formula=True)  # fmt: skip
    run.check("x^(1e-4) - x^(1e-5)", found[1] - found[2], 1e-6, unit="m", relation="le",
              kind="published", source="Stamm 6.5")  # fmt: skip
    best = limit(p, 90.0, rtol=1e-13, atol=1e-14) / size
    run.check("limit x^, eps_c = 1e-5", best, PUBLISHED, unit="m", tolerance=1e-9,
              kind="published", source="Stamm 6.54", varied=("softness",))  # fmt: skip
    run.check("distance from the rigid limit", best - rigid.LIMIT, 1e-6, unit="m", relation="le",
              kind="published", source="Stamm 6.5: less than 1e-6")  # fmt: skip
    run.note("x^ over eps_c: " + ", ".join(
        f"{eps:g}: {value:.11f}" for eps, value in zip(softness, found, strict=True)
    ) + f"; to t = 90 s {best:.13f}.")  # fmt: skip


def run(run: Run[TwoMasses]) -> None:
    """Rigid limit, several contacts, limit of the start."""
    against_the_chain(run)
    many_points(run)
    if not run.quick:
        limits(run)


CASE = Case(
    title="friction oscillator of two masses by the event-driven method",
    proves=("Stamm T14",),
    parameters=TwoMasses(),
    run=run,
    quick_s=12.0,
    system=system,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
