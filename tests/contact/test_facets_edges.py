"""Feet near edges of facets: corners of both kinds, points exactly on edges, boundaries, cost."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.contact.kernels.facets.search import BEYOND, FOUND
from fecontact.contact.master.facets import Facets, mesh_facets
from fecontact.contact.master.search import NearestCentre
from fecontact.mesh import block
from fecontact.mesh.grading import Towards


def corner(concave):
    """Floor z = 0 and wall x = 0 that meet along y; they point into the quadrant or out of it."""
    nodes = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]])
    cells = np.array([[0, 1, 2, 3], [0, 3, 5, 4]])
    return Facets(nodes, np.ascontiguousarray(cells if concave else cells[:, ::-1]))


def gaps(facets, y, feet):
    """Gaps and normals as a master gives them."""
    n = facets.normals(feet.facet, feet.local)
    n /= np.linalg.norm(n, axis=1)[:, None]
    return np.einsum("pi,pi->p", y - facets.positions(feet), n), n


@pytest.mark.parametrize("concave", [True, False])
@pytest.mark.parametrize("start", [0, 1])
def test_gap_is_continuous_around_a_right_angle(concave, start):
    """All around the edge, whichever facet the search begins with: g = min(x, z) or its opposite.

    In the wedge where the edge itself is nearest, the deeper (higher) plane counts: a point that
    penetrates floor and wall does not lose its force when its foot leaves one of them.
    """
    facets, angle = corner(concave), np.linspace(0.0, 2.0 * np.pi, 2001)
    y = 0.1 * np.column_stack([np.cos(angle), np.full_like(angle, 5.0), np.sin(angle)])
    gap, n = gaps(facets, y, facets.projection_points(y, np.full(len(y), start)))
    expected = np.minimum(y[:, 0], y[:, 2])
    np.testing.assert_allclose(gap, expected if concave else -expected, atol=1e-12)
    axis = np.abs(n)
    assert np.all((axis[:, 0] > 1.0 - 1e-12) | (axis[:, 2] > 1.0 - 1e-12))


def test_points_on_edges_and_corners_touch_whatever_the_start():
    facets = mesh_facets(block(1.0, 1.0, 0.5, (4, 4, 1)), "z_max")
    s = np.linspace(0.0, 1.0, 9)  # corners, middles of edges, centres; the rim of the surface too
    x, y = (a.ravel() for a in np.meshgrid(s, s))
    for depth in (-1e-3, 0.0, 1e-3):
        points = np.column_stack([x, y, np.full_like(x, 0.5 + depth)])
        for start in (NearestCentre(facets.centres)(points), np.zeros(len(x), dtype=np.int64)):
            feet = facets.projection_points(points, start)
            gap, n = gaps(facets, points, feet)
            assert np.all(feet.state == FOUND)
            np.testing.assert_allclose(gap, depth, atol=1e-12)
            np.testing.assert_allclose(n, [[0.0, 0.0, 1.0]] * len(x), atol=1e-12)


def test_contact_ends_at_the_boundary():
    """A point over the boundary by a millionth of a facet is open; the boundary itself touches."""
    facets = mesh_facets(block(1.0, 1.0, 0.5, (4, 4, 1)), "z_max")
    over = np.array([0.0, 1e-9, 1e-6, 1e-3, 0.1])
    y = np.column_stack([1.0 + over, np.full(5, 0.4), np.full(5, 0.49)])
    state = facets.projection_points(y, NearestCentre(facets.centres)(y)).state
    assert state.tolist() == [FOUND, FOUND, BEYOND, BEYOND, BEYOND]


def test_search_stays_cheap_on_graded_meshes():
    """Cells of very different size: the nearest centre is not the nearest facet, but near it."""
    for cells in (10, 80):
        fine = Towards((0.0,), 100.0)
        mesh = block(1.0, 1.0, 0.5, (cells, cells, 1), grading=(fine, fine, 1.0))
        facets = mesh_facets(mesh, "z_max")
        points = np.random.default_rng(0).uniform(0.0, 1.0, (2000, 3)) * [1.0, 1.0, 0.0]
        points[:, 2] = 0.5 - 1e-4
        feet = facets.projection_points(points, NearestCentre(facets.centres)(points))
        gap, _ = gaps(facets, points, feet)
        np.testing.assert_allclose(gap, -1e-4, atol=1e-12)
        assert feet.visits.mean() < 4.0
