"""Assembly: the sum of what bodies, joints, loads and contacts answer.

    M(q) v' = f(t, q, v) + A^T lam,      q' = T(q) v
    0 = c(t, q)      or      0 = A v - b(t)

Constraints give the rows A; the multipliers lam are their forces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from fecontact.body.base import as_body
from fecontact.contact.base import Contact
from fecontact.contact.history import ContactHistory
from fecontact.errors import InputError, unknown
from fecontact.system.constraints.rows import Bound, Constraints
from fecontact.system.history import HistoryLayout
from fecontact.system.item_forces import ItemForces
from fecontact.system.layout import (
    Indices,
    as_array,
    block_of,
    fold_of,
    joined,
    same_layout,
    shortest,
    slices,
)
from fecontact.system.program import Program
from fecontact.system.sensors.sensor import Sensor, check_names
from fecontact.system.state import State
from fecontact.system.variants.content import alike
from fecontact.typing import (
    Answers,
    Body,
    Constraint,
    Floats,
    Integers,
    Item,
    Tangents,
    supporting,
    supports,
)

__all__ = ["Assembly"]

FEW = 8
"""Items up to which a system that is not varied asks them in Python."""

LARGEST = 1 << 24
"""Numbers in the records of a program up to which sums are evaluated with it."""

OF_ITEMS = frozenset({
    "_asked", "_compiled", "_roomy", "_time_bias", "dissipating", "history_layout", "kinetic",
    "program", "stateful_contacts", "storing", "straining", "variants", "variant_of",
})  # fmt: skip
"""What follows from the items: systems with other items work it out again."""

OF_PROGRAM = frozenset({"_asked", "_compiled", "_roomy", "program", "variants", "variant_of"})
"""What stays in this process: addresses of compiled functions, and what keeps them."""


class Assembly:
    """Layout of q, v and lam, and the sums over all items.

    Attributes
    ----------
    bodies, constraints, items
        Items are the bodies, then all that gives forces.
    item_indices
        Index of each item among the items, by name.
    size
        Number n of dofs.
    coordinates, rows
        Names "body.dof" (n,) and "constraint.row" (m,).
    position_rows : (m,)
        Whether a row binds positions.
    slices, q_slices, row_slices
        Parts of v and q by body, of lam by constraint.
    sensors
        What its results show beside its coordinates.
    full
        Names of the bodies with all unknowns of their finite elements: they have statics only.
    variant_of
        What has made it by `System.with_parameters`.
    """

    variant_of: Any = None

    def __init__(
        self, bodies: Sequence[Body], items: Sequence[Item | Constraint] = (),
        sensors: Sequence[Sensor] = (),
    ) -> None:  # fmt: skip
        _check_members(bodies, items)
        check_names(sensors)
        self.sensors = tuple(sensors)
        self.bodies = tuple(bodies)
        self.constraints: tuple[Constraint, ...] = supporting(items, "bias")
        forces: Any = [item for item in items if not supports(item, "bias")]
        self.items: tuple[Item, ...] = (*self.bodies, *forces)
        self._check_names()
        self.item_indices = {item.name: i for i, item in enumerate(self.items)}
        self.slices = slices({b.name: len(b.dofs) for b in self.bodies})
        self.q_slices = slices({b.name: len(b.reference()) for b in self.bodies})
        self.row_slices = slices({c.name: len(c.rows) for c in self.constraints})
        self.coordinates = tuple(f"{b.name}.{f}" for b in self.bodies for f in b.dofs)
        self.size = len(self.coordinates)
        self.rows = tuple(f"{c.name}.{row}" for c in self.constraints for row in c.rows)
        self.position_rows: npt.NDArray[np.bool_] = np.array(
            [c.level == "position" for c in self.constraints for _ in c.rows], dtype=bool
        )
        self.full = tuple(b.name for b in self.bodies if as_body(b).finite_elements is b)
        self._gathered = {member.name: self._gathered_by(member) for member in self._members()}
        folds = {name: fold_of(v) for name, (_, v) in self._gathered.items()}
        self._folds = {name: fold for name, fold in folds.items() if fold is not None}
        self._indices = {
            name: shortest(self._folds[name].dofs) if name in self._folds else v
            for name, (_, v) in self._gathered.items()
        }
        self._blocks = {name: block_of(own) for name, own in self._indices.items()}
        self._forces = ItemForces()
        self._check_mass(self.bodies)

    @cached_property
    def history_layout(self) -> HistoryLayout:
        """Layout of the contact history."""
        return HistoryLayout.of(self.items)

    @cached_property
    def stateful_contacts(self) -> tuple[Contact, ...]:
        """Items that have a contact history."""
        names = self.history_layout.names
        return tuple(item for item in supporting(self.items, "begin") if item.name in names)

    @cached_property
    def dissipating(self) -> tuple[tuple[int, Answers], ...]:
        """Items that dissipate, with their indices."""
        items: Any = enumerate(self.items)
        return tuple((i, item) for i, item in items if supports(item, "dissipated_power"))

    @cached_property
    def kinetic(self) -> tuple[Answers, ...]:
        """Items with kinetic energy."""
        return supporting(self.items, "kinetic_energy")

    @cached_property
    def straining(self) -> tuple[Answers, ...]:
        """Items with strain energy."""
        return supporting(self.items, "strain_energy")

    @cached_property
    def storing(self) -> tuple[Answers, ...]:
        """Items with a potential."""
        return supporting(self.items, "energy")

    @cached_property
    def _time_bias(self) -> dict[str, Any]:
        return {c.name: c.time_bias for c in supporting(self.constraints, "time_bias")}

    def with_items(self, items: Sequence[Item], constraints: Sequence[Constraint]) -> Self | None:
        """The system with other items of the same names and dofs; None if their layout differs.

        Its program is that of this one with the rows of the other items written again. Items that
        are the same objects keep what they answered last, if their content is known.
        """
        if not same_layout((*self.items, *self.constraints), (*items, *constraints)):
            return None
        return self._with(items, constraints)

    def _with(self, items: Sequence[Item], constraints: Sequence[Constraint]) -> Self:
        changed = {new.name for old, new in zip(self.items, items, strict=True) if old is not new}
        result, count = object.__new__(type(self)), len(self.bodies)
        result.__dict__.update({k: v for k, v in vars(self).items() if k not in OF_ITEMS})
        result.items, result.constraints = tuple(items), tuple(constraints)
        result.bodies = tuple(items[:count])  # type: ignore[arg-type]
        new_bodies = [body for body in result.bodies if body.name in changed]
        if new_bodies:
            self._check_mass(new_bodies)
            for name in ("inverse_mass", "reference"):
                vars(result).pop(name, None)
        result._forces = self._forces.without(changed)
        if self._roomy is None:
            result._roomy = result._compiled = None
        elif (program := self._roomy.with_items(result.items)) is not None:
            result.program = result._roomy = result._compiled = program
        return result

    @cached_property
    def program(self) -> Program:
        """Its items as one compiled program; contacts slide."""
        return self._program("")

    @cached_property
    def _compiled(self) -> Program | None:
        """The program with which the sums are evaluated; None if all items are asked in Python.

        Few items are asked sooner than their functions are compiled; those of systems that are
        varied are asked often (`with_items`).
        """
        return self._roomy if len(self.items) > FEW else None

    @cached_property
    def _roomy(self) -> Program | None:
        """The program; None if its records have no room."""
        if self.full or self.program.work.size > LARGEST:
            return None
        return self.program

    @cached_property
    def _asked(self) -> tuple[Item, ...]:
        """Items that are asked in Python."""
        program = self._compiled
        if program is None:
            return self.items
        return tuple(self.items[self.item_indices[name]] for name in program.in_python)

    def __getstate__(self) -> dict[str, Any]:
        """For copies and other processes: addresses of compiled code stay here."""
        return {k: v for k, v in vars(self).items() if k not in OF_PROGRAM}

    def step_program(self) -> Program:
        """Its items as one compiled program over time steps, with the history of contacts.

        Each run has its own, so that runs of one system may go on side by side.
        """
        return self._program("lowered_steps")

    def fixed_status_program(self) -> Program:
        """Its items as one compiled program between two events, with given status of contacts."""
        return self._program("lowered_fixed_status")

    def rate_program(self) -> Program:
        """Its items as one compiled program in continuous time; each user has its own."""
        return self._program("lowered_rate")

    def _program(self, form: str) -> Program:
        indices = [self.local_indices(item) for item in self.items]
        sizes = len(self.rest().q), self.size
        known = vars(self).get("program")
        return Program(self.items, indices, len(self.bodies), sizes, form, known)

    def rest(self) -> State:
        """State in the reference position, without motion."""
        return State(0.0, self.reference.copy(), np.zeros(self.size))

    @cached_property
    def reference(self) -> Floats:
        """Coordinates in the reference position."""
        return np.concatenate([body.reference() for body in self.bodies])

    @cached_property
    def inverse_mass(self) -> Floats:
        """Inverse (n, n) of the mass matrix in the reference position."""
        return np.asarray(np.linalg.inv(self.mass_matrix(self.reference)))

    def move(self, q: Floats, step: Floats) -> Floats:
        """Coordinates after a step (n,) of the dofs."""
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
        self._refuse_full()
        if self._compiled is not None:
            return self._compiled.mass_matrix(q)
        M = np.zeros((self.size, self.size))
        for body in self.bodies:
            part = self.slices[body.name]
            M[part, part] = body.mass_matrix(q[self.q_slices[body.name]])
        return M

    def d_inertia(self, q: Floats, a: Floats) -> Floats:
        """Derivative (n, n) of M(q) a along a step, at fixed a."""
        if self._compiled is not None:
            return self._compiled.d_inertia(q, a)
        result = np.zeros((self.size, self.size))
        for body in self.bodies:
            part = self.slices[body.name]
            result[part, part] = body.d_inertia(q[self.q_slices[body.name]], a[part])
        return result

    def forces(self, state: State, known: Mapping[str, Floats] | None = None) -> Floats:
        """Contribution of each item to the force, (items, n).

        `known` gives the forces of items that are not to be asked, by name: those of contacts with
        history. Without it they slide.
        """
        known, program = known or {}, self._compiled
        if program is None:
            parts = np.zeros((len(self.items), self.size))
        else:
            others = (*program.in_python, *known)
            parts = program.forces(state.t, state.q, state.v, others)
        for item in self._asked:
            if item.name not in known:
                own = self._forces.force(item, state.t, *self.local(item, state))
                self._add(parts[self.item_indices[item.name]], item.name, own)
        for name, own in known.items():
            self._add(parts[self.item_indices[name]], name, own)
        return parts

    def force(self, state: State) -> Floats:
        """Return the generalised force f(t, q, v), shape (n,)."""
        return self.forces(state).sum(axis=0)

    def tangents(self, state: State) -> Tangents:
        """Return df/dq and df/dv, each of shape (n, n)."""
        return self.evaluate(state)[1:]

    def evaluate(
        self, state: State, known: Mapping[str, tuple[Floats, Floats, Floats]] | None = None
    ) -> tuple[Floats, Floats, Floats]:
        """Return f, df/dq and df/dv.

        `known` gives all three of items that are not to be asked, by name.
        """
        self._refuse_full()
        known, program = known or {}, self._compiled
        if program is None:
            force, (df_dq, df_dv) = np.zeros(self.size), np.zeros((2, self.size, self.size))
        else:
            others = (*program.in_python, *known)
            force, df_dq, df_dv = program.evaluate(state.t, state.q, state.v, others)
        for item in self._asked:
            if item.name not in known:
                own = self._forces.evaluate(item, state.t, *self.local(item, state))
                self._add_all(force, df_dq, df_dv, item.name, own)
        for name, own in known.items():
            self._add_all(force, df_dq, df_dv, name, own)
        return force, df_dq, df_dv

    def _add(self, force: Floats, name: str, own: Floats) -> None:
        """Add a force of an item."""
        force[self._indices[name]] += self.fold(name, own, 0)

    def _add_all(
        self, force: Floats, df_dq: Floats, df_dv: Floats, name: str,
        own: tuple[Floats, Floats, Floats],
    ) -> None:  # fmt: skip
        """Add a force of an item and its derivatives."""
        self._add(force, name, own[0])
        block = self._blocks[name]
        df_dq[block] += self.fold(name, own[1], 0, 1)
        df_dv[block] += self.fold(name, own[2], 0, 1)

    def constraint(self, state: State) -> Constraints:
        """Constraint rows; their bias and tangents are worked out when asked for."""
        if not self.constraints:
            none = np.zeros(0)
            return Constraints(state.t, none, none, np.zeros((0, self.size)), ())
        value, rate = np.zeros((2, len(self.rows)))
        jacobian = np.zeros((len(self.rows), self.size))
        parts = []
        for constraint in self.constraints:
            name, (q, v) = constraint.name, self.local(constraint, state)
            now, rows = constraint.at(state.t, q, v), self.row_slices[name]
            columns, block = self._indices[name], self._blocks[name]
            if constraint.level == "position":
                value[rows] = now.value
            rate[rows] = now.rate
            jacobian[rows, columns] = now.jacobian
            time_bias = self._time_bias.get(name)
            parts.append(Bound(constraint, now, rows, columns, block, q, v, time_bias))
        return Constraints(state.t, value, rate, jacobian, parts)

    def constraint_tangents(self, state: State) -> Tangents:
        """Derivatives along a step: of A^T lam at fixed lam (n, n), of c' at fixed v (m, n)."""
        rows = self.constraint(state)
        return rows.d_load(state.lam), rows.d_rate()

    def histories(self, state: State) -> Iterator[tuple[Contact, Floats, Floats, ContactHistory]]:
        """Stateful items, with their coordinates, velocities and history at a filled state."""
        for item in self.stateful_contacts:
            yield item, *self.local(item, state), self.history_layout.history(state, item.name)

    def local(self, item: Item | Constraint, state: State) -> tuple[Floats, Floats]:
        """Coordinates and velocities of the bodies of an item."""
        q, v = self._gathered[item.name]
        return state.q[q], state.v[v]

    def local_indices(self, item: Item | Constraint) -> tuple[Integers, Integers]:
        """Indices in q and in v of the coordinates of the bodies of an item, one by one."""
        q, v = self._gathered[item.name]
        return as_array(q), as_array(v)

    def dof_indices(self, name: str) -> Indices:
        """Indices in v of the dofs of an item or a constraint, each once; see `fold`."""
        return self._indices[name]

    def block(self, name: str) -> tuple[Indices, Indices]:
        """Rows and columns of the dofs of an item or a constraint in a matrix (n, n)."""
        return self._blocks[name]

    def fold(self, name: str, values: Floats, *axes: int) -> Floats:
        """Values of an item over the dofs of its bodies, summed where a body is in it twice.

        A contact of a body with itself has its dofs as those of the slave and of the master. Other
        values, and axes that are summed already, stay as they are.
        """
        fold = self._folds.get(name)
        if fold is None:
            return values
        for axis in axes:
            if values.shape[axis] == len(fold.indices):
                moved = np.moveaxis(values, axis, 0)
                summed = np.zeros((len(fold.dofs), *moved.shape[1:]))
                np.add.at(summed, fold.indices, moved)
                values = np.moveaxis(summed, 0, axis)
        return values

    def _refuse_full(self) -> None:
        """Matrices of all dofs are full ones: refuse bodies that have too many for that."""
        if self.full:
            body = next(body for body in self.bodies if body.name == self.full[0])
            raise InputError(
                f"invalid body '{body.name}' with all {len(body.dofs)} unknowns of its finite "
                "elements: expected statics (load_path), or a reduced body: "
                f"ElasticBody('{body.name}', reduce_model(model, contact=[...]))"
            )

    def _members(self) -> tuple[Item | Constraint, ...]:
        return (*self.items, *self.constraints)

    def _gathered_by(self, item: Item | Constraint) -> tuple[Indices, Indices]:
        """Indices of the item's coordinates in q and in v; a body may be in it twice."""
        for body in item.bodies:
            # items that were taken over know a body of the same content in its place
            known = next((one for one in self.bodies if one.name == body.name), None)
            if known is None:
                raise unknown("body", body.name, self.slices)
            if not alike(known, body):
                raise InputError(
                    f"invalid body '{body.name}' of '{item.name}', another one than that of the "
                    "system: expected the same object in both"
                )
        q, v = ([part[body.name] for body in item.bodies] for part in (self.q_slices, self.slices))
        return joined(q), joined(v)

    def _check_names(self) -> None:
        for kind, members in (("body", self.bodies), ("item", self._members())):
            names = [member.name for member in members]
            for name in names:
                if names.count(name) > 1:
                    raise InputError(
                        f"invalid {kind} name '{name}', used twice: expected different names; give "
                        f"one of them another, name='{name} 2'"
                    )

    def _check_mass(self, bodies: Iterable[Body]) -> None:
        for body in bodies:
            if as_body(body).finite_elements is not None:
                continue  # too large for eigenvalues; its mass matrix is a consistent one
            M = body.mass_matrix(body.reference())
            lowest = _lowest(len(M), np.ascontiguousarray(M, dtype=float).tobytes())
            if not lowest > 1e-14:
                raise InputError(
                    f"body '{body.name}': its mass matrix is not positive definite (smallest "
                    f"eigenvalue {lowest:.1e} of the scaled matrix); every dof needs inertia"
                )


def _check_members(bodies: Sequence[Body], items: Sequence[Item | Constraint]) -> None:
    """Raise if these are not lists of what a system consists of."""
    for kind, members, answer in (("bodies", bodies, "mass_matrix"), ("items", items, "bodies")):
        if not isinstance(members, Sequence):
            example = f"[{getattr(members, 'name', '...')}]"
            raise InputError(f"invalid {kind}: expected a list, such as {example}")
        for member in members:
            if not hasattr(member, answer):
                expected = "bodies" if kind == "bodies" else "joints, loads and contacts"
                raise InputError(f"{kind}: invalid {member!r}: expected {expected}")
    if not bodies:
        raise InputError("bodies is empty; a system has at least one body")


@lru_cache(maxsize=64)
def _lowest(size: int, numbers: bytes) -> float:
    """Smallest eigenvalue of a matrix (size, size) that is scaled by its diagonal."""
    M = np.frombuffer(numbers).reshape(size, size)
    scale = np.sqrt(np.abs(np.diag(M)))
    scale[scale == 0.0] = 1.0
    return float(np.linalg.eigvalsh(M / np.outer(scale, scale)).min(initial=1.0))
