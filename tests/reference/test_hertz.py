"""Integrals of Hertz contacts and impacts against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.reference import hertz_measures, impact_restitution, over_disc, roller_dent


def test_over_disc():
    """Hertz pressure: 2/3 pi p_0 a^2."""
    a = 0.3
    found = over_disc(a, lambda r: np.sqrt(1.0 - (r / a) ** 2))
    assert found == pytest.approx(2.0 / 3.0 * np.pi * a**2)


@pytest.mark.parametrize("ratio", [0.01, 0.2, 0.6])
def test_restitution_in_time(ratio):
    """x'' + 2 D x' + x = 0 from speed -1, until the force is zero."""

    def rate(t, y):
        return [y[1], -y[0] - 2.0 * ratio * y[1]]

    def lets_go(t, y):
        return -y[0] - 2.0 * ratio * y[1]

    lets_go.terminal, lets_go.direction = True, -1.0
    found = solve_ivp(rate, (0.0, 10.0), [-1e-12, -1.0], events=lets_go, rtol=1e-10, atol=1e-13)
    assert impact_restitution(ratio) == pytest.approx(found.y[1, -1], rel=1e-7)


def test_dent_of_a_roller():
    """The dent b^2/(2 R) of an elliptic pressure p_0 = E* b/(2 R)."""
    b, radius, modulus = 1e-3, 0.2, 1e9
    assert roller_dent(b, modulus * b / (2.0 * radius), modulus) == pytest.approx(
        b**2 / (2.0 * radius)
    )


def test_measures_of_the_exact_pressure():
    x = (np.arange(400) + 0.5) / 400
    points = np.column_stack([part.ravel() for part in np.meshgrid(x, x)])
    p = 7.0 * np.sqrt(np.maximum(1.0 - (points**2).sum(axis=1) / 0.8**2, 0.0))
    radius, peak = hertz_measures(points, np.full(len(p), 1.0 / 400**2), p, 0.8)
    assert (radius, peak) == pytest.approx((0.8, 7.0), rel=1e-4)
