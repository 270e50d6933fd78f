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

DEAD = 1e-12
"""Singular values of the couplings below this share of the largest: no part in the dynamics."""


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
    """Orthonormal columns (z, s): the part of z that changes forces or rates.

    Bristles have a component along the normal, which does nothing; it would give zero eigenvalues.
    """
    couplings = []
    for part in (by.force_by_z, by.rate_by_z):
        couplings.append(part / (np.abs(part).max(initial=0.0) or 1.0))
    _, singular, right = np.linalg.svd(np.vstack(couplings), full_matrices=False)
    return np.ascontiguousarray(right[singular > DEAD * singular.max(initial=0.0)].T)
