"""Normal laws with memory: viscoelastic layers on the contact surface.

d = -gap is the compression of the layer where the bodies touch. A layer that is let go recovers
with time, and a surface that comes back meets it there.

Standard linear solid (Keppler 4.16), spring c_2 beside a spring c_1 in series with a damper, with
the relaxation time tau and the viscous part y of the compression:

    p = max(0, (c_1 + c_2) d - c_1 y),      y' = (max(d, e) - y)/tau,      e = c_1 y/(c_1 + c_2)

e is the compression of the free layer. Kelvin's layer (Stamm 4.74 to 4.81), spring c beside a
damper b, carries the compression u of its surface:

    touching, d >= u:   p = max(0, c d + b d')
    free:               p = 0,                         b u' = p - c u

At the kinks, where a surface meets or leaves the layer, the derivatives are those of the closed
contact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from fecontact.contact.laws.normal import NormalLaw, PenaltyNormal, Pressure
from fecontact.errors import POSITIVE, check
from fecontact.typing import Floats

__all__ = [
    "KelvinLayer",
    "LayerFlow",
    "LayerStep",
    "NormalMemory",
    "SolidLayer",
    "columns_of",
    "remembering",
]

TOUCH = 1e-4
"""Share of u by which a Kelvin layer may lag in continuous time: u = d holds to the error of the
integrator only."""


@dataclass(frozen=True)
class LayerStep:
    """Pressure and state at the end of a step; derivatives of p by the gap and its rate there."""

    pressure: Floats
    z: Floats
    by_gap: Floats
    by_rate: Floats


@dataclass(frozen=True)
class LayerFlow:
    """Pressure, rate of the state, and their derivatives by gap, gap rate and state, all (p,)."""

    pressure: Floats
    rate: Floats
    pressure_by: tuple[Floats, Floats, Floats]
    rate_by: tuple[Floats, Floats, Floats]


@runtime_checkable
class NormalMemory(NormalLaw, Protocol):
    """Normal law with one state for each point; an untouched layer has z = 0.

    `pressure` and `energy` are those of the layer at rest, for statics and steady states.
    """

    def step(
        self, z: Floats, gap_before: Floats, gap: Floats, gap_rate: Floats, h: float
    ) -> LayerStep:
        """Pressure and state after a step from `gap_before` to `gap`."""
        ...

    def flow(self, z: Floats, gap: Floats, gap_rate: Floats) -> LayerFlow:
        """Pressure and rate of the state."""
        ...

    def balance(self, z: Floats, gap: Floats, gap_rate: Floats) -> tuple[Floats, Floats]:
        """Stored energy in J/m^2 and dissipated power in W/m^2."""
        ...

    def settled(self, z: Floats, gap: Floats) -> Floats:
        """State at the start of a motion, where it must fit the gap."""
        ...


def remembering(normal: NormalLaw) -> NormalMemory | None:
    """The law if it has memory; a protocol is slow to ask, so laws without are sorted out first."""
    if hasattr(normal, "balance") and isinstance(normal, NormalMemory):
        return normal
    return None


def columns_of(normal: NormalLaw) -> int:
    """Number k of history variables of a point: three of friction, and one of a layer."""
    return 3 if remembering(normal) is None else 4


@dataclass(frozen=True)
class SolidLayer:
    """Layer of a standard linear solid; z is the viscous compression y in m.

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

    def step(
        self, z: Floats, gap_before: Floats, gap: Floats, gap_rate: Floats, h: float
    ) -> LayerStep:
        """Exact for a compression that is linear over the step and does not open or close."""
        c_1, x = self.fast_stiffness, h / self.relaxation_time
        free = c_1 / (c_1 + self.stiffness) * z
        start = np.maximum(-gap_before, free)
        share = -np.expm1(-x) / x
        path = np.where(np.isfinite(gap), -gap - start, 0.0)  # beside the master, gap = inf
        branch = c_1 * ((start - z) * np.exp(-x) + share * path)
        trial = self.stiffness * -gap + branch
        closed = trial >= 0.0
        bent = np.asarray(z * np.exp(-self.recovery_rate * h))
        bent[closed] = -gap[closed] - branch[closed] / c_1
        return LayerStep(
            pressure=np.where(closed, trial, 0.0),
            z=bent,
            by_gap=np.where(closed, -self.stiffness - c_1 * share, 0.0),
            by_rate=np.zeros_like(gap),
        )

    def flow(self, z: Floats, gap: Floats, gap_rate: Floats) -> LayerFlow:
        """Pressure and rate of y; the gap rate does not matter."""
        c_1, tau = self.fast_stiffness, self.relaxation_time
        total = c_1 + self.stiffness
        trial = -total * gap - c_1 * z
        closed = trial >= 0.0
        zero = np.zeros_like(gap)
        return LayerFlow(
            pressure=np.where(closed, trial, 0.0),
            rate=np.where(closed, (-gap - z) / tau, -self.recovery_rate * z),
            pressure_by=(np.where(closed, -total, 0.0), zero, np.where(closed, -c_1, 0.0)),
            rate_by=(
                np.where(closed, -1.0 / tau, 0.0),
                zero,
                np.where(closed, -1.0 / tau, -self.recovery_rate),
            ),
        )

    def balance(self, z: Floats, gap: Floats, gap_rate: Floats) -> tuple[Floats, Floats]:
        """Energy of both springs, and the power c_1 (d - y)^2/tau of the damper."""
        c_1 = self.fast_stiffness
        d = np.maximum(-gap, c_1 / (c_1 + self.stiffness) * z)
        fast = c_1 * (d - z) ** 2
        return 0.5 * (self.stiffness * d**2 + fast), fast / self.relaxation_time

    def settled(self, z: Floats, gap: Floats) -> Floats:
        """As given: a layer that starts pressed was pressed at once."""
        return z

    def pressure(self, gap: Floats, gap_rate: Floats) -> Pressure:
        """Pressure of the relaxed layer, c_2 d."""
        return PenaltyNormal(self.stiffness).pressure(gap, gap_rate)

    def energy(self, gap: Floats) -> Floats:
        """Energy of the relaxed layer in J/m^2."""
        return PenaltyNormal(self.stiffness).energy(gap)


@dataclass(frozen=True)
class KelvinLayer:
    """Spring-damper layer that recovers after opening; z is the compression u of its surface.

    Parameters
    ----------
    stiffness
        c in N/m^3.
    damping
        b in N s/m^3.
    """

    stiffness: float
    damping: float

    def __post_init__(self) -> None:
        check("contact stiffness", self.stiffness, POSITIVE)
        check("contact damping", self.damping, POSITIVE)

    def step(
        self, z: Floats, gap_before: Floats, gap: Floats, gap_rate: Floats, h: float
    ) -> LayerStep:
        """Pressure at the end of the step; the free layer recovers exactly."""
        free = z * np.exp(-self.stiffness / self.damping * h)
        trial = -self.stiffness * gap - self.damping * gap_rate
        touching = -gap >= free
        closed = touching & (trial >= 0.0)
        return LayerStep(
            pressure=np.where(closed, trial, 0.0),
            z=np.where(touching, -gap, free),
            by_gap=np.where(closed, -self.stiffness, 0.0),
            by_rate=np.where(closed, -self.damping, 0.0),
        )

    def flow(self, z: Floats, gap: Floats, gap_rate: Floats) -> LayerFlow:
        """Pressure and rate of u; while they touch, u follows d by itself."""
        relax = self.stiffness / self.damping
        trial = -self.stiffness * gap - self.damping * gap_rate
        closed = (-gap >= (1.0 - TOUCH) * z) & (trial >= 0.0)
        pressure, zero = np.where(closed, trial, 0.0), np.zeros_like(gap)
        by_gap = np.where(closed, -self.stiffness, 0.0)
        by_rate = np.where(closed, -self.damping, 0.0)
        return LayerFlow(
            pressure=pressure,
            rate=pressure / self.damping - relax * z,
            pressure_by=(by_gap, by_rate, zero),
            rate_by=(by_gap / self.damping, by_rate / self.damping, np.full_like(gap, -relax)),
        )

    def balance(self, z: Floats, gap: Floats, gap_rate: Floats) -> tuple[Floats, Floats]:
        """Energy c u^2/2 of the spring, and the power b u'^2 of the damper; u is at least d.

        So a fresh layer that starts pressed has the energy of its compression.
        """
        u = np.maximum(z, -gap)
        rate = self.flow(u, gap, gap_rate).rate
        return 0.5 * self.stiffness * u**2, self.damping * rate**2

    def settled(self, z: Floats, gap: Floats) -> Floats:
        """No less than the compression d: the surface of the layer is not inside of the other."""
        return np.maximum(z, -gap)

    def pressure(self, gap: Floats, gap_rate: Floats) -> Pressure:
        """Pressure of a layer that recovers at once, c d + b d'."""
        return PenaltyNormal(self.stiffness, self.damping).pressure(gap, gap_rate)

    def energy(self, gap: Floats) -> Floats:
        """Energy of the layer at rest in J/m^2."""
        return PenaltyNormal(self.stiffness).energy(gap)
