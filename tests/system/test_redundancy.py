"""Rank, mobility and names of redundant rows; independence of units; conflicts."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body.rigid import DOFS, RigidBody
from fecontact.system import System
from fecontact.system.constraints.metric import row_metric


def test_spherical_four_bar(four_bar):
    """Keppler, section 3.4: 38 rows of rank 35 for 36 coordinates; here 20 of 17 for 18."""
    found = four_bar().redundancy()
    assert (found.rank, found.mobility) == (17, 1)
    assert len(found.redundant) == 3
    assert all(name.startswith("j3.") for name in found.redundant)  # earlier joints are kept
    assert not found.conflicts


def test_open_chain_is_not_redundant(four_bar):
    found = four_bar(joints=3).redundancy()
    assert (found.rank, found.mobility, found.redundant, found.undetermined) == (15, 3, (), ())


def test_non_concurrent_axes_lock(four_bar, pin):
    """A four-bar whose last axis misses the centre has rank 18: no motion is left."""
    system = four_bar()
    b3 = system.bodies[2]
    skew = pin("skew", b3, None, (0.1, 0.8, 0.5), (0.0, 0.6, 0.8))
    found = System(system.bodies, [*system.constraints[:3], skew]).redundancy()
    assert (found.rank, found.mobility) == (18, 0)


@pytest.mark.parametrize(("length", "mass"), [(1e3, 1e3), (1e-3, 1e6), (1e-6, 1e-3)])
def test_units_do_not_matter(four_bar, length, mass):
    """The same mechanism in mm and g, or small and heavy: equal singular values and names."""
    here, there = four_bar().redundancy(), four_bar(length, mass).redundancy()
    assert there.rank == here.rank
    assert there.redundant == here.redundant
    np.testing.assert_allclose(there.singular_values, here.singular_values, atol=1e-12)


def test_scaling_of_rows_and_dofs_does_not_matter():
    rng = np.random.default_rng(4)
    A = rng.normal(size=(6, 8))
    A[4] = A[0] - 2.0 * A[2]
    root = rng.normal(size=(8, 8))
    M = root @ root.T
    rows, dofs = 10.0 ** rng.uniform(-6, 6, 6), 10.0 ** rng.uniform(-4, 4, 8)
    plain = row_metric(M, A)
    scaled = row_metric(M * np.outer(dofs, dofs), rows[:, None] * A * dofs)
    assert plain.rank == scaled.rank == 5
    np.testing.assert_allclose(scaled.singular_values[:5], plain.singular_values[:5], rtol=1e-6)


def test_rows_without_dofs_are_redundant(pin):
    """A shaft with one dof in a hinge: no row depends on it."""
    shaft = RigidBody("shaft", 1.0, ("rz",), (0.1, 0.1, 0.2))
    found = System([shaft], [pin("hinge", None, shaft, (0.0, 0.0, 0.3), (0.0, 0.0, 1.0))])
    answer = found.redundancy()
    assert (answer.rank, answer.mobility, len(answer.redundant)) == (0, 1, 5)
    state = found.state(v={"shaft.rz": 3.0})
    assert found.consistent(state).state.v.tolist() == [3.0]


def test_earlier_joint_is_kept(pin):
    body = RigidBody("arm", 1.0, DOFS, (0.1, 0.2, 0.3))
    first, second = (pin(n, None, body, (0.5, 0.0, 0.0)) for n in ("first", "second"))
    for order in ((first, second), (second, first)):
        found = System([body], order).redundancy()
        assert found.redundant == tuple(f"{order[1].name}.{axis}" for axis in "xyz")
        assert len(found.undetermined) == 6


def test_conflicting_velocities_are_named(quadric):
    body = RigidBody("mass", 2.0)
    slow = quadric("slow", (body,), np.eye(3)[:1], law=(0.0, 1.0, 0.0), level="velocity")
    fast = quadric("fast", (body,), np.eye(3)[:1], law=(0.0, 3.0, 0.0), level="velocity")
    other = quadric("other", (body,), np.eye(3)[1:2])
    found = System([body], [slow, other, fast]).redundancy()
    assert found.conflicts == {"slow.r0": pytest.approx(1.0), "fast.r0": pytest.approx(-1.0)}


def test_conflicting_positions_are_named(quadric):
    body = RigidBody("mass", 2.0)
    rows = [quadric(n, (body,), np.eye(3)[:1], law=(p, 0.0, 0.0)) for n, p in (("a", 0), ("b", 1))]
    found = System([body], rows).redundancy()
    assert found.conflicts == {"a.r0": pytest.approx(0.5), "b.r0": pytest.approx(-0.5)}
