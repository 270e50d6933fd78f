"""Compiled adhesive force of one point (JKR); the formulas are those of `contact.laws.adhesion`.

Parameters are the size of the pull-off force, the length d_0, and Hertz's force at d = 1.
"""

from __future__ import annotations

from math import isfinite, sqrt

import numpy as np

from fecontact.contact.laws.adhesion import BREAK
from fecontact.kernels.decorators import kernel

__all__ = ["BREAK", "bond_energy", "bond_force"]


@kernel(fastmath=True)
def _root(x: float) -> float:
    """Larger root y of y^4 - y = x >= BREAK, by Ferrari and Cardano without cancellation."""
    s = sqrt(max(1.0 / 256.0 + (x / 3.0) ** 3, 0.0))
    u = np.cbrt(1.0 / 16.0 + s)
    m = 0.125 / (u**2 + x / 3.0 + (x / (3.0 * u)) ** 2)
    w = sqrt(2.0 * m)
    return 0.5 * (w + sqrt(max(2.0 / w - w**2, 0.0)))


@kernel(fastmath=True)
def bond_force(
    force: float, length: float, hertz: float, d: float
) -> tuple[float, float, float, float]:
    """Hertz's force at the approach d and its slope, and what a full bond adds to both."""
    depth = max(d, 0.0)
    free, free_slope = hertz * depth**1.5, 1.5 * hertz * sqrt(depth)
    y, slope = _root(max(d / length, BREAK)), 0.0
    if d > BREAK * length:
        slope = force / length * (32.0 / 3.0 * y**5 - 8.0 * y**2) / (4.0 * y**3 - 1.0)
    bond = force * (16.0 / 9.0 * y**6 - 8.0 / 3.0 * y**3) - free
    return free, free_slope, bond, slope - free_slope


@kernel(fastmath=True)
def bond_energy(force: float, length: float, hertz: float, d: float) -> float:
    """Energy W of a full bond at the approach d."""
    y = _root(max(d / length, BREAK))
    whole = 32.0 / 45.0 * y**10 - 16.0 / 9.0 * y**7 + 2.0 / 3.0 * y**4
    apart = max(BREAK - d / length, 0.0) if isfinite(d) else 0.0
    return force * length * (whole + 5.0 / 9.0 * apart) - 0.4 * hertz * max(d, 0.0) ** 2.5
