"""Contact pairs whose bodies move in prescribed frames: the same pair, at a given time.

The frame of such a body is a function of time. A pair at a time t answers like any other one, so
steps and rates need not know the time: a step starts with the pair at t_n and ends with that at
t_n + h. The velocity of the frame is part of the relative velocity and not of v; what it supplies
is in the report. Statics takes the places of the frames at a time, not their velocities: nothing
has a rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fecontact.body.base import as_body
from fecontact.contact.evaluate.rate import ContactRate
from fecontact.contact.evaluate.step import ContactHistory, ContactStep, StepStart
from fecontact.contact.kinematics.relative import Change, ContactKinematics
from fecontact.contact.laws.base import NormalLaw, SlidingLaw
from fecontact.contact.master.base import Master, MaterialMaster, MaterialProjection
from fecontact.contact.surface.points import Surface
from fecontact.typing import Body, Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["PrescribedStart", "moves_as_given", "rate_at"]


def moves_as_given(bodies: Sequence[Body]) -> bool:
    """Whether the frame of one of the bodies is a function of time."""
    return any(as_body(body).prescribed_frame is not None for body in bodies)


def rate_at(
    pair: ContactPair, t: float, q: Floats, v: Floats, history: ContactHistory
) -> ContactRate:
    """Continuous law of a pair at a time."""
    return ContactRate.of(PrescribedPair(pair, t), q, v, history.z, history.status)


@dataclass(frozen=True)
class PrescribedStart:
    """Start of a time step of a pair with prescribed frames."""

    pair: PrescribedPair
    start: StepStart

    @staticmethod
    def of(
        pair: ContactPair,
        t: float,
        q: Floats,
        v: Floats,
        history: ContactHistory,
        static: bool = False,
    ) -> PrescribedStart:
        """Keep the position of all points at the time t; static: without any velocities."""
        before = PrescribedPair(pair, t, static)
        return PrescribedStart(before, StepStart.of(before, q, v, history))

    def at(self, t: float, q: Floats, v: Floats, h: float) -> ContactStep:
        """End of a step of length h, at the time t."""
        now = replace(self.pair, t=t)
        assert isinstance(now.master, PrescribedMaterial)
        return replace(self.start, pair=now, master=now.master).at(q, v, h)

    def no_slip(self) -> PrescribedStart:
        """Start of the same step for points that never slide."""
        return PrescribedStart(self.pair, self.start.no_slip())


@dataclass(frozen=True)
class PrescribedPair:
    """A pair at a time, with velocities or without; a `Paired`."""

    pair: ContactPair
    t: float
    static: bool = False

    @property
    def name(self) -> str:
        """Name in messages."""
        return self.pair.name

    @property
    def surface(self) -> Surface:
        """Points with weights."""
        return self.pair.surface

    @cached_property
    def master(self) -> Master:
        """The surface at this time."""
        master = self.pair.master
        if isinstance(master, MaterialMaster):
            return PrescribedMaterial(master, self.t)
        return master

    @property
    def normal(self) -> NormalLaw:
        """Law of the pressure."""
        return self.pair.normal

    @property
    def friction(self) -> SlidingLaw:
        """Law of the traction."""
        return self.pair.friction

    def kinematics(self, q: Floats, v: Floats) -> ContactKinematics:
        """Kinematics of all points."""
        at = self.pair.kinematics(q, v, self.t)
        return StaticKinematics(at.slave, at.projection, at.initial_gap) if self.static else at

    def of_master(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Coordinates and velocities of the master."""
        return self.pair.of_master(q, v)


@dataclass(frozen=True)
class StaticKinematics(ContactKinematics):
    """Kinematics of bodies that move infinitely slowly."""

    @cached_property
    def by_q(self) -> Change:
        """Derivatives along an increment of the dofs."""
        change = super().by_q
        gap_rate, slip = np.zeros_like(change.gap_rate), np.zeros_like(change.slip)
        return replace(change, gap_rate=gap_rate, slip=slip)

    @cached_property
    def _velocities(self) -> tuple[Floats, Floats, Floats]:
        """Relative velocity, gap rate and slip: none."""
        n = self.normal
        return np.zeros_like(n), np.zeros(len(n)), np.zeros_like(n)


@dataclass(frozen=True)
class PrescribedMaterial:
    """A surface that follows its material, at a time; a `MaterialMaster`."""

    master: MaterialMaster
    t: float

    @property
    def bodies(self) -> Sequence[Body]:
        """Its body."""
        return self.master.bodies

    def project(self, x: Floats, q: Floats, v: Floats, t: float = 0.0) -> MaterialProjection:
        """Project slave points x (p, 3)."""
        return self.master.project(x, q, v, self.t)

    def carried(self, anchor: Floats, q: Floats, t: float = 0.0) -> Floats:
        """Place (p, 3) of material points at coordinates q."""
        return self.master.carried(anchor, q, self.t)

    def d_carried(self, anchor: Floats, q: Floats, t: float = 0.0) -> Floats:
        """Derivative (p, 3, n) of `carried` along an increment of the dofs."""
        return self.master.d_carried(anchor, q, self.t)
