"""Markers: where joints, force elements and loads hold a body.

A marker is a point with axes. On a rigid body it is fixed in the body. On an elastic body it sits
at a node or on a surface: with the shapes Phi and Psi of its displacement and rotation, in frame
components, and the elastic coordinates e,

    x = r_0 + u + R (X + Phi e),      R_marker = R exp((Psi e)~) E .

A surface moves like its best rigid fit, min sum w |u_p - a - theta x rho_p|^2 over its points with
their areas w, rho_p from the centroid: Phi e and Psi e are a and theta. A load on the marker then
spreads over the points as w F and w (I^-1 M) x rho, the distribution of an RBE3 element: it does
not stiffen the surface. At a node the rotation is fitted to the nodes of the cells around it; on
the axis of a beam, whose sections are drawn as boxes, it is exactly that of the section.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from fecontact.body._kernels import elastic_d_load, elastic_marker, rigid_d_load, rigid_marker
from fecontact.body.motion import FrameParts, MarkerMotion
from fecontact.fem.mean_motion import fit_rows
from fecontact.typing import Body, Floats

if TYPE_CHECKING:
    from fecontact.body.prescribed import FrameMotion
    from fecontact.body.rigid import RigidBody

__all__ = [
    "ElasticMarker",
    "GroundMarker",
    "HubMarker",
    "MarkedBody",
    "Marker",
    "Point",
    "RigidMarker",
    "Vector",
    "rigid_fit",
]

Vector = tuple[float, float, float]
Point = str | Vector
"""A point of a body: its name, or its position in the components of the body."""

ZERO = np.zeros(3)


class Marker(Protocol):
    """A point of a body with axes."""

    @property
    def home(self) -> Floats:
        """Position in space in the reference position."""
        ...

    @property
    def axes(self) -> Floats:
        """Axes (3, r) about which it can turn, in marker components."""
        ...

    @property
    def no_angle(self) -> str:
        """Why its rotation is not known; empty if it is."""
        ...

    def at(self, q: Floats, v: Floats, t: float = 0.0) -> MarkerMotion:
        """Motion of the marker."""
        ...

    def frame_parts(self) -> FrameParts | None:
        """How the dofs of its body move it; None if it is not fixed in a frame."""
        ...


class MarkedBody(Body, Protocol):
    """A body that can be held at markers and has a weight."""

    @property
    def position(self) -> Vector:
        """Where the origin of its points is in the reference position."""
        ...

    def marker(self, point: Point = ..., axes: Floats | None = None) -> Marker:
        """Marker at a point; its axes are columns (3, 3) in body components, by default x, y, z."""
        ...

    def weight(self, q: Floats, g: Floats, t: float = 0.0) -> tuple[Floats, Floats, float]:
        """Force (n,) of the acceleration g, its derivative (n, n), and its potential in J."""
        ...


@dataclass(frozen=True, eq=False)
class GroundMarker:
    """Marker that does not move."""

    home: Floats
    frame: Floats

    @property
    def axes(self) -> Floats:
        """None."""
        return np.zeros((3, 0))

    @property
    def no_angle(self) -> str:
        """Its rotation is known."""
        return ""

    def at(self, q: Floats, v: Floats, t: float = 0.0) -> MarkerMotion:
        """At rest."""
        none = np.zeros((6, 0))
        return MarkerMotion(self.home, ZERO, self.frame, ZERO, none, none, _none, ZERO, None, ZERO)

    def frame_parts(self) -> FrameParts:
        """At rest."""
        return FrameParts.at_rest(0, self.home, self.frame)


@dataclass(frozen=True, eq=False)
class RigidMarker:
    """Marker on a rigid body."""

    body: RigidBody
    point: Floats
    frame: Floats
    home: Floats
    axes: Floats
    spin: Floats
    spin_interpolation: Floats | None

    @staticmethod
    def on(body: RigidBody, point: Floats, frame: Floats) -> RigidMarker:
        """Marker at a point, relative to the centre of mass, with the axes `frame`."""
        free, n = body.spin_axis.shape[1], len(body.dofs)
        interpolation = None
        if free:
            interpolation = np.zeros((3, n))
            interpolation[:, -1] = frame[2]
        return RigidMarker(
            body,
            point,
            frame,
            np.asarray(body.position) + point,
            frame.T @ body.axes,
            np.array([0.0, 0.0, body.spin]),
            interpolation,
        )

    @property
    def no_angle(self) -> str:
        """Why its rotation is not known; empty if it is."""
        return self.body.no_angle

    def at(self, q: Floats, v: Floats, t: float = 0.0) -> MarkerMotion:
        """Motion of the marker."""
        if self.body.translates:
            return self._translated(q, v)
        body, n = self.body, len(v)
        spin = self.spin if self.spin_interpolation is None else np.array([0.0, 0.0, v[-1]])
        bound = body.origin, body.directions, body.axes, spin, body.spin_axis
        at, rate = (np.ascontiguousarray(x, dtype=float) for x in (q, v))  # of a history too
        moved = rigid_marker(at, rate, *bound, self.point, self.frame)
        single = self.axes.shape[1] == 1
        return MarkerMotion(
            *moved,
            partial(self._d_load, q, n),
            spin @ self.frame if spin[2] else ZERO,
            self.spin_interpolation,
            self.axes[:, 0] * q[body.directions.shape[1]] if single else ZERO,
        )

    def _translated(self, q: Floats, v: Floats) -> MarkerMotion:
        """Motion on a body that cannot turn."""
        body, n = self.body, len(v)
        directions, (interpolation, still) = body.directions, np.zeros((2, 6, n))
        interpolation[:3] = directions
        position, velocity = body.origin + directions @ q + self.point, directions @ v
        none = np.zeros((n, n))
        return MarkerMotion(
            position, velocity, self.frame, ZERO, interpolation, still, lambda *load: none, ZERO,
            None, ZERO,
        )  # fmt: skip

    def frame_parts(self) -> FrameParts:
        """How the dofs of its body move it."""
        body, n = self.body, len(self.body.dofs)
        moves, turns = body.directions.shape[1], body.axes.shape[1]
        shift, axes, spin = np.zeros((3, n)), np.zeros((3, n)), np.zeros(n)
        shift[:, :moves], axes[:, moves : moves + turns] = body.directions, body.axes
        spin[moves + turns :] = 1.0
        turn = turns if turns < 2 else 4
        return FrameParts(
            body.origin, shift, axes, spin, float(body.spin), turn, moves, self.point, self.frame
        )

    def _d_load(self, q: Floats, n: int, force: Floats, moment: Floats) -> Floats:
        body = self.body
        return rigid_d_load(q, n, body.directions, body.axes, body.spin_axis, self.point, force)


@dataclass(frozen=True, eq=False)
class ElasticMarker:
    """Marker on an elastic body: reference position, shapes of displacement and rotation.

    `frame_state` takes (t, q, v) to the coordinates and velocities with the six of the frame;
    `kept` are the columns of the body's own dofs among them. `shifted` is the displacement in the
    reference position, that of the seat of a full finite-element body. `carrier` says how the frame
    moves, as `ElasticBody.frame`; None if `frame_state` alone knows.
    """

    frame_state: Callable[[float, Floats, Floats], tuple[Floats, Floats]]
    kept: slice
    origin: Floats
    point: Floats
    displacement: Floats
    rotation: Floats
    frame: Floats
    no_angle: str
    shifted: Floats = field(default_factory=lambda: np.zeros(3))
    carrier: str | FrameMotion | None = None

    @property
    def home(self) -> Floats:
        """Position in space in the reference position."""
        return self.origin + self.point + self.shifted

    @property
    def axes(self) -> Floats:
        """All axes."""
        return np.eye(3)

    def at(self, q: Floats, v: Floats, t: float = 0.0) -> MarkerMotion:
        """Motion of the marker."""
        full_q, full_v = self.frame_state(t, q, v)
        x, x_rate, R, omega, interpolation, d_interpolation = elastic_marker(
            full_q, full_v, self.origin, self.point, self.displacement, self.rotation, self.frame
        )
        d_load = partial(self._d_load, full_q)
        maps = interpolation[:, self.kept], d_interpolation[:, self.kept]
        return MarkerMotion(x, x_rate, R, omega, *maps, d_load, ZERO, None, ZERO)

    def frame_parts(self) -> None:
        """Not fixed in a frame: it turns with the deformation."""
        return

    def _d_load(self, q: Floats, force: Floats, moment: Floats) -> Floats:
        full = elastic_d_load(
            q, self.point, self.displacement, self.rotation, self.frame, force, moment
        )
        return full[self.kept, self.kept]


@dataclass(frozen=True, eq=False)
class HubMarker:
    """Marker on the rigid hub of a disc, whose `elastic` coordinates do not move it."""

    rigid: RigidMarker
    elastic: int

    @property
    def home(self) -> Floats:
        """Position in space in the reference position."""
        return self.rigid.home

    @property
    def axes(self) -> Floats:
        """Axes about which it can turn: none."""
        return self.rigid.axes

    @property
    def no_angle(self) -> str:
        """Why its rotation is not known."""
        return self.rigid.no_angle

    def at(self, q: Floats, v: Floats, t: float = 0.0) -> MarkerMotion:
        """Motion of the marker."""
        own, wider = len(v) - self.elastic, ((0, 0), (0, self.elastic))
        motion = self.rigid.at(q[:own], v[:own], t)

        def d_load(force: Floats, moment: Floats) -> Floats:
            return np.pad(motion.d_load(force, moment), (0, self.elastic))

        spin = motion.spin_interpolation
        return motion._replace(
            interpolation=np.pad(motion.interpolation, wider),
            d_interpolation=np.pad(motion.d_interpolation, wider),
            d_load=d_load,
            spin_interpolation=None if spin is None else np.pad(spin, wider),
        )

    def frame_parts(self) -> None:
        """Not asked for."""
        return


def rigid_fit(
    points: Floats, weights: Floats, shapes: Floats
) -> tuple[Floats, Floats, Floats, bool]:
    """Best rigid motion of points (p, 3) with displacement shapes (p, 3, m); see `fit_rows`.

    Returns
    -------
    centre : (3,)
        Weighted centroid.
    Phi, Psi : (3, m)
        Displacement of the centroid and rotation vector.
    defined : bool
        Whether the points define all rotations.
    """
    centre, rows, defined = fit_rows(points, weights)
    motion = rows @ shapes.reshape(rows.shape[1], -1)
    return centre, motion[:3], motion[3:], defined


def _none(force: Floats, moment: Floats) -> Floats:
    return np.zeros((0, 0))
