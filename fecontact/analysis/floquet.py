"""Floquet multipliers: what a period does to small disturbances of a periodic motion.

The monodromy matrix takes a disturbance at the start of a period to its end. Its eigenvalues are
the multipliers; the motion is stable if all lie inside the unit circle. A free motion has one
multiplier 1, a shift along itself, which does not count. A branch of motions turns round where
another one passes through +1 (fold), and doubles its period where one passes through -1 (flip).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.typing import Complexes, Floats

__all__ = ["Multipliers", "multipliers"]


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
    """Multipliers of a monodromy matrix; of a free motion without the one nearest to 1.

    Examples
    --------
    >>> multipliers(np.diag([0.5, 1.0]), free=True).values.real.tolist()
    [0.5]
    """
    values = np.linalg.eigvals(monodromy).astype(complex)
    values = values[np.argsort(-np.abs(values), kind="stable")]
    if not free:
        return Multipliers(values, complex(np.nan))
    nearest = int(np.argmin(np.abs(values - 1.0)))
    return Multipliers(np.delete(values, nearest), complex(values[nearest]))
