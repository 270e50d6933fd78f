"""Compiled loops over contact points: the elasto-plastic friction law in its two forms.

Vectors have three space components and lie in the tangent plane. Every point is independent of
the others, so the loops may run in threads with the same results.
"""

from __future__ import annotations

from math import sqrt

from fecontact.solvers.compiled import compiled
from fecontact.typing import Floats, Integers

__all__ = ["GROSS", "OPEN", "SLIP", "STICK", "flow", "return_map", "scaled_projector"]

OPEN, STICK, SLIP, GROSS = 0, 1, 2, 3


@compiled
def return_map(
    stiffness: float,
    damping: float,
    step: float,
    limit: Floats,
    slip: Floats,
    z: Floats,
    traction: Floats,
    work: Floats,
    mode: Integers,
) -> None:
    """Project the trial traction a = c z + beta s on the friction disc of radius `limit`.

    `z` holds the trial elastic slip and returns the new one; `traction`, `work` and `mode` are
    results. An open point is the case limit = 0.
    """
    resistance = stiffness + damping / step
    for i in range(len(limit)):
        a0 = stiffness * z[i, 0] + damping * slip[i, 0]
        a1 = stiffness * z[i, 1] + damping * slip[i, 1]
        a2 = stiffness * z[i, 2] + damping * slip[i, 2]
        size = sqrt(a0 * a0 + a1 * a1 + a2 * a2)
        share, path = 1.0, 0.0
        mode[i] = STICK if limit[i] > 0.0 else OPEN
        if size > limit[i]:
            share, path = limit[i] / size, (size - limit[i]) / resistance
            back = path / size
            z[i, 0] -= back * a0
            z[i, 1] -= back * a1
            z[i, 2] -= back * a2
            if limit[i] > 0.0:
                mode[i] = SLIP
        work[i] = limit[i] * path
        traction[i, 0] = -share * a0
        traction[i, 1] = -share * a1
        traction[i, 2] = -share * a2


@compiled
def flow(
    stiffness: float,
    damping: float,
    limit: Floats,
    slip: Floats,
    z: Floats,
    traction: Floats,
    rate: Floats,
    power: Floats,
    mode: Integers,
) -> None:
    """Traction and rate of z of the continuous law: T = -min(1, limit/|a|) a = -c z - beta z'."""
    for i in range(len(limit)):
        a0 = stiffness * z[i, 0] + damping * slip[i, 0]
        a1 = stiffness * z[i, 1] + damping * slip[i, 1]
        a2 = stiffness * z[i, 2] + damping * slip[i, 2]
        size = sqrt(a0 * a0 + a1 * a1 + a2 * a2)
        mode[i] = STICK if limit[i] > 0.0 else OPEN
        back, power[i] = 0.0, 0.0
        if size > limit[i]:
            back = (1.0 - limit[i] / size) / damping
            power[i] = limit[i] * (size - limit[i]) / damping
            if limit[i] > 0.0:
                mode[i] = SLIP
        share = 1.0 - back * damping
        traction[i, 0] = -share * a0
        traction[i, 1] = -share * a1
        traction[i, 2] = -share * a2
        rate[i, 0] = slip[i, 0] - back * a0
        rate[i, 1] = slip[i, 1] - back * a1
        rate[i, 2] = slip[i, 2] - back * a2


@compiled
def scaled_projector(
    stiffness: float,
    damping: float,
    limit: Floats,
    slip: Floats,
    z: Floats,
    by_trial: Floats,
    direction: Floats,
) -> None:
    """Derivatives of T: by the trial traction a (p, 3, 3), and -dT/dlimit (p, 3).

    Slip: -(limit/|a|) (1 - e e^T) and e = a/|a|; stick: -1 and 0.
    """
    for i in range(len(limit)):
        a = (
            stiffness * z[i, 0] + damping * slip[i, 0],
            stiffness * z[i, 1] + damping * slip[i, 1],
            stiffness * z[i, 2] + damping * slip[i, 2],
        )
        size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
        slides = size > limit[i]
        share = limit[i] / size if slides else 1.0
        for k in range(3):
            direction[i, k] = a[k] / size if slides else 0.0
        for k in range(3):
            for m in range(3):
                by_trial[i, k, m] = share * direction[i, k] * direction[i, m]
            by_trial[i, k, k] -= share
