"""Adhesion of a soft ball to glass after Johnson, Kendall and Roberts (Keppler 4.1.4, example 4.6).

A rubber ball of 1 cm touches glass. Without a load it sticks on a circle of 1.3 mm, and it takes
9 % of its weight to pull it off.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

import fecontact as fc

ELECTRON_VOLT, GRAVITY = 1.602176634e-19, 9.81


@dataclass(frozen=True)
class Adhesion(fc.Parameters):
    """Rubber ball on glass; 3 meV per square angstrom of surface energy."""

    young: float = fc.quantity(50e3, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.49, "", fc.POISSON)
    glass_young: float = fc.quantity(73e9, "Pa", fc.POSITIVE)
    glass_poisson: float = fc.quantity(0.22, "", fc.POISSON)
    density: float = fc.quantity(1200.0, "kg/m^3", fc.POSITIVE)
    radius: float = fc.quantity(0.01, "m", fc.POSITIVE)
    surface_energy: float = fc.quantity(3e-3 * ELECTRON_VOLT / 1e-20, "J/m^2", fc.POSITIVE)

    @property
    def contact(self) -> fc.JKRContact:
        """The adhesive contact."""
        pair = fc.ContactModuli(self.young, self.poisson, self.glass_young, self.glass_poisson)
        return fc.JKRContact(pair, self.radius, self.surface_energy)


PRINTED = fc.References("""
    force    | pull-off force per radius   | -0.45 | N/m | 5e-3
    weight   | pull-off force over weight  | 0.09  |     | 5e-3
    unloaded | contact radius without load | 1.3   | mm  | 0.05
    last     | contact radius at pull-off  | 0.8   | mm  | 0.05
    *        | Keppler 2007, example 4.6, as rounded there | published
""")
CLOSED = fc.References("""
    lowest | lowest force of the curve over the pull-off force | 1.0 | | 1e-9 | F_ad = -3 pi R gamma
    work | work of making contact, over surface energy | 1.0 | | 1e-4 | elastic - 2 gamma area
""")


def elastic_energy(contact: fc.JKRContact, a: float) -> float:
    """Energy in J of the deformed bodies: Hertz pressure minus the flat punch of the pull.

    With the Hertz force P_1 = (4/3) E* a^3/R and the present force P, at constant a the pair is a
    flat punch of stiffness 2 E* a: U = (2/5) P_1 a^2/R - (P_1^2 - P^2)/(4 E* a).
    """
    modulus = contact.pair.modulus
    hertz = 4.0 / 3.0 * modulus * a**3 / contact.radius
    force = float(contact.force(a))
    return 0.4 * hertz * a**2 / contact.radius - (hertz**2 - force**2) / (4.0 * modulus * a)


def main(run: fc.Run[Adhesion]) -> None:
    """Numbers of the source, and the energy balance of the crack at the rim."""
    p, contact = run.parameters, run.parameters.contact
    weight = 4.0 / 3.0 * np.pi * p.radius**3 * p.density * GRAVITY
    computed = {
        "force": contact.pull_off_force / p.radius,
        "weight": -contact.pull_off_force / weight,
        "unloaded": 1e3 * contact.unloaded_radius,
        "last": 1e3 * contact.pull_off_radius,
    }
    run.compare(PRINTED, computed)
    search = {"options": {"xtol": 1e-10}, "bracket": (0.3e-3, 0.8e-3, 2e-3)}
    lowest = minimize_scalar(lambda a: float(contact.force(a)), **search)
    a = contact.unloaded_radius
    radii = np.linspace(1e-9, a, 200001)
    work = np.trapezoid(contact.force(radii), contact.approach(radii))
    gained = 2.0 * p.surface_energy * np.pi * a**2
    ratio = (work - elastic_energy(contact, a)) / -gained
    run.compare(CLOSED, {"lowest": lowest.fun / contact.pull_off_force, "work": ratio})
    x, hertz = np.linspace(0.05, 2.0, 200) * 1e-3, fc.HertzPoint(contact.pair, p.radius)
    curves = {"JKR": 1e3 * contact.force(x), "Hertz": 1e3 * hertz.force(x**2 / p.radius)}
    figure = fc.view.curves_plot(1e3 * x, curves, "contact radius / mm", "force / mN")
    run.figure("adhesion", figure)


CASE = fc.Case(__doc__, ("Keppler T20",), Adhesion(), main, quick_s=1)

if __name__ == "__main__":
    CASE.main(__file__)
