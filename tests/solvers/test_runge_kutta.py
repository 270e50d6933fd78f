"""Compiled Runge-Kutta pairs against scipy's, step by step, and against a closed form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import DOP853, RK45

from fecontact.solvers import runge_kutta as pair

KINDS = {"RK45": RK45, "DOP853": DOP853}
START, END = np.array([1.0, 0.0, 0.0]), 12.0


def rate(t, y):
    """Van der Pol's oscillator with a drive, and a number that follows it."""
    return np.array([y[1], 2.0 * (1.0 - y[0] ** 2) * y[1] - y[0] + np.cos(3.0 * t), y[0] * y[1]])


def begun(solver, f, y, end, rtol, atol, longest=np.inf):
    rk = pair.runge_kutta(solver, len(y))
    rk.numbers[pair.END], rk.numbers[pair.RTOL], rk.numbers[pair.LONGEST] = end, rtol, longest
    rk.atol[:], rk.y[:], rk.K[0] = atol, y, f(0.0, y)
    h = pair.place_first(rk)
    rk.K[1] = f(h, rk.trial)
    pair.set_first_step(rk, h)
    return rk


def advance(rk, f):
    """One step with its dense output; the rate at its end is kept."""
    pair.start_step(rk)
    while True:
        if not pair.place_trial(rk):
            return False
        for i in range(1, rk.sizes[pair.STAGES] + 1):
            rk.K[i] = f(pair.place_stage(rk, i), rk.trial)
        if pair.accepted(rk):
            break
    for i in range(rk.sizes[pair.STAGES] + 1, len(rk.nodes)):
        rk.K[i] = f(pair.place_stage(rk, i), rk.trial)
    pair.set_polynomial(rk)
    pair.keep_rate(rk)
    return True


def inside(rk, t):
    result = np.empty(len(rk.y))
    pair.interpolate(rk, t, result)
    return result


@pytest.mark.parametrize("longest", [np.inf, 0.05])
@pytest.mark.parametrize("solver", KINDS)
def test_steps_of_scipy(solver, longest):
    """The same steps, rejections and states in between; one tolerance is infinite.

    Each step begins where scipy's does: the error, a difference of large numbers, has
    round-off, which the lengths of steps show.
    """
    rtol, atol = 1e-8, np.array([1e-9, 1e-10, np.inf])
    other = KINDS[solver](rate, 0.0, START, END, longest, rtol, atol)
    rk, rejected = begun(solver, rate, START, END, rtol, atol, longest), 0
    assert rk.numbers[pair.H] == pytest.approx(other.h_abs, rel=1e-12)
    while other.status == "running":
        other.step()
        assert advance(rk, rate)
        rejected += rk.numbers[pair.REJECTIONS]
        assert rk.numbers[pair.T] == pytest.approx(other.t, rel=1e-7)
        assert rk.numbers[pair.H] == pytest.approx(other.h_abs, rel=1e-5)
        there = other.y + (rk.numbers[pair.T] - other.t) * other.f
        assert np.allclose(rk.y, there, rtol=0.0, atol=1e-12)
        middle = 0.7 * other.t_old + 0.3 * other.t
        assert np.allclose(inside(rk, middle), other.dense_output()(middle), rtol=0.0, atol=1e-12)
        rk.y[:], rk.K[0], rk.numbers[pair.H] = other.y, other.f, other.h_abs
        rk.numbers[pair.T] = other.t
    assert rk.numbers[pair.T] == END
    if longest == np.inf:
        assert rejected > 0


@pytest.mark.parametrize(("solver", "order", "dense"), [("RK45", 5, 4), ("DOP853", 8, 7)])
def test_orders(solver, order, dense):
    """Order of steps and of states in between on y' = -y + cos t, with its closed form."""

    def f(t, y):
        return np.cos(t) - y

    def exact(t):
        return 0.5 * (np.sin(t) + np.cos(t)) + 0.5 * np.exp(-t)

    errors = []
    for h in (0.8, 0.4):
        rk = begun(solver, f, np.array([1.0]), h, 1.0, 1e9)
        rk.numbers[pair.H] = h
        assert advance(rk, f)
        errors.append([abs(rk.y[0] - exact(h)), abs(inside(rk, 0.4 * h)[0] - exact(0.4 * h))])
    found = np.log2(np.array(errors[0]) / errors[1])
    assert found[0] > order + 0.5
    assert found[1] > dense + 0.5


@pytest.mark.parametrize("solver", KINDS)
def test_a_rate_that_is_no_number_ends(solver):
    """Behind t = 0.5 there is no rate: trials shorten the step until it is below round-off."""

    def f(t, y):
        return np.where(t <= 0.5, np.ones(1), np.nan)

    rk = begun(solver, f, np.zeros(1), 1.0, 1e-6, 1e-6)
    for _ in range(100):
        if not advance(rk, f):
            break
    assert rk.numbers[pair.T] == pytest.approx(0.5, abs=1e-12)
    assert rk.y[0] == pytest.approx(0.5, abs=1e-12)
