"""Friction of patches that turn about a pole: elliptic integrals (Keppler 4.54), tables."""

from __future__ import annotations

import numpy as np
from scipy.integrate import quad
from scipy.special import ellipe, ellipkm1

from fecontact.errors import POSITIVE, check

__all__ = ["BLOCK_FRICTION", "PATCH_FRICTION", "PATCH_INNER", "hertz_patch_friction"]

PATCH_INNER = 0.6
"""Inner radius of the annuli of `PATCH_FRICTION`; the outer one, and that of the others, is 1."""
PATCH_FRICTION = {
    "Hertz": {
        0.25: (0.289922, 0.553096),
        0.5: (0.552233, 0.455592),
        1.0: (0.883573, 0.220893),
        1.5: (0.953118, 0.138138),
        2.0: (0.974279, 0.101909),
        4.0: (0.993707, 0.050227),
    },
    "annulus": {
        0.25: (0.158377, 0.796735),
        0.5: (0.332627, 0.730804),
        0.8: (0.620198, 0.541752),
        1.0: (0.790396, 0.389771),
        1.5: (0.919017, 0.237338),
        2.0: (0.955913, 0.174195),
        4.0: (0.989282, 0.085494),
    },
    "worn annulus": {1.0: (0.800634, 0.372054), 2.0: (0.957697, 0.167220)},
    "disc": {0.5: (0.483844, 0.547748), 1.0: (0.848826, 0.282942)},
}
"""Patch -> distance of the pole -> force/(mu N), moment/(mu N), from the integrals by quadrature.

Even pressure on annulus and disc, p ~ 1/r on the worn annulus, Hertz's pressure on the Hertz patch.
"""
BLOCK_FRICTION = {
    (0.3, 0.2): (0.278463, -0.283495, 0.523772),
    (1.3, -0.7): (-0.496010, -0.823866, 0.109172),
    (0.0, 0.0): (0.0, 0.0, 0.593233),
}
"""Pole of a block of the sides 2 and 1 -> force along, across, and moment, per mu N, likewise."""


def hertz_patch_friction(pole: float) -> tuple[float, float]:
    """Force per mu N and moment per mu N a of the patch that slides about a pole.

        F = int (x J_0 - r J_c) p r dr,      M = int (r^2 J_0 - r x J_c) p r dr

    with J_0 = 4 K(m)/(r + x), J_c = ((r^2 + x^2) J_0 - 4 (r + x) E(m))/(2 r x) and
    m = 4 r x/(r + x)^2 (Keppler 4.54, which holds for r < x only, corrected).

    Parameters
    ----------
    pole
        Distance x of the pole from the centre over the contact radius a.

    Examples
    --------
    Inside the patch both are polynomials, F = 3 pi/8 x - 3 pi/32 x^3.

    >>> F, M = hertz_patch_friction(0.5)
    >>> abs(F - 3 * np.pi / 8 * (0.5 - 0.5**3 / 4)) < 1e-9
    True
    """
    check("pole", pole, POSITIVE)
    x = pole

    def ring(r: float, moment: bool) -> float:
        k = ellipkm1(((r - x) / (r + x)) ** 2)
        J_0 = 4.0 * k / (r + x)
        J_d = 4.0 * (r + x) * ellipe(4.0 * r * x / (r + x) ** 2)
        J_c = ((r**2 + x**2) * J_0 - J_d) / (2.0 * r * x)
        arm = r**2 * J_0 - r * x * J_c if moment else x * J_0 - r * J_c
        return float(1.5 / np.pi * np.sqrt(1.0 - r**2) * arm * r)

    parts = [(0.0, min(x, 1.0)), (min(x, 1.0), 1.0)]
    force, moment = (
        sum(quad(ring, *part, args=(which,), limit=200)[0] for part in parts if part[1] > part[0])
        for which in (False, True)
    )
    return force, moment
