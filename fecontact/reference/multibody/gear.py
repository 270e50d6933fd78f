"""Closed forms for gear pairs."""

from __future__ import annotations

from math import cos, sqrt

__all__ = ["contact_length_range", "mesh_frequency"]


def contact_length_range(
    contact_ratio: float, overlap_ratio: float, width: float, base_helix_angle: float
) -> tuple[float, float, float]:
    """Smallest, mean and largest total length of the contact lines of helical gears, in m.

    One line grows, stays and shrinks as the convolution of two boxes of the widths epsilon_alpha
    and epsilon_beta in pitches. With their whole and broken parts, e = floor(e) + f, the sum over
    all teeth is

        l = b / (cos(beta_b) e_beta) (e_alpha e_beta - f_alpha f_beta + w),
        max(0, f_alpha + f_beta - 1) <= w <= min(f_alpha, f_beta),

    w the periodic convolution of boxes of the widths f, with the mean f_alpha f_beta. The smallest
    length is the one of AGMA 908-B89. The length is constant if one of the ratios is whole.
    """
    product = contact_ratio * overlap_ratio
    f, g = contact_ratio % 1.0, overlap_ratio % 1.0
    unit = width / cos(base_helix_angle) / overlap_ratio
    waves = (max(0.0, f + g - 1.0), f * g, min(f, g))
    low, mean, high = (unit * (product - f * g + wave) for wave in waves)
    return low, mean, high


def mesh_frequency(
    stiffness: float, base_radii: tuple[float, float], inertias: tuple[float, float]
) -> float:
    """Angular frequency in rad/s of two free shafts that swing on their mesh.

        omega^2 = c (r_b1^2 / J_1 + r_b2^2 / J_2)

    The other frequency is zero: both shafts turn as one. c is the stiffness along the line of
    action in the transverse plane, in N/m.
    """
    swing = sum(r**2 / J for r, J in zip(base_radii, inertias, strict=True))
    return sqrt(stiffness * swing)
