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
from scipy.linalg import cholesky, solve_triangular

from fecontact.errors import SingularError
from fecontact.typing import Floats

__all__ = ["RANK_TOLERANCE", "RowMetric", "row_metric"]

RANK_TOLERANCE = 1e-6
"""A row within this angle of the span of others counts as redundant. Integrators visit states a
little off the constraints, where redundant rows are a little independent."""

ZERO_ROW = 1e-12
"""Rows shorter than this share of the longest one do not depend on the freedoms at all."""


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
        N: the reciprocal lengths, 0 for a row that depends on no freedom.
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
        inner = self.right @ solve_triangular(self.factor, force, lower=True, check_finite=False)
        return -self.weights * (self.left @ (inner / self.singular_values[: self.rank]))

    def acceleration(self, force: Floats) -> Floats:
        """Return M^-1 f."""
        return self._free(solve_triangular(self.factor, force, lower=True, check_finite=False))

    def null_space(self) -> Floats:
        """Basis Z (n, n - r) of the motions with A x = 0, with Z^T M Z = I."""
        complete = np.linalg.qr(self.right.T, mode="complete")[0]
        return self._free(complete[:, self.rank :])

    def _by_singular(self, rate: Floats, power: int) -> Floats:
        inner = (self.weights * rate.T) @ self.left / self.singular_values[: self.rank] ** power
        return inner.T

    def _free(self, y: Floats) -> Floats:
        """Return L^-T y."""
        return solve_triangular(self.factor, y, lower=True, trans="T", check_finite=False)


def row_metric(mass: Floats, jacobian: Floats) -> RowMetric:
    """Decompose constraint rows A (m, n) in the metric of a mass matrix (n, n).

    Examples
    --------
    Two equal rows hold a mass twice; each carries half of the load.

    >>> held = row_metric(np.array([[2.0]]), np.array([[1.0], [1.0]]))
    >>> held.rank, held.support(np.array([-10.0])).round(12).tolist()
    (1, [5.0, 5.0])
    """
    try:
        L = cholesky(mass, lower=True, check_finite=False)
    except np.linalg.LinAlgError as error:
        raise SingularError(
            "the mass matrix is not positive definite at this state; look for a freedom without "
            "inertia or an extreme deformation"
        ) from error
    scaled = solve_triangular(L, jacobian.T, lower=True, check_finite=False).T
    length = np.sqrt(np.einsum("ij,ij->i", scaled, scaled))
    counts = length > ZERO_ROW * length.max(initial=0.0)
    weights = np.where(counts, 1.0 / np.where(counts, length, 1.0), 0.0)
    scaled = weights[:, None] * scaled
    U, s, Vt = np.linalg.svd(scaled, full_matrices=False)
    rank = int(np.count_nonzero(s > RANK_TOLERANCE * s.max(initial=0.0)))
    return RowMetric(jacobian, L, length, weights, scaled, U[:, :rank], Vt[:rank], s)
