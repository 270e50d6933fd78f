"""The steps of Moreau's method, see `integrate.moreau.method`, in one compiled loop.

Four bundles hold the arrays: m the motion, c the contacts (`kernels.rows`), g their graph
(`solvers.contact_graph`), s the smooth forces (`kernels.smooth`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.contact.status import OPEN, STICK
from fecontact.integrate.moreau.kernels import rows
from fecontact.integrate.moreau.kernels.blocks import multiply, respond
from fecontact.integrate.moreau.kernels.history import begin_work, guess, keep_history, take_work
from fecontact.integrate.moreau.kernels.impact import strike
from fecontact.integrate.moreau.kernels.rows import (
    Contacts,
    close,
    find_gaps,
    place_frames,
    set_rows,
)
from fecontact.integrate.moreau.kernels.smooth import (
    Smooth,
    assemble,
    balance,
    evaluate,
    inverse,
    masses,
    shift_potentials,
)
from fecontact.integrate.moreau.limits import (
    CORRECTIONS,
    HELD,
    LAST,
    LEFT,
    PUSHED,
    SLIDES,
    SLOW,
    TOUCHING,
)
from fecontact.kernels.arrays import Bundle
from fecontact.kernels.decorators import kernel
from fecontact.solvers.contact_graph.friction import CONSTANT, coefficient
from fecontact.solvers.contact_graph.problem import Graph, set_blocks
from fecontact.solvers.contact_graph.solver import FAILED, solve, solve_curves
from fecontact.system.program.kernels import moved
from fecontact.typing import Floats, Integers

__all__ = [
    "COUNTERS",
    "DONE",
    "UNDONE",
    "Motion",
    "Options",
    "march",
]

COUNTERS = ("steps", "iterations", "factorisations", "evaluations", "impacts", "paradoxes")
"""Names of the counters in `Statistics`; sweeps are iterations."""
STEPS, SWEEPS, FACTORISATIONS, EVALUATIONS, IMPACTS, PARADOXES = range(6)
DONE, UNDONE = 0, 1
"""What the loop returns: all steps are done; the next one is not possible here."""


class Motion(Bundle):
    """Arrays of the motion of n dofs with m contact conditions.

    Attributes
    ----------
    q, v, a
        Coordinates, velocities, and mean accelerations.
    time, residual : (1,)
        Time in s, and the largest residual so far.
    plain, turns
        See `system.program.kernels.moved`.
    middle, new_q, other_q
        Coordinates of the contacts, at the end of the step, and working space.
    speed, shift, load, free, path, new_v : (n,)
        Velocities after the impact; s; load; change of v without contacts; path; velocities at the
        end.
    counts, kept
        Counters, now and before the step.
    restitution : (m,), hit : (m, 3), change : (n,)
        Of an impact: coefficients, velocities, and change of v.
    struck, struck_mean : (m, 3), struck_mu : (m,)
        Impulses of the impact, mean velocities, and coefficients.
    pushed, pushed_mean, pushed_along : (m, 3), pushed_mu : (m,)
        Those of the step, with the velocities of the path.
    """

    q: Floats
    v: Floats
    a: Floats
    time: Floats
    residual: Floats
    plain: Integers
    turns: Integers
    middle: Floats
    new_q: Floats
    other_q: Floats
    speed: Floats
    shift: Floats
    load: Floats
    free: Floats
    path: Floats
    new_v: Floats
    counts: Integers
    kept: Integers
    restitution: Floats
    hit: Floats
    change: Floats
    struck: Floats
    struck_mean: Floats
    struck_mu: Floats
    pushed: Floats
    pushed_mean: Floats
    pushed_along: Floats
    pushed_mu: Floats


class Options(NamedTuple):
    """Options of the method; `impact` is the number of the law."""

    theta: float
    impact: int
    tolerance: float
    sweeps: int
    project: bool


@kernel(fastmath=True)
def march(
    m: Motion, c: Contacts, g: Graph, s: Smooth, options: Options, step: float, goal: float,
    most: int,
) -> int:  # fmt: skip
    """Do at most `most` steps up to a time; the last one before it may be shorter."""
    time, residual, counts, kept = m.time, m.residual, m.counts, m.kept
    for _ in range(most):
        t = time[0] + step
        if t > goal - LAST * step:
            t = goal
        before = residual[0]
        for k in range(len(counts)):
            kept[k] = counts[k]
        if not _advance(m, c, g, s, options, t):
            residual[0] = before
            for k in range(len(counts)):
                counts[k] = kept[k]
            return UNDONE
        if t >= goal:
            return DONE
    return DONE


@kernel(fastmath=True)
def _advance(m: Motion, c: Contacts, g: Graph, s: Smooth, options: Options, t: float) -> bool:
    """One step to the time t; False, and the motion is where it was, if it is not possible."""
    theta, before = options.theta, m.time[0]
    q, v, path = m.q, m.v, m.path
    middle, new_q, new_v = m.middle, m.new_q, m.new_v
    h = t - before
    for i in range(len(v)):
        path[i] = (1.0 - theta) * h * v[i]
    moved(q, path, m.plain, m.turns, middle)
    count = _closed(c, g, middle, TOUCHING, True)
    if count < 0:
        return False
    m.counts[EVALUATIONS] += 1
    curved = _laws(m, c, g, count)
    while True:
        if not _strike(m, c, g, s, options, count, curved):
            return False
        if not _push(m, c, g, s, options, h, count, curved):
            return False
        if not _pushed_back(m, count):
            break
    speed, free, change = m.speed, m.free, g.change
    good = True
    for i in range(len(v)):
        more = free[i] + change[i]
        path[i] = h * (speed[i] + theta * more)
        new_v[i] = speed[i] + more
        good = good and np.isfinite(path[i])
    if not good:
        return False
    moved(q, path, m.plain, m.turns, new_q)
    if options.project and not _projected(m, c, g, s, options.sweeps):
        return False
    if not evaluate(s, t, new_q, new_v):
        return False
    if not shift_potentials(s, t, new_q, new_v, before, q, v):
        return False
    _take(m, c, g, s, h, count)
    m.time[0] = t
    return True


@kernel(fastmath=True)
def _closed(c: Contacts, g: Graph, q: Floats, within: float, slide: bool) -> int:
    """Rows of the conditions that are closed at coordinates q; -1 where a point has no normal."""
    place_frames(c, q)
    if not find_gaps(c, q):
        return -1
    count = close(c, within)
    set_rows(c, g, count, slide)
    return count


@kernel(fastmath=True)
def _laws(m: Motion, c: Contacts, g: Graph, count: int) -> bool:
    """Laws of the closed contacts; whether a coefficient is not constant."""
    table, contact, closed = c.table, c.contact, c.closed
    given, restitution = c.numbers, m.restitution
    law, place = g.law, g.place
    constants, friction = g.constants, g.friction
    found = False
    for k in range(count):
        own = contact[closed[k]]
        law[k], place[k] = table[own, rows.LAW], table[own, rows.PARAMETERS]
        constants[k] = friction[k] = given[own, 0]
        restitution[k] = given[own, 1]
        found = found or law[k] != CONSTANT
    return found


@kernel(fastmath=True)
def _respond(c: Contacts, g: Graph, s: Smooth, matrix: Floats, count: int) -> None:
    """Responses of the closed contacts by the inverse of a matrix, and their blocks."""
    table, contact, closed = c.table, c.contact, c.closed
    blocks, slides = c.blocks, g.slides
    jacobian, response = g.jacobian, g.response
    first, start = s.block_first, s.block_start
    values = matrix[2]
    for k in range(count):
        row = table[contact[closed[k]]]
        at = row[rows.FIRST_BLOCK]
        chosen = blocks[at : at + row[rows.BLOCK_COUNT]]
        for a in range(3 if slides[k] else 1):
            respond(first, start, values, chosen, jacobian[k, a], response[k, a])
    set_blocks(g, count)


@kernel(fastmath=True)
def _row_velocities(c: Contacts, g: Graph, v: Floats, count: int, u: Floats) -> None:
    """Velocities u (m, 3) of the rows at velocities v (n,), with their drift."""
    jacobian, drift, dofs = g.jacobian, c.drift, g.dofs
    first, size, slides = g.first, g.size, g.slides
    for k in range(count):
        J, at = jacobian[k], first[k]
        u[k, 1] = u[k, 2] = 0.0
        for a in range(3 if slides[k] else 1):
            total = drift[k, a]
            for j in range(size[k]):
                total += J[a, j] * v[dofs[at + j]]
            u[k, a] = total


@kernel(fastmath=True)
def _strike(
    m: Motion, c: Contacts, g: Graph, s: Smooth, options: Options, count: int, curved: bool
) -> bool:
    """Impact of contacts that approach; velocities after it to `speed`. False if it fails."""
    v, speed, u, e = m.v, m.speed, m.hit, m.restitution
    struck, mean, mu = m.struck, m.struck_mean, m.struck_mu
    change, residual, counts = m.change, m.residual, m.counts
    for i in range(len(v)):
        speed[i] = v[i]
    _row_velocities(c, g, v, count, u)
    hits = False
    for k in range(count):
        hits = hits or (u[k, 0] < -SLOW and e[k] > 0.0)
        for a in range(3):
            struck[k, a], mean[k, a] = 0.0, u[k, a]
    if not hits:
        return True
    if not masses(s, m.middle, v, s.mass[0]) or inverse(s, s.mass) < 0:
        return False
    _respond(c, g, s, s.mass, count)
    if curved:
        _begin_curves(m, c, g, count, u, 0.0, False)
    found = strike(
        options.impact, g, count, e, u, struck, change, curved, options.tolerance, options.sweeps,
        counts[SWEEPS : SWEEPS + 1],
    )  # fmt: skip
    if found == FAILED:
        return False
    residual[0] = max(residual[0], found)
    counts[IMPACTS] += 1
    for i in range(len(v)):
        speed[i] += change[i]
    _row_velocities(c, g, speed, count, u)
    for k in range(count):
        for a in range(3):
            mean[k, a] = 0.5 * (mean[k, a] + u[k, a])
        mu[k] = coefficient(g, k, np.hypot(u[k, 1], u[k, 2]), struck[k, 0], False)
    return True


@kernel(fastmath=True)
def _largest(g: Graph, count: int, u: Floats) -> float:
    """Largest velocity of all rows."""
    slides, largest = g.slides, 0.0
    for k in range(count):
        for a in range(3 if slides[k] else 1):
            largest = max(largest, abs(u[k, a]))
    return largest


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
def _push(
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
    _respond(c, g, s, s.step, count)
    _row_velocities(c, g, speed, count, start)
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
def _free_velocities(m: Motion, c: Contacts, g: Graph, count: int) -> None:
    """Velocities of the rows without impulses, of all contacts."""
    b, start, drift = g.free, m.pushed_along, c.drift
    chosen, floor = g.chosen, g.floor
    _row_velocities(c, g, m.free, count, b)
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


@kernel(fastmath=True)
def _pushed_back(m: Motion, count: int) -> bool:
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
def _projected(m: Motion, c: Contacts, g: Graph, s: Smooth, sweeps: int) -> bool:
    """Take `new_q` out of penetrations, by the shortest motions in the metric of M.

    The path goes on with them. False if there is no way out.
    """
    new_q, other_q, path = m.new_q, m.other_q, m.path
    x, new_v, kept = g.change, m.new_v, m.kept
    for _ in range(CORRECTIONS):
        deep = _closed(c, g, new_q, TOUCHING - 2.0 * LEFT, False)
        if deep < 0:
            return False
        if deep == 0:
            break
        if not masses(s, new_q, new_v, s.mass[0]) or inverse(s, s.mass) < 0:
            return False
        _respond(c, g, s, s.mass, deep)
        chosen = _loose(c, g, deep)
        done = kept[SWEEPS]
        found = solve(g, chosen, 1e-6, sweeps, kept[SWEEPS : SWEEPS + 1])
        kept[SWEEPS] = done
        if found == FAILED:
            return False
        moves = False
        for i in range(len(x)):
            path[i] += x[i]
            moves = moves or x[i] != 0.0
        if not moves:
            break
        for i in range(len(new_q)):
            other_q[i] = new_q[i]
        moved(other_q, x, m.plain, m.turns, new_q)
    _closed(c, g, m.middle, TOUCHING, True)  # back to the contacts of the step
    return True


@kernel(fastmath=True)
def _loose(c: Contacts, g: Graph, deep: int) -> int:
    """Choose the penetrations of contacts that can move; returns how many there are."""
    block, impulse, b = g.block, g.impulse, g.free
    floor, chosen = g.floor, g.chosen
    gap, closed = c.mean_gap, c.closed
    largest, count = 0.0, 0
    for k in range(deep):
        largest = max(largest, block[k, 0, 0])
    for k in range(deep):
        impulse[k, 0] = floor[k] = 0.0
        b[k, 0] = gap[closed[k]] + LEFT
        if block[k, 0, 0] > HELD * largest:
            chosen[count] = k
            count += 1
    return count


@kernel(fastmath=True)
def _take(m: Motion, c: Contacts, g: Graph, s: Smooth, h: float, count: int) -> None:
    """Accept a step."""
    works, lost, given = s.works, s.lost, s.given
    begin_work(c, count)
    mean = m.struck_mean
    take_work(c, g, count, 0.0, m.struck, mean, mean, m.struck_mu, works, lost, given)
    take_work(
        c, g, count, h, m.pushed, m.pushed_mean, m.pushed_along,
        m.pushed_mu, works, lost, given,
    )  # fmt: skip
    keep_history(c, count, h)
    balance(s, h, m.path)
    q, v, a = m.q, m.v, m.a
    new_q, new_v = m.new_q, m.new_v
    for i in range(len(v)):
        a[i] = (new_v[i] - v[i]) / h
        v[i] = new_v[i]
    for i in range(len(q)):
        q[i] = new_q[i]
    m.counts[STEPS] += 1
