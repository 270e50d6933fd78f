"""A normal law from outside of the package, in one file: a layer that settles under load.

    p = max(0, c (d - u)),      u' = (p - k u)/eta,      d = -gap

The compression u grows under pressure until the spring k holds it, u = p/k, and goes back where
there is none, until it meets the surface again. At rest the layer is as stiff as both springs in
series. Over a step the pressure is that of a compression that is constant at its end value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp, log
from typing import ClassVar

import numpy as np

import fecontact as fc

State = tuple[float]
Layer = tuple[float, float, float, float]
"""Stiffness c and k, viscosity eta, and the length h of the step."""


def prepare(parameters: fc.Floats, h: float) -> Layer:
    """Parameters, and the step."""
    return parameters[0], parameters[1], parameters[2], h


def press(k: Layer, gap: float, gap_rate: float) -> tuple[float, float, float]:
    """Pressure of a layer that has settled."""
    stiffness = k[0] * k[1] / (k[0] + k[1]) if gap <= 0.0 else 0.0
    return -stiffness * gap, -stiffness, 0.0


def energy(k: Layer, gap: float) -> float:
    """Energy of a layer that has settled."""
    return 0.5 * k[0] * k[1] / (k[0] + k[1]) * min(gap, 0.0) ** 2


def step(
    k: Layer, gap: float, gap_rate: float, before: float, state: State
) -> tuple[float, float, float, State]:
    """Pressure at the end of the step; a layer that is let go is free until the time `met`."""
    c, hold, eta, h = k
    u, d, part, met = state[0], -gap, c / (c + hold), 0.0
    if d < u:
        free = u * exp(-hold / eta * h)
        if d <= free:
            return 0.0, 0.0, 0.0, (free,)
        u, met = d, eta / hold * log(u / d)
    kept = exp(-(c + hold) / eta * (h - met))
    settled = part * d + (u - part * d) * kept
    return c * (d - settled), -c * (1.0 - part * (1.0 - kept)), 0.0, (settled,)


def rate(k: Layer, gap: float, gap_rate: float, state: State) -> tuple[float, State]:
    """Pressure and u'."""
    pressure = max(k[0] * (-gap - state[0]), 0.0)
    return pressure, ((pressure - k[1] * state[0]) / k[2],)


def d_rate(k: Layer, gap: float, gap_rate: float, state: State) -> fc.NormalRateSlopes:
    """Derivatives of pressure and u'."""
    c = k[0] if -gap >= state[0] else 0.0
    return fc.NormalRateSlopes(-c, 0.0, (-c,), (-c / k[2],), (0.0,), (-(c + k[1]) / k[2],))


def balance(k: Layer, gap: float, gap_rate: float, state: State) -> tuple[float, float]:
    """Energy of both springs, and the power eta u'^2 of the creep."""
    pressure = max(k[0] * (-gap - state[0]), 0.0)
    stored = 0.5 * pressure**2 / k[0] + 0.5 * k[1] * state[0] ** 2
    return stored, (pressure - k[1] * state[0]) ** 2 / k[2]


@dataclass(frozen=True)
class CreepingLayer(fc.NormalLaw):
    """Layer that settles; its state is the compression u in m.

    Parameters
    ----------
    stiffness
        c in N/m^3.
    hold
        k in N/m^3.
    viscosity
        eta in N s/m^3.
    """

    point: ClassVar[fc.NormalPoint] = fc.NormalPoint(
        prepare, press, energy, step, rate, d_rate, balance
    )
    states: ClassVar[tuple[fc.StateVariable, ...]] = (fc.laws.scalar("settled", "m"),)
    stiffness: float
    hold: float
    viscosity: float

    def __post_init__(self) -> None:
        fc.check("contact stiffness", self.stiffness, fc.POSITIVE)
        fc.check("hold", self.hold, fc.POSITIVE)
        fc.check("viscosity", self.viscosity, fc.POSITIVE)

    @cached_property
    def parameters(self) -> fc.Floats:
        """Both springs and the viscosity."""
        return np.array([self.stiffness, self.hold, self.viscosity], dtype=float)
