"""Spinning discs: membrane stress and the frequencies of the disc without bending stiffness."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from fecontact.errors import POISSON, at_least, check, one_of
from fecontact.typing import Floats

__all__ = ["spinning_annulus_stress", "spinning_membrane_frequency"]


def spinning_annulus_stress(
    radius: Floats,
    inner_radius: float,
    outer_radius: float,
    density: float,
    poisson: float,
    held: Collection[str] = (),
) -> tuple[Floats, Floats]:
    """Stresses sigma_r, sigma_phi per Omega^2 of an annulus, plane stress.

        sigma_r = A - C/r^2 - (3 + nu)/8 rho r^2,    sigma_phi = A + C/r^2 - (1 + 3 nu)/8 rho r^2

    (Timoshenko and Goodier, Theory of Elasticity, section on rotating discs). An edge is free,
    sigma_r = 0, or held, r (sigma_phi - nu sigma_r) = E u_r = 0; with both free
    A = (3 + nu)/8 rho (a^2 + b^2) and C = (3 + nu)/8 rho a^2 b^2.

    Parameters
    ----------
    radius
        Where, in m.
    inner_radius, outer_radius, density, poisson
        Of the annulus.
    held
        Edges ("inner", "outer") without radial motion.

    Examples
    --------
    >>> radial, hoop = spinning_annulus_stress(np.array([0.1]), 0.1, 0.2, 7800.0, 0.3, ("inner",))
    >>> bool(np.isclose(hoop[0], 0.3 * radial[0]))
    True
    """
    for edge in held:
        check("held edge", edge, one_of(("inner", "outer")))
    conditions, values = np.empty((2, 2)), np.empty(2)
    for row, (edge, r) in enumerate((("inner", inner_radius), ("outer", outer_radius))):
        if edge in held:
            conditions[row] = 1.0 - poisson, (1.0 + poisson) / r**2
            values[row] = density * (1.0 - poisson**2) / 8.0 * r**2
        else:
            conditions[row] = 1.0, -1.0 / r**2
            values[row] = density * (3.0 + poisson) / 8.0 * r**2
    A, C = np.linalg.solve(conditions, values)
    radial = A - C / radius**2 - density * (3.0 + poisson) / 8.0 * radius**2
    hoop = A + C / radius**2 - density * (1.0 + 3.0 * poisson) / 8.0 * radius**2
    return radial, hoop


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
