"""Given loads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.body.rigid import RigidBody
from fecontact.errors import FINITE, check
from fecontact.typing import Floats, Tangents

__all__ = ["Force"]


@dataclass(frozen=True, eq=False)
class Force:
    """Constant force in space at the centre of a rigid body, in N."""

    body: RigidBody
    vector: tuple[float, float, float]
    name: str = "force"

    def __post_init__(self) -> None:
        for value in self.vector:
            check(f"{self.name}: component", float(value), FINITE, "N")

    @property
    def bodies(self) -> tuple[RigidBody]:
        """The loaded body."""
        return (self.body,)

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Force in the freedoms of the body."""
        return self.body.directions.T @ np.asarray(self.vector)

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`: zero."""
        n = len(self.body.freedoms)
        return np.zeros((n, n)), np.zeros((n, n))
