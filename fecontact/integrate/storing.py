"""From the points of a simulation to the records of its result file, and back to a restart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np

import fecontact
from fecontact.contact.pair import ContactPair
from fecontact.contact.surface.points import Surface
from fecontact.errors import InputError, SolverError, unknown
from fecontact.integrate.dofs import Dofs
from fecontact.integrate.trajectory import Point, Statistics, Trajectory
from fecontact.results.energy import LINES
from fecontact.results.fingerprint import differences, fingerprint
from fecontact.results.geometry import BodyGeometry, frame_of, packed, stored
from fecontact.results.hdf5.check import check_result
from fecontact.results.hdf5.file import Array, Header, StoredRun
from fecontact.results.hdf5.writer import Writer
from fecontact.system import State, System
from fecontact.system.validity import validity
from fecontact.typing import Floats

__all__ = ["Recorder", "continued"]

FIELDS = ("gap", "pressure", "normal", "traction", "slip", "position", "point_slip_power")
STATE = ("t", "q", "v", "lam", "z", "wear")
BALANCE = ("energy", "damping_power", "slip_power", "supplied_power")
SHOWN = 5
"""Differences of two systems in a message."""


class Paired(Protocol):
    """What is stored of a contact beside its report."""

    @property
    def name(self) -> str:
        """Name in the system."""
        ...

    @property
    def points(self) -> int:
        """Number of points."""
        ...

    @property
    def surface(self) -> Surface:
        """Points with weights."""
        ...


class Recorder:
    """Stores the points of a run as they come; without a path it does nothing.

    Parameters
    ----------
    system, method, options
        What is simulated, and how.
    path
        Result file, or None.
    earlier
        Run that is continued; its last record is the first point.
    geometry
        Bodies for pictures; a continued run keeps those of its file.
    overwrite, compress
        As in `Writer`.
    """

    def __init__(
        self,
        system: System,
        method: str,
        options: Mapping[str, Any],
        path: str | Path | None,
        earlier: StoredRun | None = None,
        geometry: Sequence[BodyGeometry] = (),
        overwrite: bool = False,
        compress: bool = False,
    ) -> None:
        self.system, self.path, self.earlier = system, path, earlier
        self.method, self.options = method, options
        self.geometry = tuple(geometry) if earlier is None else stored(earlier)
        self.how = {"overwrite": overwrite, "compress": compress}
        self.before = {} if earlier is None else earlier.record()
        self.writer: Writer | None = None
        self.numbers = 0
        for part in self.geometry:
            if part.body and part.body not in system.q_slices:
                raise unknown("body of a geometry", part.body, system.q_slices)

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

    def add(self, point: Point, statistics: Statistics) -> None:
        """Store a point."""
        if self.path is None:
            return
        if self.writer is None:
            self.numbers = len(point.resume)
        record = self._record(point, statistics)
        if self.writer is None:
            header = self._header(point, statistics)
            self.writer = Writer(self.path, header, record, earlier=self.earlier, **self.how)
            if self.earlier is not None:
                return
        self.writer.append(record, point.switches)

    def end(self, status: str, message: str = "") -> None:
        """Write what is left and close the file."""
        if self.writer is not None:
            self.writer.close(status, message)

    def _record(self, point: Point, statistics: Statistics) -> dict[str, Any]:
        """Parts of one record; counters go on from an earlier run."""
        state = point.state
        record: dict[str, Any] = {name: getattr(state, name) for name in STATE}
        record |= {"a": point.acceleration, "resume": _filled(point.resume, self.numbers)}
        record["mode"] = state.mode.astype(np.int8)
        frames = [self._frame(part, state) for part in self.geometry]
        record["frames"] = np.array(frames).reshape(-1, 12)
        for name, energy in zip(LINES, _filled(point.energies, len(LINES)), strict=True):
            record[f"energies/{name}"] = float(energy)
        for name, count in asdict(statistics).items():
            path = f"statistics/{name}"
            record[path] = np.int64(count) + np.int64(self.before.get(path, 0))
        return record | self._contacts(point)

    def _contacts(self, point: Point) -> dict[str, Any]:
        """Fields of all contacts; those without memory have modes of their own."""
        found: dict[str, Any] = {}
        state, reports = point.state, dict(point.contacts(self.system))
        for pair in self._sliders:
            reports[pair.name] = pair.report(state.t, *self.system.local(pair, state))
        for number, pair in enumerate(self._pairs):
            report, path = reports[pair.name], f"contacts/{number}"
            found |= {f"{path}/{name}": getattr(report, name) for name in (*FIELDS, *BALANCE)}
            if pair.name not in self.system.memory.names:
                found[f"{path}/mode"] = report.mode.astype(np.int8)
        return found

    def _frame(self, part: BodyGeometry, state: State) -> Floats:
        body = next((body for body in self.system.bodies if body.name == part.body), None)
        q = state.q[self.system.q_slices[part.body]] if body else state.q[:0]
        return frame_of(body, state.t, q)

    @property
    def _pairs(self) -> Sequence[Any]:
        """Contacts with memory, then the others."""
        return [*self.system.remembering, *self._sliders]

    @property
    def _sliders(self) -> list[ContactPair]:
        """Contacts without memory."""
        items = self.system.items
        return [item for item in items if isinstance(item, ContactPair) and item.columns == 0]

    def _header(self, first: Point, statistics: Statistics) -> Header:
        """What the file says once."""
        system, limits = self.system, validity(self.system, first.state.v)
        pairs: Sequence[Paired] = self._pairs
        names, arrays = packed(self.geometry)
        about = {
            "program": f"fecontact {fecontact.__version__}",
            "method": self.method,
            "options": {name: _plain(value) for name, value in self.options.items()},
            "earlier": self._earlier(),
            "coordinates": system.coordinates,
            "places": _places(system),
            "rows": system.rows,
            "bodies": {name: (part.start, part.stop) for name, part in system.q_slices.items()},
            "contacts": [{"name": pair.name, "points": pair.points} for pair in pairs],
            "energies": LINES,
            "statistics": list(asdict(statistics)),
            "geometry": names,
            "system": system.describe(),
            "validity": {name: hertz for name, hertz in limits.items() if np.isfinite(hertz)},
            "fingerprint": fingerprint(system),
        }
        fixed: dict[str, Array] = {
            f"contacts/{number}/weights": pair.surface.weights for number, pair in enumerate(pairs)
        }
        return Header(about, fixed | arrays)

    def _earlier(self) -> list[dict[str, Any]]:
        """Runs that this one continues: until when, method and options."""
        if self.earlier is None:
            return []
        about = self.earlier.about
        last = {"until": float(self.before["t"])} | {k: about[k] for k in ("method", "options")}
        return [*about["earlier"], last]


def continued(path: str | Path, system: System) -> tuple[Trajectory, StoredRun]:
    """Last point of a result file as a motion to continue, and the file.

    Raises
    ------
    InputError
        If there is no complete record, or if the system differs from that of the file.
    """
    run = StoredRun.load(path)
    check_result(run)
    if not run.complete:
        raise InputError(f"restart: file '{path}' has no complete record; start anew")
    if not isinstance(run.about.get("fingerprint"), dict):
        raise InputError(f"restart: file '{path}' does not say of which system it is")
    found = differences(run.about["fingerprint"], fingerprint(system))
    if found:
        more = f", and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        raise InputError(
            f"restart: file '{path}' was made with another system: {', '.join(found[:SHOWN])}{more}"
        )
    whole = np.isfinite(run.records("resume")).all(axis=1)  # an event is no step of the method
    if not whole.any():
        raise InputError(f"restart: file '{path}' has no point from which its method can go on")
    run = replace(run, complete=int(np.flatnonzero(whole)[-1]) + 1)
    last, origin = run.record(), float(run.records("t", slice(1))[0])
    energies = np.array([last[f"energies/{name}"] for name in LINES])
    point = Point(run.state(), last["a"], last["resume"], energies)
    method = run.about["method"]
    return Trajectory.of(system, [point], method, "interrupted", Statistics(), "", origin), run


def _filled(part: Floats, size: int) -> Floats:
    """The part, or NaN where the method gives none."""
    return part if len(part) == size else np.full(size, np.nan)


def _places(system: System) -> list[int]:
    """Place in q of each dof; -1 for rotations that have no angle."""
    dofs, places = Dofs(system), np.full(system.size, -1)
    places[dofs.plain] = dofs.places
    return [int(place) for place in places]


def _plain(value: Any) -> Any:
    """Value of an option as JSON knows it."""
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)
