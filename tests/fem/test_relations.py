"""Elimination of linear relations against a dense solution; circles."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from fecontact.errors import InputError
from fecontact.fem.assembly.relations import Relations


def test_chain_and_departure():
    """u1 = 2 u0, u3 = u1 + 0.5 u2 with u2 departed: slot 2 is u2 - u0."""
    relations = Relations(5, np.zeros(5, dtype=bool))
    relations.depend(np.array([1]), sp.csr_array([[2.0, 0, 0, 0, 0]]), 0)
    relations.depart(np.array([2]), sp.csr_array([[1.0, 0, 0, 0, 0]]))
    relations.depend(
        np.array([3]), sp.csr_array([[0, 1.0, 0.5, 0, 0]]), 1, sp.csr_array([[0, 0, 4.0, 0, 0]])
    )
    np.testing.assert_array_equal(relations.independent, [0, 2, 4])
    T = relations.transformation().toarray()
    w = np.array([3.0, 0.25, 7.0])
    u = T @ w
    np.testing.assert_allclose(u, [3.0, 6.0, 3.25, 6.0 + 0.5 * 3.25 + 4.0 * 0.25, 7.0])
    np.testing.assert_allclose(relations.slots(u[:, None])[:, 0], w)
    np.testing.assert_array_equal(relations.available, [True, False, False, False, True])


def test_circle():
    relations = Relations(2, np.zeros(2, dtype=bool))
    relations.depend(np.array([0]), sp.csr_array([[0.0, 0.5]]), 0)
    relations.depend(np.array([1]), sp.csr_array([[0.5, 0.0]]), 1)
    with pytest.raises(InputError, match="in a circle: exchange slave and master"):
        relations.transformation()
