"""Facings against balances and their rigid limits."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from scipy.integrate import quad, simpson

from fecontact.reference import DishedPlate, HeldDisc, conical_facing_torque, facing_torque

A, B = 0.075, 0.115


def disc(young):
    return HeldDisc(A, B, 0.008, young, 0.3, 2e10, 1.6e10, 4000.0, 0.35)


def plate(young):
    return DishedPlate(0.06, 0.11, 0.01, young, 0.25, 1.6e9, 8e8, 5000.0, 0.3)


def test_flat_cone():
    flat = conical_facing_torque(A, B, 0.0, 2e10, 4000.0, 0.35)
    assert flat == pytest.approx(facing_torque(A, B, 1400.0), rel=1e-12)


def test_cone_by_quadrature():
    """The outer edge is pressed more: p = c (d - h (b - r)/(b - a))."""
    height, bed, load = 4e-6, 2e10, 4000.0
    area = quad(lambda r: 2.0 * pi * r, A, B)[0]
    lost = quad(lambda r: 2.0 * pi * r * height * (B - r) / (B - A), A, B)[0]
    depth = (load / bed + lost) / area
    torque = quad(lambda r: 2.0 * pi * r**2 * bed * (depth - height * (B - r) / (B - A)), A, B)[0]
    assert conical_facing_torque(A, B, height, bed, load, 0.35) == pytest.approx(0.35 * torque)


def test_held_disc_balances_the_load():
    found = disc(210e9)
    force = 2.0 * pi * simpson(found.pressure * found.radii, found.radii)
    assert force == pytest.approx(4000.0)
    assert found.torque < facing_torque(A, B, 1400.0)  # the load moves inwards


def test_stiff_disc_is_rigid():
    """Of the rigid disc also the torque of stick is known: 2 pi c_t phi int r^3 dr."""
    found = disc(1e18)
    assert found.torque == pytest.approx(facing_torque(A, B, 1400.0), rel=1e-5)
    small = 1e-8
    held, reach = found.turned(small)
    assert held == pytest.approx(0.5 * pi * 1.6e10 * small * (B**4 - A**4), rel=1e-4)
    assert reach == pytest.approx(B)


def test_dished_plate_balances_the_force():
    found = plate(110e9)
    force = quad(lambda r: 2.0 * pi * r * float(found.pressure(r)), 0.06, 0.11)[0]
    assert force == pytest.approx(5000.0)


def test_stiff_plate_has_even_pressure():
    found = plate(1e16)
    even = 5000.0 / (pi * (0.11**2 - 0.06**2))
    assert found.pressure(np.array([0.06, 0.08, 0.11])) == pytest.approx(even, rel=1e-3)
    assert found.torque(np.inf) == pytest.approx(facing_torque(0.06, 0.11, 1500.0), rel=1e-3)


def test_torque_and_angle_are_inverse():
    found = plate(110e9)
    torque = 0.8 * found.torque(np.inf)
    assert found.torque(found.angle(torque)) == pytest.approx(torque)
    small = 1e-9
    assert found.torque(small) == pytest.approx(0.5 * pi * 8e8 * small * (0.11**4 - 0.06**4))
