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
from fecontact.typing import Floats

__all__ = ["METHODS", "Method", "simulate"]

OPEN = 1e-6
"""The start may miss the constraints by this much in m, rad, m/s or rad/s."""


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
    state: State,
    t_end: float,
    method: str = "implicit",
    *,
    output: float | Floats | None = None,
    **options: Any,
) -> Trajectory:
    """Motion of a system from a state to a time.

    Parameters
    ----------
    system, state
        What moves, and from where; the state must satisfy the constraints.
    t_end
        Last time in s.
    method
        "implicit" (`Implicit`): generalised-alpha, for stiff and damped systems. "projected"
        (`Projected`): Runge-Kutta with projection, for smooth motions at tight tolerances.
    output
        Interval between stored points in s (changed a little if it does not divide the time), or
        their times; every step by default. The last point is at t_end.
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
    >>> motion = simulate(system, start, 2 * np.pi / 100, "projected")
    >>> print(f"{motion.history('mass.ux')[-1]:.9f}")
    0.001000000
    """
    check("method", method, one_of(METHODS))
    known = [field.name for field in fields(METHODS[method])]
    for name in options:
        if name not in known:
            raise unknown(f"option of method '{method}'", name, known)
    chosen = METHODS[method](**options)
    start = _checked(system, state)
    goals = _goals(start.state.t, t_end, output)
    points: list[Point] = []
    statistics = Statistics()
    status: Status = "finished"
    stream = chosen.points(system, start, goals, output is None, statistics)
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
        computed = Trajectory.of(system, points, method, "failed", statistics)
        raise SimulationError(str(error), computed) from error
    return Trajectory.of(system, points, method, status, statistics)


def _checked(system: System, state: State) -> Point:
    """The start on its constraints, which it must nearly satisfy."""
    if not system.size:
        raise InputError("the system has no freedoms; nothing can move")
    found = system.consistent(state)
    for words, change in (("position", found.moved), ("velocity", found.changed)):
        worst = int(np.argmax(np.abs(change)))
        if np.abs(change[worst]) > OPEN:
            raise InputError(
                f"the {words} of the start does not satisfy the constraints: '"
                f"{system.coordinates[worst]}' would change by {change[worst]:.3g}; start from "
                "system.consistent(state).state"
            )
    return Point(found.state, found.acceleration)


def _goals(start: float, end: float, output: float | Floats | None) -> Floats:
    """Times to stop at, after the start; the last one is the end."""
    check("t_end", float(end), FINITE, "s")
    if end <= start:
        raise InputError(f"t_end = {end} s is not possible: it must be after {start} s")
    if output is None:
        return np.array([end])
    if np.ndim(output) == 0:
        check("output", float(output), POSITIVE, "s")
        count = max(1, round((end - start) / float(output)))
        return np.linspace(start, end, count + 1)[1:]
    times = np.asarray(output, dtype=float)
    if times.ndim != 1 or not len(times):
        raise InputError("output: it must be an interval in s or a list of at least one time")
    if np.any(np.diff(times) <= 0.0) or not (start <= times[0] and times[-1] <= end):
        raise InputError(f"output: times must rise from {start} s to {end} s at most")
    times = times[times > start]
    return times if len(times) and times[-1] == end else np.append(times, end)
