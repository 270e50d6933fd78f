from __future__ import annotations

import xml.etree.ElementTree as ET

import meshio
import numpy as np
import pytest

from fecontact.mesh import annulus, solid_annulus
from fecontact.view.modes import save_complex_modes, save_real_modes
from fecontact.view.pictures import offscreen
from fecontact.view.vtk import hexahedra, phase_displacement, triangles, write_modes, write_phases


@pytest.fixture
def shape():
    return hexahedra(
        [solid_annulus(0.08, 0.12, 0.0, 0.005, 2, 12), solid_annulus(0.09, 0.1, 0.01, 0.02, 1, 12)]
    )


@pytest.fixture
def mode(shape):
    rng = np.random.default_rng(0)
    return rng.standard_normal(shape.points.shape) + 1j * rng.standard_normal(shape.points.shape)


def test_hexahedra_have_the_volume_of_the_ring(shape):
    """Corner order of VTK: positive volume by the mean of the two tetrahedral splits."""
    total = 0.0
    for _, cells in shape.cells:
        x = shape.points[cells]
        base = np.cross(x[:, 1] - x[:, 0], x[:, 3] - x[:, 0])
        assert np.all(np.einsum("ci,ci->c", base, x[:, 4] - x[:, 0]) > 0.0)
        area = 0.5 * np.linalg.norm(np.cross(x[:, 2] - x[:, 0], x[:, 3] - x[:, 1]), axis=1)
        total += float(area @ np.linalg.norm(x[:, 4] - x[:, 0], axis=1))
    polygon = 12 * np.sin(2 * np.pi / 12) / 2
    exact = polygon * ((0.12**2 - 0.08**2) * 0.005 + (0.1**2 - 0.09**2) * 0.01)
    assert total == pytest.approx(exact)


def test_modes_round_trip(tmp_path, shape, mode):
    file = tmp_path / "modes.vtu"
    write_modes(file, shape, {"a": mode, "b": mode.real})
    back = meshio.read(file)
    np.testing.assert_allclose(back.point_data["a real"], mode.real)
    np.testing.assert_allclose(back.point_data["a imag"], mode.imag)
    np.testing.assert_allclose(back.point_data["b"], mode.real)
    np.testing.assert_allclose(back.points, shape.points)
    assert sum(len(c.data) for c in back.cells) == 24 + 12


def test_period_plays(tmp_path, shape, mode):
    files = write_phases(tmp_path / "m.pvd", shape, mode, frames=8)
    entries = ET.parse(files[0]).getroot().findall("./Collection/DataSet")
    assert [float(e.get("timestep")) for e in entries] == [i / 8 for i in range(8)]
    for frame, entry in enumerate(entries):
        back = meshio.read(tmp_path / entry.get("file"))
        expected = phase_displacement(mode, 2 * np.pi * frame / 8)
        np.testing.assert_allclose(back.point_data["displacement"], expected)


def test_half_a_period_turns_the_sign(mode):
    np.testing.assert_allclose(phase_displacement(mode, np.pi), -mode.real, atol=1e-12)


def test_picture_is_rendered(tmp_path, shape, mode):
    saved = save_complex_modes(
        tmp_path, shape, {"label": mode}, name="m", amplitude=0.01, title="title"
    )
    if "m.png" not in saved.files:
        pytest.skip(f"no off-screen graphics on this machine: {saved.message}")
    assert (tmp_path / "m.png").read_bytes().startswith(b"\x89PNG")
    for file in saved.files:
        assert (tmp_path / file).is_file()


def test_without_graphics_the_files_are_written_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(offscreen.sys, "executable", "/bin/false")
    mesh = annulus(0.08, 0.12, 2, 12)
    motion = np.ones((mesh.nvertices, 3))
    saved = save_real_modes(tmp_path, triangles(mesh), {"a": motion}, amplitude=0.01, title="t")
    assert saved.files == ("modes.vtu",)
    assert (tmp_path / "modes.vtu").is_file()
    assert "no off-screen graphics" in saved.message
