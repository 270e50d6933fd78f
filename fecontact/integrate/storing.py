"""From the points of a simulation to the records of its result file, and back to a restart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import add
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from fecontact.errors import InputError, SolverError
from fecontact.results.audit import LINES
from fecontact.results.hdf5.check import check_result, check_system
from fecontact.results.hdf5.file import Header, StoredRun
from fecontact.results.hdf5.writer import Writer
from fecontact.results.memory import COUNTERS, ENERGIES
from fecontact.results.point import STATE, Crossing, Point, filled
from fecontact.results.recording import Recording
from fecontact.results.result import Result
from fecontact.results.source import Array
from fecontact.results.statistics import Statistics
from fecontact.results.switches import COLUMNS
from fecontact.system import System
from fecontact.typing import Floats

__all__ = ["Recorder", "continued"]


class Recorder:
    """Stores the points of a run as they come; without a path it does nothing.

    Parameters
    ----------
    recording
        What is simulated, and how.
    path
        Result file, or None.
    origin
        When the motion began.
    earlier
        Run that is continued; its last record is the first point.
    overwrite, compress, expected
        As in `Writer`.
    """

    def __init__(
        self,
        recording: Recording,
        path: str | Path | None,
        origin: float,
        earlier: StoredRun | None = None,
        overwrite: bool = False,
        compress: bool = False,
        expected: int = 0,
    ) -> None:
        self.recording, self.path, self.origin, self.earlier = recording, path, origin, earlier
        self.how: dict[str, Any] = {
            "overwrite": overwrite,
            "compress": compress,
            "expected": expected,
        }
        self.before = {} if earlier is None else earlier.record()
        self.counted = [int(self.before.get(path, 0)) for path in COUNTERS]
        self.writer: Writer | None = None
        self._unread = np.full(len(recording.sensors.sensors), np.nan)
        self.numbers = self.crossed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            stopped = isinstance(error, KeyboardInterrupt)
            known = isinstance(error, InputError | SolverError)
            words = str(error) if known else f"{type(error).__name__}: {error}"
            self.end("interrupted" if stopped else "failed", words)

    def add(self, point: Point, statistics: Statistics, crossings: Sequence[Crossing] = ()) -> None:
        """Store a point, and the events so far that were not stored before."""
        if self.path is None:
            return
        if self.writer is None:
            self.numbers = len(point.resume)
        record = self._record(point, statistics)
        if self.writer is None:
            header = self._header(point)
            first = {name: _as_stored(name, part) for name, part in record.items()}
            self.writer = Writer(
                self.path, header, first, earlier=self.earlier, derive=self._derived, **self.how
            )
            if self.earlier is not None:
                return
        self.writer.append(record, {"switches": point.switches} | self._events(crossings))

    def end(self, status: str, message: str = "", crossings: Sequence[Crossing] = ()) -> None:
        """Write what is left and close the file."""
        if self.writer is not None:
            self.writer.close(status, message, self._events(crossings))

    def _record(self, point: Point, statistics: Statistics) -> dict[str, Any]:
        """Parts of one record; counters go on from an earlier run."""
        state, energies = point.state, filled(point.energies, len(LINES)).tolist()
        record: dict[str, Any] = {name: getattr(state, name) for name in STATE}
        record |= {"a": point.acceleration, "resume": filled(point.resume, self.numbers)}
        record["frames"] = self.recording.frames(state)
        if len(self._unread):
            record["sensors"] = self._unread  # read batch by batch, see `_derived`
        record |= zip(ENERGIES, energies, strict=True)
        record |= zip(COUNTERS, map(add, statistics.counts, self.counted), strict=True)
        return record | self.recording.fields(point)

    def _derived(self, parts: Mapping[str, Array]) -> dict[str, Array]:
        """Readings of the sensors at the times of many records."""
        if not len(self._unread):
            return {}
        return {"sensors": self.recording.sensors.read(parts.__getitem__)}

    def _events(self, crossings: Sequence[Crossing]) -> dict[str, Floats]:
        """Rows of the events that are not stored yet."""
        new = crossings[self.crossed :]
        self.crossed += len(new)
        names = self.recording.events
        return {"events": np.array([each.flat(names) for each in new])} if new else {}

    def _header(self, first: Point) -> Header:
        """What the file says once."""
        about = self.recording.about(self.origin, first.state.v, self._earlier())
        lists = {"switches": COLUMNS}
        if self.recording.events:
            lists["events"] = 1 + sum(np.size(getattr(first.state, name)) for name in STATE)
        return Header(about, self.recording.fixed, lists)

    def _earlier(self) -> list[dict[str, Any]]:
        """Runs that this one continues: until when, method and options."""
        if self.earlier is None:
            return []
        about = self.earlier.about
        last = {"until": float(self.before["t"])} | {k: about[k] for k in ("method", "options")}
        return [*about["earlier"], last]


def _as_stored(name: str, part: Any) -> Any:
    """A part of the first record in the type that all have in the file."""
    return part.astype(np.int8) if name.rpartition("/")[2] == "status" else part


def continued(path: str | Path, system: System) -> tuple[Result, StoredRun]:
    """Result file as a motion to continue, up to the last point from which that is possible.

    Raises
    ------
    InputError
        If there is no complete record, or if the system differs from that of the file.
    """
    run = StoredRun.load(path)
    check_result(run)
    if not run.complete:
        raise InputError(f"restart: file '{path}' has no complete record; start anew")
    try:
        check_system(run, system)
    except InputError as error:
        raise InputError(f"restart: {error}") from error
    whole = np.isfinite(run.records("resume")).all(axis=1)  # an event is no step of the method
    if not whole.any():
        raise InputError(f"restart: file '{path}' has no point from which its method can go on")
    run = replace(run, complete=int(np.flatnonzero(whole)[-1]) + 1)
    return Result(run, slice(None), system), run
