"""Compiled projection points of a block of points on facets that are polynomials.

Newton's iteration is that of `contact.kernels.facets.search`, from a guess, for all points at once.
A projection point counts here only if it lies inside of the first facet, which does not meet others
at an angle; other points are left to `nearest_projection`. The search begins at the facet with the
nearest centre, which is remembered as in `contact.master.search`.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from fecontact.contact.kernels.facets.polynomials import LAST, Face, S, derivatives, fetch
from fecontact.contact.kernels.facets.search import BEYOND, FOUND, nearest_projection
from fecontact.contact.kernels.facets.shapes import corners, outside
from fecontact.contact.kernels.lanes import lanes
from fecontact.contact.kernels.layout import BLOCK, GAP, N, Y
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = [
    "HERE",
    "NEIGHBOURS",
    "Starts",
    "look_near",
    "measure",
    "nearest_of",
    "project",
    "start_facets",
]

B = BLOCK
NEIGHBOURS = 8
"""Centres that are kept for each point: as many facets may meet in a node."""
HERE = float(np.finfo(float).tiny)
"""Squared distance that only a point which has not moved is within."""
ITERATIONS = 12
SETTLED = 1e-9
"""Last step of Newton's iteration, in local coordinates; the error left is its square."""


class Starts(NamedTuple):
    """Where the search for projection points begins (`contact.master.search.look_up`).

    Attributes
    ----------
    positions : (blocks * 3 * BLOCK,)
        Where the points were looked up, block by block.
    near, wide : (p,)
        How far, squared, a point may be from there until another centre than the first, than
        those remembered, can be the nearest; -1 for points to look up.
    facets : (p, 8)
        Facets with the nearest centres.
    """

    positions: Floats
    near: Floats
    wide: Floats
    facets: Integers


@kernel(fastmath=True)
def start_facets(starts: Starts, centres: Floats, block: int, w: Floats, facet: Integers) -> bool:
    """Facet with the nearest centre of each point at Y; False if some must be looked up.

    Those are left with their position and `wide` = -1.
    """
    first = block * B
    near, positions = (
        starts.near[first : first + B],
        starts.positions[3 * first : 3 * first + 3 * B],
    )
    nearest, away = starts.facets[first : first + B, 0], 0.0
    for i in range(lanes(w)):
        a, b = w[Y + i] - positions[i], w[Y + B + i] - positions[B + i]
        c = w[Y + 2 * B + i] - positions[2 * B + i]
        away += 0.0 if a * a + b * b + c * c < near[i] else 1.0
        facet[i] = nearest[i]
    return away == 0.0 or _look_around(starts, centres, block, w, facet)


@kernel(fastmath=True)
def _look_around(starts: Starts, centres: Floats, block: int, w: Floats, facet: Integers) -> bool:
    """As `start_facets`, for points of which some have another nearest centre."""
    known, first = True, block * B
    positions = starts.positions[3 * first : 3 * first + 3 * B]
    for i in range(lanes(w)):
        p = first + i
        x, y, z = w[Y + i], w[Y + B + i], w[Y + 2 * B + i]
        a, b, c = x - positions[i], y - positions[B + i], z - positions[2 * B + i]
        moved = a * a + b * b + c * c
        if moved < starts.near[p]:
            continue
        if moved < starts.wide[p]:
            facet[i] = _nearest(starts.facets[p], centres, x, y, z)
            continue
        positions[i], positions[B + i], positions[2 * B + i] = x, y, z
        starts.near[p] = starts.wide[p] = -1.0
        known = False
    return known


@kernel
def _nearest(facets: Integers, centres: Floats, x: float, y: float, z: float) -> int:
    """Facet with the nearest centre, of equal ones that of the lowest number; -1 are none."""
    best, least = facets[0], np.inf
    for f in facets:
        if f >= 0:
            a, b, c = x - centres[f, 0], y - centres[f, 1], z - centres[f, 2]
            d = a * a + b * b + c * c
            if d < least or (d == least and f < best):
                best, least = f, d
    return best


@kernel
def look_near(centres: Floats, starts: Starts) -> None:
    """Keep the nearest centres of the points to look up, as `contact.master.search.look_up`."""
    count = min(NEIGHBOURS + 1, len(centres))
    near, found = np.empty(count), np.empty(count, dtype=np.int64)
    for p in range(len(starts.wide)):
        if starts.wide[p] >= 0.0:
            continue
        at = 3 * B * (p // B) + p % B
        x, y, z = starts.positions[at], starts.positions[at + B], starts.positions[at + 2 * B]
        near[:] = np.inf
        for f in range(len(centres)):
            a, b, c = x - centres[f, 0], y - centres[f, 1], z - centres[f, 2]
            d, k = sqrt(a * a + b * b + c * c), count - 1
            if not d < near[k]:
                continue
            while k > 0 and d < near[k - 1]:
                near[k], found[k] = near[k - 1], found[k - 1]
                k -= 1
            near[k], found[k] = d, f
        starts.near[p] = (0.5 * (near[1] - near[0])) ** 2 if count > 1 else np.inf
        starts.wide[p] = np.inf
        if count > NEIGHBOURS:
            starts.wide[p] = max((0.5 * (near[NEIGHBOURS] - near[0])) ** 2, HERE)
        for k in range(min(NEIGHBOURS, count)):
            starts.facets[p, k] = found[k]


@kernel
def nearest_of(facets: Integers, centres: Floats, y: Floats, nearest: Integers) -> None:
    """Nearest of the facets (p, k) of each point y (p, 3), as `start_facets` finds it."""
    for i in range(len(y)):
        nearest[i] = _nearest(facets[i], centres, y[i, 0], y[i, 1], y[i, 2])


@kernel(fastmath=True)
def project(
    face: Face, w: Floats, facet: Integers, state: Integers, local: Floats, c: Floats
) -> None:
    """Projections of the points Y of a block: facet, state, local coordinates, normal N and gap G.

    `facet` and `local` hold the guess, `facet` of the lanes in use; `c` (WORK,) is working space.
    """
    triangle = face.mesh.boundary.shape[1] == 3
    state[:] = FOUND
    fetch(face, face.mesh.nodes, facet, c)
    _newton(triangle, c, w, local)
    if face.angular or _beyond(triangle, c, local, len(facet)) > 0.0:
        _search(face, w, facet, state, local, c)
    measure(c, local, state, w)


@kernel(fastmath=True)
def _beyond(triangle: bool, c: Floats, local: Floats, count: int) -> float:
    """Positive if a projection point lies outside of its facet, or is not settled."""
    worst = 0.0
    for i in range(count):
        x, y = local[i], local[B + i]
        if triangle:
            inner = x >= 0.0 and y >= 0.0 and x + y <= 1.0
        else:
            inner = abs(x) <= 1.0 and abs(y) <= 1.0
        worst += 0.0 if (inner and c[LAST + i] < SETTLED) else 1.0
    return worst


@kernel(fastmath=True, allocates=True)
def _search(
    face: Face, w: Floats, facet: Integers, state: Integers, local: Floats, c: Floats
) -> None:
    """Full search for points whose projection is outside of its facet or at a sharp edge."""
    count = face.mesh.facets.shape[1]
    shape, point, y = np.empty((6, count)), np.empty((6, 3)), np.empty(3)
    for i in range(len(facet)):
        inner = _inside(count, local[i], local[B + i]) and c[LAST + i] < SETTLED
        if not inner or face.mesh.sharp[facet[i]]:
            y[0], y[1], y[2] = w[Y + i], w[Y + B + i], w[Y + 2 * B + i]
            facet[i], local[i], local[B + i], state[i], _ = nearest_projection(
                y, facet[i], face.mesh, 0.0, shape, point
            )
    fetch(face, face.mesh.nodes, facet, c)


@kernel(fastmath=True)
def _inside(count: int, xi: float, eta: float) -> bool:
    """Whether a position is inside of its facet."""
    inner = True
    for edge in range(corners(count)):
        inner = inner and outside(count, edge, xi, eta) <= 0.0
    return inner


@kernel(fastmath=True)
def _newton(triangle: bool, c: Floats, w: Floats, local: Floats) -> None:
    """Projections on facets continued over their edges; the last steps are left in row 27 of c."""
    low, high = (-1.0, 2.0) if triangle else (-2.0, 2.0)
    for _ in range(ITERATIONS):
        for i in range(lanes(w)):
            xi, eta = local[i], local[B + i]
            x0, p0, q0, u0, v0, w0 = derivatives(c, 0, i, xi, eta)
            x1, p1, q1, u1, v1, w1 = derivatives(c, 9 * S, i, xi, eta)
            x2, p2, q2, u2, v2, w2 = derivatives(c, 18 * S, i, xi, eta)
            d0, d1, d2 = w[Y + i] - x0, w[Y + B + i] - x1, w[Y + 2 * B + i] - x2
            b1, b2 = p0 * d0 + p1 * d1 + p2 * d2, q0 * d0 + q1 * d1 + q2 * d2
            a11, a22 = p0 * p0 + p1 * p1 + p2 * p2, q0 * q0 + q1 * q1 + q2 * q2
            a12 = p0 * q0 + p1 * q1 + p2 * q2
            c11, c22 = d0 * u0 + d1 * u1 + d2 * u2, d0 * v0 + d1 * v1 + d2 * v2
            c12 = d0 * w0 + d1 * w1 + d2 * w2
            full = (a11 - c11) * (a22 - c22) - (a12 - c12) * (a12 - c12)
            flat = a11 * a22 - a12 * a12
            keep = 1.0 if (full > 0.1 * flat and a11 > c11) else 0.0
            a11, a22, a12 = a11 - keep * c11, a22 - keep * c22, a12 - keep * c12
            inverse = 1.0 / (a11 * a22 - a12 * a12)
            n1 = xi + (a22 * b1 - a12 * b2) * inverse
            n2 = eta + (a11 * b2 - a12 * b1) * inverse
            n1 = low if n1 < low else n1
            n2 = low if n2 < low else n2
            n1 = high if n1 > high else n1
            n2 = high if n2 > high else n2
            local[i], local[B + i] = n1, n2
            c[LAST + i] = abs(n1 - xi) + abs(n2 - eta)
        if _largest(c, lanes(w)) < SETTLED:
            break


@kernel(fastmath=True)
def _largest(c: Floats, count: int) -> float:
    """Largest of the last steps."""
    furthest = 0.0
    for i in range(count):
        furthest = max(furthest, c[LAST + i])
    return furthest


@kernel(fastmath=True)
def measure(c: Floats, local: Floats, state: Integers, w: Floats) -> None:
    """Unit normal N and gap G: the height over the facet, at its rim the true distance.

    Beyond the boundary of the surface it is infinite.
    """
    for i in range(lanes(w)):
        xi, eta = local[i], local[B + i]
        x0, p0, q0, _, _, _ = derivatives(c, 0, i, xi, eta)
        x1, p1, q1, _, _, _ = derivatives(c, 9 * S, i, xi, eta)
        x2, p2, q2, _, _, _ = derivatives(c, 18 * S, i, xi, eta)
        n0, n1, n2 = p1 * q2 - p2 * q1, p2 * q0 - p0 * q2, p0 * q1 - p1 * q0
        size = 1.0 / sqrt(n0 * n0 + n1 * n1 + n2 * n2)
        n0, n1, n2 = n0 * size, n1 * size, n2 * size
        w[N + i], w[N + B + i], w[N + 2 * B + i] = n0, n1, n2
        x0, x1, x2 = w[Y + i] - x0, w[Y + B + i] - x1, w[Y + 2 * B + i] - x2
        w[GAP + i] = n0 * x0 + n1 * x1 + n2 * x2
    for i in range(lanes(w)):
        if state[i] != FOUND:
            w[GAP + i] = np.inf if state[i] == BEYOND else _rim(c, local, w, i)


@kernel(fastmath=True)
def _rim(c: Floats, local: Floats, w: Floats, i: int) -> float:
    """True distance of a point from its projection on the rim, with the sign of its height."""
    total = 0.0
    for k in range(3):
        x, _, _, _, _, _ = derivatives(c, 9 * S * k, i, local[i], local[B + i])
        total += (w[Y + k * B + i] - x) ** 2
    return sqrt(total) if w[GAP + i] >= 0.0 else -sqrt(total)
