"""Order of Moreau's time stepping with impacts and stick: one in the step."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import Plane, RigidContact, RigidFace, Surface
from fecontact.integrate import simulate
from fecontact.joint import Gravity
from fecontact.system import System

G = 9.80665
POINT = Surface(np.zeros((1, 3)), np.ones(1))


@pytest.mark.parametrize("theta", [0.5, 1.0])
def test_bouncing_ball_first_order(theta):
    """Height after three impacts, mean over many steps: an impact falls anywhere in its step."""
    ball = RigidBody("ball", 1.0, ("uz",), position=(0.0, 0.0, 0.3))
    contact = RigidContact(ball, POINT, RigidFace(None, Plane()), restitution=0.8)
    system = System([ball], [Gravity([ball]), contact])
    first, end, e = sqrt(0.6 / G), 1.2, 0.8
    flights = first * np.array([1.0, 2 * e, 2 * e**2])
    s, speed = end - flights.sum(), G * first * e**3
    assert 0.0 < s < 2.0 * speed / G
    exact = speed * s - 0.5 * G * s**2
    means = []
    for size in (0.02, 0.005):
        steps = size * np.linspace(0.8, 1.25, 4)
        last = [simulate(system, end, None, "moreau", end, step=h, theta=theta) for h in steps]
        means.append(np.mean([abs(m.q[-1, 0] + 0.3 - exact) for m in last]))
    assert np.log(means[0] / means[1]) / np.log(4.0) == pytest.approx(1.0, abs=0.45)


def test_sliding_block_that_stops_first_order():
    block = RigidBody("block", 1.0, ("ux", "uz"))
    contact = RigidContact(block, POINT, RigidFace(None, Plane()), 0.4)
    system = System([block], [Gravity([block]), contact])
    start = system.state(v={"block.ux": 1.0})
    exact = 1.0 / (2.0 * 0.4 * G)
    errors = []
    for size in (0.02, 0.005):
        steps = size * np.linspace(0.8, 1.25, 4)
        last = [simulate(system, 0.4, start, "moreau", 0.4, step=h) for h in steps]
        errors.append(np.mean([abs(m.q[-1, 0] - exact) for m in last]))
    assert errors[1] < 0.4 * errors[0]
    assert errors[1] < 0.005
