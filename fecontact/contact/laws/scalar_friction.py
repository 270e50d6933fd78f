"""Friction law of one point that moves along a line: numbers instead of arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.contact.laws.base import FrictionLaw
from fecontact.contact.status import STICK
from fecontact.errors import NON_NEGATIVE, InputError, check
from fecontact.typing import Floats

__all__ = ["ScalarFriction"]


@dataclass(frozen=True)
class ScalarFriction:
    """Friction of one pressed point along a line, for small models written by hand.

    The point sticks at first; what it feels is T < 0 for a motion along +x.

    Parameters
    ----------
    law
        Friction law whose only internal variable is its elastic slip z.
    pressure
        Normal force in N (or pressure in Pa) of the point, constant.

    Examples
    --------
    A bristle of 1000 N/m that slips at 0.4 N, moved by 0.1 mm.

    >>> from fecontact import ElastoPlastic
    >>> friction = ScalarFriction(ElastoPlastic(0.4, 1000.0, 5.0), 1.0)
    >>> [round(number, 12) for number in friction.step(0.0, 0.01, 0.01)]
    [-0.15, 0.0001]
    >>> [round(number, 12) for number in friction.rate(1e-4, 0.01)]
    [-0.15, 0.01]
    """

    law: FrictionLaw
    pressure: float

    def __post_init__(self) -> None:
        check("pressure", self.pressure, NON_NEGATIVE)
        if self.law.width > 3:
            name = type(self.law).__name__
            raise InputError(f"invalid law = {name}: expected one without further variables")

    def step(self, z: float, slip: float, h: float) -> tuple[float, float]:
        """Force in N and elastic slip in m at the end of a step h, from z at its start.

        `slip` is the velocity in m/s of the step.
        """
        found = self.law.step(_along(z + h * slip), _along(slip), self._pressed, _STICKS, h)
        return float(found.traction[0, 0]), float(found.z[0, 0])

    def rate(self, z: float, slip: float) -> tuple[float, float]:
        """Force in N, and rate in m/s of the elastic slip z, while the point moves with `slip`."""
        found = self.law.rate(_along(z), _along(slip), self._pressed, _STICKS)
        if found.z_rate is None:
            raise InputError("invalid law: expected bristles with a damper, which have a rate")
        return float(found.traction[0, 0]), float(found.z_rate[0, 0])

    def over_path(self, path: Floats, h: float = 1.0) -> Floats:
        """Forces (k,) in N at the displacements (k + 1,) in m of a path, after its first one.

        `h` is the length of a step in s. The bristle is at rest at first, and history is kept.
        """
        steps = self.law.over_path(path[:, None, None] * _along(1.0), self._pressed, h)
        return np.array([step.traction[0, 0] for step in steps])

    @property
    def _pressed(self) -> Floats:
        return np.array([self.pressure])


_STICKS = np.array([STICK])


def _along(x: float) -> Floats:
    """Vector (1, 3) along x."""
    return np.array([[x, 0.0, 0.0]])
