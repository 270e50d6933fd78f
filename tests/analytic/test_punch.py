"""Punches on the half space: closed forms against quadrature of the half-space integral."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from fecontact.reference.contact.punch import (
    PowerPunch,
    flat_punch,
    half_space_displacement,
    sphere_exact,
    sphere_series,
)

A, R, MODULUS = 0.4, 1.0, 7.0


@pytest.mark.parametrize("order", [1, 2, 3])
def test_pressure_makes_the_shape(order):
    """Inside the contact the surface follows the punch: u = delta - f; the pressure sums to F."""
    punch = PowerPunch(order, 0.3, R, MODULUS)
    for r in (0.1, 0.25, 0.39):
        u = half_space_displacement(r, A, MODULUS, punch)
        assert u == pytest.approx(punch.approach(A) - punch.shape(r), rel=1e-8)
    total = quad(lambda t: punch.pressure(A * np.sin(t), A) * np.sin(t) * np.cos(t), 0, np.pi / 2)[
        0
    ]
    assert 2 * np.pi * A**2 * total == pytest.approx(punch.force(A), rel=1e-10)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_stiffness_of_any_punch(order):
    """F ~ delta^(1 + 1/(2 n)), and dF/d delta = 2 E* a whatever the shape."""
    punch = PowerPunch(order, 0.3, R, MODULUS)
    exponent = (2 * order + 1) / (2 * order)
    ratio = punch.force(1.1 * A) / punch.force(A)
    assert ratio == pytest.approx((punch.approach(1.1 * A) / punch.approach(A)) ** exponent)
    step = 1e-5 * A
    slope = (punch.force(A + step) - punch.force(A - step)) / (
        punch.approach(A + step) - punch.approach(A - step)
    )
    assert slope == pytest.approx(2 * MODULUS * A, rel=1e-8)


def test_ball_series_tends_to_sneddon():
    x = 0.5
    exact = np.array(sphere_exact(x, 1.0, 1.0))
    errors = [
        np.abs(np.array(sphere_series(x, 1.0, 1.0, n)) / exact - 1).max() for n in (1, 2, 4, 8)
    ]
    assert errors[0] == pytest.approx(0.107, abs=5e-4)
    assert np.all(np.diff(errors) < 0)
    assert errors[-1] < 1e-4
    step = 1e-5
    up, down = (np.array(sphere_exact(x + s, 1.0, 1.0)) for s in (step, -step))
    assert (up - down)[1] / (up - down)[0] == pytest.approx(2 * x, rel=1e-8)


def test_flat_punch():
    radius, force = 0.2, 5.0
    pressure, approach = flat_punch(radius * np.sin(0.3), radius, force, MODULUS)
    assert force / approach == pytest.approx(2 * MODULUS * radius)
    total = quad(
        lambda t: flat_punch(radius * np.sin(t), radius, force, MODULUS)[0] * np.sin(t) * np.cos(t),
        0,
        np.pi / 2 - 1e-9,
    )[0]
    assert 2 * np.pi * radius**2 * total == pytest.approx(force, rel=1e-7)
    assert pressure == pytest.approx(force / (2 * np.pi * radius**2) / np.cos(0.3))
