"""Kinematics of a contact pair: gap, gap rate and slip of all points, with their derivatives.

    v_rel = v_slave - v_master,     g' = n . v_rel,     s = (I - n n^T) v_rel

Columns of all derivatives are the dofs of the slave, then those of the master.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fecontact.body.motion import PointMotion
from fecontact.contact.kernels.slip import (
    MasterSlopes,
    SlaveSlopes,
    SlidingForces,
    SlidingLaws,
    d_sliding_forces,
    split_velocity,
)
from fecontact.contact.master.base import Projection, along
from fecontact.typing import Chosen, Floats

__all__ = ["Change", "ContactKinematics"]


Law = tuple[Floats, Floats, Floats]
"""A law over points: values, and their derivatives."""


@dataclass(frozen=True)
class Change:
    """Derivatives of gap (p, N), normal (p, 3, N), gap rate (p, N) and slip (p, 3, N)."""

    gap: Floats
    normal: Floats
    gap_rate: Floats
    slip: Floats


@dataclass(frozen=True)
class ContactKinematics:
    """One evaluation of the kinematics of all points, with their initial gap in m.

    `gap_drift` is the rate in m/s of an initial gap that passes the material of the slave.
    """

    slave: PointMotion
    projection: Projection
    initial_gap: Floats | float = 0.0
    gap_drift: Floats | float = 0.0

    @property
    def gap(self) -> Floats:
        """Distance g (p,)."""
        return self.projection.gap + self.initial_gap

    @property
    def normal(self) -> Floats:
        """Unit normals n (p, 3)."""
        return self.projection.normal

    @property
    def velocity(self) -> Floats:
        """Velocity (p, 3) of the slave relative to the master."""
        return self._velocities[0]

    @property
    def gap_rate(self) -> Floats:
        """Rate g' (p,), seen by the material of the slave."""
        return self._velocities[1] + self.gap_drift

    @property
    def slip(self) -> Floats:
        """Slip velocity s (p, 3)."""
        return self._velocities[2]

    @cached_property
    def jacobian(self) -> Floats:
        """Relative Jacobian J (p, 3, N)."""
        return np.concatenate([self.slave.jacobian, -self.projection.jacobian], axis=2)

    def apply_transpose(self, force: Floats) -> Floats:
        """Generalised force (N,) of point forces F (p, 3) on the slave and -F on the master."""
        return np.concatenate(
            [self.slave.apply_transpose(force), -self.projection.apply_transpose(force)]
        )

    def part(self, rows: Chosen) -> ContactKinematics | None:
        """Kinematics of some of the points; None if slave or master cannot be divided."""
        slave, projection = self.slave.part(rows), self.projection.part(rows)
        if slave is None or projection is None:
            return None
        gap, drift = (
            each[rows] if isinstance(each, np.ndarray) and each.ndim else each
            for each in (self.initial_gap, self.gap_drift)
        )
        return ContactKinematics(slave, projection, gap, drift)

    def at_rest(self) -> ContactKinematics:
        """The same of bodies that move infinitely slowly: without any velocities."""
        return _AtRest(self.slave, self.projection, self.initial_gap)

    def tangent(self, force: Floats, change: Floats, geometric: bool) -> Floats:
        """Derivative (N, N) of J^T F: of the forces (p, 3, N) and, by q, of the Jacobian."""
        return self._pulled(self.jacobian, force, change, geometric)

    def _pulled(self, J: Floats, force: Floats, change: Floats, geometric: bool) -> Floats:
        rows = 3 * len(force)
        result: Floats = J.reshape(rows, -1).T @ change.reshape(rows, -1)
        if geometric:
            own = self.slave.jacobian.shape[2]
            result[:own, :own] += self.slave.d_load(force)
            result[own:] -= self.projection.d_load(force, self._displacement)
        return result

    @cached_property
    def by_q(self) -> Change:
        """Derivatives along an increment of the dofs, at fixed velocities."""
        p, slave = self.projection, self._displacement
        d_gap = along(p.d_gap[:, None, :], slave)[:, 0]
        return self._change(d_gap, along(p.d_normal, slave), self.d_velocity)

    @cached_property
    def d_velocity(self) -> Floats:
        """Derivative (p, 3, N) of the relative velocity along an increment of the dofs."""
        slave = self._displacement
        result = -along(self.projection.d_velocity, slave)
        result[:, :, : slave.shape[2]] += self.slave.d_velocity
        return result

    @cached_property
    def by_v(self) -> Change:
        """Derivatives by the velocities."""
        J, n = self.jacobian, self.normal
        none = np.broadcast_to(0.0, J.shape)
        rate = np.einsum("pi,piy->py", n, J)
        return Change(none[:, 0], none, rate, J - n[:, :, None] * rate[:, None, :])

    def sliding_tangents(
        self, force: Floats, weights: Floats, pressure: Law, traction: Law
    ) -> tuple[Floats, Floats]:
        """Derivatives (N, N) by q and v of J^T F of sliding points.

        Parameters
        ----------
        force : (p, 3)
            F = A (p n + T).
        weights : (p,)
            Areas A of the points.
        pressure, traction
            Values with derivatives: p by gap and gap rate, T by p and slip.
        """
        slave, master = self.slave, self.projection
        s, n = slave.jacobian.shape[2], master.jacobian.shape[2]
        result = SlidingForces(*np.empty((3, len(weights), 3, s + n)))
        normal, velocity, areas = _whole(self.normal, self.velocity, weights)
        d_sliding_forces(
            SlaveSlopes(*_whole(slave.jacobian, slave.displacement, slave.d_velocity)),
            MasterSlopes(
                *_whole(master.jacobian, master.d_gap, master.d_normal, master.d_velocity)
            ),
            normal, velocity, areas, SlidingLaws(*_whole(*pressure, *traction[1:])), result,
        )  # fmt: skip
        J, by_q, by_v = result
        return self._pulled(J, force, by_q, True), self._pulled(J, force, by_v, False)

    @property
    def _displacement(self) -> Floats:
        """Displacement (p, 3, s) of the slave points along a step."""
        return self.slave.displacement

    @cached_property
    def _velocities(self) -> tuple[Floats, Floats, Floats]:
        """Relative velocity, gap rate and slip."""
        n = self.normal
        velocity, rate, slip = np.empty_like(n), np.empty(len(n)), np.empty_like(n)
        split_velocity(self.slave.velocity, self.projection.velocity, n, velocity, rate, slip)
        return velocity, rate, slip

    def _change(self, d_gap: Floats, d_normal: Floats, d_velocity: Floats) -> Change:
        n, v = self.normal, self.velocity
        d_rate = np.einsum("pi,piy->py", n, d_velocity) + np.einsum("piy,pi->py", d_normal, v)
        d_slip = d_velocity - n[:, :, None] * d_rate[:, None, :]
        d_slip -= self._velocities[1][:, None, None] * d_normal
        return Change(d_gap, d_normal, d_rate, d_slip)


@dataclass(frozen=True)
class _AtRest(ContactKinematics):
    """Kinematics of bodies that move infinitely slowly."""

    @cached_property
    def by_q(self) -> Change:
        """Derivatives along an increment of the dofs."""
        change = super().by_q
        gap_rate, slip = np.zeros_like(change.gap_rate), np.zeros_like(change.slip)
        return replace(change, gap_rate=gap_rate, slip=slip)

    def part(self, rows: Chosen) -> ContactKinematics | None:
        """Kinematics of some of the points; None if slave or master cannot be divided."""
        part = super().part(rows)
        return None if part is None else part.at_rest()

    @cached_property
    def _velocities(self) -> tuple[Floats, Floats, Floats]:
        """Relative velocity, gap rate and slip: none."""
        n = self.normal
        return np.zeros_like(n), np.zeros(len(n)), np.zeros_like(n)


def _whole(*arrays: Floats) -> Iterator[Floats]:
    """Arrays as kernels take them."""
    return (np.ascontiguousarray(each) for each in arrays)
