"""Spinning discs: membrane stress and the frequencies of the disc without bending stiffness."""

from __future__ import annotations

import numpy as np

from fecontact.errors import POISSON, at_least, check
from fecontact.typing import Floats

__all__ = ["spinning_annulus_stress", "spinning_membrane_frequency"]


def spinning_annulus_stress(
    radius: Floats, inner_radius: float, outer_radius: float, density: float, poisson: float
) -> tuple[Floats, Floats]:
    """Stresses sigma_r, sigma_phi per Omega^2 of an annulus with free edges, plane stress.

        sigma_r   = (3 + nu)/8 rho (a^2 + b^2 - a^2 b^2/r^2 - r^2)
        sigma_phi = (3 + nu)/8 rho (a^2 + b^2 + a^2 b^2/r^2 - (1 + 3 nu)/(3 + nu) r^2)

    (Timoshenko and Goodier, Theory of Elasticity, section on rotating discs), with the radii
    a and b of the edges.
    """
    squares = inner_radius**2 + outer_radius**2
    product = (inner_radius * outer_radius / radius) ** 2
    scale = density * (3.0 + poisson) / 8.0
    ratio = (1.0 + 3.0 * poisson) / (3.0 + poisson)
    return scale * (squares - product - radius**2), scale * (squares + product - ratio * radius**2)


def spinning_membrane_frequency(poisson: float, diameters: int, circles: int = 0) -> float:
    """Ratio omega/Omega of a free spinning disc without bending stiffness, in its own frame.

        (omega/Omega)^2 = (3 + nu)/8 (n + 2 s)(n + 2 s + 2) - (1 + 3 nu)/8 n^2

    for n nodal diameters and s nodal circles (Lamb and Southwell 1921).

    Examples
    --------
    >>> round(spinning_membrane_frequency(0.3, diameters=2) ** 2, 9)
    2.35
    """
    check("poisson", poisson, POISSON)
    check("diameters", diameters, at_least(0))
    check("circles", circles, at_least(0))
    order = diameters + 2 * circles
    square = (3.0 + poisson) * order * (order + 2) - (1.0 + 3.0 * poisson) * diameters**2
    return float(np.sqrt(square / 8.0))
