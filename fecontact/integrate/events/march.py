"""Compiled steps of the event-driven method, up to the first event.

Steps, tests for events and the location of the first one are those of `events.method`, event
functions those of `events.automaton`; what switches then is left to them. Formulas of the steps are
in `solvers.runge_kutta`.
"""

from __future__ import annotations

from math import acos, exp, sqrt

import numpy as np

from fecontact.contact.status import GROSS, OPEN, SLIP, STICK
from fecontact.integrate.rate.equations import COORDINATES, DOF_COUNT, SLIPS, Equations
from fecontact.integrate.rate.march import (
    BROKEN,
    DENSE,
    PAUSED,
    REACHED,
    RTOL,
    Pace,
    dense_output,
    evaluate,
    normalise,
    one_step,
)
from fecontact.kernels.arrays import Bundle
from fecontact.kernels.decorators import kernel
from fecontact.solvers.runge_kutta import T_OLD, RungeKutta, T, interpolate
from fecontact.typing import Floats, Integers

__all__ = ["CLOSE", "EPS", "PSI", "SINCE", "TESTS", "TIME", "Watch", "functions_at", "look_at",
           "march", "settle"]  # fmt: skip

CLOSE = 100.0 * float(np.finfo(float).eps)
"""Width of a located event, relative to time and step."""
EPS, PSI, SINCE, TIME = range(4)
"""Numbers: eps and psi_k of the automaton, time of the last event, time reached."""
TESTS = 0
"""Counts: tests per step."""


class Watch(Bundle):
    """Points between two events, and what the loop knows of them; all (p,) but where stated.

    Attributes
    ----------
    numbers, counts
        By the names above.
    rest, threshold, spent
        As in `EventContacts`; status and directions are in the `Equations`.
    stiffness, spring, relaxation, damped, pulls
        As in `PointLaws` and `EventContacts`.
    first, functions, event : (p, 3)
        Event functions at the start of the step, at the last place, and which fired.
    tested : (3, p, 3)
        Event functions at the last tests.
    size, watched : (p, 3)
        Of the functions, in the location of an event.
    slow
        How often points broke away without being faster than eps.
    """

    numbers: Floats
    counts: Integers
    rest: Floats
    threshold: Floats
    spent: Floats
    stiffness: Floats
    spring: Floats
    relaxation: Floats
    damped: Integers
    pulls: Floats
    first: Floats
    functions: Floats
    event: Integers
    tested: Floats
    size: Floats
    watched: Integers
    slow: Integers


@kernel
def functions_at(s: Equations, w: Watch, t: float, y: Floats) -> None:
    """Event functions, from the signals at a state, as `automaton.event_functions`."""
    x, at = w.numbers, s.sizes[COORDINATES] + s.sizes[DOF_COUNT]
    for i in range(len(s.status)):
        status, g = s.status[i], w.functions[i]
        pressure, limit, grip = s.signals[0, i], s.signals[1, i], s.signals[2, i]
        g[0] = g[1] = 1.0
        if status == STICK:
            g[0] = limit - grip + 2.0 * w.pulls[i]
        elif status == SLIP:
            psi = acos(min(max(s.signals[3, i], -1.0), 1.0))
            bent = 0.0
            for k in range(3):
                bent += y[at + 3 * i + k] ** 2
            full = w.stiffness[i] * sqrt(bent) / limit if limit > 0.0 else 0.0
            turns = max(psi - x[PSI], 1.0 - s.signals[5, i] / x[EPS])
            g[0] = max(turns, (1.0 - full) - x[PSI])
        if status in (SLIP, GROSS):
            g[1] = s.signals[4, i] - w.threshold[i]
        if status == OPEN:
            length = 0.0
            if w.damped[i]:
                length = w.rest[i] * exp(-w.relaxation[i] * (t - x[SINCE]))
            g[2] = max(s.signals[6, i] - length, -pressure)
        else:
            g[2] = pressure + w.pulls[i]


@kernel
def look_at(s: Equations, pace: Pace, w: Watch, t: float, y: Floats) -> bool:
    """Signals and event functions at a state; False if an item fails."""
    if not evaluate(s, pace, t, y, pace.rate):
        return False
    functions_at(s, w, t, y)
    return True


@kernel
def _look_inside(s: Equations, pace: Pace, w: Watch, rk: RungeKutta, t: float) -> bool:
    """The same inside of the last step, or at its end."""
    if t == rk.numbers[T]:
        return look_at(s, pace, w, t, rk.y)
    if not dense_output(s, pace, rk):
        return False
    interpolate(rk, t, pace.state)
    return look_at(s, pace, w, t, pace.state)


@kernel
def _fires(w: Watch, watched: bool) -> bool:
    """Whether functions became negative, or fell further below zero; of those watched, or all."""
    for i in range(len(w.first)):
        for k in range(3):
            if w.functions[i, k] < min(w.first[i, k], 0.0) and (w.watched[i, k] or not watched):
                return True
    return False


@kernel
def _mark(w: Watch, anew: bool) -> None:
    """Note which functions fired, besides those that are noted already."""
    for i in range(len(w.first)):
        for k in range(3):
            fires = w.functions[i, k] < min(w.first[i, k], 0.0)
            w.event[i, k] = int(fires or (w.event[i, k] == 1 and not anew))


@kernel
def _dip(w: Watch, k: int) -> float:
    """As `automaton.dip` of the last three tests; 2 if there is none."""
    a, b, c = w.tested[(k - 2) % 3], w.tested[(k - 1) % 3], w.tested[k % 3]
    found, deepest = 2.0, 0.0
    for i in range(len(a)):
        for j in range(3):
            first, middle, last = a[i, j], b[i, j], c[i, j]
            bend, slope = first - 2.0 * middle + last, 0.5 * (last - first)
            if min(min(first, last), middle) >= 0.0 and abs(slope) < bend:
                at = -slope / bend
                lowest = middle + 0.5 * slope * at
                if lowest < deepest:
                    found, deepest = at, lowest
    return found


@kernel
def _keep_test(w: Watch, k: int) -> None:
    for i in range(len(w.first)):
        for j in range(3):
            w.tested[k % 3, i, j] = w.functions[i, j]


@kernel
def _test(s: Equations, pace: Pace, w: Watch, rk: RungeKutta) -> bool:
    """Look for events in the last step, and locate the first; False if an item fails."""
    x, tests = rk.numbers, w.counts[TESTS]
    width = x[T] - x[T_OLD]
    _clear_events(w)
    for i in range(len(w.first)):
        for j in range(3):
            w.tested[0, i, j] = w.first[i, j]
    before = x[T_OLD]
    for k in range(1, tests + 1):
        t = x[T] if k == tests else x[T_OLD] + k * (width / tests)
        if not _look_inside(s, pace, w, rk, t):
            return False
        _keep_test(w, k)
        dips = _dip(w, k) if k > 1 else 2.0
        if dips < 2.0:
            low = before + dips * (t - before)
            if not _look_inside(s, pace, w, rk, low):
                return False
            if _fires(w, False):
                w.numbers[TIME] = low
                return _locate(s, pace, w, rk)
            for i in range(len(w.first)):
                for j in range(3):
                    w.functions[i, j] = w.tested[k % 3, i, j]
        w.numbers[TIME] = t
        if _fires(w, False):
            return _locate(s, pace, w, rk)
        before = t
    return True


@kernel
def _clear_events(w: Watch) -> None:
    for i in range(len(w.first)):
        for j in range(3):
            w.event[i, j] = 0


@kernel
def _least(w: Watch, values: Floats, positive: bool) -> float:
    """Least of functions relative to their sizes; from zero on if `positive`."""
    least = np.inf
    for i in range(len(values)):
        for j in range(3):
            value = max(values[i, j], 0.0) if positive else values[i, j]
            least = min(least, value / w.size[i, j])
    return float(least)


@kernel
def _watch(w: Watch) -> None:
    """Sizes of the functions that are not negative from the start, or have fired."""
    _mark(w, True)
    for i in range(len(w.first)):
        for j in range(3):
            first = w.first[i, j]
            w.watched[i, j] = int(first >= 0.0 or w.event[i, j] == 1)
            size = max(abs(first), abs(w.functions[i, j]))
            w.size[i, j] = size if w.watched[i, j] and size > 0.0 else np.inf


@kernel
def _locate(s: Equations, pace: Pace, w: Watch, rk: RungeKutta) -> bool:
    """Move the time reached to just behind the first event; False if an item fails.

    See `EventRun._locate`.
    """
    low, high = rk.numbers[T_OLD], w.numbers[TIME]
    _watch(w)
    a, b = _least(w, w.first, True), _least(w, w.functions, False)
    tau, count, side = CLOSE * (abs(high) + high - low), 0, 0
    while high - low > tau:
        count += 1
        fraction = 0.5 if count % 3 == 0 or a == 0.0 else a / (a - b)
        edge = 0.4 * tau / (high - low)
        t = low + (high - low) * min(max(fraction, edge), 1.0 - edge)
        if not _look_inside(s, pace, w, rk, t):
            return False
        c = _least(w, w.functions, False)
        if _fires(w, True):
            a = 0.5 * a if side > 0 else a
            high, b, side = t, min(c, -np.finfo(np.float64).tiny), 1
            _mark(w, True)
        else:
            b = 0.5 * b if side < 0 else b
            low, a, side = t, max(c, 0.0), -1
    w.numbers[TIME] = high
    return _together(s, pace, w, rk, high)


@kernel
def _together(s: Equations, pace: Pace, w: Watch, rk: RungeKutta, t: float) -> bool:
    """Add events that the error of the step cannot tell from the first, see `EventRun`."""
    x = rk.numbers
    later = min(t + pace.numbers[RTOL] * (x[T] - x[T_OLD]), x[T])
    if not _look_inside(s, pace, w, rk, later):
        return False
    _mark(w, False)
    for i in range(len(w.first)):
        for j in range(3):
            w.event[i, j] *= w.watched[i, j]
    return True


@kernel
def _any_event(w: Watch) -> bool:
    for i in range(len(w.first)):
        for j in range(3):
            if w.event[i, j]:
                return True
    return False


@kernel
def _accept(s: Equations, w: Watch, y: Floats) -> None:
    """New thresholds and directions of slip, as `EventContacts.accepted`."""
    eps, slips = w.numbers[EPS], s.sizes[SLIPS]
    for i in range(len(s.status)):
        status, speed = s.status[i], s.signals[5, i]
        if speed > eps:
            w.slow[i] = 0
        work, size = y[slips + 2 * i], 0.0
        if status == GROSS:
            bent = w.spring[i] * (s.signals[2, i] / w.stiffness[i]) ** 2
            work -= min(bent, max(work - w.spent[i], 0.0))
        w.spent[i] = work
        slides = status in (SLIP, GROSS)
        w.threshold[i] = min(eps, abs(s.signals[4, i])) if slides else eps
        for k in range(3):
            size += s.signals[7 + k, i] ** 2
        size = sqrt(size)
        for k in range(3):
            s.toward[i, k] = s.signals[7 + k, i] / size if size > 0.0 else 0.0


@kernel
def settle(s: Equations, pace: Pace, w: Watch, rk: RungeKutta) -> bool:
    """After a step without an event: unit quaternions, thresholds and directions of slip."""
    t = rk.numbers[T]
    normalise(s, pace, rk)
    if not evaluate(s, pace, t, rk.y, rk.K[0]):
        return False
    _accept(s, w, rk.y)
    if not evaluate(s, pace, t, rk.y, rk.K[0]):
        return False
    functions_at(s, w, t, rk.y)
    for i in range(len(w.first)):
        for j in range(3):
            w.first[i, j] = w.functions[i, j]
    pace.numbers[DENSE] = 0.0
    return True


@kernel
def march(
    s: Equations, pace: Pace, w: Watch, rk: RungeKutta, goal: float, most: int
) -> int:  # fmt: skip
    """Steps up to the first event, or the first one that reaches the goal; at most so many.

    The last step is left as it is found: who switches or shows something there settles it.
    """
    while True:
        why = one_step(s, pace, rk)
        if why != REACHED:
            return why
        if not _test(s, pace, w, rk):
            return BROKEN
        if _any_event(w) or rk.numbers[T] >= goal:
            return REACHED
        most -= 1
        if most <= 0:
            return PAUSED
        if not settle(s, pace, w, rk):
            return BROKEN
