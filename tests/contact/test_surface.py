"""Slave surfaces: quadrature of patches and facets, initial gaps, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import ElasticBody, ModalBody, RigidBody
from fecontact.contact import ContactPair, CoulombSliding, PenaltyNormal, Surface
from fecontact.contact.master.elastic_face import ElasticFace
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.contact.surface.gap_fields import conical, spherical, waviness
from fecontact.contact.surface.patches import annulus, cap, cone_wall, line, rectangle, ring
from fecontact.contact.surface.points import elastic_surface, mesh_surface
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material, MindlinPlate, Section, straight_beam
from fecontact.mesh import block, solid_annulus
from fecontact.mesh import rectangle as plate_mesh
from fecontact.reduction import reduce_model

STUFF = Material(1e9, 0.3, 1000.0)


def moments(surface):
    x, w = surface.points, surface.weights
    return w.sum(), w @ x, np.einsum("p,pi,pj->ij", w, x, x)


def test_annulus_integrates_what_a_clutch_needs():
    """Area, second moments and int r dA in closed form, to round-off."""
    area, first, second = moments(annulus(0.06, 0.11, (2, 8), height=0.3))
    r = np.hypot(*annulus(0.06, 0.11, (2, 8)).points[:, :2].T)
    assert area == pytest.approx(np.pi * (0.11**2 - 0.06**2), rel=1e-14)
    np.testing.assert_allclose(first, [0.0, 0.0, 0.3 * area], atol=1e-17)
    np.testing.assert_allclose(np.diag(second)[:2], np.pi / 4 * (0.11**4 - 0.06**4), rtol=1e-13)
    torque = annulus(0.06, 0.11, (2, 8)).weights @ r
    assert torque == pytest.approx(2 * np.pi / 3 * (0.11**3 - 0.06**3), rel=1e-14)


def test_rectangle_and_line():
    area, first, second = moments(rectangle(0.3, 0.2, (2, 2)))
    assert area == pytest.approx(0.06, rel=1e-14)
    np.testing.assert_allclose(first, 0.0, atol=1e-17)
    np.testing.assert_allclose(np.diag(second), [0.06 * 0.09 / 12, 0.06 * 0.04 / 12, 0], rtol=1e-13)
    length, first, _ = moments(line((0.0, 0.0, 1.0), (3.0, 4.0, 1.0), points=3))
    assert length == pytest.approx(5.0, rel=1e-14)
    np.testing.assert_allclose(first, [7.5, 10.0, 5.0], rtol=1e-14)


def test_cap_and_cone_wall():
    """Areas 2 pi R^2 (1 - cos) and pi (r_2 + r_1) s; all points on the surface."""
    ball = cap(0.2, 1.1, (3, 7), sign=-1.0)
    assert ball.measure == pytest.approx(2 * np.pi * 0.04 * (1 - np.cos(1.1)), rel=1e-14)
    np.testing.assert_allclose(np.linalg.norm(ball.points, axis=1), 0.2, rtol=1e-14)
    assert np.all(ball.points[:, 2] < 0.0)
    wall = cone_wall(0.4, 0.1, 0.3)
    assert wall.measure == pytest.approx(np.pi * 0.4 * np.tan(0.4) * 0.2 / np.cos(0.4), rel=1e-14)
    radii = np.hypot(*wall.points[:, :2].T)
    np.testing.assert_allclose(radii, np.tan(0.4) * wall.points[:, 2], rtol=1e-13)


@pytest.mark.parametrize("points", ["quadrature", "nodes"])
@pytest.mark.parametrize(("cell", "order"), [("tet", 1), ("tet", 2), ("hex", 1), ("hex", 2)])
def test_mesh_surface_of_a_rigid_body(cell, order, points):
    """Area and centre of a face; the points move with the body made from the same mesh."""
    mesh = block(0.4, 0.3, 0.2, cells=(3, 2, 1), cell=cell, order=order)
    top = mesh_surface(mesh, "z_max", points)
    assert top.measure == pytest.approx(0.12, rel=1e-12)
    np.testing.assert_allclose(top.weights @ top.points / 0.12, [0.0, 0.0, 0.1], atol=1e-12)
    body = RigidBody.from_mesh("part", mesh, 1000.0)
    x = body.point_motion(body.reference(), np.zeros(6), top.points).position
    np.testing.assert_allclose(x[:, 2], 0.2, atol=1e-12)


def test_curved_face_of_a_mesh_converges():
    exact = 2 * np.pi * 0.11 * 0.01
    errors = [mesh_surface(solid_annulus(0.06, 0.11, 0.0, 0.01, radial=1, circumferential=n,
                                         order=2), "outer").measure / exact - 1
              for n in (12, 24)]  # fmt: skip
    assert abs(errors[1]) < abs(errors[0]) / 12.0  # fourth order


@pytest.fixture(scope="module")
def bodies():
    solid = ElasticSolid(block(0.4, 0.3, 0.1, cells=(2, 2, 1)), STUFF)
    plate = MindlinPlate(plate_mesh(0.4, 0.3, (2, 2)), 0.02, STUFF, membrane=True)
    return {
        "solid": (ElasticBody("s", reduce_model(solid, contact="z_max", modes=3)), "z_max", 0.1),
        "plate": (ElasticBody("p", reduce_model(plate, contact="top", modes=3),
                              geometric_stiffness=False), "top", 0.01),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["solid", "plate"])
@pytest.mark.parametrize("parts", [None, 1, 3])
def test_elastic_surface(bodies, name, parts):
    """Area, level, and the displacement of the points is that of the model's own surface."""
    body, surface, level = bodies[name]
    top = elastic_surface(body, surface, parts=parts)
    assert top.measure == pytest.approx(0.12, rel=1e-12)
    np.testing.assert_allclose(top.points[:, 2], level, atol=1e-12)
    q, v = body.reference(), np.zeros(len(body.dofs))
    q[7:] = 1e-3
    x = body.point_motion(q, v, top.material).position
    own = body.point_motion(q, v, surface)
    weights = body.model.surface(surface).weights
    mean = weights @ (own.position - own.points.points) / weights.sum()
    found = top.weights @ (x - top.points) / top.measure
    np.testing.assert_allclose(found, mean, atol=1e-9 * np.abs(mean).max())


def test_elastic_surface_by_its_nodes():
    """The nodes move as the body says of them; their areas add up and balance about the middle."""
    solid = ElasticSolid(block(0.4, 0.3, 0.1, cells=(2, 2, 1)), STUFF, "hex2")
    body = ElasticBody("s", reduce_model(solid, contact="z_max", modes=3))
    top = elastic_surface(body, "z_max", "nodes")
    assert top.measure == pytest.approx(0.12, rel=1e-12)
    np.testing.assert_allclose(top.weights @ top.points / 0.12, [0.2, 0.15, 0.1], rtol=1e-12)
    rng = np.random.default_rng(2)
    q = body.move(body.reference(), 0.1 * rng.standard_normal(len(body.dofs)))
    v = np.zeros(len(body.dofs))
    nodes = body.point_motion(q, v, top.points).position
    np.testing.assert_allclose(body.point_motion(q, v, top.material).position, nodes, atol=1e-14)


def test_motion_of_an_elastic_surface_has_the_transpose_of_its_jacobian(bodies):
    body, surface, _ = bodies["solid"]
    rng = np.random.default_rng(1)
    q = body.move(body.reference(), 0.1 * rng.standard_normal(len(body.dofs)))
    at = body.point_motion(q, rng.standard_normal(len(body.dofs)), surface)
    force = rng.standard_normal(at.position.shape)
    expected = np.einsum("pin,pi->n", at.jacobian, force)
    np.testing.assert_allclose(
        at.apply_transpose(force), expected, atol=1e-12 * np.abs(expected).max()
    )


def test_beam_line_as_slave_and_its_box_as_master():
    """Top and bottom of a bending beam move by the rotation times -+ half the height."""
    beam = straight_beam(1.0, Section.rectangle(0.04, 0.06), STUFF, elements=4)
    model = reduce_model(beam, contact=["top", "bottom"], modes=3, method="free")
    body = ElasticBody("beam", model, geometric_stiffness=False)
    top, bottom = (elastic_surface(body, side) for side in ("top", "bottom"))
    assert top.measure == pytest.approx(1.0, rel=1e-12)
    np.testing.assert_allclose(top.points[:, 2], 0.03)
    np.testing.assert_allclose(top.shapes[:, 2], bottom.shapes[:, 2], atol=1e-12)
    assert np.abs(top.shapes[:, 0]).max() > 1e-3
    np.testing.assert_allclose(top.shapes[:, 0], -bottom.shapes[:, 0], atol=1e-12)
    q, v = body.reference(), np.zeros(len(body.dofs))
    q[7:] = 0.01
    face = ElasticFace(body, "top")
    assert len(face.facets.connectivity) == 4
    nodes = body.point_motion(q, v, top.material).position[::2]  # the mids bend between the nodes
    np.testing.assert_allclose(face.project(nodes[1:-1], q, v).gap, 0.0, atol=1e-12)


def test_initial_gap_shifts_the_distance():
    surface = annulus(0.06, 0.11, (2, 12)).with_gap(waviness(1e-4, 3)).with_gap(2e-5)
    body = RigidBody("disc", 1.0, ("uz",))
    pair = ContactPair(body, surface, RigidFace(None, Plane()), PenaltyNormal(1e9, 0.0),
                       CoulombSliding(0.3))  # fmt: skip
    q = np.array([-5e-5])
    at = pair.kinematics(q, np.zeros(1))
    angle = np.arctan2(surface.points[:, 1], surface.points[:, 0])
    np.testing.assert_allclose(at.gap, 1e-4 * (1 - np.cos(3 * angle)) - 3e-5, atol=1e-18)
    pressure = np.maximum(-1e9 * at.gap, 0.0)
    assert pair.status(q, np.zeros(1)).normal_force == pytest.approx(surface.weights @ pressure)


def test_gap_of_a_ball_is_that_of_its_surface():
    """Points of a cap, shifted so that it touches the plane, lie on the gap field."""
    ball = cap(0.2, 0.5, (3, 7), sign=-1.0).points
    np.testing.assert_allclose(spherical(0.2)(ball), ball[:, 2] + 0.2, atol=1e-15)
    with pytest.raises(InputError, match="beside the ball"):
        spherical(0.05)(ball)


def test_conical_gap_is_zero_at_one_edge_and_never_negative():
    radii = np.array([[0.06, 0.0, 0.0], [0.0, 0.11, 0.0]])
    np.testing.assert_allclose(conical(0.06, 0.11, 1e-4)(radii), [1e-4, 0.0], atol=1e-18)
    np.testing.assert_allclose(conical(0.06, 0.11, -1e-4)(radii), [0.0, 1e-4], atol=1e-18)


def test_impossible_surfaces_are_refused():
    with pytest.raises(InputError, match="positive area"):
        Surface(np.zeros((2, 3)), np.zeros(2))
    with pytest.raises(InputError, match="expected points"):
        Surface(np.zeros((0, 3)), np.zeros(0))
    with pytest.raises(InputError, match=r"expected \(p, 3\)"):
        Surface(np.zeros((2, 3)), np.ones(3))
    with pytest.raises(InputError, match="initial gap"):
        ring(0.1).with_gap(np.zeros(7))
    with pytest.raises(InputError, match="expected one with a length"):
        line((0, 0, 0), (0, 0, 0))
    with pytest.raises(InputError, match="annulus outer"):
        annulus(0.1, 0.1)
    with pytest.raises(InputError, match="unknown surface 'lid'"):
        mesh_surface(block(1.0, 1.0, 1.0), "lid")


NAN = np.full((1, 3, 4), np.nan)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Surface("abc", [1.0]), "surface: invalid points = 'abc'"),
        (lambda: Surface(0.0, 1.0), r"points \(\) and weights \(\)"),
        (lambda: Surface([[0, 0, 0]], [1], np.zeros((2, 3, 4))), r"shapes.* shape \(1, 3, m\)"),
        (lambda: Surface([[0, 0, 0]], [1], np.zeros((3, 4))), r"shapes.* shape \(1, 3, m\)"),
        (lambda: Surface([[0, 0, 0]], [1], NAN), r"shapes.* with nan or inf.* finite"),
        (lambda: ring(0.1).with_gap("wavy"), "initial gap = 'wavy'"),
        (lambda: ring(0.1).with_gap(None), "initial gap"),
        (lambda: ring(0.1).with_gap(np.zeros(24)).with_gap(np.zeros(7)), r"gap of shape \(7,\)"),
        (lambda: annulus(0.1, 0.2, 48), "annulus points = 48.* two numbers"),
        (lambda: rectangle(0.1, 0.2, (4, 4, 4)), "rectangle points"),
        (lambda: cap(0.1, 0.3, sign=0.0), "cap sign = 0.0.* 1 or -1"),
        (lambda: cap(0.1, 0.3, sign=2), "cap sign = 2"),
        (lambda: mesh_surface(block(1.0, 1.0, 1.0), "z_min", centre=(0, 0)), "centre = .*(3,)"),
        (lambda: mesh_surface(None, "z_min"), "mesh = a NoneType.* Mesh"),
        (lambda: elastic_surface(RigidBody("b", 1.0), "z_min"), "ElasticBody;.* mesh_surface"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(InputError, match=words):
        make()


def test_surface_of_lists():
    surface = Surface([[0, 0, 0], [0, 1, 0]], [1, 2], gap=[0, 1])
    assert surface.measure == 3.0
    assert {each.dtype for each in (surface.points, surface.weights, surface.gap)} == {
        np.dtype(float)
    }


def test_parts_of_nodes_are_refused(bodies):
    body, surface, _ = bodies["solid"]
    with pytest.raises(InputError, match=r'parts = 3.* points="nodes"'):
        elastic_surface(body, surface, points="nodes", parts=3)


def test_surface_of_another_body_is_refused(bodies):
    body, surface, _ = bodies["solid"]
    rigid = RigidBody("block", 1.0, ("uz",))
    with pytest.raises(InputError, match="on 'block' with 1 dofs"):
        ContactPair(rigid, elastic_surface(body, surface), RigidFace(None, Plane()),
                    PenaltyNormal(1e9), CoulombSliding(0.3))  # fmt: skip


@pytest.mark.parametrize("kind", ["elastic", "modal", "rigid"])
def test_number_of_shapes_is_that_of_the_body(bodies, kind):
    """Six shapes less than dofs fit a free frame only, as many only a fixed one."""
    elastic = bodies["solid"][0]
    modes = elastic.model.size - elastic.model.rigid
    body, right = {
        "elastic": (elastic, modes),
        "modal": (ModalBody("beam", np.ones(2)), 2),
        "rigid": (RigidBody("block", 1.0, ("ux", "uz")), None),
    }[kind]
    for count in {None, 2, modes, modes + 1, len(elastic.dofs)} - {right}:
        shapes = None if count is None else np.zeros((1, 3, count))
        with pytest.raises(InputError, match=f"on '{body.name}'.* expected {right or 'none'}"):
            ContactPair(body, Surface(np.zeros((1, 3)), np.ones(1), shapes),
                        RigidFace(None, Plane()), PenaltyNormal(1e9),
                        CoulombSliding(0.3))  # fmt: skip


@pytest.mark.parametrize("points", [ring(0.1, 24).points, annulus(0.08, 0.1, (2, 24)).points])
def test_waves_that_circles_do_not_resolve(points):
    """20 waves on 24 points are the same values as 4 waves: they are refused."""
    surface = Surface(points, np.ones(len(points)))
    alias = waviness(1e-6, 20)(points)
    np.testing.assert_allclose(alias, waviness(1e-6, 4)(points), atol=1e-19)
    assert np.ptp(surface.with_gap(waviness(1e-6, 11)).gap) > 1e-6
    for waves in (12, 20):
        with pytest.raises(InputError, match=rf"waves = {waves}.* circles of 24.* < 12; take"):
            surface.with_gap(waviness(1e-6, waves))


def test_waves_on_a_sector_have_no_limit():
    pad = annulus(0.08, 0.1, (2, 24))
    pad = Surface(pad.points[pad.points[:, 0] > 0.05], pad.weights[pad.points[:, 0] > 0.05])
    assert np.ptp(pad.with_gap(waviness(1e-6, 20)).gap) > 1e-6
    one = Surface(np.array([[0.0, 0.1, 0.0]]), np.ones(1)).with_gap(waviness(1e-6, 3))
    assert one.gap == pytest.approx(1e-6)
