"""User events between accepted steps, callbacks, and a clean stop; common to all methods.

Between two points q and v are cubic Hermite polynomials through both ends with their rates, the
contact variables z are linear: errors of order 4 in the step. `projected` and `ode` take long
steps; with events, limit them by their option `step`.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from numbers import Real

import numpy as np
from scipy.optimize import brentq

from fecontact.errors import Allowed, InputError, check
from fecontact.interrupts import raising
from fecontact.results.point import Crossing, Point
from fecontact.results.switches import NO_SWITCHES
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["Event", "Terminated", "Watch", "between", "stopping_on_signals"]

DIRECTION = Allowed("-1, 0 or 1", lambda x: x in (-1, 0, 1))
FRACTION = 1e-12
"""Accuracy of the time of an event, relative to its step."""


@dataclass(frozen=True)
class Event:
    """A zero crossing of a function of time and state.

    Parameters
    ----------
    function
        g(t, state).
    name
        Name in messages and results.
    terminal
        Whether the simulation ends there.
    direction
        1: only where g rises, -1: only where it falls, 0: both.
    """

    function: Callable[[float, State], float]
    name: str = "event"
    terminal: bool = False
    direction: int = 0

    def __post_init__(self) -> None:
        check(f"{self.name}: direction", self.direction, DIRECTION)

    def value(self, t: float, state: State) -> float:
        """g(t, state), which must be one finite number."""
        found = self.function(t, state)
        if np.ndim(found) or not isinstance(found, Real) or not np.isfinite(found):
            raise InputError(
                f"event '{self.name}': invalid value {found} at t = {t:.6g} s: expected one finite "
                "number"
            )
        return float(found)


def between(system: System, before: Point, after: Point) -> Callable[[float], State]:
    """State over time between two points of a motion."""
    a, b = before.state, after.state
    h = b.t - a.t
    rates = [system.rate(state.q, state.v) for state in (a, b)]
    still = np.zeros(system.size)

    def at(t: float) -> State:
        s = (t - a.t) / h
        q = _hermite(s, h, (a.q, b.q), (rates[0], rates[1]))
        v = _hermite(s, h, (a.v, b.v), (before.acceleration, after.acceleration))
        z, slip_totals = (
            (1.0 - s) * x + s * y for x, y in ((a.z, b.z), (a.slip_totals, b.slip_totals))
        )
        return replace(a, t=t, q=system.move(q, still), v=v, z=z, slip_totals=slip_totals)

    return at


def _hermite(
    s: float, h: float, ends: tuple[Floats, Floats], rates: tuple[Floats, Floats]
) -> Floats:
    """Cubic through both ends with their rates."""
    rise = ends[1] - ends[0]
    bend = (1.0 - s) * (h * rates[0] - rise) - s * (h * rates[1] - rise)
    return ends[0] + s * (rise + (1.0 - s) * bend)


class Watch:
    """Looks at each accepted point: events, output times, callback.

    Attributes
    ----------
    crossings
        Events so far, in order of time.
    stopped
        Why the motion ends early; empty if it does not.
    """

    def __init__(
        self,
        system: System,
        events: Sequence[Event] = (),
        times: Floats | None = None,
        callback: Callable[[Point], bool | None] | None = None,
    ) -> None:
        if isinstance(events, Event) or not all(isinstance(event, Event) for event in events):
            raise InputError("invalid events: expected a list of `Event`s, [Event(function, name)]")
        if callback is not None and not callable(callback):
            raise InputError(f"invalid callback = {callback!r}: expected a function")
        self.system, self.events, self.callback = system, tuple(events), callback
        self.times = None if times is None else set(times.tolist())
        self.crossings: list[Crossing] = []
        self.stopped = ""

    def kept(self, stream: Iterator[Point]) -> Iterator[Point]:
        """Points to keep: the first, those at output times, and a terminal event as the last."""
        before: Point | None = None
        switches = NO_SWITCHES
        for point in stream:
            end = self._last(before, point) if self.events and before is not None else None
            if len(point.switches):
                switches = np.vstack([switches, point.switches])
            if end is not None:
                yield end._replace(switches=switches[switches[:, 0] <= end.state.t])
                return
            if before is None or self.times is None or point.state.t in self.times:
                yield point._replace(switches=switches)
                switches = NO_SWITCHES
                if self.callback is not None and self.callback(point):
                    self.stopped = f"stopped by the callback at t = {point.state.t:.9g} s"
                    return
            before = point

    def crosses(self, before: Point, after: Point) -> bool:
        """Whether an event function changes its sign between two points, or is zero at the last."""
        a, b = before.state, after.state
        return any(_crossed(e.value(a.t, a), e.value(b.t, b)) for e in self.events)

    def _last(self, before: Point, after: Point) -> Point | None:
        """Note all events of a step; the point of the first terminal one."""
        found = sorted(self._found(before, after), key=lambda hit: hit[0])
        at = between(self.system, before, after)
        for t, event in found:
            state = at(t)
            self.crossings.append(Crossing(event.name, state))
            if event.terminal:
                self.stopped = f"event '{event.name}' at t = {t:.9g} s"
                acceleration, lam = self.system.accelerations(state)
                energies = _at(t, before, after)
                return Point(replace(state, lam=lam), acceleration, energies=energies)
        return None

    def _found(self, before: Point, after: Point) -> Iterator[tuple[float, Event]]:
        at, start, end = between(self.system, before, after), before.state, after.state
        for event in self.events:
            g = event.value
            first, last = g(start.t, start), g(end.t, end)
            if not _crossed(first, last) or event.direction * (last - first) < 0.0:
                continue
            width = end.t - start.t

            def along(t: float, g: Callable[[float, State], float] = g) -> float:
                return g(t, at(t))

            t = end.t if last == 0.0 else brentq(along, start.t, end.t, xtol=FRACTION * width)
            yield float(t), event


class Terminated(KeyboardInterrupt):
    """SIGTERM ended a simulation; all that was computed is stored.

    Unlike Ctrl-C, which ends one simulation and returns it, it ends all that follows too.
    """


@contextmanager
def stopping_on_signals() -> Iterator[None]:
    """SIGTERM raises `Terminated`; only the main thread can arrange that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    stop = raising(lambda: Terminated("terminated; restart continues the motion"))
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _crossed(first: float, last: float) -> bool:
    return first != 0.0 and first * last <= 0.0


def _at(t: float, before: Point, after: Point) -> Floats:
    """Lines of the energy audit within a step, on the line between its ends; none without audit."""
    if len(before.energies) != len(after.energies):
        return np.empty(0)
    fraction = (t - before.state.t) / (after.state.t - before.state.t)
    return np.asarray(before.energies + fraction * (after.energies - before.energies))
