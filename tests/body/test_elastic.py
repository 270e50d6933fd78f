"""Elastic bodies in a floating frame: inertia, forces, tangents, kinematics, bad input."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.body.rotation import quaternion_matrix, rotated
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.fem.damping import RayleighDamping
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

SIZE = (0.30, 0.10, 0.05)
RUBBER = Material(young=5e6, poisson=0.4, density=1200.0)
POSITION = (0.1, -0.2, 0.3)
KINDS = ["free", "clamped"]
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=6)


@pytest.fixture(scope="module")
def solids():
    mesh = block(*SIZE, cells=(3, 1, 1))
    return {
        "free": ElasticSolid(mesh, RUBBER),
        "clamped": ElasticSolid(mesh, RUBBER, supports={"x_min": "clamped"}),
    }


@pytest.fixture(scope="module")
def models(solids):
    return {k: reduce_model(s, "z_max", method="free", modes=7) for k, s in solids.items()}


def random_state(body, seed):
    """Large rotation, deformation of a few per cent of the body's size, speeds to match."""
    rng = np.random.default_rng(seed)
    m = body.model.size - body.model.rigid
    amplitude = 0.02 * np.sqrt(body.model.inertia.mass) * SIZE[0]
    elastic = np.full(m, amplitude)
    speed = elastic * body.model.frequencies[body.model.rigid]
    step, v_scale = elastic, speed
    if body.frame == "free":
        step = np.r_[np.full(6, 2.0), step]
        v_scale = np.r_[np.full(3, 3.0), np.full(3, 20.0), v_scale]
    q = body.move(body.reference(), step * rng.uniform(-1, 1, len(step)))
    return q, v_scale * rng.uniform(-1, 1, len(step)), step, v_scale


def blocks(body):
    return [slice(3), slice(3, 6), slice(6, None)] if body.frame == "free" else [slice(None)]


def assert_blocks(body, found, expected, tolerance=1e-7):
    for i in blocks(body):
        for j in blocks(body):
            error = np.linalg.norm(found[i, j] - expected[i, j])
            assert error <= tolerance * max(
                np.linalg.norm(expected[i, j]), 1e-3 * np.linalg.norm(expected[i])
            ), (i, j)


@pytest.mark.parametrize("kind", KINDS)
@few
@given(seed=seeds)
def test_rigid_limit(models, kind, seed):
    """Undeformed: mass matrix, forces and tangents of a rigid body with the same inertia.

    The frame's origin is a corner of the block, so its velocities are first taken over from the
    centre of mass: u_corner' = u_c' - R (omega x c).
    """
    model = models[kind]
    body = ElasticBody("elastic", model, POSITION)
    c = model.inertia.first_moment / model.inertia.mass
    mass = RUBBER.density * np.prod(SIZE)
    moments = mass / 12 * (np.sum(np.square(SIZE)) - np.square(SIZE))
    rigid = RigidBody("rigid", mass, DOFS, inertia=tuple(moments))
    q, v, _, _ = random_state(body, seed)
    q[7:], v[6:] = 0.0, 0.0
    R = body.rotation(q)
    levers = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
    at_corner = np.eye(6)
    at_corner[:3, 3:] = R @ levers  # (u_corner', omega) = at_corner @ (u_c', omega)
    M = at_corner.T @ body.mass_matrix(q)[:6, :6] @ at_corner
    v_c = np.linalg.solve(at_corner, v[:6])
    expected_M = rigid.mass_matrix(q[:7])
    np.testing.assert_allclose(M, expected_M, atol=1e-12 * np.abs(expected_M).max())
    # M v' = f with v' = at_corner v_c' + R omega x (omega x (-c)) turns into the rigid equation
    extra = np.r_[-R @ np.cross(v[3:6], np.cross(v[3:6], c)), np.zeros(3)]
    f = at_corner.T @ (body.force(0.0, q, v)[:6] - body.mass_matrix(q)[:6, :6] @ extra)
    expected = rigid.force(0.0, q[:7], v_c)
    np.testing.assert_allclose(f, expected, atol=1e-11 * mass * 400 * SIZE[0])
    np.testing.assert_allclose(body.momentum(q, v)[0], rigid.momentum(q[:7], v_c)[0], rtol=1e-10)
    # the spin part has its tangent alone where the frame is at the centre of mass
    shifted = replace(model, inertia=_about_centre(model.inertia, c))
    centred = ElasticBody("elastic", shifted)
    np.testing.assert_allclose(
        centred.tangents(0.0, q, v)[1][:6, :6],
        rigid.tangents(0.0, q[:7], v_c)[1],
        atol=1e-12 * mass * 20,
    )


def _about_centre(integrals, c):
    """Rigid part of the integrals about the centre of mass."""
    steiner = integrals.mass * (c @ c * np.eye(3) - np.outer(c, c))
    return replace(integrals, first_moment=np.zeros(3), inertia=integrals.inertia - steiner)


def all_nodes(solid, body, q, v):
    """Motion of all nodes, with consistent FE mass matrix: the brute force of everything."""
    motion = body.point_motion(q, v, solid.geometry.points)
    n = len(v)
    J = motion.jacobian.reshape(-1, n)
    return motion, J, J.T @ (solid.mass @ J)


@pytest.mark.parametrize("kind", KINDS)
@few
@given(seed=seeds)
def test_mass_matrix_and_energy_against_all_nodes(solids, models, kind, seed):
    body = ElasticBody("body", models[kind], POSITION, geometric_stiffness=False)
    q, v, _, _ = random_state(body, seed)
    motion, _, expected = all_nodes(solids[kind], body, q, v)
    assert_blocks(body, body.mass_matrix(q), expected, 1e-10)
    field = motion.velocity.ravel()
    energy = 0.5 * field @ (solids[kind].mass @ field)
    assert body.kinetic_energy(q, v) == pytest.approx(energy, rel=1e-10)
    density = (solids[kind].mass @ field).reshape(-1, 3)
    linear, angular = body.momentum(q, v)
    np.testing.assert_allclose(linear, density.sum(axis=0), rtol=1e-9)
    np.testing.assert_allclose(angular, np.cross(motion.position, density).sum(axis=0), rtol=1e-8)


@pytest.mark.parametrize("kind", KINDS)
@few
@given(seed=seeds)
def test_force_against_all_nodes(solids, models, kind, seed):
    """f = -J^T M_FE a - K q with the acceleration a of the nodes for v' = 0."""
    body = ElasticBody("body", models[kind], POSITION, geometric_stiffness=False)
    q, v, _, _ = random_state(body, seed)
    motion, J, _ = all_nodes(solids[kind], body, q, v)
    acceleration = (motion.d_velocity @ v).ravel()
    expected = -J.T @ (solids[kind].mass @ acceleration)
    expected[6:] -= body.model.frequencies[body.model.rigid :] ** 2 * q[7:]
    found = body.force(0.0, q, v)
    for part in blocks(body):
        error = np.linalg.norm(found[part] - expected[part])
        assert error < 1e-9 * np.linalg.norm(expected[part])


@pytest.mark.parametrize("geometric", [True, False])
@pytest.mark.parametrize("kind", KINDS)
@few
@given(seed=seeds)
def test_mass_matrix_is_symmetric_positive_definite(models, kind, geometric, seed):
    body = ElasticBody("body", models[kind], geometric_stiffness=geometric)
    q, _, _, _ = random_state(body, seed)
    M = body.mass_matrix(q)
    np.testing.assert_allclose(M, M.T, rtol=0.0, atol=1e-15 * np.abs(M).max())
    assert np.linalg.eigvalsh(M)[0] > 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_inertia_loads_of_the_geometric_stiffness(difference, models, kind):
    """M contains the stiffness per unit acceleration, and -omega.J omega/2 that per omega omega.

    Derivatives of M at the undeformed state, with minus without geometric stiffness, against the
    stiffness of the static stresses (`ReducedModel.geometric`).
    """
    model = models[kind]
    m = model.size - model.rigid
    K = model.geometric[:, model.rigid :, model.rigid :]
    on, off = (ElasticBody("body", model, geometric_stiffness=flag) for flag in (True, False))

    def extra(body, elastic):
        q = body.reference()
        q[7:] = elastic
        return body.mass_matrix(q)

    def slope(elastic):
        return difference(
            lambda e: (extra(on, e) - extra(off, e))[:6].ravel(), elastic, np.full(m, 1e-2)
        )

    first = slope(np.zeros(m)).reshape(6, 6 + m, m)
    scale = np.abs(K).max()
    np.testing.assert_allclose(first[:, 6:], K[:6], atol=1e-8 * scale)
    np.testing.assert_allclose(first[3:, 3:6], 0.0, atol=1e-8 * scale)
    second = difference(lambda e: slope(e).ravel(), np.zeros(m), np.full(m, 1e-2))
    second = second.reshape(6, 6 + m, m, m)[3:, 3:6]
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
    for (i, j), stiffness in zip(pairs, K[6:], strict=True):
        found = second[i, j] + second[j, i] if i != j else second[i, i]
        np.testing.assert_allclose(found, -2.0 * stiffness, atol=1e-6 * scale)


@pytest.mark.parametrize("frame", ["free", "fixed"])
@pytest.mark.parametrize("kind", KINDS)
@few
@given(seed=seeds)
def test_tangents(difference, models, kind, frame, seed):
    body = ElasticBody("body", models[kind], POSITION, frame, RayleighDamping(5.0, 1e-4))
    q, v, step, v_scale = random_state(body, seed)
    by_q, by_v = body.tangents(0.0, q, v)
    n = len(v)
    expected = difference(
        lambda s: body.force(0.0, body.move(q, s), v), np.zeros(n), 1e-2 * step / step.max()
    )
    assert_blocks(body, by_q, expected)
    expected = difference(lambda a: body.force(0.0, q, a), v, 0.1 * v_scale)
    assert_blocks(body, by_v, expected)


@pytest.mark.parametrize("geometric", [True, False])
@pytest.mark.parametrize("frame", ["free", "fixed"])
@pytest.mark.parametrize("kind", KINDS)
@few
@given(seed=seeds)
def test_derivative_of_the_inertia_term(difference, models, kind, frame, geometric, seed):
    """d(M a) along frame translation, frame rotation and deformation."""
    body = ElasticBody("body", models[kind], POSITION, frame, geometric_stiffness=geometric)
    q, a, step, _ = random_state(body, seed)
    expected = difference(
        lambda s: body.mass_matrix(body.move(q, s)) @ a, np.zeros(len(a)), 1e-2 * step / step.max()
    )
    found = body.d_inertia(q, a)
    assert found.shape == expected.shape
    scale = 1e-13 * np.linalg.norm(body.mass_matrix(q) @ a) / 1e-2
    for i in blocks(body):
        for j in blocks(body):
            error = np.linalg.norm(found[i, j] - expected[i, j])
            assert error <= 1e-7 * np.linalg.norm(expected[i, j]) + scale, (i, j)


@pytest.mark.parametrize("frame", ["free", "fixed"])
@pytest.mark.parametrize("kind", KINDS)
@few
@given(seed=seeds)
def test_motion_of_a_surface(difference, models, kind, frame, seed):
    body = ElasticBody("body", models[kind], POSITION, frame)
    q, v, step, _ = random_state(body, seed)
    motion, n = body.point_motion(q, v, "z_max"), len(v)
    p = len(motion.position)
    forces = np.random.default_rng(seed).standard_normal((p, 3))

    def along(value):
        return difference(lambda s: value(body.move(q, s)).ravel(), np.zeros(n), 1e-2 * step)

    cases = (
        (motion.jacobian, lambda a: body.point_motion(a, v, "z_max").position),
        (motion.d_velocity, lambda a: body.point_motion(a, v, "z_max").velocity),
        (
            motion.d_load(forces),
            lambda a: np.einsum("pij,pi->j", body.point_motion(a, v, "z_max").jacobian, forces),
        ),
    )
    for found, value in cases:
        expected = along(value)
        found = found.reshape(-1, n)
        for part in blocks(body):
            error = np.linalg.norm(found[:, part] - expected[:, part])
            assert error <= 1e-7 * max(np.linalg.norm(expected[:, part]), 1e-6)
    np.testing.assert_allclose(motion.velocity, motion.jacobian @ v, atol=1e-11)


@few
@given(seed=seeds)
def test_rate_follows_the_step(models, seed):
    body = ElasticBody("body", models["free"])
    q, v, _, _ = random_state(body, seed)
    h = 1e-6
    expected = (body.move(q, h * v) - body.move(q, -h * v)) / (2 * h)
    np.testing.assert_allclose(body.rate(q, v), expected, atol=1e-7)


@pytest.mark.parametrize("kind", KINDS)
@few
@given(seed=seeds)
def test_frame_indifference(models, kind, seed):
    """Turn and shift the whole state: the same elastic forces, the rest turns along."""
    body = ElasticBody("body", models[kind], damping=0.01)
    q, v, _, _ = random_state(body, seed)
    rng = np.random.default_rng(seed + 1)
    turn = rotated(np.array([1.0, 0.0, 0.0, 0.0]), rng.uniform(-3, 3, 3))
    A = quaternion_matrix(turn)
    scalar = turn[0] * q[3] - turn[1:] @ q[4:7]
    vector = turn[0] * q[4:7] + q[3] * turn[1:] + np.cross(turn[1:], q[4:7])
    other_q = np.r_[A @ q[:3] + rng.uniform(-5, 5, 3), scalar, vector, q[7:]]
    other_v = np.r_[A @ v[:3], v[3:]]
    f, g = body.force(0.0, q, v), body.force(0.0, other_q, other_v)
    for found, expected in ((g[:3], A @ f[:3]), (g[3:6], f[3:6]), (g[6:], f[6:])):
        assert np.linalg.norm(found - expected) < 1e-13 * np.linalg.norm(expected)
    frame = np.eye(len(v))
    frame[:3, :3] = A
    M = body.mass_matrix(q)
    np.testing.assert_allclose(
        body.mass_matrix(other_q), frame @ M @ frame.T, atol=1e-13 * np.abs(M).max()
    )
    assert body.strain_energy(other_q) == body.strain_energy(q)


def test_fixed_frame_vibrates_at_the_frequencies_of_the_model(models):
    model = models["clamped"]
    body = ElasticBody("body", model, frame="fixed", damping=0.02)
    system = System([body])
    q = body.reference()
    by_q, by_v = system.tangents(system.rest())
    np.testing.assert_allclose(np.linalg.eigvalsh(-by_q), model.frequencies**2, rtol=1e-12)
    np.testing.assert_allclose(np.diag(-by_v), 0.04 * model.frequencies, rtol=1e-12)
    # its momentum is that of the deformation alone
    v = np.ones(system.size)
    linear, _ = body.momentum(q, v)
    np.testing.assert_allclose(linear, model.inertia.translation @ v, rtol=1e-12)


def test_fixed_frame_of_a_body_without_supports_warns(models):
    """Its rigid-body modes would be held by nothing that the user named."""
    with pytest.warns(
        UserWarning, match=r"body: frame = 'fixed'.* 6 rigid-body modes.* frame='free'"
    ):
        ElasticBody("body", models["free"], frame="fixed")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ElasticBody("body", models["clamped"], frame="fixed")


def test_bad_input(solids, models):
    model = models["free"]
    with pytest.raises(InputError, match="invalid frame = loose"):
        ElasticBody("body", model, frame="loose")
    with pytest.raises(InputError, match=r"damping ratio of mode 1 = -0.1"):
        ElasticBody("body", model, damping=-0.1)
    with pytest.raises(InputError, match="position = nan"):
        ElasticBody("body", model, position=(0.0, np.nan, 0.0))
    with pytest.raises(InputError, match="expected one with inertia integrals"):
        ElasticBody("body", replace(model, inertia=None))
    with pytest.raises(InputError, match="no geometric stiffness"):
        ElasticBody("body", replace(model, geometric=None))
    ElasticBody("body", replace(model, geometric=None), geometric_stiffness=False)
    body = ElasticBody("body", model)
    q, v = body.reference(), np.zeros(len(body.dofs))
    with pytest.raises(InputError, match="unknown surface 'top'"):
        body.point_motion(q, v, "top")
    with pytest.raises(InputError, match="the nearest node is"):
        body.point_motion(q, v, np.array([[0.013, 0.0, 0.0]]))
    quasi_static = reduce_model(solids["free"], "z_max", method="quasi-static", modes=1)
    with pytest.raises(InputError, match="quasi-static"):
        ElasticBody("body", quasi_static)
