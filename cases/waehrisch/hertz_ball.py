"""Hertz contact as force elements: ball on a plate, ball in a socket, two rollers (Waehrisch).

The source reduces the elastic half space to springs in three directions, with stick and slip. It
prints formulas and no numbers; here each normal formula is held against an integral over the half
space, a difference or a motion. The tangential ones are in waehrisch/hertz_ball_tangential, finite
elements of the same pair in hertz_ball_elements and hertz_ball_tangential_elements.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import quad, solve_ivp

from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact.laws.base import NormalLaw
from fecontact.contact.laws.penalty import PenaltyNormal
from fecontact.contact.patch.hertz import ContactModuli, HertzLine, HertzPoint, equivalent_radius
from fecontact.errors import POISSON, POSITIVE
from fecontact.reference.punch import PowerPunch, half_space_displacement
from fecontact.typing import Floats
from fecontact.view import contact as views
from fecontact.view import plots

Profile = Callable[[float], float | Floats]
"""Pressure or shear in Pa over the radius in m."""


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
    def pair(self) -> ContactModuli:
        """Steel on steel."""
        return ContactModuli(self.young, self.poisson)

    @property
    def shear_modulus(self) -> float:
        """G of either body in Pa."""
        return self.young / (2.0 * (1.0 + self.poisson))

    @property
    def mass(self) -> float:
        """Mass of the ball in kg."""
        return 4.0 / 3.0 * np.pi * self.radius**3 * self.density


def normal_spring(run: Run[HertzBall], name: str, ball: HertzPoint) -> None:
    """Force, displacement, energy and stiffness of a point contact against the half space."""
    p, modulus = run.parameters, ball.pair.modulus
    d, law = float(ball.approach(p.force)), ball.law()
    a, p_0 = float(ball.contact_radius(d)), float(ball.peak_pressure(d))
    paraboloid = PowerPunch(1, 0.5 * ball.radius, ball.radius, modulus)
    centre, off = (half_space_displacement(x * a, a, modulus, paraboloid) for x in (0.0, 0.6))
    total, step = over_disc(a, lambda r: ball.pressure(r, d)), 1e-5 * d
    slope = float(ball.force(d + step) - ball.force(d - step)) / (2.0 * step)
    pushed, by_gap, _ = law.pressure(np.array([-d]), np.zeros(1))
    # the dent of the paraboloid is d - r^2/(2 R): half the work of the pressure is the energy
    stored = 0.5 * over_disc(
        a, lambda r: ball.pressure(r, d) * (centre - r**2 / (2.0 * ball.radius))
    )
    plain = p.young / (1.0 - p.poisson**2)
    rows = (
        ("approach", d, centre, "m", "Boussinesq's integral, (3.2) at r = 0"),
        ("displacement (3.2) at 0.6 a", np.pi * p_0 * 1.64 * a / (4.0 * modulus), off, "m",
         "Boussinesq's integral"),
        ("(2/3) pi p_0 a^2, (3.7)", 2.0 / 3.0 * np.pi * p_0 * a**2, total, "N",
         "integral of the pressure (3.1)"),
        ("(2/3) E sqrt(R) d^1.5, (3.8)", 2.0 / 3.0 * plain * np.sqrt(ball.radius) * d**1.5, total,
         "N", "integral of the pressure (3.1)"),
        ("force element (3.4)", float(pushed[0]), total, "N", "integral of the pressure (3.1)"),
        ("energy of the element", float(law.energy(np.array([-d]))[0]), stored, "J",
         "half the work of the pressure on the dent"),
        ("secant stiffness (4/3) E* sqrt(R d), (3.9)", 4.0 / 3.0 * modulus * a, total / centre,
         "N/m", "both integrals"),
        ("stiffness 2 E* a", float(ball.stiffness(d)), slope, "N/m", "difference of the force"),
        ("stiffness of the element", float(-by_gap[0]), slope, "N/m", "difference of the force"),
    )  # fmt: skip
    for quantity_name, computed, reference, unit, source in rows:
        run.check(f"{name}: {quantity_name}", float(computed), reference, unit=unit,
                  tolerance=1e-7 * reference, kind="closed_form", source=source,
                  formula=True)  # fmt: skip
    run.note(
        f"{name} under {p.force:g} N: approach {1e6 * d:.3f} µm, contact radius {1e3 * a:.4f} mm, "
        f"peak pressure {1e-6 * p_0:.0f} MPa, {100.0 * a / p.radius:.1f} % of the ball's radius."
    )


def over_disc(a: float, value: Profile) -> float:
    """Integral of value(r) over the disc of radius a, by quadrature over r = a sin(t)."""

    def ring(t: float) -> float:
        return float(value(a * np.sin(t))) * np.sin(t) * np.cos(t)

    return float(2.0 * np.pi * a**2 * quad(ring, 0.0, 0.5 * np.pi)[0])


@dataclass(frozen=True)
class Impact:
    """Times in s, depths and forces, duration and rebound speed in m/s of an impact."""

    t: Floats
    depth: Floats
    force: Floats
    duration: float
    rebound: float


def impact(p: HertzBall, law: NormalLaw, speed: float, unit: float) -> Impact:
    """Drop the ball on the plate; `unit` is about a third of the duration."""

    def rate(t: float, y: Floats) -> list[float]:
        return [y[1], law.pressure(y[:1], y[1:])[0][0] / p.mass]

    found = solve_ivp(rate, (0.0, 10.0 * unit), [-1e-12, -speed], rtol=1e-9, atol=1e-14,
                      max_step=0.02 * unit)  # fmt: skip
    after = int(np.argmax((found.y[0] > 0.0) & (found.y[1] > 0.0)))
    # free flight at constant speed leads back to the touch
    duration = found.t[after] - found.y[0, after] / found.y[1, after]
    force = law.pressure(found.y[0], found.y[1])[0]
    return Impact(found.t, -found.y[0], force, float(duration), float(found.y[1, -1]))


def bounce(run: Run[HertzBall], ball: HertzPoint) -> None:
    """Impact of the ball on the plate: Hertz's depth and duration."""
    p = run.parameters
    deepest = deepest_approach(p, ball, p.impact_speed)
    unit = deepest / p.impact_speed
    elastic = impact(p, ball.law(), p.impact_speed, unit)
    run.check("bounce: largest approach", float(elastic.depth.max()), deepest, unit="m",
              tolerance=2e-4 * deepest, kind="closed_form", source="m v^2/2 = (2/5) k d^(5/2)",
              formula=True)  # fmt: skip
    run.check("bounce: duration of contact", elastic.duration, 2.943275 * unit, unit="s",
              tolerance=1e-4 * unit, kind="closed_form", source="Hertz: 2.9433 d/v",
              formula=True)  # fmt: skip
    run.check("bounce: restitution without damping", elastic.rebound / p.impact_speed, 1.0,
              tolerance=1e-5, kind="closed_form", source="energy", formula=True)  # fmt: skip
    shown = {"without damping": elastic}
    for k in (0.25 * p.root_damping, p.root_damping):
        shown[f"k = {k:g} kg^(1/2)"] = impact(p, ball.law(root_damping=k), p.impact_speed, unit)
    curves = {name: (1e6 * found.depth, found.force) for name, found in shown.items()}
    figure = views.loops_plot([("impact of the ball", curves, {})], "approach / µm", "force / N")
    figure.axes[0].set_xlim(left=-0.05e6 * deepest)
    plots.save(figure, run.path("impact.png"))


def deepest_approach(p: HertzBall, ball: HertzPoint, speed: float) -> float:
    """Approach in m at which the spring has taken the energy of the ball."""
    return float((1.25 * p.mass * speed**2 / float(ball.force(1.0))) ** 0.4)


def restitution(ratio: float) -> float:
    """Restitution of a linear spring and damper without tension, D = `ratio` < 1/sqrt(2).

    The spring-damper lets go where its force is zero (Waehrisch 4.3), at the angle

        pi - arctan(2 D w/(w^2 - D^2)),      w = sqrt(1 - D^2)

    of the free oscillation, and e = exp(-D/w times this angle).
    """
    w = np.sqrt(1.0 - ratio**2)
    return float(np.exp(-ratio / w * (np.pi - np.arctan2(2.0 * ratio * w, w**2 - ratio**2))))


def damped(run: Run[HertzBall], ball: HertzPoint) -> None:
    """Damping b = k sqrt(c) of the linear and the Hertz spring, two k and two speeds.

    With y ~ d^(5/4) the path v(y) of the Hertz spring with b = k sqrt(F/d) is that of a linear
    spring with the damping ratio k/sqrt(5 m); with constant c the ratio is k/(2 sqrt(m)). The
    restitution does not depend on the speed.
    """
    p = run.parameters
    c = p.force / float(ball.approach(p.force))
    for k in (0.25 * p.root_damping, p.root_damping):
        ratio = 0.5 * k / np.sqrt(p.mass)
        linear = PenaltyNormal(c, k * np.sqrt(c))
        back = impact(p, linear, p.impact_speed, np.sqrt(p.mass / c)).rebound / p.impact_speed
        run.check(f"restitution of c d + b d', k = {k:g}", back, restitution(ratio), tolerance=1e-6,
                  kind="closed_form", source="(4.1) to (4.3), D = k/(2 sqrt(m))",
                  formula=True)  # fmt: skip
        for speed in (p.impact_speed, 10.0 * p.impact_speed):
            unit = deepest_approach(p, ball, speed) / speed
            back = impact(p, ball.law(root_damping=k), speed, unit).rebound / speed
            run.check(f"restitution of the Hertz spring, k = {k:g}, {speed:g} m/s", back,
                      restitution(k / np.sqrt(5.0 * p.mass)), tolerance=1e-5, kind="closed_form",
                      source="linear spring of D = k/sqrt(5 m)", formula=True)  # fmt: skip


def rollers(run: Run[HertzBall]) -> None:
    """Line contact: two rollers of the same radius."""
    p = run.parameters
    line = HertzLine(p.pair, p.roller_length, equivalent_radius(p.radius, p.radius))
    b, p_0 = line.half_width(p.force), line.peak_pressure(p.force)
    total = quad(lambda x: p_0 * np.sqrt(1.0 - x**2), -1.0, 1.0)[0] * b * p.roller_length
    run.check("rollers: integral of the pressure", total, p.force, unit="N",
              tolerance=1e-7 * p.force, kind="closed_form", source="elliptic pressure",
              formula=True)  # fmt: skip
    # u(0) - u(b) = 2/(pi E*) int p ln(|b - x|/|x|) dx, with x = b sin(t)
    kernel = quad(lambda t: np.cos(t) ** 2 * np.log((1.0 - np.sin(t)) / abs(np.sin(t))),
                  -0.5 * np.pi, 0.5 * np.pi, points=[0.0])[0]  # fmt: skip
    dent = 2.0 * p_0 * b * kernel / (np.pi * p.pair.modulus)
    run.check("rollers: approach of the element (3.10)", p.force / line.stiffness, 2.0 * dent,
              unit="m", tolerance=1e-7 * dent, kind="closed_form",
              source="b^2/R, twice the dent of the rim, Flamant's integral",
              formula=True)  # fmt: skip
    depth = np.array([-p.force / line.stiffness])
    pushed = float(line.law().pressure(depth, np.zeros(1))[0][0])
    run.check("rollers: force element", pushed, total, unit="N", tolerance=1e-7 * p.force,
              kind="closed_form", source="integral of the pressure", formula=True)  # fmt: skip


def run(run: Run[HertzBall]) -> None:
    """Ball on plate, ball in socket, rollers."""
    p = run.parameters
    ball = HertzPoint(p.pair, p.radius)
    normal_spring(run, "ball", ball)
    bounce(run, ball)
    damped(run, ball)
    socket = HertzPoint(p.pair, equivalent_radius(p.radius, -p.socket_radius))
    normal_spring(run, "socket", socket)
    rollers(run)


CASE = Case(
    title="Hertz contact as force elements: ball on plate, ball in socket, rollers",
    proves=("Waehrisch force elements, normal",),
    parameters=HertzBall(),
    run=run,
    quick_s=4,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
