"""Compiled factorisation of small dense matrices, in place and without allocation.

Gaussian elimination with partial pivoting by rows; inner loops run along rows of the matrix.
"""

from __future__ import annotations

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["lu_factorise", "lu_solve"]


@kernel(fastmath=True)
def lu_factorise(A: Floats, pivots: Integers) -> bool:
    """Replace A (n, n) by its factors; False if it is singular or not finite."""
    n = len(A)
    for k in range(n):
        best, largest = k, abs(A[k, k])
        for i in range(k + 1, n):
            size = abs(A[i, k])
            if size > largest:
                best, largest = i, size
        pivots[k] = best
        if not 0.0 < largest < 1e300:
            return False
        if best != k:
            for j in range(n):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        inverse = 1.0 / A[k, k]
        pivot = A[k]
        for i in range(k + 1, n):
            factor = A[i, k]
            if factor != 0.0:
                factor *= inverse
                row = A[i]
                row[k] = factor
                for j in range(k + 1, n):
                    row[j] -= factor * pivot[j]
    return True


@kernel(fastmath=True)
def lu_solve(A: Floats, pivots: Integers, b: Floats) -> None:
    """Replace b (n,) by the solution, with the factors of `lu_factorise`."""
    n = len(A)
    for k in range(n):
        best = pivots[k]
        if best != k:
            b[k], b[best] = b[best], b[k]
    for i in range(1, n):
        row, total = A[i], b[i]
        for j in range(i):
            total -= row[j] * b[j]
        b[i] = total
    for i in range(n - 1, -1, -1):
        row, total = A[i], b[i]
        for j in range(i + 1, n):
            total -= row[j] * b[j]
        b[i] = total / row[i]
