"""Tilt of a clutch disc that is pressed on a spinning plate: wobble (Jehle 8.2)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import sqrt
from typing import Any

import numpy as np

from fecontact.typing import Complexes

__all__ = ["RubbedTilt"]


@dataclass(frozen=True)
class RubbedTilt:
    """Tilt of a disc in a fixed centre whose ring is pressed on a spinning plate (Jehle 8.3).

        J t'' + (b + d + G S) t' + (k + n S) t = 0,      S = [[0, 1], [-1, 0]]
        k = c R^2/2,   G = J phi',   d = c h^2 mu (h - H)/(2 R |Omega - phi'|)
        n = -(c h mu R/2) (1 - h (h - H) Omega/(R^2 (Omega - phi'))) sgn(Omega - phi')

    The print gives n with the opposite sign against G. Where the ring is pressed more, friction
    along the slip, at the lever h, has a moment that turns the tilt against the slip: the moment
    about x is +(c h mu R/2) sgn(Omega - phi') times the tilt about y, and n its negative.

    The tilt is stable if and only if b + d > 0 and
    (b + d)^2 k/J + (b + d) phi' n - n^2 > 0.

    Parameters
    ----------
    inertia
        J about all axes in kg m^2.
    stiffness, damping
        c of the ring in N/m, b of the bearing in N m s.
    radius, height, preload
        R, h and the compression h - H of the ring in m.
    friction
        Coefficient mu.
    plate_speed, slip
        Omega and Omega - phi' in rad/s.
    """

    inertia: float
    stiffness: float
    damping: float
    radius: float
    height: float
    preload: float
    friction: float
    plate_speed: float
    slip: float

    @classmethod
    def of(cls, parameters: Any) -> RubbedTilt:
        """From an object that has attributes of these names, such as the parameters of a case."""
        return cls(**{each.name: getattr(parameters, each.name) for each in fields(cls)})

    @property
    def spin(self) -> float:
        """Speed phi' of the disc in rad/s."""
        return self.plate_speed - self.slip

    @property
    def coefficients(self) -> tuple[float, float, float]:
        """Stiffness k and circulatory n in N m, damping d of the contact in N m s."""
        c, h, R, mu = self.stiffness, self.height, self.radius, self.friction
        turned = h * self.preload * self.plate_speed / (R**2 * self.slip)
        n = -0.5 * c * h * mu * R * (1.0 - turned) * np.sign(self.slip)
        d = c * h**2 * mu * self.preload / (2.0 * R * abs(self.slip))
        return 0.5 * c * R**2, float(n), d

    @property
    def eigenvalues(self) -> Complexes:
        """Eigenvalues (2,) in 1/s with positive imaginary part, rising frequency."""
        k, n, d = self.coefficients
        J = self.inertia
        forward = np.roots([J, self.damping + d - 1j * J * self.spin, k - 1j * n])
        z = np.concatenate([forward, forward.conj()])
        z = z[z.imag > 0.0]
        return np.asarray(z[np.argsort(z.imag)])

    @property
    def critical_damping(self) -> float:
        """Damping b in N m s at the stability boundary; negative if the tilt is always stable."""
        k, n, d = self.coefficients
        square = k / self.inertia
        root = sqrt((self.spin * n) ** 2 + 4.0 * square * n**2)
        return (-self.spin * n + root) / (2.0 * square) - d
