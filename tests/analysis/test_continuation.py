"""Continuation of branches: circle, cubic with two folds, zeros of test functions, dead ends."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis.continuation import Exchanged, PathOptions, follow, solve_at
from fecontact.errors import InputError, SolverError


class Cubic:
    """p = u^3 - u in m copies: folds at u = -+1/sqrt(3), p = +-2/(3 sqrt(3))."""

    def __init__(self, copies=1):
        self.copies = copies

    def evaluate(self, u, p):
        return u**3 - u - p, np.diag(3.0 * u**2 - 1.0)

    def by_parameter(self, u, p, residual):
        return -np.ones(self.copies)


@pytest.mark.parametrize("copies", [1, 3])
def test_both_folds_of_a_cubic(copies):
    start = np.full(copies, -1.5)
    path = follow(Cubic(copies), start, -1.0, PathOptions(-1.0, 1.0))
    folds = path.of("fold")
    assert path.message == "left the range of the parameter"
    assert path.parameter[-1] > 1.0
    np.testing.assert_allclose([f.parameter for f in folds], [2 / 27**0.5, -2 / 27**0.5], atol=1e-9)
    np.testing.assert_allclose([f.u[0] for f in folds], [-(3**-0.5), 3**-0.5], atol=1e-7)
    for point in path.points:
        assert np.abs(point.u**3 - point.u - point.parameter).max() < 1e-9


class Hopf:
    """Wave r e^(i omega t) of z' = (p + i) z - (1 + 2 i) |z|^2 z: p = r^2, omega = 1 - 2 r^2."""

    def evaluate(self, u, p):
        r, omega = u
        residual = np.array([r * (p - r**2), r * (1.0 - 2.0 * r**2 - omega)])
        return residual, np.array([[p - 3.0 * r**2, 0.0], [1.0 - 6.0 * r**2 - omega, -r]])

    def by_parameter(self, u, p, residual):
        return np.array([u[0], 0.0])


def test_branch_from_a_hopf_point_over_the_size():
    """At p = 0.01 the branch of rest solves the equations as well; the size tells them apart."""
    swapped = Exchanged(Hopf(), 0)
    start = solve_at(swapped, np.array([0.01, 0.9]), 1e-4)
    path = follow(swapped, start, 1e-4, PathOptions(0.0, 0.5, max_points=100))
    assert path.parameter[-1] > 0.5
    for point in path.points:
        (r, omega), p = swapped.original(point.u, point.parameter)
        assert r == point.parameter
        np.testing.assert_allclose([p, omega], [r**2, 1.0 - 2.0 * r**2], atol=1e-9)


def test_exchanged_derivatives(difference):
    swapped, u, size = Exchanged(Hopf(), 0), np.array([0.3, 0.7]), 0.4
    residual, by_u = swapped.evaluate(u, size)
    steps = np.full(2, 1e-4)
    np.testing.assert_allclose(
        by_u, difference(lambda x: swapped.evaluate(x, size)[0], u, steps), atol=1e-10
    )
    by_size = difference(lambda x: swapped.evaluate(u, x[0])[0], np.array([size]), steps)
    np.testing.assert_allclose(swapped.by_parameter(u, size, residual), by_size[:, 0], atol=1e-10)


def test_zeros_of_a_test_function_are_located():
    tests = {"zero": lambda point: float(point.u[0])}
    path = follow(Cubic(), np.array([-1.5]), -1.0, PathOptions(-1.0, 1.0), tests=tests)
    (zero,) = path.of("zero")
    assert abs(zero.u[0]) < 1e-9
    assert abs(zero.parameter) < 1e-9


def test_steps_grow_on_straight_parts_and_stay_below_the_longest():
    class Line:
        def evaluate(self, u, p):
            return u - 2.0 * p, np.eye(1)

        def by_parameter(self, u, p, residual):
            return np.array([-2.0])

    path = follow(Line(), np.zeros(1), 0.0, PathOptions(0.0, 1.0, size=1.0, longest=0.3))
    lengths = np.diff([point.length for point in path.points])
    assert len(path.points) < 20
    assert lengths.max() == pytest.approx(0.3)
    # unit speed: (2 dp)^2 + dp^2 = ds^2
    np.testing.assert_allclose(np.diff(path.parameter), lengths / 5**0.5, rtol=1e-9)


def test_solution_at_a_fixed_parameter():
    u = solve_at(Cubic(), np.array([1.2]), 0.5)
    assert u[0] ** 3 - u[0] == pytest.approx(0.5, abs=1e-12)
    with pytest.raises(SolverError, match=r"closer guess|nearer"):
        solve_at(Cubic(), np.array([-0.2]), 5e5, size=1e-9)


def test_a_branch_that_ends_says_why():
    class Root:
        def evaluate(self, u, p):
            with np.errstate(invalid="ignore"):
                return u - np.sqrt(0.5 - p) - p, np.eye(1)

        def by_parameter(self, u, p, residual):
            return np.array([0.5 / np.sqrt(max(0.5 - p, 1e-12)) - 1.0])

    path = follow(Root(), np.array([1.0]), 0.4, PathOptions(0.0, 1.0, longest=0.02))
    assert path.message.startswith("stopped")
    assert path.parameter[-1] == pytest.approx(0.5, abs=0.01)


def test_bad_ranges_are_refused():
    with pytest.raises(InputError, match="highest = 0"):
        PathOptions(1.0, 0.0)
    with pytest.raises(InputError, match="step = -1"):
        PathOptions(0.0, 1.0, step=-1.0)


class Corner:
    """p = |u - 1|: a corner at u = 1, which is a fold without a smooth tangent."""

    def evaluate(self, u, p):
        return np.abs(u - 1.0) - p, np.diag(np.where(u < 1.0, -1.0, 1.0))

    def by_parameter(self, u, p, residual):
        return -np.ones(1)


@pytest.mark.parametrize("size", [1.0, 2.0, 10.0, 100.0])
def test_a_branch_goes_on_behind_a_corner(size):
    """The larger the size of u, the sharper the turn: by 23, 44, 127 and 174 degrees."""
    options = PathOptions(-2.0, 3.0, size=size)
    path = follow(Corner(), np.array([-1.0]), 2.0, options, direction=-1.0)
    assert path.message == "left the range of the parameter"
    assert path.u[-1, 0] > 4.0
    assert np.all(np.diff(path.u[:, 0]) > 0.0)
    (fold,) = path.of("fold")
    assert fold.u[0] == pytest.approx(1.0, abs=0.02)
