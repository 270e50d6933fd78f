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

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.integrate import quad
from scipy.optimize import newton

import fecontact as fc

SHARE = fc.Allowed("between 0 and 1", lambda x: 0.0 <= x < 1.0)


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
    lowest: float = fc.quantity(0.2, "", SHARE)
    highest: float = fc.quantity(0.8, "", SHARE)
    steps: int = fc.quantity(1000, "", fc.at_least(50), numerical=True)

    @property
    def limit(self) -> float:
        """Friction limit f in N."""
        return self.mu * self.pressure * self.length * self.width

    @property
    def bend(self) -> float:
        """Deflection f/c in m at the limit."""
        return self.mu * self.pressure / self.stiffness

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
        return fc.ContactPair(pad, fc.rectangle_surface(self.length, self.width, (2, 2)),
                           fc.RigidFace(None, fc.Plane()), fc.PenaltyNormal(self.normal_stiffness),
                           law)  # fmt: skip


@dataclass
class Mover:
    """Steps of a pad along the plane; it remembers where it is."""

    pair: fc.ContactPair
    x: float = 0.0
    last: float = 0.0
    history: fc.ContactHistory | None = None

    def tried(self, dx: float, h: float) -> tuple[float, fc.ContactHistory]:
        """Friction force in N against a step dx in the time h, and the memory after it."""
        q, v = np.array([self.x]), np.array([dx / h])
        before = self.history or fc.ContactHistory.fresh(len(self.pair.surface.points))
        step = fc.StepStart.of(self.pair, q, v, before).at(q + dx, v, h)
        return -float(step.force[0]), step.history

    def move(self, dx: float, h: float) -> float:
        """Go on by dx; the force in N."""
        force, self.history = self.tried(dx, h)
        self.x, self.last = self.x + dx, dx
        return force

    def pull(self, force: float, h: float, near: float) -> float:
        """Go on until friction holds the force, by about `near` m or as before; the place in m."""
        dx = newton(lambda dx: self.tried(dx, h)[0] - force, self.last, tol=1e-9 * near,
                    x1=self.last + 0.1 * near)  # fmt: skip
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


def loops(run: fc.Run[Pad]) -> None:
    """Hysteresis of the four laws, and the energy of a cycle."""
    p, steps = run.parameters, run.parameters.steps // (5 if run.quick else 1)
    f, u, bend = p.limit, p.amplitude, p.bend
    k = 2.0 * np.pi * p.frequency * u / p.regular_speed
    static = p.mu_static / p.mu
    exact = {
        "elasto-plastic": (4.0 * f * (u - bend), "4 f (u - f/c)"),
        "Dahl": (4.0 * f * (u - bend * np.tanh(u / bend)), "4 f (u - (f/c) tanh(c u/f))"),
        "LuGre": (4.0 * static * f * (u - static * bend * np.tanh(u / (static * bend))),
                  "Dahl with the static coefficient, 0.01 Hz"),
        "arctan": (4.0 * f * u * (np.sqrt(1.0 + k**2) - 1.0) / k, "4 f u (sqrt(1 + k^2) - 1)/k"),
    }  # fmt: skip
    curves = {}
    for name, law in p.laws.items():
        x, force, work = loop(p, law, p.frequency, steps)
        curves[name] = (1e6 * x, force)
        slow = loop(p, law, 0.01, steps)[2] if name == "LuGre" else work
        energy, source = exact[name]
        # steps of first order: the force of a step of u 2 pi/n lags by half of it
        run.check("energy of a cycle", slow, float(energy), unit="J",
                  tolerance=2.0 * np.pi / steps * float(energy), kind="closed_form",
                  source=source, method=name, formula=True)  # fmt: skip
    figure = fc.view.loops_plot([("pad moved to and fro", curves, {})], "displacement / µm",
                              "friction force / N")  # fmt: skip
    run.figure("loops", figure)


def drift(run: fc.Run[Pad]) -> None:
    """Way of the pad under a force that varies below the limit."""
    p = run.parameters
    cycles, steps = (2, p.steps // 10) if run.quick else (4, p.steps)
    h = 1.0 / (p.frequency * steps)
    low, high = p.lowest, p.highest
    theta = 2.0 * np.pi * np.arange(cycles * steps + 1) / steps
    force = p.limit * (0.5 * (low + high) - 0.5 * (high - low) * np.cos(theta))
    creep = quad(lambda t: np.tan(0.5 * np.pi * (0.5 * (low + high) - 0.5 * (high - low)
                                                 * np.cos(t))), 0.0, 2.0 * np.pi)[0]  # fmt: skip
    exact = {
        "elasto-plastic": (0.0, "none"),
        "Dahl": (p.bend * np.log((1.0 - low**2) / (1.0 - high**2)),
                 "(f/c) ln((1 - f_1^2)/(1 - f_2^2))"),
        "arctan": (p.regular_speed * creep / (2.0 * np.pi * p.frequency),
                   "integral of v_d tan(pi F/(2 f))"),
    }  # fmt: skip
    curves = {}
    for name, law in p.laws.items():
        mover = Mover(p.pair(law))
        near = p.regular_speed * h if name == "arctan" else p.bend / steps
        way = np.array([mover.pull(float(each), h, near) for each in force])
        curves[name] = 1e6 * way
        if name in exact:
            gone, source = exact[name]
            per_cycle = (way[-1] - way[steps]) / (cycles - 1)
            # first order in the step: Dahl's pad bends 0.6 f/c to and fro in a cycle of n steps
            run.check("drift in a cycle below the limit", float(per_cycle), float(gone), unit="m",
                      tolerance=2.0 * np.pi / steps * float(gone) + 1e-6 * p.bend,
                      kind="closed_form", source=source, method=name, formula=True)  # fmt: skip
    figure = fc.view.curves_plot(theta / (2.0 * np.pi), curves, "cycles of the force", "way / µm")
    run.figure("drift", figure)


def sliding(run: fc.Run[Pad]) -> None:
    """Force of steady sliding over the speed, and the creep of arctan at half the limit."""
    p = run.parameters
    mover, h = Mover(p.pair(p.laws["arctan"])), 1.0
    way = mover.pull(0.5 * p.limit, h, p.regular_speed * h)
    run.check("creep at half the limit", way / h, p.regular_speed, unit="m/s",
              tolerance=1e-9 * p.regular_speed, kind="closed_form",
              source="v_d tan(pi F/(2 f))", method="arctan", formula=True)  # fmt: skip
    speeds = p.stribeck_speed * np.geomspace(0.05, 20.0, 7 if run.quick else 25)
    forces = {name: np.array([steady(p, law, v) for v in speeds]) for name, law in p.laws.items()}
    falling = p.mu + (p.mu_static - p.mu) * np.exp(-((speeds / p.stribeck_speed) ** 2))
    exact = (falling + p.viscous * speeds) * p.pressure * p.length * p.width
    for at in (0, len(speeds) // 2, -1):
        run.check(f"steady sliding at {1e3 * speeds[at]:.3g} mm/s", float(forces["LuGre"][at]),
                  float(exact[at]), unit="N", tolerance=1e-6 * float(exact[at]),
                  kind="closed_form", source="(mu(v) + mu_V v) p A", method="LuGre",
                  formula=True)  # fmt: skip
    run.check("steady sliding: range of the force over the speed",
              float(np.ptp(forces["elasto-plastic"])), 0.0, unit="N", tolerance=1e-9 * p.limit,
              kind="closed_form", source="mu p A at any speed", method="elasto-plastic",
              formula=True)  # fmt: skip
    figure = fc.view.curves_plot(1e3 * speeds, forces, "speed / (mm/s)", "friction force / N",
                               dots={"(mu(v) + mu_V v) p A": exact}, from_zero=True)  # fmt: skip
    figure.axes[0].set_xscale("log")
    run.figure("steady_sliding", figure)


def steady(p: Pad, law: fc.FrictionLaw, speed: float) -> float:
    """Force in N after a way of 40 f/c at constant speed."""
    mover, way = Mover(p.pair(law)), 40.0 * p.bend * max(1.0, p.mu_static / p.mu)
    force = [mover.move(way / 40.0, way / (40.0 * speed)) for _ in range(40)]
    return force[-1]


def main(run: fc.Run[Pad]) -> None:
    """Loops, drift, steady sliding."""
    loops(run)
    drift(run)
    sliding(run)


CASE = fc.Case(
    title="elasto-plastic, Dahl, LuGre and arctan friction on the same interface",
    verifies=("comparison laws on the same interface", "drift of Dahl's law"),
    parameters=Pad(),
    run=main,
    quick_s=5,
)

if __name__ == "__main__":
    CASE.main(__file__)
