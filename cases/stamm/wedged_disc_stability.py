"""Damping that calms the wedged disc, over the friction coefficient (Stamm 6.2.2).

The disc of `wedged_disc` slides between two flanks of stiffness c and damping beta. Above mu = 1
(for its wedge of 45 degrees) the undamped disc flutters; damping of the flanks stops it at

    beta* = sqrt(m c (1 - 1/(4 kappa))),      kappa = sin^2(theta) cos^2(theta) (1 + mu^2)

(Routh and Hurwitz, from Stamm 6.24; the source prints 69.82 kg/s for mu = 1.05). Here the border is
found on the growth rate of the system itself: steady state, linearisation, modes, root finding.
"""

from __future__ import annotations

from dataclasses import replace
from math import pi, sin, sqrt

import numpy as np

import fecontact as fc

disc = fc.load_module("stamm/wedged_disc")
DIGEST = {"kind": "digest", "source": "Stamm 2011, section 6.2.2, recomputed"}
LIMITS = {1.01: 31.5436, 1.02: 44.4972, 1.05: 69.8222646, 1.1: 97.4795, 1.2: 134.286, 1.3: 160.158,
          1.5: 196.116, 2.0: 244.949}  # fmt: skip
"""Friction coefficient -> beta* of the source notes in kg/s."""
GROWTH = {68.0: 0.9453, 69.0: 0.4266, 70.0: -0.0922, 75.0: -2.691}
"""Damping in kg/s -> growth rate of the source notes in 1/s at mu = 1.05."""


def dampings(p: disc.WedgedDisc) -> fc.Branch:
    """Operating points over the damping of the flanks."""
    return fc.Branch(lambda beta: disc.system(replace(p, damping=beta)))


def main(run: fc.Run[disc.WedgedDisc]) -> None:
    """Steady state, borders, growth rates, and the map."""
    steady(run)
    limits(run)
    for beta, digest in GROWTH.items():
        modes = fc.operating_point(disc.system(replace(run.parameters, damping=beta))).modes
        run.check(f"growth rate at beta = {beta:g} kg/s", modes.leading_growth, digest, unit="1/s",
                  tolerance=6e-4, varied=["damping"], **DIGEST)  # fmt: skip
    power = fc.operating_point(disc.system(run.parameters)).balance()
    run.figure("power", fc.view.power_plot(power))
    picture(run)


def steady(run: fc.Run[disc.WedgedDisc]) -> None:
    """Normal forces of the sliding disc, by the general steady state."""
    p = run.parameters
    found = fc.steady_state(disc.system(p)).contacts
    for name, exact in zip(("right", "left"), disc.balance(p)[0], strict=True):
        run.check(f"normal force, {name}", found[name].normal_force, float(exact), unit="N",
                  tolerance=1e-8 * float(exact), kind="closed_form", source="Stamm (6.12)",
                  formula=True)  # fmt: skip


def limits(run: fc.Run[disc.WedgedDisc]) -> None:
    """Damping at the border for eight friction coefficients, and the frequency there."""
    p = run.parameters
    for mu, digest in list(LIMITS.items())[:3] if run.quick else LIMITS.items():
        q = replace(p, mu=mu)
        found = fc.critical_value(dampings(q), 1.0, 300.0)
        run.check(f"critical damping, mu = {mu:g}", found.value, q.critical_damping, unit="kg/s",
                  tolerance=1e-6 * q.critical_damping, kind="closed_form",
                  source="Routh and Hurwitz", formula=True)  # fmt: skip
        run.check(f"critical damping, mu = {mu:g}, digest", found.value, digest, unit="kg/s",
                  tolerance=1e-5 * digest, varied=["mu", "damping"], **DIGEST)  # fmt: skip
        if mu == 1.05:
            run.check("critical damping, mu = 1.05, printed", found.value, 69.82, unit="kg/s",
                      tolerance=0.005, kind="published", source="Stamm 6.2.2",
                      varied=["mu", "damping"])  # fmt: skip
            run.check("frequency at the border, mu = 1.05", 2.0 * pi * found.frequency, 324.23,
                      unit="rad/s", tolerance=0.006, varied=["mu", "damping"],
                      **DIGEST)  # fmt: skip


def picture(run: fc.Run[disc.WedgedDisc]) -> None:
    """Map over friction and damping, with the curve of the closed form (Stamm figure 6.10)."""
    p = run.parameters

    def at(mu: float, beta: float) -> fc.System:
        return disc.system(replace(p, mu=mu, damping=beta))

    effort = {"seed": (6, 6), "levels": 1} if run.quick else {"seed": (12, 12), "levels": 3}
    axes = fc.MapAxis("friction coefficient", 0.8, 2.0), fc.MapAxis("damping / (kg/s)", 1.0, 260.0)
    found = fc.stability_map(at, *axes, **effort)
    figure = fc.view.map_plot(found, fc.regions(found, at))
    onset = sqrt(1.0 / sin(2.0 * p.theta) ** 2 - 1.0)
    mu = onset + np.geomspace(1e-6, 1.0, 100)
    curve = [replace(p, mu=float(m)).critical_damping for m in mu]
    figure.axes[0].plot(mu, curve, "b--", label="closed form")
    run.figure("map", figure)


CASE = fc.Case(
    title="wedged disc: critical damping of the flanks over the friction coefficient",
    verifies=("Stamm T7",),
    parameters=disc.WedgedDisc(),
    run=main,
    quick_s=5,
    system=disc.system,
)

if __name__ == "__main__":
    CASE.main(__file__)
