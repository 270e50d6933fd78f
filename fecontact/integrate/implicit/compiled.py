"""Steps of the generalised-alpha method by the compiled loop (`implicit.march`), between outputs.

A stretch begins and ends at a level of the general method, which also does the steps that are not
ordinary. So restarts, outputs and messages are the same for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.contact.report import ContactReport
from fecontact.errors import SolverError
from fecontact.integrate.audit import Instant, points_of
from fecontact.integrate.implicit.alpha import Level
from fecontact.integrate.implicit.march import ARRIVED, BROKEN, PAUSED, march
from fecontact.integrate.implicit.welded import WeldedSteps
from fecontact.integrate.loop import motion as loop
from fecontact.integrate.loop.last_step import see_last_step
from fecontact.integrate.stepped import (
    SteppedContact,
    new_motion,
    not_stepped,
    program_stores,
    stepped_contacts,
    stepped_items,
)
from fecontact.joint.constraint import RigidJoint
from fecontact.kernels.decorators import entry
from fecontact.system import State, System
from fecontact.system.welds.kernels import WeldTable
from fecontact.system.welds.welds import Welds
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.integrate.implicit.method import AlphaRun

__all__ = ["CompiledSteps", "not_compiled"]

GLANCE = 0.1
"""Time in s between looks at a signal to stop."""
UNLIMITED = 1 << 60


def not_compiled(system: System) -> str:
    """Why a system has no compiled loop; empty if it has one."""
    if Welds.of(system) is None:
        others = [joint for joint in system.constraints if not isinstance(joint, RigidJoint)]
        return f"constraint '{(others or system.constraints)[0].name}'"
    return not_stepped(system)


class CompiledSteps:
    """The compiled loop of a run of the general method."""

    def __init__(self, run: AlphaRun) -> None:
        self.run, self.system = run, run.system
        self.program = self.system.step_program()
        self.contacts = stepped_contacts(self.system, self.program)
        self.items = stepped_items(self.system, self.program, self.contacts, run.audit, run.dofs)
        self.motion = new_motion(self.system, self.program, run.last.state.q, run.dofs)
        self.welds = self._welded() if self.system.rows else None
        kept = self.items.contacts[:, [loop.KEPT_HISTORY, loop.LENGTH]].tolist()
        self._kept = [self.items.kept[first : first + length] for first, length in kept]
        self._limit = 16
        self._begin = entry(loop.begin, self.items, self.motion)
        self._march = entry(march, self.items, self.welds, self.motion, 0.0, 0, 0)
        self._see = entry(see_last_step, self.items, self.motion)
        places = np.arange(len(self.program.work))
        self._history = [
            np.concatenate(
                [places[:0], *(places[contact.parts[name]] for contact in self.contacts)]
            )
            for name in ("z0", "status0", "totals0")
        ]
        self._given: Level | None = None
        stored = program_stores(self.system, self.program, run.last.state)
        if stored is not None:
            run.audit.stored = stored

    def _welded(self) -> WeldedSteps:
        """Welds of the system with the arrays of the loop."""
        welds, motion, w, rows = (
            Welds.of(self.system), self.motion, self.run.weights, self.motion.rows
        )  # fmt: skip
        assert welds is not None
        names = ("full", "load", "diagonal", "correction", "space")
        table = {name: getattr(welds.table, name) for name in WeldTable.__annotations__}
        return WeldedSteps(
            **table, weights=np.array([w.alpha_m, w.alpha_f, w.beta, w.gamma]),
            q=motion.q, v=motion.v, rate=motion.rate, q1=motion.q1, mass=motion.mass,
            a0=rows[loop.A0], path=rows[loop.PATH], v1=rows[loop.V1], rate1=rows[loop.RATE1],
            acting=rows[loop.ACTING], **{name: np.zeros(self.system.size) for name in names},
        )  # fmt: skip

    def _carried(self, state: State) -> Floats:
        """Multipliers (m,): what welded bodies lack at the end of the last step."""
        if self.welds is None:
            return np.zeros(0)
        own = self.welds.free == 0
        rows = self.system.constraint(state).jacobian[:, own]
        return np.linalg.solve(rows.T, self.welds.load[own])

    def advance(self, goal: float) -> None:
        """Steps up to the goal, or up to a step that the general method has done."""
        run, motion, statistics = self.run, self.motion, self.run.statistics
        self._take()
        budget = run.options.max_steps
        left = UNLIMITED if budget is None else budget - statistics.steps - statistics.rejected
        while True:
            started = perf_counter()
            why = self._march(self.items, self.welds, motion, goal, left, self._limit)
            if why == PAUSED:
                quick = perf_counter() - started < 0.5 * GLANCE
                self._limit = min(2 * self._limit, 1 << 30) if quick else max(1, self._limit // 2)
                continue
            break
        if motion.counts[loop.STEPS]:
            self._give()
        self._count()
        if why == BROKEN:
            raise SolverError(f"t = {motion.numbers[loop.T]:.6g} s: an item cannot be evaluated")
        if why != ARRIVED:
            run.advance(goal)

    def _take(self) -> None:
        """Begin at the level of the general method, with a new tangent as after any output."""
        if self.run.last is not self._given:
            self._take_level()
        self.motion.counts[:] = 0
        self.motion.numbers[loop.KEPT] = 0.0
        audit = self.run.audit
        for i in audit.carried:
            self.motion.powers[3, i] = audit.strain(i, self.run.last.state)
        points = audit.last.points
        for contact in self.contacts:
            own = self.system.history_layout.status[contact.item.name]
            contact.write_grip(self.program.work, points[:4, own])
        if self.contacts and not self._begin(self.items, self.motion):
            raise SolverError("a contact point lies where its surface has no normal")

    def _take_level(self) -> None:
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
        state = self.system.history_layout.filled(last.state)
        for contact in self.contacts:
            history = self.system.history_layout.history(state, contact.item.name)
            contact.write(self.program.work, history)

    def _give(self) -> None:
        """Hand over the last step to the general method: level, reports and audit."""
        run, motion, x = self.run, self.motion, self.motion.numbers
        h, work, audit = float(x[loop.LAST_H]), self.program.work, run.audit
        if not self._see(self.items, motion):
            raise SolverError("a contact point lies where its surface has no normal")
        reports = {
            contact.item.name: contact.report(work, kept, h)
            for contact, kept in zip(self.contacts, self._kept, strict=True)
        }
        z, status, slip_totals = (work[places] for places in self._history)
        state = State(
            float(x[loop.T]), motion.q.copy(), motion.v.copy(), np.zeros(0), z,
            status.view(np.int64), slip_totals,
        )  # fmt: skip
        state = replace(state, lam=self._carried(state))
        audit.works[:-1], audit.lost[:], audit.given[:-1] = motion.works, motion.lost, motion.given
        audit.last = self._instant(state, reports)
        run.reports, run.h, run.longest = reports, float(x[loop.H]), float(x[loop.LONGEST])
        run.scale.q, run.scale.v = motion.scale_q.copy(), motion.scale_v.copy()
        run.last = self._given = run.level_at(
            state, motion.rate.copy(), motion.change.copy(), motion.a.copy(), h,
            bool(x[loop.KINKED]),
        )  # fmt: skip

    def _instant(self, state: State, reports: Mapping[str, ContactReport]) -> Instant:
        """Forces and powers at the end of the last step, without those of the bristles' dampers."""
        items = len(self.system.items)
        forces, given = np.zeros((items + 1, self.system.size)), np.zeros(items + 1)
        forces[:-1], given[:-1] = self.motion.before, self.motion.powers[1]
        lost = self.motion.powers[0].copy()
        return Instant(state, forces, lost, np.zeros(items), given, points_of(reports))

    def _count(self) -> None:
        """Add the counters of the loop to those of the run."""
        counts, statistics = self.motion.counts.tolist(), self.run.statistics
        names = (
            "steps", "rejected", "iterations", "factorisations", "unbalanced", "evaluations",
            "events", "to_open", "to_stick", "to_slip", "to_gross_slip",
        )  # fmt: skip
        for name, count in zip(names, counts, strict=True):
            setattr(statistics, name, getattr(statistics, name) + count)
        statistics.compiled += counts[0]


def _drops(contact: SteppedContact) -> bool:
    """Whether the friction of a contact may jump where a point sticks or lets go."""
    law: Any = contact.item.friction
    return law.sticks and law.coefficient.constant is None
