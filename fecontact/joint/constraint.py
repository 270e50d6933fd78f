"""Ideal joints between two bodies: rows 0 = c(q) on a marker of each body.

A joint is a list of rows of `joint.binding` (Keppler, table 3.1):

    joint          rows                      free
    RigidJoint     x, y, z, rx, ry, rz       nothing
    Revolute       x, y, z, rx, ry           angle about the axis
    Prismatic      x, y, rx, ry, rz          stroke along the axis
    Cylindrical    x, y, rx, ry              angle and stroke
    Spherical      x, y, z                   three rotations
    Universal      x, y, z, rz               rotations about two axes
    Planar         z, rx, ry                 motion in the plane, angle about its normal
    Distance       length                    all but the distance of two points

Directions are those of a joint frame, fixed in body a, with z along the axis. A multiplier is the
force in N or the moment in N m on body b along its row. All rows are exact in large motion.
Rows that the freedoms of the bodies satisfy anyway, as those across the axis of a shaft with the
freedom "rz" alone, have a zero Jacobian: they are redundant.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from fecontact.body.rigid import RigidBody
from fecontact.errors import InputError, check, one_of
from fecontact.joint.binding import Binding, HeldAxis, HeldLength, HeldPoint, HeldRotation
from fecontact.joint.coordinate import Angle, Length, Stroke
from fecontact.joint.marker import Axis, MarkerPair, PairMotion, Vector, axis_vector, frame_about
from fecontact.joint.relative import Relative
from fecontact.typing import Floats, Level

__all__ = [
    "AxisJoint",
    "Cylindrical",
    "Distance",
    "Joint",
    "Planar",
    "Prismatic",
    "Reaction",
    "Revolute",
    "RigidJoint",
    "Spherical",
    "Universal",
]

CLOSED = 1e-9
"""Gap in m, and sine of an angle, up to which points coincide and axes are perpendicular."""

COMPONENTS = ("space", "a", "b")


class Reaction(NamedTuple):
    """Load of a joint on body b: force in N, and moment in N m about its point."""

    force: Floats
    moment: Floats


@dataclass(frozen=True, eq=False)
class Joint(ABC):
    """Constraint between a point of body a and a point of body b.

    Parameters
    ----------
    a, b
        The bodies; None is the ground.
    point_b
        Relative to the centre of mass, body components; on the ground its position; in m.
    point_a
        Same on body a; by default the place where point_b is in the reference position.
    """

    a: RigidBody | None
    b: RigidBody | None
    point_b: Vector = (0.0, 0.0, 0.0)
    point_a: Vector | None = None
    name: str = "joint"
    pair: MarkerPair = field(init=False, repr=False)

    def __post_init__(self) -> None:
        pair = MarkerPair(self.name, self.a, self.b, self.point_b, self.point_a)
        object.__setattr__(self, "pair", pair)
        pair.refuse_spin()
        gap = float(np.linalg.norm(self._relative(pair.reference()).value))
        if gap > CLOSED:
            raise InputError(
                f"{self.name}: its points are {gap:.6g} m apart in the reference position; they "
                "must coincide in the directions that it holds"
            )

    @property
    @abstractmethod
    def bindings(self) -> tuple[Binding, ...]:
        """What the joint holds."""

    @property
    def bodies(self) -> tuple[RigidBody, ...]:
        """The bodies a and b without the ground."""
        return self.pair.bodies

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """Names of the rows, in the joint frame."""
        return tuple(row for binding in self.bindings for row in binding.rows)

    @property
    def level(self) -> Level:
        """Joints bind positions."""
        return "position"

    def at(self, t: float, q: Floats, v: Floats) -> Relative:
        """Rows at a state."""
        return self._relative(self.pair.motion(q, v))

    def bias(self, t: float, q: Floats, v: Floats) -> Floats:
        """Return c'' - A v', shape (m,)."""
        return self.at(t, q, v).d_rate() @ v

    def reaction(self, q: Floats, lam: Floats, components: str = "space") -> Reaction:
        """Load on body b at its point, from the multipliers (m,) of the joint's rows.

        Body a gets the opposite force at the same place and the opposite moment.

        Parameters
        ----------
        q
            Coordinates of the joint's bodies.
        lam
            Multipliers of its rows.
        components
            "space", or those of body "a" or "b".
        """
        check(f"{self.name}: components", components, one_of(COMPONENTS))
        motion = self.pair.motion(q, np.zeros(sum(len(body.freedoms) for body in self.bodies)))
        ends = np.cumsum([len(binding.rows) for binding in self.bindings])[:-1]
        parts = zip(self.bindings, np.split(lam, ends), strict=True)
        load = np.sum([binding.wrench(motion, own) for binding, own in parts], axis=0)
        if components != "a":
            load = load @ motion.a.rotation.T
        if components == "b":
            load = load @ motion.b.rotation
        return Reaction(*load)

    def _relative(self, motion: PairMotion) -> Relative:
        return Relative.stacked([binding.relative(motion) for binding in self.bindings])


@dataclass(frozen=True, eq=False)
class RigidJoint(Joint):
    """Weld: b moves with a. The joint frame is parallel to the space axes.

    The rotation is held by its rotation vector: no position but the reference satisfies the rows.
    """

    name: str = "rigid joint"

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """Point and rotation."""
        return HeldPoint(("x", "y", "z"), np.eye(3)), HeldRotation(("rx", "ry", "rz"), np.eye(3))


@dataclass(frozen=True, eq=False)
class Spherical(Joint):
    """Ball joint: the points stay together. The joint frame is parallel to the space axes.

    Examples
    --------
    >>> bob = RigidBody("bob", 1.0, ("ux", "uy", "uz", "rx", "ry", "rz"), (0.1, 0.1, 0.1))
    >>> ball = Spherical(None, bob, point_b=(0.0, 0.0, 0.5))
    >>> q = bob.move(bob.reference(), np.array([0.0, 0.0, 0.1, 0.0, 0.0, 2.0]))
    >>> ball.at(0.0, q, np.zeros(6)).value.round(12).tolist()
    [0.0, 0.0, 0.1]
    """

    name: str = "spherical"

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """Point."""
        return (HeldPoint(("x", "y", "z"), np.eye(3)),)


@dataclass(frozen=True, eq=False)
class AxisJoint(Joint):
    """Joint with one axis.

    Parameters
    ----------
    axis
        "x", "y", "z" or a direction, in the reference position; it is fixed in both bodies.
    """

    axis: Axis = "z"

    @cached_property
    def _frame(self) -> Floats:
        """Rows are the directions x, y, z of the joint frame in body components."""
        return frame_about(axis_vector(f"{self.name}: axis", self.axis)).T

    @cached_property
    def _held_axis(self) -> HeldAxis:
        """Rotations about x and y: z x d is the moment direction of the row d . Q z."""
        x, y, z = self._frame
        return HeldAxis(("rx", "ry"), np.array([-y, x]), z)


@dataclass(frozen=True, eq=False)
class Revolute(AxisJoint):
    """Hinge: b turns about an axis of a, by any angle.

    Examples
    --------
    >>> rotor = RigidBody("rotor", 1.0, ("ux", "uy", "uz", "rx", "ry", "rz"), (0.1, 0.1, 0.1))
    >>> hinge = Revolute(None, rotor, axis="x")
    >>> hinge.rows
    ('x', 'y', 'z', 'rx', 'ry')
    >>> q = rotor.move(rotor.reference(), np.array([0.0, 0.0, 0.0, 0.25, 0.0, 0.0]))
    >>> round(hinge.angle.value(q), 12)
    0.25
    """

    name: str = "revolute"

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """Point and axis."""
        return HeldPoint(("x", "y", "z"), self._frame), self._held_axis

    @cached_property
    def angle(self) -> Angle:
        """Angle of b relative to a about the axis."""
        return Angle(self.pair, self.axis)


@dataclass(frozen=True, eq=False)
class Prismatic(AxisJoint):
    """Slider: b moves along an axis of a and does not turn."""

    name: str = "prismatic"

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """Point across the axis, and rotation."""
        E = self._frame
        return HeldPoint(("x", "y"), E[:2]), HeldRotation(("rx", "ry", "rz"), E)

    @cached_property
    def stroke(self) -> Stroke:
        """Displacement of point b from point a along the axis."""
        return Stroke(self.pair, self.axis)


@dataclass(frozen=True, eq=False)
class Cylindrical(AxisJoint):
    """Shaft in a sleeve: b moves along an axis of a and turns about it."""

    name: str = "cylindrical"

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """Point across the axis, and axis."""
        return HeldPoint(("x", "y"), self._frame[:2]), self._held_axis

    @cached_property
    def angle(self) -> Angle:
        """Angle of b relative to a about the axis."""
        return Angle(self.pair, self.axis)

    @cached_property
    def stroke(self) -> Stroke:
        """Displacement of point b from point a along the axis."""
        return Stroke(self.pair, self.axis)


@dataclass(frozen=True, eq=False)
class Planar(AxisJoint):
    """Point b stays in a plane of a through point a; b turns about the plane's normal, the axis."""

    name: str = "planar"

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """Height above the plane, and axis."""
        return HeldPoint(("z",), self._frame[2:]), self._held_axis

    @cached_property
    def angle(self) -> Angle:
        """Angle of b relative to a about the normal."""
        return Angle(self.pair, self.axis)


@dataclass(frozen=True, eq=False)
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

    def __post_init__(self) -> None:
        x, y, _ = self._frame
        if abs(x @ y) > CLOSED:
            raise InputError(
                f"{self.name}: its axes enclose {np.degrees(np.arccos(x @ y)):.6g} degrees; they "
                "must be perpendicular in the reference position"
            )
        super().__post_init__()

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """Point, and the right angle of the axes."""
        E = self._frame
        return HeldPoint(("x", "y", "z"), E), HeldAxis(("rz",), -E[:1], E[1])

    @cached_property
    def _frame(self) -> Floats:
        x = axis_vector(f"{self.name}: axis_a", self.axis_a)
        y = axis_vector(f"{self.name}: axis_b", self.axis_b)
        return np.array([x, y, np.cross(x, y)])


@dataclass(frozen=True, eq=False)
class Distance(Joint):
    """Massless rod with ball joints: the points keep their distance of the reference position.

    Its multiplier is the force that pushes the points apart; a tensile rod has lam < 0.
    """

    name: str = "distance"

    @cached_property
    def bindings(self) -> tuple[Binding, ...]:
        """Length."""
        length = float(np.linalg.norm(self.pair.reference().displacement().value))
        if length <= CLOSED:
            raise InputError(
                f"{self.name}: its points coincide in the reference position, so it has no "
                "direction; use a spherical joint"
            )
        return (HeldLength(("length",), length),)

    @cached_property
    def length(self) -> Length:
        """Distance of the points."""
        return Length(self.pair)
