"""Compiled contact laws of one block of points: distance, pressure, friction limit, return map.

A block has `BLOCK` points. Its working array `w` holds one row of `BLOCK` numbers per quantity,
so every loop runs along neighbours in memory. All vectors are in the frame of the master.
"""

from __future__ import annotations

from math import exp, sqrt

import numpy as np

from fecontact.contact.kernels.yielding import softness, state_of, yielded
from fecontact.contact.status import STICK
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["BLOCK", "ROWS", "distance", "flow_map", "friction_limit", "pressure", "yield_map"]

BLOCK = 128
"""Points of a block: its shapes stay in the cache between motion and load."""

PLANE, RING, SPHERE, CYLINDER, CONE, TORUS = range(6)
PENALTY, POWER, TABLE = range(3)
COULOMB, STRIBECK, FRICTION_TABLE = range(3)

# Rows of the working array: places and velocities in the slave's frame, place and relative
# velocity in the master's, normal, gap, gap rate, pressure, friction limit, elastic slip, force,
# slip path along the force, and its length (negative: the point sticks), spring, damper, and
# their `softness`.
X, V, Y, U, N = (3 * BLOCK * k for k in range(5))
G, RATE, P, LIMIT = (BLOCK * (15 + k) for k in range(4))
Z, F, PATH, WAY = BLOCK * 19, BLOCK * 22, BLOCK * 25, BLOCK * 26
SPRING, DAMPER, LAG, SOFT = (BLOCK * (27 + k) for k in range(4))
ROWS = 31
B = BLOCK


@kernel(fastmath=True)
def distance(code: int, par: Floats, w: Floats) -> bool:
    """Signed distance and normal of the places Y; False if a place has no normal.

    `par` is: normal and offset of a plane; inner, outer radius and height of a ring; centre,
    radius, sign of a sphere (sign -1: hollow); radius, sign of a cylinder; cosine, sine, sign of
    a cone; radius and section of a torus.
    """
    if code == PLANE:
        a, b, c, d = par[0], par[1], par[2], par[3]
        for i in range(B):
            w[N + i], w[N + B + i], w[N + 2 * B + i] = a, b, c
            w[G + i] = (a * w[Y + i] + b * w[Y + B + i] + c * w[Y + 2 * B + i]) - d
    elif code == RING:
        inner, outer, height = par[0], par[1], par[2]
        for i in range(B):
            w[N + i], w[N + B + i], w[N + 2 * B + i] = 0.0, 0.0, 1.0
            r = sqrt(w[Y + i] ** 2 + w[Y + B + i] ** 2)
            beside = r < inner or r > outer
            w[G + i] = np.inf if beside else w[Y + 2 * B + i] - height
    elif code == SPHERE:
        return _round(par[0], par[1], par[2], 1.0, par[3], par[4], w)
    elif code == CYLINDER:
        return _round(0.0, 0.0, 0.0, 0.0, par[0], par[1], w)
    elif code == CONE:
        if not _round(0.0, 0.0, 0.0, 0.0, 0.0, 1.0, w):
            return False
        c, s = par[2] * par[0], par[2] * par[1]
        for i in range(B):
            w[G + i] = c * w[G + i] - s * w[Y + 2 * B + i]
            w[N + i] *= c
            w[N + B + i] *= c
            w[N + 2 * B + i] = -s
    else:
        if not _round(0.0, 0.0, 0.0, 0.0, par[0], 1.0, w):
            return False
        return _torus(par[1], w)
    return True


@kernel(fastmath=True)
def _round(
    c0: float, c1: float, c2: float, full: float, radius: float, sign: float, w: Floats
) -> bool:
    """Distance from |r| = radius, r from the centre; `full` = 0: from the z axis.

    A point on the axis of a hollow (`sign` -1) is far from its wall: any normal will do.
    """
    least, axis = np.inf, 1e-12 * max(radius, 1e-9)
    for i in range(B):
        a, b, c = w[Y + i] - c0, w[Y + B + i] - c1, full * (w[Y + 2 * B + i] - c2)
        size = sqrt(a * a + b * b + c * c)
        least = min(least, size)
        w[G + i] = sign * (size - radius)
        centred = sign < 0.0 and size <= axis
        inverse = 0.0 if centred else sign / size
        w[N + i] = -1.0 if centred else inverse * a
        w[N + B + i], w[N + 2 * B + i] = inverse * b, inverse * c
    return sign < 0.0 or least > axis


@kernel(fastmath=True)
def _torus(section: float, w: Floats) -> bool:
    """From distance and normal of the centre line's cylinder to those of the torus."""
    least = np.inf
    for i in range(B):
        a, b, c = w[G + i] * w[N + i], w[G + i] * w[N + B + i], w[Y + 2 * B + i]
        size = sqrt(a * a + b * b + c * c)
        least = min(least, size)
        w[G + i] = size - section
        w[N + i], w[N + B + i], w[N + 2 * B + i] = a / size, b / size, c / size
    return least > 1e-12 * max(section, 1e-9)


@kernel(fastmath=True)
def pressure(code: int, par: Floats, breaks: Floats, cubics: Floats, w: Floats) -> None:
    """Pressure from gap and gap rate.

    `par` is: stiffness, damping of a penalty; stiffness, exponent, Hunt-Crossley and root factor
    of a power law; damping of a table, whose cubics (4, k) belong to the intervals of `breaks`.
    """
    if code == PENALTY:
        c, d = par[0], par[1]
        for i in range(B):
            trial = -(c * w[G + i] + d * w[RATE + i])
            w[P + i] = trial if (w[G + i] <= 0.0 and trial >= 0.0) else 0.0
    elif code == POWER:
        for i in range(B):
            w[P + i] = 0.0
            if w[G + i] <= 0.0:
                depth = -w[G + i]
                spring = par[0] * depth ** par[1]
                b = par[2] * spring + par[3] * depth ** (0.5 * (par[1] - 1.0))
                w[P + i] = max(spring - b * w[RATE + i], 0.0)
    else:
        for i in range(B):
            w[P + i] = 0.0
            if w[G + i] <= 0.0:
                value, slope, beyond = facing(breaks, cubics, -w[G + i])
                value += slope * beyond - par[0] * w[RATE + i]
                w[P + i] = max(value, 0.0)


@kernel(fastmath=True)
def facing(breaks: Floats, cubics: Floats, depth: float) -> tuple[float, float, float]:
    """Value and slope of the cubics at a depth, or at their end, and how far it is beyond."""
    last = len(breaks) - 1
    inside = min(depth, breaks[last])
    k = min(max(np.searchsorted(breaks, inside, side="right") - 1, 0), last - 1)
    x = inside - breaks[k]
    a, b, c = cubics[0, k], cubics[1, k], cubics[2, k]
    value = ((a * x + b) * x + c) * x + cubics[3, k]
    return value, (3.0 * a * x + 2.0 * b) * x + c, depth - inside


@kernel(fastmath=True)
def friction_limit(
    code: int, par: Floats, speeds: Floats, pressures: Floats, table: Floats,
    grips: bool, mode: Integers, w: Floats,
) -> None:  # fmt: skip
    """Limit mu p from slip velocity U, pressure and the stored mode of the points.

    `grips`: the family of the law tells points that stick from those that slide.

    `par` is: kinetic and static mu; the same with speed, exponent, viscous slope of Stribeck's
    curve; of a table the static mu, or nan for the table at rest.
    """
    for i in range(len(mode), B):
        w[LIMIT + i] = 0.0
    if code == COULOMB:
        kinetic, static = par[0], par[1]
        for i in range(len(mode)):
            w[LIMIT + i] = w[P + i] * (static if grips and mode[i] == STICK else kinetic)
    elif code == STRIBECK:
        for i in range(len(mode)):
            sticks = grips and mode[i] == STICK
            mu = par[1] if sticks else stribeck(par, slip_speed(w, i))[0]
            w[LIMIT + i] = mu * w[P + i]
    else:
        for i in range(len(mode)):
            sticks, mu = grips and mode[i] == STICK, par[0]
            if not sticks or np.isnan(mu):
                speed = 0.0 if sticks else slip_speed(w, i)
                mu = tabled(speeds, pressures, table, speed, w[P + i])[0]
            w[LIMIT + i] = mu * w[P + i]


@kernel(fastmath=True)
def stribeck(par: Floats, speed: float) -> tuple[float, float]:
    """Coefficient at a speed, and its slope."""
    ratio = speed / par[2]
    fall = (par[1] - par[0]) * exp(-(ratio ** par[3]))
    slope = par[4] - fall * par[3] / par[2] * ratio ** (par[3] - 1.0)
    return par[0] + fall + par[4] * speed, slope


@kernel(fastmath=True)
def tabled(
    speeds: Floats, pressures: Floats, table: Floats, speed: float, pressure: float
) -> tuple[float, float, float]:
    """Coefficient of a table, and its slopes over speed and pressure."""
    j, x, dx = _cell(speeds, speed)
    k, y, dy = _cell(pressures, pressure)
    j1, k1 = min(j + 1, len(speeds) - 1), min(k + 1, len(pressures) - 1)
    low = (1.0 - x) * table[j, k] + x * table[j1, k]
    high = (1.0 - x) * table[j, k1] + x * table[j1, k1]
    rise = (1.0 - y) * (table[j1, k] - table[j, k]) + y * (table[j1, k1] - table[j, k1])
    return (1.0 - y) * low + y * high, dx * rise, dy * (high - low)


@kernel(fastmath=True)
def slip_speed(w: Floats, i: int) -> float:
    """Slip speed of point i."""
    return sqrt(w[U + i] ** 2 + w[U + B + i] ** 2 + w[U + 2 * B + i] ** 2)


@kernel(fastmath=True)
def _cell(grid: Floats, x: float) -> tuple[int, float, float]:
    """Cell of a rising grid, place in it (0..1) and its slope; constant beyond the ends."""
    if len(grid) == 1:
        return 0, 0.0, 0.0
    k = min(max(int(np.searchsorted(grid, x, side="right")) - 1, 0), len(grid) - 2)
    width = grid[k + 1] - grid[k]
    slope = 1.0 / width if (x >= grid[0] and x < grid[-1]) else 0.0
    return k, min(max((x - grid[k]) / width, 0.0), 1.0), slope


@kernel(fastmath=True)
def yield_map(
    stiffness: float, damping: float, h: float, w: Floats, mode: Integers,
    wear: Floats, weights: Floats,
) -> None:  # fmt: skip
    """Return map of the trial slip Z from Q z in V: forces F, new modes.

    `wear` grows by slip work and path.
    """
    lag, soft = softness(stiffness, damping, h)
    for i in range(B):
        w[SPRING + i], w[DAMPER + i] = stiffness, damping
        w[LAG + i], w[SOFT + i] = lag, soft
    yield_rows(w, mode, wear, weights)


@kernel(fastmath=True)
def yield_rows(w: Floats, mode: Integers, wear: Floats, weights: Floats) -> None:
    """Return map of points each with its own spring and damper, see `yield_map`."""
    for i in range(B):
        trial = (w[Z + i], w[Z + B + i], w[Z + 2 * B + i])
        old = (w[V + i], w[V + B + i], w[V + 2 * B + i])
        slip = (w[U + i], w[U + B + i], w[U + 2 * B + i])
        pull, new, path, slides = yielded(
            w[SPRING + i], w[DAMPER + i], w[LAG + i], w[SOFT + i], w[LIMIT + i], trial, old, slip
        )
        a, b, c = trial[0] - new[0], trial[1] - new[1], trial[2] - new[2]
        w[Z + i], w[Z + B + i], w[Z + 2 * B + i] = new[0], new[1], new[2]
        w[PATH + i] = path
        w[WAY + i] = sqrt(a * a + b * b + c * c) if slides else -1.0
        pressed, area = w[P + i], weights[i]
        w[F + i] = area * (pressed * w[N + i] - pull[0])
        w[F + B + i] = area * (pressed * w[N + B + i] - pull[1])
        w[F + 2 * B + i] = area * (pressed * w[N + 2 * B + i] - pull[2])
    for i in range(len(mode)):
        mode[i] = state_of(w[P + i], w[LIMIT + i], w[WAY + i] >= 0.0)
    for i in range(len(mode)):
        way = w[WAY + i]
        wear[i, 0] += weights[i] * w[LIMIT + i] * w[PATH + i]
        wear[i, 1] += way if (w[P + i] > 0.0 and way >= 0.0) else 0.0


@kernel(fastmath=True)
def flow_map(
    stiffness: float, damping: float, w: Floats, mode: Integers, wear: Floats, weights: Floats
) -> None:
    """Continuous law: forces F, rates of z in Z, modes; slip power and speed in `wear`."""
    yielding = 1.0 / damping if damping > 0.0 else 0.0
    for i in range(B):
        a = stiffness * w[Z + i] + damping * w[U + i]
        b = stiffness * w[Z + B + i] + damping * w[U + B + i]
        c = stiffness * w[Z + 2 * B + i] + damping * w[U + 2 * B + i]
        size, limit = sqrt(a * a + b * b + c * c), w[LIMIT + i]
        slides = size > limit
        share = limit / (size if slides else 1.0) if slides else 1.0
        back = (1.0 - share) * yielding
        w[Z + i] = w[U + i] - back * a
        w[Z + B + i] = w[U + B + i] - back * b
        w[Z + 2 * B + i] = w[U + 2 * B + i] - back * c
        w[PATH + i] = size - limit if slides else 0.0
        pressed, area = w[P + i], weights[i]
        w[F + i] = area * (pressed * w[N + i] - share * a)
        w[F + B + i] = area * (pressed * w[N + B + i] - share * b)
        w[F + 2 * B + i] = area * (pressed * w[N + 2 * B + i] - share * c)
    for i in range(len(mode)):
        limit, excess = w[LIMIT + i], w[PATH + i]
        mode[i] = state_of(w[P + i], limit, excess > 0.0)
        speed = excess * yielding if w[P + i] > 0.0 else 0.0
        wear[i, 0] = weights[i] * limit * speed
        wear[i, 1] = speed
