"""Compiled rigid surfaces: signed distance, normal and curvature at the positions of a block."""

from __future__ import annotations

from math import sqrt

import numpy as np

from fecontact.contact.kernels.lanes import lanes
from fecontact.contact.kernels.layout import BEND, BLOCK, GAP, N, Y
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["CONE", "CYLINDER", "PLANE", "RING", "SPHERE", "TORUS", "curvature", "distance"]

PLANE, RING, SPHERE, CYLINDER, CONE, TORUS = range(6)
B = BLOCK


@kernel(fastmath=True)
def distance(code: int, par: Floats, w: Floats) -> bool:
    """Signed distance and normal of the positions Y; False if a position has no normal.

    `par` is: normal and offset of a plane; inner, outer radius and height of a ring; centre,
    radius, sign of a sphere (sign -1: hollow); radius, sign of a cylinder; cosine, sine, sign of
    a cone; radius and section of a torus.
    """
    if code == PLANE:
        a, b, c, d = par[0], par[1], par[2], par[3]
        for i in range(lanes(w)):
            w[N + i], w[N + B + i], w[N + 2 * B + i] = a, b, c
            w[GAP + i] = (a * w[Y + i] + b * w[Y + B + i] + c * w[Y + 2 * B + i]) - d
    elif code == RING:
        inner, outer, height = par[0], par[1], par[2]
        for i in range(lanes(w)):
            w[N + i], w[N + B + i], w[N + 2 * B + i] = 0.0, 0.0, 1.0
            r = sqrt(w[Y + i] ** 2 + w[Y + B + i] ** 2)
            beside = r < inner or r > outer
            w[GAP + i] = np.inf if beside else w[Y + 2 * B + i] - height
    elif code == SPHERE:
        return _round(par[0], par[1], par[2], 1.0, par[3], par[4], w)
    elif code == CYLINDER:
        return _round(0.0, 0.0, 0.0, 0.0, par[0], par[1], w)
    elif code == CONE:
        if not _round(0.0, 0.0, 0.0, 0.0, 0.0, 1.0, w):
            return False
        c, s = par[2] * par[0], par[2] * par[1]
        for i in range(lanes(w)):
            w[GAP + i] = c * w[GAP + i] - s * w[Y + 2 * B + i]
            w[N + i] *= c
            w[N + B + i] *= c
            w[N + 2 * B + i] = -s
    else:
        if not _round(0.0, 0.0, 0.0, 0.0, par[0], 1.0, w):
            return False
        return _torus(par[1], w)
    return True


@kernel(fastmath=True)
def _round(
    c0: float, c1: float, c2: float, full: float, radius: float, sign: float, w: Floats
) -> bool:
    """Distance from |r| = radius, r from the centre; `full` = 0: from the z axis.

    A point on the axis of a hollow (`sign` -1) is far from its wall: any normal will do.
    """
    least, axis = np.inf, 1e-12 * max(radius, 1e-9)
    for i in range(lanes(w)):
        a, b, c = w[Y + i] - c0, w[Y + B + i] - c1, full * (w[Y + 2 * B + i] - c2)
        size = sqrt(a * a + b * b + c * c)
        least = min(least, size)
        w[GAP + i] = sign * (size - radius)
        centred = sign < 0.0 and size <= axis
        inverse = 0.0 if centred else sign / size
        w[N + i] = -1.0 if centred else inverse * a
        w[N + B + i], w[N + 2 * B + i] = inverse * b, inverse * c
    return sign < 0.0 or least > axis


@kernel(fastmath=True)
def _torus(section: float, w: Floats) -> bool:
    """From distance and normal of the centre line's cylinder to those of the torus."""
    least = np.inf
    for i in range(lanes(w)):
        a, b, c = w[GAP + i] * w[N + i], w[GAP + i] * w[N + B + i], w[Y + 2 * B + i]
        size = sqrt(a * a + b * b + c * c)
        least = min(least, size)
        w[GAP + i] = size - section
        w[N + i], w[N + B + i], w[N + 2 * B + i] = a / size, b / size, c / size
    return least > 1e-12 * max(section, 1e-9)


@kernel(fastmath=True)
def curvature(code: int, par: Floats, w: Floats) -> None:
    """Derivative of the normal of a shape that is not flat, by the position; after `distance`.

    Sphere and cylinder: (1 - n n^T)/r, the 1 of the cylinder across its axis; the others follow
    from that of the cylinder.
    """
    if code in (SPHERE, CYLINDER):
        full = 1.0 if code == SPHERE else 0.0
        c0, c1, c2 = (par[0], par[1], par[2]) if code == SPHERE else (0.0, 0.0, 0.0)
        sign = par[4] if code == SPHERE else par[1]
        for i in range(lanes(w)):
            x, y, z = w[Y + i] - c0, w[Y + B + i] - c1, full * (w[Y + 2 * B + i] - c2)
            _bend(sign * _inverse(sqrt(x * x + y * y + z * z)), full, i, w)
    elif code == CONE:
        slope = par[2] * par[0]
        for i in range(lanes(w)):
            m0, m1 = w[N + i] / slope, w[N + B + i] / slope
            k = slope * _inverse(sqrt(w[Y + i] ** 2 + w[Y + B + i] ** 2))
            w[BEND + i], w[BEND + B + i] = k * (1.0 - m0 * m0), -k * m0 * m1
            w[BEND + 3 * B + i] = k * (1.0 - m1 * m1)
            w[BEND + 2 * B + i] = w[BEND + 4 * B + i] = w[BEND + 5 * B + i] = 0.0
    else:
        for i in range(lanes(w)):
            x, y, z = w[Y + i], w[Y + B + i], w[Y + 2 * B + i]
            r = sqrt(x * x + y * y)
            back = _inverse(r)
            k, m0, m1 = _inverse(sqrt((r - par[0]) ** 2 + z * z)), x * back, y * back
            around = -k * par[0] * back  # k ((r - R)/r - 1), in the plane and across m
            _bend(k, 1.0, i, w)
            w[BEND + i] += around * (1.0 - m0 * m0)
            w[BEND + B + i] -= around * m0 * m1
            w[BEND + 3 * B + i] += around * (1.0 - m1 * m1)


@kernel(fastmath=True)
def _inverse(distance: float) -> float:
    """1/distance; 0 in a centre, where the normal is one of many and is kept."""
    return 1.0 / (distance if distance > 0.0 else 1.0) if distance > 0.0 else 0.0


@kernel(fastmath=True)
def _bend(k: float, full: float, i: int, w: Floats) -> None:
    """Curvature k (1 - n n^T) of point i; `full` = 0: the 1 without its zz."""
    n0, n1, n2 = w[N + i], w[N + B + i], w[N + 2 * B + i]
    w[BEND + i], w[BEND + B + i] = k * (1.0 - n0 * n0), -k * n0 * n1
    w[BEND + 2 * B + i], w[BEND + 3 * B + i] = -k * n0 * n2, k * (1.0 - n1 * n1)
    w[BEND + 4 * B + i], w[BEND + 5 * B + i] = -k * n1 * n2, k * (full - n2 * n2)
