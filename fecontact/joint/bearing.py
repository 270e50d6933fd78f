"""Viscoelastic bearing between a rigid body and the ground (Jehle 6.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.body.rigid import RigidBody
from fecontact.errors import FINITE, NON_NEGATIVE, check
from fecontact.typing import Floats, Tangents

__all__ = ["Bearing"]


@dataclass(frozen=True, eq=False)
class Bearing:
    """Linear spring-damper, isotropic in the x-y plane: f = -c (u - u_0) - d u'.

    Parameters
    ----------
    body
        The supported rigid body.
    radial_stiffness, axial_stiffness
        In N/m.
    radial_damping, axial_damping
        In N s/m.
    offset
        Position u_0 of the unloaded bearing in m.
    """

    body: RigidBody
    radial_stiffness: float
    axial_stiffness: float
    radial_damping: float = 0.0
    axial_damping: float = 0.0
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
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
        directions = self.body.directions
        stretch = directions @ q - self.offset
        return -directions.T @ (self._stiffness * stretch + self._damping * (directions @ v))

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`; constant."""
        directions = self.body.directions
        return (
            -(directions.T * self._stiffness) @ directions,
            -(directions.T * self._damping) @ directions,
        )

    @property
    def _stiffness(self) -> Floats:
        return np.array([self.radial_stiffness, self.radial_stiffness, self.axial_stiffness])

    @property
    def _damping(self) -> Floats:
        return np.array([self.radial_damping, self.radial_damping, self.axial_damping])
