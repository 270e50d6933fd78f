"""Slaves whose contact points do not turn with their spin: rotors and spinning discs.

The elastic slip z of the bristles is kept in the frame of the slave, which tilts with it and, if
it has rotations, turns with it, but does not spin. Material passes the points with the spin: a
prescribed one, or the dof "spin" of a rotor, whose angle is a coordinate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from fecontact.body.carried import CarriedDisc
from fecontact.body.carried_rotor import CarriedRotor
from fecontact.body.motion import PointMotion
from fecontact.body.rigid import RigidBody
from fecontact.body.spinning import SpinningDisc
from fecontact.contact.master.plate_face import d_tilted, face_shapes, upward
from fecontact.contact.surface.points import Surface
from fecontact.errors import InputError
from fecontact.reduction.harmonic import HarmonicModel, PlateShapes
from fecontact.typing import Floats

__all__ = ["DiscPoints", "EulerianSlave", "SlaveFrame", "eulerian_slave"]


class SlaveFrame(NamedTuple):
    """Frame in which the history of a slave with n dofs is kept.

    Attributes
    ----------
    rotation : (3, 3)
        From frame to space components.
    turning : (3, n)
        Rotation along a step, in space components.
    spin
        Speed Omega in rad/s of the material through the points.
    angle
        Angle of the spin in rad if it is a coordinate; the time integral of `spin`.
    by_step : (n,)
        Derivative of `angle` along a step, and of `spin` by v.
    """

    rotation: Floats
    turning: Floats
    spin: float
    angle: float
    by_step: Floats


class EulerianSlave(Protocol):
    """Kinematics of the points of a slave and of the frame of their history."""

    def motion(self, q: Floats, v: Floats) -> PointMotion:
        """Motion of the contact points, with the velocity of the material there."""
        ...

    def frame(self, q: Floats, v: Floats) -> SlaveFrame:
        """Frame of the history."""
        ...

    @property
    def speed(self) -> float:
        """Prescribed spin in rad/s; nan if it is free."""
        ...


def eulerian_slave(
    body: RigidBody | SpinningDisc | CarriedDisc | CarriedRotor, surface: Surface, name: str
) -> EulerianSlave:
    """Kinematics of the surface of a body."""
    if isinstance(body, SpinningDisc):
        return DiscSlave.of(body.model, body.speed, surface)
    if isinstance(body, CarriedDisc):
        return CarriedSlave(DiscSlave.of(body.disc.model, body.speed, surface))
    if isinstance(body, CarriedRotor):
        return CarriedRotorSlave(DiscSlave.of(body.model, np.nan, surface))
    if isinstance(body, RigidBody):
        return RotorSlave(body, surface.points)
    raise InputError(
        f"{name}: a {type(body).__name__} as slave is not possible: it must be a RigidBody, a "
        "SpinningDisc, a CarriedDisc or a CarriedRotor"
    )


@dataclass(frozen=True, eq=False)
class RotorSlave:
    """Points (p, 3) of a rigid body, relative to its centre of mass."""

    body: RigidBody
    points: Floats

    @property
    def speed(self) -> float:
        """Prescribed spin in rad/s; nan if it is free."""
        return float(self.body.spin) if not self.body.spin_axis.size else np.nan

    def motion(self, q: Floats, v: Floats) -> PointMotion:
        """Motion of the contact points."""
        return self.body.motion(q, v, self.points)

    def frame(self, q: Floats, v: Floats) -> SlaveFrame:
        """The axes of the body."""
        body, n = self.body, len(self.body.dofs)
        first, count = body.directions.shape[1], body.axes.shape[1]
        R = body.rotation(q)
        turning = np.zeros((3, n))
        turning[:, first : first + count] = R @ body.axes
        by_step = np.zeros(n)
        if not body.spin_axis.size:
            return SlaveFrame(R, turning, float(body.spin), 0.0, by_step)
        by_step[-1] = 1.0
        return SlaveFrame(R, turning, float(v[-1]), float(q[-1]), by_step)


@dataclass(frozen=True, eq=False)
class DiscSlave:
    """Lower face (towards -z) of a spinning disc.

    The points belong to places X of the mid-plane that are fixed in space; the face is the
    thickness h/2 below it, so that the mid-plane of the disc is h/2 above the points at rest.
    """

    model: HarmonicModel
    speed: float
    place: Floats
    shapes: PlateShapes

    @staticmethod
    def of(model: HarmonicModel, speed: float, surface: Surface) -> DiscSlave:
        """Points of the face, whose shapes do not change; a free speed is nan."""
        x = surface.points
        return DiscSlave(model, float(speed), x, model.shapes(x[:, 0], x[:, 1]))

    def motion(self, q: Floats, v: Floats) -> DiscPoints:
        """Motion of the contact points at the prescribed spin."""
        return self.spun(q, v, self.speed)

    def spun(self, q: Floats, v: Floats, speed: float) -> DiscPoints:
        """Motion of the contact points at a spin."""
        rate = v + speed * (self.model.rotation @ q)
        return DiscPoints(self.model, speed, self.place, self.shapes, q, rate)

    def frame(self, q: Floats, v: Floats) -> SlaveFrame:
        """Space itself."""
        n = len(q)
        return SlaveFrame(np.eye(3), np.zeros((3, n)), self.speed, 0.0, np.zeros(n))


@dataclass(frozen=True)
class DiscPoints:
    """Points of the lower face of a spinning disc over fixed places X; a `PointMotion`.

    x = (X, z_0 + w) - (h/2) n and v = Omega e_z x x + Phi (q' + Omega Delta q), as for `PlateFace`
    with the other sign of the lever.
    """

    model: HarmonicModel
    speed: float
    place: Floats
    shapes: PlateShapes
    q: Floats
    rate: Floats

    @cached_property
    def position(self) -> Floats:
        """Positions (p, 3) in space."""
        x = self.place + self._lever * (self._normal - [0.0, 0.0, 1.0])
        x[:, 2] += self.shapes.value @ self.q
        return x

    @cached_property
    def velocity(self) -> Floats:
        """Velocities (p, 3) of the material in space."""
        return np.cross([0.0, 0.0, self.speed], self.position) + self.jacobian @ self.rate

    @cached_property
    def jacobian(self) -> Floats:
        """Phi (p, 3, m): derivative of the position along a step, of the velocity by v."""
        return face_shapes(self._lever, self._normal, self.shapes)

    @property
    def displacement(self) -> Floats:
        """Derivative of the position along a step."""
        return self.jacobian

    @cached_property
    def d_velocity(self) -> Floats:
        """Derivative (p, 3, m) of the velocity along a step, at fixed v."""
        Omega, Phi = self.speed, self.jacobian
        tilt_rate = np.zeros_like(self.place)
        tilt_rate[:, :2] = self.shapes.gradient @ self.rate
        result = -self._lever * d_tilted(self._normal, self._d_normal, tilt_rate)
        result += Omega * (Phi @ self.model.rotation)
        result[:, 0] -= Omega * Phi[:, 1]
        result[:, 1] += Omega * Phi[:, 0]
        return result

    def d_load(self, force: Floats) -> Floats:
        """Derivative (m, m) of sum Phi^T F along a step, at fixed forces F (p, 3)."""
        turned = d_tilted(self._normal, self._d_normal, force)[:, :2]
        bent = np.tensordot(self.shapes.gradient, turned, axes=((0, 1), (0, 1)))
        return -self._lever * bent

    @property
    def _lever(self) -> float:
        return -0.5 * self.model.plate.thickness

    @cached_property
    def _normal(self) -> Floats:
        return upward(self.shapes.gradient @ self.q)

    @cached_property
    def _d_normal(self) -> Floats:
        n = self._normal
        projector = np.eye(3) - n[:, :, None] * n[:, None, :]
        return -n[:, 2, None, None] * (projector[:, :, :2] @ self.shapes.gradient)


@dataclass(frozen=True, eq=False)
class CarriedSlave:
    """Lower face of a spinning disc whose carrier translates; places move with the carrier."""

    disc: DiscSlave

    @property
    def speed(self) -> float:
        """Prescribed spin in rad/s."""
        return self.disc.speed

    def motion(self, q: Floats, v: Floats) -> CarriedPoints:
        """Motion of the contact points."""
        return CarriedPoints(self.disc.motion(q[3:], v[3:]), q[:3], v[:3])

    def frame(self, q: Floats, v: Floats) -> SlaveFrame:
        """Axes of space, at the carrier."""
        n = len(q)
        return SlaveFrame(np.eye(3), np.zeros((3, n)), self.speed, 0.0, np.zeros(n))


@dataclass(frozen=True)
class CarriedPoints:
    """Points of a disc on a carrier with displacement c and velocity c'; a `PointMotion`."""

    disc: DiscPoints
    shift: Floats
    drift: Floats

    @cached_property
    def position(self) -> Floats:
        """Positions (p, 3) in space."""
        return self.disc.position + self.shift

    @cached_property
    def velocity(self) -> Floats:
        """Velocities (p, 3) of the material in space."""
        return self.disc.velocity + self.drift

    @property
    def jacobian(self) -> Floats:
        """Derivative of the velocity by v."""
        return self._shapes

    @property
    def displacement(self) -> Floats:
        """Derivative of the position along a step."""
        return self._shapes

    @cached_property
    def d_velocity(self) -> Floats:
        """Derivative (p, 3, 3 + m) of the velocity along a step, at fixed v."""
        return np.pad(self.disc.d_velocity, ((0, 0), (0, 0), (3, 0)))

    def d_load(self, force: Floats) -> Floats:
        """Derivative (3 + m, 3 + m) of sum J^T F along a step, at fixed forces F (p, 3)."""
        return np.pad(self.disc.d_load(force), ((3, 0), (3, 0)))

    @cached_property
    def _shapes(self) -> Floats:
        """Displacement (p, 3, 3 + m) per coordinate of carrier and disc."""
        own = self.disc.jacobian
        return np.concatenate([np.broadcast_to(np.eye(3), (len(own), 3, 3)), own], axis=2)


@dataclass(frozen=True, eq=False)
class CarriedRotorSlave:
    """Lower face of an elastic disc whose carrier translates and has the dof "spin"."""

    disc: DiscSlave

    @property
    def speed(self) -> float:
        """The spin is free: nan."""
        return self.disc.speed

    def motion(self, q: Floats, v: Floats) -> CarriedRotorPoints:
        """Motion of the contact points."""
        return CarriedRotorPoints(self.disc.spun(q[4:], v[4:], float(v[3])), q[:3], v[:3])

    def frame(self, q: Floats, v: Floats) -> SlaveFrame:
        """Axes of space, at the carrier; material passes with the spin."""
        n = len(q)
        by_step = np.zeros(n)
        by_step[3] = 1.0
        return SlaveFrame(np.eye(3), np.zeros((3, n)), float(v[3]), float(q[3]), by_step)


@dataclass(frozen=True)
class CarriedRotorPoints(CarriedPoints):
    """Points of a disc on a carrier with a free spin Omega; dofs c, spin, q.

    At fixed q the spin moves the material by e_z x x + Phi Delta q per angle, and no point.
    """

    @cached_property
    def jacobian(self) -> Floats:
        """Derivative (p, 3, 4 + m) of the velocity by v."""
        return np.insert(self._shapes, 3, self._turned.velocity, axis=2)

    @cached_property
    def displacement(self) -> Floats:
        """Derivative (p, 3, 4 + m) of the position along a step."""
        return np.insert(self._shapes, 3, 0.0, axis=2)

    @cached_property
    def d_velocity(self) -> Floats:
        """Derivative (p, 3, 4 + m) of the velocity along a step, at fixed v."""
        return np.pad(self.disc.d_velocity, ((0, 0), (0, 0), (4, 0)))

    def d_load(self, force: Floats) -> Floats:
        """Derivative (4 + m, 4 + m) of sum J^T F along a step, at fixed forces F (p, 3)."""
        result = np.pad(self.disc.d_load(force), ((4, 0), (4, 0)))
        result[3, 4:] = np.tensordot(force, self._turned.d_velocity, axes=2)
        return result

    @cached_property
    def _turned(self) -> DiscPoints:
        """The points at unit spin, without any other motion."""
        return replace(self.disc, speed=1.0, rate=self.disc.model.rotation @ self.disc.q)
