"""Couplings and equations: resultants, no stiffness, multipliers as reference, refusals."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from fecontact.errors import InputError
from fecontact.fem import (
    Assembly,
    AveragingCoupling,
    ElasticSolid,
    Equation,
    Material,
    RigidCoupling,
    static_displacement,
)
from fecontact.mesh import block, edges_on_nodes, with_node_sets

STEEL = Material(2e11, 0.3, 7800.0)
SIZE = (0.1, 0.03, 0.02)
SOLID = ElasticSolid(block(*SIZE, (4, 2, 1)), STEEL, supports={"x_min": "clamped"})
AT = (0.13, -0.02, 0.05)
pytestmark = pytest.mark.filterwarnings("ignore:the edges of the")


def point_rows(body, name):
    """Unknowns of a point from those of the assembly, (6, n)."""
    return body.transformation[body.layout.of_point(name)].toarray()


def with_multipliers(K, f, C):
    """Solution of K u = f under C u = 0."""
    none = np.zeros((len(C), len(C)))
    whole = np.linalg.solve(np.block([[K, C.T], [C, none]]), np.concatenate([f, none[:, 0]]))
    return whole[: len(f)]


@pytest.mark.parametrize("element", ["hexS2", "hex1", "tet2"])
def test_averaging_coupling_spreads_to_the_same_resultant(element):
    """A force and a moment at the point: nodal forces with that force and moment, to 1e-12."""
    solid = ElasticSolid(block(*SIZE, (4, 2, 2), element[:3]), STEEL, element=element)
    body = Assembly({"bar": solid}, couplings=[AveragingCoupling("eye", "x_max", AT)])
    load = np.array([3.0, -2.0, 5.0, 0.3, 0.7, -0.4])
    forces = (point_rows(body, "eye").T @ load).reshape(-1, 3)
    moment = np.cross(solid.nodes - AT, forces).sum(axis=0)
    size = np.abs(forces).sum()
    np.testing.assert_allclose(forces.sum(axis=0), load[:3], rtol=0, atol=1e-12 * size)
    np.testing.assert_allclose(moment, load[3:], rtol=0, atol=1e-12 * size)
    assert not forces[solid.nodes[:, 0] < 0.1 - 1e-9].any()


def test_averaging_coupling_adds_no_stiffness_and_follows_rigid_motions():
    body = Assembly({"bar": SOLID}, couplings=[AveragingCoupling("eye", "x_max", AT)])
    assert abs(body.stiffness - SOLID.stiffness).max() < 1e-12 * abs(SOLID.stiffness).max()
    assert abs(body.mass - SOLID.mass).max() < 1e-12 * abs(SOLID.mass).max()
    np.testing.assert_array_equal(body.free, SOLID.free)
    motion = np.array([0.1, -0.3, 0.2, 0.5, 0.4, -0.6])
    eye = point_rows(body, "eye") @ (SOLID.rigid_body_modes() @ motion)
    np.testing.assert_allclose(eye[:3], motion[:3] + np.cross(motion[3:], AT), atol=1e-12)
    np.testing.assert_allclose(eye[3:], motion[3:], atol=1e-12)
    np.testing.assert_allclose(body.rigid_body_modes(), SOLID.rigid_body_modes(), atol=1e-14)


@pytest.mark.parametrize("directions", ["xyz", "x", "yz"])
def test_rigid_coupling_against_multipliers(directions):
    """A point beside the face, loaded by force and moment; all or some displacements follow."""
    body = Assembly(
        {"bar": SOLID}, couplings=[RigidCoupling("eye", "x_max", AT, directions)],
        supports=None if directions == "xyz" else {"eye": held_for(directions)},
    )  # fmt: skip
    load = np.array([3.0, -2.0, 5.0, 0.3, 0.7, -0.4])
    if directions != "xyz":
        load[[("ux", "uy", "uz", "rx", "ry", "rz").index(c) for c in held_for(directions)]] = 0.0
    u = static_displacement(body, body.transformation[body.layout.of_point("eye")].T @ load)
    n = SOLID.stiffness.shape[0]
    on = np.flatnonzero(SOLID.nodes[:, 0] > 0.1 - 1e-9)
    rows = []
    for node in on:
        for axis in ("xyz".index(d) for d in directions):
            row = np.zeros(n + 6)
            row[3 * node + axis] = 1.0
            row[n + axis] = -1.0
            arm = SOLID.nodes[node] - AT
            row[n + 3 :] = -np.array([np.cross(e, arm)[axis] for e in np.eye(3)])
            rows.append(row)
    free = np.concatenate([SOLID.free, n + np.arange(6)])
    if directions != "xyz":
        names = ("ux", "uy", "uz", "rx", "ry", "rz")
        gone = [n + names.index(c) for c in held_for(directions)]
        free = np.setdiff1d(free, gone)
    K = np.zeros((n + 6, n + 6))
    K[:n, :n] = SOLID.stiffness.toarray()
    f = np.concatenate([np.zeros(n), load])
    expected = with_multipliers(K[np.ix_(free, free)], f[free], np.array(rows)[:, free])
    found = (body.transformation @ u)[free]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8 * np.abs(expected).max())


def held_for(directions):
    """Unknowns of the point that a coupling of some directions leaves without stiffness."""
    return ["uy", "uz", "rx"] if directions == "x" else ["ux", "ry", "rz"]


def test_one_point_for_two_faces():
    """Both ends of a free bar follow one point: they keep their distance."""
    free = ElasticSolid(SOLID.mesh, STEEL)
    body = Assembly({"bar": free}, couplings=[RigidCoupling("eye", ["x_min", "x_max"])])
    assert len(body.free) == 3 * len(free.nodes) + 6 - 3 * 2 * 13
    rigid = body.rigid_body_modes()
    np.testing.assert_allclose(body.transformation @ rigid, np.vstack(
        [free.rigid_body_modes(), rigid[-6:]]), atol=1e-12)  # fmt: skip


def test_equation_against_multipliers():
    """2 u_a - u_b + 0.5 theta_eye = 0 as in an Abaqus deck, with a coupled point in it."""
    a, b = (int(np.argmin(np.abs(SOLID.nodes - x).sum(axis=1)))
            for x in ([0.1, 0.0, 0.0], [0.05, 0.03, 0.02]))  # fmt: skip
    eye = AveragingCoupling("eye", "y_max")
    terms = [(("bar", a), "uy", 2.0), (("bar", b), "uz", -1.0), ("eye", "rx", 0.5)]
    body = Assembly({"bar": SOLID}, couplings=[eye], equations=[Equation(terms)])
    f = np.zeros(SOLID.stiffness.shape[0])
    f[3 * a + 2], f[3 * b + 1] = 10.0, -4.0
    u = body.transformation @ static_displacement(body, body.transformation[: len(f)].T @ f)
    row = np.zeros(len(f))
    plain = Assembly({"bar": SOLID}, couplings=[eye])
    row += 0.5 * point_rows(plain, "eye")[3]
    row[3 * a + 1] += 2.0
    row[3 * b + 2] -= 1.0
    free = SOLID.free
    expected = with_multipliers(SOLID.stiffness[free][:, free].toarray(), f[free], row[None, free])
    np.testing.assert_allclose(u[free], expected, rtol=0, atol=1e-9 * np.abs(expected).max())
    assert abs(row @ u[: len(f)]) < 1e-12 * np.abs(u).max()


def test_refusals():
    line = np.flatnonzero((SOLID.mesh.p[0] == 0.1) & (SOLID.mesh.p[2] == 0.0))
    sets = {"edge": edges_on_nodes(SOLID.mesh, line), "tip": edges_on_nodes(SOLID.mesh, line[:1])}
    named = with_node_sets(SOLID.mesh, sets)
    bar = ElasticSolid(named, STEEL, supports={"x_min": "clamped"})
    bad = {
        "do not lie on one line": {"couplings": [AveragingCoupling("eye", "edge")]},
        "unknowns without supports": {"couplings": [RigidCoupling("eye", "x_min")]},
        "follow another coupling": {
            "couplings": [RigidCoupling("eye", "x_max"), RigidCoupling("ear", "tip")]
        },
        "averaging coupling 'eye': 6 of its unknowns follow": {
            "couplings": [AveragingCoupling("eye", name, AT) for name in ("x_max", "y_max")]
        },
        "three lengths": {"couplings": [RigidCoupling("eye", "x_max", (0.0, np.nan, 0.0))]},
        "first coefficient other than 0": {"equations": [Equation([("eye", "ux", 0.0)])]},
        "unknown point 'eye'": {"equations": [Equation([("eye", "ux", 1.0)])]},
        "component of a node": {"equations": [Equation([(("bar", 0), "rx", 1.0)])]},
        "invalid node 999 of 'bar'": {"equations": [Equation([(("bar", 999), "ux", 1.0)])]},
        "expected unknowns without supports": {"equations": [Equation([(("bar", 0), "ux", 1.0)])]},
        "finite coefficients": {"equations": [Equation([(("bar", 0), "ux", np.inf)])]},
    }  # fmt: skip
    for message, given in bad.items():
        with pytest.raises(InputError, match=message) as caught:
            Assembly({"bar": bar}, **given)
        assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="letters out of x, y, z"):
        RigidCoupling("eye", "x_max", directions="r")
    assert sp.issparse(Assembly({"bar": bar}).stiffness)
