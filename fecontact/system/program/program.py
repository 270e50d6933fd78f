"""The lowered system: a program that evaluates all items without going back to Python.

Objects describe, programs compute: `Program.of(assembly)` asks each item once for its compiled form
(`fecontact.kernels.lowered`); an item without one is called back in Python, and the program says
which. Where items change, their rows are written anew (`Program.with_items`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from fecontact.errors import SolverError
from fecontact.kernels.lowered import D_INERTIA, FORCE, MASS, Lowered, changed, record_size
from fecontact.system.program import kernels
from fecontact.system.program.callback import Callback, in_python
from fecontact.typing import Floats, Integers, Item, supports

__all__ = ["Program", "is_called_back"]

FORMS = ("lowered_steps", "lowered_rate", "lowered_fixed_status")
"""Names of the compiled forms of contacts with a history."""


class Program:
    """Compiled form of the items of a system, in the order of the system.

    Parameters
    ----------
    items
        What gives forces.
    indices
        Indices in q and in v of the coordinates of each item.
    bodies
        How many of the first items are bodies.
    sizes
        Lengths of q and v.
    form
        Name of the compiled form of contacts with a history, of those that have one: over time
        steps ("lowered_steps"), in continuous time ("lowered_rate"), or between two events
        ("lowered_fixed_status"); else they slide.
    known
        Another program of the same items; what has no history has the same compiled form there.

    Attributes
    ----------
    in_python
        Names of the items that are evaluated in Python.
    summands
        Items, or their parts, in the order of the rows of the table.
    table, indices, work
        See `system.program.kernels`.
    moving
        Rows of the table of bodies whose mass matrix depends on q.
    mass : (n, n)
        Mass matrix of the others.
    """

    def __init__(
        self, items: Collection[Item], indices: Collection[tuple[Integers, Integers]], bodies: int,
        sizes: tuple[int, int], form: str = "", known: Program | None = None,
    ) -> None:  # fmt: skip
        self.items, self._form = tuple(items), form
        rows = [
            _Row(i, summand, *own)
            for i, (item, (q, v)) in enumerate(zip(self.items, indices, strict=True))
            for summand, own in _summands(item, q, v)
        ]
        self.summands = [row.item for row in rows]
        forms = {} if known is None else known.shared
        self.lowered = [forms.get(id(item)) or lowered(item, form) for item in self.summands]
        called = {row.number for row, low in zip(rows, self.lowered, strict=True) if low.in_python}
        self.in_python = tuple(self.items[i].name for i in sorted(called))
        self.size = sizes[1]
        self.table, self.indices, length = _table(rows, self.lowered)
        self._rows: list[list[int]] = [[] for _ in self.items]
        for number, row in enumerate(rows):
            self._rows[row.number].append(number)
        self.work: Floats = np.zeros(length)
        constant = [low.mass is not None for low in self.lowered[:bodies]]
        self._moving = np.flatnonzero(~np.array(constant, dtype=bool))
        self.moving = self.table[self._moving]
        self.mass: Floats = np.zeros((self.size, self.size))
        for low, (_, v) in zip(self.lowered[:bodies], indices, strict=False):
            if low.mass is not None:
                self.mass[np.ix_(v, v)] = low.mass

    @cached_property
    def shared(self) -> dict[int, Lowered]:
        """Compiled forms, by the id of the summand, that programs of other forms have too."""
        pairs = zip(self.summands, self.lowered, strict=True)
        return {
            id(item): low
            for item, low in pairs
            if not (low.in_python or any(hasattr(item, form) for form in FORMS))
        }

    def with_items(self, items: Sequence[Item]) -> Program | None:
        """The program of other items on the same coordinates: it writes their rows anew.

        Both work on the same records. None if an item has another form of compiled function.
        """
        new = copy(self)
        new.items, new.lowered, new.summands = tuple(items), [*self.lowered], [*self.summands]
        new.table = self.table.copy()
        for name in ("_kept_tables", "shared"):
            vars(new).pop(name, None)
        for i, (old, item) in enumerate(zip(self.items, items, strict=True)):
            if old is not item and not new._rewritten(i, item):
                return None
        new.moving = new.table[self._moving]
        return new

    def _rewritten(self, i: int, item: Item) -> bool:
        """Write the rows of another item in place of item i; False if they do not fit."""
        rows, parts = self._rows[i], _parts(item)
        if len(parts) != len(rows):
            return False
        for row, part in zip(rows, parts, strict=True):
            old, low = self.lowered[row], lowered(part, self._form)
            fits = old.memory == low.memory and old.in_python == low.in_python
            if not fits or (old.mass is None) != (low.mass is None):
                return False
            self.lowered[row], self.summands[row] = low, part
            self.table[row, kernels.ADDRESS] = low.address
            self.table[row, kernels.PARAMETERS] = low.parameters.ctypes.data
            if low.mass is not None:
                own = self.table[row, kernels.V_INDICES]
                v = self.indices[own : own + self.table[row, kernels.DOFS]]
                self.mass = self.mass.copy()
                self.mass[v[:, None], v] = low.mass
        return True

    def forces(self, t: float, q: Floats, v: Floats, but: Collection[str] = ()) -> Floats:
        """Force of each item (items, n); zero for those named in `but`."""
        result = np.empty((len(self.items), self.size))
        table = self._without(but)
        failed = kernels.forces(table, self.indices, self.work, t, q, v, FORCE, result)
        self.check(failed, table, t, q, v)
        return result

    def evaluate(
        self, t: float, q: Floats, v: Floats, but: Collection[str] = ()
    ) -> tuple[Floats, Floats, Floats]:
        """Force (n,) and tangents (n, n) of all items but those named."""
        force, table = np.zeros(self.size), self._without(but)
        by_q, by_v = np.zeros((2, self.size, self.size))
        failed = kernels.evaluate(table, self.indices, self.work, t, q, v, force, by_q, by_v)
        self.check(failed, table, t, q, v)
        return force, by_q, by_v

    def mass_matrix(self, q: Floats) -> Floats:
        """Mass matrix (n, n)."""
        result = self.mass.copy()
        if len(self.moving):
            still = np.zeros(self.size)
            args = self.moving, self.indices, self.work, q, still, MASS, result
            self.check(kernels.inertia(*args), self.moving, 0.0, q, still)
        return result

    def d_inertia(self, q: Floats, a: Floats) -> Floats:
        """Derivative (n, n) of M(q) a along an increment of the dofs, at fixed a."""
        result = np.zeros((self.size, self.size))
        if len(self.moving):
            args = self.moving, self.indices, self.work, q, a, D_INERTIA, result
            self.check(kernels.inertia(*args), self.moving, 0.0, q, a)
        return result

    def stored(self, t: float, q: Floats, v: Floats) -> tuple[float, float]:
        """Strain energy and potential in J of all items; contacts with a history tell their own."""
        result = np.zeros(2)
        args = self.table, self.indices, self.work, t, q, v, self.kinds, result
        self.check(kernels.stored(*args), self.table, t, q, v)
        return float(result[0]), float(result[1])

    @cached_property
    def kinds(self) -> Integers:
        """0 for rows with a strain energy, 1 for those with a potential, else -1."""
        strain, potential = (
            np.array([supports(item, answer) for item in self.summands], dtype=bool)
            for answer in ("strain_energy", "energy")
        )
        return np.where(strain, 0, np.where(potential, 1, -1)).astype(np.int64)

    def _without(self, names: Collection[str]) -> Integers:
        if not names:
            return self.table
        key = frozenset(names)
        if key not in self._tables:
            table = self.table.copy()
            left_out = [i for i, item in enumerate(self.items) if item.name in key]
            table[[row for i in left_out for row in self._rows[i]], kernels.ADDRESS] = 0
            self._tables[key] = table
        return self._tables[key]

    @property
    def _tables(self) -> dict[frozenset[str], Integers]:
        return self.__dict__.setdefault("_kept_tables", {})

    def check(self, failed: int, table: Integers, t: float, q: Floats, v: Floats) -> None:
        """Raise what the item has raised, or let its Python form say what is wrong."""
        if not failed:
            return
        start = int(table[failed - 1, kernels.RECORDS])
        i = int(np.flatnonzero(self.table[:, kernels.RECORDS] == start)[0])
        owner = self.lowered[i].owner
        if isinstance(owner, Callback) and owner.error is not None:
            error, owner.error = owner.error, None
            raise error
        item: Any = self.summands[i]
        row = self.table[i]
        at = row[kernels.Q_INDICES], row[kernels.V_INDICES]
        own_q = q[self.indices[at[0] : at[0] + row[kernels.SIZE]]]
        own_v = v[self.indices[at[1] : at[1] + row[kernels.DOFS]]]
        item.force(t, own_q, own_v)
        raise SolverError(f"'{item.name}' cannot be evaluated")


class _Row(NamedTuple):
    """A summand of an item: number of the item, and indices of its coordinates in q and v."""

    number: int
    item: Item
    q: Integers
    v: Integers


def _summands(item: Item, q: Integers, v: Integers) -> list[tuple[Item, tuple[Integers, Integers]]]:
    """Summands of an item, each on some of its bodies, with their indices in q and v."""
    if not supports(item, "summands"):
        return [(item, (q, v))]
    starts: dict[int, tuple[int, int]] = {}
    at_q = at_v = 0
    for body in item.bodies:
        starts[id(body)] = at_q, at_v
        at_q, at_v = at_q + len(body.reference()), at_v + len(body.dofs)
    result = []
    summands: Any = item
    for summand in summands.summands:
        parts = [
            (q[i : i + len(body.reference())], v[j : j + len(body.dofs)])
            for body in summand.bodies
            for i, j in [starts[id(body)]]
        ]
        own_q, own_v = (np.concatenate(part) for part in zip(*parts, strict=True))
        result.append((summand, (own_q, own_v)))
    return result


def lowered(item: Item, form: str = "") -> Lowered:
    """Compiled form of an item, or its Python form behind the same door.

    `form` is the name of that of a contact with a history, see `Program`.
    """
    with_history = getattr(item, form, None) if form else None
    own = with_history or (None if changed(item) else getattr(item, "lowered", None))
    found = None if own is None else own()
    return in_python(item) if found is None else found


def _parts(item: Any) -> Sequence[Item]:
    """Summands of an item, or the item itself."""
    summands: Sequence[Item] = item.summands if supports(item, "summands") else (item,)
    return summands


def is_called_back(item: Item) -> bool:
    """Whether an item, or a summand of it, is evaluated in Python."""
    return any(lowered(summand).in_python for summand in _parts(item))


def _table(rows: list[_Row], lowered: list[Lowered]) -> tuple[Integers, Integers, int]:
    """Rows of the summands, indices of their coordinates, and the length of the working array."""
    table = np.zeros((len(rows), kernels.COLUMNS), dtype=np.int64)
    numbers: list[Integers] = [np.zeros(0, dtype=np.int64)]
    start = count = 0
    for own, row, low in zip(table, rows, lowered, strict=True):
        sizes = len(row.q), len(row.v)
        own[:] = (
            low.address, low.parameters.ctypes.data, start, *sizes, count, count + sizes[0],
            row.number,
        )  # fmt: skip
        numbers += [row.q, row.v]
        start += record_size(*sizes) + low.memory
        count += sum(sizes)
    return table, np.concatenate(numbers), start
