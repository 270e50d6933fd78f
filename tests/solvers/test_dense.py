"""Compiled factorisation of small matrices, against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.solvers.dense import lu_factorise, lu_solve


@pytest.mark.parametrize("n", [1, 2, 3, 7, 40])
def test_solution(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        A, b = rng.standard_normal((n, n)), rng.standard_normal(n)
        factors, pivots, x = A.copy(), np.zeros(n, dtype=np.int64), b.copy()
        assert lu_factorise(factors, pivots)
        lu_solve(factors, pivots, x)
        bound = 1e-13 * np.linalg.cond(A) * np.abs(x).max()
        np.testing.assert_allclose(x, np.linalg.solve(A, b), rtol=0.0, atol=bound)


def test_rows_are_exchanged():
    A, pivots = np.array([[0.0, 1.0], [2.0, 0.0]]), np.zeros(2, dtype=np.int64)
    assert lu_factorise(A, pivots)
    b = np.array([3.0, 4.0])
    lu_solve(A, pivots, b)
    assert b.tolist() == [2.0, 3.0]


@pytest.mark.parametrize("entry", [0.0, np.nan, np.inf])
def test_singular_or_not_finite(entry):
    assert not lu_factorise(np.full((3, 3), entry), np.zeros(3, dtype=np.int64))
