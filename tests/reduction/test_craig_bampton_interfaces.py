"""Interfaces: the nodes of the faces of a solid, the edges of a plate, the stations of a beam."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from fecontact.fem import (
    STEEL,
    ElasticSolid,
    KirchhoffPlate,
    MindlinPlate,
    Section,
    straight_beam,
)
from fecontact.fem.solid.body import ELEMENTS
from fecontact.mesh import annulus, block, load_mesh, solid_annulus
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
    """Of triangles with 6 nodes a nodal surface has the mid-nodes only."""
    solid = ElasticSolid(solid_annulus(0.06, 0.11, 0.0, 0.008, 2, 16, 2, cell, 2), STEEL)
    for name in solid.mesh.boundaries:
        columns = np.unique(solid.surface(name, points).shape.tocoo().col)
        expected = face_unknowns(solid, name)
        if (cell, points) == ("tet", "nodes"):
            corners = np.unique(solid.mesh.t)
            expected = expected[~np.isin(expected // 3, corners)]
        assert np.array_equal(columns, expected)


def test_interface_of_the_pressure_plate():
    solid = ElasticSolid(load_mesh(MESHES / "pressure_plate.msh"), STEEL)
    found = interface_unknowns(solid, ("friction_face",))
    assert np.array_equal(found, face_unknowns(solid, "friction_face"))


PLATES = {
    "kirchhoff": (KirchhoffPlate, annulus(0.05, 0.1, 3, 24)),
    "mindlin": (MindlinPlate, annulus(0.05, 0.1, 3, 24, "quad")),
}


@pytest.mark.parametrize("kind", PLATES)
def test_a_held_edge_is_a_clamped_edge(kind):
    """Interface of a plate: two routes to the same frequencies."""
    plate, mesh = PLATES[kind]
    held = reduce_model(plate(mesh, 0.004, STEEL), method="fixed", interface="outer", modes=5)
    clamped = reduce_model(plate(mesh, 0.004, STEEL, {"outer": "clamped"}), method="free", modes=5)
    assert_allclose(held.frequencies, clamped.frequencies, rtol=1e-8)
    assert "the interface does not hold the plate in its plane" in held.provenance.notes[0]
    assert clamped.provenance.notes == ()


def test_a_held_station_is_a_clamped_station():
    section = Section.rectangle(0.02, 0.01)
    held = reduce_model(
        straight_beam(1.0, section, STEEL, {"left": "clamped"}),
        method="fixed",
        interface="right",
        modes=5,
    )
    both = straight_beam(1.0, section, STEEL, {"left": "clamped", "right": "clamped"})
    assert_allclose(held.frequencies, reduce_model(both, modes=5).frequencies, rtol=1e-7)


@pytest.mark.parametrize("kind", PLATES)
def test_craig_bampton_of_a_plate_with_an_edge_as_interface(kind):
    """Free modes from above, and the response to contact loads on the face."""
    plate, mesh = PLATES[kind]
    model = plate(mesh, 0.004, STEEL)
    options = {"interface": "inner", "modes": 12, "floating_frame": False}
    reduced = reduce_model(model, "top", method="craig-bampton", **options)
    true = reduce_model(model, method="free", modes=6, floating_frame=False).frequencies[3:9]
    ratio = reduced.frequencies[reduced.rigid :][:6] / true
    assert reduced.rigid == 3
    assert np.all((ratio > 1.0 - 1e-7) & (ratio < 1.001))
    assert reduced.contact["top"].nominal.energy_error <= 0.01


def test_craig_bampton_of_a_beam_with_both_ends_as_interface():
    """Free modes from above, as good as four modes of the clamped beam allow."""
    model = straight_beam(1.0, Section.rectangle(0.02, 0.01), STEEL)
    reduced = reduce_model(model, method="craig-bampton", interface=("left", "right"), modes=4)
    true = reduce_model(model, method="free", modes=4).frequencies[6:10]
    assert reduced.rigid == 6
    ratio = reduced.frequencies[6:10] / true
    assert np.all((ratio > 1.0 - 1e-7) & (ratio < 1.001))
