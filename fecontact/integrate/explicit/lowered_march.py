"""Compiled step loop of the explicit method over the program of a system, with welded bodies.

A step is that of `explicit.general`. With welded bodies (`system.welds`) it is the same in the
free velocities u, with v = J u and v' = J u' + b:

    J^T (M - h/2 D' ) J (u_n+1/2 - u_n-1/2) = h J^T (f - M b + D' (u_n-1/2 - w)),

D' = df/dv - M db/du, all at q_n and the extrapolated velocity w = u_n-1/2 + h/2 u'_n-1. Contacts
are evaluated once per step: what accepts their step gives its force.
"""

from __future__ import annotations

from math import isfinite

from fecontact.integrate.loop.audit import audit_step
from fecontact.integrate.loop.motion import (
    DY,
    EVALUATIONS,
    EVENTS,
    FORCES,
    HISTORY,
    KEPT_HISTORY,
    LAST_H,
    LENGTH,
    PATH,
    POINTS,
    SPACE,
    START,
    STATUS0,
    STEPS,
    SWITCHES,
    TRY,
    V0,
    V1,
    Items,
    Motion,
    R,
    T,
    Y,
    ask,
    set_step,
    weigh,
)
from fecontact.kernels.arrays import integers
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import ADVANCE, ONLY_BY_V, RECORD, TANGENTS
from fecontact.kernels.sums import add_one, clear, copy_row, dot_rows
from fecontact.solvers.dense import lu_factorise, lu_solve
from fecontact.system.program.kernels import DOFS, ITEM, RECORDS, SIZE, V_INDICES, moved
from fecontact.system.welds.kernels import (
    OWN_V,
    WeldTable,
    bias_slopes,
    condense,
    follow,
    weld_paths,
    welded_rates,
)
from fecontact.typing import Floats

__all__ = ["BROKEN", "GROWN", "HALF", "NEAR", "RIGHT", "march"]

BROKEN, GROWN = 1, 2
"""Why the loop ends early: an item fails, or forces are not finite."""

HALF, NEAR, RIGHT, SHIFT = Y, TRY, R, DY
"""Vectors of the working space: velocities half a step ahead, those at which forces are evaluated,
forces and then accelerations, half less near."""


@kernel
def _ask_only_by_v(items: Items, wanted: float) -> None:
    """Tell all items whether TANGENTS are for their derivatives by v alone."""
    for i in range(len(items.table)):
        items.work[items.table[i, RECORDS] + ONLY_BY_V] = wanted


@kernel
def _evaluate(items: Items, motion: Motion, t: float) -> bool:
    """Forces of all items and their derivatives by v; contacts go to the end of the step."""
    rows, n = motion.rows, len(motion.v)
    clear(motion.forces)
    clear(motion.by_v)
    for i in range(len(items.table)):
        task = TANGENTS
        for k in range(len(items.contacts)):
            if items.contacts[k, 0] == i:
                task = ADVANCE
        if not ask(items, i, t, motion.q1, rows[NEAR], task):
            return False
        if task == TANGENTS:
            _add_by_v(items, i, motion.by_v)
        m, first, own = items.table[i, DOFS], items.table[i, V_INDICES], items.table[i, ITEM]
        at = items.table[i, RECORDS] + RECORD + items.table[i, SIZE] + m
        for k in range(m):
            motion.forces[own, items.indices[first + k]] += items.work[at + k]
    for j in range(n):
        rows[FORCES, j] = 0.0
    for i in range(len(motion.forces)):
        add_one(1.0, motion.forces[i], rows[FORCES])
    motion.counts[EVALUATIONS] += 1
    return True


@kernel
def _add_by_v(items: Items, i: int, by_v: Floats) -> None:
    """Add the derivatives by v of an item that has been asked for them."""
    n, first = items.table[i, DOFS], items.table[i, V_INDICES]
    at = items.table[i, RECORDS] + RECORD + items.table[i, SIZE] + 2 * n + n * n
    for k in range(n):
        row, own = items.indices[first + k], at + n * k
        for m in range(n):
            by_v[row, items.indices[first + m]] += items.work[own + m]


@kernel
def _keep_histories(items: Items) -> None:
    for k in range(len(items.contacts)):
        row = items.contacts[k]
        for i in range(row[LENGTH]):
            items.kept[row[KEPT_HISTORY] + i] = items.work[row[HISTORY] + i]


@kernel
def _count_switches(items: Items, motion: Motion) -> None:
    """Count the points whose status differs from that at the start of the step."""
    counts, any_point = motion.counts, False
    for k in range(len(items.contacts)):
        row = items.contacts[k]
        before = integers(items.kept, row[KEPT_HISTORY] + row[STATUS0] - row[HISTORY], row[POINTS])
        now = integers(items.work, row[STATUS0], row[POINTS])
        for i in range(row[POINTS]):
            if before[i] != now[i]:
                counts[SWITCHES + now[i]] += 1
                any_point = True
    if any_point:
        counts[EVENTS] += 1


@kernel
def _add_bias(welds: WeldTable, motion: Motion, h: float) -> None:
    """Terms M b of welded bodies, and of db/du, in the matrix and the right side."""
    near, shift, right = motion.rows[NEAR], motion.rows[SHIFT], motion.rows[RIGHT]
    for k in range(len(welds.table)):
        for i in range(6):
            row, own = 6 * k + i, welds.table[k, OWN_V] + i
            bias = dot_rows(near, welds.changes[row]) + dot_rows(shift, welds.slopes[row])
            for j in range(len(near)):
                mass = motion.mass[j, own]
                if mass != 0.0:
                    right[j] -= mass * bias
                    add_one(0.5 * h * mass, welds.slopes[row], motion.tangent[j])


@kernel
def _accelerations(items: Items, welds: WeldTable, motion: Motion, h: float) -> bool:
    """Accelerations of the free dofs, in the row RIGHT."""
    rows, n, K = motion.rows, len(motion.v), motion.tangent
    half, near, shift, right = rows[HALF], rows[NEAR], rows[SHIFT], rows[RIGHT]
    for i in range(n):
        shift[i] = (half[i] - near[i]) if welds.free[i] else 0.0
    bias_slopes(welds, near, items.turns)
    for k in range(len(welds.table)):
        for i in range(6):
            own = welds.table[k, OWN_V] + i
            rows[SPACE, own] = dot_rows(shift, welds.maps[6 * k + i])
    for i in range(n):
        if welds.free[i]:
            rows[SPACE, i] = shift[i]
    for i in range(n):
        right[i] = rows[FORCES, i] + dot_rows(rows[SPACE], motion.by_v[i])
        for j in range(n):
            K[i, j] = motion.mass[i, j] - 0.5 * h * motion.by_v[i, j]
    _add_bias(welds, motion, h)
    condense(welds, K, right)
    for i in range(n):
        if not isfinite(right[i]):
            return False
    if not lu_factorise(K, motion.pivots):
        return False
    lu_solve(K, motion.pivots, right)
    return True


@kernel
def _step(items: Items, welds: WeldTable, motion: Motion, t: float, h: float) -> int:
    """One step to the time t; 0 if all is well."""
    rows, n = motion.rows, len(motion.v)
    half, near, path, v1 = rows[HALF], rows[NEAR], rows[PATH], rows[V1]
    for i in range(n):
        path[i] = h * half[i] if welds.free[i] else 0.0
        near[i] = half[i] + 0.5 * h * motion.a[i]
    moved(motion.q, path, items.plain, items.turns, motion.q1)
    follow(welds, t, motion.q1, near)
    weld_paths(welds, motion.q, motion.q1, path)
    if not weigh(items, motion, motion.q1):
        return BROKEN
    _keep_histories(items)
    copy_row(motion.q, motion.q0)
    copy_row(motion.v, rows[V0])
    if not _evaluate(items, motion, t):
        return BROKEN
    if not _accelerations(items, welds, motion, h):
        return GROWN
    a = rows[RIGHT]
    for i in range(n):
        motion.a[i] = a[i]
        half[i] += h * a[i]
        v1[i] = half[i] - 0.5 * h * a[i]
    follow(welds, t, motion.q1, v1)
    welded_rates(welds, v1, motion.a)
    if not audit_step(items, motion, t, h):
        return BROKEN
    _count_switches(items, motion)
    x = motion.numbers
    x[START], x[T], x[LAST_H] = x[T], t, h
    copy_row(motion.q1, motion.q)
    copy_row(v1, motion.v)
    motion.counts[STEPS] += 1
    return 0


@kernel
def march(items: Items, welds: WeldTable, motion: Motion, ends: Floats, h: float) -> int:
    """Do steps of length h to the times `ends`; 0 if all is well."""
    set_step(items, h)
    _ask_only_by_v(items, 1.0)
    why = 0
    for k in range(len(ends)):
        if why == 0:
            why = _step(items, welds, motion, ends[k], h)
    _ask_only_by_v(items, 0.0)
    return why
