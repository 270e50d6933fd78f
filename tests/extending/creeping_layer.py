"""A normal law from outside of the package, in one file: a layer that settles under load.

    p = max(0, c (d - u)),      u' = p/eta,      d = -gap

The permanent compression u grows under pressure and does not come back. Under a constant
compression the pressure fades with exp(-c t/eta), under a constant load d creeps with p/eta. Over a
step the pressure is that of a compression that is constant at its end value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp
from typing import ClassVar

import numpy as np

import fecontact as fc

State = tuple[float]
Layer = tuple[float, float, float]
"""Stiffness c, viscosity eta, and exp(-c h/eta)."""


def prepare(parameters: fc.Floats, h: float) -> Layer:
    """Parameters, and what a step leaves of the pressure."""
    return parameters[0], parameters[1], exp(-parameters[0] / parameters[1] * h)


def press(k: Layer, gap: float, gap_rate: float) -> tuple[float, float, float]:
    """Pressure of a fresh layer."""
    closed = gap <= 0.0
    return (-k[0] * gap if closed else 0.0), (-k[0] if closed else 0.0), 0.0


def energy(k: Layer, gap: float) -> float:
    """Energy of a fresh layer."""
    return 0.5 * k[0] * min(gap, 0.0) ** 2


def step(
    k: Layer, gap: float, gap_rate: float, before: float, state: State
) -> tuple[float, float, float, State]:
    """Pressure at the end of the step."""
    trial = k[0] * (-gap - state[0])
    if trial >= 0.0:
        return trial * k[2], -k[0] * k[2], 0.0, (-gap - trial * k[2] / k[0],)
    return 0.0, 0.0, 0.0, state


def rate(k: Layer, gap: float, gap_rate: float, state: State) -> tuple[float, State]:
    """Pressure and u'."""
    pressure = max(k[0] * (-gap - state[0]), 0.0)
    return pressure, (pressure / k[1],)


def d_rate(k: Layer, gap: float, gap_rate: float, state: State) -> fc.NormalRateSlopes:
    """Derivatives of pressure and u'."""
    c = k[0] if -gap - state[0] >= 0.0 else 0.0
    return fc.NormalRateSlopes(-c, 0.0, (-c,), (-c / k[1],), (0.0,), (-c / k[1],))


def balance(k: Layer, gap: float, gap_rate: float, state: State) -> tuple[float, float]:
    """Energy of the spring, and the power p^2/eta of the creep."""
    pressure = max(k[0] * (-gap - state[0]), 0.0)
    return 0.5 * pressure**2 / k[0], pressure**2 / k[1]


@dataclass(frozen=True)
class CreepingLayer(fc.NormalLaw):
    """Layer that settles; its state is the permanent compression u in m.

    Parameters
    ----------
    stiffness
        c in N/m^3.
    viscosity
        eta in N s/m^3.
    """

    point: ClassVar[fc.NormalPoint] = fc.NormalPoint(
        prepare, press, energy, step, rate, d_rate, balance
    )
    states: ClassVar[tuple[fc.StateVariable, ...]] = (fc.laws.scalar("settled", "m"),)
    stiffness: float
    viscosity: float

    def __post_init__(self) -> None:
        fc.check("contact stiffness", self.stiffness, fc.POSITIVE)
        fc.check("viscosity", self.viscosity, fc.POSITIVE)

    @cached_property
    def parameters(self) -> fc.Floats:
        """Stiffness and viscosity."""
        return np.array([self.stiffness, self.viscosity], dtype=float)
