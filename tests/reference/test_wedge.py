"""Torque of a wedged disc that slides against its closed form."""

from __future__ import annotations

from math import cos

import pytest

from fecontact.reference import wedged_disc_torque


@pytest.mark.parametrize("mu", [0.1, 0.5, 1.05])
@pytest.mark.parametrize("theta", [0.3, 1.2])
def test_closed_form(mu, theta):
    exact = 9.81 * 0.1 * mu / ((1.0 + mu**2) * cos(theta))
    assert wedged_disc_torque(9.81, 0.1, theta, mu) == pytest.approx(exact, rel=1e-12)
