"""Pendulum through large angles, by Jacobi's elliptic functions."""

from __future__ import annotations

from dataclasses import dataclass
from math import sin, sqrt

import numpy as np
from scipy.special import ellipj, ellipk

from fecontact.typing import Floats

__all__ = ["LargeSwing"]


@dataclass(frozen=True)
class LargeSwing:
    """Point mass on a massless rod, let go at rest.

    With k = sin(amplitude/2), omega = sqrt(g/l):  phi = 2 arcsin(k sn(K - omega t)).

    Parameters
    ----------
    length
        In m.
    amplitude
        Largest angle in rad.
    gravity
        In m/s^2.
    """

    length: float
    amplitude: float
    gravity: float

    @property
    def period(self) -> float:
        """In s."""
        return (
            4.0 * float(ellipk(sin(0.5 * self.amplitude) ** 2)) * sqrt(self.length / self.gravity)
        )

    def at(self, t: Floats) -> tuple[Floats, Floats]:
        """Angle in rad and its rate in rad/s; at rest at the amplitude for t = 0."""
        k, omega = sin(0.5 * self.amplitude), sqrt(self.gravity / self.length)
        sn, cn, _, _ = ellipj(ellipk(k**2) - omega * t, k**2)
        return np.asarray(2.0 * np.arcsin(k * sn)), np.asarray(-2.0 * k * omega * cn)

    def rod_force(self, mass: float, t: Floats) -> Floats:
        """Tension m (g cos(phi) + l phi'^2) of the rod in N."""
        angle, rate = self.at(t)
        return np.asarray(mass * (self.gravity * np.cos(angle) + self.length * rate**2))
