"""Prescribed motion of the frame of an elastic body.

A frame motion gives, at any time, where the frame is, how fast it moves and how it accelerates.
Its origin is at r_0 + u; omega and alpha = omega' are in the components of the frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from fecontact.body.marker import Vector
from fecontact.body.rotation import quaternion_matrix, rotation_increment
from fecontact.errors import FINITE, InputError, check
from fecontact.typing import Floats

__all__ = [
    "FrameMotion",
    "FrameState",
    "MotionLaw",
    "MovingFrame",
    "TurningFrame",
    "steady_turn_about_z",
    "unit_direction",
]


@runtime_checkable
class MotionLaw(Protocol):
    """A given motion over time."""

    def value(self, t: float) -> float:
        """Angle in rad or travel in m."""
        ...

    def rate(self, t: float) -> float:
        """Its rate."""
        ...

    def acceleration(self, t: float) -> float:
        """Its second rate."""
        ...


class FrameState(NamedTuple):
    """Position, velocity and acceleration of a frame.

    Attributes
    ----------
    coordinates : (7,)
        Displacement u of the origin and unit quaternion.
    velocity : (6,)
        u' and omega.
    acceleration : (6,)
        u'' and alpha.
    """

    coordinates: Floats
    velocity: Floats
    acceleration: Floats


class FrameMotion(Protocol):
    """A prescribed motion of a frame."""

    def at(self, t: float, origin: Floats) -> FrameState:
        """State of the frame whose origin is at `origin` in the reference position."""
        ...


@dataclass(frozen=True)
class TurningFrame:
    """Rotation about an axis that is fixed in space.

    Parameters
    ----------
    axis
        Direction.
    angle
        A law of the angle in rad, or the constant speed in rad/s.
    point
        A point of the axis in m.

    Examples
    --------
    >>> state = TurningFrame((0.0, 0.0, 1.0), 2.0).at(0.0, np.array([0.5, 0.0, 0.0]))
    >>> state.velocity.tolist(), state.acceleration[:3].tolist()
    ([0.0, 1.0, 0.0, 0.0, 0.0, 2.0], [-2.0, 0.0, 0.0])
    """

    axis: Vector
    angle: MotionLaw | float
    point: Vector = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        unit_direction("axis", self.axis)
        if isinstance(self.angle, int | float):
            check("turning frame: speed", self.angle, FINITE, "rad/s")
        for value in self.point:
            check("turning frame: point", value, FINITE, "m")

    def at(self, t: float, origin: Floats) -> FrameState:
        """State of the frame whose origin is at `origin` in the reference position."""
        n = unit_direction("axis", self.axis)
        phi, speed, change = _at(self.angle, t)
        turn = rotation_increment(phi * n)
        arm = origin - np.asarray(self.point)
        now = quaternion_matrix(turn) @ arm
        around = np.cross(n, now)
        return FrameState(
            np.concatenate([now - arm, turn]),
            np.concatenate([speed * around, speed * n]),
            np.concatenate([change * around + speed**2 * np.cross(n, around), change * n]),
        )


@dataclass(frozen=True)
class MovingFrame:
    """Translation along a direction that is fixed in space.

    Parameters
    ----------
    direction
        Direction.
    travel
        A law of the travel in m, or the constant speed in m/s.
    """

    direction: Vector
    travel: MotionLaw | float

    def __post_init__(self) -> None:
        unit_direction("direction", self.direction)
        if isinstance(self.travel, int | float):
            check("moving frame: speed", self.travel, FINITE, "m/s")

    def at(self, t: float, origin: Floats) -> FrameState:
        """State of the frame."""
        n = unit_direction("direction", self.direction)
        travel, speed, change = _at(self.travel, t)
        rest = np.zeros(3)
        return FrameState(
            np.concatenate([travel * n, [1.0, 0.0, 0.0, 0.0]]),
            np.concatenate([speed * n, rest]),
            np.concatenate([change * n, rest]),
        )


def steady_turn_about_z(frame: FrameMotion | None, origin: Floats) -> float | None:
    """Speed in rad/s of a frame that turns steadily about the z axis through its origin.

    0 without a frame, None if it moves in another way.

    Examples
    --------
    >>> steady_turn_about_z(TurningFrame((0.0, 0.0, -1.0), 2.0), np.zeros(3))
    -2.0
    """
    if frame is None:
        return 0.0
    if not isinstance(frame, TurningFrame) or not isinstance(frame.angle, int | float):
        return None
    axis, arm = unit_direction("axis", frame.axis), origin - np.asarray(frame.point)
    if np.any(axis[:2]) or np.any(arm[:2]):
        return None
    return float(axis[2] * frame.angle)


def _at(law: MotionLaw | float, t: float) -> tuple[float, float, float]:
    """Value, rate and acceleration of a law or of a constant speed."""
    if isinstance(law, int | float):
        return law * t, float(law), 0.0
    return law.value(t), law.rate(t), law.acceleration(t)


def unit_direction(name: str, given: Vector) -> Floats:
    """Unit vector, or an `InputError`."""
    direction = np.asarray(given, dtype=float)
    length = float(np.linalg.norm(direction))
    if direction.shape != (3,) or not 0.0 < length < np.inf:
        raise InputError(f"invalid {name} = {given}: expected a direction, not zero")
    return direction / length
