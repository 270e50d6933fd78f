"""Ball on an elastic half space by finite elements, against Hertz.

A rigid ball of radius R is pressed into a steel block without friction. With the force F

    d = (3 F/(4 E* sqrt(R)))^(2/3),   a = sqrt(R d),   p_0 = (2/pi) E* sqrt(d/R)

(Waehrisch 3.4 to 3.9). A quarter of the block is meshed by 20-node hexahedra that grow with the
distance from the contact, of edge 160 a, so that it is a half space to a few tenths of a percent.
Contact acts at the Gauss points of the facets by a penalty that adds 0.2 % to the approach
(`penalty_for`). The inner unknowns are condensed by one factorisation. Each quantity is compared at
the force that the finite elements carry. The radius is that of the second moment of the pressure,
a^2 = (5/2) int p r^2 dA/F, and beside it that of the area of the closed points. The error of the
approach levels off at the few tenths of a percent of the finite block and of the penalty.
"""

from dataclasses import dataclass

import numpy as np

import fecontact as fc

LOADS = (0.25, 0.5, 1.0)


@dataclass(frozen=True)
class Hertz(fc.Parameters):
    """Rigid ball on steel; the contact radius of the last load is given."""

    radius: float = fc.quantity(0.01, "m", fc.POSITIVE)
    contact_radius: float = fc.quantity(2e-4, "m", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.3, "", fc.POISSON)
    cells: int = fc.quantity(14, "", fc.at_least(6), numerical=True)
    far: float = fc.quantity(160.0, "", fc.POSITIVE, numerical=True)
    penalty_error: float = fc.quantity(0.002, "", fc.POSITIVE, numerical=True)
    moduli = fc.derived("rigid", lambda p: fc.ContactModuli(p.young, p.poisson, np.inf, 0.0))
    ball = fc.derived("closed form of Hertz", lambda p: fc.HertzPoint(p.moduli, p.radius))
    grading = fc.derived(
        "cells of the surface shrink towards the contact and its edge",
        lambda p: fc.Towards((0.0, p.contact_radius), 2.5 * p.far),
    )
    depth = fc.derived("approach of the last load in m", lambda p: p.contact_radius**2 / p.radius)


REFERENCES = fc.References("""
    approach | approach        |  | m  | 0.02 rel
    moment   | radius (moment) |  | m  | 0.02 rel
    peak     | peak pressure   |  | Pa | 0.02 rel
    area     | radius (area)   |  | m  | 0.02 rel
    *        | Hertz; Waehrisch 2010, (3.4) to (3.9)
    finer    | error of the {}, last over first mesh | <= 0.5
    *        | convergence | trend
""")


def problem(p: Hertz, cells: int) -> fc.StaticSystem:
    """Ball over a quarter of the block, on the points that may touch."""
    a, edge = p.contact_radius, p.far * p.contact_radius
    down = fc.Towards((edge,), p.grading.ratio)
    mesh = fc.block(edge, edge, edge, (cells, cells, cells), grading=(p.grading, p.grading, down))
    held = {"x_min": "x", "y_min": "y", "z_min": "z"}
    solid = fc.ElasticSolid(mesh, fc.Material(p.young, p.poisson, 7800.0), supports=held)
    half_space, near = fc.FEBody("block", solid), lambda x: np.hypot(x[:, 0], x[:, 1]) < 1.4 * a
    ball = fc.RigidBody("ball", 1.0, ("uz",), position=(0.0, 0.0, edge + p.radius))
    choice = fc.penalty_for(p.ball.pair, a, p.penalty_error)
    laws = choice.normal_law(), choice.friction_law(0.0)
    points = fc.fe_surface(half_space, "z_max", near=near)
    contact = fc.ContactPair(half_space, points, fc.RigidFace(ball, fc.Sphere(p.radius)), *laws)
    down = fc.PrescribedMotion(fc.DofCoordinate(ball, "uz"), fc.Speed(-p.depth))
    return fc.StaticSystem(fc.System([half_space, ball], [contact, down]))


def measured(p: Hertz, surface: fc.Surface, path: fc.LoadPath) -> dict[str, tuple[float, float]]:
    """Computed and exact values at the force of the last load."""
    last = path.increments[-1].contacts["contact"]
    d = float(p.ball.approach(-4.0 * float(last.force[2])))
    a = float(p.ball.contact_radius(d))
    points, weights = surface.points, surface.weights
    area = 4.0 * float(weights[last.pressure > 0.0].sum())
    radius, peak = fc.reference.hertz_measures(points, weights, last.pressure, a)
    return {
        "approach": (p.depth, d),
        "moment": (radius, a),
        "peak": (peak, float(p.ball.peak_pressure(d))),
        "area": (np.sqrt(area / np.pi), a),
    }


def main(run: fc.Run[Hertz]) -> None:
    """Three meshes; the finest (quick: the second) must meet Hertz."""
    p = run.parameters
    levels = [p.cells - 8, p.cells - 4] if run.quick else [p.cells - 8, p.cells - 4, p.cells]
    problems = [problem(p, cells) for cells in levels]
    paths = [fc.load_path(each, LOADS) for each in problems]
    surfaces = [each.pairs[0].surface for each in problems]
    results = [measured(p, *each) for each in zip(surfaces, paths, strict=True)]
    coarse, errors = {"area": 0.06 * results[-1]["area"][1]} if run.quick else {}, {}
    run.compare(REFERENCES, results[-1], tolerances=coarse, part=True)
    for name in results[-1]:
        label = REFERENCES[name].quantity
        errors[label] = np.array([abs(each[name][0] / each[name][1] - 1.0) for each in results])
        run.row(REFERENCES, "finer", errors[label][-1] / errors[label][0], label=label)
    x = [fc.divisions(0.0, p.far * p.contact_radius, cells, p.grading) for cells in levels]
    inside = [np.count_nonzero(each[1:] <= (1.0 + 1e-9) * p.contact_radius) for each in x]
    figure = fc.view.convergence_plot(p.contact_radius / np.array(inside), errors, 2.0)
    run.figure("convergence", figure)
    points, last = surfaces[-1].points, paths[-1].increments[-1].contacts["contact"]
    run.figure("pressure_map", fc.view.contact_maps(points, last.pressure, {}))
    order, d = np.argsort(np.hypot(*points[:, :2].T)), p.ball.approach(-4.0 * last.force[2])
    r, axes = np.hypot(*points[order, :2].T), ("radius / mm", "pressure / MPa")
    exact = {"Hertz": 1e-6 * p.ball.pressure(r, float(d))}
    dots = {"finite elements": 1e-6 * last.pressure[order]}
    run.figure("pressure", fc.view.curves_plot(1e3 * r, exact, *axes, dots=dots))


CASE = fc.Case(__doc__, ("Waehrisch Hertz contact by finite elements",), Hertz(), main, quick_s=12)

if __name__ == "__main__":
    CASE.main(__file__)
