"""Squeal of an elastic friction disc beyond the source: surface contact, and both discs elastic.

The operating point of `elastic_disc` on its finite-element basis. The source takes line contact
and a rigid clutch disc, and names the rest as open.

- Surface contact: a facing of the width b with the same stiffness in total. Towards b = 0 it is the
  line, with b^2; wide facings squeal less: their edges slide against the bending of the plate.
- Both discs elastic: the clutch disc is a steel plate, clamped to a hub that translates and spins
  (`Hub`), with the same mass in total. For large Young's moduli it is the rigid disc, with
  1/E. A real plate lowers the frequency and moves the speeds that squeal.

References are these limits, and integration in time of a small disturbance with both discs elastic.
"""

import warnings
from dataclasses import dataclass, replace

import numpy as np

import fecontact as fc

line = fc.load_module("jehle/elastic_disc")
SMALL = 1e-9
"""Largest displacement of the small disturbance in m."""


@dataclass(frozen=True)
class Extended(line.ElasticDisc):
    """Jehle's data; facing and plate of the clutch disc are ours."""

    facing_width: float = fc.quantity(0.02, "m", fc.POSITIVE)
    lamella_inner: float = fc.quantity(0.06, "m", fc.POSITIVE)
    lamella_outer: float = fc.quantity(0.115, "m", fc.POSITIVE)
    lamella_thickness: float = fc.quantity(0.002, "m", fc.POSITIVE)
    lamella_young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    lamella_density: float = fc.quantity(7800.0, "kg/m^3", fc.POSITIVE)
    bristle_stiffness: float = fc.quantity(12e7, "N/m", fc.POSITIVE)
    bristle_damping: float = fc.quantity(100.0, "N s/m", fc.NON_NEGATIVE)
    radial_points: int = fc.quantity(4, "", fc.at_least(1), numerical=True)
    time_steps: int = fc.quantity(400, "", fc.at_least(50), numerical=True)

    @property
    def facing(self) -> fc.Surface:
        """Facing of the clutch disc, on the upper face of the plate."""
        half = 0.5 * self.facing_width
        points = self.radial_points, self.ring_points
        inner, outer = self.contact_radius - half, self.contact_radius + half
        return fc.annulus_surface(inner, outer, points, 0.5 * self.thickness)

    @property
    def circle(self) -> fc.Surface:
        """Line of contact."""
        return fc.ring(self.contact_radius, self.ring_points, 0.5 * self.thickness)


REFERENCES = fc.References("""
    facing        | facing | 0.25 |  | 0.02
    facing_change | facing: change of the eigenvalue with more points along the radius | 0.0 | 1/s |
        | finer quadrature | cross_method
    *             | second order in the width
    lamella | lamella | 0.1 |  | 0.005 | first order in 1/E
""")
IN_TIME = fc.References("""
    growth    | both discs elastic: growth rate in time |  | 1/s | 0.01 rel
    frequency | both discs elastic: frequency in time   |  | Hz  | 1e-4 rel
    *         | linearisation with bristles as states | cross_method
""")


def normal(p: Extended, surface: fc.Surface) -> fc.PenaltyNormal:
    """Stiffness and damping of the contact, shared by its points."""
    return fc.PenaltyNormal(
        p.contact_stiffness / surface.measure, p.contact_damping / surface.measure
    )


def assembled(
    p: Extended, clutch: fc.RigidBody | fc.SpinningDisc, contact: fc.ContactPair
) -> fc.System:
    """Clutch disc in its bearing, pressed on the plate."""
    damping = (p.bearing_damping,) * 2
    bearing = fc.Bearing(clutch, p.radial_stiffness, p.axial_stiffness, *damping)
    plate = contact.master.body
    return fc.System([clutch, plate], [bearing, fc.Force(clutch, (0.0, 0.0, -p.load)), contact])


def plate(p: Extended) -> fc.SpinningDisc:
    """The plate of the source on the finite-element basis."""
    model = line.shared_model(p)
    return fc.SpinningDisc("plate", model, p.plate_speed, p.plate_damping, p.damping_rate)


def surface_contact(p: Extended) -> fc.System:
    """Rigid clutch disc with a facing of finite width."""
    clutch = fc.RigidBody("clutch", p.clutch_mass, spin=p.clutch_speed)
    facing, face = p.facing, fc.PlateFace(plate(p))
    law = fc.CoulombSliding(p.friction)
    return assembled(p, clutch, fc.ContactPair(clutch, facing, face, normal(p, facing), law))


def both_elastic(p: Extended, stiffer: float = 1.0) -> fc.System:
    """Elastic clutch disc, the Young's modulus of its plate times a factor; line contact."""
    model = lamella(p, stiffer)
    hub = fc.Hub(p.clutch_mass - model.plate.total_mass)
    clutch = fc.SpinningDisc("clutch", model, p.clutch_speed, hub=hub)
    return assembled(p, clutch, between(p, clutch, p.circle, plate(p)))


def lamella(p: Extended, stiffer: float = 1.0) -> fc.HarmonicModel:
    """Plate of the clutch disc, clamped to its hub, its Young's modulus times a factor."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "young = .* is stiffer than diamond")
        material = fc.Material(stiffer * p.lamella_young, p.poisson, p.lamella_density)
    ring_plate = fc.HarmonicPlate(p.lamella_inner, p.lamella_outer, p.lamella_thickness, material,
                               {"inner": "clamped"}, elements=p.elements)  # fmt: skip
    return fc.reduce_harmonic(ring_plate, p.contact_radius, p.harmonics, p.modes)


def between(
    p: Extended,
    clutch: fc.SpinningDisc,
    surface: fc.Surface,
    disc: fc.SpinningDisc,
) -> fc.EulerianPair:
    """Contact of two elastic discs, with bristles that spin with the clutch disc."""
    law = fc.ElastoPlastic(p.friction, p.bristle_stiffness / surface.measure,
                        p.bristle_damping / surface.measure)  # fmt: skip
    return fc.EulerianPair(clutch, surface, fc.PlateFace(disc), normal(p, surface), law)


def leading(system: fc.System) -> complex:
    """Eigenvalue in 1/s that grows fastest, friction of sliding points."""
    modes = fc.complex_modes(fc.linearise(system, fc.steady_state(system).state))
    return complex(modes.eigenvalues[modes.leading])


def main(run: fc.Run[Extended]) -> None:
    """Both extensions with their limits, in time, and over the plate speed."""
    p = run.parameters
    base = leading(line.system(p))
    surface_limit(run, base)
    rigid_limit(run, base)
    for words, system in (
        ("line contact, rigid clutch disc", line.system(p)),
        (f"facing of {1e3 * p.facing_width:g} mm", surface_contact(p)),
        (f"elastic clutch plate of {1e3 * p.lamella_thickness:g} mm", both_elastic(p)),
    ):
        z = leading(system)
        run.note(f"{words}: {z.real:+.2f} 1/s at {z.imag / (2 * np.pi):.1f} Hz.")
    in_time(run)
    speeds(run)


def surface_limit(run: fc.Run[Extended], base: complex) -> None:
    """Facings of half the width come four times closer to the line."""
    p = run.parameters
    widths = 0.008 / 2.0 ** np.arange(3)
    errors = [abs(leading(surface_contact(replace(p, facing_width=b))) - base) for b in widths]
    for b, wider, error in zip(widths[1:], errors, errors[1:], strict=False):
        label = f"of {1000.0 * b:g} mm: distance to the line, over that of twice the width"
        run.row(REFERENCES, "facing", error / wider, label=label)
    fine = leading(surface_contact(replace(p, radial_points=p.radial_points + 3)))
    change = abs(fine - leading(surface_contact(p)))
    run.row(REFERENCES, "facing_change", change, tolerance=0.01 * abs(fine.real))


def rigid_limit(run: fc.Run[Extended], base: complex) -> None:
    """A plate with ten times the modulus comes ten times closer to the rigid clutch disc."""
    p = run.parameters
    factors = 10.0 ** np.arange(4, 7)
    errors = [abs(leading(both_elastic(p, factor)) - base) for factor in factors]
    for factor, softer, error in zip(factors[1:], errors, errors[1:], strict=False):
        label = f"with {factor:g} E: distance to the rigid disc, over that of a tenth"
        run.row(REFERENCES, "lamella", error / softer, label=label)


def in_time(run: fc.Run[Extended]) -> None:
    """Both discs elastic: growth of a small disturbance by the implicit method."""
    p, system = run.parameters, both_elastic(run.parameters)
    mode = fc.disturbance(system, fc.steady_state(system).state)
    period = 1.0 / mode.frequency
    end, fine = (0.25 if run.quick else 3.0) * period, {"step": period / p.time_steps}
    start, output = mode.start(SMALL), 0.05 * period
    motion = fc.simulate(system, end, start, "implicit", output, rho_inf=1.0, **fine)
    compare_in_time(run, mode, mode.measured(motion))


def compare_in_time(run: fc.Run[Extended], mode: fc.Disturbance, found: complex) -> None:
    """Compare an eigenvalue that a motion shows with that of the linearisation."""
    computed = {
        "growth": (found.real, mode.growth),
        "frequency": (found.imag / (2 * np.pi), mode.frequency),
    }
    run.compare(IN_TIME, computed)


def speeds(run: fc.Run[Extended]) -> None:
    """Growth over the plate speed, of all three models."""
    p = run.parameters
    speeds = p.clutch_speed * np.linspace(0.85, 1.65, 9 if run.quick else 120)
    models = {
        "line": line.system,
        f"facing {1e3 * p.facing_width:g} mm": surface_contact,
        "both elastic": both_elastic,
    }
    studies = {}
    for name, build in models.items():
        at = lambda speed, build=build: build(replace(p, plate_speed=speed))  # noqa: E731
        studies[name] = fc.sweep(at, speeds, name)
    marks = {"clutch speed (no slip)": p.clutch_speed, "operating point": p.plate_speed}
    figure = fc.view.sweep_plot(studies, "plate speed / (rad/s)", marks)
    run.figure("speed_sweep", figure)


CASE = fc.Case(__doc__, ("Jehle T21, extensions",), Extended(), main, quick_s=12)

if __name__ == "__main__":
    CASE.main(__file__)
