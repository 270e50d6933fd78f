"""Elastic bodies in frames of prescribed motion: all inertia forces, tangents, rotating beams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import scipy.linalg as la
from hypothesis import given, settings
from hypothesis import strategies as st

from fecontact.body import ElasticBody, MovingFrame, TurningFrame
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import Bushing, Force, Gravity
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.reference.structures.reissner_beam import rotating_reissner_frequencies

SIZE = (0.30, 0.10, 0.05)
RUBBER = Material(young=5e6, poisson=0.4, density=1200.0)
POSITION = (0.1, -0.2, 0.3)
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=4)


@dataclass(frozen=True)
class Swing:
    """A cubic plus a sine: value, rate and acceleration by hand."""

    size: float

    def value(self, t):
        return self.size * (0.3 * t + t**3 + np.sin(5.0 * t))

    def rate(self, t):
        return self.size * (0.3 + 3.0 * t**2 + 5.0 * np.cos(5.0 * t))

    def acceleration(self, t):
        return self.size * (6.0 * t - 25.0 * np.sin(5.0 * t))


FRAMES = {
    "speed": TurningFrame((1.0, 2.0, -1.0), 17.0, (0.2, 0.1, 0.0)),
    "swing": TurningFrame((1.0, 2.0, -1.0), Swing(2.0), (0.2, 0.1, 0.0)),
    "travel": MovingFrame((1.0, 0.5, -0.3), Swing(0.3)),
}


@pytest.fixture(scope="module")
def solid():
    mesh = block(*SIZE, cells=(3, 1, 1))
    return ElasticSolid(mesh, RUBBER, supports={"x_min": "clamped"})


@pytest.fixture(scope="module")
def model(solid):
    return reduce_model(solid, "x_max", method="free", modes=5)


def random_state(body, seed):
    rng = np.random.default_rng(seed)
    scale = 0.02 * np.sqrt(body.model.inertia.mass) * SIZE[0]
    e = scale * rng.uniform(-1, 1, len(body.dofs))
    return e, scale * body.model.frequencies[0] * rng.uniform(-1, 1, len(e))


@pytest.mark.parametrize("frame", FRAMES)
@few
@given(seed=seeds)
def test_force_against_the_motion_of_all_nodes(difference, solid, model, frame, seed):
    """f = -J^T M_FE x'' - K e, with x'' of all nodes by differences in time for e'' = 0."""
    body = ElasticBody("body", model, POSITION, FRAMES[frame], geometric_stiffness=False)
    e, rate = random_state(body, seed)
    nodes, t = solid.geometry.points, 0.4

    def velocity(time):
        q = e + (time[0] - t) * rate
        return body.point_motion(q, rate, nodes, time[0]).velocity.ravel()

    def position(time):
        q = e + (time[0] - t) * rate
        return body.point_motion(q, rate, nodes, time[0]).position.ravel()

    now, step = np.array([t]), np.array([1e-3])
    found = difference(position, now, step)[:, 0]
    np.testing.assert_allclose(velocity(now), found, atol=1e-7 * np.abs(found).max())
    acceleration = difference(velocity, now, step)[:, 0]
    J = body.point_motion(e, rate, nodes, t).jacobian.reshape(-1, len(e))
    K = model.frequencies**2
    inertia = J.T @ (solid.mass @ acceleration)
    force = body.force(t, e, rate) + K * e
    assert np.linalg.norm(force + inertia) < 1e-7 * np.linalg.norm(inertia)
    M = J.T @ (solid.mass @ J)
    np.testing.assert_allclose(body.mass_matrix(e), M, atol=1e-10 * np.abs(M).max())
    field = velocity(now)
    energy = 0.5 * field @ (solid.mass @ field)
    assert body.kinetic_energy(e, rate, t) == pytest.approx(energy, rel=1e-9)
    linear = (solid.mass @ field).reshape(-1, 3).sum(axis=0)
    np.testing.assert_allclose(body.momentum(e, rate, t)[0], linear, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("geometric", [True, False])
@pytest.mark.parametrize("frame", FRAMES)
@few
@given(seed=seeds)
def test_tangents(difference, model, frame, geometric, seed):
    body = ElasticBody(
        "body", model, POSITION, FRAMES[frame], damping=0.02, geometric_stiffness=geometric
    )
    e, rate = random_state(body, seed)
    a, t, n = rate * 7.0, 0.3, len(e)
    force, by_q, by_v = body.evaluate(t, e, rate)
    np.testing.assert_allclose(force, body.force(t, e, rate), rtol=1e-12)
    cases = (
        (by_q, lambda x: body.force(t, x, rate), e),
        (by_v, lambda x: body.force(t, e, x), rate),
        (body.d_inertia(e, a), lambda x: body.mass_matrix(x) @ a, e),
    )
    for found, value, at in cases:
        expected = difference(value, at, np.full(n, 0.1 * np.abs(at).max()))
        floor = 1e-12 * np.linalg.norm(value(at)) / np.abs(at).max()
        assert np.linalg.norm(found - expected) <= 1e-7 * np.linalg.norm(expected) + floor


@few
@given(seed=seeds)
def test_same_as_the_free_frame_that_is_bound(model, seed):
    """Elastic rows of the free body with the velocities and accelerations of the frame."""
    frame, t = FRAMES["swing"], 0.7
    bound, free = (ElasticBody("body", model, POSITION, f, 0.01) for f in (frame, "free"))
    e, rate = random_state(bound, seed)
    state = frame.at(t, np.array(POSITION))
    q, v = np.r_[state.coordinates, e], np.r_[state.velocity, rate]
    expected = free.force(0.0, q, v)[6:] - free.mass_matrix(q)[6:, :6] @ state.acceleration
    found = bound.force(t, e, rate)
    assert np.linalg.norm(found - expected) < 1e-12 * np.linalg.norm(expected)


def test_elements_see_the_moving_frame(difference, model):
    """Bushing to the ground, force and weight at time t: tangents, and the place of the marker."""
    body = ElasticBody("body", model, POSITION, FRAMES["swing"])
    e, rate = random_state(body, 1)
    t, n = 0.05, len(e)
    home = body.marker("x_max").home
    items = (
        Bushing(None, body, (50.0,) * 6, (2.0,) * 6, "x_max"),
        Force(body, (1.0, 2.0, 3.0), "x_max", follower=True),
        Gravity([body]),
    )
    for item in items:
        force, by_q, by_v = item.evaluate(t, e, rate)
        np.testing.assert_allclose(force, item.force(t, e, rate), rtol=1e-12)
        for found, value, at in (
            (by_q, lambda x, i=item: i.force(t, x, rate), e),
            (by_v, lambda x, i=item: i.force(t, e, x), rate),
        ):
            expected = difference(value, at, np.full(n, 0.1 * np.abs(at).max()))
            floor = 1e-12 * np.linalg.norm(force) / np.abs(at).max()
            assert np.linalg.norm(found - expected) <= 1e-7 * np.linalg.norm(expected) + floor
    now = body.marker("x_max").at(np.zeros(n), np.zeros(n), t)
    state = FRAMES["swing"].at(t, np.array(POSITION))
    assert np.linalg.norm(now.position - home) > 0.01
    np.testing.assert_allclose(
        now.velocity,
        state.velocity[:3]
        + body.rotation(e, t) @ np.cross(state.velocity[3:], home - np.array(POSITION)),
        atol=1e-12,
    )


LENGTH, SIDE = 1.0, 0.02
STEEL = Material(young=210e9, poisson=0.0, density=7800.0)  # a beam theory has no Poisson effect


@pytest.mark.parametrize("hub", [0.0, 0.5])
def test_rotating_cantilever(hub):
    """Flap and lag against Reissner's rotating beam, on a hub too."""
    mesh = block(LENGTH, SIDE, SIDE, cells=(24, 1, 1)).translated((0.0, -SIDE / 2, -SIDE / 2))
    solid = ElasticSolid(mesh, STEEL, supports={"x_min": "clamped"})
    beam = reduce_model(solid, method="free", modes=16)
    unit = np.sqrt(STEEL.young * SIDE**2 / 12 / (STEEL.density * LENGTH**4))
    frame = TurningFrame((0.0, 0.0, 1.0), 4.0 * unit)
    body = ElasticBody("beam", beam, (hub * LENGTH, 0.0, 0.0), frame)
    q, v = body.reference(), np.zeros(len(body.dofs))
    for _ in range(3):  # Newton's steps to the steady deformation
        force, by_q, _ = body.evaluate(0.0, q, v)
        q = q - np.linalg.solve(by_q, force)
    _, by_q, by_v = body.evaluate(0.0, q, v)
    M, n = body.mass_matrix(q), len(q)
    A = np.block(
        [[np.zeros((n, n)), np.eye(n)], [np.linalg.solve(M, by_q), np.linalg.solve(M, by_v)]]
    )
    roots = la.eigvals(A)
    found = np.sort(roots.imag[roots.imag > 0.0])[:2] / unit
    expected = np.sort(
        [
            rotating_reissner_frequencies(4.0, SIDE / np.sqrt(12.0), hub_radius=hub, motion=motion)
            for motion in ("lag", "flap")
        ],
        axis=None,
    )
    np.testing.assert_allclose(found, expected, rtol=2e-4)


def test_bad_frames(model):
    with pytest.raises(InputError, match=r"axis =.* expected a direction"):
        TurningFrame((0.0, 0.0, 0.0), 1.0)
    with pytest.raises(InputError, match="speed = nan rad/s"):
        TurningFrame((0.0, 0.0, 1.0), np.nan)
    with pytest.raises(InputError, match=r"direction =.* expected a direction"):
        MovingFrame((np.inf, 0.0, 0.0), 1.0)
    with pytest.raises(InputError, match="speed = inf m/s"):
        MovingFrame((1.0, 0.0, 0.0), np.inf)
    with pytest.raises(InputError, match="invalid frame = turning"):
        ElasticBody("body", model, frame="turning")
