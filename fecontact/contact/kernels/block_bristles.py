"""Compiled time step of the bristle laws of Dahl, LuGre and Dupont, point by point.

The formulas are those of `contact.laws.bristles`; parameters are viscous, onset and decay.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from fecontact.contact.kernels.bristles import sliding_share
from fecontact.contact.kernels.laws import (
    BLOCK,
    LIMIT,
    PATH,
    WAY,
    F,
    N,
    P,
    U,
    V,
    Z,
    slip_speed,
)
from fecontact.contact.kernels.slopes import L_P, L_SPEED, T_P, T_S, T_X, T_Z
from fecontact.contact.kernels.yielding import state_of
from fecontact.contact.laws.bristles import NOTHING
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["bristle_point", "bristle_slope"]

B = BLOCK


@kernel(fastmath=True)
def _bristle_share(
    par: Floats, stiffness: float, limit: float, i: int, w: Floats
) -> tuple[float, float, float, float, float]:
    """Beta and its slope, share lost of dx, |dx| and |z_tr| of a closed point; dx = Z - V."""
    onset, decay = par[1], par[2]
    along = path = size = 0.0
    for k in range(0, 3 * B, B):
        dx = w[Z + k + i] - w[V + k + i]
        along += w[Z + k + i] * dx
        path += dx * dx
        size += w[Z + k + i] ** 2
    load = stiffness * sqrt(size) / limit
    beta, slope = sliding_share(onset, load, along), 0.0
    if onset >= 0.0 and beta > 0.0 and load < 1.0:
        slope = 6.0 * (load - onset) * (1.0 - load) / (1.0 - onset) ** 3
    lost = beta * (1.0 - decay)
    if lost > 0.0 and along < lost * path:
        lost = along / path
    return beta, slope, lost, sqrt(path), sqrt(size)


@kernel(fastmath=True)
def bristle_point(
    par: Floats, stiffness: float, damping: float, h: float, area: float, i: int, w: Floats
) -> None:
    """Force, new slip, slip work and path of point i; its mode replaces LIMIT."""
    limit = w[LIMIT + i]
    if not limit > NOTHING * stiffness:
        _drag_point(par[0], area, i, w)
        return
    beta, _, lost, path, _ = _bristle_share(par, stiffness, limit, i, w)
    back = beta * par[2] * stiffness / limit
    share, faster = 1.0 / (1.0 + back * path), slip_speed(w, i) - path / h
    size = along = work = way = 0.0
    for k in range(0, 3 * B, B):
        dx = w[Z + k + i] - w[V + k + i]
        new = share * (w[Z + k + i] - lost * dx)
        size += new * new
        along += new * (w[U + k + i] - dx / h)
    size = sqrt(size)
    along /= size if size > 0.0 else 1.0
    for k in range(0, 3 * B, B):
        trial, s, dx = w[Z + k + i], w[U + k + i], w[Z + k + i] - w[V + k + i]
        new, ds = share * (trial - lost * dx), s - dx / h
        rate = (new - trial) / h + s - lost * ds - back * (faster * new + size * ds - along * new)
        pull, drag = stiffness * new + damping * rate, par[0] * w[P + i] * s
        work += (pull + drag) * (trial - new)
        way += (trial - new) ** 2
        w[F + k + i] = area * (w[P + i] * w[N + k + i] - pull - drag)
        w[Z + k + i] = new
    w[PATH + i], w[WAY + i] = work, sqrt(way)
    w[LIMIT + i] = float(state_of(w[P + i], limit, beta > 0.0))


@kernel(fastmath=True)
def _drag_point(viscous: float, area: float, i: int, w: Floats) -> None:
    """As `bristle_point`, of an open point or one without friction: it has the drag alone."""
    drag, work, way = viscous * max(w[P + i], 0.0), 0.0, 0.0
    for k in range(0, 3 * B, B):
        pull = drag * w[U + k + i]
        work += pull * w[Z + k + i]
        way += w[Z + k + i] ** 2
        w[F + k + i] = area * (w[P + i] * w[N + k + i] - pull)
        w[Z + k + i] = 0.0
    w[PATH + i], w[WAY + i] = work, sqrt(way) if w[P + i] > 0.0 else -1.0
    w[LIMIT + i] = float(state_of(w[P + i], 0.0, True))


class Bent(NamedTuple):
    """Scalars of a bent bristle: see `_bent`."""

    lost: float
    back: float
    share: float
    path: float
    faster: float
    length: float
    along: float
    lost_limit: float
    back_limit: float


@kernel(fastmath=True)
def _bent(par: Floats, stiffness: float, h: float, i: int, w: Floats, u: Floats) -> Bent:
    """Step of a closed point and derivatives of its share lost of dx and of back = beta nu c/S.

    Rows of u: dx, new z and its direction, ds = s - dx/h, then the derivatives of `lost` by trial
    and by dx, and of `back` by trial; those by the limit is among the scalars.
    """
    limit, decay = w[LIMIT + i], par[2]
    beta, slope, lost, path, size = _bristle_share(par, stiffness, limit, i, w)
    capped = lost < beta * (1.0 - decay)
    back = beta * decay * stiffness / limit
    share, length, along = 1.0 / (1.0 + back * path), 0.0, 0.0
    beta_limit = -slope * stiffness * size / limit**2
    back_limit = decay * stiffness / limit * (beta_limit - beta / limit)
    lost_limit = 0.0 if capped else (1.0 - decay) * beta_limit
    for a in range(3):
        z, dx = w[Z + a * B + i], w[Z + a * B + i] - w[V + a * B + i]
        beta_z = slope * stiffness / limit * z / (size if size > 0.0 else 1.0)
        u[0, a], u[1, a], u[3, a] = dx, share * (z - lost * dx), w[U + a * B + i] - dx / h
        u[4, a] = dx / path**2 if capped else (1.0 - decay) * beta_z
        u[5, a] = (z - 2.0 * lost * dx) / path**2 if capped else 0.0
        u[6, a] = decay * stiffness / limit * beta_z
        length += u[1, a] ** 2
    length = sqrt(length)
    for a in range(3):
        u[2, a] = u[1, a] / (length if length > 0.0 else 1.0)
        along += u[2, a] * u[3, a]
    faster = slip_speed(w, i) - path / h
    return Bent(lost, back, share, path, faster, length, along, lost_limit, back_limit)


@kernel(fastmath=True)
def bristle_slope(
    par: Floats, stiffness: float, damping: float, h: float, i: int, w: Floats,
    inner: Floats, u: Floats,
) -> None:  # fmt: skip
    """Derivatives of -T = c z + b z' + drag of point i, see `bristles.Bristles.step`.

    With the matrix `inner` = c + b (1/h + dz'/dz); the last rows of u are the derivatives by the
    share lost and by back.
    """
    if not w[LIMIT + i] > NOTHING * stiffness:
        for k in range(9):
            w[T_Z + k * B + i] = w[T_S + k * B + i] = w[T_X + k * B + i] = 0.0
        drag = par[0] if w[P + i] >= 0.0 else 0.0
        for k in range(3):
            w[T_P + k * B + i] = -drag * w[U + k * B + i]
            w[T_S + 4 * k * B + i] = -drag * w[P + i]
        return
    lost, back, share, path, faster, length, along, lost_limit, back_limit = _bent(
        par, stiffness, h, i, w, u
    )
    viscous, speed = par[0], slip_speed(w, i)
    for a in range(3):
        for b in range(3):
            turn = u[3, a] * u[2, b] - u[2, a] * (u[3, b] - along * u[2, b])
            inner[a, b] = -damping * back * turn
        inner[a, a] += stiffness + damping * (1.0 / h - back * (faster - along))
    for a in range(3):
        over_dx = inner[a, 0] * u[0, 0] + inner[a, 1] * u[0, 1] + inner[a, 2] * u[0, 2]
        over_new = inner[a, 0] * u[1, 0] + inner[a, 1] * u[1, 1] + inner[a, 2] * u[1, 2]
        u[7, a] = -damping * u[3, a] - share * over_dx
        u[8, a] = -damping * ((faster - along) * u[1, a] + length * u[3, a])
        u[8, a] -= share * path * over_new
        by_limit = u[7, a] * lost_limit + u[8, a] * back_limit
        w[T_P + a * B + i] = -by_limit * w[L_P + i] - viscous * w[U + a * B + i]
        for b in range(3):
            row, one = (3 * a + b) * B + i, 1.0 if a == b else 0.0
            e = u[0, b] / (path if path > 0.0 else 1.0)
            ahead = w[U + b * B + i] / (speed if speed > 0.0 else 1.0)
            by_ds = (1.0 - lost - back * length) * one + back * u[1, a] * u[2, b]
            w[T_Z + row] = damping / h * one - share * inner[a, b]
            w[T_Z + row] -= u[7, a] * u[4, b] + u[8, a] * u[6, b]
            w[T_X + row] = share * (lost * inner[a, b] + back * over_new * e) - u[7, a] * u[5, b]
            w[T_X + row] -= damping / h * (one - by_ds + back * u[1, a] * e)
            w[T_S + row] = -damping * (by_ds - back * u[1, a] * ahead)
            w[T_S + row] -= by_limit * w[L_SPEED + i] * ahead + viscous * w[P + i] * one
