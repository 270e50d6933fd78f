"""Rigid bodies in natural coordinates, the direct textbook form (Keppler, sections 3.2 and 3.4).

A body has the 12 coordinates (e_x, e_y, e_z, r): axes and origin of its frame in space, here at the
centre of mass. Points and directions are linear in them, the mass matrix is constant,

    M_body = diag(s (x) I_3, m I_3),    s = tr(J)/2 I - J,                        (Keppler 3.16)

with the tensor s of second moments (the source prints the inertia J), and all constraints are
quadratic: six per body that keep its axes orthonormal (3.20), and those of the joints (table 3.1).
Accelerations follow Gauss' principle with a truncated decomposition, so rows may be redundant:

    q'' = M^-1 Q - L^-T D^+ (gamma + D L^-1 Q),      D = G L^-T                   (Keppler 3.41)

with M = L L^T and gamma = c'' - G q''.

It is slow and drifts off its constraints; it serves as a reference that shares no formula with
quaternions and body-fixed velocities.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from fecontact.typing import Floats

__all__ = ["NaturalBody", "NaturalSystem", "Row", "SpaceVector"]

CUT = 1e-8
"""Singular values below this fraction of the largest one are cut off."""


class NaturalBody(NamedTuple):
    """Mass in kg, second moments s (3, 3) about the centre of mass in kg m^2, its position (3,)."""

    mass: float
    second_moment: Floats
    position: Floats


class SpaceVector(NamedTuple):
    """A point or direction in space, matrix @ q + constant."""

    matrix: Floats
    constant: Floats

    def at(self, q: Floats) -> Floats:
        """Components (3,) in space."""
        return self.matrix @ q + self.constant

    def __sub__(self, other: SpaceVector) -> SpaceVector:
        return SpaceVector(self.matrix - other.matrix, self.constant - other.constant)


class Row(NamedTuple):
    """A constraint c = q . Q q/2 + l . q + k, with Q symmetric."""

    quadratic: Floats
    linear: Floats
    constant: float

    def half(self) -> Row:
        """Row c/2."""
        return Row(0.5 * self.quadratic, 0.5 * self.linear, 0.5 * self.constant)


class NaturalSystem:
    """Bodies in natural coordinates; rigid rows come first, then those added by `join`.

    Examples
    --------
    A spherical pendulum has 12 coordinates and 9 rows; at rest below its support it stays there.

    >>> bob = NaturalBody(1.0, 0.1 * np.eye(3), np.array([0.0, 0.0, -1.0]))
    >>> system = NaturalSystem([bob])
    >>> system.join(system.ball(system.point(0, (0.0, 0.0, 1.0)), system.point(None, (0.0,) * 3)))
    >>> q = system.reference()
    >>> weight = system.point(0, (0.0,) * 3).matrix.T @ [0.0, 0.0, -9.81]
    >>> bool(abs(system.accelerations(q, 0 * q, weight)).max() < 1e-12)
    True
    """

    def __init__(self, bodies: Sequence[NaturalBody]) -> None:
        self.bodies = tuple(bodies)
        self.size = 12 * len(self.bodies)
        M = np.zeros((self.size, self.size))
        for index, body in enumerate(self.bodies):
            start = 12 * index
            M[start : start + 9, start : start + 9] = np.kron(body.second_moment, np.eye(3))
            M[start + 9 : start + 12, start + 9 : start + 12] = body.mass * np.eye(3)
        self.mass_matrix = M
        self._inverse = np.linalg.inv(np.linalg.cholesky(M))
        self._rows: list[Row] = []
        for index in range(len(self.bodies)):
            axes = [self.direction(index, axis) for axis in np.eye(3)]
            self.join([self.dot(e, e, 1.0).half() for e in axes])
            self.join([self.dot(d, e) for d, e in combinations(axes, 2)])

    def reference(self) -> Floats:
        """Coordinates with all axes along x, y, z."""
        return np.concatenate([np.append(np.eye(3), body.position) for body in self.bodies])

    def point(self, body: int | None, position: Sequence[float]) -> SpaceVector:
        """Point of a body, in its components; None: of the ground."""
        return self._vector(body, np.append(position, 1.0))

    def direction(self, body: int | None, components: Sequence[float] | Floats) -> SpaceVector:
        """Direction fixed in a body; None: in the ground."""
        return self._vector(body, np.append(components, 0.0))

    def dot(self, a: SpaceVector, b: SpaceVector, value: float = 0.0) -> Row:
        """Row 0 = a . b - value."""
        cross = a.matrix.T @ b.matrix
        linear = a.matrix.T @ b.constant + b.matrix.T @ a.constant
        return Row(cross + cross.T, linear, float(a.constant @ b.constant) - value)

    def ball(self, a: SpaceVector, b: SpaceVector) -> list[Row]:
        """Three rows 0 = a - b of two points."""
        gap, none = a - b, np.zeros((self.size, self.size))
        return [Row(none, *row) for row in zip(gap.matrix, gap.constant.tolist(), strict=True)]

    def hinge(
        self, i: int | None, j: int | None, positions: tuple[Floats, Floats], axis: Floats
    ) -> list[Row]:
        """Five rows of a revolute joint; `positions` on both bodies, axis in the reference.

        Two directions across the axis are fixed in body i, the axis in body j.
        """
        across = np.linalg.svd(np.asarray(axis)[None])[2][1:]
        along = self.direction(j, axis)
        ball = self.ball(self.point(i, tuple(positions[0])), self.point(j, tuple(positions[1])))
        return ball + [self.dot(self.direction(i, e), along) for e in across]

    def join(self, rows: Sequence[Row]) -> None:
        """Add constraint rows."""
        self._rows.extend(rows)
        self._quadratic = np.array([row.quadratic for row in self._rows])
        self._linear = np.array([row.linear for row in self._rows])
        self._constant = np.array([row.constant for row in self._rows])

    def residual(self, q: Floats) -> Floats:
        """Values c (m,) of all rows."""
        return 0.5 * (self._quadratic @ q) @ q + self._linear @ q + self._constant

    def jacobian(self, q: Floats) -> Floats:
        """Jacobian G (m, 12 n)."""
        return self._quadratic @ q + self._linear

    def accelerations(self, q: Floats, v: Floats, force: Floats) -> Floats:
        """Accelerations q'' under the generalised force Q (12 n,)."""
        D = self.jacobian(q) @ self._inverse.T
        gamma = (self._quadratic @ v) @ v
        free = self._inverse @ force
        return self._inverse.T @ (free - np.linalg.pinv(D, rcond=CUT) @ (gamma + D @ free))

    def _vector(self, body: int | None, homogeneous: Floats) -> SpaceVector:
        matrix = np.zeros((3, self.size))
        if body is None:
            return SpaceVector(matrix, homogeneous[:3])
        matrix[:, 12 * body : 12 * body + 12] = np.kron(homogeneous, np.eye(3))
        return SpaceVector(matrix, np.zeros(3))
