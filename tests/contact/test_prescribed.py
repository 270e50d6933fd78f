"""Bodies in prescribed frames as slave and master.

The twin is the same body in a free frame, put where the prescribed one is and moved as it moves:
all that the elastic coordinates see must be the same.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.body import ElasticBody, MovingFrame, RigidBody
from fecontact.body.prescribed import TurningFrame
from fecontact.contact import (
    ContactHistory,
    ContactPair,
    ElasticFace,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidFace,
    SolidLayer,
    elastic_surface,
    rectangle,
)
from fecontact.contact.evaluate.compiled.step import CompiledStep
from fecontact.contact.evaluate.rate import ContactRate
from fecontact.contact.evaluate.step import ContactStart
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import SmoothStep
from fecontact.mesh import block
from fecontact.reduction import reduce_model

NORMAL, FRICTION = PenaltyNormal(1e6, 50.0), ElastoPlastic(0.3, 4e5, 20.0)
FRAMES = {
    "turning": TurningFrame((0.1, -0.2, 1.0), 3.0, point=(0.3, 0.1, 0.0)),
    "moving": MovingFrame((1.0, 0.5, -0.02), SmoothStep(0.2, high=0.1)),
}
T, H = 0.07, 1e-3


@pytest.fixture(scope="module")
def model():
    mesh = block(1.0, 0.8, 0.3, cells=(2, 2, 1))
    solid = ElasticSolid(mesh, Material(1e7, 0.3, 1000.0), element="hex1")
    return reduce_model(solid, contact=["z_min", "z_max"], modes=2, method="free")


@pytest.fixture(params=[(role, frame) for role in ("slave", "master") for frame in FRAMES])
def twins(request, model):
    """Pairs with prescribed and with free frame, and the states of their bodies at a time."""
    role, frame = request.param
    given = ElasticBody("block", model, (0.0, 0.0, -0.01), FRAMES[frame], geometric_stiffness=False)
    free = replace(given, frame="free")
    partner = RigidBody("pad", 1.0, ("ux", "uy", "uz"))
    rng = np.random.default_rng(4)
    m = len(given.dofs)
    e, e_rate = 1e-4 * rng.standard_normal(m), 0.1 * rng.standard_normal(m)

    def pair(body):
        if role == "slave":
            face = RigidFace(partner, Plane())
            return ContactPair(body, elastic_surface(body, "z_min"), face, NORMAL, FRICTION)
        pad = rectangle(0.3, 0.2, (3, 3), height=0.289)
        pad = replace(pad, points=pad.points + np.array([0.5, 0.4, 0.0]))
        return ContactPair(partner, pad, ElasticFace(body, "z_max"), NORMAL, FRICTION)

    def states(t):
        frame_now = given.frame.at(t, np.array(given.position))
        own = np.concatenate([[1e-3, -2e-3, 0.0], np.zeros(3)])
        q = e + (t - T) * e_rate
        full_q = np.concatenate([frame_now.coordinates, q])
        full_v = np.concatenate([frame_now.velocity, e_rate])
        parts = (q, own[:3]), (e_rate, own[3:]), (full_q, own[:3]), (full_v, own[3:])
        return [np.concatenate(part if role == "slave" else part[::-1]) for part in parts]

    shared = np.arange(6, m + 9) if role == "slave" else np.r_[0:3, 9 : m + 9]
    return pair(given), pair(free), states, shared


def test_force_and_tangents_of_sliding(twins):
    given, free, states, own = twins
    q, v, full_q, full_v = states(T)
    force = given.force(T, q, v)
    assert np.linalg.norm(force) > 0.0
    np.testing.assert_allclose(force, free.force(0.0, full_q, full_v)[own], rtol=1e-12)
    for found, full in zip(
        given.tangents(T, q, v), free.tangents(0.0, full_q, full_v), strict=True
    ):
        expected = full[np.ix_(own, own)]
        np.testing.assert_allclose(found, expected, atol=1e-11 * np.abs(expected).max())


def test_steps(twins):
    """Three steps with history; the frame supplies the work that its dofs do in the twin."""
    given, free, states, own = twins
    kept = rode = ContactHistory.fresh(given.points)
    for k in range(3):
        before, after = states(T + k * H), states(T + (k + 1) * H)
        t = T + (k + 1) * H
        one = given.begin(T + k * H, *before[:2], kept).at(t, *after[:2], H)
        two = free.begin(0.0, *before[2:], rode).at(0.0, *after[2:], H)
        np.testing.assert_allclose(one.force, two.force[own], rtol=1e-10)
        np.testing.assert_allclose(one.history.z, two.history.z, atol=1e-15)
        by_q, by_v = one.tangents()
        full_q, full_v = two.tangents()
        np.testing.assert_allclose(
            by_q, full_q[np.ix_(own, own)], atol=1e-10 * np.abs(full_q).max()
        )
        np.testing.assert_allclose(
            by_v, full_v[np.ix_(own, own)], atol=1e-10 * np.abs(full_v).max()
        )
        frame = np.setdiff1d(np.arange(len(two.force)), own)
        drive = -two.force[frame] @ after[3][frame]
        assert one.report().supplied_power == pytest.approx(drive, rel=1e-9)
        kept, rode = one.history, two.history
    assert np.any(kept.z != 0.0)


@pytest.mark.parametrize("normal", [NORMAL, SolidLayer(1e6, 5e5, 2e-3)])
def test_kernel_of_prescribed_frames(twins, normal):
    """Compiled and item by item: step, tangents, report and rate form at their times."""
    given, _, states, _ = twins
    given = replace(given, normal=normal)
    (q0, v0), (q1, v1) = states(T)[:2], states(T + H)[:2]
    kept = given.steady_sliding_history(T, q0, v0)
    fast = given.begin(T, q0, v0, kept).at(T + H, q1, v1, H)
    assert isinstance(fast, CompiledStep)
    slow = ContactStart.of(given, T, q0, v0, kept).at(T + H, q1, v1, H)
    contact_rates = (
        given.rate(T, q0, v0, kept),
        ContactRate.of(given, T, q0, v0, kept.z, kept.status),
    )
    found = (fast.force, fast.history.z, *fast.tangents(), contact_rates[0].force)
    expected = (slow.force, slow.history.z, *slow.tangents(), contact_rates[1].force)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12 * np.abs(b).max())
    supplied = slow.report().supplied_power
    assert fast.report().supplied_power == pytest.approx(supplied, rel=1e-11)
    assert contact_rates[0].powers == pytest.approx(contact_rates[1].powers, rel=1e-11)
    assert contact_rates[0].powers[1] != 0.0


def test_rate_form(twins):
    given, free, states, own = twins
    q, v, full_q, full_v = states(T)
    kept = given.steady_sliding_history(T, q, v)
    one, two = given.rate(T, q, v, kept), free.rate(0.0, full_q, full_v, kept)
    np.testing.assert_allclose(one.force, two.force[own], rtol=1e-12)
    parts = np.abs(FRICTION.stiffness * kept.z / FRICTION.damping).max()  # they cancel in z' = 0
    assert parts > 1.0
    np.testing.assert_allclose(one.z_rate, two.z_rate, atol=1e-13 * parts)
