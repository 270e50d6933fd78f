"""A contact pair with a history in continuous time, in the reference form.

The elastic slip z is stored in the axes R of its transport. Its part in the tangent plane,
(I - n n^T) R z, enters the friction law; the rate of z is that of the law, seen from the axes, less
what the material carries away along rings: z' = R^T law - Omega D z. On a curved master the plane
turns along with the point; what z loses by that is of second order in (bristle length/radius). D
couples all points of a ring: the derivative of the rates by z is then a full matrix. Status, from
which static friction is known, stays at the points here; time steps carry it along.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import block_diag

from fecontact.body.rotation import cross_matrix
from fecontact.contact.evaluate.points import PairPoints
from fecontact.contact.history import stateful_law
from fecontact.contact.kinematics.relative import Change
from fecontact.contact.kinematics.transport import d_flat, flat
from fecontact.contact.laws.base import (
    FrictionRate,
    FrictionTangent,
    NormalRate,
    Pressure,
    friction_pressure,
    stateful,
)
from fecontact.contact.report import ContactReport
from fecontact.contact.status import GROSS, OPEN, SLIP
from fecontact.errors import InputError
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["ContactRate", "RateTangents"]


@dataclass(frozen=True)
class RateTangents:
    """Derivatives of the force (N,) and of the rates z' (k p,) by q, v (N) and z (k p).

    `rate_by_z` has one block (p, k, k) per point, or is (k p, k p) where rings couple them.
    """

    force_by_q: Floats
    force_by_v: Floats
    force_by_z: Floats
    z_rate_by_q: Floats
    z_rate_by_v: Floats
    z_rate_by_z: Floats


@dataclass(frozen=True, eq=False)
class ContactRate(PairPoints):
    """A pair with internal variables z (p, k) and status (p,) of its points."""

    z: Floats
    status: Integers

    @staticmethod
    def of(
        pair: ContactPair, t: float, q: Floats, v: Floats, z: Floats, status: Integers
    ) -> ContactRate:
        """Evaluate a pair; its friction must have a history."""
        law, weights = stateful_law(pair, z.shape[1]), pair.surface.weights
        return ContactRate(pair, law, pair.kinematics(q, v, t), t, q, v, weights, z, status)

    @cached_property
    def pressure(self) -> Pressure:
        """Pressure (p,) and its derivatives by gap and gap rate."""
        if self.layer is not None:
            return self.layer.pressure, *self.layer.pressure_by[:2]
        return self.pair.normal.pressure(self.kinematics.gap, self.kinematics.gap_rate)

    @cached_property
    def layer(self) -> NormalRate | None:
        """Pressure and rate of a normal law with states."""
        normal, at = stateful(self.pair.normal), self.kinematics
        if normal is None:
            return None
        return normal.rate(self.z[:, self.width :], at.gap, at.gap_rate)

    @cached_property
    def friction(self) -> FrictionRate:
        """Traction, rates of z in space components, status and slip power per area."""
        return self.law.rate(self._state, self.kinematics.slip, self.pressure[0], self.status)

    @property
    def traction(self) -> Floats:
        """Friction traction (p, 3)."""
        return self.friction.traction

    @property
    def _state(self) -> Floats:
        """Internal variables (p, k) of friction: the slip along the surface, and the others."""
        others = self.z[:, 3 : self.width]
        return np.column_stack([self._flat, others]) if others.size else self._flat

    @cached_property
    def z_rate(self) -> Floats:
        """Rates z' (p, k), those of the elastic slip in its axes."""
        rate = self._evolution[0] @ self.axes.rotation
        if self._carried_away is not None:
            rate = rate - self._carried_away[0]
        others = [] if self.layer is None else [self.layer.z_rate]
        if self.width > 3:
            assert self.friction.z_rate is not None
            others.insert(0, self.friction.z_rate[:, 3:])
        return np.column_stack([rate, *others]) if others else rate

    @property
    def slip_power(self) -> Floats:
        """Power (p,) in W that slip dissipates."""
        return self.weights * self._evolution[1]

    @property
    def slip_rates(self) -> Floats:
        """Slip power (p,) in W and slip speed (p,) in m/s of closed points: s - z'."""
        speed = np.linalg.norm(self.kinematics.slip - self._evolution[0], axis=1)
        closed = self.friction.status != OPEN
        return np.column_stack([self.slip_power, np.where(closed, speed, 0.0)])

    @property
    def resulting_status(self) -> Integers:
        """Status (p,) that follows from the state."""
        return self.friction.status

    @property
    def powers(self) -> tuple[float, float]:
        """Power in W of the dampers, and that of motion which is not in v."""
        now = self.report()
        return now.damping_power, now.supplied_power

    def report(self) -> ContactReport:
        """What the points do; undamped bristles follow at once: all sliding power is lost."""
        friction, slip = self.friction, self.kinematics.slip
        layer = None if self.layer is None else self.z[:, self.width :]
        if friction.z_rate is None:
            slides = (self.status == SLIP) | (self.status == GROSS)
            power = np.where(slides, -np.sum(friction.traction * slip, axis=1), 0.0)
            rate = np.zeros_like(slip)
        else:
            rate, power = self._evolution
        return self.balance(self._flat, rate, friction.status, layer, self.weights * power)

    def tangents(self) -> RateTangents:
        """Derivatives of force and rates."""
        by = self.law.d_rate(
            self._state, self.kinematics.slip, friction_pressure(self.pressure), self.status
        )
        force_q, rate_q = self._d_motion(by, self.kinematics.by_q)
        force_v, rate_v = self._d_motion(by, self.kinematics.by_v)
        force_z, rate_z = self._d_state(by)
        return RateTangents(force_q, force_v, force_z, rate_q, rate_v, rate_z)

    def _d_motion(
        self, by: tuple[FrictionTangent, FrictionTangent], change: Change
    ) -> tuple[Floats, Floats]:
        """Derivatives of force (N, N) and rates (k p, N) along a change of the motion."""
        at, axes, steps = self.kinematics, self.axes, change is self.kinematics.by_q
        d_pressure = self.d_pressure(change)
        d_flattened = self._d_flat() if steps else None
        d_traction, d_rate = (_chain(each, d_flattened, change.slip, d_pressure) for each in by)
        d_force = at.normal[:, :, None] * d_pressure[:, None, :] + d_traction
        d_force += self.pressure[0][:, None, None] * change.normal
        d_rate[:, :3] = axes.rotation.T @ d_rate[:, :3]
        own = d_rate[:, :3, axes.columns]
        if steps:
            own += axes.rotation.T @ cross_matrix(self._evolution[0]) @ axes.angular_jacobian
        elif self._carried_away is not None and axes.by_velocity is not None:
            own -= self._carried_away[1][:, :, None] * axes.by_velocity
        if self.layer is not None:
            by_gap, by_rate = (each[:, :, None] for each in self.layer.z_rate_by[:2])
            d_layer = by_gap * change.gap[:, None] + by_rate * change.gap_rate[:, None]
            d_rate = np.concatenate([d_rate, d_layer], axis=1)
        force = at.tangent(self.point_force, self.weights[:, None, None] * d_force, steps)
        return force, d_rate.reshape(-1, d_rate.shape[2])

    def _d_state(self, by: tuple[FrictionTangent, FrictionTangent]) -> tuple[Floats, Floats]:
        """Derivatives of force (N, k p) and rates, (p, k, k) or (k p, k p), by z."""
        at, R, k = self.kinematics, self.axes.rotation, self.width
        n = at.normal
        to_law = np.tile(np.eye(k), (len(n), 1, 1))  # from stored variables to those of the law
        to_law[:, :3, :3] = R - n[:, :, None] * (n @ R)[:, None, :]
        back = np.eye(k)
        back[:3, :3] = R.T
        d_force, d_rate = by[0].by_z @ to_law, back @ by[1].by_z @ to_law
        if self.layer is not None:
            p_state = self.layer.pressure_by[2][:, None, :]
            pushed = (n + by[0].by_pressure)[:, :, None] * p_state
            d_force = np.concatenate([d_force, pushed], axis=2)
            m = p_state.shape[2]
            block = np.zeros((len(n), k + m, k + m))
            block[:, :k, :k] = d_rate
            block[:, :k, k:] = back @ (by[1].by_pressure[:, :, None] * p_state)
            block[:, k:, k:] = self.layer.z_rate_by[2]
            d_rate = block
        weighted = self.weights[:, None, None] * d_force
        pulled = np.einsum("piy,pij->ypj", at.jacobian, weighted)
        rings = self.pair.transport.rings
        if rings is not None:
            d_rate = np.asarray(block_diag(*d_rate) - self.axes.spin * rings.matrix)
        return pulled.reshape(at.jacobian.shape[2], -1), d_rate

    @property
    def _evolution(self) -> tuple[Floats, Floats]:
        """Rate (p, 3) of the elastic slip in space components, and slip power per area."""
        rate, power = self.friction.z_rate, self.friction.power
        if rate is None or power is None:
            raise InputError(
                f"{self.pair.name}: invalid friction damping = 0 with the continuous law: "
                "expected > 0 (2 sqrt(stiffness x moved mass) damps critically); time steps do "
                "without"
            )
        return rate[:, :3], power

    @cached_property
    def _carried_away(self) -> tuple[Floats, Floats] | None:
        """What material carries away along rings, see `Transport.carried_away`."""
        return self.pair.transport.carried_away(self.axes, self.z)

    @cached_property
    def _space(self) -> Floats:
        """Elastic slip (p, 3) in space components."""
        return self.z[:, :3] @ self.axes.rotation.T

    @cached_property
    def _flat(self) -> Floats:
        """Its part in the tangent plane."""
        return flat(self.kinematics.normal, self._space)

    def _d_flat(self) -> Floats:
        """Derivative (p, 3, N) of `_flat` along an increment of the dofs."""
        at, z = self.kinematics, self._space
        return d_flat(at.normal, at.by_q.normal, z, self.axes.turned(z, at.jacobian.shape[2]))


def _chain(
    by: FrictionTangent, d_flattened: Floats | None, d_slip: Floats, d_pressure: Floats
) -> Floats:
    """Derivative (p, 3, N) of a result of the friction law."""
    result = by.by_pressure[:, :, None] * d_pressure[:, None, :] + by.by_slip @ d_slip
    return result if d_flattened is None else result + by.by_z[:, :, :3] @ d_flattened
