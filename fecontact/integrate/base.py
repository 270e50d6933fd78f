"""One entry for all methods of simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from fecontact.errors import (
    SlowContactWarning,
    SolverError,
    check,
    one_of,
    renamed_keywords,
    unknown,
    warn_caller,
)
from fecontact.integrate.events.method import Events
from fecontact.integrate.explicit.method import Explicit
from fecontact.integrate.implicit.method import Implicit
from fecontact.integrate.implicit.resolution import (
    Growth,
    numerical_growth,
    theta_growth,
    unresolved_growth,
)
from fecontact.integrate.moreau.method import Moreau
from fecontact.integrate.rate.ode import Ode
from fecontact.integrate.rate.projected import Projected
from fecontact.integrate.start import first_point, output_times
from fecontact.integrate.storing import Recorder, continued
from fecontact.integrate.watch import Event, Terminated, Watch, stopping_on_signals
from fecontact.interrupts import out_of_kernels, part_of, raise_swallowed
from fecontact.results.audit import warning_of
from fecontact.results.geometry import BodyGeometry, stored
from fecontact.results.memory import MemoryRun
from fecontact.results.point import Point
from fecontact.results.progress import clock
from fecontact.results.recording import Recording
from fecontact.results.result import FORMER_METHODS, Result, Status
from fecontact.results.statistics import Statistics
from fecontact.solvers.threads import small_on_one_thread
from fecontact.system import State, System
from fecontact.system.validity.deep import pressed_deep
from fecontact.system.validity.deformed import deformed_much
from fecontact.typing import Floats

__all__ = ["METHODS", "Method", "SimulationError", "simulate"]

LOOKS = 8
"""Points of a motion at which its step is judged; contacts may be open at some of them."""


class SimulationError(SolverError):
    """A simulation that cannot go on.

    Attributes
    ----------
    result
        What was computed before, with the status "failed".
    """

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result

    @property
    def trajectory(self) -> Result:
        """Former name of `result`."""
        return self.result


class Method(Protocol):
    """A way to integrate the equation of motion."""

    def points(
        self, system: System, start: Point, goals: Floats, every: bool, statistics: Statistics
    ) -> Iterator[Point]:
        """Yield the start, then the goals, and if `every` all accepted steps too."""
        ...


METHODS: dict[str, type[Any]] = {
    "implicit": Implicit, "explicit": Explicit, "projected": Projected, "ode": Ode,
    "events": Events, "moreau": Moreau,
}  # fmt: skip


OF_THE_PACKAGE = "a slave and a master of the package are compiled (docs/contact.md)"
"""Cure for a contact without a compiled form."""


@renamed_keywords(most_steps="max_steps", lane="backend")
@small_on_one_thread
def simulate(
    system: System,
    t_end: float,
    start: State | None = None,
    method: str = "implicit",
    output: float | Floats | None = None,
    *,
    store: str | Path | None = None,
    restart: Result | str | Path | None = None,
    events: Sequence[Event] = (),
    callback: Callable[[Point], bool | None] | None = None,
    geometry: Sequence[BodyGeometry] = (),
    overwrite: bool = False,
    compress: bool = False,
    **options: Any,
) -> Result:
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
        "implicit" (`Implicit`): generalised-alpha, for stiff and damped systems. "explicit"
        (`Explicit`): central differences, the fast method for many contact points. "projected"
        (`Projected`): Runge-Kutta with projection, for smooth motions at tight tolerances. "ode"
        (`Ode`): ODE solvers on the continuous friction law, a slow reference solution. "events"
        (`Events`): from switch to switch of the contact points, to the tolerance of ODE solvers.
        "moreau" (`Moreau`): time stepping with impacts and set-valued friction, for rigid contacts.
    output
        Interval between stored points in s (changed a little if it does not divide the time), or
        their times; every step by default. The last point is at t_end.
    store
        Result file to write while the run goes on; `Result.load` reads it.
    restart
        A motion, or the result file of one, to continue from its last point, instead of a start.
        With the same system, method, options and output, "implicit", "explicit" and "moreau" go
        on exactly as if they had not stopped. A file is continued in place, unless `store` names
        another.
    events
        Zero crossings of functions of time and state, located between the steps (`Event`). A
        terminal one ends the motion with the status "stopped".
    callback
        Called with each stored `Point`; the simulation stops if it returns True.
    geometry
        Bodies for pictures, which go to the result file; a continued file keeps its own.
    overwrite, compress
        Whether an existing file may be replaced; whether fields are compressed.
    **options
        Fields of the method: step, rtol, atol, ..., and max_steps of all methods.

    Returns
    -------
    Result
        In memory; it starts with the given state, or where a restart begins. Ctrl-C ends the
        simulation and returns what was computed, with the status "interrupted"; in a case or
        command it ends these too.

    Raises
    ------
    Terminated
        A `KeyboardInterrupt`: at SIGTERM, after what was computed is stored.
    SimulationError
        A `SolverError`: if a step cannot be solved; an unconverged step is never returned. Its
        `result` is what was computed before, with the status "failed".

    Examples
    --------
    A mass on a spring, 100 rad/s, after one period:

    >>> from math import pi
    >>> from fecontact.body import RigidBody
    >>> from fecontact.joint import Bearing
    >>> mass = RigidBody("mass", 1.0, ("ux",))
    >>> system = System([mass], [Bearing(mass, 1e4, 1e4)])
    >>> start = system.state(q={"mass.ux": 1e-3})
    >>> motion = simulate(system, 2 * pi / 100, start, "projected")
    >>> print(f"{motion.history('mass.ux')[-1]:.9f}")
    0.001000000
    """
    method = _named(method)
    chosen = _method(method, options)
    earlier = None
    if isinstance(restart, str | Path):
        path, (restart, earlier) = restart, continued(restart, system)
        store = path if store is None else store
    every = output is None or bool(events)
    apart = None if every else getattr(chosen, "starts_apart", None)
    first, message, origin = first_point(system, start, method, restart, apart)
    goals = output_times(first.state.t, t_end, output, origin)
    _tell_slow_contacts(system, method)
    coarse = _coarse(chosen, system, [first])
    if coarse:
        warn_caller(coarse)
    watch = Watch(system, events, None if output is None else goals, callback)
    names = [event.name for event in events]
    if earlier is not None:
        geometry, names = stored(earlier), [*earlier.about.get("events", []), *names]
    recording = Recording(system, method, asdict(chosen), geometry, names)
    expected = 0 if output is None else len(goals)
    recorder = Recorder(recording, store, origin, earlier, overwrite, compress, expected)
    kept = _Kept(system, recording, recorder, watch, origin)

    def ended(status: Status, why: str) -> Result:
        step = coarse or _coarse(chosen, system, kept.points[1:])  # the first one has been judged
        return kept.result(status, message, step, why)

    if isinstance(chosen, Explicit) and events and output is not None:
        stream = chosen.points(system, first, goals, False, kept.statistics, watch.crosses)
    else:
        stream = chosen.points(system, first, goals, every, kept.statistics)
    shown = clock(f"simulate ({method})", first.state.t, float(goals[-1]))
    with recorder, stopping_on_signals(), shown as show:
        return kept.run(_seen(stream, show), ended)


@dataclass
class _Kept:
    """Points of a run that are kept, in memory and in its file, and how it ends."""

    system: System
    recording: Recording
    recorder: Recorder
    watch: Watch
    origin: float
    statistics: Statistics = field(default_factory=Statistics)
    points: list[Point] = field(default_factory=list)
    counters: list[tuple[int, ...]] = field(default_factory=list)

    def run(self, stream: Iterator[Point], ended: Callable[[Status, str], Result]) -> Result:
        """Keep the points of a stream to its end; what it has so far if it ends early."""
        try:
            with out_of_kernels():
                for point in self.watch.kept(stream):
                    self.points.append(point.kept)
                    self.counters.append(self.statistics.counts)
                    self.recorder.add(point, self.statistics, self.watch.crossings)
        except KeyboardInterrupt as stop:
            if not self.points:
                raise
            found = ended("interrupted", "interrupted; restart continues the motion")
            if isinstance(stop, Terminated):
                raise
            return part_of(found)
        except SolverError as error:
            if not self.points:
                raise
            raise SimulationError(str(error), ended("failed", str(error))) from error
        return ended("stopped" if self.watch.stopped else "finished", self.watch.stopped)

    def result(self, status: Status, message: str, step: str, why: str) -> Result:
        """The motion so far, with all that its user should know."""
        crossings, states = self.watch.crossings, [each.state for each in self.points]
        run = MemoryRun.of(
            self.recording, self.points, self.counters, status, self.origin, crossings
        )
        motion = Result(run, slice(None), self.system)
        audit = warning_of(motion.energies)
        large = *deformed_much(self.system, states), *pressed_deep(self.system, states)
        advice = step, self.statistics.warning, audit, *large
        said = "; ".join(words for words in (message, *advice, why) if words)
        self.recorder.end(status, said, crossings)
        return replace(motion, run=replace(run, message=said))


def _tell_slow_contacts(system: System, method: str) -> None:
    """Tell once of contacts that have no compiled form, with the reason and the cure."""
    if method in ("events", "moreau"):
        return
    for item in system.stateful_contacts:
        why = getattr(item, "not_compiled", None)
        if why is not None:
            written = "written in Python" in why
            cure = "give the law functions of a point" if written else OF_THE_PACKAGE
            warn_caller(
                f"{item.name}: {why}: no compiled form, the reference backend evaluates its "
                f"points in numpy; {cure}",
                SlowContactWarning,
            )


def _coarse(method: Any, system: System, points: Sequence[Point]) -> str:
    """What a fixed step does not resolve at some of the points; empty if it is not fixed."""
    if not isinstance(method, Implicit | Moreau) or method.step is None:
        return ""
    growth: Growth = (
        partial(numerical_growth, rho_inf=method.rho_inf)
        if isinstance(method, Implicit)
        else partial(theta_growth, theta=method.theta)
    )
    some = points[:: max(1, -(-len(points) // LOOKS))]
    found = (unresolved_growth(system, p.state, method.step, growth) for p in some)
    return next((words for words in found if words), "")


def _seen(stream: Iterator[Point], show: Callable[[float], None]) -> Iterator[Point]:
    """Points of a stream, each shown on the clock."""
    for point in stream:
        raise_swallowed()
        show(point.state.t)
        yield point


def _named(method: str) -> str:
    """Name of a method; former names give a warning."""
    if method not in FORMER_METHODS:
        return method
    now = FORMER_METHODS[method]
    warn_caller(f"method = {method} is now called '{now}'", DeprecationWarning)
    return now


def _method(name: str, options: dict[str, Any]) -> Any:
    """Method of a name with its options."""
    check("method", name, one_of(METHODS))
    known = [each.name for each in fields(METHODS[name])]
    for option in options:
        if option not in known:
            raise unknown(f"option of method '{name}'", option, known)
    return METHODS[name](**options)
