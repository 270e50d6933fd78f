"""Block functions of laws over arrays of any number of points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fecontact.contact.kernels.layout import BLOCK
from fecontact.kernels.calls import call_block
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["Rows", "matrices", "over_points", "rows_of"]

Rows = tuple[int, Floats | Integers]
"""Place of rows in the working array, and the numbers (n,) or (n, k) of the points there."""

B = BLOCK


def rows_of(*parts: Rows) -> tuple[Integers, Floats]:
    """Places of rows and their numbers (rows, n)."""
    offsets: list[int] = []
    numbers: list[Floats] = []
    for at, values in parts:
        columns = values.T if values.ndim > 1 else values[None]
        offsets += [at + k * B for k in range(len(columns))]
        numbers += list(columns)
    return np.array(offsets, dtype=np.int64), np.array(numbers, dtype=float, order="C")


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
        Place and number of the rows that it leaves.
    size
        Length of the working array.

    Returns
    -------
    list of (n,) or (n, k)
        The wanted numbers of the points.
    """
    offsets = np.array([at + k * B for at, count in wanted for k in range(count)], dtype=np.int64)
    result = np.empty((len(offsets), given[1].shape[1]))
    _over_blocks(address, parameters, float(h), *given, offsets, result, np.zeros(size))
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
    """Blocks of points one after another; the last one is filled up with its last point."""
    count = given.shape[1]
    for first in range(0, count, B):
        size = min(B, count - first)
        for k in range(len(rows)):
            at = rows[k]
            for i in range(B):
                w[at + i] = given[k, first + min(i, size - 1)]
        call_block(address, w, parameters, h)
        for k in range(len(offsets)):
            at = offsets[k]
            for i in range(size):
                result[k, first + i] = w[at + i]
