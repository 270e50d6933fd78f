"""Contact between the points of a slave and the surface of a master.

Per point with weight A, relative velocity v_rel = v_slave - v_master, unit normal n of the master,

    g' = n . v_rel,     s = (I - n n^T) v_rel,     F = A (p n + T),     J = [J_slave, -J_master]

and the generalised force on (slave, master) is the sum of J^T F over the points. The tangents are
exact: they contain the change of pressure, of slip direction, of the normal, and the follower
terms d(J^T F)/dq at fixed F.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from fecontact.body.motion import PointMotion
from fecontact.contact.friction import CoulombSliding
from fecontact.contact.master import Master, Projection, along
from fecontact.contact.normal import NormalLaw
from fecontact.contact.surface import Surface
from fecontact.typing import Body, Floats, Tangents

__all__ = ["ContactPair", "ContactStatus", "Slave"]


class Slave(Body, Protocol):
    """A body that carries contact points."""

    def motion(self, q: Floats, v: Floats, points: Floats) -> PointMotion:
        """Motion of points (p, 3) of the body."""
        ...


@dataclass(frozen=True)
class ContactStatus:
    """What each contact point does."""

    pressure: Floats
    slip_speed: Floats
    normal_force: float

    @property
    def open(self) -> int:
        """Number of points without contact."""
        return int(np.count_nonzero(self.pressure == 0.0))

    @property
    def sliding(self) -> int:
        """Number of points in sliding contact."""
        return int(np.count_nonzero(self.pressure > 0.0))


@dataclass(frozen=True, eq=False)
class ContactPair:
    """Areal or line contact with normal law and friction law.

    Parameters
    ----------
    slave
        Body that carries the contact points.
    surface
        Its contact points.
    master
        Surface of the other body, or of the ground.
    normal, friction
        The contact laws.
    name
        Name in the system.
    """

    slave: Slave
    surface: Surface
    master: Master
    normal: NormalLaw
    friction: CoulombSliding
    name: str = "contact"

    @cached_property
    def bodies(self) -> tuple[Body, ...]:
        """Slave body, then master body unless it is the ground."""
        return (self.slave, *self.master.bodies)

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Generalised contact force on slave and master."""
        point = self._evaluate(q, v)
        return np.einsum("piy,pi->y", point.jacobian, point.force)

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`, non-symmetric."""
        return self._evaluate(q, v).tangents()

    def status(self, q: Floats, v: Floats) -> ContactStatus:
        """Pressure and slip speed of each point, and the normal force."""
        point = self._evaluate(q, v)
        normal_force = float(self.surface.weights @ point.pressure[0])
        return ContactStatus(point.pressure[0], np.linalg.norm(point.slip, axis=1), normal_force)

    def _evaluate(self, q: Floats, v: Floats) -> _Points:
        n, n_q = len(self.slave.freedoms), len(self.slave.reference())
        slave = self.slave.motion(q[:n_q], v[:n], self.surface.points)
        return _Points(self, slave, self.master.project(slave.position, q[n_q:], v[n:]))


@dataclass(frozen=True)
class _Points:
    """One evaluation of all points of a pair."""

    pair: ContactPair
    slave: PointMotion
    projection: Projection

    @cached_property
    def velocity(self) -> Floats:
        return self.slave.velocity - self.projection.velocity

    @cached_property
    def slip(self) -> Floats:
        n = self.projection.normal
        return self.velocity - np.einsum("pi,pi->p", n, self.velocity)[:, None] * n

    @cached_property
    def pressure(self) -> tuple[Floats, Floats, Floats]:
        gap_rate = np.einsum("pi,pi->p", self.projection.normal, self.velocity)
        return self.pair.normal.pressure(self.projection.gap, gap_rate)

    @cached_property
    def traction(self) -> tuple[Floats, Floats, Floats]:
        return self.pair.friction.traction(self.pressure[0], self.slip)

    @cached_property
    def force(self) -> Floats:
        weights = self.pair.surface.weights[:, None]
        return weights * (self.pressure[0][:, None] * self.projection.normal + self.traction[0])

    @cached_property
    def jacobian(self) -> Floats:
        """Relative Jacobian J (p, 3, n)."""
        return np.concatenate([self.slave.jacobian, -self.projection.jacobian], axis=2)

    def tangents(self) -> Tangents:
        """df/dq and df/dv of the generalised force."""
        p, J, slave = self.projection, self.jacobian, self.slave.jacobian
        d_gap = along(p.d_gap[:, None, :], slave)[:, 0]
        d_normal = along(p.d_normal, slave)
        slaves = len(self.pair.slave.freedoms)
        d_velocity = -along(p.d_velocity, slave)
        d_velocity[:, :, :slaves] += self.slave.d_velocity
        by_q = self._d_force(d_gap, d_normal, d_velocity)
        by_v = self._d_force(np.zeros_like(d_gap), np.zeros_like(d_normal), J)
        df_dq, df_dv = (np.tensordot(J, d, axes=((0, 1), (0, 1))) for d in (by_q, by_v))
        df_dq[:slaves, :slaves] += self.slave.d_load(self.force)
        df_dq[slaves:] -= p.d_load(self.force, self.slave.jacobian)
        return df_dq, df_dv

    def _d_force(self, d_gap: Floats, d_normal: Floats, d_velocity: Floats) -> Floats:
        """Change of the point forces F (p, 3, n)."""
        n, v = self.projection.normal, self.velocity
        pressure, p_gap, p_rate = self.pressure
        _, T_pressure, T_slip = self.traction
        turn = np.einsum("piy,pi->py", d_normal, v)
        d_rate = np.einsum("pi,piy->py", n, d_velocity) + turn
        d_pressure = p_gap[:, None] * d_gap + p_rate[:, None] * d_rate
        along = np.einsum("pi,pi->p", n, v)[:, None, None]
        d_slip = d_velocity - n[:, :, None] * d_rate[:, None, :] - along * d_normal
        change = (n + T_pressure)[:, :, None] * d_pressure[:, None, :]
        change += pressure[:, None, None] * d_normal + T_slip @ d_slip
        return self.pair.surface.weights[:, None, None] * change
