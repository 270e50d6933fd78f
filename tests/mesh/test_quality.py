"""Meshes that cannot be computed on are refused, with the reason and the place."""

from __future__ import annotations

import numpy as np
import pytest
from skfem import MeshHex, MeshLine, MeshQuad, MeshTet, MeshTri

from fecontact.errors import InputError
from fecontact.mesh import (
    annulus,
    block,
    check_mesh,
    edge_to_thickness,
    measure,
    rectangle,
    scaled_jacobian,
)


def moved(mesh, vertex: int, place: tuple[float, ...]):
    """Mesh with one node at another place."""
    p = mesh.p.copy()
    p[:, vertex] = place
    return type(mesh)(p, mesh.t)


def nearest(mesh, place: tuple[float, ...]) -> int:
    return int(np.argmin(np.linalg.norm(mesh.p.T - place, axis=1)))


@pytest.mark.parametrize("cell", ["tri", "quad"])
def test_plane_node_pulled_through_its_neighbours(cell: str) -> None:
    mesh = rectangle(4.0, 4.0, (4, 4), cell)
    bad = moved(mesh, nearest(mesh, (1.0, 1.0)), (3.4, 3.2))
    with pytest.raises(InputError, match=r"cells are inverted.* near \(.*\) m; repair"):
        check_mesh(bad)


@pytest.mark.parametrize("cell", ["tet", "hex"])
def test_solid_node_pulled_through_its_neighbours(cell: str) -> None:
    mesh = block(3.0, 3.0, 3.0, (3, 3, 3), cell)
    bad = moved(mesh, nearest(mesh, (1.0, 1.0, 1.0)), (2.5, 2.4, 2.3))
    with pytest.raises(InputError, match="cells are inverted"):
        check_mesh(bad)


def test_boundary_node_pushed_inside() -> None:
    """The overlap shows only between neighbours: every triangle by itself is fine."""
    mesh = rectangle(2.0, 2.0, (2, 2), "tri")
    bad = moved(mesh, nearest(mesh, (2.0, 1.0)), (0.4, 1.2))
    assert scaled_jacobian(bad).min() > 0
    with pytest.raises(InputError, match="overlapping a neighbour"):
        check_mesh(bad)


def test_folded_line() -> None:
    with pytest.raises(InputError, match="overlapping a neighbour"):
        check_mesh(MeshLine(np.array([[0.0, 2.0, 1.0]]), np.array([[0, 1], [1, 2]])))


def test_second_order_cell_folded_by_its_mid_node() -> None:
    mesh = annulus(1.0, 2.0, 1, 8, "quad", order=2)
    x = mesh.p.copy()
    node = nearest(mesh, (1.5, 0.0))
    x[:, node] = (2.2, 0.0)
    with pytest.raises(InputError, match="2 of 8 cells are inverted or twisted"):
        check_mesh(type(mesh)(x, mesh.t))


def test_bow_tie() -> None:
    p = np.array([[0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]])
    with pytest.raises(InputError, match="1 of 1 cells are inverted or twisted"):
        check_mesh(MeshQuad(p, np.array([[0], [1], [2], [3]])))


@pytest.mark.parametrize("kind", [MeshTri, MeshQuad, MeshTet, MeshHex])
def test_flat_cell(kind) -> None:
    mesh = kind.init_refdom()
    p = mesh.p.copy()
    p[-1] = 0.0
    with pytest.raises(InputError, match="1 of 1 cells are degenerate"):
        check_mesh(kind(p, mesh.t))


def test_collapsed_corner() -> None:
    p = np.array([[0.0, 1.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]])
    with pytest.raises(InputError, match="degenerate"):
        check_mesh(MeshQuad(p, np.array([[0], [1], [2], [3]])))


def test_thin_cells_are_accepted() -> None:
    """A plate of 1 : 1e5 is thin, not degenerate."""
    check_mesh(block(1.0, 1.0, 1e-5, (2, 2, 1), "tet", order=2))
    assert scaled_jacobian(block(1.0, 1.0, 1e-5)).min() == pytest.approx(1.0)


def test_mirrored_numbering_is_accepted() -> None:
    """Left-handed numbering is a convention, not a fault."""
    mesh = block(1.0, 1.0, 1.0, (2, 1, 1), "tet")
    turned = mesh.t.copy()
    turned[[0, 1], ::2] = turned[[1, 0], ::2]
    check_mesh(MeshTet(mesh.p, turned))


def test_same_cell_twice() -> None:
    mesh = rectangle(1.0, 1.0, (1, 1), "tri")
    with pytest.raises(InputError, match=r"overlapping|further cell on one facet"):
        check_mesh(MeshTri(mesh.p, np.hstack([mesh.t, mesh.t[:, :1]])))


def test_three_cells_on_one_edge() -> None:
    p = np.array([[0.0, 0.0, 1.0, -1.0, 2.0], [0.0, 1.0, 0.5, 0.5, 0.5]])
    t = np.array([[0, 1, 2], [0, 1, 3], [0, 1, 4]]).T
    with pytest.raises(InputError, match="third or further cell on one facet"):
        check_mesh(MeshTri(p, t))


def test_not_finite() -> None:
    mesh = rectangle(1.0, 1.0, (2, 2))
    with pytest.raises(InputError, match=r"1 nodes.* not finite, first node 3"):
        check_mesh(moved(mesh, 3, (np.nan, 0.0)))


def test_unused_nodes() -> None:
    mesh = rectangle(1.0, 1.0, (2, 2))
    with pytest.raises(InputError, match="2 nodes belong to no cell"):
        check_mesh(MeshQuad(np.hstack([mesh.p, [[5.0, 6.0], [5.0, 6.0]]]), mesh.t))


def test_measure_of_an_unknown_surface() -> None:
    with pytest.raises(InputError, match="unknown surface 'rim'; known: inner, outer"):
        measure(annulus(0.1, 0.2), "rim")


@pytest.mark.parametrize(
    ("mesh", "ratio"),
    [
        (block(0.4, 0.4, 0.002, (4, 4, 1)), 50.0),
        (block(0.4, 0.4, 0.004, (8, 8, 4)), 25.0),
        (block(0.4, 0.4, 0.002, (4, 4, 1), "tet"), 50.0 * np.sqrt(2.0)),
        (block(0.3, 0.3, 0.3, (3, 3, 3)), 0.5),
    ],
    ids=["one layer", "four layers", "tetrahedra", "cube"],
)
def test_edge_to_thickness(mesh, ratio: float) -> None:
    """Exact for blocks; of several layers only two are known of, so at least half the ratio."""
    assert edge_to_thickness(mesh) == pytest.approx(ratio, rel=1e-3)


def test_few_slivers_do_not_make_a_body_thin() -> None:
    mesh = block(0.3, 0.3, 0.3, (3, 3, 3), grading=(1.0, 1.0, 1.0))
    thin = block(0.3, 0.3, 0.0003, (3, 3, 1))
    p = thin.p + np.array([[0.0], [0.0], [1.0]])
    both = type(mesh)(np.hstack([mesh.p, p]), np.hstack([mesh.t, thin.t + mesh.nvertices]))
    assert edge_to_thickness(both) == pytest.approx(0.5)
