"""Facets of an elastic body as a master surface.

Both forces act at the slave point: the elastic coordinates bear F at the projection point, the
frame the moment about r at y, so that action and reaction balance with their moments. The velocity
of the material is the dual of that: v = r' + R (omega x y + N Phi e').
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from fecontact.body.elastic import ElasticBody
from fecontact.body.points._kernels import deform, moments
from fecontact.body.points.elastic_points import ElasticPoints, FloatingMotion
from fecontact.body.rotation import cross_matrix
from fecontact.contact.kernels.facets.search import ProjectionPoints, scatter
from fecontact.contact.master.base import MaterialMaster, along
from fecontact.contact.master.elastic_facets import elastic_facets
from fecontact.contact.master.facet_projection import FacetProjection
from fecontact.contact.master.facets import Facets
from fecontact.contact.master.search import NearestCentre
from fecontact.errors import check_kind
from fecontact.typing import Chosen, Floats, Integers

__all__ = ["ElasticFace", "ElasticProjection"]


@dataclass(frozen=True, eq=False)
class ElasticFace(MaterialMaster):
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
        check_kind("ElasticFace: body", self.body, ElasticBody, "a rigid one has a RigidFace")
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
        frame = self.body.frame_motion(q, v, t)
        nodes, rates = np.empty((2, *self.facets.nodes.shape))
        positions = self.facets.nodes.ravel()
        deform(self.by_mode, frame.elastic, frame.rate, positions, nodes.ravel(), rates.ravel())
        y = (x - frame.origin) @ frame.rotation
        projected = self.facets.projection_points(y, self.search(y), nodes)
        return ElasticProjection(self.facets, frame, y, nodes, rates, projected, self)

    def carried(self, anchor: Floats, q: Floats, t: float = 0.0) -> Floats:
        """Position (p, 3) of material points at coordinates q.

        An anchor is the number of a facet and two local coordinates.
        """
        frame = self.body.frame_motion(q, np.zeros(len(self.body.dofs)), t)
        return frame.position(self.facets.carried(anchor, self._deformed(frame)))

    def d_carried(self, anchor: Floats, q: Floats, t: float = 0.0) -> Floats:
        """Derivative (p, 3, n) of `carried` along an increment of the dofs."""
        frame = self.body.frame_motion(q, np.zeros(len(self.body.dofs)), t)
        N = self.weights(anchor[:, 0].astype(np.int64), self.facets.sample(anchor[:, 1:])[:, 0])
        return frame.jacobian(N @ self._deformed(frame), self.spread(N))

    def _deformed(self, frame: FloatingMotion) -> Floats:
        """Nodes (n, 3) in the frame."""
        return self.facets.nodes + (frame.elastic @ self.by_mode).reshape(-1, 3)

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
class ElasticProjection(FacetProjection):
    """Slave points on the facets of an elastic body in its floating frame."""

    face: ElasticFace

    def part(self, rows: Chosen) -> ElasticProjection:
        """Some of the points."""
        return replace(
            self,
            y=self.y[rows],
            projected=ProjectionPoints._make(each[rows] for each in self.projected),
        )

    def apply_transpose(self, force: Floats) -> Floats:
        """Generalised force (n,) = sum J^T F of forces F (p, 3)."""
        local, total = np.empty_like(force), np.empty(6)
        moments(self.frame.rotation, self.y, np.ascontiguousarray(force), local, total)
        on_nodes = np.empty_like(self.nodes)
        scatter(self._members, self._shape, local, on_nodes)
        return np.concatenate([total, self.face.by_mode @ on_nodes.ravel()])[self.frame.kept]

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

    @cached_property
    def _weights(self) -> sp.csr_array:
        return self.face.weights(self.projected.facet, self._shape[:, 0])

    @cached_property
    def _Phi(self) -> Floats:
        """Shapes (p, 3, m) at the projection points."""
        return self.face.spread(self._weights)

    @cached_property
    def _d_Phi(self) -> tuple[Floats, Floats]:
        """Derivatives (p, 3, m) of the shapes by the two local coordinates."""
        first, second = (
            self.face.spread(self.face.weights(self.projected.facet, self._shape[:, k]))
            for k in (1, 2)
        )
        return first, second
