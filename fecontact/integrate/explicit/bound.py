"""Longest stable step of the explicit method, and the step it takes by default.

Central differences are stable while, for every vibration of the system with all contact points
closed and sticking,

    omega h <= 2 (sqrt(1 + (2 zeta)^2) - 2 zeta),

zeta the damping ratio of the contacts (that of linear elements is trapezoidal and costs no step).
With damping forces of the velocity v_n-1/2 it would be 2 (sqrt(1 + zeta^2) - zeta); extrapolated to
v_n-1/2 + h/2 a_n-1 they are of order 2, and the root z = -1 of

    (z - 1)^2 + (omega h)^2 z + zeta omega h (3 - 1/z) (z - 1) = 0

gives the bound above.
Stiffnesses are those at the start: a law that stiffens, or a body that comes into another position,
lowers the bound; the energy balance of the run watches it.

The default step is a 32nd of the bound, omega h <= 1/16: the energy at the steps of any linear
vibration swings by (omega h)^2/4 < 1e-3 of itself, and its frequency is off by (omega h)^2/24 <
2e-4, of slower ones less. Steps up to the bound are stable and may be given: half the bound costs a
sixteenth, with swings of a quarter and 4 %. A contact with open points is going to strike: the half
period pi/omega of its stiffness takes 100 steps, which keeps the energy of an undamped rebound to
1e-3 (order 2; a normal dashpot, whose force jumps, makes it order 1). Neither depends on the time
to simulate.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh

from fecontact.contact.laws.base import stateful
from fecontact.contact.pair import ContactPair
from fecontact.contact.status import OPEN
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["StepLimits", "step_limits"]

FRACTION = 1.0 / 32.0
"""Default step, relative to the bound."""
STRIKE = 100
"""Steps in the half period of a contact that is going to open or to close."""
FREE = 1e-3
"""Default step in s where nothing vibrates."""

MOMENT = 1e-9
"""Step in s over which contacts of other kinds are asked for their tangents without slip."""


class StepLimits(NamedTuple):
    """Longest stable step (inf if nothing vibrates) and default step, both in s."""

    bound: float
    default: float


def step_limits(
    system: System, state: State, stiffness: Floats, damping: Floats, basis: Floats | None = None
) -> StepLimits:
    """Steps for the motion from a state.

    `stiffness` and `damping` (n, n) are those of the elements that are not trapezoidal, without
    the stateful contacts. `basis` (n, k) are the motions that welds leave; None: all.
    """
    M, K, D = system.mass_matrix(state.q), stiffness.copy(), damping.copy()
    striking = np.zeros_like(K)
    for item in system.stateful_contacts:
        q, v = system.local(item, state)
        history = system.history_layout.history(state, item.name)
        own = system.local(item, State(0.0, system.rest().q, np.arange(float(system.size))))[1]
        block = np.ix_(own.astype(int), own.astype(int))
        if isinstance(item, ContactPair):
            by_q, by_v = _closed(item, state.t, q, v)
            if np.any(history.status == OPEN):
                striking[block] += by_q
        else:
            start = item.begin(state.t, q, v, history).no_slip()
            by_q, by_v = (-x for x in start.at(state.t, q, v, MOMENT).tangents())
            striking[block] += by_q
        K[block] += by_q
        D[block] += by_v
    if basis is not None:
        M, K, D, striking = (basis.T @ each @ basis for each in (M, K, D, striking))
    bound, strike = _bound(M, K, D), 0.5 * np.pi * _bound(M, striking, np.zeros_like(D))
    default = min(FRACTION * bound, strike / STRIKE)
    return StepLimits(bound, default if np.isfinite(default) else FREE)


def _bound(M: Floats, K: Floats, D: Floats) -> float:
    """Longest stable step; 2/omega of the fastest vibration without damping."""
    squares, modes = eigh(0.5 * (K + K.T), M)
    vibrates = squares > 1e-12 * max(float(squares.max(initial=0.0)), 1e-300)
    omega = np.sqrt(squares[vibrates])
    if not len(omega):
        return np.inf
    zeta = np.einsum("ik,ij,jk->k", modes, D, modes)[vibrates] / (2.0 * omega)
    double = 2.0 * np.maximum(zeta, 0.0)
    return float(np.min(2.0 / (np.sqrt(1.0 + double**2) + double) / omega))


def _closed(pair: ContactPair, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats]:
    """Stiffness and damping (N, N) of a pair with all points closed and sticking."""
    at = pair.kinematics(q, v, t)
    inside = np.where(np.isfinite(at.gap), np.minimum(at.gap, 0.0), 0.0)
    still = np.zeros_like(inside)
    _, by_gap, by_rate = pair.normal.pressure(inside, still)
    layer = stateful(pair.normal)
    if layer is not None:  # a fresh layer is stiffer than a relaxed one
        fresh = np.zeros((len(inside), layer.width))
        by_gap = np.minimum(by_gap, layer.rate(fresh, inside, still).pressure_by[0])
    law, n, J = pair.friction, at.normal, at.jacobian
    outer = n[:, :, None] * n[:, None, :]
    results = []
    for normal, tangential in (
        (-by_gap, getattr(law, "stiffness", 0.0)), (-by_rate, getattr(law, "damping", 0.0))
    ):  # fmt: skip
        block = normal[:, None, None] * outer + tangential * (np.eye(3) - outer)
        pushed = pair.surface.weights[:, None, None] * (block @ J)
        results.append(J.reshape(-1, J.shape[2]).T @ pushed.reshape(-1, J.shape[2]))
    return results[0], results[1]
