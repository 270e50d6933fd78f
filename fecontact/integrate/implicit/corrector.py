"""Newton's method for the equations of a step.

With constraints alone it is the plain method, which meets them to round-off. Friction has kinks, at
which Newton's method may cycle: a trial that slides everywhere has hardly any tangential stiffness.
Hence

- a step starts with the elastic tangent, as if no point slid, if its guess changes the contacts;
- then come consistent tangents, each step shortened until the imbalance falls in the metric of the
  mass, |r|^2 = r_f M^-1 r_f + |r_c|^2, which does not depend on units;
- a factorised tangent is kept while corrections fall fast, also into the next steps of nearly the
  same length.

A step is solved when the next correction of the positions is negligible and the forces balance:
less than 1e-8 of those that act is left, or what round-off leaves and no iteration reduces; and,
without constraints, at once when no dof has more than round-off left, as after the first correction
of a linear step. The
positions alone do not tell: a contact of 1e-12 m on a body that has gone 1 m, or beside one that
turns, changes no digit of theirs.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import LinAlgWarning, lu_factor, lu_solve

from fecontact.errors import SolverError
from fecontact.integrate.control import Scale
from fecontact.integrate.implicit.alpha import StepEquations
from fecontact.integrate.implicit.limits import (
    ALIKE,
    FAST,
    HALVINGS,
    MAX_ITERATIONS,
    MAX_WITH_CONTACTS,
    ROUND_OFF,
    ROUNDED,
    STALLED,
    TOLERANCE,
)
from fecontact.results.statistics import Statistics
from fecontact.solvers.imbalance import BALANCED
from fecontact.typing import Floats

__all__ = ["Corrector"]

Factors = tuple[Floats, npt.NDArray[np.int32]]


@dataclass
class Corrector:
    """Solves the equations of steps, with counters."""

    scale: Scale
    statistics: Statistics
    _kept: tuple[float, Factors] | None = None
    _left: float = np.inf

    def solve(self, equations: StepEquations) -> Floats:
        """Unknowns of a step; a `SolverError` if there is no convergence."""
        with np.errstate(over="ignore", invalid="ignore"):
            if equations.system.history_layout:
                return self._with_contacts(equations)
            return self._smooth(equations)

    def forget(self) -> None:
        """Drop the kept tangent: what follows depends on the last state alone."""
        self._kept = None

    def _smooth(self, equations: StepEquations) -> Floats:
        y, before, bound = equations.guess(), np.inf, bool(equations.system.rows)
        factors, fresh = None if bound else self._earlier(equations), False
        if factors is not None:
            residual = self._residual(equations, y)
        self._left = np.inf
        for _ in range(MAX_ITERATIONS):
            if factors is None:
                residual, tangent = equations.evaluate(y)
                self.statistics.evaluations += 1
                factors, fresh = self._factorised(tangent), True
            dy = _solution(factors, -residual)
            self.statistics.iterations += 1
            y = y + dy
            size = self._size(equations, dy, y)
            settled = _settled(size, before, fresh)
            slow = bound or not size <= FAST * before
            if settled or not slow:
                residual = self._residual(equations, y)
                if equations.solved(y, residual):
                    return self._done(equations, factors, y)
            if settled and self._balanced(equations, y, residual, fresh):
                return self._done(equations, factors, y)
            if settled or slow:
                factors = None
            before = size
        raise self._failure(MAX_ITERATIONS, size)

    def _with_contacts(self, equations: StepEquations) -> Floats:
        y, before = equations.guess(), np.inf
        residual = self._residual(equations, y)
        stuck = self._changes(equations)
        factors, fresh = None if stuck else self._earlier(equations), False
        self._left = np.inf
        for _ in range(MAX_WITH_CONTACTS):
            if factors is None:
                factors, fresh = self._factorised(equations.tangent(y, stuck)), True
            dy = _solution(factors, -residual)
            self.statistics.iterations += 1
            size = self._size(equations, dy, y + dy)
            settled = _settled(size, before, fresh) and not stuck
            y, residual, length = self._shortened(equations, y, dy, residual, size)
            if length > 0.0 and equations.solved(y, residual):
                return self._done(equations, factors, y)
            if settled and length == 1.0 and self._balanced(equations, y, residual, fresh):
                return self._done(equations, factors, y)
            if length == 0.0 and stuck:
                raise SolverError("no step reduces the imbalance of the contacts")
            if stuck or settled or length < 1.0 or not size <= FAST * before:
                factors = None
            stuck = length == 0.0 and fresh
            before = size if length == 1.0 else np.inf
        raise self._failure(MAX_WITH_CONTACTS, size)

    def _balanced(self, equations: StepEquations, y: Floats, residual: Floats, fresh: bool) -> bool:
        """Whether the forces balance at unknowns y, those of the last residual."""
        left, before = equations.imbalance(y, residual), self._left
        stalled = fresh and left.residual > STALLED * before
        if left.residual <= BALANCED or (stalled and left.within(ROUNDED)):
            return True
        self.statistics.unbalanced += 1
        self._left = left.residual
        return False

    def _earlier(self, equations: StepEquations) -> Factors | None:
        """Tangent of an earlier step of the same size and nearly the same length."""
        if self._kept is None:
            return None
        h, factors = self._kept
        fits = len(factors[0]) == equations.size and abs(equations.h / h - 1.0) < ALIKE
        return factors if fits else None

    def _done(self, equations: StepEquations, factors: Factors, y: Floats) -> Floats:
        """Keep the tangent for the next step."""
        if self._kept is None or self._kept[1] is not factors:
            self._kept = equations.h, factors
        return y

    def _changes(self, equations: StepEquations) -> bool:
        """Whether the guess changes the status of contact points."""
        return bool(np.any(equations.step.committed().status != equations.last.state.status))

    def _shortened(
        self, equations: StepEquations, y: Floats, dy: Floats, residual: Floats, size: float
    ) -> tuple[Floats, Floats, float]:
        """Unknowns and residual after a step of the longest length with less imbalance; 0: none."""
        if size <= ROUND_OFF:
            return y + dy, self._residual(equations, y + dy), 1.0
        mass = equations.mass
        least = _imbalance(mass, residual)
        for length in 0.5 ** np.arange(HALVINGS):
            trial = y + length * dy
            now = self._residual(equations, trial)
            if _imbalance(mass, now) < (1.0 - 1e-3 * length) * least:
                return trial, now, float(length)
        return y, self._residual(equations, y), 0.0

    def _residual(self, equations: StepEquations, y: Floats) -> Floats:
        self.statistics.evaluations += 1
        return equations.residual(y)

    def _factorised(self, tangent: Floats) -> Factors:
        self.statistics.factorisations += 1
        if not np.isfinite(tangent).all():
            raise SolverError("the forces are not finite")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LinAlgWarning)
            return lu_factor(tangent, check_finite=False)

    def _failure(self, iterations: int, size: float) -> SolverError:
        left = f", {self._left:.1e} of the acting forces left" if self._left < np.inf else ""
        return SolverError(
            f"no convergence in {iterations} iterations (last correction {size:.1e}{left})"
        )

    def _size(self, equations: StepEquations, dy: Floats, y: Floats) -> float:
        return self.scale.correction(equations.change(dy), equations.path(y))


def _solution(factors: Factors, right: Floats) -> Floats:
    if not np.isfinite(right).all():
        raise SolverError("the forces are not finite")
    if not np.all(np.diagonal(factors[0])):
        raise SolverError("the tangent is singular")
    return np.asarray(lu_solve(factors, right, check_finite=False))


def _imbalance(mass: Floats, residual: Floats) -> float:
    """Size of a residual in the metric of the mass; infinite if it is not finite."""
    n = len(mass)
    forces, rows = residual[:n], residual[n:]
    square = forces @ np.linalg.solve(mass, forces) + rows @ rows
    return float(square) if np.isfinite(square) else np.inf


def _settled(size: float, before: float, fresh: bool) -> bool:
    """Whether the next correction would be negligible, or this one is round-off.

    Corrections by a tangent that is not `fresh` may also fall slowly because it is old.
    """
    fall = size / before if 0.0 < before < np.inf else 0.5
    if fresh and size <= ROUND_OFF and fall > STALLED:
        return True
    return min(fall, 0.5) * size <= TOLERANCE
