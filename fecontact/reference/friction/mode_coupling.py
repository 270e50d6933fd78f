"""Block on two skew springs that rubs on a belt: flutter by mode coupling.

Hoffmann, Fischer, Allgaier and Gaul 2002, Mechanics Research Communications 29, 197-205.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin

import numpy as np

from fecontact.typing import Floats

__all__ = ["SkewSprings"]


@dataclass(frozen=True)
class SkewSprings:
    """Small motions of the block, with x along the belt and y normal to it.

        m x'' + k11 x + (k12 - mu k3) y = 0,     m y'' + k12 x + k22 y = 0

    Without damping the two modes meet at mu = (k12^2 + (k11 - k22)^2/4)/(k12 k3).

    Parameters
    ----------
    mass
        In kg.
    stiffnesses, angles
        Of the two springs, in N/m and rad.
    contact
        Stiffness k3 of the contact in N/m.
    damping
        Of a damper beside each spring, in N s/m.
    """

    mass: float
    stiffnesses: tuple[float, float]
    angles: tuple[float, float]
    contact: float
    damping: float = 0.0

    @property
    def matrix(self) -> Floats:
        """Stiffness (2, 2) of the springs and of the contact, without friction."""
        return np.diag([0.0, self.contact]) + self._along(self.stiffnesses)

    @property
    def critical_friction(self) -> float:
        """Onset of flutter without damping."""
        (k11, k12), (_, k22) = self.matrix
        return float((k12**2 + (k11 - k22) ** 2 / 4.0) / (abs(k12) * self.contact))

    def eigenvalue(self, friction: float) -> complex:
        """Eigenvalue in 1/s with the largest real part, without damping."""
        (k11, k12), (_, k22) = self.matrix / self.mass
        inner = (k11 - k22) ** 2 / 4.0 + k12**2 - abs(k12) * friction * self.contact / self.mass
        squares = (k11 + k22) / 2.0 + np.array([1.0, -1.0]) * np.sqrt(complex(inner))
        z = 1j * np.sqrt(squares)
        z = np.concatenate([z, -z])
        z = z[z.imag > 0.0]
        return complex(z[np.argmax(z.real)])

    def hurwitz(self, friction: float) -> float:
        """Hurwitz determinant a1 a2 a3 - a3^2 - a1^2 a4 of the damped model; negative: flutter."""
        (k11, k12), (_, k22) = self.matrix
        C, m = self._along((self.damping, self.damping)), self.mass
        K = np.array([[k11, k12 - np.sign(k12) * friction * self.contact], [k12, k22]])
        a1 = (C[0, 0] + C[1, 1]) / m
        a2 = (K[0, 0] + K[1, 1]) / m + np.linalg.det(C) / m**2
        a3 = (C[0, 0] * K[1, 1] + C[1, 1] * K[0, 0] - C[0, 1] * K[1, 0] - C[1, 0] * K[0, 1]) / m**2
        a4 = np.linalg.det(K) / m**2
        return float(a1 * a2 * a3 - a3**2 - a1**2 * a4)

    def _along(self, sizes: tuple[float, float]) -> Floats:
        """Sum of size e e^T over the directions e of the springs."""
        directions = np.array([[cos(angle), sin(angle)] for angle in self.angles])
        return np.asarray(np.einsum("k,ki,kj->ij", sizes, directions, directions))
