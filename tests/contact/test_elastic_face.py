"""Elastic facets as master: derivatives on every kind of facet, anchors, boundaries, search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.body import ElasticBody, RigidBody
from fecontact.contact import ContactPair, PenaltyNormal
from fecontact.contact.evaluate.step import ContactHistory, ContactStart
from fecontact.contact.kernels.facets.search import FAR
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.elastic_face import ElasticFace
from fecontact.contact.master.facets import Facets, mesh_facets
from fecontact.contact.master.search import NearestCentre
from fecontact.contact.surface.points import elastic_surface
from fecontact.errors import InputError
from fecontact.fem import (
    ElasticSolid,
    KirchhoffPlate,
    Material,
    MindlinPlate,
    Section,
    straight_beam,
)
from fecontact.mesh import block, rectangle, solid_annulus
from fecontact.reduction import reduce_model

SOFT = Material(1e7, 0.3, 1000.0)
ELEMENTS = {"tri3": ("tet", "tet1"), "tri6": ("tet", "tet2"), "quad4": ("hex", "hex1"),
            "quad8": ("hex", "hexS2"), "quad9": ("hex", "hex2")}  # fmt: skip


def solid_body(kind, frame="free", cells=(2, 2, 1)):
    cell, element = ELEMENTS[kind]
    solid = ElasticSolid(block(1.0, 0.8, 0.3, cells=cells, cell=cell), SOFT, element=element)
    model = reduce_model(solid, contact=["z_max", "z_min"], modes=4, method="free")
    return ElasticBody(kind, model, position=(0.1, 0.2, -0.3), frame=frame)


@pytest.fixture(scope="module", params=[*ELEMENTS, "plate", "fixed"])
def scene(request):
    """Face, slave points, coordinates and velocities; the deformation bends the facets."""
    rng = np.random.default_rng(5)
    if request.param == "plate":
        plate = MindlinPlate(rectangle(1.0, 0.8, (3, 2)), 0.05, SOFT, membrane=True)
        model = reduce_model(plate, contact="top", modes=4, method="free")
        body, top = ElasticBody("plate", model, geometric_stiffness=False), "top"
    elif request.param == "fixed":
        body, top = solid_body("quad8", "fixed"), "z_max"
    else:
        body, top = solid_body(request.param), "z_max"
    face, m = ElasticFace(body, top), body.model.size - body.model.rigid
    size = np.abs(face.shapes).max()
    step = np.concatenate([0.4 * rng.standard_normal(len(body.dofs) - m),
                           0.03 / size * rng.uniform(-1, 1, m)])  # fmt: skip
    q, v = body.move(body.reference(), step), rng.standard_normal(len(body.dofs))
    v[-m:] /= size
    frame = body.frame_motion(q, v)
    local = np.array([[0.23, 0.31], [0.5, 0.22], [0.3, 0.4], [0.11, 0.6]])
    facet = rng.integers(0, len(face.facets.connectivity), len(local))
    flat = face.weights(facet, face.facets.sample(local)[:, 0])
    y = flat @ face.facets.nodes + face.spread(flat) @ frame.elastic
    y[:, 2] += np.array([0.02, -0.01, 0.03, -0.02])
    return face, frame.position(y), q, v


@pytest.mark.parametrize("name", ["gap", "normal", "velocity"])
def test_derivatives(scene, difference, name):
    face, x, q, v = scene
    found = getattr(face.project(x, q, v), f"d_{name}")

    def value(y):
        at = face.project(x + y[:3], face.body.move(q, y[3:]), v)
        return np.asarray(getattr(at, name)).ravel()

    expected = difference(value, np.zeros(3 + len(v)), np.full(3 + len(v), 1e-3))
    found = found.reshape(expected.shape)
    assert np.all(np.isfinite(expected))
    for block_ in (slice(0, 3), slice(3, None)):
        scale = np.linalg.norm(expected[:, block_])
        assert np.linalg.norm(found[:, block_] - expected[:, block_]) <= 1e-7 * max(scale, 1e-3)


def test_derivative_of_the_load(scene, difference):
    face, x, q, v = scene
    force = np.random.default_rng(1).standard_normal((len(x), 3))

    def load(y):
        return face.project(x + y[:3], face.body.move(q, y[3:]), v).apply_transpose(force)

    expected = difference(load, np.zeros(3 + len(v)), np.full(3 + len(v), 1e-3))
    found = face.project(x, q, v).d_load(force, np.broadcast_to(np.eye(3), (len(x), 3, 3)))
    assert np.linalg.norm(found - expected) <= 1e-7 * np.linalg.norm(expected)


def test_transpose_is_the_dual_of_the_velocity(scene):
    face, x, q, v = scene
    at = face.project(x, q, v)
    force = np.random.default_rng(2).standard_normal((len(x), 3))
    expected = np.einsum("pin,pi->n", at.jacobian, force)
    np.testing.assert_allclose(
        at.apply_transpose(force), expected, atol=1e-12 * np.abs(expected).max()
    )
    np.testing.assert_allclose(at.velocity, at.jacobian @ v, rtol=1e-12, atol=1e-12)


def test_anchor_is_carried_by_the_material(scene, difference):
    """The foot moves with the body; its place at q is the foot, its derivative exact."""
    face, x, q, v = scene
    at = face.project(x, q, v)
    place, by_q = face.carried(at.anchor, q), face.d_carried(at.anchor, q)
    np.testing.assert_allclose(place + at.gap[:, None] * at.normal, x, atol=1e-12)
    expected = difference(lambda s: face.carried(at.anchor, face.body.move(q, s)).ravel(),
                          np.zeros(len(v)), np.full(len(v), 1e-3))  # fmt: skip
    error = np.linalg.norm(by_q.reshape(expected.shape) - expected)
    assert error <= 1e-9 * np.linalg.norm(expected)


def test_distance_is_the_smallest_of_all_facets(scene):
    """No other facet, sampled densely, is nearer than the foot."""
    face, x, q, v = scene
    at = face.project(x, q, v)
    triangle = face.facets.corners.shape[1] == 3
    s = np.linspace(0.0, 1.0, 41) if triangle else np.linspace(-1.0, 1.0, 41)
    local = np.stack(np.meshgrid(s, s), axis=-1).reshape(-1, 2)
    local = local[local.sum(axis=1) <= 1.0] if triangle else local
    N = face.facets.sample(local)[:, 0]
    grid = np.einsum("qa,fai->fqi", N, at.nodes[face.facets.connectivity]).reshape(-1, 3)
    nearest = np.linalg.norm(grid[None] - at.y[:, None], axis=2).min(axis=1)
    assert np.all(np.abs(at.gap) <= nearest + 1e-12)
    assert np.all(nearest <= np.abs(at.gap) + 0.05)


def test_points_beyond_the_boundary_are_open():
    face = ElasticFace(solid_body("quad4"), "z_max")
    x = np.array([[0.5, 0.4, -0.01], [1.2, 0.4, -0.01], [0.5, -0.5, 0.0], [1.5, 1.5, 0.0]])
    q = face.body.reference()
    at = face.project(x, q, np.zeros(len(face.body.dofs)))
    np.testing.assert_allclose(at.gap, [-0.01, np.inf, np.inf, np.inf])


@pytest.mark.parametrize("cell", ["quad", "tri"])
@pytest.mark.parametrize(("side", "sign"), [("top", 1.0), ("bottom", -1.0)])
def test_faces_of_a_plate_lie_at_half_its_thickness(side, sign, cell):
    """Both faces, on Mindlin and Kirchhoff plates, whichever way the cells turn."""
    mesh = rectangle(1.0, 0.8, (3, 2), cell=cell)
    plate = (MindlinPlate if cell == "quad" else KirchhoffPlate)(mesh, 0.05, SOFT)
    model = reduce_model(plate, contact=side, modes=3, method="free", floating_frame=False)
    body = ElasticBody("plate", model, frame="fixed")
    x = np.array([[0.3, 0.2, 0.035 * sign], [0.7, 0.61, 0.015 * sign]])
    at = ElasticFace(body, side).project(x, body.reference(), np.zeros(len(body.dofs)))
    np.testing.assert_allclose(at.gap, [0.01, -0.01], atol=1e-12)
    np.testing.assert_allclose(at.normal, [[0.0, 0.0, sign]] * 2, atol=1e-12)


def test_gap_is_continuous_over_the_edge_of_two_facets():
    """Two facets with a ridge: the gap does not jump, on either side and from both sides."""
    nodes = np.array(
        [[-1.0, 0, -0.2], [0, 0, 0], [0, 1, 0], [-1, 1, -0.2], [1, 0, -0.2], [1, 1, -0.2]]
    )
    ridge = Facets(nodes, np.array([[0, 1, 2, 3], [1, 4, 5, 2]]))
    for height in (0.05, -0.05):
        x = np.linspace(-0.05, 0.05, 1001)
        y = np.column_stack([x, np.full_like(x, 0.4), np.full_like(x, height)])
        projected = ridge.projection_points(y, NearestCentre(ridge.centres)(y))
        n = ridge.normals(projected.facet, projected.local)
        n /= np.linalg.norm(n, axis=1)[:, None]
        nearest = np.einsum("pa,pai->pi", ridge.sample(projected.local)[:, 0],
                         nodes[ridge.connectivity[projected.facet]])  # fmt: skip
        gap = np.einsum("pi,pi->p", y - nearest, n)
        assert set(projected.facet) == {0, 1}
        assert np.abs(np.diff(gap)).max() < 1e-4 * 0.25


def test_a_point_far_off_in_a_wedge_has_the_true_distance():
    nodes = np.array([[-1.0, 0, -0.2], [0, 0, 0], [0, 1, 0], [-1, 1, -0.2], [1, 0, -0.2],
                      [1, 1, -0.2]])  # fmt: skip
    ridge = Facets(nodes, np.array([[0, 1, 2, 3], [1, 4, 5, 2]]))
    projected = ridge.projection_points(np.array([[0.1, 0.4, 3.0]]), np.zeros(1, dtype=np.int64))
    assert projected.state == FAR
    np.testing.assert_allclose(ridge.positions(projected), [[0.0, 0.4, 0.0]], atol=1e-12)


def test_points_beside_the_master_carry_nothing():
    """A slave that reaches over the boundary: forces of the rest only, finite exact tangents."""
    low = solid_body("quad8")
    high = ElasticBody("high", low.model, position=(0.65, 0.55, -0.001))
    pair = ContactPair(high, elastic_surface(high, "z_min"), ElasticFace(low, "z_max"),
                       PenaltyNormal(1e6), ElastoPlastic(0.3, 1e6))  # fmt: skip
    q = np.concatenate([b.reference() for b in pair.bodies])
    v = np.zeros(2 * len(low.dofs))
    start = ContactStart.of(pair, 0.0, q, v, ContactHistory.fresh(len(pair.surface.points)))
    step = start.at(0.0, q, v, 1e-3)
    x = pair.surface.points[:, :2] + [0.65, 0.55]
    over = (x[:, 0] < 1.1) & (x[:, 1] < 1.0)
    np.testing.assert_array_equal(step.pressure[0] > 0.0, over)
    assert 0 < np.count_nonzero(over) < len(over)
    assert np.all(np.isfinite(step.tangents()))


@pytest.mark.parametrize("cells", [(8, 8), (64, 64)])
def test_search_looks_at_few_facets_however_many_there_are(cells):
    """From 64 to 4096 facets the work per point stays; points that stay are not looked up."""
    facets = mesh_facets(block(1.0, 1.0, 0.1, cells=(*cells, 1)), "z_max")
    assert len(facets.connectivity) == cells[0] * cells[1]
    y = np.random.default_rng(0).uniform(0.01, 0.99, (500, 3)) * [1.0, 1.0, 0.0] + [0, 0, 0.11]
    search = NearestCentre(facets.centres)
    projected = facets.projection_points(y, search(y))
    assert projected.visits.mean() < 1.05
    assert search.queries == 500
    moved = y + 1e-4 / cells[0]
    again = search(moved)
    assert search.queries < 500 + 25
    np.testing.assert_array_equal(again, NearestCentre(facets.centres)(moved))


def test_search_walks_from_a_wrong_start():
    facets = mesh_facets(block(1.0, 1.0, 0.1, cells=(16, 16, 1)), "z_max")
    y = np.array([[0.913, 0.871, 0.12]])
    right = facets.projection_points(y, NearestCentre(facets.centres)(y))
    walked = facets.projection_points(y, np.zeros(1, dtype=np.int64))
    assert walked.facet == right.facet
    np.testing.assert_allclose(walked.local, right.local, atol=1e-12)


def test_facets_of_a_curved_wall_have_its_area_and_normals():
    mesh = solid_annulus(0.5, 1.0, 0.0, 0.4, radial=1, circumferential=24, order=2)
    wall = mesh_facets(mesh, "outer")
    points, weights = wall.quadrature()
    assert weights.sum() == pytest.approx(2 * np.pi * 0.4, rel=1e-5)
    projected = wall.projection_points(1.1 * points, NearestCentre(wall.centres)(1.1 * points))
    n = wall.normals(projected.facet, projected.local)
    assert np.all(np.einsum("pi,pi->p", n, points) > 0.0)


@pytest.mark.parametrize("kind", ELEMENTS)
def test_facets_are_those_of_the_named_surface(kind):
    """As many facets as the mesh has there, and the area of the surface, on every kind."""
    body = solid_body(kind)
    face = ElasticFace(body, "z_max")
    mesh = block(1.0, 0.8, 0.3, cells=(2, 2, 1), cell=ELEMENTS[kind][0])
    assert len(face.facets.connectivity) == len(mesh.boundaries["z_max"])
    assert face.facets.quadrature()[1].sum() == pytest.approx(0.8, rel=1e-12)


def test_what_cannot_be_a_master_is_refused():
    with pytest.raises(InputError, match=r"body = a RigidBody.* ElasticBody;.* RigidFace"):
        ElasticFace(RigidBody("block", 1.0), "side")
    with pytest.raises(InputError, match="unknown surface 'side'"):
        ElasticFace(solid_body("quad4"), "side")
    section = replace(Section.rectangle(0.1, 0.1), width=0.0)
    beam = reduce_model(straight_beam(1.0, section, SOFT), contact="top", modes=2, method="free")
    with pytest.raises(InputError, match="without facets: expected a solid"):
        ElasticFace(ElasticBody("beam", beam, geometric_stiffness=False), "top")
