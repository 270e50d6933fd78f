from __future__ import annotations

import numpy as np
import pytest
from skfem import MeshTri

from fecontact.errors import InputError
from fecontact.mesh import annulus, boundary_facets, load_mesh, save_mesh, solid_annulus


@pytest.mark.parametrize("form", ["msh", "vtk", "vtu"])
def test_names_survive_a_file(tmp_path, form):
    mesh = annulus(0.08, 0.12, 3, 24)
    file = tmp_path / f"ring.{form}"
    save_mesh(mesh, file)
    back = load_mesh(file)
    np.testing.assert_allclose(back.p[:2], mesh.p)
    for name in ("inner", "outer"):
        radius = np.hypot(*back.p[:2, back.facets[:, boundary_facets(back, name)]])
        np.testing.assert_allclose(radius, 0.08 if name == "inner" else 0.12)


def test_missing_file():
    with pytest.raises(InputError, match=r"'no_such.msh' does not exist"):
        load_mesh("no_such.msh")


@pytest.mark.parametrize("name", ["mesh.msh", "mesh.unknown"])
def test_file_that_is_no_mesh(tmp_path, name):
    file = tmp_path / name
    file.write_text("no mesh\n", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        load_mesh(file)


def test_surfaces_of_the_solid_ring():
    mesh = solid_annulus(0.08, 0.12, 0.0, 0.01, 4, 120)
    assert set(mesh.boundaries) == {"inner", "outer", "bottom", "top"}
    top = boundary_facets(mesh, "top")
    assert len(top) == 4 * 120
    np.testing.assert_allclose(mesh.p[2, mesh.facets[:, top]], 0.01)


def test_area_converges_with_second_order():
    exact = np.pi * (0.12**2 - 0.08**2)
    errors = []
    for around in (16, 32, 64):
        mesh = annulus(0.08, 0.12, 2, around)
        x, y = mesh.p[:, mesh.t]
        area = 0.5 * np.abs((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]))
        errors.append(exact - area.sum())
    np.testing.assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 2.0, atol=0.05)


def test_unknown_surface():
    with pytest.raises(InputError, match="unknown surface 'rim'; known: inner, outer"):
        boundary_facets(annulus(0.08, 0.12, 2, 12), "rim")
    with pytest.raises(InputError, match="known: none"):
        boundary_facets(MeshTri(), "rim")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0.12, 0.12), "inner_radius = 0.12 m"),
        ((-0.1, 0.12), "inner_radius = -0.1 m"),
        ((0.08, 0.12, 0), "radial = 0"),
        ((0.08, 0.12, 2, 2), "circumferential = 2"),
    ],
)
def test_bad_ring(arguments, words):
    with pytest.raises(InputError, match=words):
        annulus(*arguments)


def test_ring_without_height():
    with pytest.raises(InputError, match="height"):
        solid_annulus(0.08, 0.12, 0.0, 0.0)
