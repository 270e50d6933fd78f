"""Steps of the event-driven method by the compiled loop (`events.march`), from event to event.

The loop does the steps of `solver` "RK45" or "DOP853" and locates events; switches and outputs are
those of the general method, which looks at the contacts by the same compiled functions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fecontact.contact.pair import ContactPair
from fecontact.integrate.events import march
from fecontact.integrate.events.contacts import EventContacts, Seen
from fecontact.integrate.rate import equations
from fecontact.integrate.rate.compiled import (
    COMPILED,
    CompiledSteps,
    equations_of,
    without_program,
)
from fecontact.kernels.lowered import record_size
from fecontact.system import State, System
from fecontact.system.program import Program
from fecontact.system.program.kernels import RECORDS
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from fecontact.integrate.events.method import EventRun

__all__ = ["CompiledSolver", "not_compiled"]


def not_compiled(system: System, solver: str, audit: bool) -> str:
    """Why a system has no compiled loop; empty if it has one."""
    if solver not in COMPILED:
        return f"solver '{solver}'"
    why = without_program(system, audit)
    for item in system.stateful_contacts:
        if not why and (not isinstance(item, ContactPair) or item.lowered_fixed_status() is None):
            why = f"contact '{item.name}'"
    return why


class CompiledSolver(CompiledSteps):
    """Steps and tests of a run; to the run it is a solver as scipy's are.

    Attributes
    ----------
    watch
        The contact points that events look at.
    """

    run: EventRun

    def __init__(self, run: EventRun) -> None:
        program = run.system.fixed_status_program()
        own = equations_of(run, program, _contacts(run.system, program), run.keep_audit)
        super().__init__(run, program, own)
        self.watch = self._watch()

    def begin(self, t: float, y: Floats, first: float | None, rtol: float, atol: Floats) -> None:
        """Start anew at a state, with a first step if it is known."""
        self.watch.numbers[march.TIME] = t
        super().begin(t, y, first, rtol, atol)

    def advance(self, goal: float) -> None:
        """Steps up to the first event or the goal."""
        run, watch = self.run, self.watch
        watch.first[:], watch.slow[:] = run.functions, run.slow
        super().advance(goal)
        run.t = float(watch.numbers[march.TIME])
        run.event, run.slow = watch.event.astype(bool), watch.slow.copy()
        run.contacts = self._contacts(run.contacts)

    def settle(self) -> None:
        """After a step without an event, as `EventRun.settle`."""
        if not march.settle(self.equations, self.pace, self.watch, self.steps):
            self._raise(self.t, self.steps.y)
        self._count()

    def take(self) -> None:
        """Settle the last step, and hand over contacts and event functions to the run."""
        run = self.run
        self.write(run.contacts)
        self.settle()
        run.contacts, run.functions = self._contacts(run.contacts), self.watch.first.copy()
        run.slow = self.watch.slow.copy()

    def look(self, contacts: EventContacts, state: State, y: Floats) -> Seen:
        """What events look at, of contacts at a state."""
        self.write(contacts)
        if not march.look_at(self.equations, self.pace, self.watch, state.t, y):
            self._raise(state.t, y)
        return Seen(state, self.equations.signals.copy())

    def write(self, contacts: EventContacts) -> None:
        """Take over status, directions and thresholds of contacts."""
        own, watch = self.equations, self.watch
        own.status[:], own.toward[:] = contacts.status, contacts.toward
        watch.rest[:], watch.threshold[:] = contacts.rest, contacts.threshold
        watch.spent[:], watch.numbers[march.SINCE] = contacts.spent, contacts.since

    def _prepare(self) -> None:
        super()._prepare()
        self.write(self.run.contacts)

    def _march(self, goal: float, most: int) -> int:
        return march.march(self.equations, self.pace, self.watch, self.steps, goal, most)

    def _contacts(self, old: EventContacts) -> EventContacts:
        """Contacts as the loop has left them."""
        own, watch = self.equations, self.watch
        return replace(
            old, toward=own.toward.copy(), threshold=watch.threshold.copy(),
            spent=watch.spent.copy(),
        )  # fmt: skip

    def _watch(self) -> march.Watch:
        contacts = self.run.contacts
        laws, points = contacts.laws, len(contacts.status)
        numbers = np.zeros(4)
        numbers[[march.EPS, march.PSI]] = contacts.eps, contacts.angle
        by_event = (points, 3)
        return march.Watch(
            numbers=numbers, counts=np.array([self.run.tests], dtype=np.int64),
            rest=np.zeros(points), threshold=np.zeros(points),
            spent=np.zeros(points), stiffness=laws.stiffness.copy(), spring=laws.spring,
            relaxation=laws.relaxation.copy(), damped=laws.damped.astype(np.int64),
            pulls=contacts.pulls, first=np.zeros(by_event), functions=np.zeros(by_event),
            event=np.zeros(by_event, dtype=np.int64), tested=np.zeros((3, points, 3)),
            size=np.zeros(by_event), watched=np.zeros(by_event, dtype=np.int64),
            slow=np.zeros(points, dtype=np.int64),
        )  # fmt: skip


def _contacts(system: System, program: Program) -> Integers:
    """Contacts that keep their status (`lowered_fixed_status.PARTS`), as `Equations` has them."""
    contacts = system.stateful_contacts
    result = np.full((len(contacts), equations.COLUMNS), -1, dtype=np.int64)
    first = 0
    for row, item in zip(result, contacts, strict=True):
        index = next(i for i, each in enumerate(program.summands) if each is item)
        n_q = sum(len(body.reference()) for body in item.bodies)
        n, points = sum(len(body.dofs) for body in item.bodies), item.points
        memory = program.table[index, RECORDS] + record_size(n_q, n)
        row[[equations.ROW, equations.POINTS, equations.STATES]] = index, points, 3
        row[[equations.FIRST, equations.FIRST_Z]] = first, 3 * first
        for name, length in (
            ("Z", 3), ("STATUS", 1), ("TOWARD", 3), ("TOTALS", 2), ("SIGNAL", 0)
        ):  # fmt: skip
            row[getattr(equations, name)], memory = memory, memory + length * points
        row[equations.RATE] = row[equations.Z]
        first += points
    return result
