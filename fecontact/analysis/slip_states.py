"""Elastic slip of steady sliding, and the directions of it that take part in small motions.

In steady sliding z' = 0: every bristle is bent to its limit, z = (mu p/c_t) s/|s| in the contacts
of a translating master; on spinning bodies the transport of z belongs to its rate.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fecontact.contact.mode import SLIP
from fecontact.errors import SolverError
from fecontact.system import State, System
from fecontact.system.flowing import SystemFlowTangents
from fecontact.typing import Floats

__all__ = ["active_directions", "with_steady_slip"]

SATURATED = 1e3
"""Time in s of sliding after which a first guess of z is surely beyond the friction limit."""

STEADY = 1e-9
"""Share of the first rates below which z rests."""

MOST = 30
"""Newton iterations; without transport one is enough."""

DEAD = 1e-13
"""Coupling per bristle, as a share of the largest, below which there is none."""


def with_steady_slip(system: System, state: State) -> State:
    """Return the state with the elastic slip z that rests; unchanged if it has one already."""
    if len(state.z):
        return state
    state = system.memory.filled(state)
    state = replace(state, mode=np.full_like(state.mode, SLIP))
    first = system.flow(state).rate
    scale = float(np.abs(first).max(initial=0.0))
    state = replace(state, z=SATURATED * first)
    for _ in range(MOST):
        flow = system.flow(state)
        if np.abs(flow.rate).max(initial=0.0) <= STEADY * scale:
            return state
        step = np.linalg.lstsq(flow.tangents().rate_by_z, -flow.rate, rcond=1e-13)[0]
        state = replace(state, z=state.z + step)
    raise SolverError(
        "no steady elastic slip: the bristles of a contact do not come to rest; linearise with "
        "friction = coulomb"
    )


def active_directions(by: SystemFlowTangents) -> Floats:
    """Orthonormal columns (z, s): the part of z that changes forces, at once or by its rates.

    Bristles have a component along the normal, which does nothing but to be carried around on
    spinning bodies. What stays without a force for ever is the largest space V with

        f_z V = 0,      Z_z V in V ,

    found from the first condition by taking out, again and again, what Z_z leads out of V.
    """
    force, rate = (
        part / (np.abs(part).max(initial=0.0) or 1.0) for part in (by.force_by_z, by.rate_by_z)
    )
    idle = _null_space(force)
    while idle.shape[1]:
        moved = rate @ idle
        stays = _null_space(moved - idle @ (idle.T @ moved))
        if stays.shape[1] == idle.shape[1]:
            break
        idle = idle @ stays
    return _null_space(idle.T)


def _null_space(matrix: Floats) -> Floats:
    """Orthonormal columns of what a matrix, with entries of the size 1, takes to zero."""
    _, singular, right = np.linalg.svd(matrix)
    rank = int(np.count_nonzero(singular > DEAD * len(right)))
    return np.ascontiguousarray(right[rank:].T)
