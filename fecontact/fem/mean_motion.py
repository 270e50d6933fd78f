"""Mean motion of points: their best rigid fit, and where joints may hold a body.

Points with areas w move like the rigid motion a, theta about their centroid that fits best,

    min sum w |u_p - a - theta x rho_p|^2 :     a = sum w u_p / sum w,
                                                theta = I^-1 sum w rho_p x u_p,

rho_p from the centroid, I = sum w (rho . rho 1 - rho rho^T). By virtual work a force F and a moment
M that act on this motion are the forces w F / sum w + w (I^-1 M) x rho_p on the points: the
distribution of an RBE3 element. Their sum is F and their moment M, and they stiffen nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from fecontact.errors import InputError
from fecontact.fem.model import FEModel, FESurface, Geometry
from fecontact.mesh.sets import boundary_facets
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from skfem import Mesh

__all__ = ["edge_lines", "fit_rows", "interface_of", "interfaces_of", "points_of_nodes"]

COLLINEAR = 1e-9
"""Smallest second moment, relative to the largest, about which points define a rotation."""


def fit_rows(points: Floats, weights: Floats) -> tuple[Floats, Floats, bool]:
    """Best rigid motion of points (p, 3) as a linear function of their displacements.

    Returns
    -------
    centre : (3,)
        Weighted centroid.
    rows : (6, 3 p)
        Takes the displacements, x, y, z of one point after the other, to that of the centroid and
        the rotation vector.
    defined : bool
        Whether the points define all rotations; a rotation about their line is set to zero.
    """
    w = weights / weights.sum()
    centre = w @ points
    rho = points - centre
    second = np.einsum("p,pi,pj->ij", w, rho, rho)
    inertia = np.trace(second) * np.eye(3) - second
    values, turn = np.linalg.eigh(inertia)
    good = values > COLLINEAR * values[-1]
    inverse = np.where(good, 1.0 / np.where(good, values, 1.0), 0.0)
    turns = np.cross(rho[:, None], np.eye(3)).transpose(2, 0, 1)  # rows of rho x u
    moments = (w[:, None] * turns).reshape(3, -1)
    shifts = np.kron(w, np.eye(3))
    return centre, np.vstack([shifts, (turn * inverse) @ turn.T @ moments]), bool(good.all())


def interfaces_of(model: FEModel) -> Mapping[str, FESurface]:
    """Named surfaces, edges, curves and points of a body; none if it does not tell them."""
    found: Mapping[str, FESurface] = getattr(model, "interfaces", {})
    return found


def interface_of(model: FEModel, name: str) -> FESurface:
    """Points of a named surface, edge, curve or point."""
    try:
        return model.surface(name)
    except InputError:
        known = interfaces_of(model)
        if name in known:
            return known[name]
        raise


def points_of_nodes(geometry: Geometry, nodes: Integers, weights: Floats) -> FESurface:
    """Nodes as points of an interface; they have no normals."""
    rows = (3 * nodes[:, None] + np.arange(3)).ravel()
    none = np.zeros((len(nodes), 3))
    return FESurface(geometry.points[nodes], weights, none, geometry.shape[rows])


def edge_lines(mesh: Mesh, geometry: Geometry) -> dict[str, FESurface]:
    """Named edges of a plate: the corners of its cells, with the lengths that belong to them."""
    found = {}
    for name in mesh.boundaries or {}:
        ends = mesh.facets[:2, boundary_facets(mesh, name)]
        length = np.linalg.norm(np.diff(mesh.p[:, ends], axis=1)[:, 0], axis=0)
        nodes, index = np.unique(ends.ravel(), return_inverse=True)
        weights = np.asarray(np.bincount(index, np.tile(0.5 * length, 2)), dtype=float)
        found[name] = points_of_nodes(geometry, nodes, weights)
    return found
