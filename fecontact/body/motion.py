"""Motion of points on a body, with the derivatives that joints and contacts need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fecontact.typing import Floats

__all__ = ["PointMotion"]


@dataclass(frozen=True)
class PointMotion:
    """Position and velocity of p points of a body with n freedoms.

    Derivatives are taken along steps of the body's freedoms (`Body.move`).

    Attributes
    ----------
    position, velocity : (p, 3)
        In space; the velocity is that of the material.
    jacobian : (p, 3, n)
        Derivative of the position along a step, and of the velocity by the velocities v.
    d_velocity : (p, 3, n)
        Derivative of the velocity along a step, at fixed v.
    d_load
        Function of forces F (p, 3): derivative (n, n) of sum J^T F along a step, at fixed F.
    """

    position: Floats
    velocity: Floats
    jacobian: Floats
    d_velocity: Floats
    d_load: Callable[[Floats], Floats]
