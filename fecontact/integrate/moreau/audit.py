"""Energy audit of time stepping with impulses.

Smooth forces and friction work along the path of the step, friction of an impact and the normal
impulses of contacts that approach with the mean of the velocities before and after,
L . (u_0 + u_1)/2. What friction takes is slip work, the rest the loss of the impact ("damping");
the motion of prescribed frames is supplied. Neither is ever negative: where an impulse gives
energy, as where a coarse step turns a slip against its friction, or by a law of impact with
friction, the method made it, and it counts as "numerical".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fecontact.contact.report import ContactReport
from fecontact.contact.rigid.contact import RigidContact
from fecontact.integrate.audit import EnergyAudit
from fecontact.integrate.moreau.normal import NormalForces
from fecontact.integrate.moreau.rows import ClosedRows
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["MoreauAudit", "Push"]


@dataclass(frozen=True)
class Push:
    """Impulses of the contact rows in an impact or in a step.

    Attributes
    ----------
    impulses : (r,)
        In N s.
    given : (c,)
        Normal impulses of compliant contacts.
    mean, along : (r,)
        Mean of the velocities before and after, and velocity of the path.
    friction : (c,)
        Coefficients of friction.
    span
        Time over which the impulses act, in s.
    """

    impulses: Floats
    given: Floats
    mean: Floats
    along: Floats
    friction: Floats
    span: float

    @staticmethod
    def none(rows: int, contacts: int) -> Push:
        """Nothing happens."""
        nothing = np.zeros(rows)
        none = np.zeros(contacts)
        return Push(nothing, none, nothing, nothing, none, 0.0)

    def work(self, rows: ClosedRows) -> Floats:
        """Work (r,) of the impulses in J."""
        velocity, rigid = self.along.copy(), rows.normal[rows.normal >= 0]
        hits = rigid[self.mean[rigid] < 0.0]
        velocity[hits] = self.mean[hits]
        return self.impulses * velocity


class MoreauAudit:
    """Sums works along a motion with impulses, and keeps the history of the contacts.

    Parameters
    ----------
    system, contacts
        What moves, and its rigid contacts.
    start
        Where it starts.
    """

    def __init__(self, system: System, contacts: Sequence[RigidContact], start: State) -> None:
        self.system, self.contacts = system, contacts
        self.numbers_of = {item.name: i for i, item in enumerate(system.items)}
        self.reports = self._reports(start)
        self.audit = EnergyAudit(system, start, self._forces(start), self.reports)

    def step(
        self, rows: ClosedRows, pushes: Sequence[Push], path: Floats, after: State, h: float
    ) -> State:
        """Add a step: its impulses, and its path (n,) to a state. The state with new history."""
        histories = {}
        totals = [np.zeros((len(part.conditions.gap), 3)) for part in rows.parts]
        slips = [np.zeros((len(part.conditions.gap), 2)) for part in rows.parts]
        ends, nothing = [total.copy() for total in totals], np.zeros(len(rows))
        friction = rows.friction
        for push in pushes:
            if not (push.impulses.any() or push.given.any()):
                continue
            local = rows.local(push.impulses, push.given)
            work = rows.local(push.work(rows), nothing)
            moved = rows.local(push.impulses * rows.drift, nothing)
            speeds = rows.local(push.along, nothing)
            if rows.curved:
                acting = rows.held(push.impulses, push.given) > 0.0
                friction = np.where(acting, push.friction, friction)
            for k, part in enumerate(rows.parts):
                slip = np.maximum(-work[k][:, 1:].sum(axis=1), 0.0)
                lost = max(-float(work[k].sum() + slip.sum()), 0.0)
                self._work(part.contact.name, float(slip.sum()), lost, float(moved[k].sum()))
                totals[k] += local[k]
                if rows.curved:
                    acts = local[k][:, 0] > 0.0
                    ends[k][acts] = local[k][acts]
                slips[k][:, 0] += slip
                slips[k][:, 1] += push.span * np.linalg.norm(speeds[k][:, 1:], axis=1)
        for k, part in enumerate(rows.parts):
            name = part.contact.name
            before = self.system.history_layout.history(after, name)
            last = totals[k] if part.contact.constant is not None else ends[k]
            sticks = part.sticks(last, friction[rows.part == k])
            histories[name] = part.history(before, totals[k], sticks, slips[k], h)
        after = self.system.history_layout.with_histories(after, histories) if histories else after
        self.reports = self._reports(after)
        self.audit.step(path, self._forces(after), after, self.reports)
        return after

    def lines(self) -> Floats:
        """Lines of the audit (9,)."""
        return self.audit.lines(self.reports)

    @property
    def numbers(self) -> Floats:
        """All that must be kept to continue, flat."""
        return self.audit.numbers

    def resume(self, numbers: Floats) -> None:
        """Continue from the `numbers` of an audit that ended in the same state."""
        self.audit.resume(numbers)

    def _work(self, name: str, slip: float, lost: float, moved: float) -> None:
        """Add what impulses take by slip and impact, and what prescribed motion has of it."""
        i = self.numbers_of[name]
        self.audit.works[i] -= slip + lost + moved
        self.audit.lost[i] += lost
        self.audit.given[i] -= moved

    def _forces(self, state: State) -> Floats:
        """Smooth forces of all items (items, n)."""
        normal = NormalForces(self.system, self.contacts, state)
        return self.system.forces(state, normal.forces())

    def _reports(self, state: State) -> dict[str, ContactReport]:
        """Stored energies of compliant contacts; friction is in the impulses."""
        found = {}
        for contact in self.contacts:
            nothing, points = np.zeros(contact.points), np.zeros((contact.points, 3))
            energy = damping = 0.0
            if contact.normal is not None:
                q, v = self.system.local(contact, state)
                history = self.system.history_layout.history(state, contact.name)
                report = contact.rate(state.t, q, v, history).report()
                energy, damping = report.energy, report.damping_power
            found[contact.name] = ContactReport(
                nothing, nothing, points, points, points, points, nothing.astype(np.int64), energy,
                damping, nothing, 0.0,
            )  # fmt: skip
        return found
