"""Compiled constraint rows in the metric of the mass: independent ones, and motions against them.

With M = L L^T, the rows of A L^-T that are independent are made orthonormal by Gram and Schmidt's
method with pivoting,

    A_s = C Q L^T,      Q Q^T = I,      C lower triangular,

those of position level first. Q L^T are the lifted rows, with the unit length in the metric of
M^-1; Q L^-1 the directions, the shortest motions against them. A row counts as redundant if less
than `RANK_TOLERANCE` of its length is left, as in `system.constraints.metric`.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from fecontact.kernels.decorators import kernel
from fecontact.kernels.sums import add_one, copy_row, dot_rows
from fecontact.system.constraints.metric import RANK_TOLERANCE, ZERO_ROW
from fecontact.system.program.constraint_rows import RowTable
from fecontact.typing import Floats, Integers

__all__ = ["ALL", "POSITION", "DecomposedRows", "decompose", "decomposed_arrays", "independent"]

POSITION, ALL = range(2)
"""Ranks: of the rows of position level, and of all."""


class DecomposedRows(RowTable):
    """Rows of a system with their decomposition.

    Attributes
    ----------
    factor, starts : (n, n), (n,)
        L, and where its rows begin.
    across : (m, n)
        A L^-T less the rows that were chosen before; of chosen ones the row of Q.
    lengths, left : (m,)
        Of the rows at first, and of what is left.
    parts : (m, m)
        Components of all rows along those of Q, C for chosen ones.
    chosen, rank : (m,), (2,)
        Independent rows in the order of their choice, and how many.
    lifted, directions : (m, n)
        Of the chosen rows, in their order.
    """

    factor: Floats
    starts: Integers
    across: Floats
    lengths: Floats
    left: Floats
    parts: Floats
    chosen: Integers
    rank: Integers
    lifted: Floats
    directions: Floats


def decomposed_arrays(m: int, n: int) -> dict[str, Floats | Integers]:
    """Arrays of the decomposition of m rows."""
    floats = {
        "factor": (n, n), "across": (m, n), "lengths": (m,), "left": (m,), "parts": (m, m),
        "lifted": (m, n), "directions": (m, n),
    }  # fmt: skip
    integers = {"starts": n, "chosen": m, "rank": 2}
    result: dict[str, Floats | Integers] = {name: np.zeros(s) for name, s in floats.items()}
    return result | {name: np.zeros(s, dtype=np.int64) for name, s in integers.items()}


@kernel(fastmath=True)
def _span(a: Floats, b: Floats, first: int, last: int) -> float:
    """Scalar product over some of the components."""
    total = 0.0
    for j in range(first, last):
        total += a[j] * b[j]
    return total


@kernel(fastmath=True)
def _factorise(rows: DecomposedRows, mass: Floats) -> bool:
    """L of a mass matrix, within the first entries of its rows; False if it is not definite."""
    L, starts, n = rows.factor, rows.starts, len(mass)
    for i in range(n):
        first = 0
        while first < i and mass[i, first] == 0.0:
            first += 1
        starts[i] = first
        row = L[i]
        for j in range(first, i):
            begin = max(first, starts[j])
            row[j] = (mass[i, j] - _span(row, L[j], begin, j)) / L[j, j]
        square = mass[i, i] - _span(row, row, first, i)
        if not square > 0.0:
            return False
        row[i] = sqrt(square)
    return True


@kernel(fastmath=True)
def _begin(rows: DecomposedRows) -> float:
    """Write A L^-T and the lengths of its rows; returns the longest."""
    L, starts, longest = rows.factor, rows.starts, 0.0
    for k in range(len(rows.jacobian)):
        A, x, square = rows.jacobian[k], rows.across[k], 0.0
        for i in range(len(A)):
            x[i] = (A[i] - _span(L[i], x, starts[i], i)) / L[i, i]
            square += x[i] * x[i]
        rows.lengths[k] = rows.left[k] = sqrt(square)
        longest = max(longest, rows.left[k])
    return longest


@kernel(fastmath=True)
def _next(rows: DecomposedRows, bound: int, shortest: float) -> int:
    """Row of a level of which most is left; -1 if all that are left are redundant."""
    best, largest = -1, RANK_TOLERANCE
    for k in range(len(rows.left)):
        if rows.bound[k] == bound and rows.lengths[k] > shortest:
            part = rows.left[k] / rows.lengths[k]
            if part > largest:
                best, largest = k, part
    return best


@kernel(fastmath=True)
def _choose(rows: DecomposedRows, k: int, count: int) -> None:
    """Make a row the next one of Q, and take it from those that are left."""
    q = rows.across[k]
    for s in range(count):  # the second pass removes the round-off of the first
        other = rows.across[rows.chosen[s]]
        part = dot_rows(q, other)
        rows.parts[k, s] += part
        add_one(-part, other, q)
    length = sqrt(dot_rows(q, q))
    for j in range(len(q)):
        q[j] /= length
    rows.parts[k, count], rows.chosen[count], rows.left[k] = length, k, 0.0
    for i in range(len(rows.left)):
        if rows.left[i] > 0.0:
            x = rows.across[i]
            part = dot_rows(q, x)
            rows.parts[i, count] = part
            if part != 0.0:
                add_one(-part, q, x)
                rows.left[i] = sqrt(dot_rows(x, x))


@kernel(fastmath=True)
def _lift(rows: DecomposedRows, s: int) -> None:
    """Lifted row and direction of a chosen one."""
    L, starts = rows.factor, rows.starts
    q, up, way = rows.across[rows.chosen[s]], rows.lifted[s], rows.directions[s]
    n = len(q)
    for i in range(n):
        up[i] = _span(L[i], q, starts[i], i + 1)
    copy_row(q, way)
    for i in range(n - 1, -1, -1):
        way[i] /= L[i, i]
        for j in range(starts[i], i):
            way[j] -= way[i] * L[i, j]


@kernel(shared=True, fastmath=True)
def decompose(rows: DecomposedRows, mass: Floats) -> bool:
    """Decompose the rows with a mass matrix; False if that is not positive definite."""
    if not _factorise(rows, mass):
        return False
    longest, count = _begin(rows), 0
    for i in range(len(rows.parts)):
        for j in range(len(rows.parts)):
            rows.parts[i, j] = 0.0
    for level in range(2):
        while True:
            k = _next(rows, 1 - level, ZERO_ROW * longest)
            if k < 0:
                break
            _choose(rows, k, count)
            count += 1
        rows.rank[level] = count
    for s in range(count):
        _lift(rows, s)
    return True


@kernel(fastmath=True)
def independent(rows: DecomposedRows, values: Floats, count: int, result: Floats) -> None:
    """What values (m,) of the rows are along the first lifted rows: C x = values."""
    for s in range(count):
        k = rows.chosen[s]
        result[s] = (values[k] - _span(rows.parts[k], result, 0, s)) / rows.parts[k, s]
