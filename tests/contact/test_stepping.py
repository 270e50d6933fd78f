"""Contact with friction history over time steps: tangents, objectivity, balance, no drift."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from fecontact.body import DOFS, RigidBody
from fecontact.contact import ContactPair, CoulombSliding, PenaltyNormal, Surface
from fecontact.contact.evaluate.rate import ContactRate
from fecontact.contact.evaluate.step import ContactHistory, ContactStart
from fecontact.contact.laws.coefficient import Stribeck
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Cylinder, Plane, Sphere
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.errors import InputError

SHAPES = {"plane": Plane(), "hollow sphere": Sphere(1.05, (0.0, 0.0, 1.05), hollow=True),
          "bar": Cylinder(1.0)}  # fmt: skip
SEEDS = st.integers(0, 10**6)


def scene(name, seed, ground=False):
    """Pair of two bodies, coordinates before and after a step, velocities, history."""
    rng = np.random.default_rng(seed)
    points = np.array([[0.3, 0.0, -0.02], [-0.2, 0.2, -0.02], [0.1, -0.3, -0.02], [0.0, 0.3, 0.2]])
    if name == "bar":
        points = np.array([[0.98, 0.1, 0.3], [0.97, -0.2, -0.2], [0.96, 0.15, 0.1]])
    slave = RigidBody("slave", 1.0, DOFS, (0.1, 0.12, 0.15))
    master = None if ground else RigidBody("master", 2.0, DOFS, (0.3, 0.2, 0.25))
    friction = ElastoPlastic(Stribeck(0.3, 0.5, 0.5), 40.0, 1.5)
    pair = ContactPair(
        slave,
        Surface(points, rng.uniform(0.5, 1.0, len(points))),
        RigidFace(master, SHAPES[name]),
        PenaltyNormal(200.0, 3.0),
        friction,
    )
    bodies = pair.bodies
    start = [b.move(b.reference(), 0.02 * rng.standard_normal(6)) for b in bodies]
    end = [b.move(x, 0.02 * rng.standard_normal(6)) for b, x in zip(bodies, start, strict=True)]
    v = 0.3 * rng.standard_normal(6 * len(bodies))
    at = pair.kinematics(np.concatenate(start), v).projection
    z = 0.03 * rng.standard_normal((len(points), 3))
    z -= np.sum(z * at.normal, axis=1)[:, None] * at.normal
    history = ContactHistory(
        z @ at.rotation, rng.integers(0, 3, len(points)), np.zeros((len(points), 2))
    )
    return pair, np.concatenate(start), np.concatenate(end), v, history


def moved(pair, q, step):
    parts = np.split(q, len(pair.bodies))
    steps = np.split(step, len(pair.bodies))
    return np.concatenate([b.move(*x) for b, *x in zip(pair.bodies, parts, steps, strict=True)])


@pytest.mark.parametrize("ground", [False, True], ids=["body", "ground"])
@pytest.mark.parametrize("name", SHAPES)
@settings(max_examples=12)
@given(seed=SEEDS)
def test_tangents(name, ground, difference, seed):
    pair, q0, q, v, history = scene(name, seed, ground)
    start = ContactStart.of(pair, 0.0, q0, v, history)
    step = start.at(0.0, q, v, 0.01)
    p, friction = step.pressure[0], step.friction
    size = np.linalg.norm(40.0 * step.trial + 1.5 * step.kinematics.slip, axis=1)
    mu = pair.friction.coefficient.values(
        np.linalg.norm(step.kinematics.slip, axis=1), p, history.status
    )[0]
    kinks = np.abs(size - mu * p) < 0.2
    near = (np.abs(step.kinematics.gap) < 2e-3) | ((p == 0.0) & (step.kinematics.gap < 0.0)) | (
        (p > 0.0) & (p < 0.5)
    )  # fmt: skip
    assume(not (np.any(kinks & (p > 0.0)) or near.any()))  # no difference over a kink
    n = len(v)
    by_q, by_v = step.tangents()
    found_q = difference(lambda s: start.at(0.0, moved(pair, q, s), v, 0.01).force, np.zeros(n),
                         np.full(n, 1e-4))  # fmt: skip
    found_v = difference(
        lambda s: start.at(0.0, q, v + s, 0.01).force, np.zeros(n), np.full(n, 1e-3)
    )
    assert np.abs(by_q - found_q).max() <= 1e-7 * max(1.0, np.abs(found_q).max())
    assert np.abs(by_v - found_v).max() <= 1e-7 * max(1.0, np.abs(found_v).max())
    assert np.all(friction.work >= 0.0)


@pytest.mark.parametrize("name", SHAPES)
@settings(max_examples=20)
@given(seed=SEEDS)
def test_action_equals_reaction(name, seed):
    """Forces and moments about the origin balance on the two bodies."""
    pair, q0, q, v, history = scene(name, seed)
    step = ContactStart.of(pair, 0.0, q0, v, history).at(0.0, q, v, 0.01)
    f = step.force
    total, moment = np.zeros(3), np.zeros(3)
    for body, x, part in zip(pair.bodies, np.split(q, 2), np.split(f, 2), strict=True):
        total += part[:3]
        moment += np.cross(np.asarray(body.position) + x[:3], part[:3])
        moment += body.rotation(x) @ part[3:]
    size = max(1.0, np.abs(f).max())
    assert np.abs(total).max() < 1e-12 * size
    assert np.abs(moment).max() < 1e-12 * size


def turned(pair, q, R, shift):
    """Coordinates of both bodies after a common rigid motion."""
    parts = []
    for x in np.split(q, 2):
        turn = R * Rotation.from_quat(x[[4, 5, 6, 3]])
        xyzw = turn.as_quat()
        parts.append(np.r_[R.apply(x[:3]) + shift, xyzw[3], xyzw[:3]])
    return np.concatenate(parts)


@pytest.mark.parametrize("name", SHAPES)
@settings(max_examples=20)
@given(seed=SEEDS)
def test_a_common_motion_changes_nothing(name, seed):
    """Turned and shifted between the start and the end of a step: same history, forces turn."""
    pair, q0, q, v, history = scene(name, seed)
    R = Rotation.random(rng=seed)
    step = ContactStart.of(pair, 0.0, q0, v, history).at(0.0, q, v, 0.01)
    v_turned = np.concatenate([np.r_[R.apply(part[:3]), part[3:]] for part in np.split(v, 2)])
    other = ContactStart.of(pair, 0.0, q0, v, history).at(
        0.0, turned(pair, q, R, np.array([0.3, -2.0, 1.0])), v_turned, 0.01
    )
    assert np.allclose(other.history.z, step.history.z, atol=1e-12)
    assert np.array_equal(other.history.status, step.history.status)
    expected = [np.r_[R.apply(part[:3]), part[3:]] for part in np.split(step.force, 2)]
    assert np.allclose(other.force, np.concatenate(expected), atol=1e-10)


def test_no_drift_over_many_cycles():
    """A sticking block, pushed to and fro below the limit, returns to round-off."""
    block = RigidBody("block", 1.0, ("ux", "uz"))
    pair = ContactPair(
        block,
        Surface(np.zeros((1, 3)), np.ones(1)),
        RigidFace(None, Plane()),
        PenaltyNormal(1e3),
        ElastoPlastic(0.5, 1e3),
    )
    history, q = ContactHistory.fresh(1), np.array([0.0, -0.01])
    for x in np.tile([2e-3, -1e-3, 0.0], 300):
        start = ContactStart.of(pair, 0.0, q, np.zeros(2), history)
        q = np.array([x, -0.01])
        step = start.at(0.0, q, np.zeros(2), 1e-3)
        history = step.history
        assert history.status[0] == STICK
    assert np.abs(history.z).max() < 1e-15
    assert np.abs(step.force[0]) < 1e-12


def test_modes_and_work_of_a_dragged_block():
    block = RigidBody("block", 1.0, ("ux", "uz"))
    pair = ContactPair(
        block, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane()),
        PenaltyNormal(1e3), ElastoPlastic(0.5, 1e3),
    )  # fmt: skip
    start = ContactStart.of(pair, 0.0, np.array([0.0, -0.01]), np.zeros(2), ContactHistory.fresh(1))
    step = start.at(0.0, np.array([0.03, -0.01]), np.zeros(2), 1e-3)
    assert step.history.status[0] == SLIP
    assert step.force.tolist() == pytest.approx([-5.0, 10.0])
    assert step.slip_work[0] == pytest.approx(5.0 * (0.03 - 0.005))
    lifted = start.at(0.0, np.array([0.03, 0.01]), np.zeros(2), 1e-3)
    assert lifted.history.status[0] == OPEN
    assert not lifted.force.any()
    assert not lifted.history.z.any()


def test_slip_totals_accumulate():
    """Slip work and slip path of the steps add up; an open point does not slip."""
    block = RigidBody("block", 1.0, ("ux", "uz"))
    pair = ContactPair(
        block, Surface(np.zeros((1, 3)), np.full(1, 0.1)), RigidFace(None, Plane()),
        PenaltyNormal(1e3), ElastoPlastic(0.5, 1e3),
    )  # fmt: skip
    history, q = ContactHistory.fresh(1), np.array([0.0, -0.01])
    for x, z in ((0.03, -0.01), (0.01, -0.01), (0.05, 0.01)):
        start = ContactStart.of(pair, 0.0, q, np.zeros(2), history)
        q = np.array([x, z])
        history = start.at(0.0, q, np.zeros(2), 1e-3).history
    path = (0.03 - 0.005) + (0.02 - 0.01)
    np.testing.assert_allclose(history.slip_totals, [[0.1 * 5.0 * path, path]], rtol=1e-12)


def test_refuses_laws_without_history():
    block = RigidBody("block", 1.0)
    pair = ContactPair(
        block, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane()),
        PenaltyNormal(1.0), CoulombSliding(0.3),
    )  # fmt: skip
    with pytest.raises(InputError, match="CoulombSliding has no history"):
        ContactStart.of(pair, 0.0, np.zeros(3), np.zeros(3), ContactHistory.fresh(1))


@pytest.mark.parametrize("name", SHAPES)
@settings(max_examples=10)
@given(seed=SEEDS)
def test_continuous_form(name, difference, seed):
    """Its derivatives are exact; slip dissipates."""
    pair, _, q, v, history = scene(name, seed)
    rates = ContactRate.of(pair, 0.0, q, v, history.z, history.status)
    p, slip = rates.pressure[0], rates.kinematics.slip
    size = np.linalg.norm(40.0 * rates._flat + 1.5 * slip, axis=1)
    mu = pair.friction.coefficient.values(np.linalg.norm(slip, axis=1), p, history.status)[0]
    gap = rates.kinematics.gap
    near = (np.abs(gap) < 2e-3) | ((p == 0.0) & (gap < 0.0)) | ((p > 0.0) & (p < 0.5))
    assume(not (np.any((np.abs(size - mu * p) < 0.2) & (p > 0.0)) or near.any()))
    n, count = len(v), history.z.size

    def at(y):
        z = history.z + y[2 * n :].reshape(-1, 3)
        moved_q = moved(pair, q, y[:n])
        other = ContactRate.of(pair, 0.0, moved_q, v + y[n : 2 * n], z, history.status)
        return np.r_[other.force, other.z_rate.ravel()]

    found = difference(at, np.zeros(2 * n + count), np.full(2 * n + count, 1e-4))
    by = rates.tangents()
    by_z = np.zeros((count, count))
    for i, block in enumerate(by.z_rate_by_z):
        by_z[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = block
    exact = np.block(
        [[by.force_by_q, by.force_by_v, by.force_by_z], [by.z_rate_by_q, by.z_rate_by_v, by_z]]
    )
    assert np.abs(exact - found).max() <= 1e-7 * np.abs(found).max()
    assert np.all(rates.slip_power >= 0.0)
    slides = rates.friction.status == SLIP
    limit = pair.surface.weights * mu * p  # slip power = limit x slip speed
    np.testing.assert_allclose(rates.slip_rates[:, 0], limit * rates.slip_rates[:, 1], atol=1e-12)
    assert np.all(rates.slip_rates[slides] > 0.0)
    assert not rates.slip_rates[rates.friction.status == OPEN].any()
