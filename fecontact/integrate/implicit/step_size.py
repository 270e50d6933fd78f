"""Local error of a compiled step, and the step that follows from it, as in `implicit.method`."""

from __future__ import annotations

from fecontact.integrate.control import MAX_FACTOR, MIN_FACTOR, SAFETY
from fecontact.integrate.implicit.limits import KINK, KINK_ORDER, KINK_STEP, ORDER, WORTH
from fecontact.integrate.implicit.welded import WeldedSteps
from fecontact.integrate.loop.motion import (
    A0,
    ATOL,
    BETA,
    FIXED,
    GAMMA,
    KINKED,
    LAST_H,
    LONGEST,
    RATE1,
    REJECTED,
    RTOL,
    SPACE,
    H,
    Items,
    Motion,
    Y,
)
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["accurate"]


@kernel(allocates=False)
def accurate(
    items: Items, welds: WeldedSteps | None, motion: Motion, h: float, kinked: bool
) -> bool:
    """Whether a step is accurate enough; the next step, or a shorter one, follows from it."""
    x = motion.numbers
    if x[FIXED] > 0.0:
        x[H] = min(2.0 * x[H], x[FIXED])
        return True
    near = kinked or x[KINKED] > 0.0
    error, order = _error(items, welds, motion, h), ORDER + 1
    if near:
        error, order = error / KINK, KINK_ORDER
    factor = _factor(error, order)
    if error > 1.0 and not (near and h <= KINK_STEP * x[LONGEST]):
        x[H] = factor * h
        motion.counts[REJECTED] += 1
        return False
    x[H] = h * (1.0 if 1.0 < factor < WORTH else factor)
    return True


@kernel(allocates=False)
def _error(items: Items, welds: WeldedSteps | None, motion: Motion, h: float) -> float:
    """Local error of positions and velocities of a step, 1 at the tolerance."""
    x, rows, n = motion.numbers, motion.rows, len(motion.v)
    ratio, worst = h / x[LAST_H], 0.0
    square, turn = x[BETA] * h * h, rows[SPACE]
    for i in range(n):
        turn[i] = 0.0
    for k in range(len(items.turns)):
        _commutator(motion, items.turns[k], turn)
    for i in range(n):
        change = rows[RATE1, i] - motion.rate[i]
        bend = (change - ratio * motion.change[i]) * ratio / (1.0 + ratio)
        slope = change - bend
        a0, a1 = rows[A0, i], rows[Y, i] / square
        v = motion.rate[i] + slope / 2 + bend / 3
        q = motion.rate[i] / 2 + slope / 6 + bend / 12 + h / 12 * turn[i]
        dv = h * ((1.0 - x[GAMMA]) * a0 + x[GAMMA] * a1 - v)
        dq = h * h * ((0.5 - x[BETA]) * a0 + x[BETA] * a1 - q)
        if welds is not None:
            dq += welds.correction[i]
        worst = max(worst, abs(dq) / (x[ATOL] + x[RTOL] * motion.scale_q[i]))
        worst = max(worst, abs(dv) / (x[ATOL] + x[RTOL] * motion.scale_v[i]))
    return worst


@kernel(allocates=False)
def _commutator(motion: Motion, turn: Integers, result: Floats) -> None:
    """Omega x omega' of one quaternion, at the start of the step."""
    n, v, a = len(motion.v), motion.v, motion.rate
    z, dz = (v[turn[2]], a[turn[2]]) if turn[2] < n else (0.0, 0.0)
    x, y, dx, dy = v[turn[0]], v[turn[1]], a[turn[0]], a[turn[1]]
    result[turn[0]] = y * dz - z * dy
    result[turn[1]] = z * dx - x * dz
    if turn[2] < n:
        result[turn[2]] = x * dy - y * dx


@kernel(allocates=False)
def _factor(error: float, order: int) -> float:
    """Factor of the next step (`control.step_factor`)."""
    if error == 0.0:
        return MAX_FACTOR
    return min(max(SAFETY * error ** (-1.0 / order), MIN_FACTOR), MAX_FACTOR)
