"""Sensors, as they are given to a system: names of what is read, and in which direction.

They hold no body and no item, only names, so that one description fits a system, its variations,
and a result that is read later.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from fecontact.body.marker import Point, Vector
from fecontact.errors import InputError, check, numbers, one_of
from fecontact.joint.marker import Axis, axis_vector
from fecontact.typing import Floats

__all__ = ["LOADS", "MOTIONS", "NORMAL", "LoadSensor", "PointSensor", "Sensor", "check_names"]

MOTIONS = {"position": "m", "displacement": "m", "velocity": "m/s", "acceleration": "m/s²"}
"""What a point sensor reads, and its unit."""
LOADS = {"force": "N", "moment": "N m"}
"""What a load sensor reads, and its unit."""
AXES = ("space", "body")
ABOUT_Z = ("radial", "tangential")
"""Directions about the z axis at a point, as it stands in the reference position."""
NORMAL = "normal"
"""Direction of a load sensor that sums the normal forces of a contact."""
NAME = re.compile(r"[^\W\d](?:[\w /+-]*[\w+-])?")
"""Names of sensors: no dots, brackets or commas, which requests of plots give a meaning."""


@dataclass(frozen=True)
class PointSensor:
    """Motion of a point of a body in a direction, absolute or relative to another point.

    A point of a body that turns moves with it. Of a body whose spin is prescribed or a dof of its
    own (`SpinningDisc`, rotors), points do not take part in the spin: material passes, as under a
    probe that is fixed in space. On a disc the rates are those of this reading, on a rigid rotor
    the velocity is that of the material.

    Parameters
    ----------
    name
        Name in the results.
    body
        The body, or its name.
    point
        Name of a point or surface of the body, or its position: relative to the centre of mass of
        a rigid body, in the mesh of an elastic one (a node, see `ElasticBody.node_near`), from the
        centre in the middle plane of a `SpinningDisc`; in m. Of a surface the mean is
        read.
    direction
        "x", "y", "z", "radial", "tangential" (about the z axis in the reference position), or a
        vector.
    of
        "displacement" from the reference position, "position", "velocity" or "acceleration".
    relative_to
        Another body, then the motion is that relative to its point at the same place in the
        reference position; or a pair of a body, which may be the same one, and a point of it.
    axes
        "space"; or "body": components in axes that turn with the point of `relative_to`, and the
        motion that is seen from there. Without `relative_to` these are the axes of the frame of an
        elastic body, which sees its deformation alone.

    Examples
    --------
    >>> rim = PointSensor("rim", "plate", (0.12, 0.0, 0.0), of="velocity")
    >>> rim.unit, str(rim)
    ('m/s', 'velocity of plate at (0.12, 0, 0) along z')
    """

    name: str
    body: str | Any
    point: Point = (0.0, 0.0, 0.0)
    direction: Axis = "z"
    of: str = "displacement"
    relative_to: str | Any | tuple[Any, Point] | None = None
    axes: str = "space"

    def __post_init__(self) -> None:
        _check_name(self.name)
        check(f"sensor '{self.name}': of", self.of, one_of(MOTIONS))
        check(f"sensor '{self.name}': axes", self.axes, one_of(AXES))
        _set(self, "body", _name_of(self.body))
        _set(self, "point", _plain(self.name, self.point))
        _set(self, "direction", _plain(self.name, self.direction))
        other = self.relative_to
        if isinstance(other, tuple) and len(other) == 2:
            other = _name_of(other[0]), _plain(self.name, other[1])
        elif other is not None:
            other = _name_of(other)
        _set(self, "relative_to", other)
        self.along(np.array([1.0, 0.0, 0.0]))  # refuses what is no direction

    @property
    def unit(self) -> str:
        """Unit of the reading."""
        return MOTIONS[self.of]

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of its bodies."""
        other = self.relative_to
        return (
            self.body,
            *(() if other is None else (other if isinstance(other, str) else other[0],)),
        )

    def along(self, home: Floats) -> Floats:
        """Unit vector of its direction, for a point that is at `home` (3,) at rest."""
        if self.direction in ABOUT_Z:
            radius = float(np.hypot(*home[:2]))
            if radius == 0.0:
                raise InputError(
                    f"sensor '{self.name}': a point on the z axis has no {self.direction} "
                    "direction: expected x, y, z or a vector"
                )
            x, y = home[:2] / radius
            return np.array([x, y, 0.0] if self.direction == "radial" else [-y, x, 0.0])
        if isinstance(self.direction, str):
            choices = one_of(("x", "y", "z", *ABOUT_Z))
            check(f"sensor '{self.name}': direction", self.direction, choices)
        return axis_vector(f"sensor '{self.name}': direction", self.direction)

    def __str__(self) -> str:
        words = f"{self.of} of {self.body} at {_shown(self.point)} along {_shown(self.direction)}"
        other = self.relative_to
        if other is None:
            return words + " in its frame" * (self.axes == "body")
        seen = other if isinstance(other, str) else f"{other[0]} at {_shown(other[1])}"
        return f"{words}, relative to {seen}" + ", in its axes" * (self.axes == "body")


@dataclass(frozen=True)
class LoadSensor:
    """Force or moment of a joint, a force element, a load or a contact on one of its bodies.

    Of a contact it is the sum over its points. Of joints and elements it is what acts on the dofs
    of the body, a rigid one or one in a free frame: directions in which that cannot move get no
    component (`System.reaction`). The moment is about the centre of mass of a rigid body, about the
    origin of the frame of an elastic one, of a contact about a point in space.

    Parameters
    ----------
    name
        Name in the results.
    item
        The joint, element, load or contact, or its name.
    direction
        "x", "y", "z" or a vector; "normal" for the sum of the normal forces of a contact.
    of
        "force" or "moment".
    on
        Body on which it acts, or its name; by default the slave of a contact, and of other items
        the last body whose dofs tell it.
    about
        Point in space of the moment of a contact, in m.

    Examples
    --------
    >>> LoadSensor("torque", "facing", "z", "moment").unit
    'N m'
    """

    name: str
    item: str | Any
    direction: Axis = "z"
    of: str = "force"
    on: str | Any | None = None
    about: Vector = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        _check_name(self.name)
        check(f"sensor '{self.name}': of", self.of, one_of(LOADS))
        _set(self, "item", _name_of(self.item))
        _set(self, "on", None if self.on is None else _name_of(self.on))
        _set(self, "direction", _plain(self.name, self.direction))
        _set(self, "about", _plain(self.name, self.about))
        if self.direction == NORMAL:
            if self.of == "moment":
                raise InputError(
                    f"sensor '{self.name}': invalid direction = normal of a moment: expected x, "
                    "y, z or a vector"
                )
            return
        if isinstance(self.direction, str):
            check(f"sensor '{self.name}': direction", self.direction, one_of("xyz"))
        self.along()

    @property
    def unit(self) -> str:
        """Unit of the reading."""
        return LOADS[self.of]

    def along(self) -> Floats:
        """Unit vector of its direction."""
        return axis_vector(f"sensor '{self.name}': direction", self.direction)

    def __str__(self) -> str:
        on = "" if self.on is None else f" on {self.on}"
        about = f" about {_shown(self.about)}" * (self.of == "moment" and any(self.about))
        return f"{self.of} of {self.item}{on} along {_shown(self.direction)}{about}"


Sensor: TypeAlias = PointSensor | LoadSensor
"""What a system may be given to read."""


def check_names(sensors: Sequence[Sensor]) -> None:
    """Refuse what is no sensor, and two of one name."""
    names = list[str]()
    for sensor in sensors:
        if not isinstance(sensor, PointSensor | LoadSensor):
            raise InputError(f"invalid sensor = {sensor!r}: expected a PointSensor or a LoadSensor")
        if sensor.name in names:
            raise InputError(
                f"invalid sensor name '{sensor.name}', used twice: expected different names"
            )
        names.append(sensor.name)


def _check_name(name: object) -> None:
    if not isinstance(name, str) or NAME.fullmatch(name) is None:
        raise InputError(
            f"invalid name of a sensor = {name!r}: expected letters, digits, spaces and _ + - /, "
            "first a letter"
        )


def _name_of(thing: Any) -> str:
    name = thing if isinstance(thing, str) else getattr(thing, "name", None)
    if not isinstance(name, str):
        raise InputError(
            f"invalid part of a sensor = {thing!r}: expected a body, an item, or its name"
        )
    return name


def _plain(name: str, value: Any) -> Any:
    """A name, or three numbers as a tuple."""
    if isinstance(value, str):
        return value
    return tuple(numbers(f"sensor '{name}': point", value, (3,)).tolist())


def _set(sensor: Any, field: str, value: Any) -> None:
    object.__setattr__(sensor, field, value)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else f"({', '.join(f'{x:.6g}' for x in value)})"
