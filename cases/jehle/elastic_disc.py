"""Squeal of an elastic friction disc (Jehle 7.1, the point of his figure 7.6; digest T21).

A rigid clutch disc, free to move in x, y, z on a viscoelastic bearing and spinning at 300 rad/s, is
pressed with 5 kN on an annular steel plate that spins at 390 rad/s on a simply supporting carrier.
Friction acts at half the plate's thickness above its mid-surface and couples the radial whirl of
the clutch disc with the forward wave of the plate's one-nodal-diameter mode: type II squeal.

Two bases describe the plate. The Ritz basis of the source has one radial function, r_o - r, and
tests the contact law against its numbers. The finite-element basis is converged, and is the result.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from fecontact.analysis import (
    ComplexModes,
    SteadyState,
    Sweep,
    complex_modes,
    linearise,
    steady_state,
    sweep,
)
from fecontact.body import RigidBody, SpinningDisc
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact import (
    ContactPair,
    CoulombSliding,
    EulerianPair,
    PenaltyNormal,
    PlateFace,
    ring,
)
from fecontact.contact.laws.base import FrictionLaw
from fecontact.errors import NON_NEGATIVE, POISSON, POSITIVE, InputError, at_least, one_of
from fecontact.fem import HarmonicPlate, Material
from fecontact.joint import Bearing, Force
from fecontact.mesh import solid_annulus
from fecontact.reduction import HarmonicModel, reduce_harmonic, ritz_harmonic
from fecontact.system import System
from fecontact.view import plots
from fecontact.view.modes import save_complex_modes
from fecontact.view.vtk import hexahedra

DIGEST = {"kind": "digest", "source": "digest Jehle T21"}
CONVERGED = "separate script, converged radial basis"


@dataclass(frozen=True)
class ElasticDisc(Parameters):
    """Jehle, appendix A.4; damping coefficient d_i read as in the digest, section 2.5.6."""

    inner_radius: float = quantity(0.08, "m", POSITIVE)
    outer_radius: float = quantity(0.12, "m", POSITIVE)
    thickness: float = quantity(0.005, "m", POSITIVE)
    young: float = quantity(210e9, "Pa", POSITIVE)
    poisson: float = quantity(0.3, "", POISSON)
    density: float = quantity(7800.0, "kg/m^3", POSITIVE)
    plate_speed: float = quantity(390.0, "rad/s")
    plate_damping: float = quantity(5e-4, "N m s", NON_NEGATIVE)
    damping_rate: str = quantity("partial", "", one_of(["partial", "material"]))
    clutch_mass: float = quantity(0.5, "kg", POSITIVE)
    clutch_speed: float = quantity(300.0, "rad/s")
    radial_stiffness: float = quantity(32e6, "N/m", POSITIVE)
    axial_stiffness: float = quantity(3e6, "N/m", POSITIVE)
    bearing_damping: float = quantity(10.0, "N s/m", NON_NEGATIVE)
    contact_radius: float = quantity(0.1, "m", POSITIVE)
    contact_stiffness: float = quantity(12e6, "N/m", POSITIVE)
    contact_damping: float = quantity(10.0, "N s/m", NON_NEGATIVE)
    friction: float = quantity(0.3, "", NON_NEGATIVE)
    load: float = quantity(5000.0, "N", POSITIVE)
    ring_points: int = quantity(24, "", at_least(3), numerical=True)
    elements: int = quantity(15, "", at_least(2), numerical=True)
    harmonics: int = quantity(4, "", at_least(1), numerical=True)
    modes: int = quantity(2, "", at_least(1), numerical=True)
    sweep_points: int = quantity(500, "", at_least(2), numerical=True)

    def validate(self) -> None:
        """Steady sliding needs slip, and a wave needs more than two points to be seen."""
        least = 2 * self.harmonics + 1
        if self.ring_points < least:
            raise InputError(
                f"ring_points = {self.ring_points} is not possible: {self.harmonics} harmonics "
                f"need at least {least}"
            )
        if self.plate_speed == self.clutch_speed:
            raise InputError(
                f"plate_speed = clutch_speed = {self.plate_speed} rad/s is not possible: without "
                "slip there is no sliding equilibrium; choose different speeds"
            )


def plate(p: ElasticDisc) -> HarmonicPlate:
    """Annular plate, simply supported on its outer edge."""
    steel = Material(p.young, p.poisson, p.density)
    supports = {"outer": "simply_supported"}
    return HarmonicPlate(
        p.inner_radius, p.outer_radius, p.thickness, steel, supports, elements=p.elements
    )


def build(p: ElasticDisc, model: HarmonicModel, friction: FrictionLaw | None = None) -> System:
    """Clutch disc and plate with bearing, load and ring contact; friction in time needs a law."""
    disc = SpinningDisc("plate", model, p.plate_speed, p.plate_damping, p.damping_rate)
    clutch = RigidBody("clutch", p.clutch_mass, spin=p.clutch_speed)
    bearing = Bearing(
        clutch,
        radial_stiffness=p.radial_stiffness,
        axial_stiffness=p.axial_stiffness,
        radial_damping=p.bearing_damping,
        axial_damping=p.bearing_damping,
    )
    facing = ring(p.contact_radius, p.ring_points, height=p.thickness / 2)
    spring = PenaltyNormal(p.contact_stiffness / facing.measure, p.contact_damping / facing.measure)
    contact = (
        ContactPair(clutch, facing, PlateFace(disc), spring, CoulombSliding(p.friction))
        if friction is None
        else EulerianPair(clutch, facing, PlateFace(disc), spring, friction)
    )
    return System([clutch, disc], [bearing, Force(clutch, (0.0, 0.0, -p.load)), contact])


@cache
def fe_model(
    inner: float, outer: float, thickness: float, young: float, poisson: float, density: float,
    radius: float, elements: int, harmonics: int, modes: int,
) -> HarmonicModel:  # fmt: skip
    """Reduced plate, made once for all systems that share it."""
    p = ElasticDisc(
        inner_radius=inner, outer_radius=outer, thickness=thickness, young=young, poisson=poisson,
        density=density, elements=elements,
    )  # fmt: skip
    return reduce_harmonic(plate(p), radius, harmonics, modes)


def system(p: ElasticDisc) -> System:
    """Clutch disc and plate on the finite-element basis."""
    model = fe_model(
        p.inner_radius, p.outer_radius, p.thickness, p.young, p.poisson, p.density,
        p.contact_radius, p.elements, p.harmonics, p.modes,
    )  # fmt: skip
    return build(p, model)


def analyse(p: ElasticDisc, model: HarmonicModel) -> tuple[SteadyState, ComplexModes]:
    """Steady sliding state and its complex modes."""
    system = build(p, model)
    steady = steady_state(system)
    return steady, complex_modes(linearise(system, steady.state))


def run(run: Run[ElasticDisc]) -> None:
    """Analyse the operating point and sweep the plate speed, on both bases."""
    p = run.parameters
    ritz = ritz_harmonic(plate(p), p.harmonics)
    fe = reduce_harmonic(plate(p), p.contact_radius, p.harmonics, p.modes)
    ritz_modes = operating_point(run, "Ritz", ritz, (13.77, 0.1), (1276.8, 0.2), -0.513e-3)
    fe_modes = operating_point(run, "FE", fe, (15.2, 0.5), (1272.9, 2.5), -0.520e-3)
    run.note(
        f"Why the bases differ: one radial function is too stiff. The plate alone has its "
        f"one-nodal-diameter mode at {ritz.frequencies_of(1)[0] / (2 * np.pi):.1f} Hz on the Ritz "
        f"basis and at {fe.frequencies_of(1)[0] / (2 * np.pi):.1f} Hz on the FE basis, where it "
        f"also bends more under the ring load. This shifts the match with the radial whirl of the "
        f"clutch, on which the growth rate depends."
    )
    variations(run, ritz)
    studies = {"Ritz": speed_sweep(run, "Ritz", ritz), "FE": speed_sweep(run, "FE", fe)}
    borders(run, studies["Ritz"])
    figure = plots.growth_over_frequency({"Ritz": ritz_modes, "FE": fe_modes}, highest=5500.0)
    plots.save(figure, run.path("growth_over_frequency.png"))
    marks = {"clutch speed (no slip)": p.clutch_speed, "operating point": p.plate_speed}
    figure = plots.sweep_plot(studies, "plate speed / (rad/s)", marks)
    plots.save(figure, run.path("speed_sweep.png"))
    mode_files(run, fe, fe_modes)


def operating_point(
    run: Run[ElasticDisc],
    basis: str,
    model: HarmonicModel,
    growth: tuple[float, float],
    frequency: tuple[float, float],
    displacement: float,
) -> ComplexModes:
    """Compare the operating point with the references (value, tolerance) of one basis."""
    steady, modes = analyse(run.parameters, model)
    digest = {**DIGEST, "source": "digest Jehle T21" if basis == "Ritz" else CONVERGED}
    rows = (
        ("growth rate", modes.leading_growth, *growth, "1/s"),
        ("squeal frequency", modes.leading_frequency, *frequency, "Hz"),
        ("axial displacement of the clutch", float(steady.state.q[2]), displacement, 1e-6, "m"),
    )
    for quantity_, computed, reference, tolerance, unit in rows:
        run.check(
            quantity_, computed, reference, tolerance=tolerance, unit=unit, basis=basis, **digest
        )
    about = {"reference": (1250.0, 1350.0), "relation": "in", "unit": "Hz"}
    published = {"kind": "published", "source": "Jehle 7.1, figure 7.6", "basis": basis}
    run.check("squeal frequency, about 1300 Hz", modes.leading_frequency, **about, **published)
    if basis == "Ritz":
        slope = {"computed": float(steady.state.q[3]), "reference": -0.01127, "tolerance": 2e-5}
        run.check("static slope of the plate", **slope, basis=basis, **digest)
    contact = steady.contacts["contact"]
    shares = ", ".join(f"{b} {part[modes.leading]:.0%}" for b, part in modes.participation.items())
    verdict = "stable" if modes.stable else "it squeals"
    run.note(
        f"{basis}: {verdict}, {modes.leading_growth:+.2f} 1/s at {modes.leading_frequency:.1f} Hz; "
        f"kinetic energy of this mode: {shares}; {contact.sliding} of "
        f"{contact.sliding + contact.open} contact points slide, none sticks."
    )
    return modes


def variations(run: Run[ElasticDisc], ritz: HarmonicModel) -> None:
    """Squeal needs a bearing stiffness that matches the plate; damping lowers the growth."""
    for stiffness, expected in ((30e6, "stable"), (32e6, "unstable"), (34.5e6, "stable")):
        _, modes = analyse(replace(run.parameters, radial_stiffness=stiffness), ritz)
        run.check(
            f"at radial stiffness {stiffness / 1e6:g} MN/m",
            "stable" if modes.stable else "unstable",
            expected,
            relation="is",
            basis="Ritz",
            varied=["radial_stiffness"],
            **DIGEST,
        )
    _, undamped = analyse(replace(run.parameters, plate_damping=0.0), ritz)
    run.check(
        "growth rate without plate damping",
        undamped.leading_growth,
        18.1,
        unit="1/s",
        tolerance=0.1,
        basis="Ritz",
        varied=["plate_damping"],
        **DIGEST,
    )


def speed_sweep(run: Run[ElasticDisc], basis: str, model: HarmonicModel) -> Sweep:
    """Sweep the plate speed around the clutch speed."""
    p = run.parameters
    points = min(p.sweep_points, 60) if run.quick else p.sweep_points
    speeds = (p.clutch_speed or p.plate_speed) * np.linspace(0.85, 1.65, points)
    study = sweep(
        lambda speed: build(replace(p, plate_speed=speed), model), speeds, f"{basis} basis, speed"
    )
    for index, reason in study.failures.items():
        run.note(f"{basis}, plate speed {study.values[index]:.2f} rad/s: {reason}")
    return study


def borders(run: Run[ElasticDisc], study: Sweep) -> None:
    """Lowest and highest plate speed that squeals, relative to the clutch speed."""
    speed = run.parameters.clutch_speed or run.parameters.plate_speed
    step = float(study.values[1] - study.values[0]) / speed
    ends = np.ravel(study.unstable) / speed
    for name, end, reference in (("lowest", 0, 0.96), ("highest", -1, 1.50)):
        run.check(
            f"{name} speed ratio that squeals",
            float(ends[end]) if ends.size else None,
            reference,
            tolerance=0.005 + step,
            basis="Ritz",
            varied=["plate_speed"],
            **DIGEST,
        )


def mode_files(run: Run[ElasticDisc], model: HarmonicModel, modes: ComplexModes) -> None:
    """Write the six fastest growing modes for ParaView, and a picture of the first."""
    p = run.parameters
    half = p.thickness / 2
    width = 0.1 * min(p.outer_radius - p.inner_radius, p.contact_radius)
    disc = solid_annulus(p.inner_radius, p.outer_radius, -half, half, 12, 96)
    facing = solid_annulus(
        p.contact_radius - width, p.contact_radius + width, 2 * half, 4 * half, 2, 96
    )
    fields = {}
    for number in np.argsort(-modes.growth)[:6]:
        clutch, plate_modes = np.split(modes.vectors[:, number], [3])
        motion = model.reconstruct(plate_modes, disc.p)
        rigid = np.repeat(clutch[:, None], facing.nvertices, axis=1)
        label = f"{modes.frequency[number]:.1f} Hz, {modes.growth[number]:+.2f} 1/s, mode {number}"
        fields[label] = np.hstack([motion, rigid]).T
    saved = save_complex_modes(
        run.out,
        hexahedra([disc, facing]),
        fields,
        name="squeal_mode",
        amplitude=0.1 * p.outer_radius,
        title="fastest growing mode",
    )
    run.attach(saved)


CASE = Case(
    title="squeal of an elastic friction disc, figure 7.6 point",
    proves=("Jehle T21",),
    parameters=ElasticDisc(),
    run=run,
    quick_s=6,
    system=system,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
