"""Items that are written in Python, as functions that a program calls by their address.

The function goes back to Python and asks the item itself. An error of the item is kept and raised
again by the program, which is told that the item failed.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from fecontact.kernels.lowered import (
    D_INERTIA,
    FAILED,
    FORCE,
    LOST,
    MASS,
    POWERS,
    RECORD,
    STORED,
    SUPPLIED,
    TANGENTS,
    TIME,
    Lowered,
    record_size,
)
from fecontact.typing import Floats, Item, supports

__all__ = ["Callback", "in_python"]

_POINTER = ctypes.POINTER(ctypes.c_double)
_SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_double, _POINTER, _POINTER, ctypes.c_double)


def in_python(item: Item) -> Lowered:
    """An item as a function that asks the item itself."""
    call = Callback(item)
    return Lowered(
        call.address, np.array([call.n_q, call.n], dtype=float), in_python=True, owner=call
    )


class Callback:
    """A function that fills the record of an item from its answers.

    Attributes
    ----------
    address
        Of the function.
    error
        What the item raised in the last call; None if nothing.
    """

    def __init__(self, item: Item) -> None:
        self.item: Any = item
        self.n_q = sum(len(body.reference()) for body in item.bodies)
        self.n = sum(len(body.dofs) for body in item.bodies)
        self.error: BaseException | None = None
        self._function = _SIGNATURE(self._call)
        self.address = int(ctypes.cast(self._function, ctypes.c_void_p).value or 0)
        self._length = record_size(self.n_q, self.n)
        self._evaluates = supports(item, "evaluate")

    def _call(self, pointer: Any, parameters: Any, task: float) -> float:
        try:
            self._fill(np.ctypeslib.as_array(pointer, (self._length,)), int(task))
        except BaseException as error:  # it must not pass through compiled code
            self.error = error
            return FAILED
        return 0.0

    def _fill(self, w: Floats, task: int) -> None:
        item, n, v = self.item, self.n, RECORD + self.n_q
        t, q, speed = float(w[TIME]), w[RECORD:v].copy(), w[v : v + n].copy()
        force, by_q = w[v + n : v + 2 * n], w[v + 2 * n : v + 2 * n + n * n].reshape(n, n)
        by_v = w[v + 2 * n + n * n :].reshape(n, n)
        if task == FORCE:
            force[:] = item.force(t, q, speed)
        elif task == TANGENTS and self._evaluates:
            force[:], by_q[:], by_v[:] = item.evaluate(t, q, speed)
        elif task == TANGENTS:
            force[:] = item.force(t, q, speed)
            by_q[:], by_v[:] = item.tangents(t, q, speed)
        elif task == MASS:
            by_q[:] = item.mass_matrix(q)
        elif task == D_INERTIA:
            by_q[:] = item.d_inertia(q, force.copy())
        elif task == POWERS:
            force[:] = item.force(t, q, speed)
            w[LOST] = self._asked("dissipated_power", t, q, speed)
            w[SUPPLIED] = self._asked("supplied_power", t, q, speed)
            w[STORED] = self._asked("energy", t, q, speed)
            if supports(item, "strain_energy"):
                w[STORED] = item.strain_energy(q)

    def _asked(self, answer: str, t: float, q: Floats, v: Floats) -> float:
        return float(getattr(self.item, answer)(t, q, v)) if supports(self.item, answer) else 0.0
