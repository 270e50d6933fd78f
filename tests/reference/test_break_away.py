"""Break-away against the differential equations of stick and slip."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.reference import BreakAway

MASS = BreakAway(1.3, 2e3, 2.0, 1.4)


def test_stick_is_a_damped_oscillator():
    beta = 2.0 * np.sqrt(MASS.mass * MASS.stiffness)

    def rate(t, y):
        return [y[1], (MASS.force - MASS.stiffness * y[0] - beta * y[1]) / MASS.mass]

    end = solve_ivp(rate, (0.0, MASS.start), [0.0, 0.0], rtol=1e-10, atol=1e-14).y[:, -1]
    assert MASS.at(MASS.start) == pytest.approx([*end, end[0]], rel=1e-7)
    assert MASS.stiffness * end[0] + beta * end[1] == pytest.approx(MASS.limit, rel=1e-7)


def test_slip_keeps_the_limit():
    """c z + beta z' = T: the bristle relaxes, while the mass is accelerated by F - T."""
    t, h, beta = MASS.start + 0.01, 1e-6, 2.0 * np.sqrt(MASS.mass * MASS.stiffness)
    rates = (MASS.at(t + h) - MASS.at(t - h)) / (2.0 * h)
    assert MASS.stiffness * MASS.at(t)[2] + beta * rates[2] == pytest.approx(MASS.limit)
    assert rates[0] == pytest.approx(MASS.at(t)[1])
    assert rates[1] == pytest.approx((MASS.force - MASS.limit) / MASS.mass)
    assert MASS.at(MASS.start + 1e-12) == pytest.approx(MASS.at(MASS.start))
