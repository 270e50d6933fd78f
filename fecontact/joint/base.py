"""Base of the ideal joints: rows that are worked out on the frames of two markers.

With the derivatives G of the rows by the steps of the two frames, the load on the frames is
G^T lam: a force and a moment on each marker, in balance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from fecontact.body.marker import MarkedBody
from fecontact.errors import InputError, check, one_of, shown
from fecontact.joint._kernels import JACOBIAN
from fecontact.joint.frames import FrameRows, Frames
from fecontact.joint.lowered.rows import lowered_rows, traced
from fecontact.joint.marker import Axis, MarkerPair, Point, axis_vector, frame_about
from fecontact.joint.refuse import CLOSED, refuse_moving_frames, refuse_unknown_rotation
from fecontact.joint.relative import Relative
from fecontact.kernels.lowered import Lowered
from fecontact.typing import Floats, Level

__all__ = ["AxisJoint", "Joint", "Wrench"]

COMPONENTS = ("space", "a", "b")


class Wrench(NamedTuple):
    """Load on a body: force in N, and moment in N m about the point where the force acts."""

    force: Floats
    moment: Floats


@dataclass(frozen=True, eq=False)
class Joint(ABC):
    """Constraint between a point of body a and a point of body b.

    All but the bodies is given by name, as point_b=(0.1, 0.0, 0.0).

    Parameters
    ----------
    a, b
        The bodies; None is the ground.
    point_b
        Name of a point or surface; or components: relative to the centre of mass of a rigid body,
        in the mesh of an elastic one, position on the ground; in m.
    point_a
        Same on body a; by default the position where point_b is in the reference position.
    """

    a: MarkedBody | None
    b: MarkedBody | None
    _: KW_ONLY
    point_b: Point = (0.0, 0.0, 0.0)
    point_a: Point | None = None
    name: str = "joint"
    pair: MarkerPair = field(init=False, repr=False)

    def __new__(cls, *given: object, **named: object) -> Self:
        """Refuse points by position: which of the two is meant cannot be seen."""
        if len(given) > 2:
            raise InputError(
                f"{cls.__name__}: invalid {shown(given[2])} by position: expected it by name, "
                f"{cls.__name__}(a, b, point_b=...) on b, or point_a=... on a; also axis= and name="
            )
        return super().__new__(cls)

    def __post_init__(self) -> None:
        pair = MarkerPair(self.name, self.a, self.b, self.point_b, self.point_a, self.axes)
        object.__setattr__(self, "pair", pair)
        refuse_moving_frames(pair)
        gap = float(np.linalg.norm(self.held(pair.reference().frames).value))
        if gap > CLOSED:
            raise InputError(
                f"{self.name}: invalid points, {gap:.6g} m apart in the reference position: "
                "expected coincident ones in the directions that it holds"
            )
        refuse_unknown_rotation(pair, self.held)

    @property
    @abstractmethod
    def rows(self) -> tuple[str, ...]:
        """Names of the rows, in the joint frame."""

    @abstractmethod
    def held(self, frames: Frames) -> FrameRows:
        """What the joint holds at zero."""

    @property
    def axes(self) -> Floats:
        """Axes x, y, z of the joint frame in the reference position, as columns (3, 3)."""
        return np.eye(3)

    @property
    def bodies(self) -> tuple[MarkedBody, ...]:
        """The bodies a and b without the ground."""
        return self.pair.bodies

    @property
    def level(self) -> Level:
        """Joints bind positions."""
        return "position"

    def at(self, t: float, q: Floats, v: Floats) -> Relative:
        """Rows at a state."""
        frames = self.pair.motion(q, v, t).frames
        return frames.in_dofs(self.held(frames))

    def bias(self, t: float, q: Floats, v: Floats) -> Floats:
        """Return c'' - A v', shape (m,)."""
        return self.at(t, q, v).d_rate() @ v

    def time_bias(self, t: float) -> Floats:
        """Part of the bias that comes from a law of time: zero, (m,)."""
        return np.zeros(len(self.rows))

    def lowered(self) -> Lowered | None:
        """Compiled form of the rows (`joint.lowered.rows`); None if a body has none."""
        held = traced(self.held, self.pair.common_axis)
        return lowered_rows(self.bodies, [(self.pair, held)], len(self.rows))

    def reaction(self, q: Floats, lam: Floats, components: str = "space", t: float = 0.0) -> Wrench:
        """Load on body b at its point, from the multipliers (m,) of the joint's rows.

        Body a gets the opposite force at the same position and the opposite moment.

        Parameters
        ----------
        q
            Coordinates of the joint's bodies.
        lam
            Multipliers of its rows.
        components
            "space", or those of body "a" or "b" at the joint.
        t
            Time in s.
        """
        check(f"{self.name}: components", components, one_of(COMPONENTS))
        rest = np.zeros(sum(len(body.dofs) for body in self.bodies))
        frames = self.pair.motion(q, rest, t).frames
        load = lam @ self.held(frames).table[:, JACOBIAN]
        force, moment = load[6:9], frames.b.rotation @ load[9:]
        if components != "space":
            marker = frames.a if components == "a" else frames.b
            turn = marker.rotation @ self.axes.T
            force, moment = force @ turn, moment @ turn
        return Wrench(force, moment)


@dataclass(frozen=True, eq=False, kw_only=True)
class AxisJoint(Joint):
    """Joint with one axis, the z of its frame.

    Parameters
    ----------
    axis
        "x", "y", "z" or a direction, in the reference position; it is fixed in both bodies.
    """

    axis: Axis = "z"

    @cached_property
    def axes(self) -> Floats:
        """Axes x, y, z of the joint frame in the reference position, as columns (3, 3)."""
        return frame_about(axis_vector(f"{self.name}: axis", self.axis))
