"""Compiled motion and load of many points of an elastic body, in one pass over their shapes.

`shapes` (m, 3 p) are stored mode by mode: the inner loops run along the points, whose block stays
in the cache while all modes are added. Vectors of the points are (p, 3).
"""

from __future__ import annotations

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["deform", "moments", "move_points"]

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
