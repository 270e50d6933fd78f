"""Scalar coordinates that a motion may be prescribed for: angles, strokes, lengths, freedoms.

They also read a joint out: `hinge.angle.value(q)`, `hinge.angle.rate(q, v)`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.errors import SolverError, unknown
from fecontact.joint.marker import Axis, MarkerPair, axis_vector, frame_about
from fecontact.joint.relative import Relative
from fecontact.typing import Body, Floats

__all__ = ["Angle", "Coordinate", "Freedom", "Length", "Stroke"]


class Coordinate(ABC):
    """One relative coordinate s of the bodies."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Name for messages."""

    @property
    @abstractmethod
    def bodies(self) -> Sequence[Body]:
        """Bodies whose coordinates it refers to."""

    @abstractmethod
    def relative(self, q: Floats, v: Floats, near: float = 0.0) -> Relative:
        """Coordinate s (1,) with its derivatives; an angle modulo whole turns, close to `near`."""

    @property
    def holonomic(self) -> bool:
        """Whether s is a function of the position; a speed alone belongs to no position."""
        return True

    def value(self, q: Floats, near: float = 0.0) -> float:
        """Value s in m or rad; of angles that differ by whole turns the one nearest to `near`."""
        return float(self.relative(q, self._rest, near).value[0])

    def rate(self, q: Floats, v: Floats) -> float:
        """Rate s' in m/s or rad/s."""
        return float(self.relative(q, v).rate[0])

    def history(self, samples: Iterable[Floats], near: float = 0.0) -> Floats:
        """Values along a motion; an angle is continued over any number of turns.

        Between two samples it must change by less than half a turn. `near` is its value at the
        first sample, up to half a turn.
        """
        values = []
        for q in samples:
            near = self.value(q, near)
            values.append(near)
        return np.array(values)

    @cached_property
    def _rest(self) -> Floats:
        return np.zeros(sum(len(body.freedoms) for body in self.bodies))


@dataclass(frozen=True, eq=False)
class _Between(Coordinate):
    """Coordinate of two markers."""

    pair: MarkerPair

    def __post_init__(self) -> None:
        self.pair.refuse_spin()

    @property
    def name(self) -> str:
        """Name of the marker pair."""
        return self.pair.name

    @property
    def bodies(self) -> Sequence[Body]:
        """The bodies a and b without the ground."""
        return self.pair.bodies


@dataclass(frozen=True, eq=False)
class Length(_Between):
    """Distance of the two points in m."""

    def relative(self, q: Floats, v: Floats, near: float = 0.0) -> Relative:
        """Distance (1,) with its derivatives."""
        return self.pair.motion(q, v).distance()


@dataclass(frozen=True, eq=False)
class Stroke(_Between):
    """Displacement of point b from point a in m, along an axis of body a."""

    axis: Axis = "z"

    def relative(self, q: Floats, v: Floats, near: float = 0.0) -> Relative:
        """Displacement (1,) with its derivatives."""
        return self.pair.motion(q, v).displacement().mapped(self._row)

    @cached_property
    def _row(self) -> Floats:
        return axis_vector(f"{self.name}: axis", self.axis)[None]


@dataclass(frozen=True, eq=False)
class Angle(_Between):
    """Angle phi in rad by which body b is turned relative to body a about an axis.

        tan phi = (y . Q x - x . Q y) / (x . Q x + y . Q y),      Q = R_a^T R_b

    x and y are perpendicular to the axis. phi is the twist of Q about the axis: the rotation that
    is left of Q when the axis of b is brought onto that of a on the shortest way. Bodies that turn
    about one common axis count their turns; for all others phi is known up to whole turns.
    """

    axis: Axis = "z"

    def relative(self, q: Floats, v: Floats, near: float = 0.0) -> Relative:
        """Angle (1,) with its derivatives; by whole turns the nearest to `near`."""
        motion = self.pair.motion(q, v)
        x, y, z = self._frame
        if motion.common_axis:
            return motion.rotation().mapped(z[None])
        pair = Relative.stacked([motion.direction(x), motion.direction(y)])
        return _polar_angle(self.name, pair.mapped(self._cosine_and_sine), near)

    @cached_property
    def _frame(self) -> Floats:
        return frame_about(axis_vector(f"{self.name}: axis", self.axis)).T

    @cached_property
    def _cosine_and_sine(self) -> Floats:
        """Takes (Q x, Q y) to the denominator and numerator of tan phi, (2, 6)."""
        x, y, _ = self._frame
        return np.array([np.concatenate([x, y]), np.concatenate([y, -x])])


def _polar_angle(name: str, u: Relative, near: float) -> Relative:
    """Polar angle (1,) of a vector u (2,), with its derivatives."""
    x, y = u.value
    square = x * x + y * y
    if square == 0.0:
        raise SolverError(
            f"{name}: its axes point in opposite directions, so its angle does not exist; start "
            "from a position that is closer to the joint's"
        )
    slope = np.array([-y, x]) / square
    curvature = np.array([[2 * x * y, y * y - x * x], [y * y - x * x, -2 * x * y]]) / square**2
    G = u.jacobian
    angle = np.arctan2(y, x)
    turns = np.round((near - angle) / (2.0 * np.pi))
    return Relative(
        np.array([angle + 2.0 * np.pi * turns]),
        np.array([slope @ u.rate]),
        (slope @ G)[None],
        lambda: (slope @ u.d_rate() + (curvature @ u.rate) @ G)[None],
        lambda load: u.d_load(load[0] * slope) + load[0] * G.T @ curvature @ G,
    )


@dataclass(frozen=True, eq=False)
class Freedom(Coordinate):
    """A freedom of a body, by name: displacement, angle of a single rotation, elastic coordinate.

    Of the three rotations of a body only the speeds exist, the components of its body-fixed
    angular velocity.

    Examples
    --------
    >>> from fecontact.body import RigidBody
    >>> shaft = RigidBody("shaft", 1.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.2))
    >>> Freedom(shaft, "rz").value(np.array([0.1, 50.0]))
    50.0
    """

    body: Body
    freedom: str

    def __post_init__(self) -> None:
        if self.freedom not in self.body.freedoms:
            raise unknown(f"freedom of '{self.body.name}'", self.freedom, self.body.freedoms)

    @property
    def name(self) -> str:
        """Body and freedom."""
        return f"{self.body.name}.{self.freedom}"

    @property
    def bodies(self) -> Sequence[Body]:
        """The body."""
        return (self.body,)

    @property
    def holonomic(self) -> bool:
        """Whether the freedom is the rate of one of the coordinates q."""
        return self._place is not None

    def relative(self, q: Floats, v: Floats, near: float = 0.0) -> Relative:
        """The coordinate (1,), zero if there is none, with its derivatives."""
        n = len(v)
        value = 0.0 if self._place is None else q[self._place]
        return Relative(
            np.array([value]),
            self._row @ v,
            self._row,
            lambda: np.zeros((1, n)),
            lambda load: np.zeros((n, n)),
        )

    @cached_property
    def _row(self) -> Floats:
        return np.eye(len(self.body.freedoms))[[list(self.body.freedoms).index(self.freedom)]]

    @cached_property
    def _place(self) -> int | None:
        """Number of the coordinate that changes at the rate of the freedom, if there is one."""
        rate = self.body.rate(self.body.reference(), self._row[0])
        place = int(np.argmax(np.abs(rate)))
        return place if np.array_equal(rate, np.eye(len(rate))[place]) else None
