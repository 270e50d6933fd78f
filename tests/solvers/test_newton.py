"""Newton's method: convergence from afar, and what it says where there is no solution."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.errors import SolverError
from fecontact.solvers.newton import newton


def scalar(function, derivative, start):
    return newton(
        lambda x: (function(x), float(np.abs(function(x)).max()), 1.0),
        lambda x: np.diag(derivative(x)),
        np.array([start]),
    )


def test_newton_converges_where_full_steps_diverge():
    answer = scalar(np.arctan, lambda x: 1.0 / (1.0 + x**2), 5.0)
    assert abs(answer.x[0]) < 1e-10
    assert answer.evaluations > answer.iterations + 1


def test_newton_reports_a_problem_without_solution():
    with pytest.raises(SolverError, match="no convergence"):
        scalar(lambda x: x**2 + 1.0, lambda x: 2.0 * x, 1.3)


def test_newton_reports_a_singular_tangent():
    with pytest.raises(SolverError, match="singular"):
        scalar(lambda x: x**2 + 1.0, lambda x: 0.0 * x, 1.0)


def test_newton_reports_a_tangent_that_is_no_number():
    with pytest.raises(SolverError, match="derivatives of the forces are not finite"):
        scalar(lambda x: x - 1.0, lambda x: x * np.nan, 2.0)
