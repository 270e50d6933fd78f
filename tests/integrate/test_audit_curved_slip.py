"""Slip on a curved rigid master is that of the points, however deep they are pressed in."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, RigidFace, Sphere, Surface
from fecontact.integrate import simulate
from fecontact.joint import Force
from fecontact.results.audit import unaccounted
from fecontact.system import System

RADIUS, DEPTH, STIFFNESS = 0.02, 1e-3, 1e5
STEPS = {"explicit": 2e-6, "implicit": 2e-6}


def slid(method, **options):
    """A bob thrown along a sphere, in which it is pressed by a twentieth of its radius."""
    bob = RigidBody("bob", 0.01, ("ux", "uy", "uz"))
    ball = RigidFace(None, Sphere(RADIUS, centre=(0.0, 0.0, -RADIUS)))
    pair = ContactPair(
        bob, Surface(np.zeros((1, 3)), np.ones(1)), ball,
        PenaltyNormal(STIFFNESS), ElastoPlastic(0.3, 1e6, 50.0), "ball",
    )  # fmt: skip
    system = System([bob], [pair, Force(bob, (0.0, 0.0, -STIFFNESS * DEPTH))])
    start = system.state(q={"bob.uz": -DEPTH}, v={"bob.ux": 2.0})
    return simulate(system, 4e-4, system.sliding(start), method, 4e-5, **options)


@pytest.fixture(scope="module")
def exact():
    return slid("ode", rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("method", STEPS)
def test_steps_agree_with_the_continuous_law(method, exact):
    motion = slid(method, step=STEPS[method])
    np.testing.assert_allclose(motion.energies["slip"], exact.energies["slip"], rtol=2e-3)
    np.testing.assert_allclose(motion.q, exact.q, rtol=0, atol=1e-4 * abs(exact.q).max())
    assert unaccounted(motion.energies) < 1e-3
