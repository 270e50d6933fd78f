"""Energy audit of the steps of a compiled loop, as in `integrate.audit`."""

from __future__ import annotations

from math import isfinite

import numpy as np

from fecontact.integrate.loop.motion import PATH, V1, Items, Motion, T, ask
from fecontact.kernels.arrays import part
from fecontact.kernels.calls import call_at
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import BENT, D_INERTIA, LOST, POWERS, RECORD, STORED, SUPPLIED
from fecontact.kernels.sums import copy_row, dot_both
from fecontact.system.program.kernels import (
    ADDRESS,
    DOFS,
    ITEM,
    PARAMETERS,
    RECORDS,
    SIZE,
    V_INDICES,
)

__all__ = ["audit_step"]


@kernel(allocates=False)
def audit_step(items: Items, motion: Motion, t: float, h: float) -> bool:
    """Add the works and powers of an accepted step; contacts have advanced."""
    rows = motion.rows
    path, v1, powers = rows[PATH], rows[V1], motion.powers
    for k in range(len(items.moving)):
        if not _add_inertia(items, motion, k):
            return False
    for i in range(len(motion.forces)):
        old, new = dot_both(path, motion.before[i], motion.forces[i])
        copy_row(motion.forces[i], motion.before[i])
        work = 0.5 * (old + new)
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
        if items.time_dependent[row]:
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
