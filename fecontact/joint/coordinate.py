"""Scalar coordinates that a motion may be prescribed for: angles, strokes, lengths, dofs.

They also read a joint out: `hinge.angle.value(q)`, `hinge.angle.rate(q, v)`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from fecontact.errors import InputError, SolverError, unknown
from fecontact.joint._kernels import D_RATE, JACOBIAN, SECOND
from fecontact.joint.frames import FrameRows, Frames
from fecontact.joint.lowered.rows import lowered_dof, lowered_rows, polar_coordinates, traced
from fecontact.joint.marker import MarkerPair
from fecontact.joint.refuse import CLOSED, refuse_moving_frames, refuse_unknown_rotation
from fecontact.joint.relative import Relative
from fecontact.kernels.lowered import Lowered, changed
from fecontact.typing import Body, Floats

__all__ = ["Angle", "Between", "Coordinate", "DofCoordinate", "Length", "Stroke"]

X, Y = np.eye(3)[:2]


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
    def at(self, t: float, q: Floats, v: Floats, near: float = 0.0) -> Relative:
        """Coordinate s (1,) with its derivatives; an angle modulo whole turns, close to `near`."""

    @property
    def holonomic(self) -> bool:
        """Whether s is a function of the position; a speed alone belongs to no position."""
        return True

    def lowered_row(self, law: Floats, velocity: bool) -> Lowered | None:
        """Compiled row of s, or of s' alone, less a law of time; None if there is none."""
        return None

    def value(self, q: Floats, near: float = 0.0, t: float = 0.0) -> float:
        """Value s in m or rad; of angles that differ by whole turns the one nearest to `near`."""
        return float(self.at(t, q, self._rest, near).value[0])

    def rate(self, q: Floats, v: Floats, t: float = 0.0) -> float:
        """Rate s' in m/s or rad/s."""
        return float(self.at(t, q, v).rate[0])

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
        return np.zeros(sum(len(body.dofs) for body in self.bodies))


@dataclass(frozen=True, eq=False)
class Between(Coordinate):
    """Coordinate of two markers."""

    pair: MarkerPair

    def __post_init__(self) -> None:
        refuse_moving_frames(self.pair)

    @abstractmethod
    def row(self, frames: Frames, near: float) -> FrameRows:
        """Coordinate (1,) of the two frames."""

    @property
    def name(self) -> str:
        """Name of the marker pair."""
        return self.pair.name

    @property
    def bodies(self) -> Sequence[Body]:
        """The bodies a and b without the ground."""
        return self.pair.bodies

    def at(self, t: float, q: Floats, v: Floats, near: float = 0.0) -> Relative:
        """Coordinate (1,) with its derivatives."""
        frames = self.pair.motion(q, v, t).frames
        return frames.in_dofs(self.row(frames, near))

    def lowered_row(self, law: Floats, velocity: bool) -> Lowered | None:
        """Compiled row of s, or of s' alone, less a law of time; None if a body has none."""
        if changed(self, "lowered_row", ("at", "row", "bodies")):
            return None
        polar = isinstance(self, Angle) and not self.pair.common_axis
        if polar:
            coordinates = polar_coordinates()
        else:
            held = partial(self.row, near=0.0)
            coordinates = traced(held, self.pair.common_axis)
        return lowered_rows(self.bodies, [(self.pair, coordinates)], 1, velocity, law, polar)


@dataclass(frozen=True, eq=False)
class Length(Between):
    """Distance of the two points in m."""

    def __post_init__(self) -> None:
        super().__post_init__()
        a, b = self.pair.markers
        if np.linalg.norm(b.home - a.home) <= CLOSED:
            raise InputError(
                f"{self.name}: its points coincide in the reference position, so it has no "
                "direction; use a spherical joint"
            )
        refuse_unknown_rotation(self.pair, lambda frames: frames.distance())

    def row(self, frames: Frames, near: float) -> FrameRows:
        """Distance (1,)."""
        return frames.distance()


@dataclass(frozen=True, eq=False)
class Stroke(Between):
    """Displacement of point b from point a in m, along the axis z of marker a."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.pair.refuse_spin()

    def row(self, frames: Frames, near: float) -> FrameRows:
        """Displacement (1,)."""
        return frames.displacement().last()


@dataclass(frozen=True, eq=False)
class Angle(Between):
    """Angle phi in rad by which marker b is turned relative to marker a about their axis z.

        tan phi = (y . Q x - x . Q y) / (x . Q x + y . Q y),      Q = R_a^T R_b

    phi is the twist of Q about z: the rotation that is left of Q when the axis of b is brought onto
    that of a on the shortest way. Bodies that turn about one common axis count their turns; for all
    others phi is known up to whole turns.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self.pair.refuse_spin()

    def row(self, frames: Frames, near: float) -> FrameRows:
        """Angle (1,); by whole turns the nearest to `near`."""
        if frames.common_axis:
            return frames.rotation().last()
        x, y = frames.direction(X).table, frames.direction(Y).table
        return _polar_angle(self.name, np.array([x[0] + y[1], x[1] - y[0]]), near)


def _polar_angle(name: str, u: Floats, near: float) -> FrameRows:
    """Polar angle (1,) of a vector with the rows u (2, 170) of its components."""
    x, y = u[:, 0]
    square = x * x + y * y
    if square == 0.0:
        raise SolverError(
            f"{name}: its axes point in opposite directions, so its angle does not exist; start "
            "from a position that is closer to the joint's"
        )
    angle = np.arctan2(y, x)
    G = u[:, JACOBIAN]
    bent = np.array([[2 * x * y, y * y - x * x], [y * y - x * x, -2 * x * y]]) / square**2 @ G
    table = np.array([-y, x]) / square @ u
    table[0] = angle + 2.0 * np.pi * np.round((near - angle) / (2.0 * np.pi))
    table[D_RATE] += u[:, 1] @ bent
    table[SECOND] += (G.T @ bent).ravel()
    return FrameRows(table[None])


@dataclass(frozen=True, eq=False)
class DofCoordinate(Coordinate):
    """A dof of a body, by name: displacement, angle of a single rotation, elastic coordinate.

    Of the three rotations of a body only the speeds exist, the components of its body-fixed
    angular velocity.

    Examples
    --------
    >>> from fecontact.body import RigidBody
    >>> shaft = RigidBody("shaft", 1.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.2))
    >>> DofCoordinate(shaft, "rz").value(np.array([0.1, 50.0]))
    50.0
    """

    body: Body
    dof: str

    def __post_init__(self) -> None:
        if self.dof not in self.body.dofs:
            raise unknown(f"dof of '{self.body.name}'", self.dof, self.body.dofs)

    @property
    def name(self) -> str:
        """Body and dof."""
        return f"{self.body.name}.{self.dof}"

    @property
    def bodies(self) -> Sequence[Body]:
        """The body."""
        return (self.body,)

    @property
    def holonomic(self) -> bool:
        """Whether the dof is the rate of one of the coordinates q."""
        return self._index is not None

    def at(self, t: float, q: Floats, v: Floats, near: float = 0.0) -> Relative:
        """The coordinate (1,), zero if there is none, with its derivatives."""
        n = len(v)
        value = 0.0 if self._index is None else q[self._index]
        return Relative(
            np.array([value]),
            self._row @ v,
            self._row,
            lambda: np.zeros((1, n)),
            lambda load: np.zeros((n, n)),
        )

    def lowered_row(self, law: Floats, velocity: bool) -> Lowered | None:
        """Compiled row of the dof less a law of time."""
        if changed(self, "lowered_row", ("at", "bodies")):
            return None
        n_q, n = len(self.body.reference()), len(self.body.dofs)
        dof = list(self.body.dofs).index(self.dof)
        return lowered_dof(n_q, n, velocity, law, self._index or 0, dof)

    @cached_property
    def _row(self) -> Floats:
        return np.eye(len(self.body.dofs))[[list(self.body.dofs).index(self.dof)]]

    @cached_property
    def _index(self) -> int | None:
        """Number of the coordinate that changes at the rate of the dof, if there is one."""
        rate = self.body.rate(self.body.reference(), self._row[0])
        index = int(np.argmax(np.abs(rate)))
        return index if np.array_equal(rate, np.eye(len(rate))[index]) else None
