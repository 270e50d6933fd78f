"""Compiled contact of whole pairs against the reference evaluation, family by family."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from time import sleep

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.contact import ContactPair, PenaltyNormal, Surface
from fecontact.contact.evaluate.compiled import points as compiled_points
from fecontact.contact.evaluate.compiled import rigid as compiled_rigid
from fecontact.contact.evaluate.rate import ContactRate
from fecontact.contact.evaluate.step import ContactHistory, ContactStart
from fecontact.contact.laws.adhesion import JKRContact
from fecontact.contact.laws.bristles import dahl, dupont, lugre
from fecontact.contact.laws.coefficient import Coulomb, FrictionTable, Stribeck
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.laws.kelvin_layer import KelvinLayer
from fecontact.contact.laws.mindlin import MindlinFriction
from fecontact.contact.laws.power import PowerNormal
from fecontact.contact.laws.regularised import RegularisedCoulomb
from fecontact.contact.laws.solid_layer import SolidLayer
from fecontact.contact.laws.table import TableNormal
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Cone, Cylinder, Plane, Ring, Sphere, Torus
from fecontact.contact.patch.hertz import ContactModuli, HertzPoint
from fecontact.contact.surface.points import elastic_surface
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.mesh import block
from fecontact.reduction import reduce_model

COUNT = 300  # two full blocks and a part of one
H = 0.01
SHAPES = {
    "plane": Plane((0.1, 0.0, -0.01), (0.1, 0.2, 1.0)),
    "ring": Ring(0.1, 0.4, 0.01),
    "sphere": Sphere(2.0, (0.0, 0.0, -2.0)),
    "hollow sphere": Sphere(2.0, (0.0, 0.0, 2.0), hollow=True),
    "cylinder": Cylinder(0.3),
    "bore": Cylinder(0.3, hollow=True),
    "cone": Cone(1.5),
    "funnel": Cone(1.4, hollow=True),
    "torus": Torus(0.3, 0.05),
}
NORMAL = {
    "penalty": PenaltyNormal(200.0, 3.0),
    "hunt-crossley": PowerNormal(300.0, 1.5, 0.3),
    "root": PowerNormal(300.0, 1.3, root_damping=0.2),
    "table": TableNormal(np.array([0.0, 0.02, 0.05]), np.array([0.0, 3.0, 20.0]), 2.0),
}
LAYERS = {
    "solid": SolidLayer(120.0, 200.0, 0.02),
    "kelvin": KelvinLayer(200.0, 3.0),
    "jkr": JKRContact(ContactModuli(1000.0, 0.3), radius=0.3, surface_energy=0.3).law(0.01),
}
FRICTION = {
    "coulomb": 0.4,
    "static": Coulomb(0.3, 0.5),
    "stribeck": Stribeck(0.3, 0.5, 0.5, 1.5, 0.02),
    "table": FrictionTable(np.array([0.0, 0.2, 1.0]), np.array([0.5, 0.3, 0.4])),
    "table over pressure": FrictionTable(
        np.array([0.0, 0.2, 1.0]), np.array([[0.5, 0.4], [0.3, 0.2], [0.4, 0.3]]),
        np.array([2.0, 5.0]), static=0.6,
    ),
}  # fmt: skip


SEEDS = st.integers(0, 10**6)
CURVE = Stribeck(0.3, 0.5, 0.5, 1.5, 0.02)
BALL = HertzPoint(ContactModuli(1000.0, 0.3), radius=0.3)
OTHERS = {
    "mindlin": MindlinFriction(BALL, CURVE, 2.0, root_damping=0.1),
    "undamped mindlin": MindlinFriction(BALL, Coulomb(0.3, 0.5), 2.0),
    "arctan": RegularisedCoulomb(CURVE, 0.1),
    "tanh": RegularisedCoulomb(0.3, 0.1, "tanh"),
    "dahl": dahl(0.4, 40.0),
    "lugre": lugre(CURVE, 40.0, 1.5, 0.02),
    "dupont": dupont(CURVE, 40.0, 1.5, 0.02, onset=0.3),
    "decaying": dupont(0.3, 40.0, 1.5, 0.0, onset=0.5, decay=0.7),
}


def scene(shape, normal, friction, seed=0, count=COUNT):
    """Pair of two rigid bodies with many points, states before and after a step, history."""
    rng = np.random.default_rng(seed)
    points = rng.uniform(-0.5, 0.5, (count, 3)) * [1.0, 1.0, 0.1]
    slave = RigidBody("slave", 1.0, DOFS, (0.1, 0.12, 0.15))
    master = RigidBody("master", 2.0, DOFS, (0.3, 0.2, 0.25))
    surface = Surface(points, rng.uniform(0.5, 1.0, count), gap=0.01 * rng.standard_normal(count))
    pair = ContactPair(slave, surface, RigidFace(master, shape), normal, friction)
    q0 = [b.move(b.reference(), 0.05 * rng.standard_normal(len(b.dofs))) for b in pair.bodies]
    q1 = [
        b.move(q, 0.03 * rng.standard_normal(len(b.dofs)))
        for b, q in zip(pair.bodies, q0, strict=True)
    ]
    v = 0.3 * rng.standard_normal(sum(len(b.dofs) for b in pair.bodies))
    return pair, np.concatenate(q0), np.concatenate(q1), v, history(rng, count)


def layered(layer, shape, friction, seed=0, count=COUNT):
    """As `scene`, with a layer that was pressed before: states that leave some points open."""
    pair, q0, q1, v, before = scene(shape, LAYERS[layer], friction, seed, count)
    rng = np.random.default_rng(seed + 1)
    state = (1.0 if layer == "jkr" else 0.03) * rng.uniform(0.0, 1.0, count)
    return pair, q0, q1, v, replace(before, z=np.column_stack([before.z, state]))


def history(rng, count):
    z = 0.03 * rng.standard_normal((count, 3))
    return ContactHistory(z, rng.integers(0, 3, count), rng.uniform(0.0, 1.0, (count, 2)))


def same_work(reported, counted):
    """Slip power (p,) of a report is what the kernel counts; 1 J has the round-off 2e-16."""
    off = 1e-11 * np.abs(counted).max() + 1e-15 / H
    np.testing.assert_allclose(reported, counted, rtol=0, atol=off)


def compare_steps(pair, q0, q1, v, before, h=H, slopes=1e-12):
    """Both evaluations of a step, tangents to a fraction `slopes`; returns the reference."""
    kept = [before.z.copy(), before.status.copy(), before.slip_totals.copy()]
    fast = pair.begin(0.0, q0, v, before).at(0.0, q1, v, h)
    slow = ContactStart.of(pair, 0.0, q0, v, before).at(0.0, q1, v, h)
    assert type(fast) is not type(slow)
    for name in ("force", "z", "slip_totals"):
        a, b = (getattr(s if name == "force" else s.history, name) for s in (fast, slow))
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12 * np.abs(b).max(), err_msg=name)
    np.testing.assert_array_equal(fast.history.status, slow.history.status)
    same_work(
        fast.report().point_slip_power, (fast.history.slip_totals - before.slip_totals)[:, 0] / h
    )
    close(fast.tangents(), slow.tangents(), slopes)
    for a, b in zip(kept, (before.z, before.status, before.slip_totals), strict=True):
        np.testing.assert_array_equal(a, b)
    return slow


def compare(pair, q0, q1, v, before):
    """Both evaluations of a step, then of the rate form; returns the statuses that occur."""
    slow = compare_steps(pair, q0, q1, v, before)
    fast = pair.rate(0.0, q1, v, before)
    slow_rate = ContactRate.of(pair, 0.0, q1, v, before.z, before.status)
    assert type(fast) is not type(slow_rate)
    for name in ("force", "z_rate", "slip_rates"):
        a, b = getattr(fast, name), getattr(slow_rate, name)
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12 * np.abs(b).max(), err_msg=name)
    np.testing.assert_array_equal(fast.resulting_status, slow_rate.resulting_status)
    same_work(fast.report().point_slip_power, fast.slip_rates[:, 0])
    same_powers(fast, slow_rate)
    power = np.sum(slow.point_force * slow.kinematics.velocity)
    assert abs(pair.begin(0.0, q0, v, before).at(0.0, q1, v, H).found.power - power) <= (
        1e-12 * np.abs(slow.point_force * slow.kinematics.velocity).sum()
    )
    return set(slow.history.status.tolist())


def same_powers(fast, slow):
    """Dampers take the same; the supplied power of the reference form is round-off of its terms."""
    report = slow.report()
    size = np.abs(slow.point_force * slow.kinematics.velocity).sum()
    assert fast.powers[0] == pytest.approx(report.damping_power, rel=1e-11, abs=1e-12 * size)
    assert fast.powers[1] == pytest.approx(report.supplied_power, abs=1e-11 * size)


def close(fast, slow, fraction=1e-12):
    """Tangents by the kernel and item by item, to round-off of the largest entry."""
    for a, b in zip(fast, slow, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=fraction * np.abs(b).max())


def gap_round_off(pair, q, v):
    """Fraction to which the least gap of closed points is known, a difference of positions."""
    at = pair.kinematics(q, v)
    size, least = np.abs(at.slave.position).max(), np.abs(at.gap[at.gap < 0.0]).min(initial=np.inf)
    return np.finfo(float).eps * size / least


def compare_with_differences(pair, q0, q1, v, before, difference, moved):
    """Tangents of a step by the kernel; returns the statuses that occur."""
    start = pair.begin(0.0, q0, v, before)
    step, small = start.at(0.0, q1, v, H), np.full(len(v), 1e-5)
    still = np.zeros(len(v))
    by_q = difference(lambda d: start.at(0.0, moved(pair.bodies, q1, d), v, H).force, still, small)
    by_v = difference(lambda d: start.at(0.0, q1, v + d, H).force, still, small)
    for tangent, reference in zip(step.tangents(), (by_q, by_v), strict=True):
        assert np.abs(tangent - reference).max() <= 1e-7 * np.abs(reference).max()
    return set(step.history.status.tolist())


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    law = ElastoPlastic(Coulomb(0.3, 0.5), 40.0, 1.5)
    statuses = compare(*scene(SHAPES[name], NORMAL["penalty"], law))
    assert statuses >= {0, 2}


@pytest.mark.parametrize("friction", FRICTION)
@pytest.mark.parametrize("normal", NORMAL)
def test_laws(normal, friction):
    law = ElastoPlastic(FRICTION[friction], 40.0, 1.5)
    assert compare(*scene(Plane(), NORMAL[normal], law, seed=1)) == {0, 1, 2}


@pytest.mark.parametrize("name", OTHERS)
@given(seed=st.integers(0, 1000), shape=st.sampled_from(["plane", "bore", "hollow sphere"]))
@settings(max_examples=8)
def test_other_families(name, seed, shape):
    """Laws beside the elasto-plastic one, on random states.

    The slope of root damping goes with a power of the gap, and is known no better than it.
    """
    pair, q0, q1, v, before = scene(SHAPES[shape], NORMAL["root"], OTHERS[name], seed, count=150)
    slopes = max(1e-12, gap_round_off(pair, q1, v))
    compare_steps(pair, q0, q1, v, before, slopes=slopes)


@pytest.mark.parametrize("name", OTHERS)
def test_other_families_meet_all_modes(name):
    pair, *state = scene(Plane(), NORMAL["root"], OTHERS[name], seed=1)
    statuses = set(compare_steps(pair, *state).history.status.tolist())
    assert statuses == ({0, 2} if name in ("arctan", "tanh", "dahl", "lugre") else {0, 1, 2})
    q0, q1, v, before = state
    fast = pair.begin(0.0, q0, v, before).no_slip().at(0.0, q1, v, H)
    slow = ContactStart.of(pair, 0.0, q0, v, before).no_slip().at(0.0, q1, v, H)
    close(fast.tangents(), slow.tangents())


@pytest.mark.parametrize("frame", ["free", "fixed"])
def test_elastic_slave(frame):
    """The number of modes is no multiple of four, which the kernel takes at once."""
    solid = ElasticSolid(block(0.1, 0.08, 0.02, cells=(4, 4, 1)), Material(7e10, 0.3, 2700.0))
    body = ElasticBody("slab", reduce_model(solid, contact="z_min", modes=13), frame=frame)
    surface = elastic_surface(body, "z_min")
    rng = np.random.default_rng(3)
    pair = ContactPair(
        body, surface, RigidFace(None, Plane(), (0.0, 0.0, 1e-4)), PenaltyNormal(1e10, 1e5),
        ElastoPlastic(Coulomb(0.3, 0.4), 5e9, 1e4),
    )  # fmt: skip
    n, m = len(body.dofs), surface.shapes.shape[2]
    size = np.full(n, 1e-4)
    size[n - m :] = 1e-4 / np.abs(surface.shapes).max()
    q0 = body.move(body.reference(), size * rng.standard_normal(n))
    q1 = body.move(q0, size * rng.standard_normal(n))
    v = size / H * rng.standard_normal(n)
    before = history(rng, len(surface.points))
    before = replace(before, z=1e-3 * before.z)
    assert m % 4
    assert compare(pair, q0, q1, v, before) >= {0, 2}


@pytest.mark.parametrize("law", [ElastoPlastic(0.3, 40.0, 1.5), *OTHERS.values()])
@settings(max_examples=3)
@given(seed=SEEDS)
def test_threads_give_the_same_bits(law, seed):
    """Of the tangents too, whose sums are those of 16 blocks of 128 points each."""
    same_bits(scene(SHAPES["sphere"], NORMAL["penalty"], law, seed, count=4200))


@pytest.mark.parametrize("layer", LAYERS)
@settings(max_examples=3)
@given(seed=SEEDS)
def test_threads_give_the_same_bits_of_layers(layer, seed):
    law = ElastoPlastic(0.3, 40.0, 1.5)
    same_bits(layered(layer, SHAPES["sphere"], law, seed, count=4200))


def same_bits(state):
    """Step and tangents with one thread and with two, three and five."""
    pair, q0, q1, v, before = state
    one = pair.begin(0.0, q0, v, before).at(0.0, q1, v, H)
    one = (*one.found, *one.tangents())
    for number in (2, 3, 5):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compiled_points, "THREADS", number)
            patch.setattr(compiled_points, "THREADED_FROM", 1)
            more = pair.begin(0.0, q0, v, before).at(0.0, q1, v, H)
            more = (*more.found, *more.tangents())
        for a, b in zip(one, more, strict=True):
            np.testing.assert_array_equal(a, b)


def test_callers_from_several_threads_take_turns(monkeypatch):
    """A pair has one working space; here other threads run before its sums are read."""
    pair, q0, q1, v, before = scene(Plane(), NORMAL["penalty"], ElastoPlastic(0.3, 40.0, 1.5))
    start, shares, run = (
        pair.begin(0.0, q0, v, before),
        np.linspace(0.1, 1.0, 8),
        compiled_points.shared,
    )

    def force(share):
        return start.at(0.0, q1, share * v, H).force.tolist()

    def run_and_wait(*work):
        good = run(*work)
        sleep(1e-3)
        return good

    expected = [force(share) for share in shares]
    monkeypatch.setattr(compiled_rigid, "shared", run_and_wait)
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(force, shares)) == expected


def test_results_do_not_depend_on_the_order_of_points():
    pair, q0, q1, v, before = scene(Plane(), NORMAL["penalty"], ElastoPlastic(0.3, 40.0, 1.5))
    order = np.random.default_rng(0).permutation(COUNT)
    s = pair.surface
    mixed = replace(pair, surface=Surface(s.points[order], s.weights[order], gap=s.gap[order]))
    turned = ContactHistory(before.z[order], before.status[order], before.slip_totals[order])
    a = pair.begin(0.0, q0, v, before).at(0.0, q1, v, H)
    b = mixed.begin(0.0, q0, v, turned).at(0.0, q1, v, H)
    np.testing.assert_array_equal(a.history.z[order], b.history.z)
    np.testing.assert_allclose(a.force, b.force, rtol=0, atol=1e-13 * np.abs(a.force).max())


@pytest.mark.parametrize("shape", ["plane", "ring", "bore", "hollow sphere"])
@pytest.mark.parametrize("layer", LAYERS)
def test_stateful_layers(layer, shape):
    """Steps, also infinitely long ones of statics, and rates, with points beside a ring."""
    state = layered(layer, SHAPES[shape], ElastoPlastic(CURVE, 40.0, 1.5), seed=1)
    compare(*state)
    compare_steps(*state, h=np.inf)


@pytest.mark.parametrize("friction", OTHERS)
@given(seed=st.integers(0, 1000), layer=st.sampled_from(list(LAYERS)))
@settings(max_examples=6)
def test_layers_under_other_families(friction, seed, layer):
    compare_steps(*layered(layer, SHAPES["bore"], OTHERS[friction], seed, count=150))


@pytest.mark.parametrize("layer", LAYERS)
def test_layers_meet_all_modes_and_pull_only_if_adhesive(layer):
    slow = compare_steps(*layered(layer, Plane(), ElastoPlastic(0.8, 10.0, 0.5), seed=1))
    assert set(slow.history.status.tolist()) == {0, 1, 2}
    assert np.any(slow.pressure[0] < 0.0) == (layer == "jkr")
    assert np.any((slow.pressure[0] == 0.0) & (slow.layer.z > 0.0)) == (layer != "jkr")


@pytest.mark.parametrize("layer", LAYERS)
def test_tangents_of_layers_against_differences(layer, difference, moved):
    state = layered(layer, SHAPES["bore"], ElastoPlastic(CURVE, 40.0, 1.5), 2, count=12)
    compare_with_differences(*state, difference, moved)


def test_other_pairs_take_the_reference():
    """As a law of the user's own, written with arrays."""

    class OwnLayer(KelvinLayer):
        def step(self, z, gap_before, gap, gap_rate, h):
            return super().step(z, gap_before, gap, gap_rate, h)

    pair, q0, q1, v, before = scene(Plane(), OwnLayer(200.0, 3.0), ElastoPlastic(0.3, 40.0, 1.5))
    assert compiled_rigid.compiled_rigid(pair) is None
    own = replace(before, z=np.column_stack([before.z, np.zeros(COUNT)]))
    step = pair.begin(0.0, q0, v, own).at(0.0, q1, v, H)
    np.testing.assert_array_equal(
        step.force, ContactStart.of(pair, 0.0, q0, v, own).at(0.0, q1, v, H).force
    )


def test_stuck_step_and_report_belong_to_the_step():
    pair, q0, q1, v, before = scene(Plane(), NORMAL["penalty"], ElastoPlastic(0.3, 40.0, 1.5))
    start = pair.begin(0.0, q0, v, before)
    slow = ContactStart.of(pair, 0.0, q0, v, before)
    for a, b in ((start, slow), (start.no_slip(), slow.no_slip())):
        fast, step = a.at(0.0, q1, v, H), b.at(0.0, q1, v, H)
        close(fast.tangents(), step.tangents())
        assert fast.report().energy == pytest.approx(step.report().energy, rel=COUNT * 2.2e-16)


@pytest.mark.parametrize(
    ("name", "seed"), [("torus", 14), ("funnel", 0), ("bore", 8), ("hollow sphere", 1)]
)
def test_tangents_against_differences(name, seed, difference, moved):
    """Curved master, both bodies free, all terms of the law; 12 points, so that none has a kink."""
    law = ElastoPlastic(Stribeck(0.3, 0.5, 0.5, 1.5, 0.02), 40.0, 1.5)
    pair, q0, q1, v, before = scene(SHAPES[name], NORMAL["root"], law, seed, count=12)
    assert compare_with_differences(pair, q0, q1, v, before, difference, moved) == {0, 1, 2}


def test_open_points_have_no_tangent():
    """Also those whose bristles are straight and at rest, where the return map has a kink."""
    pair, q0, _, v, _ = scene(Plane((0.0, 0.0, -9.0)), NORMAL["penalty"], ElastoPlastic(0.3, 40.0))
    fresh = ContactHistory.fresh(COUNT)
    for step in (
        pair.begin(0.0, q0, 0.0 * v, fresh).at(0.0, q0, 0.0 * v, H),
        ContactStart.of(pair, 0.0, q0, 0.0 * v, fresh).at(0.0, q0, 0.0 * v, H),
    ):
        for tangent in step.tangents():
            assert not tangent.any()


def test_point_on_the_axis_is_refused():
    body = RigidBody("ball", 1.0)
    pair = ContactPair(
        body, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Cylinder(1.0)),
        PenaltyNormal(1e3), ElastoPlastic(0.3, 1e3),
    )  # fmt: skip
    with pytest.raises(InputError, match="axis of the cylinder"):
        pair.begin(0.0, np.zeros(3), np.zeros(3), ContactHistory.fresh(1))


def test_modes_of_other_integers_are_taken():
    """A history from a file may have a status of 32 bits."""
    body = RigidBody("body", 1.0, ("ux", "uz"))
    pair = ContactPair(body, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane()),
                       PenaltyNormal(1e6), ElastoPlastic(0.3, 1e6))  # fmt: skip
    q, v, fresh = np.array([1e-5, -1e-4]), np.zeros(2), ContactHistory.fresh(1)
    short = replace(fresh, status=fresh.status.astype(np.int32))
    first, second = (pair.begin(0.0, q, v, h).at(0.0, 2.0 * q, v, H) for h in (fresh, short))
    np.testing.assert_array_equal(first.force, second.force)
    for one, other in zip(first.tangents(), second.tangents(), strict=True):
        np.testing.assert_array_equal(one, other)
