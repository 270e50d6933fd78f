"""Tangential laws: friction traction from pressure and slip velocity."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.contact.laws.coefficient import Coefficient, coefficient_of, friction_limit
from fecontact.contact.status import SLIP
from fecontact.errors import SolverError
from fecontact.typing import Floats

__all__ = ["CoulombSliding"]


@dataclass(frozen=True)
class CoulombSliding:
    """Coulomb friction of points that slide: traction on the slave T = -mu p s/|s| (Jehle 2.44).

    The law of steady sliding and of its linearisation, and of motion in time while all points
    slide. A point without slip has no direction: it is refused, because a sliding law cannot say
    what a sticking point carries. Load paths refuse the law: it has no memory.

    Parameters
    ----------
    mu
        Friction coefficient, a number or a law of `contact.laws.coefficient`; a static value does
        not matter.
    """

    mu: float | Coefficient

    def __post_init__(self) -> None:
        self.coefficient  # noqa: B018  # refuses an impossible mu

    @cached_property
    def coefficient(self) -> Coefficient:
        """The friction coefficient as a law."""
        return coefficient_of(self.mu)

    def traction(self, pressure: Floats, slip: Floats) -> tuple[Floats, Floats, Floats]:
        """Traction (p, 3), its derivatives with respect to pressure (p, 3) and slip (p, 3, 3)."""
        speed = np.linalg.norm(slip, axis=1)
        if np.any((speed == 0.0) & (pressure > 0.0)):
            raise SolverError(
                "no sliding state: a contact point has no slip velocity; give the two bodies "
                "different speeds, or keep the point off the axis about which they turn; a balance "
                "at rest is found by load_path, a motion by simulate, with ElastoPlastic friction"
            )
        slides = np.full(len(speed), SLIP)
        limit, along, by_pressure = friction_limit(self.coefficient, slip, pressure, slides)
        speed = np.where(speed > 0.0, speed, 1.0)
        e = slip / speed[:, None]
        outer = e[:, :, None] * e[:, None, :]
        across = limit / speed
        return (
            -limit[:, None] * e,
            -by_pressure[:, None] * e,
            (across - along)[:, None, None] * outer - across[:, None, None] * np.eye(3),
        )
