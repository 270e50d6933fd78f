"""Boundary faces of isoparametric cells: points, area weights, outward normals.

On a face with reference normal N the area element follows from Nanson's relation

    n dA = |det J| J^-T N dA_ref ,

evaluated in the cell the face belongs to: outward by construction, exact for curved faces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from skfem.quadrature import get_quadrature

from fecontact.errors import InputError
from fecontact.fem.solid._batched import Cells, inverse3, shape_functions
from fecontact.mesh.nodal_weights import distribute, loaded_nodes, nodal_functions
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from skfem import Mesh

__all__ = ["nodal_faces", "quadrature_faces"]

ON_FACE = 1e-9
"""Distance from a face of the unit cell below which a node lies on it."""


@dataclass(frozen=True)
class _FaceGroup:
    """Faces that are the same local face of their cells, with the nodes that lie on them.

    `local` are the positions of these nodes on the unit cell; `values` has the shape (q, a), or
    (faces, q, a) if the functions of the cells have signs.
    """

    faces: Integers
    connectivity: Integers
    local: Floats
    values: Floats
    points: Floats
    areas: Floats


def quadrature_faces(
    mesh: Mesh, cells: Cells, facets: Integers, order: int
) -> tuple[Floats, Floats, Floats, sp.csr_array]:
    """Quadrature points of facets: points, weights, normals, scalar shape (p, nodes).

    Points are ordered by facet as given.
    """
    groups = list(_face_groups(mesh, cells, facets, order))
    per_face = groups[0].values.shape[-2]
    total = len(facets) * per_face
    points, areas = np.empty((total, 3)), np.empty((total, 3))
    rows, columns, entries = [], [], []
    for group in groups:
        row = group.faces[:, None] * per_face + np.arange(per_face)
        points[row], areas[row] = group.points, group.areas
        shape = (*row.shape, group.connectivity.shape[1])
        rows.append(np.broadcast_to(row[..., None], shape).ravel())
        columns.append(np.broadcast_to(group.connectivity[:, None, :], shape).ravel())
        entries.append(np.broadcast_to(group.values, shape).ravel())
    weights = np.linalg.norm(areas, axis=1)
    data, indices = np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns))
    shape_matrix = sp.csr_array((data, indices), shape=(total, len(cells.nodes)))
    return points, weights, areas / weights[:, None], shape_matrix


def nodal_faces(
    mesh: Mesh, cells: Cells, facets: Integers, order: int, title: str
) -> tuple[Floats, Floats, Floats, sp.csr_array]:
    """Loaded nodes of facets: points, weights int N_a dA, normals, scalar shape (p, nodes)."""
    count = len(cells.nodes)
    weights, normals = np.zeros(count), np.zeros((count, 3))
    for group in _face_groups(mesh, cells, facets, order):
        functions = nodal_functions(group.values, group.local)
        dA = np.linalg.norm(group.areas, axis=-1)
        weights += distribute(group.connectivity, functions, dA, count)
        normals += distribute(group.connectivity, functions, group.areas, count)
    index = loaded_nodes(weights, title)
    normals = normals[index] / np.linalg.norm(normals[index], axis=1, keepdims=True)
    ones = np.ones(len(index))
    shape = sp.csr_array((ones, (np.arange(len(index)), index)), shape=(len(index), count))
    return cells.nodes[index], weights[index], normals, shape


def _face_groups(mesh: Mesh, cells: Cells, facets: Integers, order: int) -> Iterator[_FaceGroup]:
    """Evaluate facets in groups of equal local face number, at most six.

    The shape functions of the nodes off a face vanish on it; they are left out, because round-off
    leaves 1e-17 of them and would tie nodes inside the body to its surface.
    """
    if len(facets) == 0 or np.any(mesh.f2t[1, facets] >= 0):
        raise InputError(
            f"invalid surface of {len(facets)} facets, "
            f"{np.count_nonzero(mesh.f2t[1, facets] >= 0)} inside the body: expected boundary ones"
        )
    owner = mesh.f2t[0, facets]
    local = np.argmax(mesh.t2f[:, owner] == facets, axis=0)
    refdom = cells.element.refdom
    flat, weights = get_quadrature(refdom.brefdom, order)
    for k in np.unique(local):
        corners = refdom.p[:, refdom.facets[k]]
        side1, side2 = corners[:, 1] - corners[:, 0], corners[:, -1] - corners[:, 0]
        xi = corners[:, :1] + np.outer(side1, flat[0]) + np.outer(side2, flat[1])
        normal = np.cross(side1, side2)
        normal = normal * np.sign(normal @ (corners.mean(axis=1) - refdom.p.mean(axis=1)))
        values, slopes = shape_functions(cells.element, xi)
        faces = np.flatnonzero(local == k)
        connectivity = cells.connectivity[owner[faces]]
        nodes = cells.nodes[connectivity]
        J = (slopes.reshape(-1, nodes.shape[1]) @ nodes).reshape(len(faces), -1, 3, 3)
        inverse, det = inverse3(J)
        areas = (inverse @ normal) * (np.abs(det) * weights)[..., None]
        on = np.flatnonzero(np.abs((cells.element.doflocs - corners[:, 0]) @ normal) < ON_FACE)
        points = values[:, on] @ nodes[:, on]
        local_nodes = cells.element.doflocs[on]
        seen = values[:, on]
        if cells.signs is not None:
            seen = seen * cells.signs[owner[faces]][:, None, on]
        yield _FaceGroup(faces, connectivity[:, on], local_nodes, seen, points, areas)
