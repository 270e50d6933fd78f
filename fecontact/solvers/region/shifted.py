"""One quadratic problem seen from a shift: (z^2 M + z D + K) x = 0 as theta w = S w.

With w = (x_a, z x_a / rate), x_a the unknowns that M or D act on, and theta = 1/(z - shift),

    Q = shift^2 M + shift D + K,      x' = -Q^-1 ((shift M + D) x + rate M s),
    s' = (x + shift x') / rate .

One factorisation of Q (n, n) replaces that of the companion pencil (2 n, 2 n). Unknowns without
inertia and damping, such as multipliers, follow from the others; they take no part in w.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

from fecontact.errors import SingularError
from fecontact.typing import Complexes, Floats, Integers

__all__ = ["Quadratic", "Shifted", "factorise_general"]

LOOSE_PIVOTS = 0.01
"""Fraction of the largest entry of a column that a diagonal pivot needs."""

ACCURATE = 1e-11
"""Residual of a solution, relative to |Q| |x|, up to which loose pivots are good enough."""


def factorise_general(Q: sp.csc_array) -> Any:
    """SuperLU factors of a matrix whose pattern is nearly symmetric, such as Q of a structure.

    Diagonal pivots are preferred, which keeps the factors of elastic bodies small; where that is
    not accurate, with partial pivoting.
    """
    try:
        factors = splu(
            Q,
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=LOOSE_PIVOTS,
            options={"SymmetricMode": True},
        )
        if _accurate(Q, factors):
            return factors
        return splu(Q)
    except RuntimeError as error:
        raise SingularError(
            "the matrix is singular: an eigenvalue, or unknowns without equation; choose another "
            "shift, or hold what moves freely"
        ) from error


def _accurate(Q: sp.csc_array, factors: Any) -> bool:
    b = np.random.default_rng(0).standard_normal(Q.shape[0]).astype(Q.dtype)
    x = factors.solve(b)
    if not np.isfinite(x).all():
        return False
    return bool(np.linalg.norm(Q @ x - b) <= ACCURATE * sp.linalg.norm(Q) * np.linalg.norm(x))


@dataclass(frozen=True, eq=False)
class Quadratic:
    """Scaled matrices M, D, K (n, n) of a quadratic problem.

    Rows and columns are divided by the roots of the diagonal of M, so that displacements, rotations
    and forces have one size.

    Attributes
    ----------
    mass, damping, stiffness
        The scaled matrices.
    scale : (n,)
        Solutions x of the given problem are those of the scaled one divided by it.
    active : (a,)
        Unknowns that mass or damping act on.
    rate
        Typical |z| in 1/s, by which velocities are divided.
    """

    mass: sp.csr_array
    damping: sp.csr_array
    stiffness: sp.csr_array
    scale: Floats
    active: Integers
    rate: float

    @staticmethod
    def of(M: sp.csr_array, D: sp.csr_array, K: sp.csr_array, rate: float) -> Quadratic:
        """Scale a problem; `rate` is a typical |z|."""
        given = [sp.csr_array(A) for A in (M, D, K)]
        columns = abs(given[0]).sum(axis=0) + abs(given[1]).sum(axis=0)
        scale = np.sqrt(np.abs(given[0].diagonal()))
        for A, power in ((given[1], 1), (given[2], 2)):
            other = np.sqrt(np.abs(A.diagonal()) / rate**power)
            scale = np.where(scale > 0.0, scale, other)
        none = scale == 0.0
        if none.any():  # multipliers: rows of a size with the others
            inverse = np.divide(1.0, scale, out=np.zeros_like(scale), where=~none)
            rows = (abs(given[2]) + rate * abs(given[1])) @ inverse / rate**2
            scale = np.where(none, np.where(rows > 0.0, rows, 1.0), scale)
        S = sp.diags_array(1.0 / scale)
        M, D, K = (sp.csr_array(S @ A @ S) for A in given)
        return Quadratic(M, D, K, scale, np.flatnonzero(columns), rate)

    def at(self, z: complex) -> sp.csc_array:
        """Matrix z^2 M + z D + K."""
        return sp.csc_array(z**2 * self.mass + z * self.damping + self.stiffness)

    def residuals(self, z: Complexes, X: Complexes) -> Floats:
        """Backward errors |Q(z) x| / ((|z|^2 |M| + |z| |D| + |K|) |x|) of pairs (k,), (n, k)."""
        left: Any = (self.mass @ X) * z**2 + (self.damping @ X) * z + self.stiffness @ X
        M, D, K = self._norms
        sizes = np.abs(z) ** 2 * M + np.abs(z) * D + K
        return np.asarray(np.linalg.norm(left, axis=0) / (sizes * np.linalg.norm(X, axis=0)))

    @cached_property
    def _norms(self) -> tuple[float, float, float]:
        """Sizes of the matrices: typical ones of their rows, which multipliers do not enlarge."""
        M, D, K = (
            float(np.sqrt(sp.linalg.norm(A) ** 2 / max(A.shape[0], 1)))
            for A in (self.mass, self.damping, self.stiffness)
        )
        return M, D, K


class Shifted:
    """A quadratic problem at a shift, factorised."""

    def __init__(self, problem: Quadratic, shift: complex) -> None:
        self.problem, self.shift = problem, shift
        self.factors = factorise_general(problem.at(shift))
        active, rate = problem.active, problem.rate
        first = shift * problem.mass + problem.damping
        both = sp.hstack([first[:, active], rate * problem.mass[:, active]])
        self._forced = sp.csr_array(both, dtype=complex)

    @property
    def size(self) -> int:
        """Number of entries of w."""
        return 2 * len(self.problem.active)

    def __call__(self, w: Complexes) -> Complexes:
        """S w."""
        count = len(self.problem.active)
        new = -self.factors.solve(self._forced @ w)[self.problem.active]
        return np.concatenate([new, (w[:count] + self.shift * new) / self.problem.rate])

    def adjoint(self, w: Complexes) -> Complexes:
        """S^H w."""
        count, rate = len(self.problem.active), self.problem.rate
        at = np.zeros(self.problem.mass.shape[0], dtype=complex)
        at[self.problem.active] = w[:count] + np.conj(self.shift) / rate * w[count:]
        result: Any = -(self._forced.T @ self.factors.solve(at, "H").conj()).conj()
        result[:count] += w[count:] / rate
        return np.asarray(result)

    def right_start(self, x: Complexes, z: complex) -> Complexes:
        """Entries w of unknowns x (n,) of the given problem, not scaled, that move as exp(z t)."""
        own = (self.problem.scale * x)[self.problem.active]
        return np.concatenate([own, z / self.problem.rate * own])

    def left_start(self, y: Complexes, z: complex) -> Complexes:
        """Entries of a left vector y (n,) of the given problem at z."""
        count, rate = len(self.problem.active), self.problem.rate
        own = self.problem.scale * y
        both: Any = -(self._forced.T @ own.conj()).conj()
        both[:count] += np.conj(z - self.shift) / rate * both[count:]
        return np.asarray(both)

    def vectors(self, W: Complexes) -> Complexes:
        """All unknowns x (n, k) of unit length, from eigenvectors w (2 a, k) of S."""
        X = -self.factors.solve(np.asarray(self._forced @ W))
        return np.asarray(X / np.linalg.norm(X, axis=0))
