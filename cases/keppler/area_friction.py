"""Area friction with spin: block on a disc, Hertz contact, clutch annulus (Keppler 4.2.3 to 4.2.5).

A rigid flat patch slides and spins at once. Its friction force is smaller than mu N, because the
directions of the local friction fan out, and it carries a moment. Force and moment depend on the
distance r_M of the pole (the point at rest) only. The values of the Hertz patch and the annulus
were recomputed from the integrals by a separate script; the block is printed in the source. The
printed formulas of the Hertz patch and the limit surfaces are in keppler/limit_surface.
"""

from dataclasses import dataclass

import numpy as np

import fecontact as fc

AROUND = {
    0: (0.865205, 0.290338),
    30: (0.869937, 0.268660),
    45: (0.876453, 0.241640),
    60: (0.884456, 0.206740),
    90: (0.885321, 0.175458),
}
HERTZ = {
    0.25: (0.289922, 0.553096),
    0.5: (0.552233, 0.455592),
    1.0: (0.883573, 0.220893),
    1.5: (0.953118, 0.138138),
    2.0: (0.974279, 0.101909),
    4.0: (0.993707, 0.050227),
}
ANNULUS = {
    0.25: (0.158377, 0.796735),
    0.5: (0.332627, 0.730804),
    0.8: (0.620198, 0.541752),
    1.0: (0.790396, 0.389771),
    1.5: (0.919017, 0.237338),
    2.0: (0.955913, 0.174195),
    4.0: (0.989282, 0.085494),
}
WORN = {1.0: (0.800634, 0.372054), 2.0: (0.957697, 0.167220)}
DISC = {0.5: (0.483844, 0.547748), 1.0: (0.848826, 0.282942)}
POLES = {
    (0.3, 0.2): (0.278463, -0.283495, 0.523772),
    (1.3, -0.7): (-0.496010, -0.823866, 0.109172),
    (0.0, 0.0): (0.0, 0.0, 0.593233),
}
INNER = 0.6


@dataclass(frozen=True)
class AreaFrictionCase(fc.Parameters):
    """Block 2 L x L on a disc; the round patches have the outer radius L."""

    length: float = fc.quantity(0.4, "m", fc.POSITIVE)
    disc_speed: float = fc.quantity(3.0, "rad/s", fc.POSITIVE)
    mu: float = fc.quantity(0.3, "", fc.POSITIVE)
    mu_static: float = fc.quantity(0.5, "", fc.POSITIVE)
    stribeck_speed: float = fc.quantity(2.0, "m/s", fc.POSITIVE)
    normal_force: float = fc.quantity(20.0, "N", fc.POSITIVE)


BLOCK = fc.References("""
    limit  | block: limit mu N at the mean speed            |        | N | 1e-12 |  | closed_form
    force  | block: force                                   | 0.8652 |   | 5e-5
    across | block: force across                            | 0.0    |   | 5e-5
    moment | block: moment/L                                | 0.2903 |   | 5e-5
    less   | block: force below point friction              | 0.1348 |   | 5e-5
    more   | block: moment on the disc above point friction | 0.1555 |   | 5e-5
    *      | Keppler 2007, example 4.8 | published; formula
""")
ROWS = fc.References("""
    force  | force/(mu N)    |  |  | 1e-6
    moment | moment/(mu N L) |  |  | 1e-6
    *      | patch integral | source_notes; formula
""")
POLE = fc.References("""
    along  | force along  |  |  | 1e-6
    across | force across |  |  | 1e-6
    moment | moment/L     |  |  | 1e-6
    *      | patch integral | source_notes; formula
""")
SPIN = fc.References("""
    moment | spin moment/(mu N L) |  |  | 1e-12 | mean radius
""")


def bristles(patch: fc.PointPatch, twist: fc.Floats, mu: float, normal_force: float) -> fc.Floats:
    """Friction vector of elasto-plastic points on the rigid patch after steady sliding."""
    x, y = patch.points.T
    slip = np.column_stack([twist[0] - twist[2] * y, twist[1] + twist[2] * x, np.zeros_like(x)])
    law = fc.ElastoPlastic(mu, stiffness=1e4)
    z, status, h = np.zeros_like(slip), np.ones(len(x), dtype=np.int64), 0.01
    for _ in range(100):
        step = law.step(z + h * slip, slip, normal_force * patch.fractions, status, h)
        z, status = step.z, step.status
    T = step.traction
    return np.array([T[:, 0].sum(), T[:, 1].sum(), x @ T[:, 1] - y @ T[:, 0]])


def main(run: fc.Run[AreaFrictionCase]) -> None:
    """Block, round patches, friction points, pictures."""
    L, annulus = run.parameters.length, 2.0 / 3.0 * (1.0 - INNER**3) / (1.0 - INNER**2)
    block_on_disc(run)
    pole, curves = np.linspace(0.0, 4.0, 201), {}
    for name, patch, rows, spin in (
        ("Hertz", fc.HertzPatch(L), HERTZ, 3.0 * np.pi / 16.0),
        ("annulus", fc.AnnulusPatch(INNER * L, L), ANNULUS, annulus),
        ("worn annulus", fc.AnnulusPatch(INNER * L, L, worn=True), WORN, 0.5 * (1.0 + INNER)),
        ("disc", fc.AnnulusPatch(0.0, L), DISC, 2.0 / 3.0),
    ):
        for x, (force, moment) in rows.items():
            t, _ = patch.mean(np.array([x * L, 0.0, 1.0]))
            computed = {"force": (t[0], force), "moment": (t[2] / L, moment)}
            run.compare(ROWS, computed, label=f"{name}, r_M/L = {x:g}")
        turned = patch.mean(np.array([0.0, 0.0, 1.0]))[0][2] / L
        run.compare(SPIN, {"moment": (turned, spin)}, label=name)
        if name in ("Hertz", "annulus"):
            vectors = np.array([patch.mean(np.array([x * L, 0.0, 1.0]))[0] for x in pole])
            curves[f"{name}: force/(mu N)"] = vectors[:, 0]
            curves[f"{name}: moment/(mu N L)"] = vectors[:, 2] / L
    axes = "distance of the pole / L", "friction"
    run.figure("friction_over_pole", fc.view.curves_plot(pole, curves, *axes, from_zero=True))


def block_on_disc(run: fc.Run[AreaFrictionCase]) -> None:
    """The block around the centre of the disc, as a patch and from friction points."""
    p, L, omega = run.parameters, run.parameters.length, run.parameters.disc_speed
    mu = fc.Stribeck(p.mu, p.mu_static, p.stribeck_speed, exponent=2.0)
    law = fc.AreaFriction(fc.Rectangle(2.0 * L, L), mu)
    force = law.sliding(np.array([omega * L, 0.0, omega]), p.normal_force)
    decay = np.exp(-17.0 / 12.0 * (L * omega / p.stribeck_speed) ** 2)
    f_x, f_y, m_z = -force.value / force.limit
    computed = {
        "limit": (force.limit, (p.mu + (p.mu_static - p.mu) * decay) * p.normal_force),
        "force": f_x,
        "across": f_y,
        "moment": m_z / L,
        "less": 1.0 - f_x,
        "more": f_x + m_z / L - 1.0,
    }
    run.compare(BLOCK, computed)
    figure = "Keppler 2007, figure 4.25"
    for angle, (size, moment) in AROUND.items():
        pole = L * np.array([np.sin(np.radians(angle)), np.cos(np.radians(angle))])
        t, _ = law.patch.mean(np.array([pole[1], -pole[0], 1.0]))
        computed = {"force": (np.hypot(t[0], t[1]), size), "moment": (t[2] / L, moment)}
        run.compare(ROWS, computed, label=f"block at {angle} deg", source=figure)
    for pole, known in POLES.items():
        t, _ = law.patch.mean(np.array([pole[1] * L, -pole[0] * L, 1.0]))
        pairs = zip(t / [1.0, 1.0, L], known, strict=True)
        run.compare(POLE, dict(zip(POLE, pairs, strict=True)), label=f"block, pole {pole}")
    place, weight = np.polynomial.legendre.leggauss(20 if run.quick else 60)
    x, y = np.meshgrid(L * place, 0.5 * L * place)
    spread = np.column_stack([x.ravel(), y.ravel()])
    points = fc.PointPatch(spread, np.outer(weight, weight).ravel())
    total = bristles(points, omega * np.array([L, 0.0, 1.0]), p.mu, p.normal_force)
    per_limit = -total / (p.mu * p.normal_force) / np.array([1.0, 1.0, L])
    found = dict(zip(("force", "across", "moment"), per_limit, strict=True))
    about = {"method": "elasto-plastic points", "tolerances": dict.fromkeys(found, 1e-4)}
    run.compare(BLOCK, found, part=True, **about)


VERIFIES = ("Keppler T22", "Keppler T23", "annulus table")
CASE = fc.Case(__doc__, VERIFIES, AreaFrictionCase(), main, quick_s=2)

if __name__ == "__main__":
    CASE.main(__file__)
