"""Normal laws: pressure from gap and gap rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.errors import NON_NEGATIVE, POSITIVE, check
from fecontact.typing import Floats

__all__ = ["PenaltyNormal"]


@dataclass(frozen=True)
class PenaltyNormal:
    """Unilateral spring-damper without tension (Jehle 2.41).

        p = max(0, -(c_n g + d_n g'))   where g <= 0,   else 0

    At the kink, where a point just touches, the derivative is that of the closed contact: Newton's
    method then finds the contact from a touching start.

    Parameters
    ----------
    stiffness
        c_n in N/m^3 on an area, in N/m^2 on a line.
    damping
        d_n in N s/m^3 on an area, in N s/m^2 on a line.

    Examples
    --------
    >>> law = PenaltyNormal(stiffness=100.0)
    >>> p, _, _ = law.pressure(np.array([-0.01, 0.01]), np.zeros(2))
    >>> p.tolist()
    [1.0, 0.0]
    """

    stiffness: float
    damping: float = 0.0

    def __post_init__(self) -> None:
        check("contact stiffness", self.stiffness, POSITIVE)
        check("contact damping", self.damping, NON_NEGATIVE)

    def pressure(self, gap: Floats, gap_rate: Floats) -> tuple[Floats, Floats, Floats]:
        """Pressure, and its derivatives with respect to gap and gap rate, each (p,)."""
        trial = -(self.stiffness * gap + self.damping * gap_rate)
        closed = (gap <= 0.0) & (trial >= 0.0)
        return (
            np.where(closed, trial, 0.0),
            np.where(closed, -self.stiffness, 0.0),
            np.where(closed, -self.damping, 0.0),
        )
