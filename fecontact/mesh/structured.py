"""From a plane grid to a mesh: triangles or quadrilaterals, extruded to tetrahedra or hexahedra."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from skfem import Mesh, MeshHex, MeshQuad, MeshTet, MeshTri

from fecontact.errors import POSITIVE, Allowed, check, one_of
from fecontact.mesh.grading import Grading, divisions
from fecontact.mesh.quadratic import Midpoint, quadratic, straight
from fecontact.mesh.sets import facets_on_nodes
from fecontact.typing import Floats, Integers

__all__ = ["PlaneGrid", "extruded_mesh", "plane_mesh", "solid_mesh"]

ORDER = Allowed("1 or 2", lambda x: x in (1, 2))


@dataclass(frozen=True)
class PlaneGrid:
    """Plane grid of quadrilaterals, with the triangles they are split into.

    Attributes
    ----------
    points : (2, n)
        Positions in m.
    quads : (4, c)
        Corners of the cells, counter-clockwise.
    triangles : (3, 2 c)
        Corners ordered such that two triangles with a common edge name its ends in the same
        order. The prisms above them can then be split into tetrahedra that fit together.
    edges
        Name of an edge -> its vertices.
    """

    points: Floats
    quads: Integers
    triangles: Integers
    edges: dict[str, Integers]


def plane_mesh(grid: PlaneGrid, cell: str, order: int, midpoint: Midpoint = straight) -> Mesh:
    """Mesh of triangles (`cell="tri"`) or quadrilaterals (`"quad"`) in the x-y plane."""
    check("cell", cell, one_of(("tri", "quad")))
    if cell == "tri":
        mesh = MeshTri(grid.points, grid.triangles)
    else:
        mesh = MeshQuad(grid.points, grid.quads)
    return _finished(mesh, grid.edges, order, midpoint)


def extruded_mesh(
    grid: PlaneGrid,
    bottom: float,
    top: float,
    layers: int,
    grading: Grading,
    cell: str,
    order: int,
    midpoint: Midpoint = straight,
) -> Mesh:
    """Mesh of layers of cells between two heights in m; see `solid_mesh`."""
    check("height", top - bottom, POSITIVE, "m")
    return solid_mesh(grid, divisions(bottom, top, layers, grading), cell, order, midpoint)


def solid_mesh(
    grid: PlaneGrid, heights: Floats, cell: str, order: int, midpoint: Midpoint = straight
) -> Mesh:
    """Mesh of tetrahedra (`cell="tet"`) or hexahedra (`"hex"`) between the given heights.

    The edges of the grid become side faces of the same name; `bottom` and `top` are added.
    """
    check("cell", cell, one_of(("tet", "hex")))
    n = grid.points.shape[1]
    layers = len(heights) - 1
    points = np.vstack([np.tile(grid.points, layers + 1), np.repeat(heights, n)])
    shift = n * np.arange(layers)
    if cell == "hex":
        low = _stacked(grid.quads, shift)
        high = low + n
        # MeshHex numbers its corners (000, 001, 010, 100, 011, 101, 110, 111) in (x, y, z)
        order_of_corners = [low[0], high[0], low[3], low[1], high[3], high[1], low[2], high[2]]
        mesh = MeshHex(points, np.vstack(order_of_corners))
    else:
        a, b, c = _stacked(grid.triangles, shift)
        split = [[a, b, c, c + n], [a, b, b + n, c + n], [a, a + n, b + n, c + n]]
        mesh = MeshTet(points, np.hstack([np.vstack(tet) for tet in split]))
    plane = np.arange(n)
    faces = {
        name: (vertices[:, None] + n * np.arange(layers + 1)).ravel()
        for name, vertices in grid.edges.items()
    }
    faces |= {"bottom": plane, "top": plane + n * layers}
    return _finished(mesh, faces, order, midpoint)


def _stacked(cells: Integers, shift: Integers) -> Integers:
    """Corners of the cells of all layers, layer by layer."""
    return np.hstack([cells + s for s in shift])


def _finished(mesh: Mesh, surfaces: dict[str, Integers], order: int, midpoint: Midpoint) -> Mesh:
    """Name the surfaces and add the nodes of second order."""
    check("order", order, ORDER)
    named = mesh.with_boundaries(
        {name: facets_on_nodes(mesh, vertices) for name, vertices in surfaces.items()}
    )
    return named if order == 1 else quadratic(named, midpoint)
