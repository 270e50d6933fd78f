"""Compiled field of a spinning plate: deflection, slopes and curvatures anywhere, and its loads.

The radial functions are cubics on the intervals of the plate's nodes, so a field W q is

    w(r, phi) = sum_k  A_k(r) cos k phi + B_k(r) sin k phi,      A_k, B_k cubic per interval.

`field_of` adds up the cubics once per vector q; a point then costs two of them per harmonic.
`add_load` and `loads_of` are the transposed operations.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = [
    "Plate",
    "add_load",
    "bends_at",
    "field_of",
    "loads_of",
    "projection_of",
    "shapes_at",
    "slopes_at",
]

PROJECTION_ITERATIONS = 20
SAME = 1e-14
"""Defect of a projection point relative to the size of the surface."""
BEYOND = 1e-9
"""How far a projection point may lie outside the plate, relative to its outer radius."""


class Plate(NamedTuple):
    """Shapes of a plate with m coordinates, as `HarmonicModel` has them.

    Attributes
    ----------
    breaks : (intervals + 1,)
        Radii of the nodes.
    cubics : (intervals, m, 4)
        Radial functions per coordinate, the cubic term first.
    harmonic, sine : (m,)
        Nodal diameters of a coordinate; 1 for a sine, 0 for a cosine.
    speed, lever
        Omega in rad/s; distance of the face from the mid-surface.
    """

    breaks: Floats
    cubics: Floats
    harmonic: Integers
    sine: Integers
    speed: float
    lever: float


@kernel(fastmath=True)
def field_of(plate: Plate, q: Floats, field: Floats) -> None:
    """Cubics (intervals, harmonics, 2, 4) of W q."""
    field[:] = 0.0
    for j in range(len(plate.cubics)):
        for i in range(len(q)):
            k, sine = plate.harmonic[i], plate.sine[i]
            for m in range(4):
                field[j, k, sine, m] += plate.cubics[j, i, m] * q[i]


@kernel(fastmath=True)
def loads_of(plate: Plate, load: Floats, force: Floats) -> None:
    """Generalised forces (m,) of a load (intervals, harmonics, 2, 4)."""
    force[:] = 0.0
    for j in range(len(plate.cubics)):
        for i in range(len(force)):
            k, sine = plate.harmonic[i], plate.sine[i]
            for m in range(4):
                force[i] += plate.cubics[j, i, m] * load[j, k, sine, m]


@kernel
def _interval(breaks: Floats, r: float) -> int:
    """Number of the interval of a radius; the nodes are evenly spaced."""
    last = len(breaks) - 2
    low, high = breaks[0], breaks[last + 1]
    return min(max(int((r - low) / (high - low) * (last + 1)), 0), last)


@kernel
def slopes_at(breaks: Floats, field: Floats, x: float, y: float) -> tuple[float, float, float]:
    """Value and slopes w_x, w_y of a field at a position."""
    r = sqrt(x * x + y * y)
    c, s, j = x / r, y / r, _interval(breaks, r)
    d = r - breaks[j]
    w = w_r = w_p = 0.0
    ck, sk = 1.0, 0.0
    for k in range(field.shape[1]):
        a0, a1, a2 = field[j, k, 0, 0], field[j, k, 0, 1], field[j, k, 0, 2]
        b0, b1, b2 = field[j, k, 1, 0], field[j, k, 1, 1], field[j, k, 1, 2]
        f = ((a0 * d + a1) * d + a2) * d + field[j, k, 0, 3]
        g = ((b0 * d + b1) * d + b2) * d + field[j, k, 1, 3]
        w += f * ck + g * sk
        w_r += ((3.0 * a0 * d + 2.0 * a1) * d + a2) * ck + ((3.0 * b0 * d + 2.0 * b1) * d + b2) * sk
        w_p += k * (g * ck - f * sk)
        ck, sk = ck * c - sk * s, sk * c + ck * s
    w_p /= r
    return w, c * w_r - s * w_p, s * w_r + c * w_p


@kernel
def bends_at(breaks: Floats, field: Floats, x: float, y: float) -> tuple[float, float, float]:
    """Curvatures w_xx, w_xy, w_yy of a field at a position."""
    r = sqrt(x * x + y * y)
    c, s, j = x / r, y / r, _interval(breaks, r)
    d = r - breaks[j]
    rr = rp = pp = 0.0
    ck, sk = 1.0, 0.0
    for k in range(field.shape[1]):
        a0, a1, a2 = field[j, k, 0, 0], field[j, k, 0, 1], field[j, k, 0, 2]
        b0, b1, b2 = field[j, k, 1, 0], field[j, k, 1, 1], field[j, k, 1, 2]
        f = (((a0 * d + a1) * d + a2) * d + field[j, k, 0, 3]) / r
        g = (((b0 * d + b1) * d + b2) * d + field[j, k, 1, 3]) / r
        f_r, g_r = (3.0 * a0 * d + 2.0 * a1) * d + a2, (3.0 * b0 * d + 2.0 * b1) * d + b2
        rr += (6.0 * a0 * d + 2.0 * a1) * ck + (6.0 * b0 * d + 2.0 * b1) * sk
        rp += k * ((g_r - g) * ck - (f_r - f) * sk)
        pp += (f_r - k * k * f) * ck + (g_r - k * k * g) * sk
        ck, sk = ck * c - sk * s, sk * c + ck * s
    rp, pp = rp / r, pp / r
    return (
        c * c * rr - 2.0 * c * s * rp + s * s * pp,
        c * s * (rr - pp) + (c * c - s * s) * rp,
        s * s * rr + 2.0 * c * s * rp + c * c * pp,
    )


@kernel
def shapes_at(plate: Plate, x: float, y: float, shapes: Floats) -> None:
    """Value, slopes x, y and curvatures xx, xy, yy (6, m) of all shapes at a position."""
    r = sqrt(x * x + y * y)
    c, s, j = x / r, y / r, _interval(plate.breaks, r)
    d = r - plate.breaks[j]
    for i in range(len(plate.harmonic)):
        k, cubic = plate.harmonic[i], plate.cubics[j, i]
        ck, sk = 1.0, 0.0
        for _ in range(k):
            ck, sk = ck * c - sk * s, sk * c + ck * s
        wave, swing = (sk, k * ck) if plate.sine[i] else (ck, -k * sk)
        f = ((cubic[0] * d + cubic[1]) * d + cubic[2]) * d + cubic[3]
        f_r = (3.0 * cubic[0] * d + 2.0 * cubic[1]) * d + cubic[2]
        along, around = f_r * wave, f / r * swing
        rr = (6.0 * cubic[0] * d + 2.0 * cubic[1]) * wave
        rp, pp = (f_r - f / r) / r * swing, (f_r - k * k * f / r) / r * wave
        shapes[0, i], shapes[1, i] = f * wave, c * along - s * around
        shapes[2, i] = s * along + c * around
        shapes[3, i] = c * c * rr - 2.0 * c * s * rp + s * s * pp
        shapes[4, i] = c * s * (rr - pp) + (c * c - s * s) * rp
        shapes[5, i] = s * s * rr + 2.0 * c * s * rp + c * c * pp


@kernel
def add_load(
    breaks: Floats, x: float, y: float, push: float, gx: float, gy: float, load: Floats
) -> None:
    """Add what works on the value (`push`) and on the slopes (gx, gy) of fields at a position."""
    r = sqrt(x * x + y * y)
    c, s, j = x / r, y / r, _interval(breaks, r)
    d = r - breaks[j]
    along, around = c * gx + s * gy, (c * gy - s * gx) / r
    ck, sk = 1.0, 0.0
    for k in range(load.shape[1]):
        for sine in range(2):
            value = push * sk + around * k * ck if sine else push * ck - around * k * sk
            slope = along * (sk if sine else ck)
            load[j, k, sine, 0] += (value * d + 3.0 * slope) * d * d
            load[j, k, sine, 1] += (value * d + 2.0 * slope) * d
            load[j, k, sine, 2] += value * d + slope
            load[j, k, sine, 3] += value
        ck, sk = ck * c - sk * s, sk * c + ck * s


@kernel
def projection_of(
    breaks: Floats, field: Floats, x: Floats, size: float, projected: Floats, normal: Floats
) -> float:
    """Projection (2,) on the mid-surface and unit normal (3,) of a point x; returns its distance.

    Newton's iteration for X - (z - w) grad w = (x, y), as in `PlateFace`, from the given projection
    point; nan if it fails or leaves the plate. `size` is the largest coordinate of the surface.
    """
    low, high = breaks[0], breaks[len(breaks) - 1]
    for _ in range(PROJECTION_ITERATIONS):
        r = sqrt(projected[0] ** 2 + projected[1] ** 2)
        if not (low - r <= BEYOND * high and r - high <= BEYOND * high):
            break
        w, wx, wy = slopes_at(breaks, field, projected[0], projected[1])
        height = x[2] - w
        a, b = projected[0] - height * wx - x[0], projected[1] - height * wy - x[1]
        if max(abs(a), abs(b)) <= SAME * size:
            length = sqrt(1.0 + wx * wx + wy * wy)
            normal[0], normal[1], normal[2] = -wx / length, -wy / length, 1.0 / length
            return height * length
        xx, xy, yy = bends_at(breaks, field, projected[0], projected[1])
        t00, t11 = 1.0 + wx * wx - height * xx, 1.0 + wy * wy - height * yy
        t01 = wx * wy - height * xy
        det = t00 * t11 - t01 * t01
        projected[0] -= (t11 * a - t01 * b) / det
        projected[1] -= (t00 * b - t01 * a) / det
    return np.nan
