"""Rigid bodies.

A point X of the body, given in body components relative to the centre of mass, is at
x = r_0 + u + R X and moves with v = u' + R (omega x X), omega body-fixed. Translations of the
centre of mass obey m u'' = F, rotations J omega' + omega x J omega = M in the body frame. Two or
three rotations are described by a unit quaternion and may be large; a single one by its angle.

An axisymmetric rotor may be described in a frame that tilts with it but does not spin (Resal's
frame, omega_z = 0): a body without "rz", whose spin Omega about its z axis is prescribed or the
dof "spin". With the moments of inertia J_t, J_t, J_p

    J_t omega_x' + J_p Omega omega_y = M_x,   J_t omega_y' - J_p Omega omega_x = M_y,
    J_p Omega' = M_z ,

and material passes the points of the frame with v = u' + R ((omega + Omega e_z) x X). Tilts may be
large; no angle runs with the spin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from fecontact.body._kernels import gyroscopic, rotation_of
from fecontact.body.base import Body
from fecontact.body.lowered import pack_marker, rigid_body, rigid_weight
from fecontact.body.marker import Point, RigidMarker, Vector
from fecontact.body.motion import FrameParts, RigidFrame, RigidPointMotion, SpinFrame
from fecontact.body.rigid_check import (
    DOFS,
    ROTATIONS,
    TRANSLATIONS,
    check_dofs,
    check_inertia,
    check_position,
    warn_inertia,
    warn_speed,
)
from fecontact.body.rotation import (
    cross_matrix,
    quaternion_matrix,
    quaternion_rate,
    rotated,
    rotation_increment,
)
from fecontact.body.turning import Turning, rigid_turning
from fecontact.body.volume import mass_properties
from fecontact.errors import (
    FINITE,
    POSITIVE,
    InputError,
    check,
    check_kind,
    numbers,
    renamed_keywords,
    unknown,
)
from fecontact.kernels.lowered import Lowered, Packing
from fecontact.typing import Floats, Tangents

if TYPE_CHECKING:
    from skfem import Mesh

__all__ = ["DOFS", "TRANSLATIONS", "RigidBody"]

AXIS = np.array([0.0, 0.0, 1.0])
TURNED = (("ux", "uy"), ("rx", "ry"))
"""Dofs that turn into each other."""


@renamed_keywords(freedoms="dofs")
@dataclass(frozen=True, eq=False)
class RigidBody(Body):
    """Rigid body with chosen dofs.

    Parameters
    ----------
    name
        Name in the system.
    mass
        In kg.
    dofs
        Translations "ux", "uy", "uz" of the centre of mass, and rotations: none, one of "rx",
        "ry", "rz", all three, or the tilts "rx", "ry" of an axisymmetric rotor. Velocities are u'
        and the body-fixed angular velocity. "spin" is the spin of a rotor without "rz", a velocity
        whose angle moves nothing.
    inertia
        Inertia about the centre of mass in kg m^2: principal moments (3,) or tensor (3, 3). Needed
        for rotations.
    position
        Centre of mass in the reference position, in m.
    spin
        Prescribed angular velocity about the body's z axis in rad/s of an axisymmetric body that
        has neither "rz" nor "spin".
    points, surfaces
        Named points (3,) and sets of points (p, 3), relative to the centre of mass, in m.

    Examples
    --------
    >>> top = RigidBody("top", 2.0, DOFS, inertia=(0.1, 0.1, 0.05))
    >>> q = top.reference()
    >>> q.tolist()
    [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    """

    name: str
    mass: float
    dofs: tuple[str, ...] = TRANSLATIONS
    inertia: Floats | tuple[float, float, float] | None = None
    position: Vector = (0.0, 0.0, 0.0)
    spin: float = 0.0
    points: Mapping[str, Vector] = field(default_factory=dict)
    surfaces: Mapping[str, Floats] = field(default_factory=dict)
    directions: Floats = field(init=False, repr=False)
    axes: Floats = field(init=False, repr=False)
    spin_axis: Floats = field(init=False, repr=False)
    origin: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_kind("name of a RigidBody", self.name, str)
        check(f"{self.name}: mass", self.mass, POSITIVE, "kg")
        check(f"{self.name}: spin", self.spin, FINITE, "rad/s")
        check_position(self.name, self.position)
        check_dofs(self.name, self.dofs, self.spin)
        object.__setattr__(self, "directions", self._columns(TRANSLATIONS))
        object.__setattr__(self, "axes", self._columns(ROTATIONS))
        object.__setattr__(self, "spin_axis", self._columns(("", "", "spin")))
        object.__setattr__(self, "origin", np.array(self.position, dtype=float))
        if self.axes.size or self.spin_axis.size:
            if self.inertia is None:
                raise InputError(f"{self.name}: a body with rotations needs its inertia in kg m^2")
            rotor = "rz" not in self.dofs and self.axes.shape[1] != 1
            check_inertia(self.name, self._inertia, axisymmetric=rotor)
            warn_inertia(self.name, self.mass, self._inertia)
        warn_speed(f"{self.name}: spin", self.spin)
        for name, position in self.points.items():
            if np.shape(position) != (3,) or not np.isfinite(position).all():
                raise InputError(
                    f"{self.name}: invalid point '{name}' = {position}: expected three finite "
                    "numbers in m"
                )

    @staticmethod
    @renamed_keywords(freedoms="dofs")
    def from_mesh(
        name: str,
        mesh: Mesh,
        density: float,
        dofs: tuple[str, ...] = DOFS,
        position: Vector = (0.0, 0.0, 0.0),
        spin: float = 0.0,
        points: Mapping[str, Vector] | None = None,
    ) -> RigidBody:
        """Body with the mass, centre of mass and inertia of a volume mesh; density in kg/m^3.

        `position` and `points` are those of the origin of the mesh and in the mesh. The named
        surfaces of the mesh become those of the body, by their corner nodes.
        """
        mass, centre, inertia = mass_properties(mesh, density)
        x, y, z = np.add(position, centre)
        nodes = {k: np.unique(mesh.facets[:, f]) for k, f in (mesh.boundaries or {}).items()}
        return RigidBody(
            name,
            mass,
            dofs,
            inertia,
            (float(x), float(y), float(z)),
            spin,
            {k: tuple(np.subtract(position, centre)) for k, position in (points or {}).items()},
            {k: mesh.p[:, own].T - centre for k, own in nodes.items()},
        )

    def reference(self) -> Floats:
        """Coordinates: displacements, then angle or quaternion, then the angle of the spin."""
        turn = {0: [], 1: [0.0]}.get(self.axes.shape[1], [1.0, 0.0, 0.0, 0.0])
        spin = np.zeros(self.spin_axis.shape[1])
        return np.concatenate([np.zeros(self.directions.shape[1]), turn, spin])

    def move(self, q: Floats, step: Floats) -> Floats:
        """Coordinates after an increment of the dofs; rotations are body-fixed."""
        a, b = self.directions.shape[1], self.axes.shape[1]
        if b < 2:
            return q + step
        moved = q.copy()
        moved[:a] += step[:a]
        moved[a : a + 4] = rotated(q[a : a + 4], self.axes @ step[a : a + b])
        moved[a + 4 :] += step[a + b :]
        return moved

    def rate(self, q: Floats, v: Floats) -> Floats:
        """Rate q' of the coordinates."""
        a, b = self.directions.shape[1], self.axes.shape[1]
        if b < 2:
            return v
        turn = quaternion_rate(q[a : a + 4], self.axes @ v[a : a + b])
        return np.concatenate([v[:a], turn, v[a + b :]])

    def rotation(self, q: Floats, t: float = 0.0) -> Floats:
        """Rotation matrix from body to space components."""
        if not self.axes.size:
            return np.eye(3)
        return rotation_of(q[self.directions.shape[1] : self._turn_end], self.axes)

    def mass_matrix(self, q: Floats) -> Floats:
        """Mass matrix (n, n), constant."""
        return self._mass_matrix

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Gyroscopic moment -omega x (J omega + J_p Omega e_z)."""
        return self._gyroscopic(v)[0]

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`."""
        by_v = self._gyroscopic(v)[1]
        return np.zeros_like(by_v), by_v

    def evaluate(self, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        """`force` and `tangents` in one pass."""
        force, by_v = self._gyroscopic(v)
        return force, np.zeros_like(by_v), by_v

    def lowered(self) -> Lowered:
        """The body as a compiled function."""
        return rigid_body(self, self._inertia, self._mass_matrix)

    def lowered_weight(self, g: Floats) -> Lowered:
        """Its weight as a compiled function."""
        reference = self.reference()
        return rigid_weight(len(reference), self.weight(reference, g)[0])

    def marker(self, point: Point = (0.0, 0.0, 0.0), axes: Floats | None = None) -> RigidMarker:
        """Marker at a point, by name or relative to the centre of mass; `axes` are columns."""
        frame = np.eye(3) if axes is None else np.ascontiguousarray(axes, dtype=float)
        position = self._position(point)
        if self.spin_axis.size and np.any(position[:2]):
            raise InputError(
                f"{self.name}: invalid point {position.tolist()} on a body with the dof 'spin': "
                "expected on its z axis"
            )
        return RigidMarker.on(self, position, frame)

    def point_motion(
        self, q: Floats, v: Floats, points: str | Floats, t: float = 0.0
    ) -> RigidPointMotion:
        """Motion of points (p, 3), relative to the centre of mass, or of a named point or surface.

        The axes of a body with the dof "spin" do not spin, its material does: there the
        column of the spin is that of the velocity.
        """
        if isinstance(points, str):
            named = points in self.surfaces
            points = np.asarray(self.surfaces[points]) if named else self._position(points)[None]
        a, b = self.directions.shape[1], self.axes.shape[1]
        R, rotations = self.rotation(q), slice(a, a + b)
        omega = self.axes @ v[rotations] + self._spin(v)
        levers = cross_matrix(points)
        around = -levers @ omega
        jacobian = np.zeros((len(points), 3, len(self.dofs)))
        jacobian[:, :, :a] = self.directions
        d_velocity = np.zeros_like(jacobian)
        if self._turns.size:
            jacobian[:, :, a:] = -R @ levers @ self._turns
            d_velocity[:, :, rotations] = -R @ cross_matrix(around) @ self.axes

        def d_load(force: Floats) -> Floats:
            result = np.zeros((len(self.dofs), len(self.dofs)))
            if b:
                turned = np.einsum("pij,pjk->ik", levers, cross_matrix(force @ R))
                result[a:, rotations] = self._turns.T @ turned @ self.axes
            return result

        return RigidPointMotion(
            position=self.position + self.directions @ q[:a] + points @ R.T,
            velocity=self.directions @ v[:a] + around @ R.T,
            jacobian=jacobian,
            d_velocity=d_velocity,
            d_load=d_load,
            displacement=self._without_spin(jacobian),
        )

    def weight(self, q: Floats, g: Floats, t: float = 0.0) -> tuple[Floats, Floats, float]:
        """Weight m g in the dofs, its derivative (zero), and its potential -m g . u in J."""
        a, n = self.directions.shape[1], len(self.dofs)
        force = np.zeros(n)
        force[:a] = self.mass * (g @ self.directions)
        return force, np.zeros((n, n)), float(-force[:a] @ q[:a])

    def kinetic_energy(self, q: Floats, v: Floats, t: float = 0.0) -> float:
        """Kinetic energy of the dofs in J."""
        return float(0.5 * v @ self._mass_matrix @ v)

    def momentum(self, q: Floats, v: Floats, t: float = 0.0) -> tuple[Floats, Floats]:
        """Momentum, and angular momentum about the origin, in space components."""
        a, b = self.directions.shape[1], self.axes.shape[1]
        linear = self.mass * (self.directions @ v[:a])
        centre = self.position + self.directions @ q[:a]
        omega = self.axes @ v[a : a + b] + self._spin(v)
        return linear, np.cross(centre, linear) + self.rotation(q) @ self._inertia @ omega

    @property
    def no_angle(self) -> str:
        """Why the rotation of the material is not known; empty if it is."""
        if self.spin:
            return "has a prescribed spin, so its angle is not known; give it rotation dofs"
        if self.spin_axis.size:
            return "has the dof 'spin', whose angle moves nothing; give it 'rz' instead"
        return ""

    def point_rows(self, point: Point) -> tuple[Floats, Floats] | None:
        """Position of a point at rest and rows of its displacement, if the body cannot turn."""
        return (self.marker(point).home, self.directions) if self.translates else None

    @property
    def translates(self) -> bool:
        """Whether it cannot turn, and its material does not spin."""
        return not (self.axes.size or self.spin_axis.size or self.spin)

    @property
    def rigid(self) -> bool:
        """It is."""
        return True

    @property
    def elastic_shapes(self) -> int:
        """Its points have no elastic shapes."""
        return 0

    def moved_by(self, force: Floats, moment: Floats) -> bool:
        """Whether a force or moment (3,) somewhere on it can act along one of its dofs."""
        along = (force @ self.directions).any() or (moment @ self.spin_axis).any()
        return bool(self.axes.size or along)

    def frame_motion(self, q: Floats, v: Floats, t: float = 0.0) -> RigidFrame:
        """Motion of the axes at the centre of mass, with the velocities of the material."""
        return RigidFrame(self._centre.at(q, v, t))

    def pack_frame(self, packing: Packing) -> int | None:
        """Append the numbers of the marker at its centre of mass."""
        return pack_marker(packing, self._centre)

    def frame_parts(self) -> FrameParts:
        """How the dofs move its axes at the centre of mass."""
        return self._centre.frame_parts()

    def pose(self, t: float, q: Floats) -> tuple[Floats, Floats]:
        """Centre of mass and axes; those of a rotor turn with the angle of its spin."""
        origin = self.origin + self.directions @ q[: self.directions.shape[1]]
        angle = float(q[-1]) if self.spin_axis.size else self.spin * t
        return origin, self.rotation(q) @ quaternion_matrix(rotation_increment(angle * AXIS))

    @property
    def material_spin(self) -> float:
        """Prescribed spin in rad/s; nan if it is a dof."""
        return np.nan if self.spin_axis.size else float(self.spin)

    @property
    def prescribed_spin(self) -> float | None:
        """Speed in rad/s about z; None if it has "rz" or "spin"."""
        return float(self.spin) if {"rz", "spin"}.isdisjoint(self.dofs) else None

    def spin_frame(self, q: Floats, v: Floats, t: float = 0.0) -> SpinFrame:
        """Its axes, which do not spin."""
        n, first, count = len(self.dofs), self.directions.shape[1], self.axes.shape[1]
        R = self.rotation(q)
        angular_jacobian = np.zeros((3, n))
        angular_jacobian[:, first : first + count] = R @ self.axes
        by_step = np.zeros(n)
        if not self.spin_axis.size:
            return SpinFrame(R, angular_jacobian, float(self.spin), 0.0, by_step)
        by_step[-1] = 1.0
        return SpinFrame(R, angular_jacobian, float(v[-1]), float(q[-1]), by_step)

    def rotation_generator(self) -> Floats | None:
        """Derivative (n, n) of the coordinates as it turns about z; None if it has "rz"."""
        names = list(self.dofs)
        if "rz" in names:
            return None
        block = np.zeros((len(names), len(names)))
        for first, second in TURNED:
            if (first in names) != (second in names):
                raise InputError(
                    f"body '{self.name}' is not axisymmetric: it has one of {first}, {second}"
                )
            if first in names:
                i, j = names.index(first), names.index(second)
                block[i, j], block[j, i] = -1.0, 1.0
        return block

    def turning(self, v: Floats) -> Turning:
        """How its dofs turn about z: three rotations ride with the spin, all others stand."""
        return rigid_turning(self.name, self.dofs, self.axes, v)

    @cached_property
    def _centre(self) -> RigidMarker:
        """Marker at the centre of mass."""
        return self.marker()

    def _gyroscopic(self, v: Floats) -> tuple[Floats, Floats]:
        if not self.axes.size:
            return np.zeros(len(v)), np.zeros((len(v), len(v)))
        return gyroscopic(
            v, self.directions.shape[1], self.axes, self._inertia, self.spin, self.spin_axis
        )

    def _spin(self, v: Floats) -> Floats:
        return np.array([0.0, 0.0, v[-1] if self.spin_axis.size else self.spin])

    def _without_spin(self, jacobian: Floats) -> Floats:
        """Displacement of points per step: the spin moves the material alone."""
        if not self.spin_axis.size:
            return jacobian
        moved = jacobian.copy()
        moved[:, :, -1] = 0.0
        return moved

    def _position(self, point: Point) -> Floats:
        if isinstance(point, str):
            if point not in self.points:
                raise unknown(f"point of {self.name}", point, self.points)
            point = self.points[point]
        return numbers(f"{self.name}: point", point, (3,))

    @cached_property
    def _turn_end(self) -> int:
        """Where the coordinates of the rotation end in q."""
        return len(self.reference()) - self.spin_axis.shape[1]

    @cached_property
    def _turns(self) -> Floats:
        """Axes of rotations and spin, (3, b + c)."""
        return np.hstack([self.axes, self.spin_axis])

    @cached_property
    def _inertia(self) -> Floats:
        if self.inertia is None:
            return np.zeros((3, 3))
        given = numbers(f"{self.name}: inertia", self.inertia)
        return np.diag(given) if given.ndim == 1 else given

    @cached_property
    def _mass_matrix(self) -> Floats:
        n, size = self.directions.shape[1], len(self.dofs)
        M = np.zeros((size, size))
        M[:n, :n] = self.mass * np.eye(n)
        M[n:, n:] = self._turns.T @ self._inertia @ self._turns
        return M

    def _columns(self, names: tuple[str, ...]) -> Floats:
        chosen = [names.index(f) for f in self.dofs if f in names]
        return np.ascontiguousarray(np.eye(3)[:, chosen])
