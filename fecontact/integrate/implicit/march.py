"""Compiled step loop of the generalised-alpha method, without constraints but welds.

A step solves its equations (`implicit.equations`) by Newton's method (`implicit.newton`), is taken
or rejected by its error (`implicit.step_size`), and then audited (`loop.audit`). Welded bodies
follow their carriers (`implicit.welded`); a system without welds gives None for them, and has no
code for them. A step that is not ordinary (no convergence, forces
that stay out of balance, a drop from static friction under error control) is left to the general
loop: this one returns `UNUSUAL`.
"""

from __future__ import annotations

from math import ceil

from fecontact.integrate.implicit.newton import solve_contacts, solve_smooth, status_changes
from fecontact.integrate.implicit.step_size import accurate
from fecontact.integrate.implicit.welded import WeldedSteps, keep_weld_load
from fecontact.integrate.loop.audit import audit_step
from fecontact.integrate.loop.motion import (
    A0,
    ALPHA_F,
    ALPHA_M,
    BETA,
    EVENTS,
    FIXED,
    HISTORY,
    KEPT_HISTORY,
    KINKED,
    LAST_H,
    LENGTH,
    LONGEST,
    POINTS,
    RATE1,
    REJECTED,
    START,
    STATUS,
    STATUS0,
    STEPS,
    STICKS,
    SWITCHES,
    V0,
    V1,
    H,
    Items,
    Motion,
    T,
    Y,
    ask,
    set_step,
)
from fecontact.kernels.arrays import integers
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import ADVANCE
from fecontact.kernels.sums import copy_row
from fecontact.typing import Integers

__all__ = ["ARRIVED", "BLIND", "BROKEN", "BUDGET", "PAUSED", "UNUSUAL", "march"]

ARRIVED, PAUSED, BUDGET, UNUSUAL, BROKEN, BLIND = range(6)
"""Why the loop ends: at the goal, for a look at signals, without steps left, at a step that the
general method must do; at an item that fails where it has been evaluated before, or at a contact
that cannot be seen at an output."""


@kernel(allocates=False)
def march(
    items: Items, welds: WeldedSteps | None, motion: Motion, goal: float, budget: int, limit: int
) -> int:
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
            solved = solve_contacts(items, welds, motion, t, h)
        else:
            solved = solve_smooth(items, welds, motion, t, h)
        if not solved:
            return UNUSUAL
        kinked = status_changes(items)
        if kinked and x[STICKS] > 0.0 and x[FIXED] == 0.0:
            return UNUSUAL
        if not accurate(items, welds, motion, h, kinked):
            continue
        if not _accept(items, motion, t, h, kinked):
            return BROKEN
        if welds is not None:
            keep_weld_load(welds, h)
    return ARRIVED if x[T] >= goal else PAUSED


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
