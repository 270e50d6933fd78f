"""Compiled factorisation of small dense matrices, in place and without allocation.

Gaussian elimination with partial pivoting by rows; inner loops run along rows of the matrix.
"""

from __future__ import annotations

from fecontact.kernels.arrays import part
from fecontact.kernels.decorators import kernel
from fecontact.kernels.sums import add_four, add_one, add_two
from fecontact.typing import Floats, Integers

__all__ = ["lu_factorise", "lu_solve"]


@kernel(fastmath=True)
def _factorise_columns(A: Floats, first: int, last: int, pivots: Integers) -> bool:
    """Eliminate below the diagonal of some columns; rows change there alone, but are exchanged."""
    n = len(A)
    for k in range(first, last):
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
        for i in range(k + 1, n):
            factor = A[i, k]
            if factor != 0.0:
                factor *= inverse
                A[i, k] = factor
                for j in range(k + 1, last):
                    A[i, j] -= factor * A[k, j]
    return True


@kernel(fastmath=True, shared=True)
def lu_factorise(A: Floats, pivots: Integers) -> bool:
    """Replace A (n, n) by its factors; False if it is singular or not finite.

    Four columns at a time: the rows behind them are read and written once for all four.
    """
    n, k = len(A), 0
    while k + 4 < n:
        if not _factorise_columns(A, k, k + 4, pivots):
            return False
        rest = n - k - 4
        at = n * k + k + 4
        p, q = part(A, at, rest), part(A, at + n, rest)
        r, s = part(A, at + 2 * n, rest), part(A, at + 3 * n, rest)
        add_one(-A[k + 1, k], p, q)
        add_two(-A[k + 2, k], -A[k + 2, k + 1], p, q, r)
        add_one(-A[k + 3, k + 2], r, s)
        add_two(-A[k + 3, k], -A[k + 3, k + 1], p, q, s)
        for i in range(k + 4, n):
            a, b, c, d = A[i, k], A[i, k + 1], A[i, k + 2], A[i, k + 3]
            if a != 0.0 or b != 0.0 or c != 0.0 or d != 0.0:
                add_four(-a, -b, -c, -d, p, q, r, s, part(A, n * i + k + 4, rest))
        k += 4
    return _factorise_columns(A, k, n, pivots)


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
