"""Whether a balanced state stays balanced while it runs on: nothing may depend on where it is.

A steady state runs with constant v and lam, while q moves along v and frames of prescribed motion
move with time; joints that turn with it carry their reactions along. The balance f + A^T lam tells,

- at a few later times, along the motion: forces and prescribed speeds that change with time,
- after several travels of the moving coordinates and frames, up to some 20 m or rad: what a slow
  motion reaches late, such as a pin that leaves its disc, or a patch that turns away from a pin.

A change that begins after the last of them is not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from fecontact.body.base import as_body
from fecontact.contact.pair import ContactPair
from fecontact.errors import SolverError
from fecontact.system import State, System
from fecontact.system.constraints.rows import Constraints
from fecontact.typing import Floats, Item, supporting

__all__ = ["check_later", "moves_on"]

LATER = (0.739e-3, 0.739e-2, 0.0739, 0.739, 7.39)
"""Times in s after that of the state; no multiples of a likely period."""

TRAVELS = (0.0113, 0.117, 0.731, 1.93, 3.37, 5.19, 19.7)
"""Travels in m or rad of the fastest and of the slowest coordinate that moves: decades for what has
an end, and angles within a turn for what is not round; in no simple ratio to each other."""

CHANGED = 1e-5
"""Fraction of all forces, or of all speeds, up to which there is no change."""

AT_REST = 1e-6
"""Fraction of all speeds, in the metric of M, below which a velocity is round-off: beside stiff
coordinates the speeds of soft ones are known no better."""


def check_later(system: System, state: State, elastic: Floats) -> None:
    """Raise if forces or prescribed speeds change along the motion of a balanced state.

    Parameters
    ----------
    system, state
        The system and its balanced state.
    elastic : (n,)
        Sizes of the elastic forces, which the force of a body contains in balance.
    """
    now = _Now(system, state, elastic)
    timeless = {} if now.path.any() else now.known(now.contacts - now.time_dependent)
    for later in LATER:
        now.compare(now.after(later, later), timeless)
    for later in _times(now.path):
        now.compare(now.after(0.0, later), {})
    others = now.known(item.name for item in system.items if item.name not in now.time_dependent)
    for later in _times(now.frame_speeds):
        now.compare(now.after(later, later), others)


def moves_on(system: System, state: State) -> bool:
    """Whether coordinates, or frames of bodies in contact, move on in a balanced state."""
    items = (item for item in system.items if isinstance(item, ContactPair))
    return bool(np.any(state.v)) or any(item.time_dependent for item in items)


def _times(speeds: Floats) -> Iterator[float]:
    """Times in s in which the fastest and the slowest of all that moves cover the travels."""
    moving = np.abs(speeds[speeds != 0.0])
    if len(moving):
        for speed in {float(moving.max()), float(moving.min())}:
            yield from (travel / speed for travel in TRAVELS)


@dataclass(frozen=True, eq=False)
class _Now:
    """A balanced state, with which later ones are compared."""

    system: System
    state: State
    elastic: Floats

    @cached_property
    def root(self) -> Floats:
        """Factor L of M = L L^T."""
        return np.asarray(np.linalg.cholesky(self.system.mass_matrix(self.state.q)), dtype=float)

    @cached_property
    def forces(self) -> Floats:
        """Forces (items, n)."""
        return self.system.forces(self.state)

    @cached_property
    def rows(self) -> Constraints:
        """Constraint rows."""
        return self.system.constraint(self.state)

    @cached_property
    def balance(self) -> Floats:
        """What is left, (n,)."""
        return self.forces.sum(axis=0) + self.rows.jacobian.T @ self.state.lam

    @cached_property
    def allowed(self) -> float:
        """Change of the forces that is none, in the metric of M^-1."""
        return CHANGED * float(self.size(np.abs(self.forces).sum(axis=0) + self.elastic))

    @cached_property
    def allowed_rates(self) -> Floats:
        """Change of the rates of the rows that is none."""
        return (
            CHANGED * self.size(self.rows.jacobian.T) * np.linalg.norm(self.root.T @ self.state.v)
        )

    @cached_property
    def path(self) -> Floats:
        """Velocities without those that are round-off."""
        v = self.state.v
        speeds = np.linalg.norm(self.root, axis=1) * np.abs(v)
        return np.where(speeds > AT_REST * np.linalg.norm(speeds), v, 0.0)

    @cached_property
    def frame_speeds(self) -> Floats:
        """Speeds in m/s and rad/s of the prescribed frames of bodies in contact."""
        time_dependent = (item for item in self.system.items if item.name in self.time_dependent)
        bodies = (as_body(body) for item in time_dependent for body in item.bodies)
        frames = [
            frame.at(self.state.t, np.asarray(body.position, dtype=float)).velocity
            for body in bodies
            if (frame := body.prescribed_frame) is not None
        ]
        return np.linalg.norm(np.reshape(frames, (-1, 3)), axis=1)

    @cached_property
    def contacts(self) -> set[str]:
        """Names of all contacts."""
        return {item.name for item in supporting(self.system.items, "status")}

    @cached_property
    def time_dependent(self) -> set[str]:
        """Names of the contacts whose forces at fixed coordinates change with time."""
        items = (item for item in self.system.items if isinstance(item, ContactPair))
        return {item.name for item in items if item.time_dependent}

    def size(self, force: Floats) -> Floats:
        """Sizes of forces (n, ...) in the metric of M^-1."""
        return np.linalg.norm(np.linalg.solve(self.root, force), axis=0)

    def known(self, names: Iterable[str]) -> dict[str, Floats]:
        """Forces by name of items that are not to be asked again."""
        system = self.system
        return {
            name: self.forces[system.item_indices[name]][system.dof_indices(name)] for name in names
        }

    def after(self, time: float, along: float) -> State:
        """State at a later time, moved on along the path."""
        q = self.system.move(self.state.q, along * self.path)
        return replace(self.state, t=self.state.t + time, q=q)

    def compare(self, then: State, known: Mapping[str, Floats]) -> None:
        """Raise if forces or prescribed speeds have changed."""
        system = self.system
        try:
            forces, rows = system.forces(then, known), system.constraint(then)
        except SolverError as error:
            raise _not_steady(f"at t = {then.t:.3g} s {error}") from error
        change = forces.sum(axis=0) + rows.jacobian.T @ self.state.lam - self.balance
        if self.size(change) > self.allowed:
            still = system.forces(replace(then, t=self.state.t), known)
            raise _not_steady(self._why(then, forces, still))
        faster = np.abs(rows.rate - self.rows.rate) - self.allowed_rates
        if faster.max(initial=0.0) > 0.0:
            row = system.rows[int(np.argmax(faster))]
            raise _not_steady(f"the prescribed speed of '{row}' changes with time")

    def _why(self, then: State, forces: Floats, still: Floats) -> str:
        """What changes: `still` are the forces there at the time of this state."""
        items = self.system.items
        for item in items:
            lost = self._lost(item, then)
            if lost:
                return lost
        by_time = self.size((forces - still).T)
        if by_time.max() > self.allowed:
            return f"the force of '{items[int(np.argmax(by_time))].name}' changes with time"
        changed = items[int(np.argmax(self.size((forces - self.forces).T)))]
        return f"the prescribed motion changes the forces, most that of '{changed.name}'"

    def _lost(self, item: Item, then: State) -> str:
        """In words, whether the points of a contact leave its master; empty if they do not."""
        if not isinstance(item, ContactPair):
            return ""
        before = item.status(*self.system.local(item, self.state), self.state.t)
        after = item.status(*self.system.local(item, then), then.t)
        closed, left = (np.count_nonzero(each.pressure > 0.0) for each in (before, after))
        if left >= closed:
            return ""
        return (
            f"contact '{item.name}' moves off its master: {closed} of its points touch now, {left} "
            "where the prescribed motion takes them"
        )


def _not_steady(why: str) -> SolverError:
    return SolverError(
        f"no steady state: {why}; give t= for the balance at that time alone, or simulate"
    )
