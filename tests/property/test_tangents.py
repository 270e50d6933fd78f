"""All tangents against differences, to 1e-7 of the block norm, on random scaled states."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fecontact.analysis import steady_state
from fecontact.body import DOFS, RigidBody
from fecontact.reduction import reduce_harmonic
from fecontact.system import State

KINDS = ["SpinningDisc", "RigidBody", "Bearing", "Force", "ContactPair"]


@pytest.fixture(scope="module")
def systems(elastic_disc, ritz):
    """Flagship systems with their steady states, on both bases and both damping rates.

    The curvature of Hermite elements jumps at their nodes, and with it the tangent: here the
    contact circle lies in the middle of an element, and random states stay inside it.
    """
    plate = elastic_disc.plate(replace(elastic_disc.ElasticDisc(), elements=15))
    fe = reduce_harmonic(plate, contact_radius=0.1)
    result = {}
    for basis, model in (("ritz", ritz), ("fe", fe)):
        for rate in ("partial", "material"):
            p = replace(elastic_disc.ElasticDisc(), damping_rate=rate, contact_damping=200.0)
            system = elastic_disc.build(p, model)
            result[basis, rate] = system, steady_state(system).state.q
    return result


@settings(max_examples=4)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("basis", ["ritz", "fe"])
@given(seed=st.integers(0, 2**32 - 1), rate=st.sampled_from(["partial", "material"]))
def test_item_tangents(systems, difference, kind, basis, seed, rate):
    system, q0 = systems[basis, rate]
    item = next(i for i in system.items if type(i).__name__ == kind)
    rng = np.random.default_rng(seed)
    split = 3
    scale = np.r_[
        np.full(split, 1e-4), np.full(system.size - split, 0.2 * np.abs(q0[split:]).max())
    ]
    q = q0 + 0.3 * scale * rng.uniform(-1, 1, system.size)
    v = 300.0 * scale * rng.uniform(-1, 1, system.size)
    local_q, local_v = system.local(item, State(0.0, q, v))
    step = system.local(item, State(0.0, scale, scale))[0]
    by_q, by_v = item.tangents(0.0, local_q, local_v)
    expected_q = difference(lambda a: item.force(0.0, a, local_v), local_q, 1e-2 * step)
    expected_v = difference(lambda a: item.force(0.0, local_q, a), local_v, 3.0 * step)
    n = [len(body.dofs) for body in item.bodies]
    ends = np.cumsum([0, *n])
    blocks = [slice(a, b) for a, b in pairwise(ends)]
    for found, expected in ((by_q, expected_q), (by_v, expected_v)):
        assert found.shape == (sum(n), sum(n))
        for i in blocks:
            for j in blocks:
                error = np.linalg.norm(found[i, j] - expected[i, j])
                assert error <= 1e-7 * np.linalg.norm(expected[i, j]) + 1e-300


def test_system_tangents(systems, difference):
    system, q = systems["fe", "material"]
    v = np.zeros_like(q)
    by_q, _ = system.tangents(State(0.0, q, v))
    scale = np.r_[np.full(3, 1e-6), np.full(system.size - 3, 2e-3 * np.abs(q[3:]).max())]
    expected = difference(lambda a: system.force(State(0.0, a, v)), q, scale)
    assert np.linalg.norm(by_q - expected) < 1e-8 * np.linalg.norm(expected)


@settings(max_examples=8)
@given(seed=st.integers(0, 2**32 - 1))
def test_contact_of_a_body_with_six_dofs(systems, difference, seed):
    """The same contact with a clutch disc that may also tilt and turn."""
    system, q0 = systems["ritz", "material"]
    flat = system.items[-1]
    disc = RigidBody("clutch", 0.5, DOFS, inertia=(2e-3, 2e-3, 3e-3))
    contact = replace(flat, slave=disc)
    rng = np.random.default_rng(seed)
    scale = np.r_[np.full(3, 3e-5), np.full(3, 3e-4), np.full(9, 5e-4)]
    step = scale * rng.uniform(-1, 1, 15)
    q_disc = disc.move(disc.reference(), np.r_[q0[:3], np.zeros(3)] + step[:6])
    q = np.r_[q_disc, q0[3:] + step[6:]]
    v = 300.0 * scale * rng.uniform(-1, 1, 15)
    v[5] += 300.0

    def moved(s):
        return np.r_[disc.move(q_disc, s[:6]), q[7:] + s[6:]]

    by_q, by_v = contact.tangents(0.0, q, v)
    expected = difference(lambda s: contact.force(0.0, moved(s), v), np.zeros(15), 0.1 * scale)
    assert np.linalg.norm(by_q - expected) < 1e-7 * np.linalg.norm(expected)
    expected = difference(lambda a: contact.force(0.0, q, a), v, 10.0 * scale)
    assert np.linalg.norm(by_v - expected) < 1e-7 * np.linalg.norm(expected)
