"""Geometry for pictures: skin, frames of all kinds of bodies, no stretching."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from fecontact.body import DOFS, ElasticBody, RigidBody, SpinningDisc, TurningFrame
from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.results.geometry import BodyGeometry, frame_of

SIDES = (0.1, 0.02, 0.01)


@pytest.fixture(scope="module")
def bar():
    solid = ElasticSolid(block(*SIDES, cells=(4, 1, 1), order=2), STEEL)
    return reduce_model(solid, modes=3)


def area(geometry):
    """Area and enclosed volume of a skin of quads, by triangles."""
    quads = geometry.points[geometry.cells["quad"]]
    total, volume = np.zeros(3), 0.0
    surface = 0.0
    for triangle in (quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]):
        a, b, c = triangle.transpose(1, 0, 2)
        normal = 0.5 * np.cross(b - a, c - a)
        total += normal.sum(axis=0)
        surface += np.linalg.norm(normal, axis=1).sum()
        volume += np.einsum("ni,ni->", a + b + c, normal) / 9
    return surface, volume, total


@pytest.mark.parametrize("order", [1, 2])
def test_skin_of_a_block(order):
    """Outer faces close, look outwards, and enclose the volume."""
    body = RigidBody("block", 1.0)
    skin = BodyGeometry.of(body, block(*SIDES, cells=(5, 3, 2), order=order))
    surface, volume, total = area(skin)
    a, b, c = SIDES
    assert surface == pytest.approx(2 * (a * b + b * c + a * c))
    assert volume == pytest.approx(a * b * c)
    np.testing.assert_allclose(total, 0.0, atol=1e-15)
    np.testing.assert_allclose(skin.points.min(axis=0), -np.array(SIDES) / 2, atol=1e-15)
    assert len(skin.cells["quad"]) == 2 * (15 + 10 + 6)
    tets = BodyGeometry.of(body, block(*SIDES, cells=(2, 2, 2), cell="tet"))
    assert len(tets.cells["triangle"]) == 48


def test_rigid_body_follows_its_motion():
    """Same places as `RigidBody.motion`, with tilt, translation and prescribed spin."""
    rng = np.random.default_rng(4)
    body = RigidBody("body", 1.0, DOFS, (1.0, 1.0, 2.0), (0.3, 0.1, -0.2))
    geometry = BodyGeometry.of(body, block(*SIDES, cells=(1, 1, 1)))
    q = body.move(body.reference(), rng.standard_normal(6))
    x = geometry.positions(frame_of(body, 0.0, q)[None], np.zeros((1, 0)))[0]
    np.testing.assert_allclose(
        x, body.point_motion(q, np.zeros(6), geometry.points).position, atol=1e-14
    )

    rotor = RigidBody("rotor", 1.0, ("uz", "rx", "ry"), (1.0, 1.0, 2.0), spin=7.0)
    free = RigidBody("rotor", 1.0, ("uz", "rx", "ry", "spin"), (1.0, 1.0, 2.0))
    q = rotor.move(rotor.reference(), np.array([0.1, 0.2, -0.3]))
    turn = frame_of(rotor, 0.4, q)[3:].reshape(3, 3)
    expected = rotor.rotation(q) @ Rotation.from_rotvec([0.0, 0.0, 2.8]).as_matrix()
    np.testing.assert_allclose(turn, expected, atol=1e-14)
    spun = frame_of(free, 0.0, np.append(q, 2.8))[3:]
    np.testing.assert_allclose(spun, turn.ravel(), atol=1e-14)


@pytest.mark.parametrize("frame", ["free", "fixed", "turning"])
def test_elastic_body_follows_its_motion(bar, frame):
    """Same places as `ElasticBody.motion`; no stretching at any angle."""
    rng = np.random.default_rng(5)
    how = TurningFrame((0.0, 0.0, 1.0), 3.0) if frame == "turning" else frame
    body = ElasticBody("bar", bar, (0.0, 0.2, 0.0), how, geometric_stiffness=False)
    n = len(body.dofs)
    q = body.move(body.reference(), np.r_[rng.standard_normal(n - 3), 1e-5 * np.ones(3)])
    geometry = BodyGeometry.of(body)
    frames, elastic = frame_of(body, 0.7, q)[None], q[None, -3:]
    x = geometry.positions(frames, elastic)[0]
    places = body.point_motion(q, np.zeros(n), geometry.points, 0.7).position
    np.testing.assert_allclose(x, places, atol=1e-14)
    rigid = geometry.positions(frames, elastic, exaggeration=0.0)[0]
    edges = np.linalg.norm(np.diff(rigid, axis=0), axis=1)
    np.testing.assert_allclose(edges, np.linalg.norm(np.diff(geometry.points, axis=0), axis=1))
    ten = geometry.positions(frames, elastic, exaggeration=10.0)[0]
    np.testing.assert_allclose(ten - rigid, 10.0 * (x - rigid), atol=1e-14)


def test_spinning_disc(ritz):
    """The drawn ring moves as the plate model says."""
    disc = SpinningDisc("disc", ritz, 30.0)
    geometry = BodyGeometry.of(disc)
    q = np.random.default_rng(6).standard_normal(ritz.size)
    frame = frame_of(disc, 1.0, q)[None]
    u = geometry.positions(frame, q[None])[0] - geometry.points
    np.testing.assert_allclose(u, ritz.reconstruct(q, geometry.points.T).T, atol=1e-12)
    assert np.ptp(geometry.points[:, 2]) == pytest.approx(disc.thickness)


def test_ground_and_missing_mesh():
    ground = BodyGeometry.fixed(block(1.0, 1.0, 0.1, cells=(1, 1, 1)))
    np.testing.assert_array_equal(
        frame_of(None, 3.0, np.zeros(0)), [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    )
    assert ground.body == ""
    with pytest.raises(InputError, match="'block': a rigid body needs a mesh"):
        BodyGeometry.of(RigidBody("block", 1.0))
