"""A run in memory: the points of a motion, with the same parts as a result file.

Fields of contacts and frames of bodies are made from the points when they are asked for; large
parts of the records become one array then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from fecontact.contact.report import ContactReport
from fecontact.errors import unknown
from fecontact.results.audit import LINES
from fecontact.results.point import STATE, Crossing, Point, Reporter, filled
from fecontact.results.recording import Recording
from fecontact.results.source import Array
from fecontact.results.statistics import Statistics
from fecontact.system import State
from fecontact.typing import Floats

__all__ = ["COUNTERS", "ENERGIES", "MemoryRun"]


ENERGIES = tuple(f"energies/{name}" for name in LINES)
COUNTERS = tuple(f"statistics/{name}" for name in Statistics.names())
"""Records of the energy audit and of the counters."""
LARGE = 4096
"""Bytes of a row from which its part becomes one array only when that is asked for."""

Reports: TypeAlias = Mapping[str, ContactReport] | Reporter | None


class Parts(Mapping[str, Array]):
    """Parts (k, ...) of records by name, from their rows, or as arrays."""

    def __init__(self, rows: Mapping[str, list[Any]], arrays: Mapping[str, Array]) -> None:
        self._rows = {name: part for name, part in rows.items() if np.size(part[0]) * 8 >= LARGE}
        small = {name: np.array(part) for name, part in rows.items() if name not in self._rows}
        self._arrays = small | dict(arrays)
        self._names = (*rows, *arrays)

    def __getitem__(self, name: str) -> Array:
        if name in self._rows:
            self._arrays[name] = np.array(self._rows[name])
            del self._rows[name]  # last: what is interrupted before begins anew
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def rows(self, name: str, rows: slice) -> Array:
        """Some of the rows (k, ...)."""
        if name in self._rows and rows != slice(None):
            return np.array(self._rows[name][rows]).reshape(-1, *self.shape(name))
        return self[name][rows]

    def row(self, name: str, index: int) -> Any:
        """One row (...)."""
        return (self._rows if name in self._rows else self._arrays)[name][index]

    def shape(self, name: str) -> tuple[int, ...]:
        """Shape of one row."""
        return np.shape(self.row(name, 0))


@dataclass(frozen=True, eq=False)
class MemoryRun:
    """Records of a motion in memory; see `Source`.

    Attributes
    ----------
    recording
        System, method, and the names of the parts.
    arrays
        Parts (k, ...) that every point has.
    reports
        What the contacts did at each time, as the method saw it, see `Point`.
    switches
        Located changes (e, 4) of contact points before each record.
    happened
        User events.
    origin
        Time in s at which the motion began, also before a restart.
    status, message
        How the run ended.
    """

    recording: Recording
    arrays: Parts
    reports: Sequence[Reports]
    switches: Sequence[Floats]
    happened: tuple[Crossing, ...]
    origin: float
    status: str
    message: str = ""
    _seen: dict[int, dict[str, ContactReport]] = field(default_factory=dict)

    label = "the motion"
    path = None

    @staticmethod
    def of(
        recording: Recording,
        points: Sequence[Point],
        counters: Sequence[tuple[int, ...]],
        status: str,
        origin: float | None = None,
        events: Sequence[Crossing] = (),
    ) -> MemoryRun:
        """Run of a list of points, with the counters at each of them."""
        states, numbers = [point.state for point in points], len(points[0].resume)
        energies = np.array([filled(point.energies, len(LINES)) for point in points])
        counts = np.array(counters, dtype=np.int64)
        rows: dict[str, list[Any]] = {
            name: [getattr(state, name) for state in states] for name in STATE
        }
        rows["a"] = [point.acceleration for point in points]
        rows["resume"] = [filled(point.resume, numbers) for point in points]
        arrays: dict[str, Array] = dict(zip(ENERGIES, energies.T, strict=True))
        arrays |= zip(COUNTERS, counts.T, strict=True)
        return MemoryRun(
            recording,
            Parts(rows, arrays),
            [point.reports for point in points],
            [point.switches for point in points],
            tuple(events),
            states[0].t if origin is None else origin,
            status,
        )

    @property
    def complete(self) -> int:
        """Number k of records."""
        return len(self.arrays["t"])

    @cached_property
    def layout(self) -> dict[str, Any]:
        """What the columns of the records mean."""
        return self.recording.layout(self.origin)

    @cached_property
    def about(self) -> dict[str, Any]:
        """The layout, and program, options, description and fingerprint of the system."""
        return self.recording.about(self.origin, self.arrays["v"][0])

    @cached_property
    def validity(self) -> dict[str, float]:
        """Body -> frequency in Hz up to which it is valid at the start of the motion."""
        return self.recording.validity(self.arrays["v"][0])

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shape of one row of each part."""
        own = {name: self.arrays.shape(name) for name in self.arrays}
        frames = {"frames": (len(self.recording.geometry), 12)}
        sensors = {"sensors": (len(self.recording.sensors.sensors),)}
        return own | frames | sensors | self.recording.contact_shapes

    def fixed(self, name: str) -> Array:
        """Array that does not change in time."""
        if name not in self.recording.fixed:
            raise unknown("array", name, self.recording.fixed)
        return self.recording.fixed[name]

    def records(self, name: str, rows: slice = slice(None)) -> Array:
        """Rows (k, ...) of a part."""
        if name in self.arrays:
            return self.arrays.rows(name, rows)
        if name not in self.shapes:
            raise unknown("record", name, self.shapes)
        if name == "sensors":
            return self._readings[rows]
        numbers = range(*rows.indices(self.complete))
        if name == "frames":
            values: list[Any] = [self.recording.frames(self.state(row)) for row in numbers]
        else:
            _, contact, part = name.split("/")
            owner = self.recording.contacts[int(contact)].name
            values = [getattr(self._reports(row)[owner], part) for row in numbers]
        return np.array(values).reshape(len(numbers), *self.shapes[name])

    def listed(self, rows: slice = slice(None)) -> Sequence[Array]:
        """Located switches (e, 4) of contact points in the time before each of these records."""
        start, stop, _ = rows.indices(self.complete)
        return self.switches[start:stop]

    def crossings(self) -> tuple[Crossing, ...]:
        """User events that happened, in order of time."""
        return self.happened

    def state(self, index: int) -> State:
        """State of a record."""
        t, *parts = (self.arrays.row(name, index) for name in STATE)
        return State(float(t), *parts)

    @cached_property
    def _readings(self) -> Floats:
        """Readings (k, s) of the sensors."""
        return self.recording.sensors.read(self.records)

    def _reports(self, row: int) -> dict[str, ContactReport]:
        """What the points of all contacts did."""
        if row not in self._seen:
            acceleration = self.arrays.row("a", row)
            point = Point(self.state(row), acceleration, reports=self.reports[row])
            self._seen[row] = self.recording.reports(point)
        return self._seen[row]
