"""Full finite-element bodies in a system: all equations, tangents, mixed systems."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import ElasticBody, FEBody, RigidBody
from fecontact.contact import (
    ContactPair,
    ElasticFace,
    ElastoPlastic,
    FEFace,
    PenaltyNormal,
    Plane,
    RigidFace,
    Sphere,
    elastic_surface,
    fe_surface,
    mesh_surface,
)
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import (
    DofCoordinate,
    Force,
    Function,
    Gravity,
    Line,
    NodalLoad,
    PrescribedMotion,
    Speed,
    SupportMotion,
    SurfaceLoad,
)
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

SOFT, SOFTER = Material(1e7, 0.3, 1000.0), Material(4e6, 0.2, 1000.0)
LAWS = PenaltyNormal(1e10), ElastoPlastic(0.3, 5e9)
RISE = Line(gradient=1.0)


def solid(size, cells, at, material=SOFT, held=None):
    mesh = block(*size, cells).translated(at)
    return ElasticSolid(mesh, material, supports={held: "clamped"} if held else {})


def moved(model, surface_z, by):
    on = np.abs(model.nodes[:, 2] - surface_z) < 1e-9
    return np.where(on[:, None], by, 0.0).ravel()


LOW = solid((0.1, 0.1, 0.05), (3, 3, 1), (0.0, 0.0, 0.0), held="z_min")
HIGH = solid((0.05, 0.04, 0.03), (2, 2, 1), (0.022, 0.031, 0.05), SOFTER, held="z_max")
DOWN = moved(HIGH, 0.08, (0.0, 0.0, -2e-3))
ALONG = moved(HIGH, 0.08, (2e-3, 1e-3, 0.0))
FIRST = Function(lambda t: min(t, 1.0), lambda t: float(t < 1.0))
THEN = Function(lambda t: max(t - 1.0, 0.0), lambda t: float(t > 1.0))


def dragged(slave, laws=LAWS, parts=1):
    """A small block pressed into a larger one and dragged along it; meshes of their own."""
    low, high = FEBody("low", LOW), FEBody("high", HIGH)
    faces = {"low": (low, "z_max"), "high": (high, "z_min")}
    master = {"low": "high", "high": "low"}[slave]
    pair = ContactPair(faces[slave][0], fe_surface(*faces[slave], parts=parts),
                       FEFace(*faces[master]), *laws)  # fmt: skip
    moves = [SupportMotion(high, DOWN, "press", FIRST), SupportMotion(high, ALONG, "drag", THEN)]
    return StaticSystem(System([low, high], [pair, *moves]))


def test_full_equations_are_met():
    """A free block pressed on the ground and pulled; the load given in two ways.

    K u = f + sum L^T F of all unknowns, with the pressures and tractions of the result.
    """
    model = solid((0.05, 0.05, 0.02), (3, 3, 2), (-0.025, -0.025, 0.0))
    laws = PenaltyNormal(1e10), ElastoPlastic(0.4, 1e9)
    face = model.surface("z_max")
    pull = np.array([0.7, 0.0, -2.0])
    force = face.shape.T @ np.outer(face.weights / face.weights.sum(), pull).ravel()
    body = FEBody("block", model, seat=(0.0, 0.0, -1e-5))
    points = fe_surface(body, "z_min", parts=2)
    pair = ContactPair(body, points, RigidFace(None, Plane()), *laws)
    found = []
    for load in (
        SurfaceLoad(body, "z_max", tuple(pull), factor=RISE),
        NodalLoad(body, force, factor=RISE),
    ):
        problem = StaticSystem(System([body], [pair, load]))
        last = load_path(problem, [0.5, 1.0], tolerance=1e-11).increments[-1]
        u, result = problem.displacement(last, body), last.contacts["contact"]
        normal = np.outer(result.pressure, [0.0, 0.0, 1.0])
        contact = (
            points.interpolation.T @ (points.weights[:, None] * (normal + result.traction)).ravel()
        )
        left = model.stiffness @ u - force - contact
        assert np.abs(left).max() < 1e-9 * np.abs(contact).max()
        assert len(result.sticking)
        assert len(result.sliding)
        found.append(u)
    np.testing.assert_allclose(*found, rtol=0, atol=1e-9 * np.abs(found[0]).max())


@pytest.mark.parametrize("stuck", [False, True])
@pytest.mark.parametrize("kind", ["full on full", "full on moving rigid", "rigid on full",
                                  "reduced on full", "full on reduced"])  # fmt: skip
def test_tangent(difference, kind, stuck):
    """Mixed systems: the tangent of all unknowns is that of the balance."""
    problem = mixed(kind)
    before = load_path(problem, [0.5, 1.0]).increments[-1]
    assert len(before.contacts["contact"].closed)
    rng = np.random.default_rng(3)
    n = problem._model.layout.size + len(problem.system.rows)
    x = problem.move(before.x, 1e-6 * rng.standard_normal(n))
    along = rng.standard_normal((n, 3))
    rigid = mixed(kind, (LAWS[0], ElastoPlastic(1e30, 5e9))) if stuck else problem
    expected = difference(
        lambda a: rigid.at(before, 1.0, problem.move(x, along @ a)).residual[0],
        np.zeros(3), np.full(3, 1e-9),
    )  # fmt: skip
    error = np.linalg.norm(problem.at(before, 1.0, x).tangent(stuck) @ along - expected)
    assert error < 1e-7 * np.linalg.norm(expected)


def mixed(kind, laws=LAWS):
    """A block on another one, each full, reduced or rigid."""
    full = {"low": FEBody("low", LOW), "high": FEBody("high", HIGH)}
    if kind == "full on full":
        return dragged("low", laws)
    if kind == "full on moving rigid":
        tool = RigidBody("tool", 1.0, ("uz", "rx"), inertia=(1e-3, 1e-3, 1e-3),
                         position=(0.05, 0.05, 2.05 - 1e-4))  # fmt: skip
        pair = ContactPair(full["low"], fe_surface(full["low"], "z_max"),
                           RigidFace(tool, Sphere(2.0)), *laws)  # fmt: skip
        push = PrescribedMotion(DofCoordinate(tool, "uz"), Speed(-1e-4))
        turn = Force(tool, (0.0, 0.01, 0.0), point=(0.0, 0.0, -2.0))
        return StaticSystem(System([full["low"], tool], [pair, push, turn]))
    if kind == "rigid on full":
        mesh = HIGH.mesh
        tool = RigidBody.from_mesh("tool", mesh, 1000.0, ("ux", "uy", "uz", "rx", "ry", "rz"))
        pair = ContactPair(tool, mesh_surface(mesh, "z_min"), FEFace(full["low"], "z_max"), *laws)
        load = Force(tool, (0.2, 0.1, -8.0), factor=RISE)
        return StaticSystem(System([tool, full["low"]], [pair, load]))
    if kind == "reduced on full":
        free = ElasticSolid(HIGH.mesh, SOFTER)
        top = ElasticBody(
            "high", reduce_model(free, contact=["z_min", "z_max"], modes=4), (0, 0, -1e-6)
        )
        pair = ContactPair(top, elastic_surface(top, "z_min"), FEFace(full["low"], "z_max"), *laws)
        load = Force(top, (0.2, 0.1, -8.0), point="z_max", factor=RISE)
        return StaticSystem(System([full["low"], top], [pair, load]))
    ground = reduce_model(LOW, contact="z_max", method="craig-bampton", modes=0)
    low = ElasticBody("low", ground, frame="fixed")
    pair = ContactPair(full["high"], fe_surface(full["high"], "z_min"),
                       ElasticFace(low, "z_max"), *laws)  # fmt: skip
    press = SupportMotion(full["high"], DOWN, factor=FIRST)
    return StaticSystem(System([full["high"], low], [pair, press]))


def test_full_and_reduced_agree():
    """The same master full, and reduced without loss: forces agree to the balance.

    A full master bears the force at the height of the point over its facet, a reduced one at the
    facet, with the moment on its frame: 1e-3 of the pressures.
    """
    loads = [0.5, 1.0]
    a = load_path(mixed("full on reduced"), loads)
    low, high = FEBody("low", LOW), FEBody("high", HIGH)
    pair = ContactPair(high, fe_surface(high, "z_min"), FEFace(low, "z_max"), *LAWS)
    press = SupportMotion(high, DOWN, factor=FIRST)
    b = load_path(StaticSystem(System([high, low], [pair, press])), loads)
    one, other = (path.increments[-1].contacts["contact"] for path in (a, b))
    np.testing.assert_allclose(one.pressure, other.pressure, atol=3e-3 * other.pressure.max())
    np.testing.assert_array_equal(one.status, other.status)


def test_weight():
    """A free block on the ground: contact forces bear its weight."""
    body = FEBody("block", solid((0.05, 0.05, 0.02), (2, 2, 1), (0.0, 0.0, 0.0)),
                  seat=(0.0, 0.0, -1e-9))  # fmt: skip
    laws = PenaltyNormal(2.5e10), ElastoPlastic(0.4, 1e9)
    pair = ContactPair(body, fe_surface(body, "z_min"), RigidFace(None, Plane()), *laws)
    path = load_path(StaticSystem(System([body], [pair, Gravity([body])])), [1.0])
    weight = 1000.0 * 0.05 * 0.05 * 0.02 * 9.80665
    assert path.force()[-1] == pytest.approx([0.0, 0.0, weight], rel=1e-7, abs=1e-7 * weight)


def test_refused():
    low, high = FEBody("low", LOW), FEBody("high", HIGH)
    pair = ContactPair(high, fe_surface(high, "z_min"), FEFace(low, "z_max"), *LAWS)
    with pytest.raises(InputError, match="expected motion of supports"):
        SupportMotion(high, np.ones(len(DOWN)))
    still = np.zeros(len(high.dofs) + len(low.dofs))
    bare = ContactPair(high, mesh_surface(HIGH.mesh, "z_min"), FEFace(low, "z_max"), *LAWS)
    with pytest.raises(InputError, match="expected those of fe_surface"):
        bare.status(still, still)
    with pytest.raises(InputError, match="expected fe_surface"):
        StaticSystem(System([low, high], [bare]))
    with pytest.raises(InputError, match="expected statics"):
        pair.kinematics(still, still + 1.0)
    loose = FEBody("loose", solid((0.05, 0.04, 0.03), (2, 2, 1), (0.022, 0.031, 0.06)))
    apart = ContactPair(loose, fe_surface(loose, "z_min"), FEFace(low, "z_max"), *LAWS)
    with pytest.raises(InputError, match="touches nothing"):
        load_path(StaticSystem(System([low, loose], [apart, Gravity([loose])])), [1.0])
