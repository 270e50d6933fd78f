"""Vibration modes, static shapes, and their union as a mass-orthonormal basis."""

from __future__ import annotations

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from fecontact.errors import InputError
from fecontact.solvers.eigen import fix_signs, lowest_modes
from fecontact.solvers.linear import factorise
from fecontact.typing import Floats, Integers

__all__ = [
    "check_orthonormal",
    "orthonormal",
    "ritz",
    "static_shapes",
    "vibration_modes",
]

ORTHONORMAL_TO = 1e-8
"""Largest entry of X^T M X - 1 that a basis may have."""


def vibration_modes(
    K: sp.csr_array, M: sp.csr_array, free: Integers, count: int
) -> tuple[Floats, Floats]:
    """Lowest modes with the other unknowns held at zero; omega (count,), shapes (n, count)."""
    omega, X = lowest_modes(K[free][:, free], M[free][:, free], count)
    return omega, _expand(X, free, K.shape[0])


def static_shapes(K: sp.csr_array, free: Integers, loads: Floats) -> Floats:
    """Attachment modes: displacement under each column of `loads`, shape (n, columns)."""
    solve = factorise(K[free][:, free])
    return _expand(solve(np.ascontiguousarray(loads[free])), free, K.shape[0])


def orthonormal(
    M: sp.csr_array, shapes: Floats, base: Floats | None = None, tolerance: float = 1e-6
) -> Floats:
    """Shapes that widen `base`, with X^T M X = 1 and X^T M base = 0, rank controlled.

    The shapes are scaled to unit mass and projected on the complement of `base`. The principal
    directions of what is left are kept if larger than `tolerance`: what the base or the other
    shapes contain already is dropped.

    Parameters
    ----------
    M
        Mass matrix (n, n).
    shapes
        Candidates (n, c), in any scale; a zero column is dropped.
    base
        Mass-orthonormal shapes (n, b) that are in the basis already.
    tolerance
        Smallest part of a unit shape that counts as new.

    Returns
    -------
    X : (n, m)
        New shapes, m <= c; `base` is not repeated.

    Examples
    --------
    >>> shapes = np.array([[1.0, 1.0, 2.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    >>> orthonormal(sp.eye_array(3, format="csr"), shapes).shape
    (3, 2)
    """
    base = np.zeros((len(shapes), 0)) if base is None else base
    M_base = M @ base
    size = np.sqrt(np.einsum("ij,ij->j", shapes, M @ shapes))
    X: Floats = shapes[:, size > 0.0] / size[size > 0.0]
    for smallest in (tolerance, 0.5):  # the second pass removes the round-off of the first
        for _ in range(2):
            X = X - base @ (M_base.T @ X)
        squares, directions = la.eigh(X.T @ (M @ X)) if X.shape[1] else (np.zeros(0), np.eye(0))
        kept = squares > smallest**2
        X = np.asarray(X @ (directions[:, kept] / np.sqrt(squares[kept])))
    return X


def ritz(K: sp.csr_array, X: Floats) -> tuple[Floats, Floats]:
    """Turn a mass-orthonormal basis so that X^T K X = diag(omega^2), ascending."""
    squares, turn = la.eigh(X.T @ (K @ X))
    return np.sqrt(np.maximum(squares, 0.0)), fix_signs(np.asarray(X @ turn))


def check_orthonormal(M: sp.csr_array, X: Floats, name: str = "basis") -> None:
    """Refuse a basis that is not mass-orthonormal, X^T M X = 1.

    Examples
    --------
    >>> check_orthonormal(sp.eye_array(2, format="csr"), np.eye(2))
    >>> check_orthonormal(sp.eye_array(2, format="csr"), 2.0 * np.eye(2))
    Traceback (most recent call last):
    ...
    fecontact.errors.InputError: the basis is not mass-orthonormal: X^T M X differs from 1 by 3.0e+00; allowed is 1e-08
    """  # noqa: E501
    if X.shape[0] != M.shape[0]:
        raise InputError(f"the {name} has {X.shape[0]} rows; the model has {M.shape[0]} unknowns")
    defect = np.max(np.abs(X.T @ (M @ X) - np.eye(X.shape[1])), initial=0.0)
    if not defect <= ORTHONORMAL_TO:
        raise InputError(
            f"the {name} is not mass-orthonormal: X^T M X differs from 1 by {defect:.1e}; "
            f"allowed is {ORTHONORMAL_TO}"
        )


def _expand(X: Floats, free: Integers, size: int) -> Floats:
    full = np.zeros((size, X.shape[1]))
    full[free] = X
    return full
