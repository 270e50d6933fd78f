"""What a step leaves: forces, status, slip work and path of the points, and what impulses took.

As `integrate.moreau.audit` and `ClosedContact`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.contact.rigid.frames import fill_frame
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.integrate.moreau.kernels.rows import (
    FIRST_CONDITION,
    FIRST_POINT,
    GATHERING,
    ITEM,
    LAST_POINT,
    LAW,
    NO_AVERAGES,
    Contacts,
    to_space,
    to_surface,
)
from fecontact.integrate.moreau.kernels.smooth import Smooth
from fecontact.integrate.moreau.limits import STUCK
from fecontact.kernels.decorators import kernel
from fecontact.kernels.vectors import dot, three
from fecontact.solvers.contact_graph.friction import CONSTANT
from fecontact.solvers.contact_graph.problem import Graph
from fecontact.typing import Floats

__all__ = ["Impulses", "begin_work", "guess", "keep_history", "take_work"]


@kernel(fastmath=True)
def guess(c: Contacts, g: Graph, count: int, h: float) -> None:
    """Impulses of the forces that the points remember."""
    table, contact, closed = c.table, c.contact, c.closed
    impulse, slides, seat = g.impulse, g.slides, c.seat
    normal, axes, gather = c.normal, c.axes, c.gather
    for k in range(count):
        i = closed[k]
        row, L = table[contact[i]], impulse[k]
        L[0] = L[1] = L[2] = 0.0
        if row[GATHERING] == NO_AVERAGES:
            _add_kept_force(c, contact[i], seat[i], h, L)
        else:
            points = row[LAST_POINT] - row[FIRST_POINT]
            at = row[GATHERING] + points * (i - row[FIRST_CONDITION])
            for p in range(points):
                fill_frame(normal[row[FIRST_POINT] + p], axes[row[FIRST_POINT] + p])
                _add_kept_force(c, contact[i], row[FIRST_POINT] + p, h * gather[at + p], L)
        L[0] = max(L[0], 0.0)
        if not slides[k]:
            L[1] = L[2] = 0.0


@kernel(fastmath=True)
def _add_kept_force(c: Contacts, contact: int, p: int, factor: float, L: Floats) -> None:
    """Add the components of the force of a point along its normal and tangents."""
    frame, force = c.axes[p], to_space(c, contact, three(c.z[p], 0))
    for i in range(3):
        L[i] += factor * dot(three(frame[i], 0), force)


@kernel(fastmath=True)
def begin_work(c: Contacts, count: int) -> None:
    """No impulses yet; coefficients are those that are constant."""
    total, ending, slip = c.total, c.ending, c.slip
    friction, constants = c.friction, c.numbers
    contact, closed = c.contact, c.closed
    for k in range(count):
        for a in range(3):
            total[k, a] = ending[k, a] = 0.0
        slip[k, 0] = slip[k, 1] = 0.0
        friction[k] = constants[contact[closed[k]], 0]


class Impulses(NamedTuple):
    """Impulses of the closed conditions, and what they work with.

    Attributes
    ----------
    span
        Time in s in which they act; 0 of an impact.
    impulse, mean, along : (m, 3)
        Impulses, mean of the velocities before and after, and velocity of the path.
    mu : (m,)
        Coefficients.
    """

    span: float
    impulse: Floats
    mean: Floats
    along: Floats
    mu: Floats


@kernel(fastmath=True)
def take_work(c: Contacts, g: Graph, s: Smooth, count: int, acting: Impulses) -> None:
    """Add the impulses of an impact or of a step to the work of the closed conditions."""
    impulse, works, lost, given = acting.impulse, s.works, s.lost, s.given
    slides, acts = g.slides, False
    for k in range(count):
        for a in range(3 if slides[k] else 1):
            acts = acts or impulse[k, a] != 0.0
    if not acts:
        return
    table, contact, closed = c.table, c.contact, c.closed
    work = c.work
    for k in range(len(table)):
        work[k, 0] = work[k, 1] = work[k, 2] = 0.0
    for k in range(count):
        lawful = table[contact[closed[k]], LAW] != CONSTANT
        _take_one(c, k, 3 if slides[k] else 1, acting, lawful)
    for k in range(len(table)):
        item, slip, moved = table[k, ITEM], work[k, 1], work[k, 2]
        loss = max(-(work[k, 0] + slip), 0.0)
        works[item] -= slip + loss + moved
        lost[item] += loss
        given[item] -= moved


@kernel(fastmath=True)
def _take_one(c: Contacts, k: int, rows: int, acting: Impulses, lawful: bool) -> None:
    """Add the impulses of one closed condition to its contact, and what it slips."""
    L, mean, along = acting.impulse[k], acting.mean[k], acting.along[k]
    drift, total, slips = c.drift[k], c.total[k], c.slip[k]
    work = c.work[c.contact[c.closed[k]]]
    work[0] += L[0] * (mean[0] if mean[0] < 0.0 else along[0])
    work[2] += L[0] * drift[0]
    if rows == 3:
        taken = L[1] * along[1] + L[2] * along[2]
        work[0] += taken
        work[1] += max(-taken, 0.0)
        work[2] += L[1] * drift[1] + L[2] * drift[2]
        slips[0] += max(-taken, 0.0)
        slips[1] += acting.span * np.hypot(along[1], along[2])
    for a in range(rows):
        total[a] += L[a]
    if lawful and L[0] > 0.0:
        ending = c.ending[k]
        c.friction[k] = acting.mu[k]
        for a in range(3):
            ending[a] = L[a]


@kernel(fastmath=True)
def keep_history(c: Contacts, count: int, h: float) -> None:
    """History of all points after a step."""
    table, contact, closed = c.table, c.contact, c.closed
    z, status, totals = c.z, c.status, c.slip_totals
    total, ending, slip = c.total, c.ending, c.slip
    statuses, friction, owner = c.statuses, c.friction, c.owner
    mean, member, weights = c.mean, c.member, c.weight
    for p in range(len(z)):
        z[p, 0] = z[p, 1] = z[p, 2] = 0.0
    for i in range(len(statuses)):
        statuses[i] = OPEN
    for k in range(count):
        i, L = closed[k], total[k]
        last = L if table[contact[i], LAW] == CONSTANT else ending[k]
        if L[0] > 0.0:
            grips = np.hypot(last[1], last[2]) < (1.0 - STUCK) * (friction[k] * last[0])
            statuses[i] = STICK if grips else SLIP
        for e in range(mean[i], mean[i + 1]):
            p = member[e]
            totals[p, 0] += weights[e] * slip[k, 0]
            if owner[p] == i:
                totals[p, 1] += slip[k, 1]
            _spread(c, contact[i], p, weights[e] / h, L)
    for p in range(len(status)):
        status[p] = statuses[owner[p]]


@kernel(fastmath=True)
def _spread(c: Contacts, contact: int, p: int, factor: float, L: Floats) -> None:
    """Add a force along normal and tangents of a point to its force in the axes of the master."""
    z, frame = c.z[p], c.axes[p]
    n, t, s = three(frame[0], 0), three(frame[1], 0), three(frame[2], 0)
    x = to_surface(c, contact, (
        n[0] * L[0] + t[0] * L[1] + s[0] * L[2],
        n[1] * L[0] + t[1] * L[1] + s[1] * L[2],
        n[2] * L[0] + t[2] * L[1] + s[2] * L[2],
    ))  # fmt: skip
    for i in range(3):
        z[i] += factor * x[i]
