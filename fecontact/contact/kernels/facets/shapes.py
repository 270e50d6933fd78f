"""Compiled shape functions of facets with 3, 4, 6, 8 or 9 nodes, in the node order of VTK.

Triangles live on xi, eta >= 0, xi + eta <= 1, quadrilaterals on -1 <= xi, eta <= 1. Edge j runs
from corner j to the next one. `shape` (6, k) receives N, N_xi, N_eta, N_xi_xi, N_eta_eta, N_xi_eta.
"""

from __future__ import annotations

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["NODE_COUNTS", "corners", "edge_point", "outside", "shape_functions"]

NODE_COUNTS = (3, 4, 6, 8, 9)

XI = (-1.0, 1.0, 1.0, -1.0, 0.0, 1.0, 0.0, -1.0, 0.0)
ETA = (-1.0, -1.0, 1.0, 1.0, -1.0, 0.0, 1.0, 0.0, 0.0)


@kernel
def corners(count: int) -> int:
    """Number of corners of a facet with `count` nodes."""
    return 3 if count == 3 or count == 6 else 4


@kernel
def shape_functions(count: int, xi: float, eta: float, shape: Floats) -> None:
    """Fill `shape` (6, count) at (xi, eta)."""
    if count == 3 or count == 6:
        _triangle(count, xi, eta, shape)
    elif count == 9:
        _lagrange(xi, eta, shape)
    else:
        _serendipity(count, xi, eta, shape)


@kernel
def _triangle(count: int, xi: float, eta: float, shape: Floats) -> None:
    areas = (1.0 - xi - eta, xi, eta)
    d1, d2 = (-1.0, 1.0, 0.0), (-1.0, 0.0, 1.0)
    for a in range(3):
        L = areas[a]
        quadratic = count == 6
        slope = 4.0 * L - 1.0 if quadratic else 1.0
        bend = 4.0 if quadratic else 0.0
        shape[0, a] = L * (2.0 * L - 1.0) if quadratic else L
        shape[1, a], shape[2, a] = slope * d1[a], slope * d2[a]
        shape[3, a], shape[4, a] = bend * d1[a] * d1[a], bend * d2[a] * d2[a]
        shape[5, a] = bend * d1[a] * d2[a]
        if quadratic:
            b = (a + 1) % 3
            shape[0, a + 3] = 4.0 * L * areas[b]
            shape[1, a + 3] = 4.0 * (L * d1[b] + areas[b] * d1[a])
            shape[2, a + 3] = 4.0 * (L * d2[b] + areas[b] * d2[a])
            shape[3, a + 3] = 8.0 * d1[a] * d1[b]
            shape[4, a + 3] = 8.0 * d2[a] * d2[b]
            shape[5, a + 3] = 4.0 * (d1[a] * d2[b] + d2[a] * d1[b])


@kernel
def _serendipity(count: int, xi: float, eta: float, shape: Floats) -> None:
    for a in range(4):
        s, t = 1.0 + XI[a] * xi, 1.0 + ETA[a] * eta
        if count == 4:
            shape[0, a] = 0.25 * s * t
            shape[1, a], shape[2, a] = 0.25 * XI[a] * t, 0.25 * ETA[a] * s
            shape[3, a] = shape[4, a] = 0.0
            shape[5, a] = 0.25 * XI[a] * ETA[a]
        else:
            shape[0, a] = 0.25 * s * t * (s + t - 3.0)
            shape[1, a] = 0.25 * XI[a] * t * (2.0 * s + t - 3.0)
            shape[2, a] = 0.25 * ETA[a] * s * (s + 2.0 * t - 3.0)
            shape[3, a], shape[4, a] = 0.5 * t, 0.5 * s
            shape[5, a] = 0.25 * XI[a] * ETA[a] * (2.0 * (s + t) - 3.0)
    for a in range(4, count):
        s, t = 1.0 + XI[a] * xi, 1.0 + ETA[a] * eta
        if a % 2 == 0:  # on the edges eta = -1 and 1
            shape[0, a] = 0.5 * (1.0 - xi * xi) * t
            shape[1, a], shape[2, a] = -xi * t, 0.5 * (1.0 - xi * xi) * ETA[a]
            shape[3, a], shape[4, a], shape[5, a] = -t, 0.0, -xi * ETA[a]
        else:
            shape[0, a] = 0.5 * (1.0 - eta * eta) * s
            shape[1, a], shape[2, a] = 0.5 * (1.0 - eta * eta) * XI[a], -eta * s
            shape[3, a], shape[4, a], shape[5, a] = 0.0, -s, -eta * XI[a]


@kernel
def _lagrange(xi: float, eta: float, shape: Floats) -> None:
    for a in range(9):
        f, df, ddf = _parabola(XI[a], xi)
        g, dg, ddg = _parabola(ETA[a], eta)
        shape[0, a], shape[1, a], shape[2, a] = f * g, df * g, f * dg
        shape[3, a], shape[4, a], shape[5, a] = ddf * g, f * ddg, df * dg


@kernel
def _parabola(node: float, x: float) -> tuple[float, float, float]:
    """Quadratic function that is 1 at `node` and 0 at the others of -1, 0, 1."""
    if node == 0.0:
        return 1.0 - x * x, -2.0 * x, -2.0
    return 0.5 * x * (x + node), x + 0.5 * node, 1.0


@kernel
def outside(count: int, edge: int, xi: float, eta: float) -> float:
    """How far (xi, eta) lies beyond an edge; negative inside."""
    if count == 3 or count == 6:
        return -eta if edge == 0 else xi + eta - 1.0 if edge == 1 else -xi
    if edge % 2 == 0:
        return (-eta if edge == 0 else eta) - 1.0
    return (xi if edge == 1 else -xi) - 1.0


@kernel
def edge_point(count: int, edge: int, s: float) -> tuple[float, float, float, float]:
    """Point (xi, eta) at 0 <= s <= 1 along an edge, and its derivative by s."""
    if count == 3 or count == 6:
        if edge == 0:
            return s, 0.0, 1.0, 0.0
        return (1.0 - s, s, -1.0, 1.0) if edge == 1 else (0.0, 1.0 - s, 0.0, -1.0)
    b = (edge + 1) % 4
    d1, d2 = XI[b] - XI[edge], ETA[b] - ETA[edge]
    return XI[edge] + s * d1, ETA[edge] + s * d2, d1, d2
