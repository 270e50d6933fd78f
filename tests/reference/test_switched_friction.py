"""Switched spring: stick against an oscillator, slip against Coulomb's law."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference import switched_spring

SPRING = (1.0, 1e4, 200.0)


def test_sticks_below_the_limit():
    """The spring comes to rest at F/c, and never switches."""
    found = switched_spring(*SPRING, 1.0, np.array([0.5, 0.0]), np.zeros(2), 1e-3, 1e-4, 0.2)
    assert found.switches == 0
    assert found.friction[-1] == pytest.approx([-0.5, 0.0], abs=1e-6)


def test_slides_with_coulombs_force():
    force = np.array([3.0, 0.0])
    found = switched_spring(*SPRING, 1.0, force, np.zeros(2), 1e-3, 1e-4, 0.2)
    late = found.t > 0.1
    assert found.switches == 1
    assert np.diff(found.v[late, 0]) / 1e-4 == pytest.approx(2.0)
    assert found.apart[late] == pytest.approx(0.0, abs=1e-9)


def test_jumps_across_the_load():
    loaded = np.array([0.999e-4, 0.0])
    found = switched_spring(*SPRING, 1.0, np.array([0.999, 0.5]), loaded, 1e-3, 1e-5, 0.15)
    assert found.turns.max() > 0.5
