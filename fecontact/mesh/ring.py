"""Structured annular meshes: triangles in the plane, hexahedra with thickness."""

from __future__ import annotations

import numpy as np
from skfem import MeshHex, MeshTri

from fecontact.errors import POSITIVE, InputError, at_least, check
from fecontact.typing import Floats, Integers

__all__ = ["annulus", "check_radii", "solid_annulus"]


def check_radii(inner_radius: float, outer_radius: float) -> None:
    """Refuse an annulus without width."""
    check("inner_radius", inner_radius, POSITIVE, "m")
    check("outer_radius", outer_radius, POSITIVE, "m")
    if inner_radius >= outer_radius:
        raise InputError(
            f"inner_radius = {inner_radius} m is not possible: it must be smaller than "
            f"outer_radius = {outer_radius} m"
        )


def annulus(
    inner_radius: float, outer_radius: float, radial: int = 8, circumferential: int = 64
) -> MeshTri:
    """Triangular mesh of an annulus in the x-y plane with the edges `inner` and `outer`.

    All cells are split along the same diagonal: the mesh is invariant under rotation by one
    cell, so that the cosine and sine modes of a plate come as exact pairs.

    Parameters
    ----------
    inner_radius, outer_radius
        Radii in m.
    radial, circumferential
        Number of cells in the two directions.

    Examples
    --------
    >>> mesh = annulus(0.08, 0.12, radial=4, circumferential=32)
    >>> sorted(mesh.boundaries)
    ['inner', 'outer']
    """
    check_radii(inner_radius, outer_radius)
    check("radial", radial, at_least(1))
    check("circumferential", circumferential, at_least(3))
    points, i00, i10, i11, i01 = _polar_grid(inner_radius, outer_radius, radial, circumferential)
    cells = np.hstack([np.vstack([i00, i10, i11]), np.vstack([i00, i11, i01])])
    mesh = MeshTri(points, cells)
    edge = 0.5 * (outer_radius - inner_radius) / radial
    return mesh.with_boundaries(
        {
            "inner": lambda x: np.hypot(*x) < inner_radius + edge,
            "outer": lambda x: np.hypot(*x) > outer_radius - edge,
        },
        boundaries_only=True,
    )


def solid_annulus(
    inner_radius: float,
    outer_radius: float,
    bottom: float,
    top: float,
    radial: int = 8,
    circumferential: int = 64,
) -> MeshHex:
    """Hexahedral mesh of a ring between the heights `bottom` and `top`, one layer.

    Named surfaces: `inner`, `outer`, `bottom`, `top`.
    """
    check_radii(inner_radius, outer_radius)
    check("height", top - bottom, POSITIVE, "m")
    check("radial", radial, at_least(1))
    check("circumferential", circumferential, at_least(3))
    plane, i00, i10, i11, i01 = _polar_grid(inner_radius, outer_radius, radial, circumferential)
    n = plane.shape[1]
    points = np.hstack(
        [np.vstack([plane, np.full(n, bottom)]), np.vstack([plane, np.full(n, top)])]
    )
    # MeshHex numbers its corners (000, 001, 010, 100, 011, 101, 110, 111) in (x, y, z)
    cells = np.vstack([i00, i00 + n, i01, i10, i01 + n, i10 + n, i11, i11 + n])
    mesh = MeshHex(points, cells)
    edge = 0.5 * (outer_radius - inner_radius) / radial
    half = 0.5 * (top - bottom)
    return mesh.with_boundaries(
        {
            "inner": lambda x: np.hypot(x[0], x[1]) < inner_radius + edge,
            "outer": lambda x: np.hypot(x[0], x[1]) > outer_radius - edge,
            "bottom": lambda x: x[2] < bottom + 0.5 * half,
            "top": lambda x: x[2] > top - 0.5 * half,
        },
        boundaries_only=True,
    )


def _polar_grid(
    inner: float, outer: float, radial: int, around: int
) -> tuple[Floats, Integers, Integers, Integers, Integers]:
    """Points (2, n) of a polar grid and the four corners of each cell, counter-clockwise."""
    r = np.linspace(inner, outer, radial + 1)
    phi = 2.0 * np.pi * np.arange(around) / around
    R, PHI = np.meshgrid(r, phi, indexing="ij")
    points = np.vstack([(R * np.cos(PHI)).ravel(), (R * np.sin(PHI)).ravel()])
    i, j = (a.ravel() for a in np.meshgrid(np.arange(radial), np.arange(around), indexing="ij"))
    next_j = (j + 1) % around
    return (
        points,
        i * around + j,
        (i + 1) * around + j,
        (i + 1) * around + next_j,
        i * around + next_j,
    )
