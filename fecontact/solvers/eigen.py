"""Eigenvalues: lowest modes of K x = omega^2 M x, and the quadratic problem of damped systems."""

from __future__ import annotations

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, eigsh

from fecontact.errors import InputError
from fecontact.solvers.linear import factorise
from fecontact.typing import Complexes, Floats

__all__ = ["lowest_modes", "quadratic_eigenpairs"]

DENSE_LIMIT = 400
"""Up to this size the dense solver is used: exact, and faster than shift-invert."""


def lowest_modes(K: sp.csr_array, M: sp.csr_array, count: int) -> tuple[Floats, Floats]:
    """Lowest `count` solutions of K x = omega^2 M x, M-orthonormal.

    Rigid-body modes (omega = 0) are found too: the shift lies below zero, so that the factorised
    matrix is positive definite. Start vector and signs are fixed: same input, same output.

    Returns
    -------
    omega : (count,)
        Circular frequencies in rad/s, ascending; round-off below zero counts as zero.
    X : (n, count)
        Mode shapes with X^T M X = 1.
    """
    size = K.shape[0]
    if not 1 <= count <= size:
        raise InputError(f"modes = {count} is not possible: the model has {size} unknowns")
    shift = -1e-4 * abs(K.diagonal().sum() / M.diagonal().sum())
    shifted = K - shift * M
    if size <= DENSE_LIMIT or count > size // 2:
        # the inverse problem M x = m (K - shift M) x keeps the digits of the low frequencies
        ends = (size - count, size - 1)
        inverse, X = la.eigh(M.toarray(), shifted.toarray(), subset_by_index=ends)
        squares = 1.0 / inverse + shift
        X = X / np.sqrt(inverse)
    else:
        operator = LinearOperator(K.shape, matvec=factorise(shifted), dtype=float)
        start = np.random.default_rng(0).standard_normal(size)
        squares, X = eigsh(K, count, M, sigma=shift, OPinv=operator, v0=start)
    order = np.argsort(squares)
    squares, X = squares[order], X[:, order]
    largest = X[np.argmax(np.abs(X), axis=0), np.arange(count)]
    return np.sqrt(np.maximum(squares, 0.0)), X * np.sign(largest)


def quadratic_eigenpairs(M: Floats, D: Floats, K: Floats) -> tuple[Complexes, Complexes]:
    """All solutions of (z^2 M + z D + K) x = 0 for a dense, symmetric positive definite M.

    The problem is brought to standard form with the Cholesky factor of M and a time scale that
    balances the two block rows; then one call of LAPACK.

    Returns
    -------
    z : (2 n,)
        Eigenvalues in 1/s, complex pairs included.
    X : (n, 2 n)
        Right vectors (displacement part), of unit modal mass x^H M x = 1.
    """
    n = len(M)
    L = la.cholesky(M, lower=True)
    K_scaled, D_scaled = (
        la.solve_triangular(L, la.solve_triangular(L, A, lower=True).T, lower=True).T
        for A in (K, D)
    )
    rate = np.sqrt(np.linalg.norm(K_scaled, 2)) or 1.0
    companion = np.block(
        [[np.zeros((n, n)), np.eye(n)], [-K_scaled / rate**2, -D_scaled / rate]],
    )
    z, Y = la.eig(companion)
    X = la.solve_triangular(L.T, Y[:n])
    X = X / np.sqrt(np.einsum("ij,ij->j", X.conj(), M @ X).real)
    return z * rate, X
