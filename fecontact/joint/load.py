"""Given loads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.body.motion import PointMotion
from fecontact.body.rigid import RigidBody
from fecontact.errors import FINITE, check
from fecontact.typing import Floats, Tangents

__all__ = ["Force"]


@dataclass(frozen=True, eq=False)
class Force:
    """Constant force in space on a point of a rigid body.

    Parameters
    ----------
    body
        The loaded body.
    vector
        Space components in N.
    point
        Relative to the centre of mass, body components, in m.
    """

    body: RigidBody
    vector: tuple[float, float, float]
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)
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
        return self._motion(q, v).jacobian[0].T @ np.asarray(self.vector, dtype=float)

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`: the lever turns with the body."""
        n = len(self.body.freedoms)
        vector = np.array([self.vector], dtype=float)
        return self._motion(q, v).d_load(vector), np.zeros((n, n))

    def _motion(self, q: Floats, v: Floats) -> PointMotion:
        return self.body.motion(q, v, np.array([self.point]))
