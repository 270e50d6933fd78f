"""Outputs of the compiled loop: it goes from one to the next by itself and leaves a row at each.

A row has all that a point of the motion is made of, in the order of `row_parts`: so a motion with
many outputs costs little more than one with a few. Between two outputs nothing is kept: a next
step begins with a new tangent, as after a restart.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.kernels.blocks import SMALLEST
from fecontact.contact.status import STICK
from fecontact.integrate.implicit.march import ARRIVED, BLIND, BROKEN, PAUSED, march
from fecontact.integrate.implicit.multipliers import BoundSteps
from fecontact.integrate.implicit.welded import WeldedSteps
from fecontact.integrate.loop.last_step import see_last_step
from fecontact.integrate.loop.motion import (
    KEPT,
    KINKED,
    LAST_H,
    LONGEST,
    REJECTED,
    STEPS,
    H,
    Items,
    Motion,
    T,
    begin,
)
from fecontact.kernels.arrays import Bundle, integers, part
from fecontact.kernels.decorators import kernel
from fecontact.system.program.kernels import stored
from fecontact.typing import Floats, Integers

__all__ = ["AS_GIVEN", "COUNTED", "STOPPED", "Outputs", "march_on", "row_parts"]

COUNTED = (
    "steps", "rejected", "iterations", "factorisations", "unbalanced", "evaluations", "events",
    "to_open", "to_stick", "to_slip", "to_gross_slip",
)  # fmt: skip
"""Counters of the loop, in their order."""
GOING_ON, AT_OUTPUT, AS_GIVEN, STOPPED = range(4)
"""How the next step begins: as any other; after an output; where the histories of the contacts and
what their bristles carry have been written; after a stop between two outputs, with its row."""


class Outputs(Bundle):
    """Where the loop puts what it finds at output times, and where that lies in the working array.

    Attributes
    ----------
    rows : (k, length)
        A row for each output; the one behind those that are done is that of a stop between two.
    done : (3,)
        Number of outputs that are done, how the next step begins, see `GOING_ON`, and 1 if each
        step is an output.
    first : (6,)
        Stored energies at the start of the motion.
    kinds
        As in `system.program.kernels.stored`.
    history, totals, seen, before, energies
        Places of the histories of all contacts, of their slip totals, of what their reports are
        made of, of the slip totals at the start of the last step (in `Items.kept`), and of their
        stored energies.
    friction : (p, 3)
    damper : (3, p)
    pressure, grip, status
        Places of what the audit knows of all points, and of what a step begins with.
    """

    rows: Floats
    done: Integers
    first: Floats
    kinds: Integers
    history: Integers
    totals: Integers
    seen: Integers
    before: Integers
    energies: Integers
    friction: Integers
    damper: Integers
    pressure: Integers
    grip: Integers
    status: Integers


def row_parts(
    n_q: int, n: int, items: int, points: int, columns: int, seen: int
) -> dict[str, slice]:
    """Parts of a row by name.

    From "numbers" to "points" it is what a restart needs (`AlphaRun.point`).
    """
    sizes = {
        "counts": len(COUNTED), "t": 1, "q": n_q, "v": n, "rate": n,
        "numbers": 4, "change": n, "a": n, "scale_q": n, "scale_v": n,
        "first": 6, "works": items + 1, "lost": items, "given": items + 1,
        "forces": (items + 1) * n, "lost_now": items, "bent_now": items, "given_now": items + 1,
        "points": 5 * points,
        "stored": 6, "z": columns, "status": points, "slip_totals": 2 * points,
        "seen": seen, "before": 2 * points,
    }  # fmt: skip
    ends = np.cumsum([0, *sizes.values()]).tolist()
    return {name: slice(*pair) for name, *pair in zip(sizes, ends[:-1], ends[1:], strict=True)}


@kernel(allocates=False)
def march_on(
    items: Items, welds: WeldedSteps | None, bound: BoundSteps | None, motion: Motion,
    outputs: Outputs, goals: Floats, budget: int, limit: int,
) -> int:  # fmt: skip
    """Steps up to one output time after the other, at most `limit`; returns why it ends.

    If each step is an output, the goals are one and the same, as often as there are rows.
    """
    counts, done = motion.counts, outputs.done
    last, moved, each = counts[STEPS] + counts[REJECTED] + limit, done[1] == GOING_ON, done[2] > 0
    while True:
        if done[1] != GOING_ON and not _begun(items, motion, outputs):
            return BLIND
        before = counts[STEPS]
        left = max(0, last - before - counts[REJECTED])
        tries = min(left, 1) if each else left
        why = march(items, welds, bound, motion, goals[done[0]], budget, tries)
        stepped = counts[STEPS] > before
        if each and why == PAUSED and not stepped and left > 1:
            continue
        if why == BROKEN or (why == PAUSED and not (each and stepped)):
            return why
        arrived = why in (ARRIVED, PAUSED)
        if moved or stepped:
            if not _kept(items, motion, outputs, outputs.rows[done[0]]):
                return BLIND
            done[1] = AT_OUTPUT if arrived else STOPPED
        if not arrived:
            return why
        done[0], moved = done[0] + 1, False
        if done[0] == len(goals) or (each and why == ARRIVED):
            return why


@kernel(allocates=False)
def _begun(items: Items, motion: Motion, outputs: Outputs) -> bool:
    """Begin anew, with a new tangent; False if a contact cannot be evaluated."""
    motion.numbers[KEPT] = 0.0
    if outputs.done[1] == AT_OUTPUT:
        _write_grip(items.work, outputs)
    outputs.done[1] = GOING_ON
    return begin(items, motion)


@kernel(allocates=False)
def _kept(items: Items, motion: Motion, outputs: Outputs, row: Floats) -> bool:
    """Write a row at the end of the last step; False if a contact cannot be evaluated."""
    x, work, n, count = motion.numbers, items.work, len(motion.v), len(motion.works)
    if not see_last_step(items, motion):
        return False
    for k in range(len(motion.counts)):
        row[k] = float(motion.counts[k])
    at = len(motion.counts)
    row[at] = x[T]
    at = _put(row, at + 1, motion.q)
    at = _put(row, at, motion.v)
    at = _put(row, at, motion.rate)
    row[at], row[at + 1], row[at + 2], row[at + 3] = x[LONGEST], x[H], x[LAST_H], x[KINKED]
    at = _put(row, at + 4, motion.change)
    at = _put(row, at, motion.a)
    at = _put(row, at, motion.scale_q)
    at = _put(row, at, motion.scale_v)
    at = _put(row, at, outputs.first)
    at = _put_with_none(row, at, motion.works)
    at = _put(row, at, motion.lost)
    at = _put_with_none(row, at, motion.given)
    for i in range(count):
        at = _put(row, at, motion.before[i])
    for _ in range(n):  # of constraints; whoever reads the row knows them
        row[at] = 0.0
        at += 1
    at = _put(row, at, motion.powers[0])
    for _ in range(count):
        row[at] = 0.0
        at += 1
    at = _put_with_none(row, at, motion.powers[1])
    at = _put_points(row, at, work, outputs)
    if not _put_stored(row, at, items, motion, outputs):
        return False
    at = _gather(row, at + 6, work, outputs.history)
    at = _gather(row, at, work, outputs.seen)
    _gather(row, at, items.kept, outputs.before)
    return True


@kernel(allocates=False)
def _put(row: Floats, at: int, values: Floats) -> int:
    for k in range(len(values)):
        row[at + k] = values[k]
    return at + len(values)


@kernel(allocates=False)
def _put_with_none(row: Floats, at: int, values: Floats) -> int:
    """Values of the items, and nothing for the constraints."""
    end = _put(row, at, values)
    row[end] = 0.0
    return end + 1


@kernel(allocates=False)
def _gather(row: Floats, at: int, work: Floats, places: Integers) -> int:
    for k in range(len(places)):
        row[at + k] = work[places[k]]
    return at + len(places)


@kernel(allocates=False)
def _put_points(row: Floats, at: int, work: Floats, outputs: Outputs) -> int:
    """Size of friction, force of the dampers and pressure (5, p)."""
    p = len(outputs.pressure)
    for i in range(p):
        square = 0.0
        for k in range(3):
            square += work[outputs.friction[i, k]] ** 2
            row[at + (1 + k) * p + i] = work[outputs.damper[k, i]]
        row[at + i] = np.sqrt(square)
        row[at + 4 * p + i] = work[outputs.pressure[i]]
    return at + 5 * p


@kernel(allocates=False)
def _put_stored(row: Floats, at: int, items: Items, motion: Motion, outputs: Outputs) -> bool:
    """Energies in the order of `audit.stored_energies`."""
    v, moving, contact, slip = motion.v, 0.0, 0.0, 0.0
    for i in range(len(v)):
        for j in range(len(v)):
            moving += 0.5 * v[i] * motion.mass[i, j] * v[j]
    for k in range(len(outputs.energies)):
        contact += items.work[outputs.energies[k]]
    for k in range(0, len(outputs.totals), 2):
        slip += items.work[outputs.totals[k]]
    row[at], row[at + 1], row[at + 2] = moving, 0.0, 0.0
    row[at + 3], row[at + 4], row[at + 5] = contact, slip, moving
    args = items.table, items.indices, items.work, motion.numbers[T], motion.q, v
    return stored(*args, outputs.kinds, part(row, at + 1, 2)) == 0


@kernel(allocates=False)
def _write_grip(work: Floats, outputs: Outputs) -> None:
    """Friction and forces of the dampers in space, at the start of a step."""
    for i in range(len(outputs.pressure)):
        square = 0.0
        for k in range(3):
            square += work[outputs.friction[i, k]] ** 2
            work[outputs.grip[4 * i + 1 + k]] = work[outputs.damper[k, i]]
        size = np.sqrt(square)
        stuck = integers(work, outputs.status[i], 1)[0] == STICK
        work[outputs.grip[4 * i]] = -max(size, SMALLEST) if stuck else size
