"""A contact pair with a history over a time step, in the reference form.

The transport of the pair (`contact.kinematics.transport`) gives the trial elastic slip of each
point; the friction law gives traction, z and status from it. A normal law with states of its own
starts from them and from the gap at the start of the step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fecontact.contact.evaluate.points import PairPoints
from fecontact.contact.history import (
    ContactHistory,
    refuse_other_points,
    refuse_pressed_through,
    stateful_law,
)
from fecontact.contact.kinematics.transport import Moved, Origin
from fecontact.contact.laws.base import (
    FrictionLaw,
    FrictionStep,
    FrictionTangent,
    NormalStep,
    Pressure,
    friction_pressure,
    stateful,
)
from fecontact.contact.report import ContactReport
from fecontact.contact.status import OPEN
from fecontact.typing import Chosen, Floats, Tangents

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["ContactHistory", "ContactStart", "ContactStep"]


PART = 256
"""Points whose tangents are formed at a time."""


@dataclass(frozen=True, eq=False)
class ContactStart:
    """What a pair keeps from the start of a step.

    With `at_rest` the bodies move infinitely slowly, as in statics: nothing has a rate.
    """

    pair: ContactPair
    law: FrictionLaw
    history: ContactHistory
    origin: Origin
    gap: Floats
    weights: Floats
    position: Floats
    at_rest: bool = False

    @staticmethod
    def of(
        pair: ContactPair,
        t: float,
        q: Floats,
        v: Floats,
        history: ContactHistory,
        at_rest: bool = False,
    ) -> ContactStart:
        """Keep where all points are at coordinates q."""
        refuse_other_points(pair.name, len(pair.surface.weights), history)
        law, at = stateful_law(pair, history.z.shape[1]), pair.kinematics(q, v, t)
        refuse_pressed_through(pair.name, pair.normal, at.gap[history.status == OPEN])
        origin = pair.transport.origin(at, t, q, v)
        weights, position = pair.surface.weights, at.slave.position
        return ContactStart(pair, law, history, origin, at.gap, weights, position, at_rest)

    def at(self, t: float, q: Floats, v: Floats, h: float) -> ContactStep:
        """Contact after a step h, at time t, coordinates q and velocities v."""
        kinematics = self.pair.kinematics(q, v, t)
        if self.at_rest:
            kinematics = kinematics.at_rest()
        return ContactStep(self.pair, self.law, kinematics, t, q, v, self.weights, self, h)

    def part(self, rows: Chosen) -> ContactStart | None:
        """Some of the points; None if they cannot be divided."""
        origin, old = self.origin.part(rows), self.history
        if origin is None:
            return None
        return replace(
            self,
            history=ContactHistory(old.z[rows], old.status[rows], old.slip_totals[rows]),
            origin=origin,
            gap=self.gap[rows],
            weights=self.weights[rows],
            position=self.position[rows],
        )

    def no_slip(self) -> ContactStart:
        """Start of the same step with bristles that never yield: elastic tangents."""
        return replace(self, law=self.law.no_slip())


@dataclass(frozen=True, eq=False)
class ContactStep(PairPoints):
    """A pair at the end of a step of length h."""

    start: ContactStart
    h: float

    @cached_property
    def pressure(self) -> Pressure:
        """Pressure (p,) and its derivatives by gap and gap rate."""
        if self.layer is not None:
            return self.layer.pressure, self.layer.by_gap, self.layer.by_rate
        return self.pair.normal.pressure(self.kinematics.gap, self.kinematics.gap_rate)

    @cached_property
    def layer(self) -> NormalStep | None:
        """Pressure and new state of a normal law with states."""
        start, at, normal = self.start, self.kinematics, stateful(self.pair.normal)
        if normal is None:
            return None
        state = start.history.z[:, self.width :]
        return normal.step(state, start.gap, at.gap, at.gap_rate, self.h)

    @cached_property
    def friction(self) -> FrictionStep:
        """Traction, new z in space components, status and slip work per area."""
        moved, slip = self.moved, self.kinematics.slip
        return self.law.step(self._state, slip, self.pressure[0], moved.status, self.h, moved.shift)

    @property
    def traction(self) -> Floats:
        """Friction traction (p, 3)."""
        return self.friction.traction

    @cached_property
    def moved(self) -> Moved:
        """Displacement of the points over the step."""
        start = self.start
        return start.origin.moved(self, start.history.z[:, :3], start.history.status, self.h)

    @property
    def trial(self) -> Floats:
        """Trial elastic slip z_tr (p, 3) in space components."""
        return self.moved.trial

    @property
    def shift(self) -> Floats:
        """Displacement dx (p, 3) along the surface, the part of the trial that the step adds."""
        return self.moved.shift

    @property
    def _state(self) -> Floats:
        """Internal variables (p, k) of friction: the trial slip, and the others as they were."""
        others = self.start.history.z[:, 3 : self.width]
        return np.column_stack([self.trial, others]) if others.size else self.trial

    @property
    def _slip_state(self) -> Floats:
        """Elastic slip (p, 3) at the end of the step, in space components."""
        return self.friction.z[:, :3]

    @cached_property
    def history(self) -> ContactHistory:
        """What to keep if the step is accepted; slip is counted where the points are."""
        z = self._slip_state @ self.axes.rotation
        others = [] if self.layer is None else [self.layer.z]
        if self.width > 3:
            others.insert(0, self.friction.z[:, 3:])
        z = np.column_stack([z, *others]) if others else z
        slip_totals = self.start.history.slip_totals + np.column_stack(
            [self.slip_work, self.slip_path]
        )
        return ContactHistory(z, self.friction.status, slip_totals)

    @cached_property
    def slip_work(self) -> Floats:
        """Energy (p,) in J that slip dissipates in the step."""
        return self.weights * self.friction.work

    @cached_property
    def slip_path(self) -> Floats:
        """Path (p,) in m that closed points slide in the step."""
        return np.where(self.friction.status == OPEN, 0.0, np.linalg.norm(self._slid, axis=1))

    @cached_property
    def _slid(self) -> Floats:
        """Slip z_tr - z (p, 3) of all points in the step, also of those that open."""
        return np.asarray(self.trial - self._slip_state)

    def report(self) -> ContactReport:
        """What the points do, with mean powers of the step."""
        z, layer = self._slip_state, None if self.layer is None else self.layer.z
        bend = z - (self.trial - self.shift)
        power = self.slip_work / self.h
        now = self.balance(z, bend / self.h, self.friction.status, layer, power)
        return now.over_step(bend, self._slid)

    def no_slip(self) -> ContactStep:
        """The same step with bristles that never yield."""
        start = self.start.no_slip()
        return replace(self, law=start.law, start=start)

    def tangents(self) -> Tangents:
        """Derivatives of `force` along an increment of the dofs, and by the velocities."""
        total = np.zeros((2, len(self.v), len(self.v)))
        for part in self._parts():
            at, force = part.kinematics, part.point_force
            by_q, by_v = part.d_force()
            total[0] += at.tangent(force, by_q, True)
            total[1] += at.tangent(force, by_v, False)
        return total[0], total[1]

    def _parts(self) -> Iterator[ContactStep]:
        """Points whose pressure is not zero or changes, some at a time: their arrays fit the cache.

        All at once if slave, master or transport cannot be divided.
        """
        active = np.flatnonzero(np.any(self.pressure, axis=0))
        for first in range(0, len(active), PART):
            rows: Chosen = active[first : first + PART]
            if len(active) == len(self.weights):
                rows = slice(first, first + PART)
            kinematics, start = self.kinematics.part(rows), self.start.part(rows)
            if kinematics is None or start is None:
                yield self
                return
            yield replace(self, start=start, kinematics=kinematics, weights=start.weights)

    @cached_property
    def _law_tangent(self) -> FrictionTangent:
        """Derivatives of the traction."""
        pressure, moved = friction_pressure(self.pressure), self.moved
        slip = self.kinematics.slip
        return self.law.d_step(self._state, slip, pressure, moved.status, self.h, moved.shift)

    def d_force(self) -> tuple[Floats, Floats]:
        """Derivatives (p, 3, N) of `point_force` along a step, and by the velocities."""
        at, law = self.kinematics, self._law_tangent
        results = []
        for change in (at.by_q, at.by_v):
            d_pressure = self.d_pressure(change)
            d_force = (at.normal + law.by_pressure)[:, :, None] * d_pressure[:, None, :]
            d_force += self.pressure[0][:, None, None] * change.normal
            d_force += law.by_slip @ change.slip
            moved = self.moved.change(change)
            if moved is not None:
                d_force += law.by_z @ moved[0]
                if law.by_shift is not None:
                    d_force += law.by_shift @ moved[1]
            results.append(self.weights[:, None, None] * d_force)
        return results[0], results[1]
