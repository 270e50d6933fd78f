"""Structured discs without a hole: a square core that blends into circular rings."""

from __future__ import annotations

import numpy as np
from skfem import Mesh

from fecontact.errors import POSITIVE, Allowed, at_least, check
from fecontact.mesh.grading import Grading, divisions
from fecontact.mesh.quadratic import Midpoint, polar_midpoint, straight
from fecontact.mesh.structured import PlaneGrid, extruded_mesh, plane_mesh
from fecontact.typing import Floats, Integers

__all__ = ["disc", "solid_disc"]

EIGHTFOLD = Allowed("a multiple of 8, >= 8", lambda x: x >= 8 and x % 8 == 0)


def disc(
    radius: float,
    radial: int = 6,
    circumferential: int = 32,
    cell: str = "tri",
    order: int = 1,
    grading: float = 1.0,
) -> Mesh:
    """Mesh of a disc in the x-y plane with the edge `outer` and a node at the centre.

    A core of (circumferential / 4)^2 cells with bulged sides is surrounded by rings. The mesh
    is invariant under rotation by 90 degrees.

    Parameters
    ----------
    radius
        Radius in m.
    radial
        Number of rings between the core and the edge.
    circumferential
        Number of cells along the edge, a multiple of 8.
    cell
        `"tri"` or `"quad"`.
    order
        1: straight cells. 2: curved cells with the mid-nodes of the edge on the circle.
    grading
        Outermost over innermost ring width.

    Examples
    --------
    >>> mesh = disc(0.1, radial=2, circumferential=16, cell="quad")
    >>> mesh.nelements, len(mesh.boundaries["outer"])
    (48, 16)
    """
    grid = _disc_grid(radius, radial, circumferential, grading)
    return plane_mesh(grid, cell, order, _edge_arc(radius))


def solid_disc(
    radius: float,
    bottom: float,
    top: float,
    radial: int = 6,
    circumferential: int = 32,
    axial: int = 1,
    cell: str = "hex",
    order: int = 1,
    grading: float = 1.0,
    axial_grading: Grading = 1.0,
) -> Mesh:
    """Mesh of a cylinder between the heights `bottom` and `top`.

    Named surfaces: `outer`, `bottom`, `top`. `cell` is `"hex"` or `"tet"`, `axial` the number of
    layers; the other parameters are those of `disc`.
    """
    grid = _disc_grid(radius, radial, circumferential, grading)
    edge = _edge_arc(radius)
    return extruded_mesh(grid, bottom, top, axial, axial_grading, cell, order, edge)


def _edge_arc(radius: float) -> Midpoint:
    """Mid-nodes: on the circle for edges with both ends on it, else straight."""

    def midpoint(a: Floats, b: Floats) -> Floats:
        on_edge = np.minimum(np.hypot(a[0], a[1]), np.hypot(b[0], b[1])) > radius * (1 - 1e-9)
        middle = straight(a, b)
        middle[:, on_edge] = polar_midpoint(a[:, on_edge], b[:, on_edge])
        return middle

    return midpoint


def _disc_grid(radius: float, radial: int, around: int, grading: float) -> PlaneGrid:
    """Core and rings; the rings start on the rim of the core."""
    check("radius", radius, POSITIVE, "m")
    check("radial", radial, at_least(1))
    check("circumferential", around, EIGHTFOLD)
    check("grading", grading, POSITIVE)
    m = around // 8
    # core about as fine as the rings: cells of 0.8 core / m against (radius - 0.9 core) / radial
    core_radius = radius * min(max(1.0 / (0.8 * radial / m + 0.9), 0.3), 0.8)
    core, quads, corner = _core(m)
    rim = _rim(m)
    phi = 2.0 * np.pi * np.arange(around) / around
    circle = radius * np.vstack([np.cos(phi), np.sin(phi)])
    s = divisions(0.0, 1.0, radial, grading)[1:]
    inside = core_radius * core
    rings = inside[:, None, rim] * (1 - s[:, None]) + circle[:, None, :] * s[:, None]
    first = core.shape[1]
    level = np.vstack([rim, first + np.arange(radial * around).reshape(radial, around)])
    inner, outer = level[:-1], level[1:]
    ring_quads = np.array(
        [inner, outer, np.roll(outer, -1, axis=1), np.roll(inner, -1, axis=1)]
    ).reshape(4, -1)
    q = np.hstack([quads, ring_quads])
    is_corner = np.hstack([corner, np.zeros(ring_quads.shape[1], dtype=bool)])
    second = np.where(is_corner, q[[0, 2, 3]], q[[0, 3, 2]])
    return PlaneGrid(
        np.hstack([inside, rings.reshape(2, -1)]),
        quads=q,
        triangles=np.hstack([q[:3], second]),
        edges={"outer": level[-1]},
    )


def _core(m: int) -> tuple[Floats, Integers, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Points (corners on the unit circle), cells, and which cells lie on the diagonals.

    The points are the mean of a square grid and its elliptic map to the disc,
    x = u sqrt(1 - v^2 / 2), y = v sqrt(1 - u^2 / 2). The first corner of a cell is the one to
    start from when going outward and counter-clockwise.
    """
    grid = np.arange(-m, m + 1) / m
    u, v = (a.ravel() for a in np.meshgrid(grid, grid, indexing="ij"))
    points = 0.5 * np.vstack(
        [u * (np.sqrt(0.5) + np.sqrt(1 - v**2 / 2)), v * (np.sqrt(0.5) + np.sqrt(1 - u**2 / 2))]
    )
    i, j = (a.ravel() for a in np.meshgrid(np.arange(2 * m), np.arange(2 * m), indexing="ij"))
    n = 2 * m + 1
    corners = np.vstack([i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1])
    x, y = 2 * (i - m) + 1, 2 * (j - m) + 1  # twice the centre of the cell, odd
    on_diagonal = np.abs(x) == np.abs(y)
    quarter = np.select([(x > 0) & (y > 0), (x < 0) & (y > 0), (x < 0) & (y < 0)], [0, 1, 2], 3)
    side = np.select([x > np.abs(y), y > np.abs(x), -x > np.abs(y)], [0, 1, 2], 3)
    turn = np.where(on_diagonal, quarter, side)
    quads = np.take_along_axis(corners, (np.arange(4)[:, None] + turn) % 4, axis=0)
    return points, quads, on_diagonal


def _rim(m: int) -> Integers:
    """Vertices on the rim of the core, counter-clockwise from the x axis."""
    step = np.arange(2 * m)
    i = np.concatenate([np.full(2 * m, 2 * m), 2 * m - step, np.zeros(2 * m, int), step])
    j = np.concatenate([step, np.full(2 * m, 2 * m), 2 * m - step, np.zeros(2 * m, int)])
    return np.roll(i * (2 * m + 1) + j, -m)
