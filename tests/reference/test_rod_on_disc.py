"""Rigid rod on a disc: where it comes to rest, and that it sticks with the disc."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference import rigid_rod_on_disc


def test_self_centring():
    """Below mu N = c_s X_0 it slides to a place on the circle of Thales (Stamm 6.38)."""
    share, anchor = 0.5, 0.1
    path, _ = rigid_rod_on_disc(1.0, 1.0, 0.1, anchor, 1.1, 0.05, 0.05, np.array([0.0, 300.0]))
    radius = anchor * np.sqrt(1.0 - share**2)
    assert path[-1] == pytest.approx([anchor * (1.0 - share**2), share * radius], abs=1e-6)


def test_turns_with_the_disc_while_it_sticks():
    times = np.linspace(0.0, 60.0, 6001)
    path, sticks = rigid_rod_on_disc(1.0, 1.0, 0.1, 0.1, 1.1, 0.11, 0.1111, times)
    begin, end = sticks[-2]
    stuck = path[(times > begin) & (times < end)]
    angle = np.unwrap(np.arctan2(stuck[:, 1], stuck[:, 0]))
    assert np.ptp(np.linalg.norm(stuck, axis=1)) < 1e-12
    assert np.diff(angle) == pytest.approx(0.011)
