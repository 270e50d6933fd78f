"""The last step of the compiled loop once more, to see what the contact points did in it.

The loop itself keeps only what the next step needs. At an output its last step is done again from
the history at its start, with the task SHOW of the contacts (`contact.evaluate.lowered.step`).
"""

from __future__ import annotations

from fecontact.integrate.loop.motion import (
    HISTORY,
    KEPT_HISTORY,
    LAST_H,
    LENGTH,
    START,
    V0,
    Items,
    Motion,
    T,
)
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import BEGIN, SHOW, STEP
from fecontact.system.program.kernels import RECORDS, call_item

__all__ = ["see_last_step"]


@kernel(allocates=False)
def see_last_step(items: Items, motion: Motion) -> bool:
    """Let all contacts show the end of the last step; their histories stay as they are.

    A next step must `begin` anew, with grips in space. Returns False if a contact cannot be
    evaluated.
    """
    x, good = motion.numbers, True
    table, indices, work = items.table, items.indices, items.work
    for k in range(len(items.contacts)):
        row = items.contacts[k]
        _exchange(items, k)
        work[table[row[0], RECORDS] + STEP] = x[LAST_H]
        begun = call_item(table, row[0], indices, work, x[START], motion.q0, motion.rows[V0], BEGIN)
        shown = call_item(table, row[0], indices, work, x[T], motion.q, motion.v, SHOW)
        good = good and begun == 0.0 and shown == 0.0
        _exchange(items, k)
    return good


@kernel(allocates=False)
def _exchange(items: Items, k: int) -> None:
    """Exchange the history of a contact with that at the start of the last step."""
    row = items.contacts[k]
    for i in range(row[LENGTH]):
        own, kept = row[HISTORY] + i, row[KEPT_HISTORY] + i
        items.work[own], items.kept[kept] = items.kept[kept], items.work[own]
