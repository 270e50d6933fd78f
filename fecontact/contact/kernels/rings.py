"""Compiled rings of contact points: what their material carries along, see `kinematics.rings`."""

from __future__ import annotations

from math import cos, floor, pi, sin

import numpy as np

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["carry_status", "circulant", "circulant_slope", "pass_along"]


@kernel
def circulant(turn: float, carry: Floats) -> None:
    """Exact shift exp(-turn D) on n points of a ring: its first column (n,)."""
    n = len(carry)
    for j in range(n):
        total = 1.0
        for k in range(1, (n + 1) // 2):
            total += 2.0 * cos(k * (2.0 * pi * j / n - turn))
        if n % 2 == 0:
            total += 1.0 if j % 2 == 0 else -1.0
        carry[j] = total / n


@kernel
def circulant_slope(turn: float, carry: Floats) -> None:
    """Derivative of `circulant` by the angle: -D exp(-turn D)."""
    n = len(carry)
    for j in range(n):
        total = 0.0
        for k in range(1, (n + 1) // 2):
            total += 2.0 * k * sin(k * (2.0 * pi * j / n - turn))
        carry[j] = total / n


@kernel
def pass_along(order: Integers, direction: Floats, carry: Floats, vectors: Floats) -> None:
    """Carry vectors (p, 3) along the rings by a circulant of their cylindrical components."""
    rings, n = order.shape
    local = np.empty((n, 3))
    for ring in range(rings):
        for j in range(n):
            i = order[ring, j]
            c, s, x, y = direction[i, 0], direction[i, 1], vectors[i, 0], vectors[i, 1]
            local[j, 0], local[j, 1], local[j, 2] = c * x + s * y, c * y - s * x, vectors[i, 2]
        for j in range(n):
            i, a, b, height = order[ring, j], 0.0, 0.0, 0.0
            for k in range(n):
                fraction = carry[j - k if j >= k else j - k + n]
                a += fraction * local[k, 0]
                b += fraction * local[k, 1]
                height += fraction * local[k, 2]
            c, s = direction[i, 0], direction[i, 1]
            vectors[i, 0], vectors[i, 1], vectors[i, 2] = c * a - s * b, s * a + c * b, height


@kernel
def carry_status(order: Integers, before: float, now: float, status: Integers, w: Floats) -> None:
    """Status of the material that is next to the points, from one angle to another.

    As `Rings.nearest`; `w` (n,) is working space.
    """
    rings, n = order.shape
    step = floor(now * n / (2.0 * pi) + 0.5) - floor(before * n / (2.0 * pi) + 0.5)
    for ring in range(rings):
        for j in range(n):
            w[j] = status[order[ring, j]]
        for j in range(n):
            status[order[ring, (j + step) % n]] = int(w[j])
