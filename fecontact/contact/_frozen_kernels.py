"""Compiled friction of points whose modes are given (`contact.frozen`)."""

from __future__ import annotations

from math import sqrt

from fecontact.contact._kernels import GROSS, SLIP, STICK
from fecontact.solvers.compiled import compiled
from fecontact.typing import Floats, Integers

__all__ = ["frozen_flow"]


@compiled
def frozen_flow(
    stiffness: float,
    damping: float,
    limit: Floats,
    mode: Integers,
    toward: Floats,
    slip: Floats,
    z: Floats,
    traction: Floats,
    rate: Floats,
    power: Floats,
) -> None:
    """Traction, rate of z and slip power of all points; vectors (p, 3) in space components."""
    for i in range(len(limit)):
        along = square = size = 0.0
        for k in range(3):
            a = stiffness * z[i, k] + damping * slip[i, k]
            along += slip[i, k] * toward[i, k]
            square += a * a
            size += slip[i, k] * slip[i, k]
        pulled, speed = sqrt(square), sqrt(size)
        power[i] = 0.0
        for k in range(3):
            a = stiffness * z[i, k] + damping * slip[i, k]
            traction[i, k] = rate[i, k] = 0.0
            if mode[i] == STICK:
                traction[i, k], rate[i, k] = -a, slip[i, k]
            elif mode[i] == SLIP and pulled > 0.0:
                traction[i, k] = -limit[i] * a / pulled
                rate[i, k] = -(traction[i, k] + stiffness * z[i, k]) / damping
            elif mode[i] == GROSS and speed > 0.0:
                ahead = slip[i, k] - (2.0 * along * toward[i, k] if along < 0.0 else 0.0)
                traction[i, k] = -limit[i] * ahead / speed
            power[i] -= traction[i, k] * (slip[i, k] - rate[i, k])
