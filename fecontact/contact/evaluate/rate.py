"""A contact pair with the continuous friction law: forces, and rates of its history.

The elastic slip z of each point is kept in the frame of the master (rotation R). Its part in the
tangent plane, (I - n n^T) R z, enters the friction law; z' is the law's rate, seen from the frame.
On a curved master the plane turns along with the point; what z loses by that is of second order in
(bristle length/radius). A stateful normal law adds its state as the fourth column of z.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.body.rotation import cross_matrix
from fecontact.contact.evaluate.step import Paired, stateful_law
from fecontact.contact.kinematics.relative import Change, ContactKinematics
from fecontact.contact.laws.base import (
    FrictionLaw,
    FrictionRate,
    FrictionTangent,
    NormalRate,
    friction_pressure,
    history_width,
    stateful,
)
from fecontact.contact.report import Bristling, ContactReport, normal_balance
from fecontact.contact.status import GROSS, OPEN, SLIP
from fecontact.errors import InputError
from fecontact.typing import Floats, Integers

__all__ = ["ContactRate", "RateTangents"]


@dataclass(frozen=True)
class RateTangents:
    """Derivatives of the force (N,) and of the rates z' (k p,) by q, v (N) and z (k p).

    `rate_by_z` has one block (p, k, k) per point.
    """

    force_by_q: Floats
    force_by_v: Floats
    force_by_z: Floats
    z_rate_by_q: Floats
    z_rate_by_v: Floats
    z_rate_by_z: Floats


@dataclass(frozen=True, eq=False)
class ContactRate:
    """A pair at coordinates q, velocities v, with z (p, k) in the master's frame, and status."""

    pair: Paired
    law: FrictionLaw
    kinematics: ContactKinematics
    z: Floats
    status: Integers
    v: Floats

    @staticmethod
    def of(pair: Paired, q: Floats, v: Floats, z: Floats, status: Integers) -> ContactRate:
        """Evaluate a pair; its friction must be stateful."""
        return ContactRate(
            pair, stateful_law(pair, z.shape[1]), pair.kinematics(q, v), z, status, v
        )

    @cached_property
    def force(self) -> Floats:
        """Generalised force (N,) on slave and master."""
        return self.kinematics.apply_transpose(self.point_force)

    @cached_property
    def point_force(self) -> Floats:
        """Forces F (p, 3) on the slave."""
        weights = self.pair.surface.weights[:, None]
        return weights * (
            self.pressure[0][:, None] * self.kinematics.normal + self.friction.traction
        )

    @cached_property
    def pressure(self) -> tuple[Floats, Floats, Floats]:
        """Pressure (p,) and its derivatives by gap and gap rate."""
        if self.layer is not None:
            return self.layer.pressure, *self.layer.pressure_by[:2]
        return self.pair.normal.pressure(self.kinematics.gap, self.kinematics.gap_rate)

    @cached_property
    def layer(self) -> NormalRate | None:
        """Pressure and rate of a stateful normal law."""
        normal, at = stateful(self.pair.normal), self.kinematics
        if normal is None:
            return None
        return normal.rate(self.z[:, self._width :], at.gap, at.gap_rate)

    @cached_property
    def friction(self) -> FrictionRate:
        """Traction, rates of z in space components, status and slip power per area."""
        return self.law.rate(self._state, self.kinematics.slip, self.pressure[0], self.status)

    @property
    def _width(self) -> int:
        """Number k of internal variables of friction."""
        return history_width(None, self.law)

    @property
    def _state(self) -> Floats:
        """Internal variables (p, k) of friction: the slip along the surface, and the others."""
        others = self.z[:, 3 : self._width]
        return np.column_stack([self._flat, others]) if others.size else self._flat

    @cached_property
    def z_rate(self) -> Floats:
        """Rates z' (p, k), those of the elastic slip in the frame of the master."""
        rate = self._evolution[0] @ self.kinematics.projection.rotation
        others = [] if self.layer is None else [self.layer.z_rate]
        if self._width > 3:
            assert self.friction.z_rate is not None
            others.insert(0, self.friction.z_rate[:, 3:])
        return np.column_stack([rate, *others]) if others else rate

    @property
    def slip_power(self) -> Floats:
        """Power (p,) in W that slip dissipates."""
        return self.pair.surface.weights * self._evolution[1]

    @property
    def slip_rates(self) -> Floats:
        """Slip power (p,) in W and slip speed (p,) in m/s of closed points: s - z'."""
        speed = np.linalg.norm(self.kinematics.slip - self._evolution[0], axis=1)
        closed = self.friction.status != OPEN
        return np.column_stack([self.slip_power, np.where(closed, speed, 0.0)])

    @property
    def resulting_status(self) -> Integers:
        """Modes (p,) that follow from the state."""
        return self.friction.status

    @property
    def powers(self) -> tuple[float, float]:
        """Power in W of the dampers, and that of motion which is not in v."""
        now = self.report()
        return now.damping_power, now.supplied_power

    def report(self) -> ContactReport:
        """What the points do."""
        at, friction, weights = self.kinematics, self.friction, self.pair.surface.weights
        state = None if self.layer is None else self.z[:, self._width :]
        stored, lost = normal_balance(self.pair.normal, state, at, self.pressure[0])
        spring = (weights * self.law.bristle(self.pressure[0])[0])[:, None] * self._flat
        bristles = Bristling.of(weights[:, None] * friction.traction, spring, float(weights @ lost))
        bent = 0.0
        if friction.z_rate is None:  # undamped bristles follow at once: all sliding power is lost
            slides = (self.status == SLIP) | (self.status == GROSS)
            slip_power = np.where(slides, -np.sum(friction.traction * at.slip, axis=1), 0.0)
        else:
            slip_power = self._evolution[1]
            bent = float(np.sum(bristles.damper * friction.z_rate[:, :3]))
        return ContactReport(
            gap=at.gap,
            pressure=self.pressure[0],
            normal=at.normal,
            traction=friction.traction,
            slip=at.slip,
            position=at.slave.position,
            status=friction.status,
            energy=float(weights @ stored + 0.5 * np.sum(spring * self._flat)),
            damping_power=bristles.lost + bent,
            point_slip_power=weights * slip_power,
            supplied_power=float(self.force @ self.v - np.sum(self.point_force * at.velocity)),
            bristles=bristles,
        )

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
        at, R = self.kinematics, self.kinematics.projection.rotation
        n, (p, p_gap, p_rate) = at.normal, self.pressure
        steps = change is at.by_q
        d_pressure = p_gap[:, None] * change.gap + p_rate[:, None] * change.gap_rate
        d_flat = self._d_flat() if steps else None
        d_traction, d_rate = (_chain(each, d_flat, change.slip, d_pressure) for each in by)
        d_force = n[:, :, None] * d_pressure[:, None, :] + d_traction
        d_force += p[:, None, None] * change.normal
        weights = self.pair.surface.weights[:, None, None]
        d_rate[:, :3] = R.T @ d_rate[:, :3]
        if steps:
            own = d_rate[:, :3, at.slave.jacobian.shape[2] :]
            own += R.T @ cross_matrix(self._evolution[0]) @ at.projection.angular_jacobian
        if self.layer is not None:
            by_gap, by_rate = (each[:, :, None] for each in self.layer.z_rate_by[:2])
            d_layer = by_gap * change.gap[:, None] + by_rate * change.gap_rate[:, None]
            d_rate = np.concatenate([d_rate, d_layer], axis=1)
        force = at.tangent(self.point_force, weights * d_force, steps)
        return force, d_rate.reshape(-1, d_rate.shape[2])

    def _d_state(self, by: tuple[FrictionTangent, FrictionTangent]) -> tuple[Floats, Floats]:
        """Derivatives of force (N, k p) and rates (p, k, k) by z."""
        at, R = self.kinematics, self.kinematics.projection.rotation
        n = at.normal
        flat = R - n[:, :, None] * (n @ R)[:, None, :]
        k = self._width
        to_law = np.tile(np.eye(k), (len(n), 1, 1))  # from stored variables to those of the law
        to_law[:, :3, :3] = flat
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
        weights = self.pair.surface.weights[:, None, None]
        pulled = np.einsum("piy,pij->ypj", at.jacobian, weights * d_force)
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
    def _space(self) -> Floats:
        """Elastic slip (p, 3) in space components."""
        return self.z[:, :3] @ self.kinematics.projection.rotation.T

    @cached_property
    def _flat(self) -> Floats:
        """Its part in the tangent plane."""
        n = self.kinematics.normal
        return self._space - np.einsum("pi,pi->p", n, self._space)[:, None] * n

    def _d_flat(self) -> Floats:
        """Derivative (p, 3, N) of `_flat` along an increment of the dofs."""
        at, z = self.kinematics, self._space
        n, d_n = at.normal, at.by_q.normal
        still = np.zeros((len(z), 3, at.slave.jacobian.shape[2]))
        turned = np.concatenate([still, -cross_matrix(z) @ at.projection.angular_jacobian], axis=2)
        along = z[:, None, :] @ d_n + n[:, None, :] @ turned
        height = np.einsum("pi,pi->p", n, z)[:, None, None]
        return turned - n[:, :, None] * along - height * d_n


def _chain(
    by: FrictionTangent, d_flat: Floats | None, d_slip: Floats, d_pressure: Floats
) -> Floats:
    """Derivative (p, 3, N) of a result of the friction law."""
    result = by.by_pressure[:, :, None] * d_pressure[:, None, :] + by.by_slip @ d_slip
    return result if d_flat is None else result + by.by_z[:, :, :3] @ d_flat
