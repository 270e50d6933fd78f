"""Floquet multipliers: what a period does to small disturbances of a periodic motion.

The monodromy matrix takes a disturbance at the start of a period to its end. Its eigenvalues are
the multipliers; the motion is stable if all lie inside the unit circle. A free motion has one
multiplier 1, a shift along itself, which does not count. A branch of motions turns round where
another one passes through +1 (fold), and doubles its period where one passes through -1 (flip).

Where a free motion attracts weakly, a second multiplier is close to the 1 of the shift. If its
period changes with its size, the two are nearly a Jordan block: a small error of the matrix drives
them apart with its square root, but moves their product with its first power only. As one of them
is 1, the product is the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.typing import Complexes, Floats

__all__ = ["Multipliers", "multipliers", "without_shift"]

REAL = 1e-9
"""Relative imaginary part of what counts as real."""


@dataclass(frozen=True, eq=False)
class Multipliers:
    """Multipliers, the largest first, without that of a shift along a free motion.

    Attributes
    ----------
    values : (d,)
        The multipliers.
    shift
        The multiplier of a free motion that must be 1; nan in a forced one.
    """

    values: Complexes
    shift: complex

    @property
    def largest(self) -> float:
        """Absolute value of the largest one."""
        return float(np.abs(self.values).max(initial=0.0))

    @property
    def stable(self) -> bool:
        """Whether disturbances fade."""
        return self.largest < 1.0

    @property
    def fold(self) -> float:
        """Product of 1 - multiplier: it changes its sign at a fold."""
        return float(np.prod(1.0 - self.values).real)

    @property
    def flip(self) -> float:
        """Product of 1 + multiplier: it changes its sign where the period doubles."""
        return float(np.prod(1.0 + self.values).real)


def multipliers(monodromy: Floats, free: bool) -> Multipliers:
    """Multipliers of a monodromy matrix; of a free motion without that of a shift.

    The shift is the one nearest to 1. If it and the next one are real or a pair, the next one is
    their product.

    Examples
    --------
    >>> multipliers(np.diag([0.5, 1.0]), free=True).values.real.tolist()
    [0.5]

    A weakly attracting swing, with an error of 1e-6 in the matrix:

    >>> values = multipliers(np.array([[1.0, 10.0], [-1e-6, 0.999]]), free=True).values
    >>> round(float(values[0].real), 6), float(values[0].imag)
    (0.99901, 0.0)
    """
    values = np.linalg.eigvals(monodromy).astype(complex)
    shift = complex(np.nan)
    if free:
        nearest = int(np.argmin(np.abs(values - 1.0)))
        shift, values = complex(values[nearest]), without_shift(values, nearest)
    return Multipliers(values[np.argsort(-np.abs(values), kind="stable")], shift)


def without_shift(values: Complexes, nearest: int, *, rates: bool = False) -> Complexes:
    """Multipliers (or rates, with the sum for the product) without that of the shift."""
    shift, rest = values[nearest], np.delete(values, nearest)
    if not len(rest):
        return rest
    index = int(np.argmin(np.abs(rest - (0.0 if rates else 1.0))))
    both = rest[index] + shift if rates else rest[index] * shift
    if abs(both.imag) <= REAL * max(abs(both), abs(shift)):
        rest[index] = both.real
    return rest
