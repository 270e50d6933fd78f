"""Steady states: 0 = f(t, q, v = 0)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fecontact.contact.pair import ContactPair, ContactStatus
from fecontact.solvers.newton import newton
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["SteadyState", "steady_state"]


@dataclass(frozen=True)
class SteadyState:
    """Steady sliding state with what each contact does, and the counters of the solver."""

    state: State
    contacts: Mapping[str, ContactStatus]
    residual: float
    iterations: int


def steady_state(system: System, guess: Floats | None = None) -> SteadyState:
    """Find the coordinates at which all forces balance, by Newton with exact tangents.

    Parameters
    ----------
    system
        In steady sliding its coordinates rest while its bodies spin.
    guess
        First guess of the coordinates, the reference position by default.

    Raises
    ------
    SolverError
        If there is no convergence; an unbalanced state is never returned.
    """
    rest = system.rest()
    inverse_mass = np.linalg.inv(system.mass_matrix(rest.q))

    def at(q: Floats) -> State:
        return State(0.0, q, rest.v)

    def size(force: Floats) -> float:
        """Size sqrt(f^T M^-1 f): forces of all bodies on one scale."""
        with np.errstate(over="ignore", invalid="ignore"):
            return float(np.sqrt(force @ inverse_mass @ force))

    def residual(q: Floats) -> tuple[Floats, float, float]:
        forces = system.forces(at(q))
        r = forces.sum(axis=0)
        return r, size(r), size(np.abs(forces).sum(axis=0))

    answer = newton(
        residual,
        lambda q: system.tangents(at(q))[0],
        rest.q if guess is None else guess,
        move=system.move,
    )
    state = at(answer.x)
    contacts = {
        item.name: item.status(*system.local(item, state))
        for item in system.items
        if isinstance(item, ContactPair)
    }
    return SteadyState(state, contacts, answer.residual, answer.iterations)
