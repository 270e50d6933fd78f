"""Named surfaces, edges and nodes: look-up, and the facets and edges that belong to given nodes.

scikit-fem knows named facets and cells only. Named curves and points of a solid, which may hold a
support, travel with the mesh as `NodeSet`; whatever makes a new mesh of it (refinement, other
names) drops them, and a support that asks for one is then refused by name.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from skfem import Mesh

from fecontact.errors import unknown
from fecontact.typing import Integers

__all__ = [
    "NodeSet",
    "boundary_facets",
    "edges_on_nodes",
    "facets_on_nodes",
    "match_facets",
    "node_sets",
    "supporting_parts",
    "with_node_sets",
]


@dataclass(frozen=True)
class NodeSet:
    """Vertices, edges between them and facets of a mesh, by number."""

    vertices: Integers
    edges: Integers
    facets: Integers


def with_node_sets(mesh: Mesh, sets: Mapping[str, NodeSet]) -> Mesh:
    """Copy of a mesh that carries named curves and points.

    Examples
    --------
    >>> from fecontact.mesh import block
    >>> bar = block(0.1, 0.02, 0.01)
    >>> foot = np.flatnonzero((bar.p[0] == 0.0) & (bar.p[2] == 0.0))
    >>> bar = with_node_sets(bar, {"foot": edges_on_nodes(bar, foot)})
    >>> len(node_sets(bar)["foot"].vertices), len(node_sets(bar)["foot"].edges)
    (5, 4)
    """
    named = copy.copy(mesh)
    named.node_sets = dict(sets)
    return named


def node_sets(mesh: Mesh) -> dict[str, NodeSet]:
    """Named curves and points of a mesh."""
    return dict(getattr(mesh, "node_sets", {}))


def edges_on_nodes(mesh: Mesh, vertices: Integers) -> NodeSet:
    """Set of vertices of a solid with the edges that join two of them."""
    member = np.zeros(mesh.nvertices, dtype=bool)
    member[vertices] = True
    edges = np.flatnonzero(member[mesh.edges].all(axis=0))
    return NodeSet(np.flatnonzero(member), edges, np.zeros(0, dtype=np.int64))


def supporting_parts(mesh: Mesh, name: str) -> NodeSet:
    """Everything that a support of a named surface, curve or point of a solid holds."""
    sets = node_sets(mesh)
    if name in sets:
        return sets[name]
    if name not in (mesh.boundaries or {}):
        kind = "surface, curve or point" if sets else "surface"
        raise unknown(kind, name, [*(mesh.boundaries or {}), *sets])
    facets = boundary_facets(mesh, name)
    return NodeSet(np.unique(mesh.facets[:, facets]), np.unique(mesh.f2e[:, facets]), facets)


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
