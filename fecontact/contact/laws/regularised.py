"""Coulomb friction smoothed over the slip speed, for comparison with laws that stick.

    T = -mu p f(|s|/v_d) s/|s|,      f(x) = (2/pi) arctan x  or  tanh x

It has no history and slides under any load.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import atan, cosh, pi, tanh
from typing import ClassVar

import numpy as np

from fecontact.contact.laws.algebra import (
    NO_MATRIX,
    NO_VECTOR,
    Matrix,
    Vector,
    dot,
    norm,
    outer,
    plus_unit,
    scale,
    unit,
)
from fecontact.contact.laws.base import Coefficient, FrictionLaw
from fecontact.contact.laws.coefficient import refuse_static
from fecontact.contact.laws.point import (
    FrictionPoint,
    FrictionRate,
    FrictionRateSlopes,
    FrictionSlopes,
    FrictionStep,
    LimitSlopes,
    Sliding,
    Stepping,
)
from fecontact.contact.status import OPEN, SLIP
from fecontact.errors import POSITIVE, check, one_of
from fecontact.kernels.calls import inlined
from fecontact.typing import Floats

__all__ = ["RegularisedCoulomb"]

Smooth = tuple[float, float]
"""Speed v_d, and 1 for tanh in place of arctan."""


def prepare(parameters: Floats, h: float) -> Smooth:
    """Parameters of the law."""
    return parameters[0], parameters[1]


def bristle(k: Smooth, pressure: float) -> tuple[float, float]:
    """No bristle."""
    return 0.0, 0.0


@inlined
def _smooth(k: Smooth, speed: float) -> tuple[float, float]:
    """Smoothed sign of the speed and its slope."""
    x = speed / k[0]
    if k[1] == 1.0:
        return tanh(x), 1.0 / cosh(min(x, 300.0)) ** 2 / k[0]
    return 2.0 / pi * atan(x), 2.0 / pi / (1.0 + x * x) / k[0]


def slide(
    k: Smooth, pressure: float, limit: float, slip: Vector, by: LimitSlopes
) -> tuple[Vector, Vector, Matrix]:
    """T = -limit f s/|s| and its derivatives by pressure and slip."""
    speed, e = norm(slip), unit(slip)
    f, slope = _smooth(k, speed)
    across = limit * (f / speed if speed > 0.0 else slope)
    along = limit * slope + by.by_speed * f
    by_slip = plus_unit(-across, outer(across - along, e, e))
    return scale(-limit * f, e), scale(-by.by_pressure * f, e), by_slip


_slide = inlined(slide)


@inlined
def _traction(k: Smooth, pressure: float, limit: float, slip: Vector) -> Vector:
    return _slide(k, pressure, limit, slip, LimitSlopes(0.0, 0.0, False))[0]


def step(k: Smooth, x: Stepping) -> FrictionStep:
    """Traction at the end of a step; there is no bristle."""
    traction = _traction(k, x.pressure, x.limit, x.slip)
    closed = x.pressure > 0.0
    work = -dot(traction, x.shift) if closed else 0.0
    slid = norm(x.trial) if closed else -1.0
    return FrictionStep(traction, NO_VECTOR, x.state, SLIP if closed else OPEN, work, slid)


def d_step(k: Smooth, x: Stepping, by: LimitSlopes) -> FrictionSlopes:
    """Derivatives of the traction."""
    _, by_pressure, by_slip = _slide(k, x.pressure, x.limit, x.slip, by)
    return FrictionSlopes(NO_MATRIX, by_slip, by_pressure, NO_MATRIX)


def rate(k: Smooth, x: Sliding) -> FrictionRate:
    """Traction; there is no state."""
    traction = _traction(k, x.pressure, x.limit, x.slip)
    closed = x.pressure > 0.0
    speed = norm(x.slip) if closed else 0.0
    status = SLIP if closed else OPEN
    return FrictionRate(traction, NO_VECTOR, x.state, status, -dot(traction, x.slip), speed)


def d_rate(k: Smooth, x: Sliding, by: LimitSlopes) -> FrictionRateSlopes:
    """Derivatives of the traction; the rate is zero."""
    _, by_pressure, by_slip = _slide(k, x.pressure, x.limit, x.slip, by)
    return FrictionRateSlopes(NO_MATRIX, by_slip, by_pressure, NO_MATRIX, NO_MATRIX, NO_VECTOR)


@dataclass(frozen=True)
class RegularisedCoulomb(FrictionLaw):
    """Coulomb friction smoothed over the speed v_d in m/s; "arctan" (Jehle) or "tanh" (Keppler).

    A static coefficient is refused: the law never sticks.
    """

    point: ClassVar[FrictionPoint] = FrictionPoint(
        prepare, bristle, slide, step, d_step, rate, d_rate
    )
    sticks: ClassVar[bool] = False
    directed: ClassVar[bool] = False
    stiffness: ClassVar[float] = 0.0
    damping: ClassVar[float] = 0.0
    mu: float | Coefficient
    speed: float
    form: str = "arctan"

    def __post_init__(self) -> None:
        check("regularisation speed", self.speed, POSITIVE, "m/s")
        check("form", self.form, one_of(("arctan", "tanh")))
        refuse_static(self.coefficient, "regularised friction, which never sticks")

    @cached_property
    def parameters(self) -> Floats:
        """Speed and form."""
        return np.array([self.speed, float(self.form == "tanh")])

    def no_slip(self) -> RegularisedCoulomb:
        """The law itself: it never sticks."""
        return self
