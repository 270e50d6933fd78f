"""Adhesive contact after Johnson, Kendall and Roberts (Keppler 4.1.4), and its normal law.

    F = F_H - 2 sqrt(F_H |F_ad|),      F_H = (4/3) E* a^3/R,      F_ad = -3 pi R gamma
    d = a^2/R - sqrt(4 pi a gamma/E*)

With a_0 = (4 pi gamma R^2/E*)^(1/3), the contact radius at d = 0, d_0 = a_0^2/R and a = a_0 y^2

    d/d_0 = y^4 - y,      F/|F_ad| = (16/9) y^6 - (8/3) y^3,
    U/(|F_ad| d_0) = (32/45) y^10 - (16/9) y^7 + (2/3) y^4,      U' = F

U is the elastic energy less the work of adhesion. Under a prescribed approach the contact is stable
down to the fold y^3 = 1/4, where d = d_c < 0 and F = (5/9) F_ad: the tension passes its largest
value F_ad before. Under a prescribed force it ends at F_ad. The law knows the approach, so it
follows the first branch; a body that hangs on the contact by its weight then falls by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fecontact.contact.laws.layer import LayerFlow, LayerStep
from fecontact.contact.laws.normal import Pressure
from fecontact.contact.patch.hertz import ContactModuli, HertzPoint
from fecontact.errors import POSITIVE, Allowed, check
from fecontact.typing import Floats

__all__ = ["JKRContact", "JKRNormal"]

Flags = npt.NDArray[np.bool_]

FOLD = 4.0 ** (-1 / 3)
"""y at which the contact breaks off under a prescribed approach."""
BREAK = FOLD**4 - FOLD
"""d_c/d_0 there."""


@dataclass(frozen=True)
class JKRContact:
    """Adhesive ball on a plane.

    Parameters
    ----------
    pair, radius
        As in Hertz's contact.
    surface_energy
        gamma of each body in J/m^2; the work of adhesion is 2 gamma.

    Examples
    --------
    >>> rubber = JKRContact(ContactModuli(50e3, 0.49, np.inf), radius=0.01, surface_energy=0.048)
    >>> law = rubber.law()
    >>> touch, d_0 = law.pressure(np.zeros(1), np.zeros(1))[0].item(), rubber.touching_approach
    >>> round(touch / rubber.pull_off_force, 12), round(rubber.break_approach / d_0, 6)
    (0.888888888889, -0.47247)
    """

    pair: ContactModuli
    radius: float
    surface_energy: float

    def __post_init__(self) -> None:
        check("radius", self.radius, POSITIVE, "m")
        check("surface_energy", self.surface_energy, POSITIVE, "J/m^2")

    @property
    def pull_off_force(self) -> float:
        """F_ad = -3 pi R gamma in N, the largest tension under a given force."""
        return -3.0 * np.pi * self.radius * self.surface_energy

    @property
    def unloaded_radius(self) -> float:
        """Contact radius (9 pi R^2 gamma/E*)^(1/3) in m without force."""
        return float(
            np.cbrt(9.0 * np.pi * self.radius**2 * self.surface_energy / self.pair.modulus)
        )

    @property
    def pull_off_radius(self) -> float:
        """Contact radius in m at the pull-off force."""
        return self.unloaded_radius / 4.0 ** (1 / 3)

    def force(self, contact_radius: float | Floats) -> float | Floats:
        """Normal force in N, negative in tension, over the contact radius a in m."""
        hertz = 4.0 / 3.0 * self.pair.modulus * np.asarray(contact_radius) ** 3 / self.radius
        return hertz - 2.0 * np.sqrt(hertz * -self.pull_off_force)

    def approach(self, contact_radius: float | Floats) -> float | Floats:
        """Approach d in m over the contact radius a in m."""
        a = np.asarray(contact_radius)
        pull = np.sqrt(4.0 * np.pi * a * self.surface_energy / self.pair.modulus)
        return a**2 / self.radius - pull

    def radius_under(self, force: float) -> float:
        """Stable contact radius in m under a force >= F_ad in N."""
        floor = self.pull_off_force
        check("force", float(force), Allowed(f">= {floor:.6g}", lambda x: x >= floor), "N")
        hertz = force - 2.0 * floor + 2.0 * np.sqrt(floor * (floor - force))
        return float(np.cbrt(0.75 * hertz * self.radius / self.pair.modulus))

    @property
    def touching_radius(self) -> float:
        """Contact radius a_0 = (4 pi gamma R^2/E*)^(1/3) in m at d = 0."""
        return self.unloaded_radius * (4.0 / 9.0) ** (1 / 3)

    @property
    def touching_approach(self) -> float:
        """Length d_0 = a_0^2/R in m."""
        return self.touching_radius**2 / self.radius

    @property
    def break_approach(self) -> float:
        """Approach d_c < 0 in m at which a contact under a prescribed approach breaks off."""
        return BREAK * self.touching_approach

    def law(self, bond_time: float = 1e-6) -> JKRNormal:
        """Normal law of a contact point of weight 1 (force element), with memory and tension."""
        return JKRNormal(self, bond_time)


@dataclass(frozen=True)
class JKRNormal:
    """Adhesive normal force of a point; z is the share 0..1 of the surface that is bonded.

        p = F_hertz(d) + z (F(d) - F_hertz(d)),      d = -gap
        z' = (1 - z)/tau where d >= 0,      0 where d_c < d < 0,      -z/tau where d <= d_c

    A surface that comes near bonds at d = 0, and holds until d_c: what is lost in the loop is
    -W z' >= 0 with the energy W of the bond. Below d_c the tension stays that of the fold while the
    bond breaks. Tension is part of the law: p >= F_ad. Friction laws take it as no pressure. At
    d = 0 the derivatives are those of d > 0; at d_c, where the slope has no bound, those below.

    Parameters
    ----------
    contact
        The adhesive ball on a plane.
    bond_time
        tau in s, short against the time of the contact. Time steps may be longer than tau: the bond
        then jumps within a step, and its loss is found in the residual of the energy audit.
    """

    contact: JKRContact
    bond_time: float

    def __post_init__(self) -> None:
        check("bond_time", self.bond_time, POSITIVE, "s")

    def step(
        self, z: Floats, gap_before: Floats, gap: Floats, gap_rate: Floats, h: float
    ) -> LayerStep:
        """Pressure with the bond at the end of the step; it grows or breaks exactly."""
        kept = np.exp(-h / self.bond_time)
        bonds, breaks = self._changes(gap)
        z = np.where(bonds, 1.0 - (1.0 - z) * kept, np.where(breaks, z * kept, z))
        pressure, slope, _ = self._force(z, gap)
        return LayerStep(pressure, z, -slope, np.zeros_like(gap))

    def flow(self, z: Floats, gap: Floats, gap_rate: Floats) -> LayerFlow:
        """Pressure and rate of the bond."""
        bonds, breaks = self._changes(gap)
        pressure, slope, adhesion = self._force(z, gap)
        zero = np.zeros_like(gap)
        return LayerFlow(
            pressure=pressure,
            rate=np.where(bonds, 1.0 - z, np.where(breaks, -z, 0.0)) / self.bond_time,
            pressure_by=(-slope, zero, adhesion),
            rate_by=(zero, zero, np.where(bonds | breaks, -1.0 / self.bond_time, 0.0)),
        )

    def balance(self, z: Floats, gap: Floats, gap_rate: Floats) -> tuple[Floats, Floats]:
        """Energy of elasticity and bond, and the power -W z' that bonding and breaking lose."""
        hertz, bond = self._energies(gap)
        return hertz + z * bond, -bond * self.flow(z, gap, gap_rate).rate

    def settled(self, z: Floats, gap: Floats) -> Floats:
        """As given: a bond takes its time."""
        return z

    def pressure(self, gap: Floats, gap_rate: Floats) -> Pressure:
        """Force of surfaces that came near and rest: bonded where d >= 0, else none."""
        pressure, slope, _ = self._force(np.where(gap <= 0.0, 1.0, 0.0), gap)
        return pressure, -slope, np.zeros_like(gap)

    def energy(self, gap: Floats) -> Floats:
        """Energy in J of surfaces that came near and rest."""
        hertz, bond = self._energies(gap)
        return hertz + np.where(gap <= 0.0, bond, 0.0)

    @cached_property
    def _scales(self) -> tuple[float, float]:
        """|F_ad| in N and d_0 in m."""
        return -self.contact.pull_off_force, self.contact.touching_approach

    @cached_property
    def _hertz(self) -> HertzPoint:
        return HertzPoint(self.contact.pair, self.contact.radius)

    def _changes(self, gap: Floats) -> tuple[Flags, Flags]:
        """Where the bond grows, and where it breaks."""
        return gap <= 0.0, -gap <= self.contact.break_approach

    def _force(self, z: Floats, gap: Floats) -> tuple[Floats, Floats, Floats]:
        """Force of bonded shares z, its slope by d, and the part of a full bond."""
        force, length = self._scales
        depth = np.maximum(-gap, 0.0)
        free, free_slope = self._hertz.force(depth), self._hertz.stiffness(depth)
        y, holds = _root(np.maximum(-gap / length, BREAK)), -gap > self.contact.break_approach
        rise = np.where(holds, 4.0 * y**3 - 1.0, 1.0)
        slope = np.where(holds, force / length * (32.0 / 3.0 * y**5 - 8.0 * y**2) / rise, 0.0)
        bond = force * (16.0 / 9.0 * y**6 - 8.0 / 3.0 * y**3) - free
        return free + z * bond, free_slope + z * (slope - free_slope), bond

    def _energies(self, gap: Floats) -> tuple[Floats, Floats]:
        """Energy of Hertz's contact, and what a full bond changes; they belong to `_force`."""
        force, length = self._scales
        depth = np.maximum(-gap, 0.0)
        hertz = 0.4 * depth * self._hertz.force(depth)
        y = _root(np.maximum(-gap / length, BREAK))
        whole = 32.0 / 45.0 * y**10 - 16.0 / 9.0 * y**7 + 2.0 / 3.0 * y**4
        apart = np.where(np.isfinite(gap), np.maximum(gap / length + BREAK, 0.0), 0.0)
        return np.asarray(hertz), force * length * (whole + 5.0 / 9.0 * apart) - hertz


def _root(x: Floats) -> Floats:
    """Larger root y of y^4 - y = x >= `BREAK`, by Ferrari and Cardano without cancellation."""
    s = np.sqrt(np.maximum(1.0 / 256.0 + (x / 3.0) ** 3, 0.0))
    u = np.cbrt(1.0 / 16.0 + s)
    m = 0.125 / (u**2 + x / 3.0 + (x / (3.0 * u)) ** 2)  # m^3 + x m = 1/8
    w = np.sqrt(2.0 * m)
    return np.asarray(0.5 * (w + np.sqrt(np.maximum(2.0 / w - w**2, 0.0))))
