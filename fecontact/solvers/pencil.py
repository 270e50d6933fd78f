"""Finite eigenvalues of a pencil z E - B with singular E, as constraints give it.

With a shift s that is no eigenvalue, S = (B - s E)^-1 E has theta = 1/(z - s): an infinite
eigenvalue is theta = 0. Constraints of position level give Jordan blocks of size 3 there, which
round-off spreads over eps^(1/3): they look like large finite eigenvalues. So they are removed
before any eigenvalue is computed. The range of S is kept, then the range of S on it, and so on
until S is regular on what is left; this costs one rank decision by singular values each, and
finite eigenvalues are not touched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg as la

from fecontact.errors import SingularError, SolverError
from fecontact.typing import Complexes, Floats

__all__ = ["FiniteEigenvalues", "finite_eigenvalues"]

RANK = 1e-10
"""Singular values below this fraction of the largest one count as zero."""

ROUND_OFF = 1e-11
"""Singular values below this fraction of the largest one of the whole pencil are round-off, also
with rows of condition 1e4."""

CLEAR = 1e-2
"""The largest singular value that counts as zero, as a fraction of the smallest one that does not;
above, the rank is not clear."""


@dataclass(frozen=True)
class FiniteEigenvalues:
    """Finite eigenvalues (k,), their right vectors (n, k), and the number of infinite ones."""

    z: Complexes
    right: Complexes
    infinite: int


def finite_eigenvalues(E: Floats, B: Floats, rate: float = 1.0) -> FiniteEigenvalues:
    """Finite solutions of z E w = B w.

    Parameters
    ----------
    E, B
        Square matrices; rows and columns should be scaled to similar size.
    rate
        Typical |z| in 1/s: the shift is of this size.

    Raises
    ------
    SingularError
        If det(z E - B) vanishes for all z: unknowns without equation, such as the multipliers of
        redundant constraints.

    Examples
    --------
    A mass held by a constraint has no motion: three infinite eigenvalues.

    >>> E, B = np.diag([1.0, 2.0, 0.0]), np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])
    >>> finite_eigenvalues(E, B).infinite
    3
    """
    shift = 0.7368 * rate  # irrational enough not to be an eigenvalue
    shifted = B - shift * E
    if np.linalg.cond(shifted / np.abs(shifted).max()) > 1e14:
        raise SingularError(
            "the pencil is singular: unknowns without equation, such as multipliers of redundant "
            "constraints; remove these"
        )
    S: Floats = np.asarray(np.linalg.solve(shifted, E) * rate, dtype=float)
    basis, largest = np.eye(len(E)), np.linalg.norm(S, 2)
    while len(S):
        U, singular, _ = np.linalg.svd(S)
        rank = _rank(singular, float(largest))
        if rank == len(S):
            break
        basis, S = basis @ U[:, :rank], np.asarray(U[:, :rank].T @ S @ U[:, :rank], dtype=float)
    theta, w = _eig(S)
    return FiniteEigenvalues(shift + rate / theta, basis @ w, len(E) - len(S))


def _eig(S: Floats) -> tuple[Complexes, Complexes]:
    if not len(S):
        return np.zeros(0, dtype=complex), np.zeros((0, 0), dtype=complex)
    found: Any = la.eig(S)
    return found[0], found[1]


def _rank(singular: Floats, largest: float) -> int:
    """Number of singular values that count, or an error where they do not fall apart.

    `largest` is that of the whole matrix: all that is left of it may be round-off.
    """
    if singular[0] < ROUND_OFF * largest:
        return 0
    rank = int(np.count_nonzero(singular > RANK * singular[0]))
    if 0 < rank < len(singular) and singular[rank] > CLEAR * singular[rank - 1]:
        raise SolverError(
            f"the infinite eigenvalues cannot be told from the finite ones (singular values "
            f"{singular[rank - 1]:.1e}, {singular[rank]:.1e}); eliminate the constraints instead"
        )
    return rank
