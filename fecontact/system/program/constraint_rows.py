"""Constraint rows of a system in one compiled evaluation.

Each constraint is a compiled function of its own (`joint.lowered.rows`); `rows_at` calls all of
them and gathers their rows over the dofs of the system.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fecontact.joint.lowered.rows import lowered_constraint
from fecontact.kernels.arrays import Bundle
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import ONLY_BY_V, RECORD, TANGENTS, Lowered, record_size
from fecontact.kernels.sums import clear
from fecontact.system.program.kernels import (
    COLUMNS,
    DOFS,
    RECORDS,
    SIZE,
    V_INDICES,
    call_item,
)
from fecontact.typing import Constraint, Floats, Integers

if TYPE_CHECKING:
    from fecontact.system.assembly import Assembly

__all__ = ["RowTable", "not_lowered", "row_table", "rows_at"]

FIRST, COUNT, OWN = range(3)
"""Columns of `RowTable.places`: first row, how many, and where the constraint keeps them."""


class RowTable(Bundle):
    """The m rows of a system with n dofs.

    Attributes
    ----------
    table, indices, work
        As in `system.program.kernels`, one row of the table per constraint.
    places : (c, 3)
        Columns as above.
    bound : (m,)
        1 for rows of position level.
    value, rate, shift : (m,)
        c, c' and the part of c'' that comes from laws of time.
    jacobian, slopes : (m, n)
        A and the derivative of c' along an increment of the dofs.
    lam : (m,)
        Multipliers; given.
    turning : (n, n)
        Derivative of A^T lam along an increment of the dofs.
    """

    table: Integers
    indices: Integers
    work: Floats
    places: Integers
    bound: Integers
    value: Floats
    rate: Floats
    shift: Floats
    jacobian: Floats
    slopes: Floats
    lam: Floats
    turning: Floats


@kernel(shared=True, allocates=False)
def rows_at(rows: RowTable, t: float, q: Floats, v: Floats, task: int, turning: bool) -> bool:
    """Write the rows at a state; False if one cannot be evaluated.

    With the task TANGENTS also their slopes, and with `turning` that of A^T lam.
    """
    table, work = rows.table, rows.work
    clear(rows.jacobian)
    if task == TANGENTS:
        clear(rows.slopes)
    if turning:
        clear(rows.turning)
    for k in range(len(table)):
        first, count, own = rows.places[k, FIRST], rows.places[k, COUNT], rows.places[k, OWN]
        work[table[k, RECORDS] + ONLY_BY_V] = 0.0 if turning else 1.0
        for i in range(count):
            work[own + i] = rows.lam[first + i]
        if call_item(table, k, rows.indices, work, t, q, v, task) != 0.0:
            return False
        _gather(rows, k, task, turning)
    return True


@kernel(fastmath=True)
def _gather(rows: RowTable, k: int, task: int, turning: bool) -> None:
    """Take over the rows of one constraint."""
    table, work, indices = rows.table, rows.work, rows.indices
    first, m, own = rows.places[k, FIRST], rows.places[k, COUNT], rows.places[k, OWN]
    n, dofs = table[k, DOFS], table[k, V_INDICES]
    A, D = own + 4 * m, own + 4 * m + m * n
    for i in range(m):
        rows.value[first + i] = work[own + m + i]
        rows.rate[first + i] = work[own + 2 * m + i]
        rows.shift[first + i] = work[own + 3 * m + i]
        for j in range(n):
            rows.jacobian[first + i, indices[dofs + j]] += work[A + n * i + j]
            if task == TANGENTS:
                rows.slopes[first + i, indices[dofs + j]] += work[D + n * i + j]
    if turning:
        by_q = table[k, RECORDS] + RECORD + table[k, SIZE] + 2 * n
        for i in range(n):
            for j in range(n):
                rows.turning[indices[dofs + i], indices[dofs + j]] += work[by_q + n * i + j]


def not_lowered(constraints: Iterable[Constraint]) -> str:
    """The first constraint without a compiled form, in words; empty if all have one."""
    for constraint in constraints:
        if lowered_constraint(constraint) is None:
            return f"constraint '{constraint.name}'"
    return ""


def row_table(
    assembly: Assembly, constraints: Sequence[Constraint]
) -> tuple[RowTable, list[Lowered]]:
    """Rows of constraints of a system with a compiled form, and who owns their numbers."""
    table = np.zeros((len(constraints), COLUMNS), dtype=np.int64)
    places = np.zeros((len(table), 3), dtype=np.int64)
    numbers: list[Integers] = [np.zeros(0, dtype=np.int64)]
    bound: list[bool] = []
    start = count = 0
    owners = []
    for k, constraint in enumerate(constraints):
        low = lowered_constraint(constraint)
        assert low is not None
        q, v = assembly.local_indices(constraint)
        sizes, rows = (len(q), len(v)), len(constraint.rows)
        table[k] = (
            low.address, low.parameters.ctypes.data, start, *sizes, count, count + sizes[0], k
        )  # fmt: skip
        places[k] = len(bound), rows, start + record_size(*sizes)
        bound += [constraint.level == "position"] * rows
        numbers += [q, v]
        start += record_size(*sizes) + low.memory
        count += sum(sizes)
        owners.append(low)
    m, n = len(bound), assembly.size
    vectors = {name: np.zeros(m) for name in ("value", "rate", "shift", "lam")}
    result = RowTable(
        table=table, indices=np.concatenate(numbers), work=np.zeros(start), places=places,
        bound=np.array(bound, dtype=np.int64), jacobian=np.zeros((m, n)),
        slopes=np.zeros((m, n)), turning=np.zeros((n, n)), **vectors,
    )  # fmt: skip
    return result, owners
