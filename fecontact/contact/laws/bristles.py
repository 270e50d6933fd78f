"""Bristle laws of the literature, for comparison with the elasto-plastic one.

z along the slip s, S = mu(|s|) p the sliding friction (Keppler 4.37, 4.38):

    z' = (1 - beta (1 - nu)) s - beta nu |s| c z/S,      T = -(c z + b z') - mu_V p s

    Dahl:    beta = 1, b = 0, mu_V = 0
    LuGre:   beta = 1
    Dupont:  beta = 0 while unloading (z . s <= 0) or d = c|z|/S < d_1; then smooth to 1 at d = 1

Dahl and LuGre have no stick: they creep under any load that varies. At s = 0 |s| has a kink:
there their derivatives are the mean of both sides, and those of Dupont's law of the side that
unloads.

Over a time step the bristle goes by the implicit Euler method from z_n along dx, with beta at the
trial z_tr = z_n + dx:

    z = (z_tr - beta (1 - nu) dx)/(1 + beta nu |dx| c/S)

The part with 1 - nu never turns z against dx: the step dissipates. The mean rate of z is half a
step late: a stuck contact would swing faster by h b/(4 m). So the damper takes, with the end speed
s, k = beta nu c/S and ds = s - dx/h,

    z' = (z - z_n)/h + (1 - beta (1 - nu)) ds - k (|s| - |dx|/h) z - k |z| ds_across

the law at the end of the step but for the part of ds across z, which fades with the load: a sliding
z points along dx and does not know that s turned.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from fecontact.contact.laws.algebra import (
    NO_MATRIX,
    NO_VECTOR,
    Matrix,
    Vector,
    add,
    combine,
    dot,
    norm,
    outer,
    plus_unit,
    product,
    scale,
    scale_matrix,
    subtract,
    sum_matrices,
    times,
    unit,
)
from fecontact.contact.laws.base import UNLIMITED, Coefficient, FrictionLaw
from fecontact.contact.laws.coefficient import refuse_static
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
    status_of,
    vector,
)
from fecontact.contact.laws.yielding import coulomb_slide
from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, check
from fecontact.kernels.calls import inlined
from fecontact.typing import Floats

__all__ = ["Bristles", "dahl", "dupont", "lugre"]

ALWAYS = -1.0
"""Onset of a law that slides at any load."""
NOTHING = 1e-30
"""Deflection S/c in m of sliding bristles from which a point counts as closed: z relaxes with
c |s|/S, which knows no bound for S -> 0."""


class Bristle(NamedTuple):
    """Spring c, damper b, mu_V, d_1 and nu."""

    c: float
    b: float
    viscous: float
    onset: float
    decay: float


class Slide(NamedTuple):
    """Beta and its slope over d; fraction lost of dx, whether it is capped, and beta nu c/S."""

    beta: float
    slope: float
    lost: float
    capped: bool
    back: float


def prepare(parameters: Floats, h: float) -> Bristle:
    """Parameters of the law."""
    return Bristle(parameters[0], parameters[1], parameters[2], parameters[3], parameters[4])


def bristle(k: Bristle, pressure: float) -> tuple[float, float]:
    """Spring and damper, the same under all pressures."""
    return k.c, k.b


@inlined
def _sliding(k: Bristle, load: float, along: float) -> tuple[float, float]:
    """Beta and its slope over d: 1 for a negative onset, else a smooth step from onset to 1.

    Bristles at rest, and those that unload, only bend.
    """
    if k.onset < 0.0:
        return 1.0, 0.0
    if along <= 0.0 or load <= k.onset:
        return 0.0, 0.0
    if load >= 1.0:
        return 1.0, 0.0
    span = (1.0 - k.onset) ** 3
    beta = (load - k.onset) ** 2 * (3.0 - k.onset - 2.0 * load) / span
    return beta, 6.0 * (load - k.onset) * (1.0 - load) / span


@inlined
def _slid(k: Bristle, x: Stepping) -> Slide:
    """How a bristle slides over a step, at its trial."""
    along, path = dot(x.trial, x.shift), dot(x.shift, x.shift)
    beta, slope = _sliding(k, k.c * norm(x.trial) / x.limit, along)
    lost, capped = beta * (1.0 - k.decay), False
    if lost > 0.0 and along < lost * path:
        lost, capped = along / path, True
    return Slide(beta, slope, lost, capped, beta * k.decay * k.c / x.limit)


@inlined
def _drag(k: Bristle, pressure: float) -> float:
    """Viscous drag of a pressed point over the slip velocity."""
    return k.viscous * max(pressure, 0.0)


@inlined
def _viscous(k: Bristle, pressure: float, by: LimitSlopes) -> float:
    """Slope of the drag over the pressure."""
    return k.viscous if (pressure >= 0.0 and not by.apart) else 0.0


@inlined
def _held(k: Bristle, limit: float) -> bool:
    """Whether the friction of a point bends its bristle."""
    return limit > NOTHING * k.c


def slide(
    k: Bristle, pressure: float, limit: float, slip: Vector, by: LimitSlopes
) -> tuple[Vector, Vector, Matrix]:
    """Steady sliding: Coulomb and viscous."""
    traction, by_pressure, by_slip = coulomb_slide(limit, slip, by)
    drag, viscous = _drag(k, pressure), k.viscous if pressure >= 0.0 else 0.0
    return (
        combine(1.0, traction, -drag, slip),
        combine(1.0, by_pressure, -viscous, slip),
        plus_unit(-drag, by_slip),
    )


def step(k: Bristle, x: Stepping) -> FrictionStep:
    """Time-discrete law; a point without friction has the drag alone and loses its deflection."""
    drag = scale(_drag(k, x.pressure), x.slip)
    if not _held(k, x.limit):
        slid = norm(x.trial) if x.pressure > 0.0 else -1.0
        status = status_of(x.pressure, 0.0, True)
        traction = scale(-1.0, drag)
        return FrictionStep(traction, NO_VECTOR, x.state, status, dot(drag, x.trial), slid)
    how, h = _slid(k, x), x.h
    path = norm(x.shift)
    z = scale(1.0 / (1.0 + how.back * path), combine(1.0, x.trial, -how.lost, x.shift))
    ds, faster = combine(1.0, x.slip, -1.0 / h, x.shift), norm(x.slip) - path / h
    across = combine(norm(z), ds, -dot(unit(z), ds), z)
    rate = combine(1.0 / h, subtract(z, x.trial), 1.0, x.slip)
    rate = combine(1.0, rate, -how.lost, ds)
    rate = combine(1.0, rate, -how.back, combine(faster, z, 1.0, across))
    pull = add(combine(k.c, z, k.b, rate), drag)
    moved = subtract(x.trial, z)
    status = status_of(x.pressure, x.limit, how.beta > 0.0)
    return FrictionStep(scale(-1.0, pull), z, x.state, status, dot(pull, moved), norm(moved))


def d_step(k: Bristle, x: Stepping, by: LimitSlopes) -> FrictionSlopes:
    """Derivatives of the traction of `step`."""
    viscous, drag = _viscous(k, x.pressure, by), _drag(k, x.pressure)
    if not _held(k, x.limit):
        dragged = plus_unit(-drag, NO_MATRIX)
        return FrictionSlopes(NO_MATRIX, dragged, scale(-viscous, x.slip), NO_MATRIX)
    how, h, dx, limit = _slid(k, x), x.h, x.shift, x.limit
    path, e = norm(dx), unit(dx)
    # derivatives of the fraction lost and of back, by trial, dx and limit
    beta_z = scale(how.slope * k.c / limit, unit(x.trial))
    beta_limit = -how.slope * k.c * norm(x.trial) / limit**2
    back_z = scale(k.decay * k.c / limit, beta_z)
    back_limit = k.decay * k.c / limit * (beta_limit - how.beta / limit)
    square = path**2 if path > 0.0 else 1.0
    lost_z = scale(1.0 / square, dx) if how.capped else scale(1.0 - k.decay, beta_z)
    lost_dx = NO_VECTOR
    if how.capped:
        lost_dx = scale(1.0 / square, combine(1.0, x.trial, -2.0 * how.lost, dx))
    lost_limit = 0.0 if how.capped else (1.0 - k.decay) * beta_limit
    # the new z
    part = 1.0 / (1.0 + how.back * path)
    z = scale(part, combine(1.0, x.trial, -how.lost, dx))
    z_z = sum_matrices(outer(-part, dx, lost_z), outer(-part * path, z, back_z))
    z_z = plus_unit(part, z_z)
    z_dx = sum_matrices(outer(-part, dx, lost_dx), outer(-part * how.back, z, e))
    z_dx = plus_unit(-part * how.lost, z_dx)
    z_limit = combine(-part * lost_limit, dx, -part * path * back_limit, z)
    # the rate z' at the end, less (z - z_tr)/h
    ds, faster = combine(1.0, x.slip, -1.0 / h, dx), norm(x.slip) - path / h
    size, ahead = norm(z), unit(z)
    along = dot(ahead, ds)
    turn = sum_matrices(outer(1.0, ds, ahead), outer(-1.0, ahead, combine(1.0, ds, -along, ahead)))
    rate_z = scale_matrix(-how.back, plus_unit(faster - along, turn))
    rate_back = combine(-(faster - along), z, -size, ds)
    rate_ds = plus_unit(1.0 - how.lost - how.back * size, outer(how.back, z, ahead))
    rate_speed = scale(-how.back, z)
    # c z + b z'
    inner = plus_unit(k.c + k.b / h, scale_matrix(k.b, rate_z))
    by_trial = sum_matrices(
        product(inner, z_z),
        sum_matrices(outer(-k.b, ds, lost_z), outer(k.b, rate_back, back_z)),
    )
    by_trial = plus_unit(-k.b / h, by_trial)
    along_dx = sum_matrices(rate_ds, outer(1.0, rate_speed, e))
    by_dx = sum_matrices(
        product(inner, z_dx),
        sum_matrices(outer(-k.b, ds, lost_dx), scale_matrix(-k.b / h, along_dx)),
    )
    by_dx = plus_unit(k.b / h, by_dx)
    by_limit = add(
        times(inner, z_limit), combine(-k.b * lost_limit, ds, k.b * back_limit, rate_back)
    )
    by_slip = sum_matrices(rate_ds, outer(1.0, rate_speed, unit(x.slip)))
    by_slip = sum_matrices(scale_matrix(-k.b, by_slip), outer(-by.by_speed, by_limit, unit(x.slip)))
    return FrictionSlopes(
        scale_matrix(-1.0, by_trial),
        plus_unit(-drag, by_slip),
        combine(-by.by_pressure, by_limit, -viscous, x.slip),
        scale_matrix(-1.0, by_dx),
    )


def rate(k: Bristle, x: Sliding) -> FrictionRate:
    """Continuous law; a point without friction keeps its deflection and carries the drag alone."""
    drag = scale(_drag(k, x.pressure), x.slip)
    if not _held(k, x.limit):
        closed = x.pressure > 0.0
        speed, status = norm(x.slip) if closed else 0.0, status_of(x.pressure, 0.0, True)
        power = dot(drag, x.slip)
        return FrictionRate(scale(-1.0, drag), NO_VECTOR, x.state, status, power, speed)
    beta, _ = _sliding(k, k.c * norm(x.z) / x.limit, dot(x.z, x.slip))
    back = beta * k.decay * norm(x.slip) * k.c / x.limit
    change = combine(1.0 - beta * (1.0 - k.decay), x.slip, -back, x.z)
    pull = add(combine(k.c, x.z, k.b, change), drag)
    moved = subtract(x.slip, change)
    status = status_of(x.pressure, x.limit, beta > 0.0)
    seen = norm(moved) if x.pressure > 0.0 else 0.0
    return FrictionRate(scale(-1.0, pull), change, x.state, status, dot(pull, moved), seen)


def d_rate(k: Bristle, x: Sliding, by: LimitSlopes) -> FrictionRateSlopes:
    """Derivatives of the traction and of z'."""
    viscous, drag = _viscous(k, x.pressure, by), _drag(k, x.pressure)
    if not _held(k, x.limit):
        dragged = plus_unit(-drag, NO_MATRIX)
        return FrictionRateSlopes(
            NO_MATRIX, dragged, scale(-viscous, x.slip), NO_MATRIX, NO_MATRIX, NO_VECTOR
        )
    limit, speed, e = x.limit, norm(x.slip), unit(x.slip)
    beta, slope = _sliding(k, k.c * norm(x.z) / limit, dot(x.z, x.slip))
    beta_z = scale(slope * k.c / limit, unit(x.z))
    beta_limit = -slope * k.c * norm(x.z) / limit**2
    back = k.decay * speed * k.c / limit
    by_beta = combine(-(1.0 - k.decay), x.slip, -back, x.z)
    by_limit = combine(beta_limit, by_beta, back * beta / limit, x.z)
    by_z = plus_unit(-back * beta, outer(1.0, by_beta, beta_z))
    by_slip = sum_matrices(
        outer(-k.decay * beta * k.c / limit, x.z, e), outer(by.by_speed, by_limit, e)
    )
    by_slip = plus_unit(1.0 - beta * (1.0 - k.decay), by_slip)
    by_pressure = scale(by.by_pressure, by_limit)
    return FrictionRateSlopes(
        plus_unit(-k.c, scale_matrix(-k.b, by_z)),
        plus_unit(-drag, scale_matrix(-k.b, by_slip)),
        combine(-k.b, by_pressure, -viscous, x.slip),
        by_z,
        by_slip,
        by_pressure,
    )


def check_decay(decay: float, onset: float) -> None:
    """Refuse a relaxation rate nu that makes the friction of sliding bristles push.

    They lose beta (nu d^2 - (nu - 1) d) |s| S at the fraction d >= d_1 of the limit, along the
    slip.
    """
    check("decay", decay, POSITIVE)
    if decay > 1.0 and decay * (1.0 - onset) > 1.0 + 1e-12:
        raise InputError(
            f"invalid decay = {decay} with onset = {onset}: expected at most 1, or 1/(1 - onset) "
            "with an onset; such bristles create energy"
        )


@dataclass(frozen=True)
class Bristles(FrictionLaw):
    """Bristle law on the interface of `ElastoPlastic`; see `dahl`, `lugre` and `dupont`.

    Parameters
    ----------
    mu
        Coefficient of sliding over the speed; a static value beside it is refused.
    stiffness, damping
        c and b per area, line or point.
    viscous
        mu_V in s/m.
    onset
        d_1 of Dupont's law; negative for none.
    decay
        nu, rate of the relaxation against the spring.
    """

    point: ClassVar[FrictionPoint] = FrictionPoint(
        prepare, bristle, slide, step, d_step, rate, d_rate
    )
    states: ClassVar[tuple[StateVariable, ...]] = (vector("z"),)
    sticks: ClassVar[bool] = False
    mu: float | Coefficient
    stiffness: float
    damping: float = 0.0
    viscous: float = 0.0
    onset: float = ALWAYS
    decay: float = 1.0

    def __post_init__(self) -> None:
        check("friction stiffness", self.stiffness, POSITIVE)
        check("friction damping", self.damping, NON_NEGATIVE)
        check("viscous", self.viscous, NON_NEGATIVE, "s/m")
        check_decay(self.decay, self.onset)
        if not self.onset < 1.0:
            raise InputError(f"invalid onset = {self.onset}: expected < 1")
        refuse_static(self.coefficient, "bristle laws, which know the value of sliding only")

    @cached_property
    def parameters(self) -> Floats:
        """Spring, damper, mu_V, d_1 and nu."""
        numbers = self.stiffness, self.damping, self.viscous, self.onset, self.decay
        return np.array(numbers, dtype=float)

    def no_slip(self) -> Bristles:
        """Bristles that never yield."""
        return replace(self, mu=UNLIMITED)


def dahl(mu: float | Coefficient, stiffness: float) -> Bristles:
    """Dahl's law (Stamm 2.5): one bristle, smooth and without stick."""
    return Bristles(mu, stiffness)


def lugre(
    mu: float | Coefficient, stiffness: float, damping: float, viscous: float = 0.0
) -> Bristles:
    """LuGre law (Stamm 2.7 to 2.9): Dahl with Stribeck curve, damper and viscosity."""
    return Bristles(mu, stiffness, damping, viscous)


def dupont(
    mu: float | Coefficient,
    stiffness: float,
    damping: float = 0.0,
    viscous: float = 0.0,
    onset: float = 0.99,
    decay: float = 1.0,
) -> Bristles:
    """Elasto-plastic bristles of Dupont (Keppler 4.38): true stick below the onset."""
    check("onset", onset, NON_NEGATIVE)
    return Bristles(mu, stiffness, damping, viscous, onset, decay)
