"""Generators of turns: the points of a body move as those of the turned body."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

from fecontact.body import DOFS, ElasticBody, RigidBody, SpinningDisc, TurningFrame
from fecontact.body.base import Body
from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid, HarmonicPlate
from fecontact.mesh import solid_annulus
from fecontact.reduction import reduce_harmonic, reduce_model

PSI = 2.0 * np.pi / 24
TURN = expm(PSI * np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))


@pytest.fixture(scope="module")
def model():
    mesh = solid_annulus(0.08, 0.12, -0.002, 0.002, 2, 24)
    return reduce_model(ElasticSolid(mesh, STEEL, supports={"inner": "clamped"}), modes=5)


def generator(body):
    own = body.turning(np.zeros(len(body.dofs)))
    return own.space() + own.riding()


def displaced(body, step, points):
    q = body.reference()
    still = np.zeros(len(body.dofs))
    before = body.point_motion(q, still, points).position
    return body.point_motion(body.move(q, step), still, points).position - before


def check(body, points, size=1e-6):
    """Of a turned motion the turned points move by the turned displacements."""
    step = size * np.random.default_rng(3).standard_normal(len(body.dofs))
    own = displaced(body, step, points)
    turned = displaced(body, expm(PSI * generator(body)) @ step, points @ TURN.T)
    np.testing.assert_allclose(turned, own @ TURN.T, atol=2e-3 * np.abs(own).max())


@pytest.mark.parametrize("dofs", [
    DOFS, ("ux", "uy", "uz", "rx", "ry"), ("ux", "uy"), ("uz", "rx", "ry"), ("ux", "uy", "rz"),
])  # fmt: skip
def test_rigid(dofs):
    body = RigidBody("body", 1.0, dofs, inertia=(1e-2, 1e-2, 2e-2))
    check(body, np.array([[0.1, 0.02, 0.03], [-0.05, 0.06, 0.0]]))


@pytest.mark.parametrize("frame", ["free", "fixed", TurningFrame((0.0, 0.0, 1.0), 1e-9)])
def test_elastic(model, frame):
    body = ElasticBody("body", model, frame=frame)
    points = model.geometry.points[np.hypot(*model.geometry.points.T[:2]) > 0.11]
    check(body, points)


def test_spins():
    """Coordinates that ride do so with the spin of their axes."""
    top = RigidBody("top", 1.0, DOFS, inertia=(1e-2, 1e-2, 2e-2))
    assert top.turning(np.array([0.0, 0, 0, 0.1, 0.2, 7.0])).spin == 7.0
    rotor = RigidBody("rotor", 1.0, ("rx", "ry"), inertia=(1e-2, 1e-2, 2e-2), spin=5.0)
    assert rotor.turning(np.zeros(2)).spin == 0.0


def test_disc_stands():
    plate = HarmonicPlate(0.06, 0.12, 0.004, STEEL, {"inner": "clamped"}, elements=4)
    disc = SpinningDisc("disc", reduce_harmonic(plate, 0.1, 2, 1), 300.0)
    own = disc.turning(np.zeros(len(disc.dofs)))
    np.testing.assert_array_equal(own.space(), disc.rotation_generator())
    assert not own.riding().any()


def test_refusals(model):
    one = RigidBody("one", 1.0, ("ux",))
    with pytest.raises(InputError, match="invalid body 'one' in a turning frame: expected both"):
        one.turning(np.zeros(1)).space()
    for frame in (
        TurningFrame((1.0, 0.0, 0.0), 3.0),
        TurningFrame((0.0, 0.0, 1.0), 3.0, (0.1, 0, 0)),
    ):
        assert ElasticBody("body", model, frame=frame).turning(np.zeros(5)) is None

    class Unknown(Body):
        name, dofs = "unknown", ("x",)

        def reference(self):
            return np.zeros(1)

        def mass_matrix(self, q):
            return np.eye(1)

        def force(self, t, q, v):
            return -q

        def tangents(self, t, q, v):
            return -np.eye(1), np.zeros((1, 1))

    with pytest.raises(InputError, match="invalid body 'unknown' in a turning frame"):
        Unknown().turning(np.zeros(1)).space()
