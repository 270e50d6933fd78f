"""Contact impulses: sweeps and Newton against Lemke's pivots, enumeration and closed forms."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fecontact.errors import SolverError
from fecontact.solvers._contact_kernels import sweep
from fecontact.solvers.complementarity import ContactProblem, _newton, solve_contacts
from fecontact.solvers.lemke import lemke, planar_directions, polyhedral, polyhedral_impulses

seeds = st.integers(0, 2**32 - 1)


def contacts(J, v, mu=0.0, width=1):
    """Problem of c contacts with `width` rows each, unit mass matrix."""
    c = len(J) // width
    first = width * np.arange(c)
    tangent = first + 1 if width == 3 else np.full(c, -1)
    return ContactProblem(J @ J.T, J @ v, first, tangent, np.full(c, mu), np.zeros(c))


def planar(rng, c, n, mu):
    J = np.zeros((3 * c, n))
    J[0::3], J[1::3] = rng.normal(size=(2, c, n))
    return J, contacts(J, rng.normal(size=n), mu, 3)


def by_polygon(problem, sides=8):
    directions = planar_directions(problem.W, problem.tangent, sides)
    x = lemke(*polyhedral(problem, directions))
    return polyhedral_impulses(problem, directions, x)


@given(seeds)
def test_lemke_finds_the_only_solution_of_a_positive_definite_problem(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    A = rng.normal(size=(n, n))
    M = A @ A.T + 0.1 * np.eye(n) + 0.5 * (A - A.T)
    q = rng.normal(size=n)
    found = []
    for active in product((False, True), repeat=n):
        on, z = np.array(active), np.zeros(n)
        z[on] = np.linalg.solve(M[np.ix_(on, on)], -q[on])
        if z.min() >= 0.0 and (M @ z + q).min() >= -1e-10:
            found.append(z)
    np.testing.assert_allclose(lemke(M, q), found[0], atol=1e-9)


@given(seeds)
def test_sweeps_and_lemke_agree_without_friction_also_with_redundant_contacts(seed):
    rng = np.random.default_rng(seed)
    n, c = int(rng.integers(1, 8)), int(rng.integers(1, 12))
    J, v = rng.normal(size=(c, n)), rng.normal(size=n)
    problem = contacts(J, v)
    found = solve_contacts(problem)
    assert found.residual <= 1e-10
    np.testing.assert_allclose(J.T @ found.value, J.T @ lemke(problem.W, problem.b), atol=1e-8)


@given(seeds, st.floats(0.0, 0.25))
def test_sweeps_and_lemke_agree_in_the_plane(seed, mu):
    rng = np.random.default_rng(seed)
    J, problem = planar(rng, int(rng.integers(1, 4)), int(rng.integers(2, 8)), mu)
    found, polygon = solve_contacts(problem).value, by_polygon(problem)
    assert problem.residual(polygon) <= 1e-9 * problem.scale
    np.testing.assert_allclose(J.T @ found, J.T @ polygon, atol=1e-7)


@given(seeds, st.floats(0.0, 0.8))
def test_disc_holds_and_slip_is_opposed(seed, mu):
    rng = np.random.default_rng(seed)
    J, v = rng.normal(size=(3 * int(rng.integers(1, 7)), 8)), rng.normal(size=8)
    problem = contacts(J, v, mu, 3)
    L = solve_contacts(problem).value
    u, size = problem.velocity(L), problem.scale
    normal, force, slip = L[0::3], L.reshape(-1, 3)[:, 1:], u.reshape(-1, 3)[:, 1:]
    grip, speed = np.linalg.norm(force, axis=1), np.linalg.norm(slip, axis=1)
    assert normal.min() >= 0.0
    assert u[0::3].min() >= -1e-9 * size
    assert np.abs(normal * u[0::3]).max() <= 1e-8 * size * (1.0 + normal.max())
    assert np.all(grip <= mu * normal + 1e-12)
    slides = speed > 1e-6 * size
    power = np.einsum("ci,ci->c", force, slip)
    np.testing.assert_allclose(power[slides], -(mu * normal * speed)[slides], atol=1e-7)
    assert v @ v >= np.sum((v + J.T @ L) ** 2) - 1e-9  # plastic friction takes energy


@given(seeds, st.floats(-12.0, 3.0))
def test_residual_is_that_of_the_result_and_within_the_tolerance(seed, size):
    """Velocities of all sizes; what cannot be told from zero, 1e-15 m/s, counts as zero."""
    rng = np.random.default_rng(seed)
    J, v = rng.normal(size=(9, 5)), 10.0**size * rng.normal(size=5)
    problem, tolerance = contacts(J, v, 0.3, 3), 10.0 ** rng.uniform(-12.0, -3.0)
    found = solve_contacts(problem, None, tolerance)
    left = problem.residual(found.value)
    assert found.residual <= tolerance
    assert found.residual == (left / problem.scale if left > 1e-15 else 0.0)


def test_polygon_tends_to_the_disc():
    rng = np.random.default_rng(3)
    J = rng.normal(size=(3, 4))
    problem = contacts(J, -J[0] + 2.0 * J[1] + 0.7 * J[2], 0.3, 3)
    exact = solve_contacts(problem).value
    for sides in (8, 32, 128):
        error = np.linalg.norm(by_polygon(problem, sides) - exact)
        assert error < np.pi / sides * np.linalg.norm(exact)


def test_a_doubled_contact_shares_the_impulse():
    J = np.array([[1.0, 0.5], [1.0, 0.5], [0.0, 1.0]])
    both, one = solve_contacts(contacts(J, -J[0])), solve_contacts(contacts(J[1:], -J[0]))
    np.testing.assert_allclose(J.T @ both.value, J[1:].T @ one.value, atol=1e-12)


def test_given_normal_impulse_bounds_the_friction():
    problem = ContactProblem(
        np.eye(2), np.array([3.0, 4.0]), np.array([-1]), np.array([0]), np.array([0.5]),
        np.array([2.0]),
    )  # fmt: skip
    np.testing.assert_allclose(solve_contacts(problem).value, [-0.6, -0.8], rtol=1e-12)


def gyroscopic_ring(count, mu, seed):
    """Contacts around a disc whose gyroscopic terms make W unsymmetric."""
    rng = np.random.default_rng(seed)
    angles = 2.0 * np.pi * np.arange(count) / count
    points = 0.1 * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(count)])
    axes = np.eye(3)[[2, 0, 1]]
    J = np.array([np.append(axis, np.cross(point, axis)) for point in points for axis in axes])
    inertia = 10.0 ** -rng.uniform(1.0, 4.0)
    S = np.diag([1.0, 1.0, 1.0, inertia, inertia, 2.0 * inertia])
    S[3, 4] = rng.choice([0.3, 1.0, 3.0]) * inertia
    S[4, 3] = -S[3, 4]
    v = rng.normal(size=6) / np.sqrt([1.0, 1.0, 1.0, inertia, inertia, inertia])
    v[2] = -abs(v[2])
    normal = 3 * np.arange(count)
    return ContactProblem(
        J @ np.linalg.solve(S, J.T), J @ v, normal, normal + 1, np.full(count, mu), np.zeros(count)
    )


def test_sweeps_that_diverge_are_slowed_down():
    worst = 0.0
    for seed in range(100):
        problem = gyroscopic_ring(6 + seed % 9, (0.3, 1.0, 1.5)[seed % 3], seed)
        plain = np.zeros(len(problem.b))
        sweep(problem.W, problem.b, problem.rows, plain, 1e-11 * problem.scale, 200, 1.0)
        worst = max(worst, problem.residual(plain) / problem.scale)
        found = solve_contacts(problem)
        assert problem.residual(found.value) <= 1e-10 * problem.scale
    assert worst > 1e3


def test_a_problem_without_solution_is_told():
    minus = ContactProblem(
        -np.eye(1), -np.ones(1), np.array([0]), np.array([-1]), np.array([1.5]), np.zeros(1)
    )
    with pytest.raises(SolverError, match=r"may not exist.*compliant normal law"):
        solve_contacts(minus)
    with pytest.raises(SolverError, match="ray"):
        lemke(-np.eye(1), -np.ones(1))


@given(seeds)
def test_rows_of_no_contact_carry_nothing(seed):
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(15, 5))
    problem = contacts(J, rng.normal(size=5), 0.4, 3).some(np.array([1, 3]))
    near = np.zeros(15)
    near[[3, 9]] = 0.1
    L, _ = _newton(lambda _: (problem, np.zeros((2, 3))), near, 0.0)
    others = np.delete(np.arange(15), [3, 4, 5, 9, 10, 11])
    np.testing.assert_allclose(L[others], 0.0, atol=1e-14)
