"""Explicit method over the program of a system: any items and contact pairs on rigid surfaces.

The formulas are those of `explicit.general`, in one compiled loop (`explicit.lowered_march`). Rigid
bodies welded to others by a `RigidJoint` follow them without multipliers (`system.welds`); the
multipliers of an output are those that the forces of its step ask for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from fecontact.contact.report import ContactReport
from fecontact.errors import InputError, SolverError
from fecontact.integrate.audit import EnergyAudit, Instant
from fecontact.integrate.explicit import lowered_march as loop
from fecontact.integrate.explicit.bound import StepLimits, step_limits
from fecontact.integrate.loop.contacts import SteppedContacts
from fecontact.integrate.loop.last_step import see_last_step
from fecontact.integrate.loop.motion import (
    EVENTS,
    FORCES,
    T,
    begin,
)
from fecontact.integrate.stepped import (
    new_motion,
    not_stepped,
    program_stores,
    stepped_items,
)
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics
from fecontact.system import State, System
from fecontact.system.dofs import Dofs
from fecontact.system.welds.welds import Welds
from fecontact.typing import Floats

__all__ = ["LoweredBackend"]

SWITCHED = ("events", "to_open", "to_stick", "to_slip", "to_gross_slip")
"""Counters of the loop."""
AT_ONCE = 64
"""Steps between looks at a signal to stop."""


class LoweredBackend:
    """The motion at t_n; its velocities half a step ahead are a row of the loop's working space."""

    def __init__(self, system: System, start: Point, statistics: Statistics) -> None:
        why, welds = not_stepped(system), Welds.of(system)
        if why:
            raise InputError(f"invalid backend = compiled for {why}: expected 'auto' or 'general'")
        if welds is None:
            raise _refused(system)
        self.system, self.statistics, self.welds = system, statistics, welds
        self.state = state = system.history_layout.filled(start.state)
        rates = system.rate_form(state)
        self.reports: Mapping[str, ContactReport] = rates.reports()
        self.audit = EnergyAudit(system, state, rates.forces, self.reports)
        self.program, dofs = system.step_program(), Dofs(system)
        self.contacts = SteppedContacts(system, self.program)
        self.items = stepped_items(system, self.program, self.contacts, self.audit, dofs)
        self.motion = new_motion(system, self.program, state.q, dofs)
        self.motion.rows[loop.HALF] = state.v
        self.motion.rows[FORCES] = rates.force
        self.a, self.h, self._begun = start.acceleration.copy(), 0.0, False
        stored = program_stores(system, self.program, state)
        if stored is not None:
            self.audit.stored = stored
            self.audit.first = stored(state, self.reports)
        self.limits = self._limits()
        if len(start.resume):
            self._resume(start.resume)

    def _limits(self) -> StepLimits:
        """Longest stable step and default step at the start."""
        state, names = self.state, [contact.item.name for contact in self.contacts]
        _, by_q, _ = self.program.evaluate(state.t, state.q, state.v, names)
        basis = self.welds.basis(state.t, state.q) if self.welds.names else None
        return step_limits(self.system, state, -by_q, np.zeros_like(by_q), basis)

    def _resume(self, numbers: Floats) -> None:
        n = self.system.size
        if len(numbers) != 3 + n + len(self.audit.numbers):
            raise InputError("restart: the point belongs to another system or backend")
        self.h, *limits = numbers[:3].tolist()
        self.limits = StepLimits(*limits)
        self.motion.rows[loop.HALF] = numbers[3 : n + 3]
        self.audit.resume(numbers[n + 3 :])

    def change_step(self, h: float) -> None:
        """Go on with steps of length h."""
        if abs(h - self.h) > 1e-12 * h:
            self.motion.rows[loop.HALF] += 0.5 * (h - self.h) * self.a
            self.h = h

    def advance(self, steps: int, t: float, output: bool = False) -> None:
        """Do steps of length h, the last of which ends at t."""
        if not self._begun:
            self._take()
        ends = t - self.h * np.arange(steps - 1.0, -1.0, -1.0)
        for first in range(0, steps, AT_ONCE):
            why = loop.march(
                self.items, self.welds.table, self.motion, ends[first : first + AT_ONCE], self.h
            )
            if why:
                raise self._failed(why)
        self._count(steps)
        self._give()

    def point(self) -> Point:
        """Where the motion is."""
        half = self.motion.rows[loop.HALF]
        resume = np.concatenate([[self.h, *self.limits], half, self.audit.numbers])
        return Point(
            self.state, self.a.copy(), resume, self.audit.lines(self.reports), self.reports
        )

    def _take(self) -> None:
        """Begin at the state, with the history of its contacts and the sums of the audit."""
        motion, audit, state = self.motion, self.audit, self.state
        motion.numbers[T], motion.counts[:] = state.t, 0
        motion.q[:], motion.v[:], motion.a[:] = state.q, state.v, self.a
        motion.before[:] = audit.last.forces[:-1]
        motion.works[:], motion.lost[:] = audit.works[:-1], audit.lost
        motion.given[:] = audit.given[:-1]
        motion.powers[0], motion.powers[1] = (
            audit.last.lost - audit.last.bent,
            audit.last.given[:-1],
        )
        for i in audit.carried:
            motion.powers[3, i] = audit.strain(i, state)
        self.contacts.write(state)
        self.contacts.write_grip(audit.last.points)
        if self.contacts and not begin(self.items, motion):
            raise SolverError("a contact point lies where its surface has no normal")
        self._begun = True

    def _give(self) -> None:
        """State, reports and audit after the last step."""
        motion, audit, h = self.motion, self.audit, self.h
        v = motion.v.copy()
        motion.v[:] = motion.rows[loop.NEAR]  # where contacts were evaluated
        seen = see_last_step(self.items, motion)
        motion.v[:] = v
        if not seen:
            raise SolverError("a contact point lies where its surface has no normal")
        self.reports = self.contacts.reports(self.items.kept, h)
        z, status, slip_totals = self.contacts.history()
        state = State(
            float(motion.numbers[T]), motion.q.copy(), v, np.zeros(0), z, status, slip_totals
        )
        if self.system.rows:
            _, lam = self.system.accelerations(state, force=motion.rows[FORCES])
            state = replace(state, lam=lam)
        self.state, self.a, self._begun = state, motion.a.copy(), False
        audit.works[:-1], audit.lost[:], audit.given[:-1] = motion.works, motion.lost, motion.given
        lost, given = motion.powers[:2].copy()
        forces = np.vstack([motion.before, np.zeros(self.system.size)])
        audit.last = Instant(
            state, forces, lost, np.zeros_like(lost), np.append(given, 0.0), self.contacts.points()
        )

    def _count(self, steps: int) -> None:
        """Add what the loop has counted."""
        statistics, counts = self.statistics, self.motion.counts.tolist()
        statistics.steps += steps
        statistics.evaluations += steps
        statistics.compiled += steps
        statistics.factorisations += steps
        statistics.add(SWITCHED, counts[EVENTS:])
        self.motion.counts[:] = 0

    def _failed(self, why: int) -> SolverError:
        t = self.motion.numbers[T]
        if why == loop.BROKEN:
            return SolverError(f"t = {t:.6g} s: an item cannot be evaluated")
        return SolverError(
            f"t = {t:.6g} s: the forces are not finite with the step {self.h:.3g} s (bound at the "
            f"start {self.limits.bound:.3g} s); try a smaller step"
        )


def _refused(system: System) -> InputError:
    return InputError(
        "invalid method = explicit with constraints: expected 'implicit'; or describe "
        f"'{system.constraints[0].name}' by fewer dofs or a stiff element (a RigidJoint of a rigid "
        "body with six dofs and no contacts needs neither)"
    )
