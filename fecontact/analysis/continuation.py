"""Branches of solutions over a parameter, through folds: pseudo-arclength continuation.

    G(u, p) = 0,      (u, p) in R^m x R

The branch is followed along its arc length s. From a point with the unit tangent (u', p') the next
one is predicted a step ds ahead and corrected by Newton's method on

    G(u, p) = 0,      <(u', p'), (u, p) - prediction> = 0,

which stays regular where the branch turns round in p (Keller 1977; Riks 1979). The product is
<x, y> = mean(u_x u_y/size^2) + p_x p_y/width^2, so that unknowns and parameter count alike.

A fold is a point with p' = 0. Other special points are zeros of test functions of the point. Both
are located between two points of the branch by Brent's method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from scipy.optimize import brentq

from fecontact.analysis.branch import BranchPoint, Path, PathOptions, Special, TestFunctions
from fecontact.analysis.corrector import (
    MAX_ALONE,
    MAX_ITERATIONS,
    TOLERANCE,
    Corrector,
    bordered,
    solved,
)
from fecontact.analysis.equations import Equations, Exchanged, Metric, metric_of, size_of
from fecontact.errors import InputError, SolverError, renamed_keywords
from fecontact.typing import Floats

__all__ = [
    "TOLERANCE",
    "BranchPoint",
    "Equations",
    "Exchanged",
    "Path",
    "PathOptions",
    "Special",
    "TestFunctions",
    "follow",
    "solve_at",
]

WISHED = 5
"""Newton iterations for which the step is kept; with fewer it grows."""
SHARPEST = 0.9
"""Least cosine between the tangents of neighbouring points."""
BACK = 2e-3
"""Distance from the way back, as a part of the step, from which a point is a new one."""


@renamed_keywords(most="max_iterations")
def solve_at(
    equations: Equations, u: Floats, parameter: float, size: float | Floats | None = None,
    tolerance: float = TOLERANCE, max_iterations: int = MAX_ALONE,
) -> Floats:  # fmt: skip
    """Solve G(u, p) = 0 at a fixed parameter by Newton's method from a guess.

    `tolerance` bounds the last step, relative to `size`, by default that of the unknowns as they
    are found. The residual too must fall below it, or below `BALANCED` if that is more, relative to
    the terms that balance each other, or to round-off. Equations with jumps are solved up to the
    jump only: where a damped contact closes, for example, the steps of a period come just before or
    just after it. `max_iterations` bounds the iterations.
    """
    pinned = BranchPoint(u, parameter, np.zeros_like(u), 1.0, 0.0, 0)
    fixed = hasattr(equations, "imbalance")
    corrector = Corrector(equations, metric_of(equations, size), max_iterations, tolerance, fixed)
    return corrector.run(pinned, u, parameter).u


def follow(
    equations: Equations,
    u: Floats,
    parameter: float,
    options: PathOptions,
    direction: float = 1.0,
    tests: TestFunctions | None = None,
) -> Path:
    """Follow the branch through a solution.

    Parameters
    ----------
    equations
        G with its derivatives.
    u, parameter
        Guess of the first point; u is corrected at this parameter.
    options
        Range of the parameter and steps.
    direction
        Sign of the first change of the parameter.
    tests
        Test functions by kind; their zeros along the branch are located.

    Examples
    --------
    >>> class Circle:
    ...     def evaluate(self, u, p):
    ...         return u**2 + p**2 - 1.0, np.diag(2.0 * u)
    ...
    ...     def by_parameter(self, u, p, residual):
    ...         return np.array([2.0 * p])
    >>> path = follow(Circle(), np.array([1.0]), 0.0, PathOptions(-2.0, 2.0, max_points=60))
    >>> [round(fold.parameter, 9) for fold in path.of("fold")][:2]
    [1.0, -1.0]
    """
    return _Follower(equations, u, parameter, options, direction, tests or {}).run()


class _Follower:
    """The loop over the points."""

    def __init__(
        self, equations: Equations, u: Floats, parameter: float, options: PathOptions,
        direction: float, tests: TestFunctions,
    ) -> None:  # fmt: skip
        self.equations, self.options = equations, options
        first = Corrector(equations, metric_of(equations, options.size), MAX_ALONE)
        pinned = BranchPoint(u, parameter, np.zeros_like(u), direction, 0.0, 0)
        u = first.run(pinned, u, parameter).u
        self.metric = Metric(size_of(u, options.size), options.highest - options.lowest)
        self.corrector = Corrector(equations, lambda *_: self.metric, MAX_ITERATIONS)
        self.tests: dict[str, Callable[[BranchPoint], float]] = {
            "fold": lambda point: point.parameter_along, **tests,
        }  # fmt: skip
        self.first = self._point(pinned, u, parameter, 0.0)
        self.step = options.step

    def run(self) -> Path:
        """Points until the branch leaves the range or no step succeeds."""
        options, points, special = self.options, [self.first], list[Special]()
        values = [self._values(self.first)]
        message = f"{options.max_points} points"
        while len(points) < options.max_points:
            try:
                new = self._next(points[-1])
                now = self._values(new)
                special += self._special(points[-1], new, values[-1], now)
            except SolverError as failure:
                message = f"stopped: {failure}"
                break
            values.append(now)
            points.append(new)
            if not options.lowest <= new.parameter <= options.highest:
                message = "left the range of the parameter"
                break
        return Path(tuple(points), tuple(special), message)

    def _next(self, last: BranchPoint) -> BranchPoint:
        """Next point; a failed step or a sharp turn halves the step, down to that of a corner."""
        while True:
            try:
                new = self._ahead(last, self.step)
                turn = self._cosine(new, last)
                if turn >= SHARPEST or self.step <= self.options.corner:
                    break
            except SolverError as failure:
                if self.step <= self.options.corner:
                    return self._around(last, failure)
            self.step *= 0.5
        if new.iterations <= WISHED:
            self.step = min(self.step * (1.5 if turn > 0.98 else 1.0), self.options.longest)
        else:
            self.step *= 0.7
        return new

    def _around(self, last: BranchPoint, failure: SolverError) -> BranchPoint:
        """Point behind a corner that turns by more than a right angle.

        Straight ahead there is no solution. The equations beyond the corner have a tangent of their
        own: the branch goes on in one of its two directions, and it is not the way back.
        """
        step = self.step
        while step >= self.options.shortest:
            for far in (step, 8.0 * step):
                for new in self._beside(last, step, far):
                    self.step = step
                    return new
            step *= 0.5
        raise failure

    def _beside(self, last: BranchPoint, step: float, far: float) -> Iterator[BranchPoint]:
        """Points at a step from the last one along the tangent of the equations a way ahead."""
        u, p = last.u + far * last.along, last.parameter + far * last.parameter_along
        try:
            residual, by_u = self.equations.evaluate(u, p)
            by_p = self.equations.by_parameter(u, p, residual)
            u_along, p_along = self._tangent(by_u, by_p, last)
        except (SolverError, InputError):
            return
        for sign in (1.0, -1.0):
            toward = replace(last, along=sign * u_along, parameter_along=sign * p_along)
            try:
                new = self._ahead(toward, step)
            except SolverError:
                continue
            way = new.u - last.u, new.parameter - last.parameter
            back = self.metric.norm(
                way[0] + step * last.along, way[1] + step * last.parameter_along
            )
            if back > BACK * step and self._cosine(new, toward) >= SHARPEST:
                yield new

    def _cosine(self, one: BranchPoint, other: BranchPoint) -> float:
        """Cosine of the angle between two tangents."""
        row = self.metric.covector(one.along, one.parameter_along)
        return float(row[0] @ other.along + row[1] * other.parameter_along)

    def _tangent(self, by_u: Floats, by_p: Floats, last: BranchPoint) -> tuple[Floats, float]:
        """Unit tangent that keeps the direction of the last one."""
        row = self.metric.covector(last.along, last.parameter_along)
        along = solved(bordered(by_u, by_p, row), np.append(np.zeros(len(by_p)), 1.0))
        along /= self.metric.norm(along[:-1], float(along[-1]))
        return along[:-1], float(along[-1])

    def _ahead(self, last: BranchPoint, step: float) -> BranchPoint:
        """Point at an arc length after another."""
        u, p = last.u + step * last.along, last.parameter + step * last.parameter_along
        return self._point(last, u, p, last.length + step)

    def _point(self, last: BranchPoint, u: Floats, p: float, length: float) -> BranchPoint:
        """Corrected point with its tangent, which keeps the direction of the last one."""
        found = self.corrector.run(last, u, p)
        along = self._tangent(found.by_u, found.by_p, last)
        return BranchPoint(
            found.u, found.parameter, *along, length, found.iterations, found.residual
        )

    def _values(self, point: BranchPoint) -> dict[str, float]:
        return {kind: test(point) for kind, test in self.tests.items()}

    def _special(
        self, last: BranchPoint, new: BranchPoint, before: dict[str, float], now: dict[str, float]
    ) -> list[Special]:
        """Zeros of the test functions between two points."""
        kinds = [kind for kind in self.tests if before[kind] * now[kind] < 0.0]
        return [self._located(kind, last, new) for kind in kinds]

    def _located(self, kind: str, last: BranchPoint, new: BranchPoint) -> Special:
        """Zero of a test function between two points; in a corner, the point behind it."""

        def value(s: float) -> float:
            return self.tests[kind](self._ahead(last, s))

        length = new.length - last.length
        try:
            s = brentq(value, 0.0, length, xtol=self.options.located * length)
            return Special(kind, self._ahead(last, s))
        except (SolverError, ValueError):  # no way straight ahead, or no change of sign on it
            return Special(kind, new)
