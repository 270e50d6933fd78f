"""Newton's method of a compiled step, as in `implicit.corrector`."""

from __future__ import annotations

from math import isfinite, sqrt

import numpy as np

from fecontact.integrate.control import SMALLEST
from fecontact.integrate.implicit.equations import factorise, residual
from fecontact.integrate.implicit.limits import (
    ALIKE,
    FAST,
    HALVINGS,
    MAX_ITERATIONS,
    MAX_WITH_CONTACTS,
    ROUND_OFF,
    STALLED,
    TOLERANCE,
)
from fecontact.integrate.implicit.welded import WeldedSteps, turn_with_carriers
from fecontact.integrate.loop.motion import (
    ACTING,
    BETA,
    DY,
    ITERATIONS,
    KEPT,
    LEFT,
    PATH,
    POINTS,
    R_TRY,
    SPACE,
    STATUS,
    STATUS0,
    TRY,
    UNBALANCED,
    Items,
    Motion,
    R,
    Y,
)
from fecontact.kernels.arrays import integers
from fecontact.kernels.decorators import kernel
from fecontact.kernels.sums import copy_row
from fecontact.solvers.dense import lu_factorise, lu_solve
from fecontact.solvers.imbalance import BALANCED, ROUNDING
from fecontact.system.welds.kernels import condense
from fecontact.typing import Floats

__all__ = ["solve_contacts", "solve_smooth", "status_changes"]


@kernel(allocates=False)
def solve_smooth(
    items: Items, welds: WeldedSteps | None, motion: Motion, t: float, h: float
) -> bool:
    """Newton's method without contacts; see `Corrector`."""
    rows, x, before = motion.rows, motion.numbers, np.inf
    y, dy, r, square = rows[Y], rows[DY], rows[R], x[BETA] * h * h
    kept = x[KEPT] > 0.0 and abs(h / x[KEPT] - 1.0) < ALIKE
    fresh, x[LEFT] = False, np.inf
    if not residual(items, welds, motion, t, h, y, r):
        return False
    for _ in range(MAX_ITERATIONS):
        if not kept:
            if not factorise(items, welds, motion, t, h, False):
                return False
            kept = fresh = True
        _correction(welds, motion, r)
        _corrected(motion, r, 1.0, y, y)
        _later_path(motion, dy, rows[PATH])
        size = _size(motion, dy, rows[PATH])
        settled = _settled(size, before, fresh)
        slow = not size <= FAST * before
        if not residual(items, welds, motion, t, h, y, r):
            return False
        if (settled or not slow) and _solved(motion, r, square):
            return True
        if settled:
            balanced = _balanced(welds, motion, r, square, fresh)
            if balanced != 0:
                return balanced > 0
        if settled or slow:
            kept = False
        before = size
    return False


@kernel(allocates=False)
def solve_contacts(
    items: Items, welds: WeldedSteps | None, motion: Motion, t: float, h: float
) -> bool:
    """Newton's method with contacts; see `Corrector`."""
    rows, x, before = motion.rows, motion.numbers, np.inf
    y, dy, r, square = rows[Y], rows[DY], rows[R], x[BETA] * h * h
    if not residual(items, welds, motion, t, h, y, r):
        return False
    held = status_changes(items)
    kept = not held and x[KEPT] > 0.0 and abs(h / x[KEPT] - 1.0) < ALIKE
    fresh, x[LEFT] = False, np.inf
    for _ in range(MAX_WITH_CONTACTS):
        if not kept:
            if not factorise(items, welds, motion, t, h, held):
                return False
            if held:
                x[KEPT] = 0.0
            kept = fresh = True
        _correction(welds, motion, r)
        _later_path(motion, dy, rows[PATH])
        size = _size(motion, dy, rows[PATH])
        settled = _settled(size, before, fresh) and not held
        length = 1.0
        if size <= ROUND_OFF:
            _corrected(motion, r, 1.0, y, y)
            if not residual(items, welds, motion, t, h, y, r):
                return False
        else:
            length = _shortened(items, welds, motion, t, h)
            if length < 0.0:
                return False
        if length > 0.0 and _solved(motion, r, square):
            return True
        if settled and length == 1.0:
            balanced = _balanced(welds, motion, r, square, fresh)
            if balanced != 0:
                return balanced > 0
        if length == 0.0 and held:
            return False
        if held or settled or length < 1.0 or not size <= FAST * before:
            kept = False
        held = length == 0.0 and fresh
        before = size if length == 1.0 else np.inf
    return False


@kernel(allocates=False)
def _shortened(
    items: Items, welds: WeldedSteps | None, motion: Motion, t: float, h: float
) -> float:
    """Longest correction with less imbalance, taken; 0 if there is none, -1 if all fails."""
    rows = motion.rows
    y, trial, r, r_try = rows[Y], rows[TRY], rows[R], rows[R_TRY]
    least, length = _imbalance(items, welds, motion, r), 1.0
    for _ in range(HALVINGS):
        _corrected(motion, r, length, y, trial)
        good = residual(items, welds, motion, t, h, trial, r_try)
        if good and _imbalance(items, welds, motion, r_try) < (1.0 - 1e-3 * length) * least:
            copy_row(trial, y)
            copy_row(r_try, r)
            return length
        length *= 0.5
    if not residual(items, welds, motion, t, h, y, r):
        return -1.0
    return 0.0


@kernel(allocates=False)
def status_changes(items: Items) -> bool:
    """Whether the trial changes the status of a contact point."""
    for k in range(len(items.contacts)):
        row = items.contacts[k]
        old = integers(items.work, row[STATUS0], row[POINTS])
        new = integers(items.work, row[STATUS], row[POINTS])
        for i in range(row[POINTS]):
            if old[i] != new[i]:
                return True
    return False


@kernel(allocates=False)
def _correction(welds: WeldedSteps | None, motion: Motion, r: Floats) -> None:
    """Newton's correction dy by the kept tangent."""
    dy = motion.rows[DY]
    for i in range(len(r)):
        dy[i] = -r[i]
    lu_solve(motion.tangent, motion.pivots, dy)
    if welds is not None:
        turn_with_carriers(welds, dy)
    motion.counts[ITERATIONS] += 1


@kernel(allocates=False)
def _corrected(motion: Motion, r: Floats, length: float, y: Floats, result: Floats) -> None:
    """Y + length dy, with dy in its row."""
    dy = motion.rows[DY]
    for i in range(len(y)):
        result[i] = y[i] + length * dy[i]


@kernel(allocates=False)
def _later_path(motion: Motion, dy: Floats, path: Floats) -> None:
    for i in range(len(dy)):
        path[i] += dy[i]


@kernel(allocates=False)
def _size(motion: Motion, dy: Floats, path: Floats) -> float:
    """Largest correction relative to the positions, or to the path of the step."""
    n, largest, result = len(dy), 0.0, 0.0
    for i in range(n):
        largest = max(largest, motion.scale_q[i], abs(path[i]))
    for i in range(n):
        size = max(motion.scale_q[i], abs(path[i]), SMALLEST * largest, 2.3e-308)
        result = max(result, abs(dy[i]) / size)
    return result


@kernel(allocates=False)
def _settled(size: float, before: float, fresh: bool) -> bool:
    """Whether the next correction would be negligible, or this one is round-off."""
    fall = size / before if 0.0 < before < np.inf else 0.5
    if fresh and size <= ROUND_OFF and fall > STALLED:
        return True
    return min(fall, 0.5) * size <= TOLERANCE


@kernel(allocates=False)
def _solved(motion: Motion, r: Floats, square: float) -> bool:
    """Whether no dof has more forces left than round-off."""
    within = True
    for i in range(len(r)):
        within &= abs(r[i]) <= square * ROUNDING * motion.rows[ACTING, i]
    return within


@kernel(allocates=False)
def _balanced(
    welds: WeldedSteps | None, motion: Motion, r: Floats, square: float, fresh: bool
) -> int:
    """1 if the forces balance, 0 if not, -1 if only round-off may be left."""
    x = motion.numbers
    left, before = _forces_left(welds, motion, r, square), x[LEFT]
    if left <= BALANCED:
        return 1
    if fresh and left > STALLED * before:
        return -1
    motion.counts[UNBALANCED] += 1
    x[LEFT] = left
    return 0


@kernel(allocates=False)
def _forces_left(welds: WeldedSteps | None, motion: Motion, r: Floats, square: float) -> float:
    """Forces that are left, relative to those that act (`solvers.imbalance`)."""
    left = acting = 0.0
    for i in range(len(r)):
        mass = motion.mass[i, i]
        if welds is not None:
            mass = welds.diagonal[i]
        left += (r[i] / square) ** 2 / mass
        acting += motion.rows[ACTING][i] ** 2 / mass
    if left == 0.0:
        return 0.0
    return sqrt(left / acting) if acting > 0.0 else np.inf


@kernel(allocates=False)
def _imbalance(items: Items, welds: WeldedSteps | None, motion: Motion, r: Floats) -> float:
    """Size of a residual in the metric of the mass."""
    n, x = len(r), motion.rows[SPACE]
    if welds is not None or len(items.moving) > 0:
        for i in range(n):
            copy_row(motion.mass[i], motion.mass_factors[i])
        if welds is not None:
            condense(welds, motion.mass_factors, x)
        if not lu_factorise(motion.mass_factors, motion.mass_pivots):
            return np.inf
    for i in range(n):
        x[i] = r[i]
    lu_solve(motion.mass_factors, motion.mass_pivots, x)
    total = 0.0
    for i in range(n):
        total += r[i] * x[i]
    return total if isfinite(total) else np.inf
