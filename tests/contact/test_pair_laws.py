"""Every friction law and normal law on a pair of two bodies: tangents, balance, invariants."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from fecontact.body import DOFS, RigidBody
from fecontact.contact import (
    ContactHistory,
    ContactModuli,
    ContactPair,
    ContactRate,
    ElastoPlastic,
    HertzPoint,
    JKRContact,
    KelvinLayer,
    MindlinFriction,
    PenaltyNormal,
    Plane,
    PowerNormal,
    RegularisedCoulomb,
    RigidFace,
    SolidLayer,
    Sphere,
    StepStart,
    Stribeck,
    Surface,
    TableNormal,
    dahl,
    dupont,
    lugre,
    ring,
)
from fecontact.contact.laws.base import history_width
from fecontact.contact.status import OPEN
from fecontact.errors import InputError

MU = Stribeck(0.3, 0.5, 0.5)
FRICTION = {
    "elasto-plastic": ElastoPlastic(MU, 40.0, 1.5),
    "dahl": dahl(MU, 40.0),
    "lugre": lugre(MU, 40.0, 1.5, 0.1),
    "dupont": dupont(MU, 40.0, 0.5, onset=0.3, decay=0.6),
    "arctan": RegularisedCoulomb(MU, 0.2),
    "tanh": RegularisedCoulomb(MU, 0.2, "tanh"),
    "mindlin": MindlinFriction(HertzPoint(ContactModuli(100.0, 0.3), 1.0), MU, 5.0, 0.25),
}
NORMAL = {
    "penalty": PenaltyNormal(200.0, 3.0),
    "power": PowerNormal(900.0, 1.5, hunt_crossley=0.2, root_damping=0.3),
    "table": TableNormal(np.array([0.0, 0.02, 0.04]), np.array([0.0, 3.0, 9.0]), 3.0),
    "solid": SolidLayer(150.0, 100.0, 0.05),
    "kelvin": KelvinLayer(200.0, 3.0),
    "jkr": JKRContact(ContactModuli(800.0, 0.3), 1.0, 0.05).law(bond_time=0.03),
}
FORMS = [
    *product(FRICTION, ("penalty", "solid")),
    *(("elasto-plastic", name) for name in ("power", "table", "kelvin", "jkr")),
]
SHAPES = {"plane": Plane(), "hollow": Sphere(1.05, (0.0, 0.0, 1.05), hollow=True)}
SEEDS = st.integers(0, 10**6)
H = 0.01


def scene(friction, normal, seed, shape="hollow"):
    """Pair of two bodies, coordinates before and after a step, velocities, history."""
    rng = np.random.default_rng(seed)
    points = np.array([[0.3, 0.0, -0.03], [-0.2, 0.2, -0.03], [0.1, -0.3, -0.03], [0.0, 0.3, 0.2]])
    slave = RigidBody("slave", 1.0, DOFS, (0.1, 0.12, 0.15))
    master = RigidBody("master", 2.0, DOFS, (0.3, 0.2, 0.25))
    surface = Surface(points, rng.uniform(0.5, 1.0, len(points)))
    face = RigidFace(master, SHAPES[shape])
    pair = ContactPair(slave, surface, face, NORMAL[normal], FRICTION[friction])
    start = [b.move(b.reference(), 0.01 * rng.standard_normal(6)) for b in pair.bodies]
    end = [
        b.move(x, 0.01 * rng.standard_normal(6)) for b, x in zip(pair.bodies, start, strict=True)
    ]
    v = 0.3 * rng.standard_normal(12)
    at = pair.kinematics(np.concatenate(start), v).projection
    z = 0.03 * rng.standard_normal((len(points), 3))
    z -= np.sum(z * at.normal, axis=1)[:, None] * at.normal
    z = z @ at.rotation
    if history_width(pair.normal, pair.friction) == 4:
        size = 1.0 if normal == "jkr" else 0.02  # a share of the bond, or m of the layer
        z = np.column_stack([z, size * rng.uniform(0, 1, len(points))])
    history = ContactHistory(z, rng.integers(1, 3, len(points)), np.zeros((len(points), 2)))
    return pair, np.concatenate(start), np.concatenate(end), v, history


def moved(pair, q, step):
    parts, steps = np.split(q, 2), np.split(step, 2)
    return np.concatenate([b.move(*x) for b, *x in zip(pair.bodies, parts, steps, strict=True)])


def compare(values, blocks, exact, seed, difference):
    """Derivatives of the parts of `values` along a random direction of each block of unknowns.

    A difference that changes with its step has crossed a kink: it says nothing.
    """
    rng, n = np.random.default_rng(seed), sum(blocks)
    for place, size in zip(np.cumsum([0, *blocks]), blocks, strict=False):
        line = np.zeros(n)
        line[place : place + size] = rng.standard_normal(size)
        along = lambda t, line=line: values(t[0] * line)  # noqa: E731
        found = [difference(along, np.zeros(1), [x])[:, 0] for x in (1e-4, 5e-5)]
        for part in exact:
            rows, matrix = part
            limit = np.linalg.norm(matrix[:, place : place + size]) * np.linalg.norm(line)
            assume(np.abs(found[0] - found[1])[rows].max() <= 1e-8 * limit)
            assert np.abs(matrix @ line - found[0][rows]).max() <= 1e-7 * limit


@pytest.mark.parametrize(("friction", "normal"), FORMS)
@settings(max_examples=4)
@given(seed=SEEDS)
def test_tangents_of_a_step(friction, normal, difference, seed):
    pair, q0, q, v, history = scene(friction, normal, seed)
    start = StepStart.of(pair, q0, v, history)
    exact = np.hstack(start.at(q, v, H).tangents())

    def force(y):
        return start.at(moved(pair, q, y[:12]), v + y[12:], H).force

    compare(force, (12, 12), [(slice(None), exact)], seed, difference)


@pytest.mark.parametrize(("friction", "normal"), FORMS)
@settings(max_examples=4)
@given(seed=SEEDS)
def test_tangents_of_the_rate_form(friction, normal, difference, seed):
    pair, _, q, v, history = scene(friction, normal, seed)
    z, k = history.z, history.z.shape[1]

    def values(y):
        at = moved(pair, q, y[:12]), v + y[12:24], z + y[24:].reshape(z.shape)
        rates = ContactRate.of(pair, *at, history.status)
        return np.r_[rates.force, rates.z_rate.ravel()]

    by = ContactRate.of(pair, q, v, z, history.status).tangents()
    by_z = np.zeros((z.size, z.size))
    for i, block in enumerate(by.z_rate_by_z):
        by_z[k * i : k * i + k, k * i : k * i + k] = block
    force = np.hstack([by.force_by_q, by.force_by_v, by.force_by_z])
    rate = np.hstack([by.z_rate_by_q, by.z_rate_by_v, by_z])
    parts = [(slice(12), force), (slice(12, None), rate)]
    compare(values, (12, 12, z.size), parts, seed, difference)


@pytest.mark.parametrize(("friction", "normal"), FORMS)
@settings(max_examples=5)
@given(seed=SEEDS)
def test_action_equals_reaction(friction, normal, seed):
    """Forces and moments about the origin balance on the two bodies, in both forms."""
    pair, q0, q, v, history = scene(friction, normal, seed)
    step = StepStart.of(pair, q0, v, history).at(q, v, H)
    for f in (step.force, ContactRate.of(pair, q, v, history.z, history.status).force):
        total, moment = np.zeros(3), np.zeros(3)
        for body, x, part in zip(pair.bodies, np.split(q, 2), np.split(f, 2), strict=True):
            total += part[:3]
            moment += np.cross(np.asarray(body.position) + x[:3], part[:3])
            moment += body.rotation(x) @ part[3:]
        size = max(1.0, np.abs(f).max())
        assert np.abs(total).max() < 1e-12 * size
        assert np.abs(moment).max() < 1e-12 * size


@pytest.mark.parametrize(("friction", "normal"), FORMS)
@settings(max_examples=5)
@given(seed=SEEDS)
def test_a_common_motion_changes_nothing(friction, normal, seed):
    """Turned and shifted between the start and the end of a step: same history, forces turn."""
    pair, q0, q, v, history = scene(friction, normal, seed)
    R, shift = Rotation.random(rng=seed), np.array([0.3, -2.0, 1.0])
    parts = []
    for x in np.split(q, 2):
        xyzw = (R * Rotation.from_quat(x[[4, 5, 6, 3]])).as_quat()
        parts.append(np.r_[R.apply(x[:3]) + shift, xyzw[3], xyzw[:3]])
    v_turned = np.concatenate([np.r_[R.apply(part[:3]), part[3:]] for part in np.split(v, 2)])
    start = StepStart.of(pair, q0, v, history)
    step, other = start.at(q, v, H), start.at(np.concatenate(parts), v_turned, H)
    assert np.allclose(other.history.z, step.history.z, atol=1e-12)
    assert np.allclose(other.history.slip_totals, step.history.slip_totals, atol=1e-12)
    expected = [np.r_[R.apply(part[:3]), part[3:]] for part in np.split(step.force, 2)]
    assert np.allclose(other.force, np.concatenate(expected), atol=1e-10)


@pytest.mark.parametrize(("friction", "normal"), [x for x in FORMS if x[1] != "jkr"])
@settings(max_examples=5)
@given(seed=SEEDS)
def test_no_tension_and_dissipation(friction, normal, seed):
    """Pressures push; springs that give their energy back never give more than they stored."""
    pair, q0, q, v, history = scene(friction, normal, seed)
    step = StepStart.of(pair, q0, v, history).at(q, v, H)
    rates = ContactRate.of(pair, q, v, history.z, history.status)
    for form in (step, rates):
        assert np.all(form.pressure[0] >= 0.0)
        assert np.all(form.point_force[form.friction.status == OPEN] == 0.0)
    report = rates.report()
    if friction != "lugre":  # it is not passive; Mindlin's spring only while the load varies
        assert report.slip_power + report.damping_power >= -1e-12
        assert np.all(rates.slip_power >= -1e-12) or pair.friction.damping > 0.0


@pytest.mark.parametrize(("friction", "normal"), [x for x in FORMS if x[0] != "mindlin"])
@settings(max_examples=4)
@given(seed=SEEDS)
def test_energy_balance_of_the_rate_form(friction, normal, seed):
    """f . v = -dE/dt - damping - slip: nothing is supplied, nothing is lost without a name."""
    pair, _, q, v, history = scene(friction, normal, seed, "plane")
    if normal == "kelvin":  # a layer is never less compressed than the gap says
        history.z[:, 3] = np.maximum(history.z[:, 3], -pair.kinematics(q, v).gap)
    rates = ContactRate.of(pair, q, v, history.z, history.status)
    report = rates.report()

    def energy(t):
        z = history.z + t * rates.z_rate
        return ContactRate.of(pair, moved(pair, q, t * v), v, z, history.status).report().energy

    change = [(energy(t) - energy(-t)) / (2.0 * t) for t in (1e-5, 5e-6)]
    assume(abs(change[0] - change[1]) <= 1e-7)  # no point opens or closes within the difference
    balance = rates.force @ v + change[0] + report.damping_power + report.slip_power
    assert report.supplied_power == pytest.approx(0.0, abs=1e-12)
    assert balance == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("friction", ["elasto-plastic", "arctan"])
@pytest.mark.parametrize("spinning", ["slave", "master"])
def test_a_prescribed_spin_supplies_power(friction, spinning):
    """f . v = -dE/dt - damping - slip + supplied, with a spin that is not in v."""
    inertia, spins = (0.1, 0.1, 0.1), {spinning: 40.0}
    slave, master = (
        RigidBody(name, 1.0, ("ux", "uy", "uz"), inertia, spin=spins.get(name, 0.0))
        for name in ("slave", "master")
    )
    points = ring(0.3, 3, height=-0.03).points
    face = RigidFace(master, SHAPES["plane"])
    pair = ContactPair(
        slave, Surface(points, np.ones(3)), face, NORMAL["penalty"], FRICTION[friction]
    )
    rng = np.random.default_rng(1)
    q, v = 0.01 * rng.uniform(-1, 1, 6), 0.1 * rng.standard_normal(6)
    z = np.column_stack([0.03 * rng.standard_normal((3, 2)), np.zeros(3)])
    status = np.full(3, 2)
    rates = ContactRate.of(pair, q, v, z, status)
    report = rates.report()

    def energy(t):
        return ContactRate.of(pair, q + t * v, v, z + t * rates.z_rate, status).report().energy

    change = (energy(1e-6) - energy(-1e-6)) / 2e-6
    balance = rates.force @ v + change + report.damping_power + report.slip_power
    assert abs(report.supplied_power) > 1.0
    assert balance == pytest.approx(report.supplied_power, rel=1e-6)


@pytest.mark.parametrize(("friction", "normal"), FORMS)
@settings(max_examples=5)
@given(seed=SEEDS, order=st.permutations(range(4)))
def test_order_of_the_points_does_not_matter(friction, normal, seed, order):
    pair, q0, q, v, history = scene(friction, normal, seed)
    step = StepStart.of(pair, q0, v, history).at(q, v, H)
    surface = Surface(pair.surface.points[order], pair.surface.weights[order])
    other = ContactPair(pair.slave, surface, pair.master, pair.normal, pair.friction)
    mixed = ContactHistory(history.z[order], history.status[order], history.slip_totals[order])
    found = StepStart.of(other, q0, v, mixed).at(q, v, H)
    assert np.array_equal(found.history.z, step.history.z[order])
    assert np.array_equal(found.history.slip_totals, step.history.slip_totals[order])
    assert np.allclose(found.force, step.force, rtol=1e-13, atol=1e-13 * np.abs(step.force).max())


def test_bad_history_and_missing_damper():
    pair, q0, q, v, history = scene("elasto-plastic", "solid", 1)
    with pytest.raises(InputError, match="history of 3 columns"):
        StepStart.of(pair, q0, v, ContactHistory.fresh(4))
    stiff = ContactPair(
        pair.slave, pair.surface, pair.master, PenaltyNormal(200.0), ElastoPlastic(0.4, 40.0)
    )
    rates = ContactRate.of(stiff, q, v, np.zeros((4, 3)), history.status)
    assert np.abs(rates.force).max() > 0.0
    with pytest.raises(InputError, match="invalid friction damping = 0 with the continuous law"):
        _ = rates.z_rate
