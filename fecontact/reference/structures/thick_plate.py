"""Flexural waves of a plate of any thickness, exact in three dimensions (Rayleigh and Lamb)."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

from fecontact.errors import POISSON, POSITIVE, check

__all__ = ["lamb_frequency"]


def lamb_frequency(
    wave_number: float, thickness: float, young: float, poisson: float, density: float
) -> float:
    """Frequency in Hz of the lowest antisymmetric Lamb wave of a wave number k in 1/m.

        tanh(Q h/2)/tanh(P h/2) = (k^2 + Q^2)^2/(4 k^2 P Q)
        P^2 = k^2 - (omega/c_l)^2,    Q^2 = k^2 - (omega/c_t)^2

    (Achenbach, Wave Propagation in Elastic Solids, 1973). A rectangular plate a x b whose edges
    move along their normals only has these frequencies, with k^2 = (m pi/a)^2 + (n pi/b)^2. Below
    k h = 0.01 round-off grows beyond 1e-5; Kirchhoff's plate is nearer there.

    Examples
    --------
    Long waves are those of Kirchhoff's plate, short ones Rayleigh's at 0.9274 c_t (nu = 0.3):

    >>> E, nu, rho = 2.0 * (1.0 + 0.3), 0.3, 1.0                          # G = rho = c_t = 1
    >>> k, h = 0.01, 1.0
    >>> kirchhoff = k**2 * (E * h**2 / (12.0 * (1.0 - nu**2) * rho)) ** 0.5
    >>> round(2 * np.pi * lamb_frequency(k, h, E, nu, rho) / kirchhoff, 4)
    1.0
    >>> round(2 * np.pi * lamb_frequency(50.0, h, E, nu, rho) / 50.0, 4)
    0.9274
    """
    for name, value in (("wave_number", wave_number), ("thickness", thickness), ("young", young)):
        check(name, value, POSITIVE)
    check("poisson", poisson, POISSON)
    check("density", density, POSITIVE, "kg/m^3")
    k2, half = wave_number**2, 0.5 * thickness
    shear = young / (2.0 * (1.0 + poisson))
    fast = np.sqrt(2.0 * shear * (1.0 - poisson) / (density * (1.0 - 2.0 * poisson)))
    slow = np.sqrt(shear / density)

    def imbalance(omega: float) -> float:
        P, Q = (np.sqrt(k2 - (omega / c) ** 2) for c in (fast, slow))
        left = 4.0 * k2 * P * np.tanh(Q * half) / Q
        return float(left - (k2 + Q**2) ** 2 / Q**2 * np.tanh(P * half))

    thin = k2 * np.sqrt(young * thickness**2 / (12.0 * (1.0 - poisson**2) * density))
    low = 0.5 * min(thin, 0.9 * slow * wave_number)  # omega = 0 is a trivial root
    high = min(1.05 * thin, 0.999 * slow * wave_number)
    return float(brentq(imbalance, low, high, xtol=1e-14 * high, rtol=1e-14)) / (2.0 * np.pi)
