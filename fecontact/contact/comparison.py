"""Friction laws of the literature, for comparison with the elasto-plastic one.

Bristle laws (Keppler 4.37, 4.38), z along the slip s, S = mu(|s|) p the sliding friction:

    z' = (1 - beta (1 - nu)) s - beta nu |s| c z/S,      T = -(c z + b z') - mu_V p s

    Dahl:    beta = 1, b = 0, mu_V = 0
    LuGre:   beta = 1
    Dupont:  beta = 0 while unloading (z . s < 0) or d = c|z|/S < d_1; then smooth to 1 at d = 1

Dahl and LuGre have no stick: they creep under any load that varies. Regularised Coulomb friction
has no memory at all and slides under any load:

    T = -mu p f(|s|/v_d) s/|s|,      f(x) = (2/pi) arctan x  or  tanh x
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from numba import njit

from fecontact.contact._kernels import OPEN, SLIP, STICK
from fecontact.contact.coefficient import Coefficient, coefficient_of
from fecontact.contact.elasto_plastic import FrictionFlow, FrictionStep
from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, check, one_of
from fecontact.typing import Floats, Integers

__all__ = ["Bristles", "RegularisedCoulomb", "bristle_step", "dahl", "dupont", "lugre"]

ALWAYS = -1.0
"""Onset of a law that slides at any load."""


@njit(cache=True, error_model="numpy")
def sliding_share(onset: float, d: float, along: float) -> float:
    """Beta of the bristle laws: 1 for a negative onset, else a smooth step from onset to 1."""
    if onset < 0.0:
        return 1.0
    if along < 0.0 or d <= onset:
        return 0.0
    if d >= 1.0:
        return 1.0
    return (d - onset) ** 2 * (3.0 - onset - 2.0 * d) / (1.0 - onset) ** 3


@njit(cache=True, error_model="numpy")
def sliding_shares(onset: float, d: Floats, along: Floats, beta: Floats) -> None:
    """Beta of all points."""
    for i in range(len(d)):
        beta[i] = sliding_share(onset, d[i], along[i])


@njit(cache=True, error_model="numpy")
def bristle_step(
    stiffness: float,
    onset: float,
    decay: float,
    limit: Floats,
    dx: Floats,
    z: Floats,
    mode: Integers,
) -> None:
    """Implicit Euler step of z; it holds the trial z_n + dx and returns z_{n+1}.

        z_{n+1} = (z_n + dx - beta (1 - nu) dx)/(1 + beta nu |dx| c/S)

    beta is taken at the trial, and the part with 1 - nu never turns z against dx: the step
    dissipates. An open point loses its deflection.
    """
    for i in range(len(limit)):
        if limit[i] <= 0.0:
            z[i] = 0.0
            mode[i] = OPEN
            continue
        along = z[i, 0] * dx[i, 0] + z[i, 1] * dx[i, 1] + z[i, 2] * dx[i, 2]
        size = sqrt(z[i, 0] ** 2 + z[i, 1] ** 2 + z[i, 2] ** 2)
        path = sqrt(dx[i, 0] ** 2 + dx[i, 1] ** 2 + dx[i, 2] ** 2)
        beta = sliding_share(onset, stiffness * size / limit[i], along)
        mode[i] = SLIP if beta > 0.0 else STICK
        share = 1.0 / (1.0 + beta * decay * path * stiffness / limit[i])
        lost = beta * (1.0 - decay)
        if lost > 0.0 and along < lost * path**2:
            lost = along / path**2
        for k in range(3):
            z[i, k] = share * (z[i, k] - lost * dx[i, k])


@dataclass(frozen=True)
class Bristles:
    """Bristle law on the interface of `ElastoPlastic`; see `dahl`, `lugre` and `dupont`.

    Parameters
    ----------
    mu
        Coefficient of sliding over the speed.
    stiffness, damping
        c and b per area, line or point.
    viscous
        mu_V in s/m.
    onset
        d_1 of Dupont's law; negative for none.
    decay
        nu, rate of the relaxation against the spring.
    """

    mu: float | Coefficient
    stiffness: float
    damping: float = 0.0
    viscous: float = 0.0
    onset: float = ALWAYS
    decay: float = 1.0

    def __post_init__(self) -> None:
        check("friction stiffness", self.stiffness, POSITIVE)
        check("friction damping", self.damping, NON_NEGATIVE)
        check("viscous", self.viscous, NON_NEGATIVE, "s/m")
        check("decay", self.decay, POSITIVE)
        if not self.onset < 1.0:
            raise InputError(f"onset = {self.onset} is not possible: it must be < 1")
        self.coefficient  # noqa: B018  # refuses an impossible mu

    @cached_property
    def coefficient(self) -> Coefficient:
        """The friction coefficient as a law."""
        return coefficient_of(self.mu)

    def step(
        self, z: Floats, slip: Floats, pressure: Floats, mode: Integers, h: float
    ) -> FrictionStep:
        """Time-discrete law from the trial z = z_n + h s; the modes at t_n do not matter."""
        limit, dx, old = self._limit(slip, pressure), h * slip, z - h * slip
        z, new = np.array(z), np.empty(len(limit), dtype=np.int64)
        bristle_step(self.stiffness, self.onset, self.decay, limit, dx, z, new)
        traction, power = self._traction(z, (z - old) / h, slip, pressure)
        return FrictionStep(traction, z, new, h * power)

    def flow(self, z: Floats, slip: Floats, pressure: Floats, mode: Integers) -> FrictionFlow:
        """Continuous law; an open point keeps its deflection and carries nothing."""
        limit = self._limit(slip, pressure)
        closed = limit > 0.0
        load = self.stiffness * np.linalg.norm(z, axis=1) / np.where(closed, limit, 1.0)
        along = np.sum(z * slip, axis=1)
        beta = np.empty_like(load)
        sliding_shares(self.onset, load, along, beta)
        speed = np.linalg.norm(slip, axis=1)
        back = beta * self.decay * speed * self.stiffness / np.where(closed, limit, 1.0)
        rate = (1.0 - beta * (1.0 - self.decay))[:, None] * slip - back[:, None] * z
        rate[~closed] = 0.0
        traction, power = self._traction(z, rate, slip, pressure)
        new = np.where(closed, np.where(beta > 0.0, SLIP, STICK), OPEN)
        return FrictionFlow(traction, rate, new, power)

    def _limit(self, slip: Floats, pressure: Floats) -> Floats:
        speed, slides = np.linalg.norm(slip, axis=1), np.full(len(pressure), SLIP)
        return self.coefficient.values(speed, pressure, slides)[0] * pressure

    def _traction(
        self, z: Floats, rate: Floats, slip: Floats, pressure: Floats
    ) -> tuple[Floats, Floats]:
        """Traction on the slave and dissipated power."""
        drag = (self.viscous * pressure)[:, None] * slip
        traction = -(self.stiffness * z + self.damping * rate) - drag
        traction[pressure <= 0.0] = 0.0
        power = -np.sum(traction * slip, axis=1) - self.stiffness * np.sum(z * rate, axis=1)
        return traction, np.where(pressure > 0.0, power, 0.0)


def dahl(mu: float | Coefficient, stiffness: float) -> Bristles:
    """Dahl's law (Stamm 2.5): one bristle, smooth and without stick."""
    return Bristles(mu, stiffness)


def lugre(
    mu: float | Coefficient, stiffness: float, damping: float, viscous: float = 0.0
) -> Bristles:
    """LuGre law (Stamm 2.7 to 2.9): Dahl with Stribeck curve, damper and viscosity."""
    return Bristles(mu, stiffness, damping, viscous)


def dupont(
    mu: float | Coefficient,
    stiffness: float,
    damping: float = 0.0,
    viscous: float = 0.0,
    onset: float = 0.99,
    decay: float = 1.0,
) -> Bristles:
    """Elasto-plastic bristles of Dupont (Keppler 4.38): true stick below the onset."""
    check("onset", onset, NON_NEGATIVE)
    return Bristles(mu, stiffness, damping, viscous, onset, decay)


@dataclass(frozen=True)
class RegularisedCoulomb:
    """Coulomb friction smoothed over the speed v_d in m/s; "arctan" (Jehle) or "tanh" (Keppler)."""

    mu: float | Coefficient
    speed: float
    form: str = "arctan"

    def __post_init__(self) -> None:
        check("regularisation speed", self.speed, POSITIVE, "m/s")
        check("form", self.form, one_of(("arctan", "tanh")))
        self.coefficient  # noqa: B018  # refuses an impossible mu

    @cached_property
    def coefficient(self) -> Coefficient:
        """The friction coefficient as a law."""
        return coefficient_of(self.mu)

    def traction(self, pressure: Floats, slip: Floats) -> tuple[Floats, Floats, Floats]:
        """Traction (p, 3), its derivatives with respect to pressure (p, 3) and slip (p, 3, 3)."""
        speed = np.linalg.norm(slip, axis=1)
        slides = np.full(len(speed), SLIP)
        mu, by_speed, by_pressure = self.coefficient.values(speed, pressure, slides)
        x = speed / self.speed
        if self.form == "arctan":
            f, slope = 2.0 / np.pi * np.arctan(x), 2.0 / np.pi / (1.0 + x**2)
        else:
            f, slope = np.tanh(x), 1.0 / np.cosh(np.minimum(x, 300.0)) ** 2
        moving = speed > 0.0
        e = slip / np.where(moving, speed, 1.0)[:, None]
        slope = slope / self.speed
        across = mu * pressure * np.where(moving, f / np.where(moving, speed, 1.0), slope)
        along = pressure * (mu * slope + by_speed * f)
        outer = e[:, :, None] * e[:, None, :]
        return (
            -(mu * pressure * f)[:, None] * e,
            -((mu + pressure * by_pressure) * f)[:, None] * e,
            (across - along)[:, None, None] * outer - across[:, None, None] * np.eye(3),
        )

    def step(
        self, z: Floats, slip: Floats, pressure: Floats, mode: Integers, h: float
    ) -> FrictionStep:
        """Traction at the end of a step; there is no state, and z passes through."""
        flow = self.flow(z, slip, pressure, mode)
        return FrictionStep(flow.traction, np.array(z), flow.mode, h * flow.power)

    def flow(self, z: Floats, slip: Floats, pressure: Floats, mode: Integers) -> FrictionFlow:
        """Traction; there is no state."""
        traction = self.traction(pressure, slip)[0]
        power = -np.sum(traction * slip, axis=1)
        return FrictionFlow(traction, np.zeros_like(z), np.where(pressure > 0.0, SLIP, OPEN), power)
