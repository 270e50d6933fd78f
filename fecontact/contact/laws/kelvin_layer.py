"""Viscoelastic layer: a spring beside a damper on the contact surface (Stamm 4.74 to 4.81).

The layer carries the compression u of its surface; d = -gap is that of the other body:

    touching, d >= u:   p = max(0, c d + b d')
    free:               p = 0,                         b u' = p - c u

At the kinks, where a surface meets or leaves the layer, the derivatives are those of the closed
contact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp
from typing import ClassVar

import numpy as np

from fecontact.contact.laws.base import NormalLaw
from fecontact.contact.laws.point import NormalPoint, NormalRateSlopes, StateVariable, scalar
from fecontact.errors import POSITIVE, check
from fecontact.typing import Floats

__all__ = ["KelvinLayer"]

TOUCH = 1e-4
"""Fraction of u by which a Kelvin layer may lag in continuous time: u = d holds to the error of the
integrator only."""

Kelvin = tuple[float, float, float]
"""Stiffness c, damping b, and what a step leaves of the compression of the free layer."""
State = tuple[float]


def prepare(parameters: Floats, h: float) -> Kelvin:
    """Parameters, and exp(-c h/b)."""
    return parameters[0], parameters[1], exp(-parameters[0] / parameters[1] * h)


def press(k: Kelvin, gap: float, gap_rate: float) -> tuple[float, float, float]:
    """Pressure c d + b d' of a layer that recovers at once."""
    trial = -(k[0] * gap + k[1] * gap_rate)
    closed = gap <= 0.0 and trial >= 0.0
    return (trial if closed else 0.0), (-k[0] if closed else 0.0), (-k[1] if closed else 0.0)


def energy(k: Kelvin, gap: float) -> float:
    """Energy of the layer at rest."""
    return 0.5 * k[0] * min(gap, 0.0) ** 2


def step(
    k: Kelvin, gap: float, gap_rate: float, before: float, state: State
) -> tuple[float, float, float, State]:
    """Pressure at the end of the step; the free layer recovers exactly."""
    free = state[0] * k[2]
    if not -gap >= free:
        return 0.0, 0.0, 0.0, (free,)
    trial = -k[0] * gap - k[1] * gap_rate
    if trial >= 0.0:
        return trial, -k[0], -k[1], (-gap,)
    return 0.0, 0.0, 0.0, (-gap,)


def rate(k: Kelvin, gap: float, gap_rate: float, state: State) -> tuple[float, State]:
    """Pressure and u'; while they touch, u follows d by itself."""
    trial = -k[0] * gap - k[1] * gap_rate
    closed = -gap >= (1.0 - TOUCH) * state[0] and trial >= 0.0
    pressure = trial if closed else 0.0
    return pressure, (pressure / k[1] - k[0] / k[1] * state[0],)


def d_rate(k: Kelvin, gap: float, gap_rate: float, state: State) -> NormalRateSlopes:
    """Derivatives of pressure and u'."""
    relax, trial = k[0] / k[1], -k[0] * gap - k[1] * gap_rate
    if -gap >= (1.0 - TOUCH) * state[0] and trial >= 0.0:
        return NormalRateSlopes(-k[0], -k[1], (0.0,), (-relax,), (-1.0,), (-relax,))
    return NormalRateSlopes(0.0, 0.0, (0.0,), (0.0,), (0.0,), (-relax,))


def balance(k: Kelvin, gap: float, gap_rate: float, state: State) -> tuple[float, float]:
    """Energy c u^2/2 of the spring, and the power b u'^2 of the damper; u is at least d.

    So a fresh layer that starts pressed has the energy of its compression.
    """
    u = max(state[0], -gap)
    trial = -k[0] * gap - k[1] * gap_rate
    closed = -gap >= (1.0 - TOUCH) * u and trial >= 0.0
    speed = (trial if closed else 0.0) / k[1] - k[0] / k[1] * u
    return 0.5 * k[0] * u**2, k[1] * speed**2


@dataclass(frozen=True)
class KelvinLayer(NormalLaw):
    """Spring-damper layer that recovers after opening; its state is the compression u in m.

    Parameters
    ----------
    stiffness
        c in N/m^3.
    damping
        b in N s/m^3.
    """

    point: ClassVar[NormalPoint] = NormalPoint(prepare, press, energy, step, rate, d_rate, balance)
    states: ClassVar[tuple[StateVariable, ...]] = (scalar("compression", "m"),)
    stiffness: float
    damping: float

    def __post_init__(self) -> None:
        check("contact stiffness", self.stiffness, POSITIVE)
        check("contact damping", self.damping, POSITIVE)

    @cached_property
    def parameters(self) -> Floats:
        """Stiffness and damping."""
        return np.array([self.stiffness, self.damping], dtype=float)

    def settled(self, z: Floats, gap: Floats) -> Floats:
        """No less than the compression d: the surface of the layer is not inside of the other."""
        return np.maximum(z, -gap.reshape(z.shape))
