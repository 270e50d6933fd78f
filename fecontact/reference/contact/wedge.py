"""Disc between two flanks: sliding torque, rest and rotation, small motions while it rotates."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np
from scipy.optimize import linprog

from fecontact.typing import Floats

__all__ = ["RotatingWedge", "wedged_disc_torque"]


def wedged_disc_torque(weight: float, radius: float, theta: float, friction: float) -> float:
    """Torque in N m that turns a disc of a weight in N between flanks inclined by theta in rad.

    Both flanks slide; their normal forces follow from the balance of the disc. In closed form
    G R mu/((1 + mu^2) cos(theta)) (Stamm 1.20).
    """
    c, s, mu = cos(theta), sin(theta), friction
    balance = np.array([[-s - mu * c, s - mu * c], [c - mu * s, c + mu * s]])
    normal = np.linalg.solve(balance, np.array([0.0, weight]))
    return mu * radius * float(normal.sum())


@dataclass(frozen=True)
class RotatingWedge:
    """Disc pressed into the edge of floor and flank, which rotates clockwise (Waltersberger 5.1.4).

    Parameters
    ----------
    mass, radius
        In kg and m.
    angle
        Of the wedge in rad; the floor is horizontal.
    load
        Force in N towards the edge, along the bisector.
    stiffness
        Of either contact in N/m.
    """

    mass: float
    radius: float
    angle: float
    load: float
    stiffness: float

    @property
    def normals(self) -> Floats:
        """Normals (2, 2) of floor and flank."""
        return np.array([[0.0, 1.0], [sin(self.angle), -cos(self.angle)]])

    @property
    def slips(self) -> Floats:
        """Friction directions (2, 2) of a clockwise rotation at floor and flank."""
        return np.array([[1.0, 0.0], [-cos(self.angle), -sin(self.angle)]])

    @property
    def force(self) -> Floats:
        """Load (2,) in N."""
        return -self.load * np.array([cos(self.angle / 2), sin(self.angle / 2)])

    @property
    def rows(self) -> Floats:
        """Velocities (6, 3) per (u_x, u_y, omega): normal, slip, none; of floor, then of flank."""
        r, J = self.radius, np.zeros((6, 3))
        J[0, :2], J[3, :2] = self.normals
        J[1], J[4, :2] = (1.0, 0.0, r), (cos(self.angle), sin(self.angle))
        J[4, 2] = -r
        return J

    def pushes(self, mu: float) -> Floats:
        """Force (2, 2) of floor and flank per normal force, sliding."""
        return np.asarray(self.normals + mu * self.slips)

    def reactions(self, mu: float) -> Floats:
        """Normal forces (2,) in N in steady rotation."""
        return np.asarray(np.linalg.solve(self.pushes(mu).T, -self.force))

    def breaking(self, mu: float) -> float:
        """Torque M_0 in N m (Waltersberger 5.16)."""
        phi = 0.5 * (pi - self.angle)
        return self.radius * self.load * mu / (cos(phi) * (1.0 + mu**2))

    def still(self, mu: float) -> Floats:
        """Displacement (2,) of the centre in m in steady rotation."""
        return np.asarray(np.linalg.solve(self.normals, -self.reactions(mu) / self.stiffness))

    def turning(self, mu: float) -> Floats:
        """Forces (6,) of the disc that breaks away clockwise, in the rows of `rows`."""
        N, L = self.reactions(mu), np.zeros(6)
        L[0], L[3] = N
        L[1], L[4] = mu * N[0], -mu * N[1]
        return L

    def at_rest(self, mu: float, torque: float) -> Floats | None:
        """Forces (6,) inside the friction cones that hold the disc under a torque, if any exist."""
        cone = np.zeros((4, 6))
        places = [(0, 1, 1), (0, 1, -1), (3, 4, 1), (3, 4, -1)]
        for row, (normal, tangent, sign) in enumerate(places):
            cone[row, normal], cone[row, tangent] = -mu, sign
        above, free, none = (0.0, None), (None, None), (0.0, 0.0)
        bounds = [above, free, none, above, free, none]
        load = np.array([*self.force, torque])
        found = linprog(np.ones(6), cone, np.zeros(4), self.rows.T, -load, bounds)
        return np.asarray(found.x) if found.success else None

    def matrix(self, mu: float, damping: float) -> Floats:
        """First-order matrix (4, 4) of (q_1, q_2, q_1', q_2') while the disc rotates."""
        coupling = self.pushes(mu).T @ self.normals / self.mass
        A = np.zeros((4, 4))
        A[:2, 2:] = np.eye(2)
        A[2:, :2], A[2:, 2:] = -self.stiffness * coupling, -damping * coupling
        return A
