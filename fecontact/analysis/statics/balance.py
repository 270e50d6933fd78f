"""Balance of the forces of statics at trial unknowns, with its derivative."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from fecontact.analysis.statics.increment import ContactResult, Increment, round_off
from fecontact.analysis.statics.model import StaticModel, reference_step
from fecontact.analysis.statics.nodal_contact import NodalStep
from fecontact.contact.evaluate.compiled.step import CompiledStep
from fecontact.contact.evaluate.step import ContactStep
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["StaticBalance"]


@dataclass(frozen=True, eq=False)
class StaticBalance:
    """Forces of a system at trial unknowns."""

    model: StaticModel
    before: Increment
    t: float
    x: Floats
    steps: dict[str, ContactStep | CompiledStep | NodalStep]

    @cached_property
    def residual(self) -> tuple[Floats, float, float]:
        """Imbalance and violated rows; sizes are forces and, as forces, rows."""
        model, layout = self.model, self.model.layout
        force, terms = np.zeros((2, layout.size))
        violated = np.zeros(0)
        if self._acting is not None:
            acting, state = self._acting
            rows, C = acting.constraint(state), model.spread
            parts = np.vstack([acting.forces(state), rows.jacobian.T @ state.lam])
            on_unknowns = C.T @ parts.T
            force += on_unknowns.sum(axis=1)
            terms += np.abs(on_unknowns).sum(axis=1)
            violated = rows.value
        for name, part in model.full.items():
            given, elastic = part.load(self.t), part.stiffness @ self.x[layout.q[name]]
            force[layout.v[name]] += given - elastic
            terms[layout.v[name]] += np.abs(given) + np.abs(elastic)
        for name, step in self.steps.items():
            np.add.at(force, model.indices[name], step.force)
            np.add.at(terms, model.indices[name], np.abs(step.force))
        scaled = self._row_scale * violated
        size = float(np.hypot(np.linalg.norm(force), np.linalg.norm(scaled)))
        return np.concatenate([force, violated]), size, float(np.linalg.norm(terms))

    @property
    def round_off(self) -> float:
        """Round-off of the contact forces."""
        return sum(round_off(reference_step(step)) for step in self.steps.values())

    def tangent(self, no_slip: bool) -> Floats:
        """Derivative of force and rows by coordinates and multipliers."""
        layout, n = self.model.layout, self.model.layout.size
        m = len(self.model.system.rows)
        K = np.zeros((n + m, n + m))
        if self._acting is not None:
            acting, state = self._acting
            rows, C = acting.constraint(state), self.model.spread
            own = acting.tangents(state)[0] + rows.d_load(state.lam)
            K[:n, :n] = C.T @ (C.T @ own.T).T
            K[n:, :n] = (C.T @ rows.jacobian.T).T
            K[:n, n:] = K[n:, :n].T
        for name, part in self.model.full.items():
            K[layout.v[name], layout.v[name]] -= part.stiffness
        for name, step in self.steps.items():
            indices = self.model.indices[name]
            change = (step.no_slip() if no_slip else step).tangents()[0]
            entries = sp.coo_array(change)
            at = indices[entries.row], indices[entries.col]
            summed = sp.csr_array(sp.coo_array((entries.data, at), shape=K.shape)).tocoo()
            K[summed.row, summed.col] += summed.data
        return K

    def increment(self) -> Increment:
        """Accept the trial."""
        contacts = {
            name: ContactResult.of(reference_step(step), self.before.contacts[name])
            for name, step in self.steps.items()
        }
        state = self.model.state(self.t, self.x)
        return Increment(self.t, self.x, contacts, self.model.energy(state))

    @cached_property
    def _acting(self) -> tuple[System, State] | None:
        """What acts beside contacts and dead loads on full bodies, with its state."""
        acting = self.model.acting
        return None if acting is None else (acting, self.model.acting_state(self.t, self.x))

    @property
    def _row_scale(self) -> float:
        """Stiffness in N/m that makes violated rows comparable with forces.

        That of markers of full bodies, which follow their joints, else of the contacts. One far
        larger would let the line search shorten steps for violations that are of second order.
        """
        starts = [reference_step(step).start for step in self.steps.values()]
        stiffness = [start.law.stiffness * start.pair.surface.measure for start in starts]
        full = [part.marker_stiffness for part in self.model.full.values()]
        return max(full, default=0.0) or max(stiffness, default=1.0)
