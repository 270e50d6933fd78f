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

hertz, dent = fc.load_module("waehrisch/hertz_ball"), fc.reference.sheared_half_space

STICK = fc.References("""
    force   | stick: 2 pi tau_0 a^2, (3.14)                |  | N | 1e-6 rel | integral of the shear
    moved   | stick: pi (2 - nu) tau_0 a/(4 G), (3.15)     |  | m | 1e-6 rel
    inside  | stick: the same at 0.3 a: all moves together |  | m | 1e-6 rel
    outside | stick: the same at 0.8 a                     |  | m | 1e-6 rel
    spring  | stick: c_x = 2 G* a, (3.16)                  |  | N/m | 1e-6 rel
    ratio   | stick: c_x/c_z                               |  |  | 1e-6 | Mindlin's ratio
    *       | Cerruti's integral
""")
ELEMENT = fc.References("""
    spring | element: c_x |  | N/m |  | (4.5) with d_z ~ F^(2/3), Cerruti's integral
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


def main(run: fc.Run[hertz.HertzBall]) -> None:
    """Stick, element, partial slip, motion."""
    p = run.parameters
    ball, d, limit = p.ball, p.depth, p.mu * p.force
    largest, law, c_x = ball.full_slip(d, p.mu), fc.MindlinFriction(ball, p.mu, p.force), stick(run)
    period = 2.0 * np.pi * np.sqrt(p.mass / c_x)
    for factor in (0.125, 1.0, 8.0):  # the contact radius halves and doubles
        small = 0.1 * limit / c_x * factor ** (2 / 3)
        held, _ = fc.ScalarFriction(law, factor * p.force).step(0.0, small, 1.0)
        pair = -held / small, factor ** (1 / 3) * c_x
        run.row(ELEMENT, "spring", *pair, 1e-6 * c_x, label=f"{factor:g} F")
    shifts = largest * np.sin(2.0 * np.pi * np.arange(1601) / 800)  # the second cycle is steady
    forces = -fc.ScalarFriction(law, p.force).over_path(shifts)[799:]
    shifts = shifts[800:]
    lost = np.sum(0.5 * (forces[1:] + forces[:-1]) * np.diff(shifts))
    run.row(ELEMENT, "limit", np.abs(forces).max())
    run.row(ELEMENT, "energy", lost / (limit * largest))
    run.row(ELEMENT, "period", swing(p, law, period), period)
    shear = lambda r: p.mu * ball.pressure(np.array(r), d)  # noqa: E731
    moved = dent(p.contact_radius, 0.0, shear, p.shear_modulus, p.poisson)
    pull = quad(lambda x: float(ball.tangential_force(x * largest, d, p.mu)), 0.0, 1.0)[0] / limit
    computed = {
        "shift": (largest, 2.0 * moved),
        "slope": (ball.tangential_force(1e-6 * largest, d, p.mu) / (1e-6 * largest), c_x),
        "energy": (ball.cycle_loss(limit, d, p.mu) / (limit * largest), 8.0 * pull - 4.0),
    }
    run.compare(PARTIAL, computed, tolerances={"shift": 1e-6 * largest})
    down = largest * np.linspace(1.0, -1.0, 101)  # partial slip by Masing's rule
    back = limit - 2.0 * np.asarray(ball.tangential_force(0.5 * (largest - down), d, p.mu))
    curves = {
        "force element": (shifts / largest, forces / limit),
        "partial slip": (np.append(down, -down) / largest, np.append(back, -back) / limit),
    }
    loops = [("ball on plate, sheared to and fro", curves, {})]
    axes = "shift / shift at full slip", "force / (mu F)"
    run.figure("tangential_loops", fc.view.loops_plot(loops, *axes))


def stick(run: fc.Run[hertz.HertzBall]) -> float:
    """Full stick: shear, displacement of one body, stiffness, which is returned."""
    p, tau = run.parameters, 1e6
    a, nu = p.contact_radius, p.poisson

    def shear(r: float) -> float:
        return tau / np.sqrt(max(1.0 - (r / a) ** 2, 1e-300))

    pulled = fc.reference.over_disc(a, shear)
    moved = [dent(a, x * a, shear, p.shear_modulus, nu) for x in (0.0, 0.3, 0.8)]
    c_x = pulled / (2.0 * moved[0])
    computed = {
        "force": (2.0 * np.pi * tau * a**2, pulled),
        "moved": (np.pi * (2.0 - nu) * tau * a / (4.0 * p.shear_modulus), moved[0]),
        "inside": (moved[1], moved[0]),
        "outside": (moved[2], moved[0]),
        "spring": (p.ball.tangential_stiffness(p.depth), c_x),
        "ratio": (c_x / p.ball.stiffness(p.depth), 2.0 * (1.0 - nu) / (2.0 - nu)),
    }
    run.compare(STICK, computed)
    return c_x


def swing(p: hertz.HertzBall, law: fc.MindlinFriction, period: float) -> float:
    """Period in s of the pressed ball, pushed along the plate to half the limit."""
    mass, plate = fc.RigidBody("ball", p.mass, ("ux", "uz")), fc.RigidFace(None, fc.Plane())
    foot = fc.Surface(np.zeros((1, 3)), np.ones(1))
    pair = fc.ContactPair(mass, foot, plate, p.ball.law(), law)
    system = fc.System([mass], [fc.Force(mass, (0.0, 0.0, -p.force)), pair])
    push = 0.5 * p.mu * p.force * period / (2.0 * np.pi * p.mass)
    start = system.state(q={"ball.uz": -p.depth}, v={"ball.ux": push})
    motion = fc.simulate(system, 1.1 * period, start, "implicit", period / 400.0)
    return float(fc.crossings(motion.t, motion.q[:, 0])[0])


VERIFIES = ("Waehrisch force elements, tangential",)
CASE = fc.Case(__doc__, VERIFIES, hertz.HertzBall(), main, quick_s=3)

if __name__ == "__main__":
    CASE.main(__file__)
