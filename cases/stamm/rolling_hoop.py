"""Hoop that rolls down an incline on bristles: first step in closed form, limit of rigid rolling.

A hoop (m, inertia m R^2) starts from rest on an incline of angle phi. Rigid rolling gives the
friction force T = m g sin(phi)/2 and the acceleration g sin(phi)/2 (Stamm 4.178 to 4.180). On
bristles with the preload z_p, T = c (z_p + z) + beta (v - omega R), z' = v - omega R (4.184), and
the first step h of the implicit Euler method is (Stamm 4.188)

    v = h (g sin(phi) (m + h beta + h^2 c) - c z_p)/D,      D = 2 h^2 c + 2 h beta + m,
    omega = h (g sin(phi) (h beta + h^2 c) + c z_p)/(R D),   z = h^2 (m g sin(phi) - 2 c z_p)/D .

With z_p = 0 it tends to the step of rigid rolling as c -> infinity. A given preload would break
the rolling condition by z' -> -z_p/h (4.191); the preload m g sin(phi)/(2 c) keeps it from the
start. For tan(phi) > 2 mu the hoop slides with the acceleration g (sin(phi) - mu cos(phi)).
"""

from dataclasses import dataclass, replace
from math import atan, cos, radians, sin, sqrt

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root

import fecontact as fc


@dataclass(frozen=True)
class Hoop(fc.Parameters):
    """Hoop of 1 kg; the first step is shorter than the period of the bristles."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    slope: float = fc.quantity(radians(20.0), "rad", fc.between(0.0, 0.5 * np.pi))
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    mu: float = fc.quantity(0.5, "", fc.POSITIVE)
    stiffness: float = fc.quantity(1e4, "N/m", fc.POSITIVE)
    step: float = fc.quantity(1e-3, "s", fc.POSITIVE)
    pull = fc.derived("m g sin(phi) downhill in N", lambda p: p.mass * p.gravity * sin(p.slope))
    normal_force = fc.derived("m g cos(phi) in N", lambda p: p.mass * p.gravity * cos(p.slope))
    law = fc.derived(
        "bristles, critically damped with the mass m/2 of the slip",
        lambda p: fc.ElastoPlastic(p.mu, p.stiffness, sqrt(2.0 * p.stiffness * p.mass)),
    )


REFERENCES = fc.References("""
    v     | v of the first step     |  | m/s   | 1e-10 rel
    omega | omega of the first step |  | rad/s | 1e-10 rel
    z     | z of the first step     |  | m     | 1e-10 rel
    *     | Stamm 2011, (4.188)
    stiff   | stiff bristles: v of the first step over rigid rolling | 1.0 |     | 1e-3
    settled | slip of the first step with the right preload          | 0.0 | m/s | 1e-12
    thrown  | given preload, stiff bristles: slip speed over -z_p/h  | 1.0 |     | 1e-2
    force   | friction force of rolling | 0.5 * p.pull | N | 1e-6 * p.pull
    acceleration | acceleration of rolling | 0.5 * p.pull / p.mass | m/s^2 | 1e-6 * p.pull / p.mass
    sliding | friction force where it slides                         |     | N   | 1e-9
    faster  | acceleration where it slides                           |     | m/s^2 | 1e-5 rel
    *       | Stamm 2011, (4.178) to (4.193)
""")


def stepped(p: Hoop, preload: float) -> fc.Floats:
    """v, omega and z after one implicit step with the law of the package."""
    h, friction = p.step, fc.ScalarFriction(p.law, p.normal_force)

    def imbalance(y: fc.Floats) -> list[float]:
        T, _ = friction.step(preload, y[0] - y[1] * p.radius, h)
        return [p.mass * y[0] / h - p.pull - T, p.mass * p.radius * y[1] / h + T]

    v, omega = root(imbalance, np.zeros(2), tol=1e-14).x
    return np.array([v, omega, friction.step(preload, v - omega * p.radius, h)[1] - preload])


def rolled(p: Hoop, times: fc.Floats) -> fc.Floats:
    """v, omega R, z and friction force (4, k) of the continuous law from rest."""
    friction = fc.ScalarFriction(p.law, p.normal_force)

    def rate(t: float, y: fc.Floats) -> list[float]:
        T, z_rate = friction.rate(y[2], y[0] - y[1])
        return [(p.pull + T) / p.mass, -T / p.mass, z_rate]

    path = solve_ivp(rate, (0.0, times[-1]), np.zeros(3), "Radau", times, rtol=1e-9, atol=1e-12)
    return np.vstack([path.y, [-friction.rate(z, v - turned)[0] for v, turned, z in path.y.T]])


def main(run: fc.Run[Hoop]) -> None:
    """First step, limits of stiff bristles, rolling and sliding."""
    p, t = run.parameters, np.linspace(0.0, 0.3, 301)
    rigid, c = 0.5 * p.step * p.pull / p.mass, p.stiffness
    about = p.mass, p.radius, p.pull, c, p.law.damping, p.step
    for title, preload in (("no preload", 0.0), ("preload", 0.2 * p.pull / c)):
        exact = fc.reference.hoop_first_step(*about, preload)
        for name, *pair in zip(("v", "omega", "z"), stepped(p, preload), exact, strict=True):
            run.row(REFERENCES, name, *pair, label=title)
    stiff = stepped(replace(p, stiffness=1e5 * c), 0.0)[0]
    settled, preload = stepped(p, 0.5 * p.pull / c), 1e-6
    thrown = stepped(replace(p, stiffness=1e8 * c, mu=1e9), preload)
    steep = replace(p, slope=0.5 * (atan(2.0 * p.mu) + 0.5 * np.pi))
    motion, slid = rolled(p, t), rolled(steep, t)
    limit = steep.mu * steep.normal_force
    computed = {
        "stiff": 1.0 + abs(stiff / rigid - 1.0),
        "settled": settled[0] - settled[1] * p.radius,
        "thrown": (thrown[0] - thrown[1] * p.radius) / (-preload / p.step),
        "force": motion[3, -1],
        "acceleration": (motion[0, -1] - motion[0, -101]) / (t[-1] - t[-101]),
        "sliding": (slid[3, -1], limit),
        "faster": ((slid[0, -1] - slid[0, -101]) / 0.1, (steep.pull - limit) / p.mass),
    }
    run.compare(REFERENCES, computed, part=True)
    early = t < 0.1
    curves = {"on bristles": motion[3, early] / p.pull, "rigid": 0.0 * t[early] + 0.5}
    axes = "time / ms", "friction force/(m g sin phi)"
    run.figure("friction_force", fc.view.curves_plot(1e3 * t[early], curves, *axes, from_zero=True))


CASE = fc.Case(__doc__, ("Stamm T1c",), Hoop(), main, quick_s=3)

if __name__ == "__main__":
    CASE.main(__file__)
