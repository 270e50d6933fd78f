"""A motion over one period in even steps, with its exact linearisation.

The state is x = (q, v, z). A step of the length h goes in three implicit stages (Alexander 1977:
diagonally implicit Runge-Kutta method of order 3, L-stable, the last stage is the end),

    x_i = x_n + h sum_j a_ij x'_j,      j <= i,      a_ii = gamma,

each solved for accelerations, rates z' and multipliers by Newton's method. The derivative of the
end by the start (the monodromy matrix, if the motion is periodic) and by the period is that of the
steps as they were taken.

Where a contact point closes, a normal damper makes the force jump. A step in which a gap g falls
through zero is divided there, at the time h_1 with g(x_1) = 0 at the end of its first part. With
the change of this time,

    dh_1 = -(g_q dq_1 + ...)/g',      dx_1 = (dx_1 at fixed h_1) + x_1' dh_1,

the derivative has the jump in it (the saltation matrix of Aizerman and Gantmakher 1958). What
depends on time itself, as a load does, is not changed by dh_1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt
from scipy.linalg import lu_factor, lu_solve

from fecontact.analysis.imbalance import Acting
from fecontact.analysis.periodic.closing import Closing
from fecontact.analysis.periodic.compiled_motion import CHUNK
from fecontact.analysis.periodic.instants import compiled_form
from fecontact.analysis.periodic.motion import Balance, Balances, Motion, yielding
from fecontact.analysis.periodic.steps import (
    CARRIED,
    FAST,
    GAMMA,
    LEFT,
    MAX_ITERATIONS,
    ROUND_OFF,
    TOLERANCE,
    UNBALANCED,
    WEIGHTS,
)
from fecontact.errors import InputError, SolverError
from fecontact.typing import Floats

__all__ = ["Passed", "pass_period", "refuse_undamped"]

SHORTEST = 0.1
"""Part of a step down to which it is halved."""
LOCATED = 1e-10
"""Part of its largest gap, or of its fall in a step, to which a point is left open."""
ASIDE = 1e-3
"""Part by which a secant ends before the closing."""

Factors = tuple[Floats, npt.NDArray[np.int32]]


@dataclass(frozen=True, eq=False)
class Passed:
    """States (M + 1, N) at the steps of a period, and the derivatives of the last one.

    Attributes
    ----------
    by_start : (N, N)
        By the first state; empty if it was not asked for.
    by_period : (N,)
        By the period, of motions that do not depend on time.
    residual
        Largest imbalance of a stage, relative to the acting forces; 0 without derivatives.
    """

    t: Floats
    x: Floats
    by_start: Floats
    by_period: Floats
    residual: float


def pass_period(
    motion: Motion, start: Floats, period: float, steps: int, linear: bool = True
) -> Passed:
    """Go from a state (N,) at t = 0 through a period in s, with or without the derivatives."""
    return _Run(motion, period, steps, linear).through(start)


def refuse_undamped(motion: Motion) -> None:
    """Refuse bristles without damper, which have no rate."""
    if yielding(motion) is not None:
        raise InputError(
            "invalid friction damping = 0 with shooting: expected > 0, because bristles without "
            "damper have no rate; or take harmonic balance"
        )


class _Run:
    """The loop over steps and stages.

    `y` are accelerations, rates z' and multipliers, `kept` is the last factorised tangent.
    """

    def __init__(self, motion: Motion, period: float, steps: int, linear: bool) -> None:
        self.motion, self.steps, self.linear = motion, steps, linear
        self.h, (self.n, self.s, self.m) = period / steps, motion.sizes
        self.closing = cast("Closing", motion) if hasattr(motion, "gaps") else None
        self.g = 0.0
        self.kept: Factors | None = None
        self.y = np.zeros(self.n + self.s + self.m)
        self.largest, self.residual = np.full(3, 1e-300), 0.0
        refuse_undamped(motion)
        compiled = compiled_form(motion)
        self.compiled = None if compiled is None else compiled.steps(self.h, 1.0 / steps, linear)

    def through(self, start: Floats) -> Passed:
        """All steps."""
        x, size = [start], len(start)
        change = np.eye(size, size + 1) if self.linear else np.zeros((size, 0))
        dh = np.zeros(change.shape[1])
        dh[-1:] = 1.0 / self.steps
        t = np.asarray(self.h * np.arange(self.steps + 1), dtype=float)
        self._hand_over(start, change)
        while len(x) <= self.steps:
            change, stops = self._compiled_steps(x, change)
            if stops:
                k = len(x) - 1
                end, change = self._advanced(float(t[k]), self.h, x[-1], change, dh, ())
                x.append(end)
                self._hand_over(end, change)
        by_start, by_period = change[:, :-1], change[:, -1:].ravel()
        return Passed(t, np.array(x), by_start, by_period, self.residual)

    def _hand_over(self, x: Floats, change: Floats) -> None:
        """Let the compiled form go on from a state."""
        if self.compiled is not None:
            self.compiled.start(x, change, self.y)

    def _compiled_steps(self, x: list[Floats], change: Floats) -> tuple[Floats, bool]:
        """Append states by the compiled form as far as it goes.

        Returns the derivatives of the last one, and whether the next step is to be taken here: one
        in which a point closes, or that finds no balance.
        """
        if self.compiled is None:
            return change, True
        first, h = len(x) - 1, self.h
        states, changes, told = self.compiled.go(first, self.steps)
        for k in range(len(states) - 1):
            opened = not told[k, CARRIED]
            if opened and self._first_closing(h * (first + k), h, states[k], states[k + 1], ()):
                break
            x.append(states[k + 1])
            self.residual = max(self.residual, float(told[k + 1, LEFT]))
        passed = len(x) - 1 - first
        stops = len(x) <= self.steps and passed < CHUNK
        if stops and passed:
            self._forget()
            self.y = (x[-1] - x[-2])[self.n :] / h
        return changes[passed], stops

    def _advanced(
        self, t: float, h: float, x: Floats, change: Floats, dh: Floats, closed: tuple[int, ...]
    ) -> tuple[Floats, Floats]:
        """End of a step that is divided where points close, and its change.

        `dh` is the change of its length; `closed` are points that close where it begins. A step
        that finds no balance across a jump is halved.
        """
        try:
            end, end_change = self._step(t, h, x, change, dh)
        except SolverError:
            if h < SHORTEST * self.h:
                raise
            self._forget()
            x, change = self._advanced(t, 0.5 * h, x, change, 0.5 * dh, closed)
            return self._advanced(t + 0.5 * h, 0.5 * h, x, change, 0.5 * dh, ())
        found = self._first_closing(t, h, x, end, closed)
        if found is None or self.closing is None:
            return end, end_change
        index, part = found[0], self._time_of(*found, t, h, x)
        if not self.linear:
            x = self._step(t, part, x, change, dh)[0]
        else:
            by_time = np.append(np.zeros_like(dh), 1.0)
            wider = np.column_stack([change, np.zeros(len(x))])
            x, moved = self._step(t, part, x, wider, by_time)
            by_q, by_t = self.closing.gap_change(t + part, x[: self.n], index)
            fall = by_q @ moved[: self.n]
            later = -fall[:-1] / (fall[-1] + by_t)
            change, dh = moved[:, :-1] + np.outer(moved[:, -1], later), dh - later
        return self._advanced(t + part, h - part, x, change, dh, (*closed, index))

    def _first_closing(
        self, t: float, h: float, x: Floats, end: Floats, closed: tuple[int, ...]
    ) -> tuple[int, float] | None:
        """Number of the point that closes first in a step along straight lines, and when."""
        if self.closing is None:
            return None
        before, after = self.closing.gaps(t, x[: self.n]), self.closing.gaps(t + h, end[: self.n])
        falls = (before > 0.0) & (after < 0.0)
        falls[list(closed)] = False
        if not falls.any():
            return None
        time = np.where(falls, h * before / np.where(falls, before - after, 1.0), np.inf)
        return int(np.argmin(time)), float(time.min())

    def _time_of(self, index: int, guess: float, t: float, h: float, x: Floats) -> float:
        """Length of the step at the end of which a point is about to close.

        Secants from the open side, since across the jump a step may have no balance; halves of the
        interval where they point away from the closing: a gap may grow before it falls.
        """
        gap = self._gap_after(index, t, 0.0, x)
        largest = gap * max(1.0, h / guess)  # its fall over the step: two points may close at once
        open_at, closed_at, part = 0.0, h, (1.0 - ASIDE) * guess
        for _ in range(MAX_ITERATIONS):
            now = self._gap_after(index, t, part, x)
            if not now > 0.0:
                closed_at, part = part, 0.5 * (open_at + part)
                continue
            largest = max(largest, now)
            if now <= LOCATED * largest:
                return part
            slope = (now - gap) / (part - open_at)
            open_at, gap = part, now
            part = open_at - (1.0 - ASIDE) * gap / slope if slope < 0.0 else closed_at
            if not part < closed_at:
                part = 0.5 * (open_at + closed_at)
        raise SolverError(f"a point that closes at t = {t:.6g} s is not located: take more steps")

    def _gap_after(self, index: int, t: float, part: float, x: Floats) -> float:
        """Gap of a point at the end of a step; nan where the step finds no balance."""
        assert self.closing is not None
        linear, none = self.linear, np.zeros((len(x), 0))
        self.linear = False
        try:
            end = self._step(t, part, x, none, none[0])[0] if part > 0.0 else x
        except SolverError:
            self._forget()
            return float("nan")
        finally:
            self.linear = linear
        return float(self.closing.gaps(t + part, end[: self.n])[index])

    def _forget(self) -> None:
        self.kept, self.y = None, np.zeros_like(self.y)

    def _step(
        self, t: float, h: float, x: Floats, change: Floats, dh: Floats
    ) -> tuple[Floats, Floats]:
        """End of a step of the length h, and its change with those of start and length."""
        if GAMMA * h != self.g:
            self.g, self.kept = GAMMA * h, None
        rates, changes = np.zeros((3, len(x))), np.zeros((3, *change.shape))
        end, end_change = x, change
        for i, row in enumerate(WEIGHTS):
            base, time = x + h * (row[:i] @ rates[:i]), t + h * float(row.sum())
            end, rates[i], now = self._stage(time, base)
            if now is not None:
                moved = np.tensordot(row[:i], changes[:i], 1)
                base_change = change + h * moved + np.outer(row[:i] @ rates[:i], dh)
                end_change, changes[i] = self._linear(now, rates[i], base_change, GAMMA * dh)
        return end, end_change

    def _stage(self, t: float, base: Floats) -> tuple[Floats, Floats, Balance | None]:
        """State, its rate and the balance at the end of a stage x = base + g x'."""
        before, fresh = np.inf, False
        for _ in range(MAX_ITERATIONS):
            if self.kept is None:
                self.kept, fresh = self._factorised(self._evaluate(t, base)), True
            r, rate, rows = self.motion.residual(t, *self._at(base, self.y))
            wrong = np.concatenate([r, self._parts(self.y)[1] - rate, rows])
            dy = lu_solve(self.kept, -wrong, check_finite=False)
            self.y = self.y + dy
            size = self._size(dy, base)
            if size <= TOLERANCE or (fresh and size <= ROUND_OFF and size >= 0.5 * before):
                return self._done(t, base)
            if not size <= FAST * before:
                self.kept = None
            before = size
        raise SolverError(
            f"no balance at t = {t:.6g} s of the period (correction {size:.1e}): take more steps, "
            "or a closer guess"
        )

    def _done(self, t: float, base: Floats) -> tuple[Floats, Floats, Balance | None]:
        """Keep the tangent at the solution for its linearisation and the next stage."""
        q, v, a, z, _ = self._at(base, self.y)
        now = self._evaluate(t, base) if self.linear else None
        if now is not None:
            self.kept = self._factorised(now)
            self._judge(t, now, q, v, a, z)
        return np.concatenate([q, v, z]), np.concatenate([v, a, self._parts(self.y)[1]]), now

    def _judge(self, t: float, now: Balance, q: Floats, v: Floats, a: Floats, z: Floats) -> None:
        """Compare what is left in a stage with the acting forces."""
        acting = Acting.of(Balances.of([now]), q[None], v[None], a[None], z[None], self.g)
        left = acting.imbalance(now.residual[None], self.n)
        if not left.within(UNBALANCED):
            raise SolverError(
                f"no balance at t = {t:.6g} s of the period (imbalance {left.residual:.1e} of the "
                "acting forces): take more steps, or a closer guess"
            )
        self.residual = max(self.residual, left.residual)

    def _linear(
        self, now: Balance, rate: Floats, base: Floats, dg: Floats
    ) -> tuple[Floats, Floats]:
        """Changes of state and rate of a stage with its base and the weight g."""
        assert self.kept is not None
        n, g = self.n, self.g
        v, a = rate[:n], rate[n : 2 * n]
        v_b = base[n : 2 * n] + np.outer(a, dg)
        q_b = base[:n] + g * v_b + np.outer(v, dg)
        z_b = base[2 * n :] + np.outer(rate[2 * n :], dg)
        right = np.concatenate(
            [
                now.by_q @ q_b + now.by_v @ v_b + now.by_z @ z_b,
                -(now.z_rate_by_q @ q_b + now.z_rate_by_v @ v_b + now.z_rate_by_z @ z_b),
                now.rows_by_q @ q_b + now.rows_by_v @ v_b,
            ]
        )
        da, dk, _ = self._parts(lu_solve(self.kept, -right, check_finite=False))
        dv = v_b + g * da
        dq = q_b + g**2 * da
        return np.concatenate([dq, dv, z_b + g * dk]), np.concatenate([dv, da, dk])

    def _at(self, base: Floats, y: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Return q, v, a, z and lam of a stage."""
        n, g, (a, k, lam) = self.n, self.g, self._parts(y)
        v = base[n : 2 * n] + g * a
        return base[:n] + g * v, v, a, base[2 * n :] + g * k, lam

    def _evaluate(self, t: float, base: Floats) -> Balance:
        return self.motion.evaluate(t, *self._at(base, self.y))

    def _factorised(self, now: Balance) -> Factors:
        g, n, end = self.g, self.n, self.n + self.s
        J = np.zeros((end + self.m, end + self.m))
        J[:n, :n] = now.by_a + g * now.by_v + g**2 * now.by_q
        J[:n, n:end] = g * now.by_z
        J[n:end, :n] = -g * now.z_rate_by_v - g**2 * now.z_rate_by_q
        J[n:end, n:end] = np.eye(self.s) - g * now.z_rate_by_z
        J[end:, :n] = g * now.rows_by_v + g**2 * now.rows_by_q
        J[:n, end:] = -now.rows_by_v.T
        return lu_factor(J, check_finite=False)

    def _parts(self, y: Floats) -> tuple[Floats, Floats, Floats]:
        return y[: self.n], y[self.n : self.n + self.s], y[self.n + self.s :]

    def _size(self, dy: Floats, base: Floats) -> float:
        """Largest change of speeds and z in the stage, and of multipliers, relative to the largest.

        A rate z' near zero is known to the round-off of z only.
        """
        _, v, _, z, lam = self._at(base, self.y)
        moved = np.array([_largest(part) for part in self._parts(dy)]) * [self.g, self.g, 1.0]
        self.largest = np.maximum(self.largest, [_largest(v), _largest(z), _largest(lam)])
        return float((moved / self.largest).max())


def _largest(x: Floats) -> float:
    return float(np.abs(x).max(initial=0.0))
