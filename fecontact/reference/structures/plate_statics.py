"""Static deflection of circular plates."""

from __future__ import annotations

from math import log, pi

__all__ = ["ring_load_deflection"]


def ring_load_deflection(
    radius: float,
    ring: float,
    thickness: float,
    young: float,
    poisson: float,
    shear_factor: float = 5.0 / 6.0,
) -> float:
    """Deflection per force in m/N of a clamped plate under a ring load, at the ring.

    With the radii a of the plate and b of the ring (Timoshenko and Woinowsky-Krieger, article 17;
    the second term is the shear of a Mindlin plate)

        w(b)/P = ((a^4 - b^4)/(2 a^2) - 2 b^2 ln(a/b))/(8 pi D) + ln(a/b)/(2 pi kappa G h)
    """
    a, b = radius, ring
    D = young * thickness**3 / (12.0 * (1.0 - poisson**2))
    bending = ((a**4 - b**4) / (2.0 * a**2) - 2.0 * b**2 * log(a / b)) / (8.0 * pi * D)
    shear = young / (2.0 * (1.0 + poisson)) * shear_factor * thickness
    return bending + log(a / b) / (2.0 * pi * shear)
