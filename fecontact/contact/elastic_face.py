"""Facets of an elastic body as a master surface.

In the frame of the body (origin r, rotation R) the facets have the nodes x_a = X_a + Phi_a e. The
slave point y = R^T (x - r) has its foot where t_a . (y - x(xi)) = 0; with the inverse metric a^ab,

    A_ab dxi_b = t_a . (dy - N Phi de) + g n . N_a Phi de,      A_ab = t_a . t_b - g n . x_ab,
    dg = n . (dy - N Phi de),      dn = -a^ab t_a (n . (N_b Phi de + x_bc dxi_c)) .

Both forces act at the slave point: the elastic coordinates bear F at the foot, the frame the
moment about r at y, so that action and reaction balance with their moments. The velocity of the
material is the dual of that: v = r' + R (omega x y + N Phi e').

Over an inner edge a facet is continued: in the wedge between two facets a foot has exactly the
derivatives of the nearer one. Beyond the border of the surface the gap is infinite.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from fecontact.body._point_kernels import deform, moments
from fecontact.body.elastic import ElasticBody
from fecontact.body.elastic_points import ElasticPoints, FloatingMotion
from fecontact.body.rotation import cross_matrix
from fecontact.contact._facet_kernels import BEYOND, FOUND, derive, gather, scatter
from fecontact.contact.elastic_facets import elastic_facets
from fecontact.contact.facets import Facets, Feet
from fecontact.contact.master import along
from fecontact.contact.search import NearestCentre
from fecontact.typing import Floats, Integers

__all__ = ["ElasticFace", "ElasticProjection"]


@dataclass(frozen=True, eq=False)
class ElasticFace:
    """Named surface of an elastic body on which slave points are projected.

    Parameters
    ----------
    body
        Solid, plate or beam; its frame may be free, fixed or prescribed.
    surface
        Name of a contact surface of its model.
    """

    body: ElasticBody
    surface: str
    facets: Facets = field(init=False, repr=False)
    shapes: Floats = field(init=False, repr=False)
    by_mode: Floats = field(init=False, repr=False)
    search: NearestCentre = field(init=False, repr=False)

    def __post_init__(self) -> None:
        facets, shapes = elastic_facets(self.body, self.surface)
        object.__setattr__(self, "facets", facets)
        object.__setattr__(self, "shapes", shapes)
        object.__setattr__(self, "by_mode", ElasticPoints.of(facets.nodes, shapes).by_mode)
        object.__setattr__(self, "search", NearestCentre(facets.centres))

    @property
    def bodies(self) -> tuple[ElasticBody]:
        """The body."""
        return (self.body,)

    def project(self, x: Floats, q: Floats, v: Floats, t: float = 0.0) -> ElasticProjection:
        """Project slave points x (p, 3) on the deformed facets."""
        frame = self.body.floating(q, v, t)
        nodes, rates = np.empty((2, *self.facets.nodes.shape))
        places = self.facets.nodes.ravel()
        deform(self.by_mode, frame.elastic, frame.rate, places, nodes.ravel(), rates.ravel())
        y = (x - frame.origin) @ frame.rotation
        feet = self.facets.feet(y, self.search(y), nodes)
        return ElasticProjection(self, frame, y, nodes, rates, feet)

    def carried(self, anchor: Floats, q: Floats, t: float = 0.0) -> tuple[Floats, Floats]:
        """Place (p, 3) of material points at coordinates q, and its derivative (p, 3, n).

        An anchor is the number of a facet and two local coordinates.
        """
        frame = self.body.floating(q, np.zeros(len(self.body.freedoms)), t)
        N = self.weights(anchor[:, 0].astype(np.int64), self.facets.sample(anchor[:, 1:])[:, 0])
        Phi = self.spread(N)
        X = N @ self.facets.nodes + Phi @ frame.elastic
        return frame.place(X), frame.jacobian(X, Phi)

    def weights(self, facet: Integers, values: Floats) -> sp.csr_array:
        """Matrix (p, nodes) from the values (p, k) of shape functions in given facets."""
        count, k = values.shape
        columns = self.facets.connectivity[facet].ravel()
        shape = (count, len(self.facets.nodes))
        return sp.csr_array((values.ravel(), columns, k * np.arange(count + 1)), shape)

    def spread(self, weights: sp.csr_array) -> Floats:
        """Shapes (p, 3, m) at points, from the weights of the nodes."""
        flat = weights @ self.shapes.reshape(len(self.shapes), -1)
        return np.asarray(flat).reshape(weights.shape[0], *self.shapes.shape[1:])


@dataclass(frozen=True)
class ElasticProjection:
    """Kinematics of slave points on elastic facets, with derivatives.

    Derivatives are taken with respect to (x, step): three slave coordinates, n freedoms. Inside,
    they are formed with respect to (y, e), in the frame of the body.
    """

    face: ElasticFace
    frame: FloatingMotion
    y: Floats
    nodes: Floats
    node_rates: Floats
    feet: Feet

    @cached_property
    def gap(self) -> Floats:
        """Distance g (p,); negative in contact, infinite beyond the border."""
        return np.where(self.feet.state == BEYOND, np.inf, self._height)

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
    def turning(self) -> Floats:
        """Rotation (3, n) of the frame along a step, in space components."""
        result = np.zeros((3, 6 + len(self.frame.elastic)))
        result[:, 3:6] = self.frame.rotation
        return result[:, self.frame.kept]

    @cached_property
    def anchor(self) -> Floats:
        """Material points at the feet (p, 3): facet and local coordinates."""
        return np.column_stack([self.feet.facet.astype(float), self.feet.local])

    @cached_property
    def jacobian(self) -> Floats:
        """Velocity (p, 3, n) per velocity v; its transpose takes forces to the freedoms."""
        return self.frame.jacobian(self.y, self._Phi)

    def pull(self, force: Floats) -> Floats:
        """Generalised force (n,) = sum J^T F of forces F (p, 3)."""
        local, total = np.empty_like(force), np.empty(6)
        moments(self.frame.rotation, self.y, np.ascontiguousarray(force), local, total)
        on_nodes = np.empty_like(self.nodes)
        scatter(self._members, self._shape, local, on_nodes)
        return np.concatenate([total, self.face.by_mode @ on_nodes.ravel()])[self.frame.kept]

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

    def d_load(self, force: Floats, slave: Floats) -> Floats:
        """Derivative (n, s + n) of sum J^T F at fixed F (p, 3), slave Jacobian (p, 3, s)."""
        local = force @ self.frame.rotation
        crossed, m = cross_matrix(local), len(self.frame.elastic)
        s = slave.shape[2]
        levers = np.concatenate([-crossed, np.zeros((len(local), 3, m))], axis=2)
        moment = along(self._by_step(levers), slave)
        stretch = np.stack([np.einsum("pim,pi->pm", Phi, local) for Phi in self._d_Phi], axis=1)
        moved = along(self._by_step(self._d_local), slave)
        result = np.zeros((6 + m, s + self.d_gap.shape[1] - 3))
        result[3:6] = moment.sum(axis=0)
        result[6:] = np.tensordot(stretch, moved, axes=((0, 1), (0, 1)))
        if self.frame.kept.start == 0:  # the frame turns
            turn = slice(s + 3, s + 6)
            result[3:6, turn] += np.einsum("pij,pjk->ik", cross_matrix(self.y), crossed)
            result[6:, turn] += np.tensordot(self._Phi, crossed, axes=((0, 1), (0, 1)))
        return result[self.frame.kept]

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
        """Nodes (p, k) of the facets of the feet."""
        return self.face.facets.connectivity[self.feet.facet]

    @cached_property
    def _shape(self) -> Floats:
        """Shape functions and their derivatives (p, 6, k)."""
        return self.face.facets.sample(self.feet.local)

    @cached_property
    def _places(self) -> Floats:
        """Foot, slopes t_1, t_2 and bends x_11, x_22, x_12: (p, 6, 3)."""
        places = np.empty((len(self.y), 6, 3))
        derive(self._members, self._shape, self.nodes, places)
        return places

    @cached_property
    def _slopes(self) -> Floats:
        return self._places[:, 1:3]

    @property
    def _bends(self) -> Floats:
        """Second derivatives x_ab (p, 2, 3, 2) as (a, component, b)."""
        x_11, x_22, x_12 = (self._places[:, k] for k in (3, 4, 5))
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
        """Distance (p,) along the normal; the true distance where the foot is on the rim."""
        offset = self.y - self._places[:, 0]
        height = np.einsum("pi,pi->p", offset, self._normal)
        rim = np.copysign(np.linalg.norm(offset, axis=1), height)
        return np.where(self.feet.state == FOUND, height, rim)

    @cached_property
    def _relative(self) -> Floats:
        """Velocities (p, 3) of the material relative to the origin, in the frame."""
        rates = np.empty_like(self.y)
        gather(self._members, self._shape, self.node_rates, rates)
        return rates + self.y @ cross_matrix(self.frame.omega).T

    @cached_property
    def _weights(self) -> sp.csr_array:
        return self.face.weights(self.feet.facet, self._shape[:, 0])

    @cached_property
    def _Phi(self) -> Floats:
        """Shapes (p, 3, m) at the feet."""
        return self.face.spread(self._weights)

    @cached_property
    def _d_Phi(self) -> tuple[Floats, Floats]:
        """Derivatives (p, 3, m) of the shapes by the two local coordinates."""
        first, second = (
            self.face.spread(self.face.weights(self.feet.facet, self._shape[:, k])) for k in (1, 2)
        )
        return first, second

    @cached_property
    def _d_local(self) -> Floats:
        """Derivative (p, 2, 3 + m) of the local coordinates of the feet by (y, e)."""
        t, n = self._slopes, self._normal
        height = np.where(self.feet.state == FOUND, self._height, 0.0)
        right = np.concatenate([t, -t @ self._Phi], axis=2)
        for a, Phi_a in enumerate(self._d_Phi):
            right[:, a, 3:] += height[:, None] * np.einsum("pi,pim->pm", n, Phi_a)
        bend = np.einsum("pi,paib->pab", n, self._bends)
        A = t @ t.transpose(0, 2, 1) - height[:, None, None] * bend
        return np.linalg.solve(A, right)
