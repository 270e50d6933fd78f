"""Rigid body in a frame that does not spin.

An axisymmetric rotor with prescribed spin about z looks the same at any angle: its coordinates
are the displacements of its centre, and the spin enters only the velocity of its points,

    x = X + u,      v = u' + spin e_z x X .
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fecontact.errors import FINITE, POSITIVE, InputError, check, one_of
from fecontact.typing import Floats, Tangents

__all__ = ["TRANSLATIONS", "RigidBody"]

TRANSLATIONS = ("ux", "uy", "uz")


@dataclass(frozen=True, eq=False)
class RigidBody:
    """Rigid axisymmetric rotor with translations and prescribed spin.

    Parameters
    ----------
    name
        Name in the system.
    mass
        In kg.
    freedoms
        Any of "ux", "uy", "uz".
    spin
        Prescribed angular velocity about z in rad/s.
    """

    name: str
    mass: float
    freedoms: tuple[str, ...] = TRANSLATIONS
    spin: float = 0.0
    directions: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check(f"{self.name}: mass", self.mass, POSITIVE, "kg")
        check(f"{self.name}: spin", float(self.spin), FINITE, "rad/s")
        for freedom in self.freedoms:
            check(f"{self.name}: freedom", freedom, one_of(TRANSLATIONS))
        if len(set(self.freedoms)) < len(self.freedoms):
            raise InputError(f"{self.name}: freedoms = {self.freedoms} name one of them twice")
        columns = [TRANSLATIONS.index(freedom) for freedom in self.freedoms]
        object.__setattr__(self, "directions", np.eye(3)[:, columns])

    @property
    def bodies(self) -> tuple[RigidBody]:
        """The coordinates it refers to: its own."""
        return (self,)

    def mass_matrix(self, q: Floats) -> Floats:
        """Mass matrix (n, n)."""
        return self.mass * np.eye(len(self.freedoms))

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Forces of inertia beyond M v': none for pure translation."""
        return np.zeros(len(self.freedoms))

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`."""
        n = len(self.freedoms)
        return np.zeros((n, n)), np.zeros((n, n))

    def position(self, q: Floats, points: Floats) -> Floats:
        """Positions (p, 3) of points given relative to the centre."""
        return points + self.directions @ q

    def velocity(self, q: Floats, v: Floats, points: Floats) -> Floats:
        """Material velocities (p, 3) of these points."""
        return self.directions @ v + np.cross([0.0, 0.0, self.spin], points)

    def jacobian(self, points: Floats) -> Floats:
        """Derivative (p, 3, n) of the positions with respect to the freedoms."""
        return np.broadcast_to(self.directions, (len(points), *self.directions.shape))
