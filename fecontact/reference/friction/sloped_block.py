"""Block on an incline under constant friction."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin
from typing import Any

import numpy as np

from fecontact.errors import POSITIVE, check
from fecontact.typing import Floats

__all__ = ["SlopedBlock"]


@dataclass(frozen=True)
class SlopedBlock:
    """Block on an incline with constant friction.

        slides down:      x = v t + g (sin(alpha) - mu cos(alpha)) t^2/2
        thrown uphill:    x = -v t + g (sin(alpha) + mu cos(alpha)) t^2/2, until it stops

    Parameters
    ----------
    mass, gravity
        m in kg and g in m/s^2.
    angle
        alpha in rad; x runs downhill.
    friction
        Coefficient mu.
    speed
        v at the start in m/s, downhill or uphill.

    Examples
    --------
    >>> block = SlopedBlock(2.0, 10.0, 0.0, 0.25, 5.0)
    >>> block.stop, block.way_up
    (2.0, 5.0)
    """

    mass: float
    gravity: float
    angle: float
    friction: float
    speed: float

    @classmethod
    def of(cls, parameters: Any, angle: float) -> SlopedBlock:
        """From an object with mass, gravity, friction and speed, such as parameters of a case."""
        p = parameters
        return cls(p.mass, p.gravity, angle, p.friction, p.speed)

    def __post_init__(self) -> None:
        for name in ("mass", "gravity", "friction", "speed"):
            check(name, getattr(self, name), POSITIVE)

    @property
    def weight(self) -> tuple[float, float]:
        """Weight along the slope and across it in N."""
        return self.mass * self.gravity * sin(self.angle), self.normal_force

    @property
    def normal_force(self) -> float:
        """Weight m g cos(alpha) across the slope in N."""
        return self.mass * self.gravity * cos(self.angle)

    def downhill(self, t: float) -> float:
        """Path in m after a time in s."""
        along, across = self.weight
        return self.speed * t + (along - self.friction * across) / self.mass * t**2 / 2.0

    def heat(self, path: float) -> float:
        """Heat in J of a path in m."""
        return self.friction * self.normal_force * path

    @property
    def stop(self) -> float:
        """Time in s after which it stops on its way uphill."""
        along, across = self.weight
        return self.speed * self.mass / (along + self.friction * across)

    @property
    def way_up(self) -> float:
        """Path in m uphill."""
        return 0.5 * self.speed * self.stop

    def uphill(self, t: Floats) -> tuple[Floats, Floats]:
        """Coordinate x in m and speed in m/s of the block that is thrown uphill and stays."""
        moving = np.minimum(t, self.stop)
        x = -self.speed * moving + 0.5 * self.speed / self.stop * moving**2
        return x, -self.speed * (1.0 - moving / self.stop)
