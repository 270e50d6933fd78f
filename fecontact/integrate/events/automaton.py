"""Discrete states of contact points: stick, slip, gross slip, open, and how they change.

Ten transitions lead from state to state (after Stamm 5.3). Gross slip -> slip does not exist. What
closes has an unbent bristle: it sticks or slips as the law says, and runs to gross slip when its
bristle is bent; the source lets it slide at full friction at once, without ever bending it, and so
makes energy where it stops soon. The nets of different points are independent. Every state has
three event functions, positive while it lasts (Stamm 5.32, corrected):

    stick        mu p - |T|        1                 p
    slip         psi - psi_k,      |w'| - eps        p
                 1 - psi_k - c|z|/(mu p)
    gross slip   1                 |s| - eps         p
    open         1                 1                 g - u

with slip velocity s, plastic part w' of it, angle psi between -T and s, free length u of an open
layer. If several fire at once: open before stick before slip before gross slip (Stamm 5.13).

Two refinements keep points from switching to and fro in no time. A bristle is dropped only by a
point that is faster than eps: one that comes to rest and whose limit falls faster than its bristle
unloads breaks away at once, and goes on in slip with its bristle, until it turns. And a closed
point opens where its layer pulls by more than `slack`, the round-off of its pressure.

Just after break-away |w'| is below eps and must not end the slip that begins. So the threshold of
a step is min(eps, |w'| at its start): slip ends where it is slow and slows down (Stamm 5.24).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fecontact.contact.status import GROSS, OPEN, SLIP, STICK
from fecontact.typing import Floats, Integers

__all__ = ["ARCS", "Signals", "dip", "event_functions", "fired", "next_statuses", "thresholds"]

Booleans = npt.NDArray[np.bool_]

ARCS: dict[int, tuple[int, ...]] = {
    STICK: (OPEN, SLIP, GROSS),
    SLIP: (OPEN, STICK, GROSS),
    GROSS: (OPEN, STICK),
    OPEN: (STICK, SLIP),
}
"""Where each state may lead, by priority."""


class Signals(NamedTuple):
    """What the event functions see of each point, all (p,).

    Attributes
    ----------
    pressure
        Normal law, also where it would pull; of an open point as if it were closed.
    limit, grip
        mu p of the state, and |T|.
    angle
        psi in rad; pi for a point without slip or friction.
    slide
        Plastic speed: |w'| in slip; |s| in gross slip, negative if the direction turned by more
        than a right angle since the start of the step.
    speed
        |s|.
    distance
        Gap above the free length, g - u.
    bend
        Force c |z| of the bristle.
    """

    pressure: Floats
    limit: Floats
    grip: Floats
    angle: Floats
    slide: Floats
    speed: Floats
    distance: Floats
    bend: Floats

    def missing(self) -> Floats:
        """Fraction (p,) of the friction limit that the bristle does not carry yet."""
        full = np.divide(self.bend, self.limit, out=np.zeros_like(self.bend), where=self.limit > 0)
        return np.asarray(1.0 - full)


def thresholds(status: Integers, slide: Floats, eps: float) -> Floats:
    """Speeds (p,) below which slip ends in the step that starts now: min(eps, slide)."""
    slides = (status == SLIP) | (status == GROSS)
    return np.where(slides, np.minimum(eps, slide), eps)


def event_functions(
    status: Integers,
    now: Signals,
    threshold: Floats,
    eps: float,
    angle: float,
    slack: Floats | float,
) -> Floats:
    """Event functions (p, 3), positive inside the state.

    An open layer that relaxes leaves the other side with the speed of its end; so that round-off
    closes no contact that just opened, it must also press: the third function is max(g - u, -p).
    Slip becomes gross slip where psi < psi_k, |s| > eps and the bristle carries the friction up to
    the fraction psi_k. The limit of a sticking point has
    twice the slack, so that a point without friction that opens does not break away first.
    """
    one = np.ones(len(status))
    holds = now.limit - now.grip + 2.0 * slack
    turns = np.maximum(now.angle - angle, 1.0 - now.speed / eps)
    turns = np.maximum(turns, now.missing() - angle)
    first = np.where(status == STICK, holds, np.where(status == SLIP, turns, one))
    slides = (status == SLIP) | (status == GROSS)
    second = np.where(slides, now.slide - threshold, one)
    closes = np.maximum(now.distance, -now.pressure)
    third = np.where(status == OPEN, closes, now.pressure + slack)
    return np.column_stack([first, second, third])


def fired(before: Floats, after: Floats) -> Booleans:
    """Events between two instants: a function becomes negative, or falls further below zero.

    Zero is inside: it is legitimate just after a switch.
    """
    return after < np.minimum(before, 0.0)


def dip(first: Floats, middle: Floats, last: Floats) -> float | None:
    """Place in -1 ... 1 where a parabola through three tests at -1, 0, 1 is below zero, if any is.

    Examples
    --------
    >>> dip(np.array([1.0]), np.array([0.01]), np.array([0.5]))
    0.168...
    >>> dip(np.array([1.0]), np.array([0.1]), np.array([0.5])) is None
    True
    """
    bend, slope = first - 2.0 * middle + last, 0.5 * (last - first)
    valley = (np.minimum(np.minimum(first, last), middle) >= 0.0) & (np.abs(slope) < bend)
    if not valley.any():
        return None
    at = -slope[valley] / bend[valley]
    lowest = middle[valley] + 0.5 * slope[valley] * at
    deepest = int(np.argmin(lowest))
    return float(at[deepest]) if lowest[deepest] < 0.0 else None


def next_statuses(
    status: Integers, event: Booleans, now: Signals, eps: float, angle: float
) -> Integers:
    """States (p,) after events (p, 3), by their priority.

    A sliding point that only turned fast stays in gross slip. A bristle that does not carry the
    friction yet is not dropped.

    Examples
    --------
    A sticking point lets go, with the slip along the friction:

    >>> one = np.ones(1)
    >>> now = Signals(one, 0.5 * one, 0.51 * one, 0.0 * one, one, one, -one, 0.5 * one)
    >>> next_statuses(np.array([STICK]), np.array([[True, False, False]]), now, 1e-6, 1e-3).tolist()
    [3]
    """
    limit, slow, normal = event.T
    runs, slowly = (now.angle < angle) & (now.missing() <= angle), now.speed <= eps
    choices = [
        (normal & (status != OPEN), OPEN),
        (slow & (status == SLIP), STICK),
        (slow & (status == GROSS) & slowly, STICK),
        (normal & (status == OPEN) & slowly, STICK),
        (limit & (status == STICK) & (slowly | ~runs), SLIP),
        (limit & (status == STICK), GROSS),
        (limit & (status == SLIP), GROSS),
        (normal & (status == OPEN), SLIP),
    ]
    result = status
    for when, to in reversed(choices):
        result = np.where(when, to, result)
    return result
