"""What a time step and the continuous form of an Eulerian contact share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from fecontact.body.motion import SpinFrame
from fecontact.body.rotation import cross_matrix
from fecontact.contact.kinematics.relative import Change, ContactKinematics
from fecontact.contact.kinematics.rings import Rings
from fecontact.contact.laws.base import FrictionLaw, FrictionRate, FrictionStep, NormalLaw
from fecontact.contact.report import Bristling, ContactReport, normal_balance
from fecontact.contact.surface.points import Surface
from fecontact.typing import Floats

__all__ = ["EulerianPoints", "Spun"]


class Spun(Protocol):
    """What the forms need of a pair; an `EulerianPair` is one."""

    @property
    def name(self) -> str:
        """Name in messages."""
        ...

    @property
    def surface(self) -> Surface:
        """Points with weights."""
        ...

    @property
    def normal(self) -> NormalLaw:
        """Law of the pressure."""
        ...

    @property
    def law(self) -> FrictionLaw:
        """Law of the traction."""
        ...

    @property
    def rings(self) -> Rings | None:
        """Rings of the points; None if no material passes them."""
        ...

    def kinematics(self, q: Floats, v: Floats, t: float = 0.0) -> ContactKinematics:
        """Kinematics of all points."""
        ...

    def gap_rate(self, t: float) -> Floats | float:
        """Rate (p,) of the initial gaps at the points."""
        ...

    def frame(self, q: Floats, v: Floats, t: float = 0.0) -> SpinFrame:
        """Frame of the history."""
        ...


@dataclass(frozen=True, eq=False)
class EulerianPoints:
    """The points of a pair at a state: pressure, and how vectors of the slave's frame move."""

    pair: Spun
    kinematics: ContactKinematics
    frame: SpinFrame
    t: float
    v: Floats

    @staticmethod
    def of(pair: Spun, t: float, q: Floats, v: Floats) -> EulerianPoints:
        """Evaluate the kinematics of a pair."""
        return EulerianPoints(pair, pair.kinematics(q, v, t), pair.frame(q, v, t), t, v)

    @cached_property
    def pressure(self) -> tuple[Floats, Floats, Floats]:
        """Pressure (p,) and its derivatives by gap and gap rate."""
        return self.pair.normal.pressure(self.kinematics.gap, self.kinematics.gap_rate)

    def load(self, traction: Floats) -> Floats:
        """Forces F (p, 3) on the slave."""
        weights = self.pair.surface.weights[:, None]
        return weights * (self.pressure[0][:, None] * self.kinematics.normal + traction)

    def d_load(self, change: Change, d_traction: Floats) -> Floats:
        """Change of the forces F (p, 3, N)."""
        result = d_traction + self.pressure[0][:, None, None] * change.normal
        result += self.kinematics.normal[:, :, None] * self.d_pressure(change)[:, None, :]
        return self.pair.surface.weights[:, None, None] * result

    def d_pressure(self, change: Change) -> Floats:
        """Change of the pressure (p, N)."""
        _, by_gap, by_rate = self.pressure
        return by_gap[:, None] * change.gap + by_rate[:, None] * change.gap_rate

    def report(
        self, z: Floats, bent: Floats, friction: FrictionStep | FrictionRate, power: Floats
    ) -> ContactReport:
        """What the points do, with the elastic slip z (p, 3) and its rate `bent`, in space.

        `power` (p,) in W is that of slip.

        The springs stand in space, their gaps turn with the bodies. So, with the forces F_e of
        the springs and F_d of dampers and friction, the motion that is not in v supplies
        F_d . (J v - v_rel) - A p_e dg_0/dt.
        """
        at, weights, traction = self.kinematics, self.pair.surface.weights, friction.traction
        stored, lost = normal_balance(self.pair.normal, None, at, self.pressure[0])
        bent_spring = (weights * self.pair.law.bristle(self.pressure[0])[0])[:, None] * z
        bristles = Bristling.of(weights[:, None] * traction, bent_spring, float(weights @ lost))
        spring = self.pair.normal.pressure(at.gap, np.zeros_like(at.gap))[0]
        seen = np.einsum("piy,y->pi", at.jacobian, self.v)
        push = self.pressure[0] - spring
        supplied = push * (np.einsum("pi,pi->p", at.normal, seen) - at.gap_rate)
        supplied += np.einsum("pi,pi->p", traction, seen - at.slip)
        supplied -= spring * self.pair.gap_rate(self.t)
        return ContactReport(
            gap=at.gap,
            pressure=self.pressure[0],
            normal=at.normal,
            traction=traction,
            slip=at.slip,
            position=at.slave.position,
            status=friction.status,
            energy=float(weights @ stored + 0.5 * np.sum(bent_spring * z)),
            damping_power=bristles.lost + float(np.sum(bristles.damper * bent)),
            point_slip_power=power,
            supplied_power=float(weights @ supplied),
            bristles=bristles,
        )

    def flat(self, space: Floats) -> Floats:
        """Part (p, 3) along the surface of vectors in space."""
        n = self.kinematics.normal
        return space - np.einsum("pi,pi->p", n, space)[:, None] * n

    def d_flat(self, space: Floats, further: Floats | None = None) -> Floats:
        """Its derivative (p, 3, N) along a step, for vectors that turn with the slave.

        `further` (p, 3, s) is what else changes them, per dof of the slave.
        """
        n, d_n = self.kinematics.normal, self.kinematics.by_q.normal
        own = -cross_matrix(space) @ self.frame.angular_jacobian
        if further is not None:
            own = own + further
        d_space = np.zeros_like(d_n)
        d_space[:, :, : own.shape[2]] = own
        along = space[:, None, :] @ d_n + n[:, None, :] @ d_space
        height = np.einsum("pi,pi->p", n, space)[:, None, None]
        return d_space - n[:, :, None] * along - height * d_n
