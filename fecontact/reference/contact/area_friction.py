"""Friction of a round Hertz patch that turns about a pole, by elliptic integrals (Keppler 4.54)."""

from __future__ import annotations

import numpy as np
from scipy.integrate import quad
from scipy.special import ellipe, ellipkm1

from fecontact.errors import POSITIVE, check

__all__ = ["hertz_patch_friction"]


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
