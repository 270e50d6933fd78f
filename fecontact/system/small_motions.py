"""Matrices of small motions about a state, with the constraints eliminated.

dq = Z y, A Z = 0, Z^T M Z = I; with W y the velocities by which dq turns the constraints,
A W + d(c')/dq Z = 0,

    D + G = -Z^T df/dv Z,      K + N = -Z^T (df/dq + d(A^T lam)/dq) Z - Z^T df/dv W .
"""

from __future__ import annotations

from typing import NamedTuple

from fecontact.system.constraints.metric import row_metric
from fecontact.system.state import State
from fecontact.system.system import System
from fecontact.typing import Floats, Tangents

__all__ = ["SmallMotions", "small_motions"]


class SmallMotions(NamedTuple):
    """M, D + G and K + N (k, k) of the amplitudes y; the rest is None without constraints.

    Attributes
    ----------
    basis, turned : (n, k)
        Z and W.
    dof_mass : (n, n)
        Mass matrix of the dofs.
    """

    mass: Floats
    by_rate: Floats
    by_position: Floats
    basis: Floats | None = None
    turned: Floats | None = None
    dof_mass: Floats | None = None


def small_motions(system: System, state: State, tangents: Tangents) -> SmallMotions:
    """Eliminate the constraints at a state, which has multipliers, from df/dq and df/dv."""
    (df_dq, df_dv), mass = tangents, system.mass_matrix(state.q)
    if not system.constraints:
        return SmallMotions(mass, -df_dv, -df_dq)
    rows = system.constraint(state)
    metric = row_metric(mass, rows.jacobian)
    Z = metric.null_space()
    W = -metric.step(rows.d_rate() @ Z)
    K = (df_dq + rows.d_load(state.lam)) @ Z + df_dv @ W
    return SmallMotions(Z.T @ mass @ Z, -Z.T @ df_dv @ Z, -Z.T @ K, Z, W, mass)
