"""Relative motion of two points with frames, one on each of two bodies.

Bodies a and b; None is the ground. Each end is a marker of its body (`body.marker`), so that rigid
and elastic bodies are treated alike. In components of marker a, with d = x_b - x_a,
Q = R_a^T R_b and the angular velocities omega of the markers in their own components,

    displacement   r = R_a^T d,      r' = R_a^T d' + r x omega_a
    direction      p = Q e,          p' = psi x p,          psi = Q omega_b - omega_a
    rotation       theta = log Q,    theta' = A(theta) psi
    distance       l = |d|,          l' = d . d' / l

None of them changes in a common rigid motion of both bodies. The forces conjugate to them are
therefore in balance on the two bodies, forces and moments: action equals reaction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from fecontact.body.marker import GroundMarker, MarkedBody, Marker, Point, Vector
from fecontact.body.motion import MarkerMotion
from fecontact.errors import FINITE, InputError, check, invalid, one_of
from fecontact.joint.frames import Frames
from fecontact.joint.relative import Relative
from fecontact.typing import Floats

__all__ = [
    "Axis",
    "MarkerPair",
    "PairMotion",
    "Point",
    "Vector",
    "axis_vector",
    "frame_about",
    "vector",
]

Axis = str | Vector
NAMES = ("x", "y", "z")


def vector(name: str, values: Vector | Floats, unit: str = "") -> Floats:
    """Three finite numbers as an array, or an `InputError`."""
    try:
        result = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{invalid(name)} = {values!r}: expected three numbers") from None
    if result.shape != (3,):
        raise InputError(f"{invalid(name)} = {values}: expected three components")
    for value in result.tolist():
        check(name, value, FINITE, unit)
    return result


def axis_vector(name: str, axis: Axis) -> Floats:
    """Unit vector of an axis, given as "x", "y", "z" or as a direction.

    Examples
    --------
    >>> axis_vector("hinge: axis", (0.0, 3.0, 4.0)).tolist()
    [0.0, 0.6, 0.8]
    """
    if isinstance(axis, str):
        check(name, axis, one_of(NAMES))
        return np.eye(3)[NAMES.index(axis)]
    direction = vector(name, axis)
    length = float(np.linalg.norm(direction))
    if length == 0.0:
        raise InputError(f"{invalid(name)} = {axis}: expected a direction that is not zero")
    return direction / length


def frame_about(axis: Floats) -> Floats:
    """Right-handed orthonormal frame (3, 3) whose third column is the axis; I for z."""
    return _frame_about(axis.tobytes()).copy()


@lru_cache(maxsize=64)
def _frame_about(numbers: bytes) -> Floats:
    axis = np.frombuffer(numbers)
    if axis[2] > 0.5:
        x = np.array([axis[2], 0.0, -axis[0]])
    else:
        x = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])


@dataclass(frozen=True, eq=False)
class MarkerPair:
    """A point on body a and one on body b; None is the ground.

    Parameters
    ----------
    name
        Of the element, for messages.
    a, b
        The bodies.
    point_b
        Name of a point or, on an elastic body, of a surface; or components: relative to the centre
        of mass of a rigid body, in the mesh of an elastic one, position on the ground; in m.
    point_a
        Same on body a; by default the position where point_b is in the reference position.
    axes
        Axes of both markers in the reference position as columns (3, 3); by default x, y, z.
    """

    name: str
    a: MarkedBody | None
    b: MarkedBody | None
    point_b: Point = (0.0, 0.0, 0.0)
    point_a: Point | None = None
    axes: Floats | None = None

    def __post_init__(self) -> None:
        self._check_ends()
        for body in self.bodies:
            if not hasattr(body, "marker"):
                shown = getattr(body, "name", body)
                raise InputError(
                    f"{self.name}: invalid body '{shown}' without markers to hold it: expected a "
                    "body, or None for the ground"
                )
        self.markers  # noqa: B018  # refuses impossible points

    def _check_ends(self) -> None:
        """Refuse two ends on one body."""
        if self.a is self.b:
            both = "the ground" if self.a is None else f"'{self.a.name}'"
            raise InputError(f"{self.name}: invalid ends, both on {both}: expected two bodies")

    @cached_property
    def bodies(self) -> tuple[MarkedBody, ...]:
        """The bodies without the ground, a before b."""
        return tuple(body for body in (self.a, self.b) if body is not None)

    @cached_property
    def markers(self) -> tuple[Marker, Marker]:
        """Markers on a and b."""
        b = self._marker(self.b, self.point_b)
        point_a = self.point_a
        if point_a is None:
            x, y, z = b.home - (0.0 if self.a is None else np.asarray(self.a.position))
            point_a = (float(x), float(y), float(z))
        return self._marker(self.a, point_a), b

    def motion(self, q: Floats, v: Floats, t: float = 0.0) -> PairMotion:
        """Motion of both ends; q and v of a, then of b."""
        n_q, n = self._sizes
        a, b = self.markers
        return PairMotion(
            self.name, a.at(q[:n_q], v[:n], t), b.at(q[n_q:], v[n:], t), self.common_axis
        )

    def reference(self) -> PairMotion:
        """Motion in the reference position, at rest."""
        q = np.concatenate([body.reference() for body in self.bodies])
        return self.motion(q, np.zeros(sum(len(body.dofs) for body in self.bodies)))

    def refuse_spin(self) -> None:
        """Raise if the rotation of an end is not known: prescribed spin, or nodes on a line."""
        ends = zip((self.a, self.b), self.markers, strict=True)
        for body, marker in ends:
            if body is not None and marker.no_angle:
                raise InputError(f"{self.name}: body '{body.name}' {marker.no_angle}")

    def _marker(self, body: MarkedBody | None, point: Point) -> Marker:
        if not isinstance(point, str):
            vector(f"{self.name}: point", point, "m")
        if body is not None:
            return body.marker(point, self.axes)
        if isinstance(point, str):
            raise InputError(
                f"{self.name}: invalid point = {point} on the ground: expected three coordinates"
            )
        frame = np.eye(3) if self.axes is None else np.ascontiguousarray(self.axes, dtype=float)
        return GroundMarker(np.array(point, dtype=float), frame)

    @cached_property
    def packed(self) -> dict[str, Any]:
        """What programs know of the markers with their last coordinates, see `joint.lowered`."""
        return {}

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        """Coordinates and dofs of body a."""
        return (0, 0) if self.a is None else (len(self.a.reference()), len(self.a.dofs))

    @cached_property
    def common_axis(self) -> bool:
        """Whether all rotation dofs are about one axis, so that angles may be large."""
        axes = np.hstack([marker.axes for marker in self.markers])
        return bool(np.linalg.matrix_rank(axes, tol=1e-12) <= 1) if axes.size else True


class PairMotion:
    """One evaluation of a marker pair: its relative coordinates in components of marker a.

    `frames` has the same coordinates before they refer to the dofs of the bodies.
    """

    def __init__(self, name: str, a: MarkerMotion, b: MarkerMotion, common_axis: bool) -> None:
        self.name, self.a, self.b, self.common_axis = name, a, b, common_axis
        self.frames = Frames(name, a, b, common_axis)

    def distance(self) -> Relative:
        """Distance of the points (1,); its direction must exist."""
        return self.frames.in_dofs(self.frames.distance())

    def displacement(self) -> Relative:
        """Position of point b seen from body a (3,), relative to point a."""
        return self.frames.in_dofs(self.frames.displacement())

    def direction(self, e: Floats) -> Relative:
        """Direction e of body b seen from body a (3,)."""
        return self.frames.in_dofs(self.frames.direction(e))

    def rotation(self) -> Relative:
        """Rotation vector of body b relative to body a (3,).

        Angles about one common axis are not limited; otherwise they are below pi.
        """
        return self.frames.in_dofs(self.frames.rotation())

    def angular_velocity(self) -> Relative:
        """Angular velocity of b relative to a (3,), with prescribed spins.

        It belongs to no coordinate; the value is zero.
        """
        return self.frames.in_dofs(self.frames.angular_velocity())
