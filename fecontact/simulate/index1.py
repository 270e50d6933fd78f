"""Accelerations and projections of a constrained system (index 1), also with redundant rows.

    [M  A^T] [v'  ]   [f    ]
    [A   0 ] [-lam] = [-bias]

With M = L L^T and W = L^-1 A^T the constraint correction has least kinetic energy; redundant rows
get the multipliers of least norm.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg as la

from fecontact.errors import SolverError
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["accelerations", "project"]

SAME_ROW = 1e-9
CLOSED = 1e-13
MOST = 20


def accelerations(system: System, state: State) -> tuple[Floats, Floats]:
    """Accelerations v' (n,) and multipliers lam (m,)."""
    M, force = system.mass_matrix(state.q), system.force(state)
    if not system.rows:
        return np.linalg.solve(M, force), np.zeros(0)
    rows = system.constraint(state)
    L = np.linalg.cholesky(M)
    W = la.solve_triangular(L, rows.jacobian.T, lower=True)
    free = la.solve_triangular(L, force, lower=True)
    pull = _least(W.T, -rows.bias - W.T @ free)
    v_rate = la.solve_triangular(L.T, free + pull)
    return v_rate, _least(W, pull)


def project(system: System, state: State) -> State:
    """Put positions and velocities on the constraints by the least motion in the mass norm."""
    if not system.rows:
        return state
    q, upon = state.q, system.position_rows
    L = np.linalg.cholesky(system.mass_matrix(q))
    for _ in range(MOST):
        rows = system.constraint(State(state.t, q, state.v))
        W = la.solve_triangular(L, rows.jacobian.T, lower=True)
        if np.abs(rows.value).max() <= CLOSED:
            break
        step = la.solve_triangular(L.T, _least(W[:, upon].T, -rows.value[upon]))
        q = system.move(q, step)
        if np.abs(step).max() <= 1e-14:
            break
    else:
        raise SolverError(f"the constraints cannot be closed at t = {state.t:.6g} s")
    v = state.v + la.solve_triangular(L.T, _least(W.T, -rows.rate))
    return State(state.t, q, v, state.lam)


def _least(matrix: Floats, right: Floats) -> Floats:
    return np.linalg.lstsq(matrix, right, rcond=SAME_ROW)[0]
