"""Parts of arrays and bundles of arrays in kernels: the same memory, as numpy sees it."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.errors import TypingError

from fecontact.kernels.arrays import Bundle, integers, matrix, part
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="kernels run as plain Python")


class Motion(Bundle):
    q: Floats
    mass: Floats
    counts: Integers


@kernel
def sum_parts(a, at, rows, columns):
    """Sum of a part and of the same part as a matrix, weighted so that each number counts."""
    total, weight = 0.0, 1.0
    flat, block = part(a, at, rows * columns), matrix(a, at, rows, columns)
    for i in range(block.shape[0]):
        for j in range(block.shape[1]):
            total += weight * (flat[i * columns + j] + 2.0 * block[i, j])
            weight += 1.0
    return total


@kernel
def mark(a, at):
    integers(a, at, 2)[1] = -7
    part(a, at + 2, 1)[0] = 3.5
    matrix(a, at, 2, 2)[1, 1] = 4.5


@kernel
def drift(motion, h):
    for i in range(len(motion.q)):
        for j in range(motion.mass.shape[1]):
            motion.q[i] += h * motion.mass[i, j]
    motion.counts[0] += 1
    return motion.mass.shape[0] + 10 * motion.mass.shape[1]


@given(
    at=st.integers(0, 5), rows=st.integers(0, 4), columns=st.integers(0, 4), seed=st.integers(0, 9)
)
def test_parts_are_those_of_numpy(at, rows, columns, seed):
    a = np.random.default_rng(seed).standard_normal(30)
    own = a[at : at + rows * columns]
    expected = 3.0 * own @ np.arange(1.0, rows * columns + 1.0)
    assert sum_parts(a, at, rows, columns) == pytest.approx(expected, abs=1e-12)
    assert sum_parts(a.reshape(5, 6), at, rows, columns) == pytest.approx(expected, abs=1e-12)


def test_parts_are_written_in_place():
    a = np.zeros(8)
    mark(a, 3)
    assert a.view(np.int64)[4] == -7
    assert (a[5], a[6]) == (3.5, 4.5)
    assert not a[[0, 1, 2, 3, 7]].any()


def test_a_bundle_is_read_and_written_by_name():
    motion = Motion(q=np.zeros(2), mass=np.arange(6.0).reshape(2, 3), counts=np.array([4]))
    assert drift(motion, 0.5) == 32
    assert motion.q.tolist() == [1.5, 6.0]
    assert motion.counts[0] == 5
    motion.mass[:] = 0.0
    drift(motion, 0.5)
    assert motion.q.tolist() == [1.5, 6.0]


@compiled
def test_bundles_of_other_shapes_share_code_and_of_other_types_do_not():
    drift(Motion(q=np.zeros(2), mass=np.eye(2), counts=np.array([0])), 1.0)
    before = len(drift.overloads)
    longer = Motion(q=np.zeros(4), mass=np.eye(4), counts=np.array([0]))
    assert drift(longer, 1.0) == 44
    assert len(drift.overloads) == before
    assert Motion(q=np.zeros(2), mass=np.zeros(2), counts=np.array([0])).kind != longer.kind


def test_a_bundle_names_what_is_wrong_with_its_arrays():
    with pytest.raises(
        TypeError, match=r"invalid arrays \['q'\]: expected \['counts', 'mass', 'q'\]"
    ):
        Motion(q=np.zeros(2))
    with pytest.raises(ValueError, match="invalid array 'mass': expected one that is contiguous"):
        Motion(q=np.zeros(2), mass=np.zeros((4, 4))[::2], counts=np.array([0]))


@compiled
@pytest.mark.parametrize("a", [np.zeros((4, 4)).T[1:], np.zeros(4, dtype=np.int64)])
def test_parts_of_other_arrays_are_refused(a):
    with pytest.raises(TypingError, match="expected a contiguous array of floats"):
        mark(a, 0)
