"""Vibration modes with unilateral contacts: quasi-static reduction, and a conventional integrator.

Quasi-static (Waltersberger 5.65 to 5.70): m low modes y move, all others follow statically with the
residual flexibility C of the contacts,

    y'' + D y' + Omega^2 y = J lam + f,     0 <= J^T y + C lam + a  perp  lam >= 0,

a linear complementarity problem at the end of each step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.solvers.lemke import lemke
from fecontact.typing import Floats

__all__ = ["QuasiStaticModes", "quasi_static", "released_constraints"]


@dataclass(frozen=True)
class QuasiStaticModes:
    """Modal coordinates with static correction at the contacts, under a constant load."""

    omega: Floats  # (m,) frequencies in rad/s
    damping: Floats  # (m,) in 1/s
    load: Floats  # (m,) weight per coordinate
    contacts: Floats  # (c, m) deflection of the nodes of the stop
    ends: Floats  # (2, m) deflection of A and B
    flexibility: Floats  # (c, c) residual flexibility C in m/N
    sag: Floats  # (c,) deflection a under the weight of what is static
    start: Floats  # (m,) the tilted beam


def quasi_static(it: QuasiStaticModes, step: float, until: float) -> tuple[Floats, Floats]:
    """Times, and deflections (k, 2) of A and B, the first and last node of the stop."""
    response = 1.0 / (1.0 + step * it.damping + step**2 * it.omega**2)
    M = step**2 * (it.contacts * response) @ it.contacts.T + it.flexibility
    size = float(np.abs(M).max())
    y, v, steps = it.start, np.zeros(len(it.omega)), round(until / step)
    ends = np.zeros((steps + 1, 2))
    ends[0] = it.ends @ y
    for k in range(1, steps + 1):
        free = response * (v + step * (it.load - it.omega**2 * y))
        gap = it.contacts @ (y + step * free) + it.sag
        force = lemke(M / size, gap) / size if gap.min() < 0.0 else np.zeros(len(gap))
        v = free + step * response * (it.contacts.T @ force)
        y = y + step * v
        ends[k] = (it.contacts @ y + it.flexibility @ force + it.sag)[[0, -1]]
    return np.asarray(step * np.arange(steps + 1)), ends


def released_constraints(it: QuasiStaticModes, step: float, until: float) -> tuple[Floats, Floats]:
    """The same by constraints at A and B that are released when they pull."""
    response = 1.0 / (1.0 + step * it.damping + step**2 * it.omega**2)
    y, v, steps = it.start, np.zeros(len(it.omega)), round(until / step)
    ends, active = np.zeros((steps + 1, 2)), np.array([True, False])
    ends[0] = it.ends @ y
    for k in range(1, steps + 1):
        free = response * (v + step * (it.load - it.omega**2 * y))
        touched = ~active & (it.ends @ y < 0.0)
        active = active | touched
        v, force = _held(it.ends[active], response, free)
        if not touched.any() and (force < 0.0).any():
            active[np.flatnonzero(active)[force < 0.0]] = False
            v, _ = _held(it.ends[active], response, free)
        y = y + step * v
        ends[k] = it.ends @ y
    return np.asarray(step * np.arange(steps + 1)), ends


def _held(W: Floats, response: Floats, free: Floats) -> tuple[Floats, Floats]:
    """Velocities with W v = 0, and the impulses that hold them."""
    if not len(W):
        return free, np.zeros(0)
    force = np.asarray(-np.linalg.solve((W * response) @ W.T, W @ free))
    return np.asarray(free + response * (W.T @ force)), force
