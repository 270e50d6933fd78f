"""Integrals over Hertz contacts, and impacts on spring and damper."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, exp, pi, sqrt

import numpy as np
from scipy.integrate import quad

from fecontact.typing import Floats

__all__ = ["hertz_measures", "impact_restitution", "over_disc", "roller_dent"]


def over_disc(radius: float, value: Callable[[float], float | Floats]) -> float:
    """Integral of value(r) over a disc, by quadrature over r = a sin(t)."""

    def ring(t: float) -> float:
        return float(value(radius * np.sin(t))) * float(np.sin(t) * np.cos(t))

    return float(2.0 * pi * radius**2 * quad(ring, 0.0, 0.5 * pi)[0])


def impact_restitution(ratio: float) -> float:
    """Restitution of a linear spring and damper without tension, D = `ratio` < 1/sqrt(2).

    The spring-damper lets go where its force is zero (Waehrisch 4.3), at the angle

        pi - arctan(2 D w/(w^2 - D^2)),      w = sqrt(1 - D^2)

    of the free oscillation, and e = exp(-D/w times this angle).
    """
    w = sqrt(1.0 - ratio**2)
    return exp(-ratio / w * (pi - atan2(2.0 * ratio * w, w**2 - ratio**2)))


def roller_dent(half_width: float, peak: float, modulus: float) -> float:
    """Dent in m of a half plane under an elliptic pressure, centre against rim.

    By Flamant's integral  u(0) - u(b) = 2/(pi E*) int p ln(|b - x|/|x|) dx,  x = b sin(t).
    """

    def kernel(t: float) -> float:
        return float(np.cos(t) ** 2 * np.log((1.0 - np.sin(t)) / abs(np.sin(t))))

    half = 0.5 * pi
    total = quad(kernel, -half, half, points=[0.0])[0]
    return float(2.0 * peak * half_width * total / (pi * modulus))


def hertz_measures(
    points: Floats, weights: Floats, pressure: Floats, radius: float
) -> tuple[float, float]:
    """Contact radius in m and peak pressure in Pa that a pressure at points shows.

    The radius is that of the second moment, a^2 = (5/2) int p r^2 dA/F; the peak is that of Hertz's
    pressure with the load inside half the contact radius.

    Parameters
    ----------
    points, weights, pressure
        Positions (n, >= 2) in m, areas (n,) in m^2 and pressures (n,) in Pa.
    radius
        Exact contact radius in m.
    """
    r = np.hypot(points[:, 0], points[:, 1])
    moment = float(weights @ (pressure * r**2)) / float(weights @ pressure)
    core = weights * (r < 0.5 * radius)
    shape = np.sqrt(np.maximum(1.0 - (r / radius) ** 2, 0.0))
    return sqrt(2.5 * moment), float(core @ pressure) / float(core @ shape)
