"""Squeal of an elastic friction disc (Jehle 7.1, the point of his figure 7.6).

A rigid clutch disc, free to move in x, y, z on a viscoelastic bearing and spinning at 300 rad/s, is
pressed with 5 kN on an annular steel plate that spins at 390 rad/s on a simply supporting carrier.
Friction acts at half the plate's thickness above its mid-surface and couples the radial whirl of
the clutch disc with the forward wave of the plate's one-nodal-diameter mode: type II squeal.

Two bases describe the plate. The Ritz basis of the source has one radial function, r_o - r, and
tests the contact law against its numbers. The finite-element basis is converged, and is the result.
"""

from dataclasses import dataclass, replace

import numpy as np

import fecontact as fc

PLATE = ("inner_radius", "outer_radius", "thickness", "young", "poisson", "density",
         "contact_radius", "elements", "harmonics", "modes", "ring_points")  # fmt: skip
"""Parameters of the plate, of its reduction, and of the ring that loads it."""
SOURCES = {
    "Ritz": "Jehle 2016, section 7.1, recomputed",
    "FE": "separate script, converged radial basis",
}


@dataclass(frozen=True)
class ElasticDisc(fc.Parameters):
    """Jehle, appendix A.4; damping coefficient d_i read as in the source notes, section 2.5.6."""

    inner_radius: float = fc.quantity(0.08, "m", fc.POSITIVE)
    outer_radius: float = fc.quantity(0.12, "m", fc.POSITIVE)
    thickness: float = fc.quantity(0.005, "m", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.3, "", fc.POISSON)
    density: float = fc.quantity(7800.0, "kg/m^3", fc.POSITIVE)
    plate_speed: float = fc.quantity(390.0, "rad/s")
    plate_damping: float = fc.quantity(5e-4, "N m s", fc.NON_NEGATIVE)
    damping_rate: str = fc.quantity("partial", "", fc.one_of(["partial", "material"]))
    clutch_mass: float = fc.quantity(0.5, "kg", fc.POSITIVE)
    clutch_speed: float = fc.quantity(300.0, "rad/s")
    radial_stiffness: float = fc.quantity(32e6, "N/m", fc.POSITIVE)
    axial_stiffness: float = fc.quantity(3e6, "N/m", fc.POSITIVE)
    bearing_damping: float = fc.quantity(10.0, "N s/m", fc.NON_NEGATIVE)
    contact_radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    contact_stiffness: float = fc.quantity(12e6, "N/m", fc.POSITIVE)
    contact_damping: float = fc.quantity(10.0, "N s/m", fc.NON_NEGATIVE)
    friction: float = fc.quantity(0.3, "", fc.NON_NEGATIVE)
    load: float = fc.quantity(5000.0, "N", fc.POSITIVE)
    ring_points: int = fc.quantity(24, "", fc.at_least(3), numerical=True)
    elements: int = fc.quantity(15, "", fc.at_least(2), numerical=True)
    harmonics: int = fc.quantity(4, "", fc.at_least(1), numerical=True)
    modes: int = fc.quantity(2, "", fc.at_least(1), numerical=True)
    sweep_points: int = fc.quantity(500, "", fc.at_least(2), numerical=True)

    def validate(self) -> None:
        """Steady sliding needs slip, and a wave needs more than two points to be seen."""
        least = 2 * self.harmonics + 1
        if self.ring_points < least:
            raise fc.InputError(
                f"invalid ring_points = {self.ring_points}: expected at least {least} for "
                f"{self.harmonics} harmonics"
            )
        if self.plate_speed == self.clutch_speed:
            raise fc.InputError(
                f"invalid plate_speed = {self.plate_speed} rad/s: expected slip, another speed "
                "than clutch_speed"
            )


POINT = fc.References("""
    growth    | growth rate                      |  | 1/s
    frequency | squeal frequency                 |  | Hz
    axial     | axial displacement of the clutch |  | m   | 1e-6
    about     | squeal frequency, about 1300 Hz  | in 1250.0 1350.0 | Hz |
        | Jehle 2016, section 7.1, figure 7.6 | published
    *         | Jehle 2016, section 7.1, recomputed | source_notes
""")
REFERENCES = fc.References("""
    slope  | static slope of the plate | -0.01127 |  | 2e-5
    radial | at radial stiffness               | is   |     |     |  | varied=radial_stiffness
    growth | growth rate without plate damping | 18.1 | 1/s | 0.1 |  | varied=plate_damping
    *      | Jehle 2016, section 7.1, recomputed | source_notes; basis=Ritz
    speed | speed ratio that squeals
    *     | Jehle 2016, section 7.1, recomputed | source_notes; basis=Ritz; varied=plate_speed
""")


def plate(p: ElasticDisc) -> fc.HarmonicPlate:
    """Annular plate, simply supported on its outer edge."""
    steel = fc.Material(p.young, p.poisson, p.density)
    supports = {"outer": "simply_supported"}
    sizes = p.inner_radius, p.outer_radius, p.thickness
    return fc.HarmonicPlate(*sizes, steel, supports, elements=p.elements)


def build(
    p: ElasticDisc, model: fc.HarmonicModel, friction: fc.FrictionLaw | None = None
) -> fc.System:
    """Clutch disc and plate with bearing, load and ring contact; friction in time needs a law."""
    disc = fc.SpinningDisc("plate", model, p.plate_speed, p.plate_damping, p.damping_rate)
    clutch = fc.RigidBody("clutch", p.clutch_mass, spin=p.clutch_speed)
    stiffness, damping = (p.radial_stiffness, p.axial_stiffness), (p.bearing_damping,) * 2
    bearing = fc.Bearing(clutch, *stiffness, *damping)
    facing = fc.ring(p.contact_radius, p.ring_points, height=p.thickness / 2)
    length = facing.measure
    spring = fc.PenaltyNormal(p.contact_stiffness / length, p.contact_damping / length)
    sides = clutch, facing, fc.PlateFace(disc), spring
    if friction is None:
        contact = fc.ContactPair(*sides, fc.CoulombSliding(p.friction))
    else:
        contact = fc.EulerianPair(*sides, friction)
    return fc.System([clutch, disc], [bearing, fc.Force(clutch, (0.0, 0.0, -p.load)), contact])


@fc.cached_by(*PLATE)
def shared_model(p: ElasticDisc) -> fc.HarmonicModel:
    """Reduced plate, the same one for all parameters that do not concern it."""
    return fc.reduce_harmonic(plate(p), p.contact_radius, p.harmonics, p.modes)


def system(p: ElasticDisc) -> fc.System:
    """Clutch disc and plate on the finite-element basis."""
    return build(p, shared_model(p))


def analyse(p: ElasticDisc, model: fc.HarmonicModel) -> tuple[fc.SteadyState, fc.ComplexModes]:
    """Steady sliding state and its complex modes."""
    system = build(p, model)
    steady = fc.steady_state(system)
    return steady, fc.complex_modes(fc.linearise(system, steady.state))


def main(run: fc.Run[ElasticDisc]) -> None:
    """Analyse the operating point and sweep the plate speed, on both bases."""
    p = run.parameters
    ritz = fc.ritz_harmonic(plate(p), p.harmonics)
    fe = fc.reduce_harmonic(plate(p), p.contact_radius, p.harmonics, p.modes)
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
    boundaries(run, studies["Ritz"])
    figure = fc.view.growth_over_frequency({"Ritz": ritz_modes, "FE": fe_modes}, highest=5500.0)
    run.figure("growth_over_frequency", figure)
    marks = {"clutch speed (no slip)": p.clutch_speed, "operating point": p.plate_speed}
    figure = fc.view.sweep_plot(studies, "plate speed / (rad/s)", marks)
    run.figure("speed_sweep", figure)
    mode_files(run, fe, fe_modes)


def operating_point(
    run: fc.Run[ElasticDisc],
    basis: str,
    model: fc.HarmonicModel,
    growth: tuple[float, float],
    frequency: tuple[float, float],
    displacement: float,
) -> fc.ComplexModes:
    """Compare the operating point with the references (value, tolerance) of one basis."""
    steady, modes = analyse(run.parameters, model)
    computed = {
        "growth": (modes.leading_growth, growth[0]),
        "frequency": (modes.leading_frequency, frequency[0]),
        "axial": (steady.state.q[2], displacement),
    }
    digits = {"growth": growth[1], "frequency": frequency[1]}
    about = {"basis": basis, "source": SOURCES[basis]}
    run.compare(POINT, computed, part=True, tolerances=digits, **about)
    run.row(POINT, "about", modes.leading_frequency, basis=basis)
    if basis == "Ritz":
        run.row(REFERENCES, "slope", steady.state.q[3])
    contact = steady.contacts["contact"]
    fractions = ", ".join(
        f"{b} {part[modes.leading]:.0%}" for b, part in modes.participation.items()
    )
    verdict = "stable" if modes.stable else "it squeals"
    run.note(
        f"{basis}: {verdict}, {modes.leading_growth:+.2f} 1/s at {modes.leading_frequency:.1f} Hz; "
        f"kinetic energy of this mode: {fractions}; {contact.sliding} of "
        f"{contact.sliding + contact.open} contact points slide, none sticks."
    )
    return modes


def variations(run: fc.Run[ElasticDisc], ritz: fc.HarmonicModel) -> None:
    """Squeal needs a bearing stiffness that matches the plate; damping lowers the growth."""
    for stiffness, expected in ((30e6, "stable"), (32e6, "unstable"), (34.5e6, "stable")):
        _, modes = analyse(replace(run.parameters, radial_stiffness=stiffness), ritz)
        verdict, label = "stable" if modes.stable else "unstable", f"{stiffness / 1e6:g} MN/m"
        run.row(REFERENCES, "radial", verdict, expected, label=label)
    _, undamped = analyse(replace(run.parameters, plate_damping=0.0), ritz)
    run.row(REFERENCES, "growth", undamped.leading_growth)


def speed_sweep(run: fc.Run[ElasticDisc], basis: str, model: fc.HarmonicModel) -> fc.Sweep:
    """Sweep the plate speed around the clutch speed."""
    p = run.parameters
    points = min(p.sweep_points, 60) if run.quick else p.sweep_points
    speeds = (p.clutch_speed or p.plate_speed) * np.linspace(0.85, 1.65, points)
    at = lambda speed: build(replace(p, plate_speed=speed), model)  # noqa: E731
    study = fc.sweep(at, speeds, f"{basis} basis, speed")
    for index, reason in study.failures.items():
        run.note(f"{basis}, plate speed {study.values[index]:.2f} rad/s: {reason}")
    return study


def boundaries(run: fc.Run[ElasticDisc], study: fc.Sweep) -> None:
    """Lowest and highest plate speed that squeals, relative to the clutch speed."""
    speed = run.parameters.clutch_speed or run.parameters.plate_speed
    step = float(study.values[1] - study.values[0]) / speed
    ends = np.ravel(study.unstable) / speed
    for name, end, reference in (("lowest", 0, 0.96), ("highest", -1, 1.50)):
        found = float(ends[end]) if ends.size else None
        run.row(REFERENCES, "speed", found, reference, 0.005 + step, label=name)


def mode_files(run: fc.Run[ElasticDisc], model: fc.HarmonicModel, modes: fc.ComplexModes) -> None:
    """Write the six fastest growing modes for ParaView, and a picture of the first."""
    p = run.parameters
    half = p.thickness / 2
    width = 0.1 * min(p.outer_radius - p.inner_radius, p.contact_radius)
    disc = fc.solid_annulus(p.inner_radius, p.outer_radius, -half, half, 12, 96)
    edges = p.contact_radius - width, p.contact_radius + width
    facing = fc.solid_annulus(*edges, 2 * half, 4 * half, 2, 96)
    fields = {}
    for number in np.argsort(-modes.growth)[:6]:
        clutch, plate_modes = np.split(modes.vectors[:, number], [3])
        motion = model.reconstruct(plate_modes, disc.p)
        rigid = np.repeat(clutch[:, None], facing.nvertices, axis=1)
        label = f"{modes.frequency[number]:.1f} Hz, {modes.growth[number]:+.2f} 1/s, mode {number}"
        fields[label] = np.hstack([motion, rigid]).T
    about = {"amplitude": 0.1 * p.outer_radius, "title": "fastest growing mode"}
    picture = fc.view.hexahedra([disc, facing])
    run.attach(fc.view.save_complex_modes(run.out, picture, fields, name="squeal_mode", **about))


CASE = fc.Case(__doc__, ("Jehle T21",), ElasticDisc(), main, quick_s=6, system=system)

if __name__ == "__main__":
    CASE.main(__file__)
