"""Contacts with a history in continuous time, within a program: where their numbers are.

Each contact keeps internal variables, rates and derivatives in the memory of its record
(`contact.evaluate.lowered.rate`); `Contacts.table` says where, one row per contact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fecontact.contact.evaluate.lowered.rate import RATE_PARTS, rate_parts
from fecontact.contact.pair import ContactPair
from fecontact.kernels.lowered import record_size
from fecontact.system.program.kernels import DOFS, RECORDS, SIZE
from fecontact.typing import Integers

if TYPE_CHECKING:
    from fecontact.system.assembly import Assembly
    from fecontact.system.program import Program

__all__ = [
    "FIRST_POINT",
    "FIRST_Z",
    "FORCE_BY_Z",
    "LIMIT",
    "LIMIT_BY_Q",
    "LIMIT_BY_V",
    "NEW_STATUS",
    "POINTS",
    "RATE",
    "RATE_BY_Q",
    "RATE_BY_V",
    "RATE_BY_Z",
    "ROW",
    "SLIP_RATES",
    "STATES",
    "STATUS",
    "Z",
    "contact_table",
    "has_rates",
]

(Z, STATUS, RATE, SLIP_RATES, NEW_STATUS, LIMIT, LIMIT_BY_Q, LIMIT_BY_V, FORCE_BY_Z, RATE_BY_Q,
 RATE_BY_V, RATE_BY_Z) = range(12)  # fmt: skip
"""Columns: where the parts of a contact begin in the working array, as in `RATE_PARTS`."""
ROW, POINTS, STATES, FIRST_Z, FIRST_POINT = range(12, 17)
"""Columns: row of the program, numbers of points and of their internal variables, and where these
begin in the arrays of a state."""


def has_rates(assembly: Assembly) -> bool:
    """Whether all contacts with a history have a compiled form in continuous time."""
    return all(
        isinstance(item, ContactPair) and item.lowered_rate() is not None
        for item in assembly.stateful_contacts
    )


def contact_table(assembly: Assembly, program: Program) -> Integers:
    """Rows of the contacts with a history, in their order."""
    rows, layout = [], assembly.history_layout
    for name in layout.names:
        index = next(i for i, item in enumerate(program.summands) if item.name == name)
        n_q, n = (int(program.table[index, k]) for k in (SIZE, DOFS))
        points, columns = layout.shapes[name]
        first = int(program.table[index, RECORDS]) + record_size(n_q, n)
        places = first + np.cumsum([0, *rate_parts(points, columns, n)])[:-1]
        rows.append(
            [*places, index, points, columns, layout.z[name].start, layout.status[name].start]
        )
    return np.array(rows, dtype=np.int64).reshape(-1, len(RATE_PARTS) + 5)
