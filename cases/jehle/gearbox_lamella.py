"""Gearbox with an elastic clutch plate: instabilities III, IVa, IVb and II (Jehle 7.2).

The input shaft of `gearbox_radial` presses on the elastic plate of `elastic_disc` instead of a
rigid one. Its radial motion along the plane of action, its axial motion and its rotation now couple
with the umbrella mode of the plate and with the waves that run around it. The source names

- III, as in the rigid gearbox, about 400 Hz;
- IVa, the umbrella mode with the radial motion, 700 to 800 Hz, small growth;
- IVb, a running wave with the radial motion, 700 to 800 Hz, only for thinner plates;
- II, at positive slip.

The model reproduces IVb and both of the frequencies, but with III and IVa at exchanged inertias of
the shaft: the radial mode, sqrt(c_1r/(m_1 + J_1/r_b1^2)), has 663 Hz at j_1 = 0.05 and 397 Hz at
0.3. The prints of III and IVa may be exchanged. Numbers of the source belong to its Ritz basis of
one radial function; those of the converged finite-element basis are given beside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import atan, pi, tan

import numpy as np

import fecontact as fc

disc = fc.load_module("jehle/elastic_disc")
rigid = fc.load_module("jehle/gearbox_axial")
SOURCE_NOTES = {"kind": "source_notes", "source": "Jehle 2016, section 7.2, recomputed"}
WHERE = "source notes: III/IVa NOT reproduced as printed, II at 5 mm NOT found"
EXCHANGED = (
    "the two printed sets of data behave as if exchanged: j_1 = 0.05 gives 736 Hz, and about "
    "400 Hz belongs to j_1 of 0.2 to 0.38 at small helix angles",
    WHERE,
)
ABSENT = ("no mode grows at positive slip up to tan(beta_b) = 1.4 with the 5 mm plate", WHERE)
KEYS = ["slope", "clutch_speed", "inertia_ratio", "thickness", "plate_damping", "basis"]
"""Parameters that the rows set."""


@dataclass(frozen=True)
class LamellaGearbox(disc.ElasticDisc):
    """Jehle, appendix A.4, the set of IVb; `slope` is tan(beta_b), the clutch drives the gear."""

    thickness: float = fc.quantity(0.003, "m", fc.POSITIVE)
    plate_speed: float = fc.quantity(400.0, "rad/s")
    plate_damping: float = fc.quantity(1e-4, "N m s", fc.NON_NEGATIVE)
    clutch_mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    clutch_speed: float = fc.quantity(420.0, "rad/s")
    radial_stiffness: float = fc.quantity(27e6, "N/m", fc.POSITIVE)
    contact_stiffness: float = fc.quantity(7e6, "N/m", fc.POSITIVE)
    load: float = fc.quantity(3000.0, "N", fc.POSITIVE)
    inertia_ratio: float = fc.quantity(0.3, "", fc.POSITIVE)
    slope: float = fc.quantity(1.2, "", fc.NON_NEGATIVE)
    base_radius: float = fc.quantity(0.03, "m", fc.POSITIVE)
    centre_distance: float = fc.quantity(0.068, "m", fc.POSITIVE)
    basis: str = fc.quantity("Ritz", "", fc.one_of(["Ritz", "FE"]))

    @property
    def inertia(self) -> float:
        """J_1 in kg m^2."""
        return self.inertia_ratio * self.clutch_mass * self.contact_radius**2

    def along(self, slope: float) -> LamellaGearbox:
        """Return the parameters at sign(slip) tan(beta_b), slip of the same size."""
        slip = abs(self.plate_speed - self.clutch_speed)
        speed = self.plate_speed - (slip if slope > 0.0 else -slip)
        return replace(self, slope=abs(slope), clutch_speed=speed)


REFERENCES = fc.References("""
    iii_set      | growth rate, set of III, 5 mm                      | 8.98  | 1/s | 0.1
    iii_at       | frequency, set of III, 5 mm                        | 736.0 | Hz  | 0.5
    small_set    | growth rate, j_1 = 0.3, tan(beta_b) = 0.1, 5 mm    | 131.7 | 1/s | 0.3
    small_at     | frequency, j_1 = 0.3, tan(beta_b) = 0.1, 5 mm      | 408.0 | Hz  | 0.5
    ivb_set      | growth rate, set of IVb, 3 mm                      | 1.55  | 1/s | 0.1
    ivb_at       | frequency, set of IVb, 3 mm                        | 766.9 | Hz  | 0.5
    undamped     | IVb: growth rate, at d_i = 0 N m s                 | 2.84  | 1/s | 0.1
    damped       | IVb: growth rate, at d_i = 0.0002 N m s            | 0.27  | 1/s | 0.1
    more_damped  | IVb: growth rate, at d_i = 0.0005 N m s            | -3.5  | 1/s | 0.1
    most_damped  | IVb: growth rate, at d_i = 0.001 N m s             | -9.3  | 1/s | 0.1
    *         | Jehle 2016, section 7.2, recomputed
        | source_notes; varied=slope, clutch_speed, inertia_ratio, thickness, plate_damping, basis
    iii_frequency | III: about 400 Hz | in 350.0 450.0 | Hz
    iva_printed   | set of IVa, 5 mm | is stable |  |
        | Jehle 2016, section 7.2, recomputed | source_notes
    iva           | IVa: grows at 700 to 800 Hz | is unstable
    feeds | what feeds | is mode coupling (clutch) | | | Jehle 2016, section 8.4 | trend; fixed
    along         | displacement along the normal of the active flank, fraction | >= 0.99 |  |
        | Jehle 2016, section 7.2: it follows the active flank
    ivb_frequency | IVb: frequency, about 750 Hz | in 700.0 800.0 | Hz
    ivb_damping   | IVb: damping of the plate that stops it | in 1e-4 5e-4 | N m s |
        | Jehle 2016, figure 8.7b: d_i suppresses it
    ii_positive   | II: grows at positive slip, 5 mm | is unstable
    ii_growing    | II: growing mode, 1.8 mm, positive slip | in 824.0 835.0 | Hz |
        | Jehle 2016, section 7.2, recomputed | source_notes
    *             | Jehle 2016, section 7.2, figures 7.9 to 7.14
        | published; varied=slope, clutch_speed, inertia_ratio, thickness, plate_damping, basis
""")


@fc.cached_by("basis", *disc.PLATE)
def basis_of(p: LamellaGearbox) -> fc.HarmonicModel:
    """Reduced plate, the same one for all parameters that do not concern it."""
    if p.basis == "Ritz":
        return fc.ritz_harmonic(disc.plate(p), p.harmonics)
    return fc.reduce_harmonic(disc.plate(p), p.contact_radius, p.harmonics, p.modes)


def build(p: LamellaGearbox) -> fc.System:
    """Input shaft, countershaft and lamella, with clutch and gear."""
    shaft = rigid_shaft(p)
    facing = fc.ring(p.contact_radius, p.ring_points, height=p.thickness / 2)
    length = facing.measure
    spring = fc.PenaltyNormal(p.contact_stiffness / length, p.contact_damping / length)
    face, law = fc.PlateFace(lamella(p)), fc.CoulombSliding(p.friction)
    return geared(p, shaft, fc.ContactPair(shaft, facing, face, spring, law, "clutch"))


def rigid_shaft(p: LamellaGearbox) -> fc.RigidBody:
    """Input shaft with its disc; it does not tilt."""
    dofs = ("ux", "uy", "uz", "spin")
    return fc.RigidBody("input shaft", p.clutch_mass, dofs, inertia=(p.inertia,) * 3)


def lamella(p: LamellaGearbox) -> fc.SpinningDisc:
    """The elastic plate on the engine's side."""
    model = basis_of(p)
    return fc.SpinningDisc("lamella", model, p.plate_speed, p.plate_damping, p.damping_rate)


def geared(
    p: LamellaGearbox, shaft: fc.RigidBody | fc.SpinningDisc, clutch: fc.ContactPair
) -> fc.System:
    """Input shaft in its bearing, pressed on the lamella, with its gear on the countershaft."""
    position = (p.centre_distance, 0.0, 0.0)
    counter = fc.RigidBody("countershaft", 1.0, (), position=position, spin=-p.clutch_speed)
    gears = fc.GearPair((30, 30), p.base_radius, p.centre_distance, atan(p.slope))
    damping, flank = (p.bearing_damping,) * 2, "front" if p.plate_speed > p.clutch_speed else "rear"
    bearing = fc.Bearing(shaft, p.radial_stiffness, p.axial_stiffness, *damping)
    mesh, load = fc.GearMesh(shaft, counter, gears, flank), fc.Force(shaft, (0.0, 0.0, -p.load))
    return fc.System([shaft, counter, clutch.master.body], [bearing, load, clutch, mesh])


def near(modes: fc.ComplexModes, frequency: float) -> complex:
    """Eigenvalue of the mode next to a frequency in Hz that grows fastest within 3 %."""
    close = np.abs(modes.frequency - frequency) < 0.03 * frequency
    z = modes.eigenvalues[close]
    return complex(z[np.argmax(z.real)])


def thick(p: LamellaGearbox) -> LamellaGearbox:
    """Plate of 5 mm, negative slip of 30 rad/s: the sets of III and IVa."""
    return replace(p, thickness=0.005, clutch_speed=430.0)


def main(run: fc.Run[LamellaGearbox]) -> None:
    """The four kinds of instability."""
    third_kind(run)
    running_wave(run)
    positive_slip(run)


def growing(name: str, point: fc.OperatingPoint) -> dict[str, float]:
    """Fastest growth and its frequency, by the names of their references."""
    modes = point.modes
    return {f"{name}_set": modes.leading_growth, f"{name}_at": modes.leading_frequency}


def third_kind(run: fc.Run[LamellaGearbox]) -> None:
    """III and IVa: the printed sets, and where the frequencies of the source are."""
    p = thick(run.parameters)
    printed = replace(p, inertia_ratio=0.05, slope=tan(pi / 10))
    # the source drops terms in the height of the tilted face (docs/verification.md): 0.5 %
    third = fc.operating_point(build(printed))
    run.row(REFERENCES, "iii_frequency", third.modes.leading_frequency, known_deviation=EXCHANGED)
    fourth = fc.operating_point(build(replace(p, inertia_ratio=0.3, slope=tan(pi / 10)))).modes
    verdict = "stable" if fourth.stable else "unstable"
    run.row(REFERENCES, "iva", verdict, known_deviation=EXCHANGED)
    small = replace(p, inertia_ratio=0.3, slope=0.1)
    low = fc.operating_point(build(small))
    found = growing("iii", third) | growing("small", low) | {"iva_printed": verdict}
    for name, point in (("III", low), ("IVa", third)):
        run.row(REFERENCES, "feeds", fc.mechanism(point.balance()), label=name)
    u = third.steady.state.q[:2]
    normal = third.system.constraint(third.steady.state).jacobian[0, :2]
    along = abs(float(u @ normal)) / float(np.linalg.norm(u) * np.linalg.norm(normal))
    run.compare(REFERENCES, found | {"along": along}, part=True)


def running_wave(run: fc.Run[LamellaGearbox]) -> None:
    """IVb: the set of the source, and how damping of the plate stops it."""
    p = run.parameters
    wave = fc.operating_point(build(p))
    run.figure("power_running_wave", fc.view.power_plot(wave.balance()))
    found = growing("ivb", wave) | {"ivb_frequency": wave.modes.leading_frequency}
    damping = {"undamped": 0.0, "damped": 2e-4, "more_damped": 5e-4, "most_damped": 1e-3}
    for name, value in damping.items():
        modes = fc.operating_point(build(replace(p, plate_damping=value))).modes
        found[name] = near(modes, 767.0).real
    by_damping = fc.Branch(lambda d: build(replace(p, plate_damping=d)))
    found["ivb_damping"] = rigid.boundary(by_damping, 0.0, 5e-4)
    run.compare(REFERENCES, found, part=True)
    fe = fc.operating_point(build(replace(p, basis="FE"))).modes
    grows = f"{fe.leading_growth:+.2f} 1/s at {fe.leading_frequency:.1f} Hz"
    run.note(f"On the converged basis IVb grows with {grows}.")


def positive_slip(run: fc.Run[LamellaGearbox]) -> None:
    """II: none at 5 mm, a strip at 1.8 mm."""
    base = replace(thick(run.parameters), inertia_ratio=0.05)
    slopes = np.linspace(0.1, 1.4, 3 if run.quick else 27)
    grown = [fc.operating_point(build(base.along(s))).modes.leading_growth for s in slopes]
    verdict = "stable" if max(grown) < 0.0 else "unstable"
    run.row(REFERENCES, "ii_positive", verdict, known_deviation=ABSENT)
    thin = replace(base, thickness=0.0018)
    for slope in (0.2, 0.6, 1.0):
        modes = fc.operating_point(build(thin.along(slope))).modes
        growing = modes.frequency[modes.growth > 0.0]
        nearest = growing[np.argmin(np.abs(growing - 830.0))] if growing.size else None
        run.row(REFERENCES, "ii_growing", nearest, label=f"tan(beta_b) = {slope:g}")


CASE = fc.Case(__doc__, ("Jehle T22",), LamellaGearbox(), main, quick_s=20, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
