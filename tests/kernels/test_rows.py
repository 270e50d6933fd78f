"""Rows by vector instructions do what their plain Python does."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from fecontact.kernels.rows import LONG, TERMS, add_vector, blend_terms, blended, fill_rows

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="kernels run as plain Python")
RNG = np.random.default_rng(0)


@pytest.mark.parametrize("count", [1, 3, 8, 9])
def test_blended(count):
    values, weights = RNG.standard_normal((20, 4)), RNG.standard_normal(100)
    rows = RNG.integers(20, size=count)

    @numba.njit
    def kernel(values, rows, weights, first, apart):
        return blended(values, rows, weights, first, apart)

    found = kernel(values, rows, weights, 3, 10)
    np.testing.assert_allclose(found, blended(values, rows, weights, 3, 10), rtol=0, atol=1e-14)
    np.testing.assert_allclose(found, weights[3::10][:count] @ values[rows, :3], rtol=0, atol=1e-14)


@pytest.mark.parametrize("count", [1, 3, 8, 9])
def test_blend_terms(count):
    values, weights = RNG.standard_normal((20, 4)), RNG.standard_normal((count, TERMS))
    rows, (found, plain) = RNG.integers(20, size=count), np.zeros((2, 50))

    @numba.njit
    def kernel(values, rows, weights, result):
        blend_terms(values, rows, weights, result)

    kernel(values, rows, weights, found)
    blend_terms(values, rows, weights, plain)
    np.testing.assert_allclose(found, plain, rtol=0, atol=1e-14)
    expected = np.einsum("ka,ki->ai", weights, values[rows])
    np.testing.assert_allclose(found[:36].reshape(TERMS, 4), expected, rtol=0, atol=1e-14)


def test_many_blends_need_no_more_memory_than_one():
    """Sums live in the frame of the kernel: a million of them fit its stack."""
    values, weights, rows = np.ones((3, 4)), np.ones(3), np.arange(3)

    @numba.njit
    def kernel(values, rows, weights):
        total = 0.0
        for _ in range(1_000_000):
            total += blended(values, rows, weights, 0, 1)[2]
        return total

    assert kernel(values, rows, weights) == 3e6


def test_add_vector():
    @numba.njit
    def kernel(result, row):
        add_vector(result, row, 2.0, 1.0, -3.0, 0.5)

    result, plain = RNG.standard_normal((2, 5, 4))
    plain[:] = result
    kernel(result, 3)
    add_vector(plain, 3, 2.0, 1.0, -3.0, 0.5)
    np.testing.assert_allclose(result, plain, rtol=0, atol=1e-15)


def test_fill_rows():
    @numba.njit
    def kernel(result, first, apart):
        fill_rows(result, first, apart, (1.0, 2.0, 3.0))

    result, plain = np.zeros((2, 60))
    kernel(result, 5, 20)
    fill_rows(plain, 5, 20, (1.0, 2.0, 3.0))
    np.testing.assert_array_equal(result, plain)
    np.testing.assert_array_equal(np.flatnonzero(result == 2.0), 25 + np.arange(LONG))


@pytest.mark.parametrize("result", [np.zeros((5, 8))[:, ::2], np.zeros((5, 4), np.float32)],
                         ids=["gaps", "float32"])  # fmt: skip
def test_other_arrays_are_refused(result):
    @numba.njit
    def kernel(result):
        add_vector(result, 1, 2.0, 1.0, 1.0, 1.0)

    with pytest.raises(TypingError, match="invalid rows of"):
        kernel(result)
