"""Elasto-plastic, Dahl, LuGre and arctan friction on the same interface.

A pad of area A under the even pressure p is moved along a plane to and fro, or pulled by a force
that varies below the limit. With the limit f = mu p A, the bristle stiffness c A and the amplitude
u of the displacement, a cycle takes the energy

    elasto-plastic   4 f (u - f/c)                      Dahl    4 f (u - (f/c) tanh(c u/f))
    arctan           4 f u (sqrt(1 + k^2) - 1)/k        at the circular frequency w, k = u w/v_d .

(f/c short for f/(c A).) LuGre's law at low speed is Dahl's with the static coefficient. Under a
force between f_1 f and f_2 f < f the elasto-plastic pad does not move on. Dahl's goes on by

    (f/c) ln((1 - f_1^2)/(1 - f_2^2))

in each cycle, without end and at any frequency, and that of arctan creeps with v_d tan(pi F/(2 f)).
In steady sliding LuGre's force is (mu(v) + mu_V v) p A.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.integrate import quad
from scipy.optimize import newton

import fecontact as fc


@dataclass(frozen=True)
class Pad(fc.Parameters):
    """Brake pad of 50 x 40 mm; the static coefficient is that of LuGre's law."""

    length: float = fc.quantity(0.05, "m", fc.POSITIVE)
    width: float = fc.quantity(0.04, "m", fc.POSITIVE)
    pressure: float = fc.quantity(5e5, "Pa", fc.POSITIVE)
    normal_stiffness: float = fc.quantity(1e11, "N/m^3", fc.POSITIVE)
    stiffness: float = fc.quantity(5e10, "N/m^3", fc.POSITIVE)
    mu: float = fc.quantity(0.4, "", fc.POSITIVE)
    mu_static: float = fc.quantity(0.5, "", fc.POSITIVE)
    stribeck_speed: float = fc.quantity(1e-3, "m/s", fc.POSITIVE)
    viscous: float = fc.quantity(2.0, "s/m", fc.POSITIVE)
    damping: float = fc.quantity(1e6, "N s/m^3", fc.POSITIVE)
    regular_speed: float = fc.quantity(2e-5, "m/s", fc.POSITIVE)
    amplitude: float = fc.quantity(12e-6, "m", fc.POSITIVE)
    frequency: float = fc.quantity(1.0, "Hz", fc.POSITIVE)
    lowest: float = fc.quantity(0.2, "", fc.NON_NEGATIVE)
    highest: float = fc.quantity(0.8, "", fc.between("lowest", 1.0))
    steps: int = fc.quantity(1000, "", fc.at_least(50), numerical=True)
    limit = fc.derived("friction limit f in N", lambda p: p.mu * p.pressure * p.length * p.width)
    bend = fc.derived("deflection f/c in m at the limit", lambda p: p.mu * p.pressure / p.stiffness)

    @cached_property
    def laws(self) -> dict[str, fc.FrictionLaw]:
        """The four laws."""
        falling = fc.Stribeck(self.mu, self.mu_static, self.stribeck_speed, exponent=2.0)
        return {
            "elasto-plastic": fc.ElastoPlastic(self.mu, self.stiffness),
            "Dahl": fc.dahl(self.mu, self.stiffness),
            "LuGre": fc.lugre(falling, self.stiffness, self.damping, self.viscous),
            "arctan": fc.RegularisedCoulomb(self.mu, self.regular_speed),
        }

    def pair(self, law: fc.FrictionLaw) -> fc.ContactPair:
        """Pad on the plane, its points pressed in by p/c_n."""
        depth = self.pressure / self.normal_stiffness
        pad = fc.RigidBody("pad", 1.0, ("ux",), position=(0.0, 0.0, -depth))
        face, plane = fc.rectangle_surface(self.length, self.width, (2, 2)), fc.Plane()
        normal = fc.PenaltyNormal(self.normal_stiffness)
        return fc.ContactPair(pad, face, fc.RigidFace(None, plane), normal, law)


ENERGY = fc.References("""
    plastic | energy of a cycle |  | J |  | 4 f (u - f/c)               | method=elasto-plastic
    dahl    | energy of a cycle |  | J |  | 4 f (u - (f/c) tanh(c u/f)) | method=Dahl
    lugre   | energy of a cycle |  | J |  | Dahl with the static coefficient, 0.01 Hz | method=LuGre
    arctan  | energy of a cycle |  | J |  | 4 f u (sqrt(1 + k^2) - 1)/k | method=arctan
""")
# steps of first order: the force of a step of u 2 pi/n lags by half of it
DRIFT = fc.References("""
    plastic | drift in a cycle below the limit |  | m |  | none | method=elasto-plastic
    dahl    | drift in a cycle below the limit |  | m |  | (f/c) ln((1 - f_1^2)/(1 - f_2^2))
        | method=Dahl
    arctan  | drift in a cycle below the limit |  | m |  | integral of v_d tan(pi F/(2 f))
        | method=arctan
""")
# first order: Dahl's pad bends 0.6 f/c to and fro in a cycle of n steps
ROWS = {"elasto-plastic": "plastic", "Dahl": "dahl", "LuGre": "lugre", "arctan": "arctan"}
STEADY = fc.References("""
    force | steady sliding |  | N |  | (mu(v) + mu_V v) p A
""")
REFERENCES = fc.References("""
    creep | creep at half the limit | p.regular_speed | m/s | 1e-9 rel
    *     | v_d tan(pi F/(2 f)) | method=arctan
    range | steady sliding: range of the force over the speed | 0.0 | N | 1e-9 * p.limit
    *     | mu p A at any speed | method=elasto-plastic
""")


@dataclass
class Mover:
    """Steps of a pad along the plane; it keeps its history."""

    pair: fc.ContactPair
    x: float = 0.0
    last: float = 0.0
    history: fc.ContactHistory | None = None

    def tried(self, dx: float, h: float) -> tuple[float, fc.ContactHistory]:
        """Friction force in N against a step dx in the time h, and the history after it."""
        q, v = np.array([self.x]), np.array([dx / h])
        before = self.history or fc.ContactHistory.fresh(len(self.pair.surface.points))
        step = self.pair.begin(0.0, q, v, before).at(h, q + dx, v, h)
        return -float(step.force[0]), step.history

    def move(self, dx: float, h: float) -> float:
        """Go on by dx; the force in N."""
        force, self.history = self.tried(dx, h)
        self.x, self.last = self.x + dx, dx
        return force

    def pull(self, force: float, h: float, near: float) -> float:
        """Go on until friction holds the force, by about `near` m or as before; position in m."""

        def over(dx: float) -> float:
            return self.tried(dx, h)[0] - force

        dx = newton(over, self.last, tol=1e-9 * near, x1=self.last + 0.1 * near)
        self.move(float(dx), h)
        return self.x


def loop(
    p: Pad, law: fc.FrictionLaw, frequency: float, steps: int
) -> tuple[fc.Floats, fc.Floats, float]:
    """Displacement and force of the second cycle, and its energy in J."""
    u = p.amplitude * np.sin(2.0 * np.pi * np.arange(2 * steps + 1) / steps)
    mover, h = Mover(p.pair(law)), 1.0 / (frequency * steps)
    force = np.array([0.0, *(mover.move(float(dx), h) for dx in np.diff(u))])
    work = float(np.trapezoid(force[steps:], u[steps:]))
    return u[steps:], force[steps:], work


def steady(p: Pad, law: fc.FrictionLaw, speed: float) -> float:
    """Force in N after a way of 40 f/c at constant speed."""
    mover, way = Mover(p.pair(law)), 40.0 * p.bend * max(1.0, p.mu_static / p.mu)
    force = [mover.move(way / 40.0, way / (40.0 * speed)) for _ in range(40)]
    return force[-1]


def loops(run: fc.Run[Pad]) -> None:
    """Hysteresis of the four laws, and the energy of a cycle."""
    p, steps = run.parameters, run.parameters.steps // (5 if run.quick else 1)
    f, u, bend, static = p.limit, p.amplitude, p.bend, p.mu_static / p.mu
    k = 2.0 * np.pi * p.frequency * u / p.regular_speed
    exact = {
        "elasto-plastic": 4.0 * f * (u - bend),
        "Dahl": 4.0 * f * (u - bend * np.tanh(u / bend)),
        "LuGre": 4.0 * static * f * (u - static * bend * np.tanh(u / (static * bend))),
        "arctan": 4.0 * f * u * (np.sqrt(1.0 + k**2) - 1.0) / k,
    }
    curves = {}
    for name, law in p.laws.items():
        x, force, work = loop(p, law, p.frequency, steps)
        curves[name] = (1e6 * x, force)
        work = loop(p, law, 0.01, steps)[2] if name == "LuGre" else work
        run.row(ENERGY, ROWS[name], work, exact[name], 2.0 * np.pi / steps * exact[name])
    panels = [("pad moved to and fro", curves, {})]
    run.figure("loops", fc.view.loops_plot(panels, "displacement / µm", "friction force / N"))


def drift(run: fc.Run[Pad]) -> None:
    """Way of the pad under a force that varies below the limit."""
    p = run.parameters
    cycles, steps = (2, p.steps // 10) if run.quick else (4, p.steps)
    h, low, high = 1.0 / (p.frequency * steps), p.lowest, p.highest
    theta = 2.0 * np.pi * np.arange(cycles * steps + 1) / steps

    def fraction(angle: fc.Floats | float) -> fc.Floats | float:
        return 0.5 * (low + high) - 0.5 * (high - low) * np.cos(angle)

    creep = quad(lambda angle: np.tan(0.5 * np.pi * fraction(angle)), 0.0, 2.0 * np.pi)[0]
    exact = {
        "elasto-plastic": 0.0,
        "Dahl": p.bend * np.log((1.0 - low**2) / (1.0 - high**2)),
        "arctan": p.regular_speed * creep / (2.0 * np.pi * p.frequency),
    }
    curves = {}
    for name, law in p.laws.items():
        mover = Mover(p.pair(law))
        near = p.regular_speed * h if name == "arctan" else p.bend / steps
        way = np.array([mover.pull(float(f), h, near) for f in p.limit * fraction(theta)])
        curves[name] = 1e6 * way
        if name in exact:
            gone = (way[-1] - way[steps]) / (cycles - 1)
            error = 2.0 * np.pi / steps * exact[name] + 1e-6 * p.bend
            run.row(DRIFT, ROWS[name], gone, exact[name], error)
    figure = fc.view.curves_plot(theta / (2.0 * np.pi), curves, "cycles of the force", "way / µm")
    run.figure("drift", figure)


def sliding(run: fc.Run[Pad]) -> None:
    """Force of steady sliding over the speed, and the creep of arctan at half the limit."""
    p = run.parameters
    way = Mover(p.pair(p.laws["arctan"])).pull(0.5 * p.limit, 1.0, p.regular_speed)
    speeds = p.stribeck_speed * np.geomspace(0.05, 20.0, 7 if run.quick else 25)
    forces = {name: np.array([steady(p, law, v) for v in speeds]) for name, law in p.laws.items()}
    falling = p.mu + (p.mu_static - p.mu) * np.exp(-((speeds / p.stribeck_speed) ** 2))
    exact = (falling + p.viscous * speeds) * p.pressure * p.length * p.width
    for at in (0, len(speeds) // 2, -1):
        about = {"label": f"{1e3 * speeds[at]:.3g} mm/s", "method": "LuGre"}
        run.row(STEADY, "force", forces["LuGre"][at], exact[at], 1e-6 * exact[at], **about)
    run.compare(REFERENCES, {"creep": way, "range": np.ptp(forces["elasto-plastic"])})
    axes, dots = ("speed / (mm/s)", "friction force / N"), {"(mu(v) + mu_V v) p A": exact}
    figure = fc.view.curves_plot(1e3 * speeds, forces, *axes, dots=dots, from_zero=True)
    figure.axes[0].set_xscale("log")
    run.figure("steady_sliding", figure)


def main(run: fc.Run[Pad]) -> None:
    """Loops, drift, steady sliding."""
    for part in (loops, drift, sliding):
        part(run)


VERIFIES = ("comparison laws on the same interface", "drift of Dahl's law")
CASE = fc.Case(__doc__, VERIFIES, Pad(), main, quick_s=5)

if __name__ == "__main__":
    CASE.main(__file__)
