"""Periodic solutions by shooting: the state after a period is that at its start.

    x(T; x_0) = x_0,      x = (q, v, z)

Newton's method takes the derivative of the steps of a period (`one_period`). In forced motion the
period T is given. In a free one it is unknown, and a coordinate starts at an extreme, v = 0.

With constraints between coordinates, x_0 lies on them: the disturbances are those of a basis N of
the motions that the constraints leave, C N = 0, and x_0 fulfils them by rows of its own,

    N^T (x(T; x_0) - x_0) = 0,      c = 0,      c' = 0 .

The multipliers are those of N^T (dx(T)/dx_0) N.

A rotating wave on a ring of m points is back in place after T/m, turned by S, which takes each
point to the next: x(T/m; x_0) = S x_0. A fraction of the period is then enough, and the multipliers
are the m-th powers of those of S^-1 dx(T/m)/dx_0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from fecontact.analysis.continuation import TOLERANCE, BranchPoint, solve_at
from fecontact.analysis.periodic.floquet import Multipliers, multipliers
from fecontact.analysis.periodic.motion import Motion, beyond_validity, kept_motions
from fecontact.analysis.periodic.one_period import Passed, pass_period, refuse_undamped
from fecontact.errors import POSITIVE, at_least, check, numbers, warn_caller
from fecontact.solvers.imbalance import Imbalance
from fecontact.solvers.threads import small_on_one_thread
from fecontact.typing import Floats

__all__ = ["PeriodicOrbit", "Shooting", "Turn", "shoot"]

DIFFERENCE = 1e-7
"""Relative step of the difference by the parameter."""
RANK = 1e-10
"""Singular values of constraint rows below this fraction of the largest do not count."""


@dataclass(frozen=True, eq=False)
class Turn:
    """Symmetry of a motion: after T/parts the state is S x_0; S is orthogonal, S^parts = I."""

    matrix: Floats
    parts: int


@dataclass(frozen=True, eq=False)
class PeriodicOrbit:
    """A periodic motion at the steps of its period, or of its part, with its multipliers.

    `residual` is the larger one of what is left of the forces in a step, relative to the acting
    ones, and of the way by which the state misses its start, relative to the motion. `beyond` says
    that the frequency is beyond the validity of the bodies; else it is empty.
    """

    t: Floats
    q: Floats
    v: Floats
    z: Floats
    period: float
    multipliers: Multipliers
    residual: float
    beyond: str = ""

    @property
    def frequency(self) -> float:
        """In Hz."""
        return 1.0 / self.period

    @property
    def amplitude(self) -> Floats:
        """Half the way (n,) between the extremes of each coordinate."""
        return np.asarray(0.5 * np.ptp(self.q, axis=0))


@dataclass(eq=False)
class Shooting:
    """Equations of shooting over a parameter, for `follow`.

    The unknowns are the first state x_0 and, in free motion, the period.

    Parameters
    ----------
    motion
        Motion at a value of the parameter, such as
        `lambda speed: SystemMotion(system.with_parameters({"belt.speed": speed}))`; the last ones
        are kept.
    steps
        Steps of a period.
    period
        Period in s at a value of the parameter; None: free motion.
    phase
        Number of the coordinate that starts at an extreme in free motion.
    turn
        Symmetry of the motion; the steps are then those of a fraction of the period.
    """

    motion: Callable[[float], Motion]
    steps: int = 100
    period: Callable[[float], float] | None = None
    phase: int = 0
    turn: Turn | None = None
    _last: tuple[bytes, float, Passed] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        check("steps", self.steps, at_least(4))
        self.motion = kept_motions(self.motion)

    def evaluate(self, u: Floats, parameter: float) -> tuple[Floats, Floats]:
        """Residual and its derivative by the unknowns."""
        x, _ = self._split(u, parameter)
        passed, size = self.passed(u, parameter), len(x)
        kept, rows, values = self._manifold(x, parameter)
        turn, parts = self._turned(size)
        residual = np.concatenate([kept.T @ (passed.x[-1] - turn @ x), values])
        by_x = np.concatenate([kept.T @ (passed.by_start - turn), rows])
        if self.period is not None:
            return residual, by_x
        speed = self._speed(parameter)
        bordered = np.zeros((size + 1, size + 1))
        bordered[:size, :size], bordered[size, speed] = by_x, 1.0
        bordered[: kept.shape[1], size] = kept.T @ passed.by_period / parts
        return np.append(residual, x[speed]), bordered

    def by_parameter(self, u: Floats, parameter: float, residual: Floats) -> Floats:
        """Derivative of the residual by the parameter: a difference."""
        changed = parameter + DIFFERENCE * (abs(parameter) or 1.0)
        x, period = self._split(u, changed)
        turn, parts = self._turned(len(x))
        end = pass_period(self.motion(changed), x, period / parts, self.steps, linear=False).x[-1]
        kept, _, values = self._manifold(x, changed)
        later = np.concatenate([kept.T @ (end - turn @ x), values, residual[len(x) :]])
        return (later - residual) / (changed - parameter)

    def passed(self, u: Floats, parameter: float) -> Passed:
        """Period of the unknowns; the last one is kept."""
        key = u.tobytes(), parameter
        if self._last is None or self._last[:2] != key:
            x, period = self._split(u, parameter)
            part = period / self._turned(len(x))[1]
            self._last = *key, pass_period(self.motion(parameter), x, part, self.steps)
        return self._last[2]

    def multipliers(self, u: Floats, parameter: float) -> Multipliers:
        """Floquet multipliers at a solution."""
        kept = self._manifold(self._split(u, parameter)[0], parameter)[0]
        by_start = self.passed(u, parameter).by_start
        turn, parts = self._turned(len(by_start))
        once = kept.T @ turn.T @ by_start @ kept
        return multipliers(np.linalg.matrix_power(once, parts), self.period is None)

    def flip(self, point: BranchPoint) -> float:
        """Test function for `follow`: its sign changes where the period doubles."""
        return self.multipliers(point.u, point.parameter).flip

    def imbalance(self, u: Floats, parameter: float, residual: Floats) -> Imbalance:
        """Way by which the state misses its start, relative to the sizes of the motion.

        The forces balance in each step (`Passed.residual`).
        """
        x, passed = self._split(u, parameter)[0], self.passed(u, parameter)
        sizes = self.sizes(u, parameter)[: len(x)]
        kept = self._manifold(x, parameter)[0]
        missed = np.abs(kept @ kept.T @ (passed.x[-1] - self._turned(len(x))[0] @ x)) / sizes
        products = (np.abs(passed.by_start) @ np.abs(x) + np.abs(x)) / sizes
        return Imbalance.of(missed.max(keepdims=True), np.ones(1), products.max(keepdims=True))

    def orbit(self, u: Floats, parameter: float) -> PeriodicOrbit:
        """Motion of a solution; there is a warning beyond the validity of the bodies."""
        passed, (n, _, _) = self.passed(u, parameter), self.motion(parameter).sizes
        parts = passed.x[:, :n], passed.x[:, n : 2 * n], passed.x[:, 2 * n :]
        period, values = self._split(u, parameter)[1], self.multipliers(u, parameter)
        left = self.imbalance(u, parameter, np.zeros(0)).residual
        fast = beyond_validity(self.motion(parameter), 1.0 / period)
        if fast:
            warn_caller(fast)
        return PeriodicOrbit(passed.t, *parts, period, values, max(left, passed.residual), fast)

    def sizes(self, u: Floats, parameter: float) -> Floats:
        """Sizes of the unknowns for `PathOptions`: positions, speeds, elastic slip, period."""
        (x, period), (n, s, _) = self._split(u, parameter), self.motion(parameter).sizes
        q, v, z = (np.abs(part).max(initial=0.0) for part in np.split(x, [n, 2 * n]))
        way = max(q, v * period / (2.0 * np.pi)) or 1.0
        sizes = np.repeat([way, 2.0 * np.pi * way / period, z or way], [n, n, s])
        return np.append(sizes, np.abs(u[len(x) :]))

    def _turned(self, size: int) -> tuple[Floats, int]:
        return (np.eye(size), 1) if self.turn is None else (self.turn.matrix, self.turn.parts)

    def _split(self, u: Floats, parameter: float) -> tuple[Floats, float]:
        if self.period is not None:
            return u, self.period(parameter)
        return u[:-1], float(u[-1])

    def _speed(self, parameter: float) -> int:
        return self.motion(parameter).sizes[0] + self.phase

    def _manifold(self, x: Floats, parameter: float) -> tuple[Floats, Floats, Floats]:
        """Basis (N, d) of the motions left by the constraints, other rows and their values."""
        motion = self.motion(parameter)
        n, _, m = motion.sizes
        if not m:
            return np.eye(len(x)), np.zeros((0, len(x))), np.zeros(0)
        values, by = motion.bound(0.0, x[:n], x[n : 2 * n])
        left, singular, right = np.linalg.svd(by)
        rank = int(np.sum(singular > RANK * singular[0]))
        rows, kept = np.zeros((rank, len(x))), np.zeros((len(x), len(x) - rank))
        rows[:, : 2 * n] = right[:rank]
        kept[: 2 * n, : 2 * n - rank] = right[rank:].T
        kept[2 * n :, 2 * n - rank :] = np.eye(len(x) - 2 * n)
        return kept, rows, (left.T @ values)[:rank] / singular[:rank]


@small_on_one_thread
def shoot(
    motion: Motion, start: Floats, period: float, steps: int = 100, free: bool = False,
    phase: int = 0, turn: Turn | None = None, tolerance: float = TOLERANCE,
) -> PeriodicOrbit:  # fmt: skip
    """Find a periodic motion from a guess of its first state.

    Parameters
    ----------
    motion
        Equations of motion.
    start
        Guess of (q, v, z) at the start, in one row; see `SystemMotion.packed`.
    period
        In s; in free motion a guess of it.
    steps
        Even steps of a period.
    free
        Whether the period is unknown.
    phase, turn
        See `Shooting`.
    tolerance
        Last step of Newton's method, relative to the motion; see `solve_at`.

    Examples
    --------
    Van der Pol's oscillator:

    >>> from fecontact.analysis.periodic.motion import Oscillator
    >>> def force(t, q, v):
    ...     slope = -1.0 - 2.0 * q * v
    ...     return (1.0 - q**2) * v - q, np.diag(slope), np.diag(1.0 - q**2)
    >>> orbit = shoot(Oscillator(np.eye(1), force), np.array([2.0, 0.0]), 6.5, free=True)
    >>> round(orbit.period, 3), orbit.multipliers.stable
    (6.663, True)
    """
    check("period", period, POSITIVE, "s")
    refuse_undamped(motion)
    equations = Shooting(lambda _: motion, steps, None if free else (lambda _: period), phase, turn)
    n, s, _ = motion.sizes
    start = numbers("start", start, (2 * n + s,))
    u = np.append(start, period) if free else start
    found = solve_at(equations, u, 0.0, tolerance=tolerance)
    return equations.orbit(found, 0.0)
