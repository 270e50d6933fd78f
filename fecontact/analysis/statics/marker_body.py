"""Where joints and loads hold full finite-element bodies, as bodies of six coordinates per marker.

What acts on a marker needs its displacement and rotation vector w alone, not the unknowns u of the
body. A `MarkerBody` has these as coordinates and stands for the full body in joints, springs and
loads (`rebound`). Statics takes forces and their derivatives to the unknowns,

    w = W y + w_0(t),      f = W^T g(w),      df/dy = W^T (dg/dw) W .
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from fecontact.body.base import Body
from fecontact.body.fe_body import FEBody, Holding, in_fixed_frame
from fecontact.body.marker import ElasticMarker, Point, Vector
from fecontact.errors import InputError
from fecontact.joint.coordinate import DofCoordinate
from fecontact.typing import Floats, Tangents

__all__ = ["MarkerBody", "points_of", "rebound"]


class Asked:
    """A full body that notes at which points it is asked for markers."""

    def __init__(self, full: FEBody) -> None:
        self.full, self.name, self.dofs = full, full.name, full.dofs
        self.position, self.reference = full.position, full.reference
        self.points: list[Point] = []

    def marker(self, point: Point = (0.0, 0.0, 0.0), axes: Floats | None = None) -> ElasticMarker:
        """Marker of the full body."""
        if _key(point) not in map(_key, self.points):
            self.points.append(point)
        return self.full.marker(point, axes)


@dataclass(frozen=True, eq=False)
class MarkerBody(Body):
    """Markers of a full body: the displacement and the rotation vector of each.

    It has neither mass nor stiffness of its own.
    """

    full: FEBody
    points: tuple[Point, ...]

    @property
    def name(self) -> str:
        """Name of the full body."""
        return self.full.name

    @property
    def finite_elements(self) -> FEBody:
        """The full body."""
        return self.full

    @cached_property
    def dofs(self) -> tuple[str, ...]:
        """Displacement and rotation of each marker."""
        words = ("ux", "uy", "uz", "rx", "ry", "rz")
        return tuple(f"{word}[{i}]" for i in range(len(self.points)) for word in words)

    @property
    def position(self) -> Vector:
        """That of the full body."""
        return self.full.position

    @cached_property
    def holdings(self) -> tuple[Holding, ...]:
        """Where the markers sit."""
        return tuple(self.full.holding(point) for point in self.points)

    @cached_property
    def motion(self) -> sp.csr_array:  # type: ignore[override]
        """Coordinates (6 k, n) per free unknown of the full body."""
        return sp.csr_array(sp.vstack([held.motion for held in self.holdings], format="csr"))

    def reference(self) -> Floats:
        """Coordinates of the reference position: those of the seat."""
        return np.asarray(self.motion @ self.full.reference())

    def mass_matrix(self, q: Floats) -> Floats:
        """None: statics does not ask for it."""
        return np.zeros((len(q), len(q)))

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """None of its own."""
        return np.zeros(len(q))

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`."""
        none = np.zeros((len(q), len(q)))
        return none, none

    def marker(self, point: Point = (0.0, 0.0, 0.0), axes: Floats | None = None) -> ElasticMarker:
        """Marker at one of the points."""
        index = [_key(own) for own in self.points].index(_key(point))
        part = slice(6 * index, 6 * index + 6)
        motion = np.eye(len(self.dofs))[part]
        shifted = self.reference()[part][:3]
        return in_fixed_frame(point, self.holdings[index], motion, shifted, axes)


def rebound(item: Any, stands_for: Mapping[int, Any]) -> Any:
    """Copy of a joint or a load, made with other bodies in place of its own.

    Parameters
    ----------
    item
        A dataclass whose fields name its bodies, also inside of other dataclasses.
    stands_for
        Identity of a body -> the body that stands for it.
    """
    made = _swapped(item, stands_for)
    if any(id(body) in stands_for for body in made.bodies):
        body = next(body.name for body in made.bodies if id(body) in stands_for)
        raise InputError(
            f"{item.name}: invalid body '{body}': expected a joint or load written as a dataclass "
            "with its bodies in fields; or reduce the body (reduce_model) for this joint"
        )
    return made


def _swapped(value: Any, stands_for: Mapping[int, Any]) -> Any:
    """A value with bodies replaced; the same object if it has none of them."""
    if id(value) in stands_for:
        return stands_for[id(value)]
    if isinstance(value, DofCoordinate) and id(value.body) in stands_for:
        raise InputError(
            f"invalid coordinate '{value.name}' of a full finite-element body: expected a "
            "coordinate between points, such as Length or Stroke"
        )
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        parts = [_swapped(part, stands_for) for part in value]
        same = all(one is two for one, two in zip(parts, value, strict=True))
        return value if same else type(value)(parts)
    if not is_dataclass(value) or isinstance(value, type) or hasattr(value, "mass_matrix"):
        return value
    given: dict[str, Any] = {f.name: getattr(value, f.name) for f in fields(value) if f.init}
    new = {name: _swapped(part, stands_for) for name, part in given.items()}
    changed = {name: part for name, part in new.items() if part is not given[name]}
    return replace(value, **changed) if changed else value


def points_of(items: Sequence[Any], full: Mapping[int, FEBody]) -> dict[str, tuple[Point, ...]]:
    """Body name -> points at which items ask full bodies for markers."""
    asked = {index: Asked(body) for index, body in full.items()}
    for item in items:
        rebound(item, asked)
    return {each.name: tuple(each.points) for each in asked.values()}


def _key(point: Point) -> Any:
    """What two equal points have in common."""
    return point if isinstance(point, str) else tuple(float(x) for x in point)
