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
from functools import cached_property
from typing import ClassVar

import numpy as np

from fecontact.contact.laws.algebra import Matrix, Vector, plus_unit, scale, scale_matrix
from fecontact.contact.laws.base import UNLIMITED, Coefficient, FrictionLaw
from fecontact.contact.laws.point import (
    FrictionPoint,
    FrictionRate,
    FrictionRateSlopes,
    FrictionSlopes,
    FrictionStep,
    LimitSlopes,
    Sliding,
    StateVariable,
    Stepping,
    vector,
)
from fecontact.contact.laws.yielding import (
    compliance,
    coulomb_slide,
    yield_rate,
    yield_slopes,
    yield_step,
)
from fecontact.errors import NON_NEGATIVE, POSITIVE, check
from fecontact.typing import Floats

__all__ = ["ElastoPlastic"]

Bristle = tuple[float, float, float, float]
"""Spring c_t, damper beta_t, and their `compliance` over a step."""


def prepare(parameters: Floats, h: float) -> Bristle:
    """Spring, damper and their compliance."""
    c, beta = parameters[0], parameters[1]
    viscous, soft = compliance(c, beta, h)
    return c, beta, viscous, soft


def bristle(k: Bristle, pressure: float) -> tuple[float, float]:
    """Spring and damper, the same under all pressures."""
    return k[0], k[1]


def slide(
    k: Bristle, pressure: float, limit: float, slip: Vector, by: LimitSlopes
) -> tuple[Vector, Vector, Matrix]:
    """Steady sliding, the limit c_t -> infinity."""
    return coulomb_slide(limit, slip, by)


def step(k: Bristle, x: Stepping) -> FrictionStep:
    """Time-discrete law."""
    return yield_step(k[0], k[1], k[2], k[3], x)


def d_step(k: Bristle, x: Stepping, by: LimitSlopes) -> FrictionSlopes:
    """Derivatives of the traction; the length of the step does not matter."""
    return yield_slopes(k[0], k[1], x.pressure, x.limit, x.slip, x.trial, by)


def rate(k: Bristle, x: Sliding) -> FrictionRate:
    """Continuous law."""
    return yield_rate(k[0], k[1], x)


def d_rate(k: Bristle, x: Sliding, by: LimitSlopes) -> FrictionRateSlopes:
    """Derivatives of the traction and of z' = -(T + c_t z)/beta_t."""
    c, back = k[0], -1.0 / k[1]
    of = yield_slopes(c, k[1], x.pressure, x.limit, x.slip, x.z, by)
    return FrictionRateSlopes(
        of.by_trial,
        of.by_slip,
        of.by_pressure,
        scale_matrix(back, plus_unit(c, of.by_trial)),
        scale_matrix(back, of.by_slip),
        scale(back, of.by_pressure),
    )


@dataclass(frozen=True)
class ElastoPlastic(FrictionLaw):
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

    point: ClassVar[FrictionPoint] = FrictionPoint(
        prepare, bristle, slide, step, d_step, rate, d_rate
    )
    states: ClassVar[tuple[StateVariable, ...]] = (vector("z"),)
    mu: float | Coefficient
    stiffness: float
    damping: float = 0.0

    def __post_init__(self) -> None:
        check("friction stiffness", self.stiffness, POSITIVE)
        check("friction damping", self.damping, NON_NEGATIVE)
        self.coefficient  # noqa: B018  # refuses an impossible mu

    @cached_property
    def parameters(self) -> Floats:
        """Stiffness and damping."""
        return np.array([self.stiffness, self.damping], dtype=float)

    @property
    def rateless(self) -> bool:
        """Without damper."""
        return self.damping == 0.0

    def no_slip(self) -> ElastoPlastic:
        """Bristles that never yield."""
        return replace(self, mu=UNLIMITED)
