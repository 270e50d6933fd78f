"""A reduced elastic body with all unknowns of its finite-element model again.

In the frame of the body, at rest or turning at constant Omega (`fem.rotating`),

    M u'' + (D + Omega G) u' + (K + Omega^2 K_sigma - Omega^2 N) u = Omega^2 f_c + sum L^T F,

with forces F at contact points and markers, whose motion is L u, L sparse. The reduced body is its
restriction to u = Phi q. In a free frame at rest, with displacement u_0 and small rotation theta,

    T = (u_0', omega, u')^T M (u_0', omega, u') / 2,    M of X = x + u (`body.floating.inertia`);

a model without supports is tied to its frame by rows R^T M u = 0, R its rigid-body modes. Damping
given by ratios of modes belongs to the coordinates of the basis, D = P D_q P^T with P = M Phi: what
lies outside of the basis is undamped.

Contacts, joints and loads are asked through a stand-in: an elastic body whose coordinates are the
motions L u of some points or markers, each of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from fecontact.body.elastic import ElasticBody
from fecontact.body.fe_body import FEBody
from fecontact.body.full.stand_in import StandIn, stand_in
from fecontact.body.marker import Point
from fecontact.body.prescribed import TurningFrame
from fecontact.body.rotation import cross_matrix
from fecontact.errors import InputError
from fecontact.fem.mass_field import MassField, mass_field
from fecontact.fem.model import FEModel
from fecontact.fem.rotating import RotatingBody
from fecontact.typing import Floats, Integers

__all__ = ["Unreduced"]

SAME = 1e-9
"""Distance, relative to the size of the body, up to which two points are one."""

RESTRICTED = 1e-7
"""Difference of shapes, relative to the largest, up to which they are the same."""


Finer: TypeAlias = Callable[[FEBody, str], Iterable[tuple[Floats, sp.csr_array]]]
"""Points of finer rules on a surface of a full body, with their displacement."""


class Modal(NamedTuple):
    """Damping P D P^T of the coordinates of a basis: P (n, m), D (m, m)."""

    shapes: Floats
    damping: Floats


@dataclass(frozen=True, eq=False)
class Unreduced:
    """A reduced body in all free unknowns u (n,) of its model.

    Its dofs are those of a free frame, if it has one, then u.

    Parameters
    ----------
    body
        The reduced body; its frame is free and at rest, fixed, or moves at constant speed.
    model
        The finite-element model it was reduced from.
    """

    body: ElasticBody
    model: FEModel

    def __post_init__(self) -> None:
        body, n = self.body, self.model.stiffness.shape[0]
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
    def frame_dofs(self) -> int:
        """Number of dofs of its frame."""
        return 6 if self.body.frame == "free" else 0

    @property
    def size(self) -> int:
        """Number of dofs."""
        return self.frame_dofs + len(self.free)

    @cached_property
    def lift(self) -> sp.csr_array:
        """Dofs per dof of the reduced body."""
        return self.with_frame(sp.csr_array(self.basis), self.frame_dofs)

    def with_frame(self, own: sp.csr_array, size: int) -> sp.csr_array:
        """A matrix of the unknowns beside the identity of so many coordinates of the frame."""
        if not self.frame_dofs:
            return own
        return sp.csr_array(sp.block_diag([sp.eye_array(size), own], format="csr"))

    def lifted(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Coordinates and velocities from those of the reduced body."""
        f = self.frame_dofs
        at = len(q) - self.basis.shape[1]
        return (
            np.concatenate([q[:at], self.basis @ q[at:]]),
            np.concatenate([v[:f], self.basis @ v[f:]]),
        )

    def move(self, q: Floats, step: Floats) -> Floats:
        """Coordinates after a step of the dofs."""
        return self.body.move(q, step)

    def unknowns(self, q: Floats) -> Floats:
        """Free unknowns u (n,) among its coordinates."""
        return q[len(q) - len(self.free) :]

    @cached_property
    def ties(self) -> sp.csr_array:
        """Rows R^T M (r, dofs) that tie a model without supports to its frame."""
        rigid = self.body.model.rigid
        rows = (self.mass @ self.body.model.basis[self.free, :rigid]).T
        zeros = np.zeros((rigid, self.frame_dofs))
        return sp.csr_array(np.hstack([zeros, rows]))

    def mass_matrix(self, q: Floats) -> sp.csr_array:
        """Mass matrix of all dofs."""
        if not self.frame_dofs:
            return self.mass
        u, R, turns = self.unknowns(q), self.body.rotation(q), cross_matrix(np.eye(3))
        translation, rotation = np.zeros((2, 3, len(self.free)))
        for axis, turn in enumerate(turns):
            translation[axis] = self._loaded(np.eye(3)[axis], np.zeros((3, 3)))
            rotation[axis] = self._loaded(np.zeros(3), turn) + self._form(turn) @ u
        undeformed = np.concatenate([q[:7], np.zeros(self.basis.shape[1])])
        rigid = self.unshortened.mass_matrix(undeformed)[:6, :6]
        moved = -R @ cross_matrix((translation @ u)[None])[0]
        rigid[:3, 3:] += moved
        rigid[3:, :3] += moved.T
        for i, j in product(range(3), repeat=2):
            both = turns[i].T @ turns[j]
            first = u @ self._loaded(np.zeros(3), both + both.T)
            rigid[3 + i, 3 + j] += first + u @ (self._form(both) @ u)
        coupling = sp.csr_array(np.vstack([R @ translation, rotation]))
        blocks: Any = [[sp.csr_array(rigid), coupling], [coupling.T, self.mass]]
        return sp.csr_array(sp.block_array(blocks, format="csr"))

    def _loaded(self, offset: Floats, slope: Floats) -> Floats:
        """Integral (n,) of rho W . (offset + slope x)."""
        return -self._field.inertia_load(offset, slope)[self.free]

    def _form(self, P: Floats) -> sp.csr_array:
        """Integral (n, n) of rho W . P W."""
        return self._part(self._field.form(P))

    @cached_property
    def unshortened(self) -> ElasticBody:
        """The reduced body without geometric stiffness: its points move to first order alone."""
        return replace(self.body, geometric_stiffness=False)

    def inner(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Inner force of all dofs, and the load of the spin."""
        f, u = self.frame_dofs, self.unknowns(q)
        force = -(self.by_position @ u) - self.by_rate @ v[f:]
        none = np.zeros(f)
        return np.concatenate([none, force]), np.concatenate([none, self.load])

    def padded(self, matrix: sp.csr_array) -> sp.csr_array:
        """A matrix (n, n) of the unknowns among all dofs."""
        f = self.frame_dofs
        if not f:
            return matrix
        return sp.csr_array(sp.block_diag([sp.csr_array((f, f)), matrix], format="csr"))

    @cached_property
    def free(self) -> Integers:
        """Free unknowns among all of the model."""
        return np.asarray(self.model.free, dtype=np.int64)

    @cached_property
    def basis(self) -> Floats:
        """Phi (n, m): unknowns per elastic coordinate of the reduced body."""
        return np.ascontiguousarray(self.body.model.basis[self.free, self.body.model.rigid :])

    @cached_property
    def mass(self) -> sp.csr_array:
        """M (n, n)."""
        return self._part(self.model.mass)

    @cached_property
    def by_rate(self) -> sp.csr_array:
        """D + Omega G (n, n), without damping given by modes."""
        damping = sp.csr_array(self.mass.shape)
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
        """Whether it shortens as it bends; inertia of the order of that is left out."""
        return self.body.frame != "fixed" and self.body.geometric_stiffness

    @cached_property
    def load(self) -> Floats:
        """Omega^2 f_c (n,)."""
        if self._speed == 0.0:
            return np.zeros(len(self.free))
        return np.asarray(self._speed**2 * self._rotating.centrifugal_load[self.free])

    @cached_property
    def modal(self) -> Modal | None:
        """Damping that belongs to the coordinates of the basis; None if there is none."""
        D = self.body._damping_matrix
        if not self._modal or not D.any():
            return None
        shapes = np.asarray(self.mass @ self.basis)
        return Modal(np.vstack([np.zeros((self.frame_dofs, shapes.shape[1])), shapes]), D)

    def weight(self, g: Floats) -> Floats:
        """Weight (n,) at the acceleration g, in a frame at rest."""
        if isinstance(self.body.frame, TurningFrame) or self.frame_dofs:
            raise InputError(
                f"{self.name}: invalid weight of a body in all its unknowns in a frame that turns "
                "or is free: expected a fixed frame, or no Gravity on it"
            )
        shift = self.model.rigid_body_modes()[:, :3] @ g
        return np.asarray((self.model.mass @ shift)[self.free])

    def markers(self, points: Sequence[Point]) -> tuple[StandIn, sp.csr_array]:
        """Stand-in with markers at some points, and its coordinates (6 k, n) per unknown."""
        held = [self.full.holding(point) for point in points]
        rows = sp.csr_array(sp.vstack([each.motion for each in held], format="csr"))
        for point, each in zip(points, held, strict=True):
            fit = self.body.attachments.fit(point)
            self._check(each.motion, np.vstack([fit.displacement, fit.rotation]), f"point {point}")
        return stand_in(self.body, rows.shape[0], tuple(points), tuple(held)), rows

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
            self._stand_ins[count] = stand_in(self.body, 3 * count)
        return self._stand_ins[count]

    @cached_property
    def _stand_ins(self) -> dict[int, StandIn]:
        return {}

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
    def _field(self) -> MassField:
        field = mass_field(self.model)
        if field is None:
            raise InputError(
                f"{self.name}: invalid {type(self.model).__name__} in a free frame: expected a "
                "model with a mass field"
            )
        return field

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
