"""Sliding points without spin, and spin without sliding of the centre."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference import sliding_points

ANGLES = 2.0 * np.pi / 3.0 * np.arange(3)
PROJECT = 0.1 * np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])


def test_translation():
    start = np.array([0.0, 0.0, 0.3, 0.6, 0.8, 0.0])
    end = sliding_points(PROJECT, 2.0, 0.01, 4.0, start, 0.2)
    way = 0.2 - 0.5 * 2.0 * 0.2**2
    assert end == pytest.approx([0.6 * way, 0.8 * way, 0.3, 0.36, 0.48, 0.0], abs=1e-10)


def test_spin_about_the_centre():
    start = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 20.0])
    end = sliding_points(PROJECT, 2.0, 0.01, 4.0, start, 0.2)
    assert end[5] == pytest.approx(20.0 - 4.0 * 0.1 / 0.01 * 0.2)
    assert np.abs(end[[0, 1, 3, 4]]).max() < 1e-12
