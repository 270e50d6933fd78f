"""Contact history in the system: layout, time steps, rate form, exact tangents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.contact import ContactPair, CoulombSliding, ElastoPlastic, PenaltyNormal, Surface
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.errors import InputError
from fecontact.joint import Bearing, Gravity
from fecontact.system import System

POINTS = np.array([[0.3, 0.1, -0.02], [-0.2, 0.2, -0.02], [0.1, -0.3, -0.02]])


@pytest.fixture(scope="module")
def stack():
    """A block on a block on the ground, with two stateful contacts and one without history."""
    lower = RigidBody("lower", 2.0, DOFS, (0.3, 0.2, 0.25))
    upper = RigidBody("upper", 1.0, DOFS, (0.1, 0.12, 0.15))
    laws = PenaltyNormal(200.0, 3.0), ElastoPlastic(0.4, 40.0, 1.5)
    items = [
        Gravity([lower, upper]),
        ContactPair(lower, Surface(POINTS[:2], np.ones(2)), RigidFace(None, Plane()), *laws, "one"),
        ContactPair(upper, Surface(POINTS, np.ones(3)), RigidFace(lower, Plane()), *laws, "two"),
        ContactPair(
            upper, Surface(POINTS, np.ones(3)), RigidFace(None, Plane()), laws[0],
            CoulombSliding(0.1), "three",
        ),
        Bearing(upper, 30.0, 40.0),
    ]  # fmt: skip
    return System([lower, upper], items)


def moving(system, seed=3):
    """A random state with contact in all points and a random history."""
    rng = np.random.default_rng(seed)
    step = 0.02 * rng.standard_normal(system.size)
    q, v = system.move(system.rest().q, step), 0.3 * rng.standard_normal(system.size)
    z, status, slip_totals = system.history_layout.sizes
    state = replace(system.rest(), q=q, v=v, z=0.02 * rng.standard_normal(z))
    return replace(
        state, status=rng.integers(1, 3, status), slip_totals=rng.uniform(0.0, 1.0, slip_totals)
    )


def test_layout(stack):
    """Stateful items, in the order of the system; p k, p and 2 p numbers each."""
    layout = stack.history_layout
    assert layout.names == ("one", "two")
    assert layout.sizes == (15, 5, 10)
    assert layout.z == {"one": slice(0, 6), "two": slice(6, 15)}
    assert layout.status["two"] == slice(2, 5)
    state = moving(stack)
    history = layout.history(state, "two")
    assert np.array_equal(history.z.ravel(), state.z[6:])
    assert np.array_equal(history.slip_totals.ravel(), state.slip_totals[4:])
    again = layout.with_histories(
        stack.rest(), {name: layout.history(state, name) for name in layout.names}
    )
    for name in ("z", "status", "slip_totals"):
        assert np.array_equal(getattr(again, name), getattr(state, name))
    fresh = layout.filled(stack.rest())
    assert [len(x) for x in (fresh.z, fresh.status, fresh.slip_totals)] == [15, 5, 10]
    assert not fresh.z.any()


def test_histories_that_do_not_fit(stack):
    with pytest.raises(InputError, match=r"invalid z of shape \(3,\): expected \(15,\), or none"):
        stack.consistent(replace(stack.rest(), z=np.zeros(3)))
    with pytest.raises(InputError, match="invalid slip_totals of the contacts: expected finite"):
        stack.history_layout.check(replace(stack.rest(), slip_totals=np.full(10, np.nan)))


def test_tangents_of_a_step(stack, difference):
    """df/dq and df/dv of all items over a time step, against differences."""
    start = moving(stack)
    n, begun = stack.size, stack.begin(start)
    end = replace(start, t=0.01, q=stack.move(start.q, 0.003 * np.cos(np.arange(n))))

    def force(step):
        trial = replace(end, q=stack.move(end.q, step[:n]), v=end.v + step[n:])
        return begun.at(trial, 0.01).force

    force_now, by_q, by_v = begun.at(end, 0.01).evaluate()
    found = difference(force, np.zeros(2 * n), np.full(2 * n, 1e-4))
    assert np.allclose(force_now, force(np.zeros(2 * n)), rtol=1e-14, atol=0.0)
    assert np.abs(np.hstack([by_q, by_v]) - found).max() <= 1e-7 * np.abs(found).max()


def test_tangents_of_the_rate_form(stack, difference):
    """Force and rates by q, v and z, against differences."""
    state = moving(stack)
    n, size = stack.size, len(state.z)

    def answer(step):
        q = stack.move(state.q, step[:n])
        rates = stack.rate_form(
            replace(state, q=q, v=state.v + step[n : 2 * n], z=state.z + step[2 * n :])
        )
        return np.concatenate([rates.force, rates.z_rate])

    by = stack.rate_form(state).tangents()
    exact = np.block(
        [
            [by.force_by_q, by.force_by_v, by.force_by_z],
            [by.z_rate_by_q, by.z_rate_by_v, by.z_rate_by_z],
        ]
    )
    found = difference(answer, np.zeros(2 * n + size), np.full(2 * n + size, 1e-4))
    assert np.abs(exact[:n] - found[:n]).max() <= 1e-7 * np.abs(found[:n]).max()
    assert np.abs(exact[n:] - found[n:]).max() <= 1e-7 * np.abs(found[n:]).max()


def test_a_short_step_is_the_rate_form(stack):
    """For h -> 0 forces of step and rate form agree, and (z_1 - z_0)/h is the rate."""
    state, h = moving(stack), 1e-7
    state.z[2::3] = 0.0  # along the planes
    rates = stack.rate_form(state)
    end = replace(state, t=h, q=stack.move(state.q, h * state.v))
    step = stack.begin(state).at(end, h)
    assert np.allclose(step.force, rates.force, atol=1e-4)
    rate = (step.committed().z - state.z) / h
    assert np.allclose(rate, rates.z_rate, atol=1e-4 * np.abs(rates.z_rate).max())
    worn = (step.committed().slip_totals - state.slip_totals) / h
    assert np.allclose(worn, rates.slip_rates, atol=1e-4 * np.abs(rates.slip_rates).max())


def test_accelerations_feel_the_history(stack):
    state = moving(stack)
    a, _ = stack.accelerations(state)
    force = stack.loaded_force(state)
    assert np.allclose(stack.mass_matrix(state.q) @ a, force)
    without = replace(state, z=np.zeros(0), status=state.status[:0])
    assert np.array_equal(stack.loaded_force(without), stack.force(without))
    assert np.abs(force - stack.force(state)).max() > 0.1


def test_steady_sliding_is_at_rest():
    """From `sliding` the elastic slip has no rate, and the force is that of sliding."""
    block = RigidBody("block", 1.0, ("ux", "uy", "uz"))
    pair = ContactPair(
        block, Surface(POINTS, np.array([1.0, 2.0, 0.5])), RigidFace(None, Plane()),
        PenaltyNormal(200.0), ElastoPlastic(0.4, 40.0, 1.5),
    )  # fmt: skip
    system = System([block], [pair])
    state = system.sliding(system.state(q={"block.uz": -0.1}, v={"block.ux": 3.0, "block.uy": 4.0}))
    rates = system.rate_form(state)
    assert np.abs(rates.z_rate).max() < 1e-13
    assert np.allclose(rates.force, system.force(state), rtol=1e-13)
    assert state.z[:3] == pytest.approx(0.4 * 200.0 * 0.12 / 40.0 * np.array([0.6, 0.8, 0.0]))
    assert np.all(state.status == 2)
