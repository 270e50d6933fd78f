"""Compiled facets as polynomials, for many points at once.

Every facet is x(xi, eta) = sum c_ab xi^a eta^b with a, b = 0, 1, 2; the coefficients of a facet
follow from its nodes, c = T x. So all kinds of facets share one code, and a block of points is
evaluated by loops along neighbours in memory: row k of an array `c` holds the k-th of the 27
coefficients (component, a, b) of the facets under the points.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fecontact.contact._fused_laws import BLOCK
from fecontact.solvers.compiled import streaming
from fecontact.typing import Floats, Integers

__all__ = [
    "TERMS",
    "Face",
    "Feet",
    "coefficients",
    "derivatives",
    "fetch",
    "material",
    "moments",
    "spread",
]

B = BLOCK
TERMS = 9
"""Coefficients of a component."""

S = BLOCK + 8
"""Length of a row of coefficients: rows of a power of two would share few lines of the cache."""


class Face(NamedTuple):
    """Facets of a master, see `Facets`; nodes and coefficients (f, 27) at a state.

    `angular` tells whether some facets are sharp.
    """

    nodes: Floats
    facets: Integers
    centres: Floats
    first: Integers
    around: Integers
    border: npt.NDArray[np.bool_]
    sharp: npt.NDArray[np.bool_]
    angular: bool
    places: Floats
    rates: Floats


class Feet(NamedTuple):
    """Feet of points, block by block: facet, state (p,), local coordinates, normals.

    `local` (blocks * 2 * BLOCK,) and `normal` (blocks * 3 * BLOCK,) hold per block all first
    components, then all second ones.
    """

    facet: Integers
    state: Integers
    local: Floats
    normal: Floats


@streaming
def coefficients(T: Floats, facets: Integers, values: Floats, result: Floats) -> None:
    """Coefficients (f, 27) of the facets, from values (n, 3) of the nodes and T (k, 9)."""
    for f in range(len(facets)):
        for m in range(3):
            a = b = c = d = e = g = h = i = j = 0.0
            for node in range(facets.shape[1]):
                x, t = values[facets[f, node], m], T[node]
                a, b, c = a + t[0] * x, b + t[1] * x, c + t[2] * x
                d, e, g = d + t[3] * x, e + t[4] * x, g + t[5] * x
                h, i, j = h + t[6] * x, i + t[7] * x, j + t[8] * x
            row = result[f, m * TERMS : m * TERMS + TERMS]
            row[0], row[1], row[2], row[3], row[4] = a, b, c, d, e
            row[5], row[6], row[7], row[8] = g, h, i, j


@streaming
def spread(T: Floats, facets: Integers, moments: Floats, result: Floats) -> None:
    """Forces (n, 3) on nodes, from those on the coefficients: the transpose of `coefficients`."""
    result[:] = 0.0
    for f in range(len(facets)):
        for m in range(3):
            row = moments[f, m * TERMS : m * TERMS + TERMS]
            a, b, c, d, e = row[0], row[1], row[2], row[3], row[4]
            g, h, i, j = row[5], row[6], row[7], row[8]
            for node in range(facets.shape[1]):
                t = T[node]
                total = (t[0] * a + t[1] * b + t[2] * c) + (t[3] * d + t[4] * e + t[5] * g)
                result[facets[f, node], m] += total + (t[6] * h + t[7] * i + t[8] * j)


@streaming
def fetch(places: Floats, facet: Integers, c: Floats) -> None:
    """Coefficients of the facets of the points to the rows of c."""
    for i in range(B):
        row = places[facet[i]]
        for k in range(3):
            for j in range(TERMS):
                c[(k * TERMS + j) * S + i] = row[k * TERMS + j]


@streaming
def derivatives(
    c: Floats, k: int, i: int, x: float, y: float
) -> tuple[float, float, float, float, float, float]:
    """Component at rows k on, of point i: place, slopes x_1, x_2, bends x_11, x_22, x_12."""
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


@streaming
def material(values: Floats, facet: Integers, local: Floats, result: Floats) -> None:
    """Values (3 * BLOCK,) at places of facets, from the coefficients of the facets."""
    for i in range(B):
        x, y, row = local[i], local[B + i], values[facet[i]]
        for k in range(3):
            c = row[k * TERMS : k * TERMS + TERMS]
            p0, p1 = c[0] + y * (c[1] + y * c[2]), c[3] + y * (c[4] + y * c[5])
            result[k * B + i] = p0 + x * (p1 + x * (c[6] + y * (c[7] + y * c[8])))


@streaming
def moments(size: int, feet: Feet, force: Floats, result: Floats) -> None:
    """Forces (f, 27) on the coefficients of facets, from those of the points at the feet."""
    result[:] = 0.0
    for p in range(size):
        block, i = p // B, p % B
        x, y = feet.local[2 * block * B + i], feet.local[2 * block * B + B + i]
        facet = result[feet.facet[p]]
        for m in range(3):
            f, row = force[(3 * block + m) * B + i], facet[m * TERMS : m * TERMS + TERMS]
            fx, fy = f * x, f * y
            fxx, fyy = fx * x, fy * y
            row[0] += f
            row[1] += fy
            row[2] += fyy
            row[3] += fx
            row[4] += fx * y
            row[5] += fyy * x
            row[6] += fxx
            row[7] += fxx * y
            row[8] += fyy * x * x
