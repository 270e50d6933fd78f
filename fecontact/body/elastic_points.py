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

from fecontact.body.rotation import cross_matrix
from fecontact.typing import Floats

__all__ = ["ElasticPointMotion", "ElasticPoints", "FloatingMotion"]


class ElasticPoints(NamedTuple):
    """Points (p, 3) of the undeformed body, and their elastic displacement shapes (p, 3, m)."""

    points: Floats
    shapes: Floats


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
        Freedoms of the body among the six of the frame and the elastic ones.
    """

    origin: Floats
    rotation: Floats
    velocity: Floats
    omega: Floats
    elastic: Floats
    rate: Floats
    kept: slice

    def place(self, X: Floats) -> Floats:
        """Positions (p, 3) in space of places X in the frame."""
        return self.origin + X @ self.rotation.T

    def jacobian(self, X: Floats, Phi: Floats) -> Floats:
        """Displacement (p, 3, n) of places X with shapes Phi along a step of the freedoms."""
        R = self.rotation
        result = np.empty((len(X), 3, 6 + Phi.shape[2]))
        result[:, :, :3] = np.eye(3)
        result[:, :, 3:6] = -R @ cross_matrix(X)
        result[:, :, 6:] = R @ Phi
        return result[:, :, self.kept]


@dataclass(frozen=True)
class ElasticPointMotion:
    """Position, velocity and derivatives of points of an elastic body; a `PointMotion`."""

    frame: FloatingMotion
    points: ElasticPoints

    @cached_property
    def position(self) -> Floats:
        """Positions (p, 3) in space."""
        return self.frame.place(self._deformed[0])

    @cached_property
    def velocity(self) -> Floats:
        """Velocities (p, 3) of the material in space."""
        return self.frame.velocity + self._relative @ self.frame.rotation.T

    @cached_property
    def jacobian(self) -> Floats:
        """Derivative (p, 3, n) of the position along a step, of the velocity by v."""
        return self.frame.jacobian(self._deformed[0], self.points.shapes)

    @cached_property
    def d_velocity(self) -> Floats:
        """Derivative (p, 3, n) of the velocity along a step, at fixed v."""
        R, Phi = self.frame.rotation, self.points.shapes
        result = np.zeros((len(Phi), 3, 6 + Phi.shape[2]))
        result[:, :, 3:6] = -R @ cross_matrix(self._relative)
        result[:, :, 6:] = (R @ cross_matrix(self.frame.omega)) @ Phi
        return result[:, :, self.frame.kept]

    def d_load(self, force: Floats) -> Floats:
        """Derivative (n, n) of sum J^T F along a step, at fixed forces F (p, 3)."""
        Phi, kept = self.points.shapes, self.frame.kept
        turning = cross_matrix(force @ self.frame.rotation)
        result = np.zeros((6 + Phi.shape[2],) * 2)
        result[3:6, 3:6] = np.einsum("pij,pjk->ik", cross_matrix(self._deformed[0]), turning)
        result[6:, 3:6] = np.tensordot(Phi, turning, axes=((0, 1), (0, 1)))
        result[3:6, 6:] = result[6:, 3:6].T
        return result[kept, kept]

    def pull(self, force: Floats) -> Floats:
        """Generalised force (n,) = sum J^T F of forces F (p, 3)."""
        local = force @ self.frame.rotation
        moment = np.cross(self._deformed[0], local).sum(axis=0)
        elastic = self._rows.T @ local.ravel()
        return np.concatenate([force.sum(axis=0), moment, elastic])[self.frame.kept]

    @property
    def _rows(self) -> Floats:
        """Shapes (3 p, m)."""
        shapes = self.points.shapes
        return shapes.reshape(-1, shapes.shape[2])

    @cached_property
    def _deformed(self) -> tuple[Floats, Floats]:
        """Places X and elastic velocities Phi e' (p, 3) in the frame."""
        both = self._rows @ np.column_stack([self.frame.elastic, self.frame.rate])
        return self.points.points + both[:, 0].reshape(-1, 3), both[:, 1].reshape(-1, 3)

    @cached_property
    def _relative(self) -> Floats:
        """Velocities (p, 3) relative to the origin, in the frame."""
        X, rate = self._deformed
        return np.cross(self.frame.omega, X) + rate
