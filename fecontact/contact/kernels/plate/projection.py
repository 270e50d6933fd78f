"""Compiled projection of points on the face of a spinning plate; formulas as in `PlateFace`.

Arrays (p, 6, m) of shapes are those of `contact.kernels.plate.field.shapes_at` at the projection
points: value, slopes x, y and curvatures xx, xy, yy.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.contact.kernels.plate.field import Plate, field_of, projection_of, shapes_at
from fecontact.contact.kernels.plate.tangents import tilt
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = [
    "PointsOnPlate",
    "PointsOnPlateSlopes",
    "d_plate",
    "d_plate_load",
    "project_on_plate",
]


class PointsOnPlate(NamedTuple):
    """Projection points, shapes (p, 6, m) there, normals, gaps, velocities and Phi (p, 3, m)."""

    projected: Floats
    shapes: Floats
    normal: Floats
    gap: Floats
    velocity: Floats
    jacobian: Floats


class PointsOnPlateSlopes(NamedTuple):
    """Derivatives by y = (x, q) of gap, projection point, normal and velocity."""

    gap: Floats
    projected: Floats
    normal: Floats
    velocity: Floats


@kernel(fastmath=True)
def _bent(shapes: Floats, q: Floats) -> float:
    """One number of the field W q at a point."""
    total = 0.0
    for j in range(len(q)):
        total += shapes[j] * q[j]
    return total


@kernel
def project_on_plate(
    plate: Plate, x: Floats, q: Floats, rate: Floats, field: Floats, at: PointsOnPlate
) -> int:
    """Find the projections of x (p, 3); returns the first point that has none, -1 if all have one.

    `rate` is q' + Omega Delta q, `field` working space. The projection of a point that has none is
    where the search for it ended.
    """
    projected, shapes, normal, gap, velocity, jacobian = at
    field_of(plate, q, field)
    size, lever = np.abs(x).max(), plate.lever
    for p in range(len(x)):
        n, X, W = normal[p], projected[p], shapes[p]
        X[0], X[1] = x[p, 0], x[p, 1]
        distance = projection_of(plate.breaks, field, x[p], size, X, n)
        if np.isnan(distance):
            return p
        gap[p] = distance - lever
        shapes_at(plate, X[0], X[1], W)
        vx, vy, vz = -plate.speed * x[p, 1], plate.speed * x[p, 0], 0.0
        for j in range(len(q)):
            gx, gy = W[1, j], W[2, j]
            across, factor = n[0] * gx + n[1] * gy, -lever * n[2]
            px, py = factor * (gx - n[0] * across), factor * (gy - n[1] * across)
            pz = W[0, j] - factor * n[2] * across
            jacobian[p, 0, j], jacobian[p, 1, j], jacobian[p, 2, j] = px, py, pz
            vx += px * rate[j]
            vy += py * rate[j]
            vz += pz * rate[j]
        velocity[p, 0], velocity[p, 1], velocity[p, 2] = vx, vy, vz
    return -1


@kernel
def d_plate(
    plate: Plate, x: Floats, q: Floats, rate: Floats, Delta: Floats, at: PointsOnPlate,
    slopes: PointsOnPlateSlopes,
) -> None:  # fmt: skip
    """Derivatives by (x, q) of gap, projection point, normal, and velocity at fixed q'."""
    shapes, normal, jacobian = at.shapes, at.normal, at.jacobian
    d_gap, d_projected, d_normal, d_velocity = slopes
    m, lever = len(q), plate.lever
    t, turned = np.zeros(3), np.zeros(3)
    for p in range(len(x)):
        n, W, dX, dn, dv = normal[p], shapes[p], d_projected[p], d_normal[p], d_velocity[p]
        z, a, b = x[p, 2] - _bent(W[0], q), _bent(W[1], q), _bent(W[2], q)
        xx, xy, yy = _bent(W[3], q), _bent(W[4], q), _bent(W[5], q)
        t[0], t[1] = _bent(W[1], rate), _bent(W[2], rate)
        rxx, rxy, ryy = _bent(W[3], rate), _bent(W[4], rate), _bent(W[5], rate)
        k00, k01, k11 = 1.0 + a * a - z * xx, a * b - z * xy, 1.0 + b * b - z * yy
        det = k00 * k11 - k01 * k01
        for y in range(3 + m):
            if y < 3:
                lift, sx, sy = (1.0 if y == 2 else 0.0), 0.0, 0.0
                d_gap[p, y] = n[y]
            else:
                lift, sx, sy = -W[0, y - 3], W[1, y - 3], W[2, y - 3]
                d_gap[p, y] = n[2] * lift
            right0 = (1.0 if y == 0 else 0.0) + lift * a + z * sx
            right1 = (1.0 if y == 1 else 0.0) + lift * b + z * sy
            X, Y = (k11 * right0 - k01 * right1) / det, (k00 * right1 - k01 * right0) / det
            dX[0, y], dX[1, y] = X, Y
            sx, sy = sx + xx * X + xy * Y, sy + xy * X + yy * Y
            across = n[0] * sx + n[1] * sy
            dn[0, y], dn[1, y] = -n[2] * (sx - n[0] * across), -n[2] * (sy - n[1] * across)
            dn[2, y] = n[2] * n[2] * across
            tilt(n, t, dn, y, turned)
            ux, uy = rxx * X + rxy * Y, rxy * X + ryy * Y
            across = n[0] * ux + n[1] * uy
            dv[0, y] = -lever * (turned[0] + n[2] * (ux - n[0] * across))
            dv[1, y] = -lever * (turned[1] + n[2] * (uy - n[1] * across))
            dv[2, y] = -lever * (turned[2] - n[2] * n[2] * across) + t[0] * X + t[1] * Y
        dv[0, 1] -= plate.speed
        dv[1, 0] += plate.speed
        for k in range(m):
            for j in range(m):
                turn = plate.speed * Delta[k, j]
                if turn != 0.0:
                    for i in range(3):
                        dv[i, 3 + j] += jacobian[p, i, k] * turn


@kernel
def d_plate_load(
    lever: float, force: Floats, slave: Floats, at: PointsOnPlate, slopes: PointsOnPlateSlopes,
    result: Floats,
) -> None:  # fmt: skip
    """Add the derivative (m, s + m) of sum Phi^T F at fixed forces F, slave Jacobian (p, 3, s)."""
    shapes, normal, d_projected, d_normal = at.shapes, at.normal, slopes.projected, slopes.normal
    m, s = shapes.shape[2], slave.shape[2]
    turned, by, along = np.zeros(3), np.zeros((4, 3 + m)), np.zeros((4, s + m))
    for p in range(len(force)):
        n, f, dX, W = normal[p], force[p], d_projected[p], shapes[p]
        across, factor = n[0] * f[0] + n[1] * f[1] + n[2] * f[2], -lever * n[2]
        gx, gy = factor * (f[0] - across * n[0]), factor * (f[1] - across * n[1])
        for y in range(3 + m):
            tilt(n, f, d_normal[p], y, turned)
            for i in range(2):
                by[i, y] = f[2] * dX[i, y] - lever * turned[i]
                by[2 + i, y] = dX[i, y]
        for i in range(4):
            for c in range(s):
                along[i, c] = 0.0
                for j in range(3):
                    along[i, c] += by[i, j] * slave[p, j, c]
            along[i, s:] = by[i, 3:]
        for k in range(m):
            wx, wy = W[1, k], W[2, k]
            bx, by_ = gx * W[3, k] + gy * W[4, k], gx * W[4, k] + gy * W[5, k]
            for c in range(s + m):
                result[k, c] += (
                    wx * along[0, c] + wy * along[1, c] + bx * along[2, c] + by_ * along[3, c]
                )
