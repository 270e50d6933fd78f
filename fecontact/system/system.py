"""Assembly: the system sums what its items answer.

    M(q) v' = f(t, q, v) + A^T lam,      q' = T(q) v
    0 = c(t, q)      or      0 = A v - b(t)

Constraints give the rows A; the multipliers lam are their forces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fecontact.errors import InputError, unknown
from fecontact.system.state import State
from fecontact.typing import Body, Constraint, Floats, Integers, Item, Tangents

__all__ = ["Constraints", "System"]


@dataclass(frozen=True)
class Constraints:
    """All constraint rows of a system at one state.

    Attributes
    ----------
    value, rate, bias : (m,)
        c (zero for rows of velocity level), c' = A v - b, and c'' - A v'.
    jacobian : (m, n)
        A.
    """

    value: Floats
    rate: Floats
    bias: Floats
    jacobian: Floats


class System:
    """Bodies, and the joints, loads and contacts that couple them.

    Parameters
    ----------
    bodies
        They own the coordinates, in this order.
    items
        Joints, loads and contacts between these bodies.
    """

    def __init__(self, bodies: Sequence[Body], items: Sequence[Item | Constraint] = ()) -> None:
        self.bodies = tuple(bodies)
        self.constraints = tuple(item for item in items if isinstance(item, Constraint))
        forces = [item for item in items if not isinstance(item, Constraint)]
        self.items: tuple[Item, ...] = (*self.bodies, *forces)
        named: tuple[Item | Constraint, ...] = (*self.items, *self.constraints)
        for kind, members in (("body", named[: len(self.bodies)]), ("item", named)):
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
        self.rows = tuple(f"{c.name}.{row}" for c in self.constraints for row in c.rows)
        self.position_rows: npt.NDArray[np.bool_] = np.array(
            [c.level == "position" for c in self.constraints for _ in c.rows], dtype=bool
        )
        self._places = [self._place(item, self.slices) for item in named]
        self._q_places = [self._place(item, self.q_slices) for item in named]

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
        for place, (item, q, v) in zip(self._places, self._local(state), strict=False):
            by_q, by_v = item.tangents(state.t, q, v)
            block = np.ix_(place, place)
            df_dq[block] += by_q
            df_dv[block] += by_v
        return df_dq, df_dv

    def constraint(self, state: State) -> Constraints:
        """Constraint rows with their rates, bias and Jacobian."""
        size = len(self.rows)
        value, rate, bias = np.zeros((3, size))
        jacobian = np.zeros((size, self.size))
        for rows, place, constraint, q, v in self._bound(state):
            now = constraint.at(state.t, q, v)
            if constraint.level == "position":
                value[rows] = now.value
            rate[rows], bias[rows] = now.rate, constraint.bias(state.t, q, v)
            jacobian[rows, place] = now.jacobian
        return Constraints(value, rate, bias, jacobian)

    def constraint_tangents(self, state: State) -> Tangents:
        """Derivatives along a step: of A^T lam at fixed lam (n, n), of c' at fixed v (m, n)."""
        d_load = np.zeros((self.size, self.size))
        d_rate = np.zeros((len(self.rows), self.size))
        for rows, place, constraint, q, v in self._bound(state):
            now = constraint.at(state.t, q, v)
            d_load[np.ix_(place, place)] += now.d_load(state.lam[rows])
            d_rate[rows, place] = now.d_rate()
        return d_load, d_rate

    def d_inertia(self, q: Floats, a: Floats) -> Floats:
        """Derivative (n, n) of M(q) a along a step, at fixed a."""
        result = np.zeros((self.size, self.size))
        for body in self.bodies:
            part = self.slices[body.name]
            result[part, part] = body.d_inertia(q[self.q_slices[body.name]], a[part])
        return result

    def local(self, item: Item | Constraint, state: State) -> tuple[Floats, Floats]:
        """Coordinates and velocities of the bodies of an item."""
        q, v = (self._place(item, slices) for slices in (self.q_slices, self.slices))
        return state.q[q], state.v[v]

    def _local(self, state: State) -> Iterator[tuple[Item, Floats, Floats]]:
        for item, q, v in zip(self.items, self._q_places, self._places, strict=False):
            yield item, state.q[q], state.v[v]

    def _bound(self, state: State) -> Iterator[tuple[slice, Integers, Constraint, Floats, Floats]]:
        """Rows and columns of each constraint in A, and its local coordinates."""
        first, start = len(self.items), 0
        for number, constraint in enumerate(self.constraints, start=first):
            stop = start + len(constraint.rows)
            place = self._places[number]
            yield (
                slice(start, stop),
                place,
                constraint,
                state.q[self._q_places[number]],
                state.v[place],
            )
            start = stop

    def _place(self, item: Item | Constraint, slices: dict[str, slice]) -> Integers:
        numbers = []
        for body in item.bodies:
            if body not in self.bodies:
                raise unknown("body", body.name, self.slices)
            part = slices[body.name]
            numbers.append(np.arange(part.start, part.stop))
        return np.concatenate(numbers)
