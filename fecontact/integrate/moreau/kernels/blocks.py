"""Square matrices over the dofs in blocks that are not coupled, and their inverses.

The mass matrix, and S = M - theta^2 h^2 K - theta h D of a step, fall into blocks: of a rigid body,
of bodies that springs connect, of a single elastic mode. A matrix has three rows: its numbers,
those of its last inverse, and the inverse, which is worked out again only where a block has
changed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.kernels.arrays import after
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["Blocks", "invert", "multiply", "respond", "unknown_inverse"]


class Blocks(NamedTuple):
    """Which dofs are coupled.

    Attributes
    ----------
    first : (b + 1,), dofs : (n,)
        Where the dofs of each block begin in `dofs`.
    block, place : (n,)
        Block of a dof, and its place there.
    start : (b + 1,)
        Where the numbers of each block begin in a matrix.
    """

    first: Integers
    dofs: Integers
    block: Integers
    place: Integers
    start: Integers

    @staticmethod
    def of(labels: Integers) -> Blocks:
        """Blocks of dofs with the same label, labels from 0 on."""
        dofs = np.argsort(labels, kind="stable").astype(np.int64)
        sizes = np.bincount(labels)
        first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        place = np.empty(len(labels), dtype=np.int64)
        place[dofs] = np.arange(len(labels)) - first[labels[dofs]]
        start = np.concatenate([[0], np.cumsum(sizes**2)]).astype(np.int64)
        return Blocks(first, dofs, labels.astype(np.int64), place, start)

    @property
    def largest(self) -> int:
        """Number of dofs of the largest block."""
        return int(np.diff(self.first).max(initial=0))


def unknown_inverse(blocks: Blocks) -> Floats:
    """A matrix (3, size) whose inverse is not known."""
    matrix = np.zeros((3, int(blocks.start[-1])))
    matrix[1] = np.nan
    return matrix


@kernel(fastmath=True)
def invert(first: Integers, start: Integers, matrix: Floats, left: Floats) -> int:
    """Bring all inverses up to date; returns how many were worked out, -1 if one has none.

    `left` (n, n) has room for the largest block.
    """
    values, known, inverse = matrix[0], matrix[1], matrix[2]
    done = 0
    for b in range(len(first) - 1):
        n, same = first[b + 1] - first[b], True
        for k in range(start[b], start[b + 1]):
            if values[k] != known[k]:
                same = False
                break
        if same:
            continue
        for k in range(start[b], start[b + 1]):
            known[k] = values[k]
        if not _invert(after(values, start[b]), after(inverse, start[b]), left, n):
            known[start[b]] = np.nan
            return -1
        done += 1
    return done


@kernel(fastmath=True)
def _invert(values: Floats, right: Floats, left: Floats, n: int) -> bool:
    """Inverse of a matrix by Gauss and Jordan with row pivots; False if there is none."""
    for i in range(n):
        for j in range(n):
            left[i, j], right[n * i + j] = values[n * i + j], 0.0
        right[n * i + i] = 1.0
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(left[i, k]) > abs(left[pivot, k]):
                pivot = i
        if not abs(left[pivot, k]) > 0.0:
            return False
        if pivot != k:
            for j in range(n):
                left[k, j], left[pivot, j] = left[pivot, j], left[k, j]
                a, b = n * k + j, n * pivot + j
                right[a], right[b] = right[b], right[a]
        factor = 1.0 / left[k, k]
        for j in range(n):
            left[k, j] *= factor
            right[n * k + j] *= factor
        for i in range(n):
            factor = left[i, k]
            if i != k and factor != 0.0:
                for j in range(k, n):
                    left[i, j] -= factor * left[k, j]
                for j in range(n):
                    right[n * i + j] -= factor * right[n * k + j]
    return True


@kernel(fastmath=True)
def multiply(
    first: Integers, start: Integers, dofs: Integers, values: Floats, x: Floats, y: Floats
) -> None:
    """Product y (n,) of a matrix and a vector x (n,)."""
    for b in range(len(first) - 1):
        at, n = first[b], first[b + 1] - first[b]
        for i in range(n):
            row, total = start[b] + n * i, 0.0
            for j in range(n):
                total += values[row + j] * x[dofs[at + j]]
            y[dofs[at + i]] = total


@kernel(fastmath=True)
def respond(
    first: Integers, start: Integers, values: Floats, chosen: Integers, row: Floats, result: Floats
) -> None:
    """Product of some blocks, one after the other, and a row over their dofs."""
    at = 0
    for k in range(len(chosen)):
        b = chosen[k]
        n = first[b + 1] - first[b]
        for i in range(n):
            begin, total = start[b] + n * i, 0.0
            for j in range(n):
                total += values[begin + j] * row[at + j]
            result[at + i] = total
        at += n
