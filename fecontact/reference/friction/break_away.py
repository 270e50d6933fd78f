"""Mass on a critically damped bristle that a step load breaks away."""

from __future__ import annotations

from dataclasses import dataclass
from math import e, exp, sqrt

import numpy as np
from scipy.special import lambertw

from fecontact.typing import Floats

__all__ = ["BreakAway"]


@dataclass(frozen=True)
class BreakAway:
    """Closed form of stick and slip after a step of the force, F > T (Stamm 4.122 to 4.140).

    With tau = omega_0 t, omega_0 = sqrt(c/m) and Lambert's function W

        stick:  x = z = F/c (1 - (1 + tau) e^-tau),   v = F t/m e^-tau,   until t_0
                omega_0 t_0 = 1 - W(e (F - T)/F)
        slip:   v = v_0 + (F - T) s/m,   z = T/c + (x_0 - T/c) e^(-omega_0 s/2),   s = t - t_0

    Parameters
    ----------
    mass, stiffness
        m in kg, c in N/m.
    force, limit
        F and friction limit T in N.
    """

    mass: float
    stiffness: float
    force: float
    limit: float

    @property
    def omega(self) -> float:
        """omega_0 in rad/s."""
        return sqrt(self.stiffness / self.mass)

    @property
    def start(self) -> float:
        """Time t_0 of break-away in s."""
        fraction = (self.force - self.limit) / self.force
        return float(1.0 - lambertw(e * fraction).real) / self.omega

    def stick(self, t: float) -> tuple[float, float]:
        """Position x = z and speed while the mass sticks."""
        tau = self.omega * t
        x = self.force / self.stiffness * (1.0 - (1.0 + tau) * exp(-tau))
        return x, self.force * t / self.mass * exp(-tau)

    def at(self, t: float) -> Floats:
        """Position, speed and elastic slip (3,)."""
        if t <= self.start:
            x, v = self.stick(t)
            return np.array([x, v, x])
        s, (x, v), rest = t - self.start, self.stick(self.start), self.limit / self.stiffness
        a = (self.force - self.limit) / self.mass
        z = rest + (x - rest) * exp(-0.5 * self.omega * s)
        return np.array([x + v * s + 0.5 * a * s**2, v + a * s, z])
