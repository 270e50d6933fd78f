"""Small systems keep their linear algebra on one thread, large ones the threads they are given."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import fecontact as fc
from fecontact.solvers.threads import SMALL, one_thread, small_on_one_thread


def threads():
    """Threads of each BLAS library."""
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def two_threads():
    with threadpool_limits(2, user_api="blas"):
        if threads() != {2}:
            pytest.skip("a BLAS library without threads")
        yield


@pytest.mark.parametrize(("size", "count"), [(1, 1), (SMALL, 1), (SMALL + 1, 2)])
def test_threads_by_size(size, count):
    with one_thread(size):
        assert threads() == {count}
    assert threads() == {2}


@pytest.mark.parametrize(
    ("given", "count"),
    [
        (SimpleNamespace(size=3), 1),
        (SimpleNamespace(size=SMALL + 1), 2),
        (SimpleNamespace(sizes=(SMALL + 1, 0, 0)), 2),
        (SimpleNamespace(mass=np.zeros((SMALL + 1, 1))), 2),
        (SimpleNamespace(mass=2.0), 1),
        (None, 1),
    ],
)
def test_threads_of_what_is_given(given, count):
    @small_on_one_thread
    def asked(system):
        return threads()

    assert asked(given) == asked(system=given) == {count}
    assert threads() == {2}


def test_threads_after_an_error():
    @small_on_one_thread
    def wrong(system):
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        wrong(SimpleNamespace(size=1))
    assert threads() == {2}


def test_threads_of_a_simulation():
    seen = []
    mass = fc.RigidBody("mass", 1.0, ("ux",))
    system = fc.System([mass], [fc.Bearing(mass, 1e4, 1e4)])
    fc.simulate(system, 1e-3, output=1e-3, callback=lambda point: seen.append(threads()))
    assert seen
    assert all(each == {1} for each in seen)
    assert threads() == {2}
