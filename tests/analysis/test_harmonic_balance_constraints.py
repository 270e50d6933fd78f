"""Harmonic balance with constraints: a pendulum on a rod, and a trammel that rubs."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from fecontact.analysis.periodic.harmonic_balance import HarmonicBalance, harmonic_balance
from fecontact.analysis.periodic.harmonics import Harmonics
from fecontact.analysis.periodic.motion import Oscillator, SystemMotion
from fecontact.analysis.periodic.shooting import shoot
from fecontact.body import RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, Plane, RigidFace, Surface
from fecontact.errors import InputError
from fecontact.joint import Bearing, Distance, Force, GearRatio, Gravity
from fecontact.joint.curve import Function
from fecontact.system import System

GRAVITY = 9.80665
LENGTH, DRAG, PUSH, SWING = 0.5, 0.4, 3.5, 3.0
SHEAR = 200.0
"""Bristles in N/m that bend by a tenth of the way: samples of a period resolve it."""


def cosine(omega):
    return Function(lambda t: np.cos(omega * t), lambda t: -omega * np.sin(omega * t))


def pendulum_on_a_rod():
    """Bob of 1 kg on a massless rod, with a damper and a horizontal push."""
    bob = RigidBody("bob", 1.0, ("ux", "uz"), position=(0.0, 0.0, -LENGTH))
    items = [
        Gravity([bob]),
        Bearing(bob, 1e-12, 1e-12, DRAG, DRAG),
        Force(bob, (PUSH, 0.0, 0.0), factor=cosine(SWING)),
        Distance(None, bob, point_b=(0.0, 0.0, 0.0), point_a=(0.0, 0.0, 0.0), name="rod"),
    ]
    return SystemMotion(System([bob], items))


def pendulum_by_its_angle():
    def force(t, q, v):
        push, sin, cos = PUSH * np.cos(SWING * t) / LENGTH, np.sin(q), np.cos(q)
        f = -GRAVITY / LENGTH * sin - DRAG * v + push * cos
        return f, np.diag(-GRAVITY / LENGTH * cos - push * sin), np.diag(np.full(1, -DRAG))

    return Oscillator(np.eye(1), force)


def test_a_pendulum_on_a_rod_swings_as_that_of_one_angle():
    angle = harmonic_balance(pendulum_by_its_angle(), np.array([[0.0], [0.3], [0.0]]), SWING, 15)
    x = angle.base.value @ angle.series
    assert np.abs(x).max() > 0.5
    guess = np.array([[0.0, 0.0], [0.15, 0.0], [0.0, 0.0]])
    rod = harmonic_balance(pendulum_on_a_rod(), guess, SWING, 15)
    sine, height = LENGTH * np.sin(x[:, 0]), LENGTH * (1.0 - np.cos(x[:, 0]))
    np.testing.assert_allclose(rod.q, np.column_stack([sine, height]), atol=1e-9)
    # the rod carries weight, centrifugal force and push
    rate = angle.v[:, 0]
    push = PUSH * np.cos(angle.base.phase)
    pull = GRAVITY * np.cos(x[:, 0]) + LENGTH * rate**2 + push * np.sin(x[:, 0])
    np.testing.assert_allclose(np.abs(rod.lam[:, 0]), pull, rtol=1e-7)


def trammel(omega, push=12.0):
    """Two masses on crossed guides, tied by a rod; one of them rubs, the other is pushed."""
    one = RigidBody("one", 1.0, ("ux",), position=(0.3, 0.0, 0.0))
    two = RigidBody("two", 0.5, ("uy",), position=(0.0, 0.4, 0.0))
    ground = RigidBody("ground", 1.0, ())
    depth = 1e-4
    pair = ContactPair(
        one,
        Surface(np.array([[0.0, 0.0, -depth]]), np.ones(1)),
        RigidFace(ground, Plane()),
        PenaltyNormal(5.0 / depth),
        ElastoPlastic(0.4, SHEAR, 2.0),
    )
    items = [
        Bearing(one, 400.0, 1e-9, 1.0, name="spring"),
        Force(two, (0.0, push, 0.0), factor=cosine(omega)),
        Distance(one, two, point_b=(0.0, 0.0, 0.0), point_a=(0.0, 0.0, 0.0), name="rod"),
        pair,
    ]
    return SystemMotion(System([one, two, ground], items))


@pytest.mark.slow
def test_a_trammel_that_rubs_moves_as_shooting_finds_it():
    omega = 15.0
    motion = trammel(omega)
    assert motion.sizes == (2, 2, 1)
    series = harmonic_balance(motion, np.array([[0.0, 0.0], [0.01, -0.0075]]), omega, 15, 240)
    orbit = shoot(motion, series.start, 2.0 * pi / omega, 200)
    # the series keeps the rod up to its highest harmonic, shooting up to its steps' third order
    way = np.hypot(*(np.array([0.3, 0.4]) + series.q).T) - 0.5
    np.testing.assert_allclose(series.base.project @ way, 0.0, atol=1e-9)
    np.testing.assert_allclose(np.hypot(*(np.array([0.3, 0.4]) + orbit.q).T), 0.5, rtol=1e-6)
    # it slides: the bristle is bent to its limit mu p / c_t
    assert np.abs(series.z).max() == pytest.approx(0.4 * 5.0 / SHEAR, rel=1e-6)
    assert orbit.amplitude[0] > 5.0 * 0.4 * 5.0 / SHEAR
    np.testing.assert_allclose(series.amplitude, orbit.amplitude, rtol=5e-4)


@pytest.mark.parametrize("free", [True, False])
def test_derivative_by_all_unknowns(free):
    rng = np.random.default_rng(5)
    # a free motion must not depend on time
    motion, base = trammel(15.0, 0.0 if free else 12.0), Harmonics(2, 16)
    equations = HarmonicBalance(lambda _: motion, base, None if free else (lambda _: 15.0))
    u = equations.start(5e-3 * rng.standard_normal((base.size, 2)), 15.0, 0.0)
    size = equations.sizes(u, 0.0)
    u = u + 0.1 * size * rng.standard_normal(len(u))
    _, J = equations.evaluate(u, 0.0)
    way = size * rng.standard_normal(len(u))
    ahead, behind = (equations.evaluate(u + h * way, 0.0)[0] for h in (1e-6, -1e-6))
    change = (ahead - behind) / 2e-6
    # forces and lengths have sizes of their own: each row is measured by its own terms
    terms = np.abs(J) @ np.abs(way)
    assert (np.abs(change - J @ way) / terms).max() < 1e-6


def test_constraints_of_speeds_are_refused():
    one, two = (RigidBody(name, 1.0, ("spin",), inertia=(1.0, 1.0, 1.0)) for name in "ab")
    ratio = GearRatio(one, two, (20, 40))
    motion = SystemMotion(System([one, two], [ratio]))
    with pytest.raises(InputError, match="position level"):
        harmonic_balance(motion, np.zeros((1, 2)), 1.0)
