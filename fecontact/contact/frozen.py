"""A contact pair with given modes of its points: the smooth laws between two events.

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

from fecontact.contact._frozen_kernels import frozen_flow
from fecontact.contact._kernels import GROSS, OPEN, SLIP, STICK
from fecontact.contact.elasto_plastic import ElastoPlastic
from fecontact.contact.flowing import ContactFlow
from fecontact.contact.friction_law import FrictionFlow, FrictionTangent
from fecontact.contact.normal import PenaltyNormal, Pressure
from fecontact.contact.pair import ContactPair
from fecontact.contact.report import ContactReport
from fecontact.errors import InputError
from fecontact.typing import Floats, Integers

__all__ = ["FrozenFlow", "FrozenFriction", "FrozenNormal", "FrozenPair", "refuse_unfrozen"]


def refuse_unfrozen(pair: object, name: str) -> None:
    """Raise an `InputError` if the laws of a contact have no form with given modes."""
    if not isinstance(pair, ContactPair) or pair.passing:
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
            f"{name}: friction damping = 0 is not possible with method 'events', which needs the "
            "continuous law: it must be > 0 (2 sqrt(stiffness x moved mass) damps critically)"
        )


@dataclass(frozen=True)
class FrozenNormal(PenaltyNormal):
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
class FrozenFriction(ElastoPlastic):
    """Friction of points whose modes last; `toward` (p, 3) is the slip at the start of a step."""

    toward: Floats = field(default_factory=lambda: np.zeros((1, 3)), repr=False)

    def limit(self, slip: Floats, pressure: Floats, mode: Integers) -> Pressure:
        """Friction limit mu p, negative under tension, and its derivatives by speed and p."""
        speed = np.linalg.norm(slip, axis=1)
        mu, by_speed, by_pressure = self.coefficient.values(speed, np.maximum(pressure, 0.0), mode)
        return mu * pressure, by_speed * pressure, mu + by_pressure * pressure

    def flow(self, z: Floats, slip: Floats, pressure: Floats, mode: Integers) -> FrictionFlow:
        """Traction, rate of z, modes, slip power."""
        limit = self.limit(slip, pressure, mode)[0]
        traction, rate, power = np.empty_like(z), np.empty_like(z), np.empty_like(limit)
        frozen_flow(
            self.stiffness, self.damping, limit, mode, self.toward, slip, z, traction, rate, power
        )
        return FrictionFlow(traction, rate, mode, power)

    def d_flow(
        self, z: Floats, slip: Floats, pressure: Floats, mode: Integers
    ) -> tuple[FrictionTangent, FrictionTangent]:
        """Derivatives of the traction and of the rate of z."""
        c, beta, one = self.stiffness, self.damping, np.eye(3)
        limit, by_speed, by_pressure = self.limit(slip, pressure, mode)
        sticks, slips, runs = (
            (mode == state)[:, None, None] for state in (STICK, SLIP, GROSS)
        )
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


@dataclass(frozen=True, eq=False)
class FrozenFlow(ContactFlow):
    """A pair with given modes at one state; `rest` (p,) is u, zero for closed points."""

    rest: Floats = field(default_factory=lambda: np.zeros(1))

    @property
    def limit(self) -> Floats:
        """Friction limit mu p (p,) of the modes."""
        assert isinstance(self.law, FrozenFriction)
        return self.law.limit(self.approach.slip, self.pressure[0], self.mode)[0]

    @property
    def toward(self) -> Floats:
        """Direction (p, 3) of slip at the start of the step."""
        assert isinstance(self.law, FrozenFriction)
        return self.law.toward

    @property
    def trial(self) -> Floats:
        """Trial traction a (p, 3)."""
        return self.law.stiffness * self._flat + self.law.damping * self.approach.slip

    def stretch(self, spring: Floats) -> Floats:
        """Bristles (p, 3) in the frame of the master that carry the tractions of `spring`."""
        bent = -(spring + self.law.damping * self.approach.slip) / self.law.stiffness
        return bent @ self.approach.projection.rotation

    def report(self) -> ContactReport:
        """What the points do, with what open layers still store and lose."""
        now, normal, weights = super().report(), self.pair.normal, self.pair.surface.weights
        assert isinstance(normal, FrozenNormal)
        pushed = normal.stiffness * self.rest
        lost = weights @ pushed**2 / normal.damping if normal.damping > 0.0 else 0.0
        stored = 0.5 * float(weights @ (pushed * self.rest))
        return replace(
            now, energy=now.energy + stored, damping_power=now.damping_power + float(lost)
        )


@dataclass(frozen=True, eq=False)
class FrozenPair:
    """A contact pair between two events.

    Attributes
    ----------
    pair
        The contact, with its own laws.
    mode : (p,)
        State of each point.
    rest : (p,)
        Length u <= 0 of open layers at the time `since`.
    toward : (p, 3)
        Direction of slip at the start of the step.
    """

    pair: ContactPair
    mode: Integers
    rest: Floats
    since: float
    toward: Floats

    @cached_property
    def friction(self) -> FrozenFriction:
        """Its friction law."""
        law = self.pair.friction
        assert isinstance(law, ElastoPlastic)
        return FrozenFriction(law.mu, law.stiffness, law.damping, self.toward)

    @cached_property
    def frozen(self) -> ContactPair:
        """The contact with the laws of its modes."""
        law = self.pair.normal
        assert isinstance(law, PenaltyNormal)
        closed = (self.mode != OPEN).astype(float)
        normal = FrozenNormal(law.stiffness, law.damping, law.thickness, closed)
        return replace(self.pair, normal=normal, friction=self.friction)

    def lengths(self, t: float) -> Floats:
        """Free lengths u (p,) of open layers, zero for closed ones."""
        law = self.pair.normal
        assert isinstance(law, PenaltyNormal)
        if law.damping == 0.0:
            return np.zeros(len(self.mode))
        return self.rest * np.exp(-law.stiffness / law.damping * (t - self.since))

    def at(self, t: float, q: Floats, v: Floats, z: Floats) -> FrozenFlow:
        """Force and rates at a state."""
        at = self.pair.approach(q, v, t)
        return FrozenFlow(self.frozen, self.friction, at, z, self.mode, v, self.lengths(t))
