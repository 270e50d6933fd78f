"""Linear items of a system for the compiled explicit loop: found by probing, refused by name.

    f_i(t, q, v) = f_0 - K q - D v      for all t, q, v,

checked at random states of several sizes about the reference position.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fecontact.errors import InputError, SolverError
from fecontact.system import State, System
from fecontact.typing import Floats, Integers, Item

__all__ = ["LinearItems", "item_dofs", "linear_items", "probes"]

SIZES = (1e-6, 1e-3, 1.0)
"""Sizes of the probes: m, rad, m/s, rad/s."""
TOLERANCE = 1e-9
"""Deviation from the linear force, relative to its terms."""
LATER = 0.7312
"""Time in s after which forces must be the same."""


@dataclass(frozen=True)
class LinearItems:
    """f_i = constant_i - K_i q - D_i v of the items without history, (items, n), (items, n, n)."""

    mass: Floats
    constants: Floats
    stiffnesses: Floats
    dampings: Floats

    @property
    def constant(self) -> Floats:
        """Sum (n,) of the constant forces."""
        return np.asarray(self.constants.sum(axis=0))

    @property
    def stiffness(self) -> Floats:
        """Sum K (n, n)."""
        return np.asarray(self.stiffnesses.sum(axis=0))

    @property
    def damping(self) -> Floats:
        """Sum D (n, n)."""
        return np.asarray(self.dampings.sum(axis=0))

    def works(self, q: Floats, path: Floats, speed: Floats) -> tuple[Floats, Floats]:
        """Work (items,) since coordinates moved by q, and what dampers took of it.

        From the sums dq q^T and dq v^T.
        """
        stiffnesses, dampings = self._coupling
        damped = dampings @ speed.ravel()[self.coupled]
        return self.constants @ q - stiffnesses @ path.ravel()[self.coupled] - damped, damped

    @cached_property
    def coupled(self) -> Integers:
        """Pairs of dofs that any K or D couples, as places in a flat (n, n).

        Modes are hardly coupled, so these are few.
        """
        used = np.any(self.stiffnesses, axis=0) | np.any(self.dampings, axis=0)
        return np.flatnonzero(used)

    @cached_property
    def _coupling(self) -> tuple[Floats, Floats]:
        """K and D of all items at the coupled pairs."""
        items = len(self.constants)
        K, D = (x.reshape(items, -1) for x in (self.stiffnesses, self.dampings))
        return K[:, self.coupled], D[:, self.coupled]


def linear_items(system: System) -> LinearItems:
    """Linear form of all items without history; an `InputError` names the first that has none."""
    state = system.rest()
    if system.rows:
        raise InputError(
            f"invalid constraint '{system.constraints[0].name}' in the linear explicit loop: "
            "expected none"
        )
    for body in system.bodies:
        if len(body.reference()) != len(body.dofs):
            raise _refused(body.name, "turns about more than one axis")
        _check_mass(system, body.name, state)
    n, count = system.size, len(system.items)
    K, D = np.zeros((2, count, n, n))
    for i, item in enumerate(system.items):
        if item.name not in system.history_layout.names:
            own = item_dofs(system, item)
            block = np.ix_(own, own)
            by_q, by_v = item.tangents(state.t, *system.local(item, state))
            K[i][block], D[i][block] = -by_q, -by_v
    force = _forces(system, state)
    items = LinearItems(system.mass_matrix(state.q), force + K @ state.q + D @ state.v, K, D)
    _probe(system, items)
    return items


def occupied(pattern: npt.NDArray[np.bool_]) -> Integers:
    """Where each row of a pattern (n, n) begins and ends, (n, 2); empty rows are (0, 0).

    Examples
    --------
    >>> occupied(np.array([[True, False], [True, True]])).tolist()
    [[0, 1], [0, 2]]
    """
    ends = np.zeros((len(pattern), 2), dtype=np.int64)
    for row, columns in zip(ends, pattern, strict=True):
        found = np.flatnonzero(columns)
        if len(found):
            row[:] = found[0], found[-1] + 1
    return ends


def item_dofs(system: System, item: Item) -> Integers:
    """Indices of an item's dofs in the system."""
    count = np.arange(system.size, dtype=float)
    return system.local(item, State(0.0, system.rest().q, count))[1].astype(np.int64)


def probes(system: System) -> Iterator[State]:
    """Random states about the reference position, at a later time."""
    state, rng = system.rest(), np.random.default_rng(0)
    for size in SIZES:
        q, v = (x + size * rng.standard_normal(system.size) for x in (state.q, state.v))
        yield replace(state, t=state.t + LATER, q=q, v=v)


def _probe(system: System, items: LinearItems) -> None:
    """Compare with the forces at random states."""
    for probe in probes(system):
        K, D, q, v = items.stiffnesses, items.dampings, probe.q, probe.v
        expected = items.constants - K @ q - D @ v
        terms = np.abs(items.constants) + np.abs(K) @ np.abs(q) + np.abs(D) @ np.abs(v)
        scale = TOLERANCE * terms.max(axis=1) + 1e-300
        try:
            off = np.abs(_forces(system, probe) - expected).max(axis=1) > scale
        except SolverError as error:  # teeth out of mesh, a rod of no length
            name = str(error).split(":")[0]
            raise _refused(name, "has a force that is not linear") from error
        if off.any():
            raise _refused(system.items[int(np.argmax(off))].name, "has a force that is not linear")


def _check_mass(system: System, name: str, state: State) -> None:
    body = next(body for body in system.bodies if body.name == name)
    q = system.local(body, state)[0]
    rng = np.random.default_rng(0)
    here, there = body.mass_matrix(q), body.mass_matrix(q + 1e-3 * rng.standard_normal(len(q)))
    if np.abs(here - there).max(initial=0.0) > TOLERANCE * np.abs(here).max(initial=0.0):
        raise _refused(name, "has a mass matrix that changes")


def _forces(system: System, state: State) -> Floats:
    """Forces (items, n) of the items without history."""
    return system.forces(state, {name: np.zeros(1) for name in system.history_layout.names})


def _refused(name: str, why: str) -> InputError:
    return InputError(
        f"invalid '{name}' in the compiled explicit loop: expected backend='auto' or 'general', "
        f"as it {why}"
    )
