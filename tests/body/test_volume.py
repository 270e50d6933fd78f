"""Rigid bodies from meshes against closed forms and against the finite-element mass matrix."""

from __future__ import annotations

import numpy as np
import pytest
from skfem import MeshHex2, MeshTet1, MeshTet2

from fecontact.body import DOFS, RigidBody
from fecontact.body.volume import mass_properties
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.mesh import annulus, block, solid_annulus
from fecontact.reduction import reduce_model

RHO = 7800.0
SIZE = np.array([0.3, 0.2, 0.1])


def box(mesh):
    found = mass_properties(mesh, RHO)
    mass = RHO * np.prod(SIZE)
    np.testing.assert_allclose(found.mass, mass, rtol=1e-13)
    np.testing.assert_allclose(found.centre, np.add(0.5 * SIZE, [1.0, 2.0, 3.0]), rtol=1e-13)
    expected = mass / 12 * np.diag(np.sum(SIZE**2) - SIZE**2)
    np.testing.assert_allclose(found.inertia, expected, atol=1e-12 * mass)


def test_box_of_every_cell_type():
    """m (b^2 + c^2)/12, far from the origin too."""
    mesh = block(*SIZE, cells=(2, 1, 3)).translated((1.0, 2.0, 3.0))
    tet = mesh.to_meshtet()
    assert type(tet) is MeshTet1
    for case in (mesh, MeshHex2.from_mesh(mesh), tet, MeshTet2.from_mesh(tet)):
        box(case)


def test_skew_tetrahedron():
    """m/20 (sum over the corners) for the second moments of a tetrahedron (Tonon 2004)."""
    corners = np.random.default_rng(4).uniform(-1.0, 1.0, (3, 4))
    mesh = MeshTet1(corners, np.array([[0], [1], [2], [3]]))
    volume = abs(np.linalg.det(corners[:, 1:] - corners[:, :1])) / 6.0
    found = mass_properties(mesh, RHO)
    mass, centre = RHO * volume, corners.mean(axis=1)
    arm = corners - centre[:, None]
    second = mass / 20.0 * arm @ arm.T
    np.testing.assert_allclose(found.mass, mass, rtol=1e-13)
    np.testing.assert_allclose(found.centre, centre, rtol=1e-12)
    np.testing.assert_allclose(
        found.inertia, np.trace(second) * np.eye(3) - second, atol=1e-13 * mass
    )


def test_ring_converges_to_the_closed_form():
    """m (r_i^2 + r_o^2)/2 about z: curved cells are of fourth order in the angle."""
    r_i, r_o, h = 0.06, 0.11, 0.01
    mass = RHO * np.pi * (r_o**2 - r_i**2) * h
    errors = []
    for cells in (8, 16):
        mesh = solid_annulus(r_i, r_o, 0.0, h, 1, cells, order=2)
        found = mass_properties(mesh, RHO)
        errors.append(abs(found.inertia[2, 2] / (0.5 * mass * (r_i**2 + r_o**2)) - 1.0))
    assert errors[1] < 1e-4
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.1)


def test_body_has_the_inertia_of_the_finite_elements():
    """Same numbers as the consistent mass matrix of the solid; points and surfaces come along."""
    mesh = block(*SIZE, cells=(2, 1, 1))
    body = RigidBody.from_mesh("box", mesh, RHO, position=(1.0, 0.0, 0.0), points={"tip": SIZE})
    integrals = reduce_model(ElasticSolid(mesh, Material(2e11, 0.3, RHO)), modes=1).inertia
    assert body.dofs == DOFS
    assert body.mass == pytest.approx(integrals.mass, rel=1e-12)
    centre = integrals.first_moment / integrals.mass
    np.testing.assert_allclose(body.position, np.add(centre, [1.0, 0.0, 0.0]), rtol=1e-12)
    about = integrals.mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    np.testing.assert_allclose(body.inertia, integrals.inertia - about, atol=1e-11 * body.mass)
    np.testing.assert_allclose(body.marker("tip").home, np.add(SIZE, [1.0, 0.0, 0.0]))
    face = body.point_motion(body.reference(), np.zeros(6), "x_max").position
    np.testing.assert_allclose(face[:, 0], 1.0 + SIZE[0])
    assert len(face) == 4


def test_refused_meshes():
    with pytest.raises(InputError, match="MeshTri1 for a rigid body: expected a volume"):
        mass_properties(annulus(0.1, 0.2, 1, 8), RHO)
    with pytest.raises(InputError, match=r"density = 0.0 kg/m\^3"):
        mass_properties(block(*SIZE, cells=(1, 1, 1)), 0.0)
