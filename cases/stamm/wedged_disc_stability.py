"""Damping that calms the wedged disc, over the friction coefficient (Stamm 6.2.2).

The disc of `wedged_disc` slides between two flanks of stiffness c and damping beta. Above mu = 1
(for its wedge of 45 degrees) the undamped disc flutters; damping of the flanks stops it at

    beta* = sqrt(m c (1 - 1/(4 kappa))),      kappa = sin^2(theta) cos^2(theta) (1 + mu^2)

(Routh and Hurwitz, from Stamm 6.24; the source prints 69.82 kg/s for mu = 1.05). Here the stability
boundary is found on the growth rate of the system itself: steady state, linearisation, modes, root.
"""

from dataclasses import replace
from math import pi, sin, sqrt

import numpy as np

import fecontact as fc

disc = fc.load_module("stamm/wedged_disc")
NOTES = "Stamm 2011, section 6.2.2, recomputed"
LIMITS = {
    1.01: 31.5436,
    1.02: 44.4972,
    1.05: 69.8222646,
    1.1: 97.4795,
    1.2: 134.286,
    1.3: 160.158,
    1.5: 196.116,
    2.0: 244.949,
}
"""Friction coefficient -> beta* of the source notes in kg/s."""


STEADY = fc.References("""
    right | normal force, right |  | N | 1e-8 rel
    left  | normal force, left  |  | N | 1e-8 rel
    *     | Stamm 2011, (6.12)
""")
LIMIT = fc.References("""
    closed | critical damping             |  | kg/s | 1e-6 rel
    notes  | critical damping, recomputed |  | kg/s | 1e-5 rel
        | Stamm 2011, section 6.2.2, recomputed | source_notes
    *      | Routh and Hurwitz | varied=mu, damping
""")
PRINTED = fc.References(
    """
    damping | critical damping, mu = 1.05, printed | 69.82 | kg/s | 0.005
    *       | Stamm 2011, 6.2.2 | published; varied=mu, damping
    """,
    frequency=fc.Reference(
        "frequency at the boundary, mu = 1.05", 324.23, "rad/s", 0.006, NOTES, "source_notes"
    ),
    varied=("mu", "damping"),
)
GROWTH = fc.References(
    {
        f"{beta:g}": fc.Reference(f"growth rate at beta = {beta:g} kg/s", growth, "1/s", 6e-4)
        for beta, growth in {68.0: 0.9453, 69.0: 0.4266, 70.0: -0.0922, 75.0: -2.691}.items()
    },
    source=NOTES,
    kind="source_notes",
    varied=("damping",),
)


def dampings(p: disc.WedgedDisc) -> fc.Branch:
    """Operating points over the damping of the flanks."""
    return fc.Branch(lambda beta: disc.system(replace(p, damping=beta)))


def picture(run: fc.Run[disc.WedgedDisc]) -> None:
    """Map over friction and damping, with the curve of the closed form (Stamm figure 6.10)."""
    p = run.parameters
    mu = sqrt(1.0 / sin(2.0 * p.theta) ** 2 - 1.0) + np.geomspace(1e-6, 1.0, 100)
    boundary = np.array([replace(p, mu=float(m)).critical_damping for m in mu])
    run.stability_map(
        "map",
        lambda mu, beta: disc.system(replace(p, mu=mu, damping=beta)),
        fc.MapAxis("friction coefficient", 0.8, 2.0),
        fc.MapAxis("damping / (kg/s)", 1.0, 260.0),
        quick_seed=(6, 6),
        curves={"closed form": (mu, boundary)},
    )


def main(run: fc.Run[disc.WedgedDisc]) -> None:
    """Steady state, boundaries, growth rates, and the map."""
    p = run.parameters
    found, exact = fc.steady_state(disc.system(p)).contacts, disc.balance(p)[0]
    sides = zip(("right", "left"), exact, strict=True)
    run.compare(STEADY, {side: (found[side].normal_force, force) for side, force in sides})
    for mu in list(LIMITS)[:3] if run.quick else LIMITS:
        q = replace(p, mu=mu)
        boundary = fc.critical_value(dampings(q), 1.0, 300.0)
        values = {
            "closed": (boundary.value, q.critical_damping),
            "notes": (boundary.value, LIMITS[mu]),
        }
        run.compare(LIMIT, values, label=f"mu = {mu:g}")
        if mu == 1.05:
            values = {"damping": boundary.value, "frequency": 2.0 * pi * boundary.frequency}
            run.compare(PRINTED, values)
    growth = {beta: dampings(p).at(float(beta)).modes.leading_growth for beta in GROWTH}
    run.compare(GROWTH, growth)
    run.figure("power", fc.view.power_plot(fc.operating_point(disc.system(p)).balance()))
    picture(run)


CASE = fc.Case(__doc__, ("Stamm T7",), disc.WedgedDisc(), main, quick_s=5, system=disc.system)

if __name__ == "__main__":
    CASE.main(__file__)
