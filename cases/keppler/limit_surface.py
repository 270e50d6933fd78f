"""Limit surface of area friction, and the printed formulas of the Hertz patch (Keppler 4.2.5).

Force and moment of a patch that just slides, over all poles, are its limit surface. A load t sticks
if its gauge g(t) is below mu N; the twist that releases it is normal to the surface. With x = r_M/a
the source prints for the Hertz patch, per mu N and mu N a,

    x <= 1:   F = 1.178 x - 0.294 x^3,                  M = (3 pi/16)(1 - x^2 + (3/8) x^4)
    x >= 1:   F ~ 1 - 0.096/x^2 - 0.020/x^4,            M ~ (3 pi/16)(0.335/x + 0.040/x^3)
    limit:    (256/(9 pi^2)) M^2 = (1 - F^2)(1 - F^2/4)^2
    stick:    rho ~ 1.20 c^5 - 3.83 c^4 + 4.64 c^3 - 2.42 c^2 + 1,   c = M/rho,  rho^2 = F^2 + M^2

The first line is exact but for its digits: 3 pi/8 and 3 pi/32. The others are fits, whose largest
errors are checked; far away both fits miss the asymptotes 1 - 0.1/x^2 and 0.2/x.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.special import ellipe, ellipkm1

import fecontact as fc

area = fc.load_module("keppler/area_friction")

SPIN = 3.0 * np.pi / 16.0
PRINTED: dict[str, Any] = {"kind": "published", "source": "Keppler (4.55), (4.56)", "formula": True}
DIGEST: dict[str, Any] = {
    "kind": "digest",
    "source": "Keppler 2007, section 4.2.5, recomputed",
    "formula": True,
}
CUT = (
    "3 pi/32 = 0.29452 rounds to 0.295; the print is cut off",
    "Keppler 2007, section 4.2.5, recomputed",
)
FAR = (
    "a fit of all x >= 1 misses the asymptote of x -> infinity",
    "Keppler 2007, section 4.2.5, recomputed",
)
CURVE = ("called analytic in the source, it is an approximation", "source notes, error 28")


@dataclass(frozen=True)
class LimitSurface(fc.Parameters):
    """Radius of the round patches; the block has the sides 2 L and L."""

    length: float = fc.quantity(0.4, "m", fc.POSITIVE)


def integral(x: float) -> tuple[float, float]:
    """Force and moment of the Hertz patch, a = 1, for the pole x, by elliptic integrals.

        F = int (x J_0 - r J_c) p r dr,      M = int (r^2 J_0 - r x J_c) p r dr

    with J_0 = 4 K(m)/(r + x), J_c = ((r^2 + x^2) J_0 - 4 (r + x) E(m))/(2 r x) and
    m = 4 r x/(r + x)^2 (Keppler 4.54, which holds for r < x only, corrected).
    """

    def ring(r: float, moment: bool) -> float:
        k = ellipkm1(((r - x) / (r + x)) ** 2)
        J_0 = 4.0 * k / (r + x)
        J_d = 4.0 * (r + x) * ellipe(4.0 * r * x / (r + x) ** 2)
        J_c = ((r**2 + x**2) * J_0 - J_d) / (2.0 * r * x)
        arm = r**2 * J_0 - r * x * J_c if moment else x * J_0 - r * J_c
        return float(1.5 / np.pi * np.sqrt(1.0 - r**2) * arm * r)

    parts = [(0.0, min(x, 1.0)), (min(x, 1.0), 1.0)]
    force, moment = (
        sum(quad(ring, *part, args=(which,), limit=200)[0] for part in parts if part[1] > part[0])
        for which in (False, True)
    )
    return force, moment


def inside(run: fc.Run[LimitSurface]) -> None:
    """Coefficients of the pole inside the contact from integrals, and the patch at one pole."""
    x = np.linspace(0.1, 1.0, 10)
    F, M = np.array([integral(each) for each in x]).T
    force = np.linalg.lstsq(np.column_stack([x, x**3]), F)[0]
    moment = np.linalg.lstsq(np.column_stack([np.ones_like(x), x**2, x**4]), M / SPIN)[0]
    for name, computed, printed, reason in (
        ("force, x", force[0], 1.178, None),
        ("force, x^3", force[1], -0.294, CUT),
    ):
        run.check(f"coefficient of the {name}", float(computed), printed, tolerance=5e-4,
                  known_deviation=reason, **PRINTED)  # fmt: skip
    for name, computed, exact in (
        ("force, x", force[0], 3.0 * np.pi / 8.0),
        ("force, x^3", force[1], -3.0 * np.pi / 32.0),
        ("moment/(3 pi/16), 1", moment[0], 1.0),
        ("moment/(3 pi/16), x^2", moment[1], -1.0),
        ("moment/(3 pi/16), x^4", moment[2], 0.375),
    ):
        run.check(f"coefficient of the {name}, exact", float(computed), exact, tolerance=1e-6,
                  kind="closed_form", source="Keppler (4.55), exact for x <= 1",
                  formula=True)  # fmt: skip
    patch = np.array([slid(each) for each in x])
    miss = np.abs(patch - np.column_stack([F, M])).max()
    run.check("patch, x <= 1: largest miss of the integrals", float(miss), 0.0, tolerance=1e-7,
              kind="cross_method", source="Keppler (4.54) corrected", formula=True)  # fmt: skip


def slid(x: float) -> tuple[float, float]:
    """Force and moment of the package's Hertz patch, a = 1, for the pole x."""
    t, _ = fc.HertzPatch(1.0).mean(np.array([x, 0.0, 1.0]))
    return float(t[0]), float(t[2])


def outside(run: fc.Run[LimitSurface]) -> None:
    """Fits of the pole outside the contact: largest errors and asymptotes."""
    x = np.concatenate([np.linspace(1.0, 5.0, 401), np.geomspace(5.0, 1e3, 100)])
    F, M = np.array([slid(each) for each in x]).T
    fits = {
        "force": (1.0 - 0.096 / x**2 - 0.020 / x**4, F, 4.7e-4, 5e-6),
        "moment": (SPIN * (0.335 / x + 0.040 / x**3), M, 1.2e-3, 5e-5),
    }
    for name, (fit, exact, digest, digits) in fits.items():
        run.check(f"largest error of the printed fit of the {name}, x >= 1",
                  float(np.abs(fit - exact).max()), digest, tolerance=digits, **DIGEST)  # fmt: skip
    far = 100.0
    force, moment = slid(far)
    for name, computed, printed, exact in (
        ("(1 - F) x^2", (1.0 - force) * far**2, 0.096, 0.1),
        ("M x", moment * far, 0.335 * SPIN, 0.2),
    ):
        run.check(f"{name} far away", computed, printed, tolerance=5e-4, known_deviation=FAR,
                  **PRINTED)  # fmt: skip
        # the next term of the expansion is of the order 1/x^2
        run.check(f"{name} far away, exact", computed, exact, tolerance=1.0 / far**2,
                  kind="closed_form", source="s_1/4 and s_1/2, s_1 = 2 a^2/5",
                  formula=True)  # fmt: skip


def boundary(run: fc.Run[LimitSurface]) -> tuple[fc.Floats, fc.Floats]:
    """Printed limit curve and stick radius against the points of the limit surface (n,)."""
    points = fc.LimitCurve(fc.HertzPatch(1.0)).points
    F, M = points[:, 0], SPIN * points[:, 1]
    printed = SPIN * np.sqrt(np.maximum(1.0 - F**2, 0.0)) * (1.0 - 0.25 * F**2)
    off = float(np.abs(printed - M).max()) / SPIN
    run.check("printed limit curve, largest error of M/M_0", off, 0.0, tolerance=1e-6,
              known_deviation=CURVE, **PRINTED)  # fmt: skip
    run.check("printed limit curve, largest error of M/M_0, digest", off, 3.5e-3, relation="le",
              tolerance=5e-5, **DIGEST)  # fmt: skip
    rho = np.hypot(F, M)
    fit = np.polyval([1.20, -3.83, 4.64, -2.42, 0.0, 1.0], M / rho)
    run.check("printed stick radius, largest error of rho", float(np.abs(fit - rho).max()), 3.2e-3,
              tolerance=5e-5, **DIGEST)  # fmt: skip
    for name, computed, digits in (("c = 0", rho[0], 0.005), ("c = 1", rho[-1], 0.005 * 4)):
        # four coefficients of two decimals
        run.check(f"stick radius at {name}", float(computed),
                  float(np.polyval([1.20, -3.83, 4.64, -2.42, 0.0, 1.0], float(name[-1]))),
                  tolerance=digits, **PRINTED)  # fmt: skip
    return F, M


def surfaces(run: fc.Run[LimitSurface]) -> None:
    """Gauge of tabled loads is 1, and the twist that releases them turns about their pole."""
    L = run.parameters.length
    tables = {
        "Hertz": (fc.HertzPatch(L), area.HERTZ),
        "annulus": (fc.AnnulusPatch(area.INNER * L, L), area.ANNULUS),
        "worn annulus": (fc.AnnulusPatch(area.INNER * L, L, worn=True), area.WORN),
        "disc": (fc.AnnulusPatch(0.0, L), area.DISC),
    }
    for name, (patch, rows) in tables.items():
        curve = fc.LimitCurve(patch)
        for x, (force, moment) in rows.items():
            g, twist = curve.gauge(np.array([0.6 * force, 0.8 * force, moment * L]))
            pole = float(np.hypot(twist[0], twist[1]) / twist[2]) / L
            released(run, f"{name}, r_M/L = {x:g}", g, pole - x)
    for (pole_x, pole_y), load in area.POLES.items():
        g, twist = fc.gauge(fc.Rectangle(2.0 * L, L), np.array(load) * [1.0, 1.0, L])
        found = float(np.hypot(twist[1] / twist[2] + pole_x * L, twist[0] / twist[2] - pole_y * L))
        released(run, f"block, pole ({pole_x:g}, {pole_y:g})", g, found / L)


def released(run: fc.Run[LimitSurface], name: str, g: float, missed: float) -> None:
    """Two rows: the gauge of a load of the table, and how far its pole is missed."""
    source = "table of the source notes put in"
    run.check(f"{name}: gauge/(mu N)", g, 1.0, tolerance=2e-6, kind="digest", source=source,
              formula=True)  # fmt: skip
    # six digits of the load; far poles are the least sharp, M ~ 1/x and dx ~ x^2 dM
    run.check(f"{name}: miss of the pole/L", missed, 0.0, tolerance=1e-4, kind="digest",
              source=source, formula=True)  # fmt: skip


def picture(run: fc.Run[LimitSurface], hertz: tuple[fc.Floats, fc.Floats]) -> None:
    """Limit curves of the round patches, and the printed one."""
    L = run.parameters.length
    curves = {}
    for name, patch in {
        "Hertz": fc.HertzPatch(L),
        "annulus": fc.AnnulusPatch(area.INNER * L, L),
        "worn annulus": fc.AnnulusPatch(area.INNER * L, L, worn=True),
        "disc": fc.AnnulusPatch(0.0, L),
    }.items():
        curve = fc.LimitCurve(patch)
        curves[name] = (curve.points[:, 0], curve.points[:, 1] * curve.spin_moment / L)
    F = np.minimum(hertz[0][::16], 1.0)
    dots = {"Hertz, printed": (F, SPIN * np.sqrt(1.0 - F**2) * (1.0 - 0.25 * F**2))}
    figure = fc.view.loops_plot([("limit curves", curves, dots)], "force / (mu N)",
                              "moment / (mu N L)")  # fmt: skip
    run.figure("limit_curves", figure)


def main(run: fc.Run[LimitSurface]) -> None:
    """Printed formulas, limit surfaces, picture."""
    inside(run)
    outside(run)
    hertz = boundary(run)
    surfaces(run)
    picture(run, hertz)


CASE = fc.Case(
    title="limit surface of area friction; printed formulas of the Hertz patch",
    verifies=("Keppler T23", "limit surface"),
    parameters=LimitSurface(),
    run=main,
    quick_s=3,
)

if __name__ == "__main__":
    CASE.main(__file__)
