"""Viscoelastic bearing between a rigid body and the ground (Jehle 6.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.body.motion import PointMotion
from fecontact.body.rigid import RigidBody
from fecontact.errors import FINITE, NON_NEGATIVE, check
from fecontact.typing import Floats, Tangents

__all__ = ["Bearing"]


@dataclass(frozen=True, eq=False)
class Bearing:
    """Linear spring-damper to ground, isotropic in the x-y plane: f = -c (u - u_0) - d u'.

    u is the displacement of a point of the body from its reference position.

    Parameters
    ----------
    body
        The supported rigid body.
    radial_stiffness, axial_stiffness
        In N/m.
    radial_damping, axial_damping
        In N s/m.
    offset
        Displacement u_0 of the unloaded bearing in m.
    point
        Supported point relative to the centre of mass, body components, in m.
    """

    body: RigidBody
    radial_stiffness: float
    axial_stiffness: float
    radial_damping: float = 0.0
    axial_damping: float = 0.0
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    name: str = "bearing"

    def __post_init__(self) -> None:
        for field in ("radial_stiffness", "axial_stiffness"):
            check(f"{self.name}: {field}", getattr(self, field), NON_NEGATIVE, "N/m")
        for field in ("radial_damping", "axial_damping"):
            check(f"{self.name}: {field}", getattr(self, field), NON_NEGATIVE, "N s/m")
        for value in self.offset:
            check(f"{self.name}: offset", float(value), FINITE, "m")

    @property
    def bodies(self) -> tuple[RigidBody]:
        """The supported body."""
        return (self.body,)

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Force on the body, in its freedoms."""
        motion = self._motion(q, v)
        return motion.jacobian[0].T @ self._traction(motion)

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`."""
        motion = self._motion(q, v)
        J, d_velocity = motion.jacobian[0], motion.d_velocity[0]
        change = self._stiffness[:, None] * J + self._damping[:, None] * d_velocity
        by_q = motion.d_load(self._traction(motion)[None]) - J.T @ change
        return by_q, -(J.T * self._damping) @ J

    def _motion(self, q: Floats, v: Floats) -> PointMotion:
        return self.body.motion(q, v, np.array([self.point]))

    def _traction(self, motion: PointMotion) -> Floats:
        home = np.add(self.body.position, self.point) + self.offset
        return -self._stiffness * (motion.position[0] - home) - self._damping * motion.velocity[0]

    @property
    def _stiffness(self) -> Floats:
        return np.array([self.radial_stiffness, self.radial_stiffness, self.axial_stiffness])

    @property
    def _damping(self) -> Floats:
        return np.array([self.radial_damping, self.radial_damping, self.axial_damping])
