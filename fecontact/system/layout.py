"""Where items stand in a system: indices of their coordinates, and whether two systems agree."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from fecontact.typing import Constraint, Integers, Item, supports

__all__ = [
    "Fold",
    "Indices",
    "as_array",
    "block_of",
    "fold_of",
    "joined",
    "same_layout",
    "shortest",
    "slices",
]

Indices = slice | Integers
"""Indices of local coordinates in the system; a slice if they are neighbours."""


def same_layout(members: Sequence[Item | Constraint], others: Sequence[Item | Constraint]) -> bool:
    """Whether members have the same names, dofs and rows, and the same bodies by name."""
    if len(members) != len(others):
        return False
    return all(
        one is two or _layout_of(one) == _layout_of(two)
        for one, two in zip(members, others, strict=True)
    )


def _layout_of(member: Any) -> tuple[Any, ...]:
    """Class, name and bodies of a member, with its dofs or rows."""
    own = (len(member.reference()), member.dofs) if hasattr(member, "dofs") else ()
    rows = (member.rows, member.level) if supports(member, "bias") else ()
    bodies = tuple(body.name for body in member.bodies)
    return type(member), member.name, bodies, own, rows


def slices(sizes: dict[str, int]) -> dict[str, slice]:
    """Parts of an array, one after the other, by name."""
    ends = accumulate(sizes.values())
    return {
        name: slice(end - size, end) for (name, size), end in zip(sizes.items(), ends, strict=True)
    }


def as_array(indices: Indices) -> Integers:
    """Indices as an array."""
    if isinstance(indices, slice):
        return np.arange(indices.start, indices.stop, dtype=np.int64)
    return indices


def joined(parts: Sequence[slice]) -> Indices:
    """Indices of parts in turn; a slice for neighbours: views instead of copies."""
    if all(before.stop == after.start for before, after in pairwise(parts)):
        return slice(parts[0].start, parts[-1].stop)
    return np.concatenate([np.arange(part.start, part.stop, dtype=np.int64) for part in parts])


def shortest(numbers: Integers) -> Indices:
    """A slice for neighbouring numbers: views instead of copies."""
    if len(numbers) and np.all(np.diff(numbers) == 1):
        return slice(int(numbers[0]), int(numbers[-1]) + 1)
    return numbers


class Fold(NamedTuple):
    """Dofs (k,) of an item, each once, and their indices (N,) for each of its local dofs."""

    dofs: Integers
    indices: Integers


def fold_of(local: Indices) -> Fold | None:
    """How local dofs are summed if some are there twice."""
    if isinstance(local, slice):
        return None
    dofs, indices = np.unique(local, return_inverse=True)
    return None if len(dofs) == len(local) else Fold(dofs, indices.astype(np.int64))


def block_of(own: Indices) -> tuple[Indices, Indices]:
    """Rows and columns of a matrix."""
    if isinstance(own, slice):
        return own, own
    rows, columns = np.ix_(own, own)
    return rows, columns
