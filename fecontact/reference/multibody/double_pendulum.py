"""Double pendulum with orthogonal hinge axes, in its two joint angles (Keppler, example 2.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from fecontact.typing import Floats

__all__ = ["OrthogonalPendulum"]


@dataclass(frozen=True)
class OrthogonalPendulum:
    """Two equal bars; the first turns about x at the ceiling, the second about y at its end.

    The formulas are those of the source, corrected: it prints the mass M_11 wrongly.

    Parameters
    ----------
    length, mass
        Of a bar, in m and kg.
    inertia
        Moments J_x, J_y, J_z about its centre, in kg m^2; z is along the bar.
    gravity
        In m/s^2.
    """

    length: float
    mass: float
    inertia: tuple[float, float, float]
    gravity: float

    def mass_matrix(self, angles: Floats) -> Floats:
        """Mass matrix (2, 2) of the angles."""
        c, s = np.cos(angles[1]), np.sin(angles[1])
        x, y, z = self.inertia
        square = self.mass * self.length**2 / 4.0
        first = square * (1.0 + (2.0 + c) ** 2) + x * (1.0 + c**2) + z * s**2
        return np.diag([first, square + y])

    def accelerations(self, angles: Floats, rates: Floats) -> Floats:
        """Angular accelerations (2,)."""
        (c1, c2), (s1, s2) = np.cos(angles), np.sin(angles)
        x, _, z = self.inertia
        weight = 0.5 * self.mass * self.gravity * self.length
        lever = self.mass * self.length**2 * (2.0 + c2) + 4.0 * c2 * (x - z)
        right = [
            -weight * s1 * (3.0 + c2) + 0.5 * rates[0] * rates[1] * s2 * lever,
            -weight * c1 * s2 - 0.25 * rates[0] ** 2 * s2 * lever,
        ]
        return np.asarray(right / np.diag(self.mass_matrix(angles)))

    def coupling_matrix(self, angles: Floats) -> Floats:
        """Velocities (12, 2) of the bars in their own components per rate of the angles."""
        half, c, s = 0.5 * self.length, np.cos(angles[1]), np.sin(angles[1])
        first = [0.0, half, 0.0, 1.0, 0.0, 0.0, 0.0, half * (2.0 + c), 0.0, c, 0.0, s]
        second = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -half, 0.0, 0.0, 0.0, 1.0, 0.0]
        return np.array([first, second]).T

    def motion(self, start: Floats, times: Floats) -> Floats:
        """Angles (k, 2) over time from angles and rates (2, 2)."""

        def rate(t: float, y: Floats) -> Floats:
            return np.append(y[2:], self.accelerations(y[:2], y[2:]))

        span, y = (0.0, times[-1]), np.ravel(start)
        return np.asarray(solve_ivp(rate, span, y, "DOP853", times, rtol=1e-12, atol=1e-13).y[:2].T)
