"""Items of a system as compiled functions, which a program calls by their address.

A lowered item is a function of its record w and its parameters p,

    double item(double *w, double *p, double task)        0 if all is well, else what is wrong,

in the coordinates of its bodies, as the item itself (`fecontact.typing.Item`):

    w   t, h, lost, stored, supplied, ...       RECORD numbers
        q (n_q), v (n), force (n), by_q (n, n), by_v (n, n)
        what the item keeps to itself
    p   n_q, n, then its own numbers

t, h, q and v are given; which of the others it fills in, the task says. Numbers of the parameters
may change between two calls: a sweep writes them instead of building the system again. The function
is compiled once for all items of its kind, and kept on disk by itself; it makes no arrays, and
calls nothing that returns new ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from fecontact.kernels.arrays import after, matrix, part, viewed
from fecontact.kernels.calls import block_address
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = [
    "ADVANCE",
    "BEGIN",
    "BENT",
    "D_INERTIA",
    "FAILED",
    "FORCE",
    "HELD",
    "LOST",
    "MASS",
    "NO_CODE",
    "ONLY_BY_V",
    "PARAMETERS",
    "POWERS",
    "RATES",
    "RECORD",
    "SHOW",
    "STEP",
    "STORED",
    "SUPPLIED",
    "TANGENTS",
    "TIME",
    "Lowered",
    "Packing",
    "Record",
    "changed",
    "item_address",
    "record",
    "record_size",
]

TIME, STEP, LOST, STORED, SUPPLIED, BENT, ONLY_BY_V = range(7)
"""Where a record has the time and the step in s, the dissipated power in W, the stored energy in J,
the supplied power in W, and the energy in J that bristles lose in a step; not 0 if who asks for
TANGENTS needs no by_q, which may then be anything."""
RECORD = 8
"""Numbers of a record before those of the coordinates."""

FORCE, TANGENTS, POWERS, MASS, D_INERTIA, BEGIN, HELD, ADVANCE, SHOW, RATES = range(10)
"""Tasks: the force; force and its derivatives by_q, by_v; force, lost power, stored energy and
supplied power; of bodies the mass matrix, in by_q; the derivative by_q of M(q) a along an increment
of the dofs, with a given as the force. Of contacts with a history: the start of a step, at the
coordinates of the record; TANGENTS as if no point slid; the step is accepted, with lost and
supplied power; the force, and in the memory of the contact what its points do. In continuous time:
the derivatives of the rates of the history and of the force by it, without those by q and v."""

FAILED = 1.0
"""Answer of an item that cannot be evaluated; its Python form says why."""

ANSWERS = ("force", "tangents", "evaluate", "mass_matrix", "d_inertia", "weight", "energy",
           "strain_energy", "dissipated_power", "supplied_power", "load")  # fmt: skip
"""What a compiled function answers in place of its item."""

NO_CODE = 0
"""In place of a function: all answers are zero, as the record is from the start."""

PARAMETERS = 1 << 40
"""Length of the view of the parameters; no index is checked."""


class Record(NamedTuple):
    """Parts of a record; `head` are its first numbers, `own` what the item keeps to itself."""

    head: Floats
    q: Floats
    v: Floats
    force: Floats
    by_q: Floats
    by_v: Floats
    own: Floats


def record_size(n_q: int, n: int) -> int:
    """Length of a record without what the item keeps to itself."""
    return RECORD + n_q + 2 * n + 2 * n * n


@kernel(fastmath=True)
def record(pointer: Any, p: Floats) -> Record:
    """Parts of the record of an item with parameters p."""
    n_q, n, own = int(p[0]), int(p[1]), 1 << 40
    w = viewed(pointer, own)
    v = RECORD + n_q
    force, by_q = v + n, v + 2 * n
    by_v = by_q + n * n
    end = by_v + n * n
    return Record(
        part(w, 0, RECORD),
        part(w, RECORD, v - RECORD),
        part(w, v, force - v),
        part(w, force, by_q - force),
        matrix(w, by_q, n, n),
        matrix(w, by_v, n, n),
        after(w, end),
    )


class Packing:
    """Numbers one after the other, and where each group of them begins.

    Examples
    --------
    >>> packing = Packing(7, 6)
    >>> packing.add(np.eye(2))
    2
    >>> packing.numbers.tolist()
    [7.0, 6.0, 1.0, 0.0, 0.0, 1.0]
    """

    def __init__(self, *first: float) -> None:
        self._parts: list[Floats] = []
        self._size = 0
        for number in first:
            self.add(number)

    def add(self, values: Any) -> int:
        """Append numbers; returns where they begin."""
        flat = np.ascontiguousarray(values, dtype=float).ravel()
        start = self._size
        self._parts.append(flat)
        self._size += len(flat)
        return start

    def extend(self, groups: Iterable[Any]) -> None:
        """Append several groups."""
        for values in groups:
            self.add(values)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self._size

    @property
    def numbers(self) -> Floats:
        """All numbers."""
        return np.concatenate(self._parts)


@dataclass(frozen=True, eq=False)
class Lowered:
    """An item as a compiled function.

    Attributes
    ----------
    code
        The function, which is compiled when its address is first asked for; or its address, which
        is `NO_CODE` if there is nothing to compute.
    parameters
        Its numbers.
    memory
        How many numbers of its record it keeps to itself.
    mass : (n, n) or None
        Constant mass matrix of a body; None if it has none, or if it depends on q.
    time_dependent
        Whether its energy at given coordinates may change with time.
    in_python
        Whether the function goes back to Python: slow, and counted as such.
    """

    code: Callable[..., float] | int
    parameters: Floats
    memory: int = 0
    mass: Floats | None = None
    in_python: bool = False
    time_dependent: bool = True
    owner: Any = field(default=None, repr=False)

    @property
    def address(self) -> int:
        """Address of the function."""
        return item_address(self.code) if callable(self.code) else self.code


def changed(item: Any, form: str = "lowered", answers: Iterable[str] = ANSWERS) -> bool:
    """Whether a class of one's own has changed an answer of the class whose `form` it inherits."""
    package = __name__.partition(".")[0]
    for kind in type(item).__mro__:
        if form in vars(kind):
            return False
        outside = kind.__module__.partition(".")[0] != package
        if outside and not vars(kind).keys().isdisjoint(answers):
            return True
    return False


def item_address(function: Any) -> int:
    """Address of the compiled form of an item function, kept on disk under its own name."""
    known = _addresses.get(function)
    if known is None:
        name = f"{function.__module__}.{function.__qualname__}"
        known = _addresses[function] = block_address(function, "item", name, allocates=False)
    return known


_addresses: dict[Any, int] = {}
