"""Checks that a mesh can be computed on, and its size.

The scaled Jacobian of a cell is det J / (|J_1| ... |J_d|), with the columns J_i of the gradient of
the reference map: 1 for a right-angled cell of any aspect ratio, 0 for a flat one. It is sampled
at the nodes of the second-order cell. A cell is bad where the sign changes; the sign of a whole
cell only tells whether its nodes are numbered left-handed or right-handed, and is left out.
"""

from __future__ import annotations

import numpy as np
from skfem import Mesh
from skfem.element import ElementHex2, ElementLineP2, ElementQuad2, ElementTetP2, ElementTriP2
from skfem.quadrature import get_quadrature
from skfem.refdom import RefHex, RefLine, RefQuad, RefTet, RefTri

from fecontact.errors import InputError
from fecontact.mesh.sets import boundary_facets
from fecontact.typing import Floats, Integers

__all__ = ["check_mesh", "edge_to_thickness", "measure", "scaled_jacobian"]

DEGENERATE = 1e-8
"""A cell with a smaller scaled Jacobian is flat up to round-off."""

SAMPLES = {
    RefLine: ElementLineP2.doflocs,
    RefTri: ElementTriP2.doflocs,
    RefQuad: ElementQuad2.doflocs,
    RefTet: ElementTetP2.doflocs,
    RefHex: ElementHex2.doflocs,
}


def check_mesh(mesh: Mesh) -> None:
    """Raise an `InputError` for a mesh that no model can be built on.

    Refused are coordinates that are not finite, nodes without a cell, flat cells, cells whose
    map folds over (twisted or inverted), neighbours that overlap, and surfaces on which three
    cells meet.

    Examples
    --------
    >>> from fecontact.mesh import annulus
    >>> check_mesh(annulus(0.08, 0.12, order=2))
    """
    _check_nodes(mesh)
    quality = scaled_jacobian(mesh)
    _refuse(mesh, np.flatnonzero(quality < -DEGENERATE), "inverted or twisted")
    _refuse(mesh, np.flatnonzero(quality <= DEGENERATE), "degenerate (without volume)")
    _check_neighbours(mesh)


def scaled_jacobian(mesh: Mesh) -> Floats:
    """Smallest scaled Jacobian of each cell, shape (cells,); not positive for a bad cell."""
    X = SAMPLES[mesh.refdom].T
    if mesh.affine:  # the gradient is constant
        X = X[:, :1]
    J = _gradients(mesh, X)
    det = _determinants(J)
    scale = np.prod(np.sqrt(np.sum(J**2, axis=1)), axis=1)
    scaled = np.divide(det, scale, out=np.zeros_like(det), where=scale > 0)
    worst: Floats = np.maximum(scaled.min(axis=1), -scaled.max(axis=1))
    return worst


def measure(mesh: Mesh, surface: str | None = None) -> float:
    """Volume in m^3 (area of a plane mesh, length of a line), or area of a named surface.

    Examples
    --------
    >>> from fecontact.mesh import block
    >>> plate = block(0.1, 0.02, 0.01)
    >>> round(measure(plate), 12), round(measure(plate, "z_max"), 12)
    (2e-05, 0.002)
    """
    if surface is None:
        X, weights = get_quadrature(mesh.elem.refdom, 6)
        return float((np.abs(_determinants(_gradients(mesh, X))) @ weights).sum())
    facets = boundary_facets(mesh, surface)
    X, weights = get_quadrature(mesh.brefdom, 6)
    return float((np.abs(mesh.mapping().detDG(X, find=facets)) @ weights).sum())


def edge_to_thickness(mesh: Mesh, fraction: float = 0.1) -> float:
    """Edge length of the cells of a solid over its thickness there.

    The thickness is the height of a cell on its largest face where all its vertices lie on the
    surface (one layer of cells), at least twice that elsewhere. A tenth of the volume (`fraction`)
    consists of cells with a larger ratio than the one returned; few slivers do not count.

    Examples
    --------
    >>> from fecontact.mesh import block
    >>> round(edge_to_thickness(block(0.4, 0.4, 0.002, cells=(4, 4, 1))), 6)
    50.0
    >>> round(edge_to_thickness(block(0.4, 0.4, 0.002, cells=(4, 4, 2))), 6)
    50.0
    """
    x = mesh.p[:, mesh.t]
    ends = np.array(mesh.refdom.edges).T
    edge = np.linalg.norm(x[:, ends[0]] - x[:, ends[1]], axis=0).max(axis=0)
    X, weights = get_quadrature(mesh.elem.refdom, 2)
    volume = np.abs(_determinants(_gradients(mesh, X))) @ weights
    faces = [np.linalg.norm(_normals(x[:, list(face)]), axis=0) for face in mesh.refdom.facets]
    largest, factor = np.max(faces, axis=0), 6.0 if mesh.refdom is RefTet else 2.0
    height = np.divide(factor * volume, largest, out=np.zeros_like(volume), where=largest > 0.0)
    surface = np.zeros(mesh.p.shape[1], dtype=bool)
    surface[mesh.facets[:, mesh.boundary_facets()]] = True
    layers = np.where(surface[mesh.t].all(axis=0), 1.0, 2.0)
    ratio = np.divide(edge, layers * height, out=np.full_like(edge, np.inf), where=height > 0.0)
    order = np.argsort(ratio)
    index = np.searchsorted(np.cumsum(volume[order]), (1.0 - fraction) * volume.sum())
    return float(ratio[order][min(index, len(order) - 1)])


def _gradients(mesh: Mesh, X: Floats) -> Floats:
    """Gradients dx_i / dX_k of the reference map at the points X (d, s), shape (cells, i, k, s)."""
    element = mesh.elem()
    nodes = mesh.dofs.element_dofs
    shape = np.array([np.broadcast_to(element.lbasis(X, i)[1], X.shape) for i in range(len(nodes))])
    d, s = X.shape
    J: Floats = mesh.p.T[nodes.T].transpose(0, 2, 1) @ shape.reshape(len(nodes), d * s)
    return J.reshape(-1, d, d, s)


def _determinants(J: Floats) -> Floats:
    """Return the determinants (cells, s) of the gradients (cells, d, d, s)."""
    if J.shape[1] == 1:
        return J[:, 0, 0]
    if J.shape[1] == 2:
        area: Floats = J[:, 0, 0] * J[:, 1, 1] - J[:, 0, 1] * J[:, 1, 0]
        return area
    volume: Floats = np.einsum("cis,cis->cs", np.cross(J[:, :, 0], J[:, :, 1], axis=1), J[:, :, 2])
    return volume


def _check_nodes(mesh: Mesh) -> None:
    """Refuse coordinates that are not finite and nodes without a cell."""
    bad = np.flatnonzero(~np.isfinite(mesh.p).all(axis=0))
    if len(bad):
        raise InputError(
            f"mesh: {len(bad)} nodes have coordinates that are not finite, first node {bad[0]}: "
            f"{mesh.p[:, bad[0]].tolist()}"
        )
    unused = mesh.p.shape[1] - len(np.unique(mesh.dofs.element_dofs))
    if unused:
        raise InputError(f"mesh: {unused} nodes belong to no cell; remove them")


def _check_neighbours(mesh: Mesh) -> None:
    """Refuse neighbours on the same side of their facet, and facets of three cells."""
    shared = np.bincount(mesh.t2f.ravel(), minlength=mesh.nfacets)
    crowded = np.flatnonzero(shared > 2)
    _refuse(mesh, mesh.f2t[0, crowded], "the third or further cell on one facet")
    inside = np.flatnonzero(mesh.f2t[1] >= 0)
    corners = mesh.p[:, mesh.facets[:, inside]]
    normal = _normals(corners)
    centre = mesh.p[:, mesh.t].mean(axis=1)
    first, second = mesh.f2t[:, inside]
    middle = corners.mean(axis=1)
    sides = (
        np.sum(normal * (centre[:, first] - middle), axis=0),
        np.sum(normal * (centre[:, second] - middle), axis=0),
    )
    _refuse(mesh, first[sides[0] * sides[1] > 0], "inverted or overlapping a neighbour")


def _normals(corners: Floats) -> Floats:
    """Return normals (d, n) of facets with the corners (d, k, n), of any length and sign."""
    if len(corners) == 1:
        return np.ones_like(corners[:, 0])
    if len(corners) == 2:
        x, y = corners[:, 1] - corners[:, 0]
        return np.array([-y, x])
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    if corners.shape[1] == 4:  # diagonals of a quadrilateral
        a, b = b, corners[:, 3] - corners[:, 1]
    return np.cross(a, b, axis=0)


def _refuse(mesh: Mesh, cells: Integers, what: str) -> None:
    """Raise an error that names how many cells are bad and where the first one is."""
    if len(cells):
        middle = mesh.p[:, mesh.t[:, cells[0]]].mean(axis=1)
        where = ", ".join(f"{x:.4g}" for x in middle)
        raise InputError(
            f"mesh: {len(np.unique(cells))} of {mesh.nelements} cells are {what}, first cell "
            f"{cells[0]} near ({where}) m; repair the mesh"
        )
