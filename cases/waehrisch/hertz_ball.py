"""Hertz contact as force elements: ball on a plate, ball in a socket, two rollers (Waehrisch).

The source reduces the elastic half space to springs in three directions, with stick and slip. It
prints formulas and no numbers; here each formula is held against another one, a quadrature or a
motion. Its tangential element sticks as a spring and then slides. The real contact slips at its rim
from the start (Cattaneo, Mindlin), so the element takes more energy out of a full cycle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import quad, solve_ivp

from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact.elasto_plastic import ElastoPlastic
from fecontact.contact.hertz import ElasticPair, HertzLine, HertzPoint, equivalent_radius
from fecontact.contact.normal import PowerNormal
from fecontact.errors import POISSON, POSITIVE
from fecontact.reference.punch import PowerPunch, half_space_displacement
from fecontact.typing import Floats
from fecontact.view import plots


@dataclass(frozen=True)
class HertzBall(Parameters):
    """Steel ball of 10 mm on a steel plate."""

    young: float = quantity(210e9, "Pa", POSITIVE)
    poisson: float = quantity(0.3, "", POISSON)
    density: float = quantity(7850.0, "kg/m^3", POSITIVE)
    radius: float = quantity(0.01, "m", POSITIVE)
    socket_radius: float = quantity(0.011, "m", POSITIVE)
    roller_length: float = quantity(0.02, "m", POSITIVE)
    force: float = quantity(100.0, "N", POSITIVE)
    mu: float = quantity(0.2, "", POSITIVE)
    impact_speed: float = quantity(0.1, "m/s", POSITIVE)
    root_damping: float = quantity(0.02, "kg^(1/2)", POSITIVE)

    @property
    def pair(self) -> ElasticPair:
        """Steel on steel."""
        return ElasticPair(self.young, self.poisson)

    @property
    def mass(self) -> float:
        """Mass of the ball in kg."""
        return 4.0 / 3.0 * np.pi * self.radius**3 * self.density


def normal_spring(run: Run[HertzBall], name: str, ball: HertzPoint) -> None:
    """Force, pressure, displacement and stiffness of a point contact."""
    p = run.parameters
    d = float(ball.approach(p.force))
    a, p_0 = float(ball.contact_radius(d)), float(ball.peak_pressure(d))
    total = quad(lambda t: float(ball.pressure(a * np.sin(t), d)) * np.sin(t) * np.cos(t),
                 0.0, 0.5 * np.pi)[0]  # fmt: skip
    paraboloid = PowerPunch(1, 0.5 * ball.radius, ball.radius, ball.pair.modulus)
    dent = half_space_displacement(0.6 * a, a, ball.pair.modulus, paraboloid)
    step = 1e-5 * d
    slope = float(ball.force(d + step) - ball.force(d - step)) / (2.0 * step)
    law = ball.law().pressure(np.array([-d]), np.zeros(1))
    rows = (
        ("(2/3) pi p_0 a^2", 2.0 / 3.0 * np.pi * p_0 * a**2, p.force, "N", "Waehrisch (3.7)"),
        ("integral of the pressure", 2 * np.pi * a**2 * total, p.force, "N", "Waehrisch (3.4)"),
        ("(2/3) E sqrt(R) d^1.5, E = 2 E*",
         4.0 / 3.0 * ball.pair.modulus * np.sqrt(ball.radius) * d**1.5, p.force, "N",
         "Waehrisch (3.8)"),
        ("force element", float(law[0][0]), p.force, "N", "Waehrisch (3.4)"),
        ("displacement at 0.6 a", dent,
         np.pi * p_0 * (2 * a**2 - (0.6 * a) ** 2) / (4 * ball.pair.modulus * a), "m",
         "Waehrisch (3.2)"),
        ("approach", np.pi * p_0 * a / (2.0 * ball.pair.modulus), d, "m", "Waehrisch (3.2), r = 0"),
        ("stiffness 2 E* a", float(ball.stiffness(d)), slope, "N/m", "difference of the force"),
        ("stiffness of the element", float(-law[1][0]), float(ball.stiffness(d)), "N/m", "2 E* a"),
    )  # fmt: skip
    for quantity_name, computed, reference, unit, source in rows:
        run.check(f"{name}: {quantity_name}", float(computed), float(reference), unit=unit,
                  tolerance=1e-7 * abs(float(reference)), kind="closed_form", source=source,
                  formula=True)  # fmt: skip
    run.note(
        f"{name} under {p.force:g} N: approach {1e6 * d:.3f} µm, contact radius {1e3 * a:.4f} mm, "
        f"peak pressure {1e-6 * p_0:.0f} MPa, {100.0 * a / p.radius:.1f} % of the ball's radius."
    )


def tangential_spring(run: Run[HertzBall], ball: HertzPoint) -> None:
    """Stiffness of stick, break-away, and the energy of a cycle that just slides."""
    p, nu = run.parameters, run.parameters.poisson
    d = float(ball.approach(p.force))
    a = float(ball.contact_radius(d))
    shear = p.young / (2.0 * (1.0 + nu))
    c_x, most = float(ball.tangential_stiffness(d)), ball.full_slip(d, p.mu)
    limit = p.mu * p.force
    run.check("ball: c_x = 4 G a/(2 - nu)", c_x, 4.0 * shear * a / (2.0 - nu), unit="N/m",
              tolerance=1e-9 * c_x, kind="closed_form", source="Waehrisch (3.16)",
              formula=True)  # fmt: skip
    run.check("ball: c_x/c_z", c_x / float(ball.stiffness(d)), 2.0 * (1.0 - nu) / (2.0 - nu),
              tolerance=1e-12, kind="closed_form", source="Mindlin's ratio",
              formula=True)  # fmt: skip
    run.check("ball: shift at full slip", most, 2.0 * 3.0 * (2.0 - nu) * limit / (16.0 * shear * a),
              unit="m", tolerance=1e-9 * most, kind="closed_form",
              source="twice Waehrisch (3.22)", formula=True)  # fmt: skip
    small = 1e-6 * most
    slope = float(ball.tangential_force(small, d, p.mu)) / small
    run.check("ball: first slope of partial slip", slope, c_x, unit="N/m",
              tolerance=1e-5 * c_x, kind="closed_form", source="2 G* a", formula=True)  # fmt: skip
    shifts, forces = cycle(ElastoPlastic(p.mu, c_x), most, p.force)
    lost = float(np.sum(0.5 * (forces[1:] + forces[:-1]) * np.diff(shifts)))
    size = limit * most
    run.check("ball: energy per cycle of the element/(mu F delta)", lost / size, 4.0 / 3.0,
              tolerance=2e-3, kind="closed_form", source="4 mu F (delta - mu F/c_x)",
              formula=True)  # fmt: skip
    pull = quad(lambda x: float(ball.tangential_force(x * most, d, p.mu)), 0.0, 1.0)[0] / limit
    run.check("ball: energy per cycle of partial slip/(mu F delta)",
              ball.cycle_loss(limit, d, p.mu) / size, 8.0 * pull - 4.0, tolerance=1e-8,
              kind="closed_form", source="Masing's rule", formula=True)  # fmt: skip
    x = np.linspace(0.0, 1.5, 200)
    curves = {
        "partial slip": np.asarray(ball.tangential_force(x * most, d, p.mu)) / limit,
        "force element": np.minimum(1.0, c_x * x * most / limit),
    }
    figure = plots.curves_plot(x, curves, "shift / shift at full slip", "force / (mu F)",
                               from_zero=True)  # fmt: skip
    plots.save(figure, run.path("tangential_force.png"))


def cycle(law: ElastoPlastic, amplitude: float, force: float) -> tuple[Floats, Floats]:
    """Shift and holding force of a point over a steady cycle of the shift."""
    steps = 800
    shifts = amplitude * np.sin(2.0 * np.pi * np.arange(2 * steps + 1) / steps)
    z, mode, forces = np.zeros((1, 3)), np.ones(1, dtype=np.int64), [0.0]
    for dx in np.diff(shifts):
        slip = np.array([[dx, 0.0, 0.0]])
        step = law.step(z + slip, slip, np.array([force]), mode, 1.0)
        z, mode = step.z, step.mode
        forces.append(-float(step.traction[0, 0]))
    return shifts[steps:], np.array(forces)[steps:]


@dataclass(frozen=True)
class Impact:
    """Depths in m, duration in s and rebound speed in m/s of an impact."""

    depth: Floats
    duration: float
    rebound: float


def impact(p: HertzBall, law: PowerNormal, unit: float) -> Impact:
    """Drop the ball on the plate; `unit` is about a third of the duration."""

    def rate(t: float, y: Floats) -> list[float]:
        return [y[1], law.pressure(y[:1], y[1:])[0][0] / p.mass]

    found = solve_ivp(rate, (0.0, 10.0 * unit), [-1e-12, -p.impact_speed], rtol=1e-9, atol=1e-14,
                      max_step=0.02 * unit)  # fmt: skip
    after = int(np.argmax((found.y[0] > 0.0) & (found.y[1] > 0.0)))
    # free flight at constant speed leads back to the touch
    duration = found.t[after] - found.y[0, after] / found.y[1, after]
    return Impact(-found.y[0], float(duration), float(found.y[1, -1]))


def bounce(run: Run[HertzBall], ball: HertzPoint) -> None:
    """Impact of the ball on the plate: Hertz's depth and duration, and the element with damping."""
    p = run.parameters
    k = float(ball.force(1.0))
    deepest = (1.25 * p.mass * p.impact_speed**2 / k) ** 0.4
    unit = deepest / p.impact_speed
    elastic = impact(p, ball.law(), unit)
    damped = impact(p, ball.law(root_damping=p.root_damping), unit)
    run.check("bounce: largest approach", float(elastic.depth.max()), deepest, unit="m",
              tolerance=2e-4 * deepest, kind="closed_form", source="m v^2/2 = (2/5) k d^(5/2)",
              formula=True)  # fmt: skip
    run.check("bounce: duration of contact", elastic.duration, 2.943275 * unit, unit="s",
              tolerance=1e-4 * unit, kind="closed_form", source="Hertz: 2.9433 d/v",
              formula=True)  # fmt: skip
    run.check("bounce: restitution without damping", elastic.rebound / p.impact_speed, 1.0,
              tolerance=1e-5, kind="closed_form", source="energy", formula=True)  # fmt: skip
    run.check("bounce: restitution with damping", damped.rebound / p.impact_speed, (0.0, 1.0),
              relation="in", kind="trend", source="Waehrisch (4.2)", formula=True)  # fmt: skip


def rollers(run: Run[HertzBall]) -> None:
    """Line contact: two rollers of the same radius."""
    p = run.parameters
    line = HertzLine(p.pair, p.roller_length, equivalent_radius(p.radius, p.radius))
    b, p_0 = line.half_width(p.force), line.peak_pressure(p.force)
    run.check("rollers: (pi/8) E L, E = 2 E*", line.stiffness,
              np.pi / 8.0 * 2.0 * p.pair.modulus * p.roller_length, unit="N/m",
              tolerance=1e-9 * line.stiffness, kind="closed_form", source="Waehrisch (3.10)",
              formula=True)  # fmt: skip
    total = quad(lambda x: p_0 * np.sqrt(1.0 - x**2), -1.0, 1.0)[0] * b * p.roller_length
    run.check("rollers: integral of the pressure", total, p.force, unit="N",
              tolerance=1e-7 * p.force, kind="closed_form", source="elliptic pressure",
              formula=True)  # fmt: skip
    depth = np.array([-p.force / line.stiffness])
    pushed = float(line.law().pressure(depth, np.zeros(1))[0][0])
    run.check("rollers: force element", pushed, p.force, unit="N",
              tolerance=1e-9 * p.force, kind="closed_form", source="(pi/4) E* L d",
              formula=True)  # fmt: skip


def run(run: Run[HertzBall]) -> None:
    """Ball on plate, ball in socket, rollers."""
    p = run.parameters
    ball = HertzPoint(p.pair, p.radius)
    normal_spring(run, "ball", ball)
    tangential_spring(run, ball)
    bounce(run, ball)
    socket = HertzPoint(p.pair, equivalent_radius(p.radius, -p.socket_radius))
    normal_spring(run, "socket", socket)
    rollers(run)


CASE = Case(
    title="Hertz contact as force elements: ball on plate, ball in socket, rollers",
    proves=("Waehrisch force elements",),
    parameters=HertzBall(),
    run=run,
    quick_s=2,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
