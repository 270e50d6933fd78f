"""Equilibria of a system over a parameter, through folds.

    0 = f(q, v) + A^T lam,      0 = c(q)

The unknowns are the coordinates q and the multipliers lam. Prescribed speeds keep bodies running,
A v = b, as in steady sliding. The branch is followed by arc length, so it passes the folds at which
a structure snaps through, a clutch locks itself or an edge loses contact; beyond a fold there is no
equilibrium nearby, and `steady_state` fails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from fecontact.analysis.continuation import Path, PathOptions, TestFunctions, follow
from fecontact.analysis.steady.equilibrium import elastic_terms, steady_state
from fecontact.analysis.steady.flanks import changed_flanks, with_changed_flanks
from fecontact.errors import InputError
from fecontact.solvers.imbalance import Imbalance
from fecontact.system import State, System
from fecontact.system.variants.family import Family
from fecontact.typing import Floats

__all__ = ["Equilibria", "equilibrium_path"]

DIFFERENCE = 1e-7
"""Relative step of the difference by the parameter."""


@dataclass(frozen=True)
class Equilibria:
    """Equations of equilibrium over a parameter, for `follow`.

    Parameters
    ----------
    system
        System at a value of the parameter, without bodies of three rotations.
    t
        Time in s at which loads are taken.
    """

    system: Callable[[float], System]
    t: float = 0.0

    def state(self, u: Floats, parameter: float) -> State:
        """State of the unknowns (q, lam)."""
        return self._state(self.system(parameter), u)

    def evaluate(self, u: Floats, parameter: float) -> tuple[Floats, Floats]:
        """Residual and its derivative by the unknowns."""
        system = self.system(parameter)
        state, n = self._state(system, u), system.size
        force, by_q, by_v = system.evaluate(state)
        rows = system.constraint(state)
        A, lam = rows.jacobian, state.lam
        J = np.zeros((len(u), len(u)))
        J[:n, :n] = by_q + rows.d_load(lam) - by_v @ _following(A, rows.d_rate())
        J[:n, n:] = A.T
        J[n:, :n] = A
        # a drive of the speed alone binds no coordinate: here it keeps its own one
        value = np.where(system.position_rows, rows.value, A @ state.q)
        return np.concatenate([force + A.T @ lam, value]), J

    def by_parameter(self, u: Floats, parameter: float, residual: Floats) -> Floats:
        """Derivative of the residual by the parameter: a difference."""
        changed = parameter + DIFFERENCE * (abs(parameter) or 1.0)
        return (self.evaluate(u, changed)[0] - residual) / (changed - parameter)

    def imbalance(self, u: Floats, parameter: float, residual: Floats) -> Imbalance:
        """Residual relative to the forces that act; a short last step meets the constraints."""
        system = self.system(parameter)
        state, n = self._state(system, u), system.size
        held = np.abs(system.constraint(state).jacobian).T @ np.abs(state.lam)
        acting = np.abs(system.forces(state)).sum(axis=0) + held + elastic_terms(system, state.q)
        products = acting + np.abs(system.evaluate(state)[1]) @ np.abs(state.q)
        parts = residual[:n], acting, products
        scale = np.sqrt(np.diag(system.mass_matrix(state.q)))
        return Imbalance.of(*(part / scale for part in parts))

    def _state(self, system: System, u: Floats) -> State:
        n = system.size
        if len(system.rest().q) != n:
            raise InputError(
                "a path of equilibria needs vector coordinates: a body with three rotations has "
                "none; use the dofs of a rotor (rx, ry, spin)"
            )
        still = State(self.t, u[:n], np.zeros(n), u[n:])
        if not system.rows:
            return still
        rows = system.constraint(still)
        v = np.asarray(np.linalg.lstsq(rows.jacobian, -rows.rate, rcond=None)[0], dtype=float)
        return State(self.t, u[:n], v, u[n:])


def equilibrium_path(
    system: Callable[[float], System],
    start: float,
    options: PathOptions,
    direction: float = 1.0,
    guess: Floats | None = None,
    tests: TestFunctions | None = None,
) -> Path:
    """Follow the equilibria of a system from a value of its parameter on.

    Parameters
    ----------
    system
        System at a value of the parameter. Gears keep the flanks that carry the load at `start`.
    start
        First value; the equilibrium there is found by `steady_state`.
    options
        Range of the parameter and steps; `size` is that of the coordinates.
    direction
        Sign of the first change of the parameter.
    guess
        First guess of the coordinates, the reference position by default.
    tests
        See `follow`.

    Returns
    -------
    Path
        Its unknowns are the coordinates, then the multipliers.
    """
    family = Family(system)
    given = family(start)
    steady = steady_state(given, guess)
    changed = changed_flanks(given, steady.system)
    first, equations = steady.state, Equilibria(lambda at: with_changed_flanks(family(at), changed))
    u = np.concatenate([first.q, first.lam])
    scale = np.abs(first.q).max(initial=0.0) or 1.0 if options.size is None else options.size
    everywhere = np.broadcast_to(scale, len(first.q))
    size = np.append(everywhere, np.full(len(first.lam), np.inf))  # multipliers follow
    return follow(equations, u, start, replace(options, size=size), direction, tests)


def _following(A: Floats, turned: Floats) -> Floats:
    """Change (n, n) of the least speeds with A v = b along a step."""
    if not len(A):
        return np.zeros((A.shape[1], A.shape[1]))
    return np.asarray(np.linalg.lstsq(A, turned, rcond=None)[0])
