"""Assembly: the system sums what its items answer.

M(q) v' = f(t, q, v),      q' = v
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
        self.q_slices: dict[str, slice] = {}
        n = n_q = 0
        for body in self.bodies:
            size, size_q = len(body.freedoms), len(body.reference())
            self.slices[body.name] = slice(n, n + size)
            self.q_slices[body.name] = slice(n_q, n_q + size_q)
            n, n_q = n + size, n_q + size_q
        self.size = n
        self.coordinates = tuple(f"{b.name}.{f}" for b in self.bodies for f in b.freedoms)
        self._places = [self._place(item, self.slices) for item in self.items]
        self._q_places = [self._place(item, self.q_slices) for item in self.items]

    def rest(self) -> State:
        """State in the reference position, without motion."""
        q = np.concatenate([body.reference() for body in self.bodies])
        return State(0.0, q, np.zeros(self.size))

    def move(self, q: Floats, step: Floats) -> Floats:
        """Coordinates after a step (n,) of the freedoms."""
        return np.concatenate(
            [b.move(q[self.q_slices[b.name]], step[self.slices[b.name]]) for b in self.bodies]
        )

    def rate(self, q: Floats, v: Floats) -> Floats:
        """Rate q' of the coordinates."""
        return np.concatenate(
            [b.rate(q[self.q_slices[b.name]], v[self.slices[b.name]]) for b in self.bodies]
        )

    def mass_matrix(self, q: Floats) -> Floats:
        """Mass matrix M (n, n), block diagonal by body."""
        M = np.zeros((self.size, self.size))
        for body in self.bodies:
            part = self.slices[body.name]
            M[part, part] = body.mass_matrix(q[self.q_slices[body.name]])
        return M

    def forces(self, state: State) -> Floats:
        """Contribution of each item to the force, (items, n)."""
        parts = np.zeros((len(self.items), self.size))
        for row, (item, q, v) in enumerate(self._local(state)):
            parts[row, self._places[row]] = item.force(state.t, q, v)
        return parts

    def force(self, state: State) -> Floats:
        """Return the generalised force f(t, q, v), shape (n,)."""
        return self.forces(state).sum(axis=0)

    def tangents(self, state: State) -> Tangents:
        """Return df/dq and df/dv, each of shape (n, n)."""
        df_dq, df_dv = np.zeros((2, self.size, self.size))
        for place, (item, q, v) in zip(self._places, self._local(state), strict=True):
            by_q, by_v = item.tangents(state.t, q, v)
            block = np.ix_(place, place)
            df_dq[block] += by_q
            df_dv[block] += by_v
        return df_dq, df_dv

    def local(self, item: Item, state: State) -> tuple[Floats, Floats]:
        """Coordinates and velocities of the bodies of an item."""
        q, v = (self._place(item, slices) for slices in (self.q_slices, self.slices))
        return state.q[q], state.v[v]

    def _local(self, state: State) -> Iterator[tuple[Item, Floats, Floats]]:
        for item, q, v in zip(self.items, self._q_places, self._places, strict=True):
            yield item, state.q[q], state.v[v]

    def _place(self, item: Item, slices: dict[str, slice]) -> Integers:
        numbers = []
        for body in item.bodies:
            if body not in self.bodies:
                raise unknown("body", body.name, self.slices)
            part = slices[body.name]
            numbers.append(np.arange(part.start, part.stop))
        return np.concatenate(numbers)
