"""Requests that `reduce_model` refuses before any work, because they make no sense."""

import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid, MindlinPlate
from fecontact.mesh import annulus, block, solid_annulus
from fecontact.reduction import METHODS, reduce_model
from fecontact.reduction.craig_bampton import interface_unknowns


@pytest.mark.parametrize("method", sorted(set(METHODS) - {"fixed", "craig-bampton"}))
def test_interface_of_a_method_without_one(free_block, method):
    with pytest.raises(InputError, match=rf"interface = nope.* method '{method}'"):
        reduce_model(free_block, "top", method=method, interface="nope")


@pytest.mark.parametrize("method", sorted(set(METHODS) - {"craig-bampton"}))
def test_interface_modes_of_another_method(free_block, method):
    with pytest.raises(InputError, match=rf"interface_modes = 5.* method '{method}'"):
        reduce_model(free_block, "top", method=method, interface_modes=5)


@pytest.mark.parametrize("method", sorted(set(METHODS) - {"rubin", "craig-bampton"}))
@pytest.mark.parametrize("option", ["tolerance", "cutoff"])
def test_options_of_static_shapes_with_a_method_that_has_none(free_block, method, option):
    with pytest.raises(InputError, match=rf"{option} = 0.1.* method '{method}'"):
        reduce_model(free_block, "top", method=method, **{option: 0.1})


@pytest.mark.parametrize("option", ["tolerance", "cutoff", "layer"])
def test_options_of_static_shapes_without_contact(free_block, option):
    with pytest.raises(InputError, match=rf"{option} = 0.1: expected a contact surface"):
        reduce_model(free_block, **{option: 0.1})


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("tolerance", 0.0),
        ("tolerance", 5.0),
        ("cutoff", -1.0),
        ("layer", -1e-12),
        ("layer", np.nan),
    ],
)
def test_impossible_numbers(free_block, option, value):
    with pytest.raises(InputError, match=rf"{option} = {value}"):
        reduce_model(free_block, "top", **{option: value})


@pytest.mark.parametrize("options", [{"modes": 2.0}, {"interface_modes": 5.0}])
def test_counts_are_integers(free_block, options):
    with pytest.raises(InputError, match=r"modes = \d\.0:.* an integer"):
        reduce_model(free_block, "top", method="craig-bampton", **options)


def test_numpy_counts(free_block):
    assert reduce_model(free_block, modes=np.int64(2)).exact == 2


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("cell", ["tet", "hex"])
@pytest.mark.parametrize("method", METHODS)
def test_contact_on_a_held_surface(method, cell, order):
    mesh = solid_annulus(0.05, 0.1, 0.0, 0.02, 1, 8, 1, cell, order=order)
    solid = ElasticSolid(mesh, STEEL, supports={"top": "clamped"})
    with pytest.raises(InputError, match="contact surface 'top' is held everywhere"):
        reduce_model(solid, ("bottom", "top"), method=method, modes=2)


@pytest.mark.parametrize("cell", ["tet", "hex"])
def test_interface_holds_the_nodes_of_the_surface_only(cell):
    """1 x 8 cells on the ring give 16 nodes on its top, three unknowns each."""
    solid = ElasticSolid(solid_annulus(0.05, 0.1, 0.0, 0.02, 1, 8, 1, cell), STEEL, cell + "1")
    assert len(interface_unknowns(solid, ("top",))) == 48


def test_contact_on_the_held_interface(free_block):
    with pytest.raises(InputError, match="contact surface 'top' is held everywhere"):
        reduce_model(free_block, "top", method="fixed", interface="top", modes=2)


def test_contact_that_is_held_in_part():
    """The neighbour of a clamped surface shares an edge with it; so does a clamped plate."""
    solid = ElasticSolid(block(0.1, 0.03, 0.01, (3, 2, 1)), STEEL, supports={"x_min": "clamped"})
    assert reduce_model(solid, "z_max", modes=2).exact >= 2
    plate = MindlinPlate(annulus(0.05, 0.1, 2, 12, "quad"), 0.005, STEEL, {"inner": "clamped"})
    assert reduce_model(plate, "top", modes=2).exact >= 2


def test_large_craig_bampton_basis_needs_interface_modes():
    """14 x 14 nodes of the face, three unknowns each, and two modes make 590 coordinates."""
    solid = ElasticSolid(block(0.1, 0.1, 0.01, (13, 13, 1)), STEEL, "hex1")
    with pytest.raises(InputError, match=r"590 coordinates, 588.* interface_modes"):
        reduce_model(solid, "z_max", method="craig-bampton", modes=2)
    options = {"modes": 2, "interface_modes": 10, "floating_frame": False, "tolerance": 1.0}
    assert reduce_model(solid, "z_max", method="craig-bampton", **options).size < 100
