"""What a result keeps of a motion: the parts of its records, their names, and fixed arrays.

In memory and in a file they are the same: both are made here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

import fecontact
from fecontact.contact.pair import ContactPair
from fecontact.contact.report import ContactReport
from fecontact.errors import InputError, unknown
from fecontact.results.audit import LINES
from fecontact.results.fields import FIELDS
from fecontact.results.fingerprint import fingerprint
from fecontact.results.geometry import BodyGeometry, frame_of, packed
from fecontact.results.point import Point
from fecontact.results.source import POINT_FIELDS, POINT_SUMS, Array
from fecontact.results.statistics import Statistics
from fecontact.system import State, System
from fecontact.system.dofs import Dofs
from fecontact.system.sensors.batch import SensorBatch
from fecontact.system.validity.frequency import validity
from fecontact.typing import Floats

__all__ = ["Recording"]

NO_FRAMES = np.zeros((0, 12))


class Recording:
    """Names and parts of the records of a motion.

    Parameters
    ----------
    system
        What moves.
    method, options
        How it is simulated.
    geometry
        Bodies for pictures.
    events
        Names of the user events.
    """

    def __init__(
        self,
        system: System,
        method: str,
        options: Mapping[str, Any],
        geometry: Sequence[BodyGeometry] = (),
        events: Sequence[str] = (),
    ) -> None:
        for part in geometry:
            if part.body and part.body not in system.q_slices:
                raise unknown("body of a geometry", part.body, system.q_slices)
        self.system, self.method, self.options = system, method, options
        self.geometry, self.events = tuple(geometry), tuple(dict.fromkeys(events))
        self.sensors = SensorBatch(system, system.sensors, self.contacts)

    @cached_property
    def sliders(self) -> list[ContactPair]:
        """Contacts without history."""
        items = self.system.items
        return [item for item in items if isinstance(item, ContactPair) and item.columns == 0]

    @cached_property
    def contacts(self) -> list[Any]:
        """Stateful contacts, then the others."""
        return [*self.system.stateful_contacts, *self.sliders]

    def layout(self, origin: float) -> dict[str, Any]:
        """What the columns of the records mean."""
        system = self.system
        return {
            "method": self.method,
            "origin": origin,
            "coordinates": list(system.coordinates),
            "places": _q_indices(system),
            "rows": list(system.rows),
            "bodies": {name: [part.start, part.stop] for name, part in system.q_slices.items()},
            "contacts": [_contact(pair) for pair in self.contacts],
            "energies": list(LINES),
            "statistics": list(Statistics.names()),
            "geometry": packed(self.geometry)[0],
            "sensors": self.sensors.describe(),
            "events": list(self.events),
        }

    def about(self, origin: float, v: Floats, earlier: Sequence[Any] = ()) -> dict[str, Any]:
        """The layout, and all else that is told once; v (n,) are the velocities at the start."""
        return {
            "program": f"fecontact {fecontact.__version__}",
            "options": {name: _plain(value) for name, value in self.options.items()},
            "earlier": list(earlier),
            **self.layout(origin),
            "system": self.system.describe(),
            "validity": self.validity(v),
            "fingerprint": fingerprint(self.system),
        }

    def validity(self, v: Floats) -> dict[str, float]:
        """Body -> frequency in Hz up to which it is valid at velocities v (n,)."""
        limits = validity(self.system, v)
        return {name: hertz for name, hertz in limits.items() if np.isfinite(hertz)}

    @cached_property
    def fixed(self) -> dict[str, Array]:
        """Arrays that do not change in time."""
        weights: dict[str, Array] = {
            f"contacts/{index}/weights": pair.surface.weights
            for index, pair in enumerate(self.contacts)
        }
        return weights | packed(self.geometry)[1]

    @cached_property
    def contact_shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the fields of contacts; those without history have a status of their own."""
        shapes: dict[str, tuple[int, ...]] = {}
        for index, pair in enumerate(self.contacts):
            path = f"contacts/{index}"
            shapes |= {f"{path}/{n}": (pair.points, *one) for n, one in POINT_FIELDS.items()}
            shapes |= {f"{path}/{name}": () for name in POINT_SUMS}
            if pair.name not in self.system.history_layout.names:
                shapes[f"{path}/status"] = (pair.points,)
        return shapes

    def reports(self, point: Point) -> dict[str, ContactReport]:
        """What the points of all contacts do."""
        state, found = point.state, dict(point.contacts(self.system))
        for pair in self.sliders:
            found[pair.name] = pair.report(state.t, *self.system.local(pair, state))
        return found

    def fields(self, point: Point) -> dict[str, Any]:
        """Fields of all contacts at a point."""
        reports = self.reports(point)
        return {path: getattr(reports[owner], name) for path, owner, name in self._fields}

    @cached_property
    def _fields(self) -> list[tuple[str, str, str]]:
        """Path, contact and name of each field."""
        parts = ((path, *path.split("/")[1:]) for path in self.contact_shapes)
        return [(path, self.contacts[int(index)].name, name) for path, index, name in parts]

    def frames(self, state: State) -> Floats:
        """Frames (g, 12) of the drawn bodies."""
        if not self.geometry:
            return NO_FRAMES
        return np.array([self._frame(part, state) for part in self.geometry])

    def _frame(self, part: BodyGeometry, state: State) -> Floats:
        body = next((body for body in self.system.bodies if body.name == part.body), None)
        q = state.q[self.system.q_slices[part.body]] if body else state.q[:0]
        return frame_of(body, state.t, q)


def _contact(pair: Any) -> dict[str, Any]:
    """Name and number of points of a contact, and the internal variables of a point."""
    states = getattr(pair, "states", ())
    for state in states:
        if state.name in FIELDS:
            raise InputError(
                f"{pair.name}: invalid state = '{state.name}': expected a name that no field of a "
                "contact has"
            )
    return {
        "name": pair.name,
        "points": pair.points,
        "columns": getattr(pair, "columns", 0),
        "states": {state.name: state.size for state in states},
    }


def _q_indices(system: System) -> list[int]:
    """Index in q of each dof; -1 for rotations that have no angle."""
    dofs, indices = Dofs(system), np.full(system.size, -1)
    indices[dofs.plain] = dofs.q_indices
    return [int(index) for index in indices]


def _plain(value: Any) -> Any:
    """Value of an option as JSON knows it."""
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)
