"""Second-order meshes: mid-nodes on the true curve, centre nodes by transfinite blending.

The node at the centre of a quadrilateral follows from its 4 corners and 4 mid-nodes, and the
centre of a hexahedron from its 8 corners and 12 mid-nodes,

    x_face = 1/2 sum x_mid - 1/4 sum x_corner,     x_cell = 1/4 sum x_mid - 1/4 sum x_corner,

which is the serendipity interpolation (Gordon and Hall, Numer. Math. 21 (1973) 109-129). The
27-node cell then has exactly the shape of the 20-node cell of other programs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from skfem import (
    Mesh,
    MeshHex1,
    MeshHex2,
    MeshQuad1,
    MeshQuad2,
    MeshTet1,
    MeshTet2,
    MeshTri1,
    MeshTri2,
)
from skfem.assembly import Dofs
from skfem.element import ElementHex2, ElementHexS2, ElementQuad2, ElementQuadS2

from fecontact.typing import Floats

__all__ = ["SECOND_ORDER", "Midpoint", "fill_centres", "polar_midpoint", "quadratic", "straight"]

Midpoint: TypeAlias = Callable[[Floats, Floats], Floats]
"""Mid-nodes (d, n) of the edges between the points a (d, n) and b (d, n)."""

SECOND_ORDER: dict[type[Mesh], type[Mesh]] = {
    MeshTri1: MeshTri2,
    MeshQuad1: MeshQuad2,
    MeshTet1: MeshTet2,
    MeshHex1: MeshHex2,
}


def straight(a: Floats, b: Floats) -> Floats:
    """Mid-nodes of straight edges."""
    return 0.5 * (a + b)


def polar_midpoint(a: Floats, b: Floats) -> Floats:
    """Mid-nodes at the mean radius and the mean angle about the z axis."""
    middle = straight(a, b)
    radius_a, radius_b = np.hypot(a[0], a[1]), np.hypot(b[0], b[1])
    direction = a[:2] / radius_a + b[:2] / radius_b
    middle[:2] = 0.5 * (radius_a + radius_b) * direction / np.hypot(*direction)
    return middle


def quadratic(mesh: Mesh, midpoint: Midpoint = straight) -> Mesh:
    """Second-order mesh on the cells of a linear one; the names are kept.

    Examples
    --------
    >>> from fecontact.mesh import annulus
    >>> quadratic(annulus(0.08, 0.12, 2, 12)).p.shape
    (2, 120)
    """
    second = SECOND_ORDER[type(mesh)]
    dofs = Dofs(mesh, second.elem())
    if mesh.dim() == 3:
        nodes, edges = dofs.edge_dofs[0], mesh.edges
    else:
        nodes, edges = dofs.facet_dofs[0], mesh.facets
    x = np.empty((mesh.dim(), dofs.N))
    x[:, : mesh.nvertices] = mesh.p
    x[:, nodes] = midpoint(mesh.p[:, edges[0]], mesh.p[:, edges[1]])
    fill_centres(x, dofs)
    return second(x, mesh.t, mesh.boundaries, mesh.subdomains)


def fill_centres(x: Floats, dofs: Dofs) -> None:
    """Set the face and cell nodes of 9-node and 27-node cells from corners and mid-nodes."""
    serendipity = {ElementQuad2: ElementQuadS2, ElementHex2: ElementHexS2}
    element = type(dofs.element)
    if element not in serendipity:
        return
    edge_element = serendipity[element]()
    known = len(edge_element.doflocs)
    positions = element.doflocs[known:].T
    weights = np.array([edge_element.lbasis(positions, i)[0] for i in range(known)])
    for k, nodes in enumerate(dofs.element_dofs[known:]):
        x[:, nodes] = np.einsum("i,die->de", weights[:, k], x[:, dofs.element_dofs[:known]])
