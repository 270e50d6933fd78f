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

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import pi

import numpy as np
import scipy.linalg as la

from fecontact.analysis import Branch, ComplexModes, critical_value, operating_point, track_modes
from fecontact.body import RigidBody, SpinningDisc
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact import ContactPair, CoulombSliding, PenaltyNormal, PlateFace, Surface
from fecontact.errors import NON_NEGATIVE, POSITIVE, at_least
from fecontact.fem import HarmonicPlate, Material
from fecontact.joint import Bearing
from fecontact.reduction import HarmonicModel, reduce_harmonic
from fecontact.system import System
from fecontact.typing import Floats
from fecontact.view import plots
from fecontact.view.stability import campbell_plot, power_plot


@dataclass(frozen=True)
class BrakeDisc(Parameters):
    """A steel disc, clamped at its hub, with one small pad."""

    inner_radius: float = quantity(0.06, "m", POSITIVE)
    outer_radius: float = quantity(0.13, "m", POSITIVE)
    thickness: float = quantity(0.008, "m", POSITIVE)
    young: float = quantity(210e9, "Pa", POSITIVE)
    density: float = quantity(7800.0, "kg/m^3", POSITIVE)
    speed: float = quantity(200.0, "rad/s", POSITIVE)
    plate_damping: float = quantity(0.0, "N m s", NON_NEGATIVE)
    radius: float = quantity(0.11, "m", POSITIVE)
    contact_stiffness: float = quantity(2e4, "N/m", POSITIVE)
    friction: float = quantity(0.4, "", NON_NEGATIVE)
    preload: float = quantity(5.0, "N", POSITIVE)
    pad_mass: float = quantity(1e-3, "kg", POSITIVE)
    pad_support: float = quantity(1e9, "N/m", POSITIVE)
    harmonics: int = quantity(4, "", at_least(1), numerical=True)
    points: int = quantity(41, "", at_least(3), numerical=True)


@cache
def disc_model(
    inner: float, outer: float, thickness: float, young: float, density: float, radius: float,
    harmonics: int,
) -> HarmonicModel:  # fmt: skip
    """Reduced disc, clamped at its inner edge."""
    steel = Material(young, 0.3, density)
    plate = HarmonicPlate(inner, outer, thickness, steel, {"inner": "clamped"})
    return reduce_harmonic(plate, radius, harmonics, 1)


def model_of(p: BrakeDisc) -> HarmonicModel:
    """Reduced disc of the parameters."""
    return disc_model(
        p.inner_radius, p.outer_radius, p.thickness, p.young, p.density, p.radius, p.harmonics
    )


def build(p: BrakeDisc) -> System:
    """Disc and pad; the pad can only move along z, and its support is stiff."""
    disc = SpinningDisc("disc", model_of(p), p.speed, p.plate_damping, damping_rate="material")
    pad = RigidBody("pad", p.pad_mass, ("uz",), position=(p.radius, 0.0, p.thickness / 2))
    support = Bearing(
        pad, 0.0, p.pad_support, offset=(0.0, 0.0, -p.preload / p.contact_stiffness), name="support"
    )
    contact = ContactPair(
        pad,
        Surface(np.zeros((1, 3)), np.ones(1)),
        PlateFace(disc),
        PenaltyNormal(p.contact_stiffness, 0.0),
        CoulombSliding(p.friction),
    )
    return System([pad, disc], [support, contact])


def first_order(p: BrakeDisc) -> dict[int, tuple[float, float, float]]:
    """Nodal diameters -> omega, growth of the two waves, and the damping that both share."""
    model, found = model_of(p), {}
    at_pad = model.shapes(np.array([p.radius]), np.array([0.0]))
    kappa = p.friction * p.preload / (p.speed * p.radius)
    for k in range(1, p.harmonics + 1):
        cosine = np.flatnonzero(model.harmonic == k)[::2]
        block = np.ix_(cosine, cosine)
        squares, shapes = la.eigh(model.stiffness[block], model.mass[block])
        omega = float(np.sqrt(squares[0]))
        f, slope = (float(part[cosine] @ shapes[:, 0]) for part in
                    (at_pad.value[0], at_pad.gradient[0, 0]))  # fmt: skip
        lever = p.contact_stiffness * p.thickness + 2.0 * p.preload
        growth = p.friction * k * f**2 * lever / (8 * p.radius * omega)
        found[k] = omega, growth, kappa * (p.thickness * slope / 2) ** 2 / 4
    return found


def waves(p: BrakeDisc, modes: ComplexModes, k: int, omega: float) -> Floats:
    """Growth rates of the waves at omega - k Omega and omega + k Omega."""
    z = modes.eigenvalues
    return np.array(
        [z[np.argmin(np.abs(z.imag - (omega + s * k * p.speed)))].real for s in (-1.0, 1.0)]
    )


def run(run: Run[BrakeDisc]) -> None:
    """Growth rates of all waves, the mechanism, the damping that is needed, Campbell diagram."""
    p = run.parameters
    point = operating_point(build(p))
    for k, (omega, growth, damping) in first_order(p).items():
        computed = waves(p, point.modes, k, omega)
        about = {"unit": "1/s", "tolerance": 0.01 * growth, "kind": "closed_form", "formula": True}
        run.check(f"difference of the two waves, k = {k}", float(np.ptp(computed)) / 2, growth,
                  source="perturbation, first order", **about)  # fmt: skip
        run.check(f"mean of the two waves, k = {k}", float(computed.mean()), -damping,
                  source="damping across the slip", **about)  # fmt: skip
    balance = point.balance()
    plots.save(power_plot(balance), run.path("power.png"))
    source = balance.source.label if balance.source else "nothing"
    run.check("what feeds it", source, "contact, friction by pressure", relation="is",
              kind="closed_form", source="only term", formula=True)  # fmt: skip
    needed = critical_value(
        Branch(lambda d: build(replace(p, plate_damping=d))), 0.0, 0.01 * p.thickness
    )
    wave = f"{balance.eigenvalue.imag / (2 * pi):.0f} Hz, {balance.growth:+.3g} 1/s"
    run.note(f"The wave at {wave} stops growing at a plate damping of {needed.value:.3g} N m s.")
    speeds = np.linspace(5.0, 600.0, 12 if run.quick else p.points)
    tracks = track_modes(Branch(lambda s: build(replace(p, speed=s))), speeds)
    plots.save(campbell_plot(tracks, highest=6000.0), run.path("campbell.png"))


CASE = Case(
    title="brake-like disc with a pad: friction makes one wave of each doublet grow",
    proves=("brake-like disc with pads",),
    parameters=BrakeDisc(),
    run=run,
    quick_s=8,
    system=build,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
