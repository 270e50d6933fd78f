"""Contact of curved elastic bodies after Hertz, with stick and slip.

    1/E* = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2,     1/R = 1/R_1 + 1/R_2      (Waehrisch 3.3, 3.6)
    1/G* = (2 - nu_1)/(4 G_1) + (2 - nu_2)/(4 G_2)                                (Waehrisch 3.17)

d is the approach of the two bodies. All these contacts assume that the patch is small against the
radii and that the bodies are half spaces around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Real

import numpy as np
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk, ellipkm1

from fecontact.contact.laws.penalty import PenaltyNormal
from fecontact.contact.laws.power import PowerNormal
from fecontact.errors import (
    FINITE,
    NON_NEGATIVE,
    POSITIVE,
    Allowed,
    InputError,
    check,
    check_kind,
)
from fecontact.typing import Floats

__all__ = [
    "ContactModuli",
    "HertzEllipse",
    "HertzLine",
    "HertzPoint",
    "equivalent_radius",
    "relative_curvature",
]

POISSON_CLOSED = Allowed("between -1 (excluded) and 0.5", lambda x: -1 < x <= 0.5)
NONE_NEGATIVE = Allowed(NON_NEGATIVE.words, lambda x: not np.any(np.asarray(x) < 0.0))
"""Of a number or of each of an array."""


@dataclass(frozen=True)
class ContactModuli:
    """Elastic constants of two bodies in contact.

    Parameters
    ----------
    young, poisson
        E_1 in Pa and nu_1.
    young_2, poisson_2
        Those of the second body: by default the same; E_2 = inf for a rigid one.

    Examples
    --------
    >>> steel = ContactModuli(210e9, 0.3)
    >>> round(steel.modulus / 1e9, 3), round(steel.shear_ratio, 4)
    (115.385, 0.8235)
    """

    young: float
    poisson: float
    young_2: float | None = None
    poisson_2: float | None = None

    def __post_init__(self) -> None:
        check("young", self.young, POSITIVE, "Pa")
        check("poisson", self.poisson, POISSON_CLOSED)
        if self.young_2 is not None and self.young_2 != np.inf:
            check("young_2", self.young_2, POSITIVE, "Pa")
        if self.poisson_2 is not None:
            check("poisson_2", self.poisson_2, POISSON_CLOSED)

    @cached_property
    def modulus(self) -> float:
        """Reduced modulus E* in Pa."""
        return 1.0 / sum((1.0 - nu**2) / young for young, nu in self._bodies)

    @cached_property
    def shear_modulus(self) -> float:
        """Reduced shear modulus G* in Pa."""
        parts = ((2.0 - nu) / (4.0 * young / (2.0 * (1.0 + nu))) for young, nu in self._bodies)
        return 1.0 / sum(parts)

    @property
    def shear_ratio(self) -> float:
        """Mindlin's ratio G*/E* of tangential and normal stiffness."""
        return self.shear_modulus / self.modulus

    @property
    def _bodies(self) -> tuple[tuple[float, float], tuple[float, float]]:
        young = self.young if self.young_2 is None else self.young_2
        poisson = self.poisson if self.poisson_2 is None else self.poisson_2
        return (self.young, self.poisson), (young, poisson)


def equivalent_radius(radius: float, radius_2: float = np.inf) -> float:
    """Radius R of the equivalent ball on a plane; negative radii are hollow.

    Examples
    --------
    >>> round(equivalent_radius(0.010, -0.011), 6)  # ball in a socket
    0.11
    """
    for name, value in (("radius", radius), ("radius_2", radius_2)):
        _check_radius(name, value)
    curvature = 1.0 / radius + 1.0 / radius_2
    if not 0.0 < curvature < np.inf:
        raise InputError(
            f"invalid radii {radius} m and {radius_2} m, which do not touch in a point: expected a "
            "sum of the curvatures > 0"
        )
    return 1.0 / curvature


@dataclass(frozen=True)
class HertzPoint:
    """Ball on a plane: F = (4/3) E* sqrt(R) d^(3/2) (Waehrisch 3.4 to 3.9, 3.14 to 3.22).

    Examples
    --------
    >>> ball = HertzPoint(ContactModuli(210e9, 0.3), radius=0.01)
    >>> d = ball.approach(100.0)
    >>> print(f"{1e6 * d:.3f} µm, {1e3 * ball.contact_radius(d):.4f} mm")
    3.483 µm, 0.1866 mm
    """

    pair: ContactModuli
    radius: float

    def __post_init__(self) -> None:
        check_kind("pair", self.pair, ContactModuli)
        check("radius", self.radius, POSITIVE, "m")

    def force(self, d: float | Floats) -> float | Floats:
        """Normal force in N at the approach d in m."""
        _check_approach(d)
        return 4.0 / 3.0 * self.pair.modulus * np.sqrt(self.radius) * np.asarray(d) ** 1.5

    def approach(self, force: float | Floats) -> float | Floats:
        """Approach d in m under a normal force in N."""
        check("normal force", force, NONE_NEGATIVE, "N")
        return (0.75 * np.asarray(force) / (self.pair.modulus * np.sqrt(self.radius))) ** (2 / 3)

    def contact_radius(self, d: float | Floats) -> float | Floats:
        """Contact radius a = sqrt(R d) in m."""
        _check_approach(d)
        return np.sqrt(self.radius * np.asarray(d))

    def peak_pressure(self, d: float | Floats) -> float | Floats:
        """p_0 = (2/pi) E* sqrt(d/R) in Pa."""
        return 2.0 / np.pi * self.pair.modulus / self.radius * self.contact_radius(d)

    def pressure(self, r: Floats, d: float) -> Floats:
        """Pressure p_0 sqrt(1 - r^2/a^2) in Pa at the distance r in m from the centre."""
        left = np.maximum(0.0, self.contact_radius(d) ** 2 - np.asarray(r) ** 2)  # a^2 - r^2
        return np.asarray(2.0 / np.pi * self.pair.modulus / self.radius * np.sqrt(left))

    def stiffness(self, d: float | Floats) -> float | Floats:
        """Tangent stiffness dF/dd = 2 E* a in N/m."""
        return 2.0 * self.pair.modulus * self.contact_radius(d)

    def tangential_stiffness(self, d: float | Floats) -> float | Floats:
        """Stiffness 2 G* a of full stick in N/m."""
        return 2.0 * self.pair.shear_modulus * self.contact_radius(d)

    def law(self, hunt_crossley: float = 0.0, root_damping: float = 0.0) -> PowerNormal:
        """Normal law of a contact point of weight 1 (force element)."""
        k = float(self.force(1.0))
        return PowerNormal(k, 1.5, hunt_crossley, root_damping)

    def full_slip(self, d: float, mu: float) -> float:
        """Relative displacement delta_max = 3 mu F/(4 G* a) = mu d E*/G* in m where all slides."""
        check("mu", mu, NON_NEGATIVE)
        _check_approach(d)
        return float(mu * d / self.pair.shear_ratio)

    def tangential_force(self, shift: float | Floats, d: float, mu: float) -> float | Floats:
        """Cattaneo and Mindlin: Q = mu F (1 - (1 - delta/delta_max)^(3/2)), first loading.

        Odd in the shift delta: Q has its sign, and |Q| stays at mu F beyond delta_max.
        """
        shift, end = np.asarray(shift), self.full_slip(d, mu)
        left = np.maximum(0.0, end - np.abs(shift)) / (end or 1.0)
        return np.sign(shift) * mu * self.force(d) * (1.0 - left**1.5)

    def stick_radius(self, tangential: float | Floats, d: float, mu: float) -> float | Floats:
        """Radius c = a (1 - |Q|/(mu F))^(1/3) in m; nothing sticks without friction."""
        check("mu", mu, NON_NEGATIVE)
        limit = mu * float(self.force(d))
        left = np.maximum(0.0, limit - np.abs(tangential)) / (limit or 1.0)
        return self.contact_radius(d) * np.cbrt(left)

    def cycle_loss(self, amplitude: float, d: float, mu: float) -> float:
        """Energy in J per cycle of a tangential force +-Q at constant F (Mindlin 1952).

        W = (18 mu^2 F^2/(5 a G*)) h(Q/(mu F)) with
        h(x) = 1 - (1 - x)^(5/3) - (5x/6) (1 + (1 - x)^(2/3))
        """
        check("mu", mu, NON_NEGATIVE)
        limit = mu * float(self.force(d))
        fraction = Allowed(f"between 0 and mu F = {limit:.6g}", lambda q: 0.0 <= q <= limit)
        check("tangential force", amplitude, fraction, "N")
        if limit == 0.0:
            return 0.0
        x = amplitude / limit
        form = 1.0 - (1.0 - x) ** (5 / 3) - 5.0 * x / 6.0 * (1.0 + (1.0 - x) ** (2 / 3))
        radius = float(self.contact_radius(d))
        return 18.0 * limit**2 / (5.0 * radius * self.pair.shear_modulus) * form


@dataclass(frozen=True)
class HertzLine:
    """Rollers of length L: F = (pi/4) E* L d, independent of the radius (Waehrisch 3.10).

    In the plane the approach of half spaces is not defined; this is the usual linear estimate.
    """

    pair: ContactModuli
    length: float
    radius: float

    def __post_init__(self) -> None:
        check_kind("pair", self.pair, ContactModuli)
        check("length", self.length, POSITIVE, "m")
        check("radius", self.radius, POSITIVE, "m")

    @property
    def stiffness(self) -> float:
        """(pi/4) E* L in N/m."""
        return 0.25 * np.pi * self.pair.modulus * self.length

    def half_width(self, force: float) -> float:
        """Half width b = sqrt(4 F R/(pi L E*)) in m."""
        check("normal force", force, NON_NEGATIVE, "N")
        return float(np.sqrt(4.0 * force * self.radius / (np.pi * self.length * self.pair.modulus)))

    def peak_pressure(self, force: float) -> float:
        """p_0 = 2 F/(pi b L) = E* b/(2 R) in Pa."""
        return 0.5 * self.pair.modulus * self.half_width(force) / self.radius

    def law(self, damping: float = 0.0) -> PenaltyNormal:
        """Normal law of a contact point of weight 1 (force element)."""
        return PenaltyNormal(self.stiffness, damping)


@dataclass(frozen=True)
class HertzEllipse:
    """General point contact with the relative radii R_1 >= R_2 (Keppler 4.1.3).

    R_1/R_2 = (E(e)/(1 - e^2) - K(e))/(K(e) - E(e)),      e^2 = 1 - b^2/a^2
    F = (4/3) E* F_2^(-3/2) sqrt(R_e) d^(3/2),            R_e = sqrt(R_1 R_2)
    """

    pair: ContactModuli
    radius_1: float
    radius_2: float

    def __post_init__(self) -> None:
        check_kind("pair", self.pair, ContactModuli)
        check("radius_2", self.radius_2, POSITIVE, "m")
        larger = Allowed(f">= radius_2 = {self.radius_2} m", lambda x: x >= self.radius_2)
        check("radius_1", self.radius_1, larger, "m")

    @cached_property
    def eccentricity(self) -> float:
        """Eccentricity e of the contact ellipse."""
        ratio = self.radius_1 / self.radius_2
        if ratio - 1.0 < 1e-12:
            return 0.0

        def defect(log_axis: float) -> float:
            minor = np.exp(2.0 * log_axis)  # 1 - e^2
            K, E = ellipkm1(minor), ellipe(1.0 - minor)
            return float(np.log((E / minor - K) / (K - E)) - np.log(ratio))

        lowest = -np.log(ratio) - 1.0  # b/a > R_2/R_1
        return float(np.sqrt(-np.expm1(2.0 * brentq(defect, lowest, -1e-9, xtol=1e-15))))

    @cached_property
    def shape_factors(self) -> tuple[float, float]:
        """F_1 and F_2; both are 1 for a circle."""
        e2 = self.eccentricity**2
        if e2 == 0.0:
            return 1.0, 1.0
        K, E = ellipk(e2), ellipe(e2)
        F_1 = np.cbrt(
            4.0 / (np.pi * e2) * (1.0 - e2) ** 0.75 * np.sqrt((E / (1.0 - e2) - K) * (K - E))
        )
        return float(F_1), float(2.0 * (1.0 - e2) ** 0.25 * K / (np.pi * F_1))

    def force(self, d: float | Floats) -> float | Floats:
        """Normal force in N at the approach d in m."""
        _check_approach(d)
        return self._coefficient * np.asarray(d) ** 1.5

    def half_axes(self, d: float) -> tuple[float, float]:
        """Half axes a >= b of the contact ellipse in m."""
        _check_approach(d)
        F_1, F_2 = self.shape_factors
        minor = np.sqrt(1.0 - self.eccentricity**2)
        square = F_1**2 / F_2 * self._radius * d
        return float(np.sqrt(square / minor)), float(np.sqrt(square * minor))

    def peak_pressure(self, d: float) -> float:
        """p_0 = 3 F/(2 pi a b) in Pa."""
        a, b = self.half_axes(1.0)  # F ~ d^(3/2), a b ~ d
        return float(1.5 * self.force(1.0) / (np.pi * a * b) * self.half_axes(d)[0] / a)

    def law(self, hunt_crossley: float = 0.0, root_damping: float = 0.0) -> PowerNormal:
        """Normal law of a contact point of weight 1 (force element)."""
        return PowerNormal(self._coefficient, 1.5, hunt_crossley, root_damping)

    @property
    def _radius(self) -> float:
        return float(np.sqrt(self.radius_1 * self.radius_2))

    @cached_property
    def _coefficient(self) -> float:
        F_2 = self.shape_factors[1]
        return float(4.0 / 3.0 * self.pair.modulus * F_2**-1.5 * np.sqrt(self._radius))


def _check_approach(d: float | Floats) -> None:
    check("approach d", d, NONE_NEGATIVE, "m")


def relative_curvature(
    first: tuple[float, float], second: tuple[float, float], angle: float = 0.0
) -> tuple[float, float]:
    """Relative radii R_1 >= R_2 of two bodies with given principal radii.

    Parameters
    ----------
    first, second
        Principal radii of each body in m; inf is flat, negative is hollow.
    angle
        Between the first principal directions of the two bodies, in rad.

    Examples
    --------
    Crossed cylinders of equal radius touch like a ball on a plane.

    >>> [round(r, 9) for r in relative_curvature((0.1, np.inf), (0.1, np.inf), np.pi / 2)]
    [0.1, 0.1]
    """
    for name, radii in (("first", first), ("second", second)):
        if np.shape(radii) != (2,):
            raise InputError(f"invalid {name} = {radii}: expected two radii in m")
        for value in radii:
            _check_radius(name, value)
    check("angle", angle, FINITE, "rad")
    k_1, k_2 = (1.0 / np.asarray(radii, dtype=float) for radii in (first, second))
    d_1, d_2 = k_1[0] - k_1[1], k_2[0] - k_2[1]
    total = float(k_1.sum() + k_2.sum())
    spread = float(np.sqrt(max(0.0, d_1**2 + d_2**2 + 2.0 * np.cos(2.0 * angle) * d_1 * d_2)))
    if not total > spread:
        raise InputError(
            f"invalid radii {first} and {second}, which do not touch in a point: expected both "
            "relative curvatures > 0"
        )
    return 2.0 / (total - spread), 2.0 / (total + spread)


def _check_radius(name: str, radius: float) -> None:
    """Raise if a radius, which may be infinite or negative, is 0 or no number."""
    if not (isinstance(radius, Real) and abs(radius) > 0.0):
        raise InputError(
            f"invalid {name} = {radius} m: expected a number that is not 0; inf is flat"
        )
