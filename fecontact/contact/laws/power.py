"""Power law with damping: Hertz, Hunt and Crossley."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from fecontact.contact.laws.base import NormalLaw
from fecontact.contact.laws.point import NormalPoint
from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, check
from fecontact.typing import Floats

__all__ = ["PowerNormal"]

Power = tuple[float, float, float, float]
"""Stiffness k, exponent n, alpha of Hunt and Crossley, and kappa sqrt(k) of root damping."""


def prepare(parameters: Floats, h: float) -> Power:
    """Parameters of the law."""
    return parameters[0], parameters[1], parameters[2], parameters[3]


def press(k: Power, gap: float, gap_rate: float) -> tuple[float, float, float]:
    """P = max(0, k d^n + b(d) d') and its slopes, those of the closed contact at the kinks."""
    if not gap <= 0.0:
        return 0.0, 0.0, 0.0
    stiffness, n, alpha, root = k
    depth = -gap
    spring, half = stiffness * depth**n, root * depth ** (0.5 * (n - 1.0))
    b = alpha * spring + half
    trial = spring - b * gap_rate
    if not trial >= 0.0:
        return 0.0, 0.0, 0.0
    if depth > 0.0:
        slope, steep = n * spring / depth, 0.5 * (n - 1.0) * half / depth
    else:  # root damping with 1 < n < 3 has no slope where a moving point touches
        slope, steep = stiffness if n == 1.0 else 0.0, root if n == 3.0 else 0.0
    return trial, gap_rate * (alpha * slope + steep) - slope, -b


def energy(k: Power, gap: float) -> float:
    """Stored energy k d^(n + 1)/(n + 1)."""
    return k[0] / (k[1] + 1.0) * max(-gap, 0.0) ** (k[1] + 1.0)


@dataclass(frozen=True)
class PowerNormal(NormalLaw):
    """Power law with damping, without tension: Hertz, Hunt and Crossley.

        p = max(0, k d^n + b(d) d'),      d = -g >= 0

    At the kinks, where a point just touches or the damper takes the last of the pressure, the
    derivatives are those of the closed contact. Root damping with 1 < n < 3 has none by the gap
    where a moving point touches: there its part is 0.

    Parameters
    ----------
    stiffness
        k in N/m^n of a point (per area or length for surfaces and lines).
    exponent
        n >= 1; 3/2 for Hertz's contact of two curved bodies.
    hunt_crossley
        alpha in s/m: b = alpha k d^n. The force is continuous at impact, and the restitution falls
        with the impact speed (Stamm 2.21, 2.22).
    root_damping
        kappa in kg^(1/2) for a point: b = kappa sqrt(c) with the secant stiffness c = k d^(n-1);
        kappa = 2 D sqrt(m) for a damping ratio D of the mass m (Waehrisch 4.2).
    """

    point: ClassVar[NormalPoint] = NormalPoint(prepare, press, energy)
    stiffness: float
    exponent: float = 1.5
    hunt_crossley: float = 0.0
    root_damping: float = 0.0

    def __post_init__(self) -> None:
        check("contact stiffness", self.stiffness, POSITIVE)
        check("hunt_crossley", self.hunt_crossley, NON_NEGATIVE, "s/m")
        check("root_damping", self.root_damping, NON_NEGATIVE)
        if not 1.0 <= self.exponent < np.inf:
            raise InputError(f"invalid contact exponent = {self.exponent}: expected >= 1")

    @cached_property
    def parameters(self) -> Floats:
        """Stiffness, exponent, alpha and kappa sqrt(k)."""
        root = self.root_damping * np.sqrt(self.stiffness)
        return np.array([self.stiffness, self.exponent, self.hunt_crossley, root], dtype=float)
