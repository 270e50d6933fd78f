"""Friction of a Hertz point whose tangential spring follows the contact radius (Waehrisch 4.4).

Under the normal force N the contact radius a and with it spring and damper of stick are

    a = (3 N R/(4 E*))^(1/3),      c_x = 2 G* a,      b_x = kappa sqrt(c_x)      (3.16, 4.2, 4.5)

and the force is that of the elasto-plastic law, T = -a_x min(1, mu N/|a_x|), a_x = c_x z + b_x s.
It has the first slope and the limit of Cattaneo and Mindlin, without their partial slip. A spring
that stiffens while it is bent gains the energy c_x' z^2/2: under a normal force that varies the law
is not passive.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import ClassVar

import numpy as np

from fecontact.contact.laws.algebra import (
    NO_MATRIX,
    NO_VECTOR,
    Matrix,
    Vector,
    add,
    combine,
    dot,
    plus_unit,
    scale,
    scale_matrix,
    subtract,
    times,
)
from fecontact.contact.laws.base import Coefficient, FrictionLaw
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
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
from fecontact.contact.patch.hertz import HertzPoint
from fecontact.contact.status import OPEN
from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, check
from fecontact.kernels.calls import inlined
from fecontact.typing import Floats

__all__ = ["MindlinFriction"]

Ball = tuple[float, float]
"""Stiffness under 1 N, and kappa of the damper kappa sqrt(c)."""


def prepare(parameters: Floats, h: float) -> Ball:
    """Parameters of the law."""
    return parameters[0], parameters[1]


def bristle(k: Ball, force: float) -> tuple[float, float]:
    """Spring c_x ~ N^(1/3) and damper b_x ~ N^(1/6) under a normal force."""
    c = k[0] * max(force, 0.0) ** (1.0 / 3.0)
    return c, k[1] * sqrt(c)


_bristle = inlined(bristle)


def slide(
    k: Ball, pressure: float, limit: float, slip: Vector, by: LimitSlopes
) -> tuple[Vector, Vector, Matrix]:
    """Steady sliding."""
    return coulomb_slide(limit, slip, by)


def step(k: Ball, x: Stepping) -> FrictionStep:
    """Time-discrete law with the bristle of the present force."""
    c, b = _bristle(k, x.pressure)
    viscous, soft = compliance(c, b, x.h)
    return yield_step(c, b, viscous, soft, x)


@inlined
def _slopes(
    k: Ball, force: float, limit: float, slip: Vector, z: Vector, by: LimitSlopes
) -> FrictionSlopes:
    """Derivatives of the traction; the bristle stiffens with the force by c/(3 N) and b/(6 N)."""
    c, b = _bristle(k, force)
    of = yield_slopes(c, b, force, limit, slip, z, by)
    if not c > 0.0:
        return of
    stiffer = combine(1.0 / (3.0 * force), z, 0.5 * b / (3.0 * force * c), slip)
    return FrictionSlopes(
        of.by_trial, of.by_slip, add(of.by_pressure, times(of.by_trial, stiffer)), of.by_shift
    )


def d_step(k: Ball, x: Stepping, by: LimitSlopes) -> FrictionSlopes:
    """Derivatives of the traction; the length of the step does not matter."""
    return _slopes(k, x.pressure, x.limit, x.slip, x.trial, by)


def rate(k: Ball, x: Sliding) -> FrictionRate:
    """Continuous law; an open point keeps its deflection and carries nothing."""
    c, b = _bristle(k, x.pressure)
    now = yield_rate(c, b, x)
    if now.status == OPEN:
        return FrictionRate(now.traction, NO_VECTOR, x.state, now.status, 0.0, 0.0)
    back = 1.0 / b if b > 0.0 else 0.0
    change = scale(-back, combine(1.0, now.traction, c, x.z))
    power = -dot(now.traction, subtract(x.slip, change))
    return FrictionRate(now.traction, change, x.state, now.status, power, now.speed)


def d_rate(k: Ball, x: Sliding, by: LimitSlopes) -> FrictionRateSlopes:
    """Derivatives of the traction and of the rate z' = -(T + c_x z)/b_x."""
    c, b = _bristle(k, x.pressure)
    of = _slopes(k, x.pressure, x.limit, x.slip, x.z, by)
    if not (x.pressure > 0.0 and b > 0.0):
        return FrictionRateSlopes(
            of.by_trial, of.by_slip, of.by_pressure, NO_MATRIX, NO_MATRIX, NO_VECTOR
        )
    change, back = yield_rate(c, b, x).z, -1.0 / b
    stiffer = combine(c / (3.0 * x.pressure), x.z, b / (6.0 * x.pressure), change)
    return FrictionRateSlopes(
        of.by_trial,
        of.by_slip,
        of.by_pressure,
        scale_matrix(back, plus_unit(c, of.by_trial)),
        scale_matrix(back, of.by_slip),
        scale(back, add(of.by_pressure, stiffer)),
    )


@dataclass(frozen=True)
class MindlinFriction(FrictionLaw):
    """Tangential force element of a ball on a plane; the contact point has the weight 1.

    Parameters
    ----------
    ball
        The Hertz contact; its `law()` is the normal law of the same point.
    mu
        Friction coefficient, a number or a law of `contact.laws.coefficient`.
    load
        Normal force in N at which `stiffness` and `damping` are stated.
    root_damping
        kappa in kg^(1/2): b_x = kappa sqrt(c_x).

    Examples
    --------
    >>> from fecontact.contact.patch.hertz import ContactModuli
    >>> ball = HertzPoint(ContactModuli(210e9, 0.3), radius=0.01)
    >>> law = MindlinFriction(ball, mu=0.2, load=100.0)
    >>> round(law.stiffness / 1e6, 2), round(float(ball.stiffness(ball.approach(100.0))) / 1e6, 2)
    (35.47, 43.07)
    """

    point: ClassVar[FrictionPoint] = FrictionPoint(
        prepare, bristle, slide, step, d_step, rate, d_rate
    )
    states: ClassVar[tuple[StateVariable, ...]] = (vector("z"),)
    ball: HertzPoint
    mu: float | Coefficient
    load: float
    root_damping: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.ball, HertzPoint):
            raise InputError(f"invalid ball = {self.ball}: expected a HertzPoint")
        check("load", self.load, POSITIVE, "N")
        check("root_damping", self.root_damping, NON_NEGATIVE, "kg^(1/2)")
        self.coefficient  # noqa: B018  # refuses an impossible mu

    @cached_property
    def parameters(self) -> Floats:
        """Stiffness under 1 N and kappa."""
        unit = self.ball.tangential_stiffness(self.ball.approach(1.0))
        return np.array([float(unit), self.root_damping])

    @cached_property
    def stiffness(self) -> float:
        """Stiffness c_x of stick in N/m under `load`."""
        return float(self.bristle(np.array([self.load]))[0][0])

    @cached_property
    def damping(self) -> float:
        """Damper b_x in N s/m under `load`."""
        return float(self.bristle(np.array([self.load]))[1][0])

    @property
    def rateless(self) -> bool:
        """Without damper."""
        return self.root_damping == 0.0

    def no_slip(self) -> ElastoPlastic:
        """Bristles of the stated load that never yield."""
        return ElastoPlastic(0.0, self.stiffness, self.damping).no_slip()
