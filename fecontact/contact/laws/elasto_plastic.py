"""Elasto-visco-plastic friction: bristles that bend, creep and yield at the friction limit.

With the elastic slip z, the slip velocity s and the trial traction a = c_t z + beta_t s, per area,

    T = -a min(1, mu p/|a|)                                           (Stamm 4.56, 4.72, 4.113)

Continuous form, beta_t > 0:      z' = (min(1, mu p/|a|) a - c_t z)/beta_t
Time-discrete form over a step h from z_n, with the displacement dx along the surface:

    z_tr = z_n + dx,   a = c_t z_tr + beta_t s
    stick  |a| <= mu p:   z = z_tr,       T = -a
    slip:                 T = -mu p e,    e = a/|a|,    c_t z + beta_t (z - z_n)/h = mu p e

The kink |a| = mu p belongs to stick, also in the derivatives and where both are 0. A coefficient
over |s| has a kink at s = 0: there its derivative is the mean of both sides, 0.

A step of constant speed, dx = h s, slides by z_tr - z = (|a| - mu p)/(c_t + beta_t/h) e. With the
end speed in place of dx/h this formula would be off by beta_t/c_t h s'/2 in accelerated slip. The
slip work mu p e . (z_tr - z) is never negative: in the step in which a point lets go, z may keep
the part of z_tr along e. An open point is the case p = 0. All vectors are given in space
components; the caller turns z with the frame of the master.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fecontact.contact.kernels.yielding import flow, scaled_projector
from fecontact.contact.laws.coefficient import Coefficient, friction_limit
from fecontact.contact.laws.friction import (
    UNLIMITED,
    FrictionFlow,
    FrictionTangent,
)
from fecontact.contact.laws.yielding import Yielding, refuse_undamped
from fecontact.errors import NON_NEGATIVE, POSITIVE, check
from fecontact.typing import Floats, Integers

__all__ = ["ElastoPlastic"]


@dataclass(frozen=True)
class ElastoPlastic(Yielding):
    """Elasto-visco-plastic law of areal friction.

    Parameters
    ----------
    mu
        Friction coefficient, a number or a law of `contact.laws.coefficient`.
    stiffness
        c_t in N/m^3 on an area, N/m^2 on a line, N/m on a point.
    damping
        beta_t in N s/m^3, N s/m^2, N s/m.

    Examples
    --------
    A bristle pulled beyond its limit slides; its elastic slip stays at mu p/c_t.

    >>> law = ElastoPlastic(mu=0.5, stiffness=100.0)
    >>> pull, still = np.array([[0.03, 0.0, 0.0]]), np.zeros((1, 3))
    >>> step = law.step(pull, still, np.array([2.0]), np.array([1]), 1e-3)
    >>> step.traction[0, 0].item(), round(step.z[0, 0].item(), 12)
    (-1.0, 0.01)
    """

    mu: float | Coefficient
    stiffness: float
    damping: float = 0.0

    def __post_init__(self) -> None:
        check("friction stiffness", self.stiffness, POSITIVE)
        check("friction damping", self.damping, NON_NEGATIVE)
        self.coefficient  # noqa: B018  # refuses an impossible mu

    def bristle(self, pressure: Floats) -> tuple[Floats, Floats]:
        """Stiffness and damper (p,), the same under all pressures."""
        return np.full_like(pressure, self.stiffness), np.full_like(pressure, self.damping)

    def d_step(
        self,
        z: Floats,
        slip: Floats,
        pressure: Floats,
        mode: Integers,
        h: float,
        shift: Floats | None = None,
    ) -> FrictionTangent:
        """Derivatives of the traction; the length of the step does not matter."""
        return self.tangent(z, slip, pressure, mode)

    def flow(self, z: Floats, slip: Floats, pressure: Floats, mode: Integers) -> FrictionFlow:
        """Continuous law; without damping it has a traction and no rate."""
        if self.damping == 0.0:
            held = self.step(z, slip, pressure, mode, 1.0)
            return FrictionFlow(held.traction, None, held.mode, None)
        limit = friction_limit(self.coefficient, slip, pressure, mode)[0]
        traction, rate = np.empty_like(z), np.empty_like(z)
        power, new = np.empty_like(limit), np.empty(len(limit), dtype=np.int64)
        flow(self.stiffness, self.damping, pressure, limit, slip, z, traction, rate, power, new)
        return FrictionFlow(traction, rate, new, power)

    def d_flow(
        self, z: Floats, slip: Floats, pressure: Floats, mode: Integers
    ) -> tuple[FrictionTangent, FrictionTangent]:
        """Derivatives of the traction and of the rate z' = -(T + c z)/beta."""
        refuse_undamped(self.damping)
        by = self.tangent(z, slip, pressure, mode)
        rate = FrictionTangent(
            by_z=-(by.by_z + self.stiffness * np.eye(3)) / self.damping,
            by_slip=-by.by_slip / self.damping,
            by_pressure=-by.by_pressure / self.damping,
        )
        return by, rate

    def stuck(self) -> ElastoPlastic:
        """Bristles that never yield."""
        return replace(self, mu=UNLIMITED)

    def tangent(self, z: Floats, slip: Floats, pressure: Floats, mode: Integers) -> FrictionTangent:
        """Derivatives of the traction, the same in both forms."""
        limit, by_speed, by_pressure = friction_limit(self.coefficient, slip, pressure, mode)
        by_trial, e = np.empty((len(limit), 3, 3)), np.empty_like(z)
        scaled_projector(self.stiffness, self.damping, pressure, limit, slip, z, by_trial, e)
        speed = np.linalg.norm(slip, axis=1)
        along = slip / np.where(speed > 0.0, speed, 1.0)[:, None]
        faster = e[:, :, None] * (by_speed[:, None] * along)[:, None, :]
        return FrictionTangent(
            by_z=self.stiffness * by_trial,
            by_slip=self.damping * by_trial - faster,
            by_pressure=-by_pressure[:, None] * e,
        )
