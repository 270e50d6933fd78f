"""How the elastic slip of contact points follows the material from step to step.

The elastic slip z of a point is stored in the axes R of the body that carries the bristles. Over a
step, dx is the displacement of the slave's material along the master, and z_tr = z_n + dx the trial
that the friction law takes. Bristles stand on the master, which its coordinates follow
(`contact.kinematics.anchors`), or on the slave, where material of the master passes without a
coordinate (`contact.kinematics.slip`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fecontact.body.rotation import cross_matrix
from fecontact.contact.kinematics.relative import Change, ContactKinematics
from fecontact.contact.kinematics.rings import Rings
from fecontact.typing import Chosen, Floats, Integers

if TYPE_CHECKING:
    from fecontact.contact.evaluate.points import PairPoints

__all__ = ["Axes", "Moved", "Origin", "Transport", "component", "d_flat", "dot", "flat"]


@dataclass(frozen=True, eq=False)
class Axes:
    """Axes in which the elastic slip is stored.

    Attributes
    ----------
    rotation : (3, 3)
        R, from these axes to space.
    angular_jacobian : (3, n)
        Rotation along an increment of the dofs that turn them.
    columns
        These dofs among those of the pair.
    spin
        Speed in rad/s of the material through the points.
    by_velocity : (n,)
        Derivative of the spin by the velocities of these dofs.
    """

    rotation: Floats
    angular_jacobian: Floats
    columns: slice
    spin: float = 0.0
    by_velocity: Floats | None = None

    def turned(self, vectors: Floats, size: int) -> Floats:
        """Derivative (p, 3, size) of vectors (p, 3) in space that turn with the axes."""
        result = np.zeros((len(vectors), 3, size))
        result[:, :, self.columns] = -cross_matrix(vectors) @ self.angular_jacobian
        return result


class Moved(ABC):
    """Displacement of all points over a step, seen from its end."""

    trial: Floats
    """Trial elastic slip z_tr (p, 3) in space components."""
    shift: Floats
    """Displacement dx (p, 3) along the surface, the part of the trial that the step adds."""
    status: Integers
    """Status (p,) at the start of the step, of the material that is at the points now."""

    @abstractmethod
    def change(self, change: Change) -> tuple[Floats, Floats] | None:
        """Derivatives (p, 3, N) of trial and shift; None if they do not change."""


class Origin(ABC):
    """Where a step starts, as a transport keeps it."""

    @abstractmethod
    def moved(self, end: PairPoints, z: Floats, status: Integers, h: float) -> Moved:
        """Displacement to the end of a step of length h, from z (p, 3) and status (p,)."""

    def part(self, rows: Chosen) -> Origin | None:
        """Some of the points; None if they cannot be divided."""
        return None


class Transport(ABC):
    """How the history of the points of a pair follows the material."""

    rings: Rings | None = None
    """Rings along which the material of the slave passes the points; None if it does not."""
    springs_in_space: ClassVar[bool] = False
    """Whether the springs of the normal law stand in space, and what turns does not load them."""

    @abstractmethod
    def axes(self, at: ContactKinematics, t: float, q: Floats, v: Floats) -> Axes:
        """Axes of the elastic slip."""

    @abstractmethod
    def origin(self, at: ContactKinematics, t: float, q: Floats, v: Floats) -> Origin:
        """Start of a step."""

    def carried_away(self, axes: Axes, z: Floats) -> tuple[Floats, Floats] | None:
        """Rate Omega D z (p, 3) by which material carries z away, and D z; None if it does not."""
        if self.rings is None:
            return None
        passed = self.rings.derivative(z[:, :3])
        return axes.spin * passed, passed

    def supplied_power(self, points: PairPoints) -> float:
        """Power in W that motion which is not in v (prescribed spins and frames) supplies."""
        work = np.sum(points.point_force * points.kinematics.velocity)
        return float(points.force @ points.v - work)


def dot(a: Floats, b: Floats) -> Floats:
    """Products (p,) of vectors."""
    return np.einsum("pi,pi->p", a, b)


def flat(n: Floats, vectors: Floats) -> Floats:
    """Part (p, 3) along the surface: (I - n n^T) x."""
    return vectors - dot(n, vectors)[:, None] * n


def d_flat(n: Floats, d_n: Floats, vectors: Floats, d_vectors: Floats) -> Floats:
    """Derivative (p, 3, N) of `flat`."""
    along = component(d_n, vectors) + component(d_vectors, n)
    return d_vectors - n[:, :, None] * along - dot(n, vectors)[:, None, None] * d_n


def component(derivative: Floats, vector: Floats) -> Floats:
    """Component (p, 1, N) of the derivative of vectors along other vectors (p, 3)."""
    return vector[:, None, :] @ derivative
