"""Delaminated beam that rattles (Waltersberger example 5.10).

A pinned beam with a gap of 0.6 m, the lower part three quarters of its height, is driven by 10 N at
its first frequency, 22.8 Hz. Without contact the parts would pass through each other by 18 mm; the
gap at 21 places, plastic impacts and theta = 1/2 detune the resonance by a factor of about seven.
The source shows curves without numbers; amplitudes are compared with those of the source notes.
"""

from dataclasses import dataclass, replace
from math import pi, sin

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


@dataclass(frozen=True, eq=False)
class Drive:
    """Harmonic force on a modal body; an `Item`."""

    body: fc.ModalBody
    shape: fc.Floats
    frequency: float
    name: str = "drive"

    @property
    def bodies(self) -> tuple[fc.typing.Body, ...]:
        """The driven body."""
        return (self.body,)

    def force(self, t: float, q: fc.Floats, v: fc.Floats) -> fc.Floats:
        """Modal force."""
        return sin(2.0 * pi * self.frequency * t) * self.shape

    def tangents(self, t: float, q: fc.Floats, v: fc.Floats) -> fc.typing.Tangents:
        """Zero."""
        nothing = np.zeros((len(q), len(q)))
        return nothing, nothing


@dataclass(frozen=True)
class Model:
    """Beam in modal coordinates."""

    omega: fc.Floats  # (n,) in rad/s
    body: fc.ModalBody
    drive: Drive
    gaps: fc.Floats  # (21, n) opening of the gap along its length
    end: fc.Floats  # (n,) deflection of the end of the left part

    @property
    def system(self) -> fc.System:
        """With contact in the gap; it opens along z."""
        shapes = np.zeros((*self.gaps.shape[:1], 3, len(self.omega)))
        shapes[:, 2] = self.gaps
        surface = fc.Surface(np.zeros((len(shapes), 3)), np.ones(len(shapes)), shapes)
        contact = fc.RigidContact(self.body, surface, fc.RigidFace(None, fc.Plane()), name="gap")
        return fc.System([self.body], [self.drive, contact])

    def linear(self) -> fc.Floats:
        """Complex amplitudes (n,) without contact."""
        w = 2.0 * pi * self.drive.frequency
        stiff = self.body.stiffness - w**2 * np.eye(len(self.omega))
        return np.linalg.solve(stiff + 1j * w * self.body.damping_matrix, self.drive.shape)


def deflections(fe: fc.Beam, face: str, X: fc.Floats) -> fc.Floats:
    """Deflection (p, n) of the points of a face."""
    return np.asarray(fe.surface(face).shape @ X)[2::3]


def model(p: Rattle) -> Model:
    """Modes of the beam, damping per length, load in the middle of the left part."""
    data = replace(BEAM.CASE.parameters, elements=40)
    fe = BEAM.beam(data)
    omega, X = fc.vibration_modes(fe.stiffness, fe.mass, fe.free, p.modes)
    # a mass per length of `damping` in all four parts
    same = [
        replace(part, material=replace(part.material, density=p.damping / part.section.area))
        for part in fe.segments
    ]
    D = X.T @ (replace(fe, segments=same).mass @ X)
    body = fc.ModalBody("beam", omega, 0.5 * (D + D.T))
    gaps = deflections(fe, "upper.bottom", X) - deflections(fe, "lower.top", X)
    left = deflections(fe, "left.top", X)
    drive = Drive(body, p.force * left[len(left) // 2], p.frequency)
    return Model(omega, body, drive, gaps[::4], left[-1])


def main(run: fc.Run[Rattle]) -> None:
    """Frequencies, linear response, rattle; the last half second of it is steady."""
    p = run.parameters
    beam, until = model(p), 0.15 if run.quick else p.until
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
