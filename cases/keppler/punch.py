"""Rigid punches on an elastic half space: pressure, shape, force (Keppler 4.1.1, example 4.1).

Punches f = c (r/R)^(2n), the flat cylinder, and the ball as a series of them. Hertz's parabola is
the first term of the ball; at a/R = 1/2 it misses a tenth of the force. The exact ball is that of
Sneddon.
"""

from dataclasses import dataclass

import numpy as np

import fecontact as fc

ORDERS = (1, 2, 3, 4)
APPROACH = {
    0.25: (0.062500, 0.063802, 0.063851, 0.063853),
    0.50: (0.250000, 0.270833, 0.273958, 0.274516),
    0.75: (0.562500, 0.667969, 0.703564, 0.717866),
}
FORCE = {
    0.25: (0.020833, 0.021354, 0.021375, 0.021376),
    0.50: (0.166667, 0.183333, 0.186012, 0.186508),
    0.75: (0.562500, 0.689062, 0.734828, 0.753898),
}


@dataclass(frozen=True)
class Punch(fc.Parameters):
    """Ball and half space; the results are shown without dimension."""

    radius: float = fc.quantity(0.02, "m", fc.POSITIVE)
    modulus: float = fc.quantity(66.7e3, "Pa", fc.POSITIVE)


SHAPES = fc.References(
    {
        f"r^{2 * n}": fc.Reference(
            f"punch r^{2 * n}: misfit of the surface/approach", 0.0, "", 1e-7
        )
        for n in ORDERS
    },
    flat=fc.Reference(
        "flat punch: compliance over that of r^400", 1.0, "", 5e-3, "limit of sharp edges"
    ),
    source="quadrature of Keppler 2007, (4.6)",
    kind="cross_method",
)
BALL = fc.References("""
    approach | approach of the ball/R     |  |  | 1e-6
    force    | force of the ball/(E* R^2) |  |  | 1e-6
    *        | Keppler 2007, section 4.1.1 | source_notes; formula
""")
HERTZ = fc.References("""
    lacks | force that Hertz's parabola lacks at a/R = 1/2 | in 0.05 0.2
    *     | Keppler 2007: more terms from a/R = 1/2 on | published; formula
""")


def misfit(p: Punch, order: int) -> float:
    """Distance of the dented surface from the shape of the punch, over the approach."""
    a, dent = 0.5 * p.radius, fc.reference.half_space_displacement
    punch = fc.reference.PowerPunch(order, 0.5 * p.radius, p.radius, p.modulus)
    d = punch.approach(a)
    return max(
        abs(dent(r * a, a, p.modulus, punch) + punch.shape(r * a) - d) / d for r in (0.2, 0.6, 0.95)
    )


def main(run: fc.Run[Punch]) -> None:
    """Shapes, ball, figures."""
    p = run.parameters
    approach = fc.reference.flat_punch(0.0, p.radius, 1.0, p.modulus)[1]
    limit = fc.reference.PowerPunch(200, 1.0, p.radius, p.modulus)
    blunt = limit.approach(p.radius) / limit.force(p.radius)
    misfits = {f"r^{2 * n}": misfit(p, n) for n in ORDERS}
    run.compare(SHAPES, misfits | {"flat": approach / blunt})
    for x, approaches in APPROACH.items():
        for n, values in enumerate(zip(approaches, FORCE[x], strict=True), start=1):
            d, force = fc.reference.sphere_series(x * p.radius, p.radius, p.modulus, n)
            unit = p.modulus * p.radius**2
            computed = {"approach": (d / p.radius, values[0]), "force": (force / unit, values[1])}
            run.compare(BALL, computed, label=f"a/R = {x:g}, {n} terms")
    exact, parabola = fc.reference.sphere_exact, fc.reference.sphere_series
    run.compare(HERTZ, {"lacks": 1.0 - parabola(0.5, 1.0, 1.0, 1)[1] / exact(0.5, 1.0, 1.0)[1]})
    x, curves = np.linspace(0.0, 0.98, 200), {}
    for n in ORDERS:
        punch = fc.reference.PowerPunch(n, 1.0, p.radius, p.modulus)
        mean = punch.force(p.radius) / (np.pi * p.radius**2)
        curves[f"shape r^{2 * n}"] = punch.pressure(x * p.radius, p.radius) / mean
    curves["flat"] = fc.reference.flat_punch(x, 1.0, np.pi, 1.0)[0]
    figure = fc.view.curves_plot(x, curves, "r / a", "pressure / mean pressure", from_zero=True)
    run.figure("punch_pressure", figure)
    x = np.linspace(0.01, 0.9, 200)
    forces = {f"terms: {n}": np.array([parabola(a, 1.0, 1.0, n)[1] for a in x]) for n in ORDERS}
    forces["exact"] = np.array([exact(a, 1.0, 1.0)[1] for a in x])
    figure = fc.view.curves_plot(x, forces, "a / R", "force / (E* R^2)", from_zero=True)
    run.figure("ball_force", figure)


CASE = fc.Case(__doc__, ("Keppler T16",), Punch(), main, quick_s=2)

if __name__ == "__main__":
    CASE.main(__file__)
