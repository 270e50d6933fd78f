"""An Eulerian contact in continuous time: force, and the rates z' = law - Omega D z.

z is kept in the frame R of the slave; its part along the surface, (I - n n^T) R z, enters the law.
D couples all points of a ring, so the derivative of the rates by z is a full matrix. Modes, from
which static friction is known, stay at the points here; time steps carry them along.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import block_diag

from fecontact.body.rotation import cross_matrix
from fecontact.contact.evaluate.eulerian_contact import EulerianPoints, Spun
from fecontact.contact.evaluate.rate import RateTangents
from fecontact.contact.kinematics.relative import Change
from fecontact.contact.laws.base import FrictionRate, FrictionTangent, friction_pressure
from fecontact.contact.report import ContactReport
from fecontact.contact.status import GROSS, OPEN, SLIP
from fecontact.errors import InputError
from fecontact.typing import Floats, History, Integers

__all__ = ["EulerianRate"]


@dataclass(frozen=True, eq=False)
class EulerianRate:
    """A pair at a state, with z (p, 3) in the frame of the slave, and status."""

    points: EulerianPoints
    history: History

    @staticmethod
    def of(pair: Spun, t: float, q: Floats, v: Floats, history: History) -> EulerianRate:
        """Evaluate a pair."""
        return EulerianRate(EulerianPoints.of(pair, t, q, v), history)

    @cached_property
    def force(self) -> Floats:
        """Generalised force (N,) on slave and master."""
        return self.points.kinematics.apply_transpose(self.point_force)

    @cached_property
    def point_force(self) -> Floats:
        """Forces F (p, 3) on the slave."""
        return self.points.load(self.friction.traction)

    @cached_property
    def friction(self) -> FrictionRate:
        """Traction, rates of z in space components, status and slip power per area."""
        slip, pressure = self.points.kinematics.slip, self.points.pressure[0]
        return self.points.pair.law.rate(self._flat, slip, pressure, self.history.status)

    @property
    def status(self) -> Integers:
        """Modes (p,)."""
        return self.friction.status

    @property
    def resulting_status(self) -> Integers:
        """Modes (p,) that follow from the state."""
        return self.friction.status

    @property
    def powers(self) -> tuple[float, float]:
        """Power in W of the dampers, and that of motion which is not in v."""
        now = self.report()
        return now.damping_power, now.supplied_power

    @property
    def z_rate(self) -> Floats:
        """Rates z' (p, 3) at the points, in the frame of the slave."""
        frame = self.points.frame
        return self._evolution[0] @ frame.rotation - frame.spin * self._transport

    @property
    def slip_rates(self) -> Floats:
        """Slip power (p,) in W and slip speed (p,) in m/s of closed points."""
        rate, power = self._evolution
        speed = np.linalg.norm(self.points.kinematics.slip - rate, axis=1)
        weights = self.points.pair.surface.weights
        return np.column_stack([weights * power, np.where(self.status == OPEN, 0.0, speed)])

    def report(self) -> ContactReport:
        """What the points do; undamped bristles follow at once, all sliding power is lost."""
        friction, slip = self.friction, self.points.kinematics.slip
        rate, power = friction.z_rate, friction.power
        if rate is None or power is None:
            slides = (self.history.status == SLIP) | (self.history.status == GROSS)
            power = np.where(slides, -np.einsum("pi,pi->p", friction.traction, slip), 0.0)
            rate = np.zeros_like(slip)
        lost = self.points.pair.surface.weights * power
        return self.points.report(self._flat, rate, friction, lost)

    def tangents(self) -> RateTangents:
        """Derivatives of force and rates."""
        points, at = self.points, self.points.kinematics
        pressure, status = friction_pressure(points.pressure), self.history.status
        by = points.pair.law.d_rate(self._flat, at.slip, pressure, status)
        force_q, rate_q = self._d_motion(by, at.by_q)
        force_v, rate_v = self._d_motion(by, at.by_v)
        R, turning = points.frame.rotation, points.frame.angular_jacobian
        own = turning.shape[1]
        rate_q[:, :, :own] += R.T @ cross_matrix(self._evolution[0]) @ turning
        rate_v[:, :, :own] -= self._transport[:, :, None] * points.frame.by_step
        force_z, rate_z = self._d_state(by)
        size = at.jacobian.shape[2]
        rate_q, rate_v = rate_q.reshape(-1, size), rate_v.reshape(-1, size)
        return RateTangents(force_q, force_v, force_z, rate_q, rate_v, rate_z)

    def _d_motion(
        self, by: tuple[FrictionTangent, FrictionTangent], change: Change
    ) -> tuple[Floats, Floats]:
        """Derivatives of force (N, N) and of the law's rates (p, 3, N), turned into the frame."""
        points, at = self.points, self.points.kinematics
        d_pressure, steps = points.d_pressure(change), change is at.by_q
        results = []
        for each in by:
            result = each.by_pressure[:, :, None] * d_pressure[:, None, :]
            result += each.by_slip @ change.slip
            if steps:
                result += each.by_z @ points.d_flat(self._space)
            results.append(result)
        d_traction, d_rate = results
        force = at.tangent(self.point_force, points.d_load(change, d_traction), steps)
        return force, points.frame.rotation.T @ d_rate

    def _d_state(self, by: tuple[FrictionTangent, FrictionTangent]) -> tuple[Floats, Floats]:
        """Derivatives of force (N, 3 p) and rates by z: blocks (p, 3, 3), or full with rings."""
        points, n, J = self.points, self.points.kinematics.normal, self.points.kinematics.jacobian
        R, rings = points.frame.rotation, points.pair.rings
        flat = R - n[:, :, None] * (n @ R)[:, None, :]
        weighted = points.pair.surface.weights[:, None, None] * (by[0].by_z @ flat)
        pulled = np.einsum("piy,pij->ypj", J, weighted).reshape(J.shape[2], -1)
        blocks = R.T @ by[1].by_z @ flat
        if rings is None:
            return pulled, blocks
        return pulled, np.asarray(block_diag(*blocks) - points.frame.spin * rings.matrix)

    @property
    def _evolution(self) -> tuple[Floats, Floats]:
        """Rate (p, 3) of the law in space components, and slip power per area."""
        rate, power = self.friction.z_rate, self.friction.power
        if rate is None or power is None:
            raise InputError(
                f"{self.points.pair.name}: invalid friction damping = 0 with the continuous law: "
                "expected > 0; time steps do without"
            )
        return rate, power

    @cached_property
    def _transport(self) -> Floats:
        """D z (p, 3)."""
        rings, z = self.points.pair.rings, self.history.z
        return np.zeros_like(z) if rings is None else rings.derivative(z)

    @cached_property
    def _space(self) -> Floats:
        """Elastic slip (p, 3) in space components."""
        return self.history.z @ self.points.frame.rotation.T

    @cached_property
    def _flat(self) -> Floats:
        """Its part along the surface."""
        return self.points.flat(self._space)
