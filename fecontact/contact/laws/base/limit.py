"""Friction coefficients of points, and the limit mu p of their friction."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from fecontact.contact.kernels.layout import L_P, L_SPEED, LIMIT, STATES, STATUS, P, U
from fecontact.contact.laws.base.arrays import over_points, rows_of
from fecontact.contact.laws.base.blocks import address
from fecontact.contact.laws.point import CoefficientPoint
from fecontact.typing import Floats, Integers

__all__ = ["UNLIMITED", "Coefficient", "Values", "friction_limit"]

UNLIMITED = 1e100
"""Friction coefficient at which no point slides, not even one pressed by round-off only."""

Values = tuple[Floats, Floats, Floats]
"""mu, dmu/d|s| and dmu/dp, each (p,)."""


class Coefficient:
    """Friction coefficient of points: `point` and `parameters`, or `values` in Python."""

    point: ClassVar[CoefficientPoint | None] = None

    @property
    def parameters(self) -> Floats:
        """Numbers that the functions of a point read."""
        return np.zeros(1)

    @property
    def constant(self) -> float | None:
        """Value of points that stick or slip at any speed and pressure, if there is one."""
        return None

    def values(self, speed: Floats, pressure: Floats, status: Integers) -> Values:
        """mu, dmu/d|s| and dmu/dp, each (p,)."""
        if self.constant is not None:
            flat = np.zeros(len(speed))
            return flat + self.constant, flat, flat
        assert self.point is not None
        mu, by_speed, by_pressure = over_points(
            address("coefficient", self.point, 0, 0), self.parameters, 0.0,
            rows_of((U, speed), (P, pressure), (STATUS, status)),
            [(LIMIT, 1), (L_SPEED, 1), (L_P, 1)], STATES,
        )  # fmt: skip
        return mu, by_speed, by_pressure


def friction_limit(
    coefficient: Coefficient, slip: Floats, pressure: Floats, status: Integers
) -> Values:
    """Friction limit mu p and its derivatives by speed and pressure; none under tension."""
    speed = np.linalg.norm(slip, axis=1)
    pushed = np.maximum(pressure, 0.0)
    mu, by_speed, by_pressure = coefficient.values(speed, pushed, status)
    slope = np.where(pressure >= 0.0, mu + by_pressure * pushed, 0.0)
    return mu * pushed, by_speed * pushed, slope
