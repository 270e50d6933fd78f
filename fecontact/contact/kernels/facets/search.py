"""Compiled closest-point projection on facets.

A point y has its projection point x(xi, eta) on a facet where t_a . (y - x) = 0, t_a = dx/dxi_a;
Newton's matrix is t_a . t_b - (y - x) . x_ab. The facet is found by a walk: from the facet given,
as long as the projection point lies on its rim and a facet that shares a node is nearer. Facets
that share the edge or corner with the projection point are all at the same distance; of them the
one is taken over whose plane the point is highest (or deepest): gap and its sign are then
continuous around convex and concave edges. A projection point inside a facet is not yet the nearest
where surfaces meet in a sharp edge; there the neighbours are looked at too.

"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fecontact.contact.kernels.facets.shapes import corners, edge_point, outside, shape_functions
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = [
    "BEYOND",
    "FAR",
    "FOUND",
    "FacetMesh",
    "ProjectionPoints",
    "derive",
    "find_projections",
    "gather",
    "nearest_projection",
    "sample",
    "scatter",
]

FOUND, BEYOND, FAR = 0, 1, 2
"""State of a projection: on the surface, beyond its boundary, or too far from any facet."""

ITERATIONS = 30
WALK = 1000
EXTENSION = 0.5
"""How far, in local coordinates, a facet is continued over an inner edge."""

ON_BOUNDARY = 1e-7
"""Local distance up to which a projection point beyond the boundary counts as on it."""

SETTLED = 1e-10
"""Last step of Newton's iteration, in local coordinates; the error left is its square."""

SAME = 1e-12
"""Relative difference up to which two squared distances count as equal."""


class FacetMesh(NamedTuple):
    """Facets that meet in nodes.

    Attributes
    ----------
    nodes : (n, 3 or more)
        Positions of the nodes at a state.
    facets : (f, k)
        Nodes of the facets.
    first, around
        The facets around facet i are `around[first[i] : first[i + 1]]`.
    boundary : (f, corners)
        Edges without neighbour.
    sharp : (f,)
        Facets at a sharp edge or corner.
    """

    nodes: Floats
    facets: Integers
    first: Integers
    around: Integers
    boundary: npt.NDArray[np.bool_]
    sharp: npt.NDArray[np.bool_]


class ProjectionPoints(NamedTuple):
    """Projections: facet (p,), local coordinates (p, 2), state (p,), facets looked at (p,)."""

    facet: Integers
    local: Floats
    state: Integers
    visits: Integers


@kernel
def find_projections(y: Floats, mesh: FacetMesh, margin: float, found: ProjectionPoints) -> None:
    """Find the projections of points (p, 3), from the facets that are given as the found ones.

    These are kept where the projection point is beyond an inner edge by no more than `margin` in
    local coordinates.
    """
    shape, point = np.empty((6, mesh.facets.shape[1])), np.empty((6, 3))
    facet, local, state, visits = found
    for i in range(len(y)):
        facet[i], local[i, 0], local[i, 1], state[i], visits[i] = nearest_projection(
            y[i], facet[i], mesh, margin, shape, point
        )


@kernel
def nearest_projection(
    y: Floats, at: int, mesh: FacetMesh, margin: float, shape: Floats, point: Floats
) -> tuple[int, float, float, int, int]:
    """Facet, local coordinates and state of the projection of one point, and the facets looked at.

    The search begins at the facet `at`; `shape` (6, k) and `point` (6, 3) are working space.
    """
    nodes, facets, first, around, boundary, sharp = mesh
    count = facets.shape[1]
    xi, eta, best, height, inner = _closest(y, nodes, facets[at], shape, point)
    visits = 1
    if margin > 0.0 and not inner:
        free_xi, free_eta, converged = _project_on(y, nodes, facets[at], shape, point)
        if _state(count, boundary[at], free_xi, free_eta, converged, margin) == FOUND:
            return at, free_xi, free_eta, FOUND, visits
    for _ in range(WALK):
        if inner and not sharp[at]:
            break
        nearest, lower, tallest = at, best, height
        for j in range(first[at], first[at + 1]):
            other = around[j]
            _, _, distance, over, _ = _closest(y, nodes, facets[other], shape, point)
            visits += 1
            same = distance <= lower * (1.0 + SAME)
            if distance < lower * (1.0 - SAME) or (same and over > tallest * (1.0 + SAME)):
                nearest, lower, tallest = other, distance, over
        if nearest == at:
            break
        at = nearest
        xi, eta, best, height, inner = _closest(y, nodes, facets[at], shape, point)
    if inner:
        return at, xi, eta, FOUND, visits
    free_xi, free_eta, converged = _project_on(y, nodes, facets[at], shape, point)
    state = _state(count, boundary[at], free_xi, free_eta, converged, EXTENSION)
    if state == FOUND:
        xi, eta = free_xi, free_eta
    return at, xi, eta, state, visits


@kernel
def sample(count: int, local: Floats, shapes: Floats) -> None:
    """Shape functions and their derivatives (p, 6, count) at local coordinates (p, 2)."""
    for i in range(len(local)):
        shape_functions(count, local[i, 0], local[i, 1], shapes[i])


@kernel
def derive(members: Integers, shapes: Floats, values: Floats, result: Floats) -> None:
    """Values (p, 6, 3) and derivatives at projections, from values (n, 3) of nodes (p, k)."""
    for p in range(len(members)):
        result[p] = 0.0
        for a in range(members.shape[1]):
            v = values[members[p, a]]
            for k in range(6):
                for i in range(3):
                    result[p, k, i] += shapes[p, k, a] * v[i]


@kernel
def gather(members: Integers, shapes: Floats, values: Floats, result: Floats) -> None:
    """Values (p, 3) at projection points, from values (n, 3) of the nodes (p, k) there."""
    for p in range(len(members)):
        result[p] = 0.0
        for a in range(members.shape[1]):
            for i in range(3):
                result[p, i] += shapes[p, 0, a] * values[members[p, a], i]


@kernel
def scatter(members: Integers, shapes: Floats, forces: Floats, result: Floats) -> None:
    """Forces (n, 3) on nodes, from forces (p, 3) at projections: the transpose of `gather`."""
    result[:] = 0.0
    for p in range(len(members)):
        for a in range(members.shape[1]):
            for i in range(3):
                result[members[p, a], i] += shapes[p, 0, a] * forces[p, i]


@kernel
def _state(
    count: int,
    boundary: npt.NDArray[np.bool_],
    xi: float,
    eta: float,
    converged: bool,
    extension: float,
) -> int:
    """State of a projection that lies outside of its facet, which is continued by an extension."""
    furthest = -inf
    for edge in range(corners(count)):
        beyond = outside(count, edge, xi, eta)
        if boundary[edge] and beyond > ON_BOUNDARY:
            return BEYOND
        furthest = max(furthest, beyond)
    return FOUND if converged and furthest <= extension else FAR


@kernel
def _closest(
    y: Floats, nodes: Floats, facet: Integers, shape: Floats, point: Floats
) -> tuple[float, float, float, float, bool]:
    """Nearest point of one facet: local coordinates, squared distance, squared height, inside.

    The height is that over the plane of the facet there.
    """
    count = len(facet)
    xi, eta, converged = _project_on(y, nodes, facet, shape, point)
    if converged:
        inner = True
        for edge in range(corners(count)):
            inner = inner and outside(count, edge, xi, eta) <= 0.0
        if inner:
            distance = _distance(y, point)
            return xi, eta, distance, distance, True
    best = inf
    xi = eta = 0.0
    for edge in range(corners(count)):
        s = _on_edge(y, nodes, facet, edge, shape, point)
        distance = _distance(y, point)
        if distance < best:
            best = distance
            xi, eta, _, _ = edge_point(count, edge, s)
    _evaluate(nodes, facet, xi, eta, shape, point)
    return xi, eta, best, _height(y, point), False


@kernel
def _project_on(
    y: Floats, nodes: Floats, facet: Integers, shape: Floats, point: Floats
) -> tuple[float, float, bool]:
    """Newton's iteration for the projection point on the facet continued over its edges.

    `point` is left there, up to the last step.
    """
    triangle = corners(len(facet)) == 3
    xi = eta = 1.0 / 3.0 if triangle else 0.0
    low, high = (-1.0, 2.0) if triangle else (-2.0, 2.0)
    for _ in range(ITERATIONS):
        _evaluate(nodes, facet, xi, eta, shape, point)
        b1 = b2 = a11 = a22 = a12 = c11 = c22 = c12 = 0.0
        for i in range(3):
            d = y[i] - point[0, i]
            b1 += point[1, i] * d
            b2 += point[2, i] * d
            a11 += point[1, i] * point[1, i]
            a22 += point[2, i] * point[2, i]
            a12 += point[1, i] * point[2, i]
            c11 += d * point[3, i]
            c22 += d * point[4, i]
            c12 += d * point[5, i]
        det = (a11 - c11) * (a22 - c22) - (a12 - c12) ** 2
        if det > 0.1 * (a11 * a22 - a12 * a12) and a11 > c11:
            a11, a22, a12 = a11 - c11, a22 - c22, a12 - c12
        else:
            det = a11 * a22 - a12 * a12  # Gauss-Newton, where Newton would leave
        step1, step2 = (a22 * b1 - a12 * b2) / det, (a11 * b2 - a12 * b1) / det
        new1 = min(max(xi + step1, low), high)
        new2 = min(max(eta + step2, low), high)
        moved = max(abs(new1 - xi), abs(new2 - eta))
        clamped = new1 != xi + step1 or new2 != eta + step2
        xi, eta = new1, new2
        if moved < SETTLED:
            return xi, eta, not clamped
    return xi, eta, False


@kernel
def _on_edge(
    y: Floats, nodes: Floats, facet: Integers, edge: int, shape: Floats, point: Floats
) -> float:
    """Parameter 0 <= s <= 1 of the nearest point of an edge; `point` is left there."""
    count, s = len(facet), 0.5
    for _ in range(ITERATIONS):
        xi, eta, d1, d2 = edge_point(count, edge, s)
        _evaluate(nodes, facet, xi, eta, shape, point)
        b = a = c = 0.0
        for i in range(3):
            t = d1 * point[1, i] + d2 * point[2, i]
            bend = d1 * d1 * point[3, i] + d2 * d2 * point[4, i] + 2.0 * d1 * d2 * point[5, i]
            d = y[i] - point[0, i]
            b, a, c = b + t * d, a + t * t, c + bend * d
        new = min(max(s + b / (a - c if a - c > 0.1 * a else a), 0.0), 1.0)
        moved = abs(new - s)
        s = new
        if moved < SETTLED:
            break
    xi, eta, _, _ = edge_point(count, edge, s)
    _evaluate(nodes, facet, xi, eta, shape, point)
    return s


@kernel
def _evaluate(
    nodes: Floats, facet: Integers, xi: float, eta: float, shape: Floats, point: Floats
) -> None:
    """Position and its derivatives (6, 3) in a facet."""
    shape_functions(len(facet), xi, eta, shape)
    point[:] = 0.0
    for a in range(len(facet)):
        x, y, z = nodes[facet[a], 0], nodes[facet[a], 1], nodes[facet[a], 2]
        for k in range(6):
            N = shape[k, a]
            point[k, 0] += N * x
            point[k, 1] += N * y
            point[k, 2] += N * z


@kernel
def _distance(y: Floats, point: Floats) -> float:
    """Squared distance."""
    return (y[0] - point[0, 0]) ** 2 + (y[1] - point[0, 1]) ** 2 + (y[2] - point[0, 2]) ** 2


@kernel
def _height(y: Floats, point: Floats) -> float:
    """Squared height over the plane of the slopes t_1, t_2."""
    a, b, c = point[1, 0], point[1, 1], point[1, 2]
    d, e, f = point[2, 0], point[2, 1], point[2, 2]
    n1, n2, n3 = b * f - c * e, c * d - a * f, a * e - b * d
    size = n1 * n1 + n2 * n2 + n3 * n3
    height = n1 * (y[0] - point[0, 0]) + n2 * (y[1] - point[0, 1]) + n3 * (y[2] - point[0, 2])
    return height * height / size
