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
from math import exp, isfinite, sqrt
from typing import ClassVar, NamedTuple

import numpy as np

from fecontact.contact.laws.base import NormalLaw
from fecontact.contact.laws.point import NormalPoint, NormalRateSlopes, StateVariable, scalar
from fecontact.contact.patch.hertz import ContactModuli, HertzPoint
from fecontact.errors import POSITIVE, Allowed, check
from fecontact.kernels.calls import inlined
from fecontact.typing import Floats

__all__ = ["JKRContact", "JKRNormal"]

State = tuple[float]

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
        check("force", force, Allowed(f">= {floor:.6g}", lambda x: x >= floor), "N")
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
        """Normal law of a contact point of weight 1 (force element), with history and tension."""
        return JKRNormal(self, bond_time)


class Bond(NamedTuple):
    """|F_ad|, d_0, Hertz's force at d = 1, bond time tau, and exp(-h/tau)."""

    force: float
    length: float
    hertz: float
    tau: float
    kept: float


def prepare(parameters: Floats, h: float) -> Bond:
    """Parameters, and what a step leaves of a bond that breaks."""
    tau = parameters[3]
    return Bond(parameters[0], parameters[1], parameters[2], tau, exp(-h / tau))


@inlined
def _root(x: float) -> float:
    """Larger root y of y^4 - y = x >= `BREAK`, by Ferrari and Cardano without cancellation."""
    s = sqrt(max(1.0 / 256.0 + (x / 3.0) ** 3, 0.0))
    u = np.cbrt(1.0 / 16.0 + s)
    m = 0.125 / (u**2 + x / 3.0 + (x / (3.0 * u)) ** 2)  # m^3 + x m = 1/8
    w = sqrt(2.0 * m)
    return 0.5 * (w + sqrt(max(2.0 / w - w**2, 0.0)))


@inlined
def _force(k: Bond, d: float) -> tuple[float, float, float, float]:
    """Hertz's force at the approach d and its slope, and what a full bond adds to both."""
    depth = max(d, 0.0)
    free, free_slope = k.hertz * depth**1.5, 1.5 * k.hertz * sqrt(depth)
    y, slope = _root(max(d / k.length, BREAK)), 0.0
    if d > BREAK * k.length:
        slope = k.force / k.length * (32.0 / 3.0 * y**5 - 8.0 * y**2) / (4.0 * y**3 - 1.0)
    bond = k.force * (16.0 / 9.0 * y**6 - 8.0 / 3.0 * y**3) - free
    return free, free_slope, bond, slope - free_slope


@inlined
def _bond_energy(k: Bond, d: float) -> float:
    """Energy W of a full bond at the approach d, less that of Hertz's contact."""
    y = _root(max(d / k.length, BREAK))
    whole = 32.0 / 45.0 * y**10 - 16.0 / 9.0 * y**7 + 2.0 / 3.0 * y**4
    apart = max(BREAK - d / k.length, 0.0) if isfinite(d) else 0.0
    return k.force * k.length * (whole + 5.0 / 9.0 * apart) - 0.4 * k.hertz * max(d, 0.0) ** 2.5


@inlined
def _change(k: Bond, gap: float, z: float) -> tuple[float, float]:
    """Rate z' of the bond, and its derivative by z."""
    if gap <= 0.0:
        return (1.0 - z) / k.tau, -1.0 / k.tau
    if -gap <= BREAK * k.length:
        return -z / k.tau, -1.0 / k.tau
    return 0.0, 0.0


def press(k: Bond, gap: float, gap_rate: float) -> tuple[float, float, float]:
    """Force of surfaces that came near and rest: bonded where d >= 0, else none."""
    bonded = 1.0 if gap <= 0.0 else 0.0
    force, slope, bond, steeper = _force(k, -gap)
    return force + bonded * bond, -(slope + bonded * steeper), 0.0


def energy(k: Bond, gap: float) -> float:
    """Energy of surfaces that came near and rest."""
    hertz = 0.4 * k.hertz * max(-gap, 0.0) ** 2.5
    return hertz + (_bond_energy(k, -gap) if gap <= 0.0 else 0.0)


def step(
    k: Bond, gap: float, gap_rate: float, before: float, state: State
) -> tuple[float, float, float, State]:
    """Pressure with the bond at the end of the step; it grows or breaks exactly."""
    z = state[0]
    if gap <= 0.0:
        z = 1.0 - (1.0 - z) * k.kept
    elif -gap <= BREAK * k.length:
        z *= k.kept
    force, slope, bond, steeper = _force(k, -gap)
    return force + z * bond, -(slope + z * steeper), 0.0, (z,)


def rate(k: Bond, gap: float, gap_rate: float, state: State) -> tuple[float, State]:
    """Pressure and rate of the bond."""
    force, _, bond, _ = _force(k, -gap)
    return force + state[0] * bond, (_change(k, gap, state[0])[0],)


def d_rate(k: Bond, gap: float, gap_rate: float, state: State) -> NormalRateSlopes:
    """Derivatives of pressure and rate."""
    _, slope, bond, steeper = _force(k, -gap)
    back = _change(k, gap, state[0])[1]
    return NormalRateSlopes(-(slope + state[0] * steeper), 0.0, (bond,), (0.0,), (0.0,), (back,))


def balance(k: Bond, gap: float, gap_rate: float, state: State) -> tuple[float, float]:
    """Energy of elasticity and bond, and the power -W z' that bonding and breaking lose."""
    bond = _bond_energy(k, -gap)
    stored = 0.4 * k.hertz * max(-gap, 0.0) ** 2.5 + state[0] * bond
    return stored, -bond * _change(k, gap, state[0])[0]


@dataclass(frozen=True)
class JKRNormal(NormalLaw):
    """Adhesive normal force of a point; its state is the bonded fraction z of the surface.

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

    point: ClassVar[NormalPoint] = NormalPoint(prepare, press, energy, step, rate, d_rate, balance)
    states: ClassVar[tuple[StateVariable, ...]] = (scalar("bond"),)
    contact: JKRContact
    bond_time: float

    def __post_init__(self) -> None:
        check("bond_time", self.bond_time, POSITIVE, "s")

    @cached_property
    def parameters(self) -> Floats:
        """|F_ad|, d_0, Hertz's force at d = 1 and bond time."""
        contact = self.contact
        hertz = float(HertzPoint(contact.pair, contact.radius).force(1.0))
        scales = -contact.pull_off_force, contact.touching_approach
        return np.array([*scales, hertz, self.bond_time], dtype=float)
