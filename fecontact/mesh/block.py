"""Structured rectangles and blocks."""

from __future__ import annotations

import numpy as np
from skfem import Mesh

from fecontact.errors import POSITIVE, at_least, check
from fecontact.mesh.grading import Grading, divisions
from fecontact.mesh.structured import PlaneGrid, plane_mesh, solid_mesh
from fecontact.typing import Floats

__all__ = ["block", "rectangle"]


def rectangle(
    length: float,
    width: float,
    cells: tuple[int, int] = (8, 4),
    cell: str = "quad",
    order: int = 1,
    grading: tuple[Grading, Grading] = (1.0, 1.0),
) -> Mesh:
    """Mesh of the rectangle 0 <= x <= length, 0 <= y <= width (m).

    Edges: `x_min`, `x_max`, `y_min`, `y_max`. `cells` and `grading` are given along x and y,
    `cell` is `"tri"` or `"quad"`.
    """
    return plane_mesh(_grid((length, width), cells, grading), cell, order)


def block(
    length: float,
    width: float,
    height: float,
    cells: tuple[int, int, int] = (8, 4, 2),
    cell: str = "hex",
    order: int = 1,
    grading: tuple[Grading, Grading, Grading] = (1.0, 1.0, 1.0),
) -> Mesh:
    """Mesh of the block 0 <= x <= length, 0 <= y <= width, 0 <= z <= height (m).

    Named surfaces: `x_min`, `x_max`, `y_min`, `y_max`, `z_min`, `z_max`. `cells` and `grading`
    are given along x, y and z, `cell` is `"tet"` or `"hex"`.

    Examples
    --------
    >>> mesh = block(0.1, 0.02, 0.01, cells=(10, 2, 1))
    >>> mesh.nelements, len(mesh.boundaries["z_max"])
    (20, 20)
    """
    grid = _grid((length, width), cells[:2], grading[:2])
    check("height", height, POSITIVE, "m")
    check("cells[2]", cells[2], at_least(1))
    mesh = solid_mesh(grid, divisions(0.0, height, cells[2], grading[2]), cell, order)
    renamed = {"bottom": "z_min", "top": "z_max"}
    named = {renamed.get(name, name): facets for name, facets in mesh.boundaries.items()}
    return type(mesh)(mesh.p, mesh.t, named)


def _grid(
    size: tuple[float, float], cells: tuple[int, int], grading: tuple[Grading, Grading]
) -> PlaneGrid:
    """Rectangular grid, columns of constant x one after the other."""
    for name, value in zip(("length", "width"), size, strict=True):
        check(name, value, POSITIVE, "m")
    for k, count in enumerate(cells):
        check(f"cells[{k}]", count, at_least(1))
    x, y = (divisions(0.0, size[k], cells[k], grading[k]) for k in range(2))
    return _tensor_grid(x, y)


def _tensor_grid(x: Floats, y: Floats) -> PlaneGrid:
    """Product of two divided lines; all cells are split along the same diagonal."""
    X, Y = np.meshgrid(x, y, indexing="ij")
    nx, ny = len(x) - 1, len(y)
    i, j = (a.ravel() for a in np.meshgrid(np.arange(nx), np.arange(ny - 1), indexing="ij"))
    i00, i10 = i * ny + j, (i + 1) * ny + j
    return PlaneGrid(
        np.vstack([X.ravel(), Y.ravel()]),
        quads=np.vstack([i00, i10, i10 + 1, i00 + 1]),
        triangles=np.hstack([np.vstack([i00, i10, i10 + 1]), np.vstack([i00, i00 + 1, i10 + 1])]),
        edges={
            "x_min": np.arange(ny),
            "x_max": nx * ny + np.arange(ny),
            "y_min": ny * np.arange(nx + 1),
            "y_max": ny * np.arange(nx + 1) + ny - 1,
        },
    )
