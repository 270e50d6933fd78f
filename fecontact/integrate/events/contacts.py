"""All contacts of a system between two events: their laws, event functions and switches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from fecontact.contact.evaluate.fixed_status import (
    CompiledFixedStatus,
    FixedStatusPair,
    FixedStatusRate,
    refuse_without_fixed_status,
)
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
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

__all__ = ["EventContacts", "initial_contacts"]

Rate: TypeAlias = FixedStatusRate | CompiledFixedStatus


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
    pairs
        Contacts by name, in the order of the system.
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
    pairs: Mapping[str, FixedStatusPair]
    threshold: Floats
    spent: Floats

    @property
    def status(self) -> Integers:
        """States of all points."""
        statuses = [pair.status for pair in self.pairs.values()]
        return np.concatenate(statuses) if statuses else np.zeros(0, dtype=np.int64)

    def lengths(self, t: float) -> Floats:
        """Free lengths u of all layers."""
        parts = [pair.lengths(t) for pair in self.pairs.values()]
        return np.concatenate(parts) if parts else np.zeros(0)

    def rate_form(self, state: State) -> SystemRate:
        """Forces and rates at a state, with the status of these contacts."""
        system, contact_rates = self.system, {}
        for item in system.stateful_contacts:
            q, v = system.local(item, state)
            z = state.z[system.history_layout.z[item.name]].reshape(-1, 3)
            contact_rates[item.name] = self.pairs[item.name].at(state.t, q, v, z)
        return SystemRate(system, state, contact_rates)

    def signals(self, rates: SystemRate) -> Signals:
        """What the event functions see."""
        seen = np.hstack([each.signals for each in _fixed(rates).values()])
        pressure, limit, grip, cosine, slide, speed, gap = seen[:7]
        angle = np.arccos(np.clip(cosine, -1.0, 1.0))
        distance = gap - self.lengths(rates.state.t)
        bends = [
            _stiffness(each) * np.linalg.norm(each.z, axis=1) for each in _fixed(rates).values()
        ]
        bend = np.concatenate(bends)
        return Signals(pressure, limit, grip, angle, slide, speed, distance, bend)

    def functions(self, rates: SystemRate) -> Floats:
        """Event functions (p, 3)."""
        if not self.pairs:
            return np.zeros((0, 3))
        pulls = [np.full(len(pair.status), self.slack * pair.normal.stiffness)
                 for pair in self.pairs.values()]  # fmt: skip
        return event_functions(
            self.status, self.signals(rates), self.threshold, self.eps, self.angle,
            np.concatenate(pulls),
        )  # fmt: skip

    def powers(self, rates: SystemRate) -> dict[str, tuple[float, float]]:
        """Power in W of dampers of closed points, and of motion which is not in v, by contact."""
        return {name: each.powers for name, each in _fixed(rates).items()}

    def accepted(self, rates: SystemRate) -> EventContacts:
        """Contacts at the start of the next step: new thresholds and directions of slip."""
        if not self.pairs:
            return self
        pairs = {
            name: replace(self.pairs[name], toward=_directions(each.signals[7:].T))
            for name, each in _fixed(rates).items()
        }
        slide = np.abs(self.signals(rates).slide)
        runs = np.where(self.status == GROSS, self.bristle_energy(rates), 0.0)
        spent = rates.state.slip_totals[::2] - runs
        return replace(
            self, pairs=pairs, threshold=thresholds(self.status, slide, self.eps), spent=spent
        )

    def having_shown(self, shown: State) -> EventContacts:
        """Contacts after an output inside of a step: its slip work is not taken back either."""
        if not (self.status == GROSS).any():
            return self
        return replace(self, spent=np.maximum(self.spent, shown.slip_totals[::2]))

    def bristle_energy(self, rates: SystemRate) -> Floats:
        """Energy (p,) in J of all bristles, also of those that gross slip bends."""
        layout, result = self.system.history_layout, np.zeros(len(self.status))
        for name, each in _fixed(rates).items():
            own, pair = layout.status[name], self.pairs[name]
            spring = 0.5 * _stiffness(each) * pair.pair.surface.weights
            stored, runs = spring * np.sum(each.z**2, axis=1), pair.status == GROSS
            if runs.any():
                bent = spring * (each.signals[2] / _stiffness(each)) ** 2
                largest = rates.state.slip_totals[layout.slip_totals[name]][::2] - self.spent[own]
                stored = np.where(runs, np.minimum(bent, np.maximum(largest, 0.0)), stored)
            result[own] = stored
        return result

    def switched(self, rates: SystemRate, event: Booleans) -> tuple[EventContacts, State]:
        """Contacts and state after events (p, 3) at a state, each point for itself.

        What a bristle stores less after the switch is slip work; it never stores more.
        """
        now, status = self.signals(rates), self.status
        new = next_statuses(status, event, now, self.eps, self.angle)
        stored, t, pairs = self.bristle_energy(rates), rates.state.t, {}
        z, slip_totals = rates.state.z.copy(), rates.state.slip_totals.copy()
        for name, each in _fixed(rates).items():
            layout, old = self.system.history_layout, self.pairs[name]
            part, largest = new[layout.status[name]], stored[layout.status[name]]
            spring = 0.5 * _stiffness(each) * old.pair.surface.weights
            after = _limited(_new_bristles(each, old.status, part), spring, largest)
            z[layout.z[name]] = after.ravel()
            before = np.sum(each.z**2, axis=1)
            slip_totals[layout.slip_totals[name]][::2] += spring * (
                before - np.sum(after**2, axis=1)
            )
            opens = (part == OPEN) & (old.status != OPEN)
            rest = np.where(opens, np.minimum(each.signals[6], 0.0), old.lengths(t))
            rest = np.where(part == OPEN, rest, 0.0)
            pairs[name] = replace(old, status=part, rest=rest, since=t)
        state = replace(rates.state, z=z, slip_totals=slip_totals)
        spent = np.where(status == GROSS, self.spent, rates.state.slip_totals[::2])
        contacts = replace(self, pairs=pairs, spent=spent)._held(state, status == OPEN)
        state = replace(state, status=contacts.status)
        return contacts.accepted(contacts.rate_form(state)), state

    def _held(self, state: State, fresh: Booleans) -> EventContacts:
        """Contacts in which points that just closed and slip stick if unbent bristles hold them."""
        fresh = fresh & (self.status == SLIP)
        if not fresh.any():
            return self
        parts, pairs = self.system.history_layout.status, dict(self.pairs)
        for name, pair in self.pairs.items():
            pairs[name] = replace(pair, status=np.where(fresh[parts[name]], STICK, pair.status))
        sticks = replace(self, pairs=pairs)
        for name, each in _fixed(sticks.rate_form(state)).items():
            slips = fresh[parts[name]] & (each.signals[2] > each.signals[1])
            pairs[name] = replace(pairs[name], status=np.where(slips, SLIP, pairs[name].status))
        return replace(self, pairs=pairs)

    def shown(self, rates: SystemRate) -> State:
        """State as other methods know it: gross slip bends bristles, and their energy is stored."""
        state, layout = rates.state, self.system.history_layout
        stored, z, slip_totals = (
            self.bristle_energy(rates),
            state.z.copy(),
            state.slip_totals.copy(),
        )
        for name, each in _fixed(rates).items():
            runs, weights = self.pairs[name].status == GROSS, self.pairs[name].pair.surface.weights
            if not runs.any():
                continue
            largest, part = stored[layout.status[name]], z[layout.z[name]].reshape(-1, 3)
            spring = 0.5 * _stiffness(each) * weights
            part[runs] = _limited(_reference(each).slaved, spring, largest)[runs]
            slip_totals[layout.slip_totals[name]][::2] -= np.where(runs, largest, 0.0)
        return replace(state, z=z, slip_totals=slip_totals)

    def reports(self, rates: SystemRate) -> dict[str, ContactReport]:
        """What the points do, with the energy of bristles in gross slip."""
        stored, found = self.bristle_energy(rates), {}
        for name, each in _fixed(rates).items():
            report, runs = each.report(), self.pairs[name].status == GROSS
            own = float(stored[self.system.history_layout.status[name]][runs].sum())
            found[name] = replace(report, energy=report.energy + own)
        return found


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
    pairs, z, statuses, slip_totals = (
        {},
        state.z.copy(),
        state.status.copy(),
        state.slip_totals.copy(),
    )
    for item in system.stateful_contacts:
        assert isinstance(item, ContactPair)
        own = system.history_layout.status[item.name]
        q, v = system.local(item, state)
        bent = z[system.history_layout.z[item.name]].reshape(-1, 3)
        pair = _first(item, state.t, q, v, bent, statuses[own], eps, angle)
        if rest is not None:
            pair = replace(pair, status=statuses[own], rest=rest[own])
        free = (pair.status == OPEN) | (pair.status == GROSS)
        assert isinstance(item.friction, ElastoPlastic)
        spring = 0.5 * item.friction.stiffness * item.surface.weights
        slip_totals[system.history_layout.slip_totals[item.name]][::2] += np.where(
            free, spring * np.sum(bent**2, 1), 0.0
        )
        bent[free] = 0.0
        statuses[own], pairs[item.name] = pair.status, pair
    spent = state.slip_totals[::2]
    state = replace(state, z=z, status=statuses, slip_totals=slip_totals)
    contacts = EventContacts(system, eps, angle, slack, pairs, np.full(len(statuses), eps), spent)
    return contacts.accepted(contacts.rate_form(state)), state


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
    first = FixedStatusPair(pair, status, rest, t, _directions(seen[7:].T))
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


def _new_bristles(rates: Rate, old: Integers, new: Integers) -> Floats:
    """Bristles (p, 3) after a switch, in the frame of the master.

    Sliding points that stick keep their friction: z = -(T + beta s)/c (Stamm 4.104, 4.108). What
    closes begins unbent, what runs in gross slip or opens has no z.
    """
    z = np.where(((new == STICK) | (new == SLIP))[:, None], rates.z, 0.0)
    held = (new == STICK) & ((old == SLIP) | (old == GROSS))
    return np.where(held[:, None], _reference(rates).held, z) if held.any() else z


def _stiffness(rates: Rate) -> float:
    """Stiffness of the bristles of a contact."""
    pair = rates.contact.pair if isinstance(rates, CompiledFixedStatus) else rates.pair
    assert isinstance(pair.friction, ElastoPlastic)
    return pair.friction.stiffness


def _directions(slip: Floats) -> Floats:
    speed = np.linalg.norm(slip, axis=1)[:, None]
    return np.divide(slip, speed, out=np.zeros_like(slip), where=speed > 0.0)


def _fixed(rates: SystemRate) -> dict[str, Rate]:
    return {name: each for name, each in rates.contact_rates.items() if isinstance(each, Rate)}


def _reference(rates: Rate) -> FixedStatusRate:
    return rates.reference if isinstance(rates, CompiledFixedStatus) else rates
