"""Hertz contact as force elements: ball on a plate, ball in a socket, two rollers (Waehrisch).

The source reduces the elastic half space to springs in three directions, with stick and slip. It
prints formulas and no numbers; here each normal formula is held against an integral over the half
space, a difference or a motion. The tangential ones are in waehrisch/hertz_ball_tangential, finite
elements of the same pair in hertz_ball_elements and hertz_ball_tangential_elements.
"""

from dataclasses import dataclass

import numpy as np
from scipy.integrate import quad, solve_ivp

import fecontact as fc


@dataclass(frozen=True)
class HertzBall(fc.Parameters):
    """Steel ball of 10 mm on a steel plate."""

    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.3, "", fc.POISSON)
    density: float = fc.quantity(7850.0, "kg/m^3", fc.POSITIVE)
    radius: float = fc.quantity(0.01, "m", fc.POSITIVE)
    socket_radius: float = fc.quantity(0.011, "m", fc.POSITIVE)
    roller_length: float = fc.quantity(0.02, "m", fc.POSITIVE)
    force: float = fc.quantity(100.0, "N", fc.POSITIVE)
    mu: float = fc.quantity(0.2, "", fc.POSITIVE)
    impact_speed: float = fc.quantity(0.1, "m/s", fc.POSITIVE)
    root_damping: float = fc.quantity(0.02, "kg^(1/2)", fc.POSITIVE)
    pair = fc.derived("steel on steel", lambda p: fc.ContactModuli(p.young, p.poisson))
    ball = fc.derived("ball on plate", lambda p: fc.HertzPoint(p.pair, p.radius))
    depth = fc.derived("approach under the force in m", lambda p: float(p.ball.approach(p.force)))
    contact_radius = fc.derived("a there in m", lambda p: float(p.ball.contact_radius(p.depth)))
    shear_modulus = fc.derived(
        "G of either body in Pa", lambda p: p.young / (2.0 * (1.0 + p.poisson))
    )
    mass = fc.derived(
        "mass of the ball in kg", lambda p: 4.0 / 3.0 * np.pi * p.radius**3 * p.density
    )


NORMAL = fc.References("""
    approach  | approach |  | m | 1e-7 rel | Boussinesq's integral, (3.2) at r = 0
    off       | displacement (3.2) at 0.6 a |  | m | 1e-7 rel | Boussinesq's integral
    mean      | (2/3) pi p_0 a^2, (3.7) |  | N | 1e-7 rel
    plain     | (2/3) E sqrt(R) d^1.5, (3.8) |  | N | 1e-7 rel
    element   | force element (3.4) |  | N | 1e-7 rel
    energy    | energy of the element |  | J | 1e-7 rel | half the work on the dent
    secant    | secant stiffness (4/3) E* sqrt(R d), (3.9) |  | N/m | 1e-7 rel
    stiffness | stiffness 2 E* a |  | N/m | 1e-7 rel | difference of the force
    slope     | stiffness of the element |  | N/m | 1e-7 rel | difference of the force
    *         | integral of the pressure (3.1)
""")
BOUNCE = fc.References("""
    depth       | bounce: largest approach            |  | m | 2e-4 rel | m v^2/2 = (2/5) k d^(5/2)
    duration    | bounce: duration of contact         |  | s |  | Hertz: 2.9433 d/v
    restitution | bounce: restitution without damping | 1.0 |  | 1e-5 | energy
""")
LINEAR = fc.References("""
    back | restitution of c d + b d' |  |  | 1e-6 | (4.1) to (4.3), D = k/(2 sqrt(m))
""")
ROOT = fc.References("""
    back | restitution of the Hertz spring |  |  | 1e-5 | linear spring of D = k/sqrt(5 m)
""")
ROLLERS = fc.References("""
    total    | rollers: integral of the pressure       | p.force | N | 1e-7 rel
    approach | rollers: approach of the element (3.10) |  | m |  | b^2/R, by Flamant's integral
    element  | rollers: force element                  |  | N
    *        | elliptic pressure
""")


@dataclass(frozen=True)
class Impact:
    """Times in s, depths and forces, duration and rebound speed in m/s of an impact."""

    t: fc.Floats
    depth: fc.Floats
    force: fc.Floats
    duration: float
    rebound: float


def impact(p: HertzBall, law: fc.NormalLaw, speed: float, unit: float) -> Impact:
    """Drop the ball on the plate; `unit` is about a third of the duration."""

    def rate(t: float, y: fc.Floats) -> list[float]:
        return [y[1], law.pressure(y[:1], y[1:])[0][0] / p.mass]

    accuracy = {"rtol": 1e-9, "atol": 1e-14, "max_step": 0.02 * unit}
    found = solve_ivp(rate, (0.0, 10.0 * unit), [-1e-12, -speed], **accuracy)
    after = int(np.argmax((found.y[0] > 0.0) & (found.y[1] > 0.0)))
    # free flight at constant speed leads back to the touch
    duration = found.t[after] - found.y[0, after] / found.y[1, after]
    force = law.pressure(found.y[0], found.y[1])[0]
    return Impact(found.t, -found.y[0], force, float(duration), float(found.y[1, -1]))


def deepest_approach(p: HertzBall, ball: fc.HertzPoint, speed: float) -> float:
    """Approach in m at which the spring has taken the energy of the ball."""
    return float((1.25 * p.mass * speed**2 / float(ball.force(1.0))) ** 0.4)


def main(run: fc.Run[HertzBall]) -> None:
    """Ball on plate, ball in socket, rollers."""
    p = run.parameters
    ball = p.ball
    normal_spring(run, "ball", ball)
    normal_spring(
        run, "socket", fc.HertzPoint(p.pair, fc.equivalent_radius(p.radius, -p.socket_radius))
    )
    bounce(run, ball)
    rollers(run)


def normal_spring(run: fc.Run[HertzBall], name: str, ball: fc.HertzPoint) -> None:
    """Force, displacement, energy and stiffness of a point contact against the half space."""
    p, modulus = run.parameters, ball.pair.modulus
    d, law = float(ball.approach(p.force)), ball.law()
    a, p_0 = float(ball.contact_radius(d)), float(ball.peak_pressure(d))
    paraboloid = fc.reference.PowerPunch(1, 0.5 * ball.radius, ball.radius, modulus)
    dent = fc.reference.half_space_displacement
    centre, off = (dent(x * a, a, modulus, paraboloid) for x in (0.0, 0.6))
    total, step = fc.reference.over_disc(a, lambda r: ball.pressure(r, d)), 1e-5 * d
    slope = float(ball.force(d + step) - ball.force(d - step)) / (2.0 * step)
    pushed, by_gap, _ = law.pressure(np.array([-d]), np.zeros(1))

    def work(r: float) -> float:  # the dent of the paraboloid is d - r^2/(2 R)
        return 0.5 * ball.pressure(r, d) * (centre - r**2 / (2.0 * ball.radius))

    plain = p.young / (1.0 - p.poisson**2)
    computed = {
        "approach": (d, centre),
        "off": (np.pi * p_0 * 1.64 * a / (4.0 * modulus), off),
        "mean": (2.0 / 3.0 * np.pi * p_0 * a**2, total),
        "plain": (2.0 / 3.0 * plain * np.sqrt(ball.radius) * d**1.5, total),
        "element": (pushed[0], total),
        "energy": (law.energy(np.array([-d]))[0], fc.reference.over_disc(a, work)),
        "secant": (4.0 / 3.0 * modulus * a, total / centre),
        "stiffness": (ball.stiffness(d), slope),
        "slope": (-by_gap[0], slope),
    }
    run.compare(NORMAL, computed, label=name)
    run.note(
        f"{name} under {p.force:g} N: approach {1e6 * d:.3f} µm, contact radius {1e3 * a:.4f} mm, "
        f"peak pressure {1e-6 * p_0:.0f} MPa, {100.0 * a / p.radius:.1f} % of the ball's radius."
    )


def bounce(run: fc.Run[HertzBall], ball: fc.HertzPoint) -> None:
    """Impact of the ball on the plate: Hertz's depth and duration; damping b = k sqrt(c).

    With y ~ d^(5/4) the path v(y) of the Hertz spring with b = k sqrt(F/d) is that of a linear
    spring with the damping ratio k/sqrt(5 m); with constant c the ratio is k/(2 sqrt(m)). The
    restitution does not depend on the speed.
    """
    p, speed = run.parameters, run.parameters.impact_speed
    deepest = deepest_approach(p, ball, speed)
    unit, c = deepest / speed, p.force / float(ball.approach(p.force))
    elastic = impact(p, ball.law(), speed, unit)
    computed = {
        "depth": (elastic.depth.max(), deepest),
        "duration": (elastic.duration, 2.943275 * unit),
        "restitution": elastic.rebound / speed,
    }
    run.compare(BOUNCE, computed, tolerances={"duration": 1e-4 * unit})
    shown = {"without damping": elastic}
    for k in (0.25 * p.root_damping, p.root_damping):
        linear = fc.PenaltyNormal(c, k * np.sqrt(c))
        back = impact(p, linear, speed, np.sqrt(p.mass / c)).rebound / speed
        pair = {"back": (back, fc.reference.impact_restitution(0.5 * k / np.sqrt(p.mass)))}
        run.compare(LINEAR, pair, label=f"k = {k:g}")
        for v in (speed, 10.0 * speed):
            law, span = ball.law(root_damping=k), deepest_approach(p, ball, v) / v
            found = impact(p, law, v, span)
            pair = {
                "back": (
                    found.rebound / v,
                    fc.reference.impact_restitution(k / np.sqrt(5.0 * p.mass)),
                )
            }
            run.compare(ROOT, pair, label=f"k = {k:g}, {v:g} m/s")
            if v == speed:
                shown[f"k = {k:g} kg^(1/2)"] = found
    curves = {name: (1e6 * found.depth, found.force) for name, found in shown.items()}
    figure = fc.view.loops_plot([("impact of the ball", curves, {})], "approach / µm", "force / N")
    figure.axes[0].set_xlim(left=-0.05e6 * deepest)
    run.figure("impact", figure)


def rollers(run: fc.Run[HertzBall]) -> None:
    """Line contact: two rollers of the same radius."""
    p = run.parameters
    line = fc.HertzLine(p.pair, p.roller_length, fc.equivalent_radius(p.radius, p.radius))
    b, p_0 = line.half_width(p.force), line.peak_pressure(p.force)
    total = quad(lambda x: p_0 * np.sqrt(1.0 - x**2), -1.0, 1.0)[0] * b * p.roller_length
    dent = fc.reference.roller_dent(b, p_0, p.pair.modulus)
    depth = np.array([-p.force / line.stiffness])
    computed = {
        "total": total,
        "approach": (p.force / line.stiffness, 2.0 * dent),
        "element": (line.law().pressure(depth, np.zeros(1))[0][0], total),
    }
    about = {"approach": 1e-7 * dent, "element": 1e-7 * p.force}
    run.compare(ROLLERS, computed, tolerances=about)


CASE = fc.Case(__doc__, ("Waehrisch force elements, normal",), HertzBall(), main, quick_s=4)

if __name__ == "__main__":
    CASE.main(__file__)
