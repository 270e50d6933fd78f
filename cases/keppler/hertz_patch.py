"""Printed formulas of the friction of a Hertz patch that slides and spins (Keppler 4.2.5).

With the pole at x = r_M/a the source prints for the Hertz patch, per mu N and mu N a,

    x <= 1:   F = 1.178 x - 0.294 x^3,                  M = (3 pi/16)(1 - x^2 + (3/8) x^4)
    x >= 1:   F ~ 1 - 0.096/x^2 - 0.020/x^4,            M ~ (3 pi/16)(0.335/x + 0.040/x^3)
    limit:    (256/(9 pi^2)) M^2 = (1 - F^2)(1 - F^2/4)^2
    stick:    rho ~ 1.20 c^5 - 3.83 c^4 + 4.64 c^3 - 2.42 c^2 + 1,   c = M/rho,  rho^2 = F^2 + M^2

The first line is exact but for its digits: 3 pi/8 and 3 pi/32. The others are fits, whose largest
errors are checked; far away both fits miss the asymptotes 1 - 0.1/x^2 and 0.2/x. Limit surfaces of
other patches are in keppler/limit_surface.
"""

import numpy as np

import fecontact as fc

SPIN = 3.0 * np.pi / 16.0
RHO = [1.20, -3.83, 4.64, -2.42, 0.0, 1.0]  # four coefficients of two decimals
WHERE = "Keppler 2007, section 4.2.5, recomputed"
CUT = ("3 pi/32 = 0.29452 rounds to 0.295; the print is cut off", WHERE)
FAR = ("a fit of all x >= 1 misses the asymptote of x -> infinity", WHERE)
CURVE = ("called analytic in the source, it is an approximation", "source notes, error 28")


INSIDE = fc.References(
    """
    x  | coefficient of the force, x   | 1.178  |  | 5e-4
    x3 | coefficient of the force, x^3 | -0.294 |  | 5e-4
    *  | Keppler 2007, (4.55), (4.56) | published; formula
    """,
    deviations={"x3": CUT},
)
EXACT = fc.References("""
    x     | coefficient of the force, x, exact             | 3 * pi / 8   |  | 1e-6
    x3    | coefficient of the force, x^3, exact           | -3 * pi / 32 |  | 1e-6
    one   | coefficient of the moment/(3 pi/16), 1, exact   | 1.0          |  | 1e-6
    x2    | coefficient of the moment/(3 pi/16), x^2, exact | -1.0         |  | 1e-6
    x4    | coefficient of the moment/(3 pi/16), x^4, exact | 0.375        |  | 1e-6
    patch | patch, x <= 1: largest miss of the integrals   | 0.0          |  | 1e-7
        | (4.54) | cross_method
    *     | Keppler 2007, (4.55), exact for x <= 1
""")
FITS = fc.References("""
    force  | largest error of the printed fit of the force, x >= 1   | 4.7e-4    |  | 5e-6
    moment | largest error of the printed fit of the moment, x >= 1  | 1.2e-3    |  | 5e-5
    curve  | printed limit curve, largest error of M/M_0, recomputed | <= 3.5e-3 |  | 5e-5
    radius | printed stick radius, largest error of rho              | 3.2e-3    |  | 5e-5
    *      | Keppler 2007, section 4.2.5, recomputed | source_notes; formula
""")
FAR_AWAY = fc.References(
    """
    force  | (1 - F) x^2 far away                        | 0.096            |  | 5e-4
    moment | M x far away                                | 0.335 * 3 * pi / 16 |  | 5e-4
    curve  | printed limit curve, largest error of M/M_0 | 0.0              |  | 1e-6
    slides | stick radius at c = 0                       | 1.0              |  | 0.005
    spins  | stick radius at c = 1                       | 0.59             |  | 0.02
    *      | Keppler 2007, (4.55), (4.56) | published; formula
    """,
    deviations={"force": FAR, "moment": FAR, "curve": CURVE},
)
ASYMPTOTES = fc.References("""
    force  | (1 - F) x^2 far away, exact | 0.1 |  | 1e-4
    moment | M x far away, exact         | 0.2 |  | 1e-4
    *      | s_1/4 and s_1/2, s_1 = 2 a^2/5
""")


def slid(x: float) -> tuple[float, float]:
    """Force and moment of the package's Hertz patch, a = 1, for the pole x."""
    t, _ = fc.HertzPatch(1.0).mean(np.array([x, 0.0, 1.0]))
    return float(t[0]), float(t[2])


def main(run: fc.Run[fc.Parameters]) -> None:
    """Inside, fits, far away."""
    x = np.linspace(0.1, 1.0, 10)
    F, M = np.array([fc.reference.hertz_patch_friction(each) for each in x]).T
    a = np.linalg.lstsq(np.column_stack([x, x**3]), F)[0]
    b = np.linalg.lstsq(np.column_stack([np.ones_like(x), x**2, x**4]), M / SPIN)[0]
    miss = np.abs(np.array([slid(each) for each in x]) - np.column_stack([F, M])).max()
    run.compare(INSIDE, {"x": a[0], "x3": a[1]})
    exact = dict(zip(("one", "x2", "x4"), b, strict=True))
    run.compare(EXACT, {"x": a[0], "x3": a[1], "patch": miss} | exact)
    x = np.concatenate([np.linspace(1.0, 5.0, 401), np.geomspace(5.0, 1e3, 100)])
    force, moment = np.array([slid(each) for each in x]).T
    points = fc.LimitCurve(fc.HertzPatch(1.0)).points
    F, M = points[:, 0], SPIN * points[:, 1]
    off, rho = np.abs(printed_moment(F) - M).max() / SPIN, np.hypot(F, M)
    computed = {
        "force": np.abs(1.0 - 0.096 / x**2 - 0.020 / x**4 - force).max(),
        "moment": np.abs(SPIN * (0.335 / x + 0.040 / x**3) - moment).max(),
        "curve": off,
        "radius": np.abs(np.polyval(RHO, M / rho) - rho).max(),
    }
    run.compare(FITS, computed)
    force, moment = slid(100.0)
    far = {"force": (1.0 - force) * 100.0**2, "moment": moment * 100.0}
    run.compare(FAR_AWAY, far | {"curve": off, "slides": rho[0], "spins": rho[-1]})
    run.compare(ASYMPTOTES, far)
    loop = {"patch": (F, M)}, {"printed": (F[::16], printed_moment(np.minimum(F[::16], 1.0)))}
    axes = "force / (mu N)", "moment / (mu N a)"
    run.figure("limit_curve", fc.view.loops_plot([("Hertz patch", *loop)], *axes))


def printed_moment(F: fc.Floats) -> fc.Floats:
    """Moment of the printed limit curve."""
    return SPIN * np.sqrt(np.maximum(1.0 - F**2, 0.0)) * (1.0 - 0.25 * F**2)


CASE = fc.Case(__doc__, ("Keppler T23",), fc.Parameters(), main, quick_s=2)

if __name__ == "__main__":
    CASE.main(__file__)
