"""The event-free method: Jacobian, agreement of its solvers and with the implicit method."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import FREEDOMS, RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, Surface
from fecontact.contact.rigid_face import RigidFace
from fecontact.contact.shape import Plane
from fecontact.errors import InputError
from fecontact.joint import Gravity
from fecontact.joint.constraint import Prismatic
from fecontact.simulate import Flow, Point, Statistics, simulate
from fecontact.simulate.flow import FlowRun
from fecontact.system import System

CORNERS = 0.1 * np.array([[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, -1.0, 0.0]])


def thrown(freedoms=FREEDOMS, joints=()):
    """A body thrown on a rough plane, at a moment at which all points slide."""
    place = (0.0, 0.0, -3e-4)
    body = RigidBody("body", 1.0, freedoms, (0.01, 0.01, 0.02), position=place)
    pair = ContactPair(
        body, Surface(CORNERS, np.ones(3)), RigidFace(None, Plane()), PenaltyNormal(1e4, 50.0),
        ElastoPlastic(0.3, 1e4, 50.0),
    )  # fmt: skip
    system = System([body], [Gravity([body]), pair, *(joint(body) for joint in joints)])
    return system, system.sliding(system.state(v={"body.ux": 0.5}))


def run_of(system, state):
    start = Point(state, system.accelerations(state)[0])
    return FlowRun(Flow(), system, start, 0.1, Statistics())


def test_jacobian(difference):
    """Derivatives of all rates along motions of the body, by velocities and elastic slips."""
    system, state = thrown()
    rng = np.random.default_rng(2)
    state.q[:] = system.move(state.q, 1e-4 * rng.standard_normal(6))
    state.v[:] += 0.1 * rng.standard_normal(6)
    run = run_of(system, state)
    y = run.solver.y
    q, v, z = run.ends[:3]
    n = system.size

    def rates(step):
        moved = y.copy()
        moved[:q] = system.move(y[:q], step[:n])
        moved[q:z] += step[n:]
        return run.rate(0.0, moved)[:z]

    along = np.zeros((z, n + z - q))
    along[:q, :n] = np.array([system.rate(y[:q], e) for e in np.eye(n)]).T
    along[q:, n:] = np.eye(z - q)
    exact = run.jacobian(0.0, y)[:z, :z] @ along
    sizes = np.concatenate([np.full(n, 1e-6), np.full(n, 1e-4), np.full(z - v, 1e-6)])
    found = difference(rates, np.zeros(n + z - q), sizes)
    for rows in (slice(0, q), slice(q, v), slice(v, z)):
        scale = np.abs(found[rows]).max()
        assert np.abs(exact[rows] - found[rows]).max() <= 1e-7 * scale


@pytest.fixture(scope="module")
def exact():
    system, start = thrown(("ux", "uz"))
    return simulate(system, 0.03, start, "flow", output=0.015, rtol=1e-9)


@pytest.mark.parametrize("solver", ["BDF", "LSODA", "RK45", "DOP853"])
def test_solvers_agree(solver, exact):
    system, start = thrown(("ux", "uz"))
    motion = simulate(system, 0.03, start, "flow", output=0.015, solver=solver)
    assert np.abs(motion.q - exact.q).max() < 1e-8
    assert np.array_equal(motion.mode, exact.mode)
    assert motion.statistics.evaluations > 50


def test_agrees_with_the_implicit_method():
    """A body that slides, turns and lands in all freedoms: differences fall with the step."""
    system, start = thrown()
    exact = simulate(system, 0.05, start, "flow", solver="DOP853", rtol=1e-8, output=0.05)
    off = []
    for step in (2e-3, 1e-3):
        motion = simulate(system, 0.05, start, step=step, output=0.05)
        off.append(np.abs(motion.q[-1] - exact.q[-1]).max())
        assert np.allclose(motion.wear[-1], exact.wear[-1], rtol=0.05, atol=1e-6)
    assert off[1] < 2e-5
    assert off[1] < 0.6 * off[0]


def test_with_constraints():
    """A guide along x leaves one sliding freedom: x'' = -mu g to the regularisation."""
    system, start = thrown(joints=[lambda body: Prismatic(None, body, axis="x")])
    motion = simulate(system, 0.02, start, "flow", solver="Radau", output=0.01)
    pressure = 3.0 * 1e4 * 3e-4
    x = 0.5 * motion.t - 0.3 * pressure * motion.t**2 / 2
    assert motion.history("body.ux") == pytest.approx(x, rel=1e-6)
    assert abs(motion.energies["residual"][-1]) < 1e-8
    with pytest.raises(InputError, match="solver = BDF is not possible with constraints"):
        simulate(system, 0.02, start, "flow", solver="BDF")
    with pytest.raises(InputError, match="method 'projected' has no contact history"):
        simulate(system, 0.02, start, "projected")
