"""Equations of a compiled step of the generalised-alpha method, and their tangent.

They are those of `implicit.alpha`; welded bodies follow their carriers (`implicit.welded`).
"""

from __future__ import annotations

from math import isfinite

from fecontact.integrate.implicit.welded import (
    WeldedSteps,
    add_weld_slopes,
    lead_welds,
    leave_to_carriers,
)
from fecontact.integrate.loop.motion import (
    A0,
    ACTING,
    ALPHA_F,
    ALPHA_M,
    BETA,
    EVALUATIONS,
    FACTORISATIONS,
    FORCES,
    GAMMA,
    KEPT,
    PATH,
    RATE1,
    SPACE,
    V1,
    Items,
    Motion,
    ask,
    weigh,
)
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import D_INERTIA, FORCE, HELD, RECORD, TANGENTS
from fecontact.kernels.sums import clear
from fecontact.solvers.dense import lu_factorise
from fecontact.system.dofs import multiply_tangent
from fecontact.system.program.kernels import (
    DOFS,
    RECORDS,
    SIZE,
    V_INDICES,
    forces,
    inertia,
    moved,
)
from fecontact.system.welds.kernels import condense
from fecontact.typing import Floats

__all__ = ["factorise", "residual"]


@kernel(shared=True, allocates=False)
def residual(
    items: Items, welds: WeldedSteps | None, motion: Motion, t: float, h: float, y: Floats,
    r: Floats,
) -> bool:  # fmt: skip
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
    if welds is not None:
        lead_welds(welds, t, h, y)
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
    if welds is not None:
        leave_to_carriers(welds, r)
    return True


@kernel(shared=True, allocates=False)
def factorise(
    items: Items, welds: WeldedSteps | None, motion: Motion, t: float, h: float, held: bool
) -> bool:
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
        _add_tangents(items, i, by_q, by_v)
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
    if welds is not None:
        add_weld_slopes(welds, t, h, by_v, J)
    if len(items.turns) > 0:
        multiply_tangent(J, rows[PATH], items.turns)
    for i in range(n):
        for j in range(n):
            J[i, j] += gain * motion.mass[i, j] - h * x[GAMMA] * by_v[i, j]
    if welds is not None:
        condense(welds, J, rows[SPACE])
    motion.counts[FACTORISATIONS] += 1
    x[KEPT] = h
    return lu_factorise(J, motion.pivots)


@kernel(fastmath=True)
def _add_tangents(items: Items, i: int, by_q: Floats, by_v: Floats) -> None:
    """Add the tangents of an item that has been asked for them."""
    n, first = items.table[i, DOFS], items.table[i, V_INDICES]
    at = items.table[i, RECORDS] + RECORD + items.table[i, SIZE] + 2 * n
    for k in range(n):
        row = items.indices[first + k]
        for m in range(n):
            column = items.indices[first + m]
            by_q[row, column] += items.work[at + n * k + m]
            by_v[row, column] += items.work[at + n * n + n * k + m]
