"""Facets of a named surface of an elastic body, with the displacement shapes of their nodes.

On solids, and on beams drawn as boxes, the facets are the faces of the cells that carry the points
of the surface; their nodes move exactly as the finite elements do. A plate has its face at the
distance h/2 from its cells: there the facets lie over the cells, and positions and shapes of their
nodes are the L2 projection of those of the face, exact for all linear fields:

    int N_a N_b dA  X_b = int N_a x dA,      int N_a N_b dA  Phi_b = int N_a Phi dA .
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from fecontact.body.elastic import ElasticBody
from fecontact.body.points.elastic_points import ElasticPoints
from fecontact.contact.master.facets import Facets
from fecontact.contact.master.search import NearestCentre
from fecontact.errors import InputError
from fecontact.fem.model import Geometry
from fecontact.mesh.cells import CELL_TYPES
from fecontact.solvers.linear import factorise
from fecontact.typing import Floats, Integers

__all__ = ["elastic_facets", "solid_facets"]

ON_FACET = 1e-6
"""Distance from a facet, relative to the body, up to which a point of the surface lies on it."""

ON_RIM = 1e-6
"""Local distance from the rim of a facet up to which a point counts as on it."""

ALIGNED = 0.5
"""Cosine between the normals of point and facet from which they count as the same side."""


def elastic_facets(body: ElasticBody, name: str) -> tuple[Facets, Floats]:
    """Facets of a named surface and the elastic shapes (n, 3, m) of their nodes."""
    surface, geometry = body.model.surface(name), body.model.geometry
    dims = {kind: CELL_TYPES[kind].dim for kind in geometry.cells if kind in CELL_TYPES}
    solid = [kind for kind, dim in dims.items() if dim == 3]
    plane = [kind for kind, dim in dims.items() if dim == 2]
    if len(geometry.cells) != 1 or not (solid or plane):
        raise InputError(
            f"{body.name}: invalid surface '{name}' of {', '.join(geometry.cells)} cells, without "
            "facets: expected a solid, a plate, or beams with a section of given outline"
        )
    if solid:
        facets = solid_facets(geometry, surface.points, surface.normals, f"'{name}' of {body.name}")
        return _compact(facets, body.attachments.node_shapes)
    middle = _facing(Facets(geometry.points, geometry.cells[plane[0]]), surface.normals[0])
    return _projected(middle, body.attachments.shapes(name), surface.weights)


def solid_facets(geometry: Geometry, points: Floats, normals: Floats, title: str) -> Facets:
    """Faces of volume cells that carry the points of a surface; its nodes are those of the mesh."""
    every = Facets(geometry.points, _boundary(geometry.cells))
    return _carrying(every, points, normals, title)


def _facing(facets: Facets, normal: Floats) -> Facets:
    """Facets of a plane, turned over where their normal is not the one given."""
    count = facets.connectivity.shape[1]
    mirror = {len(kind.mirror): kind.mirror for kind in CELL_TYPES.values() if kind.dim == 2}
    corners = facets.nodes[facets.corners]
    area = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    turned = (area @ normal < 0.0)[:, None]
    cells = facets.connectivity
    both = np.where(turned, cells[:, mirror[count]], cells)
    return Facets(facets.nodes, np.ascontiguousarray(both))


def _boundary(cells: Mapping[str, Integers]) -> Integers:
    """Faces (f, k) of volume cells that belong to one cell only."""
    kind, connectivity = next(iter(cells.items()))
    faces = connectivity[:, CELL_TYPES[kind].faces]
    faces = faces.reshape(-1, faces.shape[2])
    count = 3 if faces.shape[1] in (3, 6) else 4
    rows = np.sort(faces[:, :count], axis=1)
    _, index, shared = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    return np.ascontiguousarray(faces[shared[index.ravel()] == 1])


def _carrying(every: Facets, points: Floats, normals: Floats, surface: str) -> Facets:
    """Facets on which the points of a surface lie, with the normals they have.

    A point on the edge between two facets does not tell which one belongs to the surface; each
    facet has others inside.
    """
    facet, rim = _on(every, points, normals)
    chosen = Facets(every.nodes, every.connectivity[np.unique(facet[rim > ON_RIM])])
    lost = np.count_nonzero(~np.isfinite(_on(chosen, points, normals)[1]))
    if lost:
        raise InputError(
            f"invalid surface {surface} as master: expected points on faces of the mesh; {lost} "
            f"of its {len(points)} points are not"
        )
    return chosen


def _on(facets: Facets, points: Floats, normals: Floats) -> tuple[Integers, Floats]:
    """Facet (p,) on which each point lies, and its local distance from the rim.

    The distance is -inf for a point that lies on no facet with its normal.
    """
    arms = facets.nodes[facets.corners] - facets.centres[:, None]
    reach = 1.01 * np.linalg.norm(arms, axis=2).max()
    near = cKDTree(facets.centres).query_ball_point(points, reach, return_sorted=True)
    point = np.repeat(np.arange(len(points)), [len(found) for found in near])
    projected = facets.projection_points(
        points[point], np.concatenate(near).astype(np.int64), walk=False
    )
    off = np.linalg.norm(facets.positions(projected) - points[point], axis=1)
    area = facets.normals(projected.facet, projected.local)
    same = np.einsum("pi,pi->p", area, normals[point]) > ALIGNED * np.linalg.norm(area, axis=1)
    xi, eta = projected.local.T
    rim = np.minimum(np.minimum(xi, eta), 1.0 - xi - eta)
    if facets.corners.shape[1] == 4:
        rim = 1.0 - np.maximum(np.abs(xi), np.abs(eta))
    rim[~same | (off > ON_FACET * np.ptp(facets.nodes, axis=0).max()) | (rim < -ON_RIM)] = -np.inf
    order = np.lexsort((-rim, point))
    found, first = np.unique(point[order], return_index=True)
    facet, depth = np.zeros(len(points), dtype=np.int64), np.full(len(points), -np.inf)
    facet[found], depth[found] = projected.facet[order[first]], rim[order[first]]
    return facet, depth


def _compact(facets: Facets, shapes: Floats) -> tuple[Facets, Floats]:
    """Only the nodes of the facets, and their shapes."""
    used, index = np.unique(facets.connectivity, return_inverse=True)
    connectivity = np.ascontiguousarray(index.reshape(facets.connectivity.shape))
    return Facets(facets.nodes[used], connectivity), np.ascontiguousarray(shapes[used])


def _projected(middle: Facets, face: ElasticPoints, weights: Floats) -> tuple[Facets, Floats]:
    """Facets over the cells of a plate, by L2 projection of its face."""
    projected = middle.projection_points(face.points, NearestCentre(middle.centres)(face.points))
    N = middle.sample(projected.local)[:, 0]
    count, k = N.shape
    columns = middle.connectivity[projected.facet].ravel()
    B = sp.csr_array((N.ravel(), columns, np.arange(count + 1) * k), (count, len(middle.nodes)))
    right = B.T @ sp.diags_array(weights)
    solve = factorise(sp.csr_array(right @ B))
    nodes = solve(right @ face.points)
    shapes = solve(right @ face.shapes.reshape(count, -1))
    return Facets(nodes, middle.connectivity), shapes.reshape(len(nodes), 3, -1)
