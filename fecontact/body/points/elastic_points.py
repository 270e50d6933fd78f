"""Motion of many points of an elastic body; Jacobians are formed only where they are asked for.

With the frame at r, its rotation R, velocity r' and body-fixed angular velocity omega, points x
with shapes Phi (p, 3, m) and elastic coordinates e move as

    X = x + Phi e,      r_p = r + R X,      v_p = r' + R (omega x X + Phi e') ,

and forces F at the points are the generalised force (sum F, sum X x R^T F, Phi^T R^T F). Both need
one product with Phi, not the Jacobian in space.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from fecontact.body.motion import PointMotion
from fecontact.body.points._kernels import deform, moments, move_points
from fecontact.body.rotation import cross_matrix
from fecontact.typing import Chosen, Floats

__all__ = ["ElasticPointMotion", "ElasticPoints", "FloatingMotion", "turned"]


class ElasticPoints(NamedTuple):
    """Points (p, 3) of the undeformed body, and their elastic displacement shapes (p, 3, m).

    Made by `of`, the shapes are stored mode by mode; motions of many points are fast then.
    """

    points: Floats
    shapes: Floats

    @staticmethod
    def of(points: Floats, shapes: Floats) -> ElasticPoints:
        """Points with shapes (p, 3, m) of any layout."""
        by_mode = np.ascontiguousarray(shapes.transpose(2, 0, 1))
        return ElasticPoints(np.ascontiguousarray(points), by_mode.transpose(1, 2, 0))

    @property
    def by_mode(self) -> Floats:
        """Shapes (m, 3 p)."""
        return np.ascontiguousarray(self.shapes.transpose(2, 0, 1)).reshape(
            self.shapes.shape[2], -1
        )


class FloatingMotion(NamedTuple):
    """Motion of a floating frame and of the elastic coordinates in it.

    Attributes
    ----------
    origin, velocity : (3,)
        Of the frame, in space.
    rotation : (3, 3)
        From frame to space components.
    omega : (3,)
        Angular velocity in frame components.
    elastic, rate : (m,)
        Elastic coordinates and their rates.
    kept
        Dofs of the body among the six of the frame and the elastic ones.
    """

    origin: Floats
    rotation: Floats
    velocity: Floats
    omega: Floats
    elastic: Floats
    rate: Floats
    kept: slice

    @property
    def angular_jacobian(self) -> Floats:
        """Rotation (3, n) of the frame along an increment of the dofs, in space components."""
        result = np.zeros((3, 6 + len(self.elastic)))
        result[:, 3:6] = self.rotation
        return result[:, self.kept]

    def position(self, X: Floats) -> Floats:
        """Positions (p, 3) in space of positions X in the frame."""
        return self.origin + X @ self.rotation.T

    def jacobian(self, X: Floats, Phi: Floats) -> Floats:
        """Displacement (p, 3, n) of positions X with shapes Phi along an increment of the dofs."""
        R = self.rotation
        result = np.empty((len(X), 3, 6 + Phi.shape[2]))
        result[:, :, :3] = np.eye(3)
        result[:, :, 3:6] = -R @ cross_matrix(X)
        result[:, :, 6:] = turned(R, Phi)
        return result[:, :, self.kept]

    def load(self, X: Floats, force: Floats, by_mode: Floats) -> Floats:
        """Generalised force (n,) of forces F (p, 3) at positions X with shapes (m, 3 p)."""
        local, total = np.empty_like(force), np.empty(6)
        moments(self.rotation, X, np.ascontiguousarray(force), local, total)
        return self.generalised(np.concatenate([total, by_mode @ local.ravel()]))

    def generalised(self, load: Floats) -> Floats:
        """Generalised force (n,) of a load (6 + m,): force, moment in the frame, and Phi^T F."""
        return load[self.kept]

    def maps(self) -> tuple[Floats, Floats, Floats]:
        """Maps (6 + m, n) of the dofs to its motion: of steps, of velocities, and their change."""
        own = np.eye(6 + len(self.elastic))[:, self.kept]
        return own, own, np.zeros_like(own)

    def d_load(self, load: Floats) -> Floats:
        """Derivative (n, n) of `generalised` along a step, at a fixed load: zero."""
        n = len(load[self.kept])
        return np.zeros((n, n))


@dataclass(frozen=True)
class ElasticPointMotion(PointMotion):
    """Position, velocity and derivatives of points of an elastic body."""

    frame: FloatingMotion
    points: ElasticPoints

    @cached_property
    def position(self) -> Floats:
        """Positions (p, 3) in space."""
        return self._motion[2]

    @cached_property
    def velocity(self) -> Floats:
        """Velocities (p, 3) of the material in space."""
        return self._motion[3]

    @cached_property
    def jacobian(self) -> Floats:
        """Derivative (p, 3, n) of the position along a step, of the velocity by v."""
        return self.frame.jacobian(self._motion[0], self.points.shapes)

    @property
    def displacement(self) -> Floats:
        """Derivative (p, 3, n) of the position along a step."""
        return self.jacobian

    @cached_property
    def d_velocity(self) -> Floats:
        """Derivative (p, 3, n) of the velocity along a step, at fixed v."""
        R, Phi = self.frame.rotation, self.points.shapes
        result = np.zeros((len(Phi), 3, 6 + Phi.shape[2]))
        result[:, :, 3:6] = -R @ cross_matrix(self._motion[1])
        result[:, :, 6:] = turned(R @ cross_matrix(self.frame.omega), Phi)
        return result[:, :, self.frame.kept]

    def d_load(self, force: Floats) -> Floats:
        """Derivative (n, n) of sum J^T F along a step, at fixed forces F (p, 3)."""
        Phi, kept = self.points.shapes, self.frame.kept
        crossed = cross_matrix(force @ self.frame.rotation)
        result = np.zeros((6 + Phi.shape[2],) * 2)
        result[3:6, 3:6] = np.einsum("pij,pjk->ik", cross_matrix(self._motion[0]), crossed)
        result[6:, 3:6] = np.tensordot(Phi, crossed, axes=((0, 1), (0, 1)))
        result[3:6, 6:] = result[6:, 3:6].T
        return result[kept, kept]

    def part(self, rows: Chosen) -> ElasticPointMotion:
        """Motion of some of the points."""
        some = ElasticPoints(self.points.points[rows], self.points.shapes[rows])
        return ElasticPointMotion(self.frame, some)

    def apply_transpose(self, force: Floats) -> Floats:
        """Generalised force (n,) = sum J^T F of forces F (p, 3)."""
        return self.frame.load(self._motion[0], force, self._by_mode)

    @cached_property
    def _by_mode(self) -> Floats:
        """Shapes (m, 3 p)."""
        return self.points.by_mode

    @cached_property
    def _motion(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Positions X, velocities omega x X + Phi e' in the frame, and both in space, (p, 3)."""
        frame, count = self.frame, len(self.points.points)
        X, V, position, speed = np.empty((4, count, 3))
        x = np.ascontiguousarray(self.points.points)
        deform(self._by_mode, frame.elastic, frame.rate, x.ravel(), X.ravel(), V.ravel())
        move_points(
            frame.rotation, frame.origin, frame.velocity, frame.omega, X, V, position, speed
        )
        return X, V, position, speed


def turned(A: Floats, Phi: Floats) -> Floats:
    """A Phi for shapes (p, 3, m), in their own layout: one product over all points and modes."""
    return np.asarray((Phi.transpose(2, 0, 1) @ A.T).transpose(1, 2, 0))
