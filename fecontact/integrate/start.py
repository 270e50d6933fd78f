"""Where a simulation starts, and at which times it gives points."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from fecontact.contact.evaluate.compiled.step import in_reference_form
from fecontact.contact.history import refuse_pressed_through
from fecontact.contact.laws.base import stateful
from fecontact.contact.pair import ContactPair
from fecontact.contact.status import OPEN
from fecontact.errors import POSITIVE, Allowed, InputError, check, check_kind
from fecontact.results.point import Point
from fecontact.results.result import Result
from fecontact.system import State, System
from fecontact.system.initial import check_state
from fecontact.typing import Floats

__all__ = ["first_point", "output_times"]

NUMBER = Allowed("a finite number", math.isfinite)
MAX_POINTS = 10**8
"""Points that a motion may have."""
EVEN = 1e-9
"""An interval that divides the time to this accuracy is kept as it is."""
MISSED = 1e-6
"""The start may miss the constraints by this much in m, rad, m/s or rad/s."""

REPAIRED = 1e-10
"""A repair of the start above this is told."""


def first_point(
    system: System, state: State | None, method: str, restart: Result | None,
    apart: Callable[[System], bool] | None = None,
) -> tuple[Point, str, float]:  # fmt: skip
    """First point, what was repaired, and when the motion began.

    `apart` tells whether the motion has no use for the kernels of contacts; the start then does
    without them.
    """
    check_kind("system", system, System)
    if not system.size:
        raise InputError("the system has no dofs; nothing can move")
    if restart is None:
        with in_reference_form(apart is not None and apart(system)):
            point, message = _checked(system, system.rest() if state is None else state)
        return point, message, point.state.t
    if state is not None:
        raise InputError("start and restart exclude each other; give one of them")
    if not isinstance(restart, Result):
        raise InputError(
            f"invalid restart = {type(restart).__name__}: expected a result or a result file"
        )
    if restart.method != method:
        raise InputError(
            f"invalid method = {method}: expected '{restart.method}', which made the motion to "
            "continue"
        )
    whole = np.flatnonzero(np.isfinite(restart.resume).all(axis=1))  # an event is no step
    if not len(whole):
        raise InputError("restart: the motion has no point from which its method can go on")
    point = restart.point(int(whole[-1]))
    check_state(system, point.state)
    return point, "", restart.origin


def _checked(system: System, state: State) -> tuple[Point, str]:
    """The start on its constraints, which it must nearly satisfy, and what was repaired."""
    if not isinstance(state, State):
        raise InputError(
            f"invalid start = {type(state).__name__}: expected a state, such as "
            "system.state(q={...}, v={...})"
        )
    check_state(system, state)
    found, repairs = system.consistent(system.history_layout.filled(state)), []
    found = replace(found, state=_pressed(system, found.state))
    for words, change in (("position", found.moved), ("velocity", found.changed)):
        worst = int(np.argmax(np.abs(change)))
        if np.abs(change[worst]) > MISSED:
            raise InputError(
                f"the {words} of the start does not satisfy the constraints: '"
                f"{system.coordinates[worst]}' would change by {change[worst]:.3g}; start from "
                "system.consistent(state).state"
            )
        if np.abs(change[worst]) > REPAIRED:
            repairs.append(
                f"{words} of '{system.coordinates[worst]}' moved by {change[worst]:.1e} onto the "
                "constraints"
            )
    message = f"start repaired: {', '.join(repairs)}" if repairs else ""
    return Point(found.state, found.acceleration), message


def _pressed(system: System, state: State) -> State:
    """The start with layers that fit its gaps; none that never touched is deeper than thick."""
    z = state.z.copy()
    for pair in system.items:
        if not isinstance(pair, ContactPair):
            continue
        gap = pair.kinematics(*system.local(pair, state), state.t).gap
        untouched = slice(None)
        if pair.columns:
            untouched = system.history_layout.history(state, pair.name).status == OPEN
        refuse_pressed_through(pair.name, pair.normal, gap[untouched])
        layer = stateful(pair.normal)
        if layer is not None:
            own = z[system.history_layout.z[pair.name]].reshape(-1, pair.columns)
            own[:, -layer.width :] = layer.settled(own[:, -layer.width :], gap)
    return replace(state, z=z)


def output_times(start: float, end: float, output: float | Floats | None, origin: float) -> Floats:
    """Times to stop at, after the start; the last one is the end.

    An interval counts from the origin, so that a restarted run has the times of the whole one, to
    the last bit if the interval divides both.
    """
    check("t_end", end, NUMBER, "s")
    if end <= start:
        raise InputError(f"invalid t_end = {end} s: expected after {start} s")
    if output is None:
        return np.array([end])
    if np.ndim(output) == 0:
        check("output", output, POSITIVE, "s")
        if float(output) > (end - origin) * (1.0 + 1e-9):
            raise InputError(
                f"invalid output = {output} s: expected at most {end - origin:g} s, the time to "
                "simulate"
            )
        count = max(1, round((end - origin) / float(output)))
        if count > MAX_POINTS:
            raise InputError(
                f"invalid output = {output} s, which makes {count:.1e} points: expected at most "
                f"{MAX_POINTS:.0e}"
            )
        if abs(count * float(output) / (end - origin) - 1.0) < EVEN:
            times = np.append(origin + float(output) * np.arange(count), end)
        else:
            times = np.linspace(origin, end, count + 1)
        return times[times > start]
    times = np.asarray(output, dtype=float)
    if times.ndim != 1 or not len(times):
        raise InputError("invalid output: expected an interval in s or a list of at least one time")
    if not np.all(np.diff(times) > 0.0) or not (origin <= times[0] and times[-1] <= end):
        raise InputError(
            f"invalid output: expected rising times from {origin} s to {end} s at most"
        )
    times = times[times > start]
    return times if len(times) and times[-1] == end else np.append(times, end)
