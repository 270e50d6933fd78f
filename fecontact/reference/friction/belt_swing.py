"""Mass on a belt whose friction falls and rises again: cycles by averaging, and with stick.

Thomsen and Fidlin 2003, International Journal of Non-Linear Mechanics 38, 389-403.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import sqrt
from typing import Any

import numpy as np

from fecontact.reference.friction.stick_slip import stick_slip_amplitude
from fecontact.typing import Floats

__all__ = ["BeltSwing"]


@dataclass(frozen=True)
class BeltSwing:
    """Limit cycles of a mass on a belt, with friction that depends on the slip speed s.

        mu(s) = mu_s - 3/2 D (s/v_m - (s/v_m)^3/3),      D = mu_s - mu_m

    Steady sliding is unstable below the belt speed v_h; for small D N the mass then swings without
    sticking, until it reaches the speed of the belt at v = 2 v_h/sqrt(5):

        v_h = v_m sqrt(1 - 2 d v_m/(3 N D)),      A omega = 2 sqrt(v_h^2 - v^2)

    Parameters
    ----------
    mass, stiffness, damping
        m in kg, k in N/m, d in N s/m.
    load
        N in N.
    static, least, least_at
        mu_s, mu_m, and the speed v_m in m/s of the least coefficient.
    """

    mass: float
    stiffness: float
    damping: float
    load: float
    static: float
    least: float
    least_at: float

    @classmethod
    def of(cls, parameters: Any) -> BeltSwing:
        """From an object that has attributes of these names, such as the parameters of a case."""
        return cls(**{each.name: getattr(parameters, each.name) for each in fields(cls)})

    @property
    def omega(self) -> float:
        """Natural frequency in rad/s."""
        return sqrt(self.stiffness / self.mass)

    @property
    def square(self) -> float:
        """(v_h/v_m)^2; not positive: the damper calms the mass at any speed."""
        drop = self.load * (self.static - self.least)
        return 1.0 - 2.0 * self.damping * self.least_at / (3.0 * drop)

    @property
    def onset(self) -> float:
        """Belt speed v_h in m/s below which steady sliding is unstable."""
        return self.least_at * sqrt(self.square)

    @property
    def sticks(self) -> float:
        """Belt speed 2 v_h/sqrt(5) in m/s below which the mass sticks for a while."""
        return 2.0 * self.onset / sqrt(5.0)

    def friction(self, speed: float) -> float:
        """Coefficient at a sliding speed >= 0 in m/s."""
        s = speed / self.least_at
        return self.static - 1.5 * (self.static - self.least) * (s - s**3 / 3.0)

    def amplitude(self, speed: Floats | float) -> Floats:
        """Amplitude in m of the mass without sticking, at belt speeds in m/s."""
        return np.asarray(2.0 * np.sqrt(self.onset**2 - np.square(speed)) / self.omega)

    def with_stick(self, speed: float) -> tuple[float, float]:
        """Amplitude in m and frequency in Hz of the cycle that sticks, with rigid friction.

        From the end of stick, x = (mu_s N - d v)/k at the speed of the belt, the mass slides to the
        next stick; the belt then carries it back to x. Only the slide is integrated.
        """
        about = self.mass, self.stiffness, self.damping
        force = lambda slip: self.load * self.friction(slip)  # noqa: E731
        period, amplitude = stick_slip_amplitude(*about, force, speed)
        return amplitude, 1.0 / period
