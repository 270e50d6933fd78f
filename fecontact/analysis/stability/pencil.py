"""Linearisation that keeps the multipliers of the constraints: a differential-algebraic pencil.

Unknowns are dq, dv and dlam; with f_q = df/dq + d(A^T lam)/dq,

    z dq = dv,     z M dv = f_q dq + f_v dv + A^T dlam,
    0 = A dq                         rows that bind positions
    0 = d(c')/dq dq + A dv           rows that bind velocities only

Every independent row of position level adds three infinite eigenvalues, every one of velocity level
two, and a zero: motion along the bound direction is not seen (Jehle 2.3.3). Its finite eigenvalues
are those of `linearise`, which eliminates the constraints, and these zeros.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from fecontact.analysis.stability.linearise import check_constrained
from fecontact.analysis.stability.scope import scope_of
from fecontact.solvers.pencil import FiniteEigenvalues, finite_eigenvalues
from fecontact.system import State, System
from fecontact.system.loaded import loaded_system
from fecontact.typing import Floats

__all__ = ["Pencil", "pencil"]

RANK = 1e-9
"""Singular values of scaled rows below this fraction of the largest: redundant."""


@dataclass(frozen=True)
class Pencil:
    """z E - B of small motions, in the metric of the mass.

    Attributes
    ----------
    E, B : (2 n + r, 2 n + r)
        With dq and dv scaled by the Cholesky factor of M, and time by `rate`.
    rate
        In 1/s.
    position_rows, velocity_rows
        Numbers of independent rows.
    """

    E: Floats
    B: Floats
    rate: float
    position_rows: int
    velocity_rows: int

    @property
    def finite(self) -> int:
        """Number of finite eigenvalues that the constraints leave."""
        n = (len(self.E) - self.position_rows - self.velocity_rows) // 2
        return 2 * n - 2 * self.position_rows - self.velocity_rows

    def eigenvalues(self) -> FiniteEigenvalues:
        """Finite eigenvalues in 1/s, and the number of infinite ones."""
        found = finite_eigenvalues(self.E, self.B)
        return FiniteEigenvalues(found.z * self.rate, found.right, found.infinite)


def pencil(system: System, state: State) -> Pencil:
    """Linearise a system about a steady state with its multipliers as unknowns.

    Redundant rows carry no information: independent combinations of the rows are kept, first of
    those that bind positions. There is a warning if no contact carries load.

    Parameters
    ----------
    system
        The system; friction as of sliding points.
    state
        As `steady_state` gives it.
    """
    system = loaded_system(system, state)
    check_constrained(system, state)
    scope_of(system, state).warn_unloaded()
    n = system.size
    L = la.cholesky(system.mass_matrix(state.q), lower=True)
    df_dq, df_dv = system.tangents(state)
    rows = system.constraint(state)
    f_q, f_v = (_scaled(L, part) for part in (df_dq + rows.d_load(state.lam), df_dv))
    A, d_rate = (
        la.solve_triangular(L, part.T, lower=True).T for part in (rows.jacobian, rows.d_rate())
    )
    bound = system.position_rows
    held = _independent(A[bound], np.zeros((0, n)))
    driven = _independent(A[~bound], held @ A[bound])
    A_held, A_driven, turned = held @ A[bound], driven @ A[~bound], driven @ d_rate[~bound]
    p, r = len(held), len(held) + len(driven)
    rate = float(np.sqrt(np.linalg.norm(f_q))) or 1.0
    E, B = np.zeros((2, 2 * n + r, 2 * n + r))
    E[: 2 * n, : 2 * n] = np.eye(2 * n)
    B[:n, n : 2 * n] = np.eye(n)
    B[n : 2 * n] = np.hstack([f_q / rate**2, f_v / rate, A_held.T, A_driven.T])
    B[2 * n : 2 * n + p, :n] = A_held
    B[2 * n + p :, : 2 * n] = np.hstack([turned / rate, A_driven])
    return Pencil(E, B, rate, p, r - p)


def _scaled(L: Floats, matrix: Floats) -> Floats:
    """L^-1 matrix L^-T."""
    half = la.solve_triangular(L, matrix, lower=True)
    return np.asarray(la.solve_triangular(L, half.T, lower=True).T)


def _independent(A: Floats, known: Floats) -> Floats:
    """Combinations (r, m) of rows A (m, n), orthonormal beside the span of `known` rows."""
    if not len(A):
        return np.zeros((0, 0))
    A = A / np.maximum(np.linalg.norm(A, axis=1), 1e-300)[:, None]
    beside = A
    if len(known):
        span = la.orth(known.T)
        beside = A - (A @ span) @ span.T
    left, singular, _ = np.linalg.svd(beside, full_matrices=False)
    return np.ascontiguousarray(left[:, singular > RANK * max(singular[0], 1e-300)].T)
