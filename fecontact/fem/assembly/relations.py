"""Linear relations between unknowns, and their elimination.

Unknowns u of all parts follow from slots w, one for each unknown,

    u = A u + B w,

where plain unknowns are their own slot (A = 0, B = 1). A dependent unknown has no slot: it follows
others by its row of A. A departed one keeps its slot for the departure from the mean of others, as
the middle nodes of a tied quadratic face do. Rows of A may use unknowns that are dependent
themselves (chains), but not in a circle; then A is nilpotent and

    u = T w,      T = (1 + A + A^2 + ...) B .
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from fecontact.errors import InputError
from fecontact.typing import Floats, Integers

__all__ = ["Relations"]


@dataclass
class Relations:
    """Relations between `size` unknowns, collected one after the other.

    Attributes
    ----------
    held : (size,) bool
        Unknowns that supports hold at zero; they cannot depend on others.
    owner : (size,) int
        Number of the relation on which an unknown depends, -1 if it is free.
    departed : (size,) bool
        Whether the slot of an unknown is its departure.
    """

    size: int
    held: npt.NDArray[np.bool_]
    owner: Integers = field(init=False)
    departed: npt.NDArray[np.bool_] = field(init=False)
    _A: list[sp.coo_array] = field(init=False, default_factory=list)
    _B: list[sp.coo_array] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.owner = np.full(self.size, -1)
        self.departed = np.zeros(self.size, dtype=bool)

    @property
    def available(self) -> npt.NDArray[np.bool_]:
        """Unknowns that may become dependent."""
        return ~self.held & (self.owner < 0) & ~self.departed

    def depend(
        self,
        unknowns: Integers,
        on: sp.csr_array,
        number: int,
        departures: sp.csr_array | None = None,
    ) -> None:
        """Let unknowns (k,) be on @ u + departures @ w, matrices (k, size)."""
        self.owner[unknowns] = number
        self._A.append(_placed(unknowns, on, self.size))
        if departures is not None:
            self._B.append(_placed(unknowns, departures, self.size))

    def depart(self, unknowns: Integers, mean: sp.csr_array) -> None:
        """Let the slots of unknowns (k,) be their departures from mean @ u, (k, size)."""
        self.departed[unknowns] = True
        self._A.append(_placed(unknowns, mean, self.size))

    @property
    def independent(self) -> Integers:
        """Slots that remain."""
        return np.flatnonzero(self.owner < 0)

    def matrices(self) -> tuple[sp.csr_array, sp.csr_array]:
        """A and B, (size, size)."""
        none = sp.csr_array((self.size, self.size))
        A = sp.csr_array(sum((sp.csr_array(part) for part in self._A), none))
        kept = self.independent
        own = sp.coo_array((np.ones(len(kept)), (kept, kept)), shape=none.shape)
        B = sp.csr_array(sum((sp.csr_array(part) for part in self._B), sp.csr_array(own)))
        return A, B

    def transformation(self) -> sp.csr_array:
        """T (size, independent)."""
        A, B = self.matrices()
        circles, _ = connected_components(A, directed=True, connection="strong")
        if circles < self.size or np.any(A.diagonal()):
            raise InputError(
                "the ties, couplings and equations depend on each other in a circle: exchange "
                "slave and master of one of them"
            )
        total = term = sp.csr_array(B[:, self.independent])
        while term.nnz:
            term = sp.csr_array(A @ term)
            total = sp.csr_array(total + term)
        return total

    def slots(self, u: Floats) -> Floats:
        """Values of the remaining slots that give the motion u (size, ...)."""
        A, _ = self.matrices()
        return np.asarray((u - (A @ u) * self.departed[:, None])[self.independent])


def _placed(rows: Integers, matrix: sp.csr_array, size: int) -> sp.coo_array:
    """Matrix (k, size) as rows of one of (size, size)."""
    given = sp.coo_array(matrix)
    return sp.coo_array((given.data, (rows[given.row], given.col)), shape=(size, size))
