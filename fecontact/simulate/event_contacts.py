"""All contacts of a system between two events: their laws, event functions and switches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from fecontact.contact.frozen import FrozenFlow, FrozenPair, FusedFrozenFlow, refuse_unfrozen
from fecontact.contact.mode import GROSS, OPEN, SLIP, STICK
from fecontact.contact.pair import ContactPair
from fecontact.simulate.automaton import (
    Booleans,
    Signals,
    event_functions,
    next_modes,
    thresholds,
)
from fecontact.system import State, System, SystemFlow
from fecontact.typing import Floats, Integers

__all__ = ["EventContacts", "initial_contacts"]

Flow: TypeAlias = FrozenFlow | FusedFrozenFlow


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
    """

    system: System
    eps: float
    angle: float
    slack: float
    pairs: Mapping[str, FrozenPair]
    threshold: Floats

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
        seen = np.hstack([each.signals for each in _frozen(flow).values()])
        pressure, limit, grip, cosine, slide, speed, gap = seen[:7]
        angle = np.arccos(np.clip(cosine, -1.0, 1.0))
        distance = gap - self.lengths(flow.state.t)
        return Signals(pressure, limit, grip, angle, slide, speed, distance)

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
        return {name: each.powers for name, each in _frozen(flow).items()}

    def accepted(self, flow: SystemFlow) -> EventContacts:
        """Contacts at the start of the next step: new thresholds and directions of slip."""
        if not self.pairs:
            return self
        pairs = {
            name: replace(self.pairs[name], toward=_directions(each.signals[7:].T))
            for name, each in _frozen(flow).items()
        }
        slide = np.abs(self.signals(flow).slide)
        return replace(self, pairs=pairs, threshold=thresholds(self.mode, slide, self.eps))

    def switched(self, flow: SystemFlow, event: Booleans) -> tuple[EventContacts, State]:
        """Contacts and state after events (p, 3) at a state, each point for itself.

        What a bristle stores when it is dropped is slip work; what it stores from its first moment
        of stick on is taken back from it.
        """
        now, mode = self.signals(flow), self.mode
        new = next_modes(mode, event, now, self.eps, self.angle)
        t, pairs = flow.state.t, {}
        z, wear = flow.state.z.copy(), flow.state.wear.copy()
        for name, each in _frozen(flow).items():
            memory, old = self.system.memory, self.pairs[name]
            part, before = new[memory.mode[name]], each.z
            after = _new_bristles(each, old.mode, part)
            z[memory.z[name]] = after.ravel()
            spring = 0.5 * _ordinary(each).law.stiffness * old.pair.surface.weights
            wear[memory.wear[name]][::2] += spring * np.sum(before**2 - after**2, axis=1)
            opens = (part == OPEN) & (old.mode != OPEN)
            rest = np.where(opens, np.minimum(each.signals[6], 0.0), old.lengths(t))
            rest = np.where(part == OPEN, rest, 0.0)
            pairs[name] = replace(old, mode=part, rest=rest, since=t)
        state = replace(flow.state, z=z, mode=new, wear=wear)
        contacts = replace(self, pairs=pairs)
        return contacts.accepted(contacts.flow(state)), state

    def bent(self, flow: SystemFlow) -> Floats:
        """Elastic slip z of all points as other methods know it: gross slip bends bristles."""
        z = flow.state.z.copy()
        for name, each in _frozen(flow).items():
            part, runs = (
                z[self.system.memory.z[name]].reshape(-1, 3),
                self.pairs[name].mode == GROSS,
            )
            if runs.any():
                part[runs] = _ordinary(each).slaved[runs]
        return z


def initial_contacts(
    system: System, state: State, rest: Floats | None, eps: float, angle: float, slack: float
) -> tuple[EventContacts, State]:
    """Contacts of a start, and the start with their modes.

    Points without history are open, stick or slide as gap and velocities say, with unbent bristles
    (Stamm 5.7). Points with one keep their mode if it is possible. `rest` are the free lengths of
    open layers, if they are known.
    """
    for item in system.remembering:
        refuse_unfrozen(item, item.name)
    pairs, z, modes = {}, state.z.copy(), state.mode.copy()
    for item in system.remembering:
        assert isinstance(item, ContactPair)
        own = system.memory.mode[item.name]
        q, v = system.local(item, state)
        bent = z[system.memory.z[item.name]].reshape(-1, 3)
        pair = _first(item, state.t, q, v, bent, modes[own], eps, angle)
        if rest is not None:
            pair = replace(pair, mode=modes[own], rest=rest[own])
        bent[(pair.mode == OPEN) | (pair.mode == GROSS)] = 0.0
        modes[own], pairs[item.name] = pair.mode, pair
    state = replace(state, z=z, mode=modes)
    contacts = EventContacts(system, eps, angle, slack, pairs, np.full(len(modes), eps))
    return contacts.accepted(contacts.flow(state)), state


def _first(
    pair: ContactPair, t: float, q: Floats, v: Floats, z: Floats, mode: Integers, eps: float,
    angle: float,
) -> FrozenPair:  # fmt: skip
    """Contact at the start, with the modes its points can have."""
    points = len(mode)
    slides = FrozenPair(pair, np.full(points, GROSS), np.zeros(points), t, np.zeros((points, 3)))
    seen = slides.at(t, q, v, np.zeros((points, 3))).signals
    closed = (seen[6] <= 0.0) & (seen[0] > 0.0)
    fresh = np.where(seen[5] > eps, GROSS, STICK)
    mode = np.where(closed, np.where(mode == OPEN, fresh, mode), OPEN)
    rest = np.where(closed, 0.0, np.minimum(seen[6], 0.0))
    first = FrozenPair(pair, mode, rest, t, _directions(seen[7:].T))
    _, limit, grip, cosine, _, speed = first.at(t, q, v, z).signals[:6]
    mode = np.where((mode == STICK) & (grip > limit), SLIP, mode)
    mode = np.where((mode == SLIP) & (cosine > np.cos(angle)) & (speed > eps), GROSS, mode)
    return replace(first, mode=mode)


def _new_bristles(flow: Flow, old: Integers, new: Integers) -> Floats:
    """Bristles (p, 3) after a switch, in the frame of the master.

    Sliding points that stick keep their friction: z = -(T + beta s)/c (Stamm 4.104, 4.108). What
    closes begins unbent, what slides on or opens has no bristle.
    """
    z = np.where(((new == STICK) | (new == SLIP))[:, None], flow.z, 0.0)
    held = (new == STICK) & ((old == SLIP) | (old == GROSS))
    return np.where(held[:, None], _ordinary(flow).held, z) if held.any() else z


def _directions(slip: Floats) -> Floats:
    speed = np.linalg.norm(slip, axis=1)[:, None]
    return np.divide(slip, speed, out=np.zeros_like(slip), where=speed > 0.0)


def _frozen(flow: SystemFlow) -> dict[str, Flow]:
    return {name: each for name, each in flow.flows.items() if isinstance(each, Flow)}


def _ordinary(flow: Flow) -> FrozenFlow:
    return flow.ordinary if isinstance(flow, FusedFrozenFlow) else flow
