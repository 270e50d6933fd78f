"""Eigenvalues of largest magnitude of an operator, with a proof run against what was missed.

Arnoldi's method without restart gives Ritz pairs, of which the converged ones are kept. A start
vector may lack an eigenvector, and always lacks the second copy of a multiple eigenvalue. So a
second run follows, with another start, of the operator P S P, P = 1 - V V^H, V an orthonormal basis
of what was found: its eigenvalues are those of S that are left. Any of them that is too large was
missed; its vector joins V.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.linalg as la

from fecontact.typing import Complexes, Floats

__all__ = ["Dominant", "dominant"]

CONVERGED = 1e-10
"""Residual of a Ritz pair relative to |theta|."""

SAFE = 0.93
"""Fraction of the smallest certain |theta|^-1: the margin over which a second run looks."""

ZERO = 1e-13
"""Fraction of the largest |theta| that is zero: an infinite eigenvalue of the quadratic problem."""

SECOND_RUN = 24
"""Least steps of the second run."""

MOST_RUNS = 8
"""Second runs that may find something, before the search is given up."""

Operator = Callable[[Complexes], Complexes]


class Dominant(NamedTuple):
    """Eigenvalues theta (k,), vectors (n, k), and the magnitude above which none is missing.

    `recovered` counts those that only the second run has found.
    """

    theta: Complexes
    vectors: Complexes
    above: float
    recovered: int


class Krylov(NamedTuple):
    """Orthonormal vectors (n, m + 1) and the Hessenberg matrix (m, m), S V = V H + h v e^T."""

    basis: Complexes
    H: Complexes
    last: float


def dominant(operator: Operator, size: int, steps: int, seed: int) -> Dominant:
    """Eigenvalues of largest magnitude that `steps` steps find, complete down to `above`."""
    run = _expand(operator, size, steps, seed, np.zeros((size, 0), dtype=complex))
    theta, s, error = _ritz(run)
    zero = ZERO * np.abs(theta).max(initial=0.0)
    good = error <= CONVERGED * np.abs(theta)
    bad = float(np.abs(theta[~good]).max(initial=0.0))
    kept = np.flatnonzero(good & (np.abs(theta) > max(bad, zero)))
    if not len(kept):
        return Dominant(theta[:0], run.basis[:, :0], np.inf, 0)
    above = float(np.abs(theta[kept]).min()) / SAFE if bad > zero else zero
    V = np.asarray(run.basis[:, : len(run.H)] @ s[:, kept])
    return _completed(operator, Dominant(theta[kept], V, above, 0), steps, seed + 1)


def _completed(operator: Operator, first: Dominant, steps: int, seed: int) -> Dominant:
    """What was found with what further runs find above the bound."""
    theta, vectors, above, _ = first
    V: Any = la.qr(vectors, mode="economic")[0]
    few, more = max(SECOND_RUN, steps // 4), 0
    for k in range(MOST_RUNS):
        if V.shape[1] == len(V):
            return Dominant(theta, vectors, 0.0, more)
        run = _expand(operator, len(V), few, seed + k, V)
        if not np.any(np.abs(_ritz(run)[0]) > above):
            return Dominant(theta, vectors, above, more)
        run = _expand(operator, len(V), steps, seed + k, V)
        left, s, error = _ritz(run)
        clear = error <= CONVERGED * np.abs(left)
        doubtful = np.abs(left[~clear]).max(initial=0.0)
        above = max(above, float(doubtful) / SAFE)
        missed = np.flatnonzero(clear & (np.abs(left) > above))
        if not len(missed):
            return Dominant(theta, vectors, above, more)
        U = run.basis[:, : len(run.H)] @ s[:, missed]
        V = la.qr(np.hstack([V, U]), mode="economic")[0]
        image = np.stack([operator(v) for v in V.T], axis=1)
        theta, inner = la.eig(V.conj().T @ image)
        vectors, more = np.asarray(V @ inner), more + len(missed)
    return Dominant(theta, vectors, np.inf, more)


def _expand(operator: Operator, size: int, steps: int, seed: int, beside: Complexes) -> Krylov:
    """Arnoldi's method beside given orthonormal vectors, from a random start."""
    steps = min(steps, size - beside.shape[1])
    rng = np.random.default_rng(seed)
    Q = np.zeros((size, steps + 1), dtype=complex, order="F")
    H = np.zeros((steps + 1, steps), dtype=complex)
    start = rng.standard_normal(size) + 1j * rng.standard_normal(size)
    start = operator(_beside(beside, start))  # without what the operator takes to zero
    start = _beside(beside, _beside(beside, start))
    Q[:, 0] = start / np.linalg.norm(start)
    for j in range(steps):
        w = _beside(beside, operator(Q[:, j]))
        before = np.linalg.norm(w)
        known = Q[:, : j + 1]
        for _ in range(2):  # twice is enough
            h = (known.T @ w.conj()).conj()
            w = w - known @ h
            H[: j + 1, j] += h
        if beside.shape[1]:
            w = _beside(beside, w)
        length = np.linalg.norm(w)
        H[j + 1, j] = length
        if length <= 1e-14 * before or j + 1 == size - beside.shape[1]:
            return Krylov(Q, H[: j + 1, : j + 1], 0.0)
        Q[:, j + 1] = w / length
    return Krylov(Q, H[:steps], float(abs(H[steps, steps - 1])))


def _beside(V: Complexes, w: Complexes) -> Complexes:
    """The part of w orthogonal to V."""
    return w - V @ (V.T @ w.conj()).conj() if V.shape[1] else w


def _ritz(run: Krylov) -> tuple[Complexes, Complexes, Floats]:
    """Ritz values, their vectors (m, m) in the basis, and their residuals."""
    theta, s = la.eig(run.H)
    s = s / np.linalg.norm(s, axis=0)
    return theta, s, run.last * np.abs(s[-1])
