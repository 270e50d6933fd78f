"""Equations over a parameter, G(u, p) = 0, and how large their unknowns and residuals are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np

from fecontact.errors import renamed, renamed_keywords
from fecontact.solvers.imbalance import Imbalance
from fecontact.typing import Floats

__all__ = [
    "Equations",
    "Exchanged",
    "Metric",
    "by_size",
    "imbalance_of",
    "metric_of",
    "size_of",
]


class Equations(Protocol):
    """Equations G(u, p) = 0 with their derivatives.

    Those that know the terms which balance each other in them, such as forces, give the residual
    relative to these as `imbalance(u, parameter, residual)`, an `Imbalance`; those that know the
    sizes (m,) of their unknowns near u, as `sizes(u, parameter)`.
    """

    def evaluate(self, u: Floats, parameter: float) -> tuple[Floats, Floats]:
        """G (m,) and dG/du (m, m)."""
        ...

    def by_parameter(self, u: Floats, parameter: float, residual: Floats) -> Floats:
        """dG/dp (m,) where G is known; a difference will do, it steers the way only."""
        ...


def imbalance_of(
    equations: Equations, u: Floats, parameter: float, residual: Floats
) -> Imbalance | None:
    """Residual relative to the terms that balance each other; None if they are not known."""
    own = getattr(equations, "imbalance", None)
    return None if own is None else cast("Imbalance", own(u, parameter, residual))


@renamed(number="index")
@renamed_keywords(number="index")
@dataclass(frozen=True, eq=False)
class Exchanged:
    """Equations with an unknown in the role of the parameter, and the parameter in its place.

    For the start of a branch of vibrations at a Hopf point: there a state of rest solves the
    equations too, for all frequencies, so that the parameter does not choose a vibration. Its
    size does, and is zero at the boundary. Give `follow` a solution of `solve_at` to start from:
    near the boundary, the direction at a mere guess may be that of the state of rest.

    Parameters
    ----------
    equations
        G(u, p).
    index
        Index of the unknown.

    Examples
    --------
    >>> from fecontact.analysis.continuation import solve_at
    >>> class Parabola:
    ...     def evaluate(self, u, p):
    ...         return u**2 - p, np.diag(2.0 * u)
    ...
    ...     def by_parameter(self, u, p, residual):
    ...         return -np.ones(1)
    >>> solve_at(Exchanged(Parabola(), 0), np.ones(1), 3.0).tolist()
    [9.0]
    """

    equations: Equations
    index: int

    def original(self, u: Floats, size: float) -> tuple[Floats, float]:
        """Unknowns and parameter of the original equations."""
        restored = u.copy()
        restored[self.index] = size
        return restored, float(u[self.index])

    def evaluate(self, u: Floats, parameter: float) -> tuple[Floats, Floats]:
        """Residual and its derivative by the unknowns, the original parameter among them."""
        old = self.original(u, parameter)
        residual, by_u = self.equations.evaluate(*old)
        by_u = by_u.copy()
        by_u[:, self.index] = self.equations.by_parameter(*old, residual)
        return residual, by_u

    def imbalance(self, u: Floats, parameter: float, residual: Floats) -> Imbalance:
        """Residual relative to the terms of the original equations."""
        original, old = self.equations, self.original(u, parameter)
        known = imbalance_of(original, *old, residual)
        if known is not None:
            return known
        by_u, by_p = original.evaluate(*old)[1], original.by_parameter(*old, residual)
        return by_size(residual, by_u, by_p, Metric(size_of(old[0], None), abs(old[1]) or 1.0))

    def by_parameter(self, u: Floats, parameter: float, residual: Floats) -> Floats:
        """Derivative of the residual by the exchanged unknown."""
        by_u = self.equations.evaluate(*self.original(u, parameter))[1]
        return np.asarray(by_u[:, self.index])


@dataclass(frozen=True)
class Metric:
    """The product of changes of (u, p)."""

    size: float | Floats
    width: float

    def covector(self, du: Floats, dp: float) -> tuple[Floats, float]:
        """Row that takes the product with (du, dp)."""
        return du / (np.square(self.size) * max(1, len(du))), dp / self.width**2

    def norm(self, du: Floats, dp: float) -> float:
        """Length of a change."""
        return float(np.sqrt(np.mean(np.square(du / self.size)) + (dp / self.width) ** 2))


def size_of(u: Floats, size: float | Floats | None) -> float | Floats:
    """The given size, or that of the unknowns."""
    return (float(np.abs(u).max(initial=0.0)) or 1.0) if size is None else size


def metric_of(
    equations: Equations, size: float | Floats | None
) -> Callable[[Floats, float], Metric]:
    """Product near a point: of the given size, or that of the unknowns there."""
    sizes = getattr(equations, "sizes", None)
    if size is None and sizes is not None:
        return lambda u, p: Metric(sizes(u, p), 1.0)
    return lambda u, _: Metric(size_of(u, size), 1.0)


def by_size(residual: Floats, by_u: Floats, by_p: Floats, metric: Metric) -> Imbalance:
    """Residual of equations of any kind, relative to what changes of the size of u and p give."""
    size = np.broadcast_to(metric.size, by_u.shape[1:])
    terms = np.abs(by_u) @ size + np.abs(by_p) * metric.width
    left = np.abs(residual)
    fraction = np.divide(left, terms, out=np.full(len(left), np.inf), where=terms > 0.0)
    return Imbalance(float(fraction[left > 0.0].max(initial=0.0)))
