"""Structured rings and ring sectors, plane and solid."""

from __future__ import annotations

import numpy as np
from skfem import Mesh

from fecontact.errors import POSITIVE, Allowed, InputError, at_least, check
from fecontact.mesh.grading import Grading, divisions
from fecontact.mesh.quadratic import polar_midpoint
from fecontact.mesh.structured import PlaneGrid, extruded_mesh, plane_mesh
from fecontact.typing import Floats

__all__ = ["annulus", "check_radii", "ring_sector", "solid_annulus", "solid_ring_sector"]

SECTOR = Allowed("> 0 and < 2 pi", lambda x: 0 < x < 2.0 * np.pi)


def check_radii(inner_radius: float, outer_radius: float) -> None:
    """Refuse an annulus without width."""
    check("inner_radius", inner_radius, POSITIVE, "m")
    check("outer_radius", outer_radius, POSITIVE, "m")
    if inner_radius >= outer_radius:
        raise InputError(
            f"invalid inner_radius = {inner_radius} m: expected smaller than outer_radius = "
            f"{outer_radius} m"
        )


def annulus(
    inner_radius: float,
    outer_radius: float,
    radial: int = 8,
    circumferential: int = 64,
    cell: str = "tri",
    order: int = 1,
    grading: Grading = 1.0,
) -> Mesh:
    """Mesh of an annulus in the x-y plane with the edges `inner` and `outer`.

    All cells are split along the same diagonal: the mesh is invariant under rotation by one
    cell, so that the cosine and sine modes of a plate come as exact pairs.

    Parameters
    ----------
    inner_radius, outer_radius
        Radii in m.
    radial, circumferential
        Number of cells in the two directions.
    cell
        `"tri"` or `"quad"`.
    order
        1: straight cells. 2: curved cells with the mid-nodes on the circles.
    grading
        Outermost over innermost cell size, or `Towards` given radii.

    Examples
    --------
    >>> mesh = annulus(0.08, 0.12, radial=4, circumferential=32)
    >>> sorted(mesh.boundaries)
    ['inner', 'outer']
    """
    grid = _full_ring(inner_radius, outer_radius, radial, circumferential, grading)
    return plane_mesh(grid, cell, order, polar_midpoint)


def solid_annulus(
    inner_radius: float,
    outer_radius: float,
    bottom: float,
    top: float,
    radial: int = 8,
    circumferential: int = 64,
    axial: int = 1,
    cell: str = "hex",
    order: int = 1,
    grading: Grading = 1.0,
    axial_grading: Grading = 1.0,
) -> Mesh:
    """Mesh of a ring between the heights `bottom` and `top`, invariant like `annulus`.

    Named surfaces: `inner`, `outer`, `bottom`, `top`. `cell` is `"hex"` or `"tet"`, `axial` the
    number of layers; the other parameters are those of `annulus`.

    Examples
    --------
    >>> mesh = solid_annulus(0.08, 0.12, 0.0, 0.005, 4, 32, cell="tet", order=2)
    >>> type(mesh).__name__, sorted(mesh.boundaries)
    ('MeshTet2', ['bottom', 'inner', 'outer', 'top'])
    """
    grid = _full_ring(inner_radius, outer_radius, radial, circumferential, grading)
    return extruded_mesh(grid, bottom, top, axial, axial_grading, cell, order, polar_midpoint)


def ring_sector(
    inner_radius: float,
    outer_radius: float,
    angle: float,
    radial: int = 8,
    circumferential: int = 16,
    cell: str = "tri",
    order: int = 1,
    grading: Grading = 1.0,
    circumferential_grading: Grading = 1.0,
) -> Mesh:
    """Mesh of a sector of an annulus from the x axis to `angle` (rad).

    Edges: `inner`, `outer`, `start` (at angle 0), `end`. Parameters as for `annulus`.
    """
    grid = _sector(
        inner_radius, outer_radius, angle, radial, circumferential, grading, circumferential_grading
    )
    return plane_mesh(grid, cell, order, polar_midpoint)


def solid_ring_sector(
    inner_radius: float,
    outer_radius: float,
    angle: float,
    bottom: float,
    top: float,
    radial: int = 8,
    circumferential: int = 16,
    axial: int = 1,
    cell: str = "hex",
    order: int = 1,
    grading: Grading = 1.0,
    circumferential_grading: Grading = 1.0,
    axial_grading: Grading = 1.0,
) -> Mesh:
    """Mesh of a sector of a ring, for example of a brake pad.

    Named surfaces: `inner`, `outer`, `start`, `end`, `bottom`, `top`. Parameters as for
    `ring_sector` and `solid_annulus`.
    """
    grid = _sector(
        inner_radius, outer_radius, angle, radial, circumferential, grading, circumferential_grading
    )
    return extruded_mesh(grid, bottom, top, axial, axial_grading, cell, order, polar_midpoint)


def _full_ring(
    inner_radius: float, outer_radius: float, radial: int, around: int, grading: Grading
) -> PlaneGrid:
    """Polar grid all around, with the edges inner and outer."""
    check_radii(inner_radius, outer_radius)
    check("radial", radial, at_least(1))
    check("circumferential", around, at_least(3))
    r = divisions(inner_radius, outer_radius, radial, grading)
    return _polar_grid(r, 2.0 * np.pi * np.arange(around) / around, around)


def _sector(
    inner_radius: float,
    outer_radius: float,
    angle: float,
    radial: int,
    around: int,
    grading: Grading,
    around_grading: Grading,
) -> PlaneGrid:
    """Open polar grid with the additional edges start and end."""
    check_radii(inner_radius, outer_radius)
    check("angle", angle, SECTOR, "rad")
    check("radial", radial, at_least(1))
    check("circumferential", around, at_least(1))
    r = divisions(inner_radius, outer_radius, radial, grading)
    phi = divisions(0.0, angle, around, around_grading)
    if np.diff(phi).max() > 2.0 * np.pi / 3.0:
        raise InputError(
            f"invalid circumferential = {around}: expected cells that span at most 120 degrees"
        )
    grid = _polar_grid(r, phi, around)
    start = np.arange(radial + 1) * (around + 1)
    grid.edges.update(start=start, end=start + around)
    return grid


def _polar_grid(r: Floats, phi: Floats, around: int) -> PlaneGrid:
    """Polar grid on radii r and angles phi; closed if there are as many angles as cells."""
    R, PHI = np.meshgrid(r, phi, indexing="ij")
    points = np.vstack([(R * np.cos(PHI)).ravel(), (R * np.sin(PHI)).ravel()])
    radial, n = len(r) - 1, len(phi)
    i, j = (a.ravel() for a in np.meshgrid(np.arange(radial), np.arange(around), indexing="ij"))
    k = (j + 1) % n
    i00, i10, i11, i01 = i * n + j, (i + 1) * n + j, (i + 1) * n + k, i * n + k
    return PlaneGrid(
        points,
        quads=np.vstack([i00, i10, i11, i01]),
        triangles=np.hstack([np.vstack([i00, i10, i11]), np.vstack([i00, i01, i11])]),
        edges={"inner": np.arange(n), "outer": radial * n + np.arange(n)},
    )
