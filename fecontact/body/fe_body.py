"""Full finite-element body: its coordinates are the free unknowns of the model.

    M u'' + K u = f,      x_p = X_p + L u

Displacements are small and the body does not turn; M, K and the displacement L of its contact
points are sparse. Statics condenses it on the unknowns of its contacts and of what holds it
(`reduction.condensation`), so it may have 1e5 unknowns there. Elsewhere its matrices are full ones:
reduce a large body (`reduce_model`) before it moves.

Joints, springs and loads hold it at a node, in the middle of nodes, or on a named surface, which
moves like its best rigid fit: a load spreads over the surface and does not stiffen it
(`body.marker`). A surface that is to stay rigid is one of the model (`fem.rigid_surface`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy.sparse as sp

from fecontact.body.attachments import Nodes
from fecontact.body.base import Body
from fecontact.body.deformation import Deformation, largest_deformation
from fecontact.body.drawing import Drawing
from fecontact.body.marker import ElasticMarker, Point, Vector
from fecontact.body.motion import PointMotion
from fecontact.body.shared import shared
from fecontact.errors import InputError, numbers, unknown
from fecontact.fem.mean_motion import fit_rows, interface_of
from fecontact.fem.model import FEModel
from fecontact.reduction.condensation import Interior, eliminate
from fecontact.typing import Floats, Integers, Tangents

if TYPE_CHECKING:
    from skfem import Mesh

__all__ = ["FEBody", "Holding", "NodalPointMotion", "NodalPoints", "in_fixed_frame"]

FREE = 1e-10
"""Force of a translation, relative to the stiffness, below which a body is free."""


REST = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
"""Displacement and quaternion of a frame that does not move."""


class Holding(NamedTuple):
    """A position (3,) where a body is held, and its motion (6, n) per free unknown, sparse.

    Rows are displacement and rotation vector; `defined` says whether all rotations are.
    """

    position: Floats
    motion: sp.csr_array
    defined: bool


class NodalPoints(NamedTuple):
    """Points (p, 3) of the undeformed body, and their displacement (3 p, n) per free unknown."""

    points: Floats
    interpolation: sp.csr_array


@dataclass(frozen=True)
class NodalPointMotion(PointMotion):
    """Points of a full finite-element body. Full Jacobians only where asked."""

    points: NodalPoints
    position: Floats
    velocity: Floats

    @cached_property
    def jacobian(self) -> Floats:
        """Derivative (p, 3, n) of the position along a step, of the velocity by v."""
        return np.asarray(self.points.interpolation.toarray().reshape(len(self.position), 3, -1))

    @property
    def displacement(self) -> Floats:
        """Derivative (p, 3, n) of the position along a step."""
        return self.jacobian

    @property
    def d_velocity(self) -> Floats:
        """Derivative (p, 3, n) of the velocity along a step, at fixed v: none."""
        return np.zeros((len(self.position), 3, self.points.interpolation.shape[1]))

    def d_load(self, force: Floats) -> Floats:
        """Derivative (n, n) of sum J^T F along a step, at fixed forces: none."""
        return np.zeros((self.points.interpolation.shape[1],) * 2)

    def apply_transpose(self, force: Floats) -> Floats:
        """Generalised force (n,) = sum J^T F of forces F (p, 3)."""
        return np.asarray(self.points.interpolation.T @ force.ravel())


@dataclass(frozen=True, eq=False)
class FEBody(Body):
    """Finite-element body with all its unknowns, in small displacements.

    Its contact points are those of `fe_surface`, as a master it has an `FEFace`; loads on all its
    unknowns are `NodalLoad`, `SurfaceLoad`, `SupportMotion` and `Gravity`. Joints, springs, `Force`
    and `Torque` act at nodes and named surfaces.

    Parameters
    ----------
    name
        Name in the system.
    model
        Solid, plate or beams; without supports the body is free, and contact has to hold it.
    seat
        Displacement (3,) in m of its reference position. A free body under load must begin in
        contact, or nothing holds it; the equilibrium does not depend on the depth.
    points
        Named points: positions of nodes in the mesh, in m. Surfaces have the names of the model.

    Examples
    --------
    >>> from fecontact.fem import ElasticSolid, Material
    >>> from fecontact.mesh import block
    >>> cork = Material(1e6, 0.0, 200.0)
    >>> cube = ElasticSolid(block(1.0, 1.0, 1.0, (1, 1, 1)), cork, supports={"z_min": "clamped"})
    >>> body = FEBody("cube", cube)
    >>> len(body.dofs), round(body.mass, 9)
    (36, 200.0)
    """

    name: str
    model: FEModel
    seat: Vector = (0.0, 0.0, 0.0)
    points: Mapping[str, Vector] = field(default_factory=dict)

    def __post_init__(self) -> None:
        seat = numbers(f"{self.name}: seat", self.seat, (3,))
        if not np.isfinite(seat).all():
            raise InputError(f"{self.name}: invalid seat = {self.seat}: expected finite lengths")

    @cached_property
    def dofs(self) -> tuple[str, ...]:
        """Names of the free unknowns, by their number in the model."""
        return tuple(f"u{index}" for index in self.model.free)

    @cached_property
    def stiffness(self) -> sp.csr_array:
        """Stiffness (n, n) of the free unknowns."""
        return shared(self.model, "stiffness", lambda: self._free_part(self.model.stiffness))

    @cached_property
    def mass_of_unknowns(self) -> sp.csr_array:
        """Mass matrix (n, n) of the free unknowns."""
        return shared(self.model, "mass", lambda: self._free_part(self.model.mass))

    @property
    def finite_elements(self) -> FEBody:
        """Itself: its coordinates are many."""
        return self

    @cached_property
    def mass(self) -> float:
        """Mass in kg."""
        x = self._translations[:, 0]
        return float(x @ (self.model.mass @ x))

    def reference(self) -> Floats:
        """Undeformed, displaced by the seat."""
        return np.asarray(self.translations @ np.asarray(self.seat, dtype=float))

    def mass_matrix(self, q: Floats) -> Floats:
        """Full mass matrix (n, n)."""
        if not self.mass > 0.0:
            raise InputError(f"{self.name}: a body without mass has no motion: expected statics")
        return np.asarray(self.mass_of_unknowns.toarray())

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Elastic force -K u."""
        return np.asarray(-(self.stiffness @ q))

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`, full matrices."""
        return np.asarray(-self.stiffness.toarray()), np.zeros((len(q), len(q)))

    def elastic_force(self, q: Floats) -> Floats:
        """Force (n,) of the deformation."""
        return self.force(0.0, q, q)

    def strain_energy(self, q: Floats) -> float:
        """Strain energy in J."""
        return 0.5 * float(q @ (self.stiffness @ q))

    def kinetic_energy(self, q: Floats, v: Floats, t: float = 0.0) -> float:
        """Kinetic energy in J; at rest the mass matrix is not needed."""
        if not v.any():
            return 0.0
        return 0.5 * float(v @ (self.mass_of_unknowns @ v))

    def weight(self, q: Floats, g: Floats, t: float = 0.0) -> tuple[Floats, Floats, float]:
        """Weight in the dofs, its derivative (n, n), which is zero, and its potential in J."""
        force = (self.model.mass @ (self._translations @ g))[self.model.free]
        return force, np.broadcast_to(0.0, (len(q), len(q))), -float(force @ q)

    def point_motion(
        self, q: Floats, v: Floats, points: NodalPoints, t: float = 0.0
    ) -> NodalPointMotion:
        """Motion of points of a `NodalSurface`."""
        if not isinstance(points, NodalPoints):
            raise InputError(
                f"{self.name}: invalid contact points: expected those of fe_surface(body, name)"
            )
        move, speed = ((points.interpolation @ each).reshape(-1, 3) for each in (q, v))
        return NodalPointMotion(points, points.points + move, speed)

    def named_load(self, name: str) -> Floats:
        """Load (n,) in its dofs that the model has by name, such as a preload."""
        known = getattr(self.model, "named_loads", {})
        if name not in known:
            raise unknown("load", name, known)
        return np.asarray(known[name][self.model.free])

    @property
    def position(self) -> Vector:
        """Where the origin of its points is in the reference position: displaced by the seat."""
        return self.seat

    def marker(self, point: Point = (0.0, 0.0, 0.0), axes: Floats | None = None) -> ElasticMarker:
        """Marker at a node or in the middle of nodes, by name or position, or on a named surface.

        `axes` (3, 3) are columns. Its matrices are full ones of six rows.
        """
        held = self.holding(point)
        motion = held.motion.toarray()
        return in_fixed_frame(point, held, motion, motion[:3] @ self.reference(), axes)

    def holding(self, point: Point) -> Holding:
        """Where a marker sits, and how the free unknowns move it."""
        position, motion, defined = self._held(point)
        return Holding(position, sp.csr_array(motion[:, self.model.free]), defined)

    def motion_by_all(self, point: Point) -> sp.csr_array:
        """Motion (6, N) of a marker per unknown of the model, those of supports included."""
        return self._held(point).motion

    def _held(self, point: Point) -> Holding:
        if self.nodes.named(point):
            position, nodes, rows, defined = self.nodes.held(point)
            numbers = (3 * nodes[:, None] + np.arange(3)).ravel()
            shape = self.model.geometry.shape[numbers]
        else:
            surface = interface_of(self.model, str(point))
            position, rows, defined = fit_rows(surface.points, surface.weights)
            shape = surface.shape
        return Holding(position, sp.csr_array(sp.csr_array(rows) @ sp.csr_array(shape)), defined)

    @cached_property
    def nodes(self) -> Nodes:
        """Its nodes, by position and by name."""
        return Nodes(self.name, self.model.geometry, self.points)

    def condensed(self, kept: Integers) -> tuple[Floats, Interior]:
        """Stiffness of the kept unknowns, numbered as in the model, and the others that follow.

        It is kept with the model: several load paths, and several bodies of one model, condense it
        once.
        """
        key = "condensed", np.ascontiguousarray(kept).tobytes()
        return shared(self.model, key, partial(eliminate, self.model, kept))

    @cached_property
    def translations(self) -> Floats:
        """Displacement (n, 3) of the free unknowns per translation along x, y, z."""
        return np.asarray(self._translations[self.model.free])

    @cached_property
    def free_translations(self) -> tuple[bool, bool, bool]:
        """Whether it can be moved along x, y, z without a force."""
        shift, K = self.translations, self.stiffness
        size = sp.linalg.norm(K) * np.linalg.norm(shift, axis=0)
        x, y, z = (np.linalg.norm(K @ shift, axis=0) < FREE * size).tolist()
        return x, y, z

    def largest_deformation(self, q: Floats) -> Deformation:
        """Largest strain and rotation over its coordinates (k, n) at k times.

        That with the largest displacement is looked at.
        """
        farthest = q[int(np.argmax(np.linalg.norm(q - self.reference(), axis=1)))]
        nodes = self.model.geometry.shape[:, self.model.free] @ farthest
        return largest_deformation(self.model.geometry, np.asarray(nodes).reshape(-1, 3))

    def geometry(self, mesh: Mesh | None = None, offset: Floats | None = None) -> Drawing:
        """Its own mesh, with the sparse shapes of its nodes; moved supports are drawn at rest."""
        drawn = self.model.geometry
        return Drawing(drawn.points, drawn.cells, sp.csr_array(drawn.shape[:, self.model.free]))

    @cached_property
    def _translations(self) -> Floats:
        """Displacement (all unknowns, 3) per translation."""
        return np.asarray(self.model.rigid_body_modes()[:, :3])

    def _free_part(self, matrix: sp.csr_array) -> sp.csr_array:
        free = self.model.free
        return sp.csr_array(sp.csr_array(matrix)[free][:, free])


def in_fixed_frame(
    point: Point, held: Holding, motion: Floats, shifted: Floats, axes: Floats | None
) -> ElasticMarker:
    """Marker in a frame that does not move; `motion` (6, n) is that of the coordinates."""
    reason = f"has no rotation at {point}: the nodes there lie on one line"
    return ElasticMarker(
        _at_rest,
        slice(6, None),
        np.zeros(3),
        np.ascontiguousarray(held.position),
        np.ascontiguousarray(motion[:3]),
        np.ascontiguousarray(motion[3:]),
        np.eye(3) if axes is None else np.ascontiguousarray(axes, dtype=float),
        "" if held.defined else reason,
        shifted,
    )


def _at_rest(t: float, q: Floats, v: Floats) -> tuple[Floats, Floats]:
    """Coordinates and velocities with those of a frame at rest."""
    return np.concatenate([REST, q]), np.concatenate([np.zeros(6), v])
