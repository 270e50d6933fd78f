"""Axisymmetric elastic disc that spins, described in the space-fixed frame.

A material point moves with v = Omega e_z x x + u_t + Omega D u. With the closed basis W of the
reduced model, D W = W Delta, B = M Delta and S = Delta^T M Delta, a disc of prescribed speed obeys

    M q'' + Omega (B - B^T) q' + (K + Omega^2 K_sigma - Omega^2 S) q + C (q' + Omega Delta q) = Q .

K_sigma is the stiffness of the centrifugal stress; Jehle leaves it out. The spectrum in this frame
is omega_k +- k Omega, with omega_k of the plate as stressed. Material damping acts on the material
rate; its part C Omega Delta q is circulatory. Jehle's numbers use C q' alone.

On a hub with the displacement c = (ux, uy, uz) the disc deflects by w = W q relative to it: spin
and elasticity act on q alone, and c is coupled with the axisymmetric part of q by inertia only,

    m c'' + e_z b . q'' = F,      M q'' + b uz'' + ... = Q,      b = int rho h W dA .

Without elastic coordinates it is a rigid disc that spins and does not tilt. The equations of a spin
that is free are those of `body.free_spin`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fecontact.body.base import Body
from fecontact.body.drawing import Drawing, mesh_content
from fecontact.body.free_spin import SPIN, FreeSpin
from fecontact.body.lowered import free_disc, linear_body, pack_disc_points
from fecontact.body.marker import ElasticMarker, HubMarker, Point, Vector
from fecontact.body.motion import SpinFrame
from fecontact.body.points.disc_points import DiscPoints, HubMotion, PlatePoints
from fecontact.body.rigid import TRANSLATIONS, RigidBody
from fecontact.errors import (
    FINITE,
    NON_NEGATIVE,
    InputError,
    check,
    check_kind,
    one_of,
    warn_caller,
)
from fecontact.kernels.lowered import Lowered, Packing
from fecontact.mesh import solid_annulus
from fecontact.reduction.harmonic import HarmonicModel
from fecontact.typing import Floats, Tangents

if TYPE_CHECKING:
    from skfem import Mesh

__all__ = ["DAMPING_RATES", "SPINS", "CarriedDisc", "CarriedRotor", "Hub", "SpinningDisc"]

DAMPING_RATES = ("material", "partial")
SPINS = ("prescribed", "free")
REST = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
NO_ANGLE = "spins at a prescribed speed, so its angle is not known"


class Hub(NamedTuple):
    """Rigid hub on which a disc is mounted, without the disc.

    Attributes
    ----------
    mass
        In kg.
    inertia
        Moment of inertia about the axis in kg m^2; it matters to a free spin only.
    """

    mass: float
    inertia: float = 0.0


@dataclass(frozen=True, eq=False)
class SpinningDisc(Body):
    """Elastic disc that spins about z, in a bearing that holds its supports or on a hub.

    Parameters
    ----------
    name
        Name in the system.
    model
        Reduced plate, closed under rotation. Its supports belong to the hub.
    speed
        Omega in rad/s of a prescribed spin.
    damping
        Coefficient d_i in N m s of the curvature rates (Jehle 3.40, read as in his chapter 7):
        the damping matrix is d_i times the bending form of unit stiffness.
    damping_rate
        "material": damping of the material rate; "partial": of q' alone, as in the source.
    centrifugal_stress
        Include its stiffness K_sigma; False as in the source. Edges are free in the plane unless
        `held_in_plane` of the plate names them.
    hub
        None: the supports are held in space. A `Hub` translates, with the dofs ux, uy, uz.
    spin
        "prescribed": the speed is kept up. "free": the spin of the hub is the dof "spin".

    Examples
    --------
    >>> from fecontact.fem import STEEL, HarmonicPlate
    >>> from fecontact.reduction import reduce_harmonic
    >>> plate = HarmonicPlate(0.06, 0.12, 0.004, STEEL, {"inner": "clamped"}, elements=4)
    >>> model = reduce_harmonic(plate, 0.1, 2, 1)
    >>> SpinningDisc("disc", model, 300.0).dofs[:2]
    ('k0.0', 'k0.1')
    >>> clutch = SpinningDisc("clutch", model, 300.0, hub=Hub(0.2))
    >>> clutch.dofs[:4], round(clutch.mass, 4)
    (('ux', 'uy', 'uz', 'k0.0'), 1.2586)
    >>> shaft = SpinningDisc("shaft", model, hub=Hub(0.2, 1e-3), spin="free")
    >>> shaft.dofs[:5], round(shaft.inertia, 6)
    (('ux', 'uy', 'uz', 'spin', 'k0.0'), 0.010527)
    """

    name: str
    model: HarmonicModel
    speed: float = 0.0
    damping: float = 0.0
    damping_rate: str = "material"
    centrifugal_stress: bool = False
    hub: Hub | None = None
    spin: str = "prescribed"

    def __post_init__(self) -> None:
        check_kind(f"{self.name}: model", self.model, HarmonicModel, "such as reduce_harmonic(...)")
        check(f"{self.name}: speed", self.speed, FINITE, "rad/s")
        check(f"{self.name}: damping", self.damping, NON_NEGATIVE, "N m s")
        check(f"{self.name}: damping_rate", self.damping_rate, one_of(DAMPING_RATES))
        check(f"{self.name}: spin", self.spin, one_of(SPINS))
        if self.hub is not None:
            check(f"{self.name}: hub mass", self.hub.mass, NON_NEGATIVE, "kg")
            check(f"{self.name}: hub inertia", self.hub.inertia, NON_NEGATIVE, "kg m^2")
        if self.free:
            self._check_free()

    def _check_free(self) -> None:
        """Refuse what belongs to a prescribed speed."""
        given = {
            "hub": (self.hub is None, "None", "a Hub(mass, inertia)"),
            "speed": (self.speed != 0.0, self.speed, "0: the state gives the velocity 'spin'"),
            "damping_rate": (self.damping_rate != "material", self.damping_rate, "material"),
            "centrifugal_stress": (self.centrifugal_stress, True, "False"),
        }
        for field, (wrong, value, expected) in given.items():
            if wrong:
                raise InputError(
                    f"{self.name}: invalid {field} = {value} with spin = 'free': expected "
                    f"{expected}"
                )

    @property
    def free(self) -> bool:
        """Whether the spin is a dof."""
        return self.spin == "free"

    @cached_property
    def dofs(self) -> tuple[str, ...]:
        """Of the hub, then the reduced coordinates: nodal diameters and a running number."""
        hub = () if self.hub is None else TRANSLATIONS
        return (*hub, *(("spin",) if self.free else ()), *self.model.names)

    @cached_property
    def mass(self) -> float:
        """Mass of disc and hub in kg."""
        return self.model.plate.total_mass + (0.0 if self.hub is None else self.hub.mass)

    @cached_property
    def inertia(self) -> float:
        """Moment of inertia about the axis of hub and undeformed disc in kg m^2."""
        return self.model.plate.polar_inertia + (0.0 if self.hub is None else self.hub.inertia)

    @property
    def thickness(self) -> float:
        """Plate thickness in m."""
        return self.model.plate.thickness

    @property
    def driven(self) -> bool:
        """Whether a drive keeps up its speed."""
        return not self.free

    def validity(self, v: Floats) -> float:
        """Frequency in Hz, seen in space, up to which the reduced plate is valid."""
        return self.model.valid_to(float(v[SPIN]) if self.free else self.speed)

    def reference(self) -> Floats:
        """Coordinates of the undeformed disc."""
        return np.zeros(len(self.dofs))

    def mass_matrix(self, q: Floats) -> Floats:
        """Mass matrix (n, n); constant unless the spin is free."""
        return self._free.mass_matrix(q) if self.free else self._mass

    def d_inertia(self, q: Floats, a: Floats) -> Floats:
        """Derivative (n, n) of M a along a step; zero unless the spin is free."""
        return self._free.d_inertia(q, a) if self.free else np.zeros_like(self._mass)

    @property
    def position(self) -> Vector:
        """Where the origin of its points is: the centre of the disc."""
        return (0.0, 0.0, 0.0)

    def marker(
        self, point: Point = (0.0, 0.0, 0.0), axes: Floats | None = None
    ) -> ElasticMarker | HubMarker:
        """Marker on the hub; without a hub at a point of the disc that is fixed in space.

        On a hub it is at (x, y, z), on its axis if the spin is free; it translates, material spins.
        On the disc z counts from the mid-plane and material passes under the marker:
        u = (-z grad w, w), rotation (w_y, -w_x, 0).
        """
        if self.hub is not None:
            return HubMarker(self._rigid_hub.marker(point, axes), self.model.size)
        if isinstance(point, str):
            raise InputError(f"{self.name}: invalid point = {point}: expected x, y, z")
        x, y, z = (float(value) for value in point)
        shapes = self.model.shapes(np.array([x]), np.array([y]))
        w, (w_x, w_y) = shapes.value[0], shapes.gradient[0]
        return ElasticMarker(
            lambda t, q, v: (np.concatenate([REST, q]), np.concatenate([np.zeros(6), v])),
            slice(6, None),
            np.zeros(3),
            np.array([x, y, z]),
            np.stack([-z * w_x, -z * w_y, w]),
            np.stack([w_y, -w_x, np.zeros(self.model.size)]),
            np.eye(3) if axes is None else np.ascontiguousarray(axes, dtype=float),
            NO_ANGLE,
            carrier="fixed",
        )

    def point_rows(self, point: Point) -> tuple[Floats, Floats]:
        """Position at rest and rows of the displacement of a point of the disc, fixed in space.

        Material passes there; z counts from the mid-plane: u = c + (-z grad w, w), with the
        displacement c of a hub. "hub" is the centre of the hub itself.
        """
        home, shape = self.deformation_rows(point)
        rows = np.hstack([np.zeros((3, self._first)), shape])
        if self.hub is not None:
            rows[:, :SPIN] = np.eye(3)
        return home, rows

    def deformation_rows(self, point: Point) -> tuple[Floats, Floats]:
        """Position of a point of the disc, and its displacement (3, m) relative to the hub."""
        if isinstance(point, str):
            if point != "hub" or self.hub is None:
                known = "x, y, z" if self.hub is None else "x, y, z, or 'hub'"
                raise InputError(f"{self.name}: invalid point = {point}: expected {known}")
            return np.zeros(3), np.zeros((3, self.model.size))
        x, y, z = (float(value) for value in point)
        shapes = self.model.shapes(np.array([x]), np.array([y]))
        w, (w_x, w_y) = shapes.value[0], shapes.gradient[0]
        return np.array([x, y, z]), np.stack([-z * w_x, -z * w_y, w])

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Elastic, gyroscopic, centrifugal and damping forces; none on the hub but by damping."""
        if self.free:
            return self._free.conservative_force(q, v) + self._free.damping_force(q, v)
        by_q, by_v = self._disc_tangents
        return self._wide(by_q @ q[self._first :] + by_v @ v[self._first :])

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`; constant unless the spin is free."""
        if not self.free:
            return self._tangents
        rest, damping = self._free.terms(q, v).values()
        return rest[0] + damping[0], rest[1] + damping[1]

    def lowered(self) -> Lowered:
        """The disc as a compiled function."""
        if self.free:
            return free_disc(self._free)
        damping = self.damping * self.model.curvature_form
        carried = self.speed * self.model.rotation if self._material else None
        return linear_body(self._mass, self._disc_tangents, self._potential, damping, carried)

    def terms(self, t: float, q: Floats, v: Floats) -> dict[str, Tangents]:
        """Parts of `tangents`: conservative forces of stiffness and spin, and damping."""
        if self.free:
            return self._free.terms(q, v)
        C = self.damping * self.model.curvature_form
        rotating = self.speed * C @ self.model.rotation
        damping = -rotating if self.damping_rate == "material" else np.zeros_like(C), -C
        by_q, by_v = self._disc_tangents
        parts = {
            "stiffness and spin": (by_q - damping[0], by_v - damping[1]),
            "material damping": damping,
        }
        return {name: (self._wide(part[0]), self._wide(part[1])) for name, part in parts.items()}

    def kinetic_energy(self, q: Floats, v: Floats, t: float = 0.0) -> float:
        """Kinetic energy v M v/2 in J; of a prescribed spin that of the motion seen in space."""
        return float(0.5 * v @ self.mass_matrix(q) @ v)

    def strain_energy(self, q: Floats) -> float:
        """Strain energy in J; of a prescribed spin the potential seen in space.

        That is q (K + Omega^2 K_sigma - Omega^2 S) q/2. With q' M q'/2 it is what the disc keeps
        while its speed is kept up.
        """
        w = q[self._first :]
        return float(0.5 * w @ (self.model.stiffness if self.free else self._potential) @ w)

    def dissipated_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W of the damping, r C r with the rate r that is damped."""
        if self.free:
            return float(-v @ self._free.damping_force(q, v))
        rate = self._damped_rate(q, v)
        return float(self.damping * rate @ self.model.curvature_form @ rate)

    def supplied_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W of the drive against the damping, Omega (Delta q) C r; none of a free spin."""
        if self.free:
            return 0.0
        rate = self._damped_rate(q, v)
        own = rate - v[self._first :]
        return float(self.damping * own @ self.model.curvature_form @ rate)

    def point_motion(
        self, q: Floats, v: Floats, points: Floats | PlatePoints, t: float = 0.0
    ) -> DiscPoints:
        """Motion of points (p, 3) of the lower face (towards -z), fixed in space or to the hub.

        The face is the thickness h/2 below the mid-plane, which is h/2 above the points at rest.
        """
        q, v, located = q.copy(), v.copy(), self.located(points)
        w, speed = q[self._first :], float(v[SPIN]) if self.free else float(self.speed)
        rate = v[self._first :] + speed * (self.model.rotation @ w)
        hub = None if self.hub is None else HubMotion(q[:SPIN], v[:SPIN], self.free)
        return DiscPoints(self.model, speed, located, w, rate, hub)

    def located(self, points: Floats | PlatePoints) -> PlatePoints:
        """Points (p, 3) with the shapes of the disc there, which do not change."""
        if isinstance(points, PlatePoints):
            return points
        return PlatePoints(points, self.model.shapes(points[:, 0], points[:, 1]))

    def pack_points(self, packing: Packing, points: Floats | PlatePoints) -> int:
        """Append the numbers of points (p, 3) of its lower face."""
        located, speed = self.located(points), float(self.speed)
        return pack_disc_points(packing, self.model, self._first, speed, self.free, located.shapes)

    @property
    def material_spin(self) -> float:
        """Prescribed speed in rad/s; nan if the spin is free."""
        return np.nan if self.free else float(self.speed)

    @property
    def prescribed_spin(self) -> float | None:
        """Speed in rad/s; None if the spin is free."""
        return None if self.free else float(self.speed)

    def spin_frame(self, q: Floats, v: Floats, t: float = 0.0) -> SpinFrame:
        """Axes of space; material passes with the spin."""
        n = len(self.dofs)
        by_step, spin, angle = np.zeros(n), float(self.speed), 0.0
        if self.free:
            by_step[SPIN], spin, angle = 1.0, float(v[SPIN]), float(q[SPIN])
        return SpinFrame(np.eye(3), np.zeros((3, n)), spin, angle, by_step)

    def rotation_generator(self) -> Floats:
        """Derivative (n, n) of the coordinates as the whole motion turns about z."""
        block = self._wide(-self.model.rotation)
        if self.hub is not None:
            block[0, 1], block[1, 0] = -1.0, 1.0
        return block

    def pose(self, t: float, q: Floats) -> tuple[Floats, Floats]:
        """Centre of the hub and axes of space: material passes the points that are drawn."""
        return np.zeros(3) if self.hub is None else q[:SPIN], np.eye(3)

    def geometry(self, mesh: Mesh | None = None, offset: Floats | None = None) -> Drawing:
        """A ring of its thickness, or a mesh, with the shapes u = (-z grad w, w)."""
        plate, half = self.model.plate, self.thickness / 2
        if mesh is None:
            mesh = solid_annulus(plate.inner_radius, plate.outer_radius, -half, half, 8, 96)
        points, cells = mesh_content(mesh)
        shapes = self.model.shapes(points[:, 0], points[:, 1])
        slope = -points[:, 2, None, None] * shapes.gradient
        return Drawing(points, cells, np.concatenate([slope, shapes.value[:, None]], axis=1))

    @property
    def _first(self) -> int:
        """Number of dofs before those of the disc."""
        return 0 if self.hub is None else SPIN + self.free

    def _wide(self, part: Floats) -> Floats:
        """Vector or matrix of the disc among those of all dofs."""
        return np.pad(part, (self._first, 0)) if self._first else part.copy()

    def _damped_rate(self, q: Floats, v: Floats) -> Floats:
        """Material or partial rate r."""
        w, rate = q[self._first :], v[self._first :]
        return rate + self.speed * self.model.rotation @ w if self._material else rate

    @property
    def _material(self) -> bool:
        return self.damping_rate == "material"

    @cached_property
    def _free(self) -> FreeSpin:
        return FreeSpin(self.model, self.mass, self.inertia, self.damping)

    @cached_property
    def _rigid_hub(self) -> RigidBody:
        """Hub with the mass of the disc, as a body of its own."""
        if self.free:
            return RigidBody(self.name, self.mass, (*TRANSLATIONS, "spin"), (self.inertia,) * 3)
        return RigidBody(self.name, self.mass, TRANSLATIONS, spin=self.speed)

    @cached_property
    def _mass(self) -> Floats:
        """Constant mass matrix at a prescribed spin."""
        M = self._wide(self.model.mass)
        if self.hub is not None:
            M[:SPIN, :SPIN] = self.mass * np.eye(SPIN)
            M[SPIN - 1, SPIN:] = M[SPIN:, SPIN - 1] = self.model.heave
        return M

    @cached_property
    def _potential(self) -> Floats:
        """K + Omega^2 K_sigma - Omega^2 S."""
        Delta, Omega = self.model.rotation, self.speed
        K = self.model.stiffness - Omega**2 * (Delta.T @ self.model.mass @ Delta)
        return K + Omega**2 * self.model.geometric_stiffness if self.centrifugal_stress else K

    @cached_property
    def _disc_tangents(self) -> Tangents:
        """Derivatives of the force on the disc at a prescribed spin."""
        Delta, Omega = self.model.rotation, self.speed
        B, C = self.model.mass @ Delta, self.damping * self.model.curvature_form
        circulatory = Omega * C @ Delta if self._material else 0.0
        return -self._potential - circulatory, -Omega * (B - B.T) - C

    @cached_property
    def _tangents(self) -> Tangents:
        by_q, by_v = self._disc_tangents
        return self._wide(by_q), self._wide(by_v)


def CarriedDisc(disc: SpinningDisc, carrier_mass: float) -> SpinningDisc:
    """Older name of `SpinningDisc` with a hub."""
    warn_caller(
        "CarriedDisc(disc, carrier_mass) is deprecated: use SpinningDisc(..., hub=Hub(mass))",
        DeprecationWarning,
    )
    return replace(disc, hub=Hub(carrier_mass))


def CarriedRotor(
    name: str,
    model: HarmonicModel,
    carrier_mass: float,
    carrier_inertia: float,
    damping: float = 0.0,
) -> SpinningDisc:
    """Older name of `SpinningDisc` with a hub whose spin is free."""
    warn_caller(
        "CarriedRotor(...) is deprecated: use SpinningDisc(..., hub=Hub(mass, inertia), "
        'spin="free")',
        DeprecationWarning,
    )
    hub = Hub(carrier_mass, carrier_inertia)
    return SpinningDisc(name, model, damping=damping, hub=hub, spin="free")
