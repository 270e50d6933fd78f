"""Steps of the generalised-alpha method by the compiled loop (`implicit.march`).

It goes from output to output by itself (`implicit.outputs`). A level of the general method is made
only where that goes on: it does the steps that are not ordinary. So restarts, outputs and messages
are the same for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.errors import SolverError
from fecontact.integrate.audit import Instant, energy_lines
from fecontact.integrate.implicit.march import BLIND, BROKEN, BUDGET, PAUSED, UNUSUAL
from fecontact.integrate.implicit.multipliers import BoundSteps, begin_rows, bound_steps
from fecontact.integrate.implicit.outputs import (
    AS_GIVEN,
    COUNTED,
    STOPPED,
    Outputs,
    march_on,
    row_parts,
)
from fecontact.integrate.implicit.welded import WeldedSteps
from fecontact.integrate.loop import motion as loop
from fecontact.integrate.loop.contacts import SteppedContact, SteppedContacts, SteppedReports
from fecontact.integrate.stepped import (
    new_motion,
    not_stepped,
    program_stores,
    stepped_items,
)
from fecontact.kernels.decorators import entry
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics
from fecontact.system import State, System
from fecontact.system.constraints.decomposition import ALL
from fecontact.system.program.constraint_rows import not_lowered, row_table
from fecontact.system.welds.kernels import WeldTable
from fecontact.system.welds.welds import Welds
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.integrate.implicit.method import AlphaRun

__all__ = ["CompiledSteps", "not_compiled"]

AT_ONCE, ROOM = 64, 1 << 18
"""Outputs that are done at once, at most, and the numbers that their rows may have."""
OF_STATE = ("t", "q", "v", "z", "status", "slip_totals")
"""Parts of a row that make a state."""
GLANCE, MORE = 0.1, 4
"""Time in s between looks at a signal to stop; factor by which a quick stretch gets longer."""
UNLIMITED = 1 << 60


def not_compiled(system: System) -> str:
    """Why a system has no compiled loop; empty if it has one."""
    if Welds.of(system) is None:
        return not_lowered(system.constraints) or not_stepped(system)
    return not_stepped(system)


class CompiledSteps:
    """The compiled loop of a run of the general method."""

    def __init__(self, run: AlphaRun) -> None:
        self.run, self.system = run, run.system
        self.program = self.system.step_program()
        self.contacts = SteppedContacts(self.system, self.program)
        self.items = stepped_items(self.system, self.program, self.contacts, run.audit, run.dofs)
        self.motion = new_motion(self.system, self.program, run.last.state.q, run.dofs)
        self.welds = self.bound = None
        if self.system.rows:
            welds = Welds.of(self.system)
            self.welds = None if welds is None else self._welded(welds)
            self.bound = self._bound() if welds is None else None
        stored = program_stores(self.system, self.program, run.last.state)
        if stored is not None:
            run.audit.stored = stored
        # what rows alone do not tell: reactions, energies of items in Python, what drives take
        self._by_rows = not (self.system.rows or stored is None or run.audit.carried)
        self.parts, self.outputs = self._rows()
        self._of_state = [self.parts[name] for name in OF_STATE]
        self._limit, self._given = 16, True
        self._last: Floats | None = None  # row where the loop is, if the run is not there
        self._march = entry(
            march_on, self.items, self.welds, self.bound, self.motion, self.outputs, np.zeros(1),
            0, 0,
        )  # fmt: skip

    def _rows(self) -> tuple[dict[str, slice], Outputs]:
        """Parts of a row of an output, and room for as many as are done at once."""
        contacts, items = self.contacts, len(self.system.items)
        friction, damper, pressure = contacts.bristle_places
        columns = len(contacts.places["z0"])
        sizes = len(self.motion.q), len(self.motion.v), items, len(pressure), columns
        parts = row_parts(*sizes, len(contacts.seen_places))
        length = parts["before"].stop
        count = max(1, min(AT_ONCE, ROOM // length)) if self._by_rows else 1
        return parts, Outputs(
            rows=np.zeros((count + 1, length)), done=np.zeros(3, dtype=np.int64),
            first=self.run.audit.first, kinds=self.program.kinds,
            history=contacts.history_places, totals=contacts.places["totals0"],
            seen=contacts.seen_places, before=contacts.kept_places,
            energies=contacts.energy_places, friction=friction,
            damper=np.ascontiguousarray(damper), pressure=pressure,
            grip=contacts.places["grip"], status=contacts.places["status0"],
        )  # fmt: skip

    def _bound(self) -> BoundSteps:
        """Rows of the system with the working space of their steps."""
        system = self.system
        rows, self._owners = row_table(system, system.constraints)
        self._sided = {name: system.row_slices[name].start for name in self.run.one_sided.largest}
        sided = np.zeros(len(system.rows), dtype=np.int64)
        sided[list(self._sided.values())] = 1
        return bound_steps(rows, sided, system.size)

    def _welded(self, welds: Welds) -> WeldedSteps:
        """Welds of the system with the arrays of the loop."""
        motion, w, rows = self.motion, self.run.weights, self.motion.rows
        names = ("full", "load", "diagonal", "correction", "space")
        table = {name: getattr(welds.table, name) for name in WeldTable.__annotations__}
        return WeldedSteps(
            **table, weights=np.array([w.alpha_m, w.alpha_f, w.beta, w.gamma]),
            q=motion.q, v=motion.v, rate=motion.rate, q1=motion.q1, mass=motion.mass,
            a0=rows[loop.A0], path=rows[loop.PATH], v1=rows[loop.V1], rate1=rows[loop.RATE1],
            acting=rows[loop.ACTING], **{name: np.zeros(self.system.size) for name in names},
        )  # fmt: skip

    def _carried(self, state: State, welds: WeldedSteps) -> Floats:
        """Multipliers (m,): what welded bodies lack at the end of the last step."""
        own = welds.free == 0
        rows = self.system.constraint(state).jacobian[:, own]
        return np.linalg.solve(rows.T, welds.load[own])

    def _multipliers(self, state: State, bound: BoundSteps) -> Floats:
        """Multipliers of least norm, as in the general loop, from those of the chosen rows."""
        if bound.rank[ALL] == len(bound.lam):
            return bound.carried.copy()
        motion = self.motion
        before = State(float(motion.numbers[loop.START]), motion.q0.copy(), np.zeros_like(motion.v))
        combined = self.run.basis(before).all
        held = combined @ self.system.constraint(state).jacobian
        mu: Any = np.linalg.lstsq(held.T, bound.before, rcond=None)[0]
        return np.asarray(mu @ combined, dtype=float)

    def points(self, goals: Floats, every: bool = False) -> Iterator[Point]:
        """Points at the goals, or after each step on the way.

        Steps that are not ordinary are those of the general method.
        """
        run, statistics, done, room = self.run, self.run.statistics, 0, len(self.outputs.rows) - 1
        self.outputs.done[2] = every
        while done < len(goals):
            before = replace(statistics)
            ahead = np.full(room, goals[done]) if every else goals[done : done + room]
            why, rows = self._stretch(ahead)
            for point, row in zip(self._points(rows), rows, strict=True):
                self._count(before, row[self.parts["counts"]].tolist())
                done += int(point.state.t >= goals[done])
                yield point
            self._count(before, self.motion.counts.tolist())
            if why in (UNUSUAL, BUDGET):
                if self._last is not None:
                    self._give(self._last)
                run.advance(float(goals[done]))
                self._given, arrived = True, run.last.state.t >= goals[done]
                done += int(arrived)
                if arrived or every:
                    yield run.output()

    def _stretch(self, goals: Floats) -> tuple[int, Floats]:
        """Steps up to some goals: why they end, and the rows (k, ...) of the goals on the way."""
        run, motion, outputs = self.run, self.motion, self.outputs
        statistics, budget = run.statistics, run.options.max_steps
        left = UNLIMITED if budget is None else budget - statistics.steps - statistics.rejected
        if self._given:
            self._take()
        elif outputs.done[1]:
            self._supply()
        motion.counts[:], outputs.done[0], started = 0, 0, perf_counter()
        args = self.items, self.welds, self.bound, motion, outputs, goals, left, self._limit
        why = self._march(*args)
        if why == PAUSED:
            quick = perf_counter() - started < GLANCE / MORE
            self._limit = min(MORE * self._limit, 1 << 30) if quick else max(1, self._limit // 2)
        if why == BROKEN:
            raise SolverError(f"t = {motion.numbers[loop.T]:.6g} s: an item cannot be evaluated")
        if why == BLIND:
            raise SolverError("a contact point lies where its surface has no normal")
        done = int(outputs.done[0])
        rows = outputs.rows[: done + 1].copy()
        if outputs.done[1] == STOPPED:
            self._last = rows[done]
        elif done:
            self._last = rows[done - 1]
        return why, rows[:done]

    def _points(self, rows: Floats) -> Iterator[Point]:
        """Points of the rows of outputs."""
        if not self._by_rows:
            for row in rows:
                self._give(row)
                yield self.run.output()
            return
        parts, first, none = self.parts, self.run.audit.first, np.zeros(0)
        works, lost, given = (rows[:, parts[name]] for name in ("works", "lost", "given"))
        sums = works, lost.sum(axis=-1), given.sum(axis=-1)
        lines = energy_lines(first, rows[:, parts["stored"]], *sums)
        resume = slice(parts["numbers"].start, parts["points"].stop)
        for row, line in zip(rows, lines, strict=True):
            yield Point(
                self._state(row, none), row[parts["rate"]], row[resume], line, self._reports(row)
            )

    def _state(self, row: Floats, lam: Floats) -> State:
        """State of a row."""
        t, q, v, z, status, totals = [row[part] for part in self._of_state]
        return State(float(t[0]), q, v, lam, z, status.view(np.int64), totals)

    def _reports(self, row: Floats) -> SteppedReports:
        """What the contacts did in the step that ends at a row."""
        parts = self.parts
        h = float(row[parts["numbers"].start + 2])
        return self.contacts.reports_of(row[parts["seen"]], row[parts["before"]], h)

    def _take(self) -> None:
        """Take over level, audit and history of the general method."""
        run, motion, last = self.run, self.motion, self.run.last
        w, options, audit = run.weights, run.options, run.audit
        motion.numbers[:] = (
            last.state.t, run.h, run.longest, last.h, last.kinked, options.step or 0.0,
            options.rtol, options.atol, w.alpha_m, w.alpha_f, w.beta, w.gamma, 0.0,
            any(map(_drops, self.contacts)), np.inf, 0.0,
        )  # fmt: skip
        motion.q[:], motion.v[:], motion.a[:] = last.state.q, last.state.v, last.a
        motion.rate[:], motion.change[:] = last.rate, last.rate_change
        motion.scale_q[:], motion.scale_v[:] = run.scale.q, run.scale.v
        motion.before[:] = audit.last.forces[:-1]
        motion.works[:], motion.lost[:], motion.given[:] = (
            audit.works[:-1], audit.lost, audit.given[:-1],
        )  # fmt: skip
        motion.powers[0] = audit.last.lost - audit.last.bent
        motion.powers[1] = audit.last.given[:-1]
        self.contacts.write(self.system.history_layout.filled(last.state))
        self.contacts.write_grip(audit.last.points)
        self._supply()
        self.outputs.done[1], self._given, self._last = AS_GIVEN, False, None

    def _supply(self) -> None:
        """Energies of driven bodies, and constraints, at the start of a stretch."""
        audit = self.run.audit
        for i in audit.carried:
            self.motion.powers[3, i] = audit.strain(i, self.run.last.state)
        if self.bound is not None:
            self._take_rows(self.bound)

    def _take_rows(self, bound: BoundSteps) -> None:
        """Begin with the constraints at the last level, and the sums of the audit."""
        audit, last = self.run.audit, self.run.last.state
        if not begin_rows(self.items, bound, self.motion):
            raise SolverError(f"t = {last.t:.6g} s: the constraints cannot be evaluated")
        bound.before[:], bound.carried[:], bound.kept[0] = bound.jacobian.T @ last.lam, last.lam, 0
        bound.sums[:] = audit.works[-1], audit.given[-1], audit.last.given[-1]
        for name, row in self._sided.items():
            bound.largest[row] = self.run.one_sided.largest[name]

    def _give(self, row: Floats) -> None:
        """Hand over a row to the general method: level, reports and audit."""
        run, audit, parts, items = self.run, self.run.audit, self.parts, len(self.system.items)
        state = self._state(row, np.zeros(0))
        if self.welds is not None:
            state = replace(state, lam=self._carried(state, self.welds))
        audit.works, audit.lost, audit.given = (
            row[parts[name]].copy() for name in ("works", "lost", "given")
        )
        forces = row[parts["forces"]].reshape(items + 1, -1)
        lost, bent, given = (row[parts[name]] for name in ("lost_now", "bent_now", "given_now"))
        if self.bound is not None:
            state = replace(state, lam=self._multipliers(state, self.bound))
            forces[-1] = self.bound.before
            for name, place in self._sided.items():
                run.one_sided.largest[name] = float(self.bound.largest[place])
            audit.works[-1], audit.given[-1], given[-1] = self.bound.sums
        points = row[parts["points"]].reshape(5, -1)
        audit.last = Instant(state, forces, lost, bent, given, points)
        run.longest, run.h, h, kinked = row[parts["numbers"]].tolist()
        run.scale.q, run.scale.v = row[parts["scale_q"]].copy(), row[parts["scale_v"]].copy()
        run.reports = self._reports(row)
        rate, change, a = (row[parts[name]] for name in ("rate", "change", "a"))
        run.last = run.level_at(state, rate, change, a, h, bool(kinked))

    def _count(self, before: Statistics, counts: Sequence[float]) -> None:
        """Set the counters of the run: those before a stretch, and what the loop has counted."""
        vars(self.run.statistics).update(vars(before))
        self.run.statistics.add(COUNTED, map(int, counts))
        self.run.statistics.compiled += int(counts[0])


def _drops(contact: SteppedContact) -> bool:
    """Whether the friction of a contact may jump where a point sticks or lets go."""
    law: Any = contact.item.friction
    return law.sticks and law.coefficient.constant is None
