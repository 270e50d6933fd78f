"""Crossings and turning points of signals with known ones."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact import InputError, crossings, turning_points

t = np.linspace(0.0, 3.0, 3001)


@pytest.mark.parametrize("level", [0.0, 0.5])
def test_crossings_of_a_cosine(level):
    """x = cos(2 pi t) falls through the level at acos(level)/(2 pi), and rises one turn less it."""
    x, first = np.cos(2.0 * np.pi * t), np.arccos(level) / (2.0 * np.pi)
    assert crossings(t, x, level, falling=True) == pytest.approx(first + np.arange(3), abs=1e-6)
    assert crossings(t, x, level) == pytest.approx(1.0 - first + np.arange(3), abs=1e-6)


def test_crossings_are_those_of_the_straight_line_between_samples():
    assert crossings(np.array([0.0, 1.0, 3.0]), np.array([-1.0, -1.0, 3.0])).tolist() == [1.5]


def test_a_signal_that_stays_below_has_no_crossings():
    assert len(crossings(t, -1.0 - t)) == 0


def test_crossings_need_one_value_per_time():
    with pytest.raises(InputError, match="expected"):
        crossings(t, t[1:])


def test_turning_points_of_a_decay():
    """exp(-d t) cos(w t) turns where tan(w t) = -d/w."""
    x = np.exp(-0.2 * t) * np.cos(2.0 * np.pi * t)
    phase = np.pi - np.arctan(0.2 / (2.0 * np.pi))
    exact = (phase + np.pi * np.arange(6)) / (2.0 * np.pi)
    assert t[turning_points(x)] == pytest.approx(exact[exact < t[-1]], abs=1e-3)
