"""Torque curves over the relative speed of two bodies: motors, drag, brakes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fecontact.body.base import as_body
from fecontact.body.marker import MarkedBody
from fecontact.joint.curve import Curve, curve_through
from fecontact.joint.element import FrameElement, Law
from fecontact.joint.frames import FrameRows, Frames
from fecontact.joint.lowered.elements import lowered_element
from fecontact.joint.lowered.laws import drive_law
from fecontact.joint.lowered.relative_motion import ANGULAR_VELOCITY
from fecontact.joint.marker import Axis, MarkerPair, Point, axis_vector, frame_about
from fecontact.joint.translation import Coordinates
from fecontact.kernels.lowered import Lowered
from fecontact.typing import Floats

__all__ = ["Drive"]


@dataclass(frozen=True, eq=False)
class Drive(FrameElement):
    """Torque on b about an axis of a, reacted by a: M = k(t) M(Omega).

    Omega is the angular velocity of b relative to a about the axis, prescribed spins included.

    Parameters
    ----------
    a, b
        The bodies; None is the ground.
    torque
        M in N m, or a curve of it over Omega in rad/s (M > 0 speeds b up; drag has M Omega < 0).
    axis
        "x", "y", "z" or a direction, fixed in body a.
    factor
        k, or a curve of it over time in s, for example a `ramp`.
    point
        On b: name of a point or surface, or components in m; it matters for elastic bodies only.

    Examples
    --------
    >>> from fecontact.body import RigidBody
    >>> from fecontact.joint import Line
    >>> rotor = RigidBody("rotor", 1.0, ("rz",), inertia=(0.1, 0.1, 0.2))
    >>> fan = Drive(None, rotor, Line(gradient=-0.5))
    >>> fan.force(0.0, rotor.reference(), np.array([10.0])).tolist()
    [-5.0]
    """

    a: MarkedBody | None
    b: MarkedBody | None
    torque: float | Curve
    axis: Axis = "z"
    factor: float | Curve = 1.0
    name: str = "drive"
    point: Point = (0.0, 0.0, 0.0)
    pair: MarkerPair = field(init=False, repr=False)
    _torque: Curve = field(init=False, repr=False)
    _factor: Curve = field(init=False, repr=False)

    def __post_init__(self) -> None:
        E = frame_about(axis_vector(f"{self.name}: axis", self.axis))
        anywhere = (0.0, 0.0, 0.0) if self.a is not None and as_body(self.a).rigid else None
        pair = MarkerPair(self.name, self.a, self.b, self.point, anywhere, E)
        object.__setattr__(self, "pair", pair)
        torque = curve_through(f"{self.name}: torque", self.torque)
        object.__setattr__(self, "_torque", torque)
        object.__setattr__(self, "_factor", curve_through(f"{self.name}: factor", self.factor))

    def rows(self, frames: Frames) -> FrameRows:
        """Relative angular velocity about the axis (1,), as a rate without coordinate."""
        return frames.angular_velocity().last()

    def load(self, t: float, s: Floats, rate: Floats) -> Law:
        """Torque (1,) that resists: -M."""
        k, speed = self._factor.value(t), float(rate[0])
        by_rate = np.array([[-k * self._torque.slope(speed)]])
        return np.array([-k * self._torque.value(speed)]), np.zeros((1, 1)), by_rate

    def lowered(self) -> Lowered | None:
        """The drive as a compiled function; None if a body or a curve has none."""
        law = drive_law(self._torque, self._factor)
        return lowered_element(self.pair, self.coordinates, law)

    @property
    def coordinates(self) -> Coordinates:
        """Its coordinate as programs see it."""
        last = np.array([[0.0, 0.0, 1.0]])
        return Coordinates([(ANGULAR_VELOCITY, np.zeros(3))], last, np.zeros(1))

    def power(self, t: float, q: Floats, v: Floats) -> float:
        """Power M Omega in W that the drive gives to the bodies; negative for drag."""
        relative = self.at(t, q, v)
        return float(-self.load(t, relative.value, relative.rate)[0] @ relative.rate)
