"""What a simulation returns: states over time, and the counters of the method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from fecontact.body.marker import MarkedBody
from fecontact.body.marker import Point as MarkerPoint
from fecontact.errors import InputError, SolverError, check, one_of, unknown
from fecontact.integrate.counters import Statistics
from fecontact.integrate.dofs import Dofs
from fecontact.joint.coordinate import Coordinate
from fecontact.results.energy import LINES
from fecontact.results.points import check_body, point_history
from fecontact.results.switches import NO_SWITCHES, STATUS_WORDS, ContactSwitch, located, seen
from fecontact.system import State, System
from fecontact.system.validity import validity
from fecontact.typing import Body, ContactReport, Floats, Integers

__all__ = ["Crossing", "Point", "SimulationError", "Statistics", "Status", "Trajectory"]

Status = Literal["finished", "stopped", "interrupted", "failed"]
KINDS = ("position", "velocity", "acceleration")
NOTHING = np.zeros(0)


class Point(NamedTuple):
    """One state of a motion.

    Attributes
    ----------
    state, acceleration
        State with its contact history, and v'.
    resume
        Flat array from which the method that made the point continues as if it had not stopped:
        algorithmic acceleration, step, sizes seen so far; empty for a start.
    energies
        Lines of the energy audit, see `results.energy`; empty if the method keeps none.
    reports
        What the contacts did at the end of the step; None: what the state alone tells.
    switches : (e, 4)
        Located changes of contact points since the point before, see `results.switches`.
    """

    state: State
    acceleration: Floats
    resume: Floats = NOTHING
    energies: Floats = NOTHING
    reports: Mapping[str, ContactReport] | None = None
    switches: Floats = NO_SWITCHES

    def contacts(self, system: System) -> Mapping[str, ContactReport]:
        """What the points of each contact with memory do."""
        if self.reports is not None:
            return self.reports
        return system.flow(self.state).reports() if system.memory else {}


class Crossing(NamedTuple):
    """An event that happened: its name and the state there."""

    name: str
    state: State

    @property
    def t(self) -> float:
        """Time in s."""
        return self.state.t


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Motion of a system at k times.

    Attributes
    ----------
    system
        What was simulated.
    t : (k,)
        Times in s.
    q, v, a : (k, ...)
        Coordinates, velocities and accelerations of the dofs.
    lam : (k, m)
        Multipliers of the constraint rows.
    z, mode, wear : (k, ...)
        Contact history, as `System.memory` lays it out; see `worn` and `contact_states`.
    resume : (k, r)
        What the method needs to continue from each point, see `Point`.
    energies
        Lines of the energy audit in J over time (k,), by name: "kinetic", "slip", ...; NaN if the
        method keeps none.
    origin
        Time in s at which the motion began, also before a restart.
    method, status
        Name of the method; "stopped" (event or callback), "interrupted" (Ctrl-C or SIGTERM) or
        "failed" (`SimulationError`) if the motion ends before the time asked for.
    statistics
        Counters.
    message
        What the user should know: repairs of the start, the reason of an early end.
    events
        User events that happened, in order of time.
    reports
        What the contacts did at each time, as the method saw it, see `Point`.
    located : (e, 4)
        Located changes of contact points, see `switches`.
    """

    system: System
    t: Floats
    q: Floats
    v: Floats
    a: Floats
    lam: Floats
    z: Floats
    mode: Integers
    wear: Floats
    resume: Floats
    energies: dict[str, Floats]
    origin: float
    method: str
    status: Status
    statistics: Statistics
    message: str = ""
    events: tuple[Crossing, ...] = ()
    reports: tuple[Mapping[str, ContactReport] | None, ...] = field(repr=False, default=())
    located: Floats = field(repr=False, default_factory=NO_SWITCHES.copy)

    @classmethod
    def of(
        cls,
        system: System,
        points: Sequence[Point],
        method: str,
        status: Status,
        statistics: Statistics,
        message: str = "",
        origin: float | None = None,
        events: Sequence[Crossing] = (),
    ) -> Trajectory:
        """Trajectory of a list of points."""
        states = [point.state for point in points]
        return cls(
            system=system,
            t=np.array([state.t for state in states]),
            q=np.array([state.q for state in states]),
            v=np.array([state.v for state in states]),
            a=np.array([point.acceleration for point in points]),
            lam=np.array([state.lam for state in states]),
            z=np.array([state.z for state in states]),
            mode=np.array([state.mode for state in states]),
            wear=np.array([state.wear for state in states]),
            resume=_rectangular([point.resume for point in points]),
            energies=_energies(points),
            origin=states[0].t if origin is None else origin,
            method=method,
            status=status,
            statistics=replace(statistics),
            message=message,
            events=tuple(events),
            reports=tuple(point.reports for point in points),
            located=np.vstack([point.switches for point in points]),
        )

    def __len__(self) -> int:
        return len(self.t)

    @cached_property
    def validity(self) -> dict[str, float]:
        """Body -> frequency in Hz up to which its motion is valid; rigid bodies have no bound."""
        return validity(self.system, self.v[-1])

    def state(self, number: int) -> State:
        """State at a time, by its number; -1 is the last."""
        return State(
            t=float(self.t[number]),
            q=self.q[number],
            v=self.v[number],
            lam=self.lam[number],
            z=self.z[number],
            mode=self.mode[number],
            wear=self.wear[number],
        )

    def point(self, number: int) -> Point:
        """Point at a time, by its number; -1 is the last."""
        energies = np.array([line[number] for line in self.energies.values()])
        reports = self.reports[number]
        return Point(self.state(number), self.a[number], self.resume[number], energies, reports)

    @cached_property
    def contacts(self) -> dict[str, list[ContactReport]]:
        """What the points of each contact with memory do, at all times."""
        reports = [self.point(i).contacts(self.system) for i in range(len(self))]
        return {name: [now[name] for now in reports] for name in self.system.memory.names}

    def contact_states(self, name: str) -> dict[str, Integers]:
        """Numbers (k,) of open, stick, slip and gross slip points of a contact over time."""
        if name not in self.system.memory.names:
            raise unknown("contact with memory", name, self.system.memory.names)
        modes = self.mode[:, self.system.memory.mode[name]]
        return {word: np.sum(modes == i, axis=1) for i, word in enumerate(STATUS_WORDS)}

    @property
    def switches(self) -> list[ContactSwitch]:
        """Changes of the status of contact points with memory, in order of time.

        Method "events" locates each instant. Of other methods only the status at the points of this
        motion is known, at each step or each output time: a change lies between `since` and `t`,
        and what is undone in between is not seen. A start without history counts as open there.
        """
        contacts = [(item.name, item.points) for item in self.system.remembering]
        if self.method == "events":
            return located(self.located, contacts)
        return seen(self.t, self.mode, contacts)

    def worn(self, name: str) -> tuple[Floats, Floats]:
        """Slip work (k, p) in J and slip path (k, p) in m of the points of a contact."""
        if name not in self.system.memory.names:
            raise unknown("contact with memory", name, self.system.memory.names)
        part = self.system.memory.mode[name]
        return self.wear[:, ::2][:, part], self.wear[:, 1::2][:, part]

    def history(self, name: str, of: str = "position") -> Floats:
        """One dof over time (k,): "body.dof", its position, velocity or acceleration.

        "body.dof'" and "body.dof''" are its velocity and acceleration too. The rotations
        of a body that may turn about any axis have no angles: take their velocity, or the
        quaternion from `coordinates`.
        """
        check("history: of", of, one_of(KINDS))
        marks = len(name) - len(name.rstrip("'"))
        if 0 < marks < len(KINDS) and of == KINDS[0]:
            name, of = name.rstrip("'"), KINDS[marks]
        if name not in self.system.coordinates:
            raise unknown("coordinate", name, self.system.coordinates)
        number = self.system.coordinates.index(name)
        if of != "position":
            return (self.v if of == "velocity" else self.a)[:, number]
        dofs = Dofs(self.system)
        if number in dofs.turns:
            raise InputError(
                f"'{name}' is a rotation about a body-fixed axis and has no angle; take its "
                "velocity, or the quaternion from coordinates(body)"
            )
        return self.q[:, dofs.places[np.searchsorted(dofs.plain, number)]]

    def coordinates(self, body: str) -> Floats:
        """Coordinates of one body over time (k, ...)."""
        if body not in self.system.q_slices:
            raise unknown("body", body, self.system.q_slices)
        return self.q[:, self.system.q_slices[body]]

    def along(self, coordinate: Coordinate, near: float = 0.0) -> Floats:
        """Joint coordinate over time (k,), as `motion.along(hinge.angle)`; angles are continued.

        Between two times an angle must change by less than half a turn; `near` is its first value,
        up to half a turn.
        """
        columns = [np.arange(len(self.q[0]))[self._part(body)] for body in coordinate.bodies]
        return coordinate.history(self.q[:, np.concatenate(columns)], near)

    def path(
        self, body: MarkedBody, point: MarkerPoint = (0.0, 0.0, 0.0), of: str = "position"
    ) -> Floats:
        """Motion (k, 3) in space of a point of a body, by name or components in m.

        Its position, displacement from the reference position, velocity or acceleration.
        """
        check_body(body)
        q, own = self.q[:, self._part(body)], self.system.slices[body.name]
        return point_history(body, point, of, self.t, q, self.v[:, own], self.a[:, own])

    def multiplier(self, row: str) -> Floats:
        """Multiplier of a constraint row over time (k,): "joint.row"."""
        if row not in self.system.rows:
            raise unknown("constraint row", row, self.system.rows)
        return self.lam[:, self.system.rows.index(row)]

    def energy(self) -> Floats:
        """Kinetic, strain and potential energy of the system over time (k,) in J."""
        return np.array([self.system.energies(self.state(i)).total for i in range(len(self))])

    def momentum(
        self, about: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ) -> tuple[Floats, Floats]:
        """Momentum (k, 3), and angular momentum (k, 3) about a point, over time."""
        pairs = [self.system.momentum(self.state(i), about) for i in range(len(self))]
        return np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])

    def _part(self, body: Body) -> slice:
        """Coordinates of a body of the system."""
        if body not in self.system.bodies:
            raise InputError(f"body '{body.name}' is not in the simulated system")
        return self.system.q_slices[body.name]


def _energies(points: Sequence[Point]) -> dict[str, Floats]:
    lines = np.full((len(LINES), len(points)), np.nan)
    for column, point in enumerate(points):
        if len(point.energies):
            lines[:, column] = point.energies
    return dict(zip(LINES, lines, strict=True))


def _rectangular(parts: Sequence[Floats]) -> Floats:
    """Rows of equal length; a start or an event has nothing to resume from, and gets NaN."""
    result = np.full((len(parts), max(len(part) for part in parts)), np.nan)
    for row, part in zip(result, parts, strict=True):
        row[: len(part)] = part
    return result


class SimulationError(SolverError):
    """A simulation that cannot go on.

    Attributes
    ----------
    trajectory
        What was computed before, with the status "failed".
    """

    def __init__(self, message: str, trajectory: Trajectory) -> None:
        super().__init__(message)
        self.trajectory = trajectory
