"""Compiled normal laws with memory, for a block of points: pressure, state, derivatives, losses.

The formulas are those of `contact.laws.layer` and `contact.laws.adhesion`; the state of a point is
the fourth column of its history. Parameters:

    SOLID     c_2, c_1, relaxation time tau
    KELVIN    c, b
    ADHESIVE  |F_ad|, d_0, Hertz's force at d = 1, bond time tau
"""

from __future__ import annotations

from math import exp, expm1
from typing import NamedTuple

from fecontact.contact.kernels.jkr import BREAK, bond_energy, bond_force
from fecontact.contact.kernels.laws import BLOCK, LIMIT, RATE, G, P
from fecontact.contact.kernels.slopes import L_P, L_SPEED, P_GAP, P_RATE
from fecontact.contact.laws.layer import TOUCH
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = [
    "ADHESIVE",
    "KELVIN",
    "SOLID",
    "layer_flow",
    "layer_loss",
    "layer_slopes",
    "layer_step",
    "slacken",
    "slacken_slopes",
]

SOLID, KELVIN, ADHESIVE = 3, 4, 5
"""Numbers that follow those of the laws without memory (`contact.kernels.laws`)."""

B = BLOCK


class Pressed(NamedTuple):
    """Pressure and state of a point at the end of a step, derivatives by the gap and its rate."""

    pressure: float
    z: float
    by_gap: float
    by_rate: float


@kernel(fastmath=True)
def _fading(code: int, par: Floats, h: float) -> tuple[float, float, float]:
    """What a step leaves of the state of a free layer, exp(-x) and (1 - exp(-x))/x, x = h/tau."""
    if code == SOLID:
        x = h / par[2]
        return exp(-par[0] / (par[0] + par[1]) * x), exp(-x), -expm1(-x) / x
    rate = par[0] / par[1] if code == KELVIN else 1.0 / par[3]
    return exp(-rate * h), 0.0, 0.0


@kernel(fastmath=True)
def _step_point(
    code: int, par: Floats, fading: tuple[float, float, float],
    z: float, before: float, gap: float, rate: float,
) -> Pressed:  # fmt: skip
    """Step of one point from the gap `before`."""
    kept, left, share = fading
    if code == SOLID:
        c_2, c_1 = par[0], par[1]
        start = max(-before, c_1 / (c_1 + c_2) * z)
        branch = c_1 * ((start - z) * left + share * (-gap - start))
        trial = c_2 * -gap + branch
        if trial >= 0.0:
            return Pressed(trial, -gap - branch / c_1, -c_2 - c_1 * share, 0.0)
        return Pressed(0.0, z * kept, 0.0, 0.0)
    if code == KELVIN:
        free = z * kept
        if not -gap >= free:
            return Pressed(0.0, free, 0.0, 0.0)
        trial = -par[0] * gap - par[1] * rate
        if trial >= 0.0:
            return Pressed(trial, -gap, -par[0], -par[1])
        return Pressed(0.0, -gap, 0.0, 0.0)
    if gap <= 0.0:
        z = 1.0 - (1.0 - z) * kept
    elif -gap <= BREAK * par[1]:
        z *= kept
    force, slope, bond, steeper = bond_force(par[0], par[1], par[2], -gap)
    return Pressed(force + z * bond, z, -(slope + z * steeper), 0.0)


@kernel(fastmath=True)
def layer_step(code: int, par: Floats, h: float, before: Floats, z: Floats, w: Floats) -> None:
    """Pressure at the end of a step from the gaps `before`; the states in z are replaced."""
    fading = _fading(code, par, h)
    for i in range(len(z)):
        end = _step_point(code, par, fading, z[i, 3], before[i], w[G + i], w[RATE + i])
        w[P + i], z[i, 3] = end.pressure, end.z
    w[P + len(z) : P + B] = 0.0


@kernel(fastmath=True)
def layer_slopes(code: int, par: Floats, h: float, before: Floats, z: Floats, w: Floats) -> None:
    """Pressure of `layer_step` and its derivatives by gap and gap rate; z stays."""
    fading = _fading(code, par, h)
    for row in (P, P_GAP, P_RATE):
        w[row + len(z) : row + B] = 0.0
    for i in range(len(z)):
        end = _step_point(code, par, fading, z[i, 3], before[i], w[G + i], w[RATE + i])
        w[P + i], w[P_GAP + i], w[P_RATE + i] = end.pressure, end.by_gap, end.by_rate


@kernel(fastmath=True)
def _flow_point(code: int, par: Floats, z: float, gap: float, rate: float) -> tuple[float, float]:
    """Pressure of one point, and the rate of its state."""
    if code == SOLID:
        c_2, c_1, tau = par[0], par[1], par[2]
        trial = -(c_1 + c_2) * gap - c_1 * z
        if trial >= 0.0:
            return trial, (-gap - z) / tau
        return 0.0, -c_2 / ((c_1 + c_2) * tau) * z
    if code == KELVIN:
        trial = -par[0] * gap - par[1] * rate
        pressure = trial if (-gap >= (1.0 - TOUCH) * z and trial >= 0.0) else 0.0
        return pressure, pressure / par[1] - par[0] / par[1] * z
    change = 0.0
    if gap <= 0.0:
        change = (1.0 - z) / par[3]
    elif -gap <= BREAK * par[1]:
        change = -z / par[3]
    force, _, bond, _ = bond_force(par[0], par[1], par[2], -gap)
    return force + z * bond, change


@kernel(fastmath=True)
def layer_flow(code: int, par: Floats, z: Floats, w: Floats) -> None:
    """Pressure in continuous time; the states in z are replaced by their rates."""
    for i in range(len(z)):
        w[P + i], z[i, 3] = _flow_point(code, par, z[i, 3], w[G + i], w[RATE + i])
    w[P + len(z) : P + B] = 0.0


@kernel(fastmath=True)
def layer_loss(code: int, par: Floats, z: Floats, weights: Floats, w: Floats) -> float:
    """Power that the layers of a block dissipate in the states z, see their `balance`."""
    power = 0.0
    for i in range(len(z)):
        state, gap = z[i, 3], w[G + i]
        if code == SOLID:
            d = max(-gap, par[1] / (par[0] + par[1]) * state)
            lost = par[1] * (d - state) ** 2 / par[2]
        elif code == KELVIN:
            u = max(state, -gap)
            lost = par[1] * _flow_point(code, par, u, gap, w[RATE + i])[1] ** 2
        else:
            change = _flow_point(code, par, state, gap, w[RATE + i])[1]
            lost = -bond_energy(par[0], par[1], par[2], -gap) * change
        power += weights[i] * lost
    return power


@kernel(fastmath=True)
def slacken(w: Floats) -> None:
    """No friction under tension."""
    for i in range(B):
        w[LIMIT + i] = max(w[LIMIT + i], 0.0)


@kernel(fastmath=True)
def slacken_slopes(w: Floats) -> None:
    """Nor any change of it."""
    for i in range(B):
        if w[P + i] < 0.0:
            w[LIMIT + i] = w[L_P + i] = w[L_SPEED + i] = 0.0
