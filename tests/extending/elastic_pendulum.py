"""A body from outside of the package, in one file: a point mass on a spring that swings.

In the plane y = 0, with the length r = l + s and the angle phi from the vertical,

    m s'' = m r phi'^2 - k s + m g cos phi - d s'
    m r^2 phi'' = -2 m r s' phi' - m g r sin phi
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import fecontact as fc


@dataclass(frozen=True, eq=False)
class ElasticPendulum(fc.Body):
    """Mass in kg on a spring of length in m, stiffness in N/m and damping in N s/m."""

    name: str
    mass: float
    length: float
    stiffness: float
    damping: float = 0.0
    gravity: float = 9.81
    dofs = ("stretch", "angle")

    def reference(self) -> fc.Floats:
        """The spring without load, vertical."""
        return np.zeros(2)

    def mass_matrix(self, q: fc.Floats) -> fc.Floats:
        """Diagonal."""
        return np.diag([self.mass, self.mass * (self.length + q[0]) ** 2])

    def d_inertia(self, q: fc.Floats, a: fc.Floats) -> fc.Floats:
        """Derivative of M a."""
        return np.array([[0.0, 0.0], [2.0 * self.mass * (self.length + q[0]) * a[1], 0.0]])

    def force(self, t: float, q: fc.Floats, v: fc.Floats) -> fc.Floats:
        """Spring, weight and the forces of the moving coordinates."""
        m, r, g = self.mass, self.length + q[0], self.gravity
        return np.array([
            m * r * v[1] ** 2 - self.stiffness * q[0] + m * g * np.cos(q[1]) - self.damping * v[0],
            -2.0 * m * r * v[0] * v[1] - m * g * r * np.sin(q[1]),
        ])  # fmt: skip

    def tangents(self, t: float, q: fc.Floats, v: fc.Floats) -> fc.Tangents:
        """Derivatives of the force."""
        m, r, g = self.mass, self.length + q[0], self.gravity
        by_q = np.array([
            [m * v[1] ** 2 - self.stiffness, -m * g * np.sin(q[1])],
            [-2.0 * m * v[0] * v[1] - m * g * np.sin(q[1]), -m * g * r * np.cos(q[1])],
        ])  # fmt: skip
        by_v = np.array([
            [-self.damping, 2.0 * m * r * v[1]], [-2.0 * m * r * v[1], -2.0 * m * r * v[0]]
        ])  # fmt: skip
        return by_q, by_v

    def kinetic_energy(self, q: fc.Floats, v: fc.Floats, t: float = 0.0) -> float:
        """In J."""
        return 0.5 * float(v @ self.mass_matrix(q) @ v)

    def strain_energy(self, q: fc.Floats) -> float:
        """Of the spring, and of the height above the rest position, in J."""
        height = self.length - (self.length + q[0]) * np.cos(q[1])
        return 0.5 * self.stiffness * float(q[0]) ** 2 + self.mass * self.gravity * float(height)

    def dissipated_power(self, t: float, q: fc.Floats, v: fc.Floats) -> float:
        """In W."""
        return self.damping * float(v[0]) ** 2

    def point_motion(
        self, q: fc.Floats, v: fc.Floats, points: fc.Floats, t: float = 0.0
    ) -> fc.RigidPointMotion:
        """Motion of points (p, 3) about the mass, which does not turn."""
        r, (c, s) = self.length + q[0], (np.cos(q[1]), np.sin(q[1]))
        out, around = np.array([s, 0.0, -c]), np.array([c, 0.0, s])

        def everywhere(matrix: fc.Floats) -> fc.Floats:
            return np.tile(matrix, (len(points), 1, 1))

        J = np.column_stack([out, r * around])
        dv = np.column_stack([v[1] * around, v[0] * around - r * v[1] * out])

        def d_load(force: fc.Floats) -> fc.Floats:
            F = force.sum(axis=0)
            return np.array([[0.0, F @ around], [F @ around, -r * F @ out]])

        return fc.RigidPointMotion(
            position=points + r * out,
            velocity=np.tile(J @ v, (len(points), 1)),
            jacobian=everywhere(J),
            d_velocity=everywhere(dv),
            d_load=d_load,
            displacement=everywhere(J),
        )
