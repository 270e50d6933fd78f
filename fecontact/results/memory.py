"""A run in memory: the points of a motion, with the same parts as a result file.

Fields of contacts and frames of bodies are made from the points when they are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from fecontact.contact.report import ContactReport
from fecontact.errors import unknown
from fecontact.results.audit import LINES
from fecontact.results.point import STATE, Crossing, Point, filled
from fecontact.results.recording import Recording
from fecontact.results.source import Array
from fecontact.results.statistics import Statistics
from fecontact.system import State
from fecontact.typing import Floats

__all__ = ["MemoryRun"]


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
    arrays: Mapping[str, Array]
    reports: Sequence[Mapping[str, ContactReport] | None]
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
        arrays: dict[str, Array] = {
            name: np.array([getattr(state, name) for state in states]) for name in STATE
        }
        arrays["a"] = np.array([point.acceleration for point in points])
        arrays["resume"] = np.array([filled(point.resume, numbers) for point in points])
        arrays |= {f"energies/{name}": energies[:, i] for i, name in enumerate(LINES)}
        for i, name in enumerate(Statistics.names()):
            arrays[f"statistics/{name}"] = counts[:, i]
        return MemoryRun(
            recording,
            arrays,
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
        own = {name: part.shape[1:] for name, part in self.arrays.items()}
        frames = {"frames": (len(self.recording.geometry), 12)}
        return own | frames | self.recording.contact_shapes

    def fixed(self, name: str) -> Array:
        """Array that does not change in time."""
        if name not in self.recording.fixed:
            raise unknown("array", name, self.recording.fixed)
        return self.recording.fixed[name]

    def records(self, name: str, rows: slice = slice(None)) -> Array:
        """Rows (k, ...) of a part."""
        if name in self.arrays:
            return self.arrays[name][rows]
        if name not in self.shapes:
            raise unknown("record", name, self.shapes)
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
        t, *parts = (self.arrays[name][index] for name in STATE)
        return State(float(t), *parts)

    def _reports(self, row: int) -> dict[str, ContactReport]:
        """What the points of all contacts did."""
        if row not in self._seen:
            point = Point(self.state(row), self.arrays["a"][row], reports=self.reports[row])
            self._seen[row] = self.recording.reports(point)
        return self._seen[row]
