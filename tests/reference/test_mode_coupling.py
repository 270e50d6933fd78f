"""Skew springs: the published onset, eigenvalues of the matrices, sign of Hurwitz's determinant."""

from __future__ import annotations

from math import radians, sqrt

import numpy as np
import pytest

from fecontact.reference import SkewSprings

BLOCK = SkewSprings(
    1.0,
    (2.0 / 3.0 * (2.0 + sqrt(3.0)), 2.0 / 3.0 * (2.0 - sqrt(3.0))),
    (radians(150.0), radians(30.0)),
    4.0 / 3.0,
    0.05,
)


def matrices(friction):
    K = BLOCK.matrix.copy()
    K[0, 1] -= np.sign(K[0, 1]) * friction * BLOCK.contact
    return K, BLOCK._along((0.05, 0.05))


def test_published_data():
    """k11 = k22 = 2, k12 = +-1: mu_crit = 3/4."""
    assert BLOCK.matrix == pytest.approx(np.array([[2.0, -1.0], [-1.0, 2.0]]))
    assert BLOCK.critical_friction == pytest.approx(0.75)


@pytest.mark.parametrize("friction", [0.3, 0.9])
def test_eigenvalue_of_the_matrix(friction):
    squares = np.linalg.eigvals(matrices(friction)[0]).astype(complex)
    z = np.concatenate([1j * np.sqrt(squares), -1j * np.sqrt(squares)])
    assert BLOCK.eigenvalue(friction).real == pytest.approx(z.real.max(), abs=1e-9)


@pytest.mark.parametrize("friction", [0.3, 0.7, 0.9, 1.2])
def test_hurwitz_tells_flutter(friction):
    K, C = matrices(friction)
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-K, -C]])
    assert (BLOCK.hurwitz(friction) < 0.0) == (np.linalg.eigvals(A).real.max() > 0.0)
