"""Rigid punches on an elastic half space: pressure, shape, force (Keppler 4.1.1, example 4.1).

Punches f = c (r/R)^(2n), the flat cylinder, and the ball as a series of them. Hertz's parabola is
the first term of the ball; at a/R = 1/2 it misses a tenth of the force. The exact ball is that of
Sneddon.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import fecontact as fc

APPROACH = {0.25: (0.062500, 0.063802, 0.063851, 0.063853),
            0.50: (0.250000, 0.270833, 0.273958, 0.274516),
            0.75: (0.562500, 0.667969, 0.703564, 0.717866)}  # fmt: skip
FORCE = {0.25: (0.020833, 0.021354, 0.021375, 0.021376),
         0.50: (0.166667, 0.183333, 0.186012, 0.186508),
         0.75: (0.562500, 0.689062, 0.734828, 0.753898)}  # fmt: skip


@dataclass(frozen=True)
class Punch(fc.Parameters):
    """Ball and half space; the results are shown without dimension."""

    radius: float = fc.quantity(0.02, "m", fc.POSITIVE)
    modulus: float = fc.quantity(66.7e3, "Pa", fc.POSITIVE)


def shapes(run: fc.Run[Punch]) -> None:
    """The pressure of a punch presses the surface into its shape."""
    p = run.parameters
    a = 0.5 * p.radius
    for order in (1, 2, 3, 4):
        punch = fc.reference.PowerPunch(order, 0.5 * p.radius, p.radius, p.modulus)
        misfit = max(
            abs(
                fc.reference.half_space_displacement(r * a, a, p.modulus, punch)
                + punch.shape(r * a)
                - punch.approach(a)
            )
            for r in (0.2, 0.6, 0.95)
        ) / punch.approach(a)
        run.check(f"punch r^{2 * order}: misfit of the dented surface/approach", float(misfit), 0.0,
                  tolerance=1e-7, kind="cross_method", source="quadrature of Keppler (4.6)",
                  formula=True)  # fmt: skip
    approach = fc.reference.flat_punch(0.0, p.radius, 1.0, p.modulus)[1]
    limit = fc.reference.PowerPunch(200, 1.0, p.radius, p.modulus)
    blunt = limit.approach(p.radius) / limit.force(p.radius)
    run.check("flat punch: compliance over that of r^400", float(approach / blunt), 1.0,
              tolerance=5e-3, kind="cross_method", source="limit of sharp edges",
              formula=True)  # fmt: skip


def ball(run: fc.Run[Punch]) -> None:
    """Series of the ball against Sneddon."""
    p = run.parameters
    for x, approaches in APPROACH.items():
        exact = fc.reference.sphere_exact(x * p.radius, p.radius, p.modulus)
        for terms in range(1, 5):
            approach, force = fc.reference.sphere_series(x * p.radius, p.radius, p.modulus, terms)
            run.check(f"ball, a/R = {x:g}, {terms} terms: approach/R", approach / p.radius,
                      approaches[terms - 1], tolerance=1e-6, kind="digest",
                      source="Keppler 4.1.1", formula=True)  # fmt: skip
            run.check(f"ball, a/R = {x:g}, {terms} terms: force/(E* R^2)",
                      force / (p.modulus * p.radius**2), FORCE[x][terms - 1], tolerance=1e-6,
                      kind="digest", source="Keppler 4.1.1", formula=True)  # fmt: skip
        lacks = 1.0 - fc.reference.sphere_series(x * p.radius, p.radius, p.modulus, 1)[1] / exact[1]
        if x == 0.5:
            run.check("force that Hertz's parabola lacks at a/R = 1/2", lacks, (0.05, 0.2),
                      relation="in", kind="published", formula=True,
                      source="Keppler: more terms from a/R = 1/2 on")  # fmt: skip


def figures(run: fc.Run[Punch]) -> None:
    """Pressures of punches under the same force, and the force of the ball."""
    p = run.parameters
    x = np.linspace(0.0, 0.98, 200)
    curves = {}
    for order in (1, 2, 3, 4):
        punch = fc.reference.PowerPunch(order, 1.0, p.radius, p.modulus)
        mean = punch.force(p.radius) / (np.pi * p.radius**2)
        curves[f"shape r^{2 * order}"] = np.asarray(punch.pressure(x * p.radius, p.radius)) / mean
    curves["flat"] = fc.reference.flat_punch(x, 1.0, np.pi, 1.0)[0]
    figure = fc.view.curves_plot(x, curves, "r / a", "pressure / mean pressure", from_zero=True)
    run.figure("punch_pressure", figure)
    x = np.linspace(0.01, 0.9, 200)
    forces = {
        f"{n} term" + "s" * (n > 1): np.array(
            [fc.reference.sphere_series(a, 1.0, 1.0, n)[1] for a in x]
        )
        for n in (1, 2, 3, 4)
    }
    forces["exact"] = np.array([fc.reference.sphere_exact(a, 1.0, 1.0)[1] for a in x])
    figure = fc.view.curves_plot(x, forces, "a / R", "force / (E* R^2)", from_zero=True)
    run.figure("ball_force", figure)


def main(run: fc.Run[Punch]) -> None:
    """Shapes, ball, figures."""
    shapes(run)
    ball(run)
    figures(run)


CASE = fc.Case(
    title="rigid punches on the elastic half space: pressure, shape, force",
    verifies=("Keppler T16",),
    parameters=Punch(),
    run=main,
    quick_s=2,
)

if __name__ == "__main__":
    CASE.main(__file__)
