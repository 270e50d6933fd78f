"""A contact pair with the continuous friction law: forces, and rates of the elastic slip.

The elastic slip z of each point is kept in the frame of the master (rotation R). Its part in the
tangent plane, (I - n n^T) R z, enters the law of `ElastoPlastic`; z' is the law's rate, seen from
the frame. On a curved master the plane turns along with the point; what z loses by that is of
second order in (bristle length/radius).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.body.rotation import cross_matrix
from fecontact.contact._kernels import OPEN
from fecontact.contact.approach import Approach
from fecontact.contact.elasto_plastic import ElastoPlastic, FrictionFlow
from fecontact.contact.pair import ContactPair
from fecontact.errors import InputError
from fecontact.typing import Floats, Integers

__all__ = ["ContactFlow", "FlowTangents"]


@dataclass(frozen=True)
class FlowTangents:
    """Derivatives of the force (N,) and of the rates z' (3 p,) by q, v (N) and z (3 p).

    `rate_by_z` has one block (p, 3, 3) per point.
    """

    force_by_q: Floats
    force_by_v: Floats
    force_by_z: Floats
    rate_by_q: Floats
    rate_by_v: Floats
    rate_by_z: Floats


@dataclass(frozen=True, eq=False)
class ContactFlow:
    """A pair at coordinates q, velocities v, with z (p, 3) in the master's frame, and modes."""

    pair: ContactPair
    approach: Approach
    z: Floats
    mode: Integers

    @staticmethod
    def of(pair: ContactPair, q: Floats, v: Floats, z: Floats, mode: Integers) -> ContactFlow:
        """Evaluate a pair; its friction must have memory."""
        if not isinstance(pair.friction, ElastoPlastic):
            raise InputError(
                f"{pair.name}: {type(pair.friction).__name__} has no memory: a simulation needs "
                "ElastoPlastic friction"
            )
        return ContactFlow(pair, pair.approach(q, v), z, mode)

    @cached_property
    def force(self) -> Floats:
        """Generalised force (N,) on slave and master."""
        return self.approach.pull(self.point_force)

    @cached_property
    def point_force(self) -> Floats:
        """Forces F (p, 3) on the slave."""
        weights = self.pair.surface.weights[:, None]
        return weights * (self.pressure[0][:, None] * self.approach.normal + self.friction.traction)

    @cached_property
    def pressure(self) -> tuple[Floats, Floats, Floats]:
        """Pressure (p,) and its derivatives by gap and gap rate."""
        return self.pair.normal.pressure(self.approach.gap, self.approach.gap_rate)

    @cached_property
    def friction(self) -> FrictionFlow:
        """Traction, rates of z in space components, modes and slip power per area."""
        return self._law.flow(self._flat, self.approach.slip, self.pressure[0], self.mode)

    @property
    def rate(self) -> Floats:
        """Rates z' (p, 3) in the frame of the master."""
        return self.friction.rate @ self.approach.projection.rotation

    @property
    def slip_power(self) -> Floats:
        """Power (p,) in W that slip dissipates."""
        return self.pair.surface.weights * self.friction.power

    @property
    def wear_rate(self) -> Floats:
        """Slip power (p,) in W and slip speed (p,) in m/s of closed points: s - z'."""
        speed = np.linalg.norm(self.approach.slip - self.friction.rate, axis=1)
        closed = self.friction.mode != OPEN
        return np.column_stack([self.slip_power, np.where(closed, speed, 0.0)])

    def tangents(self) -> FlowTangents:
        """Derivatives of force and rates."""
        at, law, R = self.approach, self._law, self.approach.projection.rotation
        by = law.tangent(self._flat, at.slip, self.pressure[0], self.mode)
        n, (p, p_gap, p_rate) = at.normal, self.pressure
        weights = self.pair.surface.weights[:, None, None]
        flat_by_z = R - n[:, :, None] * (n @ R)[:, None, :]

        def d_rate(d_traction: Floats, d_flat: Floats) -> Floats:
            return -R.T @ (d_traction + law.stiffness * d_flat) / law.damping

        parts = []
        for change, d_flat in ((at.by_q, self._d_flat()), (at.by_v, np.zeros_like(at.jacobian))):
            d_pressure = p_gap[:, None] * change.gap + p_rate[:, None] * change.gap_rate
            d_traction = by.by_pressure[:, :, None] * d_pressure[:, None, :]
            d_traction += by.by_slip @ change.slip + by.by_z @ d_flat
            d_force = n[:, :, None] * d_pressure[:, None, :] + d_traction
            d_force += p[:, None, None] * change.normal
            force = at.tangent(self.point_force, weights * d_force, change is at.by_q)
            parts.append((force, d_rate(d_traction, d_flat)))
        (force_q, rate_q), (force_v, rate_v) = parts
        own = rate_q[:, :, at.slave.jacobian.shape[2] :]
        own += R.T @ cross_matrix(self.friction.rate) @ at.projection.turning
        by_z = by.by_z @ flat_by_z
        count, size = len(n), at.jacobian.shape[2]
        pulled = np.einsum("piy,pij->ypj", at.jacobian, weights * by_z)
        return FlowTangents(
            force_by_q=force_q,
            force_by_v=force_v,
            force_by_z=pulled.reshape(size, 3 * count),
            rate_by_q=rate_q.reshape(3 * count, size),
            rate_by_v=rate_v.reshape(3 * count, size),
            rate_by_z=d_rate(by_z, flat_by_z),
        )

    @property
    def _law(self) -> ElastoPlastic:
        assert isinstance(self.pair.friction, ElastoPlastic)
        return self.pair.friction

    @cached_property
    def _space(self) -> Floats:
        """Elastic slip (p, 3) in space components."""
        return self.z @ self.approach.projection.rotation.T

    @cached_property
    def _flat(self) -> Floats:
        """Its part in the tangent plane."""
        n = self.approach.normal
        return self._space - np.einsum("pi,pi->p", n, self._space)[:, None] * n

    def _d_flat(self) -> Floats:
        """Derivative (p, 3, N) of `_flat` along a step of the freedoms."""
        at, z = self.approach, self._space
        n, d_n = at.normal, at.by_q.normal
        still = np.zeros((len(z), 3, at.slave.jacobian.shape[2]))
        turned = np.concatenate([still, -cross_matrix(z) @ at.projection.turning], axis=2)
        along = z[:, None, :] @ d_n + n[:, None, :] @ turned
        height = np.einsum("pi,pi->p", n, z)[:, None, None]
        return turned - n[:, :, None] * along - height * d_n
