"""Beam with a frictional support: loss per cycle, and damping that depends on the amplitude.

The end face of a cantilever is pressed on a wall and rubs along it while the beam vibrates.
Bristles and Coulomb friction of the whole face make a Jenkins element of stiffness C and limit
R = mu N. From one turning point to the next, 2 X apart, it dissipates

    W = R (2 X - 2 R/C)        for X > R/C, nothing below: the beam rings on without loss .

At a large amplitude the beam loses the same energy in each half cycle; the equivalent damping ratio
zeta = W/(pi k X^2), with the modal stiffness k, grows from zero at X = R/C to a largest value at
X = 2 R/C and falls again: the curve by which frictional dampers are designed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import pi

import numpy as np

from fecontact.body import ElasticBody
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.contact.surface.points import elastic_surface
from fecontact.errors import POSITIVE, at_least
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import Trajectory, simulate
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.results import BodyGeometry, Result
from fecontact.system import State, System
from fecontact.typing import Floats
from fecontact.view import plots
from fecontact.view.contact import loops_plot
from fecontact.view.energy import energy_plot
from fecontact.view.motion import history_panels

SOURCE = "Jenkins element in closed form"
OVERLAP = 1e-4
"""Compression of the end face in m."""


@dataclass(frozen=True)
class FrictionalBeam(Parameters):
    """Steel strip of 0.3 m, 47 Hz; the face slips beyond 40 um."""

    length: float = quantity(0.3, "m", POSITIVE)
    width: float = quantity(0.02, "m", POSITIVE)
    height: float = quantity(0.005, "m", POSITIVE)
    young: float = quantity(210e9, "Pa", POSITIVE)
    density: float = quantity(7800.0, "kg/m^3", POSITIVE)
    normal_force: float = quantity(0.25, "N", POSITIVE)
    friction: float = quantity(0.3, "", POSITIVE)
    stretch: float = quantity(4e-5, "m", POSITIVE)
    amplitude: float = quantity(4e-4, "m", POSITIVE)
    cells: int = quantity(12, "", at_least(4), numerical=True)
    cycles: int = quantity(12, "", at_least(4), numerical=True)

    @property
    def limit(self) -> float:
        """Friction limit R in N."""
        return self.friction * self.normal_force


class Beam:
    """The reduced beam, its system and the displacement of its end."""

    def __init__(self, p: FrictionalBeam) -> None:
        mesh = block(p.length, p.width, p.height, (p.cells, 1, 1), order=2)
        material = Material(p.young, 0.3, p.density)
        solid = ElasticSolid(mesh, material, supports={"x_min": "clamped", "y_min": "y"})
        model = reduce_model(solid, contact="x_max", method="free", modes=2,
                             floating_frame=False)  # fmt: skip
        self.parameters = p
        self.body = ElasticBody("beam", model, frame="fixed")
        self.face = elastic_surface(self.body, "x_max")
        area = self.face.measure
        pair = ContactPair(
            self.body,
            self.face,
            RigidFace(None, Plane((p.length - OVERLAP, 0.0, 0.0), (-1.0, 0.0, 0.0))),
            PenaltyNormal(p.normal_force / (area * OVERLAP)),
            ElastoPlastic(p.friction, p.limit / (p.stretch * area)),
            "wall",
        )
        self.system = System([self.body], [pair])

    @cached_property
    def to_end(self) -> Floats:
        """Mean displacement (m,) of the end face along z per elastic coordinate."""
        share = self.face.weights / self.face.measure
        assert self.face.shapes is not None
        return share @ self.face.shapes[:, 2]

    @cached_property
    def bent(self) -> tuple[Floats, float]:
        """Elastic coordinates per displacement of the end in the first mode; its stiffness."""
        zero = np.zeros(self.system.size)
        K = -self.body.tangents(0.0, zero, zero)[0]
        M = self.body.mass_matrix(zero)
        squares, shapes = np.linalg.eig(np.linalg.solve(M, K))
        first = np.real(shapes[:, np.argmin(np.real(squares))])
        shape = first / (self.to_end @ first)
        return shape, float(shape @ K @ shape)

    def released(self, amplitude: float) -> State:
        """Beam bent in its first mode; the bristles do not know it yet."""
        return State(0.0, amplitude * self.bent[0], np.zeros(self.system.size))


def run(run: Run[FrictionalBeam]) -> None:
    """Free decay against the Jenkins element; pictures."""
    p, beam = run.parameters, Beam(run.parameters)
    shape, stiffness = beam.bent
    mass = float(shape @ beam.body.mass_matrix(0.0 * shape) @ shape)
    period = 2.0 * pi * np.sqrt(mass / stiffness)
    cycles = 5 if run.quick else p.cycles
    end = cycles * period
    geometry = [BodyGeometry.of(beam.body)]
    start, output = beam.released(p.amplitude), end / (200 * cycles)
    motion = simulate(beam.system, end, start, "explicit", output, store=run.store("decay.h5"),
                      geometry=geometry)  # fmt: skip
    x = motion.q @ beam.to_end
    turns = turning_points(x)
    losses(run, motion, x, turns, stiffness)
    audit(run, beam, motion, period)
    pictures(run, motion, x, turns, stiffness)


def turning_points(x: Floats) -> Floats:
    """Numbers of the outputs at which the end of the beam turns."""
    step = np.diff(x)
    return 1 + np.flatnonzero(step[1:] * step[:-1] <= 0.0)


def losses(
    run: Run[FrictionalBeam], motion: Trajectory, x: Floats, turns: Floats, stiffness: float
) -> None:
    """Slip work from one turning point to the next."""
    p = run.parameters
    slip = motion.energies["slip"][turns]
    paths = np.abs(np.diff(x[turns]))
    expected = p.limit * np.maximum(paths - 2.0 * p.stretch, 0.0)
    works = np.diff(slip)
    clear = expected > 0.05 * expected.max()
    run.check("largest error of the loss in half a cycle",
              float(np.abs(works[clear] / expected[clear] - 1.0).max()), 0.0, tolerance=0.02,
              kind="closed_form", source=SOURCE, formula=True)  # fmt: skip
    run.check("loss of the whole decay", float(works[clear].sum()), float(expected[clear].sum()),
              unit="J", tolerance=5e-3 * float(expected[clear].sum()), kind="closed_form",
              source=SOURCE, formula=True)  # fmt: skip
    run.note(f"Modal stiffness at the end {stiffness:.4g} N/m; bristles {p.limit / p.stretch:.4g} "
             "N/m.")  # fmt: skip


def audit(run: Run[FrictionalBeam], beam: Beam, motion: Trajectory, period: float) -> None:
    """Left-over energy at the default step, and its order."""
    energies = motion.energies
    left = np.abs(energies["residual"]) + np.abs(energies["numerical"])
    exchanged = float(energies["strain"][0])
    run.check("energy audit: left over, of the energy of the beam", float(left.max() / exchanged),
              1e-3, relation="le", kind="trend", source="energy balance at defaults",
              formula=True)  # fmt: skip
    step = motion.t[-1] / motion.statistics.steps
    sums = []
    for factor in (1.0, 0.5):
        lines = simulate(beam.system, 2.0 * period, beam.released(run.parameters.amplitude),
                         "explicit", 2.0 * period, step=factor * step).energies  # fmt: skip
        sums.append(abs(lines["residual"][-1] + lines["numerical"][-1]))
    run.check("energy left over with half the step", float(sums[1] / sums[0]), 0.6, relation="le",
              kind="trend", source="it falls with the step", formula=True)  # fmt: skip


def pictures(
    run: Run[FrictionalBeam], motion: Trajectory, x: Floats, turns: Floats, stiffness: float
) -> None:
    """Decay, hysteresis of the support, damping over amplitude."""
    p = run.parameters
    panels = {"end / mm": {"end of the beam": (motion.t, 1e3 * x)},
              "energy / mJ": {"slip work": (motion.t, 1e3 * motion.energies["slip"])}}  # fmt: skip
    plots.save(history_panels(panels), run.path("decay.png"))
    cycles = slice(0, int(turns[4]) + 1)
    force = -Result.load(run.out / "decay.h5")["wall.friction_force"][cycles, 2]
    loop = ("first cycles", {"wall": (1e3 * x[cycles], force)}, {})
    plots.save(loops_plot([loop], "end / mm", "friction / N"), run.path("hysteresis.png"))
    amplitude = 0.5 * np.abs(np.diff(x[turns]))
    found = np.diff(motion.energies["slip"][turns]) / (pi * stiffness * amplitude**2)
    exact = (
        p.limit
        * np.maximum(2.0 * amplitude - 2.0 * p.stretch, 0.0)
        / (pi * stiffness * amplitude**2)
    )
    figure = plots.curves_plot(1e3 * amplitude, {"Jenkins element": 100.0 * exact},
                               "amplitude / mm", "damping ratio / %",
                               dots={"computed": 100.0 * found}, from_zero=True)  # fmt: skip
    plots.save(figure, run.path("damping.png"))
    plots.save(energy_plot(motion.t, motion.energies), run.path("energy.png"))


CASE = Case(
    title="beam with a frictional support: micro-slip damping",
    proves=("beam with a frictional support (micro-slip damping)",),
    parameters=FrictionalBeam(),
    run=run,
    quick_s=10,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
