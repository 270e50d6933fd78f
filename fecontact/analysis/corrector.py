"""Newton's method for a point of a branch, across a tangent (`analysis.continuation`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fecontact.analysis.branch import BranchPoint
from fecontact.analysis.equations import Equations, Metric, by_size, imbalance_of
from fecontact.errors import InputError, SolverError, overflow_as_error
from fecontact.solvers.imbalance import BALANCED, Imbalance
from fecontact.typing import Floats

__all__ = ["MAX_ALONE", "MAX_ITERATIONS", "TOLERANCE", "Corrector", "bordered", "solved"]

TOLERANCE = 1e-9
"""Length of the last Newton step at which a point counts as found."""
ROUND_OFF = 1e-6
"""A step of this length that falls no more is round-off."""
MAX_ITERATIONS, MAX_ALONE = 12, 60
"""Newton iterations along a branch, and from a guess."""
HALVINGS = 8


@dataclass(frozen=True)
class Found:
    """A solution, and G_u and G_p there."""

    u: Floats
    parameter: float
    by_u: Floats
    by_p: Floats
    iterations: int
    residual: float


@dataclass(frozen=True)
class Corrector:
    """Newton's method across the tangent of a point.

    A step is halved until the next correction, with the same matrix, is shorter: a test that does
    not depend on the units of the equations (Deuflhard 1974). If the parameter is `fixed`, nobody
    needs the derivative by it.
    """

    equations: Equations
    metric: Callable[[Floats, float], Metric]
    max_iterations: int
    tolerance: float = TOLERANCE
    fixed: bool = False

    def run(self, last: BranchPoint, u: Floats, p: float) -> Found:
        """Solution from a prediction (u, p)."""
        with overflow_as_error("numbers overflow on the way to a solution: give a closer guess"):
            return self._iterated(last, u, p)

    def _iterated(self, last: BranchPoint, u: Floats, p: float) -> Found:
        residual, by_u = self._finite(u, p)
        by_p = np.zeros(len(residual))
        if not self.fixed:
            by_p = self.equations.by_parameter(u, p, residual)
        before, left = np.inf, Imbalance(np.inf)
        for iteration in range(1, self.max_iterations + 1):
            metric = self.metric(u, p)
            matrix = bordered(by_u, by_p, metric.covector(last.along, last.parameter_along))
            step = solved(matrix, np.append(-residual, 0.0))
            size = metric.norm(step[:-1], float(step[-1]))
            (u, p), (residual, by_u) = self._shortened(metric, matrix, (u, p), step, size)
            if size <= self.tolerance or (size <= ROUND_OFF and size >= 0.5 * before):
                left = self._imbalance(u, p, residual, by_u, by_p)
                if left.within(max(self.tolerance, BALANCED)):
                    return Found(u, p, by_u, by_p, iteration, left.residual)
            before = size
        found = f", imbalance {left.residual:.1e} of the acting forces" if left.residual < 1 else ""
        raise SolverError(
            f"no convergence in {self.max_iterations} iterations, last step {size:.1e}{found}: "
            "give a closer "
            "guess"
        )

    def _imbalance(
        self, u: Floats, p: float, residual: Floats, by_u: Floats, by_p: Floats
    ) -> Imbalance:
        """Residual relative to the terms that balance each other."""
        known = imbalance_of(self.equations, u, p, residual)
        return by_size(residual, by_u, by_p, self.metric(u, p)) if known is None else known

    def _shortened(
        self, metric: Metric, matrix: Floats, old: tuple[Floats, float], step: Floats, size: float
    ) -> tuple[tuple[Floats, float], tuple[Floats, Floats]]:
        """Point after the longest part of a step that brings the solution nearer."""
        near = max(ROUND_OFF, self.tolerance)
        for part in 0.5 ** np.arange(HALVINGS):
            u, p = old[0] + part * step[:-1], old[1] + float(part * step[-1])
            try:
                residual, by_u = self._finite(u, p)
            except SolverError:
                continue
            rest = solved(matrix, np.append(-residual, 0.0))
            if size <= near or metric.norm(rest[:-1], rest[-1]) <= (1 - part / 4) * size:
                return (u, p), (residual, by_u)
        raise SolverError("no step of Newton's method brings the solution nearer")

    def _finite(self, u: Floats, p: float) -> tuple[Floats, Floats]:
        largest = np.abs(u).max(initial=0.0)
        absurd = f"the equations are not finite at values up to {largest:.1e}: give a closer guess"
        try:
            with overflow_as_error(absurd):
                residual, by_u = self.equations.evaluate(u, p)
        except InputError as impossible:  # a parameter outside the range of the model
            raise SolverError(str(impossible)) from impossible
        if not np.isfinite(residual).all():
            raise SolverError(absurd)
        return residual, by_u


def bordered(by_u: Floats, by_p: Floats, row: tuple[Floats, float]) -> Floats:
    """Matrix of the equations with the row of the plane across a tangent."""
    m = len(by_p)
    matrix = np.empty((m + 1, m + 1))
    matrix[:m, :m], matrix[:m, m] = by_u, by_p
    matrix[m, :m], matrix[m, m] = row
    return matrix


def solved(matrix: Floats, right: Floats) -> Floats:
    """Solve bordered equations; where the matrix is singular, branches may cross."""
    try:
        return np.asarray(np.linalg.solve(matrix, right), dtype=float)
    except np.linalg.LinAlgError as error:
        raise SolverError("the branch has no direction here: branches may cross") from error
