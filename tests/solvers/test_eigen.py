"""Lowest modes: dense, sparse, shared factorisation, both backends."""

import numpy as np
import pytest
import scipy.linalg as la
import scipy.sparse as sp
from skfem import MeshHex

from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid
from fecontact.solvers import _pardiso, eigen
from fecontact.solvers.eigen import lowest_modes, quadratic_eigenpairs
from fecontact.solvers.linear import factorise

needs_pardiso = pytest.mark.skipif(not _pardiso.available(), reason="pypardiso is not installed")


def plate(supports, cells=6):
    grid = np.linspace(0.0, 0.2, cells + 1)
    mesh = MeshHex.init_tensor(grid, 0.7 * grid, np.array([0.0, 0.004]))
    mesh = mesh.with_boundaries({"wall": lambda x: x[0] < 1e-9}, boundaries_only=True)
    solid = ElasticSolid(mesh, STEEL, supports=supports)
    free = solid.free
    return solid.stiffness[free][:, free], solid.mass[free][:, free]


@pytest.mark.parametrize("supports", [{}, {"wall": "clamped"}])
def test_sparse_and_dense_modes_agree(supports):
    K, M = plate(supports)
    reference = np.sqrt(np.maximum(la.eigh(K.toarray(), M.toarray(), eigvals_only=True), 0.0))
    omega, X = lowest_modes(K, M, 14)
    np.testing.assert_allclose(omega, reference[:14], rtol=1e-8, atol=1e-4 * reference[6])
    np.testing.assert_allclose(X.T @ M @ X, np.eye(14), atol=1e-9)
    inertia = M @ X[:, 6:] * omega[6:] ** 2
    assert np.abs(K @ X[:, 6:] - inertia).max() < 1e-6 * np.abs(inertia).max()


def test_the_small_dense_path_gives_the_same(monkeypatch):
    K, M = plate({})
    sparse, _ = lowest_modes(K, M, 12)
    monkeypatch.setattr(eigen, "DENSE_LIMIT", 10_000)
    dense, X = lowest_modes(K, M, 12)
    np.testing.assert_allclose(dense[6:], sparse[6:], rtol=1e-8)
    assert np.all(dense[:6] ** 2 < 1e-8 * dense[6] ** 2)
    np.testing.assert_allclose(X.T @ M @ X, np.eye(12), atol=1e-8)


def test_rigid_modes_are_at_round_off():
    """omega^2 of the six zero modes, relative to the scale of K and M, is machine precision."""
    K, M = plate({})
    omega, _ = lowest_modes(K, M, 8)
    scale = K.diagonal().sum() / M.diagonal().sum()
    assert np.all(omega[:6] ** 2 < 1e-14 * scale)


def test_modes_share_the_factors_of_a_static_solution():
    K, M = plate({"wall": "clamped"})
    solve = factorise(K)
    omega, _ = lowest_modes(K, M, 10, solve=solve)
    own, _ = lowest_modes(K, M, 10)
    # round-off of K is 1e-16 of the mean eigenvalue, which is 1e8 times the lowest one
    np.testing.assert_allclose(omega, own, rtol=1e-8)


def test_a_given_shift_is_used():
    K, M = plate({})
    shift = -1e6
    omega, _ = lowest_modes(K, M, 10, solve=factorise(K - shift * M), shift=shift)
    own, _ = lowest_modes(K, M, 10)
    np.testing.assert_allclose(omega[6:], own[6:], rtol=1e-8)


@needs_pardiso
def test_both_backends_give_the_same_modes():
    K, M = plate({"wall": "clamped"}, cells=10)
    (f, X), (g, Y) = (lowest_modes(K, M, 12, backend=b) for b in ("superlu", "pardiso"))
    # a Rayleigh quotient x^T K x is known to eps times the mean eigenvalue, 2.5e7 times the lowest
    round_off = np.finfo(float).eps * K.diagonal().sum() / M.diagonal().sum()
    assert np.all(np.abs(f**2 - g**2) < 4.0 * round_off)
    np.testing.assert_allclose(np.abs(np.diag(X.T @ M @ Y)), 1.0, rtol=1e-9)


@needs_pardiso
def test_pardiso_gives_the_same_digits_again():
    """On several threads too, however they are scheduled."""
    K, M = plate({"wall": "clamped"}, cells=10)
    answers = [lowest_modes(K, M, 12, backend="pardiso")[1] for _ in range(4)]
    assert all(np.array_equal(answers[0], other) for other in answers[1:])


def test_same_input_same_output():
    K, M = plate({})
    first, second = (lowest_modes(K, M, 9, backend="superlu") for _ in range(2))
    assert np.array_equal(first[1], second[1])


@pytest.mark.parametrize("count", [0, 10_000])
def test_impossible_numbers_of_modes_are_named(count):
    K, M = plate({})
    with pytest.raises(InputError, match=f"invalid modes = {count}: expected"):
        lowest_modes(K, M, count)


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
    with pytest.raises(InputError, match="expected 1 to 10, the unknowns"):
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
