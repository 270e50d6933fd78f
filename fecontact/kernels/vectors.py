"""Vectors of three numbers in kernels: they stay in registers, where arrays would be allocated."""

from __future__ import annotations

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["Three", "cross", "dot", "three"]

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
