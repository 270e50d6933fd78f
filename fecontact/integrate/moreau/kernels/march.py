"""The steps of Moreau's method, see `integrate.moreau.method`, in one compiled loop.

Four bundles hold the arrays: m the motion, c the contacts (`kernels.rows`), g their graph
(`solvers.contact_graph`), s the smooth forces (`kernels.smooth`).
"""

from __future__ import annotations

import numpy as np

from fecontact.integrate.moreau.kernels.closed import closed_contacts, set_laws
from fecontact.integrate.moreau.kernels.history import (
    Impulses,
    begin_work,
    keep_history,
    take_work,
)
from fecontact.integrate.moreau.kernels.impulses import (
    push_contacts,
    pushed_back,
    strike_contacts,
)
from fecontact.integrate.moreau.kernels.motion import EVALUATIONS, STEPS, Motion, Options
from fecontact.integrate.moreau.kernels.projection import project
from fecontact.integrate.moreau.kernels.rows import Contacts
from fecontact.integrate.moreau.kernels.smooth import Smooth, balance, evaluate, shift_potentials
from fecontact.integrate.moreau.limits import LAST, TOUCHING
from fecontact.kernels.decorators import kernel
from fecontact.solvers.contact_graph.problem import Graph
from fecontact.system.program.kernels import moved

__all__ = ["DONE", "UNDONE", "march"]

DONE, UNDONE = 0, 1
"""What the loop returns: all steps are done; the next one is not possible here."""


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
    count = closed_contacts(c, g, middle, TOUCHING, True)
    if count < 0:
        return False
    m.counts[EVALUATIONS] += 1
    curved = set_laws(m, c, g, count)
    while True:
        if not strike_contacts(m, c, g, s, options, count, curved):
            return False
        if not push_contacts(m, c, g, s, options, h, count, curved):
            return False
        if not pushed_back(m, count):
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
    if options.project and not project(m, c, g, s, options.sweeps):
        return False
    if not evaluate(s, t, new_q, new_v):
        return False
    if not shift_potentials(s, t, new_q, new_v, before, q, v):
        return False
    _take(m, c, g, s, h, count)
    m.time[0] = t
    return True


@kernel(fastmath=True)
def _take(m: Motion, c: Contacts, g: Graph, s: Smooth, h: float, count: int) -> None:
    """Accept a step."""
    begin_work(c, count)
    mean = m.struck_mean
    take_work(c, g, s, count, Impulses(0.0, m.struck, mean, mean, m.struck_mu))
    pushed = Impulses(h, m.pushed, m.pushed_mean, m.pushed_along, m.pushed_mu)
    take_work(c, g, s, count, pushed)
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
