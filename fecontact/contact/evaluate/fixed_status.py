"""A contact pair with given status of its points: the smooth laws between two events.

With the trial traction a = c z + beta s (Stamm 4.56, 4.113, 4.90):

    stick        T = -a,                        z' = s
    slip         T = -mu p e,   e = a/|a|,      z' = (mu p e - c z)/beta
    gross slip   T = -mu p s/|s|,               no bristle: z = 0
    open         no force,                      z = 0
    closed       p = -(c_n g + d_n g'),         also where it would pull

An open layer relaxes against its own damper from its length u at the opening (Stamm 4.79):
u' = -(c_n/d_n) u. Beyond the end of a state its law goes on smoothly, so that the step in which the
state ends is as accurate as any. Where gross slip would turn by more than a right angle from its
direction d at the start of the step, the part of s along d counts as positive.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from fecontact.contact.evaluate.compiled.points import motion_of
from fecontact.contact.evaluate.compiled.rigid import CompiledRigid, compiled_rigid, frame_of
from fecontact.contact.evaluate.rate import ContactRate, RateTangents
from fecontact.contact.kernels.blocks import FORCE_SUMS
from fecontact.contact.kernels.fixed_status import (
    SIGNALS,
    fixed_status_rate,
    pair_fixed_status_blocks,
)
from fecontact.contact.laws.base import FrictionRate, FrictionTangent, Pressure
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.laws.penalty import PenaltyNormal
from fecontact.contact.pair import ContactPair
from fecontact.contact.report import ContactReport
from fecontact.contact.status import GROSS, OPEN, SLIP, STICK
from fecontact.errors import InputError
from fecontact.kernels.working import working_array
from fecontact.typing import Floats, Integers

__all__ = [
    "CompiledFixedStatus",
    "FixedFriction",
    "FixedNormal",
    "FixedStatusPair",
    "FixedStatusRate",
    "held_bristles",
    "refuse_without_fixed_status",
]


def refuse_without_fixed_status(pair: object, name: str) -> None:
    """Raise an `InputError` if the laws of a contact have no form with given status."""
    if not isinstance(pair, ContactPair) or pair.transports_material:
        raise InputError(
            f"{name}: method 'events' needs a ContactPair on a master that does not spin; take "
            "method 'implicit'"
        )
    if type(pair.normal) is not PenaltyNormal or type(pair.friction) is not ElastoPlastic:
        raise InputError(
            f"{name}: method 'events' needs the laws PenaltyNormal and ElastoPlastic, not "
            f"{type(pair.normal).__name__} and {type(pair.friction).__name__}; take method "
            "'implicit'"
        )
    if pair.friction.damping == 0.0:
        raise InputError(
            f"{name}: invalid friction damping = 0 with method 'events', which needs the "
            "continuous law: expected > 0 (2 sqrt(stiffness x moved mass) damps critically)"
        )


@dataclass(frozen=True)
class FixedNormal(PenaltyNormal):
    """Layer of which it is known where it is closed, (p,) of booleans."""

    closed: Floats = field(default_factory=lambda: np.ones(1), repr=False)

    def pressure(self, gap: Floats, gap_rate: Floats) -> Pressure:
        """Pressure, and its derivatives with respect to gap and gap rate, each (p,)."""
        c, d = self.stiffness * self.closed, self.damping * self.closed
        return -(c * gap + d * gap_rate), -c, -d

    def energy(self, gap: Floats) -> Floats:
        """Energy (p,) of the closed points."""
        return np.asarray(0.5 * self.stiffness * self.closed * gap**2)


@dataclass(frozen=True)
class FixedFriction(ElastoPlastic):
    """Friction of points whose status lasts; `toward` (p, 3): direction of slip at the start."""

    toward: Floats = field(default_factory=lambda: np.zeros((1, 3)), repr=False)

    def limit(self, slip: Floats, pressure: Floats, status: Integers) -> Pressure:
        """Friction limit mu p, negative under tension, and its derivatives by speed and p."""
        speed = np.linalg.norm(slip, axis=1)
        mu, by_speed, by_pressure = self.coefficient.values(
            speed, np.maximum(pressure, 0.0), status
        )
        return mu * pressure, by_speed * pressure, mu + by_pressure * pressure

    def rate(self, z: Floats, slip: Floats, pressure: Floats, status: Integers) -> FrictionRate:
        """Traction, rate of z, status, slip power."""
        limit = self.limit(slip, pressure, status)[0]
        traction, rate, power = np.empty_like(z), np.empty_like(z), np.empty_like(limit)
        fixed_status_rate(
            (self.stiffness, self.damping),
            limit,
            status,
            self.toward,
            slip,
            z,
            (traction, rate, power),
        )
        return FrictionRate(traction, rate, status, power)

    def d_rate(
        self, z: Floats, slip: Floats, pressure: Floats, status: Integers
    ) -> tuple[FrictionTangent, FrictionTangent]:
        """Derivatives of the traction and of the rate of z."""
        c, beta, one = self.stiffness, self.damping, np.eye(3)
        limit, by_speed, by_pressure = self.limit(slip, pressure, status)
        sticks, slips, runs = ((status == state)[:, None, None] for state in (STICK, SLIP, GROSS))
        pull, along = _unit(c * z + beta * slip), _unit(slip)
        turned = np.where(np.sum(slip * self.toward, axis=1) < 0.0, -2.0, 0.0)
        mirror = one + turned[:, None, None] * self.toward[:, :, None] * self.toward[:, None, :]
        ahead = np.einsum("pij,pj->pi", mirror, along[0])
        bend = -limit[:, None, None] * _turning(*pull)
        swing = -limit[:, None, None] * (mirror @ _turning(*along))
        e = np.where(slips[:, 0], pull[0], np.where(runs[:, 0], ahead, 0.0))
        faster = -e[:, :, None] * (by_speed[:, None] * along[0])[:, None, :]
        traction = FrictionTangent(
            by_z=np.where(sticks, -c * one, np.where(slips, c * bend, 0.0)),
            by_slip=np.where(
                sticks, -beta * one, np.where(slips, beta * bend, np.where(runs, swing, 0.0))
            )
            + faster,
            by_pressure=-by_pressure[:, None] * e,
        )
        moving = np.where(slips, 1.0 / beta, 0.0)
        rate = FrictionTangent(
            by_z=-moving * (traction.by_z + c * one),
            by_slip=np.where(sticks, one, -moving * traction.by_slip),
            by_pressure=-moving[:, :, 0] * traction.by_pressure,
        )
        return traction, rate


def _unit(a: Floats) -> tuple[Floats, Floats]:
    """Directions (p, 3) and sizes (p,); a zero vector has no direction, and the size inf."""
    size = np.linalg.norm(a, axis=1)
    size = np.where(size > 0.0, size, np.inf)
    return a / size[:, None], size


def _turning(e: Floats, size: Floats) -> Floats:
    """Derivative (p, 3, 3) of a direction by its vector."""
    return (np.eye(3) - e[:, :, None] * e[:, None, :]) / size[:, None, None]


def held_bristles(signals: Floats, stiffness: Floats, damping: Floats) -> Floats:
    """Bristles (p, 3) in the frame of the master that would carry the tractions in stick."""
    return np.asarray(-(signals[10:13] + damping * signals[7:10]) / stiffness).T


@dataclass(frozen=True, eq=False)
class FixedStatusRate(ContactRate):
    """A pair with given status at one state; `rest` (p,) is u, zero for closed points."""

    rest: Floats = field(default_factory=lambda: np.zeros(1))

    @cached_property
    def signals(self) -> Floats:
        """What events look at, as `contact.kernels.fixed_status.SIGNALS` lists it."""
        at, law, normal = self.kinematics, self.law, self.pair.normal
        assert isinstance(law, FixedFriction)
        assert isinstance(normal, FixedNormal)
        traction, limit = (
            self.friction.traction,
            law.limit(at.slip, self.pressure[0], self.status)[0],
        )
        grip, speed = np.linalg.norm(traction, axis=1), np.linalg.norm(at.slip, axis=1)
        along, size = -np.sum(traction * at.slip, axis=1), grip * speed
        cosine = np.divide(along, size, out=np.full(len(size), -1.0), where=size > 0.0)
        trial = law.stiffness * self._flat + law.damping * at.slip
        plastic = (np.linalg.norm(trial, axis=1) - limit) / law.damping
        running = np.where(np.sum(at.slip * law.toward, axis=1) < 0.0, -speed, speed)
        slide = np.where(self.status == GROSS, running, np.where(self.status == SLIP, plastic, 0.0))
        pressure = -(normal.stiffness * at.gap + normal.damping * at.gap_rate)
        slip, pull = (a @ at.projection.rotation for a in (at.slip, traction))
        return np.vstack([pressure, limit, grip, cosine, slide, speed, at.gap, slip.T, pull.T])

    @property
    def slip_rates(self) -> Floats:
        """Slip power (p,) in W and slip speed (p,) in m/s; negative if a trial step runs back."""
        return np.column_stack([self.slip_power, self.signals[4]])

    def report(self) -> ContactReport:
        """What the points do, with what open layers still store and lose."""
        now, normal, weights = super().report(), self.pair.normal, self.pair.surface.weights
        assert isinstance(normal, FixedNormal)
        pushed = normal.stiffness * self.rest
        stored = now.energy + 0.5 * float(weights @ (pushed * self.rest))
        lost = weights @ pushed**2 / normal.damping if normal.damping > 0.0 else 0.0
        return replace(now, energy=stored, damping_power=now.damping_power + float(lost))

    @property
    def powers(self) -> tuple[float, float]:
        """Power in W of the dampers of closed points, and that of motion which is not in v."""
        now = super().report()
        return now.damping_power, now.supplied_power


@dataclass(frozen=True, eq=False)
class CompiledFixedStatus:
    """The same by the compiled kernel; tangents and reports come from the reference form."""

    contact: FixedStatusPair
    t: float
    q: Floats
    v: Floats
    z: Floats
    force: Floats
    z_rate: Floats
    slip_rates: Floats
    signals: Floats
    powers: tuple[float, float]

    @property
    def resulting_status(self) -> Integers:
        """Statuses (p,): the given ones."""
        return self.contact.status

    @cached_property
    def reference(self) -> FixedStatusRate:
        """The same in the reference form."""
        return self.contact.reference(self.t, self.q, self.v, self.z)

    def tangents(self) -> RateTangents:
        """Derivatives of force and rates."""
        return self.reference.tangents()

    def report(self) -> ContactReport:
        """What the points do."""
        return self.reference.report()


@dataclass(frozen=True, eq=False)
class FixedStatusPair:
    """A contact pair between two events.

    Attributes
    ----------
    pair
        The contact, with its own laws.
    status : (p,)
        State of each point.
    rest : (p,)
        Length u <= 0 of open layers at the time `since`.
    toward : (p, 3)
        Direction of slip at the start of the step, in the frame of the master.
    """

    pair: ContactPair
    status: Integers
    rest: Floats
    since: float
    toward: Floats

    @cached_property
    def normal(self) -> FixedNormal:
        """Normal law of the status."""
        law, closed = self.pair.normal, (self.status != OPEN).astype(float)
        assert isinstance(law, PenaltyNormal)
        return FixedNormal(law.stiffness, law.damping, law.thickness, closed)

    @cached_property
    def fixed(self) -> ContactPair:
        """The contact with this law."""
        return replace(self.pair, normal=self.normal)

    @cached_property
    def kernel(self) -> CompiledRigid | None:
        """Compiled form, if there is one."""
        return None if self.pair.in_prescribed_frame else compiled_rigid(self.pair)

    def lengths(self, t: float) -> Floats:
        """Free lengths u (p,) of open layers, zero for closed ones."""
        if self.normal.damping == 0.0:
            return np.zeros(len(self.status))
        return self.rest * np.exp(-self.normal.stiffness / self.normal.damping * (t - self.since))

    def at(
        self, t: float, q: Floats, v: Floats, z: Floats
    ) -> FixedStatusRate | CompiledFixedStatus:
        """Force and rates at a state."""
        kernel = self.kernel
        if kernel is None:
            return self.reference(t, q, v, z)
        slave, master = kernel.slave(q, v), kernel.master(q, v)
        points, rate = kernel.points, z.copy()
        slip_totals, signals = np.empty((points.size, 2)), np.empty((SIGNALS, points.size))
        with kernel.turn:
            if not pair_fixed_status_blocks(
                kernel.packed, motion_of(slave, frame_of(slave, master)), (rate, self.status),
                self.toward, (slip_totals, signals, kernel.sums),
                working_array(kernel.laws.working_size),
            ):  # fmt: skip
                return self.reference(t, q, v, z)
            total = kernel.sums.sum(axis=0)
        force = master.rotation @ total[:3]
        own = slave.generalised(np.concatenate([force, total[6:9], total[FORCE_SUMS:]]))
        other = master.jacobian.T @ force + master.material_angular_jacobian.T @ total[3:6]
        whole = np.concatenate([own, -other])
        powers = float(total[10]), float(whole @ v - total[9])
        return CompiledFixedStatus(self, t, q, v, z, whole, rate, slip_totals, signals, powers)

    def reference(self, t: float, q: Floats, v: Floats, z: Floats) -> FixedStatusRate:
        """Force and rates at a state, step by step."""
        at, law = self.pair.kinematics(q, v, t), self.pair.friction
        assert isinstance(law, ElastoPlastic)
        toward = self.toward @ at.projection.rotation.T
        friction = FixedFriction(law.mu, law.stiffness, law.damping, toward)
        weights = self.pair.surface.weights
        return FixedStatusRate(
            self.fixed, friction, at, t, q, v, weights, z, self.status, self.lengths(t)
        )
