"""Hoop on an incline that rolls on bristles: one implicit step of Euler's method (Stamm 4.188)."""

from __future__ import annotations

import numpy as np

from fecontact.errors import POSITIVE, check
from fecontact.typing import Floats

__all__ = ["hoop_first_step"]


def hoop_first_step(
    mass: float, radius: float, pull: float, stiffness: float, damping: float,
    step: float, preload: float = 0.0,
) -> Floats:  # fmt: skip
    """Speed v in m/s, spin in rad/s and bristle z in m after one step from rest (Stamm 4.188).

        v = h (g' (m + h beta + h^2 c) - c z_p)/D,         D = 2 h^2 c + 2 h beta + m,
        omega = h (g' (h beta + h^2 c) + c z_p)/(R D),     z = h^2 (F - 2 c z_p)/D

    for m v' = F - T, m R omega' = T, z' = v - omega R, T = c (z_p + z) + beta z', g' = F/m.

    Parameters
    ----------
    mass, radius
        m in kg and R in m; the inertia is m R^2.
    pull
        Downhill force F = m g sin(phi) in N.
    stiffness, damping
        c in N/m and beta in N s/m of the bristles.
    step, preload
        h in s and z_p in m.

    Examples
    --------
    Stiff bristles: it rolls with half the acceleration of a block.

    >>> v, omega, z = hoop_first_step(1.0, 0.1, 4.0, 1e12, 0.0, 1e-3)
    >>> float(round(v, 6)), float(round(omega * 0.1, 6))
    (0.002, 0.002)
    """
    check("step", step, POSITIVE)
    h, m, c, beta = step, mass, stiffness, damping
    D, g = 2.0 * h**2 * c + 2.0 * h * beta + m, pull / m
    v = h * (g * (m + h * beta + h**2 * c) - c * preload) / D
    omega = h * (g * (h * beta + h**2 * c) + c * preload) / (radius * D)
    return np.array([v, omega, h**2 * (pull - 2.0 * c * preload) / D])
