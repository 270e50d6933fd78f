"""The event-free method: Jacobian, agreement of its solvers and with the implicit method."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, Surface
from fecontact.contact.laws.coefficient import Coulomb
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.errors import InputError
from fecontact.integrate import Ode, Point, Statistics, simulate
from fecontact.integrate.rate.ode import OdeRun
from fecontact.joint import Bearing, Gravity
from fecontact.joint.constraint import Prismatic
from fecontact.system import System

CORNERS = 0.1 * np.array([[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, -1.0, 0.0]])


def thrown(dofs=DOFS, joints=()):
    """A body thrown on a rough plane, at a moment at which all points slide."""
    place = (0.0, 0.0, -3e-4)
    body = RigidBody("body", 1.0, dofs, (0.01, 0.01, 0.02), position=place)
    pair = ContactPair(
        body, Surface(CORNERS, np.ones(3)), RigidFace(None, Plane()), PenaltyNormal(1e4, 50.0),
        ElastoPlastic(0.3, 1e4, 50.0),
    )  # fmt: skip
    system = System([body], [Gravity([body]), pair, *(joint(body) for joint in joints)])
    return system, system.sliding(system.state(v={"body.ux": 0.5}))


def run_of(system, state):
    start = Point(state, system.accelerations(state)[0])
    return OdeRun(Ode(), system, start, 0.1, Statistics())


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
    return simulate(system, 0.03, start, "ode", output=0.015, rtol=1e-9)


@pytest.mark.parametrize("solver", ["BDF", "LSODA", "RK45", "DOP853"])
def test_solvers_agree(solver, exact):
    system, start = thrown(("ux", "uz"))
    motion = simulate(system, 0.03, start, "ode", output=0.015, solver=solver)
    assert np.abs(motion.q - exact.q).max() < 1e-8
    assert np.array_equal(motion.contact_status, exact.contact_status)
    assert motion.statistics.evaluations > 50


def test_agrees_with_the_implicit_method():
    """A body that slides, turns and lands in all dofs: differences fall with the step."""
    system, start = thrown()
    exact = simulate(system, 0.05, start, "ode", solver="DOP853", rtol=1e-8, output=0.05)
    off = []
    for step in (2e-3, 1e-3):
        motion = simulate(system, 0.05, start, step=step, output=0.05)
        off.append(np.abs(motion.q[-1] - exact.q[-1]).max())
        assert np.allclose(motion.slip_totals[-1], exact.slip_totals[-1], rtol=0.05, atol=1e-6)
    assert off[1] < 2e-5
    assert off[1] < 0.6 * off[0]


def test_with_constraints():
    """A guide along x leaves one sliding dof: x'' = -mu g to the regularisation."""
    system, start = thrown(joints=[lambda body: Prismatic(None, body, axis="x")])
    motion = simulate(system, 0.02, start, "ode", solver="Radau", output=0.01)
    pressure = 3.0 * 1e4 * 3e-4
    x = 0.5 * motion.t - 0.3 * pressure * motion.t**2 / 2
    assert motion.history("body.ux") == pytest.approx(x, rel=1e-6)
    assert abs(motion.energies["residual"][-1]) < 1e-8
    with pytest.raises(InputError, match="invalid solver = BDF with constraints"):
        simulate(system, 0.02, start, "ode", solver="BDF")
    with pytest.raises(InputError, match="method 'projected' has no contact history"):
        simulate(system, 0.02, start, "projected")


def bouncing(damping=60.0):
    mass = RigidBody("m", 2.0, ("uz",), position=(0.0, 0.0, 1e-3))
    foot = ContactPair(
        mass, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane()),
        PenaltyNormal(1e5, damping), ElastoPlastic(0.0, 1e5, 20.0), "foot",
    )  # fmt: skip
    system = System([mass], [foot])
    return system, system.state(v={"m.uz": -3.0})


@pytest.mark.parametrize("solver", ["DOP853", "LSODA", "BDF"])
def test_energy_of_a_damped_bounce(solver):
    """The springs relax while the mass flies off freely: no step strides over that."""
    system, start = bouncing()
    lines = simulate(system, 0.05, start, "ode", 0.05, rtol=1e-9, solver=solver).energies
    assert lines["damping"][-1] > 1.0
    left = abs(lines["residual"][-1]) + abs(lines["numerical"][-1])
    assert left < 1e-6 * lines["kinetic"][0]


@pytest.mark.parametrize("begin", [0.0, 1e4])
def test_static_coefficient_with_long_steps(begin):
    """A spring drags a mass that lets go at mu_s, slides with mu_k and sticks where it turns.

    It turns at 2 mu_k N/k - x0, but for the length of the bristles, and heats mu_k N times its way.
    Late in time numbers are too far apart to find a change to 1e-9 of a step.
    """
    spring, load, x0 = 1e4, 100.0, 4.1e-3
    mass = RigidBody("m", 1.0, ("ux",))
    law = ElastoPlastic(Coulomb(0.2, static=0.4), 1e7, 300.0)
    foot = ContactPair(
        mass, Surface(np.array([[0.0, 0.0, -1e-4]]), np.ones(1)), RigidFace(None, Plane()),
        PenaltyNormal(load / 1e-4), law, "foot",
    )  # fmt: skip
    system = System([mass], [foot, Bearing(mass, spring, 0.0)])
    start = replace(system.state(q={"m.ux": x0}), t=begin)
    motion = simulate(system, begin + 0.06, start, "ode", 0.06, rtol=1e-4, solver="DOP853")
    turn, bristle = 2.0 * 0.2 * load / spring - x0, 0.2 * load / 1e7
    assert motion.q[-1, 0] == pytest.approx(turn, abs=2.0 * bristle)
    assert motion.energies["slip"][-1] == pytest.approx(0.2 * load * (x0 - turn), rel=2e-3)
