"""A reduced elastic body with all unknowns of its finite-element model again.

In the frame of the body, at rest or turning at constant Omega (`fem.rotating`),

    M u'' + (D + Omega G) u' + (K + Omega^2 K_sigma - Omega^2 N) u = Omega^2 f_c + sum L^T F,

with forces F at contact points and markers, whose motion is L u, L sparse. The reduced body is its
restriction to u = Phi q. Damping given by ratios of modes belongs to the coordinates of the basis,
D = P D_q P^T with P = M Phi: what lies outside of the basis is undamped.

Contacts, joints and loads are asked through a stand-in: an elastic body whose coordinates are the
motions L u of some points or markers, each of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from fecontact.body.attachments import Attachments, Fit
from fecontact.body.elastic import ElasticBody
from fecontact.body.fe_body import FEBody, Holding
from fecontact.body.marker import Point
from fecontact.body.points.elastic_points import ElasticPoints
from fecontact.body.prescribed import TurningFrame
from fecontact.errors import InputError
from fecontact.fem.model import FEModel
from fecontact.fem.rotating import RotatingBody
from fecontact.reduction.inertia import InertiaIntegrals
from fecontact.typing import Floats, Integers

__all__ = ["StandIn", "Unreduced", "own_points"]

SAME = 1e-9
"""Distance, relative to the size of the body, up to which two points are one."""

RESTRICTED = 1e-7
"""Difference of shapes, relative to the largest, up to which they are the same."""


Finer: TypeAlias = Callable[[FEBody, str], Iterable[tuple[Floats, sp.csr_array]]]
"""Points of finer rules on a surface of a full body, with their displacement."""


@dataclass(frozen=True, eq=False)
class StandIn(ElasticBody):
    """Elastic body whose coordinates are the motion of its points or markers, each of its own.

    It has neither mass nor stiffness; markers are at the given points, six coordinates each.
    """

    markers: tuple[Point, ...] = ()
    holdings: tuple[Holding, ...] = ()

    @cached_property
    def attachments(self) -> Attachments:
        """The markers."""
        return _OwnMarkers(self.name, self.model, self.points, self.markers, self.holdings)


@dataclass(frozen=True, eq=False)
class _OwnMarkers(Attachments):
    """Markers with six coordinates each."""

    markers: tuple[Point, ...] = ()
    holdings: tuple[Holding, ...] = ()

    def fit(self, point: Point) -> Fit:
        """Unit motions of one marker."""
        index = [_key(own) for own in self.markers].index(_key(point))
        motion = np.eye(6 * len(self.markers))[6 * index : 6 * index + 6]
        held = self.holdings[index]
        return Fit(held.position, motion[:3], motion[3:], held.defined)


class Modal(NamedTuple):
    """Damping P D P^T of the coordinates of a basis: P (n, m), D (m, m)."""

    shapes: Floats
    damping: Floats


@dataclass(frozen=True, eq=False)
class Unreduced:
    """A reduced body in all free unknowns u (n,) of its model.

    Parameters
    ----------
    body
        The reduced body; its frame is fixed, or moves at constant speed.
    model
        The finite-element model it was reduced from.
    """

    body: ElasticBody
    model: FEModel

    def __post_init__(self) -> None:
        body, n = self.body, self.model.stiffness.shape[0]
        if isinstance(body.frame, str) and body.frame != "fixed":
            raise InputError(
                f"{body.name}: invalid frame = '{body.frame}' of a body in all its unknowns: "
                "expected 'fixed', or a TurningFrame or MovingFrame of constant speed"
            )
        if body.model.rigid:
            raise InputError(
                f"{body.name}: invalid model with {body.model.rigid} rigid-body modes in a given "
                "frame: expected supports, or springs, that hold it"
            )
        if body.model.basis.shape[0] != n:
            raise InputError(
                f"{body.name}: invalid finite-element model of {n} unknowns: expected the one it "
                f"was reduced from, of {body.model.basis.shape[0]} unknowns"
            )
        self._speed  # noqa: B018  # refuses a frame whose speed changes

    @property
    def name(self) -> str:
        """Name of the body."""
        return self.body.name

    @property
    def size(self) -> int:
        """Number n of free unknowns."""
        return len(self.free)

    @cached_property
    def free(self) -> Integers:
        """Free unknowns among all of the model."""
        return np.asarray(self.model.free, dtype=np.int64)

    @cached_property
    def basis(self) -> Floats:
        """Phi (n, m): unknowns per coordinate of the reduced body."""
        return np.ascontiguousarray(self.body.model.basis[self.free])

    @cached_property
    def mass(self) -> sp.csr_array:
        """M (n, n)."""
        return self._part(self.model.mass)

    @cached_property
    def by_rate(self) -> sp.csr_array:
        """D + Omega G (n, n), without damping given by modes."""
        damping = sp.csr_array((self.size, self.size))
        if not self._modal:
            given: Any = self.body.damping
            damping = sp.csr_array(given.matrix(self.mass, self._elastic))
        if self._speed == 0.0:
            return damping
        return sp.csr_array(damping + self._speed * self._part(self._rotating.coriolis))

    @cached_property
    def by_position(self) -> sp.csr_array:
        """K with the terms of the speed (n, n)."""
        if self._speed == 0.0:
            return self._elastic
        change = -self._rotating.spin_softening
        if self.body.geometric_stiffness:
            change = change + self._rotating.centrifugal_stiffness
        return sp.csr_array(self._elastic + self._speed**2 * self._part(sp.csr_array(change)))

    @property
    def stressed(self) -> bool:
        """Whether the stress of a spin stiffens it; inertia of the order of strain is left out."""
        return self._speed != 0.0 and self.body.geometric_stiffness

    @cached_property
    def load(self) -> Floats:
        """Omega^2 f_c (n,)."""
        if self._speed == 0.0:
            return np.zeros(self.size)
        return np.asarray(self._speed**2 * self._rotating.centrifugal_load[self.free])

    @cached_property
    def modal(self) -> Modal | None:
        """Damping that belongs to the coordinates of the basis; None if there is none."""
        D = self.body._damping_matrix
        if not self._modal or not D.any():
            return None
        return Modal(np.asarray(self.mass @ self.basis), D)

    def weight(self, g: Floats) -> Floats:
        """Weight (n,) at the acceleration g, in a frame at rest."""
        if isinstance(self.body.frame, TurningFrame):
            raise InputError(f"{self.name}: invalid weight in a TurningFrame: it turns in it")
        shift = self.model.rigid_body_modes()[:, :3] @ g
        return np.asarray((self.model.mass @ shift)[self.free])

    def markers(self, points: Sequence[Point]) -> tuple[StandIn, sp.csr_array]:
        """Stand-in with markers at some points, and its coordinates (6 k, n) per unknown."""
        held = [self.full.holding(point) for point in points]
        rows = sp.csr_array(sp.vstack([each.motion for each in held], format="csr"))
        for point, each in zip(points, held, strict=True):
            fit = self.body.attachments.fit(point)
            self._check(each.motion, np.vstack([fit.displacement, fit.rotation]), f"point {point}")
        return self._stand_in(rows.shape[0], tuple(points), tuple(held)), rows

    def points(self, points: Floats, shapes: Floats, what: str, finer: Finer) -> sp.csr_array:
        """Displacement (3 p, n) of contact points (p, 3) with reduced shapes (p, 3, m).

        They are looked for among the points of surfaces, the nodes, and those of finer rules, which
        `finer` gives for the full body and a surface.
        """
        more = (each for name in self.body.model.surfaces for each in finer(self.full, name))
        for known, shape in chain(self._families(), more):
            rows = self._found(points, known, shape)
            if rows is not None and self._same(rows, shapes.reshape(-1, shapes.shape[2])):
                return rows
        raise InputError(
            f"{what}: invalid contact points of '{self.name}' in all its unknowns: expected those "
            "of elastic_surface(body, name), on a surface of its model"
        )

    def _families(self) -> Iterator[tuple[Floats, sp.csr_array]]:
        """Points of surfaces and nodes, with their displacement (3 p, n)."""
        for name in self.body.model.surfaces:
            on = self.model.surface(name)
            yield on.points, sp.csr_array(sp.csr_array(on.shape)[:, self.free])
        geometry = self.model.geometry
        yield geometry.points, sp.csr_array(sp.csr_array(geometry.shape)[:, self.free])

    def free_points(self, count: int) -> StandIn:
        """Stand-in for so many contact points; those of one number share it."""
        if count not in self._stand_ins:
            self._stand_ins[count] = self._stand_in(3 * count)
        return self._stand_ins[count]

    @cached_property
    def _stand_ins(self) -> dict[int, StandIn]:
        return {}

    def _stand_in(
        self, size: int, markers: tuple[Point, ...] = (), holdings: tuple[Holding, ...] = ()
    ) -> StandIn:
        model = self.body.model
        bare = replace(
            model,
            basis=np.zeros((0, size)),
            frequencies=np.zeros(size),
            exact=0,
            frequency_error=np.zeros(size),
            next_frequency=np.inf,
            surfaces={},
            contact={},
            interfaces={},
            inertia=_none(size),
            geometric=None,
            residual=None,
            mesh_error=None,
        )
        body = self.body
        return StandIn(
            body.name, bare, body.position, body.frame, 0.0, False, body.points, markers, holdings
        )

    def _found(self, points: Floats, known: Floats, shape: sp.csr_array) -> sp.csr_array | None:
        """Rows of known points where the given ones are; None if one is not among them."""
        distance, index = (np.asarray(found) for found in cKDTree(known).query(points))
        size = float(np.ptp(self.model.geometry.points, axis=0).max())
        if np.max(distance, initial=0.0) > SAME * size:
            return None
        rows = (3 * index[:, None] + np.arange(3)).ravel()
        return sp.csr_array(shape[rows])

    def _same(self, rows: sp.csr_array, reduced: Floats) -> bool:
        difference = np.abs(rows @ self.basis - reduced).max(initial=0.0)
        return bool(difference <= RESTRICTED * np.abs(reduced).max(initial=0.0))

    def _check(self, rows: sp.csr_array, reduced: Floats, what: str) -> None:
        if not self._same(rows, reduced):
            raise InputError(
                f"{self.name}: invalid finite-element model: {what} moves otherwise than in the "
                "reduced body: expected the model it was reduced from"
            )

    @cached_property
    def full(self) -> FEBody:
        """The body of statics with the same unknowns, not displaced."""
        return FEBody(self.name, self.model, points=self.body.points)

    @cached_property
    def _elastic(self) -> sp.csr_array:
        return self._part(self.model.stiffness)

    @cached_property
    def _modal(self) -> bool:
        """Whether the damping is given by ratios of modes."""
        damping = self.body.damping
        return isinstance(damping, int | float) or hasattr(damping, "ratios")

    @cached_property
    def _speed(self) -> float:
        """Speed in rad/s of the frame; 0 if it does not turn."""
        frame = self.body.frame
        if isinstance(frame, str):
            return 0.0
        law = getattr(frame, "angle", getattr(frame, "travel", None))
        if not isinstance(law, int | float):
            raise InputError(
                f"{self.name}: invalid frame of a body in all its unknowns: expected a "
                "TurningFrame or MovingFrame of constant speed"
            )
        return float(law) if isinstance(frame, TurningFrame) else 0.0

    @cached_property
    def _rotating(self) -> RotatingBody:
        frame: Any = self.body.frame
        x, y, z = (float(p - o) for p, o in zip(frame.point, self.body.position, strict=True))
        return RotatingBody(self.model, frame.axis, (x, y, z))

    def _part(self, matrix: sp.csr_array) -> sp.csr_array:
        return sp.csr_array(sp.csr_array(matrix)[self.free][:, self.free])


def own_points(points: Floats) -> Floats:
    """Shapes (p, 3, 3 p) of points that move one by one."""
    count = len(points)
    return ElasticPoints.of(points, np.eye(3 * count).reshape(count, 3, 3 * count)).shapes


def _none(size: int) -> InertiaIntegrals:
    """Integrals of a body without mass."""
    still = np.zeros((3, size))
    pairs = np.zeros((3, 3, size, size))
    return InertiaIntegrals(
        0.0, np.zeros(3), np.zeros((3, 3)), still, still, np.zeros((3, 3, size)), pairs[0], pairs
    )


def _key(point: Point) -> Any:
    """What two equal points have in common."""
    return point if isinstance(point, str) else tuple(float(x) for x in point)
