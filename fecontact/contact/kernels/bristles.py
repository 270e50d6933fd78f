"""Compiled time step of the bristle laws, see `bristles`."""

from __future__ import annotations

from math import sqrt

from fecontact.contact.kernels.yielding import state_of
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["bristle_step", "sliding_share", "sliding_shares"]


@kernel(fastmath=True)
def sliding_share(onset: float, d: float, along: float) -> float:
    """Beta of the bristle laws: 1 for a negative onset, else a smooth step from onset to 1.

    Bristles at rest, and those that unload, only bend.
    """
    if onset < 0.0:
        return 1.0
    if along <= 0.0 or d <= onset:
        return 0.0
    if d >= 1.0:
        return 1.0
    return (d - onset) ** 2 * (3.0 - onset - 2.0 * d) / (1.0 - onset) ** 3


@kernel(fastmath=True)
def sliding_shares(onset: float, d: Floats, along: Floats, beta: Floats) -> None:
    """Beta of all points."""
    for i in range(len(d)):
        beta[i] = sliding_share(onset, d[i], along[i])


@kernel(fastmath=True)
def bristle_step(
    stiffness: float,
    onset: float,
    decay: float,
    pressure: Floats,
    limit: Floats,
    dx: Floats,
    z: Floats,
    mode: Integers,
) -> None:
    """Implicit Euler step of z; it holds the trial z_n + dx and returns z_{n+1}.

        z_{n+1} = (z_n + dx - beta (1 - nu) dx)/(1 + beta nu |dx| c/S)

    beta is taken at the trial, and the part with 1 - nu never turns z against dx: the step
    dissipates. A point without friction loses its deflection.
    """
    for i in range(len(limit)):
        if limit[i] <= 0.0:
            z[i] = 0.0
            mode[i] = state_of(pressure[i], 0.0, True)
            continue
        along = z[i, 0] * dx[i, 0] + z[i, 1] * dx[i, 1] + z[i, 2] * dx[i, 2]
        size = sqrt(z[i, 0] ** 2 + z[i, 1] ** 2 + z[i, 2] ** 2)
        path = sqrt(dx[i, 0] ** 2 + dx[i, 1] ** 2 + dx[i, 2] ** 2)
        beta = sliding_share(onset, stiffness * size / limit[i], along)
        mode[i] = state_of(pressure[i], limit[i], beta > 0.0)
        share = 1.0 / (1.0 + beta * decay * path * stiffness / limit[i])
        lost = beta * (1.0 - decay)
        if lost > 0.0 and along < lost * path**2:
            lost = along / path**2
        for k in range(3):
            z[i, k] = share * (z[i, k] - lost * dx[i, k])
