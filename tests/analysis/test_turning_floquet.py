"""Floquet modes of linear equations with periodic coefficients."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import mathieu_a, mathieu_b

from fecontact.analysis.turning.floquet import floquet_modes
from fecontact.analysis.turning.samples import Motions
from fecontact.errors import SolverError

RNG = np.random.default_rng(5)


def motions(samples, matrices):
    """Samples of the functions M, C and K of the phase."""
    phase = 2.0 * np.pi * np.arange(samples) / samples
    parts = [np.array([each(p) for p in phase]) for each in matrices]
    return Motions(*parts, np.zeros_like(parts[0]))


def mathieu(a, q):
    """x'' + (a - 2 q cos 2t) x = 0 over pi."""
    one = np.eye(1)
    return motions(5, [lambda p: one, lambda p: 0 * one, lambda p: (a - 2 * q * np.cos(p)) * one])


@pytest.mark.parametrize("q", [0.5, 2.0])
def test_mathieu(q):
    """Unstable between the characteristic values b_1 and a_1, with multipliers -1 on them."""
    low, high = mathieu_b(1, q), mathieu_a(1, q)
    inside = floquet_modes(mathieu(0.5 * (low + high), q), np.pi)
    assert np.abs(inside.multipliers).max() > 1.05
    assert inside.exponents.real.max() > 0.05
    for a in (low, high):
        edge = floquet_modes(mathieu(a, q), np.pi).multipliers
        np.testing.assert_allclose(edge, -1.0, atol=5e-3)
    beyond = floquet_modes(mathieu(high + 0.3, q), np.pi)
    np.testing.assert_allclose(np.abs(beyond.multipliers), 1.0, atol=1e-6)


def test_random_system_against_scipy():
    """Full matrices of three coordinates with two harmonics, damped, of varying mass."""
    n, period = 3, 0.7
    A = [RNG.standard_normal((n, n)) for _ in range(6)]

    def M(p):
        return np.eye(n) + 0.1 * (A[0] + A[0].T) * np.cos(p) / n

    def C(p):
        return 0.3 * np.eye(n) + A[1] * np.sin(2 * p)

    def K(p):
        return np.diag([40.0, 90.0, 300.0]) + 5.0 * A[2] * np.cos(p) + 3.0 * A[3] * np.sin(2 * p)

    found = floquet_modes(motions(15, [M, C, K]), period)

    def rate(t, x):
        p, x = 2.0 * np.pi * t / period, x.reshape(2 * n, 2 * n)
        return np.vstack([x[n:], -np.linalg.solve(M(p), K(p) @ x[:n] + C(p) @ x[n:])]).ravel()

    end = solve_ivp(rate, (0, period), np.eye(2 * n).ravel(), "DOP853", rtol=1e-11, atol=1e-13)
    exact = np.linalg.eigvals(end.y[:, -1].reshape(2 * n, 2 * n))
    for mu in exact:
        assert np.abs(found.multipliers / mu - 1.0).min() < 1e-4


def test_constant_coefficients_are_exact_and_resolved():
    """Far above the aliasing of 1/period: as the modes of the constant matrices."""
    K = np.diag([2e3, 5e5, 7e7])
    C = np.diag([1.0, 3.0, 20.0])
    found = floquet_modes(motions(9, [lambda p: np.eye(3), lambda p: C, lambda p: K]), 0.05)
    exact = -np.diag(C) / 2 + 1j * np.sqrt(np.diag(K) - np.diag(C) ** 2 / 4)
    np.testing.assert_allclose(found.exponents, exact, rtol=1e-9)
    np.testing.assert_allclose(found.constant, 1.0, atol=1e-9)
    assert found.lost == 0


def test_what_fades_within_a_period_is_counted():
    K, C = np.diag([1e2, 1e4]), np.diag([0.1, 190.0])
    found = floquet_modes(motions(9, [lambda p: np.eye(2), lambda p: C, lambda p: K]), 1.0)
    assert found.lost == 1
    assert len(found.exponents) == 1


def test_steps_that_do_not_converge_are_refused():
    """A stiffness that changes fully, ten thousand oscillations long."""
    one = np.eye(1)
    stiff = motions(
        9, [lambda p: one, lambda p: 0 * one, lambda p: 1e10 * (1.0 + 0.9 * np.cos(p)) * one]
    )
    with pytest.raises(SolverError, match="exponents of the period still change"):
        floquet_modes(stiff, 1.0)
