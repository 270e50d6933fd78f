"""Assembly: the system sums what its items answer.

M(q) v' = f(t, q, v),      q' = v
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fecontact.errors import InputError, unknown
from fecontact.system.state import State
from fecontact.typing import Body, Floats, Integers, Item, Tangents

__all__ = ["System"]


class System:
    """Bodies, and the joints, loads and contacts that couple them.

    Parameters
    ----------
    bodies
        They own the coordinates, in this order.
    items
        Joints, loads and contacts between these bodies.
    """

    def __init__(self, bodies: Sequence[Body], items: Sequence[Item] = ()) -> None:
        self.bodies = tuple(bodies)
        self.items: tuple[Item, ...] = (*self.bodies, *items)
        for kind, members in (("body", self.bodies), ("item", self.items)):
            names = [member.name for member in members]
            for name in names:
                if names.count(name) > 1:
                    raise InputError(f"the {kind} name '{name}' is used twice; names must differ")
        self.slices: dict[str, slice] = {}
        start = 0
        for body in self.bodies:
            self.slices[body.name] = slice(start, start + len(body.freedoms))
            start += len(body.freedoms)
        self.size = start
        self.coordinates = tuple(f"{b.name}.{f}" for b in self.bodies for f in b.freedoms)
        self._places = [self._place(item) for item in self.items]

    def rest(self) -> State:
        """State of zero coordinates and velocities."""
        return State(0.0, np.zeros(self.size), np.zeros(self.size))

    def mass_matrix(self, q: Floats) -> Floats:
        """Mass matrix M (n, n), block diagonal by body."""
        M = np.zeros((self.size, self.size))
        for body in self.bodies:
            part = self.slices[body.name]
            M[part, part] = body.mass_matrix(q[part])
        return M

    def forces(self, state: State) -> Floats:
        """Contribution of each item to the force, (items, n)."""
        parts = np.zeros((len(self.items), self.size))
        for row, (item, place) in enumerate(zip(self.items, self._places, strict=True)):
            parts[row, place] = item.force(state.t, state.q[place], state.v[place])
        return parts

    def force(self, state: State) -> Floats:
        """Return the generalised force f(t, q, v), shape (n,)."""
        return self.forces(state).sum(axis=0)

    def tangents(self, state: State) -> Tangents:
        """Return df/dq and df/dv, each of shape (n, n)."""
        df_dq, df_dv = np.zeros((2, self.size, self.size))
        for item, place in zip(self.items, self._places, strict=True):
            by_q, by_v = item.tangents(state.t, state.q[place], state.v[place])
            block = np.ix_(place, place)
            df_dq[block] += by_q
            df_dv[block] += by_v
        return df_dq, df_dv

    def local(self, item: Item, vector: Floats) -> Floats:
        """Part of a system vector that belongs to the bodies of an item."""
        return vector[self._place(item)]

    def _place(self, item: Item) -> Integers:
        numbers = []
        for body in item.bodies:
            if body not in self.bodies:
                raise unknown("body", body.name, self.slices)
            part = self.slices[body.name]
            numbers.append(np.arange(part.start, part.stop))
        return np.concatenate(numbers)
