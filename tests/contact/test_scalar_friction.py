"""Friction of one point along a line: the law of arrays, and the formulas of a bristle."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc
from fecontact.contact.laws.registry import FRICTION

mu, c, b, p = 0.4, 500.0, 3.0, 2.0
BRISTLE = fc.ScalarFriction(fc.ElastoPlastic(mu, c, b), p)


@pytest.mark.parametrize("slip", [1e-3, -2e-3])
def test_a_bristle_that_sticks(slip):
    """T = -(c z + b z'), z' = s."""
    z, h = 5e-4, 0.01
    assert BRISTLE.step(z, slip, h) == pytest.approx((-c * (z + h * slip) - b * slip, z + h * slip))
    assert BRISTLE.rate(z, slip) == pytest.approx((-c * z - b * slip, slip))


def test_a_point_that_slides_feels_the_limit():
    force, z = BRISTLE.step(0.0, 1.0, 0.1)
    assert force == pytest.approx(-mu * p)
    assert z <= mu * p / c
    assert BRISTLE.rate(mu * p / c, 1.0)[0] == pytest.approx(-mu * p)


@pytest.mark.parametrize("name", [name for name, law in FRICTION.items() if law.width == 3])
def test_numbers_are_those_of_the_arrays(name):
    law, z, slip, h = FRICTION[name], 3e-4, 0.02, 0.01
    along = np.array([[1.0, 0.0, 0.0]])
    found = law.step((z + h * slip) * along, slip * along, np.ones(1), np.array([fc.STICK]), h)
    one = fc.ScalarFriction(law, 1.0).step(z, slip, h)
    assert one == (found.traction[0, 0], found.z[0, 0])


def test_along_a_path_the_force_is_that_of_a_spring_with_a_slider():
    """Without a damper T follows the path with the slope -c, between -mu p and mu p."""
    path = 5e-3 * np.sin(np.linspace(0.0, 9.0, 200))
    force, expected = 0.0, []
    for shift in np.diff(path):
        force = np.clip(force - c * shift, -mu * p, mu * p)
        expected.append(force)
    found = fc.ScalarFriction(fc.ElastoPlastic(mu, c), p).over_path(path)
    assert found == pytest.approx(np.array(expected), abs=1e-12)


def test_refusals():
    with pytest.raises(fc.InputError, match="pressure"):
        fc.ScalarFriction(BRISTLE.law, -1.0)
    with pytest.raises(fc.InputError, match="damper"):
        fc.ScalarFriction(fc.ElastoPlastic(mu, c), p).rate(0.0, 0.1)
