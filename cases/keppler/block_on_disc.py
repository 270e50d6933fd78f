"""Block on a turning disc: area friction with spin, from the patch and from friction points.

A block 2 L x L is held on a disc, L away from its centre, and slides and spins at once (Keppler
4.2.3 and 4.2.4, example 4.8). Its friction force is smaller than mu N, because the directions of
the local friction fan out, and it carries a moment. mu follows the mean speed of the patch. The
closed forms of the rectangle are compared with the prints and with the integrals, for poles (the
points at rest) around the block, and with elasto-plastic points after steady sliding. Round patches
are in keppler/area_friction.
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
"""Angle of the block in degrees -> force/(mu N), moment/(mu N L), the pole L away."""


@dataclass(frozen=True)
class BlockOnDisc(fc.Parameters):
    """Block 2 L x L on a disc."""

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
POLE = fc.References("""
    size   | force/(mu N)    |  |  | 1e-6 | Keppler 2007, figure 4.25
    turned | moment/(mu N L) |  |  | 1e-6 | Keppler 2007, figure 4.25
    along  | force along     |  |  | 1e-6
    across | force across    |  |  | 1e-6
    moment | moment/L        |  |  | 1e-6
    *      | patch integral | source_notes; formula
""")


def around(patch: fc.Rectangle, L: float, angle: float) -> tuple[float, float]:
    """Force/(mu N) and moment/(mu N L) of the block, its pole L away at an angle in rad."""
    t, _ = patch.mean(L * np.array([np.cos(angle), -np.sin(angle), 1.0 / L]))
    return float(np.hypot(t[0], t[1])), float(t[2] / L)


def bristles(patch: fc.PointPatch, twist: fc.Floats, mu: float, normal_force: float) -> fc.Floats:
    """Friction vector of elasto-plastic points on the rigid patch after steady sliding."""
    path = np.linspace(0.0, 1.0, 101)[:, None, None] * patch.velocities(twist)
    law = fc.ElastoPlastic(mu, stiffness=1e4)
    return patch.resultant(law.over_path(path, normal_force * patch.fractions, 0.01)[-1].traction)


def main(run: fc.Run[BlockOnDisc]) -> None:
    """The block around the centre of the disc, other poles, friction points."""
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
    for angle, (size, moment) in AROUND.items():
        found = around(law.patch, L, np.radians(angle))
        run.row(POLE, "size", found[0], size, label=f"block at {angle} deg")
        run.row(POLE, "turned", found[1], moment, label=f"block at {angle} deg")
    for pole, known in fc.reference.BLOCK_FRICTION.items():
        t, _ = law.patch.mean(np.array([pole[1] * L, -pole[0] * L, 1.0]))
        rows = zip(("along", "across", "moment"), t / [1.0, 1.0, L], known, strict=True)
        for name, *pair in rows:
            run.row(POLE, name, *pair, label=f"block, pole {pole}")
    node, weight = np.polynomial.legendre.leggauss(20 if run.quick else 60)
    x, y = np.meshgrid(L * node, 0.5 * L * node)
    spread = np.column_stack([x.ravel(), y.ravel()])
    points = fc.PointPatch(spread, np.outer(weight, weight).ravel())
    total = bristles(points, omega * np.array([L, 0.0, 1.0]), p.mu, p.normal_force)
    per_limit = -total / (p.mu * p.normal_force) / np.array([1.0, 1.0, L])
    for name, value in zip(("force", "across", "moment"), per_limit, strict=True):
        run.row(BLOCK, name, value, tolerance=1e-4, method="elasto-plastic points")
    angles, printed = np.linspace(0.0, 90.0, 91), np.array(list(AROUND.values()))
    found = np.array([around(law.patch, L, angle) for angle in np.radians(angles)])
    curves, dots = {}, {}
    for k, name in enumerate(("force / (mu N)", "moment / (mu N L)")):
        curves[name] = angles, found[:, k]
        dots[f"{name}, printed"] = list(AROUND), printed[:, k]
    panel = ("pole at the distance L", curves, dots)
    run.figure("friction_around", fc.view.loops_plot([panel], "angle / degrees", "friction"))


CASE = fc.Case(__doc__, ("Keppler T22",), BlockOnDisc(), main, quick_s=2)

if __name__ == "__main__":
    CASE.main(__file__)
