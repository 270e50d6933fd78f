"""Jenkins and Iwan elements from contact points, and Masing's rule.

A rigid plate lies on a plane on bristles of stiffness c and is moved to and fro along it.

Jenkins: uniform pressure, friction limit f per area A; all bristles slip together,

    F = A min(c u, f),      energy of a cycle D = 4 A f (u* - f/c) .

Iwan: the plate is tilted, so the limits are spread evenly between 0 and f_max,

    F = A c u (1 - c u/(2 f_max)),      D = (2/3) A c^2 u*^3/f_max      for c u* <= f_max .

Masing: the branches after a reversal at (u*, F*) are the first loading, twice as large,

    F = F* - 2 F_0((u* - u)/2) .

The same static solver as for finite elements follows the path of the prescribed displacement. The
plate has n x 1 points at the middle of equal cells, whose sums can be compared exactly, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import RigidBody
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact import ContactPair, PenaltyNormal, Surface
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.errors import POSITIVE, at_least
from fecontact.joint import PrescribedMotion
from fecontact.joint.coordinate import DofCoordinate
from fecontact.system import System
from fecontact.typing import Floats
from fecontact.view import contact as views
from fecontact.view import plots

SOURCE = "Jenkins 1962, Iwan 1966, Masing 1926"
Backbone = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Plate(Parameters):
    """Plate of 100 x 20 mm with a soft facing."""

    length: float = quantity(0.1, "m", POSITIVE)
    width: float = quantity(0.02, "m", POSITIVE)
    pressure: float = quantity(1e6, "Pa", POSITIVE)
    normal_stiffness: float = quantity(1e11, "N/m^3", POSITIVE)
    stiffness: float = quantity(5e10, "N/m^3", POSITIVE)
    mu: float = quantity(0.4, "", POSITIVE)
    amplitude: float = quantity(12e-6, "m", POSITIVE)
    points: int = quantity(200, "", at_least(4), numerical=True)
    increments: int = quantity(40, "", at_least(4), numerical=True)

    @property
    def area(self) -> float:
        """Area in m^2."""
        return self.length * self.width

    @property
    def limit(self) -> float:
        """Friction limit f in Pa at the given pressure."""
        return self.mu * self.pressure


def plate_system(p: Plate, tilted: bool, points: int, path: Floats) -> System:
    """Plate with even or linearly growing pressure whose displacement follows path, 1 s each."""
    place = (np.arange(points) + 0.5) / points
    depth = p.pressure / p.normal_stiffness * (2.0 * place if tilted else np.ones(points))
    xyz = np.column_stack([p.length * place, np.zeros(points), -depth])
    plate = RigidBody("plate", 1.0, ("ux",))
    contact = ContactPair(
        plate,
        Surface(xyz, np.full(points, p.area / points)),
        RigidFace(None, Plane()),
        PenaltyNormal(p.normal_stiffness),
        ElastoPlastic(p.mu, p.stiffness),
    )
    t = np.arange(len(path), dtype=float)
    drive = PrescribedMotion(DofCoordinate(plate, "ux"), _Polygon(t, path), name="drive")
    return System([plate], [contact, drive])


@dataclass(frozen=True, eq=False)
class _Polygon:
    """Displacement that follows a polygon; statics asks for its value only."""

    t: Floats
    s: Floats

    def value(self, t: float) -> float:
        """Displacement in m."""
        return float(np.interp(t, self.t, self.s))

    def rate(self, t: float) -> float:
        """Without meaning at rest."""
        return 0.0

    def acceleration(self, t: float) -> float:
        """Without meaning at rest."""
        return 0.0


def cycle(p: Plate, increments: int) -> Floats:
    """Displacements: to the amplitude, and a full cycle; the start first."""
    down = np.linspace(1.0, -1.0, 2 * increments + 1)
    return p.amplitude * np.concatenate([np.linspace(0, 1, increments + 1), down[1:], -down[1:]])


def masing(backbone: Backbone, u: Floats, turn: int) -> Floats:
    """Force of a cycle by Masing's rule."""
    most = u[turn]
    first = backbone(u[: turn + 1])
    peak, half = first[-1], (len(u) - turn - 1) // 2
    down = peak - 2.0 * backbone(0.5 * (most - u[turn + 1 : turn + 1 + half]))
    up = -peak + 2.0 * backbone(0.5 * (most + u[turn + 1 + half :]))
    return np.concatenate([first, down, up])


def element(p: Plate, tilted: bool, points: int, u: Floats) -> tuple[Floats, float]:
    """Force that moves the plate, slip work of the last cycle."""
    problem = StaticSystem(plate_system(p, tilted, points, u))
    path = load_path(problem, np.arange(len(u), dtype=float))
    work, turn = path.slip_work(), (len(u) - 1) // 5
    return -path.force()[:, 0], float(work[-1] - work[turn])


def run(run: Run[Plate]) -> None:
    """Jenkins exactly, Iwan exactly as a sum and converging to the integral."""
    p = run.parameters
    u = cycle(p, 10 if run.quick else p.increments)
    turn, c, f = (len(u) - 1) // 5, p.stiffness, p.limit
    force, work = element(p, False, 4, u)
    exact = masing(lambda x: p.area * np.minimum(c * x, f), u, turn)
    rows = [
        ("Jenkins: largest error of the force", float(abs(force - exact).max()), 0.0, "N",
         1e-9 * p.area * f),
        ("Jenkins: energy of a cycle", work, 4.0 * p.area * f * (p.amplitude - f / c), "J", 1e-12),
    ]  # fmt: skip
    panels = [("Jenkins", {"contact points": (1e6 * u, force)}, {"closed form": (1e6 * u, exact)})]

    def backbone(x: Floats) -> Floats:
        share = np.minimum(c * x / (2.0 * f), 1.0)
        return 2.0 * f * p.area * share * (1.0 - 0.5 * share)

    exact = masing(backbone, u, turn)
    energy = p.area * c**2 * p.amplitude**3 / (3.0 * f)
    force, work = element(p, True, p.points, u)
    limits = 2.0 * f * (np.arange(p.points) + 0.5) / p.points
    summed = masing(lambda x: p.area * np.minimum(c * x[:, None], limits).mean(axis=1), u, turn)
    rows += [
        ("Iwan: largest error against the sum of sliders", float(abs(force - summed).max()), 0.0,
         "N", 1e-9 * p.area * f),
        ("Iwan: energy of a cycle", work, energy, "J", 2e-4 * energy),
    ]  # fmt: skip
    for name, computed, reference, unit, tolerance in rows:
        run.check(name, computed, reference, unit=unit, tolerance=tolerance, kind="closed_form",
                  source=SOURCE, formula=True)  # fmt: skip
    bound = p.area * f / (2.0 * p.points**2)
    run.check("Iwan: largest error of the force", float(abs(force - exact).max()), bound, unit="N",
              tolerance=1e-6 * bound, relation="le", kind="closed_form",
              source="error A f/(2 n^2) of the midpoint rule at a kink", formula=True)  # fmt: skip
    panels.append(("Iwan", {"contact points": (1e6 * u, force)}, {"Masing": (1e6 * u, exact)}))
    figure = views.loops_plot(panels, "displacement / µm", "force / N")
    plots.save(figure, run.path("loops.png"))


CASE = Case(
    title="Jenkins, Iwan and Masing: hysteresis of bristles on a rigid plate",
    proves=("Jenkins, Iwan and Masing loops",),
    parameters=Plate(),
    run=run,
    quick_s=4,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
