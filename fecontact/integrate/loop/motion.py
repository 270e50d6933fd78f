"""State of the compiled step loops over the program of a system, and the questions to its items.

The loops are those of `implicit.march` and `explicit.lowered_march`; `integrate.stepped` makes the
records.
"""

from __future__ import annotations

from fecontact.kernels.arrays import Bundle
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import BEGIN, MASS, STEP
from fecontact.system.program.kernels import DOFS, RECORDS, V_INDICES, call_item, inertia
from fecontact.typing import Floats, Integers

__all__ = ["Items", "Motion", "ask", "begin", "set_step", "weigh"]

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
