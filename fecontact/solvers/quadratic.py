"""Eigenvalues of damped, gyroscopic and circulatory systems.

    (z^2 M + z D + K) x = 0        y^H (z^2 M + z D + K) = 0

M is symmetric and positive definite, D and K are general. Dense problems are solved completely;
sparse ones near a shift.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.linalg.lapack import dgeev, dpotrf, dtrtrs
from scipy.sparse.linalg import ArpackError, LinearOperator, eigs, splu

from fecontact.errors import InputError, SingularError, SolverError
from fecontact.typing import Complexes, Floats

__all__ = [
    "Eigenpairs",
    "left_and_right",
    "quadratic_eigenpairs",
    "quadratic_eigenvalues",
    "quadratic_near",
]


Matrix = Floats | sp.csr_array


@dataclass(frozen=True)
class Eigenpairs:
    """Solutions of a quadratic problem of size n.

    Attributes
    ----------
    z : (k,)
        Eigenvalues in 1/s, complex pairs included.
    right : (n, k)
        Right vectors, of unit modal mass x^H M x = 1.
    left : (n, k)
        Left vectors, scaled to y^H (2 z M + D) x = 1: the derivative of an eigenvalue is then
        dz = -y^H (z^2 dM + z dD + dK) x. At a multiple eigenvalue without its own vector this
        product vanishes; y then has unit length.
    """

    z: Complexes
    right: Complexes
    left: Complexes


def quadratic_eigenpairs(M: Floats, D: Floats, K: Floats) -> Eigenpairs:
    """All 2 n solutions for dense matrices, by one call of LAPACK.

    Examples
    --------
    A circulatory stiffness beyond the difference of two frequencies: flutter.

    >>> found = quadratic_eigenpairs(np.eye(2), np.zeros((2, 2)), np.array([[4.0, 2], [-2, 5]]))
    >>> round(float(found.z.real.max()), 4)
    0.4466
    """
    n, (companion, L, rate) = len(M), _companion(M, D, K)
    z, left, right = _eigen(companion)
    # in real parts, with LAPACK itself: wrappers cost more than a small problem
    X, Y = (dtrtrs(L, part, lower=1, trans=1)[0] for part in (right[:n], left[n:]))
    return _scaled(z * rate, _paired(X, z), _paired(Y, z), M, D)


def left_and_right(A: Floats) -> tuple[Complexes, Complexes, Complexes]:
    """Eigenvalues, left and right vectors of a dense matrix."""
    z, left, right = _eigen(A)
    return z, _paired(left, z), _paired(right, z)


def _eigen(A: Floats, vectors: int = 1) -> tuple[Complexes, Floats, Floats]:
    """Eigenvalues, and vectors as LAPACK gives them, see `_paired`; none if `vectors` is 0."""
    re, im, left, right, defect = dgeev(A, compute_vl=vectors, compute_vr=vectors)
    if defect:
        raise SolverError("the eigenvalues of a system matrix were not found")
    z = re.astype(complex)
    z.imag = im
    return z, left, right


def _paired(vectors: Floats, z: Complexes) -> Complexes:
    """Vectors from their real and imaginary parts, which stand in the columns of a pair."""
    first = np.flatnonzero(z.imag > 0.0)
    result = vectors.astype(complex)
    result[:, first] += 1j * vectors[:, first + 1]
    result[:, first + 1] = result[:, first].conj()
    return result


def quadratic_eigenvalues(M: Floats, D: Floats, K: Floats) -> Complexes:
    """All 2 n eigenvalues for dense matrices, without vectors."""
    companion, _, rate = _companion(M, D, K)
    return _eigen(companion, 0)[0] * rate


def _companion(M: Floats, D: Floats, K: Floats) -> tuple[Floats, Floats, float]:
    """Standard form (2 n, 2 n), the Cholesky factor L of M, and the time scale in 1/s.

    The scale balances the two block rows.
    """
    n = len(M)
    both = np.concatenate([K, D], axis=1)
    if not (np.isfinite(M).all() and np.isfinite(both).all()):
        raise SolverError("a system matrix is not finite: parameters of impossible size?")
    L, defect = dpotrf(M, lower=1)  # LAPACK itself: wrappers cost more than a small problem
    if defect:
        raise SingularError("the mass matrix is not positive definite: a dof without inertia?")
    half = dtrtrs(L, both, lower=1)[0]
    whole = dtrtrs(L, np.concatenate([half[:, :n].T, half[:, n:].T], axis=1), lower=1)[0].T
    stiffness = whole[:n].ravel()
    rate = sqrt(sqrt(stiffness @ stiffness)) or 1.0
    companion = np.zeros((2 * n, 2 * n))
    companion[:n, n:].flat[:: n + 1] = 1.0
    np.divide(whole[:n], -(rate**2), out=companion[n:, :n])
    np.divide(whole[n:], -rate, out=companion[n:, n:])
    return companion, L, rate


def _scaled(z: Complexes, X: Complexes, Y: Complexes, M: Matrix, D: Matrix) -> Eigenpairs:
    """Scale right vectors to unit modal mass and left vectors to y^H (2 z M + D) x = 1."""
    MX, DX = np.asarray(M @ X), np.asarray(D @ X)
    unit = 1.0 / np.sqrt(np.einsum("ij,ij->j", X.conj(), MX).real)
    momentum, DX = MX * (2.0 * z * unit), DX * unit
    slope = np.einsum("ij,ij->j", Y.conj(), momentum + DX)
    size = np.linalg.norm(Y, axis=0)
    regular = np.abs(slope) > 1e-12 * size * np.linalg.norm(momentum, axis=0)
    return Eigenpairs(z, X * unit, Y / np.where(regular, slope.conj(), size))


def quadratic_near(
    M: sp.csr_array, D: sp.csr_array, K: sp.csr_array, shift: complex, count: int
) -> Eigenpairs:
    """The `count` solutions nearest to a shift, for sparse matrices: shift-invert Arnoldi.

    One factorisation of Q = shift^2 M + shift D + K serves right and left vectors: with
    w = (x, z x) and theta = 1/(z - shift), the companion pencil gives

        x' = -Q^-1 ((shift M + D) x + M z x),      (z x)' = x + shift x' .

    Parameters
    ----------
    M, D, K
        Matrices (n, n).
    shift
        In 1/s, such as 2j pi f for modes about the frequency f; it must not be an eigenvalue.
    count
        Number of solutions, less than 2 n - 1.
    """
    n = M.shape[0]
    if not 1 <= count < 2 * n - 1:
        raise InputError(f"invalid count = {count}: expected from 1 to {2 * n - 2}")
    try:
        solve: Any = splu(sp.csc_matrix(shift**2 * M + shift * D + K)).solve
    except RuntimeError as error:
        raise SingularError(
            f"the shift {shift:.6g} 1/s is an eigenvalue; choose another one"
        ) from error

    def forward(w: Complexes) -> Complexes:
        x, rate = w[:n], w[n:]
        new = -solve(np.asarray(shift * (M @ x) + D @ x + M @ rate, dtype=complex))
        return np.concatenate([new, x + shift * new])

    def adjoint(w: Complexes) -> Complexes:
        new = solve(w[:n] + np.conj(shift) * w[n:], "H")
        slope = np.conj(shift) * (M.T @ new) + D.T @ new
        return np.concatenate([w[n:] - slope, -(M.T @ new)])

    z, right = _arnoldi(forward, n, count, shift)
    conjugate, left = _arnoldi(adjoint, n, count, np.conj(shift))
    partner = np.argmin(np.abs(z[:, None] - conjugate.conj()), axis=1)
    if len(set(partner)) < count:
        raise SolverError("left and right vectors do not match; ask for a few more solutions")
    lower = np.ascontiguousarray(left[n:, partner])  # M y
    Y: Any = splu(sp.csc_matrix(M, dtype=complex)).solve(lower)
    return _scaled(z, right[:n], Y, M, D)


def _arnoldi(
    operator: Callable[[Complexes], Complexes], n: int, count: int, shift: complex
) -> tuple[Complexes, Complexes]:
    start = np.random.default_rng(0).standard_normal(2 * n).astype(complex)
    inverse = LinearOperator((2 * n, 2 * n), matvec=operator, dtype=complex)
    try:
        theta, w = eigs(inverse, count, v0=start)
    except ArpackError as error:
        raise SolverError(
            f"{count} eigenvalues near {shift:.6g} 1/s were not found ({error}); ask for fewer, "
            "or move the shift nearer to them"
        ) from error
    order = np.argsort(-np.abs(theta), kind="stable")
    return shift + 1.0 / theta[order], w[:, order]
