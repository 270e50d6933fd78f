"""Block functions of laws over arrays of any number of points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from fecontact.contact.kernels.lanes import lanes, use_lanes
from fecontact.contact.kernels.layout import BLOCK
from fecontact.kernels.calls import call_block
from fecontact.kernels.decorators import kernel
from fecontact.kernels.working import working_array
from fecontact.typing import Floats, Integers

__all__ = ["Rows", "matrices", "over_points", "rows_of"]

Rows = tuple[int, Floats | Integers]
"""Position of rows in the working array, and the numbers (n,) or (n, k) of the points there."""

B = BLOCK


def rows_of(*parts: Rows) -> tuple[Integers, Floats]:
    """Positions of rows and their numbers (rows, n)."""
    sizes = [values.shape[1] if values.ndim > 1 else 1 for _, values in parts]
    numbers, first = np.empty((sum(sizes), len(parts[0][1]))), 0
    for (_, values), count in zip(parts, sizes, strict=True):
        numbers[first : first + count] = values.T
        first += count
    return _offsets(*((at, count) for (at, _), count in zip(parts, sizes, strict=True))), numbers


@cache
def _offsets(*rows: tuple[int, int]) -> Integers:
    """Positions of all rows, from that of the first and their number."""
    return np.array([at + k * B for at, count in rows for k in range(count)], dtype=np.int64)


def over_points(
    address: int,
    parameters: Floats,
    h: float,
    given: tuple[Integers, Floats],
    wanted: Sequence[tuple[int, int]],
    size: int,
) -> list[Floats]:
    """Run a block function over all points.

    Parameters
    ----------
    address, parameters, h
        The function, the parameters of its law and the length of the step.
    given
        Rows that it reads, as `rows_of` returns them.
    wanted
        Position and number of the rows that it leaves.
    size
        Length of the working array.

    Returns
    -------
    list of (n,) or (n, k)
        The wanted numbers of the points.
    """
    offsets = _offsets(*wanted)
    result = np.empty((len(offsets), given[1].shape[1]))
    _over_blocks(address, parameters, float(h), *given, offsets, result, working_array(size)[:size])
    found, first = [], 0
    for _, count in wanted:
        part = result[first : first + count]
        found.append(part[0].copy() if count == 1 else np.ascontiguousarray(part.T))
        first += count
    return found


def matrices(values: Floats, rows: int) -> Floats:
    """Matrices (n, rows, k) from their numbers (n, rows k)."""
    return values.reshape(len(values), rows, -1)


@kernel
def _over_blocks(
    address: int, parameters: Floats, h: float, rows: Integers, given: Floats, offsets: Integers,
    result: Floats, w: Floats,
) -> None:  # fmt: skip
    """Blocks of points one after another; the last one is filled up with its last point.

    Rows that are not given are zero.
    """
    count = given.shape[1]
    use_lanes(count, w)
    used = lanes(w)
    for at in range(0, len(w), B):
        w[at : at + used] = 0.0
    for first in range(0, count, B):
        size = min(B, count - first)
        use_lanes(size, w)
        for k in range(len(rows)):
            at = rows[k]
            for i in range(lanes(w)):
                w[at + i] = given[k, first + min(i, size - 1)]
        call_block(address, w, parameters, h)
        for k in range(len(offsets)):
            at = offsets[k]
            for i in range(size):
                result[k, first + i] = w[at + i]
