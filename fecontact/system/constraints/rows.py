"""All constraint rows of a system at one state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.typing import Constraint, Floats, Integers, Rows

__all__ = ["Bound", "Constraints"]


@dataclass(frozen=True)
class Bound:
    """One constraint at a state: its rows, columns and local coordinates in the system."""

    constraint: Constraint
    now: Rows
    rows: slice
    columns: slice | Integers
    block: tuple[slice | Integers, slice | Integers]
    q: Floats
    v: Floats
    time_bias: Callable[[float], Floats] | None

    def bias(self, t: float) -> Floats:
        """Return c'' - A v', from the rows at hand if the constraint allows it."""
        if self.time_bias is None:
            return self.constraint.bias(t, self.q, self.v)
        return self.now.d_rate() @ self.v + self.time_bias(t)


@dataclass(frozen=True)
class Constraints:
    """The m rows at one state; each constraint was evaluated once for all that is asked here.

    Attributes
    ----------
    value, rate : (m,)
        c (zero for rows of velocity level) and c' = A v - b.
    jacobian : (m, n)
        A.
    """

    t: float
    value: Floats
    rate: Floats
    jacobian: Floats
    parts: Sequence[Bound]

    @cached_property
    def bias(self) -> Floats:
        """Return c'' - A v', shape (m,)."""
        bias = np.zeros(len(self.value))
        for part in self.parts:
            bias[part.rows] = part.bias(self.t)
        return bias

    def d_rate(self) -> Floats:
        """Derivative (m, n) of c' along a step, at fixed v."""
        result = np.zeros_like(self.jacobian)
        for part in self.parts:
            result[part.rows, part.columns] = part.now.d_rate()
        return result

    def d_load(self, lam: Floats) -> Floats:
        """Derivative (n, n) of A^T lam along a step, at fixed lam (m,)."""
        n = self.jacobian.shape[1]
        result = np.zeros((n, n))
        for part in self.parts:
            result[part.block] += part.now.d_load(lam[part.rows])
        return result
