"""Tangential force element of a Hertz contact: stick, slip and both together (Waehrisch).

In full stick the shear tau_0/sqrt(1 - r^2/a^2) moves the whole contact by the same amount, and the
spring c_x = 2 G* a of the element follows. It grows with the contact radius, c_x = 2 G* sqrt(R d_z)
((4.5) prints d_x in place of d_z). The element, `MindlinFriction`, sticks as this spring and slides
at mu F. The real contact slips at its rim from the start (Cattaneo, Mindlin), so the element takes
more energy out of a full cycle. Displacements of the half space come from Cerruti's integral.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import quad

import fecontact as fc

hertz = fc.load_module("waehrisch/hertz_ball")


def shear_displacement(p: hertz.HertzBall, a: float, x: float, shear: hertz.Profile) -> float:
    """Displacement in m along the shear tau(r) of one half space at (x, 0), by Cerruti's integral.

    u_x = 1/(2 pi G) int tau ((1 - nu)/s + nu (s . e_x)^2/s^3) dA, in polar coordinates s, phi
    around the point. A chord ends at the rim, where tau may be infinite: s = middle + half sin(t).
    """

    def chord(phi: float) -> float:
        middle = -x * np.cos(phi)
        half = np.sqrt(a**2 - (x * np.sin(phi)) ** 2)
        start = np.arcsin(np.clip(-middle / half, -1.0, 1.0))

        def along(t: float) -> float:
            s = middle + half * np.sin(t)
            return float(shear(np.sqrt(x**2 + 2.0 * x * s * np.cos(phi) + s**2))) * half * np.cos(t)

        kernel = 1.0 - p.poisson * np.sin(phi) ** 2
        return float(kernel * quad(along, start, 0.5 * np.pi)[0])

    return quad(chord, 0.0, np.pi)[0] / (np.pi * p.shear_modulus)


def stick(run: fc.Run[hertz.HertzBall], ball: fc.HertzPoint) -> float:
    """Full stick: shear, displacement of one body, stiffness, which is returned."""
    p, nu, d = run.parameters, run.parameters.poisson, float(ball.approach(run.parameters.force))
    a, tau = float(ball.contact_radius(d)), 1e6

    def shear(r: float) -> float:
        return tau / np.sqrt(max(1.0 - (r / a) ** 2, 1e-300))

    pulled = hertz.over_disc(a, shear)
    moved = np.array([shear_displacement(p, a, x * a, shear) for x in (0.0, 0.3, 0.8)])
    c_x = pulled / (2.0 * moved[0])
    rows = (
        ("2 pi tau_0 a^2, (3.14)", 2.0 * np.pi * tau * a**2, pulled, "N",
         "integral of tau_0/sqrt(1 - r^2/a^2)"),
        ("pi (2 - nu) tau_0 a/(4 G), (3.15)",
         np.pi * (2.0 - nu) * tau * a / (4.0 * p.shear_modulus), float(moved[0]), "m",
         "Cerruti's integral at r = 0"),
        ("the same at 0.3 a: all moves together", float(moved[1]), float(moved[0]), "m",
         "Cerruti's integral"),
        ("the same at 0.8 a", float(moved[2]), float(moved[0]), "m", "Cerruti's integral"),
        ("c_x = 2 G* a, (3.16)", float(ball.tangential_stiffness(d)), c_x, "N/m",
         "force over both displacements"),
    )  # fmt: skip
    for name, computed, reference, unit, source in rows:
        run.check(f"stick: {name}", computed, reference, unit=unit, tolerance=1e-6 * reference,
                  kind="closed_form", source=source, formula=True)  # fmt: skip
    run.check("stick: c_x/c_z", c_x / float(ball.stiffness(d)), 2.0 * (1.0 - nu) / (2.0 - nu),
              tolerance=1e-6, kind="closed_form", source="Mindlin's ratio",
              formula=True)  # fmt: skip
    return c_x


def element(run: fc.Run[hertz.HertzBall], ball: fc.HertzPoint, c_x: float) -> None:
    """The element: its spring under three loads, its limit, the energy of a cycle."""
    p = run.parameters
    limit, most = p.mu * p.force, ball.full_slip(float(ball.approach(p.force)), p.mu)
    law = fc.MindlinFriction(ball, p.mu, p.force)
    for share in (0.125, 1.0, 8.0):  # the contact radius halves and doubles
        small = np.array([[0.1 * limit / c_x * share ** (2 / 3), 0.0, 0.0]])
        held = law.step(small, small, np.array([share * p.force]), np.ones(1, dtype=np.int64), 1.0)
        run.check(f"element: c_x at {share:g} F", -float(held.traction[0, 0] / small[0, 0]),
                  share ** (1 / 3) * c_x, unit="N/m", tolerance=1e-6 * c_x, kind="closed_form",
                  source="(4.5) with d_z ~ F^(2/3), Cerruti's integral",
                  formula=True)  # fmt: skip
    shifts, forces = cycle(law, most, p.force)
    run.check("element: break-away force", float(np.abs(forces).max()), limit, unit="N",
              tolerance=1e-9 * limit, kind="closed_form", source="mu F, (3.21)",
              formula=True)  # fmt: skip
    lost = float(np.sum(0.5 * (forces[1:] + forces[:-1]) * np.diff(shifts)))
    run.check("element: energy per cycle/(mu F delta)", lost / (limit * most), 4.0 / 3.0,
              tolerance=2e-3, kind="closed_form", source="4 mu F (delta - mu F/c_x)",
              formula=True)  # fmt: skip
    loops(run, ball, (shifts, forces))


def partial_slip(run: fc.Run[hertz.HertzBall], ball: fc.HertzPoint, c_x: float) -> None:
    """What the element replaces: shift at full slip, first slope and energy of partial slip."""
    p = run.parameters
    d, limit = float(ball.approach(p.force)), p.mu * p.force
    a, most = float(ball.contact_radius(d)), ball.full_slip(d, p.mu)
    moved = shear_displacement(p, a, 0.0, lambda r: p.mu * ball.pressure(np.array(r), d))
    run.check("full slip: shift", most, 2.0 * moved, unit="m", tolerance=1e-6 * most,
              kind="closed_form", source="Cerruti's integral of mu p, twice (3.22)",
              formula=True)  # fmt: skip
    slope = float(ball.tangential_force(1e-6 * most, d, p.mu)) / (1e-6 * most)
    run.check("partial slip: first slope", slope, c_x, unit="N/m", tolerance=1e-5 * c_x,
              kind="closed_form", source="stick, Cerruti's integral", formula=True)  # fmt: skip
    pull = quad(lambda x: float(ball.tangential_force(x * most, d, p.mu)), 0.0, 1.0)[0] / limit
    run.check("partial slip: energy per cycle/(mu F delta)",
              ball.cycle_loss(limit, d, p.mu) / (limit * most), 8.0 * pull - 4.0, tolerance=1e-8,
              kind="closed_form", source="Masing's rule", formula=True)  # fmt: skip


def loops(
    run: fc.Run[hertz.HertzBall], ball: fc.HertzPoint, element: tuple[fc.Floats, fc.Floats]
) -> None:
    """Picture: the loop of the element beside that of partial slip, by Masing's rule."""
    p = run.parameters
    d = float(ball.approach(p.force))
    most, limit = ball.full_slip(d, p.mu), p.mu * p.force
    down = most * np.linspace(1.0, -1.0, 101)
    back = limit - 2.0 * np.asarray(ball.tangential_force(0.5 * (most - down), d, p.mu))
    partial = np.concatenate([down, -down]), np.concatenate([back, -back])
    curves = {
        name: (x / most, force / limit)
        for name, (x, force) in {"force element": element, "partial slip": partial}.items()
    }
    figure = fc.view.loops_plot([("ball on plate, sheared to and fro", curves, {})],
                              "shift / shift at full slip", "force / (mu F)")  # fmt: skip
    run.figure("tangential_loops", figure)


def cycle(law: fc.MindlinFriction, amplitude: float, force: float) -> tuple[fc.Floats, fc.Floats]:
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


def vibration(run: fc.Run[hertz.HertzBall], ball: fc.HertzPoint, c_x: float) -> None:
    """The pressed ball, pushed along the plate, swings on the element as a mass on a spring."""
    p = run.parameters
    mass = fc.RigidBody("ball", p.mass, ("ux", "uz"))
    pair = fc.ContactPair(
        mass,
        fc.Surface(np.zeros((1, 3)), np.ones(1)),
        fc.RigidFace(None, fc.Plane()),
        ball.law(),
        fc.MindlinFriction(ball, p.mu, p.force),
    )
    system = fc.System([mass], [fc.Force(mass, (0.0, 0.0, -p.force)), pair])
    period = 2.0 * np.pi * np.sqrt(p.mass / c_x)
    push = 0.5 * p.mu * p.force / np.sqrt(c_x * p.mass)  # to half the limit
    start = system.state(q={"ball.uz": -float(ball.approach(p.force))}, v={"ball.ux": push})
    motion = fc.simulate(system, 1.1 * period, start, "implicit", period / 400.0)
    x, t = motion.q[:, 0], motion.t
    back = int(np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))[0])
    found = t[back] - x[back] * (t[back + 1] - t[back]) / (x[back + 1] - x[back])
    # 400 steps of a method of second order: (2 pi/400)^2/12 = 2e-5, and as much of damping
    run.check("element in motion: period in stick", float(found), period, unit="s",
              tolerance=1e-4 * period, kind="closed_form", source="2 pi sqrt(m/c_x)",
              formula=True)  # fmt: skip


def main(run: fc.Run[hertz.HertzBall]) -> None:
    """Stick, element, partial slip, motion."""
    p = run.parameters
    ball = fc.HertzPoint(p.pair, p.radius)
    c_x = stick(run, ball)
    element(run, ball, c_x)
    partial_slip(run, ball, c_x)
    vibration(run, ball, c_x)


CASE = fc.Case(
    title="tangential force element of a Hertz contact: stick, slip, energy of a cycle",
    verifies=("Waehrisch force elements, tangential",),
    parameters=hertz.HertzBall(),
    run=main,
    quick_s=3,
)

if __name__ == "__main__":
    CASE.main(__file__)
