"""Large swing against its differential equation and its energy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.reference import LargeSwing

SWING = LargeSwing(0.8, 1.9, 9.81)


def test_equation_of_motion():
    def rate(t, y):
        return [y[1], -9.81 / 0.8 * np.sin(y[0])]

    t = np.linspace(0.0, SWING.period, 40)
    found = solve_ivp(rate, (0.0, t[-1]), [1.9, 0.0], t_eval=t, rtol=1e-10, atol=1e-12)
    angle, speed = SWING.at(t)
    assert angle == pytest.approx(found.y[0], abs=1e-7)
    assert speed == pytest.approx(found.y[1], abs=1e-6)


def test_small_swing():
    small = LargeSwing(0.8, 1e-3, 9.81)
    assert small.period == pytest.approx(2.0 * np.pi * np.sqrt(0.8 / 9.81), rel=1e-6)


def test_tension_at_the_lowest_point():
    """m g (3 - 2 cos(amplitude)), by energy."""
    lowest = SWING.rod_force(2.0, np.array([0.25 * SWING.period]))
    assert lowest == pytest.approx(2.0 * 9.81 * (3.0 - 2.0 * np.cos(1.9)))
