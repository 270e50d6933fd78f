"""Tangential force element of a Hertz contact: stick, slip and both together (Waehrisch).

In full stick the shear tau_0/sqrt(1 - r^2/a^2) moves the whole contact by the same amount, and the
spring c_x = 2 G* a of the element follows. It grows with the contact radius, c_x = 2 G* sqrt(R d_z)
((4.5) prints d_x in place of d_z). The element, `MindlinFriction`, sticks as this spring and slides
at mu F. The real contact slips at its rim from the start (Cattaneo, Mindlin), so the element takes
more energy out of a full cycle. Displacements of the half space come from Cerruti's integral.
"""

import numpy as np
from scipy.integrate import quad

import fecontact as fc

hertz = fc.load_module("waehrisch/hertz_ball")


STICK = fc.References("""
    force   | stick: 2 pi tau_0 a^2, (3.14)                |  | N | 1e-6 rel | integral of the shear
    moved   | stick: pi (2 - nu) tau_0 a/(4 G), (3.15)     |  | m | 1e-6 rel
    inside  | stick: the same at 0.3 a: all moves together |  | m | 1e-6 rel
    outside | stick: the same at 0.8 a                     |  | m | 1e-6 rel
    spring  | stick: c_x = 2 G* a, (3.16)                  |  | N/m | 1e-6 rel
    ratio   | stick: c_x/c_z                               |  |  | 1e-6 | Mindlin's ratio
    *       | Cerruti's integral
""")
SPRING = fc.References("""
    spring | element: c_x |  | N/m |  | (4.5) with d_z ~ F^(2/3), Cerruti's integral
""")
ELEMENT = fc.References("""
    limit  | element: break-away force             | p.mu * p.force | N | 1e-9 rel | (3.21)
    energy | element: energy per cycle/(mu F delta) | 4/3           |   | 2e-3
    period | element in motion: period in stick    |                | s | 1e-4 rel
    *      | 4 mu F (delta - mu F/c_x); 2 pi sqrt(m/c_x)
""")
# period: 400 steps of a method of second order: (2 pi/400)^2/12 = 2e-5, and as much of damping
PARTIAL = fc.References("""
    shift  | full slip: shift |  | m |  | Cerruti's integral of mu p, (3.22)
    slope  | partial slip: first slope |  | N/m | 1e-5 rel
    energy | partial slip: energy per cycle/(mu F delta) |  |  | 1e-8
    *      | stick, Cerruti's integral; Masing's rule
""")


def cycle(law: fc.MindlinFriction, amplitude: float, force: float) -> tuple[fc.Floats, fc.Floats]:
    """Shift and holding force of a point over a steady cycle of the shift."""
    steps = 800
    shifts = amplitude * np.sin(2.0 * np.pi * np.arange(2 * steps + 1) / steps)
    z, status, forces = np.zeros((1, 3)), np.ones(1, dtype=np.int64), [0.0]
    for dx in np.diff(shifts):
        slip = np.array([[dx, 0.0, 0.0]])
        step = law.step(z + slip, slip, np.array([force]), status, 1.0)
        z, status = step.z, step.status
        forces.append(-float(step.traction[0, 0]))
    return shifts[steps:], np.array(forces)[steps:]


def main(run: fc.Run[hertz.HertzBall]) -> None:
    """Stick, element, partial slip, motion."""
    p = run.parameters
    ball, limit = fc.HertzPoint(p.pair, p.radius), p.mu * p.force
    d = float(ball.approach(p.force))
    a, most, law = (
        float(ball.contact_radius(d)),
        ball.full_slip(d, p.mu),
        fc.MindlinFriction(ball, p.mu, p.force),
    )
    c_x = stick(run, ball, a, d)
    for share in (0.125, 1.0, 8.0):  # the contact radius halves and doubles
        small = np.array([[0.1 * limit / c_x * share ** (2 / 3), 0.0, 0.0]])
        held = law.step(small, small, np.array([share * p.force]), np.ones(1, dtype=np.int64), 1.0)
        pair = {"spring": (-held.traction[0, 0] / small[0, 0], share ** (1 / 3) * c_x)}
        run.compare(SPRING, pair, tolerances={"spring": 1e-6 * c_x}, label=f"{share:g} F")
    shifts, forces = cycle(law, most, p.force)
    lost = np.sum(0.5 * (forces[1:] + forces[:-1]) * np.diff(shifts))
    computed = {
        "limit": np.abs(forces).max(),
        "energy": lost / (limit * most),
        "period": (swing(p, ball, c_x), 2.0 * np.pi * np.sqrt(p.mass / c_x)),
    }
    run.compare(ELEMENT, computed)
    plate = p.shear_modulus, p.poisson
    sliding = lambda r: p.mu * ball.pressure(np.array(r), d)  # noqa: E731
    moved = fc.reference.sheared_half_space(a, 0.0, sliding, *plate)
    pull = quad(lambda x: float(ball.tangential_force(x * most, d, p.mu)), 0.0, 1.0)[0] / limit
    computed = {
        "shift": (most, 2.0 * moved),
        "slope": (ball.tangential_force(1e-6 * most, d, p.mu) / (1e-6 * most), c_x),
        "energy": (ball.cycle_loss(limit, d, p.mu) / (limit * most), 8.0 * pull - 4.0),
    }
    run.compare(PARTIAL, computed, tolerances={"shift": 1e-6 * most})
    down = most * np.linspace(1.0, -1.0, 101)  # partial slip by Masing's rule
    back = limit - 2.0 * np.asarray(ball.tangential_force(0.5 * (most - down), d, p.mu))
    curves = {
        "force element": (shifts / most, forces / limit),
        "partial slip": (np.append(down, -down) / most, np.append(back, -back) / limit),
    }
    loops = [("ball on plate, sheared to and fro", curves, {})]
    figure = fc.view.loops_plot(loops, "shift / shift at full slip", "force / (mu F)")
    run.figure("tangential_loops", figure)


def stick(run: fc.Run[hertz.HertzBall], ball: fc.HertzPoint, a: float, d: float) -> float:
    """Full stick: shear, displacement of one body, stiffness, which is returned."""
    p, nu, tau = run.parameters, run.parameters.poisson, 1e6

    def shear(r: float) -> float:
        return tau / np.sqrt(max(1.0 - (r / a) ** 2, 1e-300))

    pulled, dent = fc.reference.over_disc(a, shear), fc.reference.sheared_half_space
    moved = [dent(a, x * a, shear, p.shear_modulus, p.poisson) for x in (0.0, 0.3, 0.8)]
    c_x = pulled / (2.0 * moved[0])
    computed = {
        "force": (2.0 * np.pi * tau * a**2, pulled),
        "moved": (np.pi * (2.0 - nu) * tau * a / (4.0 * p.shear_modulus), moved[0]),
        "inside": (moved[1], moved[0]),
        "outside": (moved[2], moved[0]),
        "spring": (ball.tangential_stiffness(d), c_x),
        "ratio": (c_x / ball.stiffness(d), 2.0 * (1.0 - nu) / (2.0 - nu)),
    }
    run.compare(STICK, computed)
    return c_x


def swing(p: hertz.HertzBall, ball: fc.HertzPoint, c_x: float) -> float:
    """Period in s of the pressed ball, pushed along the plate to half the limit."""
    mass = fc.RigidBody("ball", p.mass, ("ux", "uz"))
    foot = fc.Surface(np.zeros((1, 3)), np.ones(1))
    plate = fc.RigidFace(None, fc.Plane())
    pair = fc.ContactPair(mass, foot, plate, ball.law(), fc.MindlinFriction(ball, p.mu, p.force))
    system = fc.System([mass], [fc.Force(mass, (0.0, 0.0, -p.force)), pair])
    period = 2.0 * np.pi * np.sqrt(p.mass / c_x)
    push = 0.5 * p.mu * p.force / np.sqrt(c_x * p.mass)
    start = system.state(q={"ball.uz": -float(ball.approach(p.force))}, v={"ball.ux": push})
    motion = fc.simulate(system, 1.1 * period, start, "implicit", period / 400.0)
    x, t = motion.q[:, 0], motion.t
    k = int(np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))[0])
    return float(t[k] - x[k] * (t[k + 1] - t[k]) / (x[k + 1] - x[k]))


VERIFIES = ("Waehrisch force elements, tangential",)
CASE = fc.Case(__doc__, VERIFIES, hertz.HertzBall(), main, quick_s=3)

if __name__ == "__main__":
    CASE.main(__file__)
