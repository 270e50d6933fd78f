"""Bases of master surfaces: gap, normal, velocity at slave points, and their derivatives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np

from fecontact.typing import Body, Chosen, Floats

__all__ = ["Master", "MaterialMaster", "MaterialProjection", "Projection", "along"]


class Projection(ABC):
    """Slave points x (p, 3) seen from the master with n dofs.

    Derivatives are taken with respect to (x, step): three slave coordinates, then n dofs.
    """

    @property
    @abstractmethod
    def gap(self) -> Floats:
        """Distance g (p,); negative in contact."""

    @property
    @abstractmethod
    def normal(self) -> Floats:
        """Unit normals n (p, 3), outward from the master."""

    @property
    @abstractmethod
    def velocity(self) -> Floats:
        """Velocity (p, 3) of the master's material at the contact."""

    @property
    @abstractmethod
    def jacobian(self) -> Floats:
        """Velocity (p, 3, n) per velocity v; its transpose takes forces to the dofs."""

    @property
    @abstractmethod
    def rotation(self) -> Floats:
        """Frame (3, 3) of the master, with which the history of the contact turns."""

    @property
    @abstractmethod
    def angular_jacobian(self) -> Floats:
        """Rotation (3, n) of the frame along a step, in space components."""

    @property
    @abstractmethod
    def d_gap(self) -> Floats:
        """Derivative (p, 3 + n) of the gap."""

    @property
    @abstractmethod
    def d_normal(self) -> Floats:
        """Derivative (p, 3, 3 + n) of the normal."""

    @property
    @abstractmethod
    def d_velocity(self) -> Floats:
        """Derivative (p, 3, 3 + n) of the velocity at fixed v."""

    @abstractmethod
    def d_load(self, force: Floats, slave: Floats) -> Floats:
        """Derivative (n, s + n) of sum J^T F at fixed F (p, 3), slave Jacobian (p, 3, s)."""

    def apply_transpose(self, force: Floats) -> Floats:
        """Generalised force (n,) = sum J^T F of forces F (p, 3)."""
        return np.asarray(self.jacobian.reshape(force.size, -1).T @ force.ravel())

    def part(self, rows: Chosen) -> Self | None:
        """Some of the points; None if they cannot be divided."""
        return None


class MaterialProjection(Projection):
    """Projection on a surface whose material the coordinates follow."""

    @property
    @abstractmethod
    def anchor(self) -> Floats:
        """Material points of the master that the slave points feel, for `carried`.

        Of a rigid one those at the points themselves, of an elastic one those at their projection
        points.
        """


class Master(ABC):
    """A surface on which slave points are projected.

    `round` says that it is one of revolution about the z axis of its body, whatever it looks like.
    """

    round: ClassVar[bool] = False

    @property
    @abstractmethod
    def bodies(self) -> Sequence[Body]:
        """Its body, or none for the ground."""

    @abstractmethod
    def project(self, x: Floats, q: Floats, v: Floats, t: float = 0.0) -> Projection:
        """Project slave points x (p, 3), with the master's coordinates and velocities.

        The time t matters to a body in a frame of prescribed motion.
        """


class MaterialMaster(Master):
    """A surface whose material points are known: contact can have a history on it."""

    @abstractmethod
    def project(self, x: Floats, q: Floats, v: Floats, t: float = 0.0) -> MaterialProjection:
        """Project slave points x (p, 3), with the master's coordinates and velocities."""

    @abstractmethod
    def carried(self, anchor: Floats, q: Floats, t: float = 0.0) -> Floats:
        """Position (p, 3) of material points at coordinates q."""

    @abstractmethod
    def d_carried(self, anchor: Floats, q: Floats, t: float = 0.0) -> Floats:
        """Derivative (p, 3, n) of `carried` along an increment of the dofs."""


def along(by_y: Floats, slave: Floats) -> Floats:
    """Derivatives (p, c, s + n) by all dofs, from those by (x, step) (p, c, 3 + n)."""
    return np.concatenate([by_y[:, :, :3] @ slave, by_y[:, :, 3:]], axis=2)
