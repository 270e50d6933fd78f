"""Elastic half space sheared over a circle: Cerruti's integral."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.integrate import quad

from fecontact.errors import POSITIVE, check

__all__ = ["sheared_half_space"]


def sheared_half_space(
    radius: float, x: float, shear: Callable[[float], float], modulus: float, poisson: float
) -> float:
    """Displacement in m along the shear tau(r) at the point (x, 0) of the surface.

    u_x = 1/(2 pi G) int tau ((1 - nu)/s + nu (s . e_x)^2/s^3) dA, in polar coordinates s, phi
    around the point. A chord ends at the rim, where tau may be infinite: s = middle + half sin(t).

    Parameters
    ----------
    radius
        Radius a of the circle in m.
    x
        Distance of the point from the centre in m, less than a.
    shear
        tau in Pa over the radius.
    modulus, poisson
        Shear modulus G in Pa and Poisson's ratio.

    Examples
    --------
    Even shear moves the centre by (2 - nu) tau a/(2 G).

    >>> u = sheared_half_space(0.1, 0.0, lambda r: 5.0, 80.0, 0.3)
    >>> bool(abs(u - 1.7 * 5.0 * 0.1 / 160.0) < 1e-12)
    True
    """
    check("radius", radius, POSITIVE, "m")
    check("modulus", modulus, POSITIVE, "Pa")

    def chord(phi: float) -> float:
        middle = -x * np.cos(phi)
        half = np.sqrt(radius**2 - (x * np.sin(phi)) ** 2)
        start = np.arcsin(np.clip(-middle / half, -1.0, 1.0))

        def along(t: float) -> float:
            s = middle + half * np.sin(t)
            r = float(np.sqrt(x**2 + 2.0 * x * s * np.cos(phi) + s**2))
            return float(shear(r)) * half * np.cos(t)

        kernel = 1.0 - poisson * np.sin(phi) ** 2
        return float(kernel * quad(along, start, 0.5 * np.pi)[0])

    return float(quad(chord, 0.0, np.pi)[0] / (np.pi * modulus))
