"""Relative coordinates of two bodies, and the derivatives that force elements need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fecontact.body.rotation import cross_matrix
from fecontact.typing import Floats

__all__ = ["Relative", "d_log_rate", "log_rate"]

SMALL_ANGLE = 0.2


@dataclass(frozen=True)
class Relative:
    """k relative coordinates s of two bodies with n freedoms in all.

    Derivatives are taken along steps of the freedoms (`Body.move`).

    Attributes
    ----------
    value, rate : (k,)
        s and s'.
    jacobian : (k, n)
        Derivative of s along a step, and of s' by the velocities v.
    d_rate
        Function without arguments: derivative (k, n) of s' along a step, at fixed v.
    d_load
        Function of loads (k,): derivative (n, n) of jacobian^T load along a step, at fixed load.
    """

    value: Floats
    rate: Floats
    jacobian: Floats
    d_rate: Callable[[], Floats]
    d_load: Callable[[Floats], Floats]

    def mapped(self, matrix: Floats) -> Relative:
        """Coordinates matrix @ s, with a constant matrix (m, k)."""
        return Relative(
            matrix @ self.value,
            matrix @ self.rate,
            matrix @ self.jacobian,
            lambda: matrix @ self.d_rate(),
            lambda load: self.d_load(matrix.T @ load),
        )

    def shifted(self, origin: Floats) -> Relative:
        """Coordinates s - origin."""
        return replace(self, value=self.value - origin)

    @staticmethod
    def stacked(parts: Sequence[Relative]) -> Relative:
        """Coordinates of all parts, one after the other."""
        ends = np.cumsum([len(part.value) for part in parts])[:-1]

        def d_load(load: Floats) -> Floats:
            loads = zip(parts, np.split(load, ends), strict=True)
            return np.sum([part.d_load(own) for part, own in loads], axis=0)

        return Relative(
            np.concatenate([part.value for part in parts]),
            np.concatenate([part.rate for part in parts]),
            np.concatenate([part.jacobian for part in parts]),
            lambda: np.concatenate([part.d_rate() for part in parts]),
            d_load,
        )


def log_rate(theta: Floats) -> Floats:
    """Matrix A (3, 3) with theta' = A omega, for the rotation exp(theta~) and omega in space.

    A = I - theta~/2 + c theta~^2 with c = (1 - (phi/2) cot(phi/2)) / phi^2, phi = |theta|, the
    inverse of the tangent of the exponential (Bullo and Murray 1995). A^T is A(-theta).
    """
    turn = cross_matrix(theta)
    return np.eye(3) - 0.5 * turn + _coefficients(theta)[0] * turn @ turn


def d_log_rate(theta: Floats, a: Floats) -> Floats:
    """Derivative (3, 3) of A(theta) a by theta, at fixed a."""
    c, slope = _coefficients(theta)
    twice = theta * (theta @ a) - a * (theta @ theta)
    bent = (theta @ a) * np.eye(3) + np.outer(theta, a) - 2.0 * np.outer(a, theta)
    return 0.5 * cross_matrix(a) + c * bent + slope * np.outer(twice, theta)


def _coefficients(theta: Floats) -> tuple[float, float]:
    """c(phi) and c'(phi)/phi; by their series for small angles."""
    square = float(theta @ theta)
    if square < SMALL_ANGLE**2:
        c = 1 / 12 + square / 720 + square**2 / 30240 + square**3 / 1209600
        slope = 1 / 360 + square / 7560 + square**2 / 201600 + square**3 / 5987520
        return c, slope
    phi = np.sqrt(square)
    cot = 1.0 / np.tan(0.5 * phi)
    c = (1.0 - 0.5 * phi * cot) / square
    change = -0.5 * cot + 0.25 * phi * (1.0 + cot**2)
    return c, (change / phi - 2.0 * c) / square
