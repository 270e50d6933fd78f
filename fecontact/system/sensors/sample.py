"""Loops over the times of a record: an item that a program knows by its address is asked at each.

motions     value s, rate s' and second rate s'' = A a + (dA v/dq) v of the rows of a pair
forces      generalised force of an item, or rows A of a constraint
"""

from __future__ import annotations

import numpy as np

from fecontact.errors import SolverError
from fecontact.kernels.calls import call_at
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    FORCE,
    ONLY_BY_V,
    RECORD,
    TANGENTS,
    TIME,
    Lowered,
    record_size,
)
from fecontact.typing import Floats

__all__ = ["item_numbers", "row_motions"]


@kernel(allocates=False)
def _motions(
    address: int, numbers: int, w: Floats, m: int, t: Floats, q: Floats, v: Floats, a: Floats,
    result: Floats,
) -> int:  # fmt: skip
    """Write s, s' and s'' (k, 3 m) of m rows; returns the first time that fails, or -1."""
    n_q, n = q.shape[1], v.shape[1]
    own = RECORD + n_q + 2 * n + 2 * n * n
    rows, slopes = own + 4 * m, own + 4 * m + m * n
    w[ONLY_BY_V] = 1.0
    for k in range(len(t)):
        w[TIME] = t[k]
        for j in range(n_q):
            w[RECORD + j] = q[k, j]
        for j in range(n):
            w[RECORD + n_q + j] = v[k, j]
        if call_at(address, w, numbers, float(TANGENTS)) != 0.0:
            return k
        for i in range(m):
            result[k, i], result[k, m + i], second = w[own + m + i], w[own + 2 * m + i], 0.0
            for j in range(n):
                second += w[rows + n * i + j] * a[k, j] + w[slopes + n * i + j] * v[k, j]
            result[k, 2 * m + i] = second
    return -1


@kernel(allocates=False)
def _copies(
    address: int, numbers: int, w: Floats, first: int, t: Floats, q: Floats, v: Floats,
    result: Floats,
) -> int:  # fmt: skip
    """Copy numbers of the record from `first` on, at each time; returns the first that fails."""
    n_q, n = q.shape[1], v.shape[1]
    for k in range(len(t)):
        w[TIME] = t[k]
        for j in range(n_q):
            w[RECORD + j] = q[k, j]
        for j in range(n):
            w[RECORD + n_q + j] = v[k, j]
        if call_at(address, w, numbers, float(FORCE)) != 0.0:
            return k
        for j in range(result.shape[1]):
            result[k, j] = w[first + j]
    return -1


def row_motions(
    item: Lowered, m: int, t: Floats, q: Floats, v: Floats, a: Floats
) -> tuple[Floats, Floats, Floats]:
    """Values, rates and second rates (k, m) of constraint rows at times t (k,) with q, v, a."""
    w, result = _record(item, q, v), np.empty((len(t), 3 * m))
    numbers = item.parameters.ctypes.data
    t, q, v, a = _flat(t, q, v, a)
    failed = _motions(item.address, numbers, w, m, t, q, v, a, result)
    _check(failed, t)
    return result[:, :m], result[:, m : 2 * m], result[:, 2 * m :]


def item_numbers(item: Lowered, t: Floats, q: Floats, v: Floats, rows: int = 0) -> Floats:
    """Generalised forces (k, n) of an item; of a constraint its rows A (k, rows n)."""
    n_q, n = q.shape[1], v.shape[1]
    w = _record(item, q, v)
    first = record_size(n_q, n) + 4 * rows if rows else RECORD + n_q + n
    result = np.empty((len(t), max(1, rows) * n))
    t, q, v = _flat(t, q, v)
    failed = _copies(item.address, item.parameters.ctypes.data, w, first, t, q, v, result)
    _check(failed, t)
    return result


def _record(item: Lowered, q: Floats, v: Floats) -> Floats:
    return np.zeros(record_size(q.shape[1], v.shape[1]) + item.memory)


def _flat(*arrays: Floats) -> list[Floats]:
    return [np.ascontiguousarray(array, dtype=float) for array in arrays]


def _check(failed: int, t: Floats) -> None:
    if failed >= 0:
        raise SolverError(f"a sensor cannot be read at t = {t[failed]:.6g} s: its ends coincide")
