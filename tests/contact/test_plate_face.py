"""Projection on the bent plate: a true distance, exact derivatives, Kirchhoff's velocity."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from fecontact.body import RigidBody, SpinningDisc
from fecontact.contact import PlateFace
from fecontact.errors import InputError, SolverError


@pytest.fixture
def face(ritz):
    return PlateFace(SpinningDisc("plate", ritz, 390.0))


@pytest.fixture
def scene(face):
    """Slave points above and below the face of a strongly bent plate, with rates."""
    rng = np.random.default_rng(5)
    angle = rng.uniform(0, 2 * np.pi, 6)
    x = np.column_stack(
        [0.1 * np.cos(angle), 0.1 * np.sin(angle), 0.0025 + rng.uniform(-1e-3, 1e-3, 6)]
    )
    q = 0.02 * rng.standard_normal(face.body.model.size)
    v = 5.0 * rng.standard_normal(face.body.model.size)
    return x, q, v


def test_gap_is_the_distance_to_the_face(face, scene):
    x, q, v = scene
    model = face.body.model
    gap = face.project(x, q, v).gap
    for point, found in zip(x, gap, strict=True):

        def distance(projected, point=point):
            height = (model.shapes(projected[:1], projected[1:]).value @ q)[0]
            return np.hypot(np.hypot(*(point[:2] - projected)), point[2] - height)

        nearest = minimize(distance, point[:2], method="Nelder-Mead",
                           options={"xatol": 1e-12, "fatol": 1e-15})  # fmt: skip
        assert nearest.fun - 0.0025 == pytest.approx(found, abs=1e-9)


def test_derivatives(face, scene, difference):
    x, q, v = scene
    p = face.project(x, q, v)
    m = len(q)
    for name in ("gap", "normal", "velocity", "projected"):
        found = getattr(p, "d_" + name)

        def value(y, name=name):
            return np.asarray(getattr(face.project(x + y[:3], y[3:], v), name)).ravel()

        y = np.r_[np.zeros(3), q]
        expected = difference(value, y, np.r_[np.full(3, 1e-5), np.full(m, 1e-4)])
        np.testing.assert_allclose(
            found.reshape(expected.shape), expected, atol=1e-9 * np.abs(expected).max()
        )


def test_derivative_of_the_load(face, scene, difference):
    x, q, v = scene
    force = np.random.default_rng(1).standard_normal((len(x), 3))

    def load(y):
        return np.einsum("pim,pi->m", face.project(x + y[:3], y[3:], v).jacobian, force)

    expected = difference(load, np.r_[np.zeros(3), q], np.full(3 + len(q), 1e-5))
    slave = np.broadcast_to(np.eye(3), (len(x), 3, 3))
    found = face.project(x, q, v).d_load(force, slave)
    np.testing.assert_allclose(found, expected, atol=1e-9 * np.abs(expected).max())


def test_normal_force_is_conservative(face, scene):
    """dg = n . dx - (n . Phi) dq: the work of a normal force is that of its gap."""
    x, q, v = scene
    p = face.project(x, q, v)
    np.testing.assert_allclose(
        p.d_gap[:, 3:], -np.einsum("pi,pim->pm", p.normal, p.jacobian), atol=1e-14
    )
    np.testing.assert_allclose(p.d_gap[:, :3], p.normal)


def test_velocity_follows_the_material(face, scene):
    """Velocity of the material at the foot by differences in time.

    The plate's material turns by Omega dt while its coordinates change; the point of the face over
    a material foot is (X, w) + (h/2) n.
    """
    x, q, v = scene
    p = face.project(x, q, v)
    Omega, model = face.body.speed, face.body.model

    def surface_point(projected, angle, coordinates):
        c, s = np.cos(angle), np.sin(angle)
        X = projected @ np.array([[c, s], [-s, c]])
        shapes = model.shapes(X[:, 0], X[:, 1])
        slope = shapes.gradient @ coordinates
        n = np.column_stack([-slope, np.ones(len(X))])
        n /= np.linalg.norm(n, axis=1)[:, None]
        return np.column_stack([X, shapes.value @ coordinates]) + 0.0025 * n

    dt = 1e-6
    ahead = surface_point(p.projected, Omega * dt, q + v * dt)
    behind = surface_point(p.projected, -Omega * dt, q - v * dt)
    expected = (ahead - behind) / (2 * dt)
    # the frame's rotation is taken at the slave point, which lies the gap above the face
    lift = p.gap[:, None] * p.normal
    expected += np.cross([0.0, 0.0, Omega], lift)
    np.testing.assert_allclose(p.velocity, expected, atol=1e-7 * np.abs(expected).max())


def test_plate_of_another_body():
    with pytest.raises(InputError, match=r"body = a RigidBody.* SpinningDisc;.* RigidFace"):
        PlateFace(RigidBody("disc", 1.0))


def test_contact_that_leaves_the_plate(face):
    q = np.zeros(face.body.model.size)
    with pytest.raises(SolverError, match="leaves the plate"):
        face.project(np.array([[0.13, 0.0, 0.0025]]), q, q)


def test_projection_that_is_not_found(fe):
    """Points high over a plate whose centres of curvature lie below them."""
    face, q = PlateFace(SpinningDisc("plate", fe, 390.0)), np.full(fe.size, 0.2)
    with pytest.raises(SolverError, match="no unique projection"):
        face.project(np.array([[0.1, 0.0, 0.1]]), q, 0.0 * q)
