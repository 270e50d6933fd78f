"""Vectors of three components in compiled code, as tuples: nothing is allocated."""

from __future__ import annotations

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["Three", "cross", "dot", "three", "turned", "turned_back"]

Three = tuple[float, float, float]


@kernel(fastmath=True)
def cross(a: Three, b: Three) -> Three:
    """Cross product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel(fastmath=True)
def dot(a: Three, b: Three) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel(fastmath=True)
def three(f: Floats, at: int) -> Three:
    """Three neighbouring numbers."""
    return f[at], f[at + 1], f[at + 2]


@kernel(fastmath=True)
def turned(f: Floats, at: int, x: Three) -> Three:
    """R x with the matrix whose nine numbers begin at `at`, row by row."""
    return (
        f[at] * x[0] + f[at + 1] * x[1] + f[at + 2] * x[2],
        f[at + 3] * x[0] + f[at + 4] * x[1] + f[at + 5] * x[2],
        f[at + 6] * x[0] + f[at + 7] * x[1] + f[at + 8] * x[2],
    )


@kernel(fastmath=True)
def turned_back(f: Floats, at: int, x: Three) -> Three:
    """R^T x with the matrix whose nine numbers begin at `at`."""
    return (
        f[at] * x[0] + f[at + 3] * x[1] + f[at + 6] * x[2],
        f[at + 1] * x[0] + f[at + 4] * x[1] + f[at + 7] * x[2],
        f[at + 2] * x[0] + f[at + 5] * x[1] + f[at + 8] * x[2],
    )
