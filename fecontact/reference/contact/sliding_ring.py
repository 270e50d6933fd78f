"""Friction of a ring that slides while it moves radially, by adaptive quadrature."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sin, sqrt

import numpy as np
from scipy.integrate import quad

from fecontact.typing import Floats

__all__ = ["sliding_ring"]


def sliding_ring(w: float) -> Floats:
    """Force along a radial motion over mu N, and torque over mu N R, of a ring (2,).

    For positive slip delta and the radial speed v_x = w R delta (Jehle 3.13, corrected)

        f = -1/(2 pi) int (w + sin t)/s dt,    M = 1/(2 pi) int (1 + w sin t)/s dt,
        s^2 = 1 + 2 w sin t + w^2
    """

    def integral(kernel: Callable[[float], float]) -> float:
        return float(quad(kernel, -0.5 * pi, 0.5 * pi, epsabs=1e-13, epsrel=1e-13)[0]) / pi

    def s(t: float) -> float:
        return sqrt(1.0 + 2.0 * w * sin(t) + w**2)

    force = integral(lambda t: (w + sin(t)) / s(t))
    return np.array([-force, integral(lambda t: (1.0 + w * sin(t)) / s(t))])
