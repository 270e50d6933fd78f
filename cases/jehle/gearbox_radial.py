"""Rigid gearbox with radial dofs: flutter at both signs of slip (Jehle 4.1.2).

The input shaft of `gearbox_axial` now also moves across its axis, on a radially isotropic bearing.
The tooth force pushes it along the plane of action, whose angle follows the displacement, and the
friction ring slides off centre. Its modes in the source's order: engine plate, shaft axial, shaft
radial along the plane of action (it carries the rotation along), shaft radial normal to it. At
positive slip modes 1 and 2 flutter as without radial dofs. At negative slip the other flank
carries the load, and modes 2 and 3 meet: nearly three times the frequency, from small helix angles
on. That region touches tan(beta_b) = 0 where the two frequencies agree,

    j_1* = (r_b1/R)^2 (c_1r/(m_1 omega_ax^2) - 1),

omega_ax the larger axial frequency of the chain of two masses.
"""

from dataclasses import dataclass, replace
from math import pi

import numpy as np
from scipy.optimize import minimize_scalar

import fecontact as fc

influences = fc.load_module("jehle/gearbox_influences")
gearbox = influences.gearbox
RADIAL = ("ux", "uy", "uz", "spin")
NEGATIVE = {0.3: (127.6, 497.3, 0.06), 0.55: (185.2, 504.9, 0.06), 1.0: (134.0, 506.4, 0.6)}
"""tan(beta_b) at negative slip -> growth rate, frequency, and half a digit of the growth rate."""


@dataclass(frozen=True)
class RadialGearbox(gearbox.Gearbox):
    """Jehle, appendix A.1, figures 4.7 to 4.9."""

    slope: float = fc.quantity(0.55, "", fc.NON_NEGATIVE)
    slip: float = fc.quantity(-50.0, "rad/s")
    axial_damping: float = fc.quantity(6.0, "N s/m", fc.NON_NEGATIVE)
    plate_damping: float = fc.quantity(22.0, "N s/m", fc.NON_NEGATIVE)
    base_radius: float = fc.quantity(0.03, "m", fc.POSITIVE)
    centre_distance: float = fc.quantity(0.068, "m", fc.POSITIVE)

    @property
    def axial_frequency(self) -> float:
        """Larger angular frequency in rad/s of shaft and plate along the axis, undamped."""
        c = self.contact_stiffness
        m_1, m_3 = self.shaft_mass, self.plate_mass
        a, b = (self.axial_stiffness + c) / m_1, (self.plate_stiffness + c) / m_3
        return float(np.sqrt((a + b) / 2 + np.sqrt((a - b) ** 2 / 4 + c**2 / (m_1 * m_3))))

    @property
    def tip(self) -> float:
        """j_1 at which the region of negative slip touches tan(beta_b) = 0."""
        lever = self.base_radius / self.contact_radius
        radial = self.radial_stiffness / (self.shaft_mass * self.axial_frequency**2)
        return lever**2 * (radial - 1.0)


# the source notes scan tan(beta_b) in steps of 2e-3
REFERENCES = fc.References("""
    tooth        | tooth force                           | 505.6 | N | 0.05 |  | varied=slope, slip
    ux          | displacement, ux       | -17.4  | um  | 0.06 |  | varied=slope, slip
    uy          | displacement, uy       | -32.6  | um  | 0.06 |  | varied=slope, slip
    uz          | displacement, uz       | -100.2 | um  | 0.06 |  | varied=slope, slip
    plate_uz    | displacement, plate uz | -36.9  | um  | 0.06 |  | varied=slope, slip
    frequency_1 | frequency, of mode 1   | 189.8  | Hz  | 0.06 |  | varied=slope, slip
    growth_1    | growth rate, of mode 1 | -1.3   | 1/s | 0.06 |  | varied=slope, slip
    frequency_2 | frequency, of mode 2   | 322.7  | Hz  | 0.06 |  | varied=slope, slip
    growth_2    | growth rate, of mode 2 | -4.9   | 1/s | 0.06 |  | varied=slope, slip
    frequency_3 | frequency, of mode 3   | 534.8  | Hz  | 0.06 |  | varied=slope, slip
    growth_3    | growth rate, of mode 3 | -14.0  | 1/s | 0.06 |  | varied=slope, slip
    frequency_4 | frequency, of mode 4   | 551.0  | Hz  | 0.06 |  | varied=slope, slip
    growth_4    | growth rate, of mode 4 | -17.7  | 1/s | 0.06 |  | varied=slope, slip
    normal       | mode 4, normal to the plane of action |  | Hz | 0.001 rel
        | sqrt(c_1r/m_1)/2 pi, to 0.1 % | closed_form
    *            | Jehle 2016, section 4.1.2, recomputed | source_notes
    onset | positive slip, onset of flutter, tan(beta_b)     | 0.896 |  | 2e-3
    end   | positive slip, end of flutter, tan(beta_b)       | 1.446 |  | 2e-3
    again | positive slip, unstable again from, tan(beta_b)  | 1.588 |  | 2e-3
    positive_slip | positive slip: onset, tan(beta_b) about 1 | in 0.85 1.15 | |
        | Jehle 2016, section 4.1.2, figures 4.7 to 4.9 | published
    negative_onset | negative slip, onset of flutter, sign tan(beta_b) | -0.186 |  | 2e-3
    negative_end   | negative slip, end of flutter, sign tan(beta_b)   | -1.21  |  | 2e-3
    growth_rate | growth rate | | 1/s
    tip_frequency | frequency | | Hz | 0.06
    feeds | what feeds it | is mode coupling (clutch) | | | Jehle 2016, section 4.1.2 | trend; fixed
    frequency_negative | frequency, negative over positive slip (almost three) | in 2.3 3.0 | |
        | Jehle 2016, section 4.1.2, figures 4.7 to 4.9 | published
    * | Jehle 2016, section 4.1.2, recomputed | source_notes; varied=slope, slip
    tip     | negative slip: j_1 at the tip of the region |           |  | 0.01 rel
    verdict | negative slip                               | is stable |  |
        | Jehle 2016, section 4.1.2, recomputed | source_notes; varied=slope, slip, inertia_ratio
    *       | Jehle 2016, section 8.3, recomputed | full
    softer | c_1r = 28 MN/m, negative slip | is
    *      | Jehle 2016, section 4.1.2, recomputed
        | source_notes; varied=slope, slip, inertia_ratio, radial_stiffness
    loaded | loaded flank | is |  |  | Jehle 2016, section 3.2, (3.65) | published; formula
""")


def build(p: RadialGearbox) -> fc.System:
    """Gearbox with four dofs of the input shaft."""
    return gearbox.build(p, RADIAL)


def slopes(p: RadialGearbox) -> fc.Branch:
    """Operating points over sign(slip) tan(beta_b)."""
    return fc.Branch(lambda slope: build(p.along(slope)))


def main(run: fc.Run[RadialGearbox]) -> None:
    """Operating point, boundaries at both signs of slip, the tip, and the map."""
    branch = slopes(run.parameters)
    equilibrium(run, branch.at(0.55))
    positive_slip(run, branch)
    negative_slip(run, branch)
    flanks(run)
    if not run.quick:
        tip(run)
    for name, end in (("positive", 1.55), ("negative", -1.4)):
        tracks = fc.track_modes(branch, np.linspace(0.01 * end, end, 8 if run.quick else 61))
        figure = fc.view.tracks_plot(tracks, "sign(slip) tan(beta_b)")
        run.figure(f"modes_{name}_slip", figure)
    run.figure("power_negative_slip", fc.view.power_plot(branch.at(-0.55).balance()))
    maps(run)


def equilibrium(run: fc.Run[RadialGearbox], point: fc.OperatingPoint) -> None:
    """State and eigenvalues at positive slip, tan(beta_b) = 0.55."""
    state, modes, p = point.steady.state, point.modes, run.parameters
    ux, uy, uz, plate_uz = 1e6 * state.q[[0, 1, 2, 4]]
    across = float(np.sqrt(p.radial_stiffness / p.shaft_mass)) / (2 * pi)
    found = {
        "tooth": state.lam[0],
        "ux": ux,
        "uy": uy,
        "uz": uz - gearbox.OVERLAP * 1e6,
        "plate_uz": plate_uz,
        "normal": (modes.frequency[3], across),
    }
    for k in range(4):
        found |= {f"frequency_{k + 1}": modes.frequency[k], f"growth_{k + 1}": modes.growth[k]}
    run.compare(REFERENCES, found, part=True)


def positive_slip(run: fc.Run[RadialGearbox], branch: fc.Branch) -> None:
    """Flutter of modes 1 and 2, as without radial dofs, and what comes beyond."""
    onset, end = gearbox.flutter_range(branch, 1.2, 0.7, 1.5)
    again = gearbox.boundary(branch, 1.5, 1.65)
    found = {"onset": onset, "end": end, "again": again, "positive_slip": onset}
    run.compare(REFERENCES, found, part=True)


def negative_slip(run: fc.Run[RadialGearbox], branch: fc.Branch) -> None:
    """Flutter of modes 2 and 3 on the other flank."""
    first, last = gearbox.flutter_range(branch, -0.55, -0.05, -1.4)
    found = {"negative_onset": first, "negative_end": last}
    for slope, (growth, frequency, digit) in NEGATIVE.items():
        modes = branch.at(-slope).modes
        at = f"negative slip, tan(beta_b) = {slope:g}"
        computed = {
            "growth_rate": (modes.leading_growth, growth),
            "tip_frequency": (modes.leading_frequency, frequency),
        }
        run.compare(REFERENCES, computed, part=True, tolerances={"growth_rate": digit}, label=at)
    point = branch.at(-0.55)
    ratio = point.modes.leading_frequency / branch.at(1.0).modes.leading_frequency
    found |= {"feeds": fc.mechanism(point.balance()), "frequency_negative": ratio}
    run.compare(REFERENCES, found, part=True)


def tip(run: fc.Run[RadialGearbox]) -> None:
    """Where growth is fastest over j_1, for helix angles that go to zero."""
    p = replace(run.parameters, slip=-abs(run.parameters.slip))
    exact = p.tip

    def fastest(slope: float) -> float:
        def growth(ratio: float) -> float:
            system = build(replace(p, slope=slope, inertia_ratio=ratio))
            return -fc.operating_point(system).modes.leading_growth

        bounds = 0.7 * exact, 1.3 * exact
        return float(minimize_scalar(growth, bounds=bounds, options={"xatol": 1e-6}).x)

    limit = 2.0 * fastest(0.01) - fastest(0.02)
    run.row(REFERENCES, "tip", limit, exact)
    damped = fc.Branch(lambda ratio: build(replace(p, slope=0.2, inertia_ratio=ratio)))
    for ratio in (0.1, 0.2):
        verdict = "stable" if damped.at(ratio).modes.stable else "unstable"
        run.row(REFERENCES, "verdict", verdict, label=f"j_1 = {ratio:g}, tan(beta_b) = 0.2")


def flanks(run: fc.Run[RadialGearbox]) -> None:
    """The sign of the slip decides which flank is loaded; started wrong, it is found."""
    p = run.parameters
    for slip, flank in ((abs(p.slip), "front"), (-abs(p.slip), "rear")):
        right = build(replace(p, slip=slip))
        other = [constraint.switched() for constraint in right.constraints]
        wrong = fc.System(right.bodies, [*right.items[len(right.bodies) :], *other])
        found = fc.steady_state(wrong).system.rows[0].split(".")[1]
        run.row(REFERENCES, "loaded", found, flank, label=f"at slip {slip:g} rad/s")


def maps(run: fc.Run[RadialGearbox]) -> None:
    """Maps over j_1 and the helix angle, for two radial stiffnesses."""
    p = run.parameters
    stiffnesses = {"map": p.radial_stiffness, "map_stiff_bearing": 2.8e7}
    for name, stiffness in list(stiffnesses.items())[: 1 if run.quick else 2]:
        other = replace(run, parameters=replace(p, radial_stiffness=stiffness))
        influences.mapped(other, name, build, ((0.005, 0.2), (-1.5, 1.55)))
    stiff = replace(p, radial_stiffness=2.8e7, slip=-abs(p.slip))
    rows = ((0.05, 0.45, "unstable"), (0.05, 0.7, "stable"), (0.1, 0.3, "unstable"),
            (0.2, 0.2, "unstable"), (0.2, 0.5, "stable"))  # fmt: skip
    for ratio, slope, noted in rows:
        modes = fc.operating_point(build(replace(stiff, inertia_ratio=ratio, slope=slope))).modes
        label = f"j_1 = {ratio:g}, tan(beta_b) = {slope:g}"
        run.row(REFERENCES, "softer", "stable" if modes.stable else "unstable", noted, label=label)


CASE = fc.Case(__doc__, ("Jehle T9",), RadialGearbox(), main, quick_s=12, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
