"""Whether a balanced state stays balanced: forces and prescribed speeds must not change with time.

A steady state runs with constant v and lam, while q moves along v; joints that turn with it carry
their reactions along. The balance f + A^T lam at a few later times tells; a change that begins
after the last of them is not seen.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fecontact.errors import SolverError
from fecontact.system import State, System
from fecontact.typing import Contact, Floats

__all__ = ["check_later"]

LATER = (0.739e-3, 0.739e-2, 0.0739, 0.739, 7.39)
"""Times in s after that of the state; no multiples of a likely period."""

CHANGED = 1e-5
"""Share of all forces, or of all speeds, up to which there is no change."""

AT_REST = 1e-6
"""Share of all speeds, in the metric of M, below which a velocity is round-off: beside stiff
coordinates the speeds of soft ones are known no better."""


def check_later(system: System, state: State, elastic: Floats) -> None:
    """Raise if forces or prescribed speeds change with time along the motion of a balanced state.

    Parameters
    ----------
    system, state
        The system and its balanced state.
    elastic : (n,)
        Sizes of the elastic forces, which the force of a body contains in balance.
    """
    root = np.linalg.cholesky(system.mass_matrix(state.q))

    def size(force: Floats) -> Floats:
        """Sizes of forces (n, ...) in the metric of M^-1."""
        return np.linalg.norm(np.linalg.solve(root, force), axis=0)

    forces, rows = system.forces(state), system.constraint(state)
    balance = forces.sum(axis=0) + rows.jacobian.T @ state.lam
    all_forces = size(np.abs(forces).sum(axis=0) + elastic)
    fast = size(rows.jacobian.T) * np.linalg.norm(root.T @ state.v)
    speeds = np.linalg.norm(root, axis=1) * np.abs(state.v)
    path = np.where(speeds > AT_REST * np.linalg.norm(speeds), state.v, 0.0)
    at_rest = {} if path.any() else _unchanged(system, forces)
    for later in LATER:
        then = replace(state, t=state.t + later, q=system.move(state.q, later * path))
        try:
            forces, now = system.forces(then, at_rest), system.constraint(then)
        except SolverError as error:
            raise _not_steady(f"at t = {then.t:.3g} s {error}") from error
        change = forces.sum(axis=0) + now.jacobian.T @ state.lam - balance
        if size(change) > CHANGED * all_forces:
            by_time = size((forces - system.forces(replace(then, t=state.t), at_rest)).T)
            if not by_time.any():
                raise _not_steady("the prescribed motion changes the forces")
            item = system.items[int(np.argmax(by_time))]
            raise _not_steady(f"the force of '{item.name}' changes with time")
        faster = np.abs(now.rate - rows.rate) - CHANGED * fast
        if faster.max(initial=0.0) > 0.0:
            row = system.rows[int(np.argmax(faster))]
            raise _not_steady(f"the prescribed speed of '{row}' changes with time")


def _unchanged(system: System, forces: Floats) -> dict[str, Floats]:
    """Forces of the contacts by name: while all rests they cannot change, as they know no time."""
    return {
        item.name: force[system.place(item.name)]
        for item, force in zip(system.items, forces, strict=True)
        if isinstance(item, Contact)
    }


def _not_steady(why: str) -> SolverError:
    return SolverError(
        f"no steady state: {why}; give t= for the balance at that time alone, or simulate"
    )
