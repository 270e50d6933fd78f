"""Coulomb friction of points that slide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fecontact.contact.laws.base import Coefficient, SlidingLaw
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.laws.point import FrictionPoint

__all__ = ["CoulombSliding"]


@dataclass(frozen=True)
class CoulombSliding(SlidingLaw):
    """Coulomb friction of points that slide: traction on the slave T = -mu p s/|s| (Jehle 2.44).

    The law of steady sliding and of its linearisation, and of motion in time while all points
    slide. A point without slip has no direction: it is refused, because a sliding law cannot say
    what a sticking point carries. Load paths refuse the law: it has no history.

    Parameters
    ----------
    mu
        Friction coefficient, a number or a law of `contact.laws.coefficient`; a static value does
        not matter.
    """

    point: ClassVar[FrictionPoint] = ElastoPlastic.point
    mu: float | Coefficient

    def __post_init__(self) -> None:
        self.coefficient  # noqa: B018  # refuses an impossible mu
