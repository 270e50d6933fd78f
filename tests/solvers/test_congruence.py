"""Projection of sparse matrices on shapes, against the products of dense ones."""

import numpy as np
import pytest
import scipy.sparse as sp

from fecontact.solvers import congruence
from fecontact.solvers.congruence import congruent


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shapes", [0, 1, 7])
@pytest.mark.parametrize("blocksize", [None, (3, 3), (2, 2)])
def test_products_of_dense_matrices(blocksize, shapes, order):
    rng = np.random.default_rng(3)
    A = sp.random_array((60, 60), density=0.1, rng=rng, format="csr")
    Phi = np.array(rng.standard_normal((60, shapes)), order=order)
    stored = A if blocksize is None else A.tobsr(blocksize)
    np.testing.assert_allclose(
        congruent(stored, Phi), Phi.T @ A.toarray() @ Phi, rtol=0, atol=1e-12
    )


def test_more_rows_than_are_done_at_a_time(monkeypatch):
    rng = np.random.default_rng(4)
    A = sp.random_array((60, 60), density=0.1, rng=rng, format="bsr").tobsr((3, 3))
    Phi = rng.standard_normal((60, 5))
    whole = congruent(A, Phi)
    monkeypatch.setattr(congruence, "ROWS", 7)
    np.testing.assert_allclose(congruent(A, Phi), whole, rtol=0, atol=1e-12)


def test_rows_without_entries():
    found = congruent(sp.bsr_array((9, 9), blocksize=(3, 3), dtype=float), np.ones((9, 2)))
    assert np.array_equal(found, np.zeros((2, 2)))
