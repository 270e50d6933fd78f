"""Rigid body: translations of its centre of mass and rotation.

    m u'' = f,      J omega' + omega x J omega = m_body            (Jehle 2.27, 2.28)

A point X of the body (relative to the centre of mass, body components) moves with

    x = u + R X,      v = u' + R (omega x X),

omega body-fixed. Three rotations are described by a unit quaternion and may be large; a single one
by its angle. A body without rotation freedoms may spin about z at a prescribed speed: for an
axisymmetric rotor the frame then does not spin, and v = u' + spin e_z x X.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from fecontact.body.motion import PointMotion
from fecontact.body.rotation import cross_matrix, quaternion_matrix, quaternion_rate, rotated
from fecontact.errors import FINITE, POSITIVE, InputError, check, one_of
from fecontact.typing import Floats, Tangents

__all__ = ["FREEDOMS", "TRANSLATIONS", "RigidBody"]

TRANSLATIONS = ("ux", "uy", "uz")
ROTATIONS = ("rx", "ry", "rz")
FREEDOMS = TRANSLATIONS + ROTATIONS


@dataclass(frozen=True, eq=False)
class RigidBody:
    """Rigid body with chosen freedoms.

    Parameters
    ----------
    name
        Name in the system.
    mass
        In kg.
    freedoms
        Translations "ux", "uy", "uz" of the centre of mass, and rotations: none, one of "rx",
        "ry", "rz", or all three. Velocities are u' and the body-fixed angular velocity.
    inertia
        Inertia about the centre of mass in kg m^2: principal moments (3,) or tensor (3, 3). Needed
        for rotations.
    position
        Centre of mass in the reference position, in m.
    spin
        Prescribed angular velocity about z in rad/s of an axisymmetric body without rotations.

    Examples
    --------
    >>> top = RigidBody("top", 2.0, FREEDOMS, inertia=(0.1, 0.1, 0.05))
    >>> q = top.reference()
    >>> q.tolist()
    [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    """

    name: str
    mass: float
    freedoms: tuple[str, ...] = TRANSLATIONS
    inertia: Floats | tuple[float, float, float] | None = None
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    spin: float = 0.0
    directions: Floats = field(init=False, repr=False)
    axes: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check(f"{self.name}: mass", self.mass, POSITIVE, "kg")
        check(f"{self.name}: spin", float(self.spin), FINITE, "rad/s")
        for freedom in self.freedoms:
            check(f"{self.name}: freedom", freedom, one_of(FREEDOMS))
        if list(self.freedoms) != sorted(set(self.freedoms), key=FREEDOMS.index):
            raise InputError(
                f"{self.name}: freedoms = {self.freedoms} is not possible: each one at most once, "
                f"in the order {', '.join(FREEDOMS)}"
            )
        for value in self.position:
            check(f"{self.name}: position", float(value), FINITE, "m")
        object.__setattr__(self, "directions", self._columns(TRANSLATIONS))
        object.__setattr__(self, "axes", self._columns(ROTATIONS))
        if self.axes.shape[1] == 2:
            raise InputError(
                f"{self.name}: freedoms = {self.freedoms} is not possible: rotations are none, one "
                "or all three"
            )
        if self.axes.size and self.spin:
            raise InputError(
                f"{self.name}: spin = {self.spin} rad/s needs a body without rotations"
            )
        if self.axes.size:
            self._check_inertia()

    @property
    def bodies(self) -> tuple[RigidBody]:
        """The coordinates it refers to: its own."""
        return (self,)

    def reference(self) -> Floats:
        """Coordinates of the reference position: displacements, then angle or quaternion."""
        turn = {0: [], 1: [0.0], 3: [1.0, 0.0, 0.0, 0.0]}[self.axes.shape[1]]
        return np.concatenate([np.zeros(self.directions.shape[1]), turn])

    def move(self, q: Floats, step: Floats) -> Floats:
        """Coordinates after a step of the freedoms; rotations are body-fixed."""
        n = self.directions.shape[1]
        if self.axes.shape[1] < 3:
            return q + step
        return np.concatenate([q[:n] + step[:n], rotated(q[n:], step[n:])])

    def rate(self, q: Floats, v: Floats) -> Floats:
        """Rate q' of the coordinates."""
        n = self.directions.shape[1]
        if self.axes.shape[1] < 3:
            return v
        return np.concatenate([v[:n], quaternion_rate(q[n:], v[n:])])

    def rotation(self, q: Floats) -> Floats:
        """Rotation matrix from body to space components."""
        turn = q[self.directions.shape[1] :]
        if len(turn) == 4:
            return quaternion_matrix(turn)
        return quaternion_matrix(rotated(np.array([1.0, 0.0, 0.0, 0.0]), self.axes @ turn))

    def mass_matrix(self, q: Floats) -> Floats:
        """Mass matrix (n, n), constant."""
        return self._mass_matrix

    def d_inertia(self, q: Floats, a: Floats) -> Floats:
        """Derivative (n, n) of M a along a step: zero."""
        return np.zeros((len(self.freedoms), len(self.freedoms)))

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Gyroscopic moment -omega x J omega."""
        n = self.directions.shape[1]
        omega = self.axes @ v[n:]
        moment = -np.cross(omega, self._inertia @ omega)
        return np.concatenate([np.zeros(n), self.axes.T @ moment])

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`."""
        n, size = self.directions.shape[1], len(self.freedoms)
        omega = self.axes @ v[n:]
        by_omega = cross_matrix(self._inertia @ omega) - cross_matrix(omega) @ self._inertia
        by_v = np.zeros((size, size))
        by_v[n:, n:] = self.axes.T @ by_omega @ self.axes
        return np.zeros((size, size)), by_v

    def motion(self, q: Floats, v: Floats, points: Floats) -> PointMotion:
        """Motion of points (p, 3), given relative to the centre of mass in body components."""
        n = self.directions.shape[1]
        R = self.rotation(q)
        omega = self.axes @ v[n:] + [0.0, 0.0, self.spin]
        around = np.cross(omega, points)
        levers = cross_matrix(points)
        jacobian = np.empty((len(points), 3, len(self.freedoms)))
        jacobian[:, :, :n] = self.directions
        jacobian[:, :, n:] = -R @ levers @ self.axes
        d_velocity = np.zeros_like(jacobian)
        d_velocity[:, :, n:] = -R @ cross_matrix(around) @ self.axes

        def d_load(force: Floats) -> Floats:
            result = np.zeros((len(self.freedoms), len(self.freedoms)))
            turned = np.einsum("pij,pjk->ik", levers, cross_matrix(force @ R))
            result[n:, n:] = self.axes.T @ turned @ self.axes
            return result

        return PointMotion(
            position=self.position + self.directions @ q[:n] + points @ R.T,
            velocity=self.directions @ v[:n] + around @ R.T,
            jacobian=jacobian,
            d_velocity=d_velocity,
            d_load=d_load,
        )

    def kinetic_energy(self, q: Floats, v: Floats) -> float:
        """Kinetic energy of the freedoms in J."""
        return float(0.5 * v @ self._mass_matrix @ v)

    def momentum(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Momentum, and angular momentum about the origin, in space components."""
        n = self.directions.shape[1]
        linear = self.mass * (self.directions @ v[:n])
        centre = self.position + self.directions @ q[:n]
        spin = self.rotation(q) @ self._inertia @ (self.axes @ v[n:])
        return linear, np.cross(centre, linear) + spin

    @cached_property
    def _inertia(self) -> Floats:
        if self.inertia is None:
            return np.zeros((3, 3))
        given = np.asarray(self.inertia, dtype=float)
        return np.diag(given) if given.ndim == 1 else given

    @cached_property
    def _mass_matrix(self) -> Floats:
        n, size = self.directions.shape[1], len(self.freedoms)
        M = np.zeros((size, size))
        M[:n, :n] = self.mass * np.eye(n)
        M[n:, n:] = self.axes.T @ self._inertia @ self.axes
        return M

    def _columns(self, names: tuple[str, ...]) -> Floats:
        return np.eye(3)[:, [names.index(f) for f in self.freedoms if f in names]]

    def _check_inertia(self) -> None:
        if self.inertia is None:
            raise InputError(f"{self.name}: a body with rotations needs its inertia in kg m^2")
        J = self._inertia
        if J.shape != (3, 3) or not np.isfinite(J).all() or not np.allclose(J, J.T):
            raise InputError(
                f"{self.name}: inertia = {self.inertia} is not possible: it must be three "
                "principal moments or a symmetric 3 x 3 tensor"
            )
        low, middle, high = np.linalg.eigvalsh(J)
        if low <= 0.0 or low + middle < high * (1.0 - 1e-12):
            moments = f"({low:.4g}, {middle:.4g}, {high:.4g})"
            raise InputError(
                f"{self.name}: principal moments of inertia = {moments} kg m^2 are not possible: "
                "each must be > 0 and not larger than the sum of the other two"
            )
