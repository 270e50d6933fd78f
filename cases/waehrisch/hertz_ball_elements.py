"""Ball on plate: the force element against finite elements of the same pair.

The force element F = (4/3) E* sqrt(R) d^(3/2) (Waehrisch 3.4 to 3.8) stands for two elastic bodies.
Here both are meshed: a steel ball of 10 mm and a steel plate, each a quarter of a block around the
contact, with different cells on the two sides. The shape of the ball is the gap of the undeformed
surfaces, R - sqrt(R^2 - r^2). The far sides of the blocks approach each other by d; the force, the
contact radius and the peak pressure follow. The penalty layer takes a fraction e of the approach at
the full load and, as the mean pressure grows with sqrt(d), e sqrt(d) of it at others; stiffer
layers let the pressure oscillate between the points of meshes that do not match. The same pair is
sheared in waehrisch/hertz_ball_tangential_elements.
"""

from dataclasses import dataclass

import numpy as np

import fecontact as fc

LOADS = (0.25, 0.5, 1.0)
NAMES = (*(f"force at {load:g} d" for load in LOADS), "contact radius", "peak pressure")


@dataclass(frozen=True)
class BallOnPlate(fc.Parameters):
    """The pair of waehrisch/hertz_ball."""

    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.3, "", fc.POISSON)
    radius: float = fc.quantity(0.01, "m", fc.POSITIVE)
    force: float = fc.quantity(100.0, "N", fc.POSITIVE)
    cells: int = fc.quantity(14, "", fc.at_least(8), numerical=True)
    far: float = fc.quantity(160.0, "", fc.POSITIVE, numerical=True)
    penalty_error: float = fc.quantity(0.01, "", fc.POSITIVE, numerical=True)
    moduli = fc.derived("steel on steel", lambda p: fc.ContactModuli(p.young, p.poisson))
    ball = fc.derived("force element", lambda p: fc.HertzPoint(p.moduli, p.radius))
    depth = fc.derived("approach under the force in m", lambda p: float(p.ball.approach(p.force)))
    contact_radius = fc.derived("a there in m", lambda p: float(p.ball.contact_radius(p.depth)))


REFERENCES = fc.References(
    {name: fc.Reference(f"{name}, finite elements over force element", 1.0) for name in NAMES},
    source="force element, Waehrisch 2010, (3.4)",
    relative=0.02,
)


def half(p: BallOnPlate, cells: int, above: bool, part: str = "quarter") -> fc.ElasticSolid:
    """Quarter of the block below or above the contact plane z = 0; half of it is sheared."""
    about = {"above": above, "part": part, "ratio": 2.5 * p.far}
    mesh = fc.half_space(p.contact_radius, p.far * p.contact_radius, cells, **about)
    far = "z_max" if above else "z_min"
    held = {"y_min": "y", far: "xyz"} if part == "half" else {"x_min": "x", "y_min": "y", far: "z"}
    return fc.ElasticSolid(mesh, fc.Material(p.young, p.poisson, 7850.0), supports=held)


def joined(
    p: BallOnPlate, halves: list[fc.ElasticSolid], reach: float, parts: int, mu: float
) -> tuple[list[fc.FEBody], fc.ContactPair]:
    """Ball above, with the gap of its shape, and plate below; points within reach may touch."""

    def near(x: fc.Floats) -> np.ndarray:
        return np.hypot(x[:, 0], x[:, 1]) < reach * p.contact_radius

    ball, plate = fc.FEBody("ball", halves[0]), fc.FEBody("plate", halves[1])
    choice = fc.penalty_for(p.moduli, p.contact_radius, p.penalty_error)
    laws = choice.normal_law(), choice.friction_law(mu)
    points = fc.fe_surface(ball, "z_min", parts=parts, near=near)
    points = points.with_gap(fc.spherical(p.radius))
    return [ball, plate], fc.ContactPair(ball, points, fc.FEFace(plate, "z_max", near), *laws)


def far_side(p: BallOnPlate, solid: fc.ElasticSolid, axis: int, way: float) -> fc.Floats:
    """Displacement of all nodes that moves the far side of the ball along an axis."""
    moved = np.zeros_like(solid.nodes)
    moved[np.abs(solid.nodes[:, 2] - p.far * p.contact_radius) < 1e-9 * p.far, axis] = way
    return moved.ravel()


def pair(p: BallOnPlate, cells: int) -> fc.StaticSystem:
    """Ball pressed on the plate, whose cells are coarser."""
    halves = [half(p, cells, above=True), half(p, cells - 1, above=False)]
    bodies, contact = joined(p, halves, reach=1.8, parts=1, mu=0.0)
    push = far_side(p, halves[0], 2, -p.depth)
    pressed = fc.SupportMotion(bodies[0], push, factor=fc.Line(gradient=1.0))
    return fc.StaticSystem(fc.System(bodies, [contact, pressed]))


def measured(p: BallOnPlate, problem: fc.StaticSystem, path: fc.LoadPath) -> dict[str, float]:
    """Computed over exact values: forces at the depths, radius and pressure at the last force."""
    surface, last = problem.pairs[0].surface, path.increments[-1].contacts["contact"]
    forces = 4.0 * path.force()[:, 2]
    elastic = p.depth * (np.array(LOADS) - p.penalty_error * np.sqrt(LOADS))
    d = float(p.ball.approach(forces[-1]))
    a = float(p.ball.contact_radius(d))
    radius, peak = fc.reference.hertz_measures(surface.points, surface.weights, last.pressure, a)
    ratios = *(forces / p.ball.force(elastic)), radius / a, peak / float(p.ball.peak_pressure(d))
    return dict(zip(NAMES, ratios, strict=True))


def main(run: fc.Run[BallOnPlate]) -> None:
    """Pressing; the finite elements must meet the force element."""
    p = run.parameters
    problem = pair(p, p.cells - 5 if run.quick else p.cells)
    path = fc.load_path(problem, LOADS)
    run.compare(REFERENCES, measured(p, problem, path))
    points, last = problem.pairs[0].surface.points, path.increments[-1].contacts["contact"]
    run.figure("pressure_map", fc.view.contact_maps(points, last.pressure, {}))
    d = np.linspace(0.0, 1.05, 60)
    element = 1e6 * p.depth * d, p.ball.force(p.depth * d)
    dots = 1e6 * p.depth * path.t, 4.0 * path.force()[:, 2]
    panel = ("ball on plate", {"force element": element}, {"finite elements": dots})
    run.figure("force", fc.view.loops_plot([panel], "approach / µm", "force / N"))


VERIFIES = ("Waehrisch Hertz ball on plate, both bodies by finite elements",)
CASE = fc.Case(__doc__, VERIFIES, BallOnPlate(), main, quick_s=10)

if __name__ == "__main__":
    CASE.main(__file__)
