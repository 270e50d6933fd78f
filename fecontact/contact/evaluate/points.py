"""The points of a pair at a state: kinematics, pressure, forces, and what a report says of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.contact.kinematics.transport import Axes
from fecontact.contact.laws.base import FrictionLaw, Pressure, history_width
from fecontact.contact.report import Bristling, ContactReport, normal_balance
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["PairPoints"]


@dataclass(frozen=True, eq=False)
class PairPoints(ABC):
    """Points of a pair with friction that has a history, at time t, coordinates q, velocities v.

    `weights` (p,) are those of the points; a part of them may be looked at.
    """

    pair: ContactPair
    law: FrictionLaw
    kinematics: ContactKinematics
    t: float
    q: Floats
    v: Floats
    weights: Floats

    @property
    @abstractmethod
    def pressure(self) -> Pressure:
        """Pressure (p,) and its derivatives by gap and gap rate."""

    @property
    @abstractmethod
    def traction(self) -> Floats:
        """Friction traction (p, 3)."""

    @cached_property
    def force(self) -> Floats:
        """Generalised force (N,) on slave and master."""
        return self.kinematics.apply_transpose(self.point_force)

    @cached_property
    def point_force(self) -> Floats:
        """Forces F (p, 3) on the slave."""
        normal = self.pressure[0][:, None] * self.kinematics.normal
        return self.weights[:, None] * (normal + self.traction)

    @cached_property
    def axes(self) -> Axes:
        """Axes in which the elastic slip is stored."""
        return self.pair.transport.axes(self.kinematics, self.t, self.q, self.v)

    @property
    def width(self) -> int:
        """Number k of internal variables of friction."""
        return history_width(None, self.law)

    def d_pressure(self, change: Any) -> Floats:
        """Change of the pressure (p, N)."""
        _, by_gap, by_rate = self.pressure
        return by_gap[:, None] * change.gap + by_rate[:, None] * change.gap_rate

    def balance(
        self, z: Floats, z_rate: Floats, status: Integers, layer: Floats | None, slip_power: Floats
    ) -> ContactReport:
        """What the points do, with the elastic slip z (p, 3) and its mean rate, in space.

        `layer` is the state of a normal law that has one, `slip_power` (p,) in W that of slip.
        """
        at, weights = self.kinematics, self.weights
        stored, lost = normal_balance(self.pair.normal, layer, at, self.pressure[0])
        spring = (weights * self.law.bristle(self.pressure[0])[0])[:, None] * z
        friction = weights[:, None] * self.traction
        bristles = Bristling.of(friction, spring, float(weights @ lost))
        return ContactReport(
            gap=at.gap,
            pressure=self.pressure[0],
            normal=at.normal,
            traction=self.traction,
            slip=at.slip,
            position=at.slave.position,
            status=status,
            energy=float(weights @ stored + 0.5 * np.sum(spring * z)),
            damping_power=bristles.lost + float(np.sum(bristles.damper * z_rate)),
            point_slip_power=slip_power,
            supplied_power=self.pair.transport.supplied_power(self),
            bristles=bristles,
        )
