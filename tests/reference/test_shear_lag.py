"""Shear-lag bar: differential equation, and the limit of stiff bristles and a long bar."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.reference import ShearLagBar

BAR = ShearLagBar(1.0, 2.1e6, 3e3, 0.1)


def test_equation_of_the_bar():
    """E A u'' = k u up to u = q/k, then q: from the free end, where u' = 0."""
    force = BAR.pull(0.6)
    slip = BAR.slip_length(force)
    at_free_end = BAR.friction / BAR.bristles / np.cosh((BAR.length - slip) / BAR.decay_length)

    def rate(x, y):
        return [y[1], min(BAR.bristles * y[0], BAR.friction) / BAR.axial]

    end = solve_ivp(rate, (0.0, 1.0), [at_free_end, 0.0], rtol=1e-9, atol=1e-15, max_step=1e-3).y
    assert slip == pytest.approx(0.6)
    assert end[0, -1] == pytest.approx(BAR.backbone(force), rel=1e-6)
    assert BAR.axial * end[1, -1] == pytest.approx(force, rel=1e-6)


def test_stick_is_linear():
    assert BAR.backbone(20.0) == pytest.approx(2.0 * BAR.backbone(10.0))
    assert BAR.slip_length(20.0) == 0.0


def test_stiff_bristles_and_a_long_bar():
    bar = ShearLagBar(1.0, 2.1e6, 3e3, 1e-4)
    F = 1500.0
    assert bar.slip_length(F) == pytest.approx(F / 3e3, rel=1e-3)
    assert bar.backbone(F) == pytest.approx(F**2 / (2.0 * 2.1e6 * 3e3), rel=1e-3)
    assert bar.cycle_work(F) == pytest.approx(2.0 / 3.0 * F**3 / (2.1e6 * 3e3), rel=2e-3)


def test_a_cycle_closes():
    forces = 1500.0 * np.concatenate([np.linspace(0, 1, 5), np.linspace(1, -1, 9)[1:],
                                      np.linspace(-1, 1, 9)[1:]])  # fmt: skip
    u = BAR.cycle(forces)
    assert u[4] == pytest.approx(BAR.backbone(1500.0))
    assert u[12] == pytest.approx(-u[4])
    assert u[-1] == pytest.approx(u[4])
