"""Lanes of a block: as many as it has points, rounded up; no loop goes over the others.

A block has room for `BLOCK` points, but the last one of a contact has fewer, and it is the only one
of a small contact. Kernels that lay out points say how many; whoever gets the working array, also a
law that is called by its address, reads it there. Lanes behind the points repeat the last one with
no weight.
"""

from __future__ import annotations

from fecontact.contact.kernels.layout import BLOCK, LANES
from fecontact.kernels.calls import inlined
from fecontact.kernels.vectors import Three
from fecontact.typing import Floats

__all__ = ["lanes", "use_lanes", "vector_at"]

TOGETHER = 8
"""Lanes that one instruction treats, at most: their number is always a multiple of it."""


@inlined
def use_lanes(points: int, w: Floats) -> None:
    """Say how many points the block has, at most `BLOCK`."""
    w[LANES] = (min(points, BLOCK) + TOGETHER - 1) // TOGETHER


@inlined
def lanes(w: Floats) -> int:
    """Lanes in use.

    Written such that the compiler sees bound and divisor: it needs no code for odd lanes, nor for
    rows that overlap.
    """
    return TOGETHER * min(int(w[LANES]), BLOCK // TOGETHER)


@inlined
def vector_at(w: Floats, row: int, i: int) -> Three:
    """Vector of point i, whose components stand at a row and the two behind it."""
    return w[row + i], w[row + BLOCK + i], w[row + 2 * BLOCK + i]
