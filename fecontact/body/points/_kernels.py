"""Compiled motion and load of many points of an elastic body, in one pass over their shapes.

`shapes` (m, 3 p) are stored mode by mode: the inner loops run along the points, whose block stays
in the cache while all modes are added. Those of a disc are stored point by point. Vectors of the
points are (p, 3).
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["DiscFace", "deform", "load_disc", "moments", "move_disc", "move_points"]

BLOCK = 3072
"""Components of the points done at once: they stay in the cache while all modes are added."""


@kernel
def deform(
    shapes: Floats, elastic: Floats, rate: Floats, points: Floats, X: Floats, V: Floats
) -> None:
    """Deformed positions X = x + Phi e and elastic velocities V = Phi e', all (3 p,)."""
    modes, size = shapes.shape
    for start in range(0, size, BLOCK):
        part = slice(start, min(start + BLOCK, size))
        x, v = X[part], V[part]
        x[:] = points[part]
        v[:] = 0.0
        fours = modes - modes % 4
        for k in range(0, fours, 4):
            a, b = shapes[k, part], shapes[k + 1, part]
            c, d = shapes[k + 2, part], shapes[k + 3, part]
            _add_four(a, b, c, d, elastic[k : k + 4], x)
            _add_four(a, b, c, d, rate[k : k + 4], v)
        for k in range(fours, modes):
            x += elastic[k] * shapes[k, part]
            v += rate[k] * shapes[k, part]


@kernel
def _add_four(a: Floats, b: Floats, c: Floats, d: Floats, factors: Floats, total: Floats) -> None:
    """Add four rows, each times its factor."""
    f, g, h, k = factors[0], factors[1], factors[2], factors[3]
    for i in range(len(total)):
        total[i] += (f * a[i] + g * b[i]) + (h * c[i] + k * d[i])


@kernel
def move_points(
    R: Floats,
    origin: Floats,
    velocity: Floats,
    omega: Floats,
    X: Floats,
    V: Floats,
    position: Floats,
    speed: Floats,
) -> None:
    """Positions r + R X and velocities r' + R (omega x X + V) in space.

    V is replaced by omega x X + V.
    """
    w0, w1, w2 = omega[0], omega[1], omega[2]
    for p in range(len(X)):
        x0, x1, x2 = X[p, 0], X[p, 1], X[p, 2]
        v0 = V[p, 0] + w1 * x2 - w2 * x1
        v1 = V[p, 1] + w2 * x0 - w0 * x2
        v2 = V[p, 2] + w0 * x1 - w1 * x0
        V[p, 0], V[p, 1], V[p, 2] = v0, v1, v2
        for i in range(3):
            position[p, i] = origin[i] + R[i, 0] * x0 + R[i, 1] * x1 + R[i, 2] * x2
            speed[p, i] = velocity[i] + R[i, 0] * v0 + R[i, 1] * v1 + R[i, 2] * v2


@kernel
def moments(R: Floats, X: Floats, force: Floats, local: Floats, total: Floats) -> None:
    """Forces R^T F (p, 3) in the frame, and their sums: force in space, moment in the frame."""
    f0 = f1 = f2 = m0 = m1 = m2 = 0.0
    for p in range(len(X)):
        a, b, c = force[p, 0], force[p, 1], force[p, 2]
        l0 = R[0, 0] * a + R[1, 0] * b + R[2, 0] * c
        l1 = R[0, 1] * a + R[1, 1] * b + R[2, 1] * c
        l2 = R[0, 2] * a + R[1, 2] * b + R[2, 2] * c
        local[p, 0], local[p, 1], local[p, 2] = l0, l1, l2
        f0, f1, f2 = f0 + a, f1 + b, f2 + c
        m0 += X[p, 1] * l2 - X[p, 2] * l1
        m1 += X[p, 2] * l0 - X[p, 0] * l2
        m2 += X[p, 0] * l1 - X[p, 1] * l0
    total[0], total[1], total[2] = f0, f1, f2
    total[3], total[4], total[5] = m0, m1, m2


class DiscFace(NamedTuple):
    """Points (p, 3) of the face of a disc, values (p, m) and gradients (p, 2, m) of shapes there.

    `lever` is their height over the mid-surface in m, `speed` Omega in rad/s.
    """

    points: Floats
    value: Floats
    gradient: Floats
    lever: float
    speed: float


@kernel(fastmath=True)
def move_disc(
    face: DiscFace, q: Floats, rate: Floats, normal: Floats, local: Floats, velocity: Floats
) -> None:
    """Normals, positions and velocities (p, 3) of the face of a disc (`points.disc_points`).

    `rate` is q' + Omega Delta q.
    """
    points, value, gradient, lever, speed = face
    for i in range(len(points)):
        w = wx = wy = u = ux = uy = 0.0
        for k in range(len(q)):
            a, b, c = value[i, k], gradient[i, 0, k], gradient[i, 1, k]
            w, wx, wy = w + a * q[k], wx + b * q[k], wy + c * q[k]
            u, ux, uy = u + a * rate[k], ux + b * rate[k], uy + c * rate[k]
        n2 = 1.0 / sqrt(1.0 + wx * wx + wy * wy)
        n0, n1 = -wx * n2, -wy * n2
        normal[i, 0], normal[i, 1], normal[i, 2] = n0, n1, n2
        x, y = points[i, 0] + lever * n0, points[i, 1] + lever * n1
        local[i, 0], local[i, 1], local[i, 2] = x, y, points[i, 2] + lever * (n2 - 1.0) + w
        along, factor = n0 * ux + n1 * uy, -lever * n2
        velocity[i, 0] = factor * (ux - along * n0) - speed * y
        velocity[i, 1] = factor * (uy - along * n1) + speed * x
        velocity[i, 2] = u - factor * along * n2


@kernel(fastmath=True)
def load_disc(
    value: Floats, gradient: Floats, lever: float, normal: Floats, force: Floats, load: Floats
) -> None:
    """Generalised forces (m,) of forces F (p, 3) on the face of a disc: sum Phi^T F."""
    load[:] = 0.0
    for i in range(len(force)):
        n0, n1, n2 = normal[i, 0], normal[i, 1], normal[i, 2]
        f0, f1, f2 = force[i, 0], force[i, 1], force[i, 2]
        along, factor = n0 * f0 + n1 * f1 + n2 * f2, -lever * n2
        gx, gy = factor * (f0 - along * n0), factor * (f1 - along * n1)
        for k in range(len(load)):
            load[k] += value[i, k] * f2 + gradient[i, 0, k] * gx + gradient[i, 1, k] * gy
