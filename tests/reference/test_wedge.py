"""Torque of a wedged disc that slides against its closed form."""

from __future__ import annotations

from math import cos, pi

import numpy as np
import pytest

from fecontact.reference import RotatingWedge, wedged_disc_torque

DISC = RotatingWedge(1.0, 0.1, pi / 4, 9.81, 1e5)


@pytest.mark.parametrize("mu", [0.1, 0.5, 1.05])
@pytest.mark.parametrize("theta", [0.3, 1.2])
def test_closed_form(mu, theta):
    exact = 9.81 * 0.1 * mu / ((1.0 + mu**2) * cos(theta))
    assert wedged_disc_torque(9.81, 0.1, theta, mu) == pytest.approx(exact, rel=1e-12)


def test_rotation_is_balanced():
    """Forces of the rotating disc carry the load; their torque is M_0."""
    forces = DISC.rows.T @ DISC.turning(0.95)
    assert forces[:2] == pytest.approx(-DISC.force)
    assert forces[2] == pytest.approx(DISC.breaking(0.95))


def test_rest_lies_in_the_cones():
    torque = -1.1 * DISC.breaking(0.95)
    held = DISC.at_rest(0.95, torque)
    assert DISC.rows.T @ held == pytest.approx([*-DISC.force, -torque], abs=1e-8)
    assert np.all(np.abs(held[[1, 4]]) <= 0.95 * held[[0, 3]] + 1e-9)


def test_frequencies_without_friction():
    """Two springs at the angle of the wedge: s^2 = -(c/m)(1 +- cos a)."""
    found = np.sort(np.abs(np.linalg.eigvals(DISC.matrix(0.0, 0.0)).imag))[::2]
    assert found == pytest.approx(np.sqrt(1e5 * (1.0 + np.array([-1, 1]) * cos(pi / 4))))


def test_equilibrium_of_the_springs():
    assert -1e5 * DISC.normals @ DISC.still(0.5) == pytest.approx(DISC.reactions(0.5))
