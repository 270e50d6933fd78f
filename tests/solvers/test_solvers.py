from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from fecontact.errors import InputError, SolverError
from fecontact.solvers import eigen
from fecontact.solvers.eigen import lowest_modes, quadratic_eigenpairs
from fecontact.solvers.linear import factorise
from fecontact.solvers.newton import newton


def chain(n, free=False):
    """Masses 1 kg between springs 1 N/m; both ends fixed, or a free chain."""
    K = sp.diags([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], [-1, 0, 1]).tolil()
    if free:
        K[0, 0] = K[n - 1, n - 1] = 1.0
    return sp.csr_array(K), sp.csr_array(sp.identity(n))


@pytest.mark.parametrize("n", [50, 900])
def test_fixed_chain_has_its_exact_frequencies(n):
    omega, X = lowest_modes(*chain(n), 6)
    exact = 2.0 * np.sin(np.pi * np.arange(1, 7) / (2.0 * (n + 1)))
    np.testing.assert_allclose(omega, exact, rtol=1e-9)
    np.testing.assert_allclose(X.T @ X, np.eye(6), atol=1e-9)


@pytest.mark.parametrize("n", [50, 900])
def test_free_chain_has_a_rigid_mode(n):
    omega, X = lowest_modes(*chain(n, free=True), 3)
    assert omega[0] < 1e-6 * omega[1]
    np.testing.assert_allclose(X[:, 0], X[0, 0], rtol=1e-6)


def test_dense_and_sparse_paths_agree(monkeypatch):
    K, M = chain(300)
    dense = lowest_modes(K, M, 5)
    monkeypatch.setattr(eigen, "DENSE_LIMIT", 10)
    sparse = lowest_modes(K, M, 5)
    np.testing.assert_allclose(dense[0], sparse[0], rtol=1e-9)
    np.testing.assert_allclose(np.abs(dense[1]), np.abs(sparse[1]), atol=1e-7)


@pytest.mark.parametrize("count", [0, 11])
def test_impossible_number_of_modes(count):
    with pytest.raises(InputError, match="10 unknowns"):
        lowest_modes(*chain(10), count)


def test_quadratic_problem_satisfies_its_equation():
    rng = np.random.default_rng(1)
    A, B, D = rng.standard_normal((3, 8, 8))
    M, K = A @ A.T + np.eye(8), 1e6 * (B + np.eye(8))
    z, X = quadratic_eigenpairs(M, D, K)
    assert len(z) == 16
    for value, x in zip(z, X.T, strict=True):
        terms = value**2 * (M @ x), value * (D @ x), K @ x
        assert np.linalg.norm(sum(terms)) < 1e-10 * max(map(np.linalg.norm, terms))


def test_quadratic_problem_of_a_damped_oscillator():
    m, d, c = 2.0, 0.4, 50.0
    z, _ = quadratic_eigenpairs(np.array([[m]]), np.array([[d]]), np.array([[c]]))
    exact = np.roots([m, d, c])
    np.testing.assert_allclose(np.sort_complex(z), np.sort_complex(exact), rtol=1e-13)


def test_factorisation_serves_many_right_sides():
    K, _ = chain(40)
    loads = np.random.default_rng(0).standard_normal((40, 3))
    np.testing.assert_allclose(K @ factorise(K)(loads), loads, atol=1e-12)


def test_singular_matrix_is_named():
    with pytest.raises(SolverError, match="fix an edge"):
        factorise(sp.csr_array(np.zeros((3, 3))))


def scalar(function, derivative, start):
    return newton(
        lambda x: (function(x), float(np.abs(function(x)).max()), 1.0),
        lambda x: np.diag(derivative(x)),
        np.array([start]),
    )


def test_newton_converges_where_full_steps_diverge():
    answer = scalar(np.arctan, lambda x: 1.0 / (1.0 + x**2), 5.0)
    assert abs(answer.x[0]) < 1e-10
    assert answer.evaluations > answer.iterations + 1


def test_newton_reports_a_problem_without_solution():
    with pytest.raises(SolverError, match="no convergence"):
        scalar(lambda x: x**2 + 1.0, lambda x: 2.0 * x, 1.3)


def test_newton_reports_a_singular_tangent():
    with pytest.raises(SolverError, match="singular"):
        scalar(lambda x: x**2 + 1.0, lambda x: 0.0 * x, 1.0)
