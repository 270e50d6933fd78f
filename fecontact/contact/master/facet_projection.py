"""Kinematics of slave points on the facets of a deformable body, with derivatives.

In the frame of the body (origin r, rotation R) the facets have the nodes x_a = X_a + Phi_a e. The
slave point y = R^T (x - r) has its projection point where t_a . (y - x(xi)) = 0; with the inverse
metric a^ab,

    A_ab dxi_b = t_a . (dy - N Phi de) + g n . N_a Phi de,      A_ab = t_a . t_b - g n . x_ab,
    dg = n . (dy - N Phi de),      dn = -a^ab t_a (n . (N_b Phi de + x_bc dxi_c)) .

Over an inner edge a facet is continued: in the wedge where the edge is nearest, a projection point
has exactly the derivatives of the facet over whose plane the point is higher (or below which it is
deeper). Around convex and concave edges gap and sign are continuous, the normal changes at the
bisector; in a concave corner a point has one contact, with the plane it has entered deeper. A point
exactly on an edge belongs to either facet, and touches. At the boundary of the surface contact
ends: beyond it the gap is infinite, so points that slide off lose their force at once.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.body.points.elastic_points import FloatingMotion
from fecontact.body.rotation import cross_matrix
from fecontact.contact.kernels.facets.search import BEYOND, FOUND, ProjectionPoints, derive, gather
from fecontact.contact.master.base import MaterialProjection
from fecontact.contact.master.facets import Facets
from fecontact.typing import Floats, Integers

__all__ = ["FacetProjection"]


@dataclass(frozen=True)
class FacetProjection(MaterialProjection):
    """Kinematics of slave points on elastic facets, with derivatives.

    Derivatives are taken with respect to (x, step): three slave coordinates, n dofs. Inside,
    they are formed with respect to (y, e), in the frame of the body.
    """

    facets: Facets
    frame: FloatingMotion
    y: Floats
    nodes: Floats
    node_rates: Floats
    projected: ProjectionPoints

    @cached_property
    def gap(self) -> Floats:
        """Distance g (p,); negative in contact, infinite beyond the boundary."""
        return np.where(self.projected.state == BEYOND, np.inf, self._height)

    @cached_property
    def normal(self) -> Floats:
        """Unit normals n (p, 3), outward from the master."""
        return self._normal @ self.frame.rotation.T

    @cached_property
    def velocity(self) -> Floats:
        """Velocity (p, 3) of the master's material at the contact."""
        return self.frame.velocity + self._relative @ self.frame.rotation.T

    @property
    def rotation(self) -> Floats:
        """Frame (3, 3) of the master, with which the history of the contact turns."""
        return self.frame.rotation

    @cached_property
    def angular_jacobian(self) -> Floats:
        """Rotation (3, n) of the frame along a step, in space components."""
        return self.frame.angular_jacobian

    @cached_property
    def anchor(self) -> Floats:
        """Material points at the projection points (p, 3): facet and local coordinates."""
        return np.column_stack([self.projected.facet.astype(float), self.projected.local])

    @cached_property
    def jacobian(self) -> Floats:
        """Velocity (p, 3, n) per velocity v; its transpose takes forces to the dofs."""
        return self.frame.jacobian(self.y, self._Phi)

    @cached_property
    def d_gap(self) -> Floats:
        """Derivative (p, 3 + n) of the gap."""
        n = self._normal[:, None, :]
        return self._by_step(np.concatenate([n, -n @ self._Phi], axis=2))[:, 0]

    @cached_property
    def d_normal(self) -> Floats:
        """Derivative (p, 3, 3 + n) of the normal."""
        t, n = self._slopes, self._normal
        tilt = np.einsum("pi,paib->pab", n, self._bends) @ self._d_local
        for a, Phi_a in enumerate(self._d_Phi):
            tilt[:, a, 3:] += np.einsum("pi,pim->pm", n, Phi_a)
        metric = t @ t.transpose(0, 2, 1)
        return self._in_space(-t.transpose(0, 2, 1) @ np.linalg.solve(metric, tilt), n)

    @cached_property
    def d_velocity(self) -> Floats:
        """Derivative (p, 3, 3 + n) of the velocity at fixed v."""
        rates = self._shape[:, 1:3] @ self.node_rates[self._members]
        change = rates.transpose(0, 2, 1) @ self._d_local
        change[:, :, :3] += cross_matrix(self.frame.omega)
        return self._in_space(change, self._relative)

    def _by_step(self, derivative: Floats) -> Floats:
        """From derivatives (p, c, 3 + m) by (y, e) to those by (x, step) (p, c, 3 + n)."""
        by_x = derivative[:, :, :3] @ self.frame.rotation.T
        by_turn = derivative[:, :, :3] @ cross_matrix(self.y)
        step = np.concatenate([-by_x, by_turn, derivative[:, :, 3:]], axis=2)
        return np.concatenate([by_x, step[:, :, self.frame.kept]], axis=2)

    def _in_space(self, derivative: Floats, vector: Floats) -> Floats:
        """Derivative (p, 3, 3 + n) of R a, from that of the frame's vector a by (y, e)."""
        result = self.frame.rotation @ self._by_step(derivative)
        if self.frame.kept.start == 0:
            result[:, :, 6:9] -= self.frame.rotation @ cross_matrix(vector)
        return result

    @cached_property
    def _members(self) -> Integers:
        """Nodes (p, k) of the facets of the projection points."""
        return self.facets.connectivity[self.projected.facet]

    @cached_property
    def _shape(self) -> Floats:
        """Shape functions and their derivatives (p, 6, k)."""
        return self.facets.sample(self.projected.local)

    @cached_property
    def _positions(self) -> Floats:
        """Projection point, slopes t_1, t_2 and bends x_11, x_22, x_12: (p, 6, 3)."""
        positions = np.empty((len(self.y), 6, 3))
        derive(self._members, self._shape, self.nodes, positions)
        return positions

    @cached_property
    def _slopes(self) -> Floats:
        return self._positions[:, 1:3]

    @property
    def _bends(self) -> Floats:
        """Second derivatives x_ab (p, 2, 3, 2) as (a, component, b)."""
        x_11, x_22, x_12 = (self._positions[:, k] for k in (3, 4, 5))
        rows = [np.stack(row, axis=2) for row in ((x_11, x_12), (x_12, x_22))]
        return np.stack(rows, axis=1)

    @cached_property
    def _normal(self) -> Floats:
        """Normals (p, 3) in the frame."""
        (a, b, c), (d, e, f) = self._slopes.transpose(1, 2, 0)
        area = np.stack([b * f - c * e, c * d - a * f, a * e - b * d], axis=1)
        return area / np.sqrt(np.einsum("pi,pi->p", area, area))[:, None]

    @cached_property
    def _height(self) -> Floats:
        """Distance (p,) along the normal; the true distance where the projection is on the rim."""
        offset = self.y - self._positions[:, 0]
        height = np.einsum("pi,pi->p", offset, self._normal)
        rim = np.copysign(np.linalg.norm(offset, axis=1), height)
        return np.where(self.projected.state == FOUND, height, rim)

    @cached_property
    def _relative(self) -> Floats:
        """Velocities (p, 3) of the material relative to the origin, in the frame."""
        rates = np.empty_like(self.y)
        gather(self._members, self._shape, self.node_rates, rates)
        return rates + self.y @ cross_matrix(self.frame.omega).T

    @property
    @abstractmethod
    def _Phi(self) -> Floats:
        """Shapes (p, 3, m) at the projection points."""

    @property
    @abstractmethod
    def _d_Phi(self) -> tuple[Floats, Floats]:
        """Derivatives (p, 3, m) of the shapes by the two local coordinates."""

    @cached_property
    def _d_local(self) -> Floats:
        """Derivative (p, 2, 3 + m) of the local coordinates of the projection points by (y, e)."""
        t, n = self._slopes, self._normal
        height = np.where(self.projected.state == FOUND, self._height, 0.0)
        right = np.concatenate([t, -t @ self._Phi], axis=2)
        for a, Phi_a in enumerate(self._d_Phi):
            right[:, a, 3:] += height[:, None] * np.einsum("pi,pim->pm", n, Phi_a)
        bend = np.einsum("pi,paib->pab", n, self._bends)
        A = t @ t.transpose(0, 2, 1) - height[:, None, None] * bend
        return np.linalg.solve(A, right)
