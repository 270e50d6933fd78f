"""Partial slip of two equal balls: Cattaneo and Mindlin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.typing import Floats

__all__ = ["PartialSlip"]


@dataclass(frozen=True)
class PartialSlip:
    """Contact under a tangential force below its friction limit.

    With s = 1 - Q/(mu P), the shift u_0 at full slip and the contact radius a (Cattaneo 1938,
    Mindlin 1949)

        c/a = s^(1/3),    u = u_0 (1 - s^(2/3)),
        D = mu P u_0 (8 (1 - s^(2/3)) - (16/5) (1 - s^(5/3)) - 4 (1 - s)(1 - s^(2/3)))

    are the radius of stick, the displacement, and the energy of a cycle between -Q and Q.

    Parameters
    ----------
    limit
        mu P in N.
    reach
        u_0 in m.
    force
        Q in N.
    """

    limit: float
    reach: float
    force: float

    @property
    def s(self) -> float:
        """1 - Q/(mu P)."""
        return 1.0 - self.force / self.limit

    @property
    def stick_radius(self) -> float:
        """Over the contact radius."""
        return self.s ** (1 / 3)

    @property
    def displacement(self) -> float:
        """Displacement u in m."""
        return self.reach * (1.0 - self.s ** (2 / 3))

    @property
    def energy(self) -> float:
        """D in J."""
        s = self.s
        slow, fast = 1.0 - s ** (2 / 3), 1.0 - s ** (5 / 3)
        return self.limit * self.reach * (8.0 * slow - 3.2 * fast - 4.0 * (1.0 - s) * slow)

    def unloading(self, u: Floats) -> Floats:
        """Force on the branch from u[0] down, by Masing's rule."""
        fraction = 1.0 - 0.5 * (u[0] - u) / self.reach
        return np.asarray(self.force - 2.0 * self.limit * (1.0 - fraction**1.5))
