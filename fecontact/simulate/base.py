"""One entry for all methods of simulation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Protocol

import numpy as np

from fecontact.errors import FINITE, POSITIVE, InputError, SolverError, check, one_of, unknown
from fecontact.simulate.implicit import Implicit
from fecontact.simulate.projected import Projected
from fecontact.simulate.trajectory import Point, SimulationError, Statistics, Status, Trajectory
from fecontact.store.progress import track
from fecontact.system import State, System
from fecontact.system.initial import check_state
from fecontact.typing import Floats

__all__ = ["METHODS", "Method", "simulate"]

OPEN = 1e-6
"""The start may miss the constraints by this much in m, rad, m/s or rad/s."""

REPAIRED = 1e-10
"""A repair of the start above this is told."""


class Method(Protocol):
    """A way to integrate the equation of motion."""

    def points(
        self, system: System, start: Point, goals: Floats, every: bool, statistics: Statistics
    ) -> Iterator[Point]:
        """Yield the start, then all accepted steps up to the last goal, or the goals only."""
        ...


METHODS: dict[str, type[Implicit | Projected]] = {"implicit": Implicit, "projected": Projected}


def simulate(
    system: System,
    t_end: float,
    start: State | None = None,
    method: str = "implicit",
    output: float | Floats | None = None,
    *,
    restart: Trajectory | None = None,
    **options: Any,
) -> Trajectory:
    """Motion of a system from a state to a time.

    Parameters
    ----------
    system
        What moves.
    t_end
        Last time in s.
    start
        From where, by default at rest in the reference position. It must satisfy the constraints.
        Contacts without a history in it start as if they had never touched.
    method
        "implicit" (`Implicit`): generalised-alpha, for stiff and damped systems. "projected"
        (`Projected`): Runge-Kutta with projection, for smooth motions at tight tolerances.
    output
        Interval between stored points in s (changed a little if it does not divide the time), or
        their times; every step by default. The last point is at t_end.
    restart
        A motion to continue from its last point, instead of a start. With the same system, method,
        options and output, "implicit" goes on exactly as if it had not stopped.
    **options
        Fields of the method: step, rtol, atol, ...

    Returns
    -------
    Trajectory
        It starts with the given state. Ctrl-C ends the simulation and returns what was computed,
        with the status "interrupted".

    Raises
    ------
    SimulationError
        A `SolverError`: if a step cannot be solved; an unconverged step is never returned. Its
        `trajectory` is what was computed before, with the status "failed".

    Examples
    --------
    A mass on a spring, 100 rad/s, after one period:

    >>> from fecontact.body import RigidBody
    >>> from fecontact.joint import Bearing
    >>> mass = RigidBody("mass", 1.0, ("ux",))
    >>> system = System([mass], [Bearing(mass, 1e4, 1e4)])
    >>> start = State(0.0, np.array([1e-3]), np.zeros(1))
    >>> motion = simulate(system, 2 * np.pi / 100, start, "projected")
    >>> print(f"{motion.history('mass.ux')[-1]:.9f}")
    0.001000000
    """
    check("method", method, one_of(METHODS))
    known = [field.name for field in fields(METHODS[method])]
    for name in options:
        if name not in known:
            raise unknown(f"option of method '{method}'", name, known)
    chosen = METHODS[method](**options)
    first, message, origin = _start(system, start, method, restart)
    goals = _goals(first.state.t, t_end, output, origin)
    points: list[Point] = []
    statistics = Statistics()
    status: Status = "finished"
    stream = chosen.points(system, first, goals, output is None, statistics)
    total = None if output is None else len(goals) + 1
    try:
        for point in track(stream, f"simulate ({method})", total):
            points.append(point)
    except KeyboardInterrupt:
        if not points:
            raise
        status = "interrupted"
    except SolverError as error:
        if not points:
            raise
        computed = Trajectory.of(system, points, method, "failed", statistics, str(error), origin)
        raise SimulationError(str(error), computed) from error
    return Trajectory.of(system, points, method, status, statistics, message, origin)


def _start(
    system: System, state: State | None, method: str, restart: Trajectory | None
) -> tuple[Point, str, float]:
    """First point, what was repaired, and when the motion began."""
    if not system.size:
        raise InputError("the system has no freedoms; nothing can move")
    if restart is None:
        point, message = _checked(system, system.rest() if state is None else state)
        return point, message, point.state.t
    if state is not None:
        raise InputError("start and restart exclude each other; give one of them")
    if restart.method != method:
        raise InputError(
            f"method = {method} is not possible: the motion to continue was made by "
            f"'{restart.method}'"
        )
    point = restart.point(-1)
    check_state(system, point.state)
    if not np.isfinite(point.resume).all():
        raise InputError("restart: its last point is not one of the method's steps")
    return point, "", restart.origin


def _checked(system: System, state: State) -> tuple[Point, str]:
    """The start on its constraints, which it must nearly satisfy, and what was repaired."""
    check_state(system, state)
    found, repairs = system.consistent(system.memory.filled(state)), []
    for words, change in (("position", found.moved), ("velocity", found.changed)):
        worst = int(np.argmax(np.abs(change)))
        if np.abs(change[worst]) > OPEN:
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


def _goals(start: float, end: float, output: float | Floats | None, origin: float) -> Floats:
    """Times to stop at, after the start; the last one is the end.

    An interval counts from the origin, so that a restarted run has the times of the whole one.
    """
    check("t_end", float(end), FINITE, "s")
    if end <= start:
        raise InputError(f"t_end = {end} s is not possible: it must be after {start} s")
    if output is None:
        return np.array([end])
    if np.ndim(output) == 0:
        check("output", float(output), POSITIVE, "s")
        if float(output) > (end - origin) * (1.0 + 1e-9):
            raise InputError(
                f"output = {output} s is not possible: it must be at most {end - origin:g} s, the "
                "time to simulate"
            )
        count = max(1, round((end - origin) / float(output)))
        times = np.linspace(origin, end, count + 1)
        return times[times > start]
    times = np.asarray(output, dtype=float)
    if times.ndim != 1 or not len(times):
        raise InputError("output: it must be an interval in s or a list of at least one time")
    if np.any(np.diff(times) <= 0.0) or not (origin <= times[0] and times[-1] <= end):
        raise InputError(f"output: times must rise from {origin} s to {end} s at most")
    times = times[times > start]
    return times if len(times) and times[-1] == end else np.append(times, end)
