"""Points with bristles on the slave at a state: their kinematics in the working space, their loads.

On a plate (`PlateFace`) normals, gaps and velocities are compiled; of other masters they are those
of the pair's kinematics.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from fecontact.body.base import as_body
from fecontact.body.motion import PointMotion, RigidFrame, SpinFrame
from fecontact.body.spinning import SpinningDisc
from fecontact.contact.kernels.eulerian import (
    Rolling,
)
from fecontact.contact.kernels.plate.points import (
    Frame,
    PlateSurface,
    leave_plate,
    load_plate,
    load_rigid,
    locate_points,
    see_rigid,
)
from fecontact.contact.kernels.plate.tangents import plate_slopes
from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.contact.kinematics.slip import OnSlave
from fecontact.typing import Floats, Tangents

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair
__all__ = ["Seen", "SeenOnPlate", "SeenOnSurface", "SeenRigidOnPlate"]


class Seen(ABC):
    """Points of a contact at a state, whose kinematics are in its working space."""

    @abstractmethod
    def load(self, c: Rolling) -> Floats:
        """Generalised force (N,) of the forces of the points."""

    @abstractmethod
    def tangents(self, c: Rolling, local: Floats, axes: SpinFrame) -> Tangents:
        """Derivatives of `load`, from those of the forces by the local numbers (p, 3, LOCAL)."""


@dataclass(frozen=True, eq=False)
class SeenOnSurface(Seen):
    """Points on any surface."""

    at: ContactKinematics

    @staticmethod
    def of(pair: ContactPair, c: Rolling, t: float, q: Floats, v: Floats, powers: bool) -> Seen:
        """Take the kinematics of a pair; `powers`: with the spin of the slave apart."""
        at = pair.kinematics(q, v, t)
        c.position[:], c.normal[:], c.distance[:] = at.slave.position, at.normal, at.gap
        _divide(pair, c, at.velocity, at.slave, v, powers)
        return SeenOnSurface(at)

    def load(self, c: Rolling) -> Floats:
        """Generalised force (N,)."""
        return self.at.apply_transpose(c.force)

    def tangents(self, c: Rolling, local: Floats, axes: SpinFrame) -> Tangents:
        """Derivatives along an increment of the dofs, and by the velocities."""
        at, own = self.at, len(axes.by_step)
        by_gap, by_velocity = local[:, :, 0], local[:, :, 4:7]
        change = by_gap[:, :, None] * at.by_q.gap[:, None]
        change += local[:, :, 1:4] @ at.by_q.normal + by_velocity @ at.d_velocity
        change[:, :, :own] += local[:, :, 7:10] @ axes.angular_jacobian
        change[:, :, :own] += local[:, :, 10, None] * axes.by_step
        by_q = at.tangent(c.force, change, True)
        return by_q, at.tangent(c.force, by_velocity @ at.jacobian, False)


@dataclass(frozen=True, eq=False)
class SeenOnPlate(Seen):
    """Points on a plate."""

    pair: ContactPair
    face: PlateSurface
    t: float
    q: Floats
    v: Floats

    def see(self, c: Rolling, powers: bool) -> bool:
        """Place the points and see their motion; False if one has no projection on the plate."""
        points, (q, v) = self.points, self.of_plate
        c.position[:] = points.position
        self.face.projected[:] = c.position[:, :2]
        if not locate_points(c, self.face, q):
            return False
        _divide(self.pair, c, points.velocity, points, self.v, powers)
        leave_plate(c, self.face, v)
        return True

    @cached_property
    def points(self) -> PointMotion:
        """Motion of the slave's points."""
        return self.pair.point_motion(self.q, self.v, self.t)

    @property
    def of_plate(self) -> tuple[Floats, Floats]:
        """Coordinates and velocities of the plate."""
        q, v = self.pair.of_master(self.q, self.v)
        return np.ascontiguousarray(q), np.ascontiguousarray(v)

    def load(self, c: Rolling) -> Floats:
        """Generalised force (N,)."""
        load_plate(c, self.face)
        return np.concatenate([self.points.apply_transpose(c.force), -self.face.force])

    def tangents(self, c: Rolling, local: Floats, axes: SpinFrame) -> Tangents:
        """Derivatives along an increment of the dofs, and by the velocities."""
        points = self.points
        closed = np.flatnonzero(local.any(axis=(1, 2)))
        moves = points.displacement, points.d_velocity, points.jacobian
        if len(closed) < len(local):
            moves = moves[0][closed], moves[1][closed], moves[2][closed]
        count, m, N = len(closed), len(self.face.force), len(self.v)
        shapes, left = np.empty((count, 3, m)), np.empty((4, count, 3, N))
        turned = np.empty((N, 4))
        plate_slopes(c, self.face, closed, local, moves[2], shapes, left, turned)
        disc: SpinningDisc = self.pair.master.bodies[0]  # type: ignore[assignment]
        step, change, rate, bend = (
            each.reshape(3 * count, each.shape[2]) for each in (*moves, shapes)
        )
        position, velocity, field, field_rate = left.reshape(4, 3 * count, N)
        by_slave = position.T @ step + velocity.T @ change
        by_slave += turned[:, :3] @ axes.angular_jacobian + turned[:, 3:] * axes.by_step
        own = points.d_load(c.force)
        by_slave[: len(own)] += own
        by_rate = field_rate.T @ bend
        by_plate = field.T @ bend + by_rate @ (disc.speed * disc.model.rotation)
        by_q = np.concatenate([by_slave, by_plate], axis=1)
        return by_q, np.concatenate([velocity.T @ rate, by_rate], axis=1)


@dataclass(frozen=True, eq=False)
class SeenRigidOnPlate(SeenOnPlate):
    """Points of a rigid slave on a plate, which move with its frame."""

    def see(self, c: Rolling, powers: bool) -> bool:
        """Place the points and see their motion; False if one has no projection on the plate."""
        at, spin = self.frame, as_body(self.pair.slave).material_spin
        rotation, origin, velocity, omega = (
            np.ascontiguousarray(part) for part in (at.rotation, at.origin, at.velocity, at.omega)
        )
        frame = Frame(rotation, origin, velocity, omega, 0.0 if np.isnan(spin) else float(spin))
        self.face.projected[:] = c.position[:, :2]  # moves with the points
        return see_rigid(c, self.face, frame, *self.of_plate)

    @cached_property
    def frame(self) -> RigidFrame:
        """Motion of the slave."""
        body = as_body(self.pair.slave)
        q, v = self.q[: len(body.reference())], self.v[: len(body.dofs)]
        return cast("RigidFrame", body.frame_motion(q, v, self.t))

    def load(self, c: Rolling) -> Floats:
        """Generalised force (N,)."""
        load_rigid(c, self.face, np.ascontiguousarray(self.frame.rotation))
        own = self.frame.generalised(np.concatenate([c.total[:3], c.total[6:9]]))
        return np.concatenate([own, -self.face.force])


def _divide(
    pair: ContactPair, c: Rolling, velocity: Floats, slave: PointMotion, v: Floats, powers: bool
) -> None:
    """Velocities (p, 3) into those that move the points and, for powers, the spin of the slave."""
    c.motion[0], c.motion[1] = velocity, 0.0
    if powers:
        assert isinstance(pair.transport, OnSlave)
        c.motion[1] = pair.transport.spin_velocity(slave, v)
        c.motion[0] -= c.motion[1]
