"""Coefficients over speed and pressure, and static ones: `solvers.friction_curve`, compiled."""

from __future__ import annotations

import numpy as np

from fecontact.kernels.arrays import after
from fecontact.kernels.calls import call_block
from fecontact.kernels.decorators import kernel
from fecontact.solvers.contact_graph.problem import Graph
from fecontact.solvers.friction_curve import REPEATS

__all__ = [
    "CONSTANT",
    "coefficient",
    "coefficients",
    "first_coefficients",
    "forget",
    "next_coefficients",
    "status_changed",
]

CONSTANT = -1
"""Address of a coefficient that does not change."""


@kernel(fastmath=True)
def coefficient(g: Graph, i: int, speed: float, impulse: float, sticks: bool) -> float:
    """Coefficient of a contact; derivatives by speed and normal impulse are behind it in `point`.

    They are 0 if it is constant.
    """
    w, law = g.point, g.law[i]
    if law == CONSTANT:
        w[0], w[1], w[2] = g.constants[i], 0.0, 0.0
        return float(w[0])
    per_impulse = g.per_impulse[i]
    w[0], w[1], w[2] = speed, max(impulse, 0.0) * per_impulse, 1.0 if sticks else 0.0
    call_block(law, w, after(g.parameters, g.place[i]), 1.0)
    w[2] *= per_impulse
    return float(w[0])


@kernel(fastmath=True)
def first_coefficients(g: Graph, count: int) -> None:
    """Coefficients at the slip velocities of the start; nothing has broken away."""
    chosen, sticks, static = g.chosen, g.sticks, g.static
    before, impulse, friction = g.before, g.impulse, g.friction
    broken = g.broken
    for k in range(count):
        i = chosen[k]
        static[i], broken[i] = sticks[i], 0
        speed = 0.0 if sticks[i] == 1 else np.hypot(before[i, 0], before[i, 1])
        friction[i] = coefficient(g, i, speed, impulse[i, 0], sticks[i] == 1)


@kernel(fastmath=True)
def coefficients(g: Graph, count: int, theta: float) -> None:
    """Coefficients at the velocities u of the end, and slopes of the friction limits."""
    chosen, static, slides = g.chosen, g.static, g.slides
    before, impulse, friction = g.before, g.impulse, g.friction
    slopes, u, w = g.slopes, g.velocity, g.point
    for k in range(count):
        i = chosen[k]
        slopes[i, 0] = slopes[i, 1] = slopes[i, 2] = 0.0
        if not slides[i]:
            continue
        sticks, held = static[i] == 1, impulse[i, 0]
        x = (1.0 - theta) * before[i, 0] + theta * u[i, 1]
        y = (1.0 - theta) * before[i, 1] + theta * u[i, 2]
        speed = np.hypot(x, y)
        friction[i] = coefficient(g, i, 0.0 if sticks else speed, held, sticks)
        slopes[i, 2] = w[2] * held
        if not sticks and speed > 0.0:
            faster = theta * w[1] * held / speed
            slopes[i, 0], slopes[i, 1] = faster * x, faster * y


@kernel(fastmath=True)
def status_changed(g: Graph, count: int, slow: float) -> bool:
    """Whether velocities u of the end change which contacts have their static coefficient.

    Each comes to rest at most once and breaks away at most once.
    """
    chosen, static, broken = g.chosen, g.static, g.broken
    slides, before, u = g.slides, g.before, g.velocity
    changed = False
    for k in range(count):
        i = chosen[k]
        if not slides[i] or not np.hypot(u[i, 1], u[i, 2]) > slow:
            continue
        if static[i]:
            static[i], broken[i], changed = 0, 1, True
        elif not broken[i] and u[i, 1] * before[i, 0] + u[i, 2] * before[i, 1] <= 0.0:
            static[i], changed = 1, True
    return changed


@kernel(fastmath=True)
def forget(g: Graph, count: int) -> None:
    """Begin a new search."""
    chosen, side, repeats = g.chosen, g.side, g.repeats
    tried, left = g.tried, g.left
    for k in range(count):
        i = chosen[k]
        side[i], repeats[i] = -1, 0
        for s in range(2):
            tried[s, i] = left[s, i] = np.nan


@kernel(fastmath=True)
def next_coefficients(g: Graph, count: int) -> None:
    """Coefficients to try next: `last` gave motions in which the laws have `friction`."""
    chosen, sides, repeats = g.chosen, g.side, g.repeats
    tried, left, last = g.tried, g.left, g.last
    friction = g.friction
    for k in range(count):
        i = chosen[k]
        difference = friction[i] - last[i]
        side = 1 if difference < 0.0 else 0
        repeats[i] = repeats[i] + 1 if side == sides[i] else 0
        if repeats[i] > 0:
            left[1 - side, i] *= 0.5
        if repeats[i] > REPEATS:
            left[1 - side, i] = np.nan
        tried[side, i], left[side, i], sides[i] = last[i], difference, side
        low, high, rises, falls = tried[0, i], tried[1, i], left[0, i], left[1, i]
        if np.isfinite(rises) and np.isfinite(falls):
            span = rises - falls
            friction[i] = low + (high - low) * rises / (span if span > 0.0 else 1.0)
