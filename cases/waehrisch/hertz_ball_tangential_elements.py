"""Ball on plate, pressed and sheared: tangential element against finite elements of both bodies.

The pair of waehrisch/hertz_ball_elements: steel ball of 10 mm, steel plate, 100 N, different cells
on the two sides. Pressure and shear have different symmetries, so half of the blocks is meshed. The
far sides approach by d and then shift along x, first a thousandth of the shift delta at full slip,
then beyond it. Compared are c_x = 2 G* a (Waehrisch 3.16), the force of Cattaneo and Mindlin on the
way, the limit mu F (3.21), and delta = 3 mu F/(4 G* a), twice (3.22).

delta is what both bodies yield at the centre while all of it slides. It follows from the points:
the shift, less the slip path, less the bristle mu p/c_t, is the displacement of the bodies there.
Under the shear mu p it is a polynomial in x^2 and y^2 in the contact, so that three coefficients
are fitted to the points inside 0.6 a; the first is delta. The shear of full stick is infinite at
the rim, so c_x jumps with each point that touches there: facets have four times their Gauss points.
"""

from dataclasses import dataclass

import numpy as np

import fecontact as fc

elements = fc.load_module("waehrisch/hertz_ball_elements")

SHIFTS = (0.0, 0.001, 0.25, 0.5, 0.75, 0.9, 1.1)
"""Over the shift delta at full slip; the first is the pressed ball."""
LOADS = 1.0 + np.arange(len(SHIFTS))
NAMES = (
    "c_x",
    *(f"force at {shift:g} delta" for shift in SHIFTS[2:5]),
    "force beyond delta",
    "shift delta at full slip",
)


@dataclass(frozen=True)
class ShearedBall(elements.BallOnPlate):
    """The pair of waehrisch/hertz_ball_elements with friction."""

    mu: float = fc.quantity(0.2, "", fc.POSITIVE)
    cells: int = fc.quantity(10, "", fc.at_least(8), numerical=True)

    @property
    def full_slip(self) -> float:
        """Shift delta in m at full slip."""
        return self.ball.full_slip(self.depth, self.mu)


REFERENCES = fc.References(
    {name: fc.Reference(f"{name}, finite elements over closed form", 1.0) for name in NAMES},
    source="same pair: Waehrisch 2010, (3.16), (3.21), (3.22), Mindlin",
    relative=0.02,
)


def pair(p: ShearedBall, cells: int) -> fc.StaticSystem:
    """Ball above, plate with coarser cells below; loads 0 to 1 press, later ones shear."""
    halves = [elements.half(p, *each, "half") for each in ((cells, True), (cells - 1, False))]
    bodies, contact = elements.joined(p, halves, reach=1.3, parts=2, mu=p.mu)
    push = elements.far_side(p, halves[0], 2, -p.depth)
    pull = elements.far_side(p, halves[0], 0, p.full_slip)
    press = fc.SupportMotion(bodies[0], push, "press", fc.ramp(1.0))
    shear = fc.SupportMotion(bodies[0], pull, "shear", fc.Table(LOADS, SHIFTS, "hold"))
    return fc.StaticSystem(fc.System(bodies, [contact, press, shear]))


def measured(p: ShearedBall, problem: fc.StaticSystem, path: fc.LoadPath) -> dict[str, float]:
    """Computed over exact values at the normal forces that the finite elements carry."""
    force = 2.0 * path.force()
    depths = [float(p.ball.approach(each)) for each in force[:, 2]]
    pulled, limit = -force[:, 0], p.mu * force[:, 2]
    moved = p.full_slip * np.array(SHIFTS)
    ratios = [
        pulled[1] / moved[1] / float(p.ball.tangential_stiffness(depths[1])),
        *(pulled[k] / p.ball.tangential_force(moved[k], depths[k], p.mu) for k in (2, 3, 4)),
        pulled[-1] / limit[-1],
        yielded(p, problem, path) / p.ball.full_slip(depths[-1], p.mu),
    ]
    return dict(zip(NAMES, ratios, strict=True))


def yielded(p: ShearedBall, problem: fc.StaticSystem, path: fc.LoadPath) -> float:
    """Displacement in m of both bodies at the centre while all points slide."""
    surface, last = problem.pairs[0].surface, path.increments[-1].contacts["contact"]
    x, y = surface.points[:, :2].T / p.contact_radius
    inside = np.hypot(x, y) < 0.6
    bristle = p.mu * last.pressure / problem.pairs[0].friction.stiffness
    bodies = SHIFTS[-1] * p.full_slip - last.history.slip_totals[:, 1] - bristle
    terms = np.column_stack([np.ones_like(x), x**2, y**2])
    return float(np.linalg.lstsq(terms[inside], bodies[inside])[0][0])


def main(run: fc.Run[ShearedBall]) -> None:
    """Pressing and shearing (quick: on a coarse mesh) against the closed forms."""
    p = run.parameters
    problem = pair(p, p.cells - 3 if run.quick else p.cells)
    path = fc.load_path(problem, LOADS)
    coarse = dict.fromkeys(NAMES, 0.03) if run.quick else {}
    run.compare(REFERENCES, measured(p, problem, path), tolerances=coarse)
    points = problem.pairs[0].surface.points
    states = [each.contacts["contact"] for each in path.increments]
    statuses = {f"shift {SHIFTS[k]:g} delta": states[k].status for k in (3, 5, -1)}
    run.figure("stick_slip", fc.view.contact_maps(points, states[-1].pressure, statuses))
    x = np.linspace(0.0, SHIFTS[-1], 80) * p.full_slip
    spring = np.minimum(p.mu * p.force, x * float(p.ball.tangential_stiffness(p.depth)))
    curves = {
        "Cattaneo, Mindlin": (1e6 * x, np.asarray(p.ball.tangential_force(x, p.depth, p.mu))),
        "force element": (1e6 * x, spring),
    }
    dots = {"finite elements": (1e6 * p.full_slip * np.array(SHIFTS), -2.0 * path.force()[:, 0])}
    axes = "shift / µm", "tangential force / N"
    run.figure("tangential_force", fc.view.loops_plot([("ball on plate", curves, dots)], *axes))


VERIFIES = ("Waehrisch Hertz ball on plate, shear of both bodies by finite elements",)
CASE = fc.Case(__doc__, VERIFIES, ShearedBall(), main, quick_s=8)

if __name__ == "__main__":
    CASE.main(__file__)
