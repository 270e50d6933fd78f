"""Rigid surface on a body, or on the ground, as a master.

The surface is a shape (`contact.master.shape`) fixed to a marker of the body: with the marker at
c, its rotation R and the shape's distance phi,

    y = R^T (x - c),   g = phi(y),   n = R dphi/dy,   v = c' + R ((omega + spin) x y) .

A prescribed or free spin of the material about the marker's axis belongs to an axisymmetric body:
it moves the material, not the surface.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from fecontact.body.marker import GroundMarker, MarkedBody, Marker, Point
from fecontact.body.motion import MarkerMotion
from fecontact.body.points._kernels import moments
from fecontact.body.rotation import cross_matrix
from fecontact.contact.master.base import MaterialMaster, MaterialProjection
from fecontact.contact.master.shape import Distance, Shape
from fecontact.errors import InputError, numbers, shown
from fecontact.typing import Body, Chosen, Floats

__all__ = ["RigidFace", "RigidProjection"]


@dataclass(frozen=True, eq=False)
class RigidFace(MaterialMaster):
    """Surface of a rigid part.

    Parameters
    ----------
    body
        Body that carries it; None is the ground.
    shape
        The surface, in the axes of the body.
    point
        Origin of the shape on the body: a point of it, by its name or components; on the ground
        its position.
    """

    body: MarkedBody | None
    shape: Shape
    point: Point = (0.0, 0.0, 0.0)
    marker: Marker = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.shape, type) or not hasattr(self.shape, "distance"):
            raise InputError(
                f"RigidFace: invalid shape = {shown(self.shape)}: expected a shape such as Plane()"
            )
        if not (self.body is None or hasattr(self.body, "marker")):
            raise InputError(
                f"RigidFace: invalid body = {shown(self.body)}: expected a body, or None for the "
                "ground"
            )
        object.__setattr__(self, "marker", self._marker())

    def _marker(self) -> Marker:
        """Marker at the origin of the shape."""
        if self.body is not None and isinstance(self.point, str):
            return self.body.marker(self.point)
        position = numbers("RigidFace: point", self.point, (3,))
        if self.body is None:
            return GroundMarker(position, np.eye(3))
        x, y, z = position.tolist()
        return self.body.marker((x, y, z))

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The body, unless it is the ground."""
        return () if self.body is None else (self.body,)

    def project(self, x: Floats, q: Floats, v: Floats, t: float = 0.0) -> RigidProjection:
        """Project slave points x (p, 3) on the surface."""
        frame = self.marker.at(q, v, t)
        y = (x - frame.position) @ frame.rotation
        return RigidProjection(frame, y, self.shape.distance(y))

    def carried(self, anchor: Floats, q: Floats, t: float = 0.0) -> Floats:
        """Position (p, 3) of points of the body at coordinates q."""
        frame = self._still(q, t)
        return np.asarray(frame.position + anchor @ frame.rotation.T)

    def d_carried(self, anchor: Floats, q: Floats, t: float = 0.0) -> Floats:
        """Derivative (p, 3, n) of `carried` along an increment of the dofs."""
        frame = self._still(q, t)
        return np.asarray(frame.jacobian + _turned(frame.rotation, frame.angular_jacobian, anchor))

    def _still(self, q: Floats, t: float) -> MarkerMotion:
        """Position of the marker, with its body at rest there."""
        return self.marker.at(q, np.zeros(sum(len(body.dofs) for body in self.bodies)), t)


@dataclass(frozen=True)
class RigidProjection(MaterialProjection):
    """Kinematics of slave points on a rigid surface, with derivatives.

    Derivatives are taken with respect to (x, step): three slave coordinates, n dofs.
    """

    frame: MarkerMotion
    y: Floats
    distance: Distance

    @property
    def gap(self) -> Floats:
        """Distance g (p,); negative in contact."""
        return self.distance.gap

    @property
    def rotation(self) -> Floats:
        """Frame (3, 3) of the master, with which the history of the contact turns."""
        return self.frame.rotation

    @property
    def angular_jacobian(self) -> Floats:
        """Rotation (3, n) of the frame along a step, in space components."""
        return self.frame.rotation @ self.frame.angular_jacobian

    @property
    def anchor(self) -> Floats:
        """Slave points in marker components (p, 3): there the material passes that they feel."""
        return self.y

    @cached_property
    def normal(self) -> Floats:
        """Unit normals n (p, 3), outward from the master."""
        return self.distance.normal @ self.frame.rotation.T

    @cached_property
    def velocity(self) -> Floats:
        """Velocity (p, 3) of the master's material at the slave points."""
        return self.frame.velocity + self._around @ self.frame.rotation.T

    @cached_property
    def jacobian(self) -> Floats:
        """Velocity (p, 3, n) of the material per velocity v; its transpose takes forces to f."""
        if self.frame.spin_interpolation is None:
            return self._moved
        return self._moved + _turned(self.frame.rotation, self.frame.spin_interpolation, self.y)

    def part(self, rows: Chosen) -> RigidProjection:
        """Some of the points."""
        at = self.distance
        some = Distance(at.gap[rows], at.normal[rows], at.curvature[rows])
        return RigidProjection(self.frame, self.y[rows], some)

    def apply_transpose(self, force: Floats) -> Floats:
        """Generalised force (n,) = sum J^T F of forces F (p, 3)."""
        local, total = np.empty_like(force), np.empty(6)
        moments(self.frame.rotation, self.y, np.ascontiguousarray(force), local, total)
        at = self.frame
        return at.jacobian.T @ total[:3] + at.material_angular_jacobian.T @ total[3:]

    @cached_property
    def d_gap(self) -> Floats:
        """Derivative (p, 3 + n) of the gap."""
        if self._fixed:
            return self.normal
        n = self.normal[:, None, :]
        return np.concatenate([n, -n @ self._moved], axis=2)[:, 0]

    @cached_property
    def d_normal(self) -> Floats:
        """Derivative (p, 3, 3 + n) of the normal."""
        R = self.frame.rotation
        bend: Floats = R @ self.distance.curvature @ R.T
        if self._fixed:
            return bend
        turn = cross_matrix(self.normal) @ (R @ self.frame.angular_jacobian)
        return np.concatenate([bend, -bend @ self._moved - turn], axis=2)

    @cached_property
    def d_velocity(self) -> Floats:
        """Derivative (p, 3, 3 + n) of the velocity at fixed v."""
        frame, R = self.frame, self.frame.rotation
        spin = R @ cross_matrix(frame.omega + frame.spin) @ R.T
        if self._fixed:
            return np.broadcast_to(spin, (len(self.y), 3, 3))
        turn = R @ cross_matrix(self._around) @ frame.angular_jacobian
        change = frame.d_velocity - turn + _turned(R, frame.d_omega, self.y) - spin @ self._moved
        return np.concatenate([np.broadcast_to(spin, (len(self.y), 3, 3)), change], axis=2)

    def d_load(self, force: Floats, slave: Floats) -> Floats:
        """Derivative (n, s + n) of sum J^T F at fixed F (p, 3), slave Jacobian (p, 3, s)."""
        frame, R = self.frame, self.frame.rotation
        if self._fixed:
            return np.zeros((0, slave.shape[2]))
        local = force @ R
        moment = np.cross(self.y, local).sum(axis=0)
        crossed = cross_matrix(local)
        own = np.einsum("pij,pjk->ik", cross_matrix(self.y), crossed) @ frame.angular_jacobian
        by_slave = -np.tensordot(crossed @ R.T, slave, axes=((0, 2), (0, 1)))
        by_step = np.tensordot(crossed @ R.T, self._moved, axes=((0, 2), (0, 1))) + own
        result = frame.material_angular_jacobian.T @ np.concatenate([by_slave, by_step], axis=1)
        result[:, slave.shape[2] :] += frame.d_load(force.sum(axis=0), moment)
        return result

    @property
    def _fixed(self) -> bool:
        """Whether the master has no dofs."""
        return self.frame.jacobian.shape[1] == 0

    @cached_property
    def _around(self) -> Floats:
        """Velocity (p, 3) of the material about the marker, in marker components."""
        return self.y @ cross_matrix(self.frame.omega + self.frame.spin).T

    @cached_property
    def _moved(self) -> Floats:
        """Displacement (p, 3, n) of the marker's points y along a step."""
        at = self.frame
        if self._fixed:
            return np.zeros((len(self.y), 3, 0))
        return at.jacobian + _turned(at.rotation, at.angular_jacobian, self.y)


def _turned(R: Floats, angular_jacobian: Floats, y: Floats) -> Floats:
    """R (w x y) (p, 3, n) for the columns w of `angular_jacobian` (3, n), in one product."""
    n = angular_jacobian.shape[1]
    if not angular_jacobian.any():
        return np.zeros((len(y), 3, n))
    turns = (R @ cross_matrix(angular_jacobian.T)).reshape(3 * n, 3)
    return (y @ turns.T).reshape(len(y), n, 3).transpose(0, 2, 1)
