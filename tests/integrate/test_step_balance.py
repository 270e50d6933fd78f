"""Steps of `implicit` balance the forces, also where the positions hardly notice.

Motions do not depend on the unit of length, nor on where they happen, nor on what stands beside.
"""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import (
    ContactPair,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    PowerNormal,
    RigidFace,
    Surface,
)
from fecontact.integrate import simulate
from fecontact.joint import Force
from fecontact.system import System

POINT = Surface(np.zeros((1, 3)), np.ones(1))
WHEEL = RigidBody("wheel", 1.0, ("rz",), (1.0, 1.0, 1.0))
GROUND = RigidFace(None, Plane())


def impact(unit, beside=(), far=0.0):
    """Velocity in units per second of a mass that falls on a Hertz contact, and the counters."""
    body = RigidBody("mass", 1.0, ("ux", "uz"))
    law = PowerNormal(1e8 / np.sqrt(unit), 1.5)
    contact = ContactPair(body, POINT, GROUND, law, ElastoPlastic(0.0, 1e3))
    system = System([body, *beside], [contact, Force(body, (0.0, 0.0, -10.0 * unit))])
    start = system.state({"mass.ux": far, "mass.uz": 1e-4 * unit}, {"mass.uz": -0.1 * unit})
    motion = simulate(system, 0.02, start, "implicit", 0.01, step=1e-3)
    return motion.v[:, 1] / unit, motion.statistics


def stick_slip(unit, beside=()):
    """Velocities in units per second of a mass that is thrown, slides and sticks."""
    body = RigidBody("mass", 1.0, ("ux", "uz"))
    laws = PenaltyNormal(1e6, 200.0), ElastoPlastic(0.5, 1e6, 200.0)
    contact = ContactPair(body, POINT, GROUND, *laws)
    system = System([body, *beside], [contact, Force(body, (3.0 * unit, 0.0, -10.0 * unit))])
    start = system.state({"mass.uz": 1e-4 * unit}, {"mass.ux": 0.02 * unit, "mass.uz": -0.1 * unit})
    motion = simulate(system, 0.05, start, "implicit", 1e-3, step=5e-4)
    return motion.v[:, :2] / unit


@pytest.mark.parametrize("unit", [1e-3, 1e-6, 1e-10])
def test_tiny_motion_beside_a_wheel(unit):
    """An angle of 1 rad is no measure for lengths: 19 % of the speed were wrong at 1e-10."""
    expected, plain = impact(1.0)
    found, counters = impact(unit, [WHEEL])
    assert found == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())
    assert plain.unbalanced == 0
    assert counters.unbalanced > 0


@pytest.mark.parametrize("far", [1.0, 1e3])
def test_impact_far_away(far):
    """A body that has gone far is no better measure of the depth of its contact."""
    expected, _ = impact(1e-6)
    found, _ = impact(1e-6, far=far)
    assert found == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("unit", [1e-6, 1e-10])
def test_tiny_stick_slip(unit):
    expected = stick_slip(1.0)
    found = stick_slip(unit, [WHEEL])
    assert found == pytest.approx(expected, abs=1e-9 * np.abs(expected).max())
