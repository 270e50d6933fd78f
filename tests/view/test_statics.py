"""Pictures and VTK files of load paths: bodies where they are, moved supports too."""

from __future__ import annotations

import re

import meshio
import numpy as np
import pytest

from fecontact.analysis import load_path
from fecontact.body import FEBody, RigidBody
from fecontact.contact import (
    ContactPair,
    ElastoPlastic,
    FEFace,
    PenaltyNormal,
    mesh_surface,
)
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import Force, Line, SupportMotion
from fecontact.mesh import block
from fecontact.results import BodyGeometry
from fecontact.system import System
from fecontact.view.statics import path_picture, write_path
from fecontact.view.vtk import read_times


@pytest.fixture(scope="module")
def pressed():
    """A rigid punch on a soft block whose supports are lifted."""
    solid = ElasticSolid(
        block(0.1, 0.1, 0.05, (2, 2, 1)), Material(1e7, 0.3, 1000.0), supports={"z_min": "clamped"}
    )
    body = FEBody("block", solid)
    mesh = block(0.04, 0.04, 0.02, (2, 2, 1)).translated((0.03, 0.03, 0.05))
    punch = RigidBody.from_mesh("punch", mesh, 1000.0, ("ux", "uy", "uz"))
    pair = ContactPair(punch, mesh_surface(mesh, "z_min"), FEFace(body, "z_max"),
                       PenaltyNormal(1e10), ElastoPlastic(0.3, 1e9))  # fmt: skip
    on = np.abs(solid.nodes[:, 2]) < 1e-9
    lift = SupportMotion(body, np.where(on[:, None], (0.0, 0.0, 1e-4), 0.0).ravel())
    push = Force(punch, (0.0, 0.0, -20.0), factor=Line(gradient=1.0))
    geometry = [BodyGeometry.of(punch, mesh)]
    return load_path(System([body, punch], [pair, lift, push]), [0.5, 1.0], geometry=geometry), body


def test_series(pressed, tmp_path):
    """All increments; displacements are those of the nodes, also of moved supports."""
    path, body = pressed
    files = write_path(path, tmp_path)
    assert files[0] == "bodies.pvd"
    assert "contacts.pvd" in files
    times = read_times(tmp_path / "bodies.pvd")
    assert [t for t, _ in times] == [0.5, 1.0]
    last = meshio.read(times[-1][1])
    moved = last.point_data["displacement"]
    first = last.points - moved
    u = path.displacement(body).reshape(-1, 3)
    nodes, drawn = body.model.nodes, len(BodyGeometry.of(body).points)
    for x, own in zip(first[:drawn], moved[:drawn], strict=True):
        (node,) = np.flatnonzero(np.linalg.norm(nodes - x, axis=1) < 1e-9)
        np.testing.assert_allclose(own, u[node], atol=1e-12)
    down = first[:, 2] < 1e-9
    np.testing.assert_allclose(moved[down], np.tile([0.0, 0.0, 1e-4], (down.sum(), 1)), atol=1e-15)
    contacts = meshio.read(read_times(tmp_path / "contacts.pvd")[-1][1])
    np.testing.assert_array_equal(
        contacts.point_data["pressure"], path.increments[-1].contacts["contact"].pressure
    )


def test_picture(pressed, tmp_path):
    path, _ = pressed
    target = tmp_path / "path.png"
    reason = path.plot(target)
    if reason is not None:
        assert not re.search(r"\w+Error:", reason), reason  # a fault of the picture itself
        pytest.skip(f"no graphics: {reason}")
    assert target.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match="does not exist"):
        path.plot(tmp_path / "nowhere" / "path.png")
    with pytest.raises(InputError, match="exaggeration"):
        path_picture(path, target, exaggeration=-1.0)


def test_plots_of_the_result(pressed, tmp_path):
    """A path has no speeds and no energy audit: neither is drawn."""
    result = pressed[0].result
    figure = result.plot_contact_map()
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert any("pressure" in label for label in labels)
    assert not any("speed" in label or "power" in label for label in labels)
    with pytest.raises(InputError, match="keeps none"):
        result.plot_energy()
