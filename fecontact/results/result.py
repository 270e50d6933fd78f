"""Result of a simulation: states, histories, contact fields, energies, counters, by name.

"rotor.uz", "rotor.uz'", "rotor.uz''"     position, velocity, acceleration of a dof
"hinge.rx"                                multiplier of a constraint row
"facing.pressure", "facing.normal_force"  fields of a contact and their sums
"energy.slip", "statistics.steps"         energy audit in J, counters
"rim velocity"                            a sensor, by the name that it was given
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from fecontact.body.marker import MarkedBody
from fecontact.body.marker import Point as MarkerPoint
from fecontact.errors import (
    InputError,
    at_least,
    check,
    one_of,
    renamed,
    renamed_keywords,
    unknown,
)
from fecontact.joint.coordinate import Coordinate
from fecontact.results.audit import left_over, unaccounted
from fecontact.results.described import described, span
from fecontact.results.fields import ContactFields
from fecontact.results.fingerprint import body_fingerprint, differences
from fecontact.results.geometry import BodyGeometry, stored
from fecontact.results.hdf5.check import check_result, check_system
from fecontact.results.hdf5.file import StoredRun
from fecontact.results.named import KINDS, NO_ANGLE, NamedHistories
from fecontact.results.path import check_body, point_history
from fecontact.results.plots import ResultPlots
from fecontact.results.point import Crossing, Point
from fecontact.results.source import Array, Source
from fecontact.results.statistics import Statistics
from fecontact.results.switches import NO_SWITCHES, STATUS_WORDS, ContactSwitch, located, seen
from fecontact.system import State, System
from fecontact.system.names import no_such
from fecontact.typing import Body, Floats, Integers

__all__ = ["Result", "Status"]

Status = Literal["running", "finished", "stopped", "interrupted", "failed", "killed"]
FORMER_METHODS = {"flow": "ode"}
"""Methods of files of earlier versions, and their names now."""


@renamed(mode="contact_status", wear="slip_totals", worn="slip_work_and_path")
@dataclass(frozen=True, eq=False)
class Result(NamedHistories, ResultPlots):
    """Motion of a system at k times, in memory or in a file.

    `simulate` returns it, `Result.load` opens it from a file; both answer the same questions in the
    same way. Of a file, everything is read when it is asked for; the file may still be growing, and
    `reload` sees what was written since.

    Attributes
    ----------
    run
        Records in memory, or the file as it was when it was loaded.
    rows
        Records that are read; see `between`.
    given
        The system, if it is known: of a file, only if it was given to `load`.
    """

    run: Source
    rows: slice
    given: System | None = field(default=None, repr=False)

    @staticmethod
    def load(path: str | Path, system: System | None = None) -> Result:
        """Open a result file, also of a run that goes on or was killed.

        Parameters
        ----------
        path
            The file.
        system
            What was simulated. Only `energy`, `momentum`, `drift` and `system` need it; one that
            differs from that of the file is refused.
        """
        run = StoredRun.load(path)
        check_result(run)
        if system is not None:
            check_system(run, system)
        return Result(run, slice(None), system)

    def reload(self) -> Result:
        """Read the same file again, with all records that are complete now; in memory all are."""
        return self if self.run.path is None else Result.load(self.run.path, self.given)

    def between(self, start: float = -np.inf, end: float = np.inf, every: int = 1) -> Result:
        """Part of the result from one time to another, each n-th record of it."""
        check("every", every, at_least(1))
        times = self.run.records("t")
        first, last = np.searchsorted(times, start, "left"), np.searchsorted(times, end, "right")
        if first >= last:
            raise InputError(f"no records from {start} s to {end} s; there are {span(times)}")
        return replace(self, rows=slice(int(first), int(last), every))

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def system(self) -> System:
        """What was simulated."""
        if self.given is None:
            raise InputError(
                f"{self.run.label} does not hold the system itself: give it to "
                "Result.load(path, system)"
            )
        return self.given

    @property
    def status(self) -> str:
        """How the run ended, or that it goes on.

        "finished"; "stopped" (by an event or a callback), "interrupted" (Ctrl-C or SIGTERM) or
        "failed" (`SimulationError`) before the time asked for. Of a file also "running", or
        "killed": it says running, but nobody writes to it any more.
        """
        return self.run.status

    @property
    def message(self) -> str:
        """What the user should know: repairs of the start, doubts, the reason of an early end."""
        return self.run.message

    @property
    def method(self) -> str:
        """Method of simulation; its options are in `about`."""
        found = str(self._layout["method"])
        return FORMER_METHODS.get(found, found)

    @property
    def about(self) -> Mapping[str, Any]:
        """Names, description and fingerprint of the system, method and options."""
        return self.run.about

    @property
    def origin(self) -> float:
        """Time in s at which the motion began, also before a restart."""
        kept = self._layout.get("origin")
        return float(self.run.records("t", slice(1))[0] if kept is None else kept)

    @property
    def validity(self) -> dict[str, float]:
        """Body -> frequency in Hz up to which its motion is valid; others have no known bound.

        It is that about the velocities at the start.
        """
        return self.run.validity

    @property
    def valid_to(self) -> float:
        """Frequency in Hz up to which the motion of all bodies is valid."""
        return min(self.validity.values(), default=np.inf)

    @cached_property
    def t(self) -> Floats:
        """Times (k,) in s, none before the one before it."""
        times = self._part("t")
        if not (np.isfinite(times).all() and np.all(np.diff(times) >= 0.0)):
            raise InputError(f"{self.run.label} is damaged: its times do not rise")
        return times

    @property
    def q(self) -> Floats:
        """Coordinates (k, ...) of the system."""
        return self._part("q")

    @property
    def v(self) -> Floats:
        """Velocities (k, n) of the dofs."""
        return self._part("v")

    @property
    def a(self) -> Floats:
        """Accelerations (k, n) of the dofs."""
        return self._part("a")

    @property
    def lam(self) -> Floats:
        """Multipliers (k, m) of the constraint rows."""
        return self._part("lam")

    @property
    def z(self) -> Floats:
        """Internal variables (k, ...) of contacts, as `System.history_layout` lays them out."""
        return self._part("z")

    @property
    def contact_status(self) -> Integers:
        """Status (k, p) of the points of all stateful contacts; see `contact_states`."""
        return self._part("status").astype(np.int64, copy=False)

    @property
    def slip_totals(self) -> Floats:
        """Slip work in J, path in m (k, 2 p) of these points in turn; see `slip_work_and_path`."""
        return self._part("slip_totals")

    @property
    def resume(self) -> Floats:
        """What the method needs to continue from each time (k, r), see `Point`."""
        return self._part("resume")

    @property
    def dofs(self) -> tuple[str, ...]:
        """Names of the dofs, "body.dof"."""
        return tuple(self._layout["coordinates"])

    @cached_property
    def contacts(self) -> dict[str, ContactFields]:
        """Contacts by name: fields over time, and `contacts[name][-1]` is the last report."""
        found, first, offset = {}, 0, 0
        for index, record in enumerate(self._layout["contacts"]):
            name, points, states = record["name"], record["points"], record.get("states", {})
            found[name] = ContactFields(
                self.run, name, index, first, points, self.rows, states, offset
            )
            first, offset = first + points, offset + points * record.get("columns", 0)
        return found

    def contact_states(self, name: str) -> dict[str, Integers]:
        """Numbers (k,) of open, stick, slip and gross slip points of a contact over time."""
        if name not in self.contacts:
            raise unknown("contact", name, self.contacts)
        statuses = self.contacts[name].status
        return {word: np.sum(statuses == i, axis=1) for i, word in enumerate(STATUS_WORDS)}

    def dwells(self, point: int) -> list[tuple[int, float]]:
        """Statuses of a contact point one after the other, and how long each lasts in s.

        Points are numbered as the columns of `contact_status`; a status is seen at records only.
        """
        status = self.contact_status[:, point]
        turns = np.flatnonzero(np.diff(status)) + 1
        times = self.t[np.concatenate([[0], turns, [len(status) - 1]])]
        statuses = status[np.concatenate([[0], turns])]
        return list(zip(statuses.tolist(), np.diff(times).tolist(), strict=True))

    def slip_work_and_path(self, name: str) -> tuple[Floats, Floats]:
        """Slip work (k, p) in J and slip path (k, p) in m of the points of a contact."""
        known = [contact.name for contact in self.contacts.values() if contact.stateful]
        if name not in known:
            raise unknown("stateful contact", name, known)
        return self.contacts[name].slip_work, self.contacts[name].slip_path

    @property
    def switches(self) -> list[ContactSwitch]:
        """Changes of the status of contact points, in order of time.

        Method "events" locates each instant. Of other methods only the status at the times of this
        result is known, at each step or each output time: a change lies between `since` and `t`,
        and what is undone in between is not seen. A start without history counts as open there.
        """
        contacts = [(record["name"], record["points"]) for record in self._layout["contacts"]]
        if self.method == "events":
            first, stop, _ = self.rows.indices(self.run.complete)
            inside = self.run.listed(slice(first + (first > 0), stop))
            return located(np.vstack([NO_SWITCHES, *inside]), contacts)
        statuses = [fields.status for fields in self.contacts.values()]
        return seen(self.t, np.hstack(statuses), contacts) if statuses else []

    @property
    def events(self) -> tuple[Crossing, ...]:
        """User events that happened, in order of time."""
        found = self.run.crossings()
        if not found or self.rows == slice(None):
            return found
        return tuple(each for each in found if self.t[0] <= each.state.t <= self.t[-1])

    @property
    def energies(self) -> dict[str, Floats]:
        """Energy audit: lines (k,) in J by name; NaN if the method keeps none."""
        return {name: self._part(f"energies/{name}") for name in self._audit}

    @property
    def left_over(self) -> Floats:
        """Energy (k,) in J that the audit leaves over: |numerical| + |residual|."""
        return left_over(self.energies)

    @property
    def unaccounted(self) -> float:
        """What the audit leaves over, of the exchanged energy; see `results.audit`."""
        return unaccounted(self.energies)

    @property
    def statistics(self) -> Statistics:
        """Counters at the last record."""
        if not len(self):
            return Statistics()
        last = self._numbers[-1]
        row = slice(last, last + 1)
        known = [name for name in Statistics.names() if name in self._counters]
        return Statistics(
            **{name: int(self.run.records(f"statistics/{name}", row)[0]) for name in known}
        )

    def history(self, name: str, of: str = "position") -> Floats:
        """One dof over time (k,): "body.dof", its position, velocity or acceleration.

        "body.dof'" and "body.dof''" are its velocity and acceleration too. The rotations
        of a body that may turn about any axis have no angles: take their velocity, or the
        quaternion from `coordinates`.
        """
        check("history: of", of, one_of(KINDS))
        marks = len(name) - len(name.rstrip("'"))
        if 0 < marks < len(KINDS) and of == "position":
            name, of = name.rstrip("'"), list(KINDS)[marks]
        if name not in self.dofs:
            raise no_such("dof", name, self.dofs)
        index = self.dofs.index(name)
        if of != "position":
            return (self.v if of == "velocity" else self.a)[:, index]
        in_q = self._layout["places"][index]
        if in_q == NO_ANGLE:
            raise InputError(
                f"'{name}' is a rotation about a body-fixed axis and has no angle; take its "
                f'velocity "{name}\'", or the quaternion from coordinates(body)'
            )
        return self.q[:, in_q]

    def coordinates(self, body: str) -> Floats:
        """Coordinates of one body over time (k, ...)."""
        return self.q[:, self._coordinates(body)]

    def multiplier(self, row: str) -> Floats:
        """Multiplier of a constraint row over time (k,): "joint.row"."""
        if row not in self._layout["rows"]:
            raise unknown("constraint row", row, self._layout["rows"])
        return self.lam[:, self._layout["rows"].index(row)]

    def along(self, coordinate: Coordinate, near: float = 0.0) -> Floats:
        """Joint coordinate over time (k,), as `result.along(hinge.angle)`; angles are continued.

        Between two times an angle must change by less than half a turn; `near` is its first value,
        up to half a turn.
        """
        parts = [self._part_of(body) for body in coordinate.bodies]
        return coordinate.history(np.hstack([self.q[:, part] for part in parts]), near)

    def path(
        self, body: MarkedBody, point: MarkerPoint = (0.0, 0.0, 0.0), of: str = "position"
    ) -> Floats:
        """Motion (k, 3) in space of a point of a body, by name or components in m.

        Its position, displacement from the reference position, velocity or acceleration. The result
        knows the coordinates; the body, which must be that of the simulation, knows its points.
        """
        check_body(body)
        q = self.q[:, self._part_of(body)]
        dofs = [i for i, name in enumerate(self.dofs) if name.rpartition(".")[0] == body.name]
        return point_history(body, point, of, self.t, q, self.v[:, dofs], self.a[:, dofs])

    def energy(self) -> Floats:
        """Kinetic, strain and potential energy of the system over time (k,) in J."""
        return np.array([self.system.energies(self.state(i)).total for i in range(len(self))])

    def momentum(
        self, about: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ) -> tuple[Floats, Floats]:
        """Momentum (k, 3), and angular momentum (k, 3) about a point, over time."""
        pairs = [self.system.momentum(self.state(i), about) for i in range(len(self))]
        return np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])

    def drift(self) -> tuple[Floats, Floats]:
        """Largest residual of the constraint rows over time, (k,) each.

        |c| in m or rad of the rows of position level, and |c'| in m/s or rad/s of all rows.
        """
        bound, worst = self.system.position_rows, np.zeros((2, len(self)))
        for i in range(len(self)):
            rows = self.system.constraint(self.state(i))
            worst[0, i] = np.abs(rows.value[bound]).max(initial=0.0)
            worst[1, i] = np.abs(rows.rate).max(initial=0.0)
        return worst[0], worst[1]

    @renamed_keywords(number="index")
    def state(self, index: int = -1) -> State:
        """State at a time, by its index; -1 is the last."""
        return self.run.state(self._row(index))

    @renamed_keywords(number="index")
    def point(self, index: int = -1) -> Point:
        """Point at a time, by its index, from which a simulation can go on; -1 is the last."""
        row = self._row(index)
        one = replace(self, rows=slice(row, row + 1))
        energies = np.array([line[0] for line in one.energies.values()])
        reports = {c.name: c[0] for c in one.contacts.values() if c.stateful}
        return Point(self.run.state(row), one.a[0], one.resume[0], energies, reports)

    @cached_property
    def geometry(self) -> tuple[BodyGeometry, ...]:
        """Bodies for pictures, as they were given to the simulation."""
        return stored(self.run)

    @renamed_keywords(number="index")
    def positions(self, index: int, exaggeration: float = 1.0) -> Floats:
        """Positions (k, n, 3) of the points of a geometry; elastic displacements exaggerated."""
        geometry = self.geometry[index]
        frames = self._part("frames")[:, index]
        _, stop = self._layout["bodies"].get(geometry.body, (0, 0))
        elastic = self.q[:, stop - geometry.coordinates : stop]
        return geometry.positions(frames, elastic, exaggeration)

    def __repr__(self) -> str:
        where = "in memory" if self.run.path is None else f"'{self.run.path}'"
        return f"<Result {where}: {self.method}, {self.status}, {len(self)} records>"

    def __str__(self) -> str:
        return described(self)

    @property
    def _layout(self) -> Mapping[str, Any]:
        return self.run.layout

    @property
    def _audit(self) -> list[str]:
        return list(self._layout["energies"])

    @property
    def _counters(self) -> list[str]:
        return list(self._layout["statistics"])

    @property
    def _numbers(self) -> range:
        """Indices of the records in the run."""
        return range(*self.rows.indices(self.run.complete))

    def _row(self, index: int) -> int:
        """Number in the run of one of the records."""
        rows = self._numbers
        if not -len(rows) <= index < len(rows):
            raise InputError(f"invalid index = {index}: expected one of {len(rows)} records")
        return rows[index]

    def _part(self, name: str) -> Array:
        return self.run.records(name, self.rows)

    def _coordinates(self, body: str) -> slice:
        """Coordinates of a body, by its name."""
        if body not in self._layout["bodies"]:
            raise unknown("body", body, self._layout["bodies"])
        return slice(*self._layout["bodies"][body])

    def _part_of(self, body: Body) -> slice:
        """Coordinates of a body, which must be that of the simulation or equal to it."""
        part = self._coordinates(body.name)
        if self.given is not None and body in self.given.bodies:
            return part
        own, kept = body_fingerprint(body), self.about.get("fingerprint", {})
        both = sorted(own.keys() & kept.keys())
        before, now = ({name: parts[name] for name in both} for parts in (kept, own))
        found = differences(before, now, "in the simulation")
        if found:
            raise InputError(f"body '{body.name}' is not in the simulated system: {found[0]}")
        return part
