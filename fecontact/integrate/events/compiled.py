"""Steps of the event-driven method by the compiled loop (`events.march`), from event to event.

The loop does the steps of `solver` "RK45" or "DOP853" and locates events; switches and outputs are
those of the general method, which looks at the contacts by the same compiled functions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fecontact.body.base import as_body
from fecontact.contact.kernels.fixed_status import SIGNALS
from fecontact.contact.pair import ContactPair
from fecontact.errors import SolverError
from fecontact.integrate.events import equations, march
from fecontact.integrate.events.contacts import EventContacts, Seen
from fecontact.integrate.rate.ode import endless_step, failed_step
from fecontact.kernels.lowered import FORCE, POWERS, record_size
from fecontact.solvers.dense import lu_factorise
from fecontact.solvers.runge_kutta import END, LONGEST, RTOL, T_OLD, T, interpolate, runge_kutta
from fecontact.system import State, System
from fecontact.system.dofs import Dofs
from fecontact.system.program.kernels import RECORDS, moved
from fecontact.typing import Floats, supports

if TYPE_CHECKING:
    from fecontact.integrate.events.method import EventRun

__all__ = ["COMPILED", "CompiledSolver", "not_compiled"]

COMPILED = ("DOP853", "RK45")
"""Solvers that the compiled loop has."""
SHORT = "Required step size is less than spacing between numbers."
PAUSE = 256
"""Steps between looks at a signal to stop."""


def not_compiled(system: System, solver: str, audit: bool) -> str:
    """Why a system has no compiled loop; empty if it has one."""
    if solver not in COMPILED:
        return f"solver '{solver}'"
    if system.rows:
        return f"constraint '{system.constraints[0].name}'"
    if audit and any(
        as_body(body).driven and not supports(body, "supplied_power") for body in system.bodies
    ):
        return "the energy audit of bodies that a prescribed motion carries"
    for item in system.stateful_contacts:
        if not isinstance(item, ContactPair) or item.lowered_fixed_status() is None:
            return f"contact '{item.name}'"
    return "" if _moves(system) else "bodies that move in a way of their own"


def _moves(system: System) -> bool:
    """Whether coordinates move as the loop moves them, seen at a random state."""
    dofs, rest = Dofs(system), system.rest().q
    step, v = np.random.default_rng(0).standard_normal((2, system.size))
    probe = np.empty_like(rest)
    moved(rest, step, *dofs.moves, probe)
    found = np.empty_like(rest)
    equations.coordinate_rates(*dofs.moves, probe, v, found)
    return np.allclose(probe, system.move(rest, step), rtol=0.0, atol=1e-12) and np.allclose(
        found, system.rate(probe, v), rtol=0.0, atol=1e-12
    )


class CompiledSolver:
    """Steps and tests of a run; to the run it is a solver as scipy's are.

    Attributes
    ----------
    equations, watch, steps
        What the loop works on: the system, its contact points, the Runge-Kutta pair.
    """

    def __init__(self, run: EventRun) -> None:
        self.run, self.program = run, run.system.fixed_status_program()
        self.equations = self._equations()
        self.watch = self._watch()
        self.steps = runge_kutta(run.options.solver, int(run.ends[-1]))
        self._stepped = False

    @property
    def t(self) -> float:
        """Time reached by the steps."""
        return float(self.steps.numbers[T])

    @property
    def t_old(self) -> float:
        """Start of the last step."""
        return float(self.steps.numbers[T_OLD])

    @property
    def y(self) -> Floats:
        """State at the end of the last step."""
        return self.steps.y.copy()

    @property
    def step_size(self) -> float | None:
        """Length of the last step."""
        return self.t - self.t_old if self._stepped else None

    def begin(self, t: float, y: Floats, first: float | None, rtol: float, atol: Floats) -> None:
        """Start anew at a state, with a first step if it is known."""
        steps, options = self.steps, self.run.options
        steps.numbers[[T, END, RTOL]] = t, self.run.end, rtol
        steps.numbers[LONGEST] = options.step or np.inf
        steps.y[:], steps.atol[:], self._stepped = y, atol, False
        self.write(self.run.contacts)
        x, audit = self.watch.numbers, self.run.audit
        x[march.LARGEST], x[march.FORCE] = self.run.largest, np.abs(audit.last.forces).max()
        if not march.begin(self.equations, self.watch, steps, first or 0.0):
            self._raise(t, y)
        self._count()

    def advance(self, goal: float) -> None:
        """Steps up to the first event or the goal."""
        run, watch, x = self.run, self.watch, self.watch.numbers
        x[march.FORCE] = np.abs(run.audit.last.forces).max()
        self.write(run.contacts)
        watch.first[:], watch.slow[:] = run.functions, run.slow
        why = march.PAUSED
        while why == march.PAUSED:
            run.statistics.within(run.options.max_steps, self.t)
            left, budget = PAUSE, run.options.max_steps
            if budget is not None:
                left = min(left, budget - run.statistics.steps - run.statistics.rejected)
            why = march.march(self.equations, watch, self.steps, goal, left)
            self._count()
            if why == march.PAUSED:
                self.settle()
        self._stepped = True
        if why != march.EVENT:
            self._fail(why)
        run.largest, run.t = float(x[march.LARGEST]), float(x[march.REACHED])
        run.event, run.slow = watch.event.astype(bool), watch.slow.copy()
        run.contacts = self._contacts(run.contacts)

    def settle(self) -> None:
        """After a step without an event, as `EventRun.settle`."""
        if not march.settle(self.equations, self.watch, self.steps):
            self._raise(self.t, self.steps.y)
        self._count()

    def take(self) -> None:
        """Settle the last step, and hand over contacts and event functions to the run."""
        run = self.run
        self.write(run.contacts)
        self.settle()
        run.contacts, run.functions = self._contacts(run.contacts), self.watch.first.copy()
        run.slow = self.watch.slow.copy()

    def dense_output(self) -> CompiledSolver:
        """States inside of the last step."""
        if not march.dense_output(self.equations, self.watch, self.steps):
            self._raise(self.t, self.steps.y)
        self._count()
        return self

    def __call__(self, t: float) -> Floats:
        """State at a time inside of the last step, after `dense_output`."""
        result = np.empty(len(self.steps.y))
        interpolate(self.steps, float(t), result)
        return result

    def look(self, contacts: EventContacts, state: State, y: Floats) -> Seen:
        """What events look at, of contacts at a state."""
        self.write(contacts)
        if not march.look_at(self.equations, self.watch, state.t, y):
            self._raise(state.t, y)
        return Seen(state, self.equations.signals.copy())

    def write(self, contacts: EventContacts) -> None:
        """Take over status, directions and thresholds of contacts."""
        own, watch = self.equations, self.watch
        own.status[:], own.toward[:] = contacts.status, contacts.toward
        watch.rest[:], watch.threshold[:] = contacts.rest, contacts.threshold
        watch.spent[:], watch.numbers[march.SINCE] = contacts.spent, contacts.since

    def _contacts(self, old: EventContacts) -> EventContacts:
        """Contacts as the loop has left them."""
        own, watch = self.equations, self.watch
        return replace(
            old, toward=own.toward.copy(), threshold=watch.threshold.copy(),
            spent=watch.spent.copy(),
        )  # fmt: skip

    def _equations(self) -> equations.Equations:
        run, program = self.run, self.program
        system, audit, n = run.system, run.audit, run.system.size
        rows, first = [], 0
        for item in system.stateful_contacts:
            assert isinstance(item, ContactPair)
            index = next(i for i, each in enumerate(program.summands) if each is item)
            n_q = sum(len(body.reference()) for body in item.bodies)
            size = record_size(n_q, sum(len(body.dofs) for body in item.bodies))
            rows.append([index, item.points, first, program.table[index, RECORDS] + size])
            first += item.points
        stateful, bodies = {row[0] for row in rows}, len(system.bodies)
        loads, supplying = np.zeros((2, len(system.items)), dtype=np.int64)
        loads[:], supplying[audit.spun] = audit.loads, 1
        tasks, timed = np.full(len(program.table), FORCE), np.zeros(len(program.table), dtype=int)
        for i, summand in enumerate(program.summands):
            if i in stateful or not run.keep_audit:
                continue
            known = supports(summand, "dissipated_power") or (i < bodies and supplying[i])
            tasks[i] = POWERS if known else FORCE
            timed[i] = i >= bodies and supports(summand, "energy") and program.lowered[i].timed
        mass = program.mass_matrix(system.rest().q)
        factors, pivots = mass.copy(), np.zeros(n, dtype=np.int64)
        lu_factorise(factors, pivots)
        plain, turns = run.dofs.moves
        ends = run.ends.tolist()
        return equations.Equations(
            table=program.table, indices=program.indices, work=program.work, moving=program.moving,
            tasks=tasks, timed=timed, loads=loads, supplying=supplying, plain=plain, turns=turns,
            contacts=np.array(rows, dtype=np.int64).reshape(-1, 4),
            sizes=np.array([ends[0], n, ends[2], ends[3], run.keep_audit], dtype=np.int64),
            mass=program.mass, matrix=mass, factors=factors, pivots=pivots,
            forces=np.zeros((len(system.items), n)), force=np.zeros(n),
            lost=np.zeros(len(system.items)), given=np.zeros(len(system.items)),
            status=np.zeros(first, dtype=np.int64), toward=np.zeros((first, 3)),
            signals=np.zeros((SIGNALS, first)),
        )  # fmt: skip

    def _watch(self) -> march.Watch:
        run = self.run
        contacts, options = run.contacts, run.options
        laws, points, size = contacts.laws, len(contacts.status), int(run.ends[-1])
        numbers, counts = np.zeros(10), np.zeros(4, dtype=np.int64)
        numbers[[march.EPS, march.PSI, march.RTOL, march.ATOL, march.FRACTION]] = (
            contacts.eps, contacts.angle, options.rtol, options.atol, run.fraction
        )  # fmt: skip
        counts[march.TESTS] = run.tests
        by_event = (points, 3)
        return march.Watch(
            numbers=numbers, counts=counts, rest=np.zeros(points), threshold=np.zeros(points),
            spent=np.zeros(points), stiffness=laws.stiffness.copy(), spring=laws.spring,
            relaxation=laws.relaxation.copy(), damped=laws.damped.astype(np.int64),
            pulls=contacts.pulls, first=np.zeros(by_event), functions=np.zeros(by_event),
            event=np.zeros(by_event, dtype=np.int64), tested=np.zeros((3, points, 3)),
            size=np.zeros(by_event), watched=np.zeros(by_event, dtype=np.int64),
            slow=np.zeros(points, dtype=np.int64), state=np.zeros(size), rate=np.zeros(size),
        )  # fmt: skip

    def _count(self) -> None:
        """Add the counters of the loop to those of the run."""
        counts, statistics = self.watch.counts, self.run.statistics
        statistics.steps += int(counts[march.STEPS])
        statistics.compiled += int(counts[march.STEPS])
        statistics.evaluations += int(counts[march.EVALUATIONS])
        counts[[march.STEPS, march.EVALUATIONS]] = 0

    def _fail(self, why: int) -> None:
        """Raise what is wrong with the last step."""
        if why == march.BROKEN:
            self._raise(self.t, self.steps.trial)
        raise endless_step(self.t) if why == march.MANY else failed_step(self.t, SHORT)

    def _raise(self, t: float, y: Floats) -> None:
        """Raise what an item that fails has to say."""
        self.run.law(self.run.state_at(t, y))
        q, v, _ = np.split(y, self.run.ends[:2])
        failed = int(self.watch.counts[march.FAILED])
        if failed <= len(self.program.table):
            self.program.check(failed, self.program.table, t, q, v)
        raise SolverError(f"t = {t:.6g} s: the system cannot be evaluated")
