"""Facets: the faces of finite elements that form a surface, with their topology and quadrature.

A facet has 3, 4, 6, 8 or 9 nodes x_a and the points x = sum N_a(xi, eta) x_a; its normal
t_1 x t_2 points out of the body.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from skfem.quadrature import get_quadrature
from skfem.refdom import RefQuad, RefTri

from fecontact.contact.kernels.facets.search import (
    FacetMesh,
    ProjectionPoints,
    find_projections,
    gather,
    sample,
)
from fecontact.contact.kernels.facets.shapes import NODE_COUNTS
from fecontact.errors import InputError
from fecontact.mesh.formats.writer import file_content
from fecontact.mesh.nodal_weights import distribute, loaded_nodes, nodal_functions
from fecontact.mesh.sets import boundary_facets
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from skfem import Mesh

__all__ = ["Facets", "mesh_facets"]


TRIANGLE = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.0], [0.5, 0.5], [0.0, 0.5]])
"""Local positions of the nodes of a triangle with 6 nodes."""

SHARP = 0.94
"""Cosine of the angle (20 degrees) between normals from which an edge is sharp."""


@dataclass(frozen=True, eq=False)
class Facets:
    """Facets of one kind.

    Attributes
    ----------
    nodes : (n, 3)
        Positions of the nodes in m.
    connectivity : (f, k)
        Nodes of the facets: corners counter-clockwise seen from outside, mid-nodes, centre.
    """

    nodes: Floats
    connectivity: Integers

    def __post_init__(self) -> None:
        if len(self.connectivity) == 0 or self.connectivity.shape[1] not in NODE_COUNTS:
            raise InputError(
                f"invalid facets of shape {self.connectivity.shape}: expected at least one, with "
                "3, 4, 6, 8 or 9 nodes"
            )

    @property
    def corners(self) -> Integers:
        """Corner nodes (f, 3) or (f, 4)."""
        return self.connectivity[:, : 3 if self.connectivity.shape[1] in (3, 6) else 4]

    @cached_property
    def centres(self) -> Floats:
        """Middle of the corners (f, 3)."""
        return np.asarray(self.nodes[self.corners].mean(axis=1))

    @cached_property
    def around(self) -> tuple[Integers, Integers]:
        """Facets that share a corner with each: starts (f + 1,) and their indices."""
        count, corners = self.corners.shape
        owner = np.repeat(np.arange(count), corners)
        ones = np.ones(len(owner), dtype=np.int64)
        member = sp.csr_array((ones, (owner, self.corners.ravel())), (count, len(self.nodes)))
        pairs = sp.coo_array(member @ member.T)
        other = pairs.row != pairs.col
        order = np.lexsort((pairs.col[other], pairs.row[other]))
        first = np.cumsum(np.bincount(pairs.row[other] + 1, minlength=count + 1))
        return first.astype(np.int64), pairs.col[other][order].astype(np.int64)

    @cached_property
    def boundary(self) -> npt.NDArray[np.bool_]:
        """Edges (f, corners) that belong to one facet only."""
        ends = np.stack([self.corners, np.roll(self.corners, -1, axis=1)], axis=2)
        low, high = ends.min(axis=2).ravel(), ends.max(axis=2).ravel()
        _, index, shared = np.unique(
            low * len(self.nodes) + high, return_inverse=True, return_counts=True
        )
        return np.asarray(shared[index].reshape(self.corners.shape) == 1)

    @cached_property
    def sharp(self) -> npt.NDArray[np.bool_]:
        """Facets (f,) that meet another one at an angle, convex or concave; see `SHARP`."""
        first, around = self.around
        middle = np.full(2, 1.0 / 3.0 if self.corners.shape[1] == 3 else 0.0)
        every = np.arange(len(self.connectivity))
        normal = self.normals(every, np.tile(middle, (len(every), 1)))
        normal /= np.linalg.norm(normal, axis=1)[:, None]
        own = np.repeat(every, np.diff(first))
        bent = np.einsum("pi,pi->p", normal[own], normal[around]) < SHARP
        return np.bincount(own[bent], minlength=len(every)) > 0

    def projection_points(
        self,
        y: Floats,
        start: Integers,
        nodes: Floats | None = None,
        walk: bool = True,
        margin: float = 0.0,
    ) -> ProjectionPoints:
        """Nearest points of the surface to y (p, 3), from the facets `start` (p,) on.

        `nodes` are the positions of the nodes if the surface is deformed. Without `walk` the
        projection points stay on the facets given; within a `margin` in local coordinates over
        inner edges they stay there in any case.
        """
        count = len(y)
        found = ProjectionPoints(
            start.copy(), np.empty((count, 2)), *np.empty((2, count), dtype=np.int64)
        )
        at = self.nodes if nodes is None else np.ascontiguousarray(nodes)
        alone = np.zeros(len(self.connectivity) + 1, dtype=np.int64)
        first, around = self.around if walk else (alone, alone)
        sharp = self.sharp if walk else alone[1:] > 0
        mesh = FacetMesh(at, self.connectivity, first, around, self.boundary, sharp)
        find_projections(np.ascontiguousarray(y), mesh, margin, found)
        return found

    def positions(self, projected: ProjectionPoints) -> Floats:
        """Positions (p, 3) of projection points."""
        N = self.sample(projected.local)[:, 0]
        return np.einsum("pa,pai->pi", N, self.nodes[self.connectivity[projected.facet]])

    def carried(self, anchor: Floats, nodes: Floats) -> Floats:
        """Positions (p, 3) of anchors, a facet and two local coordinates each, with moved nodes."""
        positions = np.empty((len(anchor), 3))
        members = self.connectivity[anchor[:, 0].astype(np.int64)]
        gather(members, self.sample(anchor[:, 1:]), nodes, positions)
        return positions

    def sample(self, local: Floats) -> Floats:
        """Shape functions and derivatives (p, 6, k) at local coordinates (p, 2)."""
        count = self.connectivity.shape[1]
        shapes = np.empty((len(local), 6, count))
        sample(count, local, shapes)
        return shapes

    def normals(self, facet: Integers, local: Floats) -> Floats:
        """Area vectors t_1 x t_2 (p, 3)."""
        slopes = self.sample(local)[:, 1:3] @ self.nodes[self.connectivity[facet]]
        return np.cross(slopes[:, 0], slopes[:, 1])

    def quadrature(self, parts: int = 1) -> tuple[Floats, Floats]:
        """Gauss points and weights: 2 x 2 on linear, 3 x 3 on quadratic facets, or alike.

        With `parts` the rule is used in each of parts x parts pieces of a facet.
        """
        local, weights = self.rule(parts)
        facet = np.repeat(np.arange(len(self.connectivity)), len(local))
        everywhere = np.tile(local, (len(self.connectivity), 1))
        areas = np.linalg.norm(self.normals(facet, everywhere), axis=1)
        return self.spread(local, self.nodes), areas * np.tile(weights, len(self.connectivity))

    def spread(self, local: Floats, values: Floats) -> Floats:
        """Values (f q, ...) at the same local points (q, 2) of all facets, from those of nodes."""
        N = self.sample(local)[:, 0]
        own = np.einsum("qa,fa...->fq...", N, values[self.connectivity])
        return own.reshape(-1, *values.shape[1:])

    def nodal(self, title: str) -> tuple[Integers, Floats]:
        """Numbers of the loaded nodes and their weights int N_a dA; see `mesh.nodal_weights`."""
        N = self.sample(self.rule()[0])[:, 0]
        dA = self.quadrature()[1].reshape(len(self.connectivity), -1)
        functions = nodal_functions(N, TRIANGLE)
        weights = distribute(self.connectivity, functions, dA, len(self.nodes))
        loaded = loaded_nodes(weights, title)
        return loaded, weights[loaded]

    def rule(self, parts: int = 1) -> tuple[Floats, Floats]:
        """Local points (q, 2) and weights (q,) of the quadrature."""
        count, i = self.connectivity.shape[1], np.arange(parts)
        cells = np.stack(np.meshgrid(i, i, indexing="ij"), axis=-1).reshape(-1, 1, 2)
        if count in (3, 6):
            points, weights = get_quadrature(RefTri, 2 if count == 3 else 4)
            upright = (cells + points.T)[cells.sum(axis=2).ravel() < parts]
            turned = (cells + 1.0 - points.T)[cells.sum(axis=2).ravel() < parts - 1]
            positions = np.concatenate([upright, turned]).reshape(-1, 2) / parts
        else:
            points, weights = get_quadrature(RefQuad, 3 if count == 4 else 5)
            positions = 2.0 * (cells + points.T).reshape(-1, 2) / parts - 1.0
            weights = 4.0 * weights
        return positions, np.asarray(np.tile(weights, parts**2) / parts**2, dtype=float)


def mesh_facets(mesh: Mesh, name: str) -> Facets:
    """Facets of a named surface of a mesh of tetrahedra or hexahedra."""
    boundary_facets(mesh, name)  # refuses an unknown name
    content = file_content(mesh)
    if content.kind.dim != 3:
        raise InputError(
            f"invalid surface '{name}' of a mesh of {content.kind.name}: expected a mesh of "
            "tetrahedra or hexahedra"
        )
    return Facets(content.points, np.ascontiguousarray(content.faces(name)))
