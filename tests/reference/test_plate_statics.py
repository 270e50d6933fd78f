"""Ring load on a clamped plate against its limits."""

from __future__ import annotations

from math import log, pi

import pytest

from fecontact.reference import ring_load_deflection

PLATE = {"thickness": 0.002, "young": 210e9, "poisson": 0.3}
D = 210e9 * 0.002**3 / (12.0 * 0.91)


def test_small_ring_is_a_force_in_the_middle():
    """P a^2/(16 pi D) of Kirchhoff's plate (Timoshenko and Woinowsky-Krieger, (92))."""
    found = ring_load_deflection(0.1, 1e-6, **PLATE, shear_factor=1e12)
    assert found == pytest.approx(0.1**2 / (16.0 * pi * D), rel=1e-8)


def test_shear_alone():
    """Between ring and edge the shear force P/(2 pi r) slopes a plate without bending."""
    soft = ring_load_deflection(0.1, 0.05, **PLATE)
    stiff = ring_load_deflection(0.1, 0.05, **PLATE, shear_factor=1e12)
    G = 210e9 / 2.6
    assert soft - stiff == pytest.approx(log(2.0) / (2.0 * pi * 5.0 / 6.0 * G * 0.002), rel=1e-6)


def test_ring_at_the_edge_moves_nothing():
    assert ring_load_deflection(0.1, 0.1, **PLATE) == 0.0
