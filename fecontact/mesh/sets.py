"""Named surfaces: look-up, and the facets that belong to given nodes."""

from __future__ import annotations

import numpy as np
from skfem import Mesh

from fecontact.errors import unknown
from fecontact.typing import Integers

__all__ = ["boundary_facets", "facets_on_nodes", "match_facets"]


def boundary_facets(mesh: Mesh, name: str) -> Integers:
    """Facet numbers of a named surface (an edge of a plate, a face of a solid).

    Examples
    --------
    >>> from fecontact.mesh import annulus
    >>> len(boundary_facets(annulus(0.08, 0.12, 2, 12), "outer"))
    12
    """
    known = mesh.boundaries or {}
    if name not in known:
        raise unknown("surface", name, known)
    return np.asarray(known[name], dtype=np.int64)


def facets_on_nodes(mesh: Mesh, vertices: Integers) -> Integers:
    """Facets of the boundary whose corners all lie in a set of vertices, sorted."""
    member = np.zeros(mesh.nvertices, dtype=bool)
    member[vertices] = True
    boundary = mesh.boundary_facets()
    return np.asarray(boundary[member[mesh.facets[:, boundary]].all(axis=0)], dtype=np.int64)


def match_facets(mesh: Mesh, corners: Integers) -> Integers:
    """Facet number of each column of corner vertices (k, n); -1 where there is no such facet."""
    rows = np.sort(np.hstack([mesh.facets, corners]), axis=0).astype(np.int64)
    number = rows[0]
    for row in rows[1:]:  # equal columns get equal numbers
        number = np.unique(number * (rows.max() + 1) + row, return_inverse=True)[1]
    facet_of = np.full(number.max() + 1, -1, dtype=np.int64)
    facet_of[number[: mesh.nfacets]] = np.arange(mesh.nfacets)
    matched: Integers = facet_of[number[mesh.nfacets :]]
    return matched
