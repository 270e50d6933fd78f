"""How the elastic slip of contact points follows the material from step to step.

The elastic slip z of a point is stored in the axes R of the body that carries the bristles. Over a
step, dx is the displacement of the slave's material along the master, and z_tr = z_n + dx the trial
that the friction law takes.

`OnMaster`: the bristles stand on the master. Each point keeps where on the master it was (its
anchor) and the normal there,

    dx = (I - n n^T) (x_slave - x_anchor),      z_tr = Q R z_n + dx,

Q the smallest rotation that takes the old normal to the new one, none if they are opposite. dx is a
difference of positions: nothing drifts while a point sticks.

`OnSlave`: the bristles stand on the slave, because material of the master passes below them without
a coordinate (a prescribed spin), which a difference of positions does not see. Slip is then the
trapezoidal integral of the slip velocity s,

    z_tr = (I - n n^T) R E (z_n + h/2 R_n^T s_n) + h/2 s .

If the slave itself spins through its points, the history travels along its rings: E = exp(-theta D)
with the angle theta of the spin over the step (`kinematics.rings`), and E = 1 without rings. The
status of a point, from which static friction is known, then comes with the material too, to the
nearest point. Bristles of the slave and of the master differ by z times the angle that the bodies
turn against each other over a bristle length.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fecontact.body.base import Body, as_body
from fecontact.body.motion import PointMotion, SpinFrame
from fecontact.body.rotation import cross_matrix
from fecontact.contact.kernels.slip import OPPOSITE, trial_slip
from fecontact.contact.kinematics.relative import Change, ContactKinematics
from fecontact.contact.kinematics.rings import Rings
from fecontact.contact.master.base import Master, MaterialMaster, MaterialProjection
from fecontact.errors import InputError
from fecontact.typing import Chosen, Floats, Integers

if TYPE_CHECKING:
    from fecontact.contact.evaluate.points import PairPoints

__all__ = [
    "Axes",
    "Moved",
    "OnMaster",
    "OnSlave",
    "Origin",
    "Transport",
    "d_flat",
    "dot",
    "flat",
    "spin_angle",
]


@dataclass(frozen=True, eq=False)
class Axes:
    """Axes in which the elastic slip is stored.

    Attributes
    ----------
    rotation : (3, 3)
        R, from these axes to space.
    angular_jacobian : (3, n)
        Rotation along an increment of the dofs that turn them.
    columns
        These dofs among those of the pair.
    spin
        Speed in rad/s of the material through the points.
    by_velocity : (n,)
        Derivative of the spin by the velocities of these dofs.
    """

    rotation: Floats
    angular_jacobian: Floats
    columns: slice
    spin: float = 0.0
    by_velocity: Floats | None = None

    def turned(self, vectors: Floats, size: int) -> Floats:
        """Derivative (p, 3, size) of vectors (p, 3) in space that turn with the axes."""
        result = np.zeros((len(vectors), 3, size))
        result[:, :, self.columns] = -cross_matrix(vectors) @ self.angular_jacobian
        return result


class Moved(ABC):
    """Displacement of all points over a step, seen from its end."""

    trial: Floats
    """Trial elastic slip z_tr (p, 3) in space components."""
    shift: Floats
    """Displacement dx (p, 3) along the surface, the part of the trial that the step adds."""
    status: Integers
    """Status (p,) at the start of the step, of the material that is at the points now."""

    @abstractmethod
    def change(self, change: Change) -> tuple[Floats, Floats] | None:
        """Derivatives (p, 3, N) of trial and shift; None if they do not change."""


class Origin(ABC):
    """Where a step starts, as a transport keeps it."""

    @abstractmethod
    def moved(self, end: PairPoints, z: Floats, status: Integers, h: float) -> Moved:
        """Displacement to the end of a step of length h, from z (p, 3) and status (p,)."""

    def part(self, rows: Chosen) -> Origin | None:
        """Some of the points; None if they cannot be divided."""
        return None


class Transport(ABC):
    """How the history of the points of a pair follows the material."""

    rings: Rings | None = None
    """Rings along which the material of the slave passes the points; None if it does not."""
    springs_in_space: ClassVar[bool] = False
    """Whether the springs of the normal law stand in space, and what turns does not load them."""

    @abstractmethod
    def axes(self, at: ContactKinematics, t: float, q: Floats, v: Floats) -> Axes:
        """Axes of the elastic slip."""

    @abstractmethod
    def origin(self, at: ContactKinematics, t: float, q: Floats, v: Floats) -> Origin:
        """Start of a step."""

    def carried_away(self, axes: Axes, z: Floats) -> tuple[Floats, Floats] | None:
        """Rate Omega D z (p, 3) by which material carries z away, and D z; None if it does not."""
        if self.rings is None:
            return None
        passed = self.rings.derivative(z[:, :3])
        return axes.spin * passed, passed

    def supplied_power(self, points: PairPoints) -> float:
        """Power in W that motion which is not in v (prescribed spins and frames) supplies."""
        work = np.sum(points.point_force * points.kinematics.velocity)
        return float(points.force @ points.v - work)


@dataclass(frozen=True, eq=False)
class OnMaster(Transport):
    """Bristles on the master, whose material its coordinates follow.

    `first` is the index of its first coordinate among those of the pair.
    """

    name: str
    master: Master
    first: int

    def axes(self, at: ContactKinematics, t: float, q: Floats, v: Floats) -> Axes:
        """Axes of the master."""
        turning = at.projection.angular_jacobian
        columns = slice(-turning.shape[1], None) if turning.shape[1] else slice(0)
        return Axes(at.projection.rotation, turning, columns)

    def origin(self, at: ContactKinematics, t: float, q: Floats, v: Floats) -> Anchors:
        """Anchors on the master."""
        master, projection = self.master, at.projection
        if not isinstance(master, MaterialMaster):
            raise InputError(
                f"{self.name}: {type(master).__name__} does not follow its material: a time "
                "step needs a master that moves with its coordinates"
            )
        assert isinstance(projection, MaterialProjection)
        return Anchors(self, master, projection.anchor, projection.normal @ projection.rotation)


@dataclass(frozen=True, eq=False)
class Anchors(Origin):
    """Where the points were on the master, as its `carried` takes it, and the normals there.

    Normals are in the axes of the master.
    """

    transport: OnMaster
    master: MaterialMaster
    anchor: Floats
    normal: Floats

    def moved(self, end: PairPoints, z: Floats, status: Integers, h: float) -> MovedFromAnchors:
        """Displacement from the anchors."""
        return MovedFromAnchors(self, end, z, status)

    def part(self, rows: Chosen) -> Anchors:
        """Some of the points."""
        return replace(self, anchor=self.anchor[rows], normal=self.normal[rows])


@dataclass(frozen=True, eq=False)
class MovedFromAnchors(Moved):
    """Points that moved away from their anchors."""

    origin: Anchors
    end: PairPoints
    z: Floats
    status: Integers

    @cached_property
    def carried(self) -> Floats:
        """Positions (p, 3) of the anchors now."""
        q = self.end.q[self.origin.transport.first :]
        return self.origin.master.carried(self.origin.anchor, q, self.end.t)

    @cached_property
    def trial(self) -> Floats:  # type: ignore[override]
        """z_tr."""
        at = self.end.kinematics
        trial, z = np.empty_like(at.normal), np.ascontiguousarray(self.z)
        R = at.projection.rotation
        trial_slip(at.normal, at.slave.position, self.carried, z, self.origin.normal, R, trial)
        return trial

    @cached_property
    def shift(self) -> Floats:  # type: ignore[override]
        """Dx."""
        return flat(self.end.kinematics.normal, self.end.kinematics.slave.position - self.carried)

    def change(self, change: Change) -> tuple[Floats, Floats] | None:
        """Derivatives along an increment of the dofs; velocities change nothing."""
        if change is not self.end.kinematics.by_q:
            return None
        d_shift = self._d_shift()
        return d_shift + self._d_turned(), d_shift

    def _d_shift(self) -> Floats:
        at, origin = self.end.kinematics, self.origin
        d_n, n = at.by_q.normal, at.normal
        path = at.slave.position - self.carried
        q = self.end.q[origin.transport.first :]
        d_carried = origin.master.d_carried(origin.anchor, q, self.end.t)
        d_path = np.concatenate([at.slave.jacobian, -d_carried], axis=2)
        d_shift = d_path - n[:, :, None] * (_row(d_path, n) + _row(d_n, path))
        return d_shift - dot(n, path)[:, None, None] * d_n

    def _d_turned(self) -> Floats:
        """Derivative of the turned old slip Q R z_n."""
        at, axes = self.end.kinematics, self.end.axes
        R, size = axes.rotation, at.jacobian.shape[2]
        z, old = self.z @ R.T, self.origin.normal @ R.T
        d_n, n = at.by_q.normal, at.normal
        d_z, d_old = axes.turned(z, size), axes.turned(old, size)
        along, apart = dot(n, z), 1.0 + dot(old, n)
        apart = np.where(apart > OPPOSITE, apart, 1.0)  # as `turn_divisor`
        ratio = (along / apart)[:, None, None]
        d_ratio = _row(d_n, z) + _row(d_z, n) - ratio * (_row(d_old, n) + _row(d_n, old))
        return d_z - ratio * (d_old + d_n) - ((old + n) / apart[:, None])[:, :, None] * d_ratio


@dataclass(frozen=True, eq=False)
class OnSlave(Transport):
    """Bristles on the slave, with rings if its material passes its points."""

    body: Body
    rings: Rings | None = None

    @staticmethod
    def of(name: str, slave: object, rings: Rings | None = None) -> OnSlave:
        """Transport on a body, which must have axes for the history of its points."""
        body = as_body(slave)
        if body.spin_frame(body.reference(), np.zeros(len(body.dofs))) is None:
            raise InputError(
                f"{name}: invalid {type(slave).__name__} as slave: expected a body with a frame "
                "for the history of its points, such as a RigidBody or a SpinningDisc"
            )
        return OnSlave(body, rings)

    def frame(self, t: float, q: Floats, v: Floats) -> SpinFrame:
        """Axes of the slave and the spin of its material, from the coordinates of the pair."""
        body = self.body
        frame = body.spin_frame(q[: len(body.reference())], v[: len(body.dofs)], t)
        assert frame is not None
        return frame

    def spin_velocity(self, points: PointMotion, v: Floats) -> Floats:
        """Velocity (p, 3) of the material by a prescribed spin, which moves none of the points."""
        if self.body.material_spin == 0.0:
            return np.zeros_like(points.velocity)
        return points.velocity - points.jacobian @ v[: len(self.body.dofs)]

    def axes(self, at: ContactKinematics, t: float, q: Floats, v: Floats) -> Axes:
        """Axes of the slave, which tilt and turn with it but do not spin."""
        frame = self.frame(t, q, v)
        columns = slice(0, len(self.body.dofs))
        turning = frame.angular_jacobian
        return Axes(frame.rotation, turning, columns, frame.spin, frame.by_step)

    def origin(self, at: ContactKinematics, t: float, q: Floats, v: Floats) -> StartOfSlip:
        """Slip velocity at the start."""
        frame = self.frame(t, q, v)
        return StartOfSlip(self, at.slip @ frame.rotation, spin_angle(frame, t))


@dataclass(frozen=True, eq=False)
class StartOfSlip(Origin):
    """Slip velocities (p, 3) in the axes of the slave, and the angle in rad of its spin."""

    transport: OnSlave
    slip: Floats
    angle: float

    def moved(self, end: PairPoints, z: Floats, status: Integers, h: float) -> MovedBySlip:
        """Displacement by the integral of the slip."""
        frame = self.transport.frame(end.t, end.q, end.v)
        rings = self.transport.rings
        if rings is not None:
            status = rings.nearest(status, self.angle, spin_angle(frame, end.t))
        return MovedBySlip(self, end, frame, z, status, h)


@dataclass(frozen=True, eq=False)
class MovedBySlip(Moved):
    """Points whose slip is the integral of their slip velocity."""

    origin: StartOfSlip
    end: PairPoints
    frame: SpinFrame
    z: Floats
    status: Integers
    h: float

    @cached_property
    def trial(self) -> Floats:  # type: ignore[override]
        """z_tr."""
        return self._arrived(self._kept)

    @cached_property
    def shift(self) -> Floats:  # type: ignore[override]
        """Dx."""
        return self._arrived(self._half_step)

    def change(self, change: Change) -> tuple[Floats, Floats]:
        """Derivatives: half a step of the slip velocity at the end, and what the axes turn."""
        ahead = 0.5 * self.h * change.slip
        if change is not self.end.kinematics.by_q:
            return ahead, ahead
        return ahead + self._d_brought(self._kept), ahead + self._d_brought(self._half_step)

    @cached_property
    def _kept(self) -> Floats:
        """z_n + h/2 R_n^T s_n (p, 3) where the material has carried it, in the axes."""
        return self._shifted(self.z + 0.5 * self.h * self.origin.slip)

    @cached_property
    def _half_step(self) -> Floats:
        """Its part from the slip velocity."""
        return self._shifted(0.5 * self.h * self.origin.slip)

    def _shifted(self, before: Floats) -> Floats:
        """Vectors (p, 3) of the material that comes to the points."""
        rings = self.origin.transport.rings
        if rings is None:
            return before
        free = bool(self.frame.by_step.any())
        turn = self.frame.angle - self.origin.angle if free else self.h * self.frame.spin
        return rings.shifted(before, turn)

    def _arrived(self, kept: Floats) -> Floats:
        at = self.end.kinematics
        return flat(at.normal, kept @ self.frame.rotation.T) + 0.5 * self.h * at.slip

    def _d_brought(self, kept: Floats) -> Floats:
        """Derivative (p, 3, N) of (I - n n^T) R kept along an increment of the dofs."""
        at, axes, rings = self.end.kinematics, self.end.axes, self.origin.transport.rings
        space = kept @ self.frame.rotation.T
        d_space = axes.turned(space, at.jacobian.shape[2])
        if rings is not None and self.frame.by_step.any():
            farther = -rings.derivative(kept) @ self.frame.rotation.T
            d_space[:, :, axes.columns] += farther[:, :, None] * self.frame.by_step
        return d_flat(at.normal, at.by_q.normal, space, d_space)


def spin_angle(frame: SpinFrame, t: float) -> float:
    """Angle of the spin in rad: a coordinate, or prescribed."""
    return frame.angle if frame.by_step.any() else frame.spin * t


def dot(a: Floats, b: Floats) -> Floats:
    """Products (p,) of vectors."""
    return np.einsum("pi,pi->p", a, b)


def flat(n: Floats, vectors: Floats) -> Floats:
    """Part (p, 3) along the surface: (I - n n^T) x."""
    return vectors - dot(n, vectors)[:, None] * n


def d_flat(n: Floats, d_n: Floats, vectors: Floats, d_vectors: Floats) -> Floats:
    """Derivative (p, 3, N) of `flat`."""
    along = _row(d_n, vectors) + _row(d_vectors, n)
    return d_vectors - n[:, :, None] * along - dot(n, vectors)[:, None, None] * d_n


def _row(derivative: Floats, vector: Floats) -> Floats:
    """Derivative (p, 1, N) of vectors, along other vectors."""
    return vector[:, None, :] @ derivative
