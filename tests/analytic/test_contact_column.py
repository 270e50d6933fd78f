"""Patch test of contact points: a confined column on a rigid plane carries uniform pressure.

The sides of a column of height h hold it laterally, a rigid plane is pressed into its top by u.
Column and penalty are springs in series,

    p = u / (1/c + h/E_c),      E_c = E (1 - nu) / ((1 + nu) (1 - 2 nu)) ,

at every point, whatever the mesh, if the weights of the points are consistent: a uniform pressure
then loads the nodes as the finite elements ask for it. The gap of a point is p/c = 0.3 um at
places of 0.1 m, so pressures are right to 1e-16 * 0.1/3e-7 or 1e-10; asked are 1e-8.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import ElasticBody, FEBody, RigidBody
from fecontact.contact import ContactPair, PenaltyNormal, fe_surface
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.facets import mesh_facets
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.contact.surface.points import elastic_surface, mesh_surface
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import DofCoordinate, PrescribedMotion, Speed
from fecontact.mesh import block, solid_annulus
from fecontact.reduction import reduce_model
from fecontact.system import System

SOFT = Material(1e7, 0.3, 1000.0)
SIZE, DEPTH, PENALTY = (0.1, 0.08, 0.05), 1e-4, 1e11
LAWS = PenaltyNormal(PENALTY), ElastoPlastic(0.2, PENALTY)
PLATE = Plane((0.0, 0.0, SIZE[2]), (0.0, 0.0, -1.0))
SUPPORTS = {"z_min": "clamped"} | {name: name[0] for name in ("x_min", "x_max", "y_min", "y_max")}
CONFINED = SOFT.young * (1.0 - SOFT.poisson) / ((1.0 + SOFT.poisson) * (1.0 - 2.0 * SOFT.poisson))
PRESSURE = DEPTH / (1.0 / PENALTY + SIZE[2] / CONFINED)
NODAL = ("tet1", "tet2", "hex1", "hex2")
KINDS = [(e, "nodes") for e in NODAL] + [(e, "quadrature") for e in (*NODAL, "hexS2")]


def column(element, distorted):
    """Column of few cells; distorted, its inner nodes are moved, those of faces within them."""
    mesh = block(*SIZE, (3, 2, 2), cell=element[:3])
    if distorted:
        move = 0.012 * np.random.default_rng(4).uniform(-1.0, 1.0, mesh.p.shape)
        for axis, length in enumerate(SIZE):
            move[axis, (mesh.p[axis] < 1e-9) | (mesh.p[axis] > length - 1e-9)] = 0.0
        mesh = replace(mesh, doflocs=mesh.p + move)
    return ElasticSolid(mesh, SOFT, element, supports=SUPPORTS)


@pytest.mark.parametrize("distorted", [False, True])
@pytest.mark.parametrize(("element", "points"), KINDS)
def test_condensed_column(element, points, distorted):
    solid = column(element, distorted)
    body = FEBody("column", solid)
    tool = RigidBody("plate", 1.0, ("uz",))
    face = fe_surface(body, solid.surface("z_max", points))
    pair = ContactPair(body, face, RigidFace(tool, PLATE), *LAWS)
    push = PrescribedMotion(DofCoordinate(tool, "uz"), Speed(-DEPTH))
    problem = StaticSystem(System([body, tool], [pair, push]))
    result = load_path(problem, [1.0], tolerance=1e-11).increments[-1].contacts["contact"]
    assert result.pressure == pytest.approx(PRESSURE, rel=1e-8)
    assert -result.force[2] == pytest.approx(PRESSURE * SIZE[0] * SIZE[1], rel=1e-8)


@pytest.mark.parametrize("distorted", [False, True])
@pytest.mark.parametrize(("element", "points"), KINDS)
def test_reduced_column(element, points, distorted):
    """The same with all shapes of the face kept; the plane is pressed in by an initial overlap."""
    solid = column(element, distorted)
    model = reduce_model(solid, contact="z_max", method="craig-bampton", modes=0)
    body = ElasticBody("column", model, frame="fixed", geometric_stiffness=False)
    surface = elastic_surface(body, "z_max", points).with_gap(-DEPTH)
    pair = ContactPair(body, surface, RigidFace(None, PLATE), *LAWS)
    path = load_path(StaticSystem(System([body], [pair])), [1.0], tolerance=1e-11)
    result = path.increments[-1].contacts["contact"]
    assert result.pressure == pytest.approx(PRESSURE, rel=1e-8)


def test_corners_of_six_nodes_are_left_out():
    """Mid-nodes carry a third of the area of each facet; corners nothing."""
    solid = column("tet2", distorted=False)
    top = solid.surface("z_max", "nodes")
    vertices = solid.mesh.p.T
    distances = np.linalg.norm(top.points[:, None] - vertices, axis=2)
    assert distances.min() > 1e-3
    facet = SIZE[0] * SIZE[1] / 12.0
    np.testing.assert_allclose(np.unique(np.round(top.weights / facet, 9)), [1 / 3, 2 / 3])


@pytest.mark.parametrize("name", ["top", "outer"])
def test_curved_facets_of_six_nodes_keep_the_area(name):
    """Corners of curved facets would get weights of either sign; the mid-nodes take them over."""
    mesh = solid_annulus(0.06, 0.11, 0.0, 0.008, 2, 16, 2, "tet", 2)
    area = mesh_facets(mesh, name).quadrature()[1].sum()
    top = mesh_surface(mesh, name, "nodes", centre=np.zeros(3))
    assert top.weights.min() > 0.0
    assert top.measure == pytest.approx(area, rel=1e-12)


def test_corners_of_eight_nodes_are_refused():
    solid = column("hexS2", distorted=False)
    words = '"nodes": expected no negative weights; 12 nodes.*"quadrature".*"hex2"'
    with pytest.raises(InputError, match=f"^surface 'z_max': invalid points = {words}"):
        solid.surface("z_max", "nodes")
    body = ElasticBody("column", reduce_model(solid, contact="z_max", modes=2), frame="fixed")
    with pytest.raises(InputError, match=f"^surface 'z_max' of column: invalid points = {words}"):
        elastic_surface(body, "z_max", "nodes")
