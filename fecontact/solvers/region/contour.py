"""Number of eigenvalues in a rectangle by the argument principle, beside those that are known.

For Q(z) = z^2 M + z D + K the winding number of det Q(z) about the edge of a region is the number
of eigenvalues inside. Known eigenvalues z_k are divided out,

    missing = (1 / 2 pi) change of arg( det Q(z) / prod (z - z_k) )   around the edge,

so that the argument changes slowly and few points suffice: an edge between two of them is halved
until the change over it and over its halves agrees.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from fecontact.errors import SolverError
from fecontact.solvers.region.cover import Box
from fecontact.solvers.region.shifted import Quadratic, factorise_general
from fecontact.typing import Complexes, Integers

__all__ = ["missing_in"]

STEP = 1.0
"""Largest change of the argument in rad between two points."""

WHOLE = 0.02
"""How far a winding number may be from a whole one."""


def missing_in(problem: Quadratic, box: Box, known: Complexes, max_points: int = 4000) -> int:
    """Number of eigenvalues in a box that are not among the known ones.

    `known` are eigenvalues inside and around the box, each as often as it counts.
    """
    edge = _Edge(problem, known, max_points)
    corners = [complex(box.low, box.bottom), complex(box.high, box.bottom),
               complex(box.high, box.top), complex(box.low, box.top)]  # fmt: skip
    total = sum(edge.change(a, b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True))
    turns = total / (2.0 * np.pi)
    if abs(turns - round(turns)) > WHOLE:
        raise SolverError(
            f"the contour count gives {turns:.3f}, no whole number: an eigenvalue lies on the edge "
            "of the region; move its bounds"
        )
    return round(turns)


class _Edge:
    """Arguments of det Q(z) without the known eigenvalues; each is worked out once."""

    def __init__(self, problem: Quadratic, known: Complexes, max_points: int) -> None:
        self.problem, self.known, self.max_points = problem, known, max_points
        self._arguments: dict[complex, float] = {}

    def change(self, a: complex, b: complex) -> float:
        """Change of the argument from a to b, by halving."""
        first = [a + (b - a) * t for t in np.linspace(0.0, 1.0, 5)]
        return sum(self._between(p, q) for p, q in pairwise(first))

    def _between(self, a: complex, b: complex) -> float:
        middle = 0.5 * (a + b)
        one, two = self._step(a, middle), self._step(middle, b)
        if abs(one) + abs(two) <= STEP and abs(one - two) <= 0.5 * STEP:
            return one + two
        return self._between(a, middle) + self._between(middle, b)

    def _step(self, a: complex, b: complex) -> float:
        return _wrapped(self.argument(b) - self.argument(a))

    def argument(self, z: complex) -> float:
        """Argument of det Q(z) / prod (z - z_k) in rad."""
        if z not in self._arguments:
            if len(self._arguments) >= self.max_points:
                raise SolverError(
                    f"the contour count needs more than {self.max_points} points: many "
                    "eigenvalues lie near the edge of the region; move its bounds"
                )
            factors = factorise_general(self.problem.at(z))
            angle = float(np.angle(factors.U.diagonal()).sum())
            angle += np.pi * (_odd(factors.perm_r) + _odd(factors.perm_c))
            self._arguments[z] = angle - float(np.angle(z - self.known).sum())
        return self._arguments[z]


def _wrapped(angle: float) -> float:
    return float((angle + np.pi) % (2.0 * np.pi) - np.pi)


def _odd(permutation: Integers) -> int:
    """1 if a permutation is odd."""
    seen, cycles = np.zeros(len(permutation), dtype=bool), 0
    for first in range(len(permutation)):
        if seen[first]:
            continue
        cycles, at = cycles + 1, first
        while not seen[at]:
            seen[at] = True
            at = int(permutation[at])
    return (len(permutation) - cycles) % 2
