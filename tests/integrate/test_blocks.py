"""Inverses by blocks, against those of the whole matrix."""

from __future__ import annotations

import numpy as np

from fecontact.integrate.moreau.kernels.blocks import (
    Blocks,
    invert,
    multiply,
    respond,
    unknown_inverse,
)


def random_matrix(rng, labels):
    """Matrix with entries between dofs of the same label, not symmetric."""
    n = len(labels)
    whole = np.where(np.equal.outer(labels, labels), rng.normal(size=(n, n)), 0.0)
    return whole + 3.0 * np.diag(rng.choice([-1.0, 1.0], n))


def packed(blocks, whole):
    """Numbers of a matrix, block by block."""
    parts = [
        whole[np.ix_(own, own)].ravel()
        for own in np.split(blocks.dofs, blocks.first[1:-1])
    ]  # fmt: skip
    return np.concatenate(parts)


def inverted(blocks, matrix):
    left = np.zeros((blocks.largest, blocks.largest))
    return invert(blocks.first, blocks.start, matrix, left)


def test_inverse_product_and_response():
    rng = np.random.default_rng(0)
    labels = np.array([0, 2, 1, 0, 2, 2, 3, 0, 1])
    blocks = Blocks.of(labels)
    whole, matrix = random_matrix(rng, labels), unknown_inverse(blocks)
    matrix[0] = packed(blocks, whole)
    assert inverted(blocks, matrix) == 4
    expected = np.linalg.inv(whole)
    np.testing.assert_allclose(matrix[2], packed(blocks, expected), rtol=1e-12, atol=1e-12)
    x, y = rng.normal(size=9), np.zeros(9)
    multiply(blocks.first, blocks.start, blocks.dofs, matrix[2], x, y)
    np.testing.assert_allclose(y, expected @ x, rtol=1e-12)
    chosen = np.array([2, 0])
    own = np.concatenate([np.flatnonzero(labels == label) for label in chosen])
    row, result = rng.normal(size=6), np.zeros(6)
    respond(blocks.first, blocks.start, matrix[2], chosen, row, result)
    np.testing.assert_allclose(result, expected[np.ix_(own, own)] @ row, rtol=1e-12)


def test_only_what_has_changed_is_inverted_again():
    rng = np.random.default_rng(1)
    labels = np.array([0, 0, 1, 1, 2])
    blocks = Blocks.of(labels)
    whole, matrix = random_matrix(rng, labels), unknown_inverse(blocks)
    matrix[0] = packed(blocks, whole)
    assert inverted(blocks, matrix) == 3
    assert inverted(blocks, matrix) == 0
    matrix[0, -1] *= 2.0
    assert inverted(blocks, matrix) == 1
    assert matrix[2, -1] == 1.0 / matrix[0, -1]


def test_a_matrix_without_inverse_is_told():
    blocks = Blocks.of(np.array([0, 0]))
    matrix = unknown_inverse(blocks)
    matrix[0] = [1.0, 2.0, 2.0, 4.0]
    assert inverted(blocks, matrix) == -1
    matrix[0] = [1.0, 2.0, 2.0, 5.0]
    assert inverted(blocks, matrix) == 1
