"""What a master surface answers to slave points: gap, normal, velocity, and their derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from fecontact.typing import Body, Floats

__all__ = [
    "HasTranspose",
    "Master",
    "MaterialMaster",
    "MaterialProjection",
    "Projection",
    "along",
]


class Projection(Protocol):
    """Slave points x (p, 3) seen from the master with n dofs.

    Derivatives are taken with respect to (x, step): three slave coordinates, then n dofs.
    """

    @property
    def gap(self) -> Floats:
        """Distance g (p,); negative in contact."""
        ...

    @property
    def normal(self) -> Floats:
        """Unit normals n (p, 3), outward from the master."""
        ...

    @property
    def velocity(self) -> Floats:
        """Velocity (p, 3) of the master's material at the contact."""
        ...

    @property
    def jacobian(self) -> Floats:
        """Velocity (p, 3, n) per velocity v; its transpose takes forces to the dofs."""
        ...

    @property
    def rotation(self) -> Floats:
        """Frame (3, 3) of the master, with which the history of the contact turns."""
        ...

    @property
    def angular_jacobian(self) -> Floats:
        """Rotation (3, n) of the frame along a step, in space components."""
        ...

    @property
    def d_gap(self) -> Floats:
        """Derivative (p, 3 + n) of the gap."""
        ...

    @property
    def d_normal(self) -> Floats:
        """Derivative (p, 3, 3 + n) of the normal."""
        ...

    @property
    def d_velocity(self) -> Floats:
        """Derivative (p, 3, 3 + n) of the velocity at fixed v."""
        ...

    def d_load(self, force: Floats, slave: Floats) -> Floats:
        """Derivative (n, s + n) of sum J^T F at fixed F (p, 3), slave Jacobian (p, 3, s)."""
        ...


@runtime_checkable
class HasTranspose(Protocol):
    """Points of slave or master that take forces to the dofs without a Jacobian in space."""

    def apply_transpose(self, force: Floats) -> Floats:
        """Generalised force (n,) = sum J^T F of forces F (p, 3)."""
        ...


class Master(Protocol):
    """A surface on which slave points are projected."""

    @property
    def bodies(self) -> Sequence[Body]:
        """Its body, or none for the ground."""
        ...

    def project(self, x: Floats, q: Floats, v: Floats, t: float = 0.0) -> Projection:
        """Project slave points x (p, 3), with the master's coordinates and velocities.

        The time t matters to a body in a frame of prescribed motion.
        """
        ...


class MaterialProjection(Projection, Protocol):
    """Projection on a surface whose material the coordinates follow."""

    @property
    def anchor(self) -> Floats:
        """Material points of the master that the slave points feel, for `carried`.

        Of a rigid one those at the points themselves, of an elastic one those at their projection
        points.
        """
        ...


@runtime_checkable
class MaterialMaster(Master, Protocol):
    """A surface whose material points are known: contact can have a history on it."""

    def project(self, x: Floats, q: Floats, v: Floats, t: float = 0.0) -> MaterialProjection:
        """Project slave points x (p, 3), with the master's coordinates and velocities."""
        ...

    def carried(self, anchor: Floats, q: Floats, t: float = 0.0) -> Floats:
        """Place (p, 3) of material points at coordinates q."""
        ...

    def d_carried(self, anchor: Floats, q: Floats, t: float = 0.0) -> Floats:
        """Derivative (p, 3, n) of `carried` along an increment of the dofs."""
        ...


def along(by_y: Floats, slave: Floats) -> Floats:
    """Derivatives (p, c, s + n) by all dofs, from those by (x, step) (p, c, 3 + n)."""
    return np.concatenate([by_y[:, :, :3] @ slave, by_y[:, :, 3:]], axis=2)
