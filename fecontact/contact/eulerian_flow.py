"""An Eulerian contact in continuous time: force, and the rates z' = law - Omega D z.

z is kept in the frame R of the slave; its part along the surface, (I - n n^T) R z, enters the law.
D couples all points of a ring, so the derivative of the rates by z is a full matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import block_diag

from fecontact.body.rotation import cross_matrix
from fecontact.contact._kernels import OPEN
from fecontact.contact.elasto_plastic import ElastoPlastic, FrictionFlow
from fecontact.contact.eulerian_contact import EulerianPoints, Spun
from fecontact.contact.flowing import FlowTangents
from fecontact.typing import Floats, History, Integers

__all__ = ["EulerianFlow"]


@dataclass(frozen=True, eq=False)
class EulerianFlow:
    """A pair at a state, with z (p, 3) in the frame of the slave, and modes."""

    points: EulerianPoints
    history: History

    @staticmethod
    def of(pair: Spun, t: float, q: Floats, v: Floats, history: History) -> EulerianFlow:
        """Evaluate a pair."""
        points = EulerianPoints(pair, pair.approach(q, v, t), pair.frame(q, v))
        return EulerianFlow(points, history)

    @cached_property
    def force(self) -> Floats:
        """Generalised force (N,) on slave and master."""
        return self.points.approach.pull(self.point_force)

    @cached_property
    def point_force(self) -> Floats:
        """Forces F (p, 3) on the slave."""
        return self.points.load(self.friction.traction)

    @cached_property
    def friction(self) -> FrictionFlow:
        """Traction, rates of z in space components, modes and slip power per area."""
        slip, pressure = self.points.approach.slip, self.points.pressure[0]
        return self._law.flow(self.points.flat(self._space), slip, pressure, self.history.mode)

    @property
    def mode(self) -> Integers:
        """Modes (p,)."""
        return self.friction.mode

    @property
    def rate(self) -> Floats:
        """Rates z' (p, 3) at the points, in the frame of the slave."""
        frame, rings = self.points.frame, self.points.pair.rings
        rate = self.friction.rate @ frame.rotation
        return rate if rings is None else rate - frame.spin * rings.derivative(self.history.z)

    @property
    def wear_rate(self) -> Floats:
        """Slip power (p,) in W and slip speed (p,) in m/s of closed points."""
        speed = np.linalg.norm(self.points.approach.slip - self.friction.rate, axis=1)
        power = self.points.pair.surface.weights * self.friction.power
        return np.column_stack([power, np.where(self.mode == OPEN, 0.0, speed)])

    def tangents(self) -> FlowTangents:
        """Derivatives of force and rates."""
        points, at, law = self.points, self.points.approach, self._law
        R, turning = points.frame.rotation, points.frame.turning
        flat = points.flat(self._space)
        by = law.tangent(flat, at.slip, points.pressure[0], self.history.mode)

        def d_rate(d_traction: Floats, d_flat: Floats) -> Floats:
            return -R.T @ (d_traction + law.stiffness * d_flat) / law.damping

        parts = []
        for change, d_flat in (
            (at.by_q, points.d_flat(self._space)),
            (at.by_v, np.zeros_like(at.jacobian)),
        ):
            d_traction = points.d_traction(by, change, d_flat)
            d_force = points.d_load(change, d_traction)
            force = at.tangent(self.point_force, d_force, change is at.by_q)
            parts.append((force, d_rate(d_traction, d_flat)))
        (force_q, rate_q), (force_v, rate_v) = parts
        own = turning.shape[1]
        rate_q[:, :, :own] += R.T @ cross_matrix(self.friction.rate) @ turning
        rate_v[:, :, :own] -= self._passing[:, :, None] * points.frame.by_step
        n = at.normal
        flat_by_z = R - n[:, :, None] * (n @ R)[:, None, :]
        traction_by_z = by.by_z @ flat_by_z
        weighted = points.pair.surface.weights[:, None, None] * traction_by_z
        size = at.jacobian.shape[2]
        return FlowTangents(
            force_by_q=force_q,
            force_by_v=force_v,
            force_by_z=np.einsum("piy,pij->ypj", at.jacobian, weighted).reshape(size, -1),
            rate_by_q=rate_q.reshape(-1, size),
            rate_by_v=rate_v.reshape(-1, size),
            rate_by_z=self._rate_by_z(d_rate(traction_by_z, flat_by_z)),
        )

    def _rate_by_z(self, blocks: Floats) -> Floats:
        """Full matrix (3 p, 3 p), or blocks (p, 3, 3) if no material passes the points."""
        rings = self.points.pair.rings
        if rings is None:
            return blocks
        return np.asarray(block_diag(*blocks) - self.points.frame.spin * rings.matrix)

    @cached_property
    def _passing(self) -> Floats:
        """D z (p, 3)."""
        rings = self.points.pair.rings
        z = self.history.z
        return np.zeros_like(z) if rings is None else rings.derivative(z)

    @property
    def _law(self) -> ElastoPlastic:
        return self.points.pair.law

    @cached_property
    def _space(self) -> Floats:
        """Elastic slip (p, 3) in space components."""
        return self.history.z @ self.points.frame.rotation.T
