"""Keppler T24, the planar law in time: a second calculation that shares no code with the package.

Source data are lost, so the law can only be checked against the law itself. The friction vector
comes from elliptic integrals on a grid of pole distances, the limit surface from a root search in
that grid, and the motion from another integrator.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

from fecontact.case.registry import load_module

A, MU, MU_STATIC, SPEED, C, D, FORCE = 0.1, 0.5, 1.0, 0.02, 50.0, 5.0, 0.49
ARM = 0.4 * A**2
MOMENT = 0.05642


def outside(x):
    """Force and moment of the sliding patch, pole at x >= 1 radii (mu N = a = 1)."""

    def part(u, k):
        r = np.sqrt(1.0 - u**2)
        m = 4.0 * r * x / (r + x) ** 2
        j_0, j_d = 4.0 * ellipk(m) / (r + x), 4.0 * (r + x) * ellipe(m)
        j_c = ((r**2 + x**2) * j_0 - j_d) / (2.0 * r * x) if r > 1e-6 else 0.0
        return 1.5 * u**2 / np.pi * (x * j_0 - r * j_c if k == 0 else r**2 * j_0 - r * x * j_c)

    return [quad(part, 0.0, 1.0, args=(k,), epsabs=1e-12)[0] for k in (0, 1)]


@pytest.fixture(scope="module")
def friction():
    """Force and moment over the distance x of the pole."""
    y = np.r_[1e-4, np.linspace(0.0, 1.0, 300)[1:]]
    table = np.array([outside(1.0 / v) for v in y])
    force, moment = CubicSpline(y, table[:, 0]), CubicSpline(y, table[:, 1] / y)

    def at(x):
        if x <= 1.0:
            return (3 * np.pi / 8 * x * (1 - x**2 / 4),
                    3 * np.pi / 16 * (1 - x**2 + 3 * x**4 / 8))  # fmt: skip
        return float(force(1.0 / x)), float(moment(1.0 / x)) / x

    return at


def gauge(friction, force, moment):
    """Size of the limit surface through a load."""
    force, moment = abs(force), abs(moment) / A
    if moment < 1e-13:
        return force

    def miss(log_x):
        f, m = friction(np.exp(log_x))
        return np.log(f / m) - np.log(force / moment)

    if miss(9.0) < 0.0:  # next to no moment
        return force
    return force / friction(np.exp(brentq(miss, -14.0, 9.0, xtol=1e-12)))[0]


def rate(friction, y, given):
    """Rates of (x, phi, x', phi', kappa_1, kappa_3)."""
    v, omega, load, turn = y[2], y[3], C * y[4], C * ARM * y[5]
    limit = MU + (MU_STATIC - MU) * np.exp(-(v**2 + ARM * omega**2) / SPEED**2)
    d, beta = gauge(friction, load, turn) / limit, 0.0
    if d > 0.99 and load * v + turn * omega >= 0.0:
        d = min(d, 1.0)
        beta = (d - 0.99) ** 2 * (2.01 - 2.0 * d) / 0.01**3
    bend, wind = v, omega
    if beta > 0.0 and omega != 0.0:
        x = max(abs(v) / (A * abs(omega)), 1e-9)
        f, m = friction(x)
        bend -= beta * A * abs(omega) * x / (f * limit) * load
        wind -= beta * abs(omega) / (m * limit * A) * turn
    force, moment = load + D * bend, turn + D * ARM * wind
    return [v, omega, FORCE - force, given - moment, bend, wind]


def motion(friction):
    """Times and states, every 10 ms; mass and inertia are 1."""
    y, start, times, states = np.array([0, 0, 0, 0, FORCE / C, 0.0]), 0.0, [], []
    for end, given in ((5.0, 0.0), (15.0, MOMENT), (48.0, 0.0)):
        grid = np.linspace(start, end, round((end - start) / 0.01) + 1)
        part = solve_ivp(lambda t, y, given=given: rate(friction, y, given), (start, end), y,
                         method="LSODA", t_eval=grid, rtol=1e-7, atol=1e-9)  # fmt: skip
        times.append(part.t[:-1])
        states.append(part.y[:, :-1])
        y, start = part.y[:, -1], end
    return np.concatenate(times), np.hstack(states)


def stop(t, y):
    slow = (t > 15.0) & (np.abs(y[2]) < 1e-3) & (A * np.abs(y[3]) < 1e-3)
    return t[slow][0]


@pytest.mark.slow
def test_two_calculations_agree(friction):
    """Both stop at 40.4 s; the law is so sensitive that 1 mN m of moment moves it by 5.5 s."""
    case = load_module("keppler/planar_patch")
    t, y = case.motion(replace(case.PlanarPatch(), moment=MOMENT, end=48.0))
    other_t, other = motion(friction)
    for when in (10.0, 15.0, 30.0):
        found, expected = (
            states[:4, np.argmin(np.abs(times - when))]
            for times, states in ((t, y), (other_t, other))
        )
        np.testing.assert_allclose(found, expected, rtol=2e-4)
    assert stop(t, y) == pytest.approx(stop(other_t, other), abs=0.03)
