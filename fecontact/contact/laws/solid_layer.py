"""Viscoelastic layer: a standard linear solid on the contact surface (Keppler 4.16).

d = -gap is the compression of the layer where the bodies touch. A layer that is let go recovers
with time, and a surface that comes back meets it there. With the spring c_2 beside a spring c_1 in
series with a damper, the relaxation time tau and the viscous part y of the compression:

    p = max(0, (c_1 + c_2) d - c_1 y),      y' = (max(d, e) - y)/tau,      e = c_1 y/(c_1 + c_2)

e is the compression of the free layer. At the kinks, where a surface meets or leaves the layer, the
derivatives are those of the closed contact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp, expm1
from typing import ClassVar, NamedTuple

import numpy as np

from fecontact.contact.laws.base import NormalLaw
from fecontact.contact.laws.point import NormalPoint, NormalRateSlopes, StateVariable, scalar
from fecontact.errors import POSITIVE, check
from fecontact.typing import Floats

__all__ = ["SolidLayer"]

State = tuple[float]


class Solid(NamedTuple):
    """Stiffness c_2 and c_1, tau; over a step exp(-x) and (1 - exp(-x))/x with x = h/tau.

    `kept` is what the step leaves of the compression of a free layer.
    """

    slow: float
    fast: float
    tau: float
    kept: float
    faded: float
    mean: float


def prepare(parameters: Floats, h: float) -> Solid:
    """Parameters, and exponentials of the step."""
    slow, fast, tau = parameters[0], parameters[1], parameters[2]
    x = h / tau
    mean = -expm1(-x) / x if x > 0.0 else 1.0
    return Solid(slow, fast, tau, exp(-slow / (slow + fast) * x), exp(-x), mean)


def press(k: Solid, gap: float, gap_rate: float) -> tuple[float, float, float]:
    """Pressure c_2 d of the relaxed layer."""
    closed = gap <= 0.0
    return (-k.slow * gap if closed else 0.0), (-k.slow if closed else 0.0), 0.0


def energy(k: Solid, gap: float) -> float:
    """Energy of the relaxed layer."""
    return 0.5 * k.slow * min(gap, 0.0) ** 2


def step(
    k: Solid, gap: float, gap_rate: float, before: float, state: State
) -> tuple[float, float, float, State]:
    """Exact for a compression that is linear over the step and does not open or close."""
    y = state[0]
    start = max(-before, k.fast / (k.fast + k.slow) * y)
    branch = k.fast * ((start - y) * k.faded + k.mean * (-gap - start))
    trial = -k.slow * gap + branch
    if trial >= 0.0:
        return trial, -k.slow - k.fast * k.mean, 0.0, (-gap - branch / k.fast,)
    return 0.0, 0.0, 0.0, (y * k.kept,)


def rate(k: Solid, gap: float, gap_rate: float, state: State) -> tuple[float, State]:
    """Pressure and y'; the gap rate does not matter."""
    y = state[0]
    trial = -(k.fast + k.slow) * gap - k.fast * y
    if trial >= 0.0:
        return trial, ((-gap - y) / k.tau,)
    return 0.0, (-k.slow / ((k.fast + k.slow) * k.tau) * y,)


def d_rate(k: Solid, gap: float, gap_rate: float, state: State) -> NormalRateSlopes:
    """Derivatives of pressure and y'."""
    if -(k.fast + k.slow) * gap - k.fast * state[0] >= 0.0:
        back = -1.0 / k.tau
        return NormalRateSlopes(-(k.fast + k.slow), 0.0, (-k.fast,), (back,), (0.0,), (back,))
    back = -k.slow / ((k.fast + k.slow) * k.tau)
    return NormalRateSlopes(0.0, 0.0, (0.0,), (0.0,), (0.0,), (back,))


def balance(k: Solid, gap: float, gap_rate: float, state: State) -> tuple[float, float]:
    """Energy of both springs, and the power c_1 (d - y)^2/tau of the damper."""
    y = state[0]
    d = max(-gap, k.fast / (k.fast + k.slow) * y)
    fast = k.fast * (d - y) ** 2
    return 0.5 * (k.slow * d**2 + fast), fast / k.tau


@dataclass(frozen=True)
class SolidLayer(NormalLaw):
    """Layer of a standard linear solid; its state is the viscous compression y in m.

    Parameters
    ----------
    stiffness
        c_2 of slow loading in N/m^3.
    fast_stiffness
        c_1, what a fast load adds, in N/m^3.
    relaxation_time
        tau in s, at constant compression.

    Examples
    --------
    Pressed quickly by 1 mm, the pressure relaxes from 3 to 1.

    >>> layer = SolidLayer(1000.0, 2000.0, relaxation_time=0.1)
    >>> at, zero = np.array([-1e-3]), np.zeros(1)
    >>> fast = layer.step(zero, zero, at, zero, h=1e-9)
    >>> slow = layer.step(fast.z, at, at, zero, h=10.0)
    >>> round(fast.pressure.item(), 6), round(slow.pressure.item(), 6)
    (3.0, 1.0)
    """

    point: ClassVar[NormalPoint] = NormalPoint(prepare, press, energy, step, rate, d_rate, balance)
    states: ClassVar[tuple[StateVariable, ...]] = (scalar("viscous_compression", "m"),)
    stiffness: float
    fast_stiffness: float
    relaxation_time: float

    def __post_init__(self) -> None:
        check("layer stiffness", self.stiffness, POSITIVE)
        check("fast_stiffness", self.fast_stiffness, POSITIVE)
        check("relaxation_time", self.relaxation_time, POSITIVE, "s")

    @property
    def recovery_rate(self) -> float:
        """Alpha = c_2/((c_1 + c_2) tau) in 1/s of creep, and of the free layer."""
        return self.stiffness / ((self.stiffness + self.fast_stiffness) * self.relaxation_time)

    def creep(self, t: float | Floats) -> float | Floats:
        """Compression per pressure at the time t after a constant load, in m^3/N."""
        ratio = self.fast_stiffness / self.stiffness
        grown = ratio * -np.expm1(-self.recovery_rate * np.asarray(t))
        return (1.0 + grown) / (self.stiffness + self.fast_stiffness)

    def relaxation(self, t: float | Floats) -> float | Floats:
        """Pressure per compression at the time t after a sudden one, in N/m^3."""
        return self.stiffness + self.fast_stiffness * np.exp(-np.asarray(t) / self.relaxation_time)

    @cached_property
    def parameters(self) -> Floats:
        """Stiffness c_2, c_1 and relaxation time."""
        return np.array([self.stiffness, self.fast_stiffness, self.relaxation_time], dtype=float)
