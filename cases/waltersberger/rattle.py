"""Delaminated beam that rattles (Waltersberger example 5.10).

A pinned beam with a gap of 0.6 m, the lower part three quarters of its height, is driven by 10 N at
its first frequency, 22.8 Hz. Without contact the parts would pass through each other by 18 mm; the
gap at 21 points, plastic impacts and theta = 1/2 detune the resonance by a factor of about seven.
The source shows curves without numbers; amplitudes are compared with those of the source notes.
"""

from dataclasses import dataclass, replace
from math import cos, pi, sin

import numpy as np

import fecontact as fc

BEAM = fc.load_module("waltersberger/delaminated_beam")


@dataclass(frozen=True)
class Rattle(fc.Parameters):
    """Waltersberger, example 5.10; the beam itself is that of the case `delaminated_beam`."""

    damping: float = fc.quantity(0.5, "kg/(m s)", fc.POSITIVE)
    force: float = fc.quantity(10.0, "N", fc.POSITIVE)
    frequency: float = fc.quantity(22.8, "Hz", fc.POSITIVE)
    modes: int = fc.quantity(11, "", fc.at_least(2), numerical=True)
    step: float = fc.quantity(1e-4, "s", fc.POSITIVE, numerical=True)
    until: float = fc.quantity(12.0, "s", fc.POSITIVE, numerical=True)


LINEAR = fc.References("""
    f1    | frequency 1     | 22.814 | Hz | 1e-4 rel |  | formula
    f2    | frequency 2     | 43.082 | Hz | 1e-4 rel |  | formula
    f3    | frequency 3     | 67.472 | Hz | 1e-4 rel |  | formula
    f4    | frequency 4     | 113.64 | Hz | 1e-4 rel |  | formula
    first | first frequency | 22.8   | Hz | 0.05     |  | published; formula
    gap   | amplitude without contact, gap                  | 18.3 | mm | 0.05 rel
    end   | amplitude without contact, end of the left part | 16.9 | mm | 0.05 rel
    *     | Waltersberger 2007, example 5.10 | source_notes
""")
RATTLE = fc.References("""
    depth  | deepest penetration                | <= 0.2   | mm |  | velocity level | trend; fixed
    solver | residual of complementarity        | <= 1e-10 |    |  | solver | closed_form
    gap    | steady: largest gap in the middle  | 2.687    | mm | 0.03 rel |  | full
    up     | steady: end of the left part, up   | 2.225    | mm | 0.03 rel |  | full
    down   | steady: end of the left part, down | -2.286   | mm | 0.03 rel |  | full
    *      | Waltersberger 2007, example 5.10 | source_notes
""")


class DrivenBeam:
    """Beam in modal coordinates; gap (21, n) and end of the left part (n,) per coordinate."""

    def __init__(self, p: Rattle) -> None:
        fe = BEAM.beam(replace(BEAM.CASE.parameters, elements=40))
        self.omega, X = fc.vibration_modes(fe.stiffness, fe.mass, fe.free, p.modes)
        faces = ("upper.bottom", "lower.top", "left.top")
        upper, lower, left = (np.asarray(fe.surface(face).shape @ X)[2::3] for face in faces)
        self.gaps, self.end = (upper - lower)[::4], left[-1]
        # a mass per length of `damping` in all four parts
        same = [
            replace(part, material=replace(part.material, density=p.damping / part.section.area))
            for part in fe.segments
        ]
        D = X.T @ (replace(fe, segments=same).mass @ X)
        self.body = fc.ModalBody("beam", self.omega, 0.5 * (D + D.T))
        self.load, self.drive = p.force * left[len(left) // 2], 2.0 * pi * p.frequency

    @property
    def system(self) -> fc.System:
        """With contact in the gap, which opens along z, and the drive in the left part."""
        shapes = np.zeros((len(self.gaps), 3, len(self.omega)))
        shapes[:, 2] = self.gaps
        surface = fc.Surface(np.zeros((len(shapes), 3)), np.ones(len(shapes)), shapes)
        contact = fc.RigidContact(self.body, surface, fc.RigidFace(None, fc.Plane()), name="gap")
        w = self.drive
        sine = fc.Function(lambda t: sin(w * t), lambda t: w * cos(w * t))
        drive = fc.GeneralisedForce(self.body, self.load, "drive", sine)
        return fc.System([self.body], [drive, contact])

    def linear(self) -> fc.Complexes:
        """Complex amplitudes (n,) without contact."""
        w, K, D = self.drive, self.body.stiffness, self.body.damping_matrix
        return np.linalg.solve(K - w**2 * np.eye(len(K)) + 1j * w * D, self.load)


def main(run: fc.Run[Rattle]) -> None:
    """Frequencies, linear response, rattle; the last half second of it is steady."""
    p = run.parameters
    beam, until = DrivenBeam(p), 0.15 if run.quick else p.until
    hertz, amplitudes = beam.omega / (2 * pi), beam.linear()
    computed = {f"f{k + 1}": hertz[k] for k in range(4)} | {
        "first": hertz[0],
        "gap": 1e3 * abs(beam.gaps[10] @ amplitudes),
        "end": 1e3 * abs(beam.end @ amplitudes),
    }
    run.compare(LINEAR, computed)
    motion = fc.simulate(beam.system, until, None, "moreau", 1e-3, step=p.step)
    t, gaps, end = motion.t, 1e3 * motion.q @ beam.gaps.T, 1e3 * motion.q @ beam.end
    computed = {"depth": -gaps.min(), "solver": fc.contact_residuals(motion)[-1]}
    if not run.quick:
        steady = t > until - 0.5
        computed |= {"up": end[steady].max(), "down": end[steady].min()}
        computed["gap"] = gaps[steady, 10].max()
    run.compare(RATTLE, computed)
    run.audit(motion)
    shown = t > until - 0.15
    curves = {"gap in the middle": gaps[shown, 10], "end of the left part": end[shown]}
    run.figure("rattle", fc.view.curves_plot(t[shown], curves, "time / s", "deflection / mm"))


CASE = fc.Case(__doc__, ("Waltersberger T10",), Rattle(), main, quick_s=8.0)

if __name__ == "__main__":
    CASE.main(__file__)
