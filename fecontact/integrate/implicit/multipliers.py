"""Constraints in the compiled implicit steps: multipliers and corrections as further unknowns.

The equations are those of `implicit.alpha`. Independent rows are those of the decomposition at the
start of the step (`system.constraints.decomposition`): with A_s = C E A of the chosen ones, the
unknowns are y = (beta h^2 a_n+1, beta h^2 mu, eta), lam = C^-T mu of the chosen rows and zero of
others, and B = (E_p L^-1)^T are the directions of the rows of position level. As every basis of the
rows gives the same Newton iterates, they are those of the general loop. The multipliers of an
output are the smallest ones, as there.
"""

from __future__ import annotations

from math import isfinite, sqrt

import numpy as np

from fecontact.integrate.loop.motion import (
    ACTING,
    BETA,
    DY,
    GAMMA,
    PATH,
    ROWS,
    V1,
    Items,
    Motion,
    T,
    Y,
    weigh,
)
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
from fecontact.system.constraints.one_sided import ZERO_CROSSING
from fecontact.system.dofs import multiply_tangent
from fecontact.system.program.constraint_rows import RowTable, rows_at
from fecontact.typing import Floats, Integers

__all__ = ["BoundSteps", "accept_rows", "add_rows", "begin_rows", "border_tangent", "bound_steps",
           "change_of", "correct_path", "factorise_bordered", "guess_multipliers", "is_doubtful",
           "row_imbalance", "solve_bordered", "unknowns_of"]  # fmt: skip

WORK, GIVEN, POWER = range(3)
"""Numbers of `sums`: work of the constraints so far and what they supplied, and the power that they
supply at the end of the last step."""
CONFLICT = 1e-6
"""Gap of a redundant row that the general loop is to judge."""
NEGLIGIBLE = 1e-7
"""Fraction of the acting forces up to which a pull does not matter; the general loop is to judge
others that are noticeable, see `system.constraints.one_sided`."""
OTHER_ASSEMBLY = 0.5
"""Rotation in rad by which the constraints may correct a step, as in `implicit.method`."""


class BoundSteps(DecomposedRows):
    """Rows of a system with m rows and n dofs, decomposed at the start of a step.

    Values, Jacobian and multipliers are those of the last trial.

    Attributes
    ----------
    unknowns : (k, n + 2 m)
        Rows Y, DY, ... of the working space, with the multipliers and the corrections.
    tangent, pivots : ((n + 2 m)^2,), (n + 2 m,)
        Factors of the kept tangent.
    kept : (1,)
        Its size.
    combined, turned, bent : (m, n)
        E A, its product with the tangent of the step, and E times the slopes.
    found : (m,)
        What values of rows are along the chosen ones.
    correction, change : (n,)
        Part of the path that leads back onto the rows; change of the path by a correction.
    pull, before : (n,)
        Forces of the constraints, and those at the start of the step.
    carried : (m,)
        Multipliers at the end of the last accepted step.
    sided, largest : (m,)
        1 for rows that press and cannot pull; largest multipliers so far.
    sums : (3,)
        See above.
    """

    unknowns: Floats
    tangent: Floats
    pivots: Integers
    kept: Integers
    combined: Floats
    turned: Floats
    bent: Floats
    found: Floats
    correction: Floats
    change: Floats
    pull: Floats
    before: Floats
    carried: Floats
    sided: Integers
    largest: Floats
    sums: Floats


def bound_steps(rows: RowTable, sided: Integers, n: int) -> BoundSteps:
    """Working space of the steps of a system with m rows, some one-sided, and n dofs."""
    m = len(sided)
    table = {name: getattr(rows, name) for name in RowTable.__annotations__}
    largest = n + 2 * m
    vectors = {name: np.zeros(n) for name in ("correction", "change", "pull", "before")}
    matrices = {name: np.zeros((m, n)) for name in ("combined", "turned", "bent")}
    return BoundSteps(
        **table, **decomposed_arrays(m, n), **vectors, **matrices,
        unknowns=np.zeros((ROWS, largest)), tangent=np.zeros(largest * largest),
        pivots=np.zeros(largest, dtype=np.int64), kept=np.zeros(1, dtype=np.int64),
        found=np.zeros(m), carried=np.zeros(m), sums=np.zeros(3), sided=sided, largest=np.zeros(m),
    )  # fmt: skip


@kernel(allocates=False)
def unknowns_of(bound: BoundSteps, n: int) -> int:
    """Number of unknowns of a step."""
    return n + bound.rank[ALL] + bound.rank[POSITION]


@kernel(allocates=False)
def begin_rows(items: Items, bound: BoundSteps, motion: Motion) -> bool:
    """Rows where the motion is, at the start of a step."""
    t = motion.numbers[T]
    if not rows_at(bound, t, motion.q, motion.v, FORCE, False):
        return False
    return weigh(items, motion, motion.q) and decompose(bound, motion.mass)


@kernel(allocates=False)
def guess_multipliers(bound: BoundSteps, motion: Motion, h: float) -> None:
    """Unknowns of a step: those of the dofs, the last forces of the constraints, no correction."""
    n, r = len(motion.v), bound.rank[ALL]
    y, square = bound.unknowns[Y], motion.numbers[BETA] * h * h
    for i in range(n, len(y)):
        y[i] = 0.0
    for i in range(n):
        y[i] = motion.rows[Y, i]
    for s in range(r):
        y[n + s] = square * dot_rows(bound.before, bound.directions[s])


@kernel(allocates=False)
def correct_path(bound: BoundSteps, y: Floats, path: Floats) -> None:
    """Add the correction -B eta to the path."""
    n, r = len(bound.correction), bound.rank[ALL]
    for i in range(n):
        bound.correction[i] = 0.0
    for s in range(bound.rank[POSITION]):
        add_one(-y[n + r + s], bound.directions[s], bound.correction)
    for i in range(n):
        path[i] += bound.correction[i]


@kernel(fastmath=True)
def _spread(bound: BoundSteps, y: Floats, square: float) -> None:
    """Multipliers lam (m,) of the rows, from those of their combinations."""
    n, r, x = len(bound.correction), bound.rank[ALL], bound.found
    for k in range(len(bound.lam)):
        bound.lam[k] = 0.0
    for s in range(r):
        x[s] = y[n + s] / square
    for s in range(r - 1, -1, -1):
        k = bound.chosen[s]
        x[s] /= bound.parts[k, s]
        bound.lam[k] = x[s]
        for i in range(s):
            x[i] -= bound.parts[k, i] * x[s]


@kernel(allocates=False)
def add_rows(
    bound: BoundSteps, motion: Motion, t: float, h: float, y: Floats, residual: Floats
) -> bool:
    """Forces of the constraints, and what is left of their rows, in the residual of a step."""
    x, n, r, p = motion.numbers, len(motion.v), bound.rank[ALL], bound.rank[POSITION]
    square, speed, acting = x[BETA] * h * h, x[BETA] * h / x[GAMMA], motion.rows[ACTING]
    _spread(bound, y, square)
    if not rows_at(bound, t, motion.q1, motion.rows[V1], FORCE, False):
        return False
    for i in range(n):
        bound.pull[i] = 0.0
    for k in range(len(bound.lam)):
        if bound.lam[k] != 0.0:
            add_one(bound.lam[k], bound.jacobian[k], bound.pull)
            for i in range(n):
                acting[i] += abs(bound.lam[k] * bound.jacobian[k, i])
    for i in range(n):
        residual[i] -= square * bound.pull[i]
    independent(bound, bound.rate, r, bound.found)
    for s in range(r):
        residual[n + s] = speed * bound.found[s]
    independent(bound, bound.value, p, bound.found)
    for s in range(p):
        residual[n + r + s] = bound.found[s]
    for i in range(n + r + p, len(residual)):
        residual[i] = 0.0
    total = 0.0
    for i in range(n + r + p):
        total += abs(residual[i])
    return isfinite(total)


@kernel(fastmath=True)
def _combine(bound: BoundSteps, rows: Floats, result: Floats) -> None:
    """E X of rows X (m, n)."""
    for s in range(bound.rank[ALL]):
        k = bound.chosen[s]
        copy_row(rows[k], result[s])
        for i in range(s):
            part = bound.parts[k, i]
            if part != 0.0:
                add_one(-part, result[i], result[s])
        inverse = 1.0 / bound.parts[k, s]
        for j in range(rows.shape[1]):
            result[s, j] *= inverse


@kernel(allocates=False)
def border_tangent(
    items: Items, bound: BoundSteps, motion: Motion, t: float, h: float, by_path: Floats
) -> bool:
    """Write all of the tangent but its part (n, n) of the dofs.

    `by_path` are the derivatives (n, n) of the forces along the path, times beta h^2, without those
    of the constraints: these are added.
    """
    x, n, r, p = motion.numbers, len(motion.v), bound.rank[ALL], bound.rank[POSITION]
    size, speed, square = n + r + p, x[BETA] * h / x[GAMMA], x[BETA] * h * h
    K = matrix(bound.tangent, 0, size, size)
    if not rows_at(bound, t, motion.q1, motion.rows[V1], TANGENTS, True):
        return False
    for i in range(n):
        for j in range(n):
            by_path[i, j] -= square * bound.turning[i, j]
    _combine(bound, bound.jacobian, bound.combined)
    _combine(bound, bound.slopes, bound.bent)
    for s in range(r):
        for j in range(n):
            bound.bent[s, j] *= speed
        copy_row(bound.combined[s], bound.turned[s])
    if len(items.turns) > 0:
        multiply_tangent(by_path, motion.rows[PATH], items.turns)
        multiply_tangent(bound.bent, motion.rows[PATH], items.turns)
        multiply_tangent(bound.turned, motion.rows[PATH], items.turns)
    for s in range(r):
        for j in range(n):
            K[n + s, j] = bound.bent[s, j] + bound.combined[s, j]
            K[j, n + s] = -bound.combined[s, j]
        for k in range(r):
            K[n + k, n + s] = 0.0
        for k in range(p):
            K[n + r + k, n + s] = 0.0
    for s in range(p):
        copy_row(bound.turned[s], K[n + r + s, :n])
        way = bound.directions[s]
        for i in range(n):
            K[i, n + r + s] = -dot_rows(way, by_path[i])
        for k in range(r):
            K[n + k, n + r + s] = -dot_rows(way, bound.bent[k])
        for k in range(p):
            K[n + r + k, n + r + s] = -dot_rows(way, bound.turned[k])
    return True


@kernel(allocates=False)
def factorise_bordered(bound: BoundSteps, motion: Motion) -> bool:
    """Factorise the tangent, whose part of the dofs is that of the motion."""
    n = len(motion.v)
    size = unknowns_of(bound, n)
    K = matrix(bound.tangent, 0, size, size)
    for i in range(n):
        copy_row(motion.tangent[i], K[i, :n])
    bound.kept[0] = size
    return lu_factorise(K, bound.pivots)


@kernel(allocates=False)
def solve_bordered(bound: BoundSteps, dy: Floats) -> None:
    """Newton's correction from its right side; unknowns that there are not stay."""
    size = unknowns_of(bound, len(bound.correction))
    for i in range(size, len(dy)):
        dy[i] = 0.0
    lu_solve(matrix(bound.tangent, 0, size, size), bound.pivots, dy[:size])


@kernel(allocates=False)
def change_of(bound: BoundSteps) -> None:
    """Change of the path by the last correction of the unknowns."""
    n, r, dy = len(bound.change), bound.rank[ALL], bound.unknowns[DY]
    copy_row(dy, bound.change)
    for s in range(bound.rank[POSITION]):
        add_one(-dy[n + r + s], bound.directions[s], bound.change)


@kernel(allocates=False)
def row_imbalance(bound: BoundSteps, motion: Motion, h: float) -> float:
    """Square of what is left of the rows in the last residual, each by its length."""
    x, total = motion.numbers, 0.0
    speed = x[BETA] * h / x[GAMMA]
    for k in range(len(bound.rate)):
        if bound.lengths[k] > 0.0:
            total += (speed * bound.rate[k] / bound.lengths[k]) ** 2
            if bound.bound[k]:
                total += (bound.value[k] / bound.lengths[k]) ** 2
    return total


@kernel(allocates=False)
def is_doubtful(bound: BoundSteps, motion: Motion, h: float) -> bool:
    """Whether the general loop is to judge a step that is solved.

    Redundant rows may contradict the others, the mechanism has jumped to another assembly, or a row
    that can only press may pull.
    """
    for k in range(len(bound.rate)):
        if abs(bound.value[k]) > CONFLICT or h * abs(bound.rate[k]) > CONFLICT:
            return True
    for i in range(len(bound.correction)):
        if motion.angles[i] and abs(bound.correction[i]) > OTHER_ASSEMBLY:
            return True
    for k in range(len(bound.lam)):
        pull = -bound.lam[k] if bound.sided[k] else 0.0
        pulls = pull > ZERO_CROSSING * bound.largest[k]
        if pulls and not _is_negligible(motion, pull * bound.lengths[k]):
            return True
    return False


@kernel(allocates=False)
def _is_negligible(motion: Motion, size: float) -> bool:
    """Whether a force, in the metric of the mass, is much less than those that act."""
    total = 0.0
    for i in range(len(motion.v)):
        total += motion.rows[ACTING, i] ** 2 / motion.mass[i, i]
    return size <= NEGLIGIBLE * sqrt(total)


@kernel(allocates=False)
def accept_rows(bound: BoundSteps, motion: Motion, h: float) -> bool:
    """Count the work of the constraints over an accepted step, and go on from its end."""
    path, v1, work, power = motion.rows[PATH], motion.rows[V1], 0.0, 0.0
    for i in range(len(path)):
        work += 0.5 * (bound.before[i] + bound.pull[i]) * path[i]
        power += bound.pull[i] * v1[i]
        bound.before[i] = bound.pull[i]
    for k in range(len(bound.rate)):
        power -= bound.lam[k] * bound.rate[k]
        bound.carried[k] = bound.lam[k]
        bound.largest[k] = max(bound.largest[k], abs(bound.lam[k]))
    bound.sums[WORK] += work
    bound.sums[GIVEN] += 0.5 * h * (bound.sums[POWER] + power)
    bound.sums[POWER] = power
    return decompose(bound, motion.mass)
