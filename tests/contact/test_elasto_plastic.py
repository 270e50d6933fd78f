"""Elasto-plastic friction against closed forms, invariants and differences."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.optimize import brentq
from scipy.special import lambertw

from fecontact.contact.laws.coefficient import Coulomb, FrictionTable, Stribeck
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.errors import InputError

SEEDS = st.integers(0, 10**6)


def random_points(seed, count=40, size=1.0):
    """Trial slips, velocities in planes of random normals, pressures with open points, status."""
    rng = np.random.default_rng(seed)
    n = rng.normal(size=(count, 3))
    n /= np.linalg.norm(n, axis=1)[:, None]
    flat = lambda a: a - np.sum(a * n, axis=1)[:, None] * n  # noqa: E731
    z, slip = flat(rng.normal(size=(count, 3))), flat(rng.normal(size=(count, 3)))
    pressure = np.maximum(0.0, rng.normal(0.5, 1.0, count))
    status = rng.integers(0, 3, count)
    return n, size * z, slip, pressure, status


def laws():
    return [
        ElastoPlastic(0.4, 1.3, 0.2),
        ElastoPlastic(Coulomb(0.3, static=0.5), 1.3),
        ElastoPlastic(Stribeck(0.3, 0.5, 0.8, exponent=1.5, viscous=0.01), 1.3, 0.1),
        ElastoPlastic(
            FrictionTable(
                np.array([0.0, 0.5, 3.0]),
                np.array([[0.5, 0.4], [0.3, 0.2], [0.35, 0.3]]),
                np.array([0.0, 2.0]),
            ),
            1.3,
            0.1,
        ),
    ]


@given(seed=SEEDS)
@pytest.mark.parametrize("law", laws(), ids=["coulomb", "static", "stribeck", "table"])
def test_step_keeps_the_cone_and_dissipates(law, seed):
    n, z, slip, pressure, status = random_points(seed)
    step = law.step(z, slip, pressure, status, 0.1)
    speed = np.linalg.norm(slip, axis=1)
    limit = law.coefficient.values(speed, pressure, status)[0] * pressure
    assert np.all(np.linalg.norm(step.traction, axis=1) <= limit * (1 + 1e-12))
    assert np.all(step.work >= 0.0)
    assert np.abs(np.sum(step.traction * n, axis=1)).max() < 1e-14
    assert np.abs(np.sum(step.z * n, axis=1)).max() < 1e-14
    sticks = step.status == STICK
    assert np.array_equal(step.z[sticks], z[sticks])
    assert np.array_equal(step.status == OPEN, pressure == 0.0)
    # T = -c z - beta (s - dw/h): the elastic law holds in every status
    back = (z - step.z) / 0.1
    elastic = -law.stiffness * step.z - law.damping * (slip - back)
    assert np.allclose(step.traction, elastic, rtol=0, atol=1e-12)


@given(seed=SEEDS)
def test_objectivity_and_order(seed):
    law = laws()[3]
    _, z, slip, pressure, status = random_points(seed)
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    step, turned = (law.step(z @ R.T, slip @ R.T, pressure, status, 0.1) for R in (np.eye(3), turn))
    assert np.allclose(turned.traction, step.traction @ turn.T, rtol=0, atol=1e-13)
    assert np.allclose(turned.z, step.z @ turn.T, rtol=0, atol=1e-13)
    back = slice(None, None, -1)
    mirrored = law.step(z[back], slip[back], pressure[back], status[back], 0.1)
    assert np.array_equal(mirrored.traction[back], step.traction)


@given(seed=SEEDS)
@pytest.mark.parametrize("law", laws(), ids=["coulomb", "static", "stribeck", "table"])
def test_tangent_is_the_derivative(law, difference, seed):
    _, z, slip, pressure, status = random_points(seed, count=1)
    pressure += 0.3
    if isinstance(law.coefficient, FrictionTable):  # bilinear: kinks at the grid
        pressure = np.minimum(pressure, 1.9)
        slip *= 0.45 / np.linalg.norm(slip)
    speed = np.linalg.norm(slip)
    limit = law.coefficient.values(np.array([speed]), pressure, status)[0] * pressure
    size = np.linalg.norm(law.stiffness * z + law.damping * slip)
    if abs(size - limit[0]) < 0.05 or speed < 0.1:
        return  # too near to the kink for a difference

    def traction(x):
        x_pressure = x[6:]
        return law.step(x[None, :3], x[None, 3:6], x_pressure, status, 0.1).traction[0]

    tangent = law.d_step(z, slip, pressure, status, 0.1)
    exact = np.column_stack([tangent.by_z[0], tangent.by_slip[0], tangent.by_pressure[0]])
    found = difference(traction, np.r_[z[0], slip[0], pressure], np.full(7, 2e-3))
    assert np.abs(exact - found).max() < 1e-7 * np.abs(exact).max()


@given(seed=SEEDS)
def test_the_two_forms_agree_for_short_steps(seed):
    law = laws()[0]
    _, z, slip, pressure, status = random_points(seed)
    z *= 0.2
    rate = law.rate(z, slip, pressure, status)
    errors = []
    for h in (1e-4, 5e-5):
        step = law.step(z + h * slip, slip, pressure, status, h)
        errors.append(np.abs((step.z - z) / h - rate.z_rate).max())
    assert errors[1] < 0.6 * errors[0] + 1e-9
    assert np.all(rate.power >= 0.0)
    power = np.sum(-rate.traction * (slip - rate.z_rate), axis=1)
    assert np.allclose(rate.power, power, rtol=1e-10, atol=1e-13)


BREAK_AWAY = {"mass": 1.0, "stiffness": 1e4, "force": 2.0, "limit": 1.5}
RATIOS = [0.3, 1.0, 3.0]
"""Dampers of the bristle in shares of the critical one; Stamm's is critical."""


def damper(ratio):
    m, c, *_ = BREAK_AWAY.values()
    return 2.0 * ratio * np.sqrt(c * m)


def stuck(t, ratio):
    """x and v of the mass on its bristle under the constant force, by the matrix exponential."""
    m, c, F, _ = BREAK_AWAY.values()
    A = np.array([[0.0, 1.0], [-c / m, -damper(ratio) / m]])
    return np.array([F / c, 0.0]) + expm(A * t) @ [-F / c, 0.0]


def start_of_slip(ratio):
    """Time t_0 at which c x + beta v first is the limit; Stamm (4.125) for critical damping."""
    _, c, _, T = BREAK_AWAY.values()
    pull = lambda t: np.array([c, damper(ratio)]) @ stuck(t, ratio) - T  # noqa: E731
    return brentq(pull, 0.0, 0.02, xtol=1e-18, rtol=1e-15)


def break_away(t, ratio=1.0):
    """Closed form of Stamm T4 for any damper: x, v, z of a mass pulled from rest by a force.

    z relaxes with c/beta (Stamm 4.139) to T/c while the mass has a constant acceleration.
    """
    m, c, F, T = BREAK_AWAY.values()
    t_0 = start_of_slip(ratio)
    x, v = stuck(min(t, t_0), ratio)
    s = max(t - t_0, 0.0)
    return np.array(
        [
            x + v * s + (F - T) * s**2 / (2 * m),
            v + (F - T) / m * s,
            T / c + (x - T / c) * np.exp(-c / damper(ratio) * s) if s > 0.0 else x,
        ]
    )


def test_the_start_of_slip_is_lamberts():
    m, c, F, T = BREAK_AWAY.values()
    exact = (1.0 - lambertw(np.e * (F - T) / F).real) / np.sqrt(c / m)
    assert start_of_slip(1.0) == pytest.approx(exact, rel=1e-13)


@pytest.mark.parametrize("ratio", RATIOS)
def test_break_away_continuous(ratio):
    m, c, F, T = BREAK_AWAY.values()
    law = ElastoPlastic(T, c, damper(ratio))
    one, status = np.ones(1), np.array([STICK])

    def rate(t, y):
        z, slip = np.array([[y[2], 0.0, 0.0]]), np.array([[y[1], 0.0, 0.0]])
        answer = law.rate(z, slip, one, status)
        return [y[1], (F + answer.traction[0, 0]) / m, answer.z_rate[0, 0]]

    run = solve_ivp(rate, (0.0, 0.1), np.zeros(3), "Radau", rtol=1e-12, atol=1e-16)
    assert np.abs(run.y[:, -1] - break_away(0.1, ratio)).max() < 1e-10


def orders(errors):
    """Orders of convergence of results (k, n) of steps halved each time."""
    errors = np.array(errors)
    return np.log2(errors[:-1] / errors[1:])


@pytest.mark.parametrize("ratio", RATIOS)
def test_the_discrete_law_is_of_first_order(ratio):
    """z alone, along the exact motion: exact while the mass sticks, of first order while it slides.

    The friction force has no error: it is the limit. Halved steps divide the error of z by two to a
    share h c/beta of the next order; the kink at t_0, with z' continuous, adds no more.
    """
    _, c, _, T = BREAK_AWAY.values()
    law, t_0 = ElastoPlastic(T, c, damper(ratio)), start_of_slip(ratio)
    end, errors = t_0 + damper(ratio) / c, []
    for steps in (200, 400, 800):
        path = [break_away(t, ratio) for t in np.linspace(0.0, end, steps + 1)]
        z, status, worst, h = np.zeros((1, 3)), np.array([STICK]), 0.0, end / steps
        for before, now in pairwise(path):
            dx, slip = (x * np.array([[1.0, 0.0, 0.0]]) for x in (now[0] - before[0], now[1]))
            step = law.step(z + dx, slip, np.ones(1), status, h, dx)
            z, status, error = step.z, step.status, abs(step.z[0, 0] - now[2])
            if status[0] == STICK:
                assert error < 1e-13 * T / c
            else:
                assert step.traction[0, 0] == pytest.approx(-T, rel=1e-14)
            worst = max(worst, error)
        errors.append([worst, error])
    assert np.all(np.abs(orders(errors) - 1.0) < 0.1)


@pytest.mark.parametrize("ratio", RATIOS)
def test_break_away_discrete_is_of_first_order_with_implicit_euler(ratio):
    """Position, speed and elastic slip of the whole motion, each by itself."""
    m, c, F, T = BREAK_AWAY.values()
    law, errors = ElastoPlastic(T, c, damper(ratio)), []
    end = start_of_slip(ratio) + damper(ratio) / c
    for steps in (500, 1000, 2000):
        h, x, v, z, status = end / steps, 0.0, 0.0, np.zeros((1, 3)), np.array([STICK])
        for _ in range(steps):
            new = v
            for _ in range(10):  # implicit Euler by fixed point: each cuts the error by 10 or more
                slip = np.array([[new, 0.0, 0.0]])
                step = law.step(z + h * slip, slip, np.ones(1), status, h)
                new = v + h / m * (F + step.traction[0, 0])
            x, v, z, status = x + h * new, new, step.z, step.status
        errors.append(np.abs(np.array([x, v, z[0, 0]]) - break_away(end, ratio)))
    assert np.all(np.abs(orders(errors) - 1.0) < 0.1)


def test_rate_keeps_the_cone_under_hardly_any_pressure():
    """A trial of 1e6 against a limit of 4e-7: no cancellation, and an open point carries 0."""
    z, slip = np.array([[1e-3, 0.0, 0.0]] * 2), np.array([[0.3, 0.0, 0.0]] * 2)
    law = ElastoPlastic(0.4, 1e9, 49.0)
    rates = law.rate(z, slip, np.array([1e-6, 0.0]), np.array([SLIP, SLIP]))
    np.testing.assert_allclose(rates.traction[0], [-4e-7, 0.0, 0.0], rtol=1e-14)
    assert np.all(rates.traction[1] == 0.0)


def test_no_drift_below_the_limit():
    law = ElastoPlastic(0.5, 100.0)
    z, status = np.zeros((1, 3)), np.array([STICK])
    for load in np.tile([0.4, -0.2], 500):  # the force returns: so does the bristle
        pull = np.array([[load / 100.0, 0.0, 0.0]]) - z
        step = law.step(z + pull, 0.0 * z, np.ones(1), status, 1e-3)
        z, status = step.z, step.status
    assert z[0, 0] == pytest.approx(-0.002, abs=1e-17)


@given(seed=SEEDS)
@pytest.mark.parametrize("law", laws(), ids=["coulomb", "static", "stribeck", "table"])
def test_an_accelerated_step_dissipates(law, seed):
    """Path and end velocity of a step are independent of each other; z stays a bent bristle.

    Without acceleration the slip is the plastic flow of the trial, (|a| - mu p)/(c + beta/h).
    """
    _, z, slip, pressure, status = random_points(seed)
    dx, h = random_points(seed + 1)[2] * 0.2, 0.1
    step = law.step(z + dx, slip, pressure, status, h, dx)
    assert np.all(step.work >= 0.0)
    slides = step.status == SLIP
    left = -step.traction - law.stiffness * step.z - law.damping * (step.z - z) / h
    flows = slides & (step.work > 0.0)
    assert np.abs(left[flows]).max(initial=0.0) < 1e-12
    even = law.step(z + h * slip, slip, pressure, status, h, h * slip)
    a = law.stiffness * (z + h * slip) + law.damping * slip
    size = np.linalg.norm(a, axis=1)
    limit = np.linalg.norm(even.traction, axis=1)
    path = (size - limit) / (law.stiffness + law.damping / h)
    np.testing.assert_allclose(even.work, limit * path, atol=1e-12)


def test_accelerated_slip_keeps_its_stretch():
    """Under a constant limit z = mu p/c at any speed and acceleration; the rest of dx is slip."""
    law, p, one = ElastoPlastic(0.5, 100.0, 30.0), np.array([2.0]), np.array([[1.0, 0.0, 0.0]])
    z, v, status, slid, h = 0.01 * one, 0.3, np.array([SLIP]), 0.0, 0.02
    for _ in range(20):
        v, dx = v + 5.0 * h, (v * h + 0.5 * 5.0 * h**2) * one
        step = law.step(z + dx, v * one, p, status, h, dx)
        z, slid = step.z, slid + step.work.item()
        np.testing.assert_allclose(z, 0.01 * one, atol=1e-15)
    assert slid == pytest.approx(0.3 * 0.4 + 0.5 * 5.0 * 0.4**2, rel=1e-12)


def test_static_limit_holds_until_break_away():
    law = ElastoPlastic(Coulomb(0.3, static=0.5), 10.0)
    pull, still, one = np.array([[0.04, 0.0, 0.0]]), np.zeros((1, 3)), np.ones(1)
    assert law.step(pull, still, one, np.array([STICK]), 1.0).status[0] == STICK
    assert law.step(pull, still, one, np.array([SLIP]), 1.0).status[0] == SLIP


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ElastoPlastic(-0.1, 1.0), "mu = -0.1"),
        (lambda: ElastoPlastic(0.1, 0.0), "stiffness = 0.0"),
        (lambda: ElastoPlastic(0.1, 1.0, -1.0), "damping = -1.0"),
        (lambda: Coulomb(0.5, static=0.3), "at least mu = 0.5"),
        (lambda: Stribeck(0.3, 0.5, 0.0), "Stribeck speed"),
        (lambda: Stribeck(0.3, 0.5, 0.1, exponent=0.5), "exponent = 0.5"),
        (lambda: FrictionTable(np.array([0.0, 2.0, 1.0]), np.ones(3)), "expected rising"),
        (
            lambda: FrictionTable(np.array([1.0, 2.0]), np.ones(2)),
            "first speed = 1.0 m.s: expected 0",
        ),
        (lambda: FrictionTable(np.array([0.0, 2.0]), np.ones(3)), "shape"),
        (lambda: FrictionTable(np.array([0.0, 2.0]), -np.ones(2)), ">= 0"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(InputError, match=words):
        make()


def test_stuck_bristles_do_not_yield_under_a_pressure_of_round_off():
    """Just touching, p = 1e-60 Pa, with an elastic slip of 1e-15 m: the tangent is -c_t."""
    law = ElastoPlastic(0.3, 5.0).no_slip()
    z, slip = np.array([[1e-15, 0.0, 0.0]]), np.zeros((1, 3))
    by = law.d_step(z, slip, np.array([1e-60]), np.array([OPEN]), np.inf)
    np.testing.assert_array_equal(by.by_z[0], -5.0 * np.eye(3))
    np.testing.assert_array_equal(by.by_pressure[0], np.zeros(3))
