"""Two elastic bodies in contact: balance, frame indifference, length scale, tangents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from fecontact.body import ElasticBody
from fecontact.contact import ContactPair, PenaltyNormal
from fecontact.contact.evaluate.step import ContactHistory, StepStart
from fecontact.contact.laws.coefficient import Coulomb
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.elastic_face import ElasticFace
from fecontact.contact.status import SLIP, STICK
from fecontact.contact.surface.points import elastic_surface
from fecontact.fem import ElasticSolid, Material
from fecontact.mesh import block
from fecontact.reduction import reduce_model

SEEDS = st.integers(0, 10**6)
RUBBER = Material(1e7, 0.3, 1000.0)
H = 1e-3


@pytest.fixture(scope="module")
def models():
    """Lower block with 2 x 2 facets on top, upper one with 3 x 2 below, of another element."""
    lower = ElasticSolid(block(1.0, 0.8, 0.3, cells=(2, 2, 1)), RUBBER)
    upper = ElasticSolid(block(0.7, 0.5, 0.2, cells=(3, 2, 1), cell="tet"), RUBBER)
    return (reduce_model(lower, contact=["z_max", "z_min"], modes=4, method="free"),
            reduce_model(upper, contact=["z_min", "z_max"], modes=4, method="free"))  # fmt: skip


def pair_of(models, scale=1.0, mu=0.05):
    """Upper block on the lower one; lengths times `scale`, mass and time as they are."""
    lower = ElasticBody("lower", models[0])
    upper = ElasticBody("upper", models[1], position=(0.13 * scale, 0.17 * scale, 0.3 * scale))
    normal = PenaltyNormal(2e6 / scale**2, 1e3 / scale**2)
    friction = ElastoPlastic(Coulomb(mu), 1e6 / scale**2, 2e3 / scale**2)
    surface = elastic_surface(upper, "z_min")
    return ContactPair(upper, surface, ElasticFace(lower, "z_max"), normal, friction)


def random_state(pair, seed, bend=0.01):
    """Coordinates and velocities of both bodies, a few points open, none beyond the border."""
    rng = np.random.default_rng(seed)
    parts, rates = [], []
    for k, body in enumerate(pair.bodies):
        m = len(body.dofs) - 6
        size = np.abs(body.attachments.node_shapes).max()
        step = np.concatenate([0.02 * rng.standard_normal(6), bend / size * rng.uniform(-1, 1, m)])
        step[2] = 0.0 if k else -0.03
        parts.append(body.move(body.reference(), step))
        rates.append(np.concatenate([rng.standard_normal(6), rng.standard_normal(m) / size]))
    return parts, rates


def step_of(pair, seed, turn=None, shift=None):
    """A step of the pair from one state to another, all of it moved rigidly."""
    start, rates = random_state(pair, seed)
    end, _ = random_state(pair, seed)
    rng = np.random.default_rng(seed + 1)
    small = [np.r_[0.002 * rng.standard_normal(6), np.zeros(len(b.dofs) - 6)]
             for b in pair.bodies]  # fmt: skip
    end = [b.move(q, s) for b, q, s in zip(pair.bodies, end, small, strict=True)]
    if turn is not None:
        start, end = ([rigidly(b, q, turn, shift) for b, q in zip(pair.bodies, part, strict=True)]
                      for part in (start, end))  # fmt: skip
        rates = [np.concatenate([turn.apply(v[:3]), v[3:]]) for v in rates]
    v = np.concatenate(rates)
    fresh = ContactHistory.fresh(len(pair.surface.points))
    before = StepStart.of(pair, np.concatenate(start), v, fresh)
    first = before.at(np.concatenate(start), v, H)
    again = StepStart.of(pair, np.concatenate(start), v, first.history)
    return again, np.concatenate(end), v


def rigidly(body, q, turn, shift):
    """Coordinates of a body moved rigidly in space, about the origin."""
    place = np.asarray(body.position)
    moved = q.copy()
    moved[:3] = turn.apply(q[:3] + place) + shift - place
    w, x, y, z = (turn * Rotation.from_quat(q[[4, 5, 6, 3]])).as_quat()[[3, 0, 1, 2]]
    moved[3:7] = w, x, y, z
    return moved


@settings(max_examples=15)
@given(seed=SEEDS)
def test_action_equals_reaction_with_moments(models, seed):
    """Force and moment about the origin, on both bodies together, vanish to round-off."""
    pair = pair_of(models)
    start, q, v = step_of(pair, seed)
    step = start.at(q, v, H)
    n, n_q = len(pair.slave.dofs), len(pair.slave.reference())
    force, moment = np.zeros((2, 2, 3))
    for k, (f, own) in enumerate(((step.force[:n], q[:n_q]), (step.force[n:], q[n_q:]))):
        body = pair.bodies[k]
        force[k] = f[:3]
        moment[k] = np.cross(body.position + own[:3], f[:3]) + body.rotation(own) @ f[3:6]
    scale = np.linalg.norm(step.point_force, axis=1).sum()
    assert scale > 1.0
    assert np.abs(force.sum(axis=0)).max() <= 1e-13 * scale
    assert np.abs(moment.sum(axis=0)).max() <= 1e-13 * scale
    v_rel = step.kinematics.velocity
    power = np.einsum("pi,pi->", step.point_force, v_rel)
    assert step.force @ v == pytest.approx(power, rel=1e-10, abs=1e-12 * scale)


@settings(max_examples=10)
@given(seed=SEEDS, angles=st.tuples(*[st.floats(-3.0, 3.0)] * 3))
def test_frame_indifference_in_large_rotation(models, seed, angles):
    """A rigid motion of everything turns the forces and changes nothing else."""
    pair = pair_of(models)
    turn, shift = Rotation.from_rotvec(angles), np.array([3.0, -2.0, 1.0])
    (start, q, v), (turned, q_t, v_t) = step_of(pair, seed), step_of(pair, seed, turn, shift)
    one, other = start.at(q, v, H), turned.at(q_t, v_t, H)
    scale = np.linalg.norm(one.point_force, axis=1).max()
    np.testing.assert_allclose(other.point_force, turn.apply(one.point_force), atol=1e-8 * scale)
    np.testing.assert_allclose(other.history.z, one.history.z, atol=1e-12)
    np.testing.assert_array_equal(other.history.status, one.history.status)
    n = len(pair.slave.dofs)
    for part in (slice(3, n), slice(n + 3, None)):
        np.testing.assert_allclose(other.force[part], one.force[part],
                                   atol=1e-8 * np.abs(one.force[part]).max())  # fmt: skip


def scaled(model, scale):
    """The same body in another unit of length; shapes are in 1/sqrt(kg), whatever the unit."""
    surfaces = {
        name: replace(s, points=scale * s.points, weights=scale**2 * s.weights)
        for name, s in model.surfaces.items()
    }
    geometry = replace(model.geometry, points=scale * model.geometry.points)
    return replace(model, surfaces=surfaces, geometry=geometry)


def one_step(pair, parts, rates):
    """Step from coordinates to others that the velocities lead to."""
    q, v = np.concatenate(parts), np.concatenate(rates)
    fresh = ContactHistory.fresh(len(pair.surface.points))
    end = [b.move(x, H * w) for b, x, w in zip(pair.bodies, parts, rates, strict=True)]
    return StepStart.of(pair, q, v, fresh).at(np.concatenate(end), v, H)


@pytest.mark.parametrize("scale", [0.1, 1000.0])
@settings(max_examples=10)
@given(seed=SEEDS)
def test_length_scale(models, scale, seed):
    """Metres, millimetres or a body scaled by 0.1: the same forces after conversion."""
    pair, other = pair_of(models), pair_of([scaled(m, scale) for m in models], scale)
    parts, rates = random_state(pair, seed)
    one = pair.kinematics(np.concatenate(parts), np.concatenate(rates))
    dragged = one_step(pair, parts, rates).force
    for q, v in zip(parts, rates, strict=True):
        q[:3] *= scale
        q[7:] *= scale
        v[:3] *= scale
        v[6:] *= scale
    two = other.kinematics(np.concatenate(parts), np.concatenate(rates))
    np.testing.assert_allclose(two.gap, scale * one.gap, atol=1e-13 * scale)
    np.testing.assert_allclose(two.normal, one.normal, atol=1e-12)
    np.testing.assert_allclose(two.slip, scale * one.slip, atol=1e-11 * scale)
    unit = [np.r_[np.full(3, scale), np.full(3, scale**2), np.full(len(v) - 6, scale)]
            for v in rates]  # fmt: skip
    found = one_step(other, parts, rates).force / np.concatenate(unit)
    np.testing.assert_allclose(found, dragged, atol=1e-10 * np.abs(dragged).max())


@pytest.mark.parametrize(("mu", "status"), [(0.5, STICK), (0.005, SLIP)])
def test_tangents_of_two_elastic_bodies(models, difference, mu, status):
    """Exact derivatives of a step with friction, in all dofs of both bodies."""
    pair = pair_of(models, mu=mu)
    start, q, v = step_of(pair, 3)
    step = start.at(q, v, H)
    by_q, by_v = step.tangents()
    n_q, n = len(pair.slave.reference()), len(pair.slave.dofs)

    def moved(s):
        return np.concatenate([pair.bodies[0].move(q[:n_q], s[:n]),
                               pair.bodies[1].move(q[n_q:], s[n:])])  # fmt: skip

    assert np.all(step.friction.status == status)
    width = np.full(len(v), 1e-5)
    found_q = difference(lambda s: start.at(moved(s), v, H).force, np.zeros(len(v)), width)
    found_v = difference(lambda s: start.at(q, v + s, H).force, np.zeros(len(v)), 10 * width)
    assert np.linalg.norm(by_q - found_q) <= 1e-7 * np.linalg.norm(found_q)
    assert np.linalg.norm(by_v - found_v) <= 1e-7 * np.linalg.norm(found_v)


def test_a_body_is_slave_and_master_at_once(models):
    """Three blocks in a stack: the middle one is slave below and master above."""
    low, middle = ElasticBody("low", models[0]), ElasticBody("mid", models[1], (0.1, 0.1, 0.2999))
    high = ElasticBody("high", models[1], (0.1, 0.1, 0.4998))
    normal, friction = PenaltyNormal(1e6, 0.0), ElastoPlastic(Coulomb(0.3), 1e6)
    below = ContactPair(middle, elastic_surface(middle, "z_min"), ElasticFace(low, "z_max"),
                        normal, friction, "below")  # fmt: skip
    above = ContactPair(high, elastic_surface(high, "z_min"), ElasticFace(middle, "z_max"),
                        normal, friction, "above")  # fmt: skip
    total = {}
    for pair in (below, above):
        q = np.concatenate([b.reference() for b in pair.bodies])
        v = np.zeros(sum(len(b.dofs) for b in pair.bodies))
        start = StepStart.of(pair, q, v, ContactHistory.fresh(len(pair.surface.points)))
        force = start.at(q, v, H).force
        n = len(pair.slave.dofs)
        for body, f in ((pair.bodies[0], force[:n]), (pair.bodies[1], force[n:])):
            total[body.name] = total.get(body.name, 0.0) + f[2]
    load = 1e6 * 1e-4 * 0.35
    assert total == pytest.approx({"low": -load, "mid": 0.0, "high": load}, abs=1e-9 * load)
