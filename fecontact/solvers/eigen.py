"""Eigenvalues: lowest modes of K x = omega^2 M x, and the quadratic problem of damped systems."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from fecontact.errors import InputError, SolverError
from fecontact.solvers import quadratic
from fecontact.solvers.linear import factorise
from fecontact.typing import Complexes, Floats

__all__ = ["fix_signs", "inverse_lanczos", "is_small", "lowest_modes", "quadratic_eigenpairs"]

DENSE_LIMIT = 400
"""Up to this size the dense solver is used: exact, and faster than shift-invert."""

SHIFT = 1e-9
"""Shift below zero relative to the mean eigenvalue trace K / trace M.

Far above round-off, so that the factors of a free body are safe, and near the wanted modes: of a
thin plate with lambda_1 = 5e-11 of the mean, 30 modes took 78 solves (6964 with 1e-4).
"""

DENSE_SHIFT = 1e-6
"""The same for the dense solver, which needs no nearness: round-off is eps |shift / lambda| at low
and eps |lambda / shift| at high frequencies.
"""

EQUALLY_LARGE = 1e-6
"""Relative difference up to which entries of a shape count as equally large."""


def lowest_modes(
    K: sp.csr_array,
    M: sp.csr_array,
    count: int,
    *,
    solve: Callable[[Floats], Floats] | None = None,
    shift: float = 0.0,
    backend: str = "auto",
) -> tuple[Floats, Floats]:
    """Lowest `count` solutions of K x = omega^2 M x, M-orthonormal.

    Rigid-body modes (omega = 0) are found too: the shift lies below zero, so that the factorised
    matrix is positive definite. Start vector and signs are fixed: same input, same output.

    Parameters
    ----------
    K, M
        Symmetric stiffness and mass (n, n), M positive definite.
    count
        Number of modes.
    solve
        Ready factorisation of K - shift M, to share it with static solutions; with shift = 0
        this is the stiffness of a supported body. Without it one is made just below zero.
    shift
        The shift of `solve`, in 1/s^2; not positive.
    backend
        Of the factorisation made here, see `factorise`.

    Returns
    -------
    omega : (count,)
        Circular frequencies in rad/s, ascending; round-off below zero counts as zero.
    X : (n, count)
        Mode shapes with X^T M X = 1.
    """
    size = K.shape[0]
    if not 1 <= count <= size:
        raise InputError(
            f"invalid modes = {count}: expected 1 to {size}, the unknowns of the model"
        )
    mean = abs(K.diagonal().sum() / M.diagonal().sum())
    if is_small(size, count):
        squares, X = _dense(K, M, count, -DENSE_SHIFT * mean)
    else:
        if solve is None:
            shift = -SHIFT * mean
            solve = factorise(K - shift * M, backend=backend)
        squares, X = inverse_lanczos(K, M, count, solve, shift)
    return np.sqrt(np.maximum(squares, 0.0)), fix_signs(X)


def fix_signs(X: Floats) -> Floats:
    """Turn each shape so that the first of its largest entries is positive.

    Entries that differ by round-off are equally large, as those of symmetric bodies are: so the
    sign is the same on every machine.

    Examples
    --------
    >>> fix_signs(np.array([[-0.5, 0.1], [0.5 + 1e-12, -0.2]])).tolist()
    [[0.5, -0.1], [-0.500000000001, 0.2]]
    """
    if not X.size:
        return X
    size = np.abs(X)
    first = np.argmax(size >= (1.0 - EQUALLY_LARGE) * size.max(axis=0), axis=0)
    return X * np.where(X[first, np.arange(X.shape[1])] < 0.0, -1.0, 1.0)


def _dense(K: sp.csr_array, M: sp.csr_array, count: int, shift: float) -> tuple[Floats, Floats]:
    """Inverse problem M x = m (K - shift M) x: keeps the digits of the low frequencies."""
    size = K.shape[0]
    ends = (size - count, size - 1)
    inverse, X = la.eigh(M.toarray(), (K - shift * M).toarray(), subset_by_index=ends)
    return (1.0 / inverse + shift)[::-1], (X / np.sqrt(inverse))[:, ::-1]


def is_small(size: int, count: int) -> bool:
    """Whether the dense solver is the better choice for `count` modes of `size` unknowns."""
    return size <= DENSE_LIMIT or count > size // 2


def inverse_lanczos(
    K: sp.csr_array,
    M: sp.csr_array,
    count: int,
    solve: Callable[[Floats], Floats],
    shift: float = 0.0,
) -> tuple[Floats, Floats]:
    """Lanczos on (K - shift M)^-1 M (ARPACK); squares ascending.

    The squares are Rayleigh quotients of the vectors: their error is that of the vectors squared,
    and rigid-body modes, which K maps to zero, come out at zero. Motions that `solve` maps to zero
    are not found: ARPACK begins with the image of the start vector.
    """
    inverse = LinearOperator(K.shape, matvec=solve, dtype=float)
    start = np.random.default_rng(0).standard_normal(K.shape[0])
    try:
        _, X = eigsh(K, count, M, sigma=shift, OPinv=inverse, v0=start)
    except ArpackError as error:
        raise SolverError(
            f"the {count} lowest modes were not found ({error}); ask for fewer modes, check "
            "that mass and stiffness are positive and the materials of similar stiffness"
        ) from error
    squares = np.einsum("ij,ij->j", X, K @ X) / np.einsum("ij,ij->j", X, M @ X)
    order = np.argsort(squares)
    return squares[order], X[:, order]


def quadratic_eigenpairs(M: Floats, D: Floats, K: Floats) -> tuple[Complexes, Complexes]:
    """All solutions of (z^2 M + z D + K) x = 0 for a dense, symmetric positive definite M.

    Returns
    -------
    z : (2 n,)
        Eigenvalues in 1/s, complex pairs included.
    X : (n, 2 n)
        Right vectors (displacement part), of unit modal mass x^H M x = 1.
    """
    found = quadratic.quadratic_eigenpairs(M, D, K)
    return found.z, found.right
