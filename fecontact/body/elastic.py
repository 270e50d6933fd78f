"""Elastic body: floating frame plus reduced coordinates.

A material point x of the body moves with the frame (u, R) and deforms by the shapes Phi,

    r = r_0 + u + R (x + Phi q),      v = u' + R (omega x (x + Phi q) + Phi q'),

omega body-fixed. The inertia of this motion, M(q) and all velocity-dependent forces, is that of
`body.floating.inertia`; the deformation adds -K q - D q'. Stress from inertia loads stiffens or
softens the body (geometric stiffness); contact points and joints move to first order in q.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fecontact.body.attachments import Attachments
from fecontact.body.base import Body
from fecontact.body.deformation import Deformation, largest_deformation, most_deformed
from fecontact.body.drawing import Drawing
from fecontact.body.floating.inertia import FloatingInertia
from fecontact.body.floating.shapes import inertia_of
from fecontact.body.lowered import (
    elastic_body,
    elastic_weight,
    linear_body,
    pack_elastic_frame,
    pack_marker,
)
from fecontact.body.marker import ElasticMarker, Point, Vector
from fecontact.body.motion import FrameParts, SpinFrame
from fecontact.body.points.elastic_points import ElasticPointMotion, ElasticPoints, FloatingMotion
from fecontact.body.prescribed import FrameMotion, FrameState, steady_turn_about_z
from fecontact.body.rigid import DOFS
from fecontact.body.rigid_check import check_position
from fecontact.body.rotation import quaternion_matrix, quaternion_rate, rotated
from fecontact.body.turning import Turning, free_turning, waves_turning
from fecontact.errors import InputError, check, one_of, renamed, shown, warn_caller
from fecontact.fem.damping import Damping, ModalDamping
from fecontact.kernels.lowered import Lowered, Packing
from fecontact.reduction.origin import origin
from fecontact.reduction.waves import Waves, waves_around
from fecontact.typing import Floats, Tangents

if TYPE_CHECKING:
    from skfem import Mesh

    from fecontact.body.full.unreduced import Unreduced
    from fecontact.fem.model import FEModel
    from fecontact.reduction import ReducedModel

__all__ = ["FRAMES", "ElasticBody"]

FRAMES = ("free", "fixed")

AT_REST = FrameState(np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]), np.zeros(6), np.zeros(6))


@renamed(floating="frame_motion", places="attachments")
@dataclass(frozen=True, eq=False)
class ElasticBody(Body):
    """Elastic body in large motion, with small deformation relative to its frame.

    Small are strains beside 1 and rotations relative to the frame whose square is small beside 1:
    errors are of that order (`deformation` tells both; `simulate` says it from 10 % on). A bar that
    is stretched without rotation is linear at any strain.

    The geometric stiffness is the work of inertia loads (and weight) on the second-order motion of
    what turns: a bent beam gets shorter, a stretched bar has none (`body.floating.inertia`). It is
    that of loads in balance with the supports of the model; without supports, in balance with the
    inertia of the free body. Reactions of joints
    and applied loads have no geometric stiffness. So reduce a body with supports where it is held:
    a blade that is clamped in its model and joined to a hub at the clamped end stiffens as it
    should; reduced without supports and joined to the same hub it stiffens too little.

    Parameters
    ----------
    name
        Name in the system.
    model
        Reduced body. Its rigid-body modes are replaced by those of the frame; its supports, if any,
        hold it in the frame.
    position
        Origin of the frame, which is the origin of the mesh, in the reference position, in m.
    frame
        "free": coordinates are the displacement u of the frame, its unit quaternion and q; the
        velocities are u', the body-fixed angular velocity and q'. "fixed": the frame is held, the
        coordinates are q alone. A motion of `fecontact.body.prescribed`: the frame moves as
        given, the coordinates are q alone.
    damping
        Of the deformation: a model of `fecontact.fem.damping`, or one damping ratio for all
        elastic coordinates. Modal ratios count from the first elastic coordinate.
    geometric_stiffness
        Include the stiffness of the stress that inertia loads cause (see above); without it a
        rotating beam softens. It leaves a pure stretch alone.
    points
        Named points: positions of nodes in the mesh, in m. Surfaces have the names of the model.

    Examples
    --------
    >>> from fecontact.fem import ElasticSolid, Material
    >>> from fecontact.mesh import block
    >>> from fecontact.reduction import reduce_model
    >>> solid = ElasticSolid(block(0.1, 0.02, 0.01, cells=(2, 1, 1)), Material(7e10, 0.3, 2700.0))
    >>> body = ElasticBody("bar", reduce_model(solid, modes=2))
    >>> body.dofs
    ('ux', 'uy', 'uz', 'rx', 'ry', 'rz', 'e1', 'e2')
    >>> q, speed = body.reference(), np.r_[3.0, np.zeros(7)]
    >>> round(body.kinetic_energy(q, speed), 6)  # m v^2 / 2
    0.243
    """

    name: str
    model: ReducedModel
    position: Vector = (0.0, 0.0, 0.0)
    frame: str | FrameMotion = "free"
    damping: Damping | float = 0.0
    geometric_stiffness: bool = True
    points: Mapping[str, Vector] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if isinstance(self.frame, str):
            check(f"{self.name}: frame", self.frame, one_of(FRAMES))
        elif not hasattr(self.frame, "at"):
            raise InputError(
                f"{self.name}: invalid frame = {shown(self.frame)}: expected free, fixed, or a "
                "motion such as TurningFrame or MovingFrame"
            )
        check_position(self.name, self.position)
        if self.model.residual is not None:
            raise InputError(
                f"{self.name}: invalid model of method 'quasi-static', whose residual flexibility "
                "has no coordinates: expected another method; reduce with method 'rubin'"
            )
        self._damping_matrix  # noqa: B018  # refuses an impossible damping
        if self.frame == "fixed" and self.model.rigid:
            warn_caller(
                f"{self.name}: frame = 'fixed' holds a body without sufficient supports: its "
                f"{self.model.rigid} rigid-body modes are left out; support the finite-element "
                "body, or take frame='free'"
            )
        if self.frame != "fixed":
            self._inertia  # noqa: B018  # refuses a model without integrals

    @cached_property
    def dofs(self) -> tuple[str, ...]:
        """Names of the velocities: those of the frame, then the elastic ones."""
        elastic = tuple(f"e{i}" for i in range(1, self.model.size - self.model.rigid + 1))
        return DOFS + elastic if self.frame == "free" else elastic

    @property
    def mass(self) -> float:
        """Mass in kg; nan if the model has no inertia integrals."""
        return float("nan") if self.model.inertia is None else self.model.inertia.mass

    def validity(self, v: Floats) -> float:
        """Frequency in Hz up to which the reduced model is valid, see `validity_frequency`."""
        return self._validity

    def reference(self) -> Floats:
        """Coordinates of the undeformed body in its reference position."""
        elastic = np.zeros(self.model.size - self.model.rigid)
        turn = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
        return np.concatenate([turn, elastic]) if self.frame == "free" else elastic

    def move(self, q: Floats, step: Floats) -> Floats:
        """Coordinates after an increment of the dofs; rotations are body-fixed."""
        if self.frame != "free":
            return q + step
        return np.concatenate([q[:3] + step[:3], rotated(q[3:7], step[3:6]), q[7:] + step[6:]])

    def rate(self, q: Floats, v: Floats) -> Floats:
        """Rate q' of the coordinates."""
        if self.frame != "free":
            return v
        return np.concatenate([v[:3], quaternion_rate(q[3:7], v[3:6]), v[6:]])

    def rotation(self, q: Floats, t: float = 0.0) -> Floats:
        """Rotation matrix from body to space components."""
        return quaternion_matrix(q[3:7] if self.frame == "free" else self._prescribed(t)[0][3:])

    def mass_matrix(self, q: Floats) -> Floats:
        """Mass matrix (n, n); in a moving frame it depends on rotation and deformation."""
        if self.frame == "fixed":
            return np.eye(len(q))
        kept = self._kept
        M = self._inertia.mass_matrix(self.rotation(q), self._elastic(q))
        return M if self.frame == "free" else M[kept, kept]

    def d_inertia(self, q: Floats, a: Floats) -> Floats:
        """Derivative (n, n) of M(q) a along a step, at fixed a."""
        if self.frame == "fixed":
            return np.zeros((len(q), len(q)))
        full = a if self.frame == "free" else np.concatenate([np.zeros(6), a])
        kept = self._kept
        return self._inertia.d_inertia(self.rotation(q), self._elastic(q), full)[kept, kept]

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Coriolis, centrifugal and gyroscopic forces, elastic and damping forces.

        In a frame of prescribed motion also the inertia forces of its acceleration.
        """
        e, rate = self._elastic(q), self._elastic_rate(v)
        inner = -self._stiffness * e - self._damping_matrix @ rate
        if self.frame == "fixed":
            return inner
        full_q, full_v = self._frame_state(t, q, v)
        R = quaternion_matrix(full_q[3:7])
        force = self._inertia.force(R, e, full_v[3:6], rate)
        force[6:] += inner
        if self.frame == "free":
            return force
        M = self._inertia.mass_matrix(R, e)
        return force[6:] - M[6:, :6] @ self._prescribed(t)[2]

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`."""
        return self.evaluate(t, q, v)[1:]

    def evaluate(self, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        """`force` and `tangents` in one pass."""
        K, D = self._stiffness, self._damping_matrix
        e, rate = self._elastic(q), self._elastic_rate(v)
        if self.frame == "fixed":
            return -K * q - D @ v, -np.diag(K), -D
        full_q, full_v = self._frame_state(t, q, v)
        R = quaternion_matrix(full_q[3:7])
        force, by_q, by_v = self._inertia.evaluate(R, e, full_v[3:6], rate)
        force[6:] -= K * e + D @ rate
        diagonal = np.arange(6, len(force))
        by_q[diagonal, diagonal] -= K
        by_v[6:, 6:] -= D
        if self.frame == "free":
            return force, by_q, by_v
        a = np.concatenate([self._prescribed(t)[2], np.zeros(len(e))])
        force -= self._inertia.mass_matrix(R, e) @ a
        by_q -= self._inertia.d_inertia(R, e, a)
        return force[6:], by_q[6:, 6:], by_v[6:, 6:]

    def lowered(self) -> Lowered | None:
        """The body as a compiled function; None if its frame moves by a law written in Python."""
        n_q, n, K, D = len(self.reference()), len(self.dofs), self._stiffness, self._damping_matrix
        if self.frame == "fixed":
            return linear_body(np.eye(n), (-np.diag(K), -D), np.diag(K), D)
        return elastic_body(n_q, n, self.frame, self._origin, self._inertia, K, D)

    def lowered_weight(self, g: Floats) -> Lowered | None:
        """Its weight as a compiled function; None as `lowered`."""
        n_q, n = len(self.reference()), len(self.dofs)
        return elastic_weight(n_q, n, self.frame, self._origin, self._inertia, g)

    def marker(self, point: Point = (0.0, 0.0, 0.0), axes: Floats | None = None) -> ElasticMarker:
        """Marker at a position, given by coordinates or name, or on a named surface.

        Positions are those of the undeformed mesh: nodes, or the middle of the nodes around, as
        the axis of a beam (`body.attachments`). `axes` (3, 3) are columns in frame components.
        """
        fit = self.attachments.fit(point)
        reason = f"has no rotation at {point}: the nodes there lie on one line"
        return ElasticMarker(
            self._frame_state,
            self._kept,
            self._origin,
            np.ascontiguousarray(fit.position),
            np.ascontiguousarray(fit.displacement),
            np.ascontiguousarray(fit.rotation),
            np.eye(3) if axes is None else np.ascontiguousarray(axes, dtype=float),
            "" if fit.defined else reason,
            carrier=self.frame,
        )

    def point_rows(self, point: Point) -> tuple[Floats, Floats] | None:
        """Position of a point at rest and rows of its displacement, if the frame is held."""
        if self.frame != "fixed":
            return None
        home, shape = self.deformation_rows(point)
        return self._origin + home, shape

    def deformation_rows(self, point: Point) -> tuple[Floats, Floats]:
        """Position of a point in the mesh and its elastic shapes (3, m)."""
        fit = self.attachments.fit(point)
        return fit.position, fit.displacement

    def node_near(self, point: Vector) -> Vector:
        """Position of the node of the mesh that is nearest to a point, both in m."""
        return self.attachments.nodes.near(point)

    @cached_property
    def attachments(self) -> Attachments:
        """Nodes, named points and surfaces with their elastic shapes."""
        return Attachments(self.name, self.model, self.points)

    def point_motion(
        self, q: Floats, v: Floats, points: str | Floats | ElasticPoints, t: float = 0.0
    ) -> ElasticPointMotion:
        """Motion of a named surface or point, or of nodes given by coordinates (p, 3).

        Coordinates are those of the undeformed mesh. Points that carry their shapes
        (`ElasticPoints`) may lie anywhere in the body.
        """
        return ElasticPointMotion(self.frame_motion(q, v, t), self.attachments.shapes(points))

    def frame_motion(self, q: Floats, v: Floats, t: float = 0.0) -> FloatingMotion:
        """Motion of the frame and of the elastic coordinates in it."""
        full_q, full_v = self._frame_state(t, q, v)
        return FloatingMotion(
            origin=self._origin + full_q[:3],
            rotation=quaternion_matrix(full_q[3:7]),
            velocity=full_v[:3],
            omega=full_v[3:6],
            elastic=np.ascontiguousarray(full_q[7:]),
            rate=np.ascontiguousarray(full_v[6:]),
            kept=self._kept,
        )

    def pack_frame(self, packing: Packing) -> int | None:
        """Append the numbers of its frame; None if its motion is written in Python."""
        modes = self.elastic_shapes
        if isinstance(self.frame, str):
            return pack_elastic_frame(packing, self.frame == "free", self._origin, modes)
        still, at_origin = np.zeros((3, modes)), np.zeros(3)
        marker = ElasticMarker(
            self._frame_state, self._kept, self._origin, at_origin, still, still, np.eye(3), "",
            carrier=self.frame,
        )  # fmt: skip
        return pack_marker(packing, marker)

    @property
    def prescribed_frame(self) -> FrameMotion | None:
        """Motion of its frame if that is a function of time."""
        return None if isinstance(self.frame, str) else self.frame

    @property
    def driven(self) -> bool:
        """Whether its frame moves as prescribed."""
        return self.prescribed_frame is not None

    @property
    def elastic_shapes(self) -> int:
        """Number of elastic shapes of its points."""
        return self.model.size - self.model.rigid

    def unreduced(self, model: FEModel | None) -> Unreduced | None:
        """The body in all unknowns of its finite-element model; None if that is not at hand."""
        from fecontact.body.full.unreduced import Unreduced  # its stand-ins are elastic bodies

        found = origin(self.model) if model is None else model
        return None if found is None else Unreduced(self, found)

    def pose(self, t: float, q: Floats) -> tuple[Floats, Floats]:
        """Origin and rotation of its frame."""
        frame = self.frame_motion(q, np.zeros(len(self.dofs)), t)
        return frame.origin, frame.rotation

    def spin_frame(self, q: Floats, v: Floats, t: float = 0.0) -> SpinFrame:
        """Its frame; no material passes its points."""
        at = self.frame_motion(q, v, t)
        return SpinFrame(at.rotation, at.angular_jacobian, 0.0, 0.0, np.zeros(len(v)))

    def turning(self, v: Floats) -> Turning | None:
        """How its dofs turn about z: the elastic ones as waves, in the axes of its frame."""
        if self.frame == "free":
            return free_turning(len(self.dofs), lambda: self.waves.generator, float(v[5]))
        speed = steady_turn_about_z(self.prescribed_frame, self._origin)
        return None if speed is None else waves_turning(lambda: self.waves.generator, speed)

    @cached_property
    def waves(self) -> Waves:
        """Its elastic coordinates as waves around the z axis of its mesh."""
        return waves_around(self.model)

    def frame_parts(self) -> FrameParts | None:
        """How the dofs move its frame; None if that is a function of time."""
        parts = FrameParts.at_rest(len(self.dofs), self._origin, np.eye(3))
        if self.frame != "free":
            return parts if self.frame == "fixed" else None
        six = np.eye(6, len(self.dofs))
        return parts._replace(shift=six[:3], axes=six[3:], turn=4, place=3)

    def named_load(self, name: str) -> Floats:
        """Load (n,) in its dofs that the finite-element body has by name, such as a preload."""
        return self.attachments.named_load(name, self.frame == "fixed", len(self.dofs))

    def compliance(self, force: Floats) -> float:
        """Twice the strain energy in J under a static force (m,) in its elastic coordinates."""
        return float(np.sum((force / self.model.frequencies[self.model.rigid :]) ** 2))

    def geometry(self, mesh: Mesh | None = None, offset: Floats | None = None) -> Drawing:
        """Its own mesh, with the shapes of its nodes."""
        drawn = self.model.geometry
        return Drawing(drawn.points, drawn.cells, self.attachments.node_shapes)

    @property
    def stiffened_as_free(self) -> bool:
        """Whether its geometric stiffness is that of a body without supports in a free frame."""
        return self.frame == "free" and self.geometric_stiffness and self.model.rigid > 0

    def weight(self, q: Floats, g: Floats, t: float = 0.0) -> tuple[Floats, Floats, float]:
        """Weight in the dofs, its derivative (n, n), and its potential -m g . u_c in J.

        It is the inertia term of the acceleration -g, with the same geometric stiffness.
        """
        full, _ = self._frame_state(t, q, np.zeros(len(self.dofs)))
        force, by_q, potential = self._inertia.weight(
            quaternion_matrix(full[3:7]), full[:3], full[7:], g
        )
        kept = self._kept
        return force[kept], by_q[kept, kept], potential

    def kinetic_energy(self, q: Floats, v: Floats, t: float = 0.0) -> float:
        """Kinetic energy in J."""
        if self.frame == "fixed":
            return float(0.5 * v @ v)
        full_q, full_v = self._frame_state(t, q, v)
        M = self._inertia.mass_matrix(quaternion_matrix(full_q[3:7]), full_q[7:])
        return float(0.5 * full_v @ M @ full_v)

    def elastic_force(self, q: Floats) -> Floats:
        """Force (n,) of the deformation alone."""
        force = -self._stiffness * self._elastic(q)
        return np.concatenate([np.zeros(6), force]) if self.frame == "free" else force

    def deformation(self, q: Floats) -> Deformation:
        """Largest strain and rotation of its cells relative to the frame, to first order in q.

        They are means of the cells: bending within the height of a single cell does not count.
        """
        elastic = np.pad(self._elastic(q), (self.model.rigid, 0))
        return largest_deformation(self.model.geometry, self.model.reconstruct(elastic))

    def largest_deformation(self, q: Floats) -> Deformation:
        """Largest strain and rotation over its coordinates (k, n) at k times.

        Two of them are looked at, that with the most strain energy and that with the largest
        displacement.
        """
        elastic = q[:, q.shape[1] - len(self._stiffness) :]
        chosen = most_deformed(elastic, self._stiffness)
        return Deformation.largest([self.deformation(q[k]) for k in chosen])

    def strain_energy(self, q: Floats) -> float:
        """Strain energy of the deformation in J."""
        return float(0.5 * self._stiffness @ self._elastic(q) ** 2)

    def dissipated_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W that the damping of the deformation takes."""
        rate = self._elastic_rate(v)
        return float(rate @ self._damping_matrix @ rate)

    def momentum(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[Floats, Floats]:
        """Momentum, and angular momentum about the origin, in space components."""
        full_q, full_v = self._frame_state(t, q, v)
        R = quaternion_matrix(full_q[3:7])
        linear, spin = (self._inertia.mass_matrix(R, full_q[7:])[:6] @ full_v).reshape(2, 3)
        return linear, np.cross(self._origin + full_q[:3], linear) + R @ spin

    def _prescribed(self, t: float) -> FrameState:
        """State of a frame that is not free."""
        if isinstance(self.frame, str):
            return AT_REST
        return self.frame.at(t, self._origin)

    def _frame_state(self, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Coordinates and velocities with those of the frame."""
        if self.frame == "free":
            return q, v
        frame = self._prescribed(t)
        return np.concatenate([frame.coordinates, q]), np.concatenate([frame.velocity, v])

    def _elastic(self, q: Floats) -> Floats:
        return q[7:] if self.frame == "free" else q

    def _elastic_rate(self, v: Floats) -> Floats:
        return v[6:] if self.frame == "free" else v

    @cached_property
    def _origin(self) -> Floats:
        """Reference position as an array."""
        return np.array(self.position, dtype=float)

    @cached_property
    def _kept(self) -> slice:
        """Own dofs among those with the frame."""
        return slice(0 if self.frame == "free" else 6, None)

    @cached_property
    def _validity(self) -> float:
        return self.model.validity_frequency() / (2.0 * np.pi)

    @cached_property
    def _stiffness(self) -> Floats:
        """Diagonal of the stiffness matrix."""
        return self.model.frequencies[self.model.rigid :] ** 2

    @cached_property
    def _damping_matrix(self) -> Floats:
        damping = self.damping
        if isinstance(damping, int | float):
            damping = ModalDamping((damping,))
        return np.asarray(damping.matrix(np.eye(len(self._stiffness)), np.diag(self._stiffness)))

    @cached_property
    def _inertia(self) -> FloatingInertia:
        return inertia_of(self.name, self.model, self.geometric_stiffness)
