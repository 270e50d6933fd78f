"""Compiled time steps of the friction laws beside the elasto-plastic one, for a block of points.

The maps find force F, new slip Z, modes and wear as `yield_map`; the slopes their derivatives at
the trial slip as `yield_slopes`, before the map. Parameters of the families:

    MINDLIN      stiffness under 1 N, and kappa of the damper kappa sqrt(c)
    REGULARISED  speed, and 1 for tanh in place of arctan
    BRISTLES     viscous, onset, decay
"""

from __future__ import annotations

from math import atan, cosh, pi, sqrt, tanh

import numpy as np

from fecontact.contact.kernels.block_bristles import bristle_point, bristle_slope
from fecontact.contact.kernels.laws import (
    BLOCK,
    DAMPER,
    LAG,
    LIMIT,
    PATH,
    SOFT,
    SPRING,
    WAY,
    F,
    N,
    P,
    U,
    V,
    Z,
    slip_speed,
    yield_map,
    yield_rows,
)
from fecontact.contact.kernels.slopes import (
    L_P,
    L_SPEED,
    T_P,
    T_S,
    T_X,
    T_Z,
    slope_rows,
    yield_slopes,
)
from fecontact.contact.kernels.yielding import softness
from fecontact.contact.status import OPEN, SLIP
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["BRISTLES", "MINDLIN", "REGULARISED", "YIELDING", "friction_map", "friction_slopes"]

YIELDING, MINDLIN, REGULARISED, BRISTLES = range(4)
Vector = tuple[float, float, float]
B = BLOCK


@kernel(fastmath=True)
def friction_map(
    family: int, par: Floats, stiffness: float, damping: float, h: float, w: Floats,
    mode: Integers, wear: Floats, weights: Floats,
) -> None:  # fmt: skip
    """Time step of a law of any family: forces F, new slip Z, modes, wear."""
    if family == YIELDING:
        yield_map(stiffness, damping, h, w, mode, wear, weights)
    elif family == MINDLIN:
        _mindlin(par, h, w)
        yield_rows(w, mode, wear, weights)
    elif family == REGULARISED:
        for i in range(B):
            _regularised_point(par, weights[i], i, w)
        _note_work(w, mode, wear, weights)
    else:
        for i in range(B):
            bristle_point(par, stiffness, damping, h, weights[i], i, w)
        _note_work(w, mode, wear, weights)


@kernel(fastmath=True, allocates=True)
def friction_slopes(
    family: int, par: Floats, stiffness: float, damping: float, h: float, w: Floats
) -> None:
    """Derivatives of the traction of a law of any family."""
    if family == YIELDING:
        yield_slopes(stiffness, damping, w)
    elif family == MINDLIN:
        _mindlin(par, h, w)
        slope_rows(w)
        _stiffen(w)
    elif family == REGULARISED:
        for i in range(B):
            _regularised_slope(par, i, w)
    else:
        inner, u = np.empty((3, 3)), np.empty((9, 3))
        for i in range(B):
            bristle_slope(par, stiffness, damping, h, i, w, inner, u)


@kernel(fastmath=True)
def _mindlin(par: Floats, h: float, w: Floats) -> None:
    """Springs c_x and dampers b_x under the normal forces."""
    for i in range(B):
        c = par[0] * max(w[P + i], 0.0) ** (1.0 / 3.0)
        w[SPRING + i], w[DAMPER + i] = c, par[1] * sqrt(c)
        w[LAG + i], w[SOFT + i] = softness(c, par[1] * sqrt(c), h)


@kernel(fastmath=True)
def _stiffen(w: Floats) -> None:
    """What springs ~ N^(1/3) and dampers ~ N^(1/6) add to the derivative by the pressure.

    T_z/c is that by the trial traction, whose derivative is c/(3 N) z + b/(6 N) s.
    """
    for i in range(B):
        c, closed = w[SPRING + i], w[SPRING + i] > 0.0
        lag = 0.5 * w[DAMPER + i] / (c if closed else 1.0)
        part = 1.0 / (3.0 * (w[P + i] if closed else 1.0))
        x, y = w[Z + i] + lag * w[U + i], w[Z + B + i] + lag * w[U + B + i]
        z = w[Z + 2 * B + i] + lag * w[U + 2 * B + i]
        for k in range(3):
            at = T_Z + 3 * k * B + i
            w[T_P + k * B + i] += part * (w[at] * x + w[at + B] * y + w[at + 2 * B] * z)


@kernel(fastmath=True)
def _smooth(par: Floats, speed: float) -> tuple[float, float]:
    """Smoothed sign of the speed and its slope."""
    x = speed / par[0]
    if par[1] == 1.0:
        return tanh(x), 1.0 / cosh(min(x, 300.0)) ** 2 / par[0]
    return 2.0 / pi * atan(x), 2.0 / pi / (1.0 + x * x) / par[0]


@kernel(fastmath=True)
def _regularised_point(par: Floats, area: float, i: int, w: Floats) -> None:
    """Force, slip work and path of point i; its mode replaces LIMIT."""
    speed = slip_speed(w, i)
    pull = w[LIMIT + i] * _smooth(par, speed)[0] / (speed if speed > 0.0 else 1.0)
    work = way = 0.0
    for k in range(0, 3 * B, B):
        T = -pull * w[U + k + i]
        work -= T * (w[Z + k + i] - w[V + k + i])
        way += w[Z + k + i] ** 2
        w[F + k + i] = area * (w[P + i] * w[N + k + i] + T)
        w[Z + k + i] = 0.0
    closed = w[P + i] > 0.0
    w[PATH + i], w[WAY + i] = work if closed else 0.0, sqrt(way) if closed else -1.0
    w[LIMIT + i] = float(SLIP) if closed else float(OPEN)


@kernel(fastmath=True)
def _regularised_slope(par: Floats, i: int, w: Floats) -> None:
    """Derivatives of the traction of point i."""
    speed, limit = slip_speed(w, i), w[LIMIT + i]
    f, slope = _smooth(par, speed)
    unit = 1.0 / (speed if speed > 0.0 else 1.0)
    across = limit * (f * unit if speed > 0.0 else slope)
    along = limit * slope + w[L_SPEED + i] * f
    for k in range(3):
        e = unit * w[U + k * B + i]
        w[T_P + k * B + i] = -w[L_P + i] * f * e
        for m in range(3):
            row = (3 * k + m) * B + i
            w[T_S + row] = (across - along) * e * unit * w[U + m * B + i]
            w[T_Z + row] = w[T_X + row] = 0.0
        w[T_S + 4 * k * B + i] -= across


@kernel(fastmath=True)
def _note_work(w: Floats, mode: Integers, wear: Floats, weights: Floats) -> None:
    """Modes in LIMIT to the points; wear grows by the work in PATH and the path in WAY."""
    for i in range(len(mode)):
        mode[i] = int(w[LIMIT + i])
        wear[i, 0] += weights[i] * w[PATH + i]
        wear[i, 1] += max(w[WAY + i], 0.0)
