"""A contact pair with friction memory over a time step.

The elastic slip z of each point is kept in the frame of the master, so a common rigid motion of
both bodies leaves it alone. From the start of a step each point remembers where on the master it
was (its anchor) and the normal there. At the end of the step

    dx = (I - n n^T) (x_slave - x_anchor),      z_tr = Q z_n + dx,

Q the smallest rotation that takes the old normal to the new one. dx is a difference of positions:
nothing drifts while a point sticks. The law of `ElastoPlastic` then gives traction, z and mode.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from fecontact.body.rotation import cross_matrix
from fecontact.contact._kernels import OPEN
from fecontact.contact._motion_kernels import trial_slip
from fecontact.contact.approach import Approach
from fecontact.contact.elasto_plastic import ElastoPlastic, FrictionStep
from fecontact.contact.friction import CoulombSliding
from fecontact.contact.master import Master, MaterialMaster
from fecontact.contact.normal import NormalLaw
from fecontact.contact.surface import Surface
from fecontact.errors import InputError
from fecontact.typing import Floats, Integers, Tangents

__all__ = ["ContactHistory", "ContactStep", "Paired", "StepStart"]

UNLIMITED = 1e30
"""Friction coefficient at which no point slides."""


class Paired(Protocol):
    """What a step needs of a pair: laws, weights, kinematics; a `ContactPair` is one."""

    @property
    def name(self) -> str:
        """Name in messages."""
        ...

    @property
    def surface(self) -> Surface:
        """Points with weights."""
        ...

    @property
    def master(self) -> Master:
        """Surface on which the points are projected."""
        ...

    @property
    def normal(self) -> NormalLaw:
        """Law of the pressure."""
        ...

    @property
    def friction(self) -> CoulombSliding | ElastoPlastic:
        """Law of the traction."""
        ...

    def approach(self, q: Floats, v: Floats) -> Approach:
        """Kinematics of all points."""
        ...

    def of_master(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Coordinates and velocities of the master."""
        ...


@dataclass(frozen=True, eq=False)
class ContactHistory:
    """What the points of a contact remember.

    Attributes
    ----------
    z : (p, k)
        Elastic slip in the frame of the master, then the state of a normal layer if there is one.
    mode : (p,)
        OPEN, STICK, SLIP or GROSS.
    wear : (p, 2)
        Slip work in J and slip path in m since the start; it never enters the dynamics.
    """

    z: Floats
    mode: Integers
    wear: Floats

    @staticmethod
    def fresh(points: int, columns: int = 3) -> ContactHistory:
        """Points that were never in contact."""
        return ContactHistory(
            np.zeros((points, columns)), np.full(points, OPEN), np.zeros((points, 2))
        )


@dataclass(frozen=True, eq=False)
class StepStart:
    """What a pair remembers from the start of a step."""

    pair: Paired
    master: MaterialMaster
    law: ElastoPlastic
    history: ContactHistory
    anchor: Floats
    normal: Floats

    @staticmethod
    def of(pair: Paired, q: Floats, v: Floats, history: ContactHistory) -> StepStart:
        """Remember the place of all points at coordinates q."""
        if not isinstance(pair.friction, ElastoPlastic):
            raise InputError(
                f"{pair.name}: {type(pair.friction).__name__} has no memory: a time step needs "
                "ElastoPlastic friction"
            )
        if not isinstance(pair.master, MaterialMaster):
            raise InputError(
                f"{pair.name}: {type(pair.master).__name__} does not follow its material: a time "
                "step needs a master that moves with its coordinates"
            )
        x = pair.approach(q, v).slave.position
        at = pair.master.project(x, *pair.of_master(q, v))
        normal = at.normal @ at.rotation
        return StepStart(pair, pair.master, pair.friction, history, at.anchor, normal)

    def at(self, q: Floats, v: Floats, h: float) -> ContactStep:
        """Contact after a step h, at coordinates q and velocities v."""
        carried = self.master.carried(self.anchor, self.pair.of_master(q, v)[0])
        return ContactStep(self, self.pair.approach(q, v), carried, h)

    def stuck(self) -> StepStart:
        """Start of the same step with bristles that never yield: elastic tangents."""
        return replace(self, law=replace(self.law, mu=UNLIMITED))


@dataclass(frozen=True, eq=False)
class ContactStep:
    """A pair at the end of a step of length h."""

    start: StepStart
    approach: Approach
    carried: tuple[Floats, Floats]
    h: float

    @cached_property
    def force(self) -> Floats:
        """Generalised force (N,) on slave and master."""
        return self.approach.pull(self.point_force)

    @cached_property
    def point_force(self) -> Floats:
        """Forces F (p, 3) on the slave."""
        weights = self.start.pair.surface.weights[:, None]
        return weights * (self.pressure[0][:, None] * self.approach.normal + self.friction.traction)

    @cached_property
    def pressure(self) -> tuple[Floats, Floats, Floats]:
        """Pressure (p,) and its derivatives by gap and gap rate."""
        return self.start.pair.normal.pressure(self.approach.gap, self.approach.gap_rate)

    @cached_property
    def friction(self) -> FrictionStep:
        """Traction, new z in space components, modes and slip work per area."""
        start, at = self.start, self.approach
        return start.law.step(self.trial, at.slip, self.pressure[0], start.history.mode, self.h)

    @cached_property
    def history(self) -> ContactHistory:
        """What to keep if the step is accepted."""
        z = self.friction.z @ self.approach.projection.rotation
        wear = self.start.history.wear + np.column_stack([self.slip_work, self.slip_path])
        return ContactHistory(z, self.friction.mode, wear)

    @cached_property
    def slip_work(self) -> Floats:
        """Energy (p,) in J that slip dissipates in the step."""
        return self.start.pair.surface.weights * self.friction.work

    @cached_property
    def slip_path(self) -> Floats:
        """Path (p,) in m that closed points slide in the step: z_tr - z."""
        path = np.linalg.norm(self.trial - self.friction.z, axis=1)
        return np.where(self.friction.mode == OPEN, 0.0, path)

    @cached_property
    def trial(self) -> Floats:
        """Trial elastic slip z_tr (p, 3) in space components."""
        at, start = self.approach, self.start
        trial = np.empty_like(at.normal)
        x, R = at.slave.position, at.projection.rotation
        trial_slip(at.normal, x, self.carried[0], start.history.z, start.normal, R, trial)
        return trial

    def tangents(self) -> Tangents:
        """Derivatives of `force` along a step of the freedoms, and by the velocities."""
        by_q, by_v = self.d_force()
        at, force = self.approach, self.point_force
        return at.tangent(force, by_q, True), at.tangent(force, by_v, False)

    def d_force(self) -> tuple[Floats, Floats]:
        """Derivatives (p, 3, N) of `point_force` along a step, and by the velocities."""
        at, start = self.approach, self.start
        law = start.law.tangent(self.trial, at.slip, self.pressure[0], start.history.mode)
        results = []
        for change, by_z in ((at.by_q, law.by_z @ self._d_trial()), (at.by_v, 0.0)):
            _, p_gap, p_rate = self.pressure
            d_pressure = p_gap[:, None] * change.gap + p_rate[:, None] * change.gap_rate
            d_force = (at.normal + law.by_pressure)[:, :, None] * d_pressure[:, None, :]
            d_force += self.pressure[0][:, None, None] * change.normal
            d_force += law.by_slip @ change.slip + by_z
            results.append(start.pair.surface.weights[:, None, None] * d_force)
        return results[0], results[1]

    @cached_property
    def _before(self) -> tuple[Floats, Floats]:
        """Old z and old normal (p, 3), turned with the frame of the master."""
        R = self.approach.projection.rotation
        return self.start.history.z @ R.T, self.start.normal @ R.T

    def _d_trial(self) -> Floats:
        """Derivative (p, 3, N) of z_tr along a step of the freedoms."""
        at = self.approach
        slave, master = at.slave.jacobian, at.projection.turning
        d_n, n = at.by_q.normal, at.normal
        path = at.slave.position - self.carried[0]
        d_path = np.concatenate([slave, -self.carried[1]], axis=2)
        d_shift = _flat(n, d_path) - n[:, :, None] * _row(d_n, path)
        d_shift -= _dot(n, path)[:, None, None] * d_n

        z, old = self._before
        still = np.zeros((len(n), 3, slave.shape[2]))
        d_z, d_old = (np.concatenate([still, -cross_matrix(x) @ master], axis=2) for x in (z, old))
        along, apart = _dot(n, z), 1.0 + _dot(old, n)
        share = along / apart
        d_share = (
            _row(d_n, z) + _row(d_z, n) - share[:, None, None] * (_row(d_old, n) + _row(d_n, old))
        )
        d_turned = d_z - share[:, None, None] * (d_old + d_n)
        d_turned -= ((old + n) / apart[:, None])[:, :, None] * d_share
        return d_shift + d_turned


def _dot(a: Floats, b: Floats) -> Floats:
    """Products (p,) of vectors."""
    return np.einsum("pi,pi->p", a, b)


def _row(derivative: Floats, vector: Floats) -> Floats:
    """Derivative (p, 1, N) of vectors, along other vectors."""
    return vector[:, None, :] @ derivative


def _flat(n: Floats, derivative: Floats) -> Floats:
    """Part (p, 3, N) along the surface."""
    return derivative - n[:, :, None] * _row(derivative, n)
