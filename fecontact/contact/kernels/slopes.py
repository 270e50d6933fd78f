"""Compiled derivatives of the contact laws of one block of points, beside `contact.kernels.laws`.

The working array goes on below the rows of the laws: derivatives of the pressure by gap and rate,
of the friction limit by speed and pressure, of the normal by the place (curvature: xx, xy, xz, yy,
yz, zz), of the traction by pressure, trial slip, slip velocity, and dx at a fixed trial slip.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from fecontact.contact.kernels.laws import (
    BLOCK,
    CONE,
    COULOMB,
    CYLINDER,
    DAMPER,
    LIMIT,
    PENALTY,
    POWER,
    RATE,
    ROWS,
    SPHERE,
    SPRING,
    STRIBECK,
    G,
    N,
    P,
    U,
    Y,
    Z,
    facing,
    slip_speed,
    stribeck,
    tabled,
)
from fecontact.contact.status import STICK
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = [
    "LAW_ROWS",
    "curvature",
    "limit_slopes",
    "pressure_slopes",
    "slope_rows",
    "yield_slopes",
]

B = BLOCK
P_GAP, P_RATE, L_SPEED, L_P = (BLOCK * (ROWS + k) for k in range(4))
BEND, T_P = BLOCK * (ROWS + 4), BLOCK * (ROWS + 10)
T_Z, T_S, T_X = BLOCK * (ROWS + 13), BLOCK * (ROWS + 22), BLOCK * (ROWS + 31)
LAW_ROWS = ROWS + 40


@kernel(fastmath=True)
def curvature(code: int, par: Floats, w: Floats) -> None:
    """Derivative of the normal by the place, of a shape that is not flat; `distance` comes first.

    Sphere and cylinder: (1 - n n^T)/r, the 1 of the cylinder across its axis; the others follow
    from that of the cylinder.
    """
    if code in (SPHERE, CYLINDER):
        full = 1.0 if code == SPHERE else 0.0
        c0, c1, c2 = (par[0], par[1], par[2]) if code == SPHERE else (0.0, 0.0, 0.0)
        sign = par[4] if code == SPHERE else par[1]
        for i in range(B):
            x, y, z = w[Y + i] - c0, w[Y + B + i] - c1, full * (w[Y + 2 * B + i] - c2)
            _bend(sign / sqrt(x * x + y * y + z * z), full, i, w)
    elif code == CONE:
        slope = par[2] * par[0]
        for i in range(B):
            m0, m1 = w[N + i] / slope, w[N + B + i] / slope
            k = slope / sqrt(w[Y + i] ** 2 + w[Y + B + i] ** 2)
            w[BEND + i], w[BEND + B + i] = k * (1.0 - m0 * m0), -k * m0 * m1
            w[BEND + 3 * B + i] = k * (1.0 - m1 * m1)
            w[BEND + 2 * B + i] = w[BEND + 4 * B + i] = w[BEND + 5 * B + i] = 0.0
    else:
        for i in range(B):
            x, y, z = w[Y + i], w[Y + B + i], w[Y + 2 * B + i]
            r = sqrt(x * x + y * y)
            k, m0, m1 = 1.0 / sqrt((r - par[0]) ** 2 + z * z), x / r, y / r
            around = -k * par[0] / r  # k ((r - R)/r - 1), in the plane and across m
            _bend(k, 1.0, i, w)
            w[BEND + i] += around * (1.0 - m0 * m0)
            w[BEND + B + i] -= around * m0 * m1
            w[BEND + 3 * B + i] += around * (1.0 - m1 * m1)


@kernel(fastmath=True)
def _bend(k: float, full: float, i: int, w: Floats) -> None:
    """Curvature k (1 - n n^T) of point i; `full` = 0: the 1 without its zz."""
    n0, n1, n2 = w[N + i], w[N + B + i], w[N + 2 * B + i]
    w[BEND + i], w[BEND + B + i] = k * (1.0 - n0 * n0), -k * n0 * n1
    w[BEND + 2 * B + i], w[BEND + 3 * B + i] = -k * n0 * n2, k * (1.0 - n1 * n1)
    w[BEND + 4 * B + i], w[BEND + 5 * B + i] = -k * n1 * n2, k * (full - n2 * n2)


@kernel(fastmath=True)
def pressure_slopes(code: int, par: Floats, breaks: Floats, cubics: Floats, w: Floats) -> None:
    """Derivatives of `pressure` by gap and gap rate; at the kink those of the closed contact."""
    if code == PENALTY:
        c, d = par[0], par[1]
        for i in range(B):
            closed = w[G + i] <= 0.0 and c * w[G + i] + d * w[RATE + i] <= 0.0
            w[P_GAP + i], w[P_RATE + i] = (-c, -d) if closed else (0.0, 0.0)
    elif code == POWER:
        for i in range(B):
            w[P_GAP + i] = w[P_RATE + i] = 0.0
            if w[G + i] <= 0.0:
                w[P_GAP + i], w[P_RATE + i] = _power_slopes(par, -w[G + i], w[RATE + i])
    else:
        for i in range(B):
            w[P_GAP + i] = w[P_RATE + i] = 0.0
            if w[G + i] <= 0.0:
                value, slope, beyond = facing(breaks, cubics, -w[G + i])
                if value + slope * beyond - par[0] * w[RATE + i] >= 0.0:
                    w[P_GAP + i], w[P_RATE + i] = -slope, -par[0]


@kernel(fastmath=True)
def _power_slopes(par: Floats, depth: float, rate: float) -> tuple[float, float]:
    """Derivatives of the power law of a closed point by gap and gap rate."""
    n, touching = par[1], not depth > 0.0
    spring, root = par[0] * depth**n, par[3] * depth ** (0.5 * (n - 1.0))
    b = par[2] * spring + root
    if spring - b * rate < 0.0:
        return 0.0, 0.0
    if touching:
        slope, steep = par[0] if n == 1.0 else 0.0, par[3] if n == 3.0 else 0.0
    else:
        slope, steep = n * spring / depth, 0.5 * (n - 1.0) * root / depth
    return -slope + rate * (par[2] * slope + steep), -b


@kernel(fastmath=True)
def limit_slopes(
    code: int, par: Floats, speeds: Floats, pressures: Floats, table: Floats,
    grips: bool, mode: Integers, w: Floats,
) -> None:  # fmt: skip
    """Derivatives of `friction_limit` by the slip speed and the pressure."""
    for i in range(len(mode), B):
        w[L_SPEED + i] = w[L_P + i] = 0.0
    for i in range(len(mode)):
        sticks = grips and mode[i] == STICK
        mu, by_speed, by_pressure = par[1] if sticks else par[0], 0.0, 0.0
        if code == STRIBECK and not sticks:
            mu, by_speed = stribeck(par, slip_speed(w, i))
        elif code != STRIBECK and code != COULOMB:
            mu = par[0]
            if not sticks or np.isnan(mu):
                speed = 0.0 if sticks else slip_speed(w, i)
                mu, by_speed, by_pressure = tabled(speeds, pressures, table, speed, w[P + i])
            by_speed = 0.0 if sticks else by_speed
        w[L_SPEED + i] = by_speed * w[P + i]
        w[L_P + i] = mu + by_pressure * w[P + i]


@kernel(fastmath=True)
def yield_slopes(stiffness: float, damping: float, w: Floats) -> None:
    """Derivatives of the traction of `yield_map` at the trial slip Z, `yielding.scaled_projector`.

    By Z and U: -c share (1 - e e^T) and beta/c of it, less e by the speed; by p: -e dlimit/dp. A
    point that just touches sticks; an open one, whose pressure does not change either, is free.
    """
    for i in range(B):
        w[SPRING + i], w[DAMPER + i] = stiffness, damping
    slope_rows(w)


@kernel(fastmath=True)
def slope_rows(w: Floats) -> None:
    """Derivatives of `yield_rows`, of points each with its own spring and damper."""
    for i in range(B):
        c, b = w[SPRING + i], w[DAMPER + i]
        s0, s1, s2 = w[U + i], w[U + B + i], w[U + 2 * B + i]
        a0 = c * w[Z + i] + b * s0
        a1 = c * w[Z + B + i] + b * s1
        a2 = c * w[Z + 2 * B + i] + b * s2
        size, speed = sqrt(a0 * a0 + a1 * a1 + a2 * a2), sqrt(s0 * s0 + s1 * s1 + s2 * s2)
        limit = w[LIMIT + i]
        slides = size > limit
        unit = 1.0 / (size if slides else 1.0) if slides else 0.0
        apart = w[P + i] == 0.0 and w[P_GAP + i] == 0.0 and w[P_RATE + i] == 0.0
        free = apart or (w[P + i] > 0.0 and not limit > 0.0)
        share = limit * unit if slides else (0.0 if free else 1.0)
        faster = w[L_SPEED + i] / (speed if speed > 0.0 else 1.0)
        e0, e1, e2 = unit * a0, unit * a1, unit * a2
        f0, f1, f2 = share * (e0 * e0 - 1.0), share * (e1 * e1 - 1.0), share * (e2 * e2 - 1.0)
        g0, g1, g2 = share * e0 * e1, share * e0 * e2, share * e1 * e2
        w[T_P + i], w[T_P + B + i], w[T_P + 2 * B + i] = (
            -w[L_P + i] * e0,
            -w[L_P + i] * e1,
            -w[L_P + i] * e2,
        )
        w[T_Z + i], w[T_Z + B + i], w[T_Z + 2 * B + i] = c * f0, c * g0, c * g1
        w[T_Z + 3 * B + i], w[T_Z + 4 * B + i] = c * g0, c * f1
        w[T_Z + 5 * B + i] = c * g2
        w[T_Z + 6 * B + i], w[T_Z + 7 * B + i] = c * g1, c * g2
        w[T_Z + 8 * B + i] = c * f2
        q0, q1, q2 = faster * s0, faster * s1, faster * s2
        w[T_S + i] = b * f0 - e0 * q0
        w[T_S + B + i] = b * g0 - e0 * q1
        w[T_S + 2 * B + i] = b * g1 - e0 * q2
        w[T_S + 3 * B + i] = b * g0 - e1 * q0
        w[T_S + 4 * B + i] = b * f1 - e1 * q1
        w[T_S + 5 * B + i] = b * g2 - e1 * q2
        w[T_S + 6 * B + i] = b * g1 - e2 * q0
        w[T_S + 7 * B + i] = b * g2 - e2 * q1
        w[T_S + 8 * B + i] = b * f2 - e2 * q2
