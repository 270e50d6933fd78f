"""Discrete states of contact points: stick, slip, gross slip, open, and how they change.

Ten transitions lead from state to state (Stamm 5.3). Gross slip -> slip and open -> slip do not
exist: nothing is known of the bristle there. The nets of different points are independent. Every
state has three event functions, positive while it lasts (Stamm 5.32, corrected):

    stick        mu p - |T|        1                 p
    slip         psi - psi_k       |w'| - eps        p
    gross slip   1                 |s| - eps         p
    open         1                 1                 g - u

with slip velocity s, plastic part w' of it, angle psi between -T and s, free length u of an open
layer. If several fire at once: open before stick before slip before gross slip (Stamm 5.13).

Just after break-away |w'| is below eps and must not end the slip that begins. So the threshold of
a step is min(eps, |w'| at its start): slip ends where it is slow and slows down (Stamm 5.24).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fecontact.contact._kernels import GROSS, OPEN, SLIP, STICK
from fecontact.typing import Floats, Integers

__all__ = ["ARCS", "Signals", "event_functions", "fired", "next_modes", "thresholds"]

Booleans = npt.NDArray[np.bool_]

ARCS: dict[int, tuple[int, ...]] = {
    STICK: (OPEN, SLIP, GROSS),
    SLIP: (OPEN, STICK, GROSS),
    GROSS: (OPEN, STICK),
    OPEN: (STICK, GROSS),
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
    """

    pressure: Floats
    limit: Floats
    grip: Floats
    angle: Floats
    slide: Floats
    speed: Floats
    distance: Floats


def thresholds(mode: Integers, slide: Floats, eps: float) -> Floats:
    """Speeds (p,) below which slip ends in the step that starts now: min(eps, slide)."""
    slides = (mode == SLIP) | (mode == GROSS)
    return np.where(slides, np.minimum(eps, slide), eps)


def event_functions(mode: Integers, now: Signals, threshold: Floats, angle: float) -> Floats:
    """Event functions (p, 3), positive inside the state.

    An open layer that relaxes leaves the other side with the speed of its end; so that round-off
    closes no contact that just opened, it must also press: the third function is max(g - u, -p).
    """
    one = np.ones(len(mode))
    first = np.select([mode == STICK, mode == SLIP], [now.limit - now.grip, now.angle - angle], one)
    slides = (mode == SLIP) | (mode == GROSS)
    second = np.where(slides, now.slide - threshold, one)
    third = np.where(mode == OPEN, np.maximum(now.distance, -now.pressure), now.pressure)
    return np.column_stack([first, second, third])


def fired(before: Floats, after: Floats) -> Booleans:
    """Events between two instants: a function becomes negative, or falls further below zero.

    Zero is inside: it is legitimate just after a switch.
    """
    return after < np.minimum(before, 0.0)


def next_modes(mode: Integers, event: Booleans, now: Signals, eps: float, angle: float) -> Integers:
    """States (p,) after events (p, 3), by their priority.

    A sliding point that only turned fast stays in gross slip.

    Examples
    --------
    A sticking point lets go, with the slip along the friction:

    >>> one = np.ones(1)
    >>> now = Signals(one, 0.5 * one, 0.51 * one, 0.0 * one, one, one, -one)
    >>> next_modes(np.array([STICK]), np.array([[True, False, False]]), now, 1e-6, 1e-3).tolist()
    [3]
    """
    limit, slow, normal = event.T
    aligned, slowly = now.angle < angle, now.speed <= eps
    choices = [
        (normal & (mode != OPEN), OPEN),
        (slow & (mode == SLIP), STICK),
        (slow & (mode == GROSS) & slowly, STICK),
        (normal & (mode == OPEN) & slowly, STICK),
        (limit & (mode == STICK) & ~aligned, SLIP),
        (limit & (mode == STICK), GROSS),
        (limit & (mode == SLIP), GROSS),
        (normal & (mode == OPEN), GROSS),
    ]
    return np.select([when for when, _ in choices], [to for _, to in choices], mode)
