"""Joints, springs and loads on full finite-element bodies: balance, closed forms, reduction."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import LoadPathError, StaticSystem, load_path
from fecontact.body import ElasticBody, FEBody, RigidBody
from fecontact.body.fe_body import NodalPointMotion
from fecontact.contact import (
    ContactPair,
    ElastoPlastic,
    FEFace,
    PenaltyNormal,
    Plane,
    RigidFace,
    fe_surface,
    mesh_surface,
)
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import (
    Bushing,
    DofCoordinate,
    Force,
    Gravity,
    Length,
    Line,
    MotionFunction,
    PrescribedMotion,
    Revolute,
    RigidJoint,
    Speed,
    Spherical,
    SpringDamper,
    SupportMotion,
    SurfaceLoad,
    Torque,
    TorsionSpring,
)
from fecontact.joint.marker import MarkerPair
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

STIFF = Material(2e9, 0.3, 1000.0)
LENGTH, SIDE = 0.2, 0.02
BEAM = block(LENGTH, SIDE, SIDE, (6, 1, 1))
CLAMPED = {"x_min": "clamped"}
HELD = ElasticSolid(BEAM, STIFF, supports=CLAMPED)
FREE = ElasticSolid(BEAM, STIFF)
TIP = (LENGTH, 0.5 * SIDE, 0.5 * SIDE)
RISE = Line(gradient=1.0)


def solved(system, loads=(1.0,), tolerance=1e-11):
    problem = StaticSystem(system)
    path = load_path(problem, list(loads), tolerance=tolerance)
    return problem, path.increments[-1]


def test_force_on_a_surface_is_a_surface_load():
    """An average marker spreads a force evenly: the load of a constant traction."""
    body, force = FEBody("beam", HELD), (3.0, -2.0, 5.0)
    found = []
    for load in (Force(body, force, point="x_max"), SurfaceLoad(body, "x_max", force)):
        problem, last = solved(System([body], [load]))
        found.append(problem.displacement(last, body))
    np.testing.assert_allclose(*found, rtol=0.0, atol=1e-12 * np.abs(found[1]).max())


def test_torque_twists_a_round_bar_as_its_reactions_demand():
    """The work of a torque on the average rotation is twice the strain energy (Clapeyron)."""
    body, torque = FEBody("beam", HELD), (0.4, -0.3, 0.2)
    problem, last = solved(System([body], [Torque(body, torque, point="x_max")]))
    state = problem.state(1.0, last.x)
    turned = body.holding("x_max").motion[3:] @ state.q
    assert body.strain_energy(state.q) == pytest.approx(0.5 * np.dot(torque, turned), rel=1e-4)


def test_free_beam_held_by_a_joint():
    """Reactions of a joint on the end face: the force and its moment about the centre of the face.

    The tip sinks by F L^3/(3 E I) (1 + shear); shear adds 0.6 (1 + nu)(h/L)^2 = 0.8 %, the face
    that may warp and the coarse mesh less than 1 %.
    """
    body = FEBody("beam", FREE)
    clamp = RigidJoint(None, body, point_b="x_min", name="clamp")
    load = Force(body, (0.0, 0.0, -1.0), point="x_max")
    problem, last = solved(System([body], [clamp, load]))
    force, moment = problem.reaction(last, "clamp")
    np.testing.assert_allclose(force, (0.0, 0.0, 1.0), atol=1e-9)
    np.testing.assert_allclose(moment, (0.0, -LENGTH, 0.0), atol=1e-9)
    sunk = problem.displacement(last, body)[2::3].min()
    exact = LENGTH**3 / (3.0 * STIFF.young * SIDE**4 / 12.0) * (1.0 + 0.6 * 1.3 * 0.01)
    assert -sunk == pytest.approx(exact, rel=0.01)


def test_spring_in_series():
    """A bar pulled through a spring: k_bar and k in series, and the force in both."""
    body = FEBody("bar", ElasticSolid(BEAM, Material(2e9, 0.0, 1000.0), supports=CLAMPED))
    stiffness = 2e9 * SIDE**2 / LENGTH
    tool = RigidBody("tool", 1.0, ("ux",), position=(LENGTH + 0.1, SIDE / 2, SIDE / 2))
    spring = SpringDamper(body, tool, 0.5 * stiffness, point_a="x_max", name="spring")
    pull = PrescribedMotion(DofCoordinate(tool, "ux"), Speed(3e-4), name="pull")
    problem, last = solved(System([body, tool], [spring, pull]))
    assert abs(last.x[-1]) == pytest.approx(1e-4 * stiffness, rel=1e-9)
    np.testing.assert_allclose(problem.displacement(last, body)[0::3].max(), 1e-4, rtol=1e-9)


def frame_of(body, name="x_max", height=0.0):
    """What a machine has on a beam: an arm on a hinge, a bushing, springs, loads, a drive."""
    arm = RigidBody("arm", 0.2, ("ux", "uy", "uz", "rx", "ry", "rz"), inertia=(1e-3,) * 3,
                    position=(LENGTH + 0.05, 0.5 * SIDE, 0.5 * SIDE + height))  # fmt: skip
    hinge = Revolute(body, arm, point_a=name, point_b=(-0.05, 0.0, 0.0), axis="y", name="hinge")
    corner = (LENGTH, 0.0, SIDE)
    items = [
        hinge,
        TorsionSpring(arm, body, 3.0, axis="y", point=name),
        Bushing(None, body, (1e4, 2e4, 3e4, 5.0, 6.0, 7.0), point=name),
        SpringDamper(None, body, 2e4, point_a=(LENGTH, 0.0, 0.3), point_b=corner, name="spring"),
        Force(body, (2.0, 1.0, -4.0), point="y_max", follower=True, factor=RISE, name="follower"),
        Torque(body, (0.05, 0.1, -0.05), point=name, factor=RISE),
        Force(arm, (0.0, 0.5, -3.0), factor=RISE, name="weight on the arm"),
        Gravity([body, arm]),
    ]  # fmt: skip
    return System([body, arm], items), hinge


@pytest.mark.parametrize("name", ["x_max", TIP])
@pytest.mark.filterwarnings("ignore:.*locking")
def test_full_and_reduced_with_all_shapes_agree(name):
    """The same frame with the beam full, and reduced without loss: to the balance."""
    mesh = block(LENGTH, SIDE, SIDE, (2, 1, 1) if name == "x_max" else (1, 2, 2))
    solid = ElasticSolid(mesh, STIFF, element="hex1", supports=CLAMPED)
    full = FEBody("beam", solid)
    everything = reduce_model(
        solid, ["x_max", "y_max", "z_max"], method="free", modes=len(solid.free)
    )
    reduced = ElasticBody("beam", everything, frame="fixed", geometric_stiffness=False)
    found = []
    for body in (full, reduced):
        system, _ = frame_of(body, name)
        problem, last = solved(system, (0.5, 1.0))
        state = problem.state(1.0, last.x)
        marker = body.marker(TIP if name == TIP else "z_max").at(
            state.q[: len(body.reference())], np.zeros(len(body.dofs))
        )
        arm = state.q[len(body.reference()) :]
        found.append(np.concatenate([marker.position, marker.rotation.ravel(), arm]))
        found.append(np.concatenate(problem.reaction(last, "hinge")))
    scale = np.abs(found[0] - [*TIP, *np.eye(3).ravel(), 0, 0, 0, 1, 0, 0, 0]).max()
    np.testing.assert_allclose(found[0], found[2], rtol=0.0, atol=1e-9 * scale)
    np.testing.assert_allclose(found[1], found[3], rtol=0.0, atol=1e-8 * np.abs(found[3]).max())


def test_all_equations_of_the_unknowns_are_met():
    """K u = f + sum of the loads of markers: the markers of the full body say where they act."""
    body = FEBody("beam", HELD)
    system, _ = frame_of(body)
    problem, last = solved(system, (0.5, 1.0))
    state = problem.state(1.0, last.x)
    rows = system.constraint(state)
    forces = system.forces(state)[:, : len(body.dofs)]
    left = forces.sum(axis=0) + (rows.jacobian.T @ state.lam)[: len(body.dofs)]
    assert np.abs(left).max() < 1e-8 * np.abs(forces).max()
    assert np.abs(rows.value).max() < 1e-12


def test_few_iterations():
    """Newton's method converges by its own order: joints at full bodies do not hinder it."""
    system, _ = frame_of(FEBody("beam", HELD))
    path = load_path(system, [0.5, 1.0])
    assert max(each.iterations for each in path.increments) <= 6


@pytest.mark.filterwarnings("ignore:contact. stiffness")
def test_tangent(difference):
    """Derivatives of all unknowns, with contact, joints, springs and loads on one full body."""
    body = FEBody("beam", FREE, seat=(0.0, 0.0, -1e-5))
    frame, _ = frame_of(body, height=-1e-5)
    points = fe_surface(body, "z_min", near=lambda x: x[:, 0] < 0.5 * LENGTH)
    laws = PenaltyNormal(1e10), ElastoPlastic(0.3, 5e9)
    pair = ContactPair(body, points, RigidFace(None, Plane()), *laws)
    items = [*frame.items[2:], *frame.constraints, pair]
    problem = StaticSystem(System(frame.bodies, items))
    before = load_path(problem, [0.5, 1.0]).increments[-1]
    assert len(before.contacts["contact"].closed)
    rng = np.random.default_rng(5)
    n = problem._model.layout.size + len(problem.system.rows)
    x = problem.move(before.x, 1e-6 * rng.standard_normal(n))
    along = rng.standard_normal((n, 3))
    expected = difference(
        lambda a: problem.at(before, 1.0, problem.move(x, along @ a)).residual[0],
        np.zeros(3), np.full(3, 1e-9),
    )  # fmt: skip
    error = np.linalg.norm(problem.at(before, 1.0, x).tangent(False) @ along - expected)
    assert error < 1e-7 * np.linalg.norm(expected)


def test_block_pressed_by_an_arm():
    """A free block with contact under a ball joint: contact bears arm and weights."""
    model = ElasticSolid(block(0.05, 0.05, 0.02, (2, 2, 1)), Material(1e7, 0.3, 1000.0))
    body = FEBody("block", model, seat=(0.0, 0.0, -1e-6))
    arm = RigidBody("arm", 2.0, ("ux", "uy", "uz", "rx", "ry", "rz"), inertia=(1e-2,) * 3,
                    position=(0.225, 0.025, 0.02 - 1e-6))  # fmt: skip
    ball = Spherical(body, arm, point_a="z_max", point_b=(-0.2, 0.0, 0.0), name="ball")
    wall = Revolute(None, arm, point_b=(0.2, 0.0, 0.0), axis="y", name="wall")
    laws = PenaltyNormal(1e10), ElastoPlastic(0.4, 1e9)
    pair = ContactPair(body, fe_surface(body, "z_min"), RigidFace(None, Plane()), *laws)
    system = System([body, arm], [pair, ball, wall, Gravity([body, arm])])
    problem, last = solved(system)
    weight = 9.80665 * (0.5 * 2.0 + 1000.0 * 0.05 * 0.05 * 0.02)
    assert last.contacts["contact"].force[2] == pytest.approx(weight, rel=2e-4)
    force, _ = problem.reaction(last, "ball")
    assert force[2] == pytest.approx(9.80665, rel=2e-4)
    assert last.contacts["contact"].force[0] == pytest.approx(force[0], rel=1e-6)


def test_nothing_of_the_size_of_the_unknowns_is_full(monkeypatch):
    """Neither matrices (n, n) nor the Jacobians of all points are formed."""

    def refuse(*_):
        raise AssertionError("a full matrix of all unknowns")

    body = FEBody("beam", HELD)
    system, _ = frame_of(body)
    monkeypatch.setattr(FEBody, "tangents", refuse)
    monkeypatch.setattr(FEBody, "mass_matrix", refuse)
    monkeypatch.setattr(NodalPointMotion, "jacobian", property(refuse))
    problem, _ = solved(system)
    assert problem._model.layout.size < 60


def test_two_markers_in_one_place_and_on_a_support():
    """Springs side by side at one node add up; one on a support does nothing."""
    body = FEBody("beam", HELD)
    at = (LENGTH, 0.0, 0.0)
    ground = (LENGTH, 0.0, -0.1)

    def sunk(stiffness):
        springs = [
            SpringDamper(None, body, k, point_a=ground, point_b=at, name=f"spring {i}")
            for i, k in enumerate(stiffness)
        ]
        held = SpringDamper(None, body, 1e5, point_a=(0.0, 0.0, -0.1), point_b=(0.0, 0.0, 0.0))
        load = Force(body, (0.0, 0.0, -1.0), point=at)
        problem, last = solved(System([body], [*springs, held, load]))
        return problem.displacement(last, body)

    np.testing.assert_allclose(sunk([1e4, 3e4]), sunk([4e4]), rtol=0.0, atol=1e-12 * LENGTH)


def test_length_between_two_full_bodies():
    """A distance of two bodies follows a law; its multiplier is the force in both."""
    low = FEBody("low", HELD)
    high = FEBody("high", ElasticSolid(BEAM.translated((0.0, 0.0, 0.1)), STIFF, supports=CLAMPED))
    pair = MarkerPair("rope", low, high, (LENGTH, 0.0, 0.1), (LENGTH, 0.0, SIDE))
    law = MotionFunction(lambda t: 0.1 - SIDE - 1e-4 * t, lambda t: -1e-4, lambda t: 0.0)
    system = System([low, high], [PrescribedMotion(Length(pair), law, name="rope")])
    problem, last = solved(system)
    up = problem.displacement(last, low)[2::3].max()
    down = problem.displacement(last, high)[2::3].min()
    assert up == pytest.approx(-down, rel=1e-3)
    compliance = up / last.x[-1]
    force = Force(low, (0.0, 0.0, 1.0), point=(LENGTH, 0.0, SIDE))
    one, alone = solved(System([low], [force]))
    assert abs(compliance) == pytest.approx(one.displacement(alone, low)[2::3].max(), rel=1e-3)


def test_refused():
    body = FEBody("beam", HELD)
    with pytest.raises(InputError, match="nearest node"):
        Force(body, (0.0, 0.0, 1.0), point=(0.123, 0.0, 0.0))
    with pytest.raises(InputError, match="unknown surface"):
        Force(body, (0.0, 0.0, 1.0), point="tip")
    moved = np.zeros(HELD.stiffness.shape[0])
    moved[np.setdiff1d(np.arange(len(moved)), HELD.free)] = 1e-4
    lift = SupportMotion(body, moved)
    spring = SpringDamper(None, body, 1e3, point_a=(0.0, 0.0, -0.1), point_b=(0.0, 0.0, 0.0))
    with pytest.raises(InputError, match="expected joints and loads at free nodes"):
        StaticSystem(System([body], [lift, spring]))
    loose = FEBody("loose", FREE)
    with pytest.raises(InputError, match="touches nothing"):
        load_path(StaticSystem(System([loose], [Force(loose, (0, 0, 1.0), point="x_max")])), [1.0])

    class Odd:
        name, bodies = "odd", (body,)

        def force(self, t, q, v):
            return np.zeros(len(q))

        def tangents(self, t, q, v):
            return np.zeros((2, len(q), len(q)))

    with pytest.raises(InputError, match="expected a joint or load written as a dataclass"):
        StaticSystem(System([body], [Odd()]))
    drive = PrescribedMotion(DofCoordinate(body, body.dofs[0]), Speed(1.0))
    with pytest.raises(InputError, match="expected a coordinate between points"):
        StaticSystem(System([body], [drive]))


def test_much_deformed():
    """A rubber bar pulled by 20 %: the theory of small deformation is left."""
    rubber = ElasticSolid(BEAM, Material(1e6, 0.3, 1000.0), supports=CLAMPED)
    body = FEBody("bar", rubber)
    with pytest.warns(UserWarning, match="bar: strains up to 2[0-9] %"):
        load_path(System([body], [Force(body, (80.0, 0.0, 0.0), point="x_max")]), [1.0])


def test_printed(capsys):
    """A system with full bodies says what it is made of; links are found without full matrices."""
    body = FEBody("beam", FREE)
    spring = SpringDamper(None, body, 1e4, point_a=(LENGTH, 0.0, 0.3), point_b=(LENGTH, 0.0, SIDE))
    load = Force(body, (0.0, 0.0, 1.0), point="x_max")
    loose = System([body], [load]).describe()
    assert loose["groups"] == [{"bodies": ["beam"], "ground": False}]
    for item in (spring, RigidJoint(None, body, point_b="x_min")):
        held = System([body], [load, item]).describe()
        assert held["groups"] == [{"bodies": ["beam"], "ground": True}]
    assert held["rank"] == 6
    frame, _ = frame_of(body)
    assert frame.describe()["groups"] == [{"bodies": ["beam", "arm"], "ground": True}]
    assert "FEBody" in str(frame)


def test_loads_that_nothing_balances():
    """Refused before the first increment: a tool or a body that is pulled off."""
    low = FEBody("low", ElasticSolid(BEAM, STIFF, supports={"z_min": "clamped"}))
    mesh = block(0.05, 0.01, 0.01).translated((0.05, 0.005, SIDE))
    tool = RigidBody.from_mesh("tool", mesh, 1000.0, ("ux", "uy", "uz"))
    laws = PenaltyNormal(1e12), ElastoPlastic(0.3, 5e11)
    on_low = ContactPair(tool, mesh_surface(mesh, "z_min"), FEFace(low, "z_max"), *laws)
    up = Force(tool, (0.0, 0.0, 5.0))
    with pytest.raises(LoadPathError, match="along z of 'tool' pulls 'contact' apart"):
        load_path(System([tool, low], [on_low, up]), [1.0])
    free = FEBody("free", FREE, seat=(0.0, 0.0, -1e-7))
    on_ground = ContactPair(free, fe_surface(free, "z_min"), RigidFace(None, Plane()), *laws)
    off = Force(free, (0.0, 0.0, 5.0), point="z_max")
    with pytest.raises(LoadPathError, match="along z of 'free' pulls 'contact' apart"):
        load_path(System([free], [on_ground, off]), [1.0])


def test_no_load_is_told():
    """Bodies that nothing presses together, held by a joint: a warning, not an error."""
    body = FEBody("beam", FREE)
    clamp = RigidJoint(None, body, point_b="x_min")
    above = Plane((0.0, 0.0, -0.01))
    laws = PenaltyNormal(5e12), ElastoPlastic(0.3, 5e12)
    pair = ContactPair(body, fe_surface(body, "z_min"), RigidFace(None, above), *laws)
    with pytest.warns(UserWarning, match="no load acts"):
        load_path(System([body], [clamp, pair]), [1.0])
