"""Prescribed motion: a coordinate s follows a law s_0(t).

position level:   0 = s(q) - s_0(t)
velocity level:   0 = s' - s_0'(t) = A v - b(t)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from fecontact.errors import InputError, check, one_of
from fecontact.joint.coordinate import Coordinate
from fecontact.joint.motion_law import MotionLaw
from fecontact.joint.relative import Relative
from fecontact.kernels.curves import numbers_of
from fecontact.kernels.lowered import Lowered
from fecontact.typing import Body, Floats, Level

__all__ = ["PrescribedMotion"]


@dataclass(frozen=True, eq=False)
class PrescribedMotion:
    """A coordinate follows a given law; its multiplier is the force or torque of the drive.

    Parameters
    ----------
    coordinate
        Angle or stroke of a joint (`hinge.angle`), length between points, dof of a body.
    law
        Motion s_0(t), in m or rad.
    level
        "position": s equals s_0 at any time. "velocity": only the speeds are equal, as in a speed
        drive; s starts anywhere.

    Examples
    --------
    >>> from fecontact.body import RigidBody
    >>> from fecontact.joint.coordinate import DofCoordinate
    >>> from fecontact.joint.motion_law import Speed
    >>> shaft = RigidBody("shaft", 1.0, ("rz",), inertia=(0.1, 0.1, 0.2))
    >>> motor = PrescribedMotion(DofCoordinate(shaft, "rz"), Speed(100.0))
    >>> rows = motor.at(2.0, np.array([200.5]), np.array([99.0]))
    >>> rows.value.tolist(), rows.rate.tolist()
    ([0.5], [-1.0])
    """

    coordinate: Coordinate
    law: MotionLaw
    level: Level = "position"
    name: str = "motion"

    def __post_init__(self) -> None:
        check(f"{self.name}: level", self.level, one_of(("position", "velocity")))
        if not isinstance(self.coordinate, Coordinate):
            raise InputError(
                f"{self.name}: invalid coordinate = {self.coordinate}: expected an Angle, "
                "Stroke, Length or DofCoordinate, for example hinge.angle"
            )
        if not isinstance(self.law, MotionLaw):
            raise InputError(
                f"{self.name}: invalid law = {self.law}: expected a Speed, SmoothStep, "
                "MotionTable or MotionFunction"
            )
        if self.level == "position" and not self.coordinate.holonomic:
            raise InputError(
                f"{self.name}: invalid level = position of '{self.coordinate.name}', a speed "
                'without coordinate: expected level="velocity", or the angle of a joint'
            )

    @property
    def bodies(self) -> Sequence[Body]:
        """Bodies of the coordinate."""
        return self.coordinate.bodies

    @property
    def rows(self) -> tuple[str]:
        """The one row."""
        return ("s",)

    def at(self, t: float, q: Floats, v: Floats) -> Relative:
        """Row at a state; an angle counts modulo whole turns."""
        aim = self.law.value(t) if self.level == "position" else 0.0
        s = self.coordinate.at(t, q, v, near=aim)
        return replace(s, value=s.value - aim, rate=s.rate - self.law.rate(t))

    def bias(self, t: float, q: Floats, v: Floats) -> Floats:
        """Return c'' - A v', shape (1,)."""
        return self.coordinate.at(t, q, v).d_rate() @ v + self.time_bias(t)

    def time_bias(self, t: float) -> Floats:
        """Part -s_0'' of the bias that comes from the law, (1,)."""
        return np.array([-self.law.acceleration(t)])

    def lowered(self) -> Lowered | None:
        """Compiled form of the row; None if law or coordinate are written in Python."""
        law = numbers_of(self.law)
        return None if law is None else self.coordinate.lowered_row(law, self.level == "velocity")

    def drive_power(self, t: float, lam: Floats) -> float:
        """Power lam s_0' in W that the drive gives to the bodies."""
        return float(lam[0] * self.law.rate(t))
