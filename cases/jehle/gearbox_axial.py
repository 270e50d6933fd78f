"""Rigid gearbox, axial and torsional dofs: flutter and self-locking (Jehle 4.1.1).

The input shaft carries the clutch disc and a helical gear; it moves along its axis and turns. The
engine plate moves axially and runs faster by the slip, the countershaft turns at its speed. The
clutch torque loads the teeth, their axial force moves the shaft, and that changes the pressure of
the clutch: with x = mu sign(slip) R tan(beta_b)/r_b1

    M = diag(m_1 + J_1 (tan(beta_b)/r_b1)^2, m_3),
    K + N = [[c_1a + c_1n (1 - x), -c_1n (1 - x)], [-c_1n, c_1n + c_3]]       (Jehle 4.3)

is not symmetric. The two axial modes flutter, and beyond x = 1 + c_1a/c_1n + c_1a/c_3 (Jehle 4.7)
the clutch locks itself: closed, it diverges. A load that presses has no sliding equilibrium there,
but one that pulls has: the linear motion about it is what the source calls divergence.

The text of the source exchanges c_1a/c_1n and c_3/c_1n; the data are those of its appendix. Damping
is proportional to stiffness, as the text says (the appendix rounds it). Influences of inertia, load
and slip are in `gearbox_influences`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import atan, pi

import numpy as np
from scipy.optimize import minimize_scalar

import fecontact as fc

OVERLAP = 1e-4
"""Overlap of the facing in the reference position in m: Newton starts in closed contact. The load
is reduced by what the overlap presses."""

AXIAL = ("uz", "spin")
TABLE = {
    0.0: ((-0.20, 183.86), (-1.56, 517.32)),
    0.55: ((-0.22, 195.06), (-0.51, 296.20)),
    0.8: ((35.4, 191.4), (-35.8, 191.2)),
    1.0: ((-0.10, 128.0), (-0.15, 161.6)),
    1.2: ((85.6, 0.0), (-85.5, 0.0), (-0.19, 178.7)),
}
"""tan(beta_b) -> eigenvalues / 2 pi in Hz of the source notes."""


@dataclass(frozen=True)
class Gearbox(fc.Parameters):
    """Jehle, appendix A.1; `slope` is tan(beta_b), `inertia_ratio` j_1 = J_1/(m_1 R^2)."""

    shaft_mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    inertia_ratio: float = fc.quantity(0.05, "", fc.POSITIVE)
    plate_mass: float = fc.quantity(10.0, "kg", fc.POSITIVE)
    load: float = fc.quantity(500.0, "N", fc.POSITIVE)
    plate_speed: float = fc.quantity(400.0, "rad/s", fc.POSITIVE)
    slip: float = fc.quantity(50.0, "rad/s", fc.NONZERO)
    slope: float = fc.quantity(0.831, "", fc.NON_NEGATIVE)
    axial_stiffness: float = fc.quantity(0.3e7, "N/m", fc.POSITIVE)
    radial_stiffness: float = fc.quantity(1.2e7, "N/m", fc.POSITIVE)
    contact_stiffness: float = fc.quantity(0.7e7, "N/m", fc.POSITIVE)
    plate_stiffness: float = fc.quantity(1.2e7, "N/m", fc.POSITIVE)
    axial_damping: float = fc.quantity(13.0 * 3.0 / 7.0, "N s/m", fc.NON_NEGATIVE)
    radial_damping: float = fc.quantity(22.0, "N s/m", fc.NON_NEGATIVE)
    contact_damping: float = fc.quantity(13.0, "N s/m", fc.NON_NEGATIVE)
    plate_damping: float = fc.quantity(13.0 * 12.0 / 7.0, "N s/m", fc.NON_NEGATIVE)
    friction: float = fc.quantity(0.3, "", fc.NON_NEGATIVE)
    contact_radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    base_radius: float = fc.quantity(0.02, "m", fc.POSITIVE)
    centre_distance: float = fc.quantity(0.045, "m", fc.POSITIVE)
    ring_points: int = fc.quantity(12, "", fc.at_least(3), numerical=True)
    points: int = fc.quantity(81, "", fc.at_least(3), numerical=True)
    shaft_speed = fc.derived("speed of the input shaft in rad/s", lambda p: p.plate_speed - p.slip)
    inertia = fc.derived(
        "J_1 in kg m^2", lambda p: p.inertia_ratio * p.shaft_mass * p.contact_radius**2
    )

    @property
    def locking_slope(self) -> float:
        """tan(beta_b) at which the clutch locks itself for positive slip (Jehle 4.7)."""
        c = self.axial_stiffness
        stiffness = 1.0 + c / self.contact_stiffness + c / self.plate_stiffness
        return stiffness * self.base_radius / (self.friction * self.contact_radius)

    @property
    def pull(self) -> float:
        """Force on the shaft along z in N: the load presses, unless the clutch locks itself."""
        locked = self.slip > 0.0 and self.slope > self.locking_slope
        return (self.load if locked else -self.load) + self.axial_stiffness * OVERLAP

    def along(self, slope: float) -> Gearbox:
        """Return the parameters at sign(slip) tan(beta_b)."""
        return replace(self, slope=abs(slope), slip=abs(self.slip) * (-1.0 if slope < 0.0 else 1.0))


REFERENCES = fc.References("""
    onset   | onset of flutter, tan(beta_b), about 0.7 | in 0.65 0.75
    end     | end of flutter, tan(beta_b), about 1     | in 0.95 1.05
    *       | Jehle 2016, section 4.1.1, figures 4.2 and 4.3 | published
    fastest   | largest growth rate | 226.5                     | 1/s | 0.1
    slope     | its tan(beta_b)     | 0.831                     |     | 1e-3
    frequency | its frequency       | 184.6                     | Hz  | 0.1
    feeds     | what feeds it       | is mode coupling (clutch) |     |
        | only circulatory term | closed_form; fixed
    *         | Jehle 2016, section 4.1.1, recomputed | source_notes
    eigenvalues | largest error of the eigenvalues / 2 pi | 0.0 | Hz | 0.06
    *           | Jehle 2016, section 4.1.1, recomputed | source_notes; varied=slope
    boundary   | tan(beta_b) |  |  | 1e-4 | Jehle 2016, section 4.1.1, recomputed | source_notes
    divergence | divergence, tan(beta_b) |  |  | 1e-6 | Jehle 2016, (4.7)
""")


def input_shaft(p: Gearbox, dofs: tuple[str, ...], name: str = "input shaft") -> fc.RigidBody:
    """Input shaft with clutch disc and gear 1."""
    return fc.RigidBody(name, p.shaft_mass, dofs, inertia=(p.inertia,) * 3)


def clutch(
    p: Gearbox, disc: fc.RigidBody, plate: fc.RigidBody, name: str = "clutch", height: float = 0.0
) -> fc.ContactPair:
    """Ring of the disc that slides on the engine plate below it."""
    facing = fc.ring(p.contact_radius, p.ring_points, height).with_gap(-OVERLAP)
    length = facing.measure
    spring = fc.PenaltyNormal(p.contact_stiffness / length, p.contact_damping / length)
    return fc.ContactPair(
        disc, facing, fc.RigidFace(plate, fc.Plane()), spring, fc.CoulombSliding(p.friction), name
    )


def supports(p: Gearbox, shaft: fc.RigidBody, plate: fc.RigidBody) -> list[fc.Bearing]:
    """Bearings of the input shaft and of the engine plate."""
    shaft_data = p.radial_stiffness, p.axial_stiffness, p.radial_damping, p.axial_damping
    plate_data = 0.0, p.plate_stiffness, 0.0, p.plate_damping
    held = fc.Bearing(shaft, *shaft_data, name="shaft bearing")
    return [held, fc.Bearing(plate, *plate_data, name="plate bearing")]


def teeth(p: Gearbox, shaft: fc.RigidBody, countershaft: fc.RigidBody) -> fc.GearMesh:
    """Ideal mesh of two equal gears on the flank that the slip loads."""
    gears = fc.GearPair((30, 30), p.base_radius, p.centre_distance, atan(p.slope))
    return fc.GearMesh(shaft, countershaft, gears, "front" if p.slip > 0.0 else "rear")


def build(p: Gearbox, dofs: tuple[str, ...] = AXIAL) -> fc.System:
    """Input shaft, countershaft and engine plate, with clutch and gear."""
    shaft = input_shaft(p, dofs)
    position = (p.centre_distance, 0.0, 0.0)
    counter = fc.RigidBody("countershaft", 1.0, (), position=position, spin=-p.shaft_speed)
    plate = fc.RigidBody("engine plate", p.plate_mass, ("uz",), spin=p.plate_speed)
    load = fc.Force(shaft, (0.0, 0.0, p.pull))
    contact = clutch(p, shaft, plate)
    items = [*supports(p, shaft, plate), load, contact, teeth(p, shaft, counter)]
    return fc.System([shaft, counter, plate], items)


def slopes(p: Gearbox) -> fc.Branch:
    """Operating points over sign(slip) tan(beta_b)."""
    return fc.Branch(lambda slope: build(p.along(slope)))


def boundary(branch: fc.Branch, low: float, high: float) -> float | None:
    """Stability boundary between two values; None if other parameters have none there."""
    try:
        return fc.critical_value(branch, low, high).value
    except (fc.InputError, fc.SolverError):
        return None


def flutter_range(
    branch: fc.Branch, inside: float, low: float, high: float
) -> tuple[float | None, float | None]:
    """Boundaries of the flutter around a slope, between two stable ones."""
    return boundary(branch, inside, low), boundary(branch, inside, high)


def locking_slope(branch: fc.Branch, expected: float) -> float:
    """Slope near an expected one at which det(K + N) changes sign, by a polynomial.

    The boundary itself has no equilibrium: the clutch force grows without bound towards it.
    """
    low, high = 0.9 * expected, 1.1 * expected
    samples = np.linspace(low, high, 8)
    values = [np.linalg.det(branch.at(slope).model.by_position) for slope in samples]
    roots = np.polynomial.Polynomial.fit(samples, values, 7).roots()
    inside = (np.abs(roots.imag) < 1e-9) & (roots.real > low) & (roots.real < high)
    return float(roots.real[inside][0])


def main(run: fc.Run[Gearbox]) -> None:
    """Boundaries, the fastest growth, eigenvalues, and the modes over the helix angle."""
    p = run.parameters
    branch = slopes(p)
    boundaries(run, branch)
    fastest(run, branch)
    eigenvalues(run)
    tracks = fc.track_modes(branch, np.linspace(1.4, 0.0, 15 if run.quick else p.points))
    run.figure("modes", fc.view.tracks_plot(tracks, "tan(beta_b), positive slip"))


def boundaries(run: fc.Run[Gearbox], branch: fc.Branch) -> None:
    """Flutter, a stable gap, and self-locking."""
    p = run.parameters
    onset, end = flutter_range(branch, 0.831, 0.3, 1.05)
    locking = locking_slope(branch, p.locking_slope)
    run.compare(REFERENCES, {"onset": onset, "end": end}, part=True)
    run.row(REFERENCES, "boundary", onset, 0.6668, label="onset of flutter")
    run.row(REFERENCES, "boundary", end, 0.9858, label="end of flutter")
    run.row(REFERENCES, "divergence", locking, p.locking_slope)


def fastest(run: fc.Run[Gearbox], branch: fc.Branch) -> None:
    """Largest growth rate over the helix angle, and what feeds it."""

    def growth(slope: float) -> float:
        return -branch.at(slope).modes.leading_growth

    top = float(minimize_scalar(growth, bounds=(0.7, 0.95), method="bounded").x)
    modes = branch.at(top).modes
    computed = {
        "fastest": modes.leading_growth,
        "slope": top,
        "frequency": modes.leading_frequency,
        "feeds": fc.mechanism(branch.at(top).balance()),
    }
    run.compare(REFERENCES, computed, part=True)


def eigenvalues(run: fc.Run[Gearbox]) -> None:
    """Eigenvalues at five helix angles; the source notes have two decimals."""
    for slope, expected in TABLE.items():
        modes = fc.operating_point(build(run.parameters.along(slope))).modes
        known = np.array([complex(*pair) for pair in expected])
        found = modes.eigenvalues / (2.0 * pi)
        distance = np.abs(known[:, None] - found).min(axis=1)
        run.row(REFERENCES, "eigenvalues", distance.max(), label=f"at tan(beta_b) = {slope:g}")


CASE = fc.Case(__doc__, ("Jehle T7",), Gearbox(), main, quick_s=8, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
