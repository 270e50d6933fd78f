"""Factorisations: both backends give the same answer, singular matrices are refused."""

import gc

import numpy as np
import pytest
import scipy.sparse as sp
from skfem import MeshHex

from fecontact.errors import InputError, SolverError
from fecontact.fem import STEEL, ElasticSolid
from fecontact.solvers import _pardiso, linear
from fecontact.solvers.linear import factorise

needs_pardiso = pytest.mark.skipif(not _pardiso.available(), reason="pypardiso is not installed")
BACKENDS = ["superlu", pytest.param("pardiso", marks=needs_pardiso)]


def beam(supports):
    mesh = MeshHex.init_tensor(np.linspace(0, 1, 9), np.linspace(0, 0.1, 2), np.linspace(0, 0.1, 3))
    mesh = mesh.with_boundaries({"wall": lambda x: x[0] < 1e-9}, boundaries_only=True)
    solid = ElasticSolid(mesh, STEEL, supports=supports)
    return solid.stiffness[solid.free][:, solid.free]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("columns", [(), (1,), (7,)])
def test_solution_fits_the_right_hand_sides(backend, columns):
    K = beam({"wall": "clamped"})
    x = np.random.default_rng(0).standard_normal((K.shape[0], *columns))
    solve = factorise(K, backend=backend)
    assert solve.backend == backend
    assert solve(K @ x).shape == x.shape
    np.testing.assert_allclose(solve(K @ x), x, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_indefinite_matrix_is_solved_with_pivots(backend):
    """Saddle point: stiffness with constraints, zeros on the diagonal."""
    K = beam({"wall": "z"})
    G = sp.csr_array(np.random.default_rng(1).standard_normal((6, K.shape[0]))) * abs(K).max()
    A = sp.csr_array(sp.block_array([[K, G.T], [G, None]]))
    x = np.random.default_rng(2).standard_normal(A.shape[0])
    np.testing.assert_allclose(
        factorise(A, definite=False, backend=backend)(A @ x), x, rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("supports", [{}, {"wall": "z"}, {"wall": "xy"}])
def test_a_body_that_can_move_freely_is_refused(backend, supports):
    with pytest.raises(SolverError, match="can move freely; fix an edge or a surface"):
        factorise(beam(supports), backend=backend)


def test_small_matrices_go_to_superlu():
    assert factorise(sp.csr_array(np.eye(3))).backend == "superlu"


def test_without_pypardiso_large_matrices_go_to_superlu(monkeypatch):
    monkeypatch.setattr(linear, "SMALL", 1)
    monkeypatch.setattr(_pardiso, "available", lambda: False)
    assert factorise(sp.csr_array(np.eye(3))).backend == "superlu"


@needs_pardiso
def test_with_pypardiso_large_matrices_go_to_pardiso(monkeypatch):
    monkeypatch.setattr(linear, "SMALL", 1)
    assert factorise(sp.csr_array(np.eye(3))).backend == "pardiso"


@needs_pardiso
def test_factors_are_released_and_do_not_disturb_each_other():
    first = factorise(sp.csr_array(2.0 * np.eye(4)), backend="pardiso")
    second = factorise(sp.csr_array(5.0 * np.eye(4)), backend="pardiso")
    del second
    gc.collect()
    np.testing.assert_allclose(first(np.ones(4)), 0.5)


def test_an_unknown_backend_is_named():
    with pytest.raises(InputError, match="invalid backend = mumps"):
        factorise(sp.csr_array(np.eye(2)), backend="mumps")


def test_factorisation_serves_many_right_sides():
    K = sp.csc_array(sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(40, 40)))
    loads = np.random.default_rng(0).standard_normal((40, 3))
    np.testing.assert_allclose(K @ factorise(K)(loads), loads, atol=1e-12)


def test_singular_matrix_is_named():
    with pytest.raises(SolverError, match="fix an edge"):
        factorise(sp.csr_array(np.zeros((3, 3))))
