"""Elastic slip of steady sliding, and the directions of it that take part in small motions.

In steady sliding z' = 0: every bristle is bent to its limit, z = (mu p/c_t) s/|s| in the contacts
of a translating master; on spinning bodies the transport of z belongs to its rate.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from scipy.linalg import block_diag

from fecontact.contact.laws.base import stateful
from fecontact.contact.status import SLIP
from fecontact.errors import SolverError
from fecontact.system import State, System
from fecontact.system.rate import SystemRate, SystemRateTangents
from fecontact.typing import Floats

__all__ = ["active_directions", "with_steady_slip"]

SATURATED = 1e3
"""Time in s of sliding after which a first guess of z is surely beyond the friction limit."""

STEADY = 1e-9
"""Fraction of the first rates below which z rests."""

MAX_ITERATIONS = 30
"""Newton iterations; without transport one is enough."""

RESTS = 1e-3
"""Difference of pressures, as a fraction of the largest, that STEADY rates explain at most."""

DEAD = 1e-12
"""Effect of a direction, as a fraction of the largest, below which there is none."""


def with_steady_slip(system: System, state: State) -> State:
    """Return the state with the elastic slip z that rests; unchanged if it has one already."""
    if len(state.z):
        return state
    state = system.history_layout.filled(state)
    state = replace(state, status=np.full_like(state.status, SLIP))
    first = system.rate_form(state).z_rate
    scale = float(np.abs(first).max(initial=0.0))
    state = replace(state, z=np.where(system.history_layout.elastic_slip, SATURATED * first, 0.0))
    for _ in range(MAX_ITERATIONS):
        rates = system.rate_form(state)
        if np.abs(rates.z_rate).max(initial=0.0) <= STEADY * scale:
            _check_pressures(rates)
            return state
        step = np.linalg.lstsq(rates.tangents().z_rate_by_z, -rates.z_rate, rcond=1e-13)[0]
        state = replace(state, z=state.z + step)
    raise SolverError(
        "no steady elastic slip: the bristles of a contact do not come to rest; linearise with "
        "friction = coulomb"
    )


def _check_pressures(rates: SystemRate) -> None:
    """Raise a `SolverError` if a layer whose variables rest has not the pressure of the balance.

    Steady states take the pressure that a law states at rest; one that creeps without end has none.
    """
    for item, q, v, _ in rates.assembly.histories(rates.state):
        layer = stateful(getattr(item, "normal", None))
        if layer is None:
            continue
        balanced = item.status(q, v, rates.state.t).pressure
        rested = rates.contact_rates[item.name].report().pressure
        worst = int(np.argmax(np.abs(rested - balanced)))
        if abs(rested[worst] - balanced[worst]) > RESTS * np.abs(balanced).max(initial=0.0):
            raise SolverError(
                f"{item.name}: {type(layer).__name__} does not rest in the steady state: its "
                f"internal variables come to rest at a pressure of {rested[worst]:.3g}, where its "
                f"pressure at rest is {balanced[worst]:.3g}; linearise with friction = coulomb, or "
                "simulate"
            )


def active_directions(by: SystemRateTangents, shapes: Iterable[tuple[int, int]]) -> Floats:
    """Orthonormal columns (z, s): the part of z that changes forces or rates.

    Bristles have a component along the normal, which does nothing but to be carried around on
    spinning bodies; it would give eigenvalues that neither grow nor fade. So a direction is left
    out if it is without effect on all forces and on the rate of its own point, and does not drive
    a direction of another point that has one. `shapes` are points and columns of the contacts.
    """
    parts, first = [np.empty((0, 0))], 0
    for points, columns in shapes:
        own = slice(first, first + points * columns)
        parts.append(_active(by.force_by_z[:, own], by.z_rate_by_z[own, own], columns))
        first = own.stop
    return np.ascontiguousarray(block_diag(*parts))


def _active(force: Floats, rate: Floats, columns: int) -> Floats:
    """Active directions of one contact, from derivatives by its z."""
    directions, effect = _local(force, rate, columns)
    basis, active = block_diag(*directions), effect.ravel() > DEAD
    drives = np.abs(basis.T @ rate @ basis)
    drives = drives > DEAD * drives.max(initial=0.0)
    while (drives[active].any(axis=0) > active).any():
        active = active | drives[active].any(axis=0)
    return np.asarray(basis[:, active])


def _local(force: Floats, rate: Floats, columns: int) -> tuple[Floats, Floats]:
    """Principal directions (p, k, k) of the points of a contact, and their effects (p, k).

    The effect is that on forces, and on the rate of the point itself, of the largest of the
    contact.
    """
    count = len(rate) // columns
    forces = force.reshape(len(force), count, columns).transpose(1, 0, 2)
    rates = rate.reshape(count, columns, count, columns)[np.arange(count), :, np.arange(count)]
    scaled = [part / (np.abs(part).max(initial=0.0) or 1.0) for part in (forces, rates)]
    _, effect, right = np.linalg.svd(np.concatenate(scaled, axis=1), full_matrices=False)
    return right.transpose(0, 2, 1), effect
