"""The interface of a solid is made of the nodes of its faces, on every element."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fecontact.fem import STEEL, ElasticSolid
from fecontact.fem.solid import ELEMENTS
from fecontact.mesh import block, load_mesh, solid_annulus
from fecontact.reduction import reduce_model
from fecontact.reduction.craig_bampton import interface_unknowns
from fecontact.reduction.flexibility import Flexibility

FACES = ("x_min", "x_max", "y_min", "y_max", "z_min", "z_max")
MESHES = Path(__file__).parents[2] / "meshes"


def face_unknowns(solid, name):
    nodes = solid.numbering.get_facet_dofs(solid.mesh.boundaries[name]).flatten()
    return np.sort((3 * nodes[:, None] + np.arange(3)).ravel())


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("element", ELEMENTS)
def test_a_held_interface_is_a_clamped_surface(element, face):
    """Two routes to the same frequencies: interface unknowns, and supports of the model."""
    mesh = block(0.10, 0.06, 0.03, cells=(3, 2, 2), cell=element[:3])
    held = reduce_model(
        ElasticSolid(mesh, STEEL, element),
        method="fixed",
        modes=4,
        interface=face,
        floating_frame=False,
    )
    clamped = ElasticSolid(mesh, STEEL, element, supports={face: "clamped"})
    # pairs of modes: one more than asked for may be kept
    omega, _ = Flexibility(clamped).modes(len(held.frequencies))
    assert_allclose(held.frequencies, omega, rtol=1e-8)


@pytest.mark.parametrize("points", ["quadrature", "nodes"])
@pytest.mark.parametrize("cell", ["tet", "hex"])
def test_only_nodes_of_the_face_move_a_ring_surface(cell, points):
    solid = ElasticSolid(solid_annulus(0.06, 0.11, 0.0, 0.008, 2, 16, 2, cell, 2), STEEL)
    for name in solid.mesh.boundaries:
        columns = np.unique(solid.surface(name, points).shape.tocoo().col)
        assert np.array_equal(columns, face_unknowns(solid, name))


def test_interface_of_the_pressure_plate():
    solid = ElasticSolid(load_mesh(MESHES / "pressure_plate.msh"), STEEL)
    found = interface_unknowns(solid, ("friction_face",))
    assert np.array_equal(found, face_unknowns(solid, "friction_face"))
