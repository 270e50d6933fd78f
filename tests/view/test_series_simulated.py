"""Pictures of real runs: the file agrees with Newton's law, and a spinning body keeps its size."""

from __future__ import annotations

import meshio
import numpy as np
import pytest

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, RigidFace, Surface
from fecontact.contact.master.shape import Plane
from fecontact.fem import STEEL, ElasticSolid
from fecontact.integrate import simulate
from fecontact.joint import Gravity
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.results import Result
from fecontact.results.geometry import BodyGeometry
from fecontact.system import System
from fecontact.view.series import ELASTIC, bodies_shape, body_frames, write_series
from fecontact.view.vtk import read_times

SIDES = (0.1, 0.06, 0.04)
GRAVITY = 9.80665
FALL = np.array([0.0, 0.0, -GRAVITY])


def test_contact_force_in_the_series_obeys_newtons_law(tmp_path):
    """A block slides on a plane: sum of the point forces = m (a - g)."""
    x, y, z = np.array(SIDES) / 2
    body = RigidBody("block", 1.0, DOFS, (1e-3, 1e-3, 1e-3), (0.0, 0.0, float(z)))
    corners = np.array([[i * x, j * y, -z] for i in (-1, 1) for j in (-1, 1)])
    foot = ContactPair(
        body, Surface(corners, np.full(4, x * y)), RigidFace(None, Plane()),
        PenaltyNormal(1e8, 1e5), ElastoPlastic(0.3, 1e8, 1e4), "foot",
    )  # fmt: skip
    system = System([body], [Gravity([body]), foot])
    sunk = -GRAVITY / (1e8 * 4 * x * y)
    start = system.state(q={"block.uz": sunk}, v={"block.ux": 0.4, "block.rz": 3.0})
    file = tmp_path / "run.h5"
    geometry = [BodyGeometry.of(body, block(*SIDES, cells=(1, 1, 1)))]
    motion = simulate(system, 0.01, start, output=1e-3, step=1e-3, store=file, geometry=geometry)
    write_series(Result.load(file), tmp_path / "vtk")
    frames = read_times(tmp_path / "vtk/contacts.pvd")
    assert len(frames) == 11
    for (t, name), expected, a in zip(frames, motion.t, motion.a, strict=True):
        assert t == expected
        force = meshio.read(name).point_data["force"].sum(axis=0)
        np.testing.assert_allclose(force, a[:3] - FALL, atol=1e-9 * GRAVITY)
    write_series(motion, tmp_path / "memory")  # without the file it is drawn the same
    written = [path for path in sorted((tmp_path / "vtk").rglob("*")) if path.is_file()]
    assert len(written) > 2 * len(frames)
    for path in written:
        twin = tmp_path / "memory" / path.relative_to(tmp_path / "vtk")
        assert twin.read_bytes() == path.read_bytes(), path.name


def test_a_spinning_elastic_block_keeps_its_size(tmp_path):
    """After a turn of 2 rad edges have changed by the elastic strain only.

    The centrifugal strain rho (omega l)^2/(8 E) is 2e-6 here; a small-angle rotation would stretch
    the edges across the axis by sqrt(1 + 2^2) - 1 = 124 %.
    """
    solid = ElasticSolid(block(0.2, 0.05, 0.02, cells=(4, 1, 1)), STEEL)
    model = reduce_model(solid, [], method="free", modes=3, floating_frame=True)
    body = ElasticBody("block", model, frame="free", damping=0.01)
    system = System([body], [])
    file = tmp_path / "run.h5"
    start = system.state(v={"block.rz": 100.0})
    simulate(
        system, 0.02, start, output=0.005, store=file, geometry=[BodyGeometry.of(body)], rtol=1e-4
    )
    result = Result.load(file)
    shape = bodies_shape(result)
    (cells,) = (nodes for _, nodes in shape.cells)
    a, b = cells[:, 0], cells[:, 1]
    original = np.linalg.norm(shape.points[a] - shape.points[b], axis=1)
    *_, last = body_frames(result)
    now = np.linalg.norm(last.points[a] - last.points[b], axis=1)
    strain = 7850.0 * (100.0 * 0.2) ** 2 / (8.0 * 210e9)
    assert np.abs(now / original - 1.0).max() < 3.0 * strain
    assert np.abs(last.fields[ELASTIC]).max() > 0.0
    ends = shape.points.sum(axis=1).argsort()[[0, -1]]
    before, after = (np.diff(points[ends], axis=0)[0] for points in (shape.points, last.points))
    turned = np.arctan2(after[1], after[0]) - np.arctan2(before[1], before[0])
    assert turned == pytest.approx(2.0, abs=1e-4)
