"""All contacts of a system between two events: their laws, event functions and switches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from fecontact.contact.evaluate.fixed_status import (
    CompiledFixedStatus,
    FixedStatusPair,
    FixedStatusRate,
    held_bristles,
    refuse_without_fixed_status,
)
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.laws.penalty import PenaltyNormal
from fecontact.contact.pair import ContactPair
from fecontact.contact.report import ContactReport
from fecontact.contact.status import GROSS, OPEN, SLIP, STICK
from fecontact.integrate.events.automaton import (
    Booleans,
    Signals,
    event_functions,
    next_statuses,
    thresholds,
)
from fecontact.system import State, System, SystemRate
from fecontact.typing import Floats, Integers

__all__ = ["EventContacts", "Look", "PointLaws", "Seen", "initial_contacts", "seen_by"]


class PointLaws(NamedTuple):
    """Numbers of the laws of all points, each (p,), and the number of their item.

    `relaxation` is c_n/d_n in 1/s of open layers, zero without a damper, where they spring back at
    once.
    """

    stiffness: Floats
    damping: Floats
    normal_stiffness: Floats
    relaxation: Floats
    damped: Booleans
    weights: Floats
    item: Integers

    @staticmethod
    def of(system: System) -> PointLaws:
        """Laws of the contacts of a system, in its order."""
        rows: list[Floats] = [np.zeros((7, 0))]
        for item in system.stateful_contacts:
            assert isinstance(item, ContactPair)
            friction, normal = item.friction, item.normal
            assert isinstance(friction, ElastoPlastic)
            assert isinstance(normal, PenaltyNormal)
            damped = normal.damping > 0.0
            relaxation = normal.stiffness / normal.damping if damped else 0.0
            own = np.empty((6, item.points))
            own.T[:] = (
                friction.stiffness, friction.damping, normal.stiffness, relaxation, damped,
                system.item_indices[item.name],
            )  # fmt: skip
            rows.append(np.vstack([own, item.surface.weights]))
        c, beta, c_n, relaxation, damped, index, weights = np.hstack(rows)
        return PointLaws(
            c, beta, c_n, relaxation, damped > 0.0, weights, np.asarray(index, dtype=np.int64)
        )

    @property
    def spring(self) -> Floats:
        """A c/2 in N/m (p,): a bent bristle stores this times z^2."""
        return np.asarray(0.5 * self.stiffness * self.weights)


class Seen(NamedTuple):
    """A state, and what events look at there: `contact.kernels.fixed_status.SIGNALS`, (13, p)."""

    state: State
    signals: Floats

    @property
    def z(self) -> Floats:
        """Elastic slip (p, 3)."""
        return self.state.z.reshape(-1, 3)

    @property
    def slip_work(self) -> Floats:
        """Slip work (p,) in J."""
        return self.state.slip_totals[::2]


@dataclass(frozen=True)
class EventContacts:
    """Contacts whose status lasts.

    Attributes
    ----------
    system
        What moves.
    eps
        Speed in m/s below which points may begin to stick.
    angle
        psi_k in rad between slip and friction, below which slip is gross slip.
    slack
        Gap in m at which closed points open.
    laws
        Numbers of the laws of all points.
    status : (p,)
        State of each point, in the order of the system.
    rest : (p,)
        Length u <= 0 of open layers at the time `since`.
    toward : (p, 3)
        Direction of slip at the start of the step, in the frame of the master.
    threshold : (p,)
        Speeds at which slip ends in this step.
    spent : (p,)
        Slip work in J at the start of this step, or shown since, which nothing takes back.

    Notes
    -----
    A point in gross slip has no z, but its bristle is there: bent by z = -T/c it stores
    A |T|^2/(2 c), as the law without damper has it. The slip work of the states that are integrated
    contains this energy for such points; `shown` takes it out. Where the friction limit rises
    faster than the slip bends the bristle, the bristle stores no more than the work of the friction
    since the start of the step and what it had: slip work never falls.
    """

    system: System
    eps: float
    angle: float
    slack: float
    laws: PointLaws
    status: Integers
    rest: Floats
    since: float
    toward: Floats
    threshold: Floats
    spent: Floats

    @cached_property
    def pairs(self) -> dict[str, FixedStatusPair]:
        """Contacts by name, in the order of the system."""
        found = {}
        for item in self.system.stateful_contacts:
            assert isinstance(item, ContactPair)
            own = self.system.history_layout.status[item.name]
            found[item.name] = FixedStatusPair(
                item, self.status[own], self.rest[own], self.since, self.toward[own]
            )
        return found

    def lengths(self, t: float) -> Floats:
        """Free lengths u of all layers."""
        left = np.exp(-self.laws.relaxation * (t - self.since))
        return np.asarray(np.where(self.laws.damped, self.rest * left, 0.0))

    def relaxed(self, t: float) -> Floats:
        """Energy in J (items,) that open layers lost since the last event."""
        change = 0.5 * self.laws.normal_stiffness * (self.rest**2 - self.lengths(t) ** 2)
        lost = np.bincount(self.laws.item, self.laws.weights * change, len(self.system.items))
        return np.asarray(lost, dtype=float)

    def rate_form(self, state: State) -> SystemRate:
        """Forces and rates at a state, with the status of these contacts."""
        system, contact_rates = self.system, {}
        for item in system.stateful_contacts:
            q, v = system.local(item, state)
            z = state.z[system.history_layout.z[item.name]].reshape(-1, 3)
            contact_rates[item.name] = self.pairs[item.name].at(state.t, q, v, z)
        return SystemRate(system, state, contact_rates)

    def signals(self, seen: Seen) -> Signals:
        """What the event functions see."""
        pressure, limit, grip, cosine, slide, speed, gap = seen.signals[:7]
        angle = np.arccos(np.clip(cosine, -1.0, 1.0))
        distance = gap - self.lengths(seen.state.t)
        bend = self.laws.stiffness * np.sqrt(np.sum(seen.z**2, axis=1))
        return Signals(pressure, limit, grip, angle, slide, speed, distance, bend)

    @property
    def pulls(self) -> Floats:
        """Pull in N/m^2 (p,) at which a closed point opens: the round-off of its pressure."""
        return self.slack * self.laws.normal_stiffness

    def functions(self, seen: Seen) -> Floats:
        """Event functions (p, 3)."""
        now = self.signals(seen)
        return event_functions(self.status, now, self.threshold, self.eps, self.angle, self.pulls)

    def powers(self, rates: SystemRate) -> dict[str, tuple[float, float]]:
        """Power in W of dampers of closed points, and of motion which is not in v, by contact."""
        return {name: each.powers for name, each in _fixed(rates).items()}

    def accepted(self, seen: Seen) -> EventContacts:
        """Contacts at the start of the next step: new thresholds and directions of slip."""
        slide = np.abs(seen.signals[4])
        runs = np.where(self.status == GROSS, self.bristle_energy(seen), 0.0)
        return replace(
            self, toward=_directions(seen.signals[7:10].T), spent=seen.slip_work - runs,
            threshold=thresholds(self.status, slide, self.eps),
        )  # fmt: skip

    def having_shown(self, shown: State) -> EventContacts:
        """Contacts after an output inside of a step: its slip work is not taken back either."""
        if not (self.status == GROSS).any():
            return self
        return replace(self, spent=np.maximum(self.spent, shown.slip_totals[::2]))

    def bristle_energy(self, seen: Seen) -> Floats:
        """Energy (p,) in J of all bristles, also of those that gross slip bends."""
        spring = self.laws.spring
        bent = spring * (seen.signals[2] / self.laws.stiffness) ** 2
        largest = np.maximum(seen.slip_work - self.spent, 0.0)
        stored = spring * np.sum(seen.z**2, axis=1)
        return np.where(self.status == GROSS, np.minimum(bent, largest), stored)

    def switched(self, seen: Seen, event: Booleans, look: Look) -> tuple[EventContacts, State]:
        """Contacts and state after events (p, 3) at a state, each point for itself.

        What a bristle stores less after the switch is slip work; it never stores more. `look` tells
        what other contacts do at a state.
        """
        now, old, t, spring = self.signals(seen), self.status, seen.state.t, self.laws.spring
        new = next_statuses(old, event, now, self.eps, self.angle)
        bristles = _limited(self._new_bristles(seen, new), spring, self.bristle_energy(seen))
        slip_totals = seen.state.slip_totals.copy()
        slip_totals[::2] += spring * (np.sum(seen.z**2, axis=1) - np.sum(bristles**2, axis=1))
        opens = (new == OPEN) & (old != OPEN)
        rest = np.where(opens, np.minimum(seen.signals[6], 0.0), self.lengths(t))
        state = replace(seen.state, z=bristles.ravel(), slip_totals=slip_totals)
        contacts = replace(
            self, status=new, rest=np.where(new == OPEN, rest, 0.0), since=t,
            spent=np.where(old == GROSS, self.spent, seen.slip_work),
        )._held(state, old == OPEN, look)  # fmt: skip
        state = replace(state, status=contacts.status)
        return contacts.accepted(look(contacts, state)), state

    def _new_bristles(self, seen: Seen, new: Integers) -> Floats:
        """Bristles (p, 3) after a switch, in the frame of the master.

        Sliding points that stick keep their friction: z = -(T + beta s)/c (Stamm 4.104, 4.108).
        What closes begins unbent, what runs in gross slip or opens has no z.
        """
        old, laws = self.status, self.laws
        z = np.where(((new == STICK) | (new == SLIP))[:, None], seen.z, 0.0)
        held = (new == STICK) & ((old == SLIP) | (old == GROSS))
        kept = held_bristles(seen.signals, laws.stiffness, laws.damping)
        return np.where(held[:, None], kept, z)

    def _held(self, state: State, fresh: Booleans, look: Look) -> EventContacts:
        """Contacts in which points that just closed and slip stick if unbent bristles hold them."""
        fresh = fresh & (self.status == SLIP)
        if not fresh.any():
            return self
        sticks = replace(self, status=np.where(fresh, STICK, self.status))
        seen = look(sticks, state).signals
        slips = fresh & (seen[2] > seen[1])
        return replace(self, status=np.where(slips, SLIP, sticks.status))

    def shown(self, seen: Seen) -> State:
        """State as other methods know it: gross slip bends bristles, and their energy is stored."""
        runs = self.status == GROSS
        if not runs.any():
            return seen.state
        stored, slip_totals = self.bristle_energy(seen), seen.state.slip_totals.copy()
        at_rest = -seen.signals[10:13].T / self.laws.stiffness[:, None]
        bent = _limited(at_rest, self.laws.spring, stored)
        slip_totals[::2] -= np.where(runs, stored, 0.0)
        z = np.where(runs[:, None], bent, seen.z).ravel()
        return replace(seen.state, z=z, slip_totals=slip_totals)

    def reports(self, rates: SystemRate) -> dict[str, ContactReport]:
        """What the points do, with the energy of bristles in gross slip."""
        stored, found = self.bristle_energy(seen_by(rates)), {}
        for name, each in _fixed(rates).items():
            report, own = each.report(), self.system.history_layout.status[name]
            running = float(stored[own][self.status[own] == GROSS].sum())
            found[name] = replace(report, energy=report.energy + running)
        return found


Look: TypeAlias = Callable[[EventContacts, State], Seen]
"""Looks at contacts at a state."""


def seen_by(rates: SystemRate) -> Seen:
    """What events look at, from the forces and rates at a state."""
    parts = [each.signals for each in _fixed(rates).values()]
    return Seen(rates.state, np.hstack(parts) if parts else np.zeros((13, 0)))


def initial_contacts(
    system: System, state: State, rest: Floats | None, eps: float, angle: float, slack: float
) -> tuple[EventContacts, State]:
    """Contacts of a start, and the start with their status.

    Points without history are open, stick or slip as the law says of unbent bristles. Points with
    one keep their status if it is possible. `rest` are the free lengths of open layers, if they are
    known.
    """
    for item in system.stateful_contacts:
        refuse_without_fixed_status(item, item.name)
    laws, z, statuses = PointLaws.of(system), state.z.copy(), state.status.copy()
    bent, points = z.reshape(-1, 3), len(statuses)
    lengths, toward = np.zeros(points), np.zeros((points, 3))
    for item in system.stateful_contacts:
        assert isinstance(item, ContactPair)
        own = system.history_layout.status[item.name]
        q, v = system.local(item, state)
        pair = _first(item, state.t, q, v, bent[own], statuses[own], eps, angle)
        lengths[own], toward[own] = pair.rest, pair.toward
        if rest is None:
            statuses[own] = pair.status
    free = (statuses == OPEN) | (statuses == GROSS)
    slip_totals = state.slip_totals.copy()
    slip_totals[::2] += np.where(free, laws.spring * np.sum(bent**2, 1), 0.0)
    bent[free] = 0.0
    spent, shown = state.slip_totals[::2], replace(state, z=z, status=statuses)
    contacts = EventContacts(
        system, eps, angle, slack, laws, statuses, lengths if rest is None else rest, state.t,
        toward, np.full(points, eps), spent,
    )  # fmt: skip
    state = replace(shown, slip_totals=slip_totals)
    return contacts.accepted(seen_by(contacts.rate_form(state))), state


def _first(
    pair: ContactPair, t: float, q: Floats, v: Floats, z: Floats, status: Integers, eps: float,
    angle: float,
) -> FixedStatusPair:  # fmt: skip
    """Contact at the start, with the status its points can have."""
    points = len(status)
    still = np.zeros((points, 3))
    slides = FixedStatusPair(pair, np.full(points, GROSS), np.zeros(points), t, still)
    seen = slides.at(t, q, v, still).signals
    closed = (seen[6] <= 0.0) & (seen[0] > 0.0)
    status = np.where(closed, np.where(status == OPEN, STICK, status), OPEN)
    rest = np.where(closed, 0.0, np.minimum(seen[6], 0.0))
    first = FixedStatusPair(pair, status, rest, t, _directions(seen[7:10].T))
    assert isinstance(pair.friction, ElastoPlastic)
    _, limit, grip, cosine, _, speed = first.at(t, q, v, z).signals[:6]
    status = np.where((status == STICK) & (grip > limit), SLIP, status)
    bent = pair.friction.stiffness * np.linalg.norm(z, axis=1) >= (1.0 - angle) * limit
    runs = bent & (cosine > np.cos(angle)) & (speed > eps)
    return replace(first, status=np.where((status == SLIP) & runs, GROSS, status))


def _limited(z: Floats, spring: Floats, energy: Floats) -> Floats:
    """Bristles (p, 3), shorter where spring z^2 would be above an energy (p,)."""
    stored = spring * np.sum(z**2, axis=1)
    fraction = np.divide(energy, stored, out=np.ones_like(stored), where=stored > energy)
    return np.asarray(np.sqrt(fraction)[:, None] * z)


def _directions(slip: Floats) -> Floats:
    speed = np.linalg.norm(slip, axis=1)[:, None]
    return np.divide(slip, speed, out=np.zeros_like(slip), where=speed > 0.0)


def _fixed(rates: SystemRate) -> dict[str, FixedStatusRate | CompiledFixedStatus]:
    kinds = FixedStatusRate | CompiledFixedStatus
    return {name: each for name, each in rates.contact_rates.items() if isinstance(each, kinds)}
