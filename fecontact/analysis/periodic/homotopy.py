"""Solutions that Newton's method does not reach from the guess: by way of easier equations.

A level between 0 and 1 makes equations as easy as one likes; at 1 they are the given ones. The
level rises by a factor, from solution to solution, and the factor falls where a step fails. A
branch need not be continuous for that: where it turns round, the next step may find another one,
and any solution of the given equations is one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from fecontact.analysis.equations import Equations, imbalance_of
from fecontact.errors import SolverError
from fecontact.solvers.imbalance import Imbalance
from fecontact.typing import Floats

__all__ = ["Relieved", "stepped"]

LARGEST, LEAST = 8.0, 1.01
"""Factors of the level: the first, which is the largest, and that at which it is given up."""


def stepped(solve: Callable[[float, Floats], Floats], u: Floats, lowest: float) -> Floats:
    """Solution at the level 1 from a guess at the lowest one.

    Parameters
    ----------
    solve
        `solve(level, guess)` returns a solution or raises a `SolverError`.
    u
        First guess.
    lowest
        First level.

    Examples
    --------
    Newton's method for arctan(x) = 1.5 diverges from 0; in steps of the right side it arrives:

    >>> def solve(level, x):
    ...     for _ in range(20):
    ...         x = x - (np.arctan(x) - 1.5 * level) * (1.0 + x**2)
    ...         if not abs(x[0]) < 1e6:
    ...             raise SolverError("diverges")
    ...     return x
    >>> print(f"{stepped(solve, np.zeros(1), 0.1)[0]:.6f}")
    14.101420
    """
    u, level, factor = solve(lowest, u), lowest, LARGEST
    while level < 1.0:
        try:
            u = solve(min(1.0, factor * level), u)
            level, factor = min(1.0, factor * level), min(factor**1.5, LARGEST)
        except SolverError as failure:
            factor = np.sqrt(factor)
            if factor < LEAST:
                raise SolverError(f"stopped at {level:.2g} of the way: {failure}") from failure
    return u


@dataclass(frozen=True, eq=False)
class Relieved:
    """Equations G(u) - (1 - level) G(u_0) = 0, which a guess u_0 solves at the level 0."""

    equations: Equations
    guess: Floats
    parameter: float
    level: float
    left: Floats = field(init=False)

    def __post_init__(self) -> None:
        left = self.equations.evaluate(self.guess, self.parameter)[0]
        object.__setattr__(self, "left", (1.0 - self.level) * left)

    def evaluate(self, u: Floats, parameter: float) -> tuple[Floats, Floats]:
        """Residual and its derivative by the unknowns."""
        residual, by_u = self.equations.evaluate(u, parameter)
        return residual - self.left, by_u

    def by_parameter(self, u: Floats, parameter: float, residual: Floats) -> Floats:
        """Derivative of the residual by the parameter."""
        return self.equations.by_parameter(u, parameter, residual + self.left)

    def imbalance(self, u: Floats, parameter: float, residual: Floats) -> Imbalance:
        """Residual relative to the terms of the equations."""
        known = imbalance_of(self.equations, u, parameter, residual)
        assert known is not None
        return known
