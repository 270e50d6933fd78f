"""Contact pairs in continuous time as compiled functions: equal to their rates in Python."""

from __future__ import annotations

import numpy as np
import pytest
from called_rate import CalledRate

import fecontact as fc
from fecontact.analysis.periodic.undamped import HeldBristles
from fecontact.body.rigid import DOFS
from fecontact.contact.evaluate.lowered.rate import _contact_rate
from fecontact.contact.evaluate.lowered.translating_rate import (
    _translating_rate,
    lowered_translating_rate,
)
from fecontact.contact.evaluate.rate import ContactRate
from fecontact.contact.history import ContactHistory
from fecontact.contact.laws.base import friction_pressure
from fecontact.contact.laws.coefficient import friction_limit
from fecontact.kernels.lowered import FORCE, LOST, SUPPLIED, TANGENTS

NORMAL = fc.PenaltyNormal(1e7, 1e3)
LAYER = fc.KelvinLayer(1e7, 1e3)
LAWS = {
    "elasto-plastic": fc.ElastoPlastic(0.3, 1e7, 100.0),
    "static": fc.ElastoPlastic(fc.Coulomb(0.3, static=0.5), 1e7, 100.0),
    "Stribeck": fc.ElastoPlastic(fc.Stribeck(0.3, 0.5, 0.1), 1e7, 100.0),
    "LuGre": fc.lugre(0.3, 1e7, 100.0),
    "held": HeldBristles(0.3, 1e7),
}


def free(name, position=(0.0, 0.0, 0.0)):
    return fc.RigidBody(name, 2.0, DOFS, inertia=(0.15, 0.2, 0.3), position=position)


def sliding(name, dofs=("ux", "uz")):
    return fc.RigidBody(name, 2.0, dofs, position=(0.05, -0.02, 0.0))


TABLE = fc.RigidFace(sliding("table", ("uy", "uz")), fc.Plane((0.1, -0.2, 1.0)))


def flexible():
    """Points with shapes in a frame at rest."""
    rng, ring = np.random.default_rng(2), fc.ring(radius=0.1, points=9, height=-1e-4)
    body = fc.ModalBody("plate", np.array([100.0, 230.0, 310.0]))
    shapes = 0.1 * rng.standard_normal((9, 3, 3))
    return body, fc.Surface(ring.points, ring.weights, shapes=shapes)


RING = fc.ring(radius=0.1, points=12, height=-1e-3)
MANY = fc.ring(radius=0.1, points=150, height=-1e-3)
MASTERS = {
    "ground": lambda: fc.RigidFace(None, fc.Plane()),
    "moving plane": lambda: fc.RigidFace(free("master"), fc.Plane((0.1, 0.0, 1.0))),
    "hollow cylinder": lambda: fc.RigidFace(free("master"), fc.Cylinder(0.1005, hollow=True)),
    "sphere": lambda: fc.RigidFace(free("master"), fc.Sphere(0.1005, hollow=True)),
    "one axis": lambda: fc.RigidFace(
        fc.RigidBody("wheel", 1.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.1)), fc.Plane()
    ),
}


def _pairs():
    for name, master in MASTERS.items():
        for law, friction in LAWS.items():
            pair = fc.ContactPair(free("slave"), RING, master(), NORMAL, friction)
            yield pytest.param(pair, id=f"{name}, {law}")
    for law, friction in LAWS.items():
        pair = fc.ContactPair(sliding("block"), RING, TABLE, NORMAL, friction)
        yield pytest.param(pair, id=f"translating, {law}")
    pair = fc.ContactPair(sliding("block"), RING, MASTERS["ground"](), LAYER, LAWS["LuGre"])
    yield pytest.param(pair, id="layer, translating")
    body, surface = flexible()
    for name in ("ground", "one axis"):
        pair = fc.ContactPair(body, surface, MASTERS[name](), NORMAL, LAWS["elasto-plastic"])
        yield pytest.param(pair, id=f"elastic on {name}")
    for name in ("ground", "sphere"):
        pair = fc.ContactPair(free("slave"), RING, MASTERS[name](), LAYER, LAWS["LuGre"])
        yield pytest.param(pair, id=f"layer on {name}")
    pair = fc.ContactPair(free("slave"), MANY, MASTERS["moving plane"](), NORMAL, LAWS["LuGre"])
    yield pytest.param(pair, id="two blocks")


PAIRS = list(_pairs())


def states(pair, count):
    """Random states near to contact, with some of the points open, at and beyond the limit."""
    rng = np.random.default_rng(1)
    q = np.concatenate([body.reference() for body in pair.bodies])
    n = sum(len(body.dofs) for body in pair.bodies)
    system = fc.System(pair.bodies, [pair])
    for _ in range(count):
        moved = system.move(q, 5e-4 * rng.standard_normal(n))
        z = 3e-4 * rng.standard_normal((pair.points, pair.columns))
        status = rng.integers(1, 3, pair.points)
        v = 0.2 * rng.standard_normal(n)
        if isinstance(pair.friction, HeldBristles):  # straight where a point is open
            at = pair.kinematics(moved, v)
            z[pair.normal.pressure(at.gap, at.gap_rate)[0] <= 0.0] = 0.0
        yield moved, v, ContactHistory(z, status, np.zeros((pair.points, 2)))


def close(found, expected):
    found, expected = np.asarray(found).ravel(), np.asarray(expected).ravel()
    largest = np.abs(expected).max(initial=1e-30)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-12 * largest)


@pytest.mark.parametrize("pair", PAIRS)
def test_force_and_rates(pair):
    called = CalledRate(pair)
    for q, v, history in states(pair, 4):
        expected = ContactRate.of(pair, 0.3, q, v, history.z, history.status)
        called.ask(FORCE, 0.3, q, v, history)
        close(called.force, expected.force)
        close(called.part("rate"), expected.z_rate)
        close(called.part("slip_rates"), expected.slip_rates)
        assert np.array_equal(called.parts["new_status"].view(np.int64), expected.resulting_status)
        lost, supplied = expected.powers
        terms = np.abs(called.force) @ np.abs(v)  # of which the powers are small differences
        assert called.w[LOST] == pytest.approx(lost, rel=1e-12, abs=1e-12 * terms)
        assert called.w[SUPPLIED] == pytest.approx(supplied, abs=1e-12 * terms)


@pytest.mark.parametrize("pair", PAIRS)
def test_derivatives(pair):
    called = CalledRate(pair)
    for q, v, history in states(pair, 4):
        expected = ContactRate.of(pair, 0.3, q, v, history.z, history.status)
        called.ask(TANGENTS, 0.3, q, v, history)
        by = expected.tangents()
        close(called.force, expected.force)
        close(called.tangents[0], by.force_by_q)
        close(called.tangents[1], by.force_by_v)
        close(called.part("force_by_z"), by.force_by_z)
        close(called.part("rate_by_q"), by.z_rate_by_q)
        close(called.part("rate_by_v"), by.z_rate_by_v)
        close(called.part("rate_by_z"), by.z_rate_by_z)


@pytest.mark.parametrize("pair", PAIRS)
def test_friction_limit(pair):
    """Value and slopes over gap and velocities as those of the coefficient."""
    called = CalledRate(pair)
    for q, v, history in states(pair, 2):
        now = ContactRate.of(pair, 0.3, q, v, history.z, history.status)
        called.ask(TANGENTS, 0.3, q, v, history)
        at = now.kinematics
        status = history.status if pair.friction.sticks else np.full(pair.points, 2)
        pressed = friction_pressure(now.pressure)
        limit, by_speed, by_p = friction_limit(pair.friction.coefficient, at.slip, pressed, status)
        close(called.part("limit"), limit)
        along = at.slip / np.linalg.norm(at.slip, axis=1)[:, None] * by_speed[:, None]
        for name, change in (("limit_by_q", at.by_q), ("limit_by_v", at.by_v)):
            expected = by_p[:, None] * now.d_pressure(change)
            close(called.part(name), expected + np.einsum("pi,pij->pj", along, change.slip))


def test_what_has_no_such_form():
    undamped = fc.ElastoPlastic(0.3, 1e7)
    pair = fc.ContactPair(free("slave"), RING, MASTERS["ground"](), NORMAL, undamped)
    assert pair.lowered_rate() is None


def test_bodies_that_cannot_turn_have_a_form_of_their_own():
    """On a plane; bodies that turn, round surfaces and elastic points have the other one."""
    body, surface = flexible()
    turning, ground = free("slave"), MASTERS["ground"]()
    bowl = fc.RigidFace(None, fc.Sphere(0.1005, hollow=True))
    own = fc.ContactPair(sliding("block"), RING, TABLE, NORMAL, LAWS["LuGre"])
    assert own.lowered_rate().code is _translating_rate
    for slave, points, master in (
        (turning, RING, ground),
        (sliding("block"), RING, bowl),
        (sliding("block"), MANY, ground),
        (body, surface, ground),
    ):
        pair = fc.ContactPair(slave, points, master, NORMAL, LAWS["LuGre"])
        assert lowered_translating_rate(pair) is None
        assert pair.lowered_rate().code is _contact_rate
