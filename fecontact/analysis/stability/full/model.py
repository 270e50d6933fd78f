"""A system with some of its elastic bodies in all their finite-element unknowns.

    M x'' = f(t, x, x') + A^T lam,      0 = c(t, x)   or   0 = A x' - b(t)

Bodies that are not full keep their coordinates. All matrices are sparse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from fecontact.analysis.stability.full.parts import Part, Weight, forces_of, rows_of
from fecontact.body.full.unreduced import Unreduced
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["FullRows", "FullState", "FullSystem", "Sums"]


@dataclass(frozen=True)
class FullState:
    """Time, coordinates and velocities by body, and multipliers (m,)."""

    t: float
    q: Mapping[str, Floats]
    v: Mapping[str, Floats]
    lam: Floats


class Sums(NamedTuple):
    """Force f (n,), the sum of the sizes of its terms, and df/dx, df/dx' (n, n)."""

    force: Floats
    terms: Floats
    by_position: sp.csr_array
    by_rate: sp.csr_array


class FullRows(NamedTuple):
    """Constraint rows: value and rate (m,), A and dc'/dx (m, n), d(A^T lam)/dx (n, n)."""

    value: Floats
    rate: Floats
    jacobian: sp.csr_array
    d_rate: sp.csr_array
    d_load: sp.csr_array


@dataclass(frozen=True, eq=False)
class FullSystem:
    """A system in which the bodies of `full` have all their unknowns."""

    system: System
    full: Mapping[str, Unreduced]

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Body name -> its dofs."""
        sizes = [self.size_of(body) for body in self.system.bodies]
        ends = np.cumsum([0, *sizes]).tolist()
        names = [body.name for body in self.system.bodies]
        return {name: slice(a, b) for name, a, b in zip(names, ends[:-1], ends[1:], strict=True)}

    def size_of(self, body: Any) -> int:
        """Number of dofs of a body."""
        return self.full[body.name].size if body.name in self.full else len(body.dofs)

    @cached_property
    def size(self) -> int:
        """Number n of dofs."""
        return sum(self.size_of(body) for body in self.system.bodies)

    @cached_property
    def lift(self) -> sp.csr_array:
        """Dofs (n, k) per dof of the reduced system."""
        blocks = [
            self.full[b.name].lift if b.name in self.full
            else sp.eye_array(len(b.dofs), format="csr")
            for b in self.system.bodies
        ]  # fmt: skip
        return sp.csr_array(sp.block_diag(blocks, format="csr"))

    def lifted(self, state: State) -> FullState:
        """A state of the reduced system."""
        system = self.system
        q = {b.name: state.q[system.q_slices[b.name]] for b in system.bodies}
        v = {b.name: state.v[system.slices[b.name]] for b in system.bodies}
        for name, body in self.full.items():
            q[name], v[name] = body.lifted(q[name], v[name])
        return FullState(state.t, q, v, np.concatenate([state.lam, np.zeros(self._tied)]))

    @cached_property
    def _tied(self) -> int:
        """Number of rows that tie bodies without supports to their frames."""
        return sum(body.ties.shape[0] for body in self.full.values())

    @cached_property
    def position_rows(self) -> Any:
        """Which rows (m,) bind positions."""
        return np.concatenate([self.system.position_rows, np.ones(self._tied, dtype=bool)])

    def mass(self, state: FullState) -> sp.csr_array:
        """Mass matrix (n, n)."""
        blocks = [
            self.full[b.name].mass_matrix(state.q[b.name]) if b.name in self.full
            else sp.csr_array(b.mass_matrix(state.q[b.name]))
            for b in self.system.bodies
        ]  # fmt: skip
        return sp.csr_array(sp.block_diag(blocks, format="csr"))

    def sums(self, state: FullState) -> Sums:
        """Force and derivatives; damping given by modes is not in them (`modal`)."""
        force, terms = np.zeros((2, self.size))
        by_q, by_v = _Entries(self.size), _Entries(self.size)
        for name, body in self.full.items():
            part, place = self.slices[name], self._place(name)
            inner, load = body.inner(state.q[name], state.v[name])
            force[part] += inner + load
            terms[part] += np.abs(inner) + np.abs(load)
            by_q.add(-body.padded(body.by_position), place, place)
            by_v.add(-body.padded(body.by_rate), place, place)
        for weight in self._weights:
            force[self.slices[weight.body]] += weight.force
            terms[self.slices[weight.body]] += np.abs(weight.force)
        for acting in self._parts:
            C = self._spread(acting)
            q, v = self._local(acting, state)
            own, (d_q, d_v) = acting.item.force(state.t, q, v), acting.item.tangents(state.t, q, v)
            moved = C.T @ own
            force += moved
            terms += np.abs(moved)
            for entries, slope in ((by_q, d_q), (by_v, d_v)):
                entries.add_all(C.T @ (sp.csr_array(slope) @ C))
        return Sums(force, terms, by_q.matrix(), by_v.matrix())

    def rows(self, state: FullState, lam: Floats) -> FullRows:
        """Constraint rows in the order of the system, then those that tie bodies to frames."""
        value: list[Any] = [np.zeros(0)]
        rate: list[Any] = [np.zeros(0)]
        none = sp.csr_array((0, self.size))
        jacobian, d_rate, d_load, at = [none], [none], _Entries(self.size), 0
        for part in self._rows:
            C = self._spread(part)
            now = part.item.at(state.t, *self._local(part, state))
            own = lam[at : at + len(part.item.rows)]
            at += len(own)
            held = part.item.level == "position"
            value.append(now.value if held else np.zeros(len(own)))
            rate.append(now.rate)
            jacobian.append(sp.csr_array(now.jacobian) @ C)
            d_rate.append(sp.csr_array(now.d_rate()) @ C)
            d_load.add_all(C.T @ (sp.csr_array(now.d_load(own)) @ C))
        for name, body in self.full.items():
            u, rows = body.unknowns(state.q[name]), body.ties
            value.append(rows[:, body.frame_dofs :] @ u)
            rate.append(rows @ state.v[name])
            jacobian.append(rows @ self._place(name))
            d_rate.append(sp.csr_array((rows.shape[0], self.size)))
        A, d = (sp.csr_array(sp.vstack(each, format="csr")) for each in (jacobian, d_rate))
        return FullRows(np.concatenate(value), np.concatenate(rate), A, d, d_load.matrix())

    def move(self, state: FullState, step: Floats) -> FullState:
        """A state after a step (n + m,) of dofs and multipliers."""
        q = {}
        for body in self.system.bodies:
            own, part = state.q[body.name], step[self.slices[body.name]]
            q[body.name] = self.full.get(body.name, body).move(own, part)
        return FullState(state.t, q, state.v, state.lam + step[self.size :])

    @cached_property
    def _acting(self) -> tuple[list[Part], list[Weight]]:
        return forces_of(self.system, self.full)

    @property
    def _parts(self) -> list[Part]:
        return self._acting[0]

    @property
    def _weights(self) -> list[Weight]:
        return self._acting[1]

    @cached_property
    def _rows(self) -> list[Part]:
        return rows_of(self.system, self.full)

    @cached_property
    def _spreads(self) -> dict[int, sp.csr_array]:
        return {}

    def _spread(self, part: Part) -> sp.csr_array:
        """Dofs (l, n) of a part per dof of the system."""
        if id(part) not in self._spreads:
            blocks = []
            for side in part.sides:
                place = self._place(side.name)
                blocks.append(place if side.motion is None else side.motion @ place)
            self._spreads[id(part)] = sp.csr_array(sp.vstack(blocks, format="csr"))
        return self._spreads[id(part)]

    @cached_property
    def _places(self) -> dict[str, sp.csr_array]:
        return {}

    def _place(self, name: str) -> sp.csr_array:
        """Dofs of a body among those of the system."""
        if name not in self._places:
            part = self.slices[name]
            self._places[name] = sp.eye_array(self.size, format="csr")[part]
        return self._places[name]

    def _local(self, part: Part, state: FullState) -> tuple[Floats, Floats]:
        """Coordinates and velocities of a part."""
        q: list[Any] = [np.zeros(0)]
        v: list[Any] = [np.zeros(0)]
        for side in part.sides:
            own, rate = state.q[side.name], state.v[side.name]
            q.append(own if side.position is None else side.position @ own)
            v.append(rate if side.motion is None else side.motion @ rate)
        return np.concatenate(q), np.concatenate(v)


class _Entries:
    """Sum of sparse matrices (n, n), formed at the end."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._rows: list[Any] = []
        self._columns: list[Any] = []
        self._values: list[Any] = []

    def add(self, block: sp.csr_array, left: sp.csr_array, right: sp.csr_array) -> None:
        """Add left^T block right."""
        self.add_all(left.T @ (block @ right))

    def add_all(self, matrix: Any) -> None:
        """Add a matrix of full size."""
        entries = sp.coo_array(matrix)
        self._rows.append(entries.row)
        self._columns.append(entries.col)
        self._values.append(entries.data)

    def matrix(self) -> sp.csr_array:
        """The sum."""
        shape = (self.size, self.size)
        if not self._values:
            return sp.csr_array(shape)
        places = np.concatenate(self._rows), np.concatenate(self._columns)
        return sp.csr_array(sp.coo_array((np.concatenate(self._values), places), shape=shape))
