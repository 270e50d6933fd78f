"""Results of a simulation, read from its file: histories, fields, energies, statistics by name.

"rotor.uz", "rotor.uz'", "rotor.uz''"     position, velocity, acceleration of a dof
"hinge.rx"                                multiplier of a constraint row
"facing.pressure", "facing.normal_force"  fields of a contact and their sums
"energy.slip", "statistics.steps"         energy audit in J, counters
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from fecontact.body.marker import MarkedBody, Point
from fecontact.drafts import draft_of
from fecontact.errors import InputError, at_least, check, one_line, one_of, unknown
from fecontact.results.fields import SUMS, ContactFields
from fecontact.results.fingerprint import body_fingerprint, differences
from fecontact.results.geometry import BodyGeometry, stored
from fecontact.results.hdf5.check import check_result
from fecontact.results.hdf5.file import Array, StoredRun
from fecontact.results.points import check_body, point_history
from fecontact.results.switches import NO_SWITCHES, ContactSwitch, located, seen
from fecontact.system import State
from fecontact.system.names import no_such
from fecontact.typing import Floats

__all__ = ["Result"]

KINDS = {"position": "", "velocity": "'", "acceleration": "''"}
NO_ANGLE = -1
SWITCHES = ("events", "to_open", "to_stick", "to_slip", "to_gross_slip")
"""Counters that some methods do not keep: if all are zero a text does not claim it."""


@dataclass(frozen=True)
class Result:
    """Result file of a simulation; it needs no system and may still be growing.

    Everything is read when it is asked for. `reload` sees what was written since.

    Attributes
    ----------
    run
        The file, as it was when it was loaded.
    rows
        Records that are read; see `between`.
    """

    run: StoredRun
    rows: slice

    @staticmethod
    def load(path: str | Path) -> Result:
        """Open a result file, also of a run that goes on or was killed."""
        run = StoredRun.load(path)
        check_result(run)
        return Result(run, slice(None))

    def reload(self) -> Result:
        """Read the same file again, with all records that are complete now."""
        return Result.load(self.run.path)

    def between(self, start: float = -np.inf, end: float = np.inf, every: int = 1) -> Result:
        """Part of the result from one time to another, each n-th record of it."""
        check("every", every, at_least(1))
        times = self.run.records("t")
        first, last = np.searchsorted(times, start, "left"), np.searchsorted(times, end, "right")
        if first >= last:
            raise InputError(f"no records from {start} s to {end} s; there are {_span(times)}")
        return replace(self, rows=slice(int(first), int(last), every))

    def __len__(self) -> int:
        return len(range(*self.rows.indices(self.run.complete)))

    @cached_property
    def t(self) -> Floats:
        """Times (k,) in s, none before the one before it."""
        times = self.run.records("t", self.rows)
        if not (np.isfinite(times).all() and np.all(np.diff(times) >= 0.0)):
            raise InputError(f"file '{self.run.path}' is damaged: its times do not rise")
        return times

    @property
    def q(self) -> Floats:
        """Coordinates (k, ...) of the system."""
        return self.run.records("q", self.rows)

    @property
    def v(self) -> Floats:
        """Velocities (k, n) of the dofs."""
        return self.run.records("v", self.rows)

    @property
    def status(self) -> str:
        """Running, finished, interrupted, failed or killed."""
        return self.run.status

    @property
    def message(self) -> str:
        """What the run said at its end."""
        return self.run.message

    @property
    def method(self) -> str:
        """Method of simulation; its options are in `about`."""
        return str(self.about["method"])

    @property
    def about(self) -> dict[str, Any]:
        """Names, description of the system, method and options."""
        return self.run.about

    @property
    def validity(self) -> dict[str, float]:
        """Body -> frequency in Hz up to which its motion is valid; others have no known bound."""
        return dict(self.about.get("validity", {}))

    @property
    def valid_to(self) -> float:
        """Frequency in Hz up to which the motion of all bodies is valid."""
        return min(self.validity.values(), default=np.inf)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the dofs, "body.dof"."""
        return tuple(self.about["coordinates"])

    @cached_property
    def contacts(self) -> dict[str, ContactFields]:
        """Contacts with fields, by name."""
        found, first = {}, 0
        for number, record in enumerate(self.about["contacts"]):
            name, points = record["name"], record["points"]
            found[name] = ContactFields(self.run, name, number, first, points, self.rows)
            first += points
        return found

    @property
    def switches(self) -> list[ContactSwitch]:
        """Changes of the status of contact points, in order of time; as of `Trajectory`.

        Method "events" locates each instant. Of other methods the status at the records is known.
        """
        contacts = [(record["name"], record["points"]) for record in self.about["contacts"]]
        if self.method == "events":
            first, stop, _ = self.rows.indices(self.run.complete)
            inside = self.run.listed(slice(first + (first > 0), stop))
            return located(np.vstack([NO_SWITCHES, *inside]), contacts)
        modes = [fields.mode for fields in self.contacts.values()]
        return seen(self.t, np.hstack(modes), contacts) if modes else []

    def path(
        self, body: MarkedBody, point: Point = (0.0, 0.0, 0.0), of: str = "position"
    ) -> Floats:
        """Motion (k, 3) in space of a point of a body, by name or components in m.

        Its position, displacement from the reference position, velocity or acceleration, as
        `Trajectory.path` gives it. The file knows the coordinates; the body, which must be that of
        the simulation, knows its points.
        """
        check_body(body)
        if body.name not in self.about["bodies"]:
            raise unknown("body", body.name, self.about["bodies"])
        own, kept = body_fingerprint(body), self.about["fingerprint"]
        both = own.keys() & kept.keys()
        found = differences(
            *({name: parts[name] for name in sorted(both)} for parts in (kept, own))
        )
        if found:
            raise InputError(f"file '{self.run.path}' was made with another body: {found[0]}")
        places = slice(*self.about["bodies"][body.name])
        dofs = [i for i, name in enumerate(self.coordinates) if _owner(name) == body.name]
        v, a = (self.run.records(name, self.rows)[:, dofs] for name in ("v", "a"))
        return point_history(body, point, of, self.t, self.q[:, places], v, a)

    @property
    def energies(self) -> dict[str, Floats]:
        """Energy audit: lines (k,) in J by name."""
        return {name: self.run.records(f"energies/{name}", self.rows) for name in self._audit}

    @property
    def statistics(self) -> dict[str, int]:
        """Counters at the last record."""
        if not len(self):
            return {}
        last = range(*self.rows.indices(self.run.complete))[-1]
        row = slice(last, last + 1)
        return {
            name: int(self.run.records(f"statistics/{name}", row)[0]) for name in self._counters
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All names that can be asked for."""
        dofs = [f"{name}{mark}" for name in self.coordinates for mark in KINDS.values()]
        places = dict(zip(self.coordinates, self.about["places"], strict=True))
        turns = {name for name, place in places.items() if place == NO_ANGLE}
        fields = [f"{name}.{field}" for name, c in self.contacts.items() for field in c.names]
        audit = [f"energy.{name}" for name in self._audit]
        counters = [f"statistics.{name}" for name in self._counters]
        every = [*dofs, *self.about["rows"], *fields, *audit, *counters]
        return tuple(name for name in every if name not in turns)

    def __getitem__(self, name: str) -> Array:
        """History (k,) or field (k, p, ...) by name."""
        dof = name.rstrip("'")
        if dof in self.coordinates:
            marks = len(name) - len(dof)
            if marks < len(KINDS):
                return self.history(dof, list(KINDS)[marks])
        if name in self.about["rows"]:
            return self.run.records("lam", self.rows)[:, self.about["rows"].index(name)]
        owner, _, part = name.rpartition(".")
        if owner in self.contacts and part in self.contacts[owner].names:
            return self.contacts[owner].field(part)
        if owner == "energy" and part in self._audit:
            return self.run.records(f"energies/{part}", self.rows)
        if owner == "statistics" and part in self._counters:
            return self.run.records(f"statistics/{part}", self.rows)
        raise no_such("history", name, self.names)

    def history(self, name: str, of: str = "position") -> Floats:
        """Position, velocity or acceleration (k,) of a dof "body.dof"."""
        check("history: of", of, one_of(KINDS))
        if name not in self.coordinates:
            raise no_such("dof", name, self.coordinates)
        number = self.coordinates.index(name)
        if of != "position":
            return self.run.records(of[0], self.rows)[:, number]
        place = self.about["places"][number]
        if place == NO_ANGLE:
            raise InputError(
                f"'{name}' is a rotation about a body-fixed axis and has no angle; take its "
                f'velocity "{name}\'", or the quaternion from q'
            )
        return self.q[:, place]

    def state(self, number: int = -1) -> State:
        """State at a record; -1 is the last."""
        rows = range(*self.rows.indices(self.run.complete))
        if not -len(rows) <= number < len(rows):
            raise InputError(f"number = {number} is not possible: there are {len(rows)} records")
        return self.run.state(rows[number])

    @cached_property
    def geometry(self) -> tuple[BodyGeometry, ...]:
        """Bodies for pictures, as they were given to the simulation."""
        return stored(self.run)

    def positions(self, number: int, exaggeration: float = 1.0) -> Floats:
        """Positions (k, n, 3) of the points of a geometry; elastic displacements exaggerated."""
        geometry = self.geometry[number]
        frames = self.run.records("frames", self.rows)[:, number]
        _, stop = self.about["bodies"].get(geometry.body, (0, 0))
        elastic = self.q[:, stop - geometry.shapes.shape[2] : stop]
        return geometry.positions(frames, elastic, exaggeration)

    def to_csv(self, path: str | Path, names: Iterable[str] | None = None) -> None:
        """Write histories as columns after the time; by default all that are numbers over time.

        Fields get one column per point and component: "facing.pressure[3]", "facing.slip[3].x".
        """
        columns: dict[str, Floats] = {"t": self.t}
        for name in self._plain if names is None else names:
            columns |= _columns(name, self[name])
        table = np.column_stack(list(columns.values()))
        header = ",".join(f'"{name}"' if "," in name else name for name in columns)
        with draft_of(path) as draft:
            np.savetxt(draft, table, "%.17g", ",", header=header, comments="", encoding="utf-8")

    def __str__(self) -> str:
        about, bodies = self.about, ", ".join(self.about["bodies"])
        contacts = ", ".join(f"{c.name} ({c.points} points)" for c in self.contacts.values())
        counts = self.statistics
        told = [n for n in counts if n not in SWITCHES or any(counts.get(s) for s in SWITCHES)]
        counters = ", ".join(f"{name} {counts[name]}" for name in told)
        lines = {
            "file": f"{self.run.path}, {self.status}" + (f": {self.message}" * bool(self.message)),
            "method": about["method"],
            "records": f"{len(self)}, {_span(self.t)}",
            "bodies": f"{bodies} ({len(self.coordinates)} dofs)",
            "validity": ", ".join(f"{name} to {f:.4g} Hz" for name, f in self.validity.items()),
            "rows": f"{len(about['rows'])} of constraints" if about["rows"] else "",
            "contacts": contacts,
            "energies": ", ".join(self._audit),
            "statistics": counters,
            "geometry": ", ".join(record["body"] or "ground" for record in about["geometry"]),
        }
        return "\n".join(f"{name:<11}{one_line(text)}" for name, text in lines.items() if text)

    @property
    def _audit(self) -> list[str]:
        return list(self.about["energies"])

    @property
    def _counters(self) -> list[str]:
        return list(self.about["statistics"])

    @property
    def _plain(self) -> list[str]:
        """Names of histories with one number per time."""
        fields = {f"{n}.{f}" for n, c in self.contacts.items() for f in c.names if f not in SUMS}
        return [name for name in self.names if name not in fields]


def _owner(coordinate: str) -> str:
    """Body of a dof "body.dof"."""
    return coordinate.rpartition(".")[0]


def _span(times: Floats) -> str:
    return f"{times[0]:.6g} s to {times[-1]:.6g} s" if len(times) else "none"


def _columns(name: str, values: Array) -> dict[str, Floats]:
    """Columns of a history or field."""
    if values.ndim == 1:
        return {name: values}
    if values.ndim == 2 and values.shape[1] == 3 and name.endswith("force"):
        return {f"{name}.{axis}": values[:, i] for i, axis in enumerate("xyz")}
    parts: dict[str, Floats] = {}
    for number in range(values.shape[1]):
        own = values[:, number]
        axes = {"": own} if own.ndim == 1 else {f".{a}": own[:, i] for i, a in enumerate("xyz")}
        parts |= {f"{name}[{number}]{axis}": column for axis, column in axes.items()}
    return parts
