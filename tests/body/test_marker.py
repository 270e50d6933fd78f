"""Markers on rigid and elastic bodies: derivatives, fits of surfaces and nodes, names."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.body._kernels import d_exp_rate, exp_rate
from fecontact.body.rotation import cross_matrix
from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid, Material, Section, straight_beam
from fecontact.joint import Force, SpringDamper, Torque, TorsionSpring
from fecontact.mesh import block
from fecontact.reduction import reduce_model

SIZE = (0.30, 0.10, 0.05)
RUBBER = Material(young=5e6, poisson=0.4, density=1200.0)
POSITION = (0.1, -0.2, 0.3)
AXES = Rotation.from_rotvec([0.3, -0.8, 0.5]).as_matrix()
ROUND = (0.03, 0.03, 0.05)
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=5)


@pytest.fixture(scope="module")
def model():
    solid = ElasticSolid(block(*SIZE, cells=(3, 1, 1)), RUBBER)
    return reduce_model(solid, "x_max", method="free", modes=7)


MARKERS = {
    "rigid": lambda m: RigidBody("b", 1.0, DOFS, (0.3, 0.2, 0.25), POSITION).marker(
        (0.1, 0.2, -0.3), AXES
    ),
    "hinge": lambda m: RigidBody("b", 1.0, ("ux", "ry"), (0.3, 0.2, 0.25)).marker((0.1, 0.2, -0.3)),
    "tilting rotor": lambda m: RigidBody(
        "b", 1.0, ("ux", "uy", "rx", "ry"), ROUND, POSITION, spin=7.0
    ).marker((0.1, 0.2, -0.3), AXES),
    "free spin": lambda m: RigidBody("b", 1.0, ("uz", "rx", "ry", "spin"), ROUND).marker(
        (0.0, 0.0, 0.4), AXES
    ),
    "node": lambda m: ElasticBody("b", m, POSITION).marker((0.3, 0.1, 0.05), AXES),
    "surface": lambda m: ElasticBody("b", m, POSITION).marker("x_max", AXES),
    "surface, fixed": lambda m: ElasticBody("b", m, POSITION, "fixed").marker("x_max"),
}


def body_of(marker):
    return getattr(marker, "body", None) or marker.frame_state.__self__


def random_state(body, seed):
    """Large rotations; deformations that turn a face by up to one radian."""
    rng = np.random.default_rng(seed)
    n = len(body.dofs)
    scale = np.ones(n)
    if isinstance(body, ElasticBody):
        scale[n - (body.model.size - body.model.rigid) :] = 0.01
    return body.move(body.reference(), scale * rng.uniform(-1.5, 1.5, n)), rng.uniform(-3, 3, n)


@pytest.mark.parametrize("kind", MARKERS)
@few
@given(seed=seeds)
def test_derivatives(difference, model, kind, seed):
    """Displacement, rotation, d_lift and d_load along a step."""
    marker = MARKERS[kind](model)
    body = body_of(marker)
    q, v = random_state(body, seed)
    n, rng = len(v), np.random.default_rng(seed)
    force, moment = rng.standard_normal((2, 3))
    now = marker.at(q, v)
    R = now.rotation

    def along(value):
        return difference(
            lambda s: value(marker.at(body.move(q, s), v)), np.zeros(n), np.full(n, 2e-3)
        )

    def assert_close(found, expected, floor=1e-9):
        error = np.linalg.norm(found - expected)
        assert error <= 1e-7 * np.linalg.norm(expected) + floor

    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)
    assert_close(now.jacobian, along(lambda m: m.position))
    dR = along(lambda m: (R.T @ m.rotation)[[2, 0, 1], [1, 2, 0]])
    assert_close(now.angular_jacobian, dR)
    assert_close(now.d_velocity, along(lambda m: m.velocity))
    assert_close(now.d_omega, along(lambda m: m.omega))
    load = along(lambda m: m.jacobian.T @ force + m.angular_jacobian.T @ moment)
    assert_close(now.d_load(force, moment), load)
    np.testing.assert_allclose(now.angular_jacobian @ v, now.omega, atol=1e-12)
    if kind != "tilting rotor":
        np.testing.assert_allclose(now.jacobian @ v, now.velocity, atol=1e-11)


@pytest.mark.parametrize("kind", ["rigid", "node"])
def test_marker_moves_as_the_point(model, kind):
    """Position, velocity and derivatives are those of `motion`, the same point in numpy."""
    marker = MARKERS[kind](model)
    body = body_of(marker)
    q, v = random_state(body, 1)
    now, expected = marker.at(q, v), body.point_motion(q, v, marker.point[None])
    force = np.array([1.0, -2.0, 3.0])
    for found, value in (
        (now.position, expected.position[0]),
        (now.velocity, expected.velocity[0]),
        (now.jacobian, expected.jacobian[0]),
        (now.d_velocity, expected.d_velocity[0]),
        (now.d_load(force, np.zeros(3)), expected.d_load(force[None])),
    ):
        np.testing.assert_allclose(found, value, atol=1e-12)
    np.testing.assert_allclose(now.rotation.T @ now.rotation, np.eye(3), atol=1e-14)


@given(angle=st.floats(0.0, 3.0), seed=seeds)
def test_tangent_of_the_exponential(difference, angle, seed):
    """R^T dR = (T dtheta)~ with the matrix exponential of scipy, for small and large angles."""
    rng = np.random.default_rng(seed)
    theta = rng.standard_normal(3)
    theta *= angle / np.linalg.norm(theta)
    a = rng.standard_normal(3)
    R = expm(cross_matrix(theta))
    step = np.full(3, 2e-2)
    expected = difference(
        lambda x: (R.T @ expm(cross_matrix(x)))[[2, 0, 1], [1, 2, 0]], theta, step
    )
    np.testing.assert_allclose(exp_rate(theta), expected, atol=1e-9)
    expected = difference(lambda x: exp_rate(x) @ a, theta, step)
    np.testing.assert_allclose(d_exp_rate(theta, a), expected, atol=1e-9)


def test_surface_and_node_turn_as_the_deformed_body():
    """A bar with all its deformations: where it is turned rigidly, markers are found to turn so."""
    mesh = block(*SIZE, cells=(2, 1, 1))
    solid = ElasticSolid(mesh, RUBBER, "hex1", supports={"x_min": "clamped"})
    whole = reduce_model(solid, "x_max", method="free", modes=len(solid.free))
    body = ElasticBody("bar", whole, frame="fixed")
    angle, shift = np.array([2e-3, -1e-3, 3e-3]), np.array([1e-4, 2e-4, -3e-4])
    centre = (0.3, 0.05, 0.025)
    nodes = solid.geometry.points
    turned = shift + np.cross(angle, nodes - centre)
    u = np.where(nodes[:, :1] > 0.01, turned, 0.0).ravel()
    q = whole.basis.T @ (solid.mass @ u)
    for point, place in (("x_max", centre), (SIZE, SIZE)):
        now = body.marker(point).at(q, np.zeros_like(q))
        found = Rotation.from_matrix(now.rotation).as_rotvec()
        np.testing.assert_allclose(found, angle, atol=1e-12)
        expected = np.add(place, shift) + np.cross(angle, np.subtract(place, centre))
        np.testing.assert_allclose(now.position, expected, atol=1e-12)


def test_tip_of_a_beam_turns_as_its_section():
    """Cantilever under tip force, moment and torque: F l^2/(2 EI), M l/EI and T l/(G J).

    Elements are exact at their ends, and all of them are kept.
    """
    length, section = 0.5, Section.rectangle(0.02, 0.01)
    beam = straight_beam(
        length, section, STEEL, {"left": "clamped"}, elements=2, theory="euler_bernoulli"
    )
    model = reduce_model(beam, method="free", modes=len(beam.free), floating_frame=False)
    body = ElasticBody("beam", model, frame="fixed")
    F, M, T = 0.3, 0.02, 0.01
    items = (
        Force(body, (0.0, 0.0, F), (length, 0.0, 0.0)),
        Torque(body, (T, M, 0.0), point=(length, 0.0, 0.0), follower=True),
    )
    q, v = body.reference(), np.zeros(len(body.dofs))
    q = sum(item.force(0.0, q, v) for item in items) / model.frequencies**2
    tip = body.marker((length, 0.0, 0.0))
    now, EI = tip.at(q, v), STEEL.young * section.inertia_y
    twist = T * length / (STEEL.shear * section.torsion)
    slope = M * length / EI - F * length**2 / (2 * EI)
    deflection = F * length**3 / (3 * EI) - M * length**2 / (2 * EI)
    assert tip.no_angle == ""
    np.testing.assert_allclose(
        Rotation.from_matrix(now.rotation).as_rotvec(), [twist, slope, 0.0], atol=1e-9 * abs(slope)
    )
    np.testing.assert_allclose(now.position, [length, 0.0, deflection], rtol=1e-8, atol=1e-14)


def test_rotation_about_a_line_of_nodes_is_refused():
    """A beam without outline is drawn as a line: its twist there is not known."""
    section = Section(1e-4, 1e-9, 2e-9, 2e-9)
    beam = straight_beam(0.5, section, STEEL, {"left": "clamped"}, elements=2)
    model = reduce_model(beam, method="free", modes=3, floating_frame=False)
    body = ElasticBody("beam", model, frame="fixed")
    with pytest.raises(InputError, match=r"has no rotation at.* the nodes there lie on one line"):
        TorsionSpring(None, body, 3.0, point=(0.5, 0.0, 0.0))
    SpringDamper(None, body, 3.0, point_a=(0.5, 0.0, 1.0), point_b=(0.5, 0.0, 0.0))


def test_load_on_a_surface_has_its_resultants(model):
    """Force and moment on a surface marker: the same resultants as on a rigid body."""
    body = ElasticBody("bar", model, POSITION)
    q, v = random_state(body, 3)
    force, moment = np.array([1.0, -2.0, 3.0]), np.array([0.3, 0.2, -0.1])
    now = body.marker("x_max").at(q, v)
    f = now.jacobian.T @ force + now.angular_jacobian.T @ moment
    R = body.rotation(q)
    origin = np.asarray(POSITION) + q[:3]
    np.testing.assert_allclose(f[:3], force, atol=1e-12)
    about_origin = np.cross(now.position - origin, force) + now.rotation @ moment
    np.testing.assert_allclose(R @ f[3:6], about_origin, atol=1e-11)


def test_named_points_and_surfaces(model):
    rigid = RigidBody(
        "b", 1.0, DOFS, (1.0, 1.0, 1.0), POSITION, points={"tip": (0.1, 0.0, 0.0)},
        surfaces={"face": np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0]])},
    )  # fmt: skip
    q, v = rigid.reference(), np.arange(6.0)
    np.testing.assert_allclose(rigid.marker("tip").home, [0.2, -0.2, 0.3])
    np.testing.assert_allclose(rigid.point_motion(q, v, "tip").velocity, [[0.0, 1.5, 1.6]])
    assert rigid.point_motion(q, v, "face").position.shape == (2, 3)
    elastic = ElasticBody("b", model, POSITION, points={"corner": SIZE})
    np.testing.assert_allclose(elastic.marker("corner").home, np.add(POSITION, SIZE))
    motion = elastic.point_motion(elastic.reference(), np.zeros(len(elastic.dofs)), "corner")
    np.testing.assert_allclose(motion.position, [np.add(POSITION, SIZE)])
    with pytest.raises(InputError, match="unknown point of b 'top'; known: tip"):
        rigid.marker("top")
    with pytest.raises(InputError, match="unknown surface 'top'"):
        elastic.marker("top")
    with pytest.raises(InputError, match="expected a node"):
        elastic.marker((0.013, 0.0, 0.0))
    for place in ((np.nan, 0.0, 0.0), (0.0, 0.0), ("x", 0.0, 0.0), [[0.0] * 3]):
        for body in (rigid, elastic):
            with pytest.raises(
                InputError, match=r"b: invalid point = .*finite numbers of shape \(3,\)"
            ):
                body.marker(place)
    with pytest.raises(InputError, match=r"b: invalid points = .*finite numbers of shape"):
        elastic.motion(elastic.reference(), np.zeros(len(elastic.dofs)), [[np.nan, 0.0, 0.0]])
    with pytest.raises(InputError, match="point 'tip' = "):
        RigidBody("b", 1.0, points={"tip": (0.0, np.inf, 0.0)})
