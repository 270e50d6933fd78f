"""Elastic bodies and discs in the lowered system: equal to their plain forms, in every frame."""

from __future__ import annotations

from copy import copy
from functools import cache

import numpy as np
import pytest

import fecontact as fc
from fecontact.body import (
    DOFS,
    ElasticBody,
    Hub,
    ModalBody,
    MovingFrame,
    SpinningDisc,
    TurningFrame,
)
from fecontact.fem import STEEL, ElasticSolid, HarmonicPlate, RayleighDamping
from fecontact.joint.motion_law import MotionFunction, MotionTable, RunUp, SmoothStep, Speed
from fecontact.kernels.lowered import (
    LOST,
    ONLY_BY_V,
    POWERS,
    STORED,
    SUPPLIED,
    TANGENTS,
    record_size,
)
from fecontact.mesh import block
from fecontact.reduction import reduce_harmonic, reduce_model
from fecontact.system.program import kernels
from fecontact.typing import supports

TABLE = fc.Table((-1.0, -0.2, 0.3, 1.0), (-2.0, 0.0, 0.1, 5.0))
KNOTS = (-0.1, 0.4, 0.9, 1.3), (0.2, -0.4, 0.5, 0.2)
LAWS = {
    "speed": 3.0,
    "ramped speed": Speed(fc.ramp(1.0, high=4.0), 0.2),
    "table of speeds": Speed(TABLE),
    "step": SmoothStep(1.5, 0.1, -0.3, 0.4),
    "run-up": RunUp(3.0, 1.2),
    "resting spline": MotionTable(*KNOTS),
    "extended spline": MotionTable(*KNOTS, ends="extend"),
    "repeated spline": MotionTable(*KNOTS, ends="repeat"),
}


@cache
def model(held=False, modes=4):
    mesh = block(0.3, 0.1, 0.05, cells=(3, 2, 1))
    solid = ElasticSolid(mesh, STEEL, supports={"x_min": "clamped"} if held else {})
    return reduce_model(solid, "x_max", method="free", modes=modes)


@cache
def plate():
    plate = HarmonicPlate(0.06, 0.12, 0.004, STEEL, {"inner": "clamped"}, elements=4)
    return reduce_harmonic(plate, 0.1, 2, 1)


def turning(law):
    return TurningFrame((1.0, 2.0, 3.0), law, (0.1, 0.0, 0.2))


def elastic_bodies():
    place = (0.1, 0.2, 0.3)
    yield ElasticBody("free", model(), place, damping=0.02)
    yield ElasticBody("plain", model(), place, geometric_stiffness=False)
    yield ElasticBody("rayleigh", model(), damping=RayleighDamping(3.0, 1e-5))
    yield ElasticBody("fixed", model(True), place, "fixed", 0.03)
    yield ElasticBody("moving", model(True), place, MovingFrame((1.0, 0.0, 2.0), 0.5), 0.01)
    for name, law in LAWS.items():
        yield ElasticBody(f"turning, {name}", model(True), place, turning(law), 0.01)
        yield ElasticBody(f"moving, {name}", model(True), place, MovingFrame((1.0, 0.0, 2.0), law))


def linear_bodies():
    omega = np.array([0.0, 10.0, 30.0])
    yield ModalBody("modal", omega, 0.1)
    yield ModalBody("modal with matrix", omega, np.arange(9.0).reshape(3, 3))
    yield SpinningDisc("disc", plate(), 30.0, 1.0)
    yield SpinningDisc("partial", plate(), 30.0, 1.0, "partial")
    yield SpinningDisc("stressed", plate(), 30.0, centrifugal_stress=True)
    yield SpinningDisc("on hub", plate(), 30.0, 1.0, hub=Hub(0.2))
    yield SpinningDisc("free spin", plate(), damping=1.0, hub=Hub(0.2, 1e-3), spin="free")


BODIES = {body.name: body for body in (*elastic_bodies(), *linear_bodies())}


def states(system, count=6):
    """Random states; elastic coordinates small enough to keep bodies in one piece."""
    rng = np.random.default_rng(3)
    small = [1e-2 if ".e" in name or ".k" in name else 1.0 for name in system.coordinates]
    for size in np.geomspace(1e-3, 2.0, count):
        q = system.move(system.rest().q, size * np.array(small) * rng.standard_normal(system.size))
        yield fc.State(0.3 + size, q, rng.standard_normal(system.size))


def close(found, expected):
    scale = np.abs(expected).max(initial=1e-300)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-12 * scale)


def plain(system):
    """The system that asks all its items in Python."""
    result = copy(system)
    vars(result)["_compiled"] = None
    return result


def agrees(system):
    """Force, tangents, forces of each item and inertia are those of the items themselves."""
    for state in states(system):
        found = system.program.evaluate(state.t, state.q, state.v)
        expected = plain(system).evaluate(state)
        varied = system.with_parameters({})  # its sums are evaluated by a program
        for own, asked, other in zip(found, varied.evaluate(state), expected, strict=True):
            close(own, other)
            close(asked, other)
        close(varied.forces(state), plain(system).forces(state))
        close(system.program.forces(state.t, state.q, state.v), plain(system).forces(state))
        close(system.program.mass_matrix(state.q), plain(system).mass_matrix(state.q))
        close(system.program.d_inertia(state.q, state.v), plain(system).d_inertia(state.q, state.v))


def powers_agree(system):
    """Lost and supplied powers and stored energies of all items."""
    program = system.program
    for state in states(system, 3):
        result = np.empty((len(system.items), system.size))
        args = program.table, program.indices, program.work, state.t, state.q, state.v
        assert kernels.forces(*args, POWERS, result) == 0
        close(result, plain(system).forces(state))
        for i, item in enumerate(system.items):
            heads = program.work[
                program.table[program.table[:, kernels.ITEM] == i, kernels.RECORDS][:, None]
                + np.arange(5)
            ].sum(axis=0)
            local = system.local(item, state)
            told = {
                LOST: asked(item, "dissipated_power", state.t, *local),
                SUPPLIED: asked(item, "supplied_power", state.t, *local),
                STORED: asked(item, "energy", state.t, *local),
            }
            if supports(item, "strain_energy"):
                told[STORED] = item.strain_energy(local[0])
            scale = np.abs(result[i]).max() * np.abs(state.v).max()
            for at, expected in told.items():
                assert heads[at] == pytest.approx(expected, rel=1e-11, abs=1e-12 * scale)


def asked(item, answer, *args):
    return getattr(item, answer)(*args) if supports(item, answer) else 0.0


@pytest.mark.parametrize("name", BODIES)
def test_body_equals_its_plain_form(name):
    system = fc.System([BODIES[name]])
    assert system.program.in_python == ()
    agrees(system)
    powers_agree(system)


@pytest.mark.parametrize("name", BODIES)
def test_damping_alone(name):
    """Who asks for by_v only gets the same."""
    system = fc.System([BODIES[name]])
    program, n = system.program, system.size
    head, own = program.table[0, kernels.RECORDS], program.work
    result, found = np.empty((1, n)), []
    for state in states(system, 3):
        for wanted in (0.0, 1.0):
            own[head + ONLY_BY_V] = wanted
            args = program.table, program.indices, own, state.t, state.q, state.v
            assert kernels.forces(*args, TANGENTS, result) == 0
            size, dofs = program.table[0, [kernels.SIZE, kernels.DOFS]]
            at = head + record_size(size, dofs) - n * n
            found.append(own[at : at + n * n].copy())
        own[head + ONLY_BY_V] = 0.0
        close(found[-1], found[-2])
        close(found[-1].reshape(n, n), system.evaluate(state)[2])


@pytest.mark.parametrize("name", [body.name for body in elastic_bodies()])
def test_weight_of_an_elastic_body(name):
    body = BODIES[name]
    system = fc.System([body], [fc.Gravity([body], (1.0, 2.0, -9.0))])
    assert system.program.in_python == ()
    agrees(system)
    powers_agree(system)


def held_bodies():
    """Bodies that elements hold, each with a point in its own components."""
    mesh_point, on_disc = (0.3, 0.1, 0.05), (0.08, 0.03, 0.001)
    return {
        "free": (BODIES["free"], mesh_point),
        "surface": (BODIES["free"], "x_max"),
        "fixed": (BODIES["fixed"], mesh_point),
        "moving": (BODIES["moving, step"], mesh_point),
        "turning": (BODIES["turning, ramped speed"], mesh_point),
        "disc": (BODIES["disc"], on_disc),
        "hub": (BODIES["on hub"], (0.1, 0.0, 0.0)),
        "free hub": (BODIES["free spin"], (0.0, 0.0, 0.1)),
    }


def elements(other, body, point, turns):
    """Elements between a point of a body and a rigid one; `turns` if the body knows its angle."""
    matrix, skew = np.diag(np.arange(1.0, 7.0)) + 0.1, (1.0, 2.0, 3.0)
    yield fc.SpringDamper(other, body, 100.0, 2.0, (0.1, 0.0, 0.2), point, name="spring")
    yield fc.SpringDamper(body, other, TABLE, 2.0, point, preload=0.3, name="curve")
    yield fc.SpringDamper(None, body, 100.0, 2.0, (0.1, 0.0, 0.9), point, name="to ground")
    yield fc.Bearing(
        body, 100.0, 200.0, 3.0, 4.0, (0.1, 0.2, 0.3), point, housing=other, axis=skew,
        tilt_stiffness=10.0, cross_stiffness=1.0, tilt_damping=2.0,
    )  # fmt: skip
    yield fc.Drive(other, body, TABLE, skew, fc.ramp(2.0), "motor", point)
    if turns:
        yield fc.Bushing(other, body, matrix, 0.1 * matrix, point, name="bushing")
        yield fc.TorsionSpring(other, body, TABLE, 1.0, skew, name="turning", point=point)
        yield fc.SoftStop(other, body, 100.0, -0.3, 1.0, skew, point)


def loads(body, point):
    skew, n = (1.0, 2.0, 3.0), len(body.dofs)
    yield fc.Force(body, skew, point)
    yield fc.Force(body, skew, point, "follower", True, fc.ramp(1.0))
    yield fc.Torque(body, skew, factor=TABLE, point=point)
    yield fc.Torque(body, skew, "turning torque", True, point=point)
    yield fc.GeneralisedForce(body, np.arange(1.0, 1.0 + n), factor=TABLE)


@pytest.mark.parametrize("name", held_bodies())
def test_elements_and_loads_on_elastic_bodies(name):
    body, point = held_bodies()[name]
    rigid = fc.RigidBody("rigid", 1.0, DOFS, inertia=(0.15, 0.2, 0.3), position=(0.3, 0.1, 0.6))
    items = [*elements(rigid, body, point, not body.marker(point).no_angle), *loads(body, point)]
    for item in items:
        system = fc.System(list(item.bodies), [item])
        assert system.program.in_python == ()
        agrees_alone(system)
    powers_agree(fc.System([rigid, body], items))


def agrees_alone(system):
    """Its last item, without those of the bodies, which are much stiffer."""
    item, others = system.items[-1], [body.name for body in system.bodies]
    for state in states(system):
        found = system.program.evaluate(state.t, state.q, state.v, others)
        q, v = system.local(item, state)
        plain = item.force(state.t, q, v), *item.tangents(state.t, q, v)
        order = np.concatenate([np.arange(system.size)[system.slices[b.name]] for b in item.bodies])
        close(found[0][order], plain[0])
        for own, expected in zip(found[1:], plain[1:], strict=True):
            close(own[np.ix_(order, order)], expected)


@pytest.mark.parametrize("seed", range(6))
def test_random_systems(seed):
    """Bodies of all kinds, each joined to the next and loaded by chance."""
    rng = np.random.default_rng(seed)
    kinds = list(held_bodies().values())
    order = rng.permutation(len(kinds))
    chosen = {kinds[i][0].name: kinds[i] for i in order[:5]}
    items = []
    for i, (body, point) in enumerate(list(chosen.values())):
        place = (0.3 * i, 0.1, 0.6)
        rigid = fc.RigidBody(f"rigid {i}", 1.0, DOFS, inertia=(0.15, 0.2, 0.3), position=place)
        chosen[rigid.name] = rigid, (0.0, 0.0, 0.1)
        joined = list(elements(rigid, body, point, not body.marker(point).no_angle))
        items += [joined[k] for k in rng.choice(len(joined), 2, replace=False)]
        items += [list(loads(body, point))[rng.integers(5)]]
    bodies = [body for body, _ in chosen.values()]
    for i, item in enumerate(items):
        object.__setattr__(item, "name", f"{item.name} {i}")
    heavy = [body for body in bodies if hasattr(body, "weight")]
    system = fc.System(bodies, [*items, fc.Gravity(heavy)])
    assert system.program.in_python == ()
    agrees(system)
    powers_agree(system)


def test_frames_that_move_by_a_function_are_called_back():
    law = MotionFunction(np.sin, np.cos, lambda t: -np.sin(t))
    body = ElasticBody("shaken", model(True), frame=MovingFrame((1.0, 0.0, 0.0), law))
    system = fc.System([body], [fc.Gravity([body])])
    assert system.program.in_python == ("shaken", "gravity")
    agrees(system)


def test_a_body_with_a_changed_answer_is_called_back():
    class Sticky(fc.RigidBody):
        def force(self, t, q, v):
            return -v

    class Renamed(fc.RigidBody):
        pass

    bodies = [Sticky("sticky", 1.0), Renamed("renamed", 1.0)]
    system = fc.System(bodies, [fc.Gravity(bodies)])
    assert system.program.in_python == ("sticky",)
    found = system.program.forces(0.0, np.zeros(6), np.ones(6))
    close(found, plain(system).forces(fc.State(0.0, np.zeros(6), np.ones(6))))
