"""Compiled contact with an elastic master against the reference evaluation, facet by facet."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys
from scipy.spatial import cKDTree

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.contact import ContactPair, PenaltyNormal, Surface
from fecontact.contact.evaluate.compiled import points as compiled_points
from fecontact.contact.evaluate.compiled.facets import compiled_facets
from fecontact.contact.evaluate.compiled.laws import point_laws
from fecontact.contact.evaluate.rate import ContactRate
from fecontact.contact.evaluate.step import ContactHistory, ContactStart
from fecontact.contact.kernels.blocks import pair_blocks as rigid_blocks
from fecontact.contact.kernels.facets.blocks import pair_blocks
from fecontact.contact.kernels.facets.polynomials import (
    WORK,
    PointsOnFacets,
    carried,
    fetch,
    positions_in,
    spread,
    velocities,
    weigh,
)
from fecontact.contact.kernels.facets.projection import Starts, start_facets
from fecontact.contact.kernels.facets.tangents import pair_tangent_blocks
from fecontact.contact.kernels.lanes import use_lanes
from fecontact.contact.kernels.layout import BLOCK, ROWS, Y
from fecontact.contact.kernels.tangents import pair_tangent_blocks as rigid_tangents
from fecontact.contact.laws.adhesion import JKRContact, JKRNormal
from fecontact.contact.laws.bristles import dahl, dupont, lugre
from fecontact.contact.laws.coefficient import Coulomb, FrictionTable, Stribeck
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.laws.kelvin_layer import KelvinLayer
from fecontact.contact.laws.mindlin import MindlinFriction
from fecontact.contact.laws.power import PowerNormal
from fecontact.contact.laws.regularised import RegularisedCoulomb
from fecontact.contact.laws.solid_layer import SolidLayer
from fecontact.contact.laws.table import TableNormal
from fecontact.contact.master.elastic_face import ElasticFace
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.search import NearestCentre, look_up
from fecontact.contact.master.shape import Cylinder, Plane
from fecontact.contact.patch.hertz import ContactModuli, HertzPoint
from fecontact.contact.surface.points import elastic_surface
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material, MindlinPlate
from fecontact.mesh import block, rectangle, solid_annulus
from fecontact.reduction import reduce_model

SOFT = Material(1e7, 0.3, 1000.0)
H = 1e-3
ELEMENTS = {"tri3": ("tet", "tet1"), "tri6": ("tet", "tet2"), "quad4": ("hex", "hex1"),
            "quad8": ("hex", "hexS2"), "quad9": ("hex", "hex2")}  # fmt: skip
NORMAL = PenaltyNormal(2e6, 1e3)
FRICTION = ElastoPlastic(Coulomb(0.05, 0.08), 1e6, 2e3)
CURVE = Stribeck(0.3, 0.5, 0.5, 1.5, 0.02)
BALL = ContactModuli(1e7, 0.3)
PRESSED = {
    "hunt-crossley": PowerNormal(3e7, 1.5, 0.3),
    "root": PowerNormal(1e7, 1.3, root_damping=0.2),
    "table": TableNormal(np.array([0.0, 0.01, 0.03]), np.array([0.0, 1e4, 1e5]), 1e3),
}
LAYERS = {
    "solid": SolidLayer(1.2e6, 2e6, 2e-3),
    "kelvin": KelvinLayer(2e6, 1e3),
    "jkr": JKRContact(BALL, radius=0.3, surface_energy=1e3).law(1e-3),
}
OTHERS = {
    "mindlin": MindlinFriction(HertzPoint(BALL, radius=0.3), CURVE, 2.0, root_damping=0.1),
    "undamped mindlin": MindlinFriction(HertzPoint(BALL, radius=0.3), Coulomb(0.3, 0.5), 2.0),
    "arctan": RegularisedCoulomb(CURVE, 0.1),
    "tanh": RegularisedCoulomb(0.3, 0.1, "tanh"),
    "dahl": dahl(0.3, 5e5),
    "lugre": lugre(CURVE, 5e5, 2e3, 0.02),
    "dupont": dupont(CURVE, 5e5, 2e3, 0.02, onset=0.3),
    "decaying": dupont(0.3, 5e5, 2e3, 0.0, onset=0.5, decay=0.7),
}
TABLE = FrictionTable(
    np.array([0.0, 0.2, 1.0]), np.array([[0.5, 0.4], [0.3, 0.2], [0.4, 0.3]]),
    np.array([2e3, 2e4]), static=0.6,
)  # fmt: skip


def solid(kind, size=(1.0, 0.8, 0.3), cells=(2, 2, 1), modes=5):
    cell, element = ELEMENTS[kind]
    model = ElasticSolid(block(*size, cells=cells, cell=cell), SOFT, element=element)
    return reduce_model(model, contact=["z_max", "z_min"], modes=modes, method="free")


@pytest.fixture(scope="module")
def upper():
    return solid("tri6", (0.7, 0.5, 0.2), (3, 2, 1), modes=6)


def on(master_body, top, upper, frame="free", **options):
    """The upper block on a master: 6 modes, a number of points that fills no block."""
    slave = ElasticBody("upper", upper, position=(0.23, 0.27, 0.045), frame=frame)
    surface = elastic_surface(slave, "z_min", parts=2)
    gap = options.get("gap", 0.0) + 1e-3 * np.sin(np.arange(len(surface.points)))
    surface = replace(surface, gap=gap)
    normal, friction = options.get("normal", NORMAL), options.get("friction", FRICTION)
    return ContactPair(slave, surface, ElasticFace(master_body, top), normal, friction)


def scene(kind, upper, **options):
    """A pair on a master of the given kind of facets."""
    if kind == "plate":
        plate = MindlinPlate(rectangle(1.0, 0.8, (3, 2)), 0.05, SOFT, membrane=True)
        model = reduce_model(plate, contact="top", modes=4, method="free")
        body = ElasticBody("plate", model, position=(0.1, 0.1, 0.02), geometric_stiffness=False)
        return on(body, "top", upper, **options)
    frame = options.pop("master_frame", "free")
    body = ElasticBody("lower", solid(kind), position=(0.1, 0.1, -0.25), frame=frame)
    return on(body, "z_max", upper, **options)


def states(pair, seed=0, turn=0.02, bend=0.01):
    """Coordinates before and after a step, velocities, and a history."""
    rng = np.random.default_rng(seed)
    before, after, rates = [], [], []
    for body in pair.bodies:
        n = len(body.dofs)
        size = np.full(n, turn)
        if isinstance(body, ElasticBody):
            m = body.attachments.node_shapes.shape[2]
            size[n - m :] = bend / np.abs(body.attachments.node_shapes).max()
        q = body.move(body.reference(), size * rng.uniform(-1.0, 1.0, n))
        before.append(q)
        after.append(body.move(q, 0.3 * size * rng.uniform(-1.0, 1.0, n)))
        rates.append(20.0 * size * rng.uniform(-1.0, 1.0, n))
    count = len(pair.surface.points)
    z = 2e-3 * rng.standard_normal((count, 3))
    if pair.columns == 4:  # a layer that was pressed before, or a bond in part
        bond = type(pair.normal) is JKRNormal
        z = np.column_stack([z, (1.0 if bond else 0.02) * rng.uniform(0.0, 1.0, count)])
    history = ContactHistory(z, rng.integers(0, 3, count), rng.uniform(0.0, 1.0, (count, 2)))
    return np.concatenate(before), np.concatenate(after), np.concatenate(rates), history


def same_work(reported, counted):
    """Slip power (p,) of a report is what the kernel counts; 1 J has the round-off 2e-16."""
    off = 1e-11 * np.abs(counted).max() + 1e-15 / H
    np.testing.assert_allclose(reported, counted, rtol=0, atol=off)


def compare_steps(pair, q0, q1, v, before, h=H):
    """Both evaluations of a step; returns the reference."""
    kept = [before.z.copy(), before.status.copy(), before.slip_totals.copy()]
    fast = pair.begin(0.0, q0, v, before).at(0.0, q1, v, h)
    slow = ContactStart.of(pair, 0.0, q0, v, before).at(0.0, q1, v, h)
    assert type(fast) is not type(slow)
    for name in ("force", "z", "slip_totals"):
        a, b = (getattr(s if name == "force" else s.history, name) for s in (fast, slow))
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-11 * np.abs(b).max(), err_msg=name)
    np.testing.assert_array_equal(fast.history.status, slow.history.status)
    same_work(
        fast.report().point_slip_power, (fast.history.slip_totals - before.slip_totals)[:, 0] / h
    )
    for a, b in zip(kept, (before.z, before.status, before.slip_totals), strict=True):
        np.testing.assert_array_equal(a, b)
    powers = slow.point_force * slow.kinematics.velocity
    assert abs(fast.found.power - powers.sum()) <= 1e-11 * np.abs(powers).sum()
    return slow


def compare(pair, q0, q1, v, before):
    """Both evaluations of a step, then of the rate form; returns the statuses that occur."""
    slow = compare_steps(pair, q0, q1, v, before)
    rates = pair.rate(0.0, q1, v, before)
    slow_rate = ContactRate.of(pair, 0.0, q1, v, before.z, before.status)
    assert type(rates) is not type(slow_rate)
    for name in ("force", "z_rate", "slip_rates"):
        a, b = getattr(rates, name), getattr(slow_rate, name)
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-11 * np.abs(b).max(), err_msg=name)
    lost = slow_rate.report().damping_power
    assert rates.powers[0] == pytest.approx(lost, rel=1e-10)
    size = np.abs(slow_rate.point_force * slow_rate.kinematics.velocity).sum()
    assert abs(rates.powers[1]) <= 1e-11 * size
    np.testing.assert_array_equal(rates.resulting_status, slow_rate.resulting_status)
    same_work(rates.report().point_slip_power, rates.slip_rates[:, 0])
    return set(slow.history.status.tolist())


@pytest.mark.parametrize("kind", [*ELEMENTS, "plate"])
def test_every_kind_of_facet(kind, upper):
    """Force, elastic slip, slip totals and status are those of the reference form, to round-off."""
    pair = scene(kind, upper)
    assert len(pair.surface.points) % BLOCK
    found = set()
    for seed in range(3):
        found |= compare(pair, *states(pair, seed))
    assert found == {0, 1, 2}


@pytest.mark.parametrize("frames", [("fixed", "free"), ("free", "fixed"), ("fixed", "fixed")])
def test_frames(frames, upper):
    compare(*_with_state(scene("quad8", upper, frame=frames[0], master_frame=frames[1], gap=-0.05)))


def _with_state(pair, **options):
    return pair, *states(pair, **options)


def test_stribeck(upper):
    law = ElastoPlastic(Stribeck(0.05, 0.1, 0.5, 1.5, 0.02), 1e6, 2e3)
    compare(*_with_state(scene("quad8", upper, friction=law)))


@pytest.mark.parametrize("normal", PRESSED)
def test_normal_laws(normal, upper):
    """Without history, each with friction over speed and pressure."""
    law = ElastoPlastic(TABLE, 5e5, 2e3)
    pair = scene("tri6", upper, normal=PRESSED[normal], friction=law)
    state = states(pair, 1)
    assert compare(pair, *state) == {0, 1, 2}
    same_tangents(pair, *state)


@pytest.mark.parametrize("name", OTHERS)
def test_other_families(name, upper):
    """Laws beside the elasto-plastic one: steps, rates and tangents, yielding and stuck."""
    pair = scene("quad8", upper, friction=OTHERS[name])
    q0, q1, v, before = states(pair, 1)
    rated = not pair.friction.rateless
    statuses = compare(pair, q0, q1, v, before) if rated else set(
        compare_steps(pair, q0, q1, v, before).history.status.tolist())  # fmt: skip
    assert statuses == ({0, 2} if name in ("arctan", "tanh", "dahl", "lugre") else {0, 1, 2})
    same_tangents(pair, q0, q1, v, before)


@pytest.mark.parametrize("layer", LAYERS)
def test_stateful_layers(layer, upper):
    """Steps, also infinitely long ones of statics, and rates; adhesive ones pull, others do not."""
    law, statuses = ElastoPlastic(CURVE, 1e5, 2e3), set()
    for kind in ("quad8", "plate"):
        pair = scene(kind, upper, normal=LAYERS[layer], friction=law)
        state = states(pair, 1)
        statuses |= compare(pair, *state)
        pressure = compare_steps(pair, *state, h=np.inf).pressure[0]
        assert np.any(pressure > 0.0)
        assert np.any(pressure < 0.0) == (layer == "jkr")
        same_tangents(pair, *state)
    assert statuses == {0, 1, 2}


@pytest.mark.parametrize(("layer", "name"), list(zip(3 * list(LAYERS), OTHERS, strict=False)))
def test_layers_under_other_families(layer, name, upper):
    pair = scene("tri3", upper, normal=LAYERS[layer], friction=OTHERS[name])
    state = states(pair, 2)
    assert compare_steps(pair, *state).history.status.any()
    same_tangents(pair, *state)


def test_points_beyond_the_boundary_and_far_from_their_facet(upper):
    """A slave that reaches over the edge of its master, and one that is turned away from it."""
    pair = scene("quad4", upper)
    q0, q1, v, before = states(pair, 1)
    q0[:2], q1[:2] = 0.4, 0.45
    assert 0 in compare(pair, q0, q1, v, before)
    for layer in LAYERS.values():
        over = scene("quad4", upper, normal=layer)
        slow = compare_steps(over, q0, q1, v, states(over, 1)[3], h=np.inf)
        assert np.any(slow.kinematics.gap == np.inf)
    compare(*_with_state(pair, seed=5, turn=0.4))


@pytest.mark.parametrize("wall", ["outer", "inner"])
def test_rigid_points_around_a_wall(wall):
    """Facets at an angle, convex and concave, with points that find their facet only by a walk."""
    mesh = solid_annulus(0.5, 1.0, 0.0, 0.4, radial=1, circumferential=10)
    body = ElasticBody("tube", reduce_model(ElasticSolid(mesh, SOFT), contact=wall, modes=5,
                                            method="free"))  # fmt: skip
    rng = np.random.default_rng(0)
    angle, count = rng.uniform(0.0, 2.0 * np.pi, 300), 300
    radius = (1.0 if wall == "outer" else 0.5) + 0.03 * rng.standard_normal(count)
    places = np.stack([radius * np.cos(angle), radius * np.sin(angle),
                       rng.uniform(-0.05, 0.45, count)], axis=1)  # fmt: skip
    slave = RigidBody("shell", 1.0, DOFS, (0.1, 0.12, 0.15))
    surface = Surface(places, rng.uniform(0.5, 1.0, count) / count)
    pair = ContactPair(slave, surface, ElasticFace(body, wall), NORMAL, FRICTION)
    assert compare(*_with_state(pair)) == {0, 1, 2}
    same_tangents(*_with_state(pair))


def test_action_equals_reaction_with_moments(upper):
    """Force and moment about the origin, on both bodies together, vanish to round-off."""
    pair = scene("quad8", upper)
    q0, q1, v, before = states(pair, 2)
    force = pair.begin(0.0, q0, v, before).at(0.0, q1, v, H).force
    n, n_q = len(pair.slave.dofs), len(pair.slave.reference())
    total, moment = np.zeros((2, 3))
    for body, f, q in zip(pair.bodies, (force[:n], force[n:]), (q1[:n_q], q1[n_q:]), strict=True):
        total += f[:3]
        moment += np.cross(body.position + q[:3], f[:3]) + body.rotation(q) @ f[3:6]
    scale = np.linalg.norm(force[:3])
    assert scale > 1.0
    assert np.abs(total).max() <= 1e-13 * scale
    assert np.abs(moment).max() <= 1e-13 * scale


def same_tangents(pair, q0, q1, v, before):
    """Tangents of a step, yielding and stuck, are those of the reference form, to round-off."""
    start, slow = pair.begin(0.0, q0, v, before), ContactStart.of(pair, 0.0, q0, v, before)
    for a, b in ((start, slow), (start.no_slip(), slow.no_slip())):
        for fast, full in zip(
            a.at(0.0, q1, v, H).tangents(), b.at(0.0, q1, v, H).tangents(), strict=True
        ):
            scale = np.abs(full).max(axis=0)
            assert scale.max() > 0.0
            np.testing.assert_allclose(fast / scale.max(), full / scale.max(), rtol=0, atol=1e-11)
            n = len(pair.slave.dofs)
            for part in (slice(0, n), slice(n, None)):
                error = np.linalg.norm((fast - full)[part])
                assert error <= 1e-11 * np.linalg.norm(full[part])


@pytest.mark.parametrize("kind", [*ELEMENTS, "plate"])
def test_tangents(kind, upper):
    same_tangents(*_with_state(scene(kind, upper)))


@pytest.mark.parametrize("frames", [("fixed", "free"), ("free", "fixed")])
def test_tangents_in_fixed_frames(frames, upper):
    pair = scene("quad8", upper, frame=frames[0], master_frame=frames[1], gap=-0.05)
    same_tangents(*_with_state(pair))


@pytest.mark.parametrize("kind", ["quad8", "tri6"])
def test_tangents_are_derivatives(kind, upper, difference):
    """Sliding and sticking points on bent facets, both bodies turned: all dofs of both."""
    pair = scene(kind, upper, friction=ElastoPlastic(Stribeck(0.05, 0.1, 0.5), 1e6, 2e3))
    assert {1, 2} <= compare_with_differences(pair, 4, difference)


@pytest.mark.parametrize(("layer", "name"), [("solid", "dupont"), ("kelvin", "mindlin"),
                                             ("jkr", "arctan")])  # fmt: skip
def test_tangents_of_layers_are_derivatives(layer, name, upper, difference):
    pair = scene("quad8", upper, normal=LAYERS[layer], friction=OTHERS[name])
    assert 2 in compare_with_differences(pair, 4, difference)


def compare_with_differences(pair, seed, difference):
    """Tangents of a step with all points pressed together; returns the statuses that occur."""
    q0, q1, v, before = states(pair, seed)
    q0[2] -= 0.04
    q1[2] -= 0.04
    start = pair.begin(0.0, q0, v, before)
    step = start.at(0.0, q1, v, H)
    n_q, n = len(pair.slave.reference()), len(pair.slave.dofs)

    def moved(s):
        return np.concatenate([pair.bodies[0].move(q1[:n_q], s[:n]),
                               pair.bodies[1].move(q1[n_q:], s[n:])])  # fmt: skip

    by_q, by_v = step.tangents()
    width = np.full(len(v), 1e-6)
    found_q = difference(lambda s: start.at(0.0, moved(s), v, H).force, np.zeros(len(v)), width)
    found_v = difference(lambda s: start.at(0.0, q1, v + s, H).force, np.zeros(len(v)), width)
    assert np.linalg.norm(by_q - found_q) <= 1e-7 * np.linalg.norm(found_q)
    assert np.linalg.norm(by_v - found_v) <= 1e-7 * np.linalg.norm(found_v)
    return set(step.history.status.tolist())


def test_callers_from_several_threads_take_turns(upper):
    """A pair has one working space: forces and tangents are those of one caller after another."""
    pair = scene("quad8", upper)
    work = [states(pair, seed) for seed in range(12)]

    def force_and_tangents(state):
        q0, q1, v, before = state
        step = pair.begin(0.0, q0, v, before).at(0.0, q1, v, H)
        return step.force, *step.tangents()

    expected = [force_and_tangents(state) for state in work]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(force_and_tangents, work))
    for one, other in zip(expected, found, strict=True):
        for a, b in zip(one, other, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("laws", [{}, {"normal": LAYERS["solid"], "friction": OTHERS["dupont"]}],
                         ids=["elasto-plastic", "layer and bristles"])  # fmt: skip
def test_threads_and_other_evaluations_change_no_bit(laws, upper, monkeypatch):
    """Neither threads nor what was looked up before: a restart goes on with the same numbers."""
    pair = scene("quad8", upper, **laws)
    q0, q1, v, before = states(pair)
    one = pair.begin(0.0, q0, v, before).at(0.0, q1, v, H).found
    again = scene("quad8", upper, **laws)
    again.begin(0.0, q1, v, before).at(0.0, q0, v, H)
    monkeypatch.setattr(compiled_points, "THREADS", 2)
    monkeypatch.setattr(compiled_points, "THREADED_FROM", 1)
    other = again.begin(0.0, q0, v, before).at(0.0, q1, v, H).found
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)
    two = again.begin(0.0, q0, v, before).at(0.0, q1, v, H).tangents()
    monkeypatch.setattr(compiled_points, "THREADS", 1)
    alone = pair.begin(0.0, q0, v, before).at(0.0, q1, v, H).tangents()
    for a, b in zip(two, alone, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("layer", [None, *LAYERS])
def test_results_do_not_depend_on_the_order_of_points(layer, upper):
    pair = scene("quad8", upper, normal=NORMAL if layer is None else LAYERS[layer])
    q0, q1, v, before = states(pair)
    s, order = pair.surface, np.random.default_rng(0).permutation(len(pair.surface.points))
    mixed = replace(pair, surface=Surface(s.points[order], s.weights[order], s.shapes[order],
                                          s.gap[order]))  # fmt: skip
    turned = ContactHistory(before.z[order], before.status[order], before.slip_totals[order])
    a = pair.begin(0.0, q0, v, before).at(0.0, q1, v, H)
    b = mixed.begin(0.0, q0, v, turned).at(0.0, q1, v, H)
    np.testing.assert_allclose(a.history.z[order], b.history.z, rtol=0, atol=1e-15)
    np.testing.assert_allclose(a.force, b.force, rtol=0, atol=1e-12 * np.abs(a.force).max())


def test_points_that_stay_are_not_looked_up(upper):
    """Points near the middle between centres move from one to the other without the tree."""
    pair = scene("quad8", upper)
    q0, q1, v, _ = states(pair)
    kernel = compiled_facets(pair)
    kernel.origin(q0, v)
    known = kernel.starts.positions.copy()
    kernel.origin(q1, v)
    np.testing.assert_array_equal(kernel.starts.positions, known)


def bent_face(kind, cells, point, size, seed=None):
    """A pair of one rigid point on an elastic face that is bent by one mode, or at random."""
    model = solid(kind, (1.0, 1.0, 0.25), cells, modes=6)
    body = ElasticBody("lower", model, position=(0.0, 0.0, -0.25), frame="fixed")
    points = np.atleast_2d(point)
    pair = ContactPair(RigidBody("point", 1.0), Surface(points, np.ones(len(points))),
                       ElasticFace(body, "z_max"), NORMAL, FRICTION)  # fmt: skip
    part = -np.eye(len(body.dofs))[1]
    if seed is not None:
        part = np.random.default_rng(seed).uniform(-1.0, 1.0, len(body.dofs))
    return pair, size / np.abs(body.attachments.node_shapes).max() * part


@pytest.mark.parametrize("runs", [False, True], ids=["points apart", "neighbours share facets"])
@pytest.mark.parametrize("kind", ELEMENTS)
def test_polynomials_are_the_shape_functions(kind, runs):
    """Values anywhere on facets, in all ways to find them, and forces on nodes: the transpose."""
    pair, _ = bent_face(kind, (2, 2, 1), [0.3, 0.3, 0.0], 0.0)
    facets, rng = pair.master.facets, np.random.default_rng(0)
    values = rng.standard_normal((len(facets.nodes), 4))
    face = compiled_facets(pair).face
    face = face._replace(mesh=face.mesh._replace(nodes=values), rates=values)
    local, facet = (
        rng.uniform(0.0, 0.5, (BLOCK, 2)),
        rng.integers(len(facets.connectivity), size=BLOCK),
    )
    facet = np.sort(facet) if runs else facet
    flat, weights = local.T.ravel(), np.empty(facets.connectivity.shape[1] * BLOCK)
    c, result = np.empty(WORK), np.empty(3 * BLOCK)
    N = facets.sample(local)[:, 0]

    def expected(facet):
        return np.einsum("pa,pai->ip", N, values[facets.connectivity[facet], :3]).ravel()

    fetch(face, values, facet, c)
    positions_in(c, flat, BLOCK, result)
    np.testing.assert_allclose(result, expected(facet), atol=1e-14)
    carried(face, c, facet, np.roll(facet, 1), flat, result)
    np.testing.assert_allclose(result, expected(np.roll(facet, 1)), atol=1e-14)
    weigh(face.shape, flat, BLOCK, weights)
    velocities(face, facet, weights, result)
    np.testing.assert_allclose(result, expected(facet), atol=1e-14)
    force, back = rng.standard_normal(3 * BLOCK), np.empty_like(values)
    projected = PointsOnFacets(
        facet, np.zeros_like(facet), flat, np.zeros(3 * BLOCK), np.zeros(BLOCK)
    )
    spread(face, BLOCK, projected, force, weights, back)
    assert np.sum((back * values)[:, :3]) == pytest.approx(force @ expected(facet), rel=1e-12)


def test_equally_near_facets_do_not_depend_on_earlier_evaluations():
    """A point over the edge between two facets: the foot is the same wherever it was before."""
    forces = []
    for before in (None, -0.1, 0.1):
        pair, e = bent_face("quad4", (2, 1, 1), [0.5, 0.5, 0.0], 0.03)
        v, fresh = np.zeros(3 + len(e)), ContactHistory.fresh(1)
        q = np.concatenate([[0.0, 0.0, -0.05], e])
        if before is not None:
            side = q + before * np.eye(len(q))[0]
            pair.begin(0.0, side, v, fresh).at(0.0, side, v, H)
        step = pair.begin(0.0, q, v, fresh).at(0.0, q, v, H)
        forces.append(step.force)
        np.testing.assert_allclose(
            step.force,
            ContactStart.of(pair, 0.0, q, v, fresh).at(0.0, q, v, H).force,
            rtol=1e-11,
            atol=1e-6,
        )
    assert abs(forces[0][0]) > 1e3
    np.testing.assert_array_equal(forces[1], forces[0])
    np.testing.assert_array_equal(forces[2], forces[0])


@pytest.mark.parametrize("kind", ["tri3", "tri6", "quad4"])
def test_projections_are_the_nearest_at_kinks_of_bent_facets(kind):
    """Deep points over a face whose facets meet at angles once it is bent."""
    rng = np.random.default_rng(1)
    place = rng.uniform(0.05, 0.95, (256, 3))
    place[:, 2] = -0.03
    for seed in range(8):
        pair, e = bent_face(kind, (3, 3, 1), place, 0.08, seed)
        q, v = np.concatenate([np.zeros(3), e]), np.zeros(3 + len(e))
        fresh = ContactHistory.fresh(len(place))
        fast = pair.begin(0.0, q, v, fresh).at(0.0, q, v, H)
        slow = ContactStart.of(pair, 0.0, q, v, fresh).at(0.0, q, v, H)
        np.testing.assert_allclose(fast.force, slow.force, atol=1e-10 * np.abs(slow.force).max())
        np.testing.assert_allclose(fast.history.z, slow.history.z, atol=1e-12)


@pytest.mark.parametrize("place", [[0.0, 0.0, 0.2], [1e17, 2e17, 3e17]], ids=["axis", "far away"])
def test_points_with_more_nearest_facets_than_are_remembered(place):
    """A point on the axis of a tube, or so far away that distances differ by less than round-off.

    The search must end: whatever centre the tree names first, the point is known at its place.
    """
    mesh = solid_annulus(0.5, 1.0, 0.0, 0.4, radial=1, circumferential=24)
    model = reduce_model(ElasticSolid(mesh, SOFT), contact="inner", modes=2, method="free")
    face, points = ElasticFace(ElasticBody("tube", model), "inner"), np.array([place])
    slave = RigidBody("point", 1.0)
    pair = ContactPair(slave, Surface(points, np.ones(1)), face, NORMAL, FRICTION)
    kernel = compiled_facets(pair)
    starts = kernel.starts
    starts.positions[:] = np.repeat(points[0], BLOCK)
    look_up(kernel.tree, starts, BLOCK)
    assert starts.near[0] == 0.0
    assert starts.wide[0] > 0.0  # else the kernel would ask for it again and again
    starts.wide[:] = -1.0
    q = np.concatenate([body.reference() for body in pair.bodies])
    v, fresh = np.zeros(sum(len(body.dofs) for body in pair.bodies)), ContactHistory.fresh(1)
    assert not pair.begin(0.0, q, v, fresh).at(0.0, q, v, H).force.any()


@pytest.mark.parametrize("master", ["elastic", "rigid"])
@pytest.mark.parametrize("gap", [0.0, -0.6], ids=["open", "closed"])
def test_points_that_come_nearer_to_the_opposite_wall(master, gap):
    """Across the axis of a bore the normal turns by 180 degrees: no rotation is the smallest.

    The slip, along the axis here, stays; neither force nor tangents know that something happened.
    """
    mesh = solid_annulus(0.5, 1.0, 0.0, 0.4, radial=1, circumferential=12)
    model = reduce_model(ElasticSolid(mesh, SOFT), contact="inner", modes=2, method="free")
    face, across = ElasticFace(ElasticBody("tube", model), "inner"), np.eye(3)[0]
    if master == "rigid":
        face = RigidFace(None, Cylinder(0.5, hollow=True))
    else:
        across = face.facets.centres[0] * [1.0, 1.0, 0.0]
        across /= np.linalg.norm(across)
    surface = Surface(np.array([[0.0, 0.0, 0.2] - 1e-3 * across]), np.ones(1), gap=gap)
    pair = ContactPair(RigidBody("points", 1.0), surface, face, NORMAL, ElastoPlastic(0.5, 1e6))
    q0 = np.concatenate([body.reference() for body in pair.bodies])
    v = np.zeros(sum(len(body.dofs) for body in pair.bodies))
    before = ContactHistory(np.array([[0.0, 0.0, 1e-3]]), np.ones(1, int), np.zeros((1, 2)))
    q1 = q0.copy()
    q1[:3] = 2e-3 * across
    slow = compare_steps(pair, q0, q1, v, before)
    np.testing.assert_allclose(slow.history.z[:, 2], 1e-3 if gap < 0.0 else 0.0, atol=1e-9)
    start = pair.begin(0.0, q0, v, before).at(0.0, q1, v, H)
    for fast, full in zip(start.tangents(), slow.tangents(), strict=True):
        np.testing.assert_allclose(fast, full, rtol=0, atol=1e-9 * np.abs(full).max())
        assert np.isfinite(full).all()


def test_points_too_far_away_for_the_search():
    """The square of their distance is infinite: the tree finds no centre, and names none."""
    centres = np.random.default_rng(0).uniform(size=(20, 3))
    far = np.array([[1e200, 0.0, 0.0]])
    starts = Starts(np.zeros(3), np.full(1, -1.0), np.full(1, -1.0), np.full((1, 8), -1))
    starts.positions[:] = far[0]
    look_up(cKDTree(centres), starts, 1)
    assert starts.facets.max() < len(centres)
    assert starts.wide[0] > 0.0
    assert NearestCentre(centres)(far)[0] < len(centres)


@pytest.mark.parametrize("master", ["elastic", "rigid"])
def test_kernels_see_one_type(master, upper):
    """Histories of any type and layout, and laws given as integers: nothing is compiled anew.

    Neither are states kept in the type they came in: 32 bits, or integers.
    """
    laws = {"normal": PenaltyNormal(2_000_000, 1000), "friction": dupont(1, 500_000, 2000, 0, 0)}
    pair, same = scene("quad8", upper, **laws), scene("quad8", upper, **laws)
    if master == "rigid":
        face = RigidFace(None, Plane(point=(0.0, 0.0, 0.05)))
        pair, same = replace(pair, master=face), replace(same, master=face)
    else:
        laws = point_laws(pair.normal, pair.friction)
        assert {one.dtype for one in laws if isinstance(one, np.ndarray)} == {np.dtype(float)}
    q0, q1, v, before = states(pair)
    z, slip_totals = before.z.astype(np.float32), np.round(before.slip_totals)
    plain = ContactHistory(z.astype(float), before.status, slip_totals)
    wide = np.zeros((len(z), 6), dtype=np.float32)
    wide[:, ::2] = z
    other = ContactHistory(wide[:, ::2], before.status.astype(np.int8), slip_totals.astype(int))
    other.z.flags.writeable = False
    a = same.begin(0.0, q0, v, plain).at(0.0, q1, v, 1.0)
    tangents = a.tangents()
    kernels = (pair_blocks, pair_tangent_blocks, rigid_blocks, rigid_tangents)
    known = [len(kernel.signatures) for kernel in kernels]
    b = pair.begin(0.0, q0, v, other).at(0.0, q1, v, 1)
    for one, two in zip((*a.found, *tangents), (*b.found, *b.tangents()), strict=True):
        np.testing.assert_array_equal(one, two)
    assert b.history.z.dtype == b.history.slip_totals.dtype == float
    assert [len(kernel.signatures) for kernel in kernels] == known


@pytest.mark.parametrize("master", ["elastic", "rigid"])
def test_a_step_does_not_report_the_losses_of_another_evaluation(master, upper):
    """Only the continuous law finds the power of the dampers; sums of earlier ones stay behind."""
    pair = scene("quad8", upper)
    pair = (
        pair
        if master == "elastic"
        else replace(pair, master=RigidFace(None, Plane(point=(0.0, 0.0, 0.05))))
    )
    q0, q1, v, before = states(pair)
    start = pair.begin(0.0, q0, v, before)
    assert pair.rate(0.0, q1, v, before).found.lost != 0.0
    assert start.at(0.0, q1, v, H).found.lost == 0.0


def test_bodies_that_do_not_touch_take_the_compiled_form_alone(upper):
    """Also to see that no point starts too deep in a layer."""
    pair = scene("quad8", upper, normal=PenaltyNormal(2e6, 1e3, thickness=1e-3), gap=0.5)
    q0, q1, v, _ = states(pair)
    pair.begin(0.0, q0, v, ContactHistory.fresh(pair.points)).at(0.0, q1, v, H)
    assert pair.master.search.queries == 0
    deep = scene("quad8", upper, normal=pair.normal)
    with pytest.raises(InputError, match=r"deep in a layer of 0\.001 m"):
        deep.begin(0.0, q0, v, ContactHistory.fresh(deep.points))


def test_other_pairs_take_the_reference(upper):
    """As a law of the user's own, written with arrays."""

    class OwnLayer(KelvinLayer):
        def rate(self, z, gap, gap_rate):
            return super().rate(z, gap, gap_rate)

    pair = scene("quad8", upper, normal=OwnLayer(2e6, 1e3))
    assert compiled_facets(pair) is None


@pytest.mark.parametrize("master", ["elastic", "rigid"])
def test_kernels_leave_no_array_behind(master, upper):
    """What steps, rates and tangents make is given back: memory does not grow with the steps."""
    pair = scene("quad8", upper)
    if master == "rigid":
        above = RigidFace(None, Plane((0.0, 0.0, 0.1)))
        pair = ContactPair(pair.slave, pair.surface, above, NORMAL, FRICTION)
    q0, q1, v, before = states(pair)

    def evaluate():
        pair.begin(0.0, q0, v, before).at(0.0, q1, v, H).tangents()
        assert pair.rate(0.0, q1, v, before).force.any()

    _nrt_python.memsys_enable_stats()
    try:
        evaluate()
        first = rtsys.get_allocation_stats()
        for _ in range(5):
            evaluate()
        last = rtsys.get_allocation_stats()
    finally:
        _nrt_python.memsys_disable_stats()
    assert last.alloc > first.alloc
    assert last.alloc - first.alloc == last.free - first.free


def test_points_between_two_facets_start_at_the_same_one_in_both_forms():
    """Over the diagonal between mirrored centres the last bit decides: in one arithmetic only."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        a, b = rng.uniform(-1.0, 1.0, (2, 3))
        centres = np.array([a, b, a[[1, 0, 2]], b[[1, 0, 2]]])
        y = rng.uniform(-1.0, 1.0, (BLOCK, 3))
        y[:, 1] = y[:, 0]
        candidates = np.full((BLOCK, 8), -1)
        candidates[:, :4] = np.arange(4)
        starts = Starts(np.zeros(3 * BLOCK), np.full(BLOCK, -1.0), np.full(BLOCK, 1e9), candidates)
        w, facet = np.zeros(ROWS * BLOCK), np.empty(BLOCK, dtype=np.int64)
        w[Y : Y + 3 * BLOCK] = y.T.ravel()
        use_lanes(BLOCK, w)
        assert start_facets(starts, centres, 0, w, facet)
        np.testing.assert_array_equal(facet, NearestCentre(centres)(y))


def test_facets_of_any_integers(upper):
    """Numbers of nodes in 32 bits, as other programs write them."""
    pair = scene("quad8", upper)
    q0, q1, v, before = states(pair)
    expected = pair.begin(0.0, q0, v, before).at(0.0, q1, v, H).force
    facets = pair.master.facets
    object.__setattr__(facets, "connectivity", facets.connectivity.astype(np.int32))
    again = replace(pair)
    np.testing.assert_array_equal(again.begin(0.0, q0, v, before).at(0.0, q1, v, H).force, expected)
