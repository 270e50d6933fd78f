"""Compiled decomposition of constraint rows: that of the metric of the mass in numpy."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.system.constraints.decomposition import (
    ALL,
    POSITION,
    DecomposedRows,
    decompose,
    decomposed_arrays,
    independent,
)
from fecontact.system.constraints.metric import row_metric
from fecontact.system.program.constraint_rows import RowTable

SIZES = ((1, 1, 1), (3, 3, 6), (7, 5, 12), (30, 25, 30), (4, 0, 5))
"""Rows, independent ones among them, dofs."""


def rows_of(jacobian, bound):
    m, n = jacobian.shape
    names = set(RowTable.__annotations__) - {"jacobian", "bound", "work", "slopes", "turning"}
    given = {name: np.zeros(m) for name in names - {"table", "indices", "places"}}
    given |= {"table": np.zeros((0, 8), dtype=np.int64), "indices": np.zeros(0, dtype=np.int64)}
    return DecomposedRows(
        **given, places=np.zeros((0, 3), dtype=np.int64), work=np.zeros(0), jacobian=jacobian,
        slopes=np.zeros((m, n)), turning=np.zeros((n, n)), bound=np.array(bound, dtype=np.int64),
        **decomposed_arrays(m, n),
    )  # fmt: skip


def mass_of(n, rng):
    """A mass matrix of bodies with different units, in blocks."""
    mass, first = np.zeros((n, n)), 0
    while first < n:
        last = min(n, first + 5)
        half = rng.standard_normal((last - first, last - first))
        scale = 10.0 ** rng.uniform(-2.0, 2.0, last - first)
        mass[first:last, first:last] = scale[:, None] * (half @ half.T + np.eye(len(half))) * scale
        first = last
    return mass


@pytest.mark.parametrize(("m", "rank", "n"), SIZES)
def test_rank_and_corrections_are_those_of_the_metric(m, rank, n):
    rng = np.random.default_rng(m + n)
    mass, scale = mass_of(n, rng), 10.0 ** rng.uniform(-3.0, 3.0, m)
    A = scale[:, None] * (rng.standard_normal((m, rank)) @ rng.standard_normal((rank, n)))
    rows, metric = rows_of(A, np.ones(m)), row_metric(mass, A)
    assert decompose(rows, mass)
    r = int(rows.rank[ALL])
    assert r == int(rows.rank[POSITION]) == metric.rank == rank
    lifted, ways = rows.lifted[:r], rows.directions[:r]
    np.testing.assert_allclose(lifted @ ways.T, np.eye(r), atol=1e-12)
    np.testing.assert_allclose(mass @ ways.T, lifted.T, atol=1e-11 * np.abs(lifted).max(initial=1))
    chosen = A[rows.chosen[:r]]
    own = rows.parts[rows.chosen[:r], :r]
    np.testing.assert_allclose(chosen, own @ lifted, atol=1e-12 * np.abs(A).max())
    np.testing.assert_allclose(np.triu(own, 1), 0.0)
    values, found = A @ rng.standard_normal(n), np.zeros(m)
    independent(rows, values, r, found)
    step, expected = found[:r] @ ways, metric.step(values)
    np.testing.assert_allclose(step, expected, atol=1e-9 * np.abs(expected).max())
    np.testing.assert_allclose(A @ step, values, atol=1e-9 * np.abs(values).max())


def test_rows_of_position_level_come_first():
    """A row of velocity level that follows from position rows is redundant."""
    rng = np.random.default_rng(5)
    A, bound = rng.standard_normal((5, 8)), [0, 1, 0, 1, 1]
    A[2] = A[1] - 2.0 * A[4]
    rows = rows_of(A, bound)
    assert decompose(rows, mass_of(8, rng))
    assert rows.rank.tolist() == [3, 4]
    assert sorted(rows.chosen[:3].tolist()) == [1, 3, 4]
    assert rows.chosen[3] == 0


def test_nearly_dependent_rows_count_down_to_the_tolerance():
    for angle, rank in ((1e-5, 2), (1e-7, 1)):
        rows = rows_of(np.array([[1.0, 0.0], [1.0, angle]]), [1, 1])
        assert decompose(rows, np.eye(2))
        assert rows.rank[ALL] == rank


def test_mass_that_is_not_definite():
    rows = rows_of(np.ones((1, 2)), [1])
    assert not decompose(rows, np.array([[1.0, 2.0], [2.0, 1.0]]))
