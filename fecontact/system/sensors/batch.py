"""All sensors of a system over many times at once, from the records of a run.

Points of the same body are moved once for all sensors that read them, and an item is asked once
for all of its sensors; the work of a batch is in numpy and in compiled loops over the times.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from fecontact.errors import unknown
from fecontact.system.assembly import Assembly
from fecontact.system.sensors.loads import (
    body_of,
    contact_load,
    contact_sign,
    dofs_of_load,
    item_forces,
    item_load,
)
from fecontact.system.sensors.points import FRAME, Motion, States, point_motion
from fecontact.system.sensors.sensor import (
    NORMAL,
    LoadSensor,
    PointSensor,
    Sensor,
    check_names,
)
from fecontact.typing import Floats

__all__ = ["CONTACT_FIELDS", "Records", "SensorBatch"]

Records: TypeAlias = Callable[[str], Floats]
"""Parts (k, ...) of records by name: "t", "q", "v", "a", "lam", "contacts/0/pressure"."""
CONTACT_FIELDS = ("pressure", "normal", "traction", "position")


class SensorBatch:
    """Reads sensors of a system.

    Parameters
    ----------
    assembly
        The system.
    sensors
        What is read.
    contacts
        Contacts of the records in their order.
    """

    def __init__(
        self, assembly: Assembly, sensors: Sequence[Sensor], contacts: Sequence[Any] = ()
    ) -> None:
        check_names(sensors)
        self.assembly, self.sensors = assembly, tuple(sensors)
        self.contacts = {pair.name: (f"contacts/{i}", pair) for i, pair in enumerate(contacts)}
        items: list[Any] = [*assembly.items[len(assembly.bodies) :], *assembly.constraints]
        self.items: Mapping[str, Any] = {item.name: item for item in items}
        for sensor in self.sensors:
            self._check(sensor)
        rest = assembly.rest()
        still = np.zeros((1, assembly.size))
        self.rest = States(np.zeros(1), rest.q[None], still, still)
        for sensor in self.sensors:  # refuses points that do not exist
            if isinstance(sensor, PointSensor):
                self._point(sensor, self.rest, {})

    def describe(self) -> list[dict[str, str]]:
        """Name, unit and words of each sensor, for the layout of a run."""
        return [{"name": s.name, "unit": s.unit, "what": str(self._on(s))} for s in self.sensors]

    def _on(self, sensor: Sensor) -> Sensor:
        """The sensor with the body on which its load acts."""
        if isinstance(sensor, PointSensor) or sensor.direction == NORMAL:
            return sensor
        if sensor.item in self.contacts:
            return replace(sensor, on=sensor.on or self.contacts[sensor.item][1].slave.name)
        return replace(sensor, on=body_of(sensor, self.items[sensor.item]).name)

    def read(self, records: Records) -> Floats:
        """Readings (k, s) of all sensors at the k times of some records."""
        states = States(*(np.asarray(records(name)) for name in ("t", "q", "v", "a")))
        known: dict[Any, Any] = {}
        columns = [
            self._point(sensor, states, known)
            if isinstance(sensor, PointSensor)
            else self._load(sensor, states, records, known)
            for sensor in self.sensors
        ]
        return np.column_stack(columns) if columns else np.zeros((len(states.t), 0))

    def _point(self, sensor: PointSensor, states: States, known: dict[Any, Any]) -> Floats:
        """Reading (k,) of a point sensor; `known` are motions of points so far."""
        other = sensor.relative_to
        seen = (other, None) if isinstance(other, str) else other
        if sensor.axes == "body":
            motion = self._motion(sensor.body, sensor.point, seen or FRAME, states, known)
            return motion.of(sensor.of) @ sensor.along(motion.home)
        motion = self._motion(sensor.body, sensor.point, None, states, known)
        along = sensor.along(motion.home)
        if seen is not None:
            body, point = seen
            at = tuple(motion.home - self._origin(body)) if point is None else point
            motion = motion - self._motion(body, at, None, states, known)
        return motion.of(sensor.of) @ along

    def _motion(
        self, body: str, point: Any, seen: Any, states: States, known: dict[Any, Any]
    ) -> Motion:
        key = body, point, seen
        if key not in known:
            known[key] = point_motion(self.assembly, body, point, states, seen)
        found: Motion = known[key]
        return found

    def _origin(self, body: str) -> Floats:
        """Where the points of a body are counted from, in the reference position."""
        own: Any = next(one for one in self.assembly.bodies if one.name == body)
        return np.asarray(own.position, dtype=float)

    def _load(
        self, sensor: LoadSensor, states: States, records: Records, known: dict[Any, Any]
    ) -> Floats:
        """Reading (k,) of a load sensor; `known` are forces of items so far."""
        if sensor.item in self.contacts:
            path, pair = self.contacts[sensor.item]
            fields = {name: np.asarray(records(f"{path}/{name}")) for name in CONTACT_FIELDS}
            return contact_load(sensor, pair, fields)
        item = self.items[sensor.item]
        own = states.of(self.assembly, [body.name for body in item.bodies])
        if sensor.item not in known:
            part = self.assembly.row_slices.get(sensor.item, slice(0, 0))
            known[sensor.item] = item_forces(item, own, np.asarray(records("lam"))[:, part])
        return item_load(sensor, item, self.assembly, states, known[sensor.item])

    def _check(self, sensor: Sensor) -> None:
        """Refuse unknown bodies and items, and bodies that do not tell a load."""
        if isinstance(sensor, PointSensor):
            for name in sensor.bodies:
                if name not in self.assembly.slices:
                    raise unknown(f"body of sensor '{sensor.name}'", name, self.assembly.slices)
            return
        if sensor.item in self.contacts:
            contact_sign(sensor, self.contacts[sensor.item][1])
            return
        if sensor.item not in self.items:
            names = [*self.contacts, *self.items]
            raise unknown(f"item of sensor '{sensor.name}'", sensor.item, dict.fromkeys(names))
        body_of(sensor, self.items[sensor.item])
        dofs_of_load(sensor, self.items[sensor.item])
