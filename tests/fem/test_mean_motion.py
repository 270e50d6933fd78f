"""Mean motion of points: rigid motions, least squares, resultants of the spread load."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid, MatrixModel, rigid_surface
from fecontact.fem.mean_motion import fit_rows, interface_of, interfaces_of
from fecontact.mesh import block, edges_on_nodes, with_node_sets

CLOUDS = st.integers(0, 2**32 - 1)


@given(seed=CLOUDS)
def test_resultants(seed):
    """A force and a moment on the mean motion spread to forces of the same resultants, to 1e-12."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 30))
    points, weights = rng.uniform(-1, 1, (count, 3)), rng.uniform(0.1, 1, count)
    centre, rows, defined = fit_rows(points, weights)
    assert defined
    load = rng.standard_normal(6)
    forces = (rows.T @ load).reshape(-1, 3)
    moment = np.cross(points - centre, forces).sum(axis=0)
    scale = 1.0 + np.abs(forces).sum()
    np.testing.assert_allclose(forces.sum(axis=0), load[:3], rtol=0, atol=1e-12 * scale)
    np.testing.assert_allclose(moment, load[3:], rtol=0, atol=1e-12 * scale)


@given(seed=CLOUDS)
def test_best_rigid_fit(seed):
    """Rigid motions are found as they are; of others the rest is orthogonal to all rigid ones."""
    rng = np.random.default_rng(seed)
    points, weights = rng.uniform(-1, 1, (12, 3)), rng.uniform(0.1, 1, 12)
    centre, rows, _ = fit_rows(points, weights)
    motion = rng.standard_normal(6)
    rigid = motion[:3] + np.cross(motion[3:], points - centre)
    np.testing.assert_allclose(rows @ rigid.ravel(), motion, atol=1e-11)
    u = rng.standard_normal((12, 3))
    a, theta = np.split(rows @ u.ravel(), 2)
    rest = weights[:, None] * (u - a - np.cross(theta, points - centre))
    np.testing.assert_allclose(rest.sum(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.cross(points - centre, rest).sum(axis=0), 0.0, atol=1e-12)


def test_points_on_a_line_define_no_rotation_about_it():
    points = np.outer(np.linspace(0.0, 1.0, 5), [1.0, 1.0, 0.0])
    _, rows, defined = fit_rows(points, np.ones(5))
    assert not defined
    np.testing.assert_allclose(rows[3:].T @ [1.0, 1.0, 0.0], 0.0, atol=1e-12)


def test_names():
    """Surfaces, curves; a body that tells nothing has none; inner facets are no interface."""
    mesh = block(0.1, 0.02, 0.01, (2, 1, 1))
    inner = np.flatnonzero(np.all(np.isclose(mesh.p[0][mesh.facets], 0.05), axis=0))
    mesh = mesh.with_boundaries({"middle": inner})
    foot = np.flatnonzero((mesh.p[0] == 0.0) & (mesh.p[2] == 0.0))
    solid = ElasticSolid(with_node_sets(mesh, {"foot": edges_on_nodes(mesh, foot)}), STEEL)
    assert sorted(interfaces_of(solid)) == [
        "foot", "x_max", "x_min", "y_max", "y_min", "z_max", "z_min"
    ]  # fmt: skip
    line = interface_of(solid, "foot")
    np.testing.assert_allclose(line.points[:, [0, 2]], 0.0, atol=1e-15)
    assert len(line.points) == 3  # with the middle of its edge
    with pytest.raises(InputError, match="unknown surface 'nose'"):
        interface_of(solid, "nose")
    assert interfaces_of(object()) == {}
    stiff = rigid_surface(solid, "x_max")
    moved = interfaces_of(stiff)["x_max"]
    _, rows, _ = fit_rows(moved.points, moved.weights)
    np.testing.assert_allclose((rows @ moved.shape)[:, -6:], np.eye(6), atol=1e-9)


def test_matrices_have_interfaces():
    solid = ElasticSolid(block(0.1, 0.02, 0.01, (1, 1, 1)), STEEL, "hex1")
    unknowns = np.column_stack([np.repeat(np.arange(8), 3), np.tile([0, 1, 2], 8)])
    end = np.flatnonzero(solid.nodes[:, 0] > 0.05)[None, [0, 1, 3, 2]]
    model = MatrixModel(solid.stiffness, solid.mass, solid.nodes, unknowns, {"end": end})
    assert list(interfaces_of(model)) == ["end"]
