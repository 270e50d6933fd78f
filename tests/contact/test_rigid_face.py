"""Rigid masters: kinematics and derivatives on every kind of body."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, Surface
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Cone, Cylinder, Plane, Sphere, Torus
from fecontact.errors import InputError
from fecontact.integrate import simulate
from fecontact.joint import Force
from fecontact.system import System

SHAPES = {
    "plane": Plane((0.0, 0.0, 0.1), (0.2, -0.1, 1.0)),
    "ball": Sphere(0.4, (0.1, 0.0, 0.0)),
    "bore": Cylinder(2.0, hollow=True),
    "funnel": Cone(0.7, hollow=True),
    "torus": Torus(0.8, 0.2),
}
BODIES = {
    "free": RigidBody("part", 2.0, DOFS, (0.3, 0.2, 0.25), position=(0.1, 0.2, -0.3)),
    "turning": RigidBody("part", 2.0, ("ux", "rz"), (0.3, 0.2, 0.25)),
    "spinning": RigidBody("part", 2.0, spin=7.0),
    "ground": None,
}


@pytest.fixture(params=SHAPES)
def shape(request):
    return SHAPES[request.param]


@pytest.fixture(params=BODIES)
def scene(request, shape):
    """Face, slave points, coordinates and velocities."""
    rng = np.random.default_rng(3)
    body = BODIES[request.param]
    face = RigidFace(body, shape, (0.05, 0.0, -0.02))
    x = np.array([[0.6, 0.3, 0.9], [-0.5, 0.7, 0.8], [0.4, -0.6, 1.1]])
    if body is None:
        return face, x, np.zeros(0), np.zeros(0)
    q = body.move(body.reference(), 0.3 * rng.standard_normal(len(body.dofs)))
    return face, x, q, rng.standard_normal(len(body.dofs))


def moved(face, q, step):
    return q if face.body is None else face.body.move(q, step)


@pytest.mark.parametrize("name", ["gap", "normal", "velocity"])
def test_derivatives(scene, difference, name):
    face, x, q, v = scene
    found = getattr(face.project(x, q, v), f"d_{name}")

    def value(y):
        return np.asarray(getattr(face.project(x + y[:3], moved(face, q, y[3:]), v), name)).ravel()

    expected = difference(value, np.zeros(3 + len(v)), np.full(3 + len(v), 2e-3))
    scale = max(1.0, np.abs(expected).max())
    np.testing.assert_allclose(found.reshape(expected.shape), expected, atol=1e-9 * scale)


def test_derivative_of_the_load(scene, difference):
    face, x, q, v = scene
    force = np.random.default_rng(1).standard_normal((len(x), 3))

    def load(y):
        at = face.project(x + y[:3], moved(face, q, y[3:]), v)
        return np.einsum("pin,pi->n", at.jacobian, force)

    expected = difference(load, np.zeros(3 + len(v)), np.full(3 + len(v), 2e-3))
    slave = np.broadcast_to(np.eye(3), (len(x), 3, 3))
    found = face.project(x, q, v).d_load(force, slave)
    assert found.shape == (len(v), 3 + len(v))
    if len(v):
        np.testing.assert_allclose(found, expected, atol=1e-9 * max(1.0, np.abs(expected).max()))


def test_velocity_is_that_of_the_material(scene):
    """Velocity follows v by the Jacobian; without it, the prescribed spin remains."""
    face, x, q, v = scene
    at, still = face.project(x, q, v), face.project(x, q, 0.0 * v)
    np.testing.assert_allclose(at.velocity, still.velocity + at.jacobian @ v, atol=1e-12)
    spin = 0.0 if face.body is None else face.body.spin
    about = still.frame.position - still.rotation @ [0.05, 0.0, -0.02]  # the centre of mass
    np.testing.assert_allclose(still.velocity, np.cross([0, 0, spin], x - about), atol=1e-12)


@pytest.mark.parametrize("method", ["implicit", "explicit", "ode", "events"])
@pytest.mark.parametrize(
    "hollow", [Cylinder(1e-4, hollow=True), Sphere(1e-4, hollow=True)], ids=["bore", "sphere"]
)
def test_journal_falls_from_the_centre(hollow, method):
    """It starts where the wall has no nearest place, and comes to rest in the wall."""
    body = RigidBody("journal", 1.0, ("ux", "uy"))
    surface = Surface(np.zeros((1, 3)), np.ones(1))
    normal, friction = PenaltyNormal(1e6, 1e3), ElastoPlastic(0.3, 1e6, 100.0)
    pair = ContactPair(body, surface, RigidFace(None, hollow), normal, friction)
    system = System([body], [pair, Force(body, (0.0, -10.0, 0.0))])
    motion = simulate(system, 0.1, system.state(), method, 0.05)
    np.testing.assert_allclose(motion.q[-1, :2], [0.0, -(1e-4 + 1e-5)], rtol=1e-6, atol=1e-15)


def test_journal_passes_the_centre():
    """A step ends in the centre; without a force the journal goes straight on."""
    body = RigidBody("journal", 1.0, ("ux", "uy"))
    face = RigidFace(None, Cylinder(1e-4, hollow=True))
    surface = Surface(np.zeros((1, 3)), np.ones(1))
    pair = ContactPair(body, surface, face, PenaltyNormal(1e6), ElastoPlastic(0.3, 1e6, 100.0))
    system = System([body], [pair])
    start = system.state(q={"journal.uy": -5e-5}, v={"journal.uy": 0.05})
    motion = simulate(system, 1.5e-3, start, "implicit", 5e-4, step=5e-4)
    np.testing.assert_allclose(motion.q[:, 1], [-5e-5, -2.5e-5, 0.0, 2.5e-5], atol=1e-18)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((None, Plane), "shape = Plane without brackets.* such as Plane()"),
        ((None, None), "shape = None"),
        ((None, Plane(), (0, 0)), r"point = \(0, 0\).* finite numbers of shape \(3,\)"),
        ((None, Plane(), (0, 0, np.nan)), r"point = \(0, 0, nan\)"),
        ((None, Plane(), "tip"), "point = 'tip'"),
        ((BODIES["free"], Plane(), "tip"), "unknown point of part 'tip'"),
        ((BODIES["free"], Plane(), (0, 0)), r"point = \(0, 0\)"),
        (("ground", Plane()), "body = ground.* None for the ground"),
    ],
)
def test_bad_input(given, words):
    with pytest.raises(InputError, match=words):
        RigidFace(*given)


def test_named_point_of_a_body():
    body = RigidBody("part", 2.0, ("ux",), points={"tip": (0.0, 0.0, 0.3)})
    np.testing.assert_array_equal(RigidFace(body, Plane(), "tip").marker.home, [0.0, 0.0, 0.3])
