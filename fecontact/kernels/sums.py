"""Sums of rows in compiled code, the inner loops of products of small matrices.

Rows are passed as arrays of their own: loops over them have no index but the running one, which is
what the compiler needs to use vector instructions. Four rows at a time, so that the result is read
and written less often than the rows.
"""

from __future__ import annotations

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["add_four", "add_one", "add_rows", "add_two", "clear", "copy_row", "dot_both",
           "dot_rows", "dot_three"]  # fmt: skip


@kernel(fastmath=True)
def clear(A: Floats) -> None:
    """Set a matrix to zero."""
    for i in range(A.shape[0]):
        row = A[i]
        for j in range(len(row)):
            row[j] = 0.0


@kernel(fastmath=True)
def copy_row(x: Floats, result: Floats) -> None:
    """Take the numbers of x, over the length of the result."""
    for j in range(len(result)):
        result[j] = x[j]


@kernel(fastmath=True)
def dot_rows(x: Floats, y: Floats) -> float:
    """Scalar product over the length of x."""
    total = 0.0
    for j in range(len(x)):
        total += x[j] * y[j]
    return total


@kernel(fastmath=True)
def dot_both(a: Floats, x: Floats, y: Floats) -> tuple[float, float]:
    """Scalar products of two rows with another one, over its length."""
    u = v = 0.0
    for j in range(len(a)):
        u += a[j] * x[j]
        v += a[j] * y[j]
    return u, v


@kernel(fastmath=True)
def dot_three(x: Floats, a: Floats, b: Floats, c: Floats) -> tuple[float, float, float]:
    """Scalar products with three others, over the length of x."""
    u = v = w = 0.0
    for j in range(len(x)):
        u += x[j] * a[j]
        v += x[j] * b[j]
        w += x[j] * c[j]
    return u, v, w


@kernel(fastmath=True)
def add_one(a: float, x: Floats, result: Floats) -> None:
    """Add a x, over the length of the result."""
    for j in range(len(result)):
        result[j] += a * x[j]


@kernel(fastmath=True)
def add_two(a: float, b: float, x: Floats, y: Floats, result: Floats) -> None:
    """Add a x + b y, over the length of the result."""
    for j in range(len(result)):
        result[j] += a * x[j] + b * y[j]


@kernel(fastmath=True)
def add_four(
    a: float, b: float, c: float, d: float, x: Floats, y: Floats, z: Floats, w: Floats,
    result: Floats,
) -> None:  # fmt: skip
    """Add a x + b y + c z + d w, over the length of the result."""
    for j in range(len(result)):
        result[j] += (a * x[j] + b * y[j]) + (c * z[j] + d * w[j])


@kernel(fastmath=True)
def add_rows(factors: Floats, A: Floats, result: Floats) -> None:
    """Add factors . A, A (count, at least the length of the result)."""
    count, i = len(A), 0
    while i + 4 <= count:
        a, b, c, d = factors[i], factors[i + 1], factors[i + 2], factors[i + 3]
        add_four(a, b, c, d, A[i], A[i + 1], A[i + 2], A[i + 3], result)
        i += 4
    if i + 2 <= count:
        add_two(factors[i], factors[i + 1], A[i], A[i + 1], result)
        i += 2
    if i < count:
        add_one(factors[i], A[i], result)
