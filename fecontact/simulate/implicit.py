r"""Generalised-alpha method on the Lie group, for systems with constraints.

One step from t_n to t_n+1 = t_n + h solves (Arnold and Bruels 2007; Bruels, Cardona and Arnold
2012)

    q_n+1 = move(q_n, s),       s = h v_n + h^2 ((1/2 - beta) a_n + beta a_n+1) - B eta
    v_n+1 = v_n + h ((1 - gamma) a_n + gamma a_n+1)
    (1 - alpha_m) a_n+1 + alpha_m a_n = (1 - alpha_f) v'_n+1 + alpha_f v'_n
    M v' = f + A^T lam,      c = 0,      c' = 0         at t_n+1.

`move` is exact on rotations, so quaternions keep their length. Positions and velocities both
satisfy the constraints (stabilised index 2, Gear, Gupta and Leimkuhler 1985; on Lie groups Arnold,
Bruels and Cardona 2015): the columns of B span M^-1 A^T at t_n, so the correction B eta has least
kinetic energy and does not depend on units. Rows of velocity level have c' = 0 alone. Redundant
rows enter by their independent combinations (`RowBasis`); the multipliers have least norm.

Newton's unknowns are beta h^2 a_n+1, beta h^2 lam and eta, its equations beta h^2 (M v' - f -
A^T lam), c and (beta h/gamma) c': all entries of the tangent stay finite for h -> 0. The tangent is
exact.

The method is of order 2 in q, v and lam and damps high frequencies by rho_inf per step. The
acceleration-like a_n belongs to the time t_n + (alpha_m - alpha_f) h. It starts there, and follows
a change of the step; otherwise lam and v' would fall to order 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, SolverError, check
from fecontact.simulate.control import Scale, step_factor
from fecontact.simulate.freedoms import Freedoms
from fecontact.simulate.row_basis import RowBasis, row_basis
from fecontact.simulate.trajectory import Point, Statistics
from fecontact.system import State, System
from fecontact.system.constraints import Constraints
from fecontact.typing import Floats

__all__ = ["AlphaWeights", "Implicit"]

ORDER = 2
MOST_ITERATIONS = 12
NEWTON_TOLERANCE = 1e-11
"""Correction relative to the size of the positions."""
ROUND_OFF = 1e-8
"""A correction of this size that falls no more is round-off."""
CONFLICT = 1e-5
"""Gap of a redundant constraint row that contradicts the others."""
SHORTEST = 1e-12
FIRST = 1e-3
"""First step of an error-controlled run, relative to the time to simulate."""


@dataclass(frozen=True)
class AlphaWeights:
    """Weights of the method for a spectral radius rho_inf at infinite frequency.

    Chung and Hulbert, J. Appl. Mech. 60 (1993) 371: second order, least damping of low frequencies.
    """

    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float

    @classmethod
    def of(cls, rho_inf: float) -> AlphaWeights:
        """Weights for rho_inf from 0 (strongest damping) to 1 (none)."""
        alpha_m, alpha_f = (2.0 * rho_inf - 1.0) / (rho_inf + 1.0), rho_inf / (rho_inf + 1.0)
        gamma = 0.5 + alpha_f - alpha_m
        return cls(alpha_m, alpha_f, 0.25 * (gamma + 0.5) ** 2, gamma)

    @property
    def shift(self) -> float:
        """Time of a_n after t_n, in steps; it is not positive."""
        return self.alpha_m - self.alpha_f

    def rate(self, a0: Floats, a1: Floats, rate0: Floats) -> Floats:
        """Return v' at the end of a step."""
        mean = (1.0 - self.alpha_m) * a1 + self.alpha_m * a0
        return (mean - self.alpha_f * rate0) / (1.0 - self.alpha_f)

    def mean(self, a0: Floats, rate0: Floats, rate1: Floats) -> Floats:
        """Return a_n+1 from v' at both ends; the inverse of `rate`."""
        mean = (1.0 - self.alpha_f) * rate1 + self.alpha_f * rate0
        return (mean - self.alpha_m * a0) / (1.0 - self.alpha_m)


@dataclass(frozen=True)
class Implicit:
    """Generalised-alpha method with fixed or error-controlled step.

    Parameters
    ----------
    rho_inf
        Factor per step of vibrations that are much faster than the step, 0 to 1.
    step
        Fixed step in s, shortened to hit the output times; None: the step follows from the error.
    rtol, atol
        Local error of positions (rotations: of 1 rad) and velocities, relative and absolute.
    """

    rho_inf: float = 0.8
    step: float | None = None
    rtol: float = 1e-6
    atol: float = 1e-9

    def __post_init__(self) -> None:
        check("rtol", self.rtol, POSITIVE)
        check("atol", self.atol, NON_NEGATIVE)
        if self.step is not None:
            check("step", float(self.step), POSITIVE, "s")
        if not 0.0 <= self.rho_inf <= 1.0:
            raise InputError(f"rho_inf = {self.rho_inf} is not possible: it must be from 0 to 1")

    def points(
        self, system: System, start: Point, goals: Floats, every: bool, statistics: Statistics
    ) -> Iterator[Point]:
        """Yield the start, then each step, or the points at the goals."""
        run = _Run(self, system, start, float(goals[-1] - start.state.t), statistics)
        yield run.last.point
        for goal in goals:
            while run.last.state.t < goal:
                run.advance(float(goal))
                if every:
                    yield run.last.point
            if not every:
                yield run.last.point


@dataclass(frozen=True)
class _Level:
    """Accepted end of a step of length h: state, v', its change in the step, a_n, row basis."""

    state: State
    rate: Floats
    rate_change: Floats
    a: Floats
    h: float
    basis: RowBasis

    @property
    def point(self) -> Point:
        return Point(self.state, self.rate)


class _NoConvergenceError(Exception):
    """Newton's method did not converge."""


class _Run:
    """The loop over the steps; `last` is the last accepted one, h the next step to try."""

    def __init__(
        self, options: Implicit, system: System, start: Point, span: float, statistics: Statistics
    ) -> None:
        self.options, self.system, self.statistics = options, system, statistics
        self.weights = AlphaWeights.of(options.rho_inf)
        self.freedoms = Freedoms(system)
        self.scale = Scale(self.freedoms, start.state)
        self.h = options.step or FIRST * span
        self.shortest = SHORTEST * span
        self.last = self._first(start)

    def advance(self, goal: float) -> None:
        """One accepted step, not beyond the goal."""
        while True:
            left = goal - self.last.state.t
            parts = max(1, int(np.ceil(left / self.h * (1.0 - 1e-9))))
            h = left / parts
            try:
                level = self._step(goal if parts == 1 else self.last.state.t + h, h)
            except _NoConvergenceError as failure:
                self._shorten(h, 0.25, str(failure))
                continue
            if self.options.step is None:
                error = self.error(level)
                if error > 1.0:
                    self._shorten(h, step_factor(error, ORDER + 1), "the error is too large")
                    continue
                self.h = h * step_factor(error, ORDER + 1)
            self.last = level
            self.scale.see(level.state)
            self.statistics.steps += 1
            return

    def error(self, level: _Level) -> float:
        """Local error of a step relative to the tolerance.

        The step is compared with the integral of the parabola through v' at the last three times;
        a rotation vector adds h^3/12 omega x omega' (Magnus).
        """
        last, w, h = self.last, self.weights, level.h
        ratio = h / last.h
        bend = (level.rate_change - ratio * last.rate_change) * ratio / (1.0 + ratio)
        slope = level.rate_change - bend
        a0 = self._a0(h)
        dv = h * (last.rate + slope / 2 + bend / 3 - (1.0 - w.gamma) * a0 - w.gamma * level.a)
        mean = last.rate / 2 + slope / 6 + bend / 12 - (0.5 - w.beta) * a0 - w.beta * level.a
        dq = h**2 * (mean + self.freedoms.commutator(last.state.v, slope) / 12)
        return self.scale.error(dq, dv, self.options.rtol, self.options.atol)

    def _shorten(self, h: float, factor: float, why: str) -> None:
        where = f"t = {self.last.state.t:.6g} s, step {h:.3g} s: {why}"
        if self.options.step is not None:
            raise SolverError(f"{where}; try a smaller step, or step=None for error control")
        self.statistics.rejected += 1
        self.h = factor * h
        if self.h < self.shortest:
            raise SolverError(f"{where}; look for a jump of a force there, or try a larger rtol")

    def _first(self, start: Point) -> _Level:
        """Level 0; a_0 belongs to a time before the start, and is mirrored from after it."""
        state, rate = start
        ahead = -self.weights.shift * self.h
        q = self.system.move(state.q, ahead * state.v + 0.5 * ahead**2 * rate)
        later, _ = self.system.accelerations(State(state.t + ahead, q, state.v + ahead * rate))
        self.statistics.evaluations += 1
        basis = self._basis(self.system.mass_matrix(state.q), self.system.constraint(state))
        return _Level(state, rate, np.zeros_like(rate), 2.0 * rate - later, self.h, basis)

    def _basis(self, mass: Floats, rows: Constraints) -> RowBasis:
        return row_basis(mass, rows.jacobian, self.system.position_rows)

    def _a0(self, h: float) -> Floats:
        """a_n for a step h: its time is t_n + (alpha_m - alpha_f) h."""
        last = self.last
        return last.rate + h / last.h * (last.a - last.rate)

    def _step(self, t: float, h: float) -> _Level:
        """Solve one step by Newton's method with the exact tangent."""
        w, last, basis = self.weights, self.last, self.last.basis
        trial = _Trial(self.system, self.freedoms, w, last, t, h, self._a0(h))
        a1 = w.mean(trial.a0, last.rate, last.rate + h / last.h * last.rate_change)
        lam, eta, before = last.state.lam, np.zeros(basis.shift.shape[1]), np.inf
        for _ in range(MOST_ITERATIONS):
            x, d_lam, d_eta = trial.correction(a1, lam, eta)
            self.statistics.iterations += 1
            self.statistics.evaluations += 1
            a1, lam, eta = a1 + x / (w.beta * h**2), lam + d_lam, eta + d_eta
            size = self.scale.correction(x - basis.shift @ d_eta, trial.path(a1, eta))
            if not np.isfinite(size):
                raise _NoConvergenceError("the forces are not finite")
            if _converged(size, before):
                break
            before = size
        else:
            raise _NoConvergenceError(
                f"no convergence in {MOST_ITERATIONS} iterations (last correction {size:.1e})"
            )
        self._check_rows(trial.rows, t)
        rate = w.rate(trial.a0, a1, last.rate)
        basis = self._basis(trial.mass, trial.rows)
        return _Level(trial.state(a1, lam, eta), rate, rate - last.rate, a1, h, basis)

    def _check_rows(self, rows: Constraints, t: float) -> None:
        """Raise if redundant rows contradict the others."""
        gap, speed = np.abs([self.last.basis.unmet(x) for x in (rows.value, rows.rate)])
        worst = np.maximum(gap, self.last.h * speed)
        if worst.max(initial=0.0) > CONFLICT:
            name = self.system.rows[int(np.argmax(worst))]
            raise SolverError(
                f"t = {t:.6g} s: the constraint row '{name}' contradicts the others (open by "
                f"{worst.max():.1e}); remove it, or correct its position or prescribed motion"
            )


class _Trial:
    """The equations of one step, and their Newton correction.

    `mass` and `rows` are those of the last correction.
    """

    mass: Floats
    rows: Constraints

    def __init__(
        self,
        system: System,
        freedoms: Freedoms,
        weights: AlphaWeights,
        last: _Level,
        t: float,
        h: float,
        a0: Floats,
    ) -> None:
        self.system, self.freedoms, self.weights = system, freedoms, weights
        self.last, self.t, self.h, self.a0 = last, t, h, a0

    def path(self, a1: Floats, eta: Floats) -> Floats:
        """Step (n,) of the freedoms from t_n."""
        w, h, v = self.weights, self.h, self.last.state.v
        mean = (0.5 - w.beta) * self.a0 + w.beta * a1
        return h * v + h**2 * mean - self.last.basis.shift @ eta

    def state(self, a1: Floats, lam: Floats, eta: Floats) -> State:
        """State at the end of the step."""
        w, last = self.weights, self.last.state
        v = last.v + self.h * ((1.0 - w.gamma) * self.a0 + w.gamma * a1)
        return State(self.t, self.system.move(last.q, self.path(a1, eta)), v, lam)

    def correction(self, a1: Floats, lam: Floats, eta: Floats) -> tuple[Floats, Floats, Floats]:
        """Newton corrections of beta h^2 a_n+1, lam and eta."""
        w, h, system, basis = self.weights, self.h, self.system, self.last.basis
        state, rate = self.state(a1, lam, eta), w.rate(self.a0, a1, self.last.rate)
        M, rows = system.mass_matrix(state.q), system.constraint(state)
        self.mass, self.rows = M, rows
        force, by_q, by_v = system.evaluate(state)
        blocks = self.freedoms.tangent(self.path(a1, eta))
        square, ratio = w.beta * h**2, w.beta * h / w.gamma
        scale = (1.0 - w.alpha_m) / (1.0 - w.alpha_f)

        K = square * (system.d_inertia(state.q, rate) - by_q - rows.d_load(lam))
        K = self.freedoms.times_tangent(K, blocks)
        A, A_position = basis.all @ rows.jacobian, basis.position @ rows.jacobian
        closing = self.freedoms.times_tangent(A_position, blocks)
        turning = self.freedoms.times_tangent(ratio * basis.all @ rows.d_rate(), blocks)
        n, r, p = len(a1), len(A), len(A_position)
        J = np.zeros((n + r + p, n + r + p))
        J[:n, :n] = scale * M - h * w.gamma * by_v + K
        J[:n, n : n + r] = -A.T
        J[:n, n + r :] = -K @ basis.shift
        J[n : n + r, :n] = A + turning
        J[n : n + r, n + r :] = -turning @ basis.shift
        J[n + r :, :n] = closing
        J[n + r :, n + r :] = -closing @ basis.shift
        residual = np.concatenate(
            [
                square * (M @ rate - force - rows.jacobian.T @ lam),
                ratio * basis.all @ rows.rate,
                basis.position @ rows.value,
            ]
        )
        try:
            x = np.linalg.solve(J, -residual)
        except np.linalg.LinAlgError as error:
            raise _NoConvergenceError("the tangent is singular") from error
        return x[:n], x[n : n + r] @ basis.all / square, x[n + r :]


def _converged(size: float, before: float) -> bool:
    """Whether the next correction would be negligible, or this one is round-off."""
    fall = size / before if before < np.inf else 0.5
    if size <= ROUND_OFF and fall > 0.5:
        return True
    return min(fall, 0.5) * size <= NEWTON_TOLERANCE
