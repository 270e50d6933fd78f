"""Compiled facets as polynomials, for many points at once.

Every facet is x(xi, eta) = sum c_ab xi^a eta^b with a, b = 0, 1, 2; the coefficients of a facet
follow from its nodes, c = T x. So all kinds of facets share one code, and a block of points is
evaluated by loops along neighbours in memory: row k of an array `c` holds the k-th of the 27
coefficients (component, a, b) of the facets under the points. Indices of nodes and facets are
taken as unsigned where much is read through them: they need no test for being negative.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fecontact.contact.kernels.facets.search import FacetMesh
from fecontact.contact.kernels.layout import BLOCK
from fecontact.kernels.decorators import kernel
from fecontact.kernels.rows import LONG, TERMS, add_vector, blend_terms, blended, fill_rows
from fecontact.typing import Floats, Integers

__all__ = [
    "LAST",
    "WORK",
    "Face",
    "PointsOnFacets",
    "Track",
    "block_of",
    "carried",
    "derivatives",
    "fetch",
    "named_face",
    "named_track",
    "positions_in",
    "spread",
    "velocities",
    "weigh",
]

B = BLOCK
S = BLOCK + LONG
"""Length of a row of coefficients: what is behind the points of a block takes the end of rows that
are filled beyond them."""

LAST, ONE = 27 * S, 28 * S
"""Behind the coefficients: last steps of Newton's iteration, and the coefficients of one facet."""

WORK = 29 * S
"""Length of an array of coefficients."""


class Face(NamedTuple):
    """Facets of a master at a state, and T (k, 9) of their shape functions.

    Positions and velocities of the nodes are (n, 4); the last column is not used. `angular` tells
    whether some facets are sharp.
    """

    mesh: FacetMesh
    rates: Floats
    shape: Floats
    centres: Floats
    angular: bool


class PointsOnFacets(NamedTuple):
    """Projections of points, block by block: facet, state, gap (p,), local coordinates, normals.

    `local` (blocks * 2 * BLOCK,) and `normal` (blocks * 3 * BLOCK,) hold per block all first
    components, then all second ones.
    """

    facet: Integers
    state: Integers
    local: Floats
    normal: Floats
    gap: Floats


class Track(NamedTuple):
    """Projections at the start of a step, and those at its end."""

    old: PointsOnFacets
    new: PointsOnFacets


@kernel(fastmath=True)
def block_of(projected: PointsOnFacets, block: int, count: int) -> PointsOnFacets:
    """Projections of one block: facets and states of as many points, the other rows whole."""
    first = block * B
    return PointsOnFacets(
        projected.facet[first : first + count], projected.state[first : first + count],
        projected.local[2 * first : 2 * first + 2 * B],
        projected.normal[3 * first : 3 * first + 3 * B], projected.gap[first : first + B],
    )  # fmt: skip


@kernel(fastmath=True)
def named_face(face: tuple[Any, ...]) -> Face:
    """Facets from plain tuples, which Python hands over faster than named ones."""
    return Face(FacetMesh(*face[0]), face[1], face[2], face[3], face[4])


@kernel(fastmath=True)
def named_track(track: tuple[Any, Any]) -> Track:
    """Projections from plain tuples."""
    return Track(PointsOnFacets(*track[0]), PointsOnFacets(*track[1]))


@kernel(fastmath=True)
def fetch(face: Face, values: Floats, facet: Integers, c: Floats) -> None:
    """Coefficients of the facets of the points to the rows of c, from values (n, 4) of nodes.

    Once for neighbouring points on the same facet; c is (WORK,).
    """
    first, count, terms = 0, len(facet), c[ONE:]
    while first < count:
        at, last = facet[first], first + 1
        while last < count and facet[last] == at:
            last += 1
        blend_terms(values, face.mesh.facets[np.uint64(at)], face.shape, terms)
        for m in range(3):
            _repeat(terms[m:], first, last, c[m * TERMS * S :])
        first = last


@kernel(fastmath=True)
def _repeat(terms: Floats, first: int, last: int, rows: Floats) -> None:
    """Take every fourth of the terms to its row, for the points from `first` to before `last`.

    Points behind them may be overwritten: theirs follow.
    """
    a, b, d, e = terms[0], terms[4], terms[8], terms[12]
    f, g, h, p, q = terms[16], terms[20], terms[24], terms[28], terms[32]
    i = first
    while last - i > 2:
        fill_rows(rows, i, S, (a, b, d, e, f, g, h, p, q))
        i += LONG
    while i < last:
        rows[i], rows[S + i], rows[2 * S + i] = a, b, d
        rows[3 * S + i], rows[4 * S + i], rows[5 * S + i] = e, f, g
        rows[6 * S + i], rows[7 * S + i], rows[8 * S + i] = h, p, q
        i += 1


@kernel(fastmath=True)
def derivatives(
    c: Floats, k: int, i: int, x: float, y: float
) -> tuple[float, float, float, float, float, float]:
    """Component at rows k on, of point i: position, slopes x_1, x_2, bends x_11, x_22, x_12."""
    a, b, d = c[k + i], c[k + S + i], c[k + 2 * S + i]
    e, f, g = c[k + 3 * S + i], c[k + 4 * S + i], c[k + 5 * S + i]
    h, m, n = c[k + 6 * S + i], c[k + 7 * S + i], c[k + 8 * S + i]
    p0, p1, p2 = a + y * (b + y * d), e + y * (f + y * g), h + y * (m + y * n)
    y2, x2 = 2.0 * y, 2.0 * x
    s0, s1, s2 = b + y2 * d, f + y2 * g, m + y2 * n
    return (
        p0 + x * (p1 + x * p2),
        p1 + x2 * p2,
        s0 + x * (s1 + x * s2),
        2.0 * p2,
        2.0 * (d + x * (g + x * n)),
        s1 + x2 * s2,
    )


@kernel(fastmath=True)
def positions_in(c: Floats, local: Floats, count: int, result: Floats) -> None:
    """Values (3 * BLOCK,) at local points of facets with the coefficients c, in `count` lanes."""
    for k in range(3):
        for i in range(count):
            at, x, y = k * TERMS * S + i, local[i], local[B + i]
            p0 = c[at] + y * (c[at + S] + y * c[at + 2 * S])
            p1 = c[at + 3 * S] + y * (c[at + 4 * S] + y * c[at + 5 * S])
            p2 = c[at + 6 * S] + y * (c[at + 7 * S] + y * c[at + 8 * S])
            result[k * B + i] = p0 + x * (p1 + x * p2)


@kernel(fastmath=True)
def carried(
    face: Face, c: Floats, facet: Integers, old: Integers, local: Floats, result: Floats
) -> None:
    """Positions (3 * BLOCK,) of material points of the facets `old`; c is that of `facet`."""
    positions_in(c, local, len(facet), result)
    for i in range(len(facet)):
        if old[i] != facet[i]:
            x, y, z = 0.0, 0.0, 0.0
            for a in range(face.mesh.facets.shape[1]):
                weight = _weight(face.shape[a], local[i], local[B + i])
                node = face.mesh.nodes[face.mesh.facets[old[i], a]]
                x, y, z = x + weight * node[0], y + weight * node[1], z + weight * node[2]
            result[i], result[B + i], result[2 * B + i] = x, y, z


@kernel(fastmath=True)
def _weight(t: Floats, x: float, y: float) -> float:
    """Shape function of one node."""
    p0, p1 = t[0] + y * (t[1] + y * t[2]), t[3] + y * (t[4] + y * t[5])
    return p0 + x * (p1 + x * (t[6] + y * (t[7] + y * t[8])))


@kernel(fastmath=True)
def weigh(T: Floats, local: Floats, count: int, weights: Floats) -> None:
    """Shape functions (k * BLOCK,) of the nodes at the positions of a block, in `count` lanes."""
    for a in range(len(T)):
        t, own = T[a], weights[a * B : a * B + B]
        for i in range(count):
            own[i] = _weight(t, local[i], local[B + i])


@kernel(fastmath=True)
def velocities(face: Face, facet: Integers, weights: Floats, result: Floats) -> None:
    """Velocities (3 * BLOCK,) of the material at the projection points of a block."""
    for i in range(len(facet)):
        x, y, z = blended(face.rates, face.mesh.facets[np.uint64(facet[i])], weights, i, B)
        result[i], result[B + i], result[2 * B + i] = x, y, z


@kernel(fastmath=True)
def spread(
    face: Face, size: int, projected: PointsOnFacets, force: Floats, weights: Floats, result: Floats
) -> None:
    """Forces (n, 4) on the nodes, from those of all points at their projections, in their order.

    `weights` (k * BLOCK,) is working space.
    """
    result[:] = 0.0
    for first in range(0, size, B):
        count = min(B, size - first)
        weigh(face.shape, projected.local[2 * first : 2 * first + 2 * B], count, weights)
        own = force[3 * first : 3 * first + 3 * B]
        for i in range(count):
            members = face.mesh.facets[np.uint64(projected.facet[first + i])]
            x, y, z = own[i], own[B + i], own[2 * B + i]
            for a in range(len(members)):
                add_vector(result, members[a], weights[a * B + i], x, y, z)
