"""Bodies of one's own: with nothing but the required answers, and with the base class."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from fecontact.analysis import complex_modes, linearise
from fecontact.body import Body, RigidBody, as_body
from fecontact.body.base import knows_points
from fecontact.body.motion import RigidPointMotion
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, Plane, RigidFace, Surface
from fecontact.errors import InputError
from fecontact.integrate import simulate
from fecontact.joint import Force
from fecontact.results.geometry import frame_of
from fecontact.system import System

MASS, STIFFNESS = 2.0, 800.0
POINT = Surface(np.zeros((1, 3)), np.ones(1))


class Plain:
    """A mass that translates in x and z on a spring along x; it derives from nothing."""

    name, dofs = "plain", ("ux", "uz")

    @property
    def bodies(self):
        return (self,)

    def reference(self):
        return np.zeros(2)

    def move(self, q, step):
        return q + step

    def rate(self, q, v):
        return v

    def mass_matrix(self, q):
        return MASS * np.eye(2)

    def d_inertia(self, q, a):
        return np.zeros((2, 2))

    def force(self, t, q, v):
        return np.array([-STIFFNESS * q[0], 0.0])

    def tangents(self, t, q, v):
        return np.diag([-STIFFNESS, 0.0]), np.zeros((2, 2))


def moved(q, v, points):
    """Motion of points that translate in x and z."""
    J = np.zeros((len(points), 3, 2))
    J[:, 0, 0] = J[:, 2, 1] = 1.0
    none = np.zeros_like(J)
    return RigidPointMotion(points + J @ q, J @ v, J, none, lambda force: np.zeros((2, 2)), J)


class PlainWithPoints(Plain):
    """The same with the older name of the motion of its points."""

    def motion(self, q, v, points, t=0.0):
        return moved(q, v, points)


class Derived(Body):
    """The same with the base class: what has a default is left out."""

    name, dofs = "derived", ("ux", "uz")

    def reference(self):
        return np.zeros(2)

    def mass_matrix(self, q):
        return MASS * np.eye(2)

    def force(self, t, q, v):
        return np.array([-STIFFNESS * q[0], 0.0])

    def tangents(self, t, q, v):
        return np.diag([-STIFFNESS, 0.0]), np.zeros((2, 2))

    def point_motion(self, q, v, points, t=0.0):
        return moved(q, v, points)


def pressed(body):
    """The body on a plane, with a weight in place of gravity."""
    plane = RigidFace(None, Plane())
    contact = ContactPair(body, POINT, plane, PenaltyNormal(1e6, 1e2), ElastoPlastic(0.3, 1e5, 1e2))

    class Weight:
        name, bodies = "weight", (body,)

        def force(self, t, q, v):
            return np.array([0.0, -20.0])

        def tangents(self, t, q, v):
            return np.zeros((2, 2, 2))

    return System([body], [contact, Weight()])


@pytest.mark.parametrize("make", [Plain, Derived])
def test_frequency(make):
    system = System([make()])
    modes = complex_modes(linearise(system, system.rest()))
    assert modes.eigenvalues.imag.max() == pytest.approx(np.sqrt(STIFFNESS / MASS), rel=1e-12)


@pytest.mark.parametrize("make", [PlainWithPoints, Derived])
def test_contact_and_motion(make):
    """It moves as a rigid body with the same mass and spring does."""
    system = pressed(make())
    start = system.state(v={f"{system.bodies[0].name}.ux": 1.0})
    found = simulate(system, 0.02, start, "implicit", 0.02, step=1e-4)
    rigid = RigidBody("rigid", MASS, ("ux", "uz"))
    plane = RigidFace(None, Plane())
    laws = PenaltyNormal(1e6, 1e2), ElastoPlastic(0.3, 1e5, 1e2)

    class Spring:
        name, bodies = "spring", (rigid,)

        def force(self, t, q, v):
            return np.array([-STIFFNESS * q[0], 0.0])

        def tangents(self, t, q, v):
            return np.diag([-STIFFNESS, 0.0]), np.zeros((2, 2))

    contact = ContactPair(rigid, POINT, plane, *laws)
    other = System([rigid], [contact, Spring(), Force(rigid, (0.0, 0.0, -20.0))])
    expected = simulate(other, 0.02, other.state(v={"rigid.ux": 1.0}), "implicit", 0.02, step=1e-4)
    np.testing.assert_allclose(found.q[-1], expected.q[-1], rtol=1e-9, atol=1e-12)


def test_answers_have_defaults():
    asked = as_body(Plain())
    q, v = np.zeros(2), np.zeros(2)
    assert asked.name == "plain"
    assert asked.material_spin == 0.0
    assert asked.thickness == np.inf
    assert asked.driven
    assert not asked.rigid
    for answer in (asked.frame_motion(q, v), asked.prescribed_frame, asked.spin_frame(q, v)):
        assert answer is None
    np.testing.assert_array_equal(frame_of(Plain(), 0.0, q), [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])


def test_own_answers_come_first():
    own = SimpleNamespace(name="plate", thickness=0.004, kinetic_energy=lambda q, v, t=0.0: 1.0)
    assert as_body(own).thickness == 0.004
    assert not as_body(own).driven


def test_a_body_is_itself():
    body = Derived()
    assert as_body(body) is body


@pytest.mark.parametrize(
    ("body", "knows"),
    [(Plain(), False), (PlainWithPoints(), True), (Derived(), True), (RigidBody("b", 1.0), True)],
)
def test_who_knows_the_motion_of_points(body, knows):
    assert knows_points(body) == knows


def test_body_without_points_is_refused():
    with pytest.raises(InputError, match="knows the motion of its points"):
        pressed(Plain())

    class Blind(Derived):
        point_motion = Body.point_motion

    with pytest.raises(InputError, match="body 'derived' does not know the motion of its points"):
        Blind().motion(np.zeros(2), np.zeros(2), POINT.points)
