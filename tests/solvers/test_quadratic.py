"""The quadratic eigenvalue problem: left vectors, eigenvalues alone, and sparse shift-invert."""

import numpy as np
import pytest
import scipy.sparse as sp

from fecontact.errors import InputError, SolverError
from fecontact.solvers.quadratic import (
    quadratic_eigenpairs,
    quadratic_eigenvalues,
    quadratic_near,
)


def matrices(n=12, seed=0):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((n, n))
    M = A @ A.T + n * np.eye(n)
    return M, rng.standard_normal((n, n)), 50.0 * rng.standard_normal((n, n)) + 300.0 * np.eye(n)


def test_left_and_right_vectors():
    M, D, K = matrices()
    found = quadratic_eigenpairs(M, D, K)
    for z, x, y in zip(found.z, found.right.T, found.left.T, strict=True):
        Q = z**2 * M + z * D + K
        assert np.abs(Q @ x).max() < 1e-9 * np.linalg.norm(K) * np.abs(x).max()
        assert np.abs(y.conj() @ Q).max() < 1e-9 * np.linalg.norm(K) * np.abs(y).max()
        assert np.vdot(y, (2 * z * M + D) @ x) == pytest.approx(1.0)
        assert np.vdot(x, M @ x).real == pytest.approx(1.0)


def test_eigenvalues_alone_are_the_same():
    M, D, K = matrices(seed=4)
    found = np.sort_complex(quadratic_eigenvalues(M, D, K))
    np.testing.assert_allclose(found, np.sort_complex(quadratic_eigenpairs(M, D, K).z), rtol=1e-9)


def chain(n=300):
    """Masses on springs with gyroscopic, circulatory and damping terms."""
    off = np.ones(n - 1)
    K = 1e4 * sp.diags_array([-off, 2.0 * np.ones(n), -off], offsets=[-1, 0, 1])
    N = 30.0 * sp.diags_array([-off, off], offsets=[-1, 1])
    M = sp.diags_array(np.linspace(1.0, 2.0, n))
    D = 0.3 * sp.diags_array([-off, 2.0 * np.ones(n), -off], offsets=[-1, 0, 1])
    G = 2.0 * sp.diags_array([-off, off], offsets=[-1, 1])
    return tuple(sp.csr_array(A) for A in (M, D + G, K + N))


@pytest.mark.parametrize("shift", [40j, 5.0 + 90j])
def test_sparse_solutions_are_the_nearest_of_all(shift):
    M, D, K = chain()
    dense = quadratic_eigenpairs(*(A.toarray() for A in (M, D, K)))
    found = quadratic_near(M, D, K, shift, 8)
    nearest = dense.z[np.argsort(np.abs(dense.z - shift))[:8]]
    np.testing.assert_allclose(
        np.sort_complex(found.z), np.sort_complex(nearest), rtol=0, atol=1e-8 * abs(shift)
    )
    for z, x, y in zip(found.z, found.right.T, found.left.T, strict=True):
        Q = z**2 * M + z * D + K
        assert np.abs(Q @ x).max() < 1e-6 * np.abs(x).max()
        assert np.abs(y.conj() @ Q).max() < 1e-6 * np.abs(y).max()
        assert np.vdot(y, 2 * z * (M @ x) + D @ x) == pytest.approx(1.0)


def test_impossible_requests():
    M, D, K = chain(5)
    with pytest.raises(InputError, match="count"):
        quadratic_near(M, D, K, 1j, 9)
    with pytest.raises(SolverError, match="not finite"):
        quadratic_eigenpairs(np.eye(1), np.eye(1), np.array([[np.nan]]))
