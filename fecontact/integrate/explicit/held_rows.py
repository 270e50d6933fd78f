"""Compiled constraints of explicit steps; the equations are those of `explicit.held`.

Rows of welded bodies go over to the dofs of their carriers, A <- A_free + A_welded J, with the bias
A_welded N u (`system.welds`).
"""

from __future__ import annotations

import numpy as np

from fecontact.integrate.explicit.held import CLOSED, LOOSE, MAX_ITERATIONS
from fecontact.integrate.loop.motion import PATH, SPACE, Items, Motion, weigh
from fecontact.kernels.arrays import matrix
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import FORCE, TANGENTS
from fecontact.kernels.sums import add_one, copy_row, dot_rows
from fecontact.solvers.dense import lu_factorise, lu_solve
from fecontact.system.constraints.decomposition import (
    ALL,
    POSITION,
    DecomposedRows,
    decompose,
    decomposed_arrays,
    independent,
)
from fecontact.system.program.constraint_rows import RowTable, rows_at
from fecontact.system.program.kernels import moved
from fecontact.system.welds.kernels import OWN_V, WeldTable, condense, follow
from fecontact.typing import Floats, Integers

__all__ = ["GIVEN", "POWER", "WORK", "HeldSteps", "add_pull", "arrive", "begin_rows", "close_path",
           "correct_velocities", "count_pull", "held_steps", "hold_mass"]  # fmt: skip

WORK, GIVEN, POWER = range(3)
"""Numbers of `sums`: work of the constraints so far and what they supplied, and the power that they
supply at the end of the last step."""


class HeldSteps(DecomposedRows):
    """Rows of a system, decomposed where the last step has ended, and working space.

    Attributes
    ----------
    bias, found, wanted : (m,)
        Part of c'' that is not A v'; parts of the chosen rows.
    solved : (m, n)
        Accelerations by the lifted rows.
    schur, pivots : (m m,), (m,)
        Their products with the lifted rows, as far as there are chosen ones.
    held_mass : (n, n)
        Mass matrix of the free dofs.
    pull, before : (n,)
        Forces of the constraints on the free dofs, and those of the step before.
    sums : (3,)
        See above.
    """

    bias: Floats
    found: Floats
    wanted: Floats
    solved: Floats
    schur: Floats
    pivots: Integers
    held_mass: Floats
    pull: Floats
    before: Floats
    sums: Floats


def held_steps(rows: RowTable, m: int, n: int) -> HeldSteps:
    """Working space of the steps of a system with m rows and n dofs."""
    table = {name: getattr(rows, name) for name in RowTable.__annotations__}
    vectors = {name: np.zeros(m) for name in ("bias", "found", "wanted")}
    return HeldSteps(
        **table, **decomposed_arrays(m, n), **vectors, solved=np.zeros((m, n)),
        schur=np.zeros(m * m), pivots=np.zeros(m, dtype=np.int64), held_mass=np.zeros((n, n)),
        pull=np.zeros(n), before=np.zeros(n), sums=np.zeros(3),
    )  # fmt: skip


@kernel
def close_path(
    items: Items, welds: WeldTable, held: HeldSteps, motion: Motion, half: Floats, near: Floats,
    t: float, h: float,
) -> bool:  # fmt: skip
    """Correct the velocities of a step such that it ends on the position rows; False: it cannot.

    The path and the coordinates there are written, and the velocities near them.
    """
    path, left, scale = motion.rows[PATH], np.inf, 1.0
    for i in range(len(motion.q)):
        scale = max(scale, 1.0 + abs(motion.q[i]))
    for _ in range(MAX_ITERATIONS):
        for i in range(len(path)):
            path[i] = h * half[i] if welds.free[i] else 0.0
        moved(motion.q, path, items.plain, items.turns, motion.q1)
        follow(welds, t, motion.q1, near)
        if held.rank[POSITION] == 0:
            return True
        if not rows_at(held, t, motion.q1, near, FORCE, False):
            return False
        before, left = left, 0.0
        for k in range(len(held.value)):
            left = max(left, abs(held.value[k]))
        if left <= CLOSED * scale or (left <= LOOSE * scale and left > 0.5 * before):
            return True
        independent(held, held.value, held.rank[POSITION], held.found)
        for s in range(held.rank[POSITION]):
            add_one(-held.found[s] / h, held.directions[s], half)
            add_one(-held.found[s] / h, held.directions[s], near)
    return False


@kernel
def hold_mass(welds: WeldTable, held: HeldSteps, motion: Motion) -> None:
    """Mass matrix of the free dofs; `follow` has been called."""
    for i in range(len(motion.mass)):
        copy_row(motion.mass[i], held.held_mass[i])
    condense(welds, held.held_mass, motion.rows[SPACE])


@kernel
def _lead_rows(welds: WeldTable, held: HeldSteps, near: Floats) -> None:
    """Rows over the free dofs, with their bias."""
    for k in range(len(held.bias)):
        held.bias[k] = held.shift[k] + dot_rows(near, held.slopes[k])
        A = held.jacobian[k]
        for w in range(len(welds.table)):
            for i in range(6):
                own = welds.table[w, OWN_V] + i
                factor = A[own]
                if factor != 0.0:
                    A[own] = 0.0
                    add_one(factor, welds.maps[6 * w + i], A)
                    held.bias[k] += factor * dot_rows(near, welds.changes[6 * w + i])


@kernel
def arrive(welds: WeldTable, held: HeldSteps, motion: Motion, near: Floats, t: float) -> bool:
    """Rows at the coordinates that a step has reached, and their decomposition."""
    if not rows_at(held, t, motion.q1, near, TANGENTS, False):
        return False
    _lead_rows(welds, held, near)
    hold_mass(welds, held, motion)
    return decompose(held, held.held_mass)


@kernel
def begin_rows(
    items: Items, welds: WeldTable, held: HeldSteps, motion: Motion, near: Floats, t: float
) -> bool:
    """Rows where the motion is, as at the end of a step."""
    copy_row(motion.q, motion.q1)
    copy_row(motion.v, near)
    follow(welds, t, motion.q1, near)
    return weigh(items, motion, motion.q1) and arrive(welds, held, motion, near, t)


@kernel
def add_pull(held: HeldSteps, motion: Motion, a: Floats) -> bool:
    """Add what the constraints do to accelerations that are solved without them.

    The factors of the equation are those in the tangent of the motion.
    """
    r = held.rank[ALL]
    schur = matrix(held.schur, 0, r, r)
    for k in range(len(held.bias)):
        held.bias[k] = -held.bias[k]
    independent(held, held.bias, r, held.wanted)
    for s in range(r):
        copy_row(held.lifted[s], held.solved[s])
        lu_solve(motion.tangent, motion.pivots, held.solved[s])
    for s in range(r):
        held.wanted[s] -= dot_rows(held.lifted[s], a)
        for i in range(r):
            schur[s, i] = dot_rows(held.lifted[s], held.solved[i])
    for i in range(len(a)):
        held.pull[i] = 0.0
    if r == 0:
        return True
    if not lu_factorise(schur, held.pivots):
        return False
    lu_solve(schur, held.pivots, held.wanted[:r])
    for s in range(r):
        add_one(held.wanted[s], held.solved[s], a)
        add_one(held.wanted[s], held.lifted[s], held.pull)
    return True


@kernel
def correct_velocities(held: HeldSteps, near: Floats, v: Floats, half: Floats) -> None:
    """Bring velocities at the end of a step onto the rows.

    Rows of velocity level correct the velocities half a step on too. Welded bodies have to follow
    again.
    """
    r, n = held.rank[ALL], len(v)
    for k in range(len(held.rate)):
        A, total = held.jacobian[k], held.rate[k]
        for j in range(n):
            total += A[j] * (v[j] - near[j])
        held.rate[k] = total
    independent(held, held.rate, r, held.found)
    for s in range(r):
        add_one(-held.found[s], held.directions[s], v)
    if held.rank[POSITION] == r:
        return
    for k in range(len(held.rate)):
        if held.bound[k]:
            held.rate[k] = 0.0
    independent(held, held.rate, r, held.found)
    for s in range(r):
        add_one(-held.found[s], held.directions[s], half)


@kernel
def count_pull(held: HeldSteps, path: Floats, v: Floats, h: float) -> None:
    """Add the work of the constraints over a step, and what they have supplied."""
    work = power = 0.0
    for i in range(len(v)):
        work += 0.5 * (held.before[i] + held.pull[i]) * path[i]
        power += held.pull[i] * v[i]
        held.before[i] = held.pull[i]
    held.sums[WORK] += work
    held.sums[GIVEN] += 0.5 * h * (held.sums[POWER] + power)
    held.sums[POWER] = power
