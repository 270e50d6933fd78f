"""Penalty contact: a unilateral spring-damper."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from fecontact.contact.laws.base import NormalLaw
from fecontact.contact.laws.point import NormalPoint
from fecontact.errors import NON_NEGATIVE, POISSON, POSITIVE, InputError, check
from fecontact.typing import Floats

__all__ = ["PenaltyNormal", "winkler_layer"]


def prepare(parameters: Floats, h: float) -> tuple[float, float]:
    """Stiffness c_n and damping d_n."""
    return parameters[0], parameters[1]


def press(k: tuple[float, float], gap: float, gap_rate: float) -> tuple[float, float, float]:
    """P = max(0, -(c_n g + d_n g')) where g <= 0; at the kinks the slopes of the closed contact."""
    trial = -(k[0] * gap + k[1] * gap_rate)
    closed = gap <= 0.0 and trial >= 0.0
    return (trial if closed else 0.0), (-k[0] if closed else 0.0), (-k[1] if closed else 0.0)


def energy(k: tuple[float, float], gap: float) -> float:
    """Stored energy c_n g^2/2."""
    return 0.5 * k[0] * min(gap, 0.0) ** 2


@dataclass(frozen=True)
class PenaltyNormal(NormalLaw):
    """Unilateral spring-damper without tension (Jehle 2.41).

        p = max(0, -(c_n g + d_n g'))   where g <= 0,   else 0

    At the kinks, where a point just touches or the damper takes the last of the pressure, the
    derivatives are those of the closed contact: Newton's method then finds the contact from a
    touching start.

    Parameters
    ----------
    stiffness
        c_n in N/m^3 on an area, in N/m^2 on a line.
    damping
        d_n in N s/m^3 on an area, in N s/m^2 on a line.
    thickness
        Of the layer in m: motion does not start with points that are pressed through it.

    Examples
    --------
    >>> law = PenaltyNormal(stiffness=100.0)
    >>> p, _, _ = law.pressure(np.array([-0.01, 0.01]), np.zeros(2))
    >>> p.tolist()
    [1.0, 0.0]
    """

    point: ClassVar[NormalPoint] = NormalPoint(prepare, press, energy)
    stiffness: float
    damping: float = 0.0
    thickness: float = np.inf

    def __post_init__(self) -> None:
        check("contact stiffness", self.stiffness, POSITIVE)
        check("contact damping", self.damping, NON_NEGATIVE)
        if not self.thickness > 0.0:
            raise InputError(f"invalid thickness = {self.thickness} m: expected > 0")

    @cached_property
    def parameters(self) -> Floats:
        """Stiffness and damping."""
        return np.array([self.stiffness, self.damping], dtype=float)


def winkler_layer(
    modulus: float, thickness: float, poisson: float = 0.0, loss: float = 0.0
) -> PenaltyNormal:
    """Thin elastic layer bonded to the body: c_n = E_c/t, E_c = E (1 - nu)/((1 + nu)(1 - 2 nu)).

    Parameters
    ----------
    modulus
        Young's modulus E of the layer in Pa.
    thickness
        t in m, small against the contact.
    poisson
        The layer cannot spread sideways, so its constrained modulus counts.
    loss
        Retardation time in s: d_n = loss c_n.

    Examples
    --------
    >>> winkler_layer(modulus=1e9, thickness=1e-3).stiffness
    1000000000000.0
    """
    check("layer modulus", modulus, POSITIVE, "Pa")
    check("layer thickness", thickness, POSITIVE, "m")
    check("layer poisson", poisson, POISSON)
    check("layer loss", loss, NON_NEGATIVE, "s")
    constrained = modulus * (1.0 - poisson) / ((1.0 + poisson) * (1.0 - 2.0 * poisson))
    stiffness = constrained / thickness
    return PenaltyNormal(stiffness, loss * stiffness, thickness)
