"""Bristles on the slave: displacements by the integral of the slip velocity.

Material of the master passes below them without a coordinate (a prescribed spin), which a
difference of positions does not see. Slip is then the trapezoidal integral of the slip velocity s,

    z_tr = (I - n n^T) R E (z_n + h/2 R_n^T s_n) + h/2 s .

If the slave itself spins through its points, the history travels along its rings: E = exp(-theta D)
with the angle theta of the spin over the step (`kinematics.rings`), and E = 1 without rings. The
status of a point, from which static friction is known, then comes with the material too, to the
nearest point. Bristles of the slave and of the master differ by z times the angle that the bodies
turn against each other over a bristle length.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fecontact.body.base import Body, as_body
from fecontact.body.motion import PointMotion, SpinFrame
from fecontact.contact.kinematics.relative import Change, ContactKinematics
from fecontact.contact.kinematics.rings import Rings
from fecontact.contact.kinematics.transport import (
    Axes,
    Moved,
    Origin,
    Transport,
    d_flat,
    flat,
)
from fecontact.errors import InputError
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from fecontact.contact.evaluate.points import PairPoints

__all__ = ["MovedBySlip", "OnSlave", "StartOfSlip", "spin_angle"]


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
