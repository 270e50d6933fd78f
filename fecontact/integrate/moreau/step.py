"""One step of the measure differential inclusion: velocities that obey dynamics and constraints.

    S d = r + A^T Lam + J^T L,      A d = c,      d = v+ - v-

S is the mass matrix for an impact, and M - theta^2 h^2 df/dq - theta h df/dv for a time step, r its
load. Bilateral rows A may be redundant: d = d_p + Z y with the null space Z of A.
"""

from __future__ import annotations

import numpy as np

from fecontact.typing import Floats

__all__ = ["StepEquation"]

RANK = 1e-10
"""Fraction of the largest singular value of A below which a row is redundant."""


class StepEquation:
    """Linear equations of one step.

    Parameters
    ----------
    matrix : (n, n)
        S, not necessarily symmetric.
    rows : (m, n), target : (m,)
        A and c of the bilateral constraints.
    """

    def __init__(self, matrix: Floats, rows: Floats, target: Floats) -> None:
        self.matrix, self.rows = matrix, rows
        self.basis: Floats | None = None
        self.shift = np.zeros(len(matrix))
        if len(rows):
            left, sizes, right = np.linalg.svd(rows)
            rank = int(np.sum(sizes > RANK * sizes[0]))
            self.basis = right[rank:].T
            self.shift = right[:rank].T @ ((left[:, :rank].T @ target) / sizes[:rank])

    def solve(self, load: Floats, jacobian: Floats) -> tuple[Floats, Floats]:
        """Free step (n,) under a load (n,), and steps (n, r) per impulse of rows J (r, n)."""
        if self.basis is None:
            right = np.column_stack([load, jacobian.T])
            found = np.asarray(np.linalg.solve(self.matrix, right), dtype=float)
            return found[:, 0], found[:, 1:]
        Z = self.basis
        right = np.column_stack([load - self.matrix @ self.shift, jacobian.T])
        found = Z @ np.asarray(np.linalg.solve(Z.T @ self.matrix @ Z, Z.T @ right), dtype=float)
        return found[:, 0] + self.shift, found[:, 1:]

    def multipliers(self, load: Floats, step: Floats) -> Floats:
        """Impulses (m,) of the bilateral rows in a step (n,); the smallest if rows are redundant.

        The load contains the contact impulses J^T L.
        """
        if not len(self.rows):
            return np.zeros(0)
        missing = self.matrix @ step - load
        return np.asarray(np.linalg.lstsq(self.rows.T, missing, rcond=RANK)[0])
