"""A friction law from outside of the package, in one file: bristles that warm up and run in.

The bristles of `ElastoPlastic` with the limit L = f mu p, and two more internal variables:

    f = (1 + rise w)/(1 + fade theta)
    theta' = heat P - theta/tau            P the slip power per area, theta in K
    w' = (1 - w) P/W                       from 0, as made, to 1, run in

Over a time step h the limit is that of theta and w at its start; theta follows the mean power
exactly, w the slip work. Steady sliding has w = 1 and theta = heat tau L |s|, so

    L = (1 + rise) mu p/(1 + fade theta):     K L^2 + L = (1 + rise) mu p,     K = fade heat tau |s|
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, sqrt
from typing import ClassVar, NamedTuple

import numpy as np

import fecontact as fc

laws = fc.laws


class Warm(NamedTuple):
    """Bristle, its compliance over a step, and the numbers of theta and w."""

    c: float
    b: float
    lag: float
    soft: float
    fade: float
    heat: float
    tau: float
    rise: float
    work: float


def prepare(p: fc.Floats, h: float) -> Warm:
    """Parameters of the law."""
    lag, soft = laws.compliance(p[0], p[1], h)
    return Warm(p[0], p[1], lag, soft, p[2], p[3], p[4], p[5], p[6])


def bristle(k: Warm, pressure: float) -> tuple[float, float]:
    """Spring and damper."""
    return k.c, k.b


@fc.inlined
def _factor(k: Warm, theta: float, w: float) -> tuple[float, float, float]:
    """Factor f of the limit, and its slopes over theta and w."""
    cold, run = 1.0 / (1.0 + k.fade * theta), 1.0 + k.rise * w
    return run * cold, -run * k.fade * cold**2, k.rise * cold


def slide(
    k: Warm, pressure: float, limit: float, slip: laws.Vector, by: laws.LimitSlopes
) -> tuple[laws.Vector, laws.Vector, laws.Matrix]:
    """Steady sliding, run in and warm."""
    speed = laws.norm(slip)
    K, run = k.fade * k.heat * k.tau * speed, 1.0 + k.rise
    root = sqrt(1.0 + 4.0 * K * run * limit)
    warm = 2.0 * run * limit / (1.0 + root)
    by_limit = run / root
    by_speed = by_limit * by.by_speed - k.fade * k.heat * k.tau * warm**2 / root
    return laws.coulomb_slide(
        warm, slip, laws.LimitSlopes(by_speed, by_limit * by.by_pressure, by.apart)
    )


def step(k: Warm, x: laws.Stepping) -> fc.FrictionStep:
    """Time-discrete law."""
    theta, w = x.state
    limit = _factor(k, theta, w)[0] * x.limit
    warm = laws.Stepping(x.pressure, limit, x.slip, x.trial, x.shift, x.h, x.status, x.state)
    end = laws.yield_step(k.c, k.b, k.lag, k.soft, warm)
    kept = exp(-x.h / k.tau)
    theta = theta * kept + k.heat * k.tau * (1.0 - kept) * end.work / x.h
    w = 1.0 - (1.0 - w) * exp(-end.work / k.work)
    return fc.FrictionStep(end.traction, end.z, (theta, w), end.status, end.work, end.slid)


def d_step(k: Warm, x: laws.Stepping, by: laws.LimitSlopes) -> fc.FrictionSlopes:
    """Derivatives of the traction."""
    f = _factor(k, x.state[0], x.state[1])[0]
    warm = laws.LimitSlopes(f * by.by_speed, f * by.by_pressure, by.apart)
    return laws.yield_slopes(k.c, k.b, x.pressure, f * x.limit, x.slip, x.trial, warm)


def rate(k: Warm, x: laws.Sliding) -> fc.FrictionRate:
    """Continuous law."""
    theta, w = x.state
    limit = _factor(k, theta, w)[0] * x.limit
    now = laws.yield_rate(k.c, k.b, laws.Sliding(x.pressure, limit, x.slip, x.z, x.status, x.state))
    rates = k.heat * now.power - theta / k.tau, (1.0 - w) * now.power / k.work
    return fc.FrictionRate(now.traction, now.z, rates, now.status, now.power, now.speed)


def d_rate(k: Warm, x: laws.Sliding, by: laws.LimitSlopes) -> fc.FrictionRateSlopes:
    """Derivatives of the traction and of all rates, by (z, theta, w), slip and pressure."""
    theta, w = x.state
    f, f_theta, f_w = _factor(k, theta, w)
    limit = f * x.limit
    warm = laws.LimitSlopes(f * by.by_speed, f * by.by_pressure, by.apart)
    of = laws.yield_slopes(k.c, k.b, x.pressure, limit, x.slip, x.z, warm)
    a = laws.combine(k.c, x.z, k.b, x.slip)
    size, back = laws.norm(a), -1.0 / k.b
    slides = size > limit
    e = laws.unit(a) if slides else laws.scale(0.0, a)
    on = 1.0 if slides else 0.0
    speed = on * (size - limit) / k.b
    # limit by theta, w, slip and pressure; speed = (|a| - limit)/b; power = limit speed
    l_theta, l_w = on * f_theta * x.limit, on * f_w * x.limit
    l_s, l_p = laws.scale(on * warm.by_speed, laws.unit(x.slip)), on * warm.by_pressure
    v_z = laws.scale(on * k.c / k.b, e)
    v_s = laws.combine(1.0, e, back, l_s)
    p_z = laws.scale(limit, v_z)
    p_s = laws.combine(speed, l_s, limit, v_s)
    turn = speed + limit * back  # power by the limit at a fixed bristle
    fresh = (1.0 - w) / k.work
    T, S = of.by_trial, of.by_slip
    P = of.by_pressure
    H = k.heat
    return fc.FrictionRateSlopes(
        (
            T[0], T[1], T[2], -l_theta * e[0], -l_w * e[0],
            T[3], T[4], T[5], -l_theta * e[1], -l_w * e[1],
            T[6], T[7], T[8], -l_theta * e[2], -l_w * e[2],
        ),
        S,
        P,
        (
            back * (T[0] + k.c), back * T[1], back * T[2],
            -back * l_theta * e[0], -back * l_w * e[0],
            back * T[3], back * (T[4] + k.c), back * T[5],
            -back * l_theta * e[1], -back * l_w * e[1],
            back * T[6], back * T[7], back * (T[8] + k.c),
            -back * l_theta * e[2], -back * l_w * e[2],
            H * p_z[0], H * p_z[1], H * p_z[2], H * turn * l_theta - 1.0 / k.tau, H * turn * l_w,
            fresh * p_z[0], fresh * p_z[1], fresh * p_z[2],
            fresh * turn * l_theta, fresh * turn * l_w - limit * speed / k.work,
        ),
        (
            back * S[0], back * S[1], back * S[2], back * S[3], back * S[4], back * S[5],
            back * S[6], back * S[7], back * S[8], H * p_s[0], H * p_s[1], H * p_s[2],
            fresh * p_s[0], fresh * p_s[1], fresh * p_s[2],
        ),
        (back * P[0], back * P[1], back * P[2], H * turn * l_p, fresh * turn * l_p),
    )  # fmt: skip


@dataclass(frozen=True)
class WarmBristles(fc.FrictionLaw):
    """Elasto-plastic bristles with a temperature theta in K and a run-in fraction w.

    Parameters
    ----------
    mu, stiffness, damping
        As of `ElastoPlastic`.
    fade
        Fall of the friction with the temperature in 1/K.
    heat
        Heating by slip in K m^2/J.
    cooling_time
        tau in s.
    rise
        What running in adds to the friction, as a fraction.
    run_in_work
        W in J/m^2.
    """

    point: ClassVar[fc.FrictionPoint] = fc.FrictionPoint(
        prepare, bristle, slide, step, d_step, rate, d_rate
    )
    states: ClassVar[tuple[fc.StateVariable, ...]] = (
        laws.vector("z"), laws.scalar("theta", "K"), laws.scalar("run_in"),
    )  # fmt: skip
    mu: float | fc.Coefficient
    stiffness: float
    damping: float = 0.0
    fade: float = 0.02
    heat: float = 0.1
    cooling_time: float = 0.5
    rise: float = 0.3
    run_in_work: float = 2.0

    def __post_init__(self) -> None:
        fc.check("friction stiffness", self.stiffness, fc.POSITIVE)
        fc.check("friction damping", self.damping, fc.NON_NEGATIVE)
        fc.check("cooling_time", self.cooling_time, fc.POSITIVE, "s")
        fc.check("run_in_work", self.run_in_work, fc.POSITIVE, "J/m^2")

    @cached_property
    def parameters(self) -> fc.Floats:
        """Numbers of the law."""
        return np.array(
            [self.stiffness, self.damping, self.fade, self.heat, self.cooling_time, self.rise,
             self.run_in_work], dtype=float,
        )  # fmt: skip

    @property
    def rateless(self) -> bool:
        """Without damper."""
        return self.damping == 0.0

    def no_slip(self) -> WarmBristles:
        """Bristles that never yield."""
        return replace(self, mu=laws.UNLIMITED)
