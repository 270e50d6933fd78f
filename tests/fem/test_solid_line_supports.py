"""Curves and points of a solid as supports, from meshes and files, against beam theory."""

from __future__ import annotations

import meshio
import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid, Material
from fecontact.mesh import block, edges_on_nodes, load_mesh, node_sets, save_mesh, with_node_sets
from fecontact.reduction.flexibility import Flexibility

LENGTH, HEIGHT = 0.5, 0.005
ROD = Material(2e11, 0.0, 8000.0)
WAVE = 5000.0 * HEIGHT / np.sqrt(12.0)
"""omega = k^2 sqrt(E I/(rho A)) of the wave number k."""


def strip(cell, order, cells):
    """Strip with the lines `left` and `right` across it, at mid-height, for hinges."""
    mesh = block(LENGTH, 0.02, HEIGHT, cells, cell, order)
    x, _, z = mesh.p[:, : mesh.nvertices]
    middle = np.isclose(z, HEIGHT / 2)
    ends = {"left": 0.0, "right": LENGTH}
    named = {
        n: edges_on_nodes(mesh, np.flatnonzero(middle & np.isclose(x, e))) for n, e in ends.items()
    }
    return with_node_sets(mesh, named)


@pytest.mark.parametrize(
    ("element", "order", "cells"),
    [("hex2", 2, (24, 1, 2)), ("hexS2", 1, (24, 1, 2)), ("tet2", 1, (30, 1, 2))],
)
def test_strip_on_two_edges_vibrates_as_a_hinged_beam(element, order, cells):
    """f = (n pi/L)^2 ...: no clamping moment, no deflection at the lines; pi^2, 4 pi^2, 9 pi^2."""
    mesh = strip(element[:3], order, cells)
    plane = {"y_min": "y", "y_max": "y"}
    solid = ElasticSolid(mesh, ROD, element, {"left": "xyz", "right": "z", **plane})
    omega = Flexibility(solid).modes(3)[0]
    np.testing.assert_allclose(omega, WAVE * (np.arange(1, 4) * np.pi / LENGTH) ** 2, rtol=5e-3)


def test_strip_held_on_one_edge_swings_freely():
    """A hinge leaves the rotation about its line: one rigid motion."""
    solid = ElasticSolid(strip("hex", 1, (6, 1, 2)), ROD, "hexS2", {"left": "xyz"})
    assert Flexibility(solid).rigid.shape[1] == 1


@pytest.mark.filterwarnings("ignore:the edges of the")
def test_three_points_hold_a_body_without_strain():
    """3-2-1 support, statically determinate: loads in equilibrium find their own strain energy."""
    mesh = block(0.1, 0.05, 0.02, (3, 2, 1))
    corner = {
        name: edges_on_nodes(mesh, np.flatnonzero(np.all(np.isclose(mesh.p.T, place), axis=1)))
        for name, place in {"a": (0, 0, 0), "b": (0.1, 0, 0), "c": (0, 0.05, 0)}.items()
    }
    mesh = with_node_sets(mesh, corner)
    assert [len(s.edges) for s in corner.values()] == [0, 0, 0]
    held = ElasticSolid(mesh, STEEL, supports={"a": "xyz", "b": "yz", "c": "z"})
    assert len(held.free) == 3 * len(held.nodes) - 6
    flexibility = Flexibility(held)
    assert flexibility.rigid.shape[1] == 0
    load = held.stiffness @ held.nodes.ravel()
    stretched = flexibility.static(load[:, None])[:, 0]
    assert stretched @ load == pytest.approx(held.nodes.ravel() @ load, rel=1e-9)


def test_unknown_name_lists_curves_and_points():
    mesh = strip("hex", 1, (2, 1, 2))
    with pytest.raises(InputError, match=r"surface, curve or point 'lft'; known: left, right"):
        ElasticSolid(mesh, ROD, supports={"lft": "z"})


def gmsh_file(folder, mesh):
    """File with physical curves and points, as Gmsh writes it."""
    y_edge = np.flatnonzero(np.isclose(mesh.p[0], 0.0) & np.isclose(mesh.p[2], 0.0))
    row = y_edge[np.argsort(mesh.p[1, y_edge])]
    cells = [
        ("hexahedron", np.array(mesh.t.T[:, [7, 5, 1, 4, 6, 3, 0, 2]])),
        ("line", np.column_stack([row[:-1], row[1:]])),
        ("vertex", row[:1, None]),
    ]
    tags = [np.full(len(block_), k + 1) for k, (_, block_) in enumerate(cells)]
    raw = meshio.Mesh(
        mesh.p.T, cells, cell_data={"gmsh:physical": tags, "gmsh:geometrical": tags},
        field_data={"body": [1, 3], "foot": [2, 1], "corner": [3, 0]},
    )  # fmt: skip
    meshio.write(folder / "named.msh", raw, file_format="gmsh22", binary=False)
    return folder / "named.msh"


def test_physical_curves_and_points_of_gmsh_are_kept(tmp_path):
    mesh = block(0.1, 0.04, 0.02, (2, 4, 1))
    file = gmsh_file(tmp_path, mesh)
    found = load_mesh(file)
    sets = node_sets(found)
    assert sorted(sets) == ["corner", "foot"]
    foot = found.p[:, sets["foot"].vertices]
    np.testing.assert_allclose(np.sort(foot[1]), np.linspace(0.0, 0.04, 5), atol=1e-12)
    np.testing.assert_allclose(foot[[0, 2]], 0.0, atol=1e-12)
    assert len(sets["foot"].edges) == 4
    assert (len(sets["corner"].vertices), len(sets["corner"].edges)) == (1, 0)
    solid = ElasticSolid(found, STEEL, supports={"foot": "z"})
    held = np.setdiff1d(np.arange(3 * len(solid.nodes)), solid.free) // 3
    assert len(held) == 9  # five vertices and four mid-nodes
    with pytest.warns(UserWarning, match="the curves and points corner, foot are not written"):
        save_mesh(found, tmp_path / "again.msh")


DECK = """*NODE
1, 0, 0, 0
2, 1, 0, 0
3, 0, 1, 0
4, 0, 0, 1
5, .5, 0, 0
6, .5, .5, 0
7, 0, .5, 0
8, 0, 0, .5
9, .5, 0, .5
10, 0, .5, .5
*ELEMENT, TYPE=C3D10, ELSET=BODY
1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
*NSET, NSET=EDGE
1, 2, 5
*NSET, NSET=ENDS
1, 2
"""


def test_node_sets_of_abaqus_hold_a_quadratic_edge_only_with_its_middle_node(tmp_path):
    (tmp_path / "one.inp").write_text(DECK)
    mesh = load_mesh(tmp_path / "one.inp")
    for name, count in (("EDGE", 3), ("ENDS", 2)):
        solid = ElasticSolid(mesh, STEEL, supports={name: "xyz"})
        held = np.setdiff1d(np.arange(30), solid.free)
        assert len(held) == 3 * count
        assert np.all(solid.nodes[held // 3][:, 1:] == 0.0)
