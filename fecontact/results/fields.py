"""Fields of one contact over time, and their sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from fecontact.contact.report import ContactReport
from fecontact.errors import InputError, renamed, unknown, warn_caller
from fecontact.results.source import POINT_FIELDS, POINT_SUMS, Array, Source
from fecontact.typing import Floats, Integers

__all__ = ["FIELDS", "STATUSES", "SUMS", "ContactFields"]

STATUSES = ("open", "stick", "slip", "gross")
"""What a point does, by its number in `status`."""

STORED = (*POINT_FIELDS, *POINT_SUMS)
DERIVED = (
    "status", "slip_speed", "heat_flux", "slip_work", "slip_path", "force", "friction_force",
    "normal_force",
    *(f"points_{status}" for status in STATUSES),
)  # fmt: skip
FIELDS = (*STORED, *DERIVED)
"""Fields that a contact may have besides its internal variables."""
SLIP_TOTALS = ("slip_work", "slip_path")
FORMER_FIELDS = {"mode": "status"}
"""Names of fields in earlier versions, and now."""
NEEDS = {"heat_flux": "point_slip_power"}
"""Derived fields that a file has only with a stored one."""
SUMS = (*POINT_SUMS, "normal_force", *(f"points_{status}" for status in STATUSES))
"""Fields with one number per time."""
REPORTED = (*(name for name in STORED if name != "slip_power"), "status")
"""Fields of a `ContactReport`; its slip power is the sum of that of the points."""


@renamed(mode="status", remembers="stateful")
@dataclass(frozen=True, eq=False)
class ContactFields:
    """Fields of a contact with p points at k times; read when asked for.

    It is also the sequence of its k reports: `fields[-1].pressure` is that of the last time.

    Stored fields by `field(name)`: gap (k, p) in m, pressure (k, p) in Pa, normal, traction, slip
    velocity and position (k, p, 3), all of the slave; point_slip_power (k, p) in W, the mean of the
    last step of methods with steps; energy in J, damping_power, slip_power (the sum over the
    points) and supplied_power in W (k,). The internal variables of its laws have the names that
    these declare, (k, p) each; elastic_slip (k, p, 3) is in the frame of the master. Pressure,
    traction and heat flux are per area, length or point as the weights of the points are areas,
    lengths or ones.
    """

    run: Source
    name: str
    index: int
    first: int
    points: int
    rows: slice
    states: Mapping[str, int]
    offset: int

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[ContactReport]:
        fields = {name: self.field(name) for name in REPORTED}
        return (_report(fields, row) for row in range(len(self)))

    @overload
    def __getitem__(self, index: int) -> ContactReport: ...

    @overload
    def __getitem__(self, index: slice) -> list[ContactReport]: ...

    def __getitem__(self, index: int | slice) -> ContactReport | list[ContactReport]:
        """What the points did at one time, by its index, or at several."""
        if isinstance(index, slice):
            return list(self)[index]
        row = self._numbers[index]
        one = replace(self, rows=slice(row, row + 1))
        return _report({name: one.field(name) for name in REPORTED}, 0)

    @property
    def names(self) -> tuple[str, ...]:
        """What `field` gives."""
        stored = tuple(name for name in STORED if self._path(name) in self.run.shapes)
        known = (name for name in DERIVED if self.stateful or name not in SLIP_TOTALS)
        derived = (name for name in known if NEEDS.get(name, "gap") in stored)
        return (*stored, *derived, *self.states)

    def field(self, name: str) -> Array:
        """A stored or derived field over time."""
        if name in FORMER_FIELDS:
            warn_caller(f"field '{name}' is now '{FORMER_FIELDS[name]}'", DeprecationWarning)
            name = FORMER_FIELDS[name]
        if name not in self.names:
            raise unknown(f"field of contact '{self.name}'", name, self.names)
        if name.startswith("points_"):
            return self.count(name.removeprefix("points_"))
        if name in self.states:
            return self._state(name)
        if name in DERIVED:
            return np.asarray(getattr(self, name))
        return self.run.records(self._path(name), self.rows)

    @property
    def weights(self) -> Floats:
        """Areas (p,) of the points in m^2, lengths in m, or ones."""
        weights = self.run.fixed(self._path("weights"))
        if weights.shape != (self.points,):
            raise InputError(
                f"{self.run.label} is damaged: contact '{self.name}' has "
                f"{self.points} points and weights of shape {weights.shape}"
            )
        return weights

    @property
    def status(self) -> Integers:
        """What each point does (k, p): number in `STATUSES`."""
        if not self.stateful:
            return self.run.records(self._path("status"), self.rows).astype(np.int64)
        statuses = self.run.records("status", self.rows).astype(np.int64)
        return statuses[:, self.first : self.first + self.points]

    @property
    def slip_speed(self) -> Floats:
        """Slip speed (k, p) in m/s."""
        return np.asarray(np.linalg.norm(self.field("slip"), axis=2))

    @property
    def heat_flux(self) -> Floats:
        """Power of slip per area (k, p) in W/m^2, into both bodies together."""
        return np.asarray(self.field("point_slip_power") / self.weights)

    @property
    def slip_work(self) -> Floats:
        """Work of slip (k, p) in J since the start."""
        return self._slip_totals[:, :, 0]

    @property
    def slip_path(self) -> Floats:
        """Path of slip (k, p) in m since the start."""
        return self._slip_totals[:, :, 1]

    @property
    def normal_force(self) -> Floats:
        """Sum (k,) of the normal forces in N."""
        return np.asarray(self.field("pressure") @ self.weights)

    @property
    def friction_force(self) -> Floats:
        """Sum (k, 3) of the friction forces on the slave in N."""
        return np.einsum("p,kpi->ki", self.weights, self.field("traction"))

    @property
    def force(self) -> Floats:
        """Sum (k, 3) of all forces on the slave in N."""
        return np.asarray(self.point_forces.sum(axis=1))

    @property
    def point_forces(self) -> Floats:
        """Forces (k, p, 3) on the slave in N: A (p n + T)."""
        pressed = self.field("pressure")[:, :, None] * self.field("normal")
        return self.weights[:, None] * (pressed + self.field("traction"))

    def torque(
        self,
        axis: Sequence[float] = (0.0, 0.0, 1.0),
        about: Sequence[float] = (0.0, 0.0, 0.0),
    ) -> Floats:
        """Moment (k,) in N m of all forces on the slave about an axis through a fixed point."""
        direction = np.asarray(axis, dtype=float)
        length = float(np.linalg.norm(direction))
        if direction.shape != (3,) or not length > 0.0:
            raise InputError(f"invalid axis = {axis}: expected three numbers, not all 0")
        arm = self.field("position") - np.asarray(about, dtype=float)
        moment = np.cross(arm, self.point_forces).sum(axis=1)
        return np.asarray(moment @ direction / length)

    def count(self, status: str) -> Integers:
        """Number (k,) of points that are open, stick, slip or slip grossly."""
        if status not in STATUSES:
            raise unknown("status", status, STATUSES)
        return np.count_nonzero(self.status == STATUSES.index(status), axis=1)

    @property
    def stateful(self) -> bool:
        """Whether the contact has a history; others have a status of their own, no totals."""
        return self._path("status") not in self.run.shapes

    def _state(self, name: str) -> Floats:
        """An internal variable (k, p), or (k, p, 3)."""
        sizes, names = list(self.states.values()), list(self.states)
        width, column = sum(sizes), sum(sizes[: names.index(name)])
        own = slice(self.offset, self.offset + self.points * width)
        z = self.run.records("z", self.rows)[:, own].reshape(-1, self.points, width)
        return z[:, :, column : column + 3] if self.states[name] == 3 else z[:, :, column]

    @property
    def _slip_totals(self) -> Floats:
        slip_totals = self.run.records("slip_totals", self.rows).reshape(
            -1, self.run.shapes["status"][0], 2
        )
        return slip_totals[:, self.first : self.first + self.points]

    @property
    def _numbers(self) -> range:
        """Indices of the records."""
        return range(*self.rows.indices(self.run.complete))

    def _path(self, name: str) -> str:
        return f"contacts/{self.index}/{name}"


def _report(fields: Mapping[str, Array], row: int) -> ContactReport:
    """Report at one time."""
    now = {name: field[row] for name, field in fields.items()}
    return ContactReport(**{n: x.item() if n in POINT_SUMS else x for n, x in now.items()})
