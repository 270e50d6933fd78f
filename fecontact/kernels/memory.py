"""Arrays one after the other in memory: each is taken from the front, and the rest is left.

As in `kernels.arrays`, an array taken is a pointer and its lengths; nothing is copied. For kernels
only: Python cannot take arrays that nobody owns.
"""

from __future__ import annotations

from functools import partial

from fecontact.kernels.arrays import after, integers, matrix, part
from fecontact.kernels.calls import inlined
from fecontact.typing import Floats, Integers

__all__ = ["take", "take_integers", "take_matrix"]


@partial(inlined, allocates=False)
def take(memory: Floats, size: int) -> tuple[Floats, Floats]:
    """So many numbers, and the memory behind them."""
    return part(memory, 0, size), after(memory, size)


@partial(inlined, allocates=False)
def take_matrix(memory: Floats, rows: int, columns: int) -> tuple[Floats, Floats]:
    """A matrix, and the memory behind it."""
    return matrix(memory, 0, rows, columns), after(memory, rows * columns)


@partial(inlined, allocates=False)
def take_integers(memory: Floats, size: int) -> tuple[Integers, Floats]:
    """So many integers, and the memory behind them."""
    return integers(memory, 0, size), after(memory, size)
