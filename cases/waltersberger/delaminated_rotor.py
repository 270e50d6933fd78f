"""Stability of a delaminated shaft (Waltersberger, example 5.13).

The pinned beam of `delaminated_beam` with a square section turns at Omega. In its own frame

    M q'' + (Omega G + D) q' + (K - Omega^2 K_c + Omega P) q = 0            (Waltersberger 5.125)

with the damping d_a per length of the air that stands still: D, and with it the circulatory P. The
gap makes the shaft unequally stiff in its two planes. Between the first two critical speeds it is
statically unstable; above them Coriolis forces stabilise it, but not from 36 Hz on, where modes of
both planes meet, nor beyond the third critical speed. All matrices are those of the beam model; D
and P are mass and Coriolis matrices of a beam that has the mass d_a per length. They are reduced to
vibration modes of the beam at rest.
"""

from dataclasses import dataclass, replace

import numpy as np

import fecontact as fc

split = fc.load_module("waltersberger/delaminated_beam")
UNIT = 0.1
"""Mass per length in kg/m of the beam that stands for the damping of 1 kg/(m s)."""
BOUNDARIES = (
    (22.5, 23.3, 22.8),
    (23.5, 24.2, 23.9),
    (36.0, 37.5, 36.4),
    (40.5, 42.3, 41.8),
    (43.0, 43.5, 43.05),
)
"""Speeds in Hz on both sides of a boundary, and the boundary of the source notes."""


@dataclass(frozen=True)
class DelaminatedRotor(split.DelaminatedBeam):
    """Data of example 5.13; `air` is d_a."""

    width: float = fc.quantity(0.01, "m", fc.POSITIVE)
    air: float = fc.quantity(1.0, "kg/(m s)", fc.NON_NEGATIVE)
    elements: int = fc.quantity(16, "", fc.at_least(4), numerical=True)
    modes: int = fc.quantity(16, "", fc.at_least(4), numerical=True)


BOUNDARY = fc.References("""
    speed | boundary |  | Hz | 0.1 | Waltersberger 2007, example 5.13, recomputed | source_notes
""")
REFERENCES = fc.References("""
    gyroscopic | no gyroscopic stabilisation from about 38 Hz (plot) on | in 36.0 38.0 | Hz
    third      | third critical speed, never stable beyond              | 43.1         | Hz  | 0.05
    beyond     | smallest growth rate up to 90 Hz                       | >= 0.0       | 1/s
    *          | Waltersberger 2007, example 5.13 | published
""")
NO_AIR = fc.References("""
    speed | boundary with little damping: critical speed |  | Hz | 1e-4 rel
    *     | det(K - Omega^2 K_c) = 0, bending frequency at rest | fixed; varied=air
""")


class Rotor:
    """Reduced matrices of the shaft."""

    def __init__(self, p: DelaminatedRotor) -> None:
        beam = split.beam(p, "spatial")
        light = [
            replace(part, material=replace(part.material, density=UNIT / part.section.area))
            for part in beam.segments
        ]
        air = fc.Beam(light, beam.supports, theory=beam.theory, motion=beam.motion)
        self.p = p
        self.omega, X = fc.vibration_modes(beam.stiffness, beam.mass, beam.free, p.modes)
        turning, dragged = (body.rotation((1.0, 0.0, 0.0)) for body in (beam, air))

        def reduced(matrix: fc.Floats) -> fc.Floats:
            return np.asarray(X.T @ (matrix @ X))

        self.mass, self.stiffness = reduced(beam.mass), reduced(beam.stiffness)
        self.coriolis, self.softening = reduced(turning.gyroscopic), reduced(turning.centrifugal)
        self.drag, self.circulatory = reduced(air.mass), 0.5 * reduced(dragged.gyroscopic)

    def model(self, hertz: float, air: float | None = None) -> fc.LinearModel:
        """Small motions at a speed in Hz, in the frame of the shaft."""
        speed, drag = 2.0 * np.pi * hertz, (self.p.air if air is None else air) / UNIT
        return fc.LinearModel.of(
            self.mass,
            speed * self.coriolis + drag * self.drag,
            self.stiffness - speed**2 * self.softening + speed * drag * self.circulatory,
            {"shaft": slice(0, len(self.mass))},
        )


def main(run: fc.Run[DelaminatedRotor]) -> None:
    """Stability boundaries, the limit of small damping, and the modes over the speed."""
    rotor = Rotor(run.parameters)
    branch = fc.MatrixBranch(rotor.model)
    found = [fc.critical_value(branch, low, high).value for low, high, _ in BOUNDARIES]
    for value, (_, _, boundary) in zip(found, BOUNDARIES, strict=True):
        run.compare(BOUNDARY, {"speed": (value, boundary)}, label=f"near {boundary:g} Hz")
    beyond = np.linspace(43.2, 90.0, 20 if run.quick else 200)
    least = min(branch.at(speed).modes.leading_growth for speed in beyond)
    run.compare(REFERENCES, {"gyroscopic": found[2], "third": found[4], "beyond": least})
    # with little damping the first zone lies between the first two critical speeds
    still = fc.MatrixBranch(lambda hertz: rotor.model(hertz, air=1e-4))
    for k, (low, high, _) in enumerate(BOUNDARIES[:2]):
        pair = (fc.critical_value(still, low, high).value, rotor.omega[k] / (2.0 * np.pi))
        run.compare(NO_AIR, {"speed": pair}, label=f"{k + 1}")
    speeds = np.linspace(50.0, 10.0, 81 if run.quick else 321)
    growth = np.array([branch.at(speed).modes.leading_growth for speed in speeds])
    axes = "speed / Hz", "largest growth rate / (1/s)"
    figure = fc.view.curves_plot(speeds, {"shaft": growth}, *axes, zero_line=True)
    run.figure("growth", figure)
    low = [k for k, f in enumerate(branch.at(50.0).modes.frequency) if f < 120.0]
    run.figure("modes", fc.view.tracks_plot(fc.track_modes(branch, speeds, low), "speed / Hz"))


CASE = fc.Case(__doc__, ("Waltersberger T12",), DelaminatedRotor(), main, quick_s=5)

if __name__ == "__main__":
    CASE.main(__file__)
