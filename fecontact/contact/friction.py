"""Tangential laws: friction traction from pressure and slip velocity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.errors import NON_NEGATIVE, SolverError, check
from fecontact.typing import Floats

__all__ = ["CoulombSliding"]


@dataclass(frozen=True)
class CoulombSliding:
    """Coulomb friction of points that slide: traction on the slave T = -mu p s/|s| (Jehle 2.44).

    The law of steady sliding and of its linearisation. A point without slip has no direction:
    it is refused, because a sliding law cannot say what a sticking point carries.
    """

    mu: float

    def __post_init__(self) -> None:
        check("mu", self.mu, NON_NEGATIVE)

    def traction(self, pressure: Floats, slip: Floats) -> tuple[Floats, Floats, Floats]:
        """Traction (p, 3), its derivatives with respect to pressure (p, 3) and slip (p, 3, 3)."""
        speed = np.linalg.norm(slip, axis=1)
        if np.any((speed == 0.0) & (pressure > 0.0)):
            raise SolverError(
                "no sliding state: a contact point has no slip velocity; "
                "give the two bodies different speeds"
            )
        speed = np.where(speed > 0.0, speed, 1.0)
        e = slip / speed[:, None]
        across = np.eye(3) - e[:, :, None] * e[:, None, :]
        return (
            -self.mu * pressure[:, None] * e,
            -self.mu * e,
            -(self.mu * pressure / speed)[:, None, None] * across,
        )
