"""Contact with an elastic master: neither threads nor the order of points change its results."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.contact import (
    ContactHistory,
    ContactModuli,
    ContactPair,
    Coulomb,
    ElasticFace,
    ElastoPlastic,
    HertzPoint,
    JKRContact,
    KelvinLayer,
    MindlinFriction,
    PenaltyNormal,
    PowerNormal,
    RegularisedCoulomb,
    SolidLayer,
    Stribeck,
    Surface,
    dupont,
    elastic_surface,
)
from fecontact.contact.evaluate.compiled import points as module
from fecontact.contact.kernels.facets.tangents import GROUP
from fecontact.contact.kernels.layout import BLOCK
from fecontact.fem import ElasticSolid, Material
from fecontact.mesh import block
from fecontact.reduction import reduce_model

SEEDS = st.integers(0, 10**6)
THREADS = (2, 3, 5)
H = 1e-3
COUNT = 2 * GROUP * BLOCK + 300
"""Points of more than two groups, whose sums threads share, and of a block that is not full."""
BALL = ContactModuli(1e7, 0.3)
CURVE = Stribeck(0.3, 0.5, 0.5, 1.5, 0.02)
LAWS = {
    "elasto-plastic": (PenaltyNormal(2e6, 1e3), ElastoPlastic(Coulomb(0.05, 0.08), 1e6, 2e3)),
    "mindlin": (
        PowerNormal(3e7, 1.5, 0.3),
        MindlinFriction(HertzPoint(BALL, radius=0.3), CURVE, 2.0, root_damping=0.1),
    ),
    "solid layer, dupont": (SolidLayer(1.2e6, 2e6, 2e-3), dupont(CURVE, 5e5, 2e3, onset=0.3)),
    "kelvin layer, arctan": (KelvinLayer(2e6, 1e3), RegularisedCoulomb(CURVE, 0.1)),
    "adhesion": (JKRContact(BALL, 0.3, 1e3).law(1e-3), ElastoPlastic(CURVE, 1e6, 2e3)),
}


@pytest.fixture(scope="module")
def models():
    """Lower block with facets of six nodes on top, upper one with facets of eight below."""
    soft = Material(1e7, 0.3, 1000.0)
    lower = ElasticSolid(block(1.0, 0.8, 0.3, cells=(2, 2, 1), cell="tet"), soft, element="tet2")
    upper = ElasticSolid(block(0.7, 0.5, 0.2, cells=(3, 2, 1)), soft, element="hexS2")
    return [
        reduce_model(solid, contact=[face], modes=5, method="free")
        for solid, face in ((lower, "z_max"), (upper, "z_min"))
    ]


def scene(models, laws, elastic, seed):
    """Points at random places over an elastic block, of a rigid or an elastic body; a step."""
    rng, (lower, upper) = np.random.default_rng(seed), models
    master = ElasticBody("lower", lower, position=(0.1, 0.1, -0.3))
    if elastic:
        slave = ElasticBody("upper", upper, position=(0.23, 0.27, 0.0))
        surface = elastic_surface(slave, "z_min", parts=4)
        surface = replace(surface, gap=5e-3 * rng.standard_normal(len(surface.points)))
    else:
        slave = RigidBody("points", 1.0, DOFS, (0.1, 0.12, 0.15))
        places = rng.uniform([0.05, 0.05, -0.02], [1.15, 0.95, 0.01], (COUNT, 3))
        surface = Surface(places, rng.uniform(0.5, 1.0, COUNT) / COUNT)
    pair = ContactPair(slave, surface, ElasticFace(master, "z_max"), *LAWS[laws])
    before, after, rates = [], [], []
    for body in pair.bodies:
        n, size = len(body.dofs), np.full(len(body.dofs), 0.01)
        if isinstance(body, ElasticBody):
            size[6:] = 0.01 / np.abs(body.attachments.node_shapes).max()
        before.append(body.move(body.reference(), size * rng.uniform(-1.0, 1.0, n)))
        after.append(body.move(before[-1], 0.3 * size * rng.uniform(-1.0, 1.0, n)))
        rates.append(20.0 * size * rng.uniform(-1.0, 1.0, n))
    count = len(surface.points)
    z = 2e-3 * rng.standard_normal((count, 3))
    if pair.columns == 4:  # a bond, or a layer that was pressed before
        state = rng.uniform(0.0, 1.0 if laws == "adhesion" else 0.02, count)
        z = np.column_stack([z, state])
    history = ContactHistory(z, rng.integers(0, 3, count), rng.uniform(0.0, 1.0, (count, 2)))
    return pair, np.concatenate(before), np.concatenate(after), np.concatenate(rates), history


def evaluated(pair, q0, q1, v, history):
    """All that a step finds and its tangents, then force and rates."""
    step = pair.begin(0.0, q0, v, history).at(0.0, q1, v, H)
    rates = pair.rate(0.0, q1, v, history)
    return *step.found, *step.tangents(), rates.force, rates.z_rate


def in_threads(number, state):
    """The same with a number of threads, for surfaces of any size."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "THREADS", number)
        patch.setattr(module, "THREADED_FROM", 1)
        module._pool.cache_clear()
        try:
            return evaluated(*state)
        finally:
            module._pool().shutdown()
            module._pool.cache_clear()


@pytest.mark.parametrize("elastic", [False, True], ids=["rigid slave", "elastic slave"])
@pytest.mark.parametrize("laws", LAWS)
@settings(max_examples=3)
@given(seed=SEEDS)
def test_the_number_of_threads_changes_no_bit(models, laws, elastic, seed):
    state = scene(models, laws, elastic, seed)
    alone = evaluated(*state)
    assert np.abs(alone[0]).max() > 0.0
    for number in THREADS:
        for a, b in zip(alone, in_threads(number, state), strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("elastic", [False, True], ids=["rigid slave", "elastic slave"])
@pytest.mark.parametrize("laws", LAWS)
@settings(max_examples=3)
@given(seed=SEEDS)
def test_the_order_of_points_does_not_matter(models, laws, elastic, seed):
    """Each point has the same history, to round-off; sums to that of their order. In threads.

    The stiffness of an adhesive point has no bound near its fold, so neither has its round-off.
    """
    pair, q0, q1, v, history = scene(models, laws, elastic, seed)
    order, s = np.random.default_rng(seed).permutation(len(history.status)), pair.surface
    shapes = None if s.shapes is None else s.shapes[order]
    gap = np.broadcast_to(s.gap, len(order))[order]
    mixed = replace(pair, surface=Surface(s.points[order], s.weights[order], shapes, gap))
    turned = ContactHistory(history.z[order], history.status[order], history.slip_totals[order])
    step = pair.begin(0.0, q0, v, history).at(0.0, q1, v, H)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "THREADS", 3)
        patch.setattr(module, "THREADED_FROM", 1)
        other = mixed.begin(0.0, q0, v, turned).at(0.0, q1, v, H)
        tangents = other.tangents()
    for name in ("z", "slip_totals"):
        a, b = getattr(step.history, name)[order], getattr(other.history, name)
        np.testing.assert_allclose(b, a, rtol=0, atol=1e-12 * np.abs(a).max())
    np.testing.assert_array_equal(other.history.status, step.history.status[order])
    sums = 1 if laws == "adhesion" else 3
    here, there = (step.force, *step.tangents()), (other.force, *tangents)
    for a, b in zip(here[:sums], there[:sums], strict=True):
        np.testing.assert_allclose(b, a, rtol=0, atol=1e-12 * np.abs(a).max())
