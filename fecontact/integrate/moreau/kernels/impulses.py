"""Impulses of a step: those of impacts, and those of the forces after them."""

from __future__ import annotations

import numpy as np

from fecontact.contact.status import OPEN, STICK
from fecontact.integrate.moreau.kernels.blocks import multiply
from fecontact.integrate.moreau.kernels.closed import row_velocities, set_responses
from fecontact.integrate.moreau.kernels.history import guess
from fecontact.integrate.moreau.kernels.impact import strike
from fecontact.integrate.moreau.kernels.motion import (
    FACTORISATIONS,
    IMPACTS,
    PARADOXES,
    SWEEPS,
    Motion,
    Options,
)
from fecontact.integrate.moreau.kernels.rows import Contacts
from fecontact.integrate.moreau.kernels.smooth import Smooth, assemble, inverse, masses
from fecontact.integrate.moreau.limits import PUSHED, SLIDES, SLOW
from fecontact.kernels.decorators import kernel
from fecontact.solvers.contact_graph.friction import coefficient
from fecontact.solvers.contact_graph.problem import Graph
from fecontact.solvers.contact_graph.solver import FAILED, solve, solve_curves
from fecontact.typing import Floats

__all__ = ["push_contacts", "pushed_back", "strike_contacts"]


@kernel(fastmath=True)
def strike_contacts(
    m: Motion, c: Contacts, g: Graph, s: Smooth, options: Options, count: int, curved: bool
) -> bool:
    """Impact of contacts that approach; velocities after it to `speed`. False if it fails."""
    v, speed, u, e = m.v, m.speed, m.hit, m.restitution
    struck, mean, mu = m.struck, m.struck_mean, m.struck_mu
    change, residual, counts = m.change, m.residual, m.counts
    for i in range(len(v)):
        speed[i] = v[i]
    row_velocities(c, g, v, count, u)
    hits = False
    for k in range(count):
        hits = hits or (u[k, 0] < -SLOW and e[k] > 0.0)
        for a in range(3):
            struck[k, a], mean[k, a] = 0.0, u[k, a]
    if not hits:
        return True
    if not masses(s, m.middle, v, s.mass[0]) or inverse(s, s.mass) < 0:
        return False
    set_responses(c, g, s, s.mass, count)
    if curved:
        _begin_curves(m, c, g, count, u, 0.0, False)
    found = strike(m, g, options, count, curved)
    if found == FAILED:
        return False
    residual[0] = max(residual[0], found)
    counts[IMPACTS] += 1
    for i in range(len(v)):
        speed[i] += change[i]
    row_velocities(c, g, speed, count, u)
    for k in range(count):
        for a in range(3):
            mean[k, a] = 0.5 * (mean[k, a] + u[k, a])
        mu[k] = coefficient(g, k, np.hypot(u[k, 1], u[k, 2]), struck[k, 0], False)
    return True


@kernel(fastmath=True)
def push_contacts(
    m: Motion, c: Contacts, g: Graph, s: Smooth, options: Options, h: float, count: int,
    curved: bool,
) -> bool:  # fmt: skip
    """Impulses of the step after those of the impact; False if they are not found.

    The change of v is the free one and that of the graph.
    """
    theta, v, speed, shift = options.theta, m.v, m.speed, m.shift
    load, free, counts = m.load, m.free, m.counts
    change, start = g.change, m.pushed_along
    for i in range(len(v)):
        shift[i] = h * (theta * speed[i] - (1.0 - theta) * v[i])
        change[i] = 0.0
    # the time of the contact position, and what theta leaves of the step
    t = (m.time[0] + (1.0 - theta) * h) + (2.0 * theta - 1.0) * h
    if not assemble(s, t, m.middle, speed, h, theta, shift, load):
        return False
    if inverse(s, s.step) < 0:
        return False
    counts[FACTORISATIONS] += 1
    multiply(
        s.block_first, s.block_start,
        s.block_dofs, s.step[2], load, free,
    )  # fmt: skip
    if count == 0:
        return True
    set_responses(c, g, s, s.step, count)
    row_velocities(c, g, speed, count, start)
    _free_velocities(m, c, g, count)
    guess(c, g, count, h)
    if curved:
        _begin_curves(m, c, g, count, start, h, True)
    counts[PARADOXES] += 1 if _paradox(g, count, start) else 0
    sweeps = counts[SWEEPS : SWEEPS + 1]
    if curved:
        left = solve_curves(g, count, theta, options.tolerance, options.sweeps, sweeps)
    else:
        left = solve(g, count, options.tolerance, options.sweeps, sweeps)
    if left == FAILED:
        return False
    m.residual[0] = max(m.residual[0], left)
    _keep_push(m, g, count, theta)
    return True


@kernel(fastmath=True)
def pushed_back(m: Motion, count: int) -> bool:
    """Whether contacts rebound and are pushed within the same step; these have no rebound."""
    e, u, struck, pushed = m.restitution, m.hit, m.struck, m.pushed
    found, least = False, 0.0
    for k in range(count):
        for a in range(3):
            least = max(least, PUSHED * abs(pushed[k, a]))
    for k in range(count):
        back = struck[k, 0] > 0.0 and pushed[k, 0] > least and u[k, 0] > SLOW
        if e[k] > 0.0 and back:
            e[k], found = 0.0, True
    return found


@kernel(fastmath=True)
def _begin_curves(
    m: Motion, c: Contacts, g: Graph, count: int, u: Floats, span: float, after: bool
) -> None:
    """Slip and sticking contacts at the start of an impact, or of a step with its span.

    `after` an impact velocities tell what sticks of all contacts that were hit.
    """
    closed, seat, area = c.closed, c.seat, c.area
    status, struck = c.status, m.struck
    before, sticks = g.before, g.sticks
    per_impulse, slow = g.per_impulse, SLIDES * _largest(g, count, u)
    for k in range(count):
        known = status[seat[closed[k]]]
        before[k, 0], before[k, 1] = u[k, 1], u[k, 2]
        per_impulse[k] = 1.0 / (span * area[closed[k]]) if span > 0.0 else 0.0
        told = known == OPEN or (after and struck[k, 0] > 0.0)
        rests = np.hypot(u[k, 1], u[k, 2]) <= slow
        sticks[k] = 1 if (rests if told else known == STICK) else 0


@kernel(fastmath=True)
def _largest(g: Graph, count: int, u: Floats) -> float:
    """Largest velocity of all rows."""
    slides, largest = g.slides, 0.0
    for k in range(count):
        for a in range(3 if slides[k] else 1):
            largest = max(largest, abs(u[k, a]))
    return largest


@kernel(fastmath=True)
def _free_velocities(m: Motion, c: Contacts, g: Graph, count: int) -> None:
    """Velocities of the rows without impulses, of all contacts."""
    b, start, drift = g.free, m.pushed_along, c.drift
    chosen, floor = g.chosen, g.floor
    row_velocities(c, g, m.free, count, b)
    for k in range(count):
        chosen[k], floor[k] = k, 0.0
        for a in range(3):  # the drift is in both
            b[k, a] += start[k, a] - drift[k, a]


@kernel(fastmath=True)
def _keep_push(m: Motion, g: Graph, count: int, theta: float) -> None:
    """Impulses of the step, with velocities from those of its start, in `pushed_along`."""
    impulse, u, friction = g.impulse, g.velocity, g.friction
    pushed, mean, along = m.pushed, m.pushed_mean, m.pushed_along
    mu, slides = m.pushed_mu, g.slides
    for k in range(count):
        mu[k] = friction[k]
        for a in range(3):
            start = along[k, a]
            change = u[k, a] - start if (a == 0 or slides[k]) else 0.0
            pushed[k, a] = impulse[k, a]
            mean[k, a], along[k, a] = start + 0.5 * change, start + theta * change


@kernel(fastmath=True)
def _paradox(g: Graph, count: int, u: Floats) -> bool:
    """Whether a contact that slides with u draws itself in the more it is pressed (Painleve)."""
    slides, block, impulse = g.slides, g.block, g.impulse
    slow = SLIDES * _largest(g, count, u)
    for k in range(count):
        speed = np.hypot(u[k, 1], u[k, 2])
        if not slides[k] or not speed > slow:
            continue
        mu, W = coefficient(g, k, speed, impulse[k, 0], False), block[k]
        if mu * (W[0, 1] * u[k, 1] + W[0, 2] * u[k, 2]) > W[0, 0] * speed:
            return True
    return False
