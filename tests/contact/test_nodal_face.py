"""Facets with free nodes as master: derivatives point by point, balance of moments."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.contact.master.facets import Facets, mesh_facets
from fecontact.contact.master.nodal_face import NodalFace
from fecontact.mesh import block

NONE = np.zeros(0)


@pytest.fixture(scope="module", params=["tri3", "quad4", "quad9"])
def scene(request):
    """Face with displaced nodes, points over and under it, and their forces."""
    cell, order = {"tri3": ("tet", 1), "quad4": ("hex", 1), "quad9": ("hex", 2)}[request.param]
    facets = mesh_facets(block(1.0, 0.8, 0.3, (2, 2, 1), cell=cell, order=order), "z_max")
    rng = np.random.default_rng(3)
    nodes = facets.nodes + 0.03 * rng.uniform(-1.0, 1.0, facets.nodes.shape)
    facet = rng.integers(0, len(facets.connectivity), 5)
    local = np.array([[0.2, 0.3], [0.4, 0.25], [0.15, 0.5], [0.3, 0.3], [0.5, 0.1]])
    N = facets.sample(local)[:, 0]
    x = np.einsum("pa,pai->pi", N, nodes[facets.connectivity[facet]])
    x[:, 2] += [0.02, -0.01, 0.03, -0.02, 0.01]
    return NodalFace(facets), x, nodes, rng.standard_normal((5, 3))


def varied(face, x, nodes, value, difference):
    """Differences (p, ..., 3 + 3 k) of a value of each point by itself and its own nodes."""
    at = face.project(x, nodes.ravel(), NONE)
    k = at.members.shape[1]

    def moved(p):
        def function(y):
            places, corners = x.copy(), nodes.copy()
            places[p] += y[:3]
            corners[at.members[p]] += y[3:].reshape(-1, 3)
            return np.asarray(value(face.project(places, corners.ravel(), NONE)))[p].ravel()

        return difference(function, np.zeros(3 + 3 * k), np.full(3 + 3 * k, 1e-3))

    return at, k, np.array([moved(p) for p in range(len(x))])


@pytest.mark.parametrize("name", ["gap", "normal"])
def test_derivatives(scene, difference, name):
    face, x, nodes, _ = scene
    at, k, expected = varied(face, x, nodes, lambda a: getattr(a, name), difference)
    found = getattr(at, f"d_{name}").reshape(len(x), -1, 3 + 6 * k)
    assert np.all(found[:, :, 3 + 3 * k :] == 0.0)
    error = np.linalg.norm(found[:, :, : 3 + 3 * k] - expected)
    assert error <= 1e-7 * np.linalg.norm(expected)


def test_derivative_of_the_nodal_forces(scene, difference):
    face, x, nodes, force = scene
    at, k, expected = varied(
        face, x, nodes, lambda a: np.einsum("pin,pi->pn", a.jacobian, force), difference
    )
    found = at.d_load(force, np.broadcast_to(np.eye(3), (len(x), 3, 3)))
    error = np.linalg.norm(found[:, :, : 3 + 3 * k] - expected)
    assert error <= 1e-7 * np.linalg.norm(expected)


def test_nodal_forces_balance_the_slave_with_their_moments(scene):
    face, x, nodes, force = scene
    at = face.project(x, nodes.ravel(), NONE)
    k = at.members.shape[1]
    on_nodes = np.einsum("pin,pi->pn", at.jacobian, force)[:, : 3 * k].reshape(-1, k, 3)
    np.testing.assert_allclose(on_nodes.sum(axis=1), force, atol=1e-13)
    moment = np.cross(nodes[at.members], on_nodes).sum(axis=1)
    np.testing.assert_allclose(moment, np.cross(x, force), atol=1e-13)


def test_anchor_is_carried_by_its_own_nodes(scene):
    face, x, nodes, _ = scene
    at = face.project(x, nodes.ravel(), NONE)
    flat = nodes.ravel()
    place, by_nodes = face.carried(at.anchor, flat), face.d_carried(at.anchor, flat)
    np.testing.assert_allclose(place + at.gap[:, None] * at.normal, x, atol=1e-12)
    k = at.members.shape[1]
    assert np.all(by_nodes[:, :, : 3 * k] == 0.0)
    own = nodes[at.members].reshape(len(x), -1, 1)
    np.testing.assert_allclose((by_nodes[:, :, 3 * k :] @ own)[:, :, 0], place, atol=1e-12)


def test_points_beyond_the_boundary_load_no_node():
    square = Facets(np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]), np.arange(4)[None])
    at = NodalFace(square).project(np.array([[1.2, 0.5, -0.1]]), square.nodes.ravel(), NONE)
    assert at.gap == [np.inf]
    assert np.isfinite(at.d_load(np.zeros((1, 3)), np.eye(3)[None])).all()
