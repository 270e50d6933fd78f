"""Column under a follower load at its free end (Beck 1952)."""

from __future__ import annotations

from math import cos, cosh, sin, sinh, sqrt

from scipy.optimize import fsolve

from fecontact.typing import Floats

__all__ = ["beck_column"]


def beck_column() -> tuple[float, float]:
    """Critical load in EI/l^2 and frequency in sqrt(EI/(m l^4)) at which two modes meet.

    Double root w of the frequency equation

        P^2 + 2 w^2 (1 + cos a cosh b) + P w sin a sinh b = 0,
        a, b = sqrt(sqrt(P^2/4 + w^2) +- P/2)

    Examples
    --------
    >>> P, w = beck_column()
    >>> round(P, 2), round(w, 2)
    (20.05, 11.02)
    """

    def equation(P: float, w: float) -> float:
        root = sqrt(P**2 / 4.0 + w**2)
        a, b = sqrt(root + P / 2.0), sqrt(root - P / 2.0)
        return P**2 + 2.0 * w**2 * (1.0 + cos(a) * cosh(b)) + P * w * sin(a) * sinh(b)

    def double(x: Floats) -> list[float]:
        P, w = map(float, x)
        h = 1e-4
        return [equation(P, w), (equation(P, w + h) - equation(P, w - h)) / (2.0 * h)]

    P, w = fsolve(double, [20.0, 11.0], xtol=1e-12)
    return float(P), float(w)
