"""A system as statics sees it: its unknowns, what acts on them, and where its contacts begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from fecontact.analysis.statics.condensed_part import CondensedPart, Layout, condensed_parts
from fecontact.analysis.statics.marker_body import rebound
from fecontact.analysis.statics.nodal_contact import NodalContact
from fecontact.contact.evaluate.step import ContactHistory, ContactStart, ContactStep
from fecontact.contact.pair import ContactPair
from fecontact.system import State, System
from fecontact.typing import Floats, Integers

__all__ = ["StaticModel", "reference_step"]

SMALL = 1e-9
"""Violation of a constraint row per length of a step that counts as none."""


@dataclass(frozen=True, eq=False)
class StaticModel:
    """Unknowns of the statics of a system, and the parts that give the forces on them.

    Attributes
    ----------
    system, pairs
        The system and its contacts.
    bare
        The system without contacts.
    full
        Full finite-element bodies by name, condensed.
    layout
        Where the unknowns of each body are.
    indices, nodal
        Dofs of each contact; contacts of full bodies.
    acting
        Bodies that are not full and markers of those that are, with what acts on them, or None.
    """

    system: System
    pairs: tuple[ContactPair, ...]
    bare: System
    full: dict[str, CondensedPart]
    layout: Layout
    indices: dict[str, Integers]
    nodal: dict[str, NodalContact]
    acting: System | None

    @staticmethod
    def of(system: System) -> StaticModel:
        """Condense the full bodies of a system."""
        items = system.items[len(system.bodies) :]
        pairs = tuple(item for item in items if isinstance(item, ContactPair))
        others = [item for item in items if not isinstance(item, ContactPair)]
        bare = System(system.bodies, [*others, *system.constraints])
        full, acting = condensed_parts(system, pairs)
        layout = Layout.of(system, full)
        kept = {name: part.kept for name, part in full.items()}
        sizes = {name: part.size for name, part in full.items()}
        indices = {
            pair.name: np.concatenate([np.r_[layout.v[b.name]] for b in pair.bodies]).astype(
                np.int64
            )
            for pair in pairs
        }
        nodal = {
            pair.name: NodalContact(pair, kept, sizes)
            for pair in pairs
            if any(body.name in full for body in pair.bodies)
        }
        on_markers = _on_markers(system, full, acting) if full else bare
        return StaticModel(system, pairs, bare, full, layout, indices, nodal, on_markers)

    def is_full(self, body: Any) -> bool:
        """Whether a body is a full finite-element body."""
        return body.name in self.full

    @cached_property
    def spread(self) -> sp.csr_array:
        """C (l, n): dofs of bodies that are not full, and markers of those that are."""
        layout, rows = self.layout, [sp.csr_array((0, self.layout.size))]
        for body in () if self.acting is None else self.acting.bodies:
            part = layout.v[body.name]
            own = self.full[body.name].marker_motion if self.is_full(body) else None
            width = part.stop - part.start
            block: Any = sp.eye_array(width) if own is None else sp.csr_array(own)
            after = layout.size - part.stop
            zeros = [sp.csr_array((block.shape[0], n)) for n in (part.start, after)]
            rows.append(sp.hstack([zeros[0], block, zeros[1]]))
        return sp.csr_array(sp.vstack(rows, format="csr"))

    def move(self, x: Floats, step: Floats) -> Floats:
        """Unknowns after a step."""
        layout = self.layout
        moved = [b.move(x[layout.q[b.name]], step[layout.v[b.name]]) for b in self.system.bodies]
        n_q, n = len(x) - len(self.system.rows), layout.size
        return np.concatenate([*moved, x[n_q:] + step[n:]])

    def state(self, t: float, x: Floats) -> State:
        """State of the system from unknowns, with all unknowns of full bodies."""
        layout, full = self.layout, self.full
        q = [
            full[b.name].displacement(t, x[layout.q[b.name]])
            if b.name in full
            else x[layout.q[b.name]]
            for b in self.system.bodies
        ]
        n_q = len(x) - len(self.system.rows)
        return State(t, np.concatenate(q), np.zeros(self.system.size), x[n_q:])

    def acting_state(self, t: float, x: Floats) -> State:
        """State of the bodies that are not full, and of the markers of those that are."""
        parts = []
        for body in () if self.acting is None else self.acting.bodies:
            own = x[self.layout.q[body.name]]
            if self.is_full(body):
                part = self.full[body.name]
                own = part.marker_motion @ own + part.marker_shift(t)
            parts.append(own)
        n_q = len(x) - len(self.system.rows)
        q = np.concatenate([np.zeros(0), *parts])
        return State(t, q, np.zeros(self.spread.shape[0]), x[n_q:])

    def local(self, pair: ContactPair, x: Floats) -> tuple[Floats, Floats]:
        """Unknowns of the bodies of a contact, and zero velocities."""
        q = np.concatenate([x[self.layout.q[body.name]] for body in pair.bodies])
        return q, np.zeros(len(self.indices[pair.name]))

    def begin(
        self, pair: ContactPair, t: float, q: Floats, v: Floats, history: ContactHistory
    ) -> Any:
        """Start of an increment; compiled where the pair has a kernel and its frames rest."""
        if pair.name in self.nodal:
            return self.nodal[pair.name].begin(t, q, v, history)
        if pair.in_prescribed_frame:
            return ContactStart.of(pair, t, q, v, history, at_rest=True)
        return pair.begin(t, q, v, history)

    def given(self, x: Floats, t: float) -> Floats:
        """Forces (n,) on the unknowns but those of contacts and of deformation."""
        force = np.zeros(self.layout.size)
        if self.acting is not None:
            force += self.spread.T @ self.acting.force(self.acting_state(t, x))
        for name, part in self.full.items():
            force[self.layout.v[name]] += part.load(t)
        return force

    def shifts(self, name: str) -> Floats:
        """Steps of the unknowns (n, 3) per translation of a full body along x, y, z."""
        result = np.zeros((self.layout.size, 3))
        result[self.layout.v[name]] = self.full[name].translations
        return result

    def resisted(self, x: Floats, steps: Floats) -> npt.NDArray[np.bool_]:
        """Whether joints or springs resist steps (n, k) of the unknowns, by row or stiffness."""
        if self.acting is None:
            return np.zeros(steps.shape[1], dtype=bool)
        state, moved = self.acting_state(0.0, x), self.spread @ steps
        rows = self.acting.constraint(state).jacobian @ moved
        force = self.acting.tangents(state)[0] @ moved
        none = np.finfo(float).tiny
        return np.asarray((np.abs(rows).max(axis=0, initial=0.0) > SMALL)
                          | (np.abs(force).max(axis=0, initial=0.0) > none))  # fmt: skip

    def energy(self, state: State) -> float:
        """Energy of the system without contacts."""
        return float(self.bare.energies(state).total)


def _on_markers(
    system: System, full: Mapping[str, CondensedPart], acting: Sequence[Any]
) -> System | None:
    """Bodies that are not full and markers of those that are, with what acts on them."""
    stands_for = {id(part.body): part.markers for part in full.values() if part.markers is not None}
    own = [
        stands_for.get(id(body), body)
        for body in system.bodies
        if id(body) in stands_for or body.name not in full
    ]
    items = [rebound(item, stands_for) for item in (*acting, *system.constraints)]
    return System(own, items) if own else None


def reference_step(step: Any) -> ContactStep:
    """The step item by item, for what each point does."""
    return step if isinstance(step, ContactStep) else step.reference
