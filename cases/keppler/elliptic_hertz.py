"""Elliptic Hertz contact: eccentricity and shape factors (Keppler 4.1.3, figures 4.10 and 4.11).

Two bodies with four principal radii touch in an ellipse. Force and pressure differ little from the
circle with the same mean radius sqrt(R_1 R_2), while the half axes spread.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ellipe, ellipk

import fecontact as fc

TABLE = {
    1.5: (0.646046, 0.763299, 0.997730, 0.997724),
    2.0: (0.776112, 0.630596, 0.993436, 0.993393),
    3.0: (0.875826, 0.482628, 0.983899, 0.983642),
    5.0: (0.938235, 0.345999, 0.966886, 0.965815),
    10.0: (0.974990, 0.222250, 0.937098, 0.933330),
}


@dataclass(frozen=True)
class EllipticHertz(fc.Parameters):
    """Steel bodies; only the ratio of the radii matters for the table."""

    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.3, "", fc.POISSON)
    radius: float = fc.quantity(0.01, "m", fc.POSITIVE)
    force: float = fc.quantity(100.0, "N", fc.POSITIVE)

    def contact(self, ratio: float) -> fc.HertzEllipse:
        """Contact of the given ratio R_1/R_2 with sqrt(R_1 R_2) fixed."""
        root = np.sqrt(ratio)
        return fc.HertzEllipse(
            fc.ContactModuli(self.young, self.poisson), self.radius * root, self.radius / root
        )


ROWS = fc.References(
    {name: fc.Reference(name, tolerance=1e-6) for name in ("e", "b/a", "F_1", "F_2")},
    source="Keppler 2007, figure 4.10",
    kind="source_notes",
    formula=True,
)
DENT = fc.References("""
    R_1 | curvature of the dent times R_1 | 1.0 |  | 1e-9
    R_2 | curvature of the dent times R_2 | 1.0 |  | 1e-9
    *   | Keppler 2007, (4.11)
""")
TREND = fc.References("""
    force | force of R_1/R_2 = 1.5 over the circle | 1.0 |  | 0.01
        | Keppler 2007: changes little | trend
""")


def curvatures(p: EllipticHertz, ratio: float) -> tuple[float, float]:
    """Relative curvatures that the elliptic pressure really makes, times R_1 and R_2 (4.11d, e)."""
    contact = p.contact(ratio)
    d = float((p.force / contact.force(1.0)) ** (2 / 3))
    _, b = contact.half_axes(d)
    e2 = contact.eccentricity**2
    K, E = ellipk(e2), ellipe(e2)
    size = 2.0 * contact.peak_pressure(d) / (contact.pair.modulus * b * e2)
    first, second = size * (1.0 - e2) * (K - E), size * (E - (1.0 - e2) * K)
    return first * contact.radius_1, second * contact.radius_2


def main(run: fc.Run[EllipticHertz]) -> None:
    """Table of the shape factors, curvatures, figure."""
    p = run.parameters
    for ratio, values in TABLE.items():
        contact, label = p.contact(ratio), f"R_1/R_2 = {ratio:g}"
        e = contact.eccentricity
        found = (e, np.sqrt(1.0 - e**2), *contact.shape_factors)
        run.compare(
            ROWS, dict(zip(ROWS, zip(found, values, strict=True), strict=True)), label=label
        )
        run.compare(DENT, dict(zip(DENT, curvatures(p, ratio), strict=True)), label=label)
    ratios, circle = np.linspace(1.0, 10.0, 91), p.contact(1.0)
    contacts = [p.contact(float(ratio)) for ratio in ratios]
    d = float((p.force / circle.force(1.0)) ** (2 / 3))
    run.compare(TREND, {"force": p.contact(1.5).force(d) / circle.force(d)})
    peak, size = circle.peak_pressure(d), np.sqrt(p.radius * d)
    curves = {
        "force": np.array([c.force(d) / circle.force(d) for c in contacts]),
        "peak pressure": np.array([c.peak_pressure(d) / peak for c in contacts]),
        "half axis a": np.array([c.half_axes(d)[0] / size for c in contacts]),
        "half axis b": np.array([c.half_axes(d)[1] / size for c in contacts]),
    }
    figure = fc.view.curves_plot(ratios, curves, "R_1/R_2", "value over that of the circle")
    run.figure("elliptic_hertz", figure)


CASE = fc.Case(__doc__, ("Keppler T18",), EllipticHertz(), main, quick_s=1)

if __name__ == "__main__":
    CASE.main(__file__)
