"""Beam with a frictional support: loss per cycle, and damping that depends on the amplitude.

The end face of a cantilever is pressed on a wall and rubs along it while the beam vibrates.
Bristles and Coulomb friction of the whole face make a Jenkins element of stiffness C and limit
R = mu N. From one turning point to the next, 2 X apart, it dissipates

    W = R (2 X - 2 R/C)        for X > R/C, nothing below: the beam rings on without loss .

At a large amplitude the beam loses the same energy in each half cycle; the equivalent damping ratio
zeta = W/(pi k X^2), with the modal stiffness k, grows from zero at X = R/C to a largest value at
X = 2 R/C and falls again: the curve by which frictional dampers are designed.
"""

from dataclasses import dataclass
from math import pi

import numpy as np
import scipy.linalg as la

import fecontact as fc

OVERLAP = 1e-4
"""Compression of the end face in m."""


@dataclass(frozen=True)
class FrictionalBeam(fc.Parameters):
    """Steel strip of 0.3 m, 47 Hz; the face slips beyond 40 um."""

    length: float = fc.quantity(0.3, "m", fc.POSITIVE)
    width: float = fc.quantity(0.02, "m", fc.POSITIVE)
    height: float = fc.quantity(0.005, "m", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    density: float = fc.quantity(7800.0, "kg/m^3", fc.POSITIVE)
    normal_force: float = fc.quantity(0.25, "N", fc.POSITIVE)
    friction: float = fc.quantity(0.3, "", fc.POSITIVE)
    stretch: float = fc.quantity(4e-5, "m", fc.POSITIVE)
    amplitude: float = fc.quantity(4e-4, "m", fc.POSITIVE)
    cells: int = fc.quantity(12, "", fc.at_least(4), numerical=True)
    cycles: int = fc.quantity(12, "", fc.at_least(4), numerical=True)
    limit = fc.derived("friction limit R in N", lambda p: p.friction * p.normal_force)


REFERENCES = fc.References("""
    half  | largest error of the loss in half a cycle          | 0.0     |   | 0.02
    whole | loss of the whole decay                            |         | J | 5e-3 rel
    audit | energy audit: left over, of the energy of the beam | <= 1e-3 |   |          |  | trend
    *     | Jenkins element in closed form
""")


class Beam:
    """Reduced beam on the wall; the end per coordinate, and the first mode with its stiffness."""

    def __init__(self, p: FrictionalBeam) -> None:
        mesh = fc.block(p.length, p.width, p.height, (p.cells, 1, 1), order=2)
        steel, held = fc.Material(p.young, 0.3, p.density), {"x_min": "clamped", "y_min": "y"}
        solid = fc.ElasticSolid(mesh, steel, supports=held)
        model = fc.reduce_model(solid, "x_max", method="free", modes=2, floating_frame=False)
        self.body = fc.ElasticBody("beam", model, frame="fixed")
        face = fc.elastic_surface(self.body, "x_max")
        wall = fc.RigidFace(None, fc.Plane((p.length - OVERLAP, 0.0, 0.0), (-1.0, 0.0, 0.0)))
        normal = fc.PenaltyNormal(p.normal_force / (face.measure * OVERLAP))
        friction = fc.ElastoPlastic(p.friction, p.limit / (p.stretch * face.measure))
        contact = fc.ContactPair(self.body, face, wall, normal, friction, "wall")
        self.system = fc.System([self.body], [contact])
        self.to_end = face.weights / face.measure @ face.shapes[:, 2]  # mean of the face along z
        zero = np.zeros(self.system.size)
        K, M = -self.body.tangents(0.0, zero, zero)[0], self.body.mass_matrix(zero)
        first = la.eigh(K, M)[1][:, 0]
        self.shape = first / (self.to_end @ first)
        self.stiffness = float(self.shape @ K @ self.shape)
        self.period = 2.0 * pi * np.sqrt(self.shape @ M @ self.shape / self.stiffness)

    def released(self, amplitude: float) -> fc.State:
        """Beam bent in its first mode; the bristles do not know it yet."""
        return fc.State(0.0, amplitude * self.shape, np.zeros(self.system.size))


def main(run: fc.Run[FrictionalBeam]) -> None:
    """Free decay against the Jenkins element; pictures."""
    p, beam = run.parameters, Beam(run.parameters)
    cycles = 5 if run.quick else p.cycles
    options = {"store": run.store("decay.h5"), "geometry": [fc.BodyGeometry.of(beam.body)]}
    end, start = cycles * beam.period, beam.released(p.amplitude)
    motion = fc.simulate(beam.system, end, start, "explicit", end / (200 * cycles), **options)
    t, x, energies = motion.t, motion.q @ beam.to_end, motion.energies
    turns = fc.turning_points(x)
    amplitude, works = 0.5 * np.abs(np.diff(x[turns])), np.diff(energies["slip"][turns])
    exact = fc.reference.jenkins_work(amplitude, p.limit / p.stretch, p.limit)
    clear = exact > 0.05 * exact.max()
    computed = {
        "half": np.abs(works[clear] / exact[clear] - 1.0).max(),
        "whole": (works[clear].sum(), exact[clear].sum()),
        "audit": motion.left_over.max() / energies["strain"][0],
    }
    run.compare(REFERENCES, computed)
    stiffness = f"{beam.stiffness:.4g} N/m; bristles {p.limit / p.stretch:.4g} N/m"
    run.note(f"Modal stiffness at the end {stiffness}.")
    ends, slip = {"end of the beam": (t, 1e3 * x)}, {"slip work": (t, 1e3 * energies["slip"])}
    run.figure("decay", fc.view.history_panels({"end / mm": ends, "energy / mJ": slip}))
    first = slice(0, int(turns[4]) + 1)
    force = -motion["wall.friction_force"][first, 2]
    loop = ("first cycles", {"wall": (1e3 * x[first], force)}, {})
    run.figure("hysteresis", fc.view.loops_plot([loop], "end / mm", "friction / N"))
    percent = 100.0 / (pi * beam.stiffness * amplitude**2)
    curve, dots = {"Jenkins element": percent * exact}, {"computed": percent * works}
    axes = "amplitude / mm", "damping ratio / %"
    figure = fc.view.curves_plot(1e3 * amplitude, curve, *axes, dots=dots, from_zero=True)
    run.figure("damping", figure)
    run.figure("energy", fc.view.energy_plot(t, energies))


VERIFIES = ("beam with a frictional support (micro-slip damping)",)
CASE = fc.Case(__doc__, VERIFIES, FrictionalBeam(), main, quick_s=10)

if __name__ == "__main__":
    CASE.main(__file__)
