"""Area friction with spin: block on a disc, Hertz contact, clutch annulus (Keppler 4.2.3 to 4.2.5).

A rigid flat patch slides and spins at once. Its friction force is smaller than mu N, because the
directions of the local friction fan out, and it carries a moment. Force and moment depend on the
distance r_M of the pole (the point at rest) only. The values of the Hertz patch and the annulus
were recomputed from the integrals by a separate script; the block is printed in the source. The
printed formulas of the Hertz patch and the limit surfaces are in keppler/limit_surface.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import fecontact as fc

AROUND = {0: (0.865205, 0.290338), 30: (0.869937, 0.268660), 45: (0.876453, 0.241640),
          60: (0.884456, 0.206740), 90: (0.885321, 0.175458)}  # fmt: skip
HERTZ = {0.25: (0.289922, 0.553096), 0.5: (0.552233, 0.455592), 1.0: (0.883573, 0.220893),
         1.5: (0.953118, 0.138138), 2.0: (0.974279, 0.101909),
         4.0: (0.993707, 0.050227)}  # fmt: skip
ANNULUS = {0.25: (0.158377, 0.796735), 0.5: (0.332627, 0.730804), 0.8: (0.620198, 0.541752),
           1.0: (0.790396, 0.389771), 1.5: (0.919017, 0.237338), 2.0: (0.955913, 0.174195),
           4.0: (0.989282, 0.085494)}  # fmt: skip
WORN = {1.0: (0.800634, 0.372054), 2.0: (0.957697, 0.167220)}
DISC = {0.5: (0.483844, 0.547748), 1.0: (0.848826, 0.282942)}
POLES = {(0.3, 0.2): (0.278463, -0.283495, 0.523772), (1.3, -0.7): (-0.496010, -0.823866, 0.109172),
         (0.0, 0.0): (0.0, 0.0, 0.593233)}  # fmt: skip
INNER = 0.6
Rows = dict[float, tuple[float, float]]


@dataclass(frozen=True)
class AreaFrictionCase(fc.Parameters):
    """Block 2 L x L on a disc; the round patches have the outer radius L."""

    length: float = fc.quantity(0.4, "m", fc.POSITIVE)
    disc_speed: float = fc.quantity(3.0, "rad/s", fc.POSITIVE)
    mu: float = fc.quantity(0.3, "", fc.POSITIVE)
    mu_static: float = fc.quantity(0.5, "", fc.POSITIVE)
    stribeck_speed: float = fc.quantity(2.0, "m/s", fc.POSITIVE)
    normal_force: float = fc.quantity(20.0, "N", fc.POSITIVE)


def block_on_disc(run: fc.Run[AreaFrictionCase]) -> None:
    """Keppler, example 4.8 and figure 4.25: the block around the centre of the disc."""
    p = run.parameters
    L, omega = p.length, p.disc_speed
    law = fc.AreaFriction(
        fc.Rectangle(2.0 * L, L), fc.Stribeck(p.mu, p.mu_static, p.stribeck_speed, exponent=2.0)
    )
    force = law.sliding(np.array([omega * L, 0.0, omega]), p.normal_force)
    decay = np.exp(-17.0 / 12.0 * (L * omega / p.stribeck_speed) ** 2)
    run.check("block: limit mu N at the mean speed", force.limit,
              float((p.mu + (p.mu_static - p.mu) * decay) * p.normal_force), unit="N",
              tolerance=1e-12, kind="closed_form", source="Keppler, example 4.8",
              formula=True)  # fmt: skip
    f_x, f_y, m_z = -force.value / force.limit
    for name, computed, printed in (
        ("force", f_x, 0.8652),
        ("force across", f_y, 0.0),
        ("moment/L", m_z / L, 0.2903),
        ("force below point friction", 1.0 - f_x, 0.1348),
        ("moment on the disc above point friction", f_x + m_z / L - 1.0, 0.1555),
    ):
        run.check(f"block: {name}", float(computed), printed, tolerance=5e-5, kind="published",
                  source="Keppler, example 4.8", formula=True)  # fmt: skip
    for angle, (size, moment) in AROUND.items():
        phi = np.radians(angle)
        pole = L * np.array([np.sin(phi), np.cos(phi)])
        t, _ = law.patch.mean(np.array([pole[1], -pole[0], 1.0]))
        for name, computed, reference in (
            ("force", np.hypot(t[0], t[1]), size),
            ("moment/L", t[2] / L, moment),
        ):
            run.check(f"block at {angle} deg: {name}", float(computed), reference, tolerance=1e-6,
                      kind="digest", source="Keppler, figure 4.25", formula=True)  # fmt: skip
    for pole, references in POLES.items():
        t, _ = law.patch.mean(np.array([pole[1] * L, -pole[0] * L, 1.0]))
        for name, computed, reference in zip(
            ("force along", "force across", "moment/L"), t / [1.0, 1.0, L], references, strict=True
        ):
            run.check(f"block, pole {pole}: {name}", float(computed), reference, tolerance=1e-6,
                      kind="digest", source="patch integral", formula=True)  # fmt: skip


def table(
    run: fc.Run[AreaFrictionCase], name: str, patch: fc.AxisymmetricPatch, rows: Rows, source: str
) -> None:
    """Force and moment of a round patch of radius L over the distance of the pole."""
    L = run.parameters.length
    for x, references in rows.items():
        t, _ = patch.mean(np.array([x * L, 0.0, 1.0]))
        for label, computed, reference in zip(
            ("force", "moment/L"), (t[0], t[2] / L), references, strict=True
        ):
            run.check(f"{name}, r_M/L = {x:g}: {label}", float(computed), reference,
                      tolerance=1e-6, kind="digest", source=source, formula=True)  # fmt: skip


def spin_moments(run: fc.Run[AreaFrictionCase], patches: dict[str, fc.AxisymmetricPatch]) -> None:
    """Moment of pure spin: mean radius."""
    L = run.parameters.length
    exact = {
        "Hertz": 3.0 * np.pi / 16.0,
        "annulus": 2.0 / 3.0 * (1.0 - INNER**3) / (1.0 - INNER**2),
        "worn annulus": 0.5 * (1.0 + INNER),
        "disc": 2.0 / 3.0,
    }
    for name, moment in exact.items():
        computed = patches[name].mean(np.array([0.0, 0.0, 1.0]))[0][2] / L
        run.check(f"{name}: spin moment/(mu N L)", float(computed), moment, tolerance=1e-12,
                  kind="closed_form", source="mean radius", formula=True)  # fmt: skip


def bristles(patch: fc.PointPatch, twist: fc.Floats, mu: float, normal_force: float) -> fc.Floats:
    """Friction vector of elasto-plastic points on the rigid patch after steady sliding."""
    x, y = patch.points.T
    slip = np.column_stack([twist[0] - twist[2] * y, twist[1] + twist[2] * x, np.zeros_like(x)])
    law = fc.ElastoPlastic(mu, stiffness=1e4)
    z, mode, h = np.zeros_like(slip), np.ones(len(x), dtype=np.int64), 0.01
    for _ in range(100):
        step = law.step(z + h * slip, slip, normal_force * patch.shares, mode, h)
        z, mode = step.z, step.mode
    T = step.traction
    return np.array([T[:, 0].sum(), T[:, 1].sum(), x @ T[:, 1] - y @ T[:, 0]])


def distributed(run: fc.Run[AreaFrictionCase]) -> None:
    """The same block from friction points with memory."""
    p = run.parameters
    place, weight = np.polynomial.legendre.leggauss(20 if run.quick else 60)
    x, y = np.meshgrid(p.length * place, 0.5 * p.length * place)
    points = fc.PointPatch(
        np.column_stack([x.ravel(), y.ravel()]), np.outer(weight, weight).ravel()
    )
    total = bristles(points, p.disc_speed * np.array([p.length, 0.0, 1.0]), p.mu, p.normal_force)
    per_limit = -total / (p.mu * p.normal_force) / np.array([1.0, 1.0, p.length])
    for name, computed, printed in zip(("force", "force across", "moment/L"), per_limit,
                                       (0.8652, 0.0, 0.2903), strict=True):  # fmt: skip
        run.check(f"block of friction points: {name}", float(computed), printed, tolerance=1e-4,
                  kind="published", source="Keppler, example 4.8", method="elasto-plastic points",
                  formula=True)  # fmt: skip


def figures(run: fc.Run[AreaFrictionCase], patches: dict[str, fc.AxisymmetricPatch]) -> None:
    """Force and moment over the pole."""
    L = run.parameters.length
    pole = np.linspace(0.0, 4.0, 201)
    curves = {}
    for name in ("Hertz", "annulus"):
        vectors = [patches[name].mean(np.array([x * L, 0.0, 1.0]))[0] for x in pole]
        curves[f"{name}: force/(mu N)"] = np.array([t[0] for t in vectors])
        curves[f"{name}: moment/(mu N L)"] = np.array([t[2] / L for t in vectors])
    figure = fc.view.curves_plot(
        pole, curves, "distance of the pole / L", "friction", from_zero=True
    )
    run.figure("friction_over_pole", figure)


def main(run: fc.Run[AreaFrictionCase]) -> None:
    """Block, round patches, friction points, pictures."""
    L = run.parameters.length
    patches: dict[str, fc.AxisymmetricPatch] = {
        "Hertz": fc.HertzPatch(L),
        "annulus": fc.AnnulusPatch(INNER * L, L),
        "worn annulus": fc.AnnulusPatch(INNER * L, L, worn=True),
        "disc": fc.AnnulusPatch(0.0, L),
    }
    block_on_disc(run)
    table(run, "Hertz", patches["Hertz"], HERTZ, "Keppler, figure 4.26")
    table(run, "annulus", patches["annulus"], ANNULUS, "patch integral")
    table(run, "worn annulus", patches["worn annulus"], WORN, "patch integral")
    table(run, "disc", patches["disc"], DISC, "patch integral; r_M = L: (8/(3 pi), 8/(9 pi))")
    spin_moments(run, patches)
    distributed(run)
    figures(run, patches)


CASE = fc.Case(
    title="friction of sliding and spinning patches: block, Hertz contact, annulus",
    verifies=("Keppler T22", "Keppler T23", "annulus table"),
    parameters=AreaFrictionCase(),
    run=main,
    quick_s=2,
)

if __name__ == "__main__":
    CASE.main(__file__)
