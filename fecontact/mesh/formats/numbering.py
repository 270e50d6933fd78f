"""Items with the numbers that a file gives them: any whole numbers, in any order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.errors import InputError
from fecontact.typing import Integers

__all__ = ["Numbered"]


@dataclass
class Numbered:
    """Items with the numbers that the file gives them.

    Memory goes with their count, not with the largest number.

    Examples
    --------
    >>> Numbered("node", np.array([800_000_000, 3])).find(np.array([3, 3, 800_000_000])).tolist()
    [1, 1, 0]
    """

    what: str
    numbers: Integers
    cure: str = "number each of them once"

    def __post_init__(self) -> None:
        self._order = np.argsort(self.numbers, kind="stable")
        self._sorted = self.numbers[self._order]
        twice = np.flatnonzero(np.diff(self._sorted) == 0)
        if len(twice):
            number = self._sorted[twice[0]]
            raise InputError(f"{self.what} numbers occur twice, first {number}; {self.cure}")

    def find(self, numbers: Integers) -> Integers:
        """Positions of the items with the given numbers."""
        if not len(self._sorted):
            if numbers.size:
                raise InputError(f"{self.what} {numbers.flat[0]} is used but not defined")
            return numbers.astype(np.int64)
        index = np.searchsorted(self._sorted, numbers).clip(max=len(self._sorted) - 1)
        missing = np.ravel(numbers[self._sorted[index] != numbers])
        if len(missing):
            raise InputError(f"{self.what} {missing[0]} is used but not defined")
        found: Integers = self._order[index]
        return found
