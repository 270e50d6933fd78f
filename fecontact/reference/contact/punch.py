"""Rigid axisymmetric punches on an elastic half space: closed forms (Keppler 4.1.1, Sneddon).

E* = E/(1 - nu^2), contact radius a, approach delta, normal force F. All follow from linear elastic
half-space theory without friction.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.integrate import quad
from scipy.special import binom, ellipk, poch

from fecontact.errors import POSITIVE, at_least, check
from fecontact.typing import Floats

__all__ = ["PowerPunch", "flat_punch", "half_space_displacement", "sphere_exact", "sphere_series"]


@dataclass(frozen=True)
class PowerPunch:
    """Punch of the shape f = c (r/R)^(2 n) (Steuermann; Keppler's factors corrected).

        F     = 2 sqrt(pi) n Gamma(n + 1)/Gamma(n + 3/2) c E* a^(2n + 1)/R^(2n)
        delta = sqrt(pi) Gamma(n + 1)/Gamma(n + 1/2) c (a/R)^(2n)

    Examples
    --------
    n = 1 and c = R/2 is Hertz's parabola: F = (4/3) E* a^3/R, delta = a^2/R.

    >>> ball = PowerPunch(1, height=0.5, radius=1.0, modulus=3.0)
    >>> round(ball.force(0.1), 12), round(ball.approach(0.1), 12)
    (0.004, 0.01)
    """

    order: int
    height: float
    radius: float
    modulus: float

    def __post_init__(self) -> None:
        check("order", self.order, at_least(1))
        check("radius", self.radius, POSITIVE, "m")
        check("modulus", self.modulus, POSITIVE, "Pa")

    def shape(self, r: float | Floats) -> float | Floats:
        """Profile f in m."""
        return self.height * (np.asarray(r) / self.radius) ** (2 * self.order)

    def force(self, a: float) -> float:
        """Normal force in N at the contact radius a."""
        n = self.order
        factor = 2.0 * sqrt(np.pi) * n / poch(n + 1.0, 0.5)
        return float(factor * self.height * self.modulus * a * (a / self.radius) ** (2 * n))

    def approach(self, a: float) -> float:
        """Approach in m at the contact radius a."""
        n = self.order
        factor = sqrt(np.pi) * poch(n + 0.5, 0.5)
        return float(factor * self.height * (a / self.radius) ** (2 * n))

    def pressure(self, r: float | Floats, a: float) -> float | Floats:
        """Pressure in Pa inside the contact radius a."""
        n, x = self.order, np.asarray(r) / a
        k = np.arange(n)
        weights = 1.0 / poch(n - k - 0.5, 0.5)
        series = np.sum(weights * np.asarray(x)[..., None] ** (2 * k), axis=-1)
        factor = poch(n + 0.5, 0.5) ** 2 / sqrt(np.pi)
        size = self.height * self.modulus / a * (a / self.radius) ** (2 * n)
        return factor * size * np.sqrt(1.0 - x**2) * series


def sphere_series(a: float, radius: float, modulus: float, terms: int) -> tuple[float, float]:
    """Approach and force of a ball, its profile R - sqrt(R^2 - r^2) expanded to r^(2 terms)."""
    check("terms", terms, at_least(1))
    parts = [
        PowerPunch(k, radius * (-1) ** (k - 1) * float(binom(0.5, k)), radius, modulus)
        for k in range(1, terms + 1)
    ]
    return sum(part.approach(a) for part in parts), sum(part.force(a) for part in parts)


def sphere_exact(a: float, radius: float, modulus: float) -> tuple[float, float]:
    """Approach and force of a ball after Sneddon, for any a < R.

    With x = a/R: delta = (a/2) ln((1 + x)/(1 - x)), F = E* R^2 ((1 + x^2)/2 ln(...) - x).
    """
    x = a / radius
    log = 2.0 * np.arctanh(x)
    return float(0.5 * a * log), float(modulus * radius**2 * (0.5 * (1.0 + x**2) * log - x))


def flat_punch(
    r: float | Floats, radius: float, force: float, modulus: float
) -> tuple[Floats, float]:
    """Pressure F/(2 pi R^2)/sqrt(1 - r^2/R^2) and approach F/(2 E* R) of a flat cylinder."""
    x = np.asarray(r) / radius
    pressure = force / (2.0 * np.pi * radius**2) / np.sqrt(1.0 - x**2)
    return pressure, force / (2.0 * modulus * radius)


def half_space_displacement(r: float, a: float, modulus: float, punch: PowerPunch) -> float:
    """Normal displacement in m of the surface at r under the pressure of a punch (Keppler 4.6).

    u = 4/(pi E*) int_0^a p(s) s/(r + s) K(m) ds with m = 4 r s/(r + s)^2, by quadrature; it is
    independent of the closed forms.
    """

    def ring(angle: float) -> float:
        s = a * np.sin(angle)
        kernel = s / (r + s) * ellipk(4.0 * r * s / (r + s) ** 2) * a * np.cos(angle)
        return float(punch.pressure(s, a) * kernel)

    pole = float(np.arcsin(min(r / a, 1.0)))
    parts = [(0.0, pole), (pole, 0.5 * np.pi)]
    total = sum(quad(ring, *part, limit=200)[0] for part in parts if part[1] > part[0])
    return 4.0 / (np.pi * modulus) * total
