"""A system over a time step: stateful contacts go from the committed state to a trial one.

start = system.begin(state)              what the contacts keep at t_n
step = start.at(trial, h)                forces and tangents at t_n+1 = t_n + h
state = step.committed()                 the trial state with the new history
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.contact.evaluate.compiled.step import Start, Step
from fecontact.system.assembly import Assembly
from fecontact.system.program import Program
from fecontact.system.state import State
from fecontact.typing import Floats

__all__ = ["SystemStart", "SystemStep"]


@dataclass(frozen=True)
class SystemStart:
    """The start of a time step; `starts` are those of the stateful items.

    With a `program` the other items are evaluated by it.
    """

    assembly: Assembly
    starts: Mapping[str, Start]
    program: Program | None = None

    @staticmethod
    def of(assembly: Assembly, state: State, program: Program | None = None) -> SystemStart:
        """Keep the history of a state; contacts without one never touched."""
        state = assembly.history_layout.filled(state)
        starts = {
            item.name: item.begin(state.t, q, v, history)
            for item, q, v, history in assembly.histories(state)
        }
        return SystemStart(assembly, starts, program)

    def at(self, state: State, h: float) -> SystemStep:
        """End of a step of length h in s at a trial state; its own history does not matter."""
        steps = {}
        for item in self.assembly.stateful_contacts:
            q, v = self.assembly.local(item, state)
            steps[item.name] = self.starts[item.name].at(state.t, q, v, h)
        return SystemStep(self.assembly, state, steps, self.program)

    def no_slip(self) -> SystemStart:
        """Start of the same step for points that never slide: elastic tangents."""
        held = {name: start.no_slip() for name, start in self.starts.items()}
        return SystemStart(self.assembly, held, self.program)


@dataclass(frozen=True)
class SystemStep:
    """All items at the end of a time step."""

    assembly: Assembly
    state: State
    steps: Mapping[str, Step]
    program: Program | None = None

    @cached_property
    def forces(self) -> Floats:
        """Contribution of each item to the force, (items, n)."""
        known, own = {name: step.force for name, step in self.steps.items()}, self.assembly
        if self.program is None:
            return own.forces(self.state, known)
        parts = self.program.forces(self.state.t, self.state.q, self.state.v, known)
        for name, force in known.items():
            parts[own.item_indices[name]][own.dof_indices(name)] = own.fold(name, force, 0)
        return parts

    @cached_property
    def mass(self) -> Floats:
        """Mass matrix (n, n)."""
        return (self.program or self.assembly).mass_matrix(self.state.q)

    def d_inertia(self, a: Floats) -> Floats:
        """Derivative (n, n) of M a along an increment of the dofs, at fixed a."""
        return (self.program or self.assembly).d_inertia(self.state.q, a)

    @property
    def force(self) -> Floats:
        """Generalised force f (n,)."""
        return np.asarray(self.forces.sum(axis=0))

    def evaluate(self) -> tuple[Floats, Floats, Floats]:
        """Return f, df/dq and df/dv of all items; they are kept, do not change them."""
        return self._evaluated

    @cached_property
    def _evaluated(self) -> tuple[Floats, Floats, Floats]:
        known = {name: (step.force, *step.tangents()) for name, step in self.steps.items()}
        if self.program is None:
            return self.assembly.evaluate(self.state, known)
        state, fold = self.state, self.assembly.fold
        force, by_q, by_v = self.program.evaluate(state.t, state.q, state.v, known)
        for name, (own, slope_q, slope_v) in known.items():
            rows, columns = self.assembly.block(name)
            force[self.assembly.dof_indices(name)] += fold(name, own, 0)
            by_q[rows, columns] += fold(name, slope_q, 0, 1)
            by_v[rows, columns] += fold(name, slope_v, 0, 1)
        return force, by_q, by_v

    def committed(self) -> State:
        """The state with the new history."""
        histories = {name: step.history for name, step in self.steps.items()}
        return self.assembly.history_layout.with_histories(self.state, histories)
