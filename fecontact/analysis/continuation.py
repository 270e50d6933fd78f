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

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from fecontact.analysis.equations import (
    Equations,
    Exchanged,
    Metric,
    by_size,
    imbalance_of,
    metric_of,
    size_of,
)
from fecontact.errors import (
    POSITIVE,
    InputError,
    SolverError,
    at_least,
    check,
    overflow_as_error,
    renamed_keywords,
)
from fecontact.solvers.imbalance import BALANCED, Imbalance
from fecontact.typing import Floats

__all__ = [
    "BranchPoint",
    "Equations",
    "Exchanged",
    "Path",
    "PathOptions",
    "Special",
    "follow",
    "solve_at",
]

TOLERANCE = 1e-9
"""Length of the last Newton step at which a point counts as found."""
ROUND_OFF = 1e-6
"""A step of this length that falls no more is round-off."""
MAX_ITERATIONS, MAX_ALONE = 12, 60
"""Newton iterations along a branch, and from a guess."""
HALVINGS = 8
WISHED = 5
"""Newton iterations for which the step is kept; with fewer it grows."""
SHARPEST = 0.9
"""Least cosine between the tangents of neighbouring points."""
BACK = 2e-3
"""Distance from the way back, as a part of the step, from which a point is a new one."""
LOCATED = 1e-8
"""Part of a step to which special points are located by default."""


@dataclass(frozen=True, eq=False)
class BranchPoint:
    """A point of a branch with its unit tangent (u', p') and its arc length.

    `residual` is what is left of the equations, relative to the terms that balance each other.
    """

    u: Floats
    parameter: float
    along: Floats
    parameter_along: float
    length: float
    iterations: int
    residual: float = 0.0


@dataclass(frozen=True, eq=False)
class Special:
    """A fold, or a zero of a test function."""

    kind: str
    point: BranchPoint


@dataclass(frozen=True, eq=False)
class Path:
    """Points of a branch in order, its special points, and why it ended."""

    points: tuple[BranchPoint, ...]
    special: tuple[Special, ...]
    message: str

    @property
    def parameter(self) -> Floats:
        """Values (k,) of the parameter."""
        return np.array([point.parameter for point in self.points])

    @property
    def u(self) -> Floats:
        """Unknowns (k, m)."""
        return np.array([point.u for point in self.points])

    @property
    def residual(self) -> float:
        """Largest residual of a point."""
        return max(point.residual for point in self.points)

    def plot(
        self,
        parameter: str = "parameter",
        panels: Mapping[str, Floats] | None = None,
        stable: npt.NDArray[np.bool_] | None = None,
        path: str | os.PathLike[str] | None = None,
    ) -> Any:
        """Matplotlib figure of quantities along the branch; written as PNG if `path` is given.

        Parameters
        ----------
        parameter
            Label of the abscissa.
        panels
            Ordinate label -> values (k,); by default the norm of the unknowns.
        stable : (k,)
            Unstable parts are dashed; by default none is.
        path
            File, or None.
        """
        from fecontact.view.branches import branch_panels
        from fecontact.view.plots import saved

        shown = {"|u|": np.linalg.norm(self.u, axis=1)} if panels is None else panels
        sound = np.ones(len(self.points), dtype=bool) if stable is None else stable
        marks = {
            f"{special.kind} at {special.point.parameter:.4g}": special.point.parameter
            for special in self.special
        }
        figure = branch_panels(self.parameter, shown, sound, parameter, marks=marks)
        return saved(figure, None if path is None else os.fspath(path))

    def of(self, kind: str) -> tuple[BranchPoint, ...]:
        """Special points of a kind, "fold" for example."""
        return tuple(special.point for special in self.special if special.kind == kind)


@renamed_keywords(most="max_points")
@dataclass(frozen=True)
class PathOptions:
    """Where a branch ends and how it is stepped; lengths are in the product of the module.

    Parameters
    ----------
    lowest, highest
        Range of the parameter; the branch ends where it leaves it.
    size
        Size of the unknowns, a number or (m,); by default the largest one at the start.
    step, longest, shortest
        First, longest and shortest arc length of a step.
    max_points
        Largest number of points.
    located
        Part of a step to which folds and other special points are located.
    corner
        Step below which a sharp turn is a corner of the branch, as of contacts that begin to slide
        or close, and is passed.
    """

    lowest: float
    highest: float
    size: float | Floats | None = None
    step: float = 0.02
    longest: float = 0.1
    shortest: float = 1e-8
    max_points: int = 200
    located: float = LOCATED
    corner: float = 1e-3

    def __post_init__(self) -> None:
        if not self.lowest < self.highest:
            raise InputError(f"invalid highest = {self.highest}: expected more than lowest")
        for name in ("step", "longest", "shortest", "located", "corner"):
            check(name, getattr(self, name), POSITIVE)
        check("max_points", self.max_points, at_least(2))


TestFunctions = Mapping[str, Callable[[BranchPoint], float]]


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
    corrector = _Corrector(equations, metric_of(equations, size), max_iterations, tolerance, fixed)
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


def _bordered(by_u: Floats, by_p: Floats, row: tuple[Floats, float]) -> Floats:
    m = len(by_p)
    matrix = np.empty((m + 1, m + 1))
    matrix[:m, :m], matrix[:m, m] = by_u, by_p
    matrix[m, :m], matrix[m, m] = row
    return matrix


def _solved(matrix: Floats, right: Floats) -> Floats:
    try:
        return np.asarray(np.linalg.solve(matrix, right), dtype=float)
    except np.linalg.LinAlgError as error:
        raise SolverError("the branch has no direction here: branches may cross") from error


@dataclass(frozen=True)
class _Found:
    """A solution, and G_u and G_p there."""

    u: Floats
    parameter: float
    by_u: Floats
    by_p: Floats
    iterations: int
    residual: float


@dataclass(frozen=True)
class _Corrector:
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

    def run(self, last: BranchPoint, u: Floats, p: float) -> _Found:
        """Solution from a prediction (u, p)."""
        with overflow_as_error("numbers overflow on the way to a solution: give a closer guess"):
            return self._iterated(last, u, p)

    def _iterated(self, last: BranchPoint, u: Floats, p: float) -> _Found:
        residual, by_u = self._finite(u, p)
        by_p = np.zeros(len(residual))
        if not self.fixed:
            by_p = self.equations.by_parameter(u, p, residual)
        before, left = np.inf, Imbalance(np.inf)
        for iteration in range(1, self.max_iterations + 1):
            metric = self.metric(u, p)
            matrix = _bordered(by_u, by_p, metric.covector(last.along, last.parameter_along))
            step = _solved(matrix, np.append(-residual, 0.0))
            size = metric.norm(step[:-1], float(step[-1]))
            (u, p), (residual, by_u) = self._shortened(metric, matrix, (u, p), step, size)
            if size <= self.tolerance or (size <= ROUND_OFF and size >= 0.5 * before):
                left = self._imbalance(u, p, residual, by_u, by_p)
                if left.within(max(self.tolerance, BALANCED)):
                    return _Found(u, p, by_u, by_p, iteration, left.residual)
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
            rest = _solved(matrix, np.append(-residual, 0.0))
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


class _Follower:
    """The loop over the points."""

    def __init__(
        self, equations: Equations, u: Floats, parameter: float, options: PathOptions,
        direction: float, tests: TestFunctions,
    ) -> None:  # fmt: skip
        self.equations, self.options = equations, options
        first = _Corrector(equations, metric_of(equations, options.size), MAX_ALONE)
        pinned = BranchPoint(u, parameter, np.zeros_like(u), direction, 0.0, 0)
        u = first.run(pinned, u, parameter).u
        self.metric = Metric(size_of(u, options.size), options.highest - options.lowest)
        self.corrector = _Corrector(equations, lambda *_: self.metric, MAX_ITERATIONS)
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
        along = _solved(_bordered(by_u, by_p, row), np.append(np.zeros(len(by_p)), 1.0))
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
