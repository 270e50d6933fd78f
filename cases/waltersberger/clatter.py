"""Delaminated beam that clatters (Waltersberger example 5.10).

A pinned beam with a gap of 0.6 m, the lower part three quarters of its height, is driven by 10 N at
its first frequency, 22.8 Hz. Without contact the parts would pass through each other by 18 mm; the
gap at 21 places, plastic impacts and theta = 1/2 detune the resonance by a factor of about seven.
The source shows curves without numbers; amplitudes are compared with those of the source notes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import pi, sin

import numpy as np

import fecontact as fc

FREQUENCIES = (22.814, 43.082, 67.472, 113.64)
BEAM = fc.load_module("waltersberger/delaminated_beam")


@dataclass(frozen=True)
class Clatter(fc.Parameters):
    """Waltersberger, example 5.10; the beam itself is that of the case `delaminated_beam`."""

    damping: float = fc.quantity(0.5, "kg/(m s)", fc.POSITIVE)
    force: float = fc.quantity(10.0, "N", fc.POSITIVE)
    frequency: float = fc.quantity(22.8, "Hz", fc.POSITIVE)
    modes: int = fc.quantity(11, "", fc.at_least(2), numerical=True)
    step: float = fc.quantity(1e-4, "s", fc.POSITIVE, numerical=True)
    until: float = fc.quantity(12.0, "s", fc.POSITIVE, numerical=True)


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
    """Beam in modal coordinates.

    Attributes
    ----------
    omega : (n,)
        Frequencies in rad/s.
    body, drive
        Beam and load.
    gaps : (21, n), end : (n,)
        Opening of the gap along its length, and deflection of the end of the left part.
    """

    omega: fc.Floats
    body: fc.ModalBody
    drive: Drive
    gaps: fc.Floats
    end: fc.Floats

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


def model(p: Clatter) -> Model:
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


def main(run: fc.Run[Clatter]) -> None:
    """Frequencies, linear response, clatter."""
    p = run.parameters
    beam = model(p)
    for number, value in enumerate(FREQUENCIES):
        run.check(
            f"frequency {number + 1}",
            float(beam.omega[number]) / (2 * pi),
            value,
            unit="Hz",
            tolerance=1e-4 * value,
            kind="digest",
            source="Waltersberger 2007, example 5.10, recomputed",
            formula=True,
        )
    run.check("first frequency", float(beam.omega[0]) / (2 * pi), 22.8, unit="Hz", tolerance=0.05,
              kind="published", source="Waltersberger example 5.10", formula=True)  # fmt: skip
    amplitudes = beam.linear()
    for name, shape, value in (
        ("gap", beam.gaps[10], 18.3),
        ("end of the left part", beam.end, 16.9),
    ):
        run.check(f"amplitude without contact, {name}", 1e3 * float(abs(shape @ amplitudes)), value,
                  unit="mm", tolerance=0.05 * value, kind="digest",
                  source="Waltersberger 2007, example 5.10, recomputed")  # fmt: skip
    clatter(run, beam, 0.15 if run.quick else p.until)


def clatter(run: fc.Run[Clatter], beam: Model, until: float) -> None:
    """Motion with contact; the last half second is steady."""
    p = run.parameters
    motion = fc.simulate(beam.system, until, None, "moreau", 1e-3, step=p.step)
    run.audit(motion)
    gaps, end = 1e3 * motion.q @ beam.gaps.T, 1e3 * motion.q @ beam.end
    run.check("deepest penetration", float(-gaps.min()), 0.2, unit="mm", relation="le",
              kind="trend", source="velocity level: of the order of a closing step")  # fmt: skip
    run.check("residual of complementarity", float(fc.contact_residuals(motion)[-1]), 1e-10,
              relation="le", kind="closed_form", source="tolerance of the solver",
              formula=True)  # fmt: skip
    if not run.quick:
        steady = motion.t > until - 0.5
        for name, mine, value in (
            ("largest gap in the middle", float(gaps[steady, 10].max()), 2.687),
            ("end of the left part, up", float(end[steady].max()), 2.225),
            ("end of the left part, down", float(end[steady].min()), -2.286),
        ):
            run.check(f"steady clatter: {name}", mine, value, unit="mm",
                      tolerance=0.03 * abs(value), kind="digest",
                      source="Waltersberger 2007, example 5.10, recomputed")  # fmt: skip
    shown = motion.t > until - 0.15
    curves = {"gap in the middle": gaps[shown, 10], "end of the left part": end[shown]}
    figure = fc.view.curves_plot(motion.t[shown], curves, "time / s", "deflection / mm")
    run.figure("clatter", figure)


CASE = fc.Case(
    title="delaminated beam that clatters",
    verifies=("Waltersberger T10",),
    parameters=Clatter(),
    run=main,
    quick_s=8.0,
)

if __name__ == "__main__":
    CASE.main(__file__)
