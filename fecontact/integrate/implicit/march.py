"""Compiled step loop of the generalised-alpha method, for systems without constraints.

The equations of a step are those of `implicit.alpha`, its Newton method that of
`implicit.corrector`, the choice of steps and the audit those of `implicit.method` and
`integrate.audit`. A step that is not ordinary (no convergence, forces that stay out of balance, a
drop from static friction under error control) is left to them: the loop returns `UNUSUAL`.
"""

from __future__ import annotations

from math import ceil, isfinite, sqrt

import numpy as np

from fecontact.integrate.control import MAX_FACTOR, MIN_FACTOR, SAFETY, SMALLEST
from fecontact.integrate.implicit.limits import (
    ALIKE,
    FAST,
    HALVINGS,
    KINK,
    KINK_ORDER,
    KINK_STEP,
    MAX_ITERATIONS,
    MAX_WITH_CONTACTS,
    ORDER,
    ROUND_OFF,
    STALLED,
    TOLERANCE,
    WORTH,
)
from fecontact.kernels.arrays import Bundle, integers, part
from fecontact.kernels.calls import call_at
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    ADVANCE,
    BEGIN,
    BENT,
    D_INERTIA,
    FORCE,
    HELD,
    LOST,
    MASS,
    POWERS,
    RECORD,
    STEP,
    STORED,
    SUPPLIED,
    TANGENTS,
)
from fecontact.kernels.sums import clear, copy_row
from fecontact.solvers.dense import lu_factorise, lu_solve
from fecontact.solvers.imbalance import BALANCED
from fecontact.system.dofs import multiply_tangent
from fecontact.system.program.kernels import (
    ADDRESS,
    DOFS,
    ITEM,
    PARAMETERS,
    RECORDS,
    SIZE,
    V_INDICES,
    call_item,
    forces,
    inertia,
    moved,
)
from fecontact.typing import Floats, Integers

__all__ = ["ARRIVED", "BROKEN", "BUDGET", "PAUSED", "UNUSUAL", "Items", "Motion", "add_tangents",
           "ask", "audit_step", "begin", "march", "set_step", "weigh"]  # fmt: skip

ARRIVED, PAUSED, BUDGET, UNUSUAL, BROKEN = range(5)
"""Why the loop ends: at the goal, for a look at signals, without steps left, at a step that the
general method must do; at an item that fails where it has been evaluated before."""

(
    T, H, LONGEST, LAST_H, KINKED, FIXED, RTOL, ATOL, ALPHA_M, ALPHA_F, BETA, GAMMA, KEPT, STICKS,
    LEFT, START,
) = range(16)  # fmt: skip
"""Numbers of a motion: time, next step, longest step, last step, whether contacts changed in it,
the fixed step (0: error control), tolerances, weights, step of the kept tangent (0: none), whether
a law has a static coefficient, imbalance of the last look, time at the start of the last step."""

STEPS, REJECTED, ITERATIONS, FACTORISATIONS, UNBALANCED, EVALUATIONS, EVENTS, SWITCHES = range(8)
"""Counters of a motion; then the switches of points by their new status."""

STATUS0, STATUS, POINTS, HISTORY, LENGTH, KEPT_HISTORY = range(1, 7)
"""Columns of `Items.contacts`, behind the row of the table: where its status is at the start of a
step and at its trial end, how many points it has; where its history is and how long, and where that
at the start of the last step is kept in `Items.kept`."""


class Items(Bundle):
    """The program of a system.

    Attributes
    ----------
    table, indices, work
        As in `system.program.kernels`.
    moving
        Rows of bodies whose mass matrix depends on q.
    plain, turns
        Dofs that are coordinates, and those of quaternions, see `moved`.
    contacts : (c, 7)
        Stateful contacts.
    kept
        Their histories at the start of the last step.
    dissipating, timed : (rows,)
        1 for rows whose powers are asked, and whose potential depends on time.
    loads, driven, supplying : (items,)
        1 for items whose work is supplied; for bodies that a prescribed motion carries, which are
        supplied what they take; for bodies that know the power of their drive.
    """

    table: Integers
    indices: Integers
    work: Floats
    moving: Integers
    plain: Integers
    turns: Integers
    contacts: Integers
    kept: Floats
    dissipating: Integers
    timed: Integers
    loads: Integers
    driven: Integers
    supplying: Integers


class Motion(Bundle):
    """State of the loop, and its working space; n dofs.

    Attributes
    ----------
    numbers, counts
        See above.
    q, v, a, rate, change
        Coordinates, velocities, a_n, v' and its change in the last step.
    scale_q, scale_v, angles
        Largest positions and velocities so far; 1 for dofs that are rotations.
    mass, mass_factors, tangent : (n, n)
        Mass matrix, factors of it and of the kept tangent.
    forces, before : (items, n)
        Forces of the items at the trial state and at the start of the step.
    works, lost, given : (items,)
        Sums of the audit.
    powers : (4, items)
        Dissipated and supplied power at the start of the step, dissipated power at its end; stored
        energy of driven bodies at the start.
    rows : (k, n)
        Vectors, see `ROWS`.
    """

    numbers: Floats
    counts: Integers
    q: Floats
    v: Floats
    a: Floats
    rate: Floats
    change: Floats
    scale_q: Floats
    scale_v: Floats
    angles: Integers
    mass: Floats
    mass_factors: Floats
    mass_pivots: Integers
    tangent: Floats
    pivots: Integers
    by_q: Floats
    by_v: Floats
    forces: Floats
    before: Floats
    works: Floats
    lost: Floats
    given: Floats
    powers: Floats
    q1: Floats
    q0: Floats
    rows: Floats


A0, Y, DY, TRY, R, R_TRY, PATH, V1, RATE1, FORCES, ACTING, SPACE, V0 = range(13)
ROWS = 13
"""Vectors of the working space: a_n for this step, unknowns, correction, trial, residuals, path,
velocities and v' at the end, sum and sizes of the forces, space, velocities at the start."""


@kernel(allocates=False)
def set_step(items: Items, h: float) -> None:
    """Give the step to all contacts."""
    for k in range(len(items.contacts)):
        items.work[items.table[items.contacts[k, 0], RECORDS] + STEP] = h


@kernel(allocates=False)
def ask(items: Items, i: int, t: float, q: Floats, v: Floats, task: int) -> bool:
    """Call one item at a state; False if it fails."""
    return call_item(items.table, i, items.indices, items.work, t, q, v, task) == 0.0


@kernel(allocates=False)
def begin(items: Items, motion: Motion) -> bool:
    """Take the state as the start of a step of all contacts."""
    for k in range(len(items.contacts)):
        i = items.contacts[k, 0]
        if not ask(items, i, motion.numbers[T], motion.q, motion.v, BEGIN):
            return False
    return True


@kernel(allocates=False)
def weigh(items: Items, motion: Motion, q: Floats) -> bool:
    """Mass matrix at coordinates."""
    if len(items.moving) == 0:
        return True
    n = len(motion.v)
    moving, indices, mass = items.moving, items.indices, motion.mass
    for k in range(len(moving)):
        first = moving[k, V_INDICES]
        for i in range(moving[k, DOFS]):
            for j in range(moving[k, DOFS]):
                mass[indices[first + i], indices[first + j]] = 0.0
    still = motion.rows[SPACE]
    for i in range(n):
        still[i] = 0.0
    failed = inertia(items.moving, items.indices, items.work, q, still, MASS, motion.mass)
    return failed == 0


@kernel(allocates=False, shared=True)
def _residual(items: Items, motion: Motion, t: float, h: float, y: Floats, r: Floats) -> bool:
    """State at the end of a step for unknowns y, and what is left of the equations there."""
    x, rows, n = motion.numbers, motion.rows, len(motion.v)
    square, gamma = x[BETA] * h * h, x[GAMMA]
    a0, path, v1, rate1 = rows[A0], rows[PATH], rows[V1], rows[RATE1]
    gain, weight = (1.0 - x[ALPHA_M]) / (1.0 - x[ALPHA_F]), 1.0 / (1.0 - x[ALPHA_F])
    for i in range(n):
        a1 = y[i] / square
        path[i] = h * (motion.v[i] + h * (0.5 - x[BETA]) * a0[i]) + y[i]
        v1[i] = motion.v[i] + h * ((1.0 - gamma) * a0[i] + gamma * a1)
        rate1[i] = gain * a1 + weight * (x[ALPHA_M] * a0[i] - x[ALPHA_F] * motion.rate[i])
    moved(motion.q, path, items.plain, items.turns, motion.q1)
    if not weigh(items, motion, motion.q1):
        return False
    motion.counts[EVALUATIONS] += 1
    args = items.table, items.indices, items.work, t, motion.q1, v1, FORCE, motion.forces
    if forces(*args) != 0:
        return False
    total, acting = rows[FORCES], rows[ACTING]
    for j in range(n):
        total[j] = acting[j] = 0.0
    for i in range(len(motion.forces)):
        for j in range(n):
            total[j] += motion.forces[i, j]
            acting[j] += abs(motion.forces[i, j])
    for i in range(n):
        inertial = size = 0.0
        for j in range(n):
            inertial += motion.mass[i, j] * rate1[j]
            size += abs(motion.mass[i, j]) * abs(rate1[j])
        r[i] = square * (inertial - total[i])
        acting[i] += size
        if not isfinite(r[i]):
            return False
    return True


@kernel(allocates=False, shared=True)
def _factorise(items: Items, motion: Motion, t: float, h: float, held: bool) -> bool:
    """Tangent at the unknowns of the last residual; `held`: as if no point slid."""
    x, rows, n = motion.numbers, motion.rows, len(motion.v)
    J, by_q, by_v = motion.tangent, motion.by_q, motion.by_v
    square, gain = x[BETA] * h * h, (1.0 - x[ALPHA_M]) / (1.0 - x[ALPHA_F])
    clear(by_q)
    clear(by_v)
    for i in range(len(items.table)):
        task = TANGENTS
        for k in range(len(items.contacts) if held else 0):
            if items.contacts[k, 0] == i:
                task = HELD
        if not ask(items, i, t, motion.q1, rows[V1], task):
            return False
        add_tangents(items, i, by_q, by_v)
    if len(items.moving) > 0:
        clear(J)
        rate = rows[RATE1]
        if inertia(items.moving, items.indices, items.work, motion.q1, rate, D_INERTIA, J) != 0:
            return False
        for i in range(n):
            for j in range(n):
                by_q[i, j] -= J[i, j]
    for i in range(n):
        for j in range(n):
            J[i, j] = -square * by_q[i, j]
    if len(items.turns) > 0:
        multiply_tangent(J, rows[PATH], items.turns)
    for i in range(n):
        for j in range(n):
            J[i, j] += gain * motion.mass[i, j] - h * x[GAMMA] * by_v[i, j]
    motion.counts[FACTORISATIONS] += 1
    x[KEPT] = h
    return lu_factorise(J, motion.pivots)


@kernel(fastmath=True)
def add_tangents(items: Items, i: int, by_q: Floats, by_v: Floats) -> None:
    """Add the tangents of an item that has been asked for them."""
    n, first = items.table[i, DOFS], items.table[i, V_INDICES]
    at = items.table[i, RECORDS] + RECORD + items.table[i, SIZE] + 2 * n
    for k in range(n):
        row = items.indices[first + k]
        for m in range(n):
            column = items.indices[first + m]
            by_q[row, column] += items.work[at + n * k + m]
            by_v[row, column] += items.work[at + n * n + n * k + m]


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
def _imbalance(items: Items, motion: Motion, r: Floats) -> float:
    """Size of a residual in the metric of the mass."""
    n, x = len(r), motion.rows[SPACE]
    if len(items.moving) > 0:
        for i in range(n):
            copy_row(motion.mass[i], motion.mass_factors[i])
        if not lu_factorise(motion.mass_factors, motion.mass_pivots):
            return np.inf
    for i in range(n):
        x[i] = r[i]
    lu_solve(motion.mass_factors, motion.mass_pivots, x)
    total = 0.0
    for i in range(n):
        total += r[i] * x[i]
    return total if isfinite(total) else np.inf


@kernel(allocates=False)
def _forces_left(motion: Motion, r: Floats, square: float) -> float:
    """Forces that are left, relative to those that act (`solvers.imbalance`)."""
    left = acting = 0.0
    for i in range(len(r)):
        left += (r[i] / square) ** 2 / motion.mass[i, i]
        acting += motion.rows[ACTING][i] ** 2 / motion.mass[i, i]
    if left == 0.0:
        return 0.0
    return sqrt(left / acting) if acting > 0.0 else np.inf


@kernel(allocates=False)
def _balanced(motion: Motion, r: Floats, square: float, fresh: bool) -> int:
    """1 if the forces balance, 0 if not, -1 if only round-off may be left."""
    x = motion.numbers
    left, before = _forces_left(motion, r, square), x[LEFT]
    if left <= BALANCED:
        return 1
    if fresh and left > STALLED * before:
        return -1
    motion.counts[UNBALANCED] += 1
    x[LEFT] = left
    return 0


@kernel(allocates=False)
def _settled(size: float, before: float, fresh: bool) -> bool:
    """Whether the next correction would be negligible, or this one is round-off."""
    fall = size / before if 0.0 < before < np.inf else 0.5
    if fresh and size <= ROUND_OFF and fall > STALLED:
        return True
    return min(fall, 0.5) * size <= TOLERANCE


@kernel(allocates=False)
def _guess(motion: Motion, h: float) -> None:
    """Unknowns for a v' that changes as in the last step."""
    x, rows = motion.numbers, motion.rows
    square, ratio = x[BETA] * h * h, h / x[LAST_H]
    gain, weight = (1.0 - x[ALPHA_M]) / (1.0 - x[ALPHA_F]), 1.0 / (1.0 - x[ALPHA_F])
    for i in range(len(motion.v)):
        a0 = motion.rate[i] + ratio * (motion.a[i] - motion.rate[i])
        rows[A0, i] = a0
        later = motion.rate[i] + ratio * motion.change[i]
        known = weight * (x[ALPHA_M] * a0 - x[ALPHA_F] * motion.rate[i])
        rows[Y, i] = square * (later - known) / gain


@kernel(allocates=False)
def _changed(items: Items) -> bool:
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
def _corrected(motion: Motion, r: Floats, length: float, y: Floats, result: Floats) -> None:
    """Y + length dy, with dy in its row."""
    dy = motion.rows[DY]
    for i in range(len(y)):
        result[i] = y[i] + length * dy[i]


@kernel(allocates=False)
def _correction(motion: Motion, r: Floats) -> None:
    """Newton's correction dy by the kept tangent."""
    dy = motion.rows[DY]
    for i in range(len(r)):
        dy[i] = -r[i]
    lu_solve(motion.tangent, motion.pivots, dy)
    motion.counts[ITERATIONS] += 1


@kernel(allocates=False)
def _later_path(motion: Motion, dy: Floats, path: Floats) -> None:
    for i in range(len(dy)):
        path[i] += dy[i]


@kernel(allocates=False)
def _solve_smooth(items: Items, motion: Motion, t: float, h: float) -> bool:
    """Newton's method without contacts; see `Corrector`."""
    rows, x, before = motion.rows, motion.numbers, np.inf
    y, dy, r, square = rows[Y], rows[DY], rows[R], x[BETA] * h * h
    kept = x[KEPT] > 0.0 and abs(h / x[KEPT] - 1.0) < ALIKE
    fresh, x[LEFT] = False, np.inf
    if not _residual(items, motion, t, h, y, r):
        return False
    for _ in range(MAX_ITERATIONS):
        if not kept:
            if not _factorise(items, motion, t, h, False):
                return False
            kept = fresh = True
        _correction(motion, r)
        _corrected(motion, r, 1.0, y, y)
        _later_path(motion, dy, rows[PATH])
        size = _size(motion, dy, rows[PATH])
        settled = _settled(size, before, fresh)
        slow = not size <= FAST * before
        if not _residual(items, motion, t, h, y, r):
            return False
        if settled:
            balanced = _balanced(motion, r, square, fresh)
            if balanced != 0:
                return balanced > 0
        if settled or slow:
            kept = False
        before = size
    return False


@kernel(allocates=False)
def _solve_contacts(items: Items, motion: Motion, t: float, h: float) -> bool:
    """Newton's method with contacts; see `Corrector`."""
    rows, x, before = motion.rows, motion.numbers, np.inf
    y, dy, r, square = rows[Y], rows[DY], rows[R], x[BETA] * h * h
    if not _residual(items, motion, t, h, y, r):
        return False
    held = _changed(items)
    kept = not held and x[KEPT] > 0.0 and abs(h / x[KEPT] - 1.0) < ALIKE
    fresh, x[LEFT] = False, np.inf
    for _ in range(MAX_WITH_CONTACTS):
        if not kept:
            if not _factorise(items, motion, t, h, held):
                return False
            if held:
                x[KEPT] = 0.0
            kept = fresh = True
        _correction(motion, r)
        _later_path(motion, dy, rows[PATH])
        size = _size(motion, dy, rows[PATH])
        settled = _settled(size, before, fresh) and not held
        length = 1.0
        if size <= ROUND_OFF:
            _corrected(motion, r, 1.0, y, y)
            if not _residual(items, motion, t, h, y, r):
                return False
        else:
            length = _shortened(items, motion, t, h)
            if length < 0.0:
                return False
        if settled and length == 1.0:
            balanced = _balanced(motion, r, square, fresh)
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
def _shortened(items: Items, motion: Motion, t: float, h: float) -> float:
    """Longest correction with less imbalance, taken; 0 if there is none, -1 if all fails."""
    rows = motion.rows
    y, trial, r, r_try = rows[Y], rows[TRY], rows[R], rows[R_TRY]
    least, length = _imbalance(items, motion, r), 1.0
    for _ in range(HALVINGS):
        _corrected(motion, r, length, y, trial)
        good = _residual(items, motion, t, h, trial, r_try)
        if good and _imbalance(items, motion, r_try) < (1.0 - 1e-3 * length) * least:
            copy_row(trial, y)
            copy_row(r_try, r)
            return length
        length *= 0.5
    if not _residual(items, motion, t, h, y, r):
        return -1.0
    return 0.0


@kernel(allocates=False)
def _error(items: Items, motion: Motion, h: float) -> float:
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


@kernel(allocates=False)
def _accurate(items: Items, motion: Motion, h: float, kinked: bool) -> bool:
    """Whether a step is accurate enough; the next step, or a shorter one, follows from it."""
    x = motion.numbers
    if x[FIXED] > 0.0:
        x[H] = min(2.0 * x[H], x[FIXED])
        return True
    near = kinked or x[KINKED] > 0.0
    error, order = _error(items, motion, h), ORDER + 1
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
def _switched(items: Items, counts: Integers) -> None:
    """Count the points whose status changes in the step."""
    any_point = False
    for k in range(len(items.contacts)):
        row = items.contacts[k]
        old = integers(items.work, row[STATUS0], row[POINTS])
        new = integers(items.work, row[STATUS], row[POINTS])
        for i in range(row[POINTS]):
            if old[i] != new[i]:
                counts[SWITCHES + new[i]] += 1
                any_point = True
    if any_point:
        counts[EVENTS] += 1


@kernel(allocates=False)
def audit_step(items: Items, motion: Motion, t: float, h: float) -> bool:
    """Add the works and powers of an accepted step; contacts have advanced."""
    rows, n = motion.rows, len(motion.v)
    path, v1, powers = rows[PATH], rows[V1], motion.powers
    for k in range(len(items.moving)):
        if not _add_inertia(items, motion, k):
            return False
    for i in range(len(motion.forces)):
        work = 0.0
        for j in range(n):
            work += 0.5 * (motion.before[i, j] + motion.forces[i, j]) * path[j]
            motion.before[i, j] = motion.forces[i, j]
        motion.works[i] += work
        powers[2, i] = 0.0
        if items.loads[i] or items.driven[i]:
            motion.given[i] += work
    for row in range(len(items.table)):
        i, head = items.table[row, ITEM], part(items.work, items.table[row, RECORDS], RECORD)
        if items.dissipating[row]:
            if not ask(items, row, t, motion.q1, v1, POWERS):
                return False
            powers[2, i] += head[LOST]
            if items.supplying[i]:
                motion.given[i] += 0.5 * h * (powers[1, i] + head[SUPPLIED])
                powers[1, i] = head[SUPPLIED]
            if items.driven[i]:
                motion.given[i] += head[STORED] - powers[3, i]
                powers[3, i] = head[STORED]
        if items.timed[row]:
            shift = _shift(items, motion, row, t)
            if not isfinite(shift):
                return False
            motion.given[i] += shift
    for k in range(len(items.contacts)):
        row = items.contacts[k, 0]
        i, head = items.table[row, ITEM], part(items.work, items.table[row, RECORDS], RECORD)
        powers[2, i] = head[LOST]
        motion.lost[i] += head[BENT]
        motion.given[i] += 0.5 * h * (powers[1, i] + head[SUPPLIED])
        powers[1, i] = head[SUPPLIED]
    for i in range(len(motion.lost)):
        lost = 0.5 * h * (powers[0, i] + powers[2, i])
        motion.lost[i] += lost
        if items.driven[i]:
            motion.given[i] += lost
        powers[0, i] = powers[2, i]
    return True


@kernel(allocates=False)
def _add_inertia(items: Items, motion: Motion, k: int) -> bool:
    """Add half of (dM v) v to the force of a body: its work is that of the kinetic energy."""
    row, v1 = items.moving[k], motion.rows[V1]
    i = row[ITEM]
    n, first = row[DOFS], row[V_INDICES]
    at = row[RECORDS] + RECORD + row[SIZE] + n
    w = part(items.work, row[RECORDS], len(items.work) - row[RECORDS])
    for m in range(n):
        items.work[at + m] = v1[items.indices[first + m]]
    if call_at(row[ADDRESS], w, row[PARAMETERS], float(D_INERTIA)) != 0.0:
        return False
    for a in range(n):
        total = 0.0
        for b in range(n):
            total += items.work[at + n + n * a + b] * v1[items.indices[first + b]]
        motion.forces[i, items.indices[first + a]] += 0.5 * total
    return True


@kernel(allocates=False)
def _shift(items: Items, motion: Motion, i: int, t: float) -> float:
    """Change of a potential by time alone over a step, at the mean of both ends."""
    before, now = motion.numbers[T], t
    head, total = part(items.work, items.table[i, RECORDS], RECORD), 0.0
    for end in range(2):
        q, v = (motion.q1, motion.rows[V1]) if end == 0 else (motion.q, motion.v)
        if not ask(items, i, now, q, v, POWERS):
            return np.inf
        late = head[STORED]
        if not ask(items, i, before, q, v, POWERS):
            return np.inf
        total += 0.5 * (late - head[STORED])
    return total


@kernel(allocates=False)
def _accept(items: Items, motion: Motion, t: float, h: float, kinked: bool) -> bool:
    """End of the step becomes the start of the next one."""
    x, rows, n = motion.numbers, motion.rows, len(motion.v)
    v1, square = rows[V1], x[BETA] * h * h
    _switched(items, motion.counts)
    copy_row(motion.q, motion.q0)
    copy_row(motion.v, rows[V0])
    x[START] = x[T]
    for k in range(len(items.contacts)):
        row = items.contacts[k]
        for i in range(row[LENGTH]):
            items.kept[row[KEPT_HISTORY] + i] = items.work[row[HISTORY] + i]
        if not ask(items, row[0], t, motion.q1, v1, ADVANCE):
            return False
    if not audit_step(items, motion, t, h):
        return False
    for i in range(n):
        motion.change[i] = rows[RATE1, i] - motion.rate[i]
        motion.rate[i] = rows[RATE1, i]
        motion.a[i] = rows[Y, i] / square
        motion.v[i] = v1[i]
        motion.scale_v[i] = max(motion.scale_v[i], abs(v1[i]))
    copy_row(motion.q1, motion.q)
    for k in range(len(items.plain)):
        i = items.plain[k, 0]
        if not motion.angles[i]:
            motion.scale_q[i] = max(motion.scale_q[i], abs(motion.q[items.plain[k, 1]]))
    x[T], x[LAST_H], x[KINKED] = t, h, 1.0 if kinked else 0.0
    x[LONGEST] = max(x[LONGEST], h)
    motion.counts[STEPS] += 1
    return True


@kernel(allocates=False)
def march(items: Items, motion: Motion, goal: float, budget: int, limit: int) -> int:
    """Do steps up to the goal, at most `limit` of them; returns why it ends."""
    x, counts = motion.numbers, motion.counts
    for _ in range(limit):
        if x[T] >= goal:
            return ARRIVED
        if counts[STEPS] + counts[REJECTED] >= budget:
            return BUDGET
        left = goal - x[T]
        parts = max(1, ceil(left / x[H] * (1.0 - 1e-9)))
        even = parts <= 2 or x[FIXED] > 0.0
        t = goal if parts == 1 else x[T] + (left / parts if even else x[H])
        h = t - x[T]
        set_step(items, h)
        _guess(motion, h)
        if len(items.contacts) > 0:
            solved = _solve_contacts(items, motion, t, h)
        else:
            solved = _solve_smooth(items, motion, t, h)
        if not solved:
            return UNUSUAL
        kinked = _changed(items)
        if kinked and x[STICKS] > 0.0 and x[FIXED] == 0.0:
            return UNUSUAL
        if not _accurate(items, motion, h, kinked):
            continue
        if not _accept(items, motion, t, h, kinked):
            return BROKEN
    return ARRIVED if x[T] >= goal else PAUSED
