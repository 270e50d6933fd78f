"""Compiled loops over the lowered items of a system.

The table of a program has one row per summand of an item: address of its function and of its
parameters, where its record begins in the working array, numbers of its coordinates and dofs, where
their indices in q and v begin in `indices`, and the number of the item.
"""

from __future__ import annotations

import numpy as np

from fecontact.body.rotation import rotated
from fecontact.kernels.arrays import matrix, part
from fecontact.kernels.calls import call_at
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import NO_CODE, POWERS, RECORD, STORED, TANGENTS, TIME
from fecontact.kernels.sums import add_one, clear
from fecontact.typing import Floats, Integers

__all__ = ["ADDRESS", "COLUMNS", "DOFS", "ITEM", "PARAMETERS", "Q_INDICES", "RECORDS", "SIZE",
           "V_INDICES", "call_item", "evaluate", "forces", "inertia", "moved",
           "stored"]  # fmt: skip

ADDRESS, PARAMETERS, RECORDS, SIZE, DOFS, Q_INDICES, V_INDICES, ITEM = range(8)
COLUMNS = 8


@kernel(allocates=False)
def call_item(
    table: Integers, i: int, indices: Integers, work: Floats, t: float, q: Floats, v: Floats,
    task: int,
) -> float:  # fmt: skip
    """Gather the coordinates of an item and call it, if it has a function."""
    if table[i, ADDRESS] == NO_CODE:
        return 0.0
    n_q, n = table[i, SIZE], table[i, DOFS]
    w = part(work, table[i, RECORDS], len(work) - table[i, RECORDS])
    w[TIME] = t
    for k in range(n_q):
        w[RECORD + k] = q[indices[table[i, Q_INDICES] + k]]
    for k in range(n):
        w[RECORD + n_q + k] = v[indices[table[i, V_INDICES] + k]]
    return call_at(table[i, ADDRESS], w, table[i, PARAMETERS], float(task))


@kernel(allocates=False)
def forces(
    table: Integers, indices: Integers, work: Floats, t: float, q: Floats, v: Floats, task: int,
    result: Floats,
) -> int:  # fmt: skip
    """Force of each item (items, n); returns the number of the first row that fails, or 0."""
    clear(result)
    for i in range(len(table)):
        if table[i, ADDRESS] == NO_CODE:
            continue
        if call_item(table, i, indices, work, t, q, v, task) != 0.0:
            return i + 1
        n, at = table[i, DOFS], table[i, RECORDS] + RECORD + table[i, SIZE] + table[i, DOFS]
        for k in range(n):
            result[table[i, ITEM], indices[table[i, V_INDICES] + k]] += work[at + k]
    return 0


@kernel(allocates=False)
def stored(
    table: Integers, indices: Integers, work: Floats, t: float, q: Floats, v: Floats,
    kinds: Integers, result: Floats,
) -> int:  # fmt: skip
    """Add the energies of the rows to the sums of their kinds, none if < 0; returns as `forces`."""
    for i in range(len(table)):
        if kinds[i] < 0:
            continue
        if call_item(table, i, indices, work, t, q, v, POWERS) != 0.0:
            return i + 1
        result[kinds[i]] += work[table[i, RECORDS] + STORED]
    return 0


@kernel(allocates=False)
def evaluate(
    table: Integers, indices: Integers, work: Floats, t: float, q: Floats, v: Floats,
    force: Floats, by_q: Floats, by_v: Floats,
) -> int:  # fmt: skip
    """Add force (n,) and tangents (n, n) of all items; returns as `forces`."""
    for i in range(len(table)):
        if table[i, ADDRESS] == NO_CODE:
            continue
        if call_item(table, i, indices, work, t, q, v, TANGENTS) != 0.0:
            return i + 1
        n, first = table[i, DOFS], table[i, V_INDICES]
        at = table[i, RECORDS] + RECORD + table[i, SIZE] + n
        for k in range(n):
            force[indices[first + k]] += work[at + k]
        rows = indices[first : first + n]
        _scatter(rows, matrix(work, at + n, n, n), by_q)
        _scatter(rows, matrix(work, at + n + n * n, n, n), by_v)
    return 0


@kernel(fastmath=True)
def _scatter(indices: Integers, block: Floats, result: Floats) -> None:
    """Add a block (n, n) to the rows and columns `indices`, by runs of neighbouring columns."""
    n, start = len(indices), 0
    while start < n:
        end = start + 1
        while end < n and indices[end] == indices[end - 1] + 1:
            end += 1
        column = indices[start]
        for k in range(n):
            add_one(1.0, block[k, start:end], result[indices[k], column : column + end - start])
        start = end


@kernel(allocates=False)
def inertia(
    table: Integers, indices: Integers, work: Floats, q: Floats, a: Floats, task: int,
    result: Floats,
) -> int:  # fmt: skip
    """Add mass matrices (MASS), or derivatives of M(q) a (D_INERTIA), of the bodies in the table.

    Returns as `forces`.
    """
    for i in range(len(table)):
        n, first = table[i, DOFS], table[i, V_INDICES]
        at = table[i, RECORDS] + RECORD + table[i, SIZE] + n
        n_q = table[i, SIZE]
        w = part(work, table[i, RECORDS], len(work) - table[i, RECORDS])
        for k in range(n_q):
            w[RECORD + k] = q[indices[table[i, Q_INDICES] + k]]
        for k in range(n):
            work[at + k] = a[indices[first + k]]
        if call_at(table[i, ADDRESS], w, table[i, PARAMETERS], float(task)) != 0.0:
            return i + 1
        _scatter(indices[first : first + n], matrix(work, at + n, n, n), result)
    return 0


@kernel(shared=True)
def moved(q: Floats, step: Floats, plain: Integers, turns: Integers, result: Floats) -> None:
    """Coordinates after an increment (n,) of the dofs.

    `plain` (p, 2) are dofs that add, with their coordinates; `turns` (k, 4) the dofs rx, ry, rz of
    quaternions (n if there is none), and where these begin in q.
    """
    for k in range(len(plain)):
        result[plain[k, 1]] = q[plain[k, 1]] + step[plain[k, 0]]
    if len(turns) == 0:
        return
    theta = np.zeros(3)
    for k in range(len(turns)):
        for i in range(3):
            theta[i] = step[turns[k, i]] if turns[k, i] < len(step) else 0.0
        at = turns[k, 3]
        turned = rotated(part(q, at, 4), theta)
        for i in range(4):
            result[at + i] = turned[i]
