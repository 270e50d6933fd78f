"""Points of the faces of an elastic disc that spins: kinematics of Kirchhoff's plate.

The mid-surface is z = w(X) over positions X that are fixed in space; a face is the parallel surface
at the distance `lever`. Its material moves with v = Omega e_z x x + Phi (q' + Omega Delta q),

    Phi = W e_z - lever n_z (I - n n^T) grad W,      n = n_z (-grad w, 1) .
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from fecontact.body.motion import PointMotion
from fecontact.body.points._kernels import DiscFace, load_disc, move_disc
from fecontact.reduction.harmonic import HarmonicModel, PlateShapes
from fecontact.typing import Floats

__all__ = ["DiscPoints", "HubMotion", "PlatePoints", "d_tilted", "face_shapes", "upward"]


class PlatePoints(NamedTuple):
    """Points (p, 3) of the lower face of a plate at rest, and its shapes there."""

    position: Floats
    shapes: PlateShapes


class HubMotion(NamedTuple):
    """Displacement (3,) and velocity (3,) of the hub of a disc, and whether its spin is a dof."""

    shift: Floats
    velocity: Floats
    free: bool


@dataclass(frozen=True)
class DiscPoints(PointMotion):
    """Points of the lower face of a spinning disc.

    x = c + (X, z_0 + w) - (h/2) n and v = c' + Omega e_z x (x - c) + Phi (q' + Omega Delta q), with
    the displacement c of a hub. Dofs are c of a hub, its spin if that is free, and q. At fixed q
    the spin moves the material by e_z x (x - c) + Phi Delta q per angle, and no point.
    """

    model: HarmonicModel
    speed: float
    points: PlatePoints
    q: Floats
    rate: Floats
    hub: HubMotion | None = None

    @cached_property
    def position(self) -> Floats:
        """Positions (p, 3) in space."""
        return self._local if self.hub is None else self._local + self.hub.shift

    @cached_property
    def velocity(self) -> Floats:
        """Velocities (p, 3) of the material in space."""
        own = self._motion[2]
        return own if self.hub is None else own + self.hub.velocity

    @cached_property
    def jacobian(self) -> Floats:
        """Derivative (p, 3, n) of the velocity by v."""
        return self._with_hub(self._turned.velocity if self._free else None)

    @cached_property
    def displacement(self) -> Floats:
        """Derivative (p, 3, n) of the position along a step."""
        return self._with_hub(np.zeros_like(self._local)) if self._free else self.jacobian

    @cached_property
    def d_velocity(self) -> Floats:
        """Derivative (p, 3, n) of the velocity along a step, at fixed v."""
        Omega, Phi = self.speed, self._shapes
        tilt_rate = np.zeros_like(self._local)
        tilt_rate[:, :2] = self.points.shapes.gradient @ self.rate
        result = -self._lever * d_tilted(self._normal, self._d_normal, tilt_rate)
        result += Omega * (Phi @ self.model.rotation)
        result[:, 0] -= Omega * Phi[:, 1]
        result[:, 1] += Omega * Phi[:, 0]
        return np.pad(result, ((0, 0), (0, 0), (self._first, 0)))

    def d_load(self, force: Floats) -> Floats:
        """Derivative (n, n) of sum J^T F along a step, at fixed forces F (p, 3)."""
        turned = d_tilted(self._normal, self._d_normal, force)[:, :2]
        bent = np.tensordot(self.points.shapes.gradient, turned, axes=((0, 1), (0, 1)))
        result = np.pad(-self._lever * bent, ((self._first, 0), (self._first, 0)))
        if self._free:
            by_turn = np.tensordot(force, self._turned.d_velocity, axes=2)
            result[self._first - 1, self._first :] = by_turn
        return result

    def apply_transpose(self, force: Floats) -> Floats:
        """Generalised force (n,) = sum J^T F of forces F (p, 3)."""
        own = np.empty(len(self.q))
        value, gradient = self.points.shapes.value, self.points.shapes.gradient
        load_disc(value, gradient, self._lever, self._normal, np.ascontiguousarray(force), own)
        if self.hub is None:
            return own
        turned = [float(np.sum(force * self._turned.velocity))] if self.hub.free else []
        return np.concatenate([force.sum(axis=0), turned, own])

    def _with_hub(self, per_turn: Floats | None) -> Floats:
        """Motion (p, 3, n) per dof: of the hub, of its spin (p, 3), and of the disc."""
        if self.hub is None:
            return self._shapes
        parts = [np.broadcast_to(np.eye(3), (len(self._local), 3, 3)), self._shapes]
        if per_turn is not None:
            parts.insert(1, per_turn[:, :, None])
        return np.concatenate(parts, axis=2)

    @cached_property
    def _turned(self) -> DiscPoints:
        """The points at unit spin, without any other motion."""
        return replace(self, speed=1.0, rate=self.model.rotation @ self.q, hub=None)

    @property
    def _free(self) -> bool:
        """Whether the spin is a dof."""
        return self.hub is not None and self.hub.free

    @property
    def _first(self) -> int:
        """Number of dofs before those of the disc."""
        return 0 if self.hub is None else 3 + self.hub.free

    @property
    def _local(self) -> Floats:
        """Positions (p, 3) relative to the displaced centre of the hub."""
        return self._motion[1]

    @cached_property
    def _shapes(self) -> Floats:
        """Phi (p, 3, m)."""
        return face_shapes(self._lever, self._normal, self.points.shapes)

    @property
    def _lever(self) -> float:
        return -0.5 * self.model.plate.thickness

    @property
    def _normal(self) -> Floats:
        return self._motion[0]

    @cached_property
    def _motion(self) -> tuple[Floats, Floats, Floats]:
        """Normals, positions and velocities, all (p, 3), of the disc on a hub at rest."""
        points, shapes = np.ascontiguousarray(self.points.position), self.points.shapes
        normal, local, velocity = np.empty((3, len(points), 3))
        face = DiscFace(points, shapes.value, shapes.gradient, self._lever, float(self.speed))
        q, rate = np.ascontiguousarray(self.q), np.ascontiguousarray(self.rate)
        move_disc(face, q, rate, normal, local, velocity)
        return normal, local, velocity

    @cached_property
    def _d_normal(self) -> Floats:
        n = self._normal
        projector = np.eye(3) - n[:, :, None] * n[:, None, :]
        return -n[:, 2, None, None] * (projector[:, :, :2] @ self.points.shapes.gradient)


def upward(slope: Floats) -> Floats:
    """Unit normals (p, 3) of a surface over the plane, from its slopes (p, 2)."""
    n = np.column_stack([-slope, np.ones(len(slope))])
    return n / np.linalg.norm(n, axis=1)[:, None]


def face_shapes(lever: float, normal: Floats, shapes: PlateShapes) -> Floats:
    """Phi (p, 3, m): displacement per coordinate at the height `lever` over the mid-surface."""
    projector = np.eye(3) - normal[:, :, None] * normal[:, None, :]
    Phi = -lever * normal[:, 2, None, None] * (projector[:, :, :2] @ shapes.gradient)
    Phi[:, 2] += shapes.value
    return Phi


def d_tilted(n: Floats, dn: Floats, vector: Floats) -> Floats:
    """Derivative (p, 3, k) of n_z (I - n n^T) a at fixed vectors a (p, 3), from dn (p, 3, k)."""
    along = np.einsum("pi,pi->p", n, vector)
    flat = vector - along[:, None] * n
    turn = (
        dn * along[:, None, None] + n[:, :, None] * np.einsum("piy,pi->py", dn, vector)[:, None, :]
    )
    return dn[:, 2, None, :] * flat[:, :, None] - n[:, 2, None, None] * turn
