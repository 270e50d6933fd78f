"""Ideal joints between two bodies: rows 0 = c(q) on a marker of each body.

With the displacement r of point b seen from marker a, and Q = R_a^T R_b, a joint holds some of the
components (Keppler, table 3.1)

    x, y, z        r
    rx, ry         -y . Q z,  x . Q z            tilt of the axis z
    rz             -x . Q y                      angle between the axes x of a and y of b
    rx, ry, rz     log Q                         where no rotation is free
    length         |x_b - x_a| - l

in a joint frame that is fixed in both bodies and equal in the reference position:

    joint          rows                      free
    RigidJoint     x, y, z, rx, ry, rz       nothing
    Revolute       x, y, z, rx, ry           angle about the axis z
    Prismatic      x, y, rx, ry, rz          stroke along the axis z
    Cylindrical    x, y, rx, ry              angle and stroke
    Spherical      x, y, z                   three rotations
    Universal      x, y, z, rz               rotations about the axes x of a and y of b
    Planar         z, rx, ry                 motion in the plane, angle about its normal z
    Distance       length                    all but the distance of two points

All rows are exact in large motion. A multiplier is the force in N or the moment in N m on body b
along its row, in the joint frame of a. Rows that the dofs of the bodies satisfy anyway, as
those across the axis of a shaft with the dof "rz" alone, have a zero Jacobian: they are
redundant. A tilt of half a turn satisfies its rows too, far from the reference position.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.errors import InputError
from fecontact.joint.base import AxisJoint, Joint
from fecontact.joint.coordinate import Angle, Length, Stroke
from fecontact.joint.frames import FrameRows, Frames
from fecontact.joint.marker import Axis, axis_vector
from fecontact.joint.refuse import CLOSED
from fecontact.typing import Floats

__all__ = [
    "Cylindrical",
    "Distance",
    "Planar",
    "Prismatic",
    "Revolute",
    "RigidJoint",
    "Spherical",
    "Universal",
]

POINT, ROTATION = ("x", "y", "z"), ("rx", "ry", "rz")
Y, Z = np.eye(3)[1:]
TILT = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0]])
ACROSS = np.array([[-1.0, 0.0, 0.0]])


@dataclass(frozen=True, eq=False, kw_only=True)
class RigidJoint(Joint):
    """Weld: b moves with a. The joint frame is parallel to the space axes.

    The rotation is held by its rotation vector: no position but the reference satisfies the rows.
    """

    name: str = "rigid joint"

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the rows."""
        return POINT + ROTATION

    def held(self, frames: Frames) -> FrameRows:
        """Displacement and rotation vector."""
        return FrameRows.stacked([frames.displacement(), frames.rotation()])


@dataclass(frozen=True, eq=False, kw_only=True)
class Spherical(Joint):
    """Ball joint: the points stay together. The joint frame is parallel to the space axes.

    Examples
    --------
    >>> from fecontact.body import DOFS, RigidBody
    >>> bob = RigidBody("bob", 1.0, DOFS, inertia=(0.1, 0.1, 0.1))
    >>> ball = Spherical(None, bob, point_b=(0.0, 0.0, 0.5))
    >>> q = bob.move(bob.reference(), np.array([0.0, 0.0, 0.1, 0.0, 0.0, 2.0]))
    >>> ball.at(0.0, q, np.zeros(6)).value.round(12).tolist()
    [0.0, 0.0, 0.1]
    """

    name: str = "spherical"

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the rows."""
        return POINT

    def held(self, frames: Frames) -> FrameRows:
        """Displacement."""
        return frames.displacement()


@dataclass(frozen=True, eq=False, kw_only=True)
class Revolute(AxisJoint):
    """Hinge: b turns about an axis of a, by any angle.

    Examples
    --------
    >>> from fecontact.body import DOFS, RigidBody
    >>> rotor = RigidBody("rotor", 1.0, DOFS, inertia=(0.1, 0.1, 0.1))
    >>> hinge = Revolute(None, rotor, axis="x")
    >>> hinge.rows
    ('x', 'y', 'z', 'rx', 'ry')
    >>> q = rotor.move(rotor.reference(), np.array([0.0, 0.0, 0.0, 0.25, 0.0, 0.0]))
    >>> round(hinge.angle.value(q), 12)
    0.25
    """

    name: str = "revolute"

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the rows."""
        return POINT + ROTATION[:2]

    def held(self, frames: Frames) -> FrameRows:
        """Displacement, and tilt of the axis."""
        return FrameRows.stacked([frames.displacement(), frames.direction(Z).mapped(TILT)])

    @cached_property
    def angle(self) -> Angle:
        """Angle of b relative to a about the axis."""
        return Angle(self.pair)


@dataclass(frozen=True, eq=False, kw_only=True)
class Prismatic(AxisJoint):
    """Slider: b moves along an axis of a and does not turn."""

    name: str = "prismatic"

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the rows."""
        return POINT[:2] + ROTATION

    def held(self, frames: Frames) -> FrameRows:
        """Displacement across the axis, and rotation vector."""
        return FrameRows.stacked([frames.displacement().first(2), frames.rotation()])

    @cached_property
    def stroke(self) -> Stroke:
        """Displacement of point b from point a along the axis."""
        return Stroke(self.pair)


@dataclass(frozen=True, eq=False, kw_only=True)
class Cylindrical(AxisJoint):
    """Shaft in a sleeve: b moves along an axis of a and turns about it."""

    name: str = "cylindrical"

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the rows."""
        return POINT[:2] + ROTATION[:2]

    def held(self, frames: Frames) -> FrameRows:
        """Displacement across the axis, and tilt of the axis."""
        across, tilt = frames.displacement().first(2), frames.direction(Z).mapped(TILT)
        return FrameRows.stacked([across, tilt])

    @cached_property
    def angle(self) -> Angle:
        """Angle of b relative to a about the axis."""
        return Angle(self.pair)

    @cached_property
    def stroke(self) -> Stroke:
        """Displacement of point b from point a along the axis."""
        return Stroke(self.pair)


@dataclass(frozen=True, eq=False, kw_only=True)
class Planar(AxisJoint):
    """Point b stays in a plane of a through point a; b turns about the plane's normal, the axis."""

    name: str = "planar"

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the rows."""
        return POINT[2:] + ROTATION[:2]

    def held(self, frames: Frames) -> FrameRows:
        """Height above the plane, and tilt of the normal."""
        return FrameRows.stacked([frames.displacement().last(), frames.direction(Z).mapped(TILT)])

    @cached_property
    def angle(self) -> Angle:
        """Angle of b relative to a about the normal."""
        return Angle(self.pair)


@dataclass(frozen=True, eq=False, kw_only=True)
class Universal(Joint):
    """Cardan joint: the points stay together, and an axis of a stays perpendicular to one of b.

    The joint frame has x along the axis of a and y along the axis of b in the reference position.
    The moment acts along the normal of the two axes, where they are now.

    Parameters
    ----------
    axis_a, axis_b
        "x", "y", "z" or a direction, in the reference position; perpendicular.
    """

    name: str = "universal"
    axis_a: Axis = "x"
    axis_b: Axis = "y"

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the rows."""
        return POINT + ROTATION[2:]

    def held(self, frames: Frames) -> FrameRows:
        """Displacement, and the right angle of the axes."""
        return FrameRows.stacked([frames.displacement(), frames.direction(Y).mapped(ACROSS)])

    @cached_property
    def axes(self) -> Floats:
        """Axes x, y, z of the joint frame in the reference position, as columns (3, 3)."""
        x = axis_vector(f"{self.name}: axis_a", self.axis_a)
        y = axis_vector(f"{self.name}: axis_b", self.axis_b)
        if abs(x @ y) > CLOSED:
            raise InputError(
                f"{self.name}: invalid axes that enclose {np.degrees(np.arccos(x @ y)):.6g} "
                "degrees: expected perpendicular ones in the reference position"
            )
        return np.column_stack([x, y, np.cross(x, y)])


@dataclass(frozen=True, eq=False, kw_only=True)
class Distance(Joint):
    """Massless rod with ball joints: the points keep their distance of the reference position.

    Its multiplier is the force that pushes the points apart; a tensile rod has lam < 0.
    """

    name: str = "distance"

    @property
    def rows(self) -> tuple[str, ...]:
        """Name of the row."""
        return ("length",)

    def held(self, frames: Frames) -> FrameRows:
        """Elongation."""
        length = self._length  # it refuses points that coincide
        return frames.distance().shifted(length)

    @cached_property
    def length(self) -> Length:
        """Distance of the points."""
        return Length(self.pair)

    @cached_property
    def _length(self) -> Floats:
        return self.length.row(self.pair.reference().frames, 0.0).value
