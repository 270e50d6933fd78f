"""Brake-like disc: a pad rubs on a spinning elastic disc, and waves of the disc grow.

A pad that is fixed along the disc presses with the contact stiffness c on the upper face of an
annular plate of thickness h, at the radius R. Friction mu p acts at the distance h/2 from the
mid-surface: where the disc rises under the pad, friction bends it along the circumference. For one
doublet with k nodal diameters, unit modal mass, the deflection f at the radius R and the frequency
omega, this is a circulatory coupling of its cosine and sine shape. As long as the spin parts the
forward and backward waves more than the pad does, first-order perturbation gives their growth rates

    sigma = +-mu k f^2 (c h + 2 N)/(8 R omega)

(N is the preload: friction lies in the surface and rises with its slope along the circumference)
for the wave that runs with the disc and the one that runs against it: one of them grows unless it
is damped more. Friction itself damps both a little: it turns with the slip, and so resists the
radial motion h f'/2 of the face with mu N/(R Omega), which gives -mu N (h f'/2)^2/(4 R Omega) to
each wave. The damping of the plate that stops the growth is the practical answer.
"""

from dataclasses import dataclass, replace
from math import pi

import numpy as np

import fecontact as fc

SHAPE = "inner_radius", "outer_radius", "thickness", "young", "density", "radius", "harmonics"
PAD = "radius", "thickness", "speed", "contact_stiffness", "preload", "friction"


@dataclass(frozen=True)
class BrakeDisc(fc.Parameters):
    """A steel disc, clamped at its hub, with one small pad."""

    inner_radius: float = fc.quantity(0.06, "m", fc.POSITIVE)
    outer_radius: float = fc.quantity(0.13, "m", fc.POSITIVE)
    thickness: float = fc.quantity(0.008, "m", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    density: float = fc.quantity(7800.0, "kg/m^3", fc.POSITIVE)
    speed: float = fc.quantity(200.0, "rad/s", fc.POSITIVE)
    plate_damping: float = fc.quantity(0.0, "N m s", fc.NON_NEGATIVE)
    radius: float = fc.quantity(0.11, "m", fc.POSITIVE)
    contact_stiffness: float = fc.quantity(2e4, "N/m", fc.POSITIVE)
    friction: float = fc.quantity(0.4, "", fc.NON_NEGATIVE)
    preload: float = fc.quantity(5.0, "N", fc.POSITIVE)
    pad_mass: float = fc.quantity(1e-3, "kg", fc.POSITIVE)
    pad_support: float = fc.quantity(1e9, "N/m", fc.POSITIVE)
    harmonics: int = fc.quantity(4, "", fc.at_least(1), numerical=True)
    points: int = fc.quantity(41, "", fc.at_least(3), numerical=True)


REFERENCES = fc.References("""
    difference | difference of the two waves |  | 1/s |  | perturbation
    mean       | mean of the two waves       |  | 1/s |  | damping across the slip
    term       | what feeds it | is contact, friction by pressure |  |  | only term
""")


@fc.cached_by(*SHAPE)
def model_of_disc(p: BrakeDisc) -> fc.HarmonicModel:
    """Reduced disc, clamped at its inner edge; the same one for all speeds and loads."""
    steel = fc.Material(p.young, 0.3, p.density)
    sizes = p.inner_radius, p.outer_radius, p.thickness
    plate = fc.HarmonicPlate(*sizes, steel, {"inner": "clamped"})
    return fc.reduce_harmonic(plate, p.radius, p.harmonics, 1)


def build(p: BrakeDisc) -> fc.System:
    """Disc and pad; the pad can only move along z, and its support is stiff."""
    disc = fc.SpinningDisc("disc", model_of_disc(p), p.speed, p.plate_damping, "material")
    pad = fc.RigidBody("pad", p.pad_mass, ("uz",), position=(p.radius, 0.0, p.thickness / 2))
    offset = (0.0, 0.0, -p.preload / p.contact_stiffness)
    support = fc.Bearing(pad, 0.0, p.pad_support, offset=offset, name="support")
    laws = fc.PenaltyNormal(p.contact_stiffness, 0.0), fc.CoulombSliding(p.friction)
    point = fc.Surface(np.zeros((1, 3)), np.ones(1))
    contact = fc.ContactPair(pad, point, fc.PlateFace(disc), *laws)
    return fc.System([pad, disc], [support, contact])


def waves(p: BrakeDisc, modes: fc.ComplexModes, k: int, omega: float) -> fc.Floats:
    """Growth rates of the waves at omega - k Omega and omega + k Omega."""
    z, lines = modes.eigenvalues, omega + np.array([-1.0, 1.0]) * k * p.speed
    return np.array([z[np.argmin(np.abs(z.imag - line))].real for line in lines])


def main(run: fc.Run[BrakeDisc]) -> None:
    """Growth rates of all waves, the mechanism, the damping that is needed, Campbell diagram."""
    p = run.parameters
    point = fc.operating_point(build(p))
    model = model_of_disc(p)
    at_pad = model.shapes(np.array([p.radius]), np.array([0.0]))
    for k in range(1, p.harmonics + 1):
        omega, shape = model.frequencies_of(k)[0], model.modes_of(k)[:, 0]
        wave = k, omega, at_pad.value[0] @ shape, at_pad.gradient[0, 0] @ shape
        growth, damping = fc.reference.pad_on_disc(*wave, **{x: getattr(p, x) for x in PAD})
        pair = waves(p, point.modes, k, omega)
        computed = {"difference": (np.ptp(pair) / 2, growth), "mean": (pair.mean(), -damping)}
        about = dict.fromkeys(computed, 0.01 * growth)
        run.compare(REFERENCES, computed, part=True, tolerances=about, label=f"k = {k}")
    balance = point.balance()
    run.row(REFERENCES, "term", balance.source.label if balance.source else "nothing")
    run.figure("power", fc.view.power_plot(balance))
    damped = fc.Branch(lambda d: build(replace(p, plate_damping=d)))
    needed = fc.critical_value(damped, 0.0, 0.01 * p.thickness)
    wave = f"{balance.eigenvalue.imag / (2 * pi):.0f} Hz, {balance.growth:+.3g} 1/s"
    run.note(f"The wave at {wave} stops growing at a plate damping of {needed.value:.3g} N m s.")
    speeds = np.linspace(5.0, 600.0, 12 if run.quick else p.points)
    tracks = fc.track_modes(fc.Branch(lambda s: build(replace(p, speed=s))), speeds)
    run.figure("campbell", fc.view.campbell_plot(tracks, highest=6000.0))


CASE = fc.Case(__doc__, ("brake-like disc with pads",), BrakeDisc(), main, quick_s=8, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
