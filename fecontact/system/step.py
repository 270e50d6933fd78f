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

from fecontact.contact.evaluate.compiled_step import Start, Step
from fecontact.system.assembly import Assembly
from fecontact.system.state import State
from fecontact.typing import Floats

__all__ = ["SystemStart", "SystemStep"]


@dataclass(frozen=True)
class SystemStart:
    """The start of a time step; `starts` are those of the stateful items."""

    assembly: Assembly
    starts: Mapping[str, Start]

    @staticmethod
    def of(assembly: Assembly, state: State) -> SystemStart:
        """Keep the history of a state; contacts without one never touched."""
        state = assembly.history_layout.filled(state)
        starts = {
            item.name: item.begin(state.t, q, v, history)
            for item, q, v, history in assembly.histories(state)
        }
        return SystemStart(assembly, starts)

    def at(self, state: State, h: float) -> SystemStep:
        """End of a step of length h in s at a trial state; its own history does not matter."""
        steps = {}
        for item in self.assembly.stateful_contacts:
            q, v = self.assembly.local(item, state)
            steps[item.name] = self.starts[item.name].at(state.t, q, v, h)
        return SystemStep(self.assembly, state, steps)

    def no_slip(self) -> SystemStart:
        """Start of the same step for points that never slide: elastic tangents."""
        return SystemStart(self.assembly, {name: s.no_slip() for name, s in self.starts.items()})


@dataclass(frozen=True)
class SystemStep:
    """All items at the end of a time step."""

    assembly: Assembly
    state: State
    steps: Mapping[str, Step]

    @cached_property
    def forces(self) -> Floats:
        """Contribution of each item to the force, (items, n)."""
        known = {name: step.force for name, step in self.steps.items()}
        return self.assembly.forces(self.state, known)

    @property
    def force(self) -> Floats:
        """Generalised force f (n,)."""
        return np.asarray(self.forces.sum(axis=0))

    def evaluate(self) -> tuple[Floats, Floats, Floats]:
        """Return f, df/dq and df/dv of all items."""
        known = {name: (step.force, *step.tangents()) for name, step in self.steps.items()}
        return self.assembly.evaluate(self.state, known)

    def committed(self) -> State:
        """The state with the new history."""
        histories = {name: step.history for name, step in self.steps.items()}
        return self.assembly.history_layout.with_histories(self.state, histories)
