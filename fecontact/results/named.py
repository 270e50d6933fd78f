"""Histories of a result by name: dofs, multipliers, fields, energies, counters, and sensors.

A signal is one number per time. Beside the names of the result it may be a point of a field,
"facing.pressure[3]", or a component of a vector, "facing.force.x".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from fecontact.errors import InputError
from fecontact.results.columns import write_columns
from fecontact.results.fields import SUMS
from fecontact.results.source import Array
from fecontact.system.names import no_such
from fecontact.system.sensors.batch import SensorBatch
from fecontact.system.sensors.sensor import Sensor
from fecontact.typing import Floats

__all__ = ["KINDS", "NO_ANGLE", "NamedHistories"]

KINDS = {"position": "", "velocity": "'", "acceleration": "''"}
NO_ANGLE = -1
FIELD_UNITS = {
    "gap": "m", "pressure": "Pa", "traction": "Pa", "slip": "m/s", "slip_speed": "m/s",
    "position": "m", "slip_work": "J", "slip_path": "m", "force": "N", "friction_force": "N",
    "normal_force": "N", "energy": "J", "damping_power": "W", "slip_power": "W",
    "supplied_power": "W", "point_slip_power": "W", "heat_flux": "W/m²",
}  # fmt: skip
MODAL = re.compile(r"(e\d+|k\d+\.\d+)")
"""Dofs that are coordinates of an elastic body: their size depends on the scale of its shapes."""


class NamedHistories:
    """Answers of a result by name; `Result` derives from it."""

    @cached_property
    def names(self: Any) -> tuple[str, ...]:
        """All names that can be asked for."""
        dofs = [f"{name}{mark}" for name in self.dofs for mark in KINDS.values()]
        indices = dict(zip(self.dofs, self._layout["places"], strict=True))
        turns = {name for name, index in indices.items() if index == NO_ANGLE}
        fields = [f"{name}.{field}" for name, c in self.contacts.items() for field in c.names]
        audit = [f"energy.{name}" for name in self._audit]
        counters = [f"statistics.{name}" for name in self._counters]
        every = [*self.sensors, *dofs, *self._layout["rows"], *fields, *audit, *counters]
        return tuple(name for name in every if name not in turns)

    def __getitem__(self: Any, name: str) -> Array:
        """History (k,) or field (k, p, ...) by name."""
        if name in self.sensors:
            readings: Floats = self._part("sensors")
            return readings[:, list(self.sensors).index(name)]
        dof = name.rstrip("'")
        if dof in self.dofs and len(name) - len(dof) < len(KINDS):
            return np.asarray(self.history(name))
        if name in self._layout["rows"]:
            return np.asarray(self.multiplier(name))
        owner, _, part = name.rpartition(".")
        if owner in self.contacts and part in self.contacts[owner].names:
            return np.asarray(self.contacts[owner].field(part))
        if owner == "energy" and part in self._audit:
            return np.asarray(self._part(f"energies/{part}"))
        if owner == "statistics" and part in self._counters:
            return np.asarray(self._part(f"statistics/{part}"))
        raise no_such("history", name, self.names)

    @cached_property
    def sensors(self: Any) -> Mapping[str, Mapping[str, str]]:
        """Sensors by name, with "unit" and "what" they read; see `fc.PointSensor`."""
        return {record["name"]: record for record in self._layout.get("sensors", ())}

    def measure(self: Any, *sensors: Sensor) -> Floats:
        """Readings (k,) of a sensor, or (k, s) of several, that the system was not given.

        They are worked out from the stored states, which a result from a file can do with the
        system: `Result.load(path, system)`.
        """
        system = self.system
        items = {item.name: item for item in system.items}
        contacts = [items[name] for name in self.contacts]
        readings = SensorBatch(system, sensors, contacts).read(self._part)
        return readings[:, 0] if len(sensors) == 1 else readings

    def signal(self: Any, name: str) -> Floats:
        """One number per time (k,) by name, with an index of a point or a component of a vector."""
        base, point, axis = _split(self, name)
        values = np.asarray(self[base], dtype=np.float64)
        if point is not None and values.ndim > 1:
            if point >= values.shape[1]:
                raise InputError(
                    f"'{name}' does not exist: the points are 0 to {values.shape[1] - 1}"
                )
            values = values[:, point]
        if axis is not None and values.ndim > 1 and values.shape[-1] == 3:
            values = values[..., axis]
        if values.ndim != 1:
            hint = "[0]" if values.ndim == 3 or values.shape[1] != 3 else ".x"
            raise InputError(f"'{name}' is no single number: choose one, as in '{name}{hint}'")
        return values

    def unit(self: Any, name: str) -> str:
        """Unit of a signal; of a dof by its name, "1" if it is not known."""
        if name in self.sensors:
            return str(self.sensors[name]["unit"])
        base = name.rstrip("'")
        owner, _, part = base.rpartition(".")
        if base in self.dofs:
            rate = ("", "/s", "/s²")[len(name) - len(base)]
            if re.match(r"^e\d+$", part):
                return f"m √kg{rate}"
            return f"{'rad' if re.match(r'^(r[xyz]|spin|phi|angle)', part) else 'm'}{rate}"
        if owner == "energy":
            return "J"
        return FIELD_UNITS.get(_split(self, name)[0].rpartition(".")[2], "1")

    @cached_property
    def default_signals(self: Any) -> tuple[str, ...]:
        """What plots and tables show unless they are told: sensors, else dofs with a position.

        Of the dofs those that are displacements and angles; coordinates of modes if there are no
        others.
        """
        if self.sensors:
            return tuple(self.sensors)
        dofs = [name for name in self.dofs if name in self.names]
        return tuple(name for name in dofs if not _modal(name)) or tuple(dofs)

    def to_csv(self: Any, path: str | Path, names: Iterable[str] | None = None) -> None:
        """Write histories as columns after the time; by default all that are numbers over time.

        Where there are sensors, that is without the coordinates of modes. Fields get one column
        per point and component: "facing.pressure[3]", "facing.slip[3].x".
        """
        chosen = self._plain if names is None else names
        write_columns(path, {"t": self.t} | {name: self[name] for name in chosen})

    @property
    def _plain(self: Any) -> Sequence[str]:
        """Names of histories with one number per time, without modes if there are sensors."""
        fields = {f"{n}.{f}" for n, c in self.contacts.items() for f in c.names if f not in SUMS}
        left_out = fields | {n for n in self.names if self.sensors and _modal(n, self.dofs)}
        return [name for name in self.names if name not in left_out]


def _modal(name: str, dofs: Sequence[str] | None = None) -> bool:
    """Whether a name is that of a coordinate of a mode, or of its rate."""
    base = name.rstrip("'")
    return (dofs is None or base in dofs) and MODAL.fullmatch(base.partition(".")[2]) is not None


def _split(result: Any, name: str) -> tuple[str, int | None, int | None]:
    """Name in the result, number of a point, number of a component."""
    if name in result.names:
        return name, None, None
    axis = "xyz".index(name[-1]) if name[-2:] in (".x", ".y", ".z") else None
    base = name if axis is None else name[:-2]
    match = re.match(r"^(.*)\[(\d+)\]$", base)
    return (base, None, axis) if match is None else (match[1], int(match[2]), axis)
