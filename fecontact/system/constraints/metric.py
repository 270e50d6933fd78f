"""Constraint rows in the metric of the mass, and their truncated decomposition.

With M = L L^T and N the diagonal that gives every row unit length,

    D = N A L^-T = U S V^T .

The entries of D have no unit, and a change of units of length, mass, coordinates or rows changes
nothing in it: the rank is a property of the mechanism. Singular values below `RANK_TOLERANCE` times
the largest one are cut off; otherwise round-off in redundant rows locks a mechanism that can move
(Keppler, section 3.4).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dpotrf, dtrtrs

from fecontact.errors import SingularError, SolverError
from fecontact.typing import Floats

__all__ = ["RANK_TOLERANCE", "RowMetric", "row_metric"]

RANK_TOLERANCE = 1e-6
"""A row within this angle of the span of others counts as redundant."""

ZERO_ROW = 1e-12
"""Rows shorter than this fraction of the longest one do not depend on the dofs at all."""


@dataclass(frozen=True)
class RowMetric:
    """Decomposed rows A (m, n) with mass matrix M = L L^T.

    Attributes
    ----------
    jacobian : (m, n)
        A.
    factor : (n, n)
        L, lower triangular.
    lengths : (m,)
        sqrt(A M^-1 A^T) of each row.
    weights : (m,)
        N: the reciprocal lengths, 0 for a row that depends on no dof.
    scaled : (m, n)
        D.
    left, right : (m, r), (r, n)
        U and V^T.
    singular_values
        All of them, the r that count first.
    """

    jacobian: Floats
    factor: Floats
    lengths: Floats
    weights: Floats
    scaled: Floats
    left: Floats
    right: Floats
    singular_values: Floats

    @property
    def rank(self) -> int:
        """Number r of independent rows."""
        return len(self.right)

    def step(self, rate: Floats) -> Floats:
        """Shortest x (n, ...) in the metric of M with A x = rate (m, ...), or nearest to it."""
        return self._free(self.right.T @ self._by_singular(rate, 1))

    def largest(self, x: Floats) -> Floats:
        """Largest rates (m,) that an x of this size can give: row length times |x|_M."""
        return self.lengths * np.linalg.norm(self.factor.T @ x)

    def unmet(self, rate: Floats) -> Floats:
        """Part (m,) of the rates that no x can give."""
        return rate - self.jacobian @ self.step(rate)

    def multipliers(self, rate: Floats) -> Floats:
        """Solve A M^-1 A^T lam = rate for lam (m,) with the smallest |lam/N|."""
        return self.weights * (self.left @ self._by_singular(rate, 2))

    def support(self, force: Floats) -> Floats:
        """Multipliers lam (m,) that leave the smallest f + A^T lam in the metric of M^-1."""
        inner = self.right @ _solve(self.factor, force)
        return -self.weights * (self.left @ (inner / self.singular_values[: self.rank]))

    def acceleration(self, force: Floats) -> Floats:
        """Return M^-1 f."""
        return self._free(_solve(self.factor, force))

    def scaled_matrix(self, K: Floats) -> Floats:
        """Return L^-1 K L^-T: a matrix (n, n) of the dofs in the metric of M."""
        half = _solve(self.factor, K)
        return _solve(self.factor, half.T).T

    def null_space(self) -> Floats:
        """Basis Z (n, n - r) of the motions with A x = 0, with Z^T M Z = I."""
        complete = np.linalg.qr(self.right.T, mode="complete")[0]
        return self._free(complete[:, self.rank :])

    def _by_singular(self, rate: Floats, power: int) -> Floats:
        inner = (self.weights * rate.T) @ self.left / self.singular_values[: self.rank] ** power
        return inner.T

    def _free(self, y: Floats) -> Floats:
        """Return L^-T y."""
        return _solve(self.factor, y, transposed=True)


def row_metric(mass: Floats, jacobian: Floats, max_rank: int | None = None) -> RowMetric:
    """Decompose constraint rows A (m, n) in the metric of a mass matrix (n, n).

    The rank is not larger than `most`: off the constraints redundant rows are a little independent.

    Examples
    --------
    Two equal rows hold a mass twice; each carries half of the load.

    >>> held = row_metric(np.array([[2.0]]), np.array([[1.0], [1.0]]))
    >>> held.rank, held.support(np.array([-10.0])).round(12).tolist()
    (1, [5.0, 5.0])
    """
    L, defect = dpotrf(mass, lower=1) if len(mass) else (mass, 0)
    if defect:
        raise SingularError(
            "the mass matrix is not positive definite at this state; look for a dof without "
            "inertia or an extreme deformation"
        )
    columns = _solve(L, jacobian.T)
    length = np.sqrt(np.einsum("ij,ij->j", columns, columns))
    counts = length > ZERO_ROW * length.max(initial=0.0)
    weights = np.where(counts, 1.0 / np.where(counts, length, 1.0), 0.0)
    columns = columns * weights
    if not np.isfinite(length).all():
        raise SolverError("the constraint rows are not finite: impossible coordinates?")
    V, s, Ut = np.linalg.svd(columns, full_matrices=False)  # of D^T: faster if it is tall
    rank = int(np.count_nonzero(s > RANK_TOLERANCE * s.max(initial=0.0)))
    rank = rank if max_rank is None else min(rank, max_rank)
    return RowMetric(jacobian, L, length, weights, columns.T, Ut[:rank].T, V[:, :rank].T, s)


def _solve(L: Floats, b: Floats, transposed: bool = False) -> Floats:
    """L^-1 b, or L^-T b; LAPACK itself, as the wrapper costs more than a small solve."""
    return dtrtrs(L, b, lower=1, trans=int(transposed))[0] if b.size else np.zeros(b.shape)
