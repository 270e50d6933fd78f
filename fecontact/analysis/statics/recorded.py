"""Load paths as results: the same records as those of simulations, in memory and in files.

The load parameter is the time of the records, the velocities are zero. What a path needs to go on
is the unknowns of its last increment and the history of its contacts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from fecontact.analysis.statics.increment import Increment
from fecontact.analysis.statics.system_path import StaticSystem
from fecontact.errors import InputError
from fecontact.integrate.storing import Recorder, continued
from fecontact.results.geometry import BodyGeometry, stored
from fecontact.results.hdf5.file import StoredRun
from fecontact.results.memory import MemoryRun
from fecontact.results.point import Point
from fecontact.results.recording import Recording
from fecontact.results.result import Result
from fecontact.results.statistics import Statistics

__all__ = ["METHOD", "Recorded", "Storing", "resumed"]

METHOD = "statics"


@dataclass(frozen=True, eq=False)
class Recorded:
    """How a path is recorded.

    Attributes
    ----------
    problem, options
        The system, and the options of the path.
    geometry
        Bodies for pictures.
    store, earlier, overwrite
        Result file, the run in it that is continued, and whether it may be replaced.
    """

    problem: StaticSystem
    options: Mapping[str, Any]
    geometry: Sequence[BodyGeometry] = ()
    store: str | Path | None = None
    earlier: StoredRun | None = None
    overwrite: bool = False

    @property
    def recording(self) -> Recording:
        """Names and parts of the records."""
        drawn = self.geometry if self.earlier is None else stored(self.earlier)
        return Recording(self.problem.system, METHOD, self.options, drawn)

    def point(self, increment: Increment) -> Point:
        """Record of an increment."""
        system = self.problem.system
        state = self.problem.state(increment.t, increment.x)
        histories = {name: increment.contacts[name].history for name in system.history_layout.names}
        reports = {name: found.report for name, found in increment.contacts.items()}
        whole = system.history_layout.with_histories(state, histories)
        return Point(whole, np.zeros(system.size), increment.x, reports=reports)

    def result(self, increments: Sequence[Increment], complete: bool) -> Result:
        """Result in memory."""
        points = [self.point(each).kept for each in increments]
        iterations = np.cumsum([each.iterations for each in increments]).tolist()
        counters = [counted(i, n).counts for i, n in enumerate(iterations, start=1)]
        status = "finished" if complete else "interrupted"
        run = MemoryRun.of(self.recording, points, counters, status)
        return Result(run, slice(None), self.problem.system)


def counted(steps: int, iterations: int) -> Statistics:
    """Counters of a path."""
    return Statistics(steps=steps, iterations=iterations)


class Storing:
    """Writes increments to a result file as they come; without a file it does nothing."""

    def __init__(self, recorded: Recorded | None) -> None:
        self.recorded = recorded
        self.recorder: Recorder | None = None
        self.steps = self.iterations = 0

    def __enter__(self) -> Storing:
        own = self.recorded
        if own is not None and own.store is not None:
            origin = 0.0 if own.earlier is None else float(own.earlier.layout["origin"] or 0.0)
            how = own.overwrite, False
            self.recorder = Recorder(own.recording, own.store, origin, own.earlier, *how)
            self.recorder.__enter__()
            if own.earlier is not None:  # the first point is the last record of the earlier run
                last = Result(own.earlier, slice(None), own.problem.system).point()
                self.recorder.add(last, Statistics())
        return self

    def __call__(self, increment: Increment) -> None:
        """Write an increment."""
        self.steps, self.iterations = self.steps + 1, self.iterations + increment.iterations
        if self.recorder is not None and self.recorded is not None:
            point = self.recorded.point(increment)
            self.recorder.add(point, counted(self.steps, self.iterations))

    def end(self, status: str, message: str = "") -> None:
        """Close the file."""
        if self.recorder is not None:
            self.recorder.end(status, message)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.recorder is not None and error is not None:
            self.recorder.__exit__(kind, error, trace)


def resumed(
    problem: StaticSystem, restart: Result | str | Path, store: str | Path | None
) -> tuple[Increment, StoredRun | None, str | Path | None]:
    """Increment from which a path goes on, the run that is continued, and the file to write."""
    earlier = None
    if isinstance(restart, str | Path):
        path, (restart, earlier) = restart, continued(restart, problem.system)
        store = path if store is None else store
    if restart.method != METHOD:
        raise InputError(f"invalid restart by '{restart.method}': expected a load path")
    system, last = problem.system, restart.point()
    start = problem.start()
    if last.resume.shape != start.x.shape:
        raise InputError(
            f"invalid restart with {len(last.resume)} unknowns: expected {len(start.x)}, those of "
            "the same system"
        )
    histories = {
        name: system.history_layout.history(last.state, name)
        for name in system.history_layout.names
    }
    return problem.standing(last.state.t, last.resume, histories), earlier, store
