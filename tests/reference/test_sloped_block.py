"""Block on an incline: energy balance, and motion by small steps."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference import SlopedBlock

BLOCK = SlopedBlock(2.0, 9.81, 0.3, 0.4, 1.5)


def energy(path, rise):
    """Kinetic energy at the start, less the rise of the centre and the heat."""
    block = BLOCK
    kinetic = 0.5 * block.mass * block.speed**2
    return kinetic - block.weight[0] * rise - block.heat(path)


def test_thrown_uphill_all_energy_is_spent_where_it_stops():
    assert energy(BLOCK.way_up, BLOCK.way_up) == pytest.approx(0.0, abs=1e-12)
    x, v = BLOCK.uphill(np.array([0.0, BLOCK.stop, 2.0 * BLOCK.stop]))
    assert x == pytest.approx([0.0, -BLOCK.way_up, -BLOCK.way_up])
    assert v == pytest.approx([-1.5, 0.0, 0.0], abs=1e-12)


def test_down_the_slope_speed_and_path_fit_the_energy():
    t, h = 0.4, 1e-6
    path = BLOCK.downhill(t)
    speed = (BLOCK.downhill(t + h) - BLOCK.downhill(t - h)) / (2.0 * h)
    assert energy(path, -path) == pytest.approx(0.5 * BLOCK.mass * speed**2, rel=1e-8)


def test_from_parameters_of_the_same_names():
    assert SlopedBlock.of(BLOCK, 0.3) == BLOCK
