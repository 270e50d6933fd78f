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
    next_modes,
    thresholds,
)
from fecontact.system import State, System, SystemFlow
from fecontact.typing import Floats, Integers

__all__ = ["EventContacts", "initial_contacts"]

Flow: TypeAlias = FixedStatusRate | CompiledFixedStatus


@dataclass(frozen=True)
class EventContacts:
    """Contacts whose modes last.

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
        Contacts by name, in the order of the system's memory.
    threshold : (p,)
        Speeds at which slip ends in this step.
    spent : (p,)
        Slip work in J at the start of this step, which nothing takes back.

    Notes
    -----
    A point in gross slip has no z, but its bristle is there: bent by z = -T/c it stores
    A |T|^2/(2 c), as the law without damper has it. The wear of the states that are integrated
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
    def mode(self) -> Integers:
        """States of all points."""
        modes = [pair.mode for pair in self.pairs.values()]
        return np.concatenate(modes) if modes else np.zeros(0, dtype=np.int64)

    def lengths(self, t: float) -> Floats:
        """Free lengths u of all layers."""
        parts = [pair.lengths(t) for pair in self.pairs.values()]
        return np.concatenate(parts) if parts else np.zeros(0)

    def flow(self, state: State) -> SystemFlow:
        """Forces and rates at a state, with the modes of these contacts."""
        system, flows = self.system, {}
        for item in system.remembering:
            q, v = system.local(item, state)
            z = state.z[system.memory.z[item.name]].reshape(-1, 3)
            flows[item.name] = self.pairs[item.name].at(state.t, q, v, z)
        return SystemFlow(system, state, flows)

    def signals(self, flow: SystemFlow) -> Signals:
        """What the event functions see."""
        seen = np.hstack([each.signals for each in _fixed(flow).values()])
        pressure, limit, grip, cosine, slide, speed, gap = seen[:7]
        angle = np.arccos(np.clip(cosine, -1.0, 1.0))
        distance = gap - self.lengths(flow.state.t)
        bends = [
            _stiffness(each) * np.linalg.norm(each.z, axis=1) for each in _fixed(flow).values()
        ]
        bend = np.concatenate(bends)
        return Signals(pressure, limit, grip, angle, slide, speed, distance, bend)

    def functions(self, flow: SystemFlow) -> Floats:
        """Event functions (p, 3)."""
        if not self.pairs:
            return np.zeros((0, 3))
        pulls = [np.full(len(pair.mode), self.slack * pair.normal.stiffness)
                 for pair in self.pairs.values()]  # fmt: skip
        return event_functions(
            self.mode, self.signals(flow), self.threshold, self.eps, self.angle,
            np.concatenate(pulls),
        )  # fmt: skip

    def powers(self, flow: SystemFlow) -> dict[str, tuple[float, float]]:
        """Power in W of dampers of closed points, and of motion which is not in v, by contact."""
        return {name: each.powers for name, each in _fixed(flow).items()}

    def accepted(self, flow: SystemFlow) -> EventContacts:
        """Contacts at the start of the next step: new thresholds and directions of slip."""
        if not self.pairs:
            return self
        pairs = {
            name: replace(self.pairs[name], toward=_directions(each.signals[7:].T))
            for name, each in _fixed(flow).items()
        }
        slide = np.abs(self.signals(flow).slide)
        runs = np.where(self.mode == GROSS, self.bristle_energy(flow), 0.0)
        spent = flow.state.wear[::2] - runs
        return replace(
            self, pairs=pairs, threshold=thresholds(self.mode, slide, self.eps), spent=spent
        )

    def bristle_energy(self, flow: SystemFlow) -> Floats:
        """Energy (p,) in J of all bristles, also of those that gross slip bends."""
        memory, result = self.system.memory, np.zeros(len(self.mode))
        for name, each in _fixed(flow).items():
            own, pair = memory.mode[name], self.pairs[name]
            spring = 0.5 * _stiffness(each) * pair.pair.surface.weights
            stored, runs = spring * np.sum(each.z**2, axis=1), pair.mode == GROSS
            if runs.any():
                bent = spring * (each.signals[2] / _stiffness(each)) ** 2
                most = flow.state.wear[memory.wear[name]][::2] - self.spent[own]
                stored = np.where(runs, np.minimum(bent, np.maximum(most, 0.0)), stored)
            result[own] = stored
        return result

    def switched(self, flow: SystemFlow, event: Booleans) -> tuple[EventContacts, State]:
        """Contacts and state after events (p, 3) at a state, each point for itself.

        What a bristle stores less after the switch is slip work; it never stores more.
        """
        now, mode = self.signals(flow), self.mode
        new = next_modes(mode, event, now, self.eps, self.angle)
        stored, t, pairs = self.bristle_energy(flow), flow.state.t, {}
        z, wear = flow.state.z.copy(), flow.state.wear.copy()
        for name, each in _fixed(flow).items():
            memory, old = self.system.memory, self.pairs[name]
            part, most = new[memory.mode[name]], stored[memory.mode[name]]
            spring = 0.5 * _stiffness(each) * old.pair.surface.weights
            after = _at_most(_new_bristles(each, old.mode, part), spring, most)
            z[memory.z[name]] = after.ravel()
            before = np.sum(each.z**2, axis=1)
            wear[memory.wear[name]][::2] += spring * (before - np.sum(after**2, axis=1))
            opens = (part == OPEN) & (old.mode != OPEN)
            rest = np.where(opens, np.minimum(each.signals[6], 0.0), old.lengths(t))
            rest = np.where(part == OPEN, rest, 0.0)
            pairs[name] = replace(old, mode=part, rest=rest, since=t)
        state = replace(flow.state, z=z, wear=wear)
        spent = np.where(mode == GROSS, self.spent, flow.state.wear[::2])
        contacts = replace(self, pairs=pairs, spent=spent)._held(state, mode == OPEN)
        state = replace(state, mode=contacts.mode)
        return contacts.accepted(contacts.flow(state)), state

    def _held(self, state: State, fresh: Booleans) -> EventContacts:
        """Contacts in which points that just closed and slip stick if unbent bristles hold them."""
        fresh = fresh & (self.mode == SLIP)
        if not fresh.any():
            return self
        parts, pairs = self.system.memory.mode, dict(self.pairs)
        for name, pair in self.pairs.items():
            pairs[name] = replace(pair, mode=np.where(fresh[parts[name]], STICK, pair.mode))
        sticks = replace(self, pairs=pairs)
        for name, each in _fixed(sticks.flow(state)).items():
            slips = fresh[parts[name]] & (each.signals[2] > each.signals[1])
            pairs[name] = replace(pairs[name], mode=np.where(slips, SLIP, pairs[name].mode))
        return replace(self, pairs=pairs)

    def shown(self, flow: SystemFlow) -> State:
        """State as other methods know it: gross slip bends bristles, and their energy is stored."""
        state, memory = flow.state, self.system.memory
        stored, z, wear = self.bristle_energy(flow), state.z.copy(), state.wear.copy()
        for name, each in _fixed(flow).items():
            runs, weights = self.pairs[name].mode == GROSS, self.pairs[name].pair.surface.weights
            if not runs.any():
                continue
            most, part = stored[memory.mode[name]], z[memory.z[name]].reshape(-1, 3)
            spring = 0.5 * _stiffness(each) * weights
            part[runs] = _at_most(_reference(each).slaved, spring, most)[runs]
            wear[memory.wear[name]][::2] -= np.where(runs, most, 0.0)
        return replace(state, z=z, wear=wear)

    def reports(self, flow: SystemFlow) -> dict[str, ContactReport]:
        """What the points do, with the energy of bristles in gross slip."""
        stored, found = self.bristle_energy(flow), {}
        for name, each in _fixed(flow).items():
            report, runs = each.report(), self.pairs[name].mode == GROSS
            own = float(stored[self.system.memory.mode[name]][runs].sum())
            found[name] = replace(report, energy=report.energy + own)
        return found


def initial_contacts(
    system: System, state: State, rest: Floats | None, eps: float, angle: float, slack: float
) -> tuple[EventContacts, State]:
    """Contacts of a start, and the start with their modes.

    Points without history are open, stick or slip as the law says of unbent bristles. Points with
    one keep their mode if it is possible. `rest` are the free lengths of open layers, if they are
    known.
    """
    for item in system.remembering:
        refuse_without_fixed_status(item, item.name)
    pairs, z, modes, wear = {}, state.z.copy(), state.mode.copy(), state.wear.copy()
    for item in system.remembering:
        assert isinstance(item, ContactPair)
        own = system.memory.mode[item.name]
        q, v = system.local(item, state)
        bent = z[system.memory.z[item.name]].reshape(-1, 3)
        pair = _first(item, state.t, q, v, bent, modes[own], eps, angle)
        if rest is not None:
            pair = replace(pair, mode=modes[own], rest=rest[own])
        free = (pair.mode == OPEN) | (pair.mode == GROSS)
        assert isinstance(item.friction, ElastoPlastic)
        spring = 0.5 * item.friction.stiffness * item.surface.weights
        wear[system.memory.wear[item.name]][::2] += np.where(free, spring * np.sum(bent**2, 1), 0.0)
        bent[free] = 0.0
        modes[own], pairs[item.name] = pair.mode, pair
    spent = state.wear[::2]
    state = replace(state, z=z, mode=modes, wear=wear)
    contacts = EventContacts(system, eps, angle, slack, pairs, np.full(len(modes), eps), spent)
    return contacts.accepted(contacts.flow(state)), state


def _first(
    pair: ContactPair, t: float, q: Floats, v: Floats, z: Floats, mode: Integers, eps: float,
    angle: float,
) -> FixedStatusPair:  # fmt: skip
    """Contact at the start, with the modes its points can have."""
    points = len(mode)
    still = np.zeros((points, 3))
    slides = FixedStatusPair(pair, np.full(points, GROSS), np.zeros(points), t, still)
    seen = slides.at(t, q, v, still).signals
    closed = (seen[6] <= 0.0) & (seen[0] > 0.0)
    mode = np.where(closed, np.where(mode == OPEN, STICK, mode), OPEN)
    rest = np.where(closed, 0.0, np.minimum(seen[6], 0.0))
    first = FixedStatusPair(pair, mode, rest, t, _directions(seen[7:].T))
    assert isinstance(pair.friction, ElastoPlastic)
    _, limit, grip, cosine, _, speed = first.at(t, q, v, z).signals[:6]
    mode = np.where((mode == STICK) & (grip > limit), SLIP, mode)
    bent = pair.friction.stiffness * np.linalg.norm(z, axis=1) >= (1.0 - angle) * limit
    runs = bent & (cosine > np.cos(angle)) & (speed > eps)
    return replace(first, mode=np.where((mode == SLIP) & runs, GROSS, mode))


def _at_most(z: Floats, spring: Floats, energy: Floats) -> Floats:
    """Bristles (p, 3), shorter where spring z^2 would be above an energy (p,)."""
    stored = spring * np.sum(z**2, axis=1)
    share = np.divide(energy, stored, out=np.ones_like(stored), where=stored > energy)
    return np.asarray(np.sqrt(share)[:, None] * z)


def _new_bristles(flow: Flow, old: Integers, new: Integers) -> Floats:
    """Bristles (p, 3) after a switch, in the frame of the master.

    Sliding points that stick keep their friction: z = -(T + beta s)/c (Stamm 4.104, 4.108). What
    closes begins unbent, what runs in gross slip or opens has no z.
    """
    z = np.where(((new == STICK) | (new == SLIP))[:, None], flow.z, 0.0)
    held = (new == STICK) & ((old == SLIP) | (old == GROSS))
    return np.where(held[:, None], _reference(flow).held, z) if held.any() else z


def _stiffness(flow: Flow) -> float:
    """Stiffness of the bristles of a contact."""
    pair = flow.contact.pair if isinstance(flow, CompiledFixedStatus) else flow.pair
    assert isinstance(pair.friction, ElastoPlastic)
    return pair.friction.stiffness


def _directions(slip: Floats) -> Floats:
    speed = np.linalg.norm(slip, axis=1)[:, None]
    return np.divide(slip, speed, out=np.zeros_like(slip), where=speed > 0.0)


def _fixed(flow: SystemFlow) -> dict[str, Flow]:
    return {name: each for name, each in flow.flows.items() if isinstance(each, Flow)}


def _reference(flow: Flow) -> FixedStatusRate:
    return flow.reference if isinstance(flow, CompiledFixedStatus) else flow
