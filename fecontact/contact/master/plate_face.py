"""Upper face of a spinning elastic plate as a master surface.

The mid-surface is z = w(X), X in the plane; the face is the parallel surface at the distance
h/2. A slave point x has its projection point X on the mid-surface along the unit normal n,

    x = (X, w) + (h/2 + g) n,      n = n_z (-grad w, 1),      n_z = (1 + |grad w|^2)^(-1/2)

so the gap g is a true distance: dg = n . dx - n_z W dq, and the normal force is conservative. The
plate's material at the face moves, by Kirchhoff's kinematics, with

    v = Omega e_z x x + Phi (q' + Omega Delta q),     Phi = W e_z - (h/2) n_z (I - n n^T) grad W

and carries the load F on the slave as the generalised force -Phi^T F: the lever h/2 of friction
is what couples sliding to bending (Jehle 3.24, 3.31, 3.33; to first order in the slopes these are
his formulas). The frame's rotation is taken at the slave point, where both forces act.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from fecontact.body.disc_points import d_tilted, face_shapes, upward
from fecontact.body.spinning import SpinningDisc
from fecontact.contact.master.base import Master, Projection, along
from fecontact.errors import InputError, SolverError, check_kind
from fecontact.reduction.harmonic import PlateShapes
from fecontact.typing import Floats

__all__ = ["PlateFace", "PlateProjection"]

PROJECTION_ITERATIONS = 20


@dataclass(frozen=True)
class PlateFace(Master):
    """Upper face (towards +z) of a spinning disc."""

    body: SpinningDisc
    round: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_kind("PlateFace: body", self.body, SpinningDisc, "a rigid one has a RigidFace")
        if self.body.hub is not None:
            raise InputError(
                f"PlateFace: invalid '{self.body.name}' on a hub: expected a disc without hub; "
                "make the lower face of this one the slave of an EulerianPair"
            )

    @property
    def bodies(self) -> tuple[SpinningDisc]:
        """The disc."""
        return (self.body,)

    def project(self, x: Floats, q: Floats, v: Floats, t: float = 0.0) -> PlateProjection:
        """Project slave points x (p, 3) on the face of the plate at coordinates q, rates v."""
        projected, shapes = self._projected_points(x, q)
        height = x[:, 2] - shapes.value @ q
        slope = shapes.gradient @ q
        rate = v + self.body.speed * (self.body.model.rotation @ q)
        return PlateProjection(self, x, q, rate, projected, shapes, height, slope)

    def _projected_points(self, x: Floats, q: Floats) -> tuple[Floats, PlateShapes]:
        """Newton's iteration for X - (z - w) grad w = (x, y)."""
        projected = x[:, :2].copy()
        for _ in range(PROJECTION_ITERATIONS):
            try:
                shapes = self.body.model.shapes(projected[:, 0], projected[:, 1])
            except InputError as error:
                text = f"the contact leaves the plate: {error}; reduce the load"
                raise SolverError(text) from None
            height = x[:, 2] - shapes.value @ q
            slope = shapes.gradient @ q
            defect = projected - height[:, None] * slope - x[:, :2]
            if np.abs(defect).max() <= 1e-14 * np.abs(x).max():
                return projected, shapes
            projected = (
                projected
                - np.linalg.solve(
                    _projection_tangent(shapes.hessian @ q, height, slope), defect[:, :, None]
                )[:, :, 0]
            )
        raise SolverError(
            "a contact point has no unique projection on the plate, which is bent too strongly; "
            "reduce the load"
        )


@dataclass(frozen=True)
class PlateProjection(Projection):
    """Kinematics of slave points on the plate, with derivatives.

    Derivatives are taken with respect to y = (x, q): three slave coordinates, m of the plate.
    """

    face: PlateFace
    x: Floats
    q: Floats
    rate: Floats
    projected: Floats
    shapes: PlateShapes
    height: Floats
    slope: Floats

    @cached_property
    def normal(self) -> Floats:
        """Unit normals n (p, 3), outward from the plate."""
        return upward(self.slope)

    @cached_property
    def gap(self) -> Floats:
        """Distance g (p,) between slave point and face; negative in contact."""
        return self.height / self.normal[:, 2] - self._lever

    @cached_property
    def velocity(self) -> Floats:
        """Velocity (p, 3) of the plate's material at the contact."""
        velocity = self.jacobian @ self.rate
        velocity[:, 0] -= self.face.body.speed * self.x[:, 1]
        velocity[:, 1] += self.face.body.speed * self.x[:, 0]
        return velocity

    @cached_property
    def jacobian(self) -> Floats:
        """Phi (p, 3, m): displacement of the face per coordinate."""
        return face_shapes(self._lever, self.normal, self.shapes)

    @cached_property
    def d_gap(self) -> Floats:
        """dg/dy (p, 3 + m)."""
        return np.hstack([self.normal, -self.normal[:, 2, None] * self.shapes.value])

    @cached_property
    def d_projected(self) -> Floats:
        """dX/dy (p, 2, 3 + m)."""
        gradient, height = self.shapes.gradient, self.height[:, None, None]
        along_q = height * gradient - self.slope[:, :, None] * self.shapes.value[:, None, :]
        along_x = np.broadcast_to(np.eye(2), (len(self.x), 2, 2))
        right = np.concatenate([along_x, self.slope[:, :, None], along_q], axis=2)
        return np.linalg.solve(_projection_tangent(self._bend, self.height, self.slope), right)

    @cached_property
    def d_normal(self) -> Floats:
        """dn/dy (p, 3, 3 + m)."""
        d_slope = self._bend @ self.d_projected
        d_slope[:, :, 3:] += self.shapes.gradient
        return -self.normal[:, 2, None, None] * (self._projector[:, :, :2] @ d_slope)

    @cached_property
    def d_velocity(self) -> Floats:
        """Derivative (p, 3, 3 + m) of the velocity at fixed q'."""
        body, shapes = self.face.body, self.shapes
        tilt_rate = np.zeros_like(self.x)
        tilt_rate[:, :2] = shapes.gradient @ self.rate
        bend_rate = (shapes.hessian @ self.rate) @ self.d_projected
        d_tilt = self.normal[:, 2, None, None] * (self._projector[:, :, :2] @ bend_rate)
        result = -self._lever * (self._d_projected(tilt_rate) + d_tilt)
        result[:, 2] += np.einsum("pi,piy->py", tilt_rate[:, :2], self.d_projected)
        result[:, 0, 1] -= body.speed
        result[:, 1, 0] += body.speed
        result[:, :, 3:] += body.speed * (self.jacobian @ body.model.rotation)
        return result

    def d_load(self, force: Floats, slave: Floats) -> Floats:
        """Derivative (m, s + m) of sum Phi^T F at fixed forces F (p, 3): the follower terms.

        `slave` (p, 3, s) is the Jacobian of the slave points.
        """
        gradient, d_projected = self.shapes.gradient, self.d_projected
        lever_force = self.normal[:, 2, None] * np.einsum("pij,pj->pi", self._projector, force)
        turned = (
            force[:, 2, None, None] * d_projected - self._lever * self._d_projected(force)[:, :2]
        )
        moved = np.einsum("pijm,pi->pjm", self.shapes.hessian, lever_force[:, :2])
        total = np.tensordot(gradient, along(turned, slave), axes=((0, 1), (0, 1)))
        bent = np.tensordot(moved, along(d_projected, slave), axes=((0, 1), (0, 1)))
        return total - self._lever * bent

    @property
    def rotation(self) -> Floats:
        """Frame (3, 3) of the master: the disc is described in space."""
        return np.eye(3)

    @property
    def angular_jacobian(self) -> Floats:
        """Rotation (3, m) of the frame along a step: none."""
        return np.zeros((3, len(self.q)))

    @property
    def _lever(self) -> float:
        return 0.5 * self.face.body.thickness

    @cached_property
    def _bend(self) -> Floats:
        return self.shapes.hessian @ self.q

    @cached_property
    def _projector(self) -> Floats:
        return np.eye(3) - self.normal[:, :, None] * self.normal[:, None, :]

    def _d_projected(self, vector: Floats) -> Floats:
        """Derivative (p, 3, 3 + m) of n_z (I - n n^T) a at fixed vectors a (p, 3)."""
        return d_tilted(self.normal, self.d_normal, vector)


def _projection_tangent(bend: Floats, height: Floats, slope: Floats) -> Floats:
    """I + grad w grad w^T - (z - w) Hessian, (p, 2, 2)."""
    return np.eye(2) + slope[:, :, None] * slope[:, None, :] - height[:, None, None] * bend
