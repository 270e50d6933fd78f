"""Coefficients over speed in contact problems: tangents, searches, statuses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from fecontact.solvers._contact_kernels import equations
from fecontact.solvers.complementarity import ContactProblem, solve_contacts
from fecontact.solvers.friction_curve import CoefficientSearch, FrictionCurve, StatusRounds


def one(mu, slip, push=1.0, sticks=False, before=None, theta=1.0, static=None):
    """A mass of 1 kg pressed with the impulse `push`, with the coefficient mu(speed)."""

    def evaluate(contacts, speed, impulse, stuck):
        value, step = mu(speed), 1e-6
        slope = (mu(speed + step) - mu(speed - step)) / (2.0 * step)
        held = value if static is None else static
        return np.where(stuck, held, value), slope, np.zeros_like(speed)

    start = np.array([slip if before is None else before])
    curve = FrictionCurve(evaluate, np.zeros(1, int), np.array([sticks]), start, theta)
    b = np.array([-push, *slip])
    zero = np.zeros(1)
    return ContactProblem(
        np.eye(3), b, np.zeros(1, int), np.ones(1, int), zero, zero, curve
    )  # fmt: skip


@pytest.mark.parametrize("rise", [-0.5, 0.5, 5.0, 200.0])
@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_coefficient_of_the_speed_that_it_leaves(rise, theta):
    """s + mu((1 - theta) s_0 + theta s) L_n = s_0, against a bracketed root."""

    def mu(speed):
        return 0.2 + rise * speed if rise > 0.0 else 0.2 * np.exp(rise * speed)

    first = np.array([0.6, 0.8])
    found = solve_contacts(one(mu, first, theta=theta))

    def left(s):
        return s - 1.0 + mu((1.0 - theta) + theta * s)

    expected = brentq(left, 0.0, 1.0) if left(0.0) < 0.0 else 0.0
    u = first + found.value[1:]
    assert np.linalg.norm(u) == pytest.approx(expected, abs=1e-10)
    np.testing.assert_allclose(found.value[0], 1.0, rtol=1e-12)
    np.testing.assert_allclose(u, expected * first, atol=1e-10)


def test_tangent_of_the_equations_with_slopes():
    """Derivative of the prox equations, with coefficients over speed, against differences."""
    rng = np.random.default_rng(3)
    J = rng.normal(size=(6, 7))
    W, b = J @ J.T, rng.normal(size=6)

    def evaluate(contacts, speed, impulse, stuck):
        return 0.02 + 0.03 * speed + 0.01 * impulse, np.full(2, 0.03), np.full(2, 0.01)

    curve = FrictionCurve(evaluate, np.arange(2), np.zeros(2, bool), rng.normal(size=(2, 2)), 0.7)
    problem = ContactProblem(
        W, b, np.array([0, 3]), np.array([1, 4]), np.zeros(2), np.zeros(2), curve
    )
    status = StatusRounds(curve, 0.0)

    def at(L):
        mu, slopes = status.coefficients(problem.slip(problem.velocity(L)), problem.held(L))
        known = replace(problem, friction=mu, curve=None)
        return equations(W, known.velocity(L), known.rows, L, slopes)

    L = np.array([0.5, 0.4, -0.3, 0.7, 0.2, 0.6])
    tangent = at(L)[1]
    h = 1e-6
    columns = [(at(L + h * e)[0] - at(L - h * e)[0]) / (2.0 * h) for e in np.eye(6)]
    np.testing.assert_allclose(tangent, np.array(columns).T, atol=1e-7 * np.abs(tangent).max())
    mu, _ = status.coefficients(problem.slip(problem.velocity(L)), problem.held(L))
    fixed = replace(problem, friction=mu, curve=None)
    level = equations(W, fixed.velocity(L), fixed.rows, L, np.zeros((2, 3)))[1]
    assert np.abs(tangent - level).max() > 1e-3 * np.abs(tangent).max()  # slopes count: both slide


@pytest.mark.parametrize(("needed", "sticks"), [(0.3, True), (0.5, False)])
def test_static_coefficient_holds_what_it_can(needed, sticks):
    """Kinetic 0.2, static 0.4: a contact that stuck slides only if it needs more, and with 0.2."""
    problem = one(
        lambda s: 0.2 + 0.0 * s, np.array([needed, 0.0]), sticks=True, before=np.zeros(2),
        static=0.4,
    )  # fmt: skip
    found = solve_contacts(problem)
    assert found.value[1] == pytest.approx(-needed if sticks else -0.2, abs=1e-12)
    assert found.friction[0] == (0.4 if sticks else 0.2)


@pytest.mark.parametrize(("before", "sticks"), [(-0.01, True), (0.01, False)])
def test_a_slip_that_turns_came_to_rest(before, sticks):
    """Pushed on with 0.3 N s: at rest in between if it slid the other way before."""
    problem = one(
        lambda s: 0.2 + 0.0 * s, np.array([0.3, 0.0]), before=np.array([before, 0.0]), static=0.4
    )
    found = solve_contacts(problem)
    assert found.value[1] == pytest.approx(-0.3 if sticks else -0.2, abs=1e-12)


def test_search_ends_for_laws_that_answer_too_strongly():
    """Answers law = 10 - k mu, of which plain turns diverge for k > 1."""
    for k in (0.5, 3.0, 40.0):
        search, mu = CoefficientSearch(1), np.array([8.0])
        for _ in range(80):
            mu = search.next(mu, 10.0 - k * mu)
        assert mu[0] == pytest.approx(10.0 / (1.0 + k), rel=1e-6)
