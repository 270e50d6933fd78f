"""A contact pair with friction history over a time step.

The elastic slip z of each point is kept in the frame of the master, so a common rigid motion of
both bodies leaves it alone. From the start of a step each point keeps where on the master it
was (its anchor) and the normal there. At the end of the step

    dx = (I - n n^T) (x_slave - x_anchor),      z_tr = Q z_n + dx,

Q the smallest rotation that takes the old normal to the new one, none if they are opposite. dx is a
difference of positions: nothing drifts while a point sticks. The friction law then gives traction,
z and status. A stateful normal law starts from its own state and from the gap at the start of the
step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np

from fecontact.body.rotation import cross_matrix
from fecontact.contact.history import (
    ContactHistory,
    Paired,
    refuse_pressed_through,
    stateful_law,
)
from fecontact.contact.kernels.slip import OPPOSITE, trial_slip
from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.contact.laws.base import (
    FrictionLaw,
    FrictionStep,
    FrictionTangent,
    NormalStep,
    friction_pressure,
    history_width,
    stateful,
)
from fecontact.contact.master.base import MaterialMaster, MaterialProjection
from fecontact.contact.report import Bristling, ContactReport, normal_balance
from fecontact.contact.status import OPEN
from fecontact.errors import InputError
from fecontact.typing import Chosen, Floats, Tangents

__all__ = [
    "ContactHistory",
    "ContactStep",
    "Paired",
    "StepStart",
    "refuse_pressed_through",
    "stateful_law",
]


PART = 256
"""Points whose tangents are formed at a time."""


@dataclass(frozen=True, eq=False)
class StepStart:
    """What a pair keeps from the start of a step.

    `anchor` is where a point was on the master, as its `carried` takes it, `place` (p, 3) in space.
    """

    pair: Paired
    master: MaterialMaster
    law: FrictionLaw
    history: ContactHistory
    anchor: Floats
    normal: Floats
    gap: Floats
    weights: Floats
    position: Floats

    @staticmethod
    def of(pair: Paired, q: Floats, v: Floats, history: ContactHistory) -> StepStart:
        """Keep the position of all points at coordinates q."""
        law = stateful_law(pair, history.z.shape[1])
        if not hasattr(pair.master, "carried"):  # quicker than to ask for the protocol
            raise InputError(
                f"{pair.name}: {type(pair.master).__name__} does not follow its material: a time "
                "step needs a master that moves with its coordinates"
            )
        master, kinematics = cast("MaterialMaster", pair.master), pair.kinematics(q, v)
        refuse_pressed_through(pair.name, pair.normal, kinematics.gap[history.status == OPEN])
        at = cast("MaterialProjection", kinematics.projection)
        normal = at.normal @ at.rotation
        return StepStart(
            pair, master, law, history, at.anchor, normal, kinematics.gap, pair.surface.weights,
            kinematics.slave.position,
        )  # fmt: skip

    def at(self, q: Floats, v: Floats, h: float) -> ContactStep:
        """Contact after a step h, at coordinates q and velocities v."""
        return ContactStep(self, self.pair.kinematics(q, v), h, q, v)

    def part(self, rows: Chosen) -> StepStart:
        """Some of the points."""
        return replace(
            self,
            history=self.history.part(rows),
            anchor=self.anchor[rows],
            normal=self.normal[rows],
            gap=self.gap[rows],
            weights=self.weights[rows],
            position=self.position[rows],
        )

    def no_slip(self) -> StepStart:
        """Start of the same step with bristles that never yield: elastic tangents."""
        return replace(self, law=self.law.no_slip())


@dataclass(frozen=True, eq=False)
class ContactStep:
    """A pair at the end of a step of length h, at coordinates q and velocities v."""

    start: StepStart
    kinematics: ContactKinematics
    h: float
    q: Floats
    v: Floats

    @cached_property
    def force(self) -> Floats:
        """Generalised force (N,) on slave and master."""
        return self.kinematics.apply_transpose(self.point_force)

    @cached_property
    def point_force(self) -> Floats:
        """Forces F (p, 3) on the slave."""
        weights = self.start.weights[:, None]
        return weights * (
            self.pressure[0][:, None] * self.kinematics.normal + self.friction.traction
        )

    @cached_property
    def pressure(self) -> tuple[Floats, Floats, Floats]:
        """Pressure (p,) and its derivatives by gap and gap rate."""
        if self.layer is not None:
            return self.layer.pressure, self.layer.by_gap, self.layer.by_rate
        return self.start.pair.normal.pressure(self.kinematics.gap, self.kinematics.gap_rate)

    @cached_property
    def layer(self) -> NormalStep | None:
        """Pressure and new state of a stateful normal law."""
        start, at, normal = self.start, self.kinematics, stateful(self.start.pair.normal)
        if normal is None:
            return None
        return normal.step(self._layer_state, start.gap, at.gap, at.gap_rate, self.h)

    @cached_property
    def friction(self) -> FrictionStep:
        """Traction, new z in space components, status and slip work per area."""
        start, at = self.start, self.kinematics
        return start.law.step(
            self._state, at.slip, self.pressure[0], start.history.status, self.h, self.shift
        )

    @property
    def _state(self) -> Floats:
        """Internal variables (p, k) of friction: the trial slip, and the others as they were."""
        others = self.start.history.z[:, 3 : self._width]
        return np.column_stack([self.trial, others]) if others.size else self.trial

    @property
    def _layer_state(self) -> Floats:
        """Internal variables (p, m) of the normal law at the start."""
        return self.start.history.z[:, self._width :]

    @property
    def _width(self) -> int:
        """Number k of internal variables of friction."""
        return history_width(None, self.start.law)

    @property
    def _slip_state(self) -> Floats:
        """Elastic slip (p, 3) at the end of the step, in space components."""
        return self.friction.z[:, :3]

    @cached_property
    def history(self) -> ContactHistory:
        """What to keep if the step is accepted."""
        z = self._slip_state @ self.kinematics.projection.rotation
        others = [] if self.layer is None else [self.layer.z]
        if self._width > 3:
            others.insert(0, self.friction.z[:, 3:])
        z = np.column_stack([z, *others]) if others else z
        slip_totals = self.start.history.slip_totals + np.column_stack(
            [self.slip_work, self.slip_path]
        )
        return ContactHistory(z, self.friction.status, slip_totals)

    @cached_property
    def slip_work(self) -> Floats:
        """Energy (p,) in J that slip dissipates in the step."""
        return self.start.weights * self.friction.work

    @cached_property
    def slip_path(self) -> Floats:
        """Path (p,) in m that closed points slide in the step."""
        return np.where(self.friction.status == OPEN, 0.0, np.linalg.norm(self._slid, axis=1))

    @cached_property
    def _slid(self) -> Floats:
        """Slip z_tr - z (p, 3) of all points in the step, also of those that open."""
        return np.asarray(self.trial - self._slip_state)

    @cached_property
    def carried(self) -> Floats:
        """Places (p, 3) of the anchors now."""
        start = self.start
        return start.master.carried(start.anchor, start.pair.of_master(self.q, self.v)[0])

    @cached_property
    def trial(self) -> Floats:
        """Trial elastic slip z_tr (p, 3) in space components."""
        at, start = self.kinematics, self.start
        trial = np.empty_like(at.normal)
        x, R = at.slave.position, at.projection.rotation
        z = np.ascontiguousarray(start.history.z[:, :3])
        trial_slip(at.normal, x, self.carried, z, start.normal, R, trial)
        return trial

    @cached_property
    def shift(self) -> Floats:
        """Displacement dx (p, 3) along the surface, the part of the trial that the step adds."""
        n, path = self.kinematics.normal, self.kinematics.slave.position - self.carried
        return np.asarray(path - _dot(n, path)[:, None] * n)

    def report(self) -> ContactReport:
        """What the points do, with mean powers of the step."""
        start, at, friction = self.start, self.kinematics, self.friction
        weights, state = start.weights, None if self.layer is None else self.layer.z
        stored, lost = normal_balance(start.pair.normal, state, at, self.pressure[0])
        z = self._slip_state
        spring = (weights * start.law.bristle(self.pressure[0])[0])[:, None] * z
        bristles = Bristling.of(weights[:, None] * friction.traction, spring, float(weights @ lost))
        bristles = bristles.moved(z - (self.trial - self.shift), self._slid)
        return ContactReport(
            gap=at.gap,
            pressure=self.pressure[0],
            normal=at.normal,
            traction=friction.traction,
            slip=at.slip,
            position=at.slave.position,
            status=friction.status,
            energy=float(weights @ stored + 0.5 * np.sum(spring * z)),
            damping_power=bristles.lost + float(np.sum(bristles.damper * bristles.bend)) / self.h,
            point_slip_power=self.slip_work / self.h,
            supplied_power=float(self.force @ self.v - np.sum(self.point_force * at.velocity)),
            bristles=bristles,
        )

    def no_slip(self) -> ContactStep:
        """The same step with bristles that never yield."""
        return replace(self, start=self.start.no_slip())

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

        All at once if slave or master cannot be divided.
        """
        active = np.flatnonzero(np.any(self.pressure, axis=0))
        for first in range(0, len(active), PART):
            rows: Chosen = active[first : first + PART]
            if len(active) == len(self.start.weights):
                rows = slice(first, first + PART)
            kinematics = self.kinematics.part(rows)
            if kinematics is None:
                yield self
                return
            yield replace(self, start=self.start.part(rows), kinematics=kinematics)

    @cached_property
    def _law_tangent(self) -> FrictionTangent:
        """Derivatives of the traction."""
        start, slip, pressure = self.start, self.kinematics.slip, friction_pressure(self.pressure)
        return start.law.d_step(
            self._state, slip, pressure, start.history.status, self.h, self.shift
        )

    def d_force(self) -> tuple[Floats, Floats]:
        """Derivatives (p, 3, N) of `point_force` along a step, and by the velocities."""
        at, start, law = self.kinematics, self.start, self._law_tangent
        d_shift = self._d_shift()
        d_motion = law.by_z @ (d_shift + self._d_turned())
        if law.by_shift is not None:
            d_motion += law.by_shift @ d_shift
        results = []
        for change, by_motion in ((at.by_q, d_motion), (at.by_v, 0.0)):
            _, p_gap, p_rate = self.pressure
            d_pressure = p_gap[:, None] * change.gap + p_rate[:, None] * change.gap_rate
            d_force = (at.normal + law.by_pressure)[:, :, None] * d_pressure[:, None, :]
            d_force += self.pressure[0][:, None, None] * change.normal
            d_force += law.by_slip @ change.slip + by_motion
            results.append(start.weights[:, None, None] * d_force)
        return results[0], results[1]

    def _d_shift(self) -> Floats:
        """Derivative (p, 3, N) of dx along an increment of the dofs."""
        at = self.kinematics
        d_n, n = at.by_q.normal, at.normal
        path = at.slave.position - self.carried
        of_master = self.start.pair.of_master(self.q, self.v)[0]
        d_carried = self.start.master.d_carried(self.start.anchor, of_master)
        d_path = np.concatenate([at.slave.jacobian, -d_carried], axis=2)
        d_shift = _flat(n, d_path) - n[:, :, None] * _row(d_n, path)
        return d_shift - _dot(n, path)[:, None, None] * d_n

    def _d_turned(self) -> Floats:
        """Derivative (p, 3, N) of the turned old slip Q z_n along an increment of the dofs."""
        at, R = self.kinematics, self.kinematics.projection.rotation
        z, old = self.start.history.z[:, :3] @ R.T, self.start.normal @ R.T
        d_n, n, turning = at.by_q.normal, at.normal, at.projection.angular_jacobian
        still = np.zeros((len(n), 3, at.slave.jacobian.shape[2]))
        d_z, d_old = (np.concatenate([still, -cross_matrix(x) @ turning], axis=2) for x in (z, old))
        along, apart = _dot(n, z), 1.0 + _dot(old, n)
        apart = np.where(apart > OPPOSITE, apart, 1.0)  # as `turn_divisor`
        fraction = along / apart
        d_fraction = (
            _row(d_n, z)
            + _row(d_z, n)
            - fraction[:, None, None] * (_row(d_old, n) + _row(d_n, old))
        )
        d_turned = d_z - fraction[:, None, None] * (d_old + d_n)
        return d_turned - ((old + n) / apart[:, None])[:, :, None] * d_fraction


def _dot(a: Floats, b: Floats) -> Floats:
    """Products (p,) of vectors."""
    return np.einsum("pi,pi->p", a, b)


def _row(derivative: Floats, vector: Floats) -> Floats:
    """Derivative (p, 1, N) of vectors, along other vectors."""
    return vector[:, None, :] @ derivative


def _flat(n: Floats, derivative: Floats) -> Floats:
    """Part (p, 3, N) along the surface."""
    return derivative - n[:, :, None] * _row(derivative, n)
